//! The color picker, for a field with one color.

use leptos::prelude::*;

use super::{
    field_picker::FieldPicker,
    swatch::{fixed, of_theme, swatch, to_hex},
};
use crate::{
    editor::{Editor, Field},
    texts::t,
};

/// The dialog.
#[component]
pub fn Color(editor: Editor, field: Field) -> impl IntoView {
    let before = field.value();
    let stored = StoredValue::new(field.clone());
    let set = move |value: &str| stored.get_value().fill(value);
    let palette = |legend: String, colors: &[(&'static str, String)]| {
        let choices = colors.iter().map(|(value, name)| {
            let value = *value;
            let is_chosen = before.trim().to_lowercase() == value;
            view! {
                <label title=value>
                    <input
                        type="radio" name="edit-color" class="visually-hidden" value=value checked=is_chosen
                        on:change=move |_| set(value)
                    />
                    {swatch(value)}
                    <span>{name.clone()}</span>
                </label>
            }
        });
        let choices = choices.collect_view();
        view! { <fieldset class="edit-palette"><legend>{legend}</legend>{choices}</fieldset> }
    };
    let palettes = [palette(t("Colors of the theme"), &of_theme()), palette(t("Always the same"), &fixed())];
    let palettes = palettes.into_iter().collect_view();
    view! {
        <FieldPicker editor field title=t("Choose a color") class="edit-color-picker" none=t("No color")>
            <div class="edit-scroll">
                {palettes}
                <label class="field edit-any-color">
                    <span>{t("Any other color")}</span>
                    <input type="color" value=to_hex(&before) on:input=move |event| set(&event_target_value(&event))/>
                </label>
            </div>
        </FieldPicker>
    }
}
