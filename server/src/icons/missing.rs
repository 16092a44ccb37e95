//! Why an icon is certainly not shown, with the nearest name, for `portico validate`.

use config::{
    dashboard::IconView,
    icon::{FontAwesomeStyle, Icon, IconEntry},
};
use nearest::nearest;

use super::{Icons, resolve::certain_problem, sets};

/// The sets of Font Awesome, each with how the config names its style.
const FONT_AWESOME: [(&str, &str); 3] = [("fa-solid", "fas fa-"), ("fa-regular", "far fa-"), ("fa-brands", "fab fa-")];

impl Icons {
    /// Why an icon of an entry is certainly not shown, with the nearest name if there is one. `None` for an icon that
    /// is shown, and for one that only a request can find.
    pub fn missing(&self, icon: &Icon, entry: &IconEntry<'_>) -> Option<String> {
        if let Icon::Unknown(text) = icon {
            let hint = hint(self.named(text));
            return Some(format!("`{text}` is not an icon in any of the known forms{hint}"));
        }
        let entry = IconEntry { title: "?", ..*entry };
        if !matches!(self.find_view(icon, &entry), IconView::Letter(_)) {
            return None;
        }
        let (what, why) = certain_problem(icon)?;
        Some(format!("`{what}`: {why}{}", hint(self.nearest_icon(icon))))
    }

    /// The icon with a name that barely differs, as the config would name it.
    fn nearest_icon(&self, icon: &Icon) -> Option<String> {
        let within = |set: &str, prefix: &str, name: &str| {
            let names: Vec<_> = self.inner.pack.names(set).map(|(_, name)| name).collect();
            nearest(name, names).map(|found| format!("{prefix}{found}"))
        };
        match icon {
            Icon::MaterialDesign(name) => within("mdi", "mdi-", name),
            Icon::SimpleIcons(name) => within("si", "si-", name),
            Icon::FontAwesome { style, name } => {
                let preferred = match style {
                    FontAwesomeStyle::Regular => 1,
                    FontAwesomeStyle::Brands => 2,
                    _ => 0,
                };
                let order = std::iter::once(FONT_AWESOME[preferred]).chain(FONT_AWESOME);
                order.into_iter().find_map(|(set, prefix)| within(set, prefix, name))
            }
            Icon::File(path) => {
                let files = self.inner.pictures.below("item-icons/");
                nearest(path, files.iter().map(String::as_str)).map(str::to_owned)
            }
            _ => None,
        }
    }

    /// The icon that people mean who write a name without the prefix of its set.
    pub fn named(&self, text: &str) -> Option<String> {
        let name = text.trim().to_ascii_lowercase().replace([' ', '_'], "-");
        if sets::application_picture(&self.inner.pack, &name).is_some() {
            return Some(format!("hl-{name}"));
        }
        [("si", "si-"), ("mdi", "mdi-")]
            .into_iter()
            .find(|(set, _)| self.inner.pack.find(set, &name).is_some())
            .map(|(_, prefix)| format!("{prefix}{name}"))
    }
}

fn hint(found: Option<String>) -> String {
    found.map(|found| format!("; did you mean `{found}`?")).unwrap_or_default()
}
