//! About how high the content of each type of widget is. Until the first panel arrives, a placeholder of this height keeps
//! its place, so that the page below moves little.

use config::dashboard::WidgetView;

/// Height of a widget's edges and label, in pixels.
const FRAME: usize = 60;
/// Height of a line of a widget.
const LINE: usize = 22;
/// Space between two widgets.
const SPACE: usize = 12;

/// The number of lines of the placeholder for a type.
#[cfg(feature = "ssr")]
pub(super) fn lines(kind: &str) -> usize {
    widgets::Kind::parse(kind).map_or(widgets::USUAL_LINES, widgets::Kind::usual_lines)
}

/// Bundles never render placeholders.
#[cfg(not(feature = "ssr"))]
pub(super) fn lines(_kind: &str) -> usize {
    widgets::USUAL_LINES
}

/// About how high the card of a widget is, with the space below it, in pixels.
pub(super) fn of_card(widget: &WidgetView) -> usize {
    FRAME + LINE * lines(&widget.kind) + SPACE
}

/// About how high the cards of widgets are.
pub(super) fn of_cards(widgets: &[WidgetView]) -> Vec<usize> {
    widgets.iter().map(of_card).collect()
}

#[cfg(all(test, feature = "ssr"))]
mod tests {
    use super::*;

    #[test]
    fn a_type_has_the_height_that_its_widget_declares() {
        assert_eq!(lines("unknown"), widgets::USUAL_LINES);
        assert_eq!(lines("rss-feed"), 15);
    }
}
