//! The widgets of the page: who looks when (docs/spec/widgets.md 3 and 6). One runtime for all frames, and one
//! timer; a frame costs what its entry in a list costs.

mod by_browser;
mod by_server;
mod frame;

use std::{cell::RefCell, time::Duration};

use js_sys::Date;
use leptos::{leptos_dom::helpers::TimeoutHandle, prelude::*, task::spawn_local};
use web_sys::{Element, Event};
use widgets::{Action, ViewerHints};

use self::frame::{LiveFrame, Refresher};
use super::{closest, listen};
use crate::{
    backend::PanelAnswer,
    page::{PageNotice, PageSettings, PageState},
    parts::live,
};

/// So many questions to the server are under way at once at most: a browser has six connections, and the page needs
/// some for itself.
const MAX_QUESTIONS: usize = 4;
/// Milliseconds between two wishes of a person for the same widget.
const WISH_PAUSE: f64 = 1000.0;
/// Milliseconds of the first pause after the server could not be reached, and of the longest.
const PAUSE: (f64, f64) = (5_000.0, 60_000.0);
/// The longest time that a timer of a browser can measure.
const LONGEST_TIMER: f64 = 2_000_000_000.0;

/// Everything that the widgets of the page share.
struct Runtime {
    frames: Vec<LiveFrame>,
    /// Slug of the page.
    page: String,
    /// Path prefix of the whole product.
    base: String,
    viewer: ViewerHints,
    state: PageState,
    timer: Option<TimeoutHandle>,
    /// How many questions to the server are under way.
    questions: usize,
    /// How often in a row the server could not be reached, and until when it is not asked.
    failures: u32,
    paused_until: f64,
}

thread_local! {
    /// The browser has one thread, and a page one list of widgets.
    static RUNTIME: RefCell<Option<Runtime>> = const { RefCell::new(None) };
}

/// Brings the widgets of the page to life; without any there is nothing to do.
pub(super) fn follow(state: PageState, settings: &PageSettings) {
    let elements = frame::elements();
    if elements.is_empty() {
        return;
    }
    live::start(act);
    let runtime = Runtime {
        frames: elements.into_iter().filter_map(LiveFrame::of).collect(),
        page: settings.slug.clone(),
        base: settings.base.clone(),
        viewer: live::viewer_hints(settings.look.language.as_deref()),
        state,
        timer: None,
        questions: 0,
        failures: 0,
        paused_until: 0.0,
    };
    if runtime.frames.is_empty() {
        return;
    }
    RUNTIME.set(Some(runtime));
    listen(&document(), "click", false, |event: Event| {
        if let Some(button) = closest(&event, ".widget-reload, .widget-retry") {
            wish(&button);
        }
    });
    listen(&document(), "visibilitychange", false, |_: Event| look());
    // A section that was opened or closed; the event does not bubble.
    listen(&document(), "toggle", true, |_: Event| look());
    listen(&window(), "pageshow", false, |_: Event| look());
    listen(&window(), "online", false, |_: Event| {
        with(|runtime| runtime.paused_until = 0.0);
        look();
    });
    Effect::new(move |_| {
        state.found.track();
        // After the search has hidden what it hides.
        set_timeout(look, Duration::ZERO);
    });
}

fn with<T>(then: impl FnOnce(&mut Runtime) -> T) -> Option<T> {
    RUNTIME.with_borrow_mut(|runtime| runtime.as_mut().map(then))
}

/// Asks for everything that is due, and comes back when the next thing is.
fn look() {
    let Some(due) = with(Runtime::take_due) else { return };
    for position in due {
        ask(position);
    }
}

impl Runtime {
    /// The frames that are due, marked as being asked for. Nothing is while nobody can see it.
    fn take_due(&mut self) -> Vec<usize> {
        if let Some(timer) = self.timer.take() {
            timer.clear();
        }
        let mut due = Vec::new();
        if document().hidden() {
            return due;
        }
        let now = Date::now();
        let mut next = f64::INFINITY;
        for (position, frame) in self.frames.iter_mut().enumerate() {
            if frame.asking || !frame.is_shown() {
                continue;
            }
            // Without the server there is no panel, whoever asks the service.
            let at = if frame.place == Refresher::Local { frame.due } else { frame.due.max(self.paused_until) };
            if at > now {
                next = next.min(at);
            } else if frame.place == Refresher::Local {
                frame.load_again();
                next = next.min(frame.due);
            } else if frame.place == Refresher::Browser {
                // It waits for a service, and needs the server in between only.
                frame.asking = true;
                due.push(position);
            } else if self.questions < MAX_QUESTIONS {
                // What finds no room is looked at again as soon as an answer comes.
                self.questions += 1;
                frame.asking = true;
                due.push(position);
            }
        }
        if next.is_finite() {
            // Positive, and not longer than a timer can be.
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
            let wait = Duration::from_millis((next - now).min(LONGEST_TIMER) as u64 + 1);
            self.timer = set_timeout_with_handle(look, wait).ok();
        }
        due
    }

    fn position(&self, element: &Element) -> Option<usize> {
        let around = frame::around(element)?;
        self.frames.iter().position(|frame| frame.element == around)
    }

    /// Notes that the server has answered, whatever it said.
    fn note_reached(&mut self) {
        self.failures = 0;
        self.paused_until = 0.0;
        if self.state.notice.get_untracked().is_some() {
            self.state.notice.set(None);
        }
    }

    /// One notice for the whole page, and a pause for all questions.
    fn note_unreachable(&mut self) {
        let now = Date::now();
        // Questions that were under way together fail together.
        if now >= self.paused_until {
            self.paused_until = now + (PAUSE.0 * f64::from(1_u32 << self.failures.min(8))).min(PAUSE.1);
            self.failures += 1;
        }
        self.state.notice.set(Some(PageNotice::Unreachable));
    }
}

fn ask(position: usize) {
    let place = with(|runtime| runtime.frames[position].place);
    match place {
        Some(Refresher::Server) => by_server::ask(position),
        Some(Refresher::Browser) => spawn_local(by_browser::look_up(position)),
        Some(Refresher::Local) | None => {}
    }
}

/// A person wants a widget again.
fn wish(button: &Element) {
    with(|runtime| {
        let Some(position) = runtime.position(button) else { return };
        let frame = &mut runtime.frames[position];
        let now = Date::now();
        if frame.asking || now - frame.wished < WISH_PAUSE {
            return;
        }
        frame.wished = now;
        frame.forced = true;
        frame.reloads = true;
        frame.due = 0.0;
        frame.show_busy(true);
        runtime.paused_until = 0.0;
    });
    look();
}

/// A button of a panel was clicked. Says no if it cannot be pressed now.
fn act(button: &Element, action: Action) -> bool {
    let found = with(|runtime| {
        let position = runtime.position(button)?;
        let frame = &mut runtime.frames[position];
        // While a question is under way its answer would be older than the action.
        if frame.place == Refresher::Browser || frame.asking {
            return None;
        }
        frame.asking = true;
        // What is not the server's is not counted when it comes back.
        runtime.questions += usize::from(frame.place == Refresher::Server);
        frame.show_busy(true);
        Some(position)
    });
    let found = found.flatten();
    if let Some(position) = found {
        by_server::act(position, action);
    }
    found.is_some()
}

/// Shows an answer, keeps the focus where it was, and goes on.
fn arrived(position: usize, answer: PanelAnswer) {
    with(|runtime| {
        let frame = &mut runtime.frames[position];
        frame.asking = false;
        let had_focus = document().active_element().is_some_and(|active| frame.element.contains(Some(&active)));
        frame.show(answer);
        // "Retry" is gone once there is something to see; the frame's own button is the nearest to it.
        let has_focus = document().active_element().is_some_and(|active| frame.element.contains(Some(&active)));
        if had_focus
            && !has_focus
            && let Ok(Some(button)) = frame.element.query_selector(".widget-reload, .widget-retry")
        {
            _ = wasm_bindgen::JsCast::unchecked_into::<web_sys::HtmlElement>(button).focus();
        }
    });
    look();
}
