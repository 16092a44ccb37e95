//! What a widget shows while its entry is being edited, without being saved (docs/editing.md). Looked up like the panels
//! of a page: with the guards of every request, and shared by key, so that it is there when the draft is shown.

use std::sync::Arc;

use app::{
    backend::{PanelQuery, PanelResponse, PanelState},
    editing::{ResponseValue, ResponseValues, ServiceFile, WidgetPreview},
    page::widget_frame,
};
use bytes::Bytes;
use config::{
    Config, Dashboard, Document, PageRequest, Viewer,
    dashboard::{WidgetState, WidgetView},
};
use languages::{in_panel, message};
use serde_json::{Value, json};
use widgets::{Kind, Moment, ResponseContent, RunSide};

use crate::{
    panels::{self, PlannedWidget},
    platform::blocking_pool,
    routes::{app_state::AppState, error::ApiError, widget_draft_frame},
    store::ConfigFile,
};

const BY_BROWSERS: &str = "Browsers ask this service themselves. Its values are shown once the page is saved.";
const HIDDEN: &str = "There is nothing to show, and errors of this widget are hidden.";
const RENDER_FAILED: &str = "This widget cannot be drawn; the server's log says why.";
const EMPTY: &str = "The response is empty";
const NOT_JSON: &str = "The response is not JSON, so there are no values to choose. It begins:";
/// Maximum number of characters shown of a response that is not JSON.
const MAX_TEXT: usize = 300;

/// What a widget shows with this entry, as JSON. Waits about two seconds for a slow service.
///
/// # Errors
///
/// The entry is not a mapping.
pub async fn panel(
    portico: &Arc<AppState>,
    viewer: &Viewer,
    entry: &str,
    query: PanelQuery,
) -> Result<WidgetPreview, ApiError> {
    let (planned, widget) = plan(portico, viewer, entry).await?;
    let (answer, note) = match (&planned.place, widget.place) {
        (RunSide::Browser, _) => (None, Some(BY_BROWSERS)),
        (RunSide::Server, _) => (Some(portico.panels.request(&planned, &query, true).await), None),
        (RunSide::Local(_), WidgetState::Local) => {
            let embedded = widget_draft_frame::panel(portico, viewer, &planned);
            let html = Some(embedded.unwrap_or_else(|| widget.html.clone()));
            (Some(PanelResponse { state: PanelState::Content, html, ..PanelResponse::default() }), None)
        }
        (RunSide::Local(_) | RunSide::Broken, _) => {
            let note = Some(errors(&planned));
            (Some(PanelResponse { state: PanelState::Broken, note, ..PanelResponse::default() }), None)
        }
    };
    let is_empty = answer.as_ref().is_some_and(|answer| answer.html.as_deref() == Some(""));
    let is_pending = answer.as_ref().is_some_and(|answer| answer.state == PanelState::Pending);
    let now = Moment::from_seconds(i64::try_from(portico.access_control.clock.now()).unwrap_or(i64::MAX));
    Ok(WidgetPreview {
        html: answer
            .as_ref()
            .map(|answer| widget_frame::body(Some(answer), planned.kind_name(), planned.name_of_problem(), now)),
        note: note.or(is_empty.then_some(HIDDEN)).map(str::to_owned),
        kind: widget.kind,
        label: widget.label,
        classes: widget.classes,
        next: answer.filter(|_| is_pending).map(|answer| answer.next.unwrap_or(1).max(1)),
        style_sheet: portico.assets.page().widget_style_sheet.clone(),
    })
}

/// The values that the service of an `api-response` with this entry responds with, as JSON.
///
/// # Errors
///
/// The entry is not one of this type.
pub async fn values(
    portico: &Arc<AppState>,
    viewer: &Viewer,
    entry: &str,
    query: PanelQuery,
) -> Result<ResponseValues, ApiError> {
    let (planned, _) = plan(portico, viewer, entry).await?;
    if planned.kind != Some(Kind::ApiResponse) {
        return Err(not_a_widget());
    }
    let content = match planned.place {
        RunSide::Server => portico.panels.content(&planned, &query).await,
        _ => Err(errors(&planned)),
    };
    let note = |note: String| ResponseValues { note: Some(note), ..ResponseValues::default() };
    Ok(match content {
        Err(error) => note(error),
        Ok(ResponseContent::Text(text)) if text.trim().is_empty() => note(in_panel(EMPTY).to_owned()),
        Ok(ResponseContent::Text(text)) => {
            let begins = text.trim_start().chars().take(MAX_TEXT).collect();
            ResponseValues { text: Some(begins), ..note(message(NOT_JSON).into_owned()) }
        }
        Ok(ResponseContent::Json(json)) => {
            let tree = move || response_value(widgets::ValueNode::of(&json));
            let tree = blocking_pool::compute(tree).await.map_err(|error| ApiError::internal(&error))?;
            let is_empty = tree.nodes.is_empty() && tree.mapping.is_none();
            if is_empty {
                note(in_panel(EMPTY).to_owned())
            } else {
                ResponseValues { tree: Some(tree), ..ResponseValues::default() }
            }
        }
    })
}

/// The file of a service for live figures with the values that an `api-response` with this entry shows.
///
/// # Errors
///
/// The entry is not one of this type, shows no chosen values, or sends what a service file cannot.
pub fn service_file(entry: &str) -> Result<ServiceFile, ApiError> {
    let entry: Value = serde_json::from_str(entry).map_err(|_| not_a_widget())?;
    let kind = entry["type"].as_str().and_then(Kind::parse);
    if kind != Some(Kind::ApiResponse) {
        return Err(not_a_widget());
    }
    let file = widgets::ServiceFile::of(&entry).map_err(ApiError::bad_request)?;
    Ok(ServiceFile { name: file.name, text: file.text })
}

fn response_value(node: widgets::ValueNode) -> ResponseValue {
    let widgets::ValueNode { name, text, mapping, nodes, more } = node;
    let nodes = nodes.into_iter().map(response_value).collect();
    ResponseValue { name, text, mapping: mapping.map(|mapping| mapping.to_string()), nodes, more }
}

/// Why a widget is broken, in sentences.
fn errors(planned: &PlannedWidget) -> String {
    let said = if planned.errors.is_empty() { vec![RENDER_FAILED.to_owned()] } else { planned.errors.clone() };
    let said: Vec<_> = said.iter().map(|error| message(error)).collect();
    said.join(" ")
}

/// What is to be done for an entry in JSON, and its frame. Requests are those of the server.
async fn plan(
    portico: &Arc<AppState>,
    viewer: &Viewer,
    entry: &str,
) -> Result<(Arc<PlannedWidget>, WidgetView), ApiError> {
    let entry: Value = serde_json::from_str(entry).ok().filter(Value::is_object).ok_or_else(not_a_widget)?;
    let (own, person) = (Arc::clone(portico), viewer.clone());
    let plan = move || {
        let is_proxied = own.store.site().root.as_ref().is_some_and(|root| root.config.app.widgets_always_use_proxy);
        let found = read(&own, &person, &entry, is_proxied)?;
        // The page may ask no other hosts than before, so the server does it here.
        if found.0.place == RunSide::Browser { read(&own, &person, &entry, true) } else { Some(found) }
    };
    let found = blocking_pool::compute(plan).await.map_err(|error| ApiError::internal(&error))?;
    found.ok_or_else(not_a_widget)
}

fn not_a_widget() -> ApiError {
    ApiError::bad_request("a widget is a mapping with a `type`")
}

/// The entry as the only widget of a page: what is to be done for it, and its frame.
fn read(
    portico: &AppState,
    viewer: &Viewer,
    entry: &Value,
    is_proxied: bool,
) -> Option<(Arc<PlannedWidget>, WidgetView)> {
    let document = Document::from_json(json!({
        "appConfig": { "widgetsAlwaysUseProxy": is_proxied },
        "sections": [{ "name": "Preview", "widgets": [entry] }],
    }));
    let config = Config::read(&document).ok()?;
    let name = "preview".to_owned();
    let file = Arc::new(ConfigFile { name, bytes: Bytes::new(), document, config, host: None, stored: false });
    let plans = portico.plans.of(&file);
    let request = PageRequest { base: portico.settings.base.as_str(), ..PageRequest::default() };
    let mut dashboard = Dashboard::for_viewer(&file.config, viewer, &request, &portico.icons).ok()?.dashboard;
    panels::fill(&mut dashboard, &plans, &portico.panels, true);
    let widget = dashboard.widgets().next()?.1.clone();
    let planned = Arc::clone(plans.get(0, widget.index)?);
    Some((planned, widget))
}
