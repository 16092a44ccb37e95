//! The weather of several days, with the bars of their temperatures on one scale.

use leptos::{either::Either, prelude::*};
use widgets::panel::{self, Datum, ForecastDay, Part};

use super::{
    PanelContext,
    fold::{Fold, FoldButton},
    markup::{classes, maybe_class},
    notice::Empty,
    phrase::ours,
    share::{per_mille, tenths},
    symbols::{self, Symbol},
    value::{Value, Words, plain},
    weather::Sky,
};
use crate::any_view::{AnyView, IntoAny};

/// The shortest bar, in thousandths of the scale.
const MIN_WIDTH: i64 = 40;

/// The days.
#[component]
pub fn Forecast<'a>(
    /// The days.
    forecast: &'a panel::Forecast,
    /// Draws the details of a day.
    details: fn(&[Part], &PanelContext) -> AnyView,
    /// The surroundings of the panel.
    context: &'a PanelContext,
) -> AnyView {
    if forecast.days.is_empty() {
        return view! { <Empty sentence="Nothing to show"/> }.into_any();
    }
    let scale = TemperatureScale::of(&forecast.days);
    let fold = Fold::new(forecast.folded_after, forecast.days.len());
    let row = |(position, day): (usize, &'a ForecastDay)| {
        let summary = view! { <Day day scale=scale.as_ref() context/> };
        let row = if day.parts.is_empty() {
            Either::Left(view! { <div class="day">{summary}</div> })
        } else {
            Either::Right(view! {
                <details>
                    <summary class="day">{summary}<Symbol shape=symbols::CHEVRON/></summary>
                    <div class="details-parts">{details(&day.parts, context)}</div>
                </details>
            })
        };
        view! { <li {maybe_class(classes([fold.class(position)]))}>{row}</li> }
    };
    view! {
        <div class="part part-forecast">
            <ul data-fold=fold.attribute()>{forecast.days.iter().enumerate().map(row).collect_view()}</ul>
            <FoldButton fold/>
        </div>
    }
    .into_any()
}

#[component]
fn Day<'a>(day: &'a ForecastDay, scale: Option<&'a TemperatureScale>, context: &'a PanelContext) -> impl IntoView {
    let description = &day.description;
    // There may not be room for all of it.
    let description = (!description.is_empty()).then(|| {
        view! { <span class="day-description" title=plain(description)><Words phrase=description context/></span> }
    });
    let rain = (!day.rain.is_missing()).then(|| {
        view! {
            <span class="day-rain">
                <Symbol shape=symbols::DROP/>
                <span class="visually-hidden">{[ours("Chance of rain"), " "].concat()}</span>
                <Value datum=&day.rain context/>
            </span>
        }
    });
    // A service may not have them for the last days yet.
    let has_temperatures = !(day.highest.is_missing() && day.lowest.is_missing());
    let temperatures = has_temperatures.then(|| {
        view! {
            <span class="day-temperatures">
                <Temperature class="highest" word="highest" datum=&day.highest context/>
                <span>" / "</span>
                <Temperature class="lowest" word="lowest" datum=&day.lowest context/>
            </span>
        }
    });
    view! {
        <Sky icon=day.icon/>
        <span class="day-words">
            <span class="day-label"><Value datum=&day.label context/></span>
            {description}
        </span>
        {rain}
        <span class="day-range">
            <svg class="range" aria-hidden="true">{bar(day, scale)}</svg>
            {temperatures}
        </span>
    }
}

/// The bar from the lowest to the highest temperature.
fn bar(day: &ForecastDay, scale: Option<&TemperatureScale>) -> Option<impl IntoView + use<>> {
    let (scale, lowest, highest) = (scale?, number(&day.lowest)?, number(&day.highest)?);
    let (from, to) = (scale.per_mille(lowest.min(highest)), scale.per_mille(highest.max(lowest)));
    // If both temperatures are equal, the bar is a dot.
    let width = (to - from).max(MIN_WIDTH);
    let percent = |mille: i64| tenths(mille) + "%";
    Some(view! {
        <rect class="fill" x=percent(from.min(1000 - width)) width=percent(width) height="100%"></rect>
    })
}

#[component]
fn Temperature<'a>(
    class: &'static str,
    word: &'static str,
    datum: &'a Datum,
    context: &'a PanelContext,
) -> impl IntoView {
    view! { <span class=class><span class="visually-hidden">{[ours(word), " "].concat()}</span><Value datum context/></span> }
}

/// The scale from the lowest to the highest temperature of all days.
struct TemperatureScale {
    low: f64,
    high: f64,
}

impl TemperatureScale {
    fn of(days: &[ForecastDay]) -> Option<Self> {
        let all = || days.iter().flat_map(|day| [&day.lowest, &day.highest]).filter_map(number);
        Some(Self { low: all().reduce(f64::min)?, high: all().reduce(f64::max)? })
    }

    fn per_mille(&self, value: f64) -> i64 {
        if self.high > self.low { per_mille((value - self.low) / (self.high - self.low)) } else { 500 }
    }
}

fn number(datum: &Datum) -> Option<f64> {
    match datum {
        Datum::Number { value, .. } => Some(*value),
        _ => None,
    }
}
