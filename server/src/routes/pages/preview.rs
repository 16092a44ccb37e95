//! `?config=…` at the address of any page: a preview of another config (docs/spec/behavior.md 1). It is for
//! people who may write the config. Nothing of it is stored, and neither its widgets nor its status checks run.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use app::{
    document,
    fallback::{PageFailure, PreviewQuestion},
    page::EditMode,
};
use axum::response::Response;
use bytes::Bytes;
use config::{
    Config, Dashboard, Document, Viewer,
    dashboard::{ItemView, NoticeLink, OpeningMethod, PageNotice},
};
use http::{HeaderValue, StatusCode, header, request::Parts};
use languages::{Locale, fill, message, t, t_count};
use url::{Url, form_urlencoded};

use super::{
    PageTarget, RenderError, Rendered,
    dashboard_page::{PageContext, render_page, static_look},
    resolve::view,
    stand_in::own_title,
};
use crate::{
    http_client::{HttpRequest, Purpose, plain_host},
    panels::WidgetPlans,
    platform::blocking_pool,
    routes::{app_state::AppState, known_hosts, language, offline::Switches, own_page::PARAMETER, sign_in},
    store::{ConfigFile, Site},
};

/// The timeout for the fetch, for which a viewer is waiting.
const TIMEOUT: Duration = Duration::from_secs(10);

/// The purpose of the proof in the links of the questions.
const PURPOSE: &str = "?config";

/// The request for a preview.
#[derive(Clone, Debug)]
struct PreviewQuery {
    /// The address of the other config, as written.
    source: String,
    /// Whether the user has agreed to show it.
    is_confirmed: bool,
}

/// The other config, once it has been read, and the link of the question about it.
struct Question<'a> {
    contents: Option<&'a Contents>,
    go_on: String,
}

impl PreviewQuery {
    fn of(query: &str) -> Option<Self> {
        let pairs = || form_urlencoded::parse(query.as_bytes());
        let source = pairs().find(|(name, _)| name == "config")?.1.into_owned();
        Some(Self { source, is_confirmed: pairs().any(|(name, _)| name == "preview") })
    }

    /// The same page after the user has agreed to fetch the config, with the proof of that.
    fn agreed(&self, proof: &str) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        format!("?{}", query.append_pair("config", &self.source).append_pair(PARAMETER, proof).finish())
    }
}

/// The preview, the question before it, or why there is none. `None` if no preview is requested, and for people who
/// may not write the config.
pub(super) async fn respond(
    portico: &Arc<AppState>,
    site: &Arc<Site>,
    viewer: &Viewer,
    target: &PageTarget,
    request: &Parts,
) -> Option<Response> {
    let asked = PreviewQuery::of(request.uri.query()?)?;
    let root = site.root.as_ref()?;
    if !root.config.app.permissions(viewer).save_to_disk {
        return None;
    }
    let locale = language::of(site, &request.headers);
    let agreed = asked.agreed(&portico.own_page.token(viewer, PURPOSE, &asked.source));
    let shown = match Url::parse(&asked.source).ok().filter(is_of_the_web) {
        None => Err((
            StatusCode::BAD_GATEWAY,
            "The address must begin with http or https, and have neither user nor password".to_owned(),
        )),
        Some(source) => match known_hosts::check(&request.extensions) {
            Err(unknown) => Err((unknown.status, unknown.message)),
            Ok(()) if portico.own_page.is_in(request, viewer, PURPOSE, &asked.source) => {
                let shown = show(portico, site, viewer, target, asked, (source, agreed), locale.clone()).await;
                shown.map_err(|reason| (StatusCode::BAD_GATEWAY, reason))
            }
            // Any site can lead people here, and must not make this server send requests: so they are asked first.
            Ok(()) => Ok(languages::with_locale(&locale, || {
                question(portico, &asked.source, Question { contents: None, go_on: agreed })
            })),
        },
    };
    let shown = shown.unwrap_or_else(|(status, reason)| {
        languages::with_locale(&locale, || {
            let title = t("The preview cannot be shown").to_owned();
            let reason = message(&reason).into_owned();
            let failure = PageFailure { title, reason, ..PageFailure::default() };
            let html = document::error(failure, own_title(site), portico.assets.page());
            Rendered::new(portico, status, html, &[], &[])
        })
    });
    let mut response = shown.at_once();
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response.headers_mut().remove(header::ETAG);
    Some(response)
}

fn is_of_the_web(url: &Url) -> bool {
    matches!(url.scheme(), "http" | "https") && url.username().is_empty() && url.password().is_none()
}

/// Fetches the config and shows it, or asks whether to. `agreed` is the address of this page.
///
/// # Errors
///
/// A sentence that says why it cannot be shown.
async fn show(
    portico: &Arc<AppState>,
    site: &Arc<Site>,
    viewer: &Viewer,
    target: &PageTarget,
    asked: PreviewQuery,
    (source, agreed): (Url, String),
    locale: Locale,
) -> Result<Rendered, String> {
    let request = HttpRequest {
        timeout: TIMEOUT,
        max_bytes: config::MAX_WRITTEN_BYTES,
        ..HttpRequest::get(Purpose::Lookup, source.as_str())
    };
    let reply = portico.http_client.send(request).await.map_err(|error| error.to_string())?;
    if !reply.status.is_success() {
        return Err(format!("{} responded with {}", reply.final_url.host_str().unwrap_or("its host"), reply.status));
    }
    let host = source.host_str().map(plain_host).unwrap_or_default();
    let (portico, site, viewer, target) = (Arc::clone(portico), Arc::clone(site), viewer.clone(), target.clone());
    let show = move || {
        let (file, contents) = read(reply.body, host)?;
        languages::with_locale(&locale, || {
            if asked.is_confirmed {
                render(&portico, &site, &viewer, &target, file, &contents, &asked)
            } else {
                let question = Question { contents: Some(&contents), go_on: format!("{agreed}&preview") };
                Ok(self::question(&portico, &asked.source, question))
            }
        })
    };
    blocking_pool::compute(show).await.unwrap_or_else(|_| Err("It cannot be rendered; see the server's log".to_owned()))
}

/// A summary of a config.
#[derive(Debug)]
struct Contents {
    title: Option<String>,
    pages: usize,
    sections: usize,
    items: usize,
    widgets: usize,
}

/// Reads the fetched config. Its widgets and pages are counted and left out.
fn read(bytes: Bytes, host: String) -> Result<(ConfigFile, Contents), String> {
    let document = Document::parse_shared(&bytes).map_err(|error| error.to_string())?;
    let mut config = Config::read(&document).map_err(|error| error.to_string())?;
    let contents = Contents {
        title: config.page_info.title.clone(),
        pages: std::mem::take(&mut config.pages).len(),
        sections: config.sections.len(),
        items: config.sections.iter().map(|section| section.items.len()).sum(),
        widgets: config.sections.iter_mut().map(|section| std::mem::take(&mut section.widgets).len()).sum(),
    };
    Ok((ConfigFile { name: "preview".to_owned(), bytes, document, config, host: Some(host), stored: false }, contents))
}

fn question(portico: &AppState, source: &str, Question { contents, go_on }: Question<'_>) -> Rendered {
    let question = PreviewQuestion {
        source: source.to_owned(),
        title: contents.and_then(|contents| contents.title.clone()),
        counts: contents.map(counts),
        go_on,
    };
    let (themes, inline) = static_look(portico);
    let html = document::preview_question(question, themes, portico.assets.page());
    Rendered::new(portico, StatusCode::OK, html, &inline, &[])
}

/// `2 sections, 1 item` and so on, without kinds of which there are none.
fn counts(contents: &Contents) -> String {
    let Contents { pages, sections, items, widgets, .. } = contents;
    let counts = [
        (pages, "1 page", "{count} pages"),
        (sections, "1 section", "{count} sections"),
        (items, "1 item", "{count} items"),
        (widgets, "1 widget", "{count} widgets"),
    ];
    let counts = counts.into_iter().filter(|(count, ..)| **count > 0);
    let counts = counts.map(|(count, one, other)| t_count(one, other, *count as u64, &[]));
    let counts = counts.collect::<Vec<_>>().join(", ");
    if counts.is_empty() { t("Nothing is in it").to_owned() } else { counts }
}

fn render(
    portico: &AppState,
    site: &Site,
    viewer: &Viewer,
    target: &PageTarget,
    file: ConfigFile,
    contents: &Contents,
    asked: &PreviewQuery,
) -> Result<Rendered, String> {
    let previewed = Site { revision: site.revision, root: Some(Arc::new(file)), failure: None, pages: BTreeMap::new() };
    let (mut view, _) = view(portico, &previewed, viewer, target).map_err(|missing| match missing {
        RenderError::NotFound => t("It has no such page or section").to_owned(),
        RenderError::Failed(failure) => failure.reason,
        RenderError::Panicked => t("It cannot be rendered; see the server's log").to_owned(),
    })?;
    quieten(&mut view.dashboard);
    let left_out = match (contents.widgets, contents.pages) {
        (0, 0) => String::new(),
        _ => [" ", t("Its widgets and its pages are left out.")].concat(),
    };
    view.dashboard.notices.insert(
        0,
        PageNotice {
            title: t("Preview").to_owned(),
            detail: fill("This is {source}. Nothing is saved.", &[("source", &asked.source)]) + &left_out,
            excerpt: None,
            link: Some(NoticeLink { text: t("Revert").to_owned(), href: "?".to_owned() }),
        },
    );
    let context = PageContext {
        session: sign_in::session_view(portico, site, viewer),
        is_admin: false,
        switches: Switches::of(site),
        asked: Vec::new(),
        edit_mode: EditMode::Absent,
        drafts: None,
        draft_of: None,
    };
    Ok(render_page(portico, view, target, &WidgetPlans::default(), context))
}

/// Stops a page from sending requests by itself. Addresses that occur only in the preview cannot be framed.
fn quieten(dashboard: &mut Dashboard) {
    let quieten = |item: &mut ItemView| {
        item.has_status = false;
        item.local_url = None;
        if matches!(item.target, OpeningMethod::Modal | OpeningMethod::Workspace) {
            item.target = OpeningMethod::NewTab;
        }
    };
    for item in dashboard.sections.iter_mut().flat_map(|section| &mut section.items) {
        quieten(item);
        item.sub_items.iter_mut().for_each(quieten);
    }
    dashboard.landing_url = None;
}
