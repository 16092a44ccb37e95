//! `image`: one picture. The server fetches it when a page asks for it, so the widget itself sends no request.

use percent_encoding::percent_decode_str;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Category, Entry, FetchError, OptionProblems, Panel, Reach, Widget, WidgetContext, address,
    option_types::{Size, Text},
    panel::{self, SafeUrl},
};

const NO_ADDRESS: &str = "imagePath must be a path or an http(s) address.";

/// Shows one picture or photo, from the user-data folder or from the web. With an `updateInterval` it is reloaded each
/// time, as needed for webcams.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Image {
    /// Address of the picture: a full address, or a path in the user-data folder, such as {example}.
    #[schemars(extend("x-required" = true, "x-example" = "/logo.png"))]
    image_path: Text,
    /// Width in pixels, a CSS length such as {example}, or `auto`. Without it, fits the widget.
    #[schemars(extend("x-example" = "6.9rem"))]
    image_width: Text,
    /// Height in pixels, a CSS length such as {example}, or `auto`. Without it, fits the widget.
    #[schemars(extend("x-example" = "50vh"))]
    image_height: Text,
}

impl Widget for Image {
    const REACH: Reach = Reach::Local;
    const CATEGORY: Category = Category::TextAndLinks;

    fn check(&self, _entry: &Entry, problems: &mut OptionProblems) {
        problems.require_option(self.image_path.is_set(), "imagePath", "the address or path of a picture");
        if let Some(path) = self.image_path.get()
            && let Err(sentence) = location(path)
        {
            problems.error(sentence);
        }
        for (name, written) in [("imageWidth", &self.image_width), ("imageHeight", &self.image_height)] {
            if size(written).is_err() {
                let help = "Use a number of pixels or a CSS length such as 6.9rem.";
                problems.error(format!("{name} '{written}' is not a size. {help}"));
            }
        }
    }

    async fn fetch(&self, _context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        let url = location(&self.image_path).map_err(FetchError::message)?;
        // The rest of a web address may contain a key.
        let source = if url.is_remote() { address::host(url.as_str()) } else { url.as_str() }.to_owned();
        let file_name = file_name(&url);
        let picture = panel::Image {
            url,
            source,
            alt: String::new(),
            file_name,
            width: size(&self.image_width).unwrap_or_default(),
            height: size(&self.image_height).unwrap_or_default(),
            caption: None,
            link: None,
        };
        Ok(Panel::new(vec![picture.into()]))
    }
}

/// The last part of the path in readable form; empty if there is none.
fn file_name(url: &SafeUrl) -> String {
    let address = url.as_str().split(['?', '#']).next().unwrap_or_default();
    let path = address.split_once("://").map_or(address, |(_, rest)| rest.split_once('/').unwrap_or_default().1);
    let name = path.rsplit('/').next().unwrap_or_default();
    percent_decode_str(name).decode_utf8_lossy().into_owned()
}

/// A size as written; `None` for `auto`.
fn size(written: &str) -> Result<Option<Size>, ()> {
    if written.is_empty() || written.eq_ignore_ascii_case("auto") {
        return Ok(None);
    }
    Size::parse(written).map(Some).ok_or(())
}

/// Address of the picture: a web address, or a path on this server that begins with a slash.
fn location(written: &str) -> Result<SafeUrl, &'static str> {
    // Browsers remove these characters too, so otherwise they could hide a scheme from this check.
    let written: String = written.trim().chars().filter(|character| !character.is_control()).collect();
    let url = if let Some(rest) = written.strip_prefix("//") {
        format!("https://{rest}")
    } else if has_scheme(&written) {
        if !written.contains("://") {
            return Err(NO_ADDRESS);
        }
        written
    } else {
        below_the_root(&written)
    };
    if address::has_user(&url) {
        return Err("imagePath must not contain a user name or password, because every browser would see them.");
    }
    SafeUrl::parse(&url).ok_or(NO_ADDRESS)
}

/// Whether the text begins with a scheme, like `javascript:` and `https:`.
fn has_scheme(text: &str) -> bool {
    let Some((scheme, _)) = text.split_once(':') else { return false };
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte);
    scheme.starts_with(|first: char| first.is_ascii_alphabetic()) && scheme.bytes().all(is_plain)
}

/// The path with a leading slash and without `..`: if the dashboard is under a path prefix, the page adds that prefix,
/// and the path must not lead out of it.
fn below_the_root(written: &str) -> String {
    let (path, query) = written.split_at(written.find(['?', '#']).unwrap_or(written.len()));
    let path = path.replace('\\', "%5C");
    let mut segments: Vec<&str> = Vec::new();
    for segment in path.split('/').filter(|segment| !segment.is_empty()) {
        match segment.to_ascii_lowercase().replace("%2e", ".").as_str() {
            "." => {}
            ".." => {
                segments.pop();
            }
            _ => segments.push(segment),
        }
    }
    format!("/{}{query}", segments.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_called_as_people_call_them() {
        for (address, expected) in [
            ("/icons/my%20logo.png?v=2", "my logo.png"),
            ("https://pictures.example/a/%C3%9Cbersicht.png#top", "Übersicht.png"),
            ("https://pictures.example/today/", ""),
            ("https://pictures.example", ""),
        ] {
            assert_eq!(file_name(&SafeUrl::parse(address).unwrap()), expected, "{address}");
        }
    }

    #[test]
    fn paths_stay_below_the_root_and_only_the_web_is_linked_to() {
        for (written, expected) in [
            ("/logo.png", Ok("/logo.png")),
            ("logo.png", Ok("/logo.png")),
            ("./logo.png?v=2", Ok("/logo.png?v=2")),
            ("/icons/my%20logo.png", Ok("/icons/my%20logo.png")),
            ("/icons/../logo.png", Ok("/logo.png")),
            ("../user-data/conf.yml", Ok("/user-data/conf.yml")),
            ("/%2E%2e/%2e/logo.png", Ok("/logo.png")),
            ("/..%2f..%2fetc/passwd", Ok("/..%2f..%2fetc/passwd")),
            ("/\\evil.example/x.png", Ok("/%5Cevil.example/x.png")),
            ("a.png\0.txt", Ok("/a.png.txt")),
            ("//pictures.example/x.png", Ok("https://pictures.example/x.png")),
            ("HTTPS://pictures.example/x.png?a=b", Ok("HTTPS://pictures.example/x.png?a=b")),
            ("javascript:alert(1)", Err(NO_ADDRESS)),
            ("java\tscript:alert(1)", Err(NO_ADDRESS)),
            ("data:text/html,x", Err(NO_ADDRESS)),
            ("mailto:anna@example.com", Err(NO_ADDRESS)),
            ("file:///etc/passwd", Err(NO_ADDRESS)),
            ("C:\\pictures\\x.png", Err(NO_ADDRESS)),
        ] {
            assert_eq!(location(written).as_ref().map(SafeUrl::as_str), expected.as_ref().copied(), "{written:?}");
        }
        assert!(location("http://anna:pw@cam.lan/still.jpg").unwrap_err().contains("a user name"));
    }
}
