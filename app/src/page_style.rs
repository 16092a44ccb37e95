//! The page's own style rules: colours of single entries, themes of the config, custom styles.
//!
//! They stand in one `<style>` whose hash the Content-Security-Policy names, because `style` attributes are not
//! allowed. Everything here was checked when the config was read.

use std::fmt::Write as _;

use config::Dashboard;
use config::dashboard::ItemView;

/// The rules for entries with colours or styles of their own.
pub fn entry_rules(dashboard: &Dashboard) -> String {
    let mut css = String::new();
    for section in &dashboard.sections {
        let id = format!("s-{}", section.index);
        let color = section.color.as_ref().map(|color| format!("--section-color:{color};"));
        let styles = section.custom_styles.as_deref().unwrap_or_default();
        rule(&mut css, &id, &format!("{}{styles}", color.unwrap_or_default()));
        for item in &section.items {
            let id = format!("i-{}-{}", section.index, item.index);
            item_rule(&mut css, &id, item);
            for (position, sub_item) in item.sub_items.iter().enumerate() {
                item_rule(&mut css, &format!("{id}-{position}"), sub_item);
            }
        }
    }
    css
}

fn item_rule(css: &mut String, id: &str, item: &ItemView) {
    let mut declarations = String::new();
    if let Some(color) = &item.color {
        _ = write!(declarations, "--item-text-color:{color};--item-text-color-hover:{color};");
    }
    if let Some(background) = &item.background {
        if item.color.is_none() {
            // Text that can be read on that ground, whatever the theme's own text colour is.
            declarations
                .push_str("--item-text-color:var(--ink-on-ground);--item-text-color-hover:var(--ink-on-ground);");
        }
        _ = write!(declarations, "--item-background:{background};--item-background-hover:{background};");
    }
    rule(css, id, &declarations);
}

fn rule(css: &mut String, id: &str, declarations: &str) {
    if !declarations.is_empty() {
        _ = write!(css, "#{id}{{{declarations}}}");
    }
}
