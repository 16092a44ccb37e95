//! The options that every chart has.

use serde::{Deserialize, Serialize};

use super::{Bounded, Color, Lenient, OneOrMany};
use crate::Problems;

/// How a chart looks. Flattened into the options of widgets that draw one.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "server", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct ChartLook {
    /// Height of the chart in pixels.
    chart_height: Bounded<80, 300, 2000>,
    /// Colour of the first series: a CSS colour or the name of a variable such as `--primary`.
    chart_color: Lenient<Color>,
    /// Colours of the series, repeated when there are too few.
    chart_colors: OneOrMany<Lenient<Color>>,
}

impl ChartLook {
    /// The height in pixels.
    #[must_use]
    pub fn height(&self) -> u16 {
        u16::try_from(self.chart_height.get()).unwrap_or(300)
    }

    /// The colour of a series, counted from zero; nothing if the options name none.
    #[must_use]
    pub fn color(&self, series: usize) -> Option<Color> {
        if let Some(color) = self.chart_color.get().filter(|_| series == 0 || self.chart_colors.is_empty()) {
            return Some(color.clone());
        }
        self.chart_colors.iter().cycle().nth(series).and_then(Lenient::get).cloned()
    }

    /// Notes colours that are none.
    pub fn check(&self, problems: &mut Problems) {
        for written in
            self.chart_color.unknown().into_iter().chain(self.chart_colors.iter().filter_map(Lenient::unknown))
        {
            problems.note(format!("'{written}' is no colour; the chart has that of the theme."));
        }
    }
}
