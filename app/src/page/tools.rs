//! What the options have besides looks: the colour of icons, and the dialog with what the program is and what it knows, which
//! `public/options/tools.js` makes. Static, so the browser's bundle knows nothing of it.

use config::Dashboard;
use leptos::prelude::*;

/// What the controls depend on.
#[derive(Clone, Debug)]
pub struct Tools {
    script: String,
    page: String,
    monochrome: bool,
    may_edit: bool,
}

impl Tools {
    /// Those of a page. Who `may_edit` it may download its file, and is told of new versions.
    pub fn of(dashboard: &Dashboard, may_edit: bool) -> Self {
        Self {
            script: format!("{}/options/tools.js", dashboard.base),
            page: dashboard.slug.trim_end_matches('-').to_owned(),
            monochrome: dashboard.monochrome_icons,
            may_edit,
        }
    }

    /// The controls. The state script of the page checks the box as this browser has left it.
    pub fn controls(self) -> impl IntoView + use<> {
        let Self { script, page, monochrome, may_edit } = self;
        view! {
            <fieldset class="choice">
                <legend>"Icons"</legend>
                <label>
                    <input type="checkbox" id="one-color" checked=monochrome data-module=script.clone()/>
                    <span>"In one color"</span>
                </label>
            </fieldset>
            <button
                class="button"
                type="button"
                data-module=script
                data-version=env!("CARGO_PKG_VERSION")
                data-config=may_edit.then_some(page)
            >
                "About, debug, reset"
            </button>
        }
    }
}
