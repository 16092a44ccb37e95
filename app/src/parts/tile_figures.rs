//! Live figures in a tile: the stats of a panel, as small as they can be read. The tile is a link, so nothing in it can be
//! focused, and its text is read out as a part of the link.

use leptos::prelude::*;
use widgets::{
    Panel,
    panel::{Part, Stat},
};

use super::{
    PanelContext,
    markup::{classes, markup},
    tone::{ValueSymbol, tone_class},
    value::{Value, Words},
};

/// Height of the box of a course, which the style sheet stretches over the figure.
const COURSE_HEIGHT: f64 = 20.0;

/// The figures of a panel; empty if it has none.
#[must_use]
pub fn tile_figures(panel: &Panel, context: &PanelContext) -> String {
    let stats = panel.parts.iter().find_map(|part| match part {
        Part::Stats(stats) => Some(&stats.stats),
        _ => None,
    });
    let Some(stats) = stats.filter(|stats| !stats.is_empty()) else { return String::new() };
    let count = stats.len().to_string();
    let figures = stats.iter().map(|stat| figure(stat, context)).collect_view();
    markup(view! { <span class="figures" data-count=count>{figures}</span> })
}

/// A value above its label. The style sheet adds a comma for people who hear it.
fn figure(stat: &Stat, context: &PanelContext) -> impl IntoView {
    let class = classes(["figure", tone_class(stat.tone)]);
    let course = course(&stat.course).map(|points| {
        let width = stat.course.len() - 1;
        view! {
            <svg viewBox=format!("0 0 {width} {COURSE_HEIGHT}") preserveAspectRatio="none" aria-hidden="true">
                <polygon points=points></polygon>
            </svg>
        }
    });
    view! {
        <span class=class>
            {course}
            <b><ValueSymbol tone=stat.tone value=&stat.value/><Value datum=&stat.value context/></b>
            " "
            <small><Words phrase=&stat.label context/></small>
        </span>
    }
}

/// The points of the area below these values, from 0 up; `None` if nothing can be seen. A line would strike the label through.
fn course(values: &[f64]) -> Option<String> {
    let most = values.iter().copied().fold(0.0, f64::max);
    if values.len() < 2 || most <= 0.0 {
        return None;
    }
    let point = |(at, value): (usize, &f64)| format!("{at},{:.1} ", COURSE_HEIGHT * (1.0 - value.max(0.0) / most));
    let top: String = values.iter().enumerate().map(point).collect();
    Some(format!("{top}{},{COURSE_HEIGHT} 0,{COURSE_HEIGHT}", values.len() - 1))
}

#[cfg(all(test, feature = "ssr"))]
mod tests {
    use widgets::panel::{Datum, Stats, Tone};

    use super::*;

    #[test]
    fn figures_are_read_out_one_after_the_other() {
        let stats = vec![
            Stat::new("Queries", Datum::short(1200.0)).toned(Tone::Danger),
            Stat { course: vec![0.0, 5.0, 10.0], ..Stat::new("Blocked", Datum::Missing) },
        ];
        let html = tile_figures(&Panel::new(vec![Stats { stats }.into()]), &PanelContext::default());
        assert!(html.contains("class=\"figures\"") && html.contains("data-count=\"2\""), "{html}");
        assert!(html.contains("<small>Queries</small></span><span"), "{html}");
        assert!(html.contains("points=\"0,20.0 1,10.0 2,0.0 2,20 0,20\""), "{html}");
        assert!(html.contains("tone-danger") && html.contains("class=\"missing\""), "{html}");
        assert_eq!(tile_figures(&Panel::default(), &PanelContext::default()), "");
    }

    #[test]
    fn an_area_needs_two_values_and_one_above_zero() {
        assert_eq!(course(&[]), None);
        assert_eq!(course(&[3.0]), None);
        assert_eq!(course(&[0.0, 0.0]), None);
        assert_eq!(course(&[2.0, -1.0]).as_deref(), Some("0,0.0 1,20.0 1,20 0,20"));
    }
}
