//! `GET /widget-draft/{token}`: the document in the frame of an `html-embed` widget that is being edited, with the same policy
//! as after saving.

use std::{
    collections::VecDeque,
    fmt::Write as _,
    sync::{Arc, Mutex, PoisonError},
};

use app::backend::WidgetAddress;
use axum::{
    extract::{Path, State},
    response::Response,
};
use config::{Dashboard, Viewer};
use http::request::Parts;
use widgets::{Kind, RunSide};

use super::{app_state::AppState, pages, widget_frame};
use crate::{
    access,
    panels::{PanelKey, PlannedWidget, WidgetPlans},
};

/// The route, without the path prefix.
const ROUTE: &str = "/widget-draft/";
/// Maximum number of widgets that are kept; the oldest are dropped first.
const MAX_FRAMES: usize = 64;

/// The widgets that are being edited, by unguessable tokens.
#[derive(Debug)]
pub struct DraftFrames {
    secret: [u8; 32],
    /// The newest first.
    frames: Mutex<VecDeque<DraftFrame>>,
}

#[derive(Debug)]
struct DraftFrame {
    token: String,
    /// Who edits it, and may alone see it.
    viewer: Viewer,
    planned: Arc<PlannedWidget>,
}

impl Default for DraftFrames {
    fn default() -> Self {
        Self { secret: access::random(), frames: Mutex::default() }
    }
}

impl DraftFrames {
    /// Keeps a widget for the user who edits it, and returns the address of its document, which changes only with its content.
    fn keep(&self, viewer: &Viewer, planned: &Arc<PlannedWidget>) -> String {
        let mut token = String::new();
        for byte in PanelKey::of([&self.secret[..], &planned.key.bytes()[..]]).bytes().iter().take(16) {
            // Writing to a `String` cannot fail.
            _ = write!(token, "{byte:02x}");
        }
        let address = format!("{ROUTE}{token}");
        let mut frames = self.frames.lock().unwrap_or_else(PoisonError::into_inner);
        frames.retain(|frame| frame.token != token || frame.viewer != *viewer);
        frames.truncate(MAX_FRAMES - 1);
        frames.push_front(DraftFrame { token, viewer: viewer.clone(), planned: Arc::clone(planned) });
        address
    }

    fn find(&self, viewer: &Viewer, token: &str) -> Option<Arc<PlannedWidget>> {
        let frames = self.frames.lock().unwrap_or_else(PoisonError::into_inner);
        let found = frames.iter().find(|frame| frame.token == token && frame.viewer == *viewer)?;
        Some(Arc::clone(&found.planned))
    }
}

/// The panel of a widget that is being edited, if it embeds something.
pub fn panel(portico: &AppState, viewer: &Viewer, planned: &Arc<PlannedWidget>) -> Option<String> {
    match (planned.kind, &planned.place) {
        (Some(Kind::HtmlEmbed), RunSide::Local(panel)) => {
            Some(portico.panels.local(panel, planned, &portico.draft_frames.keep(viewer, planned)))
        }
        _ => None,
    }
}

/// On a page with a draft, replaces the content of `html-embed` widgets that differ from the file.
pub fn fill(portico: &AppState, viewer: &Viewer, dashboard: &mut Dashboard, plans: &WidgetPlans) {
    let page = dashboard.slug.clone();
    for (section, widget) in dashboard.widgets_mut() {
        let Some(planned) = plans.get(section, widget.index) else { continue };
        let kind = planned.kind_name().to_owned();
        let slot = WidgetAddress { page: page.clone(), section, widget: widget.index, kind };
        let is_saved = || pages::planned(portico, viewer, &slot).is_some_and(|saved| saved.key == planned.key);
        if planned.kind == Some(Kind::HtmlEmbed)
            && !is_saved()
            && let Some(html) = panel(portico, viewer, planned)
        {
            widget.html = html;
        }
    }
}

/// Returns one document to the user who edits its widget. For others, it does not exist.
pub async fn widget_draft_frame(
    State(portico): State<Arc<AppState>>,
    Path(token): Path<String>,
    request: Parts,
) -> Response {
    widget_frame::respond(&portico, &request, |viewer| portico.draft_frames.find(viewer, &token)).await
}
