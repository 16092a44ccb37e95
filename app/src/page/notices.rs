//! Sentences above the content.

use std::sync::Arc;

use config::Dashboard;
use config::dashboard::Notice;
use leptos::prelude::*;

use super::{FAILED_ELEMENT, excerpt::excerpt};

/// All notices of the page; nothing at all when there are none.
#[component]
pub fn Notices(dashboard: Arc<Dashboard>) -> impl IntoView {
    (!dashboard.notices.is_empty()).then(move || {
        let notices = dashboard.notices.iter().map(notice).collect_view();
        view! { <div class="notices">{notices}</div> }
    })
}

fn notice(notice: &Notice) -> impl IntoView + use<> {
    let excerpt = notice.excerpt.as_deref().map(excerpt);
    let link = notice.link.clone().map(|link| view! { <a class="button" href=link.href>{link.text}</a> });
    view! {
        <div class="notice" role="status">
            <strong>{notice.title.clone()}</strong>
            <p>{notice.detail.clone()}</p>
            {excerpt}
            {link}
        </div>
    }
}

/// What the page's loader uncovers, and makes a toast, when the bundle cannot be loaded, or has failed.
#[component]
pub fn Failed() -> impl IntoView {
    view! {
        <div class="toasts" role="status">
            <p id=FAILED_ELEMENT hidden>
                "Search, options and updates have stopped working here. Links still work. " <a href="">"Reload"</a>
            </p>
        </div>
    }
}
