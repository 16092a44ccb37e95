//! `html-embed`: HTML, styles and scripts from the config file, in a frame without access to the dashboard.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Category, Entry, FetchError, OptionProblems, Panel, Reach, Widget, WidgetContext, address,
    option_types::{Size, Text},
    panel::{Embedded, Frame, Phrase, SafeUrl},
};

/// The height in pixels until the height of the content is known.
const HEIGHT: u32 = 240;

/// Shows HTML, styles and scripts from the config file, such as a badge or a box that another site offers for embedding.
///
/// All of it runs in its own frame, as high as its content: scripts reach neither the dashboard nor its cookies, and
/// content that needs its own cookies, such as a chat, does not work. Links open in a new tab. Addresses of pictures
/// and style sheets must be complete (`https://…`), because the frame may not load anything from this server. Everybody
/// who sees the widget can read its options, so they must not contain keys.
///
/// The font is that of the page, and these CSS variables follow the theme: `--widget-text-color`,
/// `--widget-background-color`, `--widget-accent-color`, `--primary` and `--background`. With
/// `DISABLE_WIDGET_SCRIPTS=true` in the environment of the server, `script` and `scriptSrc` do nothing. On pages from
/// other hosts, scripts, forms and everything loaded from elsewhere are removed.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct HtmlEmbed {
    /// The markup, such as {example}. Scripts in it run only if `script` or `scriptSrc` is set too. Required, unless there is `htmlSrc` or a script.
    #[schemars(extend("x-example" = "<p>Hello</p>"))]
    html: Text,
    /// Where the markup is loaded from instead: the path of an `.html` file in the user-data folder, or a full address, which
    /// the server fetches whenever the frame is loaded. If that fails, `html` is shown. Optional.
    html_src: Text,
    /// JavaScript that runs once the markup is loaded. Optional.
    script: Text,
    /// The address of a script, which runs before `script`: a full address, or the path of a `.js` file in the
    /// user-data folder. Optional.
    script_src: Text,
    /// Style rules for the content. Optional.
    css: Text,
}

impl Widget for HtmlEmbed {
    const REACH: Reach = Reach::Local;
    const CATEGORY: Category = Category::TextAndLinks;
    const SYNONYMS: &'static [(&'static str, &'static str)] = &[("source", "html")];

    fn check(&self, _entry: &Entry, problems: &mut OptionProblems) {
        let has_content =
            self.html.is_set() || self.html_src.is_set() || self.script.is_set() || self.script_src.is_set();
        problems.require_option(has_content, "html", "markup (or set htmlSrc, script or scriptSrc)");
        for address in [self.script_address(), self.markup_address()] {
            if let Err(sentence) = address {
                problems.error(sentence);
            }
        }
    }

    async fn fetch(&self, _context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        let text = |option: &Text| option.get().map(str::to_owned);
        let embedded = Embedded {
            css: text(&self.css),
            html: text(&self.html),
            html_src: self.markup_address().map_err(FetchError::message)?,
            script_src: self.script_address().map_err(FetchError::message)?,
            script: text(&self.script),
        };
        let frame = Frame {
            url: None,
            embedded: Some(embedded),
            title: Phrase::default(),
            height: Some(Size::pixels(HEIGHT)),
            sandbox: None,
        };
        Ok(Panel::new(vec![frame.into()]))
    }
}

impl HtmlEmbed {
    /// The address of the script, if one is set.
    fn script_address(&self) -> Result<Option<SafeUrl>, String> {
        source("scriptSrc", &self.script_src, &["js"])
    }

    /// The address of the markup, if one is set.
    fn markup_address(&self) -> Result<Option<SafeUrl>, String> {
        source("htmlSrc", &self.html_src, &["html", "htm"])
    }
}

/// The address in an option: on the web, or the path of a file with one of these endings.
fn source(option: &str, written: &Text, endings: &[&str]) -> Result<Option<SafeUrl>, String> {
    let Some(written) = written.get() else { return Ok(None) };
    if address::has_user(written) {
        return Err(format!("{option} must hold no user name or password, since every browser would see them."));
    }
    let no_scheme = || format!("{option} must begin with https:// or http://.");
    let url = SafeUrl::parse(written).ok_or_else(no_scheme)?;
    if url.is_remote() {
        return Ok(Some(url));
    }
    let path = url.as_str().split(['?', '#']).next().unwrap_or_default();
    match path.rsplit_once('.') {
        _ if !path.starts_with('/') => Err(no_scheme()),
        Some((_, ending)) if endings.contains(&ending) => Ok(Some(url)),
        _ => Err(format!("{option} must be a full address, or the path of a file that ends in .{}.", endings[0])),
    }
}
