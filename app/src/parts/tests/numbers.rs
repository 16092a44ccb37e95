//! Numbers, times and axes.

use widgets::{
    Moment,
    panel::{Axis, Chart, ChartShape, Datum, Decimals, Phrase, Point, Series, Unit},
};

use crate::parts::{
    PanelContext, html,
    scale::{digits, duration, unit_of, unit_word},
    time::iso,
    value::{plain, plain_value},
    y_axis::YAxis,
};

#[test]
fn digits_are_rounded_and_cut() {
    for (value, min, max, expected) in [
        (0.0, 0, 2, "0"),
        (-0.001, 0, 2, "0"),
        (1.005_1, 0, 2, "1.01"),
        (1.5, 0, 2, "1.5"),
        (1.5, 2, 2, "1.50"),
        (-12.345, 0, 1, "-12.3"),
        (999.999, 0, 2, "1000"),
        (0.07, 0, 2, "0.07"),
        (1_234_567.0, 0, 0, "1234567"),
        (0.000_012_345, 2, 8, "0.00001235"),
        (1.5e21, 0, 2, "1500000000000000000000"),
        (-2e17, 0, 2, "-200000000000000000"),
        (-2e18, 2, 2, "-2000000000000000000.00"),
    ] {
        assert_eq!(digits(value, min, max), expected, "{value}");
    }
}

#[test]
fn values_have_their_units() {
    let number = |value: f64, unit: Unit| plain_value(&Datum::number(value, unit));
    for (written, expected) in [
        (number(0.0, Unit::Bytes), "0\u{a0}B"),
        (number(1023.0, Unit::Bytes), "1023\u{a0}B"),
        (number(1536.0, Unit::Bytes), "1.5\u{a0}KB"),
        (number(1_048_575.0, Unit::Bytes), "1\u{a0}MB"),
        (number(3_435_973_836.0, Unit::BytesPerSecond), "3.2\u{a0}GB/s"),
        (number(48_000_000.0, Unit::BitsPerSecond), "48\u{a0}Mbit/s"),
        (number(3_600_000_000.0, Unit::Hertz), "3.6\u{a0}GHz"),
        (number(12.5, Unit::Percent), "12.5%"),
        (number(-4.0, Unit::Celsius), "-4°C"),
        (number(1234.5, Unit::Currency("eur".into())), "1234.50\u{a0}EUR"),
        (number(5.0, Unit::Currency("points".into())), "5\u{a0}points"),
        (number(7.0, Unit::Sign("°".into())), "7°"),
        (number(187_200.0, Unit::Seconds), "2\u{a0}days 4\u{a0}h"),
        (number(86_400.0, Unit::Seconds), "1\u{a0}day"),
        (number(72_000.0, Unit::Seconds), "20\u{a0}h"),
        (number(-272.0, Unit::Seconds), "-4\u{a0}min 32\u{a0}s"),
        (number(3661.0, Unit::Seconds), "1\u{a0}h 1\u{a0}min"),
        (number(0.2, Unit::Seconds), "0\u{a0}s"),
        (number(225.0, Unit::Bearing), "SW"),
        (number(359.0, Unit::Bearing), "N"),
        (number(-45.0, Unit::Bearing), "NW"),
        (plain_value(&Datum::percent(3.0).signed()), "+3%"),
        (plain_value(&Datum::percent(0.0).signed()), "0%"),
        (plain_value(&Datum::number(2.0, Unit::None).decimals(Decimals::Exactly(1))), "2.0"),
        (plain_value(&Datum::number(0.012_345, Unit::None).decimals(Decimals::Significant(3))), "0.0123"),
        (plain_value(&Datum::number(1234.567, Unit::None).decimals(Decimals::Significant(3))), "1234.57"),
        (
            plain_value(&Datum::number(1.234e-10, Unit::Sign("BTC".into())).decimals(Decimals::Significant(4))),
            "0.0000000001234\u{a0}BTC",
        ),
        (plain_value(&Datum::Missing), "–"),
    ] {
        assert_eq!(written, expected);
    }
}

#[test]
fn large_counts_are_short_and_keep_all_their_digits() {
    let written = |value: f64| {
        let stat = widgets::panel::Stat::new("", Datum::short(value));
        html(&widgets::Panel::new(vec![widgets::panel::Stats { stats: vec![stat] }.into()]), &PanelContext::default())
    };
    for (value, expected) in [
        (9999.0, r#"<data value="9999" data-digits="0 2">9999</data>"#),
        (
            10_000.0,
            "<data value=\"10000\" data-digits=\"0 1\" data-divisor=\"1000\" data-sign=\"\u{a0}K\" title=\"10\u{202f}000\">10\u{a0}K</data>",
        ),
        (132_084.0, "title=\"132\u{202f}084\">132.1\u{a0}K</data>"),
        (999_949.0, ">999.9\u{a0}K</data>"),
        (999_950.0, ">1\u{a0}M</data>"),
        (
            1_010_291.0,
            "data-digits=\"0 2\" data-divisor=\"1000000\" data-sign=\"\u{a0}M\" title=\"1\u{202f}010\u{202f}291\">1.01\u{a0}M</data>",
        ),
        (676_570_149.0, ">676.6\u{a0}M</data>"),
        (-2_500_000_000.0, "title=\"-2\u{202f}500\u{202f}000\u{202f}000\">-2.5\u{a0}B</data>"),
    ] {
        let html = written(value);
        assert!(html.contains(expected), "{value}: {expected} is not in {html}");
    }
}

#[test]
fn a_length_of_time_has_at_most_two_units() {
    for (seconds, expected) in [
        (90_061.0, vec![(1, "day"), (1, "hour")]),
        (86_460.0, vec![(1, "day")]),
        (10_830.0, vec![(3, "hour")]),
        (59.6, vec![(1, "minute")]),
        (125.0, vec![(2, "minute"), (5, "second")]),
        (42.0, vec![(42, "second")]),
        (0.0, vec![(0, "second")]),
    ] {
        assert_eq!(duration(seconds), expected, "{seconds}");
    }
}

/// What a browser with scripts writes, which formats it again in the same words.
#[test]
fn durations_are_in_the_language_of_the_page() {
    let uptime = Datum::number(2.0 * 86_400.0 + 3600.0, Unit::Seconds);
    for (code, expected) in [
        ("en", "2\u{a0}days 1\u{a0}h"),
        ("de", "2\u{a0}Tg. 1\u{a0}Std."),
        ("cs", "2\u{a0}dny 1\u{a0}h"),
        ("zz-pirate", "2\u{a0}days 1\u{a0}h"),
    ] {
        let locale = languages::Language::of_code(code).unwrap().into();
        assert_eq!(languages::with_locale(&locale, || plain_value(&uptime)), expected);
    }
}

#[test]
fn times_are_written_for_machines() {
    for (seconds, expected) in [
        (0, "1970-01-01T00:00:00Z"),
        (1_795_251_600, "2026-11-21T09:00:00Z"),
        (1_709_164_799, "2024-02-28T23:59:59Z"),
        (1_709_164_800, "2024-02-29T00:00:00Z"),
        (1_709_251_200, "2024-03-01T00:00:00Z"),
        (-1, "1969-12-31T23:59:59Z"),
        (4_107_542_399, "2100-02-28T23:59:59Z"),
        (4_107_542_400, "2100-03-01T00:00:00Z"),
    ] {
        assert_eq!(iso(Moment::from_seconds(seconds)), expected);
    }
}

#[test]
fn words_take_their_values() {
    let words = Phrase::from("{count} of {all}").with("count", Datum::count(3));
    assert_eq!(plain(&words.clone().with("all", Datum::bytes(2048.0))), "3 of 2\u{a0}KB");
    assert_eq!(plain(&words), "3 of {all}");
    assert_eq!(plain(&Phrase::foreign("{count}")), "{count}");
    assert_eq!(plain(&Phrase::from("a { b").with("c", Datum::count(1))), "a { b");
}

#[test]
fn messages_and_numbers_are_in_the_language_of_the_page() {
    let in_language = |code: &str, phrase: &Phrase| {
        languages::with_locale(&languages::Language::of_code(code).unwrap().into(), || plain(phrase))
    };
    let message = Phrase::message("connection refused");
    assert_eq!(in_language("en", &message), "connection refused");
    assert_eq!(
        in_language("de", &message),
        languages::Language::of_code("de").unwrap().text("connection refused").unwrap()
    );
    assert_eq!(in_language("de", &Phrase::message("200 - OK")), "200 - OK");
    let number = Phrase::from("{count}").with("count", Datum::number(12.5, Unit::None));
    assert_eq!([in_language("bn", &number), in_language("hi", &number)], ["১২.৫", "12.5"]);
}

#[test]
fn lines_of_an_axis_are_round() {
    let gibi = f64::from(1 << 30);
    let cases: [(f64, f64, Unit, &[f64]); 9] = [
        (0.0, 100.0, Unit::Percent, &[0.0, 25.0, 50.0, 75.0, 100.0]),
        (0.0, 0.0, Unit::None, &[0.0, 0.25, 0.5, 0.75, 1.0]),
        (5.0, 5.0, Unit::None, &[4.5, 4.75, 5.0, 5.25, 5.5]),
        (81_300.0, 86_900.0, Unit::None, &[80_000.0, 82_000.0, 84_000.0, 86_000.0, 88_000.0]),
        (-3.0, 9.0, Unit::Celsius, &[-5.0, 0.0, 5.0, 10.0]),
        (0.0, 1.7 * gibi, Unit::Bytes, &[0.0, 0.5 * gibi, gibi, 1.5 * gibi, 2.0 * gibi]),
        // Both ends are between two lines: one step more than the four that fit.
        (81_000.0, 89_000.0, Unit::None, &[80_000.0, 82_500.0, 85_000.0, 87_500.0, 90_000.0]),
        (1.06e-9, 1.14e-9, Unit::Currency("USD".into()), &[1.06e-9, 1.08e-9, 1.1e-9, 1.12e-9, 1.14e-9]),
        (0.0, 29_160.0, Unit::Seconds, &[0.0, 9000.0, 18_000.0, 27_000.0, 36_000.0]),
    ];
    for (low, high, unit, expected) in cases {
        let values: Vec<f64> = YAxis::new(low, high, &unit).values().collect();
        assert_eq!(values.len(), expected.len(), "{low} to {high}: {values:?}");
        for (value, expected) in values.iter().zip(expected) {
            assert!((value - expected).abs() <= expected.abs() * 1e-9 + 1e-21, "{low} to {high}: {values:?}");
        }
    }
}

#[test]
fn odd_values_do_not_break_a_chart() {
    for values in [
        vec![Some(f64::NAN), Some(1.0)],
        vec![Some(f64::INFINITY), Some(f64::NEG_INFINITY)],
        vec![Some(1e300), Some(-1e300)],
        vec![Some(1e-300), None],
        vec![Some(7.0)],
        vec![None, None],
    ] {
        for shape in [ChartShape::Line, ChartShape::Area, ChartShape::Bars] {
            for (axis, stacked) in [(Axis::Time, false), (Axis::Time, true), (Axis::Labels(vec!["One".into()]), false)]
            {
                let points = (0..).zip(&values).map(|(at, value)| Point(at * i64::MAX / 4, *value)).collect();
                let series = Series { points, ..Series::default() };
                let chart = Chart { shape, axis, stacked, series: vec![series.clone(), series], ..Chart::default() };
                let html = html(&widgets::Panel::new(vec![chart.into()]), &PanelContext::default());
                assert!(!html.contains("NaN") && !html.contains("inf"), "{html}");
            }
        }
    }
}

#[test]
fn a_unit_survives_as_a_word() {
    let own = Unit::Sign("req/s".into());
    let money = Unit::Currency("EUR".into());
    let units =
        [Unit::None, Unit::Short, Unit::Percent, Unit::Bytes, Unit::BytesPerSecond, Unit::BitsPerSecond, Unit::Seconds];
    let more = [Unit::Milliseconds, Unit::Hertz, Unit::Celsius, Unit::Kilometers, Unit::Bearing, own, money];
    for unit in units.into_iter().chain(more) {
        let written = |unit: Unit| plain_value(&Datum::number(4321.5, unit));
        assert_eq!(written(unit_of(&unit_word(&unit))), written(unit.clone()), "{unit:?}");
    }
}
