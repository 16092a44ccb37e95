//! Addresses that a user opens or a page loads: completed, and refused if they would run code.

use crate::document::first_invisible;

/// An address that a user opens (docs/spec/config.md 8, `url`).
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Address {
    /// Safe to open: an address with a scheme, or a path of this site.
    Safe(String),
    /// `javascript:`, `vbscript:` or `data:`.
    Refused,
}

/// Schemes that may be followed by digits; for any other name, digits after the colon are a port.
const DIGIT_SCHEMES: [&str; 9] = ["tel", "sms", "smsto", "mms", "callto", "fax", "sip", "sips", "skype"];

/// Schemes that run code or carry a page of their own.
const REFUSED_SCHEMES: [&str; 3] = ["javascript", "vbscript", "data"];

/// Reads an address as people write it. An address without a scheme (`nas.lan`, `192.168.1.1:8080`) gets `http://`;
/// paths (`/x`, `./x`, `#x`, `?x`) stay as they are.
pub fn parse(text: &str) -> Address {
    let text = cleaned(text);
    if text.starts_with("//") {
        return Address::Safe(text);
    }
    if text.starts_with(['/', '#', '?', '.']) {
        return Address::Safe(text);
    }
    match scheme(&text) {
        Some(scheme) if REFUSED_SCHEMES.iter().any(|refused| scheme.eq_ignore_ascii_case(refused)) => Address::Refused,
        Some(_) => Address::Safe(text),
        None => Address::Safe(format!("http://{text}")),
    }
}

/// Why no browser can open an address, as [`parse`] completed it; `None` if nothing is wrong with it. Only addresses that
/// are meant for the web are looked at: other schemes have their own rules.
pub fn problem(address: &str) -> Option<String> {
    let (scheme, rest) = address.split_once(':').filter(|(scheme, _)| !scheme.contains(['/', '?', '#']))?;
    let lower = scheme.to_ascii_lowercase();
    if !matches!(lower.as_str(), "http" | "https") {
        // Nearly `http`: its letters, with one missing, doubled or in another place.
        let is_like = lower.len().abs_diff(4) <= 2
            && lower.contains('t')
            && lower.contains('p')
            && lower.bytes().all(|letter| b"htps".contains(&letter));
        return (is_like && rest.starts_with('/'))
            .then(|| format!("there is no scheme `{scheme}`; did you mean `http` or `https`?"));
    }
    let Some(rest) = rest.strip_prefix("//") else {
        return Some(format!("two slashes belong after `{scheme}:`"));
    };
    let (authority, path) = rest.split_at(rest.find(['/', '?', '#', '\\']).unwrap_or(rest.len()));
    let host_and_port = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let (host, port) = match host_and_port.rfind(':').filter(|at| !host_and_port[*at..].contains(']')) {
        Some(at) => (&host_and_port[..at], &host_and_port[at + 1..]),
        None => (host_and_port, ""),
    };
    if host.is_empty() {
        return Some("the address has no host".to_owned());
    }
    if matches!(host.to_ascii_lowercase().as_str(), "http" | "https") && path.starts_with("//") {
        return Some("the address has a second scheme, or a colon is missing after the first".to_owned());
    }
    if !port.bytes().all(|digit| digit.is_ascii_digit()) || !port.is_empty() && port.parse::<u16>().is_err() {
        return Some(format!("there is no port `{port}`; the highest is 65535"));
    }
    if let Some((_, name)) = first_invisible(host) {
        return Some(format!("there is {name} in the host"));
    }
    let forbidden = |character: char| {
        character.is_whitespace()
            || matches!(
                character,
                '"' | '\'' | '<' | '>' | '^' | '`' | '{' | '|' | '}' | '“' | '”' | '„' | '‘' | '’' | '«' | '»'
            )
    };
    match host.chars().find(|character| forbidden(*character)) {
        Some(character) if character.is_whitespace() => Some("there is a blank in the host".to_owned()),
        Some(character) => Some(format!("`{character}` cannot be in a host")),
        None => None,
    }
}

/// An `http` or `https` address, if the text is one.
pub fn web(text: &str) -> Option<String> {
    let text = cleaned(text);
    is_web(&text).then_some(text)
}

/// Whether a text begins like an `http` or `https` address.
pub fn is_web(text: &str) -> bool {
    let after = |scheme: &str| {
        text.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme))
            && text[scheme.len()..].starts_with(|next: char| !matches!(next, '/' | '?' | '#'))
    };
    after("http://") || after("https://")
}

/// Whether a text is a web address or a path from the web root.
pub fn is_resource(text: &str) -> bool {
    is_web(text) || (text.starts_with('/') && !text.starts_with("//") && !text.contains('\\'))
}

/// Whether a text can be the address of a picture: a resource, a relative path, or a `data:` picture.
pub fn is_picture(text: &str) -> bool {
    if is_data_picture(text) {
        return true;
    }
    match scheme(&cleaned(text)) {
        Some(_) => is_web(text),
        None => !text.starts_with("//") && !text.contains('\\'),
    }
}

/// Whether a text is a `data:` address of a picture.
pub fn is_data_picture(text: &str) -> bool {
    const START: &str = "data:image/";
    text.get(..START.len()).is_some_and(|start| start.eq_ignore_ascii_case(START))
}

/// The host of a web address, without user and port.
pub fn host(address: &str) -> Option<&str> {
    let rest = &address[address.find("://")? + 3..];
    let authority = &rest[..rest.find(['/', '?', '#']).unwrap_or(rest.len())];
    let host_and_port = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let host = match host_and_port.strip_prefix('[') {
        Some(inner) => inner.split_once(']').map_or(inner, |(host, _)| host),
        None => host_and_port.split_once(':').map_or(host_and_port, |(host, _)| host),
    };
    (!host.is_empty()).then_some(host)
}

/// The address without `user:password@`.
pub fn without_user(address: &str) -> String {
    let Some(start) = address.find("://").map(|at| at + 3) else { return address.to_owned() };
    let rest = &address[start..];
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    match rest[..end].rfind('@') {
        Some(at) => format!("{}{}", &address[..start], &rest[at + 1..]),
        None => address.to_owned(),
    }
}

/// The text as a browser reads an address: control characters are dropped, so they cannot hide a scheme.
fn cleaned(text: &str) -> String {
    text.trim_matches(|character: char| character <= ' ').chars().filter(|character| !character.is_control()).collect()
}

/// The scheme, unless the text before the colon is a host and the text after it a port.
fn scheme(text: &str) -> Option<&str> {
    let (scheme, rest) = text.split_once(':')?;
    let is_scheme = scheme.starts_with(|first: char| first.is_ascii_alphabetic())
        && scheme.chars().all(|character| character.is_ascii_alphanumeric() || matches!(character, '+' | '-' | '.'));
    let port = &rest[..rest.find(['/', '?', '#']).unwrap_or(rest.len())];
    let is_port = !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit());
    let takes_digits = DIGIT_SCHEMES.iter().any(|known| scheme.eq_ignore_ascii_case(known));
    (is_scheme && (!is_port || takes_digits)).then_some(scheme)
}
