//! Options besides layout and theme: the color of icons, the colors and fonts of the theme (`public/themes/colors.js`), and the
//! config menu, which `public/options/menu.js` creates. Static, so it is not part of the browser's bundle.

use config::Dashboard;
use leptos::prelude::*;

use crate::words::t;

/// What the controls depend on.
#[derive(Clone, Debug)]
pub struct Tools {
    script: String,
    colors: String,
    page: String,
    file: String,
    monochrome: bool,
    may_edit: bool,
}

impl Tools {
    /// The controls of a page. Viewers who `may_edit` it can download its file, and are told about new versions.
    pub fn of(dashboard: &Dashboard, may_edit: bool) -> Self {
        Self {
            script: format!("{}/options/tools.js", dashboard.base),
            colors: format!("{}/themes/colors.js", dashboard.base),
            file: dashboard.file.clone(),
            page: dashboard.slug.trim_end_matches('-').to_owned(),
            monochrome: dashboard.monochrome_icons,
            may_edit,
        }
    }

    /// The controls. The state script of the page restores the box as it was in this browser.
    pub fn controls(self) -> impl IntoView + use<> {
        let Self { script, colors, page, file, monochrome, may_edit } = self;
        view! {
            <button class="button" type="button" data-module=colors>{t("Colors and fonts")}</button>
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
                data-file=may_edit.then_some(file)
            >
                {t(if may_edit { "Config menu" } else { "About, debug, reset" })}
            </button>
        }
    }
}
