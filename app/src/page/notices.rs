//! Notices above the content.

use std::sync::Arc;

use config::Dashboard;
use config::dashboard::PageNotice;
use leptos::prelude::*;

use super::{FAILED_ELEMENT, excerpt::excerpt};
use crate::{parts::markup::with_code, words::t};

/// All notices of the page; nothing at all if there are none.
#[component]
pub fn Notices(dashboard: Arc<Dashboard>) -> impl IntoView {
    (!dashboard.notices.is_empty()).then(move || {
        let notices = dashboard.notices.iter().map(notice).collect_view();
        view! { <div class="notices">{notices}</div> }
    })
}

/// A notice without a link can be closed, by the script of the options. If a viewer no longer wants to see it,
/// its title remains, so that admins do not edit a file in vain.
fn notice(notice: &PageNotice) -> impl IntoView + use<> {
    let excerpt = notice.excerpt.as_deref().map(excerpt);
    let link = notice.link.clone().map(|link| view! { <a class="button" href=link.href>{link.text}</a> });
    let dismiss = notice.link.is_none().then(|| {
        let button = |text: &'static str, extent: &'static str| {
            view! { <button class="button" type="button" data-module="" data-dismiss=extent>{text}</button> }
        };
        view! { <p class="actions">{button(t("Close"), "now")}{button(t("Do not show again"), "always")}</p> }
    });
    view! {
        <div class="notice" role="status">
            <strong>{notice.title.clone()}</strong>
            <p>{with_code(&notice.detail)}</p>
            {excerpt}
            {link}
            {dismiss}
        </div>
    }
}

/// The message that the page's loader shows as a toast if the bundle cannot be loaded, or has failed.
#[component]
pub fn Failed() -> impl IntoView {
    view! {
        <div class="toasts" role="status">
            <p id=FAILED_ELEMENT hidden>
                {t("Search, options and updates have stopped working here. Links still work.")}" "<a href="">{t("Reload")}</a>
            </p>
        </div>
    }
}
