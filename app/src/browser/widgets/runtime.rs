//! What the widgets of a page share, and when each is refreshed.

use std::{cell::RefCell, time::Duration};

use js_sys::Date;
use leptos::{leptos_dom::helpers::TimeoutHandle, prelude::*};
use wasm_bindgen::JsCast as _;
use web_sys::{Element, HtmlElement};
use widgets::ViewerHints;

use super::frame::{self, LiveFrame, Refresher};
use crate::{
    backend::PanelResponse,
    page::{LastingToast, PageState},
};

/// Maximum number of concurrent calls to the server: a browser has six connections, and the page itself needs some.
const MAX_QUESTIONS: usize = 4;

/// Milliseconds of the first pause after the server could not be reached, and of the longest.
const PAUSE: (f64, f64) = (5_000.0, 60_000.0);

/// The longest duration of a browser timer.
const MAX_TIMER: f64 = 2_000_000_000.0;

/// Everything that the widgets of the page share.
pub(super) struct Runtime {
    pub(super) frames: Vec<LiveFrame>,
    /// Slug of the page.
    pub(super) page: String,
    /// Path prefix of the whole product.
    pub(super) base: String,
    pub(super) viewer: ViewerHints,
    pub(super) state: PageState,
    pub(super) timer: Option<TimeoutHandle>,
    /// Number of calls to the server in progress.
    pub(super) questions: usize,
    /// How many times in a row the server could not be reached.
    pub(super) failures: u32,
    pub(super) paused_until: f64,
    /// Refreshes the widget at a position.
    pub(super) look_up: fn(usize),
}

thread_local! {
    /// The browser has one thread, and a page has one list of widgets.
    pub(super) static RUNTIME: RefCell<Option<Runtime>> = const { RefCell::new(None) };
}

pub(super) fn with<T>(then: impl FnOnce(&mut Runtime) -> T) -> Option<T> {
    RUNTIME.with_borrow_mut(|runtime| runtime.as_mut().map(then))
}

/// Refreshes everything that is due, and schedules itself for the next time.
pub(super) fn refresh_due() {
    let Some((due, look_up)) = with(|runtime| (runtime.take_due(), runtime.look_up)) else { return };
    for position in due {
        look_up(position);
    }
}

impl Runtime {
    /// The frames that are due, marked as in progress. Frames that cannot be seen are not due.
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
            // Without the server there is no panel, wherever its data comes from.
            let at = if frame.place == Refresher::Local { frame.due } else { frame.due.max(self.paused_until) };
            if at > now {
                next = next.min(at);
            } else if frame.place == Refresher::Local {
                frame.load_again();
                next = next.min(frame.due);
            } else if frame.place == Refresher::Browser {
                // It mostly waits for the service, and calls the server only in between.
                frame.asking = true;
                due.push(position);
            } else if self.questions < MAX_QUESTIONS {
                // Frames beyond the limit are refreshed as soon as an answer arrives.
                self.questions += 1;
                frame.asking = true;
                due.push(position);
            }
        }
        if next.is_finite() {
            // Positive, and within the range of a timer.
            let wait = Duration::from_millis((next - now).min(MAX_TIMER) as u64 + 1);
            self.timer = set_timeout_with_handle(refresh_due, wait).ok();
        }
        due
    }

    pub(super) fn position(&self, element: &Element) -> Option<usize> {
        let around = frame::around(element)?;
        self.frames.iter().position(|frame| frame.element == around)
    }

    /// Notes that the server has answered, whatever the answer was.
    pub(super) fn note_reached(&mut self) {
        self.failures = 0;
        self.paused_until = 0.0;
        if self.state.lasting_toast.get_untracked().is_some() {
            self.state.lasting_toast.set(None);
        }
    }

    /// Shows one notice for the whole page, and pauses all calls.
    pub(super) fn note_unreachable(&mut self) {
        let now = Date::now();
        // Calls that were in progress at the same time fail together.
        if now >= self.paused_until {
            self.paused_until = now + (PAUSE.0 * f64::from(1_u32 << self.failures.min(8))).min(PAUSE.1);
            self.failures += 1;
        }
        self.state.lasting_toast.set(Some(LastingToast::Unreachable));
    }
}

/// Shows an answer, keeps the focus where it was, and continues.
pub(super) fn arrived(position: usize, answer: PanelResponse) {
    let clicked = with(|runtime| {
        let frame = &mut runtime.frames[position];
        frame.asking = false;
        frame.acting = false;
        let had_focus = document().active_element().is_some_and(|active| frame.element.contains(Some(&active)));
        frame.show(answer);
        if std::mem::take(&mut frame.outdated) {
            frame.due = 0.0;
        }
        // "Retry" disappears once there is a panel; then focus the frame's own button.
        let has_focus = document().active_element().is_some_and(|active| frame.element.contains(Some(&active)));
        if had_focus
            && !has_focus
            && let Ok(Some(button)) = frame.element.query_selector(".widget-reload, .widget-retry")
        {
            _ = button.unchecked_into::<HtmlElement>().focus();
        }
        std::mem::take(&mut frame.clicked)
    });
    for clicked in clicked.into_iter().flatten() {
        clicked.click();
    }
    refresh_due();
}
