//! The panels of widgets that the server looks up: planned when a config file is read, looked up once for all viewers,
//! kept as markup.
//!
//! A lookup outlives the request that wanted it, so whoever leaves costs nobody else the panel. What may be asked of
//! whom is decided in [`crate::outbound`].

mod lookup;
mod pictures;
mod plans;
mod recording;
mod secrets;
mod shelf;
mod shelves;
mod slots;

use std::{sync::Arc, time::Duration};

use app::backend::{Look, PanelAnswer, PanelState};
use tokio::time::{Instant, timeout};
use widgets::{Action, Audience, FetchError, Kind, Moment, Outside as _, Place, ViewerHints};

use self::{
    lookup::{Lookup, World, draw},
    shelf::{Drawn, Known, LEAST_LIFE, Shelf},
    shelves::Shelves,
};
pub use self::{
    pictures::{Pictures, ROUTE as PICTURE_ROUTE, picture},
    plans::{Key, Planned, Plans},
    recording::Recording,
    slots::{Pieces, Slots, fill},
};
use crate::{
    outbound::Outbound,
    outside::{Memory, ServerOutside},
    own_addresses::OwnAddresses,
};

/// How long a request is held for a slow service. A browser has few connections, and other widgets need them too.
const HOLD: Duration = Duration::from_secs(2);
/// How long a panel is good that is not looked up again by itself: people who reload the page want it anew, a crowd
/// that opens it does not.
const LIFE_WITHOUT_REFRESH: Duration = Duration::from_secs(10);
/// Most bytes of one panel.
const MOST_BYTES: usize = 1024 * 1024;

/// What is known of a panel at one moment, at no cost.
#[derive(Clone, Debug)]
pub struct Glance {
    /// How it stands, without the markup.
    pub answer: PanelAnswer,
    drawn: Option<Arc<Drawn>>,
}

impl Glance {
    /// The answer with the markup.
    pub fn whole(&self) -> PanelAnswer {
        let html = self.drawn.as_ref().map(|drawn| drawn.html.clone());
        PanelAnswer { html: html.or_else(|| self.answer.html.clone()), ..self.answer.clone() }
    }
}

/// All panels.
#[derive(Debug)]
pub struct Panels {
    shelves: Arc<Shelves>,
    outbound: Outbound,
    memory: Memory,
    own: OwnAddresses,
    pictures: Arc<Pictures>,
    base: String,
    demo: bool,
}

impl Panels {
    /// No panels yet. `base` is the path prefix of the product.
    pub fn new(outbound: Outbound, own: OwnAddresses, base: &str) -> Self {
        Self {
            shelves: Arc::default(),
            outbound,
            memory: Memory::default(),
            own,
            pictures: Arc::default(),
            base: base.to_owned(),
            demo: false,
        }
    }

    /// For a server that shows recordings.
    #[must_use]
    pub fn for_demo(self) -> Self {
        Self { demo: true, ..self }
    }

    /// Whether recordings are shown, so that nothing at all is fetched.
    pub fn is_demo(&self) -> bool {
        self.demo
    }

    /// The pictures that panels have named.
    pub fn pictures(&self) -> &Pictures {
        &self.pictures
    }

    /// What this server answers itself.
    pub fn own_addresses(&self) -> &OwnAddresses {
        &self.own
    }

    /// How many panels are kept.
    pub fn count(&self) -> usize {
        self.shelves.len()
    }

    /// What is known of a panel, for a page that is about to be sent to somebody with this language. Starts a lookup
    /// if the panel is old; never waits.
    pub fn glance(&self, planned: &Arc<Planned>, locale: Option<&str>) -> Option<Glance> {
        let shelf = match planned.audience {
            Audience::Everyone => {
                let shelf = self.shelves.get(&planned.key);
                shelf.touch();
                if shelf.begin(life(planned), false) {
                    self.start(planned, Arc::clone(&shelf), ViewerHints::default());
                }
                shelf
            }
            Audience::Language => {
                let variant = self.shelves.variant(&planned.key, locale.unwrap_or_default())?;
                self.shelves.find(&variant)?
            }
            Audience::Viewer => return None,
        };
        let known = shelf.known();
        let hints = ViewerHints { locale: locale.map(str::to_owned), time_zone: None };
        let drawn = known.drawn.as_ref().map(|(drawn, _)| Arc::clone(drawn));
        let answer = answer(planned, &known, drawn.as_ref().map(|drawn| drawn.version), &hints);
        (answer.state != PanelState::Pending).then_some(Glance { answer, drawn })
    }

    /// The panel for somebody who asks. Waits about two seconds for a slow service.
    pub async fn ask(&self, planned: &Arc<Planned>, look: &Look) -> PanelAnswer {
        let hints = hints(look);
        if planned.audience == Audience::Viewer {
            return self.ask_for_one(planned, hints).await;
        }
        let shelf = self.shelf(planned, &hints);
        shelf.touch();
        let mut ended = shelf.ended();
        if shelf.begin(life(planned), look.force) {
            self.start(planned, Arc::clone(&shelf), hints.clone());
        }
        let known = shelf.known();
        let has_news = known.drawn.as_ref().is_some_and(|(drawn, _)| Some(drawn.version) != look.seen);
        if known.looking && (look.force || !has_news) {
            // Whether it ended or took too long shows in what is known afterwards.
            _ = timeout(HOLD, ended.changed()).await;
        }
        let known = shelf.known();
        if known.looking && look.force {
            return PanelAnswer { next: Some(1), ..PanelAnswer::default() };
        }
        answer(planned, &known, look.seen, &hints)
    }

    /// Presses a button of a panel, and gives the panel as it is afterwards.
    pub async fn act(&self, planned: &Arc<Planned>, action: Action, look: &Look) -> PanelAnswer {
        let hints = hints(look);
        let Some(lookup) = self.lookup(planned, hints.clone()) else { return PanelAnswer::default() };
        let done = tokio::spawn(async move { lookup.act(action).await });
        let done = done.await.unwrap_or_else(|_| Err(failed()));
        let shelf = self.shelf(planned, &hints);
        if let Err(error) = done {
            log(planned, &error);
            let mut answer = answer(planned, &shelf.known(), look.seen, &hints);
            answer.note = Some(sentence(planned, &error, &hints));
            if answer.state == PanelState::Content {
                answer.state = PanelState::Stale;
            }
            return answer;
        }
        shelf.outdate();
        self.ask(planned, &Look { force: true, ..look.clone() }).await
    }

    /// A panel that is one viewer's own is looked up for them alone, and kept for nobody.
    async fn ask_for_one(&self, planned: &Arc<Planned>, hints: ViewerHints) -> PanelAnswer {
        let shelf = Arc::new(Shelf::default());
        let mut ended = shelf.ended();
        if shelf.begin(Duration::ZERO, false) {
            self.start(planned, Arc::clone(&shelf), hints.clone());
        }
        _ = ended.changed().await;
        answer(planned, &shelf.known(), None, &hints)
    }

    /// The place of a panel for a viewer with these hints.
    fn shelf(&self, planned: &Planned, hints: &ViewerHints) -> Arc<Shelf> {
        if planned.audience != Audience::Language {
            return self.shelves.get(&planned.key);
        }
        let (locale, zone) = (hints.locale.as_deref().unwrap_or_default(), hints.time_zone.as_deref());
        let variant = planned.key.with(&[locale, zone.unwrap_or_default()]);
        if self.shelves.add_variant(&planned.key, locale, variant) {
            self.shelves.get(&variant)
        } else {
            self.shelves.get(&planned.key)
        }
    }

    fn lookup(&self, planned: &Arc<Planned>, hints: ViewerHints) -> Option<Lookup> {
        let world = match &planned.recording {
            Some(recording) => World::Recorded(recording.replay()),
            None => {
                let (outbound, memory) = (self.outbound.clone(), self.memory.clone());
                let outside = ServerOutside::new(outbound, memory, &planned.entry, hints).with_own(self.own.clone());
                World::Live(Box::new(outside))
            }
        };
        Some(Lookup {
            kind: planned.kind?,
            planned: Arc::clone(planned),
            world,
            pictures: Arc::clone(&self.pictures),
            base: self.base.clone(),
        })
    }

    /// Looks in the background. Whoever calls this has begun a look on the shelf.
    fn start(&self, planned: &Arc<Planned>, shelf: Arc<Shelf>, hints: ViewerHints) {
        let Some(lookup) = self.lookup(planned, hints) else {
            shelf.end(Err(failed()), Moment::default());
            return;
        };
        let shelves = Arc::clone(&self.shelves);
        let planned = Arc::clone(planned);
        tokio::spawn(async move {
            let lookup = Arc::new(lookup);
            let running = Arc::clone(&lookup);
            // A task of its own, so that a panic in a widget ends this lookup and nothing else.
            let outcome = tokio::spawn(async move { running.run().await }).await.unwrap_or_else(|_| Err(failed()));
            let outcome =
                outcome.and_then(|drawn| if drawn.html.len() > MOST_BYTES { Err(too_large()) } else { Ok(drawn) });
            let error = outcome.as_ref().err().cloned();
            let has_changed = shelf.end(outcome, lookup.world.now());
            match error {
                Some(error) if has_changed => log(&planned, &error),
                None if has_changed => tracing::info!(widget = planned.kind_name(), "looked up again"),
                _ => {}
            }
            shelves.sweep();
        });
    }

    /// The panel of a widget that asks nobody, as markup.
    fn local(&self, panel: &widgets::Panel, planned: &Planned) -> String {
        draw(panel.clone(), planned, &self.pictures, &self.base)
    }
}

fn log(planned: &Planned, error: &FetchError) {
    tracing::warn!(widget = planned.kind_name(), "{}", planned.secrets.blank(&error.to_string()));
}

fn failed() -> FetchError {
    FetchError::told("This widget failed. The log of the server says more.")
}

fn too_large() -> FetchError {
    FetchError::told("This is too much to show.")
}

/// How long a panel is good.
fn life(planned: &Planned) -> Duration {
    planned.refresh.unwrap_or(LIFE_WITHOUT_REFRESH).max(LEAST_LIFE)
}

/// What is known of a panel, as an answer.
fn answer(planned: &Planned, known: &Known, seen: Option<u64>, hints: &ViewerHints) -> PanelAnswer {
    let drawn = known.drawn.as_ref();
    let mut answer = PanelAnswer {
        version: drawn.map_or(0, |(drawn, _)| drawn.version),
        html: drawn.filter(|(drawn, _)| Some(drawn.version) != seen).map(|(drawn, _)| drawn.html.clone()),
        at: drawn.map(|(drawn, _)| drawn.at.millis()),
        next: next(planned, known),
        ..PanelAnswer::default()
    };
    answer.state = match (&known.failure, drawn) {
        (None, None) => PanelState::Pending,
        (None, Some(_)) => PanelState::Content,
        (Some(_), Some(_)) if planned.entry.ignore_errors => PanelState::Content,
        (Some(failure), Some(_)) => {
            answer.note = Some(sentence(planned, &failure.error, hints));
            PanelState::Stale
        }
        (Some(failure), None) if failure.error.is_config() => {
            answer.note = Some(sentence(planned, &failure.error, hints));
            PanelState::Broken
        }
        (Some(_), None) if planned.entry.ignore_errors => {
            answer.html = Some(String::new());
            PanelState::Content
        }
        (Some(failure), None) => {
            answer.note = Some(sentence(planned, &failure.error, hints));
            PanelState::Error
        }
    };
    answer
}

/// Seconds until it is worth asking again.
fn next(planned: &Planned, known: &Known) -> Option<u32> {
    if known.looking {
        // With something to show at once, without a pause to get the newer one; else after a moment.
        return Some(u32::from(known.drawn.is_none()));
    }
    let refresh = planned.refresh?;
    let at = match (&known.failure, &known.drawn) {
        (Some(failure), _) => failure.until,
        (None, Some((_, since))) => *since + refresh.max(LEAST_LIFE),
        (None, None) => return Some(1),
    };
    let left = at.saturating_duration_since(Instant::now());
    Some(u32::try_from(left.as_millis().div_ceil(1000)).unwrap_or(u32::MAX).max(1))
}

/// The sentence of an error, with times as the viewer's clock shows them.
fn sentence(planned: &Planned, error: &FetchError, hints: &ViewerHints) -> String {
    planned.secrets.blank(&error.sentence(|at| clock(at, hints))).into_owned()
}

fn clock(at: Moment, hints: &ViewerHints) -> String {
    let zone = hints.time_zone.as_deref().and_then(|zone| jiff::tz::TimeZone::get(zone).ok());
    match (zone, jiff::Timestamp::from_millisecond(at.millis())) {
        (Some(zone), Ok(at)) => at.to_zoned(zone).strftime("%H:%M").to_string(),
        _ => format!("{} UTC", at.utc_clock()),
    }
}

/// What a browser says about its viewer, as far as it can be true.
fn hints(look: &Look) -> ViewerHints {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    let is_locale = |locale: &&String| (2..=35).contains(&locale.len()) && locale.bytes().all(is_plain);
    let is_zone = |zone: &&String| zone.len() <= 64 && jiff::tz::TimeZone::get(zone).is_ok();
    ViewerHints {
        locale: look.locale.as_ref().filter(is_locale).cloned(),
        time_zone: look.zone.as_ref().filter(is_zone).cloned(),
    }
}

/// Whether the server looks things up for a widget, and of which type it is.
pub fn looked_up(planned: &Planned) -> Option<Kind> {
    planned.kind.filter(|_| planned.place == Place::Server)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_can_be_true_is_believed() {
        let look = |locale: &str, zone: &str| Look {
            locale: Some(locale.to_owned()),
            zone: Some(zone.to_owned()),
            ..Look::default()
        };
        let good = hints(&look("de-AT", "Europe/Vienna"));
        assert_eq!((good.locale.as_deref(), good.time_zone.as_deref()), (Some("de-AT"), Some("Europe/Vienna")));
        for (locale, zone) in
            [("de\r\nX-Evil: 1", "../../etc/passwd"), ("", ""), ("x".repeat(36).as_str(), "Nowhere/No")]
        {
            assert_eq!(hints(&look(locale, zone)), ViewerHints::default(), "{locale}");
        }
        let at = Moment::parse("2026-11-21T11:45:00Z").unwrap();
        assert_eq!((clock(at, &good).as_str(), clock(at, &ViewerHints::default()).as_str()), ("12:45", "11:45 UTC"));
    }
}
