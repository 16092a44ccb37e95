//! The widgets of a page.

use std::sync::Arc;

use super::plans::PlannedWidget;

/// The widgets of a page.
#[derive(Debug, Default)]
pub struct Slots {
    /// The widgets that the server looks up, in page order.
    pub looked_up: Vec<Slot>,
    /// The origins that browsers query directly.
    pub origins: Vec<String>,
}

/// One widget of a page that the server looks up.
#[derive(Clone, Debug)]
pub struct Slot {
    /// Marks the place of its content in the rendered page.
    pub marker: String,
    /// What to do for it.
    pub planned: Arc<PlannedWidget>,
}
