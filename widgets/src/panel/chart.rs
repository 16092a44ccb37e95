//! Parts that show values along an axis.

use serde::{Deserialize, Serialize};

use super::{Decimals, Phrase, Tone, Unit, is_default};
use crate::{Moment, option_types::Color};

/// Lines, areas or bars above an axis. The page generates the text alternative (latest, lowest, highest) itself.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Chart {
    /// What it shows, for screen readers.
    pub title: Phrase,
    /// How the values are drawn.
    pub shape: ChartShape,
    /// The series, each with its values.
    pub series: Vec<Series>,
    /// The axis below.
    pub axis: Axis,
    /// The unit of the values.
    #[serde(skip_serializing_if = "is_default")]
    pub unit: Unit,
    /// How many decimals the values are shown with.
    #[serde(skip_serializing_if = "is_default")]
    pub decimals: Decimals,
    /// The height in pixels.
    pub height: u16,
    /// Whether the value axis begins at zero, not slightly below the lowest value.
    #[serde(skip_serializing_if = "is_default")]
    pub from_zero: bool,
    /// The upper end of the value axis, if it is known: 100 for percentages. Values above are drawn at the end.
    #[serde(skip_serializing_if = "is_default")]
    pub highest: Option<f64>,
    /// Whether the series are stacked.
    #[serde(skip_serializing_if = "is_default")]
    pub stacked: bool,
    /// The chart for narrow widgets, for example the same values in fewer bars.
    #[serde(skip_serializing_if = "is_default")]
    pub narrow: Option<Box<Chart>>,
}

impl Chart {
    /// Merges neighbors until no series has more points than are drawn.
    pub(super) fn thin(&mut self) {
        for series in &mut self.series {
            *series = match self.shape {
                ChartShape::Bars => std::mem::take(series).merged(Series::MAX_POINTS),
                _ => std::mem::take(series).thinned(Series::MAX_POINTS),
            };
        }
        if let Some(narrow) = &mut self.narrow {
            narrow.thin();
        }
    }
}

/// How the values of a chart are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ChartShape {
    /// A line.
    #[default]
    Line,
    /// A line with a light filling below.
    Area,
    /// A bar for each value.
    Bars,
}

/// The axis below a chart.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Axis {
    /// Points are at milliseconds since 1970, shown in the viewer's zone.
    #[default]
    Time,
    /// Points are at positions in this list.
    Labels(Vec<Phrase>),
}

/// One series of values.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Series {
    /// The name of the series.
    pub name: Phrase,
    /// Its color; `None` means the theme's.
    #[serde(skip_serializing_if = "is_default")]
    pub color: Option<Color>,
    /// Its meaning; `color` takes precedence.
    #[serde(skip_serializing_if = "is_default")]
    pub tone: Tone,
    /// Its position in the palette, if that is not its position in the chart: it then keeps its color when series
    /// before it come and go.
    #[serde(skip_serializing_if = "is_default")]
    pub palette: Option<u8>,
    /// Whether it is drawn downwards from zero, for example outgoing traffic against incoming. The numbers shown stay
    /// positive.
    #[serde(skip_serializing_if = "is_default")]
    pub below: bool,
    /// The values, from left to right.
    pub points: Vec<Point>,
}

/// A position on the axis, and the value; `None` is a gap.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Point(pub i64, pub Option<f64>);

impl Point {
    /// A value at a time; a value that is not finite is a gap.
    #[must_use]
    pub fn at(at: Moment, value: Option<f64>) -> Self {
        Self(at.millis(), value.filter(|value| value.is_finite()))
    }
}

impl Series {
    /// Maximum number of points that are drawn (docs/spec/widgets.md 9).
    pub const MAX_POINTS: usize = 500;

    /// Merges neighbors into their mean until there are at most `most` points. The first and the last stay exact, and
    /// so do gaps that are longer than a merged point.
    #[must_use]
    pub fn thinned(mut self, max: usize) -> Self {
        let count = self.points.len();
        if max < 3 || count <= max {
            return self;
        }
        let size = (count - 2).div_ceil(max - 2);
        let mut thinned = Vec::with_capacity(max);
        thinned.push(self.points[0]);
        thinned.extend(self.points[1..count - 1].chunks(size).map(merged));
        thinned.push(self.points[count - 1]);
        self.points = thinned;
        self
    }

    /// Like [`Self::thinned`], but at equal distances, as bars require: the newest point is merged too.
    fn merged(mut self, max: usize) -> Self {
        let count = self.points.len();
        if count > max {
            let size = count.div_ceil(max);
            // Only the oldest bar may represent fewer values than the others.
            self.points = self.points.rchunks(size).rev().map(merged).collect();
        }
        self
    }
}

/// The mean of some points, at their middle.
fn merged(points: &[Point]) -> Point {
    let values: Vec<f64> = points.iter().filter_map(|point| point.1).collect();
    let middle = points.get(points.len() / 2).map_or(0, |point| point.0);
    // A bucket holds far fewer values than a float can represent.
    let mean = (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64);
    Point(middle, mean)
}

/// A small line chart without axes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Sparkline {
    /// What it shows, for screen readers.
    pub title: Phrase,
    /// The values at equal distances; `None` is a gap.
    pub values: Vec<Option<f64>>,
    /// Its color; `None` means the theme's.
    #[serde(skip_serializing_if = "is_default")]
    pub color: Option<Color>,
    /// What it means.
    #[serde(skip_serializing_if = "is_default")]
    pub tone: Tone,
}

/// A sequence of states, as a row of small bars.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Timeline {
    /// What it shows, for screen readers.
    pub title: Phrase,
    /// The states, oldest first.
    pub states: Vec<TimelineState>,
}

/// One state in a row of states.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct TimelineState {
    /// What it was.
    pub state: State,
    /// When it was.
    #[serde(skip_serializing_if = "is_default")]
    pub at: Option<Moment>,
    /// Shown on hover.
    #[serde(skip_serializing_if = "is_default")]
    pub hint: Option<Phrase>,
}

/// The state of something at one time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum State {
    /// It worked.
    Up,
    /// It worked, but slowly or in part.
    Degraded,
    /// It did not work.
    Down,
    /// It was under maintenance.
    Maintenance,
    /// Unknown.
    #[default]
    Unknown,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thinning_keeps_the_ends_and_the_gaps() {
        let points = (0..1000).map(|at| Point(at, (!(400..500).contains(&at)).then_some(2.0))).collect();
        let series = Series { points, ..Series::default() }.thinned(100);
        assert!(series.points.len() <= 100);
        assert_eq!(series.points.first(), Some(&Point(0, Some(2.0))));
        assert_eq!(series.points.last(), Some(&Point(999, Some(2.0))));
        assert!(series.points.iter().any(|point| point.1.is_none()));
        assert!(series.points.is_sorted_by_key(|point| point.0));
        assert!(series.points.iter().filter_map(|point| point.1).all(|value| (value - 2.0).abs() < 1e-9));
    }

    #[test]
    fn thinned_bars_stand_at_equal_distances() {
        let points = (0..1500).map(|at| Point(at * 10, Some(3.0))).collect();
        let series = Series { points, ..Series::default() }.merged(500);
        assert_eq!(series.points.len(), 500);
        assert!(series.points.windows(2).all(|pair| pair[1].0 - pair[0].0 == 30));
        assert!(series.points.iter().all(|point| point.1 == Some(3.0)));
    }

    #[test]
    fn every_chart_of_a_panel_is_thin() {
        for shape in [ChartShape::Line, ChartShape::Area, ChartShape::Bars] {
            let points = (0..1501).map(|at| Point(at, Some(1.0))).collect();
            let series = vec![Series { points, ..Series::default() }];
            let panel = crate::Panel::new(vec![Chart { shape, series, ..Chart::default() }.into()]);
            let crate::panel::Part::Chart(chart) = &panel.parts[0] else { panic!("a chart stays one") };
            assert!(chart.series[0].points.len() <= Series::MAX_POINTS, "{shape:?}");
        }
    }

    #[test]
    fn few_points_stay_as_they_are() {
        let series = Series { points: vec![Point(1, None), Point(2, Some(1.0))], ..Series::default() };
        assert_eq!(series.clone().thinned(500), series);
    }
}
