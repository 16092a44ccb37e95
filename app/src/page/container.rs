//! The element around all sections.

use config::Dashboard;

/// The classes around all sections. The layout and the size are those of the page: scripts change both
/// (docs/spec/config.md 12).
pub fn container_class(dashboard: &Dashboard) -> String {
    let look = &dashboard.look;
    let mut class =
        format!("sections item-group-container orientation-{} item-size-{}", look.layout.word(), look.icon_size.word());
    if dashboard.single_section {
        class.push_str(" single-section-view");
    }
    if let Some(count) = look.col_count {
        class.push_str(&format!(" col-count-{count}"));
    }
    class
}
