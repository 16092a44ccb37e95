//! The version of the program, and for admins whether there is a newer one.

use app::{
    JsJson,
    built_view::{AnyView, IntoAny},
};
use config::json::Json as _;
use gloo_net::http::Request;
use leptos::{prelude::*, task::spawn_local};

use crate::{
    page::address,
    texts::{fill, t},
};

/// A version that is newer than this one, and the page about it.
type NewVersion = (String, Option<String>);

async fn new_version() -> Option<NewVersion> {
    let response = Request::get(&address("new-version")).send().await.ok().filter(gloo_net::http::Response::ok)?;
    let answer = JsJson::parse(&response.text().await.ok()?)?;
    let version = answer.member("version")?.text().filter(|version| !version.is_empty())?;
    Some((version, answer.member("page").and_then(|page| page.text())))
}

/// The content of the tab.
pub fn content(version: &str, is_admin: bool) -> AnyView {
    let news = RwSignal::new(None::<NewVersion>);
    if is_admin {
        spawn_local(async move {
            let found = new_version().await;
            _ = news.try_set(found);
        });
    }
    let about =
        t("Portico {version}. Free software under the MIT license. Its fonts and icons have licenses of their own.");
    let shown = move || {
        let (version, page) = news.get()?;
        let link =
            page.map(|page| view! { <a href=page target="_blank" rel="noopener noreferrer">{t("What is new")}</a> });
        Some((fill(&t("Version {version} is there."), &[("version", &version)]), " ", link))
    };
    view! {
        <p>{fill(&about, &[("version", version)])}</p>
        <p class="tools-news" aria-live="polite">{shown}</p>
    }
    .into_any()
}
