//! Options besides layout and theme: the colour of icons, and the dialog about the program, which
//! `public/options/tools.js` creates. Static, so it is not part of the browser's bundle.

use config::Dashboard;
use leptos::prelude::*;

use crate::words::t;

/// What the controls depend on.
#[derive(Clone, Debug)]
pub struct Tools {
    script: String,
    page: String,
    monochrome: bool,
    may_edit: bool,
}

impl Tools {
    /// The controls of a page. Viewers who `may_edit` it can download its file, and are told about new versions.
    pub fn of(dashboard: &Dashboard, may_edit: bool) -> Self {
        Self {
            script: format!("{}/options/tools.js", dashboard.base),
            page: dashboard.slug.trim_end_matches('-').to_owned(),
            monochrome: dashboard.monochrome_icons,
            may_edit,
        }
    }

    /// The controls. The state script of the page restores the box as it was in this browser.
    pub fn controls(self) -> impl IntoView + use<> {
        let Self { script, page, monochrome, may_edit } = self;
        view! {
            <fieldset class="choice">
                <legend>{t("Icons")}</legend>
                <label>
                    <input type="checkbox" id="one-color" checked=monochrome data-module=script.clone()/>
                    <span>{t("In one color")}</span>
                </label>
            </fieldset>
            <button
                class="button"
                type="button"
                data-module=script
                data-version=env!("CARGO_PKG_VERSION")
                data-config=may_edit.then_some(page)
            >
                {t("About, debug, reset")}
            </button>
        }
    }
}
