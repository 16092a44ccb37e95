//! The values and colors of the series of a chart.

use widgets::panel::{Point, Series};

use super::color::DrawingColor;

/// A point's value, if it can be drawn.
pub fn value(point: &Point) -> Option<f64> {
    point.1.filter(|value| value.is_finite())
}

/// The color of the series at a position.
pub fn series_color(series: &Series, position: usize) -> DrawingColor<'_> {
    DrawingColor::new(series.color.as_ref(), series.tone, palette_position(series, position))
}

/// Which of our colors and dashes a series has.
pub fn palette_position(series: &Series, position: usize) -> usize {
    series.palette.map_or(position, usize::from)
}
