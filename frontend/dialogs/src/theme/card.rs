//! A theme in the list of themes.

use leptos::prelude::*;
use web_sys::Event;

use super::current::own_rules;

/// A theme to choose.
#[derive(Clone, Debug, Default)]
pub struct Choice {
    /// The name in config files; empty for that of the config.
    pub name: String,
    /// What it is called.
    pub label: String,
    /// One line about it.
    pub about: String,
    /// The colors of the page, of cards, of the accent, and of text.
    pub swatch: Vec<String>,
    /// The colors of single elements, in themes that give each its own.
    pub hues: Vec<String>,
}

/// A name as a title: `nord-frost` is “Nord Frost”.
pub fn title(name: &str) -> String {
    let mut begins = true;
    let letters = name.chars().map(|letter| if letter == '-' { ' ' } else { letter });
    letters
        .flat_map(|letter| {
            let is_first = begins;
            begins = letter.is_whitespace();
            let upper: String = if is_first { letter.to_uppercase().collect() } else { letter.into() };
            upper.chars().collect::<Vec<_>>()
        })
        .collect()
}

/// The colors of a theme that the config defines, as far as a rule of the page contains them.
pub fn configured_swatch(name: &str) -> Vec<String> {
    let selector = ["[data-theme=\"", name, "\"]"].concat();
    let rules: Vec<_> = own_rules().into_iter().filter(|(text, _)| text.contains(&selector)).collect();
    let color = |part: &str| {
        let values =
            rules.iter().map(|(_, style)| style.get_property_value(&["--", part].concat()).unwrap_or_default());
        values.into_iter().find(|value| !value.is_empty())
    };
    let or = |color: Option<String>, other: &str| color.unwrap_or_else(|| other.to_owned());
    let background = or(color("background"), "#101622");
    let surface = or(color("item-group-outer-background"), &background);
    vec![background, surface, or(color("primary"), "#5cabca"), or(color("foreground"), "#e4e9f4")]
}

/// The card of a theme: a radio button with a picture.
#[component]
pub fn Card(
    /// The theme.
    choice: Choice,
    /// The name of the radio buttons.
    group: &'static str,
    /// The name of the chosen theme.
    chosen: RwSignal<String>,
    /// What is typed to find a theme.
    filter: RwSignal<String>,
    /// Runs with the name when the theme is chosen.
    choose: Callback<String>,
) -> impl IntoView {
    let Choice { name, label, about, swatch, hues } = choice;
    let words = [&name, " ", &label, " ", &about].concat().to_lowercase();
    let is_hidden = move || {
        let filter = filter.get().to_lowercase();
        !filter.split_whitespace().all(|word| words.contains(word))
    };
    let color = |at: usize| swatch.get(at).cloned().unwrap_or_default();
    let tile = |at: usize| {
        let accent = hues.get(at).cloned().unwrap_or_else(|| color(2));
        view! { <i style=("--accent", accent)></i> }
    };
    let is_chosen = {
        let name = name.clone();
        move || chosen.with(|chosen| *chosen == name)
    };
    let on_change = {
        let name = name.clone();
        move |_: Event| choose.run(name.clone())
    };
    view! {
        <label class="theme-card" title=about hidden=is_hidden>
            <input type="radio" name=group value=name prop:checked=is_chosen on:change=on_change/>
            <span
                class="theme-picture" aria-hidden="true"
                style=("--ground", color(0)) style=("--surface", color(1)) style=("--accent", color(2)) style=("--text", color(3))
            >
                <b></b>{tile(0)}{tile(1)}{tile(2)}<u></u>
            </span>
            <span class="theme-name">{label}</span>
        </label>
    }
}
