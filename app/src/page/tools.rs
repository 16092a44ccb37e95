//! Options besides layout and theme: the color of icons, the colors and fonts of the theme (`frontend/dialogs/src/colors/`), and the
//! config menu, in `frontend/dialogs/src/config_menu/`. Static, so it is not part of the browser's bundle.

use config::Dashboard;
use leptos::prelude::*;

use crate::words::t;

/// What the controls depend on.
#[derive(Clone, Debug)]
pub struct Tools {
    page: String,
    file: String,
    monochrome: bool,
    may_edit: bool,
}

impl Tools {
    /// The controls of a page. Viewers who `may_edit` it can download its file, and learn about new versions.
    pub fn of(dashboard: &Dashboard, may_edit: bool) -> Self {
        Self {
            file: dashboard.file.clone(),
            page: dashboard.slug.trim_end_matches('-').to_owned(),
            monochrome: dashboard.monochrome_icons,
            may_edit,
        }
    }

    /// The controls. `state.js` restores the checkbox from the browser's storage.
    pub fn controls(self) -> impl IntoView + use<> {
        let Self { page, file, monochrome, may_edit } = self;
        view! {
            <button class="button" type="button" data-module="" data-opens="colors">{t("Colors and fonts")}</button>
            <fieldset class="choice">
                <legend>{t("Icons")}</legend>
                <label>
                    <input type="checkbox" id="one-color" checked=monochrome data-module=""/>
                    <span>{t("In one color")}</span>
                </label>
            </fieldset>
            <button
                class="button"
                type="button"
                data-module=""
                data-opens="config"
                data-version=env!("CARGO_PKG_VERSION")
                data-config=may_edit.then_some(page)
                data-file=may_edit.then_some(file)
            >
                {t(if may_edit { "Config menu" } else { "About, debug, reset" })}
            </button>
        }
    }
}
