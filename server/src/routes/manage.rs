//! `/manage/{tool}`: what the tabs of the config menu show to admins beside the config, as markup, and what they do there
//! (docs/spec/behavior.md 13). Everything here needs the rights of the editor.

use std::{
    sync::Arc,
    time::{SystemTime, UNIX_EPOCH},
};

use app::manage::{
    AlertTargetRow, ChangePlace, ChangeRow, TokenRow, TokensTab, WidgetUsageRow, alert_targets, changes,
    found_services, tokens, widget_usage,
};
use axum::{
    extract::{Path, Request, State},
    response::{IntoResponse as _, Response},
};
use bytes::Bytes;
use config::{
    Document,
    model::{PageSource, Permissions},
};
use http::{HeaderValue, StatusCode, header, request::Parts};
use jiff::Timestamp;
use languages::{Locale, message, with_locale};
use serde::Deserialize;
use serde_json::json;

use super::{
    api::save_draft,
    app_state::AppState,
    backend::from_own_page,
    editing::may_edit,
    error::ApiError,
    found::{FoundAction, found_tab},
    language, request_body,
    save::with_user,
};
use crate::{
    access::{ApiToken, ApiTokens, NewToken, Rights},
    alerts::TargetState,
    platform::io_error::reason,
    store::{Change, Site, Via},
};

/// Maximum size of an action in bytes.
const MAX_BYTES: usize = 16 * 1024;
const SECONDS_PER_DAY: u64 = 24 * 60 * 60;
const NO_SUCH_ACTION: &str = "this tool does nothing of the kind";
/// How many changes are shown at once.
const CHANGES: usize = 50;

/// What someone does in a tab.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
enum Action {
    /// Sends a test message to the target at this place.
    Test(usize),
    /// Shows the changes before this time, in milliseconds since 1970.
    Before(u64),
    /// Makes a token of the REST API.
    Create(TokenForm),
    /// Revokes the token of this name.
    Revoke(String),
    /// Replaces a file with one of its backups.
    Restore {
        /// The file.
        file: String,
        /// The backup.
        backup: String,
    },
    /// Adds or hides what the sources of discovery find.
    Found(FoundAction),
}

/// The form of a new token.
#[derive(Debug, Deserialize)]
struct TokenForm {
    name: String,
    /// Empty for all files.
    #[serde(default)]
    file: String,
    /// Empty for all sections.
    #[serde(default)]
    section: String,
    /// Empty for a token that never expires.
    #[serde(default)]
    days: String,
    /// What a browser sends for a checked box.
    #[serde(default)]
    write: Option<String>,
}

/// `GET /manage/{tool}`: the content of a tab.
pub async fn show(State(portico): State<Arc<AppState>>, Path(tool): Path<String>, request: Request) -> Response {
    let (request, _) = request.into_parts();
    respond(&portico, &request, &tool, None).await.unwrap_or_else(|error| rejection(&portico, &request, error))
}

/// `POST /manage/{tool}`: does something, and returns the content of the tab.
pub async fn act(State(portico): State<Arc<AppState>>, Path(tool): Path<String>, request: Request) -> Response {
    let (request, body) = request.into_parts();
    let admitted = from_own_page(&request).and_then(|()| may_edit(&portico, &request).map(|_| ()));
    if let Err(error) = admitted {
        request_body::discard(body);
        return rejection(&portico, &request, error);
    }
    let body = match request_body::read(body, MAX_BYTES).await {
        Ok(body) => body,
        Err(unread) => return rejection(&portico, &request, unread.into_error("this is too much for an action")),
    };
    match serde_json::from_slice(&body) {
        Ok(action) => respond(&portico, &request, &tool, Some(action))
            .await
            .unwrap_or_else(|error| rejection(&portico, &request, error)),
        Err(error) => rejection(&portico, &request, ApiError::bad_request(error.to_string())),
    }
}

/// A failure in the language of the page that asked.
fn rejection(portico: &AppState, request: &Parts, error: ApiError) -> Response {
    error.in_language(&language::of(&portico.store.site(), &request.headers)).into_response()
}

/// Does what is asked for, and draws the tab.
async fn respond(
    portico: &Arc<AppState>,
    request: &Parts,
    tool: &str,
    action: Option<Action>,
) -> Result<Response, ApiError> {
    let (viewer, site, permissions) = may_edit(portico, request)?;
    let locale = language::of(&site, &request.headers);
    let html = match (tool, action) {
        ("alerts", action) => {
            if let Some(Action::Test(position)) = action {
                // The tab shows the reason if it fails.
                _ = portico.alerts.test(position).await;
            }
            with_locale(&locale, || alert_targets(targets(portico)))
        }
        ("widgets", None) => with_locale(&locale, || widget_usage(widgets(portico))),
        ("history", None) => history(portico, &locale, permissions, u64::MAX, None).await?,
        ("history", Some(Action::Before(time))) => history(portico, &locale, permissions, time, None).await?,
        ("history", Some(Action::Restore { file, backup })) => {
            let by = viewer.name_for_log();
            let restored = restore(portico, &site, permissions, by, &file, &backup).await;
            let problem = restored.err().map(|error| error.in_language(&locale).message);
            history(portico, &locale, permissions, u64::MAX, problem).await?
        }
        ("found", action) => {
            let action = match action {
                None => None,
                Some(Action::Found(action)) => Some(action),
                Some(_) => return Err(ApiError::bad_request(NO_SUCH_ACTION)),
            };
            let mut tab = found_tab(portico, &site, permissions, viewer.name_for_log(), action).await?;
            tab.problem = tab.problem.map(|problem| locale.language.message(&problem).into_owned());
            with_locale(&locale, || found_services(tab))
        }
        ("tokens", action) => {
            let mut tab = tokens_tab(portico, &site, permissions, action).await?;
            tab.problem = tab.problem.map(|problem| locale.language.message(&problem).into_owned());
            with_locale(&locale, || tokens(tab))
        }
        ("history" | "widgets", Some(_)) => return Err(ApiError::bad_request(NO_SUCH_ACTION)),
        _ => return Err(ApiError::not_found("there is no such tool")),
    };
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8")),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ];
    Ok((headers, html).into_response())
}

/// The targets of alerts, in the language in which this thread draws now.
fn targets(portico: &AppState) -> Vec<AlertTargetRow> {
    let row = |target: TargetState| {
        let last = target.last.as_ref();
        let problem = target.problem.or_else(|| last.and_then(|last| last.problem.clone()));
        AlertTargetRow {
            name: target.name,
            problem: problem.map(|problem| message(&problem).into_owned()),
            last: last.map(|last| time(last.at.saturating_mul(1000))),
        }
    };
    portico.alerts.targets().into_iter().map(row).collect()
}

/// A time in milliseconds since 1970 in RFC 3339.
fn time(milliseconds: u64) -> String {
    let milliseconds = i64::try_from(milliseconds).unwrap_or(i64::MAX);
    Timestamp::from_millisecond(milliseconds).unwrap_or_default().to_string()
}

/// The widgets of all pages for which this server asks services.
fn widgets(portico: &AppState) -> Vec<WidgetUsageRow> {
    let mut rows = Vec::new();
    for file in portico.files() {
        let plans = portico.plans.of(&file);
        let page = file.config.page_info.title.as_deref().unwrap_or(&file.name);
        for (section_at, section) in file.config.sections.iter().enumerate() {
            for widget_at in 0..section.widgets.len() {
                let Some(planned) = plans.get(section_at, widget_at) else { continue };
                let usage = portico.panels.usage(planned);
                if usage.count == 0 && usage.age.is_none() {
                    continue;
                }
                rows.push(WidgetUsageRow {
                    name: planned.entry.label.clone().unwrap_or_else(|| planned.kind_name().to_owned()),
                    place: format!("{page} · {}", section.name),
                    mean: usage.mean,
                    age: usage.age,
                    failures: usage.failures,
                    calls: usage.count,
                });
            }
        }
    }
    rows
}

/// The tokens of the REST API, after an action if there is one.
async fn tokens_tab(
    portico: &AppState,
    site: &Site,
    permissions: Permissions,
    action: Option<Action>,
) -> Result<TokensTab, ApiError> {
    let main = portico.store.main().to_owned();
    let pages = site.root.iter().flat_map(|root| &root.config.pages).filter(|page| !page.is_main);
    let pages = pages.filter_map(|page| match &page.source {
        PageSource::File(path) => Some(path.clone()),
        PageSource::Remote(_) => None,
    });
    let files: Vec<String> = std::iter::once(main.clone()).chain(pages).collect();
    // A token may write what its maker may not.
    if action.is_some() && !permissions.save_to_disk {
        return Err(ApiError::new(StatusCode::FORBIDDEN, format!("`{main}` forbids saving to disk.")));
    }
    let all = ApiTokens::in_folder(&portico.settings.user_data);
    let work = move || {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        let (mut created, mut problem) = (None, None);
        let done = match action {
            Some(Action::Create(form)) => {
                all.create(form.into_token(main, now), now).map(|value| created = Some(value))
            }
            Some(Action::Revoke(name)) => all.revoke(&name),
            _ => Ok(()),
        };
        let listed = done.and_then(|()| all.all().map_err(Into::into)).or_else(|error| {
            problem = Some(error.to_string());
            all.all()
        });
        (listed.unwrap_or_default(), created, problem)
    };
    let done = tokio::task::spawn_blocking(work).await;
    let (listed, created, problem) = done.map_err(|error| ApiError::internal(&error))?;
    let row = |token: ApiToken| TokenRow {
        name: token.name,
        may_write: token.rights == Rights::Write,
        limit: token.file.map(|file| match token.section {
            Some(section) => format!("{file} · {section}"),
            None => file,
        }),
        expires: token.expires.map(|at| time(at.saturating_mul(1000))),
    };
    let rows = listed.into_iter().map(row).collect();
    Ok(TokensTab { rows, created, problem, files, api_is_on: portico.settings.enable_api })
}

impl TokenForm {
    /// `main` is the file of a section whose file is not chosen.
    fn into_token(self, main: String, now: u64) -> NewToken {
        let filled = |text: String| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
        let section = filled(self.section);
        let file = filled(self.file).or_else(|| section.is_some().then_some(main));
        let days: Option<u64> = self.days.trim().parse().ok();
        let expires = days.map(|days| now.saturating_add(days.saturating_mul(SECONDS_PER_DAY)));
        let rights = if self.write.is_some() { Rights::Write } else { Rights::Read };
        NewToken { name: self.name, rights, file, section, expires }
    }
}

/// The changes before a time in milliseconds since 1970.
async fn history(
    portico: &AppState,
    locale: &Locale,
    permissions: Permissions,
    before: u64,
    problem: Option<String>,
) -> Result<String, ApiError> {
    let read = portico.store.changes(before, CHANGES).await;
    let found = read.map_err(|error| {
        let message = format!("The history cannot be read: {}.", reason(&error));
        ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, message)
    })?;
    let backups = portico.store.backup_names().await;
    let last = found.last().filter(|_| found.len() == CHANGES).map(|change| change.at);
    let older = last.map(|at| json!({ "before": at }).to_string());
    let row = |change: Change| {
        let backup = change.backup.filter(|backup| permissions.save_to_disk && backups.contains(backup));
        ChangeRow {
            at: time(change.at),
            restore: backup.map(|backup| json!({ "restore": { "file": change.file, "backup": backup } }).to_string()),
            file: change.file,
            who: change.author.who,
            place: match change.author.via {
                Via::Editor => ChangePlace::Editor,
                Via::Api => ChangePlace::Api,
                Via::Widget => ChangePlace::Widget,
                Via::Disk => ChangePlace::Disk,
            },
            added: change.added,
            removed: change.removed,
            diff: change.diff,
        }
    };
    let rows = found.into_iter().map(row).collect();
    Ok(with_locale(locale, || changes(rows, older, problem)))
}

/// Replaces a file with one of its backups, in the same way as a save in the editor.
async fn restore(
    portico: &Arc<AppState>,
    site: &Site,
    permissions: Permissions,
    by: &str,
    file: &str,
    backup: &str,
) -> Result<(), ApiError> {
    let store = &portico.store;
    if !permissions.save_to_disk {
        return Err(ApiError::new(StatusCode::FORBIDDEN, format!("`{}` forbids saving to disk.", store.main())));
    }
    let pages = site.root.iter().flat_map(|root| &root.config.pages);
    let is_page = |page: &PageSource| matches!(page, PageSource::File(path) if path == file);
    if file != store.main() && !pages.into_iter().any(|page| is_page(&page.source)) {
        return Err(ApiError::not_found(format!("`{file}` is no longer a page.")));
    }
    let read = store.backup(file, backup).await;
    let bytes = read.map_err(|error| ApiError::internal(&error))?;
    let bytes = bytes.ok_or_else(|| ApiError::not_found(format!("The backup `{backup}` is gone.")))?;
    let document = Document::parse_shared(&Bytes::from(bytes));
    let document = document.map_err(|error| ApiError::bad_request(format!("`{backup}` is not valid YAML: {error}")))?;
    save_draft(store, by, file, None, document).await.map(|_| ()).map_err(with_user)
}
