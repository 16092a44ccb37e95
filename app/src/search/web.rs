//! What Enter in the search box opens (docs/spec/behavior.md 6.1). Pure: text in, address out.

use config::dashboard::WebSearchView;

/// The message for an unknown search engine.
pub(crate) const UNKNOWN_ENGINE: &str = "There is no search engine “{name}”. Check searchEngine in the config.";

/// What Enter does with a text.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Destination {
    /// Opens this address.
    Address(String),
    /// Searches the web.
    Results {
        /// The engine's address with the percent-encoded text.
        address: String,
        /// Name of the engine, or the bang that chose it.
        engine: String,
    },
    /// The config names an engine that does not exist.
    UnknownEngine(String),
    /// Nothing happens: no text, or the web search is off.
    Nothing,
}

/// Decides what Enter does with `input`.
pub fn destination(settings: &WebSearchView, input: &str) -> Destination {
    let input = input.trim();
    if settings.disabled || input.is_empty() {
        return Destination::Nothing;
    }
    if settings.open_urls_directly
        && let Some(address) = as_address(input)
    {
        return Destination::Address(address);
    }
    if let Some((bang, prefix, rest)) = find_bang(settings, input) {
        return Destination::Results { address: format!("{prefix}{}", encoded(rest)), engine: bang.to_owned() };
    }
    match &settings.engine {
        Some(prefix) => Destination::Results {
            address: format!("{prefix}{}", encoded(input)),
            engine: settings.engine_name.clone(),
        },
        None => Destination::UnknownEngine(settings.engine_name.clone()),
    }
}

/// Whether a bang says where to search.
pub fn has_bang(settings: &WebSearchView, input: &str) -> bool {
    !settings.disabled && find_bang(settings, input.trim()).is_some()
}

/// The bang at the beginning or end of the text, its address prefix, and the text without it. A bang is a whole
/// word; the longest wins (the list comes sorted).
fn find_bang<'a>(settings: &'a WebSearchView, input: &'a str) -> Option<(&'a str, &'a str, &'a str)> {
    settings.bangs.iter().find_map(|(bang, prefix)| {
        let after = input.strip_prefix(bang.as_str()).filter(|rest| is_boundary(rest.chars().next()));
        let before = input.strip_suffix(bang.as_str()).filter(|rest| is_boundary(rest.chars().next_back()));
        let rest = after.or(before)?;
        Some((bang.as_str(), prefix.as_str(), rest.trim()))
    })
}

fn is_boundary(next: Option<char>) -> bool {
    next.is_none_or(char::is_whitespace)
}

/// The text as an address if it looks like one: `name.tld`, an IP address, `localhost`, or a single name with a port or a
/// path, each with optional scheme, port and path, without spaces. Addresses in the local network open without HTTPS.
fn as_address(input: &str) -> Option<String> {
    if input.contains(char::is_whitespace) {
        return None;
    }
    let lower = input.to_ascii_lowercase();
    let (scheme, rest) = if lower.starts_with("https://") {
        ("https://", &input["https://".len()..])
    } else if lower.starts_with("http://") {
        ("http://", &input["http://".len()..])
    } else {
        ("", input)
    };
    let authority = rest.split(['/', '?', '#']).next()?;
    let (host, port) = authority.rsplit_once(':').unwrap_or((authority, ""));
    let labels: Vec<&str> = host.split('.').collect();
    let valid_label = |label: &&str| {
        !label.is_empty()
            && label.chars().all(|c| c.is_alphanumeric() || c == '-')
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    let top = labels.last()?;
    let is_name = top.chars().count() >= 2 && top.chars().all(char::is_alphabetic) || top.starts_with("xn--");
    let octets: Vec<u8> = labels.iter().filter_map(|label| label.parse().ok()).collect();
    let is_ip = labels.len() == 4 && octets.len() == 4;
    let path = &rest[authority.len()..];
    // `24/7` and `c/c++` are not addresses.
    let has_path = path.starts_with('/')
        && !path.trim_start_matches('/').is_empty()
        && host.len() > 1
        && host.contains(char::is_alphabetic);
    let is_localhost = lower.starts_with("localhost") && host.len() == 9;
    let is_local = labels.len() == 1 && (is_localhost || !port.is_empty() || has_path);
    let is_named = labels.len() > 1 && (is_name || is_ip) || is_local;
    if !labels.iter().all(valid_label) || !is_named || !port.chars().all(|c| c.is_ascii_digit()) {
        return None;
    }
    let is_private = is_local || is_ip && is_private(&octets);
    let added = match scheme {
        "" if is_private => "http://",
        "" => "https://",
        _ => "",
    };
    Some([added, input].concat())
}

/// Whether an address belongs to a private network or to the machine itself (RFC 1918, RFC 3927, RFC 6598).
fn is_private(octets: &[u8]) -> bool {
    matches!(octets, [10 | 127, ..] | [192, 168, ..] | [169, 254, ..] | [172, 16..=31, ..] | [100, 64..=127, ..])
}

/// Percent-encodes everything but unreserved characters (RFC 3986, section 2.3).
#[cfg(not(target_arch = "wasm32"))]
pub fn encoded(text: &str) -> String {
    use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

    const RESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');
    utf8_percent_encode(text, RESERVED).collect()
}

/// The same by the browser, whose function needs no table in the bundle. It leaves `!'()*` as they are.
#[cfg(target_arch = "wasm32")]
pub fn encoded(text: &str) -> String {
    js_sys::encode_uri_component(text).into()
}

#[cfg(test)]
mod tests {
    use config::dashboard::WebSearchView;

    use super::{Destination, destination};

    fn settings() -> WebSearchView {
        WebSearchView {
            engine: Some("https://duck.example/?q=".to_owned()),
            engine_name: "duck".to_owned(),
            open_urls_directly: true,
            bangs: [
                ("/gh", "https://hub.example/?q="),
                ("/wa", "https://alpha.example/?i="),
                ("/g", "https://goo.example/?q="),
            ]
            .map(|(bang, prefix)| (bang.to_owned(), prefix.to_owned()))
            .to_vec(),
            ..WebSearchView::default()
        }
    }

    #[test]
    fn enter_leads_somewhere_sensible() {
        for (input, expected) in [
            ("rust lang", "https://duck.example/?q=rust%20lang"),
            ("/gh leptos", "https://hub.example/?q=leptos"),
            ("leptos /g", "https://goo.example/?q=leptos"),
            ("a /gh b", "https://duck.example/?q=a%20%2Fgh%20b"),
            ("/ghx", "https://duck.example/?q=%2Fghx"),
            ("C++ & ü", "https://duck.example/?q=C%2B%2B%20%26%20%C3%BC"),
            ("example.com", "https://example.com"),
            ("HTTP://Example.com/a?b#c", "HTTP://Example.com/a?b#c"),
            ("nas.lan:8080/x", "https://nas.lan:8080/x"),
            ("192.168.1.1", "http://192.168.1.1"),
            ("10.0.0.7:8006/ui", "http://10.0.0.7:8006/ui"),
            ("172.31.0.1", "http://172.31.0.1"),
            ("172.32.0.1", "https://172.32.0.1"),
            ("https://192.168.1.1", "https://192.168.1.1"),
            ("1.1.1.1", "https://1.1.1.1"),
            ("localhost", "http://localhost"),
            ("localhost:3000", "http://localhost:3000"),
            ("Localhost:3000/a?b", "http://Localhost:3000/a?b"),
            ("nas:5000", "http://nas:5000"),
            ("nas:8080", "http://nas:8080"),
            ("localhost:3000/x", "http://localhost:3000/x"),
            ("router/setup", "http://router/setup"),
            ("router/setup?a=b", "http://router/setup?a=b"),
            ("https://router/setup", "https://router/setup"),
            ("router/", "https://duck.example/?q=router%2F"),
            ("24/7", "https://duck.example/?q=24%2F7"),
            ("c/c++", "https://duck.example/?q=c%2Fc%2B%2B"),
            ("router?setup", "https://duck.example/?q=router%3Fsetup"),
            ("nas", "https://duck.example/?q=nas"),
            ("localhosts", "https://duck.example/?q=localhosts"),
            ("re: mail", "https://duck.example/?q=re%3A%20mail"),
            ("nas:", "https://duck.example/?q=nas%3A"),
            ("1.5", "https://duck.example/?q=1.5"),
            ("what.is this", "https://duck.example/?q=what.is%20this"),
            ("a..b", "https://duck.example/?q=a..b"),
        ] {
            let address = match destination(&settings(), input) {
                Destination::Address(address) | Destination::Results { address, .. } => address,
                other => panic!("{input}: {other:?}"),
            };
            assert_eq!(address, expected, "{input}");
        }
    }

    #[test]
    fn a_bang_goes_to_the_web_at_once() {
        for (input, expected) in
            [("/gh x", true), ("x /g", true), ("/gh", true), ("/ghx", false), ("a /gh b", false), ("", false)]
        {
            assert_eq!(super::has_bang(&settings(), input), expected, "{input}");
        }
        assert!(!super::has_bang(&WebSearchView { disabled: true, ..settings() }, "/gh x"));
    }

    #[test]
    fn nothing_is_opened_without_text_or_engine() {
        assert_eq!(destination(&settings(), "  "), Destination::Nothing);
        assert_eq!(destination(&WebSearchView { disabled: true, ..settings() }, "x"), Destination::Nothing);
        let broken = WebSearchView { engine: None, engine_name: "alta-vista".to_owned(), ..settings() };
        assert_eq!(destination(&broken, "x"), Destination::UnknownEngine("alta-vista".to_owned()));
        let plain = WebSearchView { open_urls_directly: false, ..settings() };
        assert!(matches!(destination(&plain, "example.com"), Destination::Results { .. }));
    }
}
