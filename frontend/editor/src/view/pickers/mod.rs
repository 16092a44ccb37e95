//! The dialogs that help to choose something, above the form that needs it.

mod color;
mod field_picker;
mod gallery;
mod icons;
mod languages;
mod palette;
mod sections;
mod swatch;
mod types;

use app::built_view::IntoAny;
use leptos::prelude::*;

use self::{color::Color, icons::Icons, languages::Languages, palette::Palette, sections::Sections, types::Types};
use crate::{
    editor::{Editor, Picker},
    texts::t,
};

/// The open one.
#[component]
pub fn Pickers(editor: Editor) -> impl IntoView {
    move || {
        editor.picker.get().map(|picker| match picker {
            Picker::NewWidget(section) => {
                let take = Callback::new(move |kind: String| editor.open_new_widget(section, &kind));
                view! { <Types editor title=t("Add widget") take/> }.into_any()
            }
            Picker::WidgetType(form) => {
                let take = Callback::new(move |kind: String| editor.change_kind(form, &kind));
                view! { <Types editor title=t("Change type") take/> }.into_any()
            }
            Picker::Color(field) => view! { <Color editor field/> }.into_any(),
            Picker::Colors(field) => view! { <Palette editor field/> }.into_any(),
            Picker::Language(field) => view! { <Languages editor field/> }.into_any(),
            Picker::Icon(field) => view! { <Icons editor field/> }.into_any(),
            Picker::Section(kind) => view! { <Sections editor kind/> }.into_any(),
        })
    }
}
