//! Style sheets of other sites, served from our own origin, and with them the pictures, fonts and further style sheets that
//! they name.

use url::Url;

use super::cache::{LookupOutcome, StoredMedia};
use super::fetch::{Fetch, FetchProblem, HostTrust};
use super::media::Media;
use crate::platform::blocking_pool;

const MAX_BYTES: usize = 1024 * 1024;

/// Fetches a style sheet and makes its addresses absolute, because they were relative to its original location.
pub async fn look_up(fetch: &dyn Fetch, address: &Url, trust: HostTrust) -> LookupOutcome {
    let answer = match fetch.get(address, MAX_BYTES, trust).await {
        Ok(answer) => answer,
        Err(FetchProblem::Unreachable) => return LookupOutcome::Failed,
        Err(FetchProblem::Forbidden | FetchProblem::Redirects | FetchProblem::TooLarge) => {
            return LookupOutcome::Missing;
        }
    };
    let announced = answer.content_type.as_deref().unwrap_or_default().to_ascii_lowercase();
    // Code hosts send raw files as plain text; an HTML page is an error message, whatever its status.
    let is_css = announced.starts_with("text/css") || announced.starts_with("text/plain") || announced.is_empty();
    if !answer.is_success() || !is_css || answer.body.trim_ascii_start().starts_with(b"<") {
        return LookupOutcome::Missing;
    }
    let css =
        blocking_pool::run(async move { absolute(&String::from_utf8_lossy(&answer.body), &answer.final_url) }).await;
    LookupOutcome::Found(StoredMedia { media: Media::Css, body: css.into() })
}

/// Most addresses of one text that get addresses of our own.
const MAX_LOCALIZED: usize = 400;

/// What an address in a style sheet is for.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Use {
    /// A style sheet that is imported.
    Import,
    /// A picture or a font.
    Part,
}

/// Makes addresses absolute.
fn absolute(css: &str, base: &Url) -> String {
    with_addresses(css, |address, _| resolve(address, base))
}

/// Replaces full addresses on the web by those that `own` gives.
pub fn localised(css: &str, own: impl Fn(Url, Use) -> String) -> String {
    let mut count = 0;
    with_addresses(css, |address, purpose| {
        let url = match address.strip_prefix("//") {
            Some(rest) => Url::parse(&format!("https://{rest}")),
            None => Url::parse(address),
        };
        let url = url.ok().filter(|url| matches!(url.scheme(), "http" | "https") && count < MAX_LOCALIZED)?;
        count += 1;
        Some(own(url, purpose))
    })
}

/// Replaces the addresses in `url(…)` and `@import "…"`. Where there is no other, the address stays.
fn with_addresses(css: &str, mut replace: impl FnMut(&str, Use) -> Option<String>) -> String {
    const IMPORT: &str = "@import";
    let lower = css.to_ascii_lowercase();
    let mut words: Vec<usize> = lower.match_indices("url(").map(|(at, word)| at + word.len()).collect();
    words.extend(lower.match_indices(IMPORT).map(|(at, word)| at + word.len()));
    words.sort_unstable();
    let mut result = String::with_capacity(css.len());
    let mut done = 0;
    let mut ends = Ends::default();
    // Where `@import` ends if nothing but white space has followed yet.
    let mut import = None;
    for after_word in words {
        // The text of an address contains no further address, and is not searched again.
        if after_word < done {
            continue;
        }
        let is_url = css[..after_word].ends_with('(');
        let is_imported =
            import.take().is_some_and(|end: usize| css[end..after_word].trim_start().eq_ignore_ascii_case("url("));
        let purpose = if is_imported || !is_url { Use::Import } else { Use::Part };
        match ends.address_span(css, after_word) {
            Some((from, to)) => {
                result.push_str(&css[done..from]);
                let address = &css[from..to];
                result.push_str(replace(address, purpose).as_deref().unwrap_or(address));
                done = to;
            }
            None if !is_url => import = Some(after_word),
            None => {}
        }
    }
    result.push_str(&css[done..]);
    result
}

/// Caches searches for the ends of addresses: if none was found, there is none further on.
#[derive(Default)]
struct Ends {
    /// The quotes and brackets that no longer occur.
    gone: Vec<char>,
}

impl Ends {
    /// The start and end of the address that follows `url(` or `@import`; `None` for `@import url(…)`, whose address
    /// follows the next word.
    fn address_span(&mut self, css: &str, after_word: usize) -> Option<(usize, usize)> {
        let rest = css[after_word..].trim_start();
        let start = css.len() - rest.len();
        let (from, end) = match rest.chars().next()? {
            quote @ ('"' | '\'') => (start + 1, quote),
            _ if css[..after_word].ends_with('(') => (start, ')'),
            _ => return None,
        };
        if self.gone.contains(&end) {
            return None;
        }
        let length = match end {
            ')' => css[from..].find(|found: char| found == ')' || found.is_whitespace()),
            quote => css[from..].find(quote),
        };
        if length.is_none() {
            self.gone.push(end);
        }
        Some((from, from + length?))
    }
}

fn resolve(address: &str, base: &Url) -> Option<String> {
    let keep = address.is_empty() || address.starts_with('#') || address.starts_with("data:");
    base.join(address).ok().filter(|_| !keep).map(String::from)
}
