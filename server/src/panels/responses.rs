//! The known state of a panel, in the language and time zone of the viewer who requests it.

use std::borrow::Cow;

use app::backend::{PanelQuery, PanelResponse, PanelState};
use languages::{filled, in_panel, message, sentences};
use tokio::time::Instant;
use widgets::{FetchError, Moment, ViewerHints};

use super::{
    panel_entry::{MIN_LIFE, PanelStatus},
    plans::PlannedWidget,
};

/// The viewer who requests a panel.
#[derive(Clone, Debug)]
pub struct Requester<'a> {
    /// Language and time zone.
    pub hints: ViewerHints,
    /// The path prefix of the page.
    pub base: &'a str,
    /// Whether the viewer may write the config.
    pub is_admin: bool,
}

impl Requester<'_> {
    /// Whether to hide this error from the viewer; never if only the viewer can fix it.
    fn ignores(&self, planned: &PlannedWidget, error: &FetchError) -> bool {
        let is_theirs = error.is_rejection() || error.is_config();
        planned.entry.ignore_errors && !(self.is_admin && is_theirs)
    }
}

/// The response with the known state of a panel.
pub fn respond(
    planned: &PlannedWidget,
    known: &PanelStatus,
    seen: Option<u64>,
    requester: &Requester<'_>,
) -> PanelResponse {
    let rendered = known.rendered.as_ref();
    let mut response = PanelResponse {
        version: rendered.map_or(0, |(rendered, _)| rendered.version),
        html: rendered
            .filter(|(rendered, _)| Some(rendered.version) != seen)
            .map(|(rendered, _)| rendered.html(requester.base)),
        at: rendered.map(|(rendered, _)| rendered.at.millis()),
        next: next(planned, known),
        ..PanelResponse::default()
    };
    response.state = match (&known.failure, rendered) {
        (None, None) => PanelState::Pending,
        (None, Some(_)) => PanelState::Content,
        (Some(failure), Some(_)) if requester.ignores(planned, &failure.error) => PanelState::Content,
        (Some(failure), None) if requester.ignores(planned, &failure.error) => {
            response.html = Some(String::new());
            PanelState::Content
        }
        (Some(failure), rendered) => {
            response.note = Some(sentence(planned, &failure.error, &requester.hints));
            match rendered {
                Some(_) => PanelState::Stale,
                None if failure.error.is_config() => PanelState::Broken,
                None => {
                    response.detail = blanked(planned, failure.detail.as_deref());
                    PanelState::Error
                }
            }
        }
    };
    response
}

/// The response with the known state of a panel, after a button of it failed.
pub fn action_failed(
    planned: &PlannedWidget,
    known: PanelResponse,
    error: &FetchError,
    hints: &ViewerHints,
) -> PanelResponse {
    let state = if known.state == PanelState::Content { PanelState::Stale } else { known.state };
    // Without an age and a detail, which are about the refresh: the reason has to be seen at once.
    PanelResponse { state, note: Some(sentence(planned, error, hints)), at: None, detail: None, ..known }
}

/// Seconds until the browser should ask again.
fn next(planned: &PlannedWidget, known: &PanelStatus) -> Option<u32> {
    if known.refreshing {
        // At once if there is something to show, to get the newer panel; otherwise after a moment.
        return Some(u32::from(known.rendered.is_none()));
    }
    let refresh = planned.refresh?;
    let at = match (&known.failure, &known.rendered) {
        (Some(failure), _) => failure.until,
        (None, Some((_, since))) => *since + refresh.max(MIN_LIFE),
        (None, None) => return Some(1),
    };
    let left = at.saturating_duration_since(Instant::now());
    Some(u32::try_from(left.as_millis().div_ceil(1000)).unwrap_or(u32::MAX).max(1))
}

/// The sentence of an error in the language in which this thread draws now, with times in the viewer's time zone.
pub fn sentence(planned: &PlannedWidget, error: &FetchError, hints: &ViewerHints) -> String {
    let written = |words: &str, values: &[(&'static str, String)]| {
        let value = |(name, value): &(&'static str, String)| {
            // A reason is in our words too.
            (*name, if *name == "reason" { own_words(value).into_owned() } else { value.clone() })
        };
        let values: Vec<_> = values.iter().map(value).collect();
        let values: Vec<_> = values.iter().map(|(name, value)| (*name, value.as_str())).collect();
        filled(&own_words(words), &values)
    };
    let (words, values) = error.words(|at| clock(at, hints));
    let mut sentence = written(&words, &values);
    if let Some((words, values)) = planned.kind.and_then(|kind| kind.advice(error)) {
        sentence = sentences(&sentence, &written(words, &values));
    }
    planned.secrets.blank(&sentence).into_owned()
}

/// The sentence of an error with what to do about it, for the person who fills in the options of an `api-response`.
pub fn advised(planned: &PlannedWidget, error: &FetchError, hints: &ViewerHints) -> String {
    let advice = match error {
        FetchError::Unreachable { .. } => "Check the address, and that the service is running.",
        FetchError::Refused { .. } | FetchError::LoginRefused { .. } => {
            "Check the headers, the user name and the password in the options."
        }
        FetchError::TooLarge { .. } => "Use an address that returns less, such as one page of a list.",
        FetchError::Forbidden => "Use another address, or change the rules for outgoing requests in the environment.",
        _ => return sentence(planned, error, hints),
    };
    sentences(&sentence(planned, error, hints), &message(advice))
}

/// Words that widgets share, or a message that one of them words itself.
fn own_words(words: &str) -> Cow<'_, str> {
    let translated = in_panel(words);
    if translated == words { message(words) } else { translated.into() }
}

/// The detail line for people who look for the cause.
pub fn blanked(planned: &PlannedWidget, detail: Option<&str>) -> Option<String> {
    detail.map(|detail| planned.secrets.blank(detail).into_owned())
}

fn clock(at: Moment, hints: &ViewerHints) -> String {
    let zone = hints.time_zone.as_deref().and_then(|zone| jiff::tz::TimeZone::get(zone).ok());
    match (zone, jiff::Timestamp::from_millisecond(at.millis())) {
        (Some(zone), Ok(at)) => {
            let format = if has_twelve_hours(hints.locale.as_deref()) { "%-I:%M %p" } else { "%H:%M" };
            at.to_zoned(zone).strftime(format).to_string()
        }
        _ => format!("{} UTC", at.utc_clock()),
    }
}

/// Whether English speakers there use the 12-hour clock: they do, except in Europe and South Africa (CLDR, `timeData`).
fn has_twelve_hours(locale: Option<&str>) -> bool {
    const TWENTY_FOUR: [&str; 15] =
        ["GB", "IE", "ZA", "150", "AT", "BE", "CH", "DE", "DK", "FI", "NL", "SE", "SI", "IL", "MV"];
    let mut parts = locale.unwrap_or_default().split('-');
    let is_english = parts.next().is_some_and(|language| language.eq_ignore_ascii_case("en"));
    is_english && !parts.any(|part| TWENTY_FOUR.contains(&part.to_ascii_uppercase().as_str()))
}

/// The viewer's hints from the browser, as far as they are plausible.
pub fn hints(query: &PanelQuery) -> ViewerHints {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    let is_locale = |locale: &&String| (2..=35).contains(&locale.len()) && locale.bytes().all(is_plain);
    let is_zone = |zone: &&String| zone.len() <= 64 && jiff::tz::TimeZone::get(zone).is_ok();
    ViewerHints {
        locale: query.locale.as_ref().filter(is_locale).cloned(),
        time_zone: query.zone.as_ref().filter(is_zone).cloned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_can_be_true_is_believed() {
        let look = |locale: &str, zone: &str| PanelQuery {
            locale: Some(locale.to_owned()),
            zone: Some(zone.to_owned()),
            ..PanelQuery::default()
        };
        let good = hints(&look("de-AT", "Europe/Vienna"));
        assert_eq!((good.locale.as_deref(), good.time_zone.as_deref()), (Some("de-AT"), Some("Europe/Vienna")));
        for (locale, zone) in
            [("de\r\nX-Evil: 1", "../../etc/passwd"), ("", ""), ("x".repeat(36).as_str(), "Nowhere/No")]
        {
            assert_eq!(hints(&look(locale, zone)), ViewerHints::default(), "{locale}");
        }
        let at = Moment::parse("2026-11-21T11:45:00Z").unwrap();
        for (locale, expected) in [("en-US", "12:45 PM"), ("en", "12:45 PM"), ("en-GB", "12:45"), ("ar-EG", "12:45")] {
            assert_eq!(clock(at, &hints(&look(locale, "Europe/Vienna"))), expected, "{locale}");
        }
        assert_eq!((clock(at, &good).as_str(), clock(at, &ViewerHints::default()).as_str()), ("12:45", "11:45 UTC"));
    }
}
