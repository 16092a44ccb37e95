//! The addresses in texts, and the content security policy of a page.

use crate::routes::headers;

/// Where addresses below a prefix begin and end, without the prefix. Their markup is ours, so they stand in quotes or brackets; with
/// `in_lists`, those behind a blank count too, as in lists of fonts.
pub(super) fn addresses(text: &str, base: &str, in_lists: bool) -> Vec<(usize, usize)> {
    let opening = |byte: u8| match byte {
        quote @ (b'"' | b'\'') => Some(quote),
        b'(' => Some(b')'),
        b' ' if in_lists => Some(b'"'),
        _ => None,
    };
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    for (at, byte) in bytes.iter().enumerate() {
        let Some(closing) = opening(*byte) else { continue };
        let Some(rest) = text.get(at + 1..).and_then(|rest| rest.strip_prefix(base)) else { continue };
        if !rest.starts_with('/') || rest.starts_with("//") {
            continue;
        }
        let start = at + 1 + base.len();
        let ends = |byte: u8| byte == closing || matches!(byte, b'?' | b'#' | b' ' | b'<' | b'>' | b'&' | b'\n');
        let Some(length) = rest.bytes().position(ends) else { continue };
        found.push((start, start + length));
    }
    found
}

/// The text with other addresses in place of those below a prefix; `new` gives the whole address for a path, or `None` where it
/// stays.
pub(super) fn with_addresses(text: &str, base: &str, new: impl Fn(&str) -> Option<String>) -> String {
    let mut changed = String::with_capacity(text.len());
    let mut copied = 0;
    for (start, end) in addresses(text, base, true) {
        let whole = start - base.len();
        if let Some(address) = new(&text[start..end]).filter(|_| whole >= copied) {
            changed.push_str(&text[copied..whole]);
            changed.push_str(&address);
            copied = end;
        }
    }
    changed.push_str(&text[copied..]);
    changed
}

/// The policy of a page whose addresses were changed: with the hashes of its inline styles as they are now.
pub(super) fn with_hashes(policy: &str, before: &str, after: &str) -> String {
    let styles = |page| inline_styles(page).collect::<Vec<_>>();
    let pairs = styles(before).into_iter().zip(styles(after)).filter(|(before, after)| before != after);
    pairs.fold(policy.to_owned(), |policy, (before, after)| {
        policy.replace(&headers::hash(before), &headers::hash(after))
    })
}

fn inline_styles(page: &str) -> impl Iterator<Item = &str> {
    page.split("<style").skip(1).filter_map(|rest| Some(rest.split_once('>')?.1.split_once("</style>")?.0))
}

/// A page that carries its content security policy itself, as far as a page can.
pub(super) fn with_policy(page: &str, policy: Option<&str>) -> String {
    const CHARSET: &str = "<meta charset=\"utf-8\">";
    let Some((before, after)) = policy.and_then(|_| page.split_once(CHARSET)) else { return page.to_owned() };
    let of_headers = ["frame-ancestors", "report-to", "report-uri", "sandbox"];
    let directives = policy.unwrap_or_default().split(';').map(str::trim);
    let kept: Vec<&str> =
        directives.filter(|directive| !of_headers.iter().any(|name| directive.starts_with(name))).collect();
    let policy = kept.join("; ").replace('"', "&quot;");
    format!("{before}{CHARSET}<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">{after}")
}

#[cfg(test)]
mod tests {
    use super::{with_addresses, with_hashes};
    use crate::routes::headers;

    #[test]
    fn addresses_are_changed_where_they_stand() {
        let shared = |path: &str| (!path.starts_with("/home")).then(|| format!("/start{path}"));
        let text = r#"<a href="/start/de/home/a"><img src='/start/de/icons/a.svg'><p data-fonts="/start/de/a.woff2 /start/de/b.woff2">(/start/de/c.png?x) /start/de"#;
        let expected = r#"<a href="/start/de/home/a"><img src='/start/icons/a.svg'><p data-fonts="/start/a.woff2 /start/b.woff2">(/start/c.png?x) /start/de"#;
        assert_eq!(with_addresses(text, "/start/de", shared), expected);
    }

    #[test]
    fn a_style_with_another_address_keeps_its_place_in_the_policy() {
        let (before, after) = ("body{background:url(/de/a.png)}", "body{background:url(/a.png)}");
        let page = |style: &str| format!("<style>p{{}}</style><style class=\"theme\">{style}</style>");
        let policy = format!("style-src {} {}", headers::hash("p{}"), headers::hash(before));
        let expected = format!("style-src {} {}", headers::hash("p{}"), headers::hash(after));
        assert_eq!(with_hashes(&policy, &page(before), &page(after)), expected);
    }
}
