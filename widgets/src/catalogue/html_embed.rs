//! `html-embed`: HTML, styles and scripts from the config file, in a frame without access to the dashboard.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Entry, FetchError, OptionProblems, Outside, Panel, Reach, Widget, address,
    option_types::{Size, Text},
    panel::{Embedded, Frame, Phrase, SafeUrl},
};

const NO_SCHEME: &str = "scriptSrc must begin with https:// or http://.";
const NO_SCRIPT: &str = "scriptSrc must be a full address, or the path of a file that ends in .js.";
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
    /// The markup, such as `<p>Hello</p>`. Scripts in it run only if `script` or `scriptSrc` is set too. Required, unless there is a script.
    html: Text,
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
    const SYNONYMS: &'static [(&'static str, &'static str)] = &[("source", "html")];

    fn check(&self, _entry: &Entry, problems: &mut OptionProblems) {
        let has_content = self.html.is_set() || self.script.is_set() || self.script_src.is_set();
        problems.require_option(has_content, "html", "markup (or set script or scriptSrc)");
        if let Err(sentence) = self.script_address() {
            problems.error(sentence);
        }
    }

    async fn fetch(&self, _outside: &dyn Outside) -> Result<Panel, FetchError> {
        let text = |option: &Text| option.get().map(str::to_owned);
        let embedded = Embedded {
            css: text(&self.css),
            html: text(&self.html),
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
    fn script_address(&self) -> Result<Option<SafeUrl>, &'static str> {
        let Some(written) = self.script_src.get() else { return Ok(None) };
        if address::has_user(written) {
            return Err("scriptSrc must hold no user name or password, since every browser would see them.");
        }
        let url = SafeUrl::parse(written).ok_or(NO_SCHEME)?;
        if url.is_remote() {
            return Ok(Some(url));
        }
        let path = url.as_str().split(['?', '#']).next().unwrap_or_default();
        match path.rsplit_once('.') {
            _ if !path.starts_with('/') => Err(NO_SCHEME),
            Some((_, "js")) => Ok(Some(url)),
            _ => Err(NO_SCRIPT),
        }
    }
}
