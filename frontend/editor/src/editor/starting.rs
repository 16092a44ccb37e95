//! The start of a new dashboard: with a first service, a template, the list of widgets, or an import from another dashboard
//! (`app/src/page/first_run.rs` has the buttons).

use leptos::prelude::*;
use serde_json::json;

use super::{Dialog, Editor, Picker};
use crate::{
    edits::List,
    texts::{fill, t},
};

const EMPTY_SECTION: &str = "sections:\n  - name: Services\n";

/// A template and its name for people.
fn template(name: &str) -> Option<(&'static str, String)> {
    Some(match name {
        "family" => (include_str!("../../templates/family.yml"), t("Family")),
        "homelab" => (include_str!("../../templates/homelab.yml"), t("Homelab")),
        "media" => (include_str!("../../templates/media.yml"), t("Media")),
        "minimal" => (include_str!("../../templates/minimal.yml"), t("Minimal")),
        _ => return None,
    })
}

impl Editor {
    /// Starts with `import`, `service`, `widgets`, or a template. If the page is an example, it is replaced; a widget joins it.
    pub fn begin(self, start: &str, is_example: bool) {
        if let Some((text, name)) = template(start) {
            let label = fill("Start with the template “{name}”", &[("name", &name)]);
            return self.take_template(text, label, is_example);
        }
        let is_widget = start == "widgets";
        if start == "import" {
            return self.dialog.set(Some(Dialog::Import));
        }
        if !is_widget || !is_example {
            // The form needs a section.
            self.take_template(EMPTY_SECTION, fill("Add section “{name}”", &[("name", "Services")]), is_example);
        }
        let section = List::Sections.len(&self.document()).saturating_sub(1);
        if is_widget {
            self.pick(Picker::NewWidget(section));
        } else {
            self.open_new(List::Items(section), json!({ "title": "" }));
        }
    }
}
