//! The language in the options. Static: a form needs no bundle, and the inline script of the page sends it at once.

use languages::Language;
use leptos::prelude::*;

use crate::words::t;

/// What the control depends on.
#[derive(Clone, Debug)]
pub struct LanguageChoice {
    /// Path prefix of the product.
    pub base: String,
    /// Path of this page, to come back to.
    pub here: String,
}

impl LanguageChoice {
    /// The control. The language of the page is selected, whoever has chosen it; an empty choice forgets one.
    pub fn control(self) -> impl IntoView + use<> {
        let Self { base, here } = self;
        let shown = languages::current_locale().language;
        let options = Language::all()
            .map(|language| {
                view! { <option value=language.code() selected=language == shown>{language.name()}</option> }
            })
            .collect_view();
        view! {
            <form method="post" action=format!("{base}/language")>
                <input type="hidden" name="return_to" value=here/>
                <label class="field">
                    <span>{t("Language")}</span>
                    <select name="language">
                        <option value="">{t("As configured")}</option>
                        {options}
                    </select>
                </label>
                <noscript>
                    <button class="button">{t("Keep")}</button>
                </noscript>
            </form>
        }
    }
}
