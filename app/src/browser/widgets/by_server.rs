//! Widgets that the server looks up: the page asks it for their panels.

use std::time::Duration;

use leptos::{prelude::*, task::spawn_local};
use widgets::Action;

use super::{arrived, with};
use crate::{
    backend::{PanelAnswer, Slot, panel, panel_action},
    page::PageNotice,
    within::within,
};

/// The server answers after two seconds even if the service does not; so much longer is no answer.
const LONGEST: Duration = Duration::from_secs(15);
/// A service may take its time to do what it is asked for.
const LONGEST_ACTION: Duration = Duration::from_secs(60);

/// Asks for the panel of a frame.
pub(super) fn ask(position: usize) {
    let question = with(|runtime| {
        let frame = &mut runtime.frames[position];
        let force = std::mem::take(&mut frame.forced);
        (slot(&runtime.page, frame), frame.version(), force, runtime.viewer.clone())
    });
    let Some((slot, seen, force, viewer)) = question else { return };
    spawn_local(async move {
        let Slot { page, section, widget, kind } = slot;
        let answer = panel(page, section, widget, kind, seen, force, viewer.locale, viewer.time_zone);
        settle(position, within(LONGEST, answer).await);
    });
}

/// Sends what a button of the panel asks for.
pub(super) fn act(position: usize, action: Action) {
    let Some(slot) = with(|runtime| slot(&runtime.page, &runtime.frames[position])) else { return };
    spawn_local(async move {
        let Slot { page, section, widget, kind } = slot;
        let answer = panel_action(page, section, widget, kind, action.name, action.target);
        settle(position, within(LONGEST_ACTION, answer).await);
    });
}

fn slot(page: &str, frame: &super::Frame) -> Slot {
    Slot { page: page.to_owned(), section: frame.section, widget: frame.widget, kind: frame.kind.clone() }
}

fn settle(position: usize, answer: Option<Result<PanelAnswer, ServerFnError>>) {
    let answer = match answer {
        Some(Ok(answer)) => {
            with(|runtime| {
                runtime.questions -= 1;
                runtime.note_reached();
            });
            Some(answer)
        }
        Some(Err(ServerFnError::ServerError(sentence))) => {
            with(|runtime| {
                runtime.questions -= 1;
                runtime.note_reached();
                runtime.state.notice.set(Some(PageNotice::Told(sentence)));
                let frame = &mut runtime.frames[position];
                frame.due = f64::INFINITY;
                frame.show_busy(false);
            });
            None
        }
        _ => {
            with(|runtime| {
                runtime.questions -= 1;
                runtime.note_unreachable();
                runtime.frames[position].show_busy(false);
            });
            None
        }
    };
    match answer {
        Some(answer) => arrived(position, answer),
        None => {
            with(|runtime| runtime.frames[position].asking = false);
            super::look();
        }
    }
}
