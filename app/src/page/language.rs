//! The language in the options. Static: it needs no bundle. A form is sent by the inline script of the page at once, and the links
//! of an export are followed by a script of their own.

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

/// A page of an export in the languages that it has.
#[derive(Clone, Debug)]
pub struct LanguageLinks {
    /// Path prefix of the whole export, without a trailing slash.
    pub base: String,
    /// The addresses of the page in all languages. The first language is the one that is shown without scripts.
    pub links: Vec<(Language, String)>,
}

impl LanguageLinks {
    /// The control. `app/src/document/inline/language.js` follows the address that is chosen.
    pub fn control(self) -> impl IntoView + use<> {
        let shown = languages::current_locale().language;
        let links = self.links.clone();
        let options = links.into_iter().map(|(language, address)| {
            view! { <option value=address selected=language == shown>{language.name()}</option> }
        });
        // A browser without scripts shows them in place of the control.
        let links = self.links.into_iter().map(|(language, address)| {
            view! { <a class="button" href=address hreflang=language.code()>{language.name()}</a> }
        });
        view! {
            <label class="field">
                <span>{t("Language")}</span>
                <select id="exported-languages" autocomplete="off">
                    {options.collect_view()}
                </select>
            </label>
            <noscript>
                <nav class="choice" aria-label=t("Language")>
                    {links.collect_view()}
                </nav>
            </noscript>
        }
    }
}
