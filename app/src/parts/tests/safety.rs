//! Nothing written by a service becomes markup.

use widgets::{Action, Panel, panel::*};

use crate::parts::{PanelContext, html};

const HOSTILE: &str = "\"'><script>alert(1)</script>&lt;";

#[test]
fn text_of_services_stays_text() {
    let phrase = Phrase::foreign(HOSTILE);
    let datum = Datum::Text(HOSTILE.into());
    let panel = Panel::new(vec![
        Heading { text: phrase.clone(), subtitle: Some(phrase.clone()), ..Heading::default() }.into(),
        Stats {
            stats: vec![Stat {
                hint: Some(phrase.clone()),
                more: Some(datum.clone().into()),
                ..Stat::new(phrase.clone(), datum.clone())
            }],
        }
        .into(),
        Facts { facts: vec![Fact { more: vec![datum.clone()], ..Fact::new(phrase.clone(), datum.clone()) }] }.into(),
        Entries {
            entries: vec![ListEntry {
                source: Some(HOSTILE.into()),
                day: Some(datum.clone()),
                state: Some(phrase.clone()),
                opens: true,
                author: Some(HOSTILE.into()),
                steps: vec![Step { text: phrase.clone(), color: None }],
                tags: vec![phrase.clone()],
                ..ListEntry::new(phrase.clone())
            }],
            ..Entries::default()
        }
        .into(),
        Table {
            columns: vec![Column::text(""), Column { name: phrase.clone(), sortable: true, numeric: true }],
            rows: vec![Row::new([datum.clone(), datum.clone()]), Row::default()],
            one_line: true,
            ..Table::default()
        }
        .into(),
        Paragraph::new(
            Phrase::from("{winner}").with("winner", Datum::Strong { text: HOSTILE.into(), meaning: phrase.clone() }),
        )
        .into(),
        Space { height: Size::pixels(40), text: phrase.clone() }.into(),
        Meter {
            label: phrase.clone(),
            text: Some(phrase.clone()),
            hint: Some(phrase.clone()),
            share: f64::NAN,
            ..Meter::default()
        }
        .into(),
        Gauge { label: phrase.clone(), value: datum.clone(), share: -1.0, steps: vec![(2.0, Tone::Info)], wide: true }
            .into(),
        Chart {
            title: phrase.clone(),
            series: vec![Series { name: phrase.clone(), points: vec![Point(0, Some(1.0))], ..Series::default() }],
            axis: Axis::Labels(vec![phrase.clone()]),
            unit: Unit::Sign(HOSTILE.into()),
            ..Chart::default()
        }
        .into(),
        Donut {
            title: phrase.clone(),
            center: Some(datum.clone()),
            slices: vec![Slice { label: phrase.clone(), size: 1.0, hint: Some(phrase.clone()), ..Slice::default() }],
            flat: false,
        }
        .into(),
        Sparkline { title: phrase.clone(), values: vec![Some(1.0)], ..Sparkline::default() }.into(),
        Timeline {
            title: phrase.clone(),
            states: vec![TimelineState { hint: Some(phrase.clone()), ..TimelineState::default() }],
        }
        .into(),
        Image {
            url: SafeUrl::parse("https://example.com/a\"b.png").unwrap(),
            source: HOSTILE.into(),
            alt: HOSTILE.into(),
            file_name: HOSTILE.into(),
            width: None,
            height: None,
            caption: Some(phrase.clone()),
            link: None,
        }
        .into(),
        Forecast {
            days: vec![ForecastDay {
                label: datum.clone(),
                description: phrase.clone(),
                lowest: datum.clone(),
                rain: datum.clone(),
                parts: vec![Paragraph::new(phrase.clone()).into()],
                ..ForecastDay::default()
            }],
            ..Forecast::default()
        }
        .into(),
        Rates { base: HOSTILE.into(), rates: vec![Rate::new(HOSTILE, Some(1.0)), Rate::new("EUR", Some(2.0))] }.into(),
        Clock { time_zone: Some(HOSTILE.into()), city: Some(HOSTILE.into()), ..Clock::default() }.into(),
        SearchBox {
            engines: vec![SearchEngine {
                title: HOSTILE.into(),
                url: SafeUrl::parse("https://example.com/?q=").unwrap(),
            }],
            placeholder: Some(HOSTILE.into()),
            ..SearchBox::default()
        }
        .into(),
        Frame {
            url: None,
            embedded: Some(Embedded { html: Some(HOSTILE.into()), ..Embedded::default() }),
            title: phrase.clone(),
            height: None,
            sandbox: None,
        }
        .into(),
        ActionButton {
            action: Action { name: HOSTILE.into(), target: HOSTILE.into() },
            label: phrase.clone(),
            question: Some(phrase.clone()),
            ..ActionButton::default()
        }
        .into(),
        Details {
            summary: phrase.clone(),
            parts: vec![Notice { text: phrase.clone(), tone: Tone::Info }.into()],
            open: true,
            ..Details::default()
        }
        .into(),
        Columns { columns: vec![vec![Paragraph { monospace: true, ..Paragraph::new(phrase) }.into()]] }.into(),
        WeatherSummary { label: datum.clone(), temperature: datum, ..WeatherSummary::default() }.into(),
    ]);
    let html = html(&panel, &PanelContext { base: String::new(), label: HOSTILE.into() });
    assert!(!html.contains("<script"), "{html}");
    assert!(!html.contains("a\"b.png"), "{html}");
    // Every opened tag is closed, and nothing else is.
    let count = |piece: &str| html.matches(piece).count();
    for tag in ["div", "span", "p", "svg", "ul", "li", "table", "tr", "td", "th", "dl", "details", "figure", "button"] {
        let opened = count(&format!("<{tag}>")) + count(&format!("<{tag} "));
        let closed = count(&format!("</{tag}>"));
        assert_eq!(opened, closed, "{tag}");
    }
}

#[test]
fn a_page_of_this_server_gets_no_rights_over_ours() {
    let rights_with = |url: &str, sandbox: Option<&str>| {
        let sandbox = sandbox.map(str::to_owned);
        let frame = Frame { url: SafeUrl::parse(url), embedded: None, title: Phrase::default(), height: None, sandbox };
        html(&Panel::new(vec![frame.into()]), &PanelContext { base: "/dash".into(), label: String::new() })
    };
    let rights = |url: &str| rights_with(url, None);
    let own = rights("/other");
    assert!(own.contains("src=\"/dash/other\"") && !own.contains("allow-same-origin"), "{own}");
    let strange = rights("https://example.com/");
    assert!(strange.contains("allow-same-origin") && !strange.contains("allow-top-navigation"), "{strange}");
    for wish in ["false", "allow-scripts allow-same-origin", "Allow-Same-Origin allow-top-navigation allow-scripts"] {
        let own = rights_with("/other", Some(wish));
        assert!(own.contains("sandbox=") && !own.contains("same-origin") && !own.contains("top-navigation"), "{own}");
    }
    let fewer = rights_with("https://example.com/", Some("allow-forms allow-top-navigation x\"y"));
    assert!(fewer.contains("sandbox=\"allow-forms\""), "{fewer}");
    assert!(!rights_with("https://example.com/", Some("false")).contains("sandbox"));
}
