//! Where and how often an entry is fetched (docs/spec/widgets.md 2).

mod secrets;
#[cfg(test)]
mod tests;

use std::time::Duration;

use async_trait::async_trait;
use futures_util::FutureExt;

use self::secrets::{holds_secret, plain_secrets};
use crate::{
    Audience, Entry, FetchError, Kind, Moment, OptionProblems, Panel, Reach, Request, Response, Side, Update,
    ViewerHints, Widget, WidgetContext,
    catalogue::{check, read},
    names_variable,
    panel::SafeUrl,
    placeholder::variable_name,
};

/// Why a widget without requests cannot use an environment variable.
const SEEN_BY_ALL: &str =
    "The value of an environment variable would be visible to everyone here. Write a value that may be seen.";

/// Why the server sends the requests although the entry asks for the browser.
const KEPT_BACK: &str =
    "useProxy: false has no effect: the options may contain a key, which must not leave the server.";

/// What to do for one entry.
#[derive(Clone, Debug, PartialEq)]
pub struct FetchPlan {
    /// Where the data is fetched.
    pub place: RunSide,
    /// The refresh interval, if any.
    pub refresh: Option<Duration>,
    /// See [`Widget::follow`].
    pub follow: Option<Request>,
    /// Who may share the panel.
    pub audience: Audience,
    /// The origins to which the browser sends requests; empty if it sends none.
    pub origins: Vec<String>,
    /// What is wrong with the options. If there is an error, the place is [`RunSide::Broken`].
    pub problems: OptionProblems,
    /// A sentence about each option whose name barely differs from ours, if the widget works without it.
    pub misspelled: Vec<String>,
}

/// Where the data is fetched.
#[derive(Clone, Debug, PartialEq)]
pub enum RunSide {
    /// On the server.
    Server,
    /// In the browser, with requests that the server lists; the options contain no secrets.
    Browser,
    /// Nowhere; this is the panel.
    Local(Box<Panel>),
    /// Nowhere: the options are wrong.
    Broken,
}

impl FetchPlan {
    /// Plans one entry of a widget type. `as_written` is the entry as in the file; `resolved` is the same with the
    /// values of environment variables.
    pub(crate) fn make<W: Widget>(kind: Kind, as_written: &Entry, resolved: &Entry) -> Self {
        let mut problems = OptionProblems::default();
        let widget = match read::<W>(kind, resolved, &mut problems) {
            Ok(widget) => {
                check(kind, &widget, resolved, &mut problems);
                widget
            }
            Err(problem) => {
                problems.error(problem);
                W::default()
            }
        };
        let misspelled = note_names_and_secrets(kind, as_written, &mut problems);
        let refresh = match resolved.update {
            Update::Never => None,
            Update::Every(interval) => Some(interval),
            Update::Usual => widget.refresh(),
        };
        let place = if problems.errors().is_empty() {
            place(kind, &widget, as_written, resolved, &mut problems)
        } else {
            RunSide::Broken
        };
        // If the server sends requests that the browser usually sends, the result describes the server, so it is the
        // same for everyone.
        let audience = match (W::REACH, &place) {
            (Reach::BrowserByDefault, RunSide::Server) => Audience::Everyone,
            // Data sent by a browser is never shown to anybody else.
            (_, RunSide::Browser) => Audience::Viewer,
            _ => widget.audience(),
        };
        let origins = if place == RunSide::Browser { widget.origins() } else { Vec::new() };
        // Who wants no refreshes wants none at unexpected times either.
        let follow = refresh.filter(|_| place == RunSide::Server).and_then(|_| widget.follow());
        Self { place, refresh, follow, audience, origins, problems, misspelled }
    }
}

/// Notes misspelled options and secrets that are written out. Returns the sentences about the former, if they are no errors.
fn note_names_and_secrets(kind: Kind, as_written: &Entry, problems: &mut OptionProblems) -> Vec<String> {
    let misspelled = note_misspelled_options(kind, as_written, problems);
    for (subject, name) in plain_secrets(kind, as_written) {
        problems.advise(format!(
            "{subject} is written out. Better put it into an environment variable, such as PORTICO_{}, and write the \
             name of that in its place.",
            variable_name(&name),
        ));
    }
    misspelled
}

/// Notes options whose names barely differ from ours. If the widget cannot work, this may be the reason, so it is also
/// part of the error. Otherwise the sentences are returned.
fn note_misspelled_options(kind: Kind, as_written: &Entry, problems: &mut OptionProblems) -> Vec<String> {
    if as_written.options.is_empty() {
        return Vec::new();
    }
    let is_broken = !problems.errors().is_empty();
    let misspelled = kind.misspelled_options(&as_written.options).into_iter();
    let sentences = misspelled.map(|(written, meant)| format!("There is no option {written}. Did you mean {meant}?"));
    if is_broken {
        sentences.for_each(|sentence| problems.error(sentence));
        return Vec::new();
    }
    sentences.inspect(|sentence| problems.note(sentence.clone())).collect()
}

fn place<W: Widget>(
    kind: Kind,
    widget: &W,
    as_written: &Entry,
    resolved: &Entry,
    problems: &mut OptionProblems,
) -> RunSide {
    if W::REACH != Reach::Local {
        return place_of_requests(kind, W::REACH, as_written, resolved, problems);
    }
    // No request is sent, so the future is ready at the first poll.
    match widget.fetch(&OfflineContext::default()).now_or_never() {
        Some(Ok(panel)) if shows_variable::<W>(kind, &panel, as_written) => {
            problems.error(SEEN_BY_ALL);
            RunSide::Broken
        }
        Some(Ok(panel)) => RunSide::Local(Box::new(panel)),
        Some(Err(error)) => {
            problems.error(error.to_string());
            RunSide::Broken
        }
        None => RunSide::Server,
    }
}

/// The side that sends the requests of a widget.
fn place_of_requests(
    kind: Kind,
    reach: Reach,
    as_written: &Entry,
    resolved: &Entry,
    problems: &mut OptionProblems,
) -> RunSide {
    let has_secret = || names_variable(&as_written.options) || holds_secret(kind, as_written);
    match reach {
        Reach::ServerByDefault if !resolved.by_browser => RunSide::Server,
        Reach::ServerByDefault if has_secret() => {
            problems.note(KEPT_BACK);
            RunSide::Server
        }
        Reach::ServerByDefault => RunSide::Browser,
        Reach::BrowserByDefault if resolved.use_proxy || has_secret() => RunSide::Server,
        Reach::BrowserByDefault => RunSide::Browser,
        Reach::ViaServer | Reach::Local => RunSide::Server,
    }
}

/// Whether a panel that depends only on the options shows the value of an environment variable. Pictures on other hosts
/// do not count: the server serves them under its own addresses.
fn shows_variable<W: Widget>(kind: Kind, panel: &Panel, as_written: &Entry) -> bool {
    if !names_variable(&as_written.options) {
        return false;
    }
    // Unless the panel shows a value, it is the same with the names of the variables.
    let Ok(widget) = read::<W>(kind, as_written, &mut OptionProblems::default()) else { return true };
    match widget.fetch(&OfflineContext::default()).now_or_never() {
        Some(Ok(other)) => without_pictures(panel) != without_pictures(&other),
        _ => true,
    }
}

fn without_pictures(panel: &Panel) -> Panel {
    let mut panel = panel.clone();
    let nothing = SafeUrl::parse("/");
    panel.change_pictures(&mut |url, _| {
        if let Some(nothing) = nothing.clone().filter(|_| url.is_remote()) {
            *url = nothing;
        }
    });
    panel
}

/// The `WidgetContext` of a widget that sends no requests.
#[derive(Default)]
struct OfflineContext {
    viewer: ViewerHints,
}

#[async_trait]
impl WidgetContext for OfflineContext {
    async fn exchange(&self, request: Request) -> Result<Response, FetchError> {
        Err(FetchError::Unreachable {
            host: request.host().to_owned(),
            reason: "this widget makes no requests".to_owned(),
        })
    }

    fn now(&self) -> Moment {
        Moment::default()
    }

    fn side(&self) -> Side {
        Side::Server
    }

    fn viewer(&self) -> &ViewerHints {
        &self.viewer
    }
}
