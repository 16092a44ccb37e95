//! Pages that are empty or show the example: what they say, with buttons to start for those who may edit. The code of the
//! buttons is in `frontend/editor/src/editor/starting.rs`.

use config::Dashboard;
use leptos::prelude::*;

use super::EditMode;
use crate::words::{split_at_placeholder, t};

/// The templates in `frontend/editor/templates`, and their titles.
const TEMPLATES: [(&str, &str); 4] =
    [("homelab", "Homelab"), ("media", "Media"), ("family", "Family"), ("minimal", "Minimal")];

/// The content of a page without sections. `editor` is the module that starts edit mode.
pub(super) fn empty_config(dashboard: &Dashboard, edit_mode: EditMode, editor: &str) -> Option<AnyView> {
    let file = dashboard.file.clone();
    let (before, after) = split_at_placeholder("The config has no sections. Add one to {file}, then reload this page:");
    let (imported, along) = split_at_placeholder("From another dashboard, {command} brings your links along.");
    dashboard.sections.is_empty().then(|| {
        let more = match edit_mode {
            EditMode::Absent | EditMode::Elsewhere => view! {
                <p>{before} <code>{file}</code> {after}</p>
                <pre>
                    <code>"sections:\n  - name: Everyday\n    items:\n      - title: Router\n        url: http://192.168.1.1\n"</code>
                </pre>
                <p>{imported} <code>"portico import"</code> {along}</p>
            }
            .into_any(),
            EditMode::Offered | EditMode::Example => {
                let (before, after) = split_at_placeholder("Nothing is written before you save. All of it can also be written in {file}.");
                view! {
                    <p>{before}<code>{file}</code>{after}</p>
                    {ways(editor, false)}
                }
                .into_any()
            }
            EditMode::On => view! { <p>{t("Add a section, or import from another dashboard.")}</p> }.into_any(),
        };
        view! {
            <div class="empty-config">
                <h2>{t("Nothing here yet")}</h2>
                {more}
            </div>
        }
        .into_any()
    })
}

/// The notice above the example config of a new dashboard. `is_open` says that no sign-in is set up.
pub(super) fn about_example(editor: &str, is_open: bool) -> impl IntoView + use<> {
    let module = editor.to_owned();
    let protect = is_open.then(|| {
        view! {
            <p>{t("Everybody on the network can change this page until you protect it.")}</p>
            <p class="actions">
                <button class="button" type="button" data-module=module data-start="protect">{t("Protect this dashboard")}</button>
            </p>
        }
    });
    view! {
        <section class="notices" aria-label=t("Begin")>
            <div class="notice info">
                <strong>{t("This is an example")}</strong>
                <p>{t("Edit it with the pencil above, or begin with your own. Nothing is written before you save.")}</p>
                {ways(editor, true)}
                {protect}
            </div>
        </section>
    }
}

/// The buttons to start with. `replaces` tells the editor whether they replace the content of the page.
fn ways(editor: &str, replaces: bool) -> impl IntoView + use<> {
    let editor = editor.to_owned();
    let way = move |class: &'static str, start: &'static str, text: &'static str| {
        view! {
            <button class=class type="button" data-module=editor.clone() data-start=start data-replaces=replaces>{t(text)}</button>
        }
    };
    let templates = TEMPLATES.map(|(name, title)| way("button", name, title)).into_iter().collect_view();
    view! {
        <p class="actions">
            {way("button primary", "service", "Add your first service")}
            {way("button", "widgets", "See all widgets")}
            {way("button", "import", "Import from another dashboard")}
        </p>
        <div role="group" aria-label=t("Templates")>
            <p class="actions"><span>{t("Or start with a template:")}</span> {templates}</p>
        </div>
    }
}
