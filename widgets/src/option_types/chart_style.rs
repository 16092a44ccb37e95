//! The options that all charts share.

use serde::{Deserialize, Deserializer, Serialize, de};
use serde_json::Value;

use super::{Bounded, Color, Lenient, Number, OneOrMany};
use crate::OptionProblems;

/// How a chart is drawn. Flattened into the options of widgets that draw one.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "server", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct ChartStyle {
    /// Height of the chart in pixels.
    #[cfg_attr(feature = "server", schemars(extend("default" = 300)))]
    chart_height: Lenient<Height>,
    /// Color of the chart: a CSS color, or the name of a variable such as `--primary`. If there are several series,
    /// they get shades of it, unless `chartColors` is set. Without it, the default colors.
    chart_color: Lenient<Color>,
    /// Colors of the series; if there are too few, they are repeated in other shades. Without it, the default colors.
    chart_colors: OneOrMany<Lenient<Color>>,
}

/// A height in pixels. Zero and negative numbers are invalid, while a number that is only too small counts as the
/// minimum.
#[derive(Clone, Copy, Debug, Default, Serialize)]
#[cfg_attr(feature = "server", derive(schemars::JsonSchema))]
#[serde(transparent)]
struct Height(Bounded<80, 300, 2000>);

impl<'de> Deserialize<'de> for Height {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let written = Value::deserialize(deserializer)?;
        if Number::deserialize(&written).is_ok_and(|number| number.get() <= 0.0) {
            return Err(de::Error::custom("must be above 0"));
        }
        Bounded::deserialize(written).map(Self).map_err(de::Error::custom)
    }
}

impl ChartStyle {
    /// The height in pixels.
    #[must_use]
    pub fn height(&self) -> u16 {
        u16::try_from(self.chart_height.or_default().0.get()).unwrap_or(300)
    }

    /// The color of a series, counted from zero; `None` if the options have no colors. The single color takes
    /// precedence over the list; but if the list has colors for the other series, it applies only to the first.
    #[must_use]
    pub fn color(&self, series: usize) -> Option<Color> {
        let is_first = series == 0 && self.chart_color.get().is_some();
        if is_first || self.chart_colors.is_empty() { self.single(series) } else { self.listed(series) }
    }

    /// Like [`Self::color`], but the list takes precedence over the single color.
    #[must_use]
    pub fn color_of_list(&self, series: usize) -> Option<Color> {
        if self.chart_colors.is_empty() { self.single(series) } else { self.listed(series) }
    }

    fn single(&self, series: usize) -> Option<Color> {
        Some(self.chart_color.get()?.clone().shade(series))
    }

    fn listed(&self, series: usize) -> Option<Color> {
        let count = self.chart_colors.iter().count().max(1);
        Some(self.chart_colors.iter().nth(series % count)?.get()?.clone().shade(series / count))
    }

    /// Reports invalid heights and colors.
    pub fn check(&self, problems: &mut OptionProblems) {
        if let Some(written) = self.chart_height.unknown() {
            problems.note(format!("chartHeight '{written}' is not a height in pixels; 300 is used."));
        }
        self.chart_height.or_default().0.check("chartHeight", problems);
        for written in
            self.chart_color.unknown().into_iter().chain(self.chart_colors.iter().filter_map(Lenient::unknown))
        {
            problems.note(format!("'{written}' is not a color; the chart uses the theme's."));
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{from_value, json};

    use super::*;

    #[test]
    fn what_is_wrong_with_a_chart_costs_a_note() {
        let style: ChartStyle =
            from_value(json!({ "chartHeight": "tall", "chartColors": ["red", "reddish"] })).unwrap();
        let mut problems = OptionProblems::default();
        style.check(&mut problems);
        let notes: Vec<_> = problems.all().iter().map(|problem| problem.sentence.as_str()).collect();
        let expected = [
            "chartHeight 'tall' is not a height in pixels; 300 is used.",
            "'reddish' is not a color; the chart uses the theme's.",
        ];
        assert_eq!((style.height(), problems.errors(), notes), (300, Vec::new(), expected.to_vec()));
        let low: ChartStyle = from_value(json!({ "chartHeight": "12" })).unwrap();
        low.check(&mut problems);
        let note = problems.all().last().map(|problem| problem.sentence.as_str());
        assert_eq!((low.height(), note), (80, Some("chartHeight must be between 80 and 2000; 80 is used.")));
    }

    #[test]
    fn no_height_is_zero_or_below() {
        for (written, height, note) in [
            (json!(0), 300, "chartHeight '0' is not a height in pixels; 300 is used."),
            (json!("-20"), 300, "chartHeight '-20' is not a height in pixels; 300 is used."),
            (json!(0.5), 80, "chartHeight must be between 80 and 2000; 80 is used."),
        ] {
            let style: ChartStyle = from_value(json!({ "chartHeight": written })).unwrap();
            let mut problems = OptionProblems::default();
            style.check(&mut problems);
            let notes: Vec<_> = problems.all().iter().map(|problem| problem.sentence.as_str()).collect();
            assert_eq!((style.height(), notes), (height, vec![note]), "{written}");
        }
    }

    #[test]
    fn the_single_color_or_the_list_goes_first() {
        let style: ChartStyle = from_value(json!({ "chartColor": "red", "chartColors": ["blue", "lime"] })).unwrap();
        let css = |color: Option<Color>| color.map(|color| color.css().to_owned()).unwrap_or_default();
        let colors = |color: &dyn Fn(usize) -> Option<Color>| [0, 1, 2].map(|series| css(color(series)));
        let again = |color: &str, share: u8| format!("color-mix(in oklab, {color}, currentcolor {share}%)");
        let blue = again("blue", 40);
        assert_eq!(colors(&|series| style.color(series)), ["red", "lime", &blue]);
        assert_eq!(colors(&|series| style.color_of_list(series)), ["blue", "lime", &blue]);
        // Series of one color differ by their shades, whichever option the color comes from.
        let shades = ["red".to_owned(), again("red", 40), again("red", 70)];
        for one in [json!({ "chartColor": "red" }), json!({ "chartColors": ["red"] }), json!({ "chartColors": "red" })]
        {
            let style: ChartStyle = from_value(one).unwrap();
            assert_eq!(colors(&|series| style.color(series)), shades);
            assert_eq!(colors(&|series| style.color_of_list(series)), shades);
        }
    }
}
