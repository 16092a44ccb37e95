//! The colors of themes that this browser has chosen for itself, as part of the draft.

use app::browser::storage::{CUSTOM_COLORS, read_object, write, write_object};
use js_sys::{Object, Reflect};
use leptos::prelude::*;
use serde_json::{Map, Value};

use super::{Editor, taken_colors::TakenColors};
use crate::{storage, texts::fill};

impl Editor {
    /// The colors of a theme in the draft.
    fn colors_of(self, theme: &str) -> Map<String, Value> {
        let colors = self.setting_value(CUSTOM_COLORS)[theme].as_object().cloned();
        colors.unwrap_or_default()
    }

    /// Adds colors of this browser to the draft. The browser keeps them until the draft is saved.
    pub fn take_colors(self, theme: String, colors: Map<String, Value>) {
        let mut configured = self.setting_value(CUSTOM_COLORS);
        if !configured.is_object() {
            configured = Map::new().into();
        }
        let names = colors.keys().cloned().collect();
        let mut all = self.colors_of(&theme);
        all.extend(colors);
        configured[theme.as_str()] = all.into();
        let label = fill("Colors of the theme “{name}”", &[("name", &theme)]);
        self.change_setting(CUSTOM_COLORS, configured, Some(label));
        self.taken_colors.set_value(Some(TakenColors { theme, names, is_in_draft: true }));
    }

    /// Notes whether the draft still has the colors.
    pub(super) fn note_taken_colors(self) {
        self.taken_colors.update_value(|taken| {
            if let Some(taken) = taken {
                let colors = self.colors_of(&taken.theme);
                taken.is_in_draft = taken.names.iter().all(|name| colors.contains_key(name));
            }
        });
    }

    /// Removes the colors from this browser that have been saved for everybody.
    pub(super) fn forget_taken_colors(self) {
        let Some(taken) = self.taken_colors.get_value().filter(|taken| taken.is_in_draft) else { return };
        // A config that is saved in this browser alone is not for everybody.
        if storage::local().is_some() {
            return;
        }
        let own = read_object(CUSTOM_COLORS);
        _ = Reflect::delete_property(&own, &taken.theme.into());
        match Object::keys(&own).length() {
            0 => write(CUSTOM_COLORS, None),
            _ => write_object(CUSTOM_COLORS, &own),
        }
    }
}
