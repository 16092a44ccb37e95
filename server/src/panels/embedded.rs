//! Pages written in the config file (`html-embed`): the address from which a frame loads one, its document, and the
//! policy that isolates it from the dashboard.

use std::{borrow::Cow, fmt::Write as _, sync::LazyLock};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use sha2::{Digest as _, Sha256};
use widgets::{
    Panel, RunSide,
    panel::{Embedded, Notice, Part, SafeUrl, Tone},
};

use super::{Panels, PlannedWidget};

/// The route, without the path prefix; followed by page, section and widget.
pub const ROUTE: &str = "/widget-frame";

/// Our script in each document; its text determines the hash in the policy.
const SCRIPT: &str = include_str!("embedded.js");
/// The default look of the content. The page sends rules for `:root`, which go before those for `html`.
const STYLE: &str = "html{color-scheme:light dark;font:1rem/1.5 Figtree,system-ui,sans-serif}\
                     body{margin:0;color:var(--widget-text-color,canvastext);overflow-wrap:break-word}\
                     a{color:var(--widget-accent-color,linktext)}img,video{max-width:100%}";
/// The typeface of our pages. It stands in the document itself, because a frame may load nothing from this server.
static TYPEFACE: LazyLock<String> = LazyLock::new(|| {
    let file = STANDARD.encode(include_bytes!("../../../public/fonts/figtree-latin.woff2"));
    format!("@font-face{{font-family:Figtree;font-weight:400 700;src:url(data:font/woff2;base64,{file})}}")
});

const SWITCHED_OFF: &str = "Scripts are switched off by the administrator";
const OF_ANOTHER_HOST: &str = "Scripts on pages of another host do not run.";

/// What the content of a frame may do. It can never leave its frame or act as part of this site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rights {
    /// Run its scripts.
    Scripts,
    /// Load pictures, styles and frames. The only script is ours.
    Markup,
    /// Nothing: its author may not be the person who runs this server.
    Nothing,
}

impl Rights {
    /// The permissions as listed in the `sandbox` attribute and in the directive of that name.
    pub fn sandbox(self) -> &'static str {
        match self {
            Self::Scripts | Self::Markup => "allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox",
            Self::Nothing => "allow-popups allow-popups-to-escape-sandbox",
        }
    }

    /// The Content-Security-Policy of the document.
    pub fn policy(self) -> String {
        let sources = match self {
            Self::Scripts => "default-src http: https: ws: wss: data: blob: 'unsafe-inline' 'unsafe-eval'".to_owned(),
            Self::Markup => format!(
                "default-src 'none'; script-src {}; style-src http: https: 'unsafe-inline'; img-src http: https: data:; \
                 font-src http: https: data:; media-src http: https: data:; frame-src http: https:; \
                 form-action http: https:; base-uri 'none'",
                *SCRIPT_HASH
            ),
            Self::Nothing => "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; \
                              form-action 'none'; base-uri 'none'"
                .to_owned(),
        };
        format!("{sources}; frame-ancestors 'self'; sandbox {}", self.sandbox())
    }
}

static SCRIPT_HASH: LazyLock<String> =
    LazyLock::new(|| format!("'sha256-{}'", STANDARD.encode(Sha256::digest(SCRIPT.as_bytes()))));

impl Panels {
    /// The page of the config file that a widget shows, and what it may do; `None` if it shows none.
    pub fn embedded<'a>(&self, planned: &'a PlannedWidget) -> Option<(&'a Embedded, Rights)> {
        let RunSide::Local(panel) = &planned.place else { return None };
        let embedded = panel.parts.iter().find_map(|part| match part {
            Part::Frame(frame) => frame.embedded.as_ref(),
            _ => None,
        })?;
        Some((embedded, self.rights(embedded, planned)))
    }

    fn rights(&self, embedded: &Embedded, planned: &PlannedWidget) -> Rights {
        if planned.page_host.is_some() {
            Rights::Nothing
        } else if self.runs_scripts && has_script(embedded) {
            Rights::Scripts
        } else {
            Rights::Markup
        }
    }

    /// Gives the frames of a panel the address of their document, without the path prefix.
    pub(super) fn address_frames(&self, panel: &mut Panel, planned: &PlannedWidget, address: &str) {
        let mut notice = None;
        for part in &mut panel.parts {
            let Part::Frame(frame) = part else { continue };
            let Some(embedded) = &frame.embedded else { continue };
            let rights = self.rights(embedded, planned);
            frame.url = SafeUrl::parse(address);
            frame.sandbox = Some(rights.sandbox().to_owned());
            if has_script(embedded) && rights != Rights::Scripts {
                let sentence = if rights == Rights::Markup { SWITCHED_OFF } else { OF_ANOTHER_HOST };
                notice = Some(Notice { text: sentence.into(), tone: Tone::Info });
            }
        }
        panel.parts.extend(notice.map(Part::from));
    }
}

/// The address of the document of a widget, by its page, section and position.
pub fn address((page, section, widget): (&str, usize, usize)) -> String {
    let page = utf8_percent_encode(page, NON_ALPHANUMERIC);
    format!("{ROUTE}/{page}/{section}/{widget}")
}

fn has_script(embedded: &Embedded) -> bool {
    embedded.script.is_some() || embedded.script_src.is_some()
}

/// The document of a frame. `file` is the content of the script that `script_src` names, if that is a user file: the
/// frame itself may load nothing from this server.
pub fn document(embedded: &Embedded, rights: Rights, file: Option<&str>) -> String {
    let mut html = String::from(
        "<!doctype html><html><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
         <base target=\"_blank\">",
    );
    // Writing to a `String` cannot fail.
    _ = write!(html, "<style>{}{STYLE}</style>", *TYPEFACE);
    if rights != Rights::Nothing {
        _ = write!(html, "<script>{SCRIPT}</script>");
    }
    if let Some(css) = &embedded.css {
        _ = write!(html, "<style>{}</style>", escape_raw_text(css, "style"));
    }
    html.push_str("</head><body>");
    html.push_str(embedded.html.as_deref().unwrap_or_default());
    if rights == Rights::Scripts {
        match (&embedded.script_src, file) {
            (Some(url), _) if url.is_remote() => {
                let url = url.as_str().replace('&', "&amp;").replace('"', "&quot;");
                _ = write!(html, "<script src=\"{url}\"></script>");
            }
            (Some(_), Some(file)) => _ = write!(html, "<script>{}</script>", escape_raw_text(file, "script")),
            _ => {}
        }
        if let Some(script) = &embedded.script {
            _ = write!(html, "<script>{}</script>", escape_raw_text(script, "script"));
        }
    }
    html.push_str("</body></html>");
    html
}

/// Escapes text for a `script` or `style` element. A backslash goes before anything that could end the element or hide
/// its end; it does not change the meaning of strings in either language.
fn escape_raw_text<'a>(text: &'a str, element: &str) -> Cow<'a, str> {
    let mut safe = String::new();
    let mut done = 0;
    for (at, _) in text.match_indices('<') {
        let rest = &text.as_bytes()[at + 1..];
        let is_end = rest.first() == Some(&b'/')
            && rest.get(1..=element.len()).is_some_and(|name| name.eq_ignore_ascii_case(element.as_bytes()));
        if is_end || rest.starts_with(b"!--") {
            safe.push_str(&text[done..=at]);
            safe.push('\\');
            done = at + 1;
        }
    }
    if done == 0 { Cow::Borrowed(text) } else { Cow::Owned(safe + &text[done..]) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn embedded() -> Embedded {
        Embedded {
            css: Some("b{color:red}</STYLE><script>alert(1)</script>".to_owned()),
            html: Some("<b>Hello</b>".to_owned()),
            html_src: None,
            script_src: SafeUrl::parse("https://cdn.example/x.js?a=1&b=\"2\""),
            script: Some("let end = '</script>', begin = '<!--'; 1 <2".to_owned()),
        }
    }

    #[test]
    fn the_document_has_styles_then_markup_then_scripts() {
        let html = document(&embedded(), Rights::Scripts, None);
        let at = |piece: &str| html.find(piece).unwrap_or_else(|| panic!("{piece}: {html}"));
        let places = [
            at(SCRIPT),
            at("<style>b{color:red}<\\/STYLE>"),
            at("<body><b>Hello</b>"),
            at("<script src=\"https://cdn.example/x.js?a=1&amp;b=&quot;2&quot;\"></script>"),
            at("<script>let end = '<\\/script>', begin = '<\\!--'; 1 <2</script></body>"),
        ];
        assert!(places.is_sorted(), "{places:?}: {html}");
    }

    #[test]
    fn the_look_of_the_page_goes_before_the_default() {
        let html = document(&embedded(), Rights::Nothing, None);
        assert!(html.contains("<style>@font-face{font-family:Figtree;"), "{html}");
        // The script of the frame puts the page's rules for `:root` first.
        assert!(!html.contains(":root{"), "{html}");
    }

    #[test]
    fn a_script_among_the_users_files_stands_in_the_document() {
        let own = Embedded { script_src: SafeUrl::parse("/own.js"), ..Embedded::default() };
        assert!(document(&own, Rights::Scripts, Some("go()")).contains("<script>go()</script>"));
        assert_eq!(document(&own, Rights::Scripts, None).matches("<script").count(), 1);
    }

    #[test]
    fn without_the_right_there_are_no_scripts_but_ours() {
        let html = document(&Embedded { css: None, ..embedded() }, Rights::Markup, Some("go()"));
        assert_eq!(html.matches("<script").count(), 1, "{html}");
        let html = document(&Embedded { css: None, ..embedded() }, Rights::Nothing, Some("go()"));
        assert_eq!(html.matches("<script").count(), 0, "{html}");
    }

    #[test]
    fn no_policy_gives_the_origin_of_this_server() {
        for rights in [Rights::Scripts, Rights::Markup, Rights::Nothing] {
            let policy = rights.policy();
            assert!(policy.ends_with(&format!("sandbox {}", rights.sandbox())), "{policy}");
            assert!(policy.contains("frame-ancestors 'self'; "), "{policy}");
            assert!(!policy.contains("same-origin") && !policy.contains("top-navigation"), "{policy}");
        }
        let markup = Rights::Markup.policy();
        assert!(markup.contains(&format!("script-src {};", *SCRIPT_HASH)), "{markup}");
        assert!(!Rights::Nothing.policy().contains("script"), "a page of another host runs nothing");
    }
}
