//! What the color editor edits, and what that makes of the page.

use std::{
    cell::{Cell, RefCell},
    collections::{BTreeSet, HashMap},
    time::Duration,
};

use app::browser::storage::CUSTOM_COLORS;
use color::Rgba;
use js_sys::Object;
use leptos::{leptos_dom::helpers::TimeoutHandle, prelude::*};

use super::pixels::{is_color, resolved, shown};
use crate::{
    contrast::{Contrast, partner},
    host::Editor,
    own_colors::{Colors, mapping, paint, set, with_theme},
};

/// The variables that most of the others are derived from.
pub const BASE: [&str; 4] = ["primary", "foreground", "background", "background-darker"];

/// The variables of typefaces.
pub const FONTS: [&str; 3] = ["font-body", "font-headings", "font-monospace"];

/// How long to wait for another change before the server renders the page with the draft.
const PAUSE: Duration = Duration::from_millis(250);

/// What a variable is on the page.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Measured {
    /// Its value, with references to other variables replaced.
    pub value: String,
    /// The color as it is seen, as `#rrggbb`.
    pub hex: String,
    /// `None` if nothing is known to be seen against it.
    pub contrast: Option<Contrast>,
}

thread_local! {
    /// The draft of the open dialog, its timer, and what the browser has stored for all themes.
    pub(super) static DRAFT: RefCell<Option<Editor>> = const { RefCell::new(None) };
    static TIMER: Cell<Option<TimeoutHandle>> = const { Cell::new(None) };
}

/// The colors of a draft for all themes.
pub fn of_draft(draft: &Editor) -> Object {
    mapping(draft.setting(CUSTOM_COLORS))
}

/// The draft of the open dialog, if it edits one.
pub fn draft() -> Option<Editor> {
    DRAFT.with_borrow(Clone::clone)
}

/// What is being edited: the changed variables of one theme, and what that makes of the page.
#[derive(Clone, Copy)]
pub struct Editing {
    /// The theme.
    pub theme: StoredValue<String>,
    /// The changed variables.
    pub values: RwSignal<Colors>,
    /// Counts how often all variables were reset.
    pub resets: RwSignal<u32>,
    /// The variables that have a row.
    pub rows: RwSignal<Vec<String>>,
    /// What they are on the page.
    pub measures: RwSignal<HashMap<String, Measured>>,
    is_measuring: StoredValue<bool>,
}

impl Editing {
    /// The variables of a theme, with the changed ones.
    pub fn new(theme: String, values: Colors) -> Self {
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

    /// Tracks the changed variables.
    pub fn track(self) {
        self.values.track();
    }

    /// The changed value of a variable; empty if it is not changed.
    pub fn value(self, name: &str) -> String {
        let value = |values: &Colors| values.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone());
        self.values.with_untracked(value).unwrap_or_default()
    }

    /// Changes a variable.
    pub fn set(self, name: &str, value: &str) {
        self.values.update(|values| set(values, name, value));
        self.changed();
    }

    /// Takes all changes back.
    pub fn reset(self) {
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
pub fn measured(names: &[String]) -> HashMap<String, Measured> {
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

/// Ends the wait before a preview.
pub fn stop_timer() {
    if let Some(timer) = TIMER.take() {
        timer.clear();
    }
}

/// Whether a variable is a color, which has a palette and a contrast.
pub fn is_of_color(name: &str) -> bool {
    BASE.contains(&name) || is_color(&resolved(name))
}
