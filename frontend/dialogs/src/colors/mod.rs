//! The color editor: the colors and fonts of the current theme. Each change is visible at once. They are stored in this browser,
//! or become part of the draft in edit mode.

mod pixels;
mod row;

use std::{
    cell::{Cell, RefCell},
    collections::{BTreeSet, HashMap},
    time::Duration,
};

use app::{
    browser::{first, listen, root, storage::CUSTOM_COLORS},
    built_view::IntoAny,
};
use color::Rgba;
use js_sys::Object;
use leptos::{html, leptos_dom::helpers::TimeoutHandle, prelude::*, task::spawn_local};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Event, HtmlElement};

use self::{
    pixels::{is_color, resolved, shown},
    row::{Row, head_buttons, is_of_color},
};
use crate::{
    contrast::{Contrast, partner},
    dialog::{Mounted, acting_button, button, copy, focus_in, hide_options, mount, place},
    host::{self, Editor},
    own_colors::{Colors, current_theme, mapping, object, of_theme, paint, set, store, stored, with_theme},
    style_sheets,
    texts::{self, fill, t},
    theme::{Filter, keep_keys, own_rules},
    yaml,
};

/// The variables that most of the others are derived from.
const BASE: [&str; 4] = ["primary", "foreground", "background", "background-darker"];
const FONTS: [&str; 3] = ["font-body", "font-headings", "font-monospace"];
const FAMILIES: [&str; 5] = [
    "system-ui, sans-serif",
    "Georgia, serif",
    "ui-monospace, monospace",
    "ui-rounded, system-ui, sans-serif",
    "Figtree, sans-serif",
];
/// How long to wait for another change before the server renders the page with the draft.
const PAUSE: Duration = Duration::from_millis(250);

/// What a variable is on the page.
#[derive(Clone, Debug, Default, PartialEq)]
struct Measured {
    /// Its value, with references to other variables replaced.
    value: String,
    /// The color as it is seen, as `#rrggbb`.
    hex: String,
    /// `None` if nothing is known to be seen against it.
    contrast: Option<Contrast>,
}

thread_local! {
    /// The draft of the open dialog, its timer, and what the browser has stored for all themes.
    static DRAFT: RefCell<Option<Editor>> = const { RefCell::new(None) };
    static TIMER: Cell<Option<TimeoutHandle>> = const { Cell::new(None) };
}

/// The colors of a draft for all themes.
fn of_draft(draft: &Editor) -> Object {
    mapping(draft.setting(CUSTOM_COLORS))
}

fn draft() -> Option<Editor> {
    DRAFT.with_borrow(Clone::clone)
}

/// What is being edited: the changed variables of one theme, and what that makes of the page.
#[derive(Clone, Copy)]
struct Editing {
    theme: StoredValue<String>,
    values: RwSignal<Colors>,
    /// Counts how often all variables were reset.
    resets: RwSignal<u32>,
    /// The variables that have a row.
    rows: RwSignal<Vec<String>>,
    measures: RwSignal<HashMap<String, Measured>>,
    is_measuring: StoredValue<bool>,
}

impl Editing {
    fn new(theme: String, values: Colors) -> Self {
        let rows: Vec<_> = BASE.into_iter().chain(FONTS).map(str::to_owned).collect();
        Self {
            theme: StoredValue::new(theme),
            values: RwSignal::new(values),
            resets: RwSignal::new(0),
            measures: RwSignal::new(measured(&rows)),
            rows: RwSignal::new(rows),
            is_measuring: StoredValue::new(false),
        }
    }

    fn track(self) {
        self.values.track();
    }

    /// The changed value of a variable; empty if it is not changed.
    fn value(self, name: &str) -> String {
        let value = |values: &Colors| values.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone());
        self.values.with_untracked(value).unwrap_or_default()
    }

    fn set(self, name: &str, value: &str) {
        self.values.update(|values| set(values, name, value));
        self.changed();
    }

    fn reset(self) {
        self.values.set(Colors::new());
        self.resets.update(|count| *count += 1);
        self.changed();
    }

    fn changed(self) {
        let values = self.values.get_untracked();
        paint(&values);
        if let Some(draft) = draft() {
            stop_timer();
            let theme = self.theme.get_value();
            let preview = move || {
                draft.change_setting(CUSTOM_COLORS, &with_theme(&of_draft(&draft), &theme, &values), None);
            };
            TIMER.set(set_timeout_with_handle(preview, PAUSE).ok());
        }
        self.measure();
    }

    /// Measures all rows with the next frame. All is read before anything is written: reading after writing makes the browser
    /// compute the styles of the page again.
    fn measure(self) {
        if self.is_measuring.get_value() {
            return;
        }
        self.is_measuring.set_value(true);
        request_animation_frame(move || {
            if self.is_measuring.try_set_value(false).is_some() {
                return;
            }
            let measures = self.rows.with_untracked(|rows| measured(rows));
            self.measures.set(measures);
        });
    }
}

/// What the variables are on the page.
fn measured(names: &[String]) -> HashMap<String, Measured> {
    let exists = |name: &str| is_color(&resolved(name));
    let with_partner = |name: &String| [Some(name.clone()), partner(name, exists)];
    let colored = names.iter().filter(|name| is_of_color(name)).flat_map(with_partner).flatten();
    let all: BTreeSet<String> = colored.chain(["background".to_owned()]).collect();
    let values: HashMap<String, String> = all.into_iter().map(|name| (name.clone(), resolved(&name))).collect();
    let pixels = shown(&values.values().cloned().collect::<Vec<_>>());
    let pixel = |name: &str| pixels.get(values.get(name)?).copied();
    let white = Rgba { rgb: [1.0; 3], alpha: 1.0 };
    let page = pixel("background").unwrap_or(Rgba::TRANSPARENT).over(white);
    let measured = names.iter().map(|name| {
        let color = pixel(name);
        let other = partner(name, exists).and_then(|other| pixel(&other));
        let measured = Measured {
            value: resolved(name),
            hex: color.map(|color| color.over(page).to_string()).unwrap_or_default(),
            contrast: color.zip(other).map(|(color, other)| Contrast::of(name, color, other, page)),
        };
        (name.clone(), measured)
    });
    measured.collect()
}

/// The variables of the page's style sheets beside the usual ones, without their hyphens.
fn further_variables() -> Vec<String> {
    let mut found = BTreeSet::new();
    for (selector, style) in own_rules() {
        if selector != ":root" {
            continue;
        }
        let names = (0..style.length()).map(|at| style.item(at));
        found.extend(names.filter_map(|name| Some(name.strip_prefix("--")?.to_owned())));
    }
    let is_usual = |name: &str| BASE.contains(&name) || FONTS.contains(&name) || name.starts_with("theme-");
    found.into_iter().filter(|name| !is_usual(name)).collect()
}

fn stop_timer() {
    if let Some(timer) = TIMER.take() {
        timer.clear();
    }
}

/// Opens the colors of this browser, or those of a draft. On closing, the focus returns to `opener`.
///
/// # Errors
///
/// A file that it needs cannot be loaded.
pub async fn open(edited: Option<Editor>, opener: Option<HtmlElement>) -> Result<(), JsValue> {
    style_sheets::load(&["theme-chooser", "theme-colors"]).await?;
    texts::load().await;
    let Some(place) = place(edited.is_some()) else { return Ok(()) };
    DRAFT.set(edited);
    // The dialog itself stays readable with any colors of the page.
    let own: Vec<_> = BASE.into_iter().chain(FONTS).map(str::to_owned).chain(further_variables()).collect();
    let own: Vec<_> = own.iter().map(|name| (name, resolved(name))).collect();
    let scheme = window().get_computed_style(&root()).ok().flatten();
    let scheme = scheme.and_then(|style| style.get_property_value("color-scheme").ok()).unwrap_or_default();
    hide_options();
    let Some(dialog) = mount(place, move |mounted| view! { <ColorEditor opener mounted/> }) else { return Ok(()) };
    let style = HtmlElement::style(&dialog);
    for (name, value) in own {
        _ = style.set_property(&["--", name].concat(), &value);
    }
    _ = style.set_property("color-scheme", &scheme);
    _ = dialog.show_modal();
    focus_in(&dialog, "input[type=text]");
    Ok(())
}

#[component]
fn ColorEditor(opener: Option<HtmlElement>, mounted: Mounted) -> impl IntoView {
    let is_draft = draft().is_some();
    let theme = current_theme();
    let mine = stored();
    let all = draft().map_or_else(|| mine.clone(), |draft| of_draft(&draft));
    let before = of_theme(&all, &theme);
    let mine = StoredValue::new_local(mine);
    let editing = Editing::new(theme.clone(), before.clone());
    let before = StoredValue::new(before);
    let node = NodeRef::<html::Dialog>::new();
    let code = NodeRef::<html::Pre>::new();
    let is_ended = StoredValue::new(false);

    // What this browser shows without the dialog; a draft has no colors of this browser.
    let paint_stored = move || {
        let colors = mine.with_value(|mine| of_theme(mine, &editing.theme.get_value()));
        paint(&if is_draft { Colors::new() } else { colors });
    };
    let with_values = move |all: &Object| with_theme(all, &editing.theme.get_value(), &editing.values.get_untracked());
    let end = move || {
        is_ended.set_value(true);
        stop_timer();
        if let Some(dialog) = node.get_untracked() {
            dialog.close();
        }
    };
    let take_back = move || {
        paint_stored();
        if let Some(draft) = draft() {
            let all = with_theme(&of_draft(&draft), &editing.theme.get_value(), &before.get_value());
            draft.change_setting(CUSTOM_COLORS, &all, None);
        }
    };
    let go_back = move || {
        end();
        take_back();
    };
    let keep = move || {
        end();
        match draft() {
            None => store(&mine.with_value(with_values)),
            Some(draft) => {
                // Until the server has rendered the page with them.
                once_changed(|| paint(&Colors::new()));
                let label = fill(&t("Colors of the theme “{name}”"), &[("name", &editing.theme.get_value())]);
                draft.change_setting(CUSTOM_COLORS, &with_values(&of_draft(&draft)), Some(&label));
            }
        }
    };
    let to_config = move || {
        let (theme, values) = (editing.theme.get_value(), editing.values.get_untracked());
        let (all, own) = (mine.with_value(with_values), mine.with_value(|mine| of_theme(mine, &theme)));
        end();
        spawn_local(async move {
            let editor = host::editor().await;
            if let Some(editor) = &editor {
                _ = editor.begin(None).await;
            }
            match editor.filter(Editor::is_running) {
                Some(editor) => {
                    // If the draft is not saved, this browser still has them.
                    store(&all);
                    editor.take_colors(&theme, &object(&values));
                }
                None => paint(&own),
            }
        });
    };
    let closed = move |_| {
        // With a click beside it.
        if !is_ended.get_value() {
            go_back();
        }
        if let Some(opener) = &opener {
            _ = opener.focus();
        }
        mounted.remove();
    };

    let lines = move || {
        editing.values.with(|values| match values.is_empty() {
            true => String::new(),
            false => yaml::lines(&editing.theme.get_value(), values),
        })
    };
    let is_empty = Signal::derive(move || editing.values.with(Vec::is_empty));
    let rows = |names: &[&str]| {
        names.iter().map(|&name| view! { <Row name=name.to_owned() editing/> }.into_any()).collect::<Vec<_>>()
    };
    let more = RwSignal::new(Vec::new());
    let filter = RwSignal::new(String::new());
    let on_toggle = move |_: Event| {
        if more.with_untracked(Vec::is_empty) {
            let names = further_variables();
            editing.rows.update(|rows| rows.extend(names.clone()));
            editing.measures.set(editing.rows.with_untracked(|rows| measured(rows)));
            more.set(names);
        }
    };
    let further = move || {
        let row = |name| view! { <Row name editing filter/> }.into_any();
        more.get().into_iter().map(row).collect::<Vec<_>>()
    };
    let families = FAMILIES.map(|family| view! { <option value=family></option> }).collect_view();
    let copy_lines = move || copy(lines(), code.get_untracked().map(|code| code.unchecked_into()));
    let take =
        (!is_draft && first(".edit-button").is_some()).then(|| button(t("Take into the config"), "button", to_config));
    let about = match is_draft {
        true => t("They become part of the draft, for everybody with this theme."),
        false => t("They are stored in this browser, for you only."),
    };
    view! {
        <dialog
            node_ref=node class="theme-dialog colors-dialog" aria-labelledby="colors-title"
            on:keydown=keep_keys on:cancel=move |event: Event| { event.prevent_default(); go_back() } on:close=closed
        >
            <div class="dialog-header">
                <h2 id="colors-title">{fill(&t("Colors: {theme}"), &[("theme", &theme)])}</h2>
                {head_buttons(go_back, keep, is_draft)}
            </div>
            <div class="colors-body">
                <p class="colors-about">{about}</p>
                <div>{rows(&BASE)}</div>
                <details>
                    <summary>{t("Fonts")}</summary>
                    {rows(&FONTS)}
                    <datalist id="colors-families">{families}</datalist>
                </details>
                <details on:toggle=on_toggle>
                    <summary>{t("All variables")}</summary>
                    <Filter filter label=t("Find a variable")/>
                    <div>{further}</div>
                </details>
                <div class="colors-actions">
                    {acting_button(t("Copy as YAML"), is_empty, copy_lines)}
                    <button type="button" class="button" disabled=is_empty on:click=move |_| editing.reset()>{t("Reset all")}</button>
                    {take}
                </div>
                <pre node_ref=code class="colors-code" tabindex="0" aria-label=t("Lines of a config") hidden=is_empty>{lines}</pre>
            </div>
        </dialog>
    }
}

/// Does something when the page has been changed next.
fn once_changed(action: impl FnOnce() + 'static) {
    let mut action = Some(action);
    listen(&document(), "portico:changed", false, move |_: Event| {
        if let Some(action) = action.take() {
            action();
        }
    });
}
