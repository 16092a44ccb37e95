//! Each service answers as its documentation says, and has the figures that its case expects. The answers in
//! `figures/cases` are written by hand, in the shape of the documentation.

use std::{collections::BTreeSet, fs, path::Path};

use futures_util::FutureExt;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::{
    Case, Exchange, Kind,
    panel::{Datum, Part, Phrase, Unit},
};

/// The case of a service.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ServiceCase {
    /// The options of the entry, without the service.
    options: Map<String, Value>,
    /// The time, if the service needs it.
    #[serde(default)]
    now: String,
    exchanges: Vec<Exchange>,
    /// The expected figures: labels and values, in order.
    figures: Vec<(String, String)>,
}

fn shown(datum: &Datum) -> String {
    match datum {
        Datum::Missing => "–".to_owned(),
        Datum::Text(text) => text.clone(),
        Datum::Number { value, unit, .. } => match unit {
            Unit::None | Unit::Short => value.to_string(),
            Unit::Percent => format!("{value} %"),
            Unit::Bytes => format!("{value} B"),
            Unit::BytesPerSecond => format!("{value} B/s"),
            Unit::BitsPerSecond => format!("{value} bit/s"),
            Unit::Seconds => format!("{value} s"),
            Unit::Milliseconds => format!("{value} ms"),
            Unit::Celsius => format!("{value} °C"),
            other => format!("{value} {other:?}"),
        },
        Datum::Words(Phrase::Filled { words, with }) => {
            with.iter().fold(words.clone(), |text, (name, value)| text.replace(&format!("{{{name}}}"), &shown(value)))
        }
        Datum::Time { at, .. } => at.utc_date() + " " + &at.utc_clock(),
        other => format!("{other:?}"),
    }
}

#[test]
fn every_service_has_the_figures_of_its_case() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../figures/cases");
    let mut missing: BTreeSet<&str> = figures::own_names().collect();
    let mut wrong = Vec::new();
    for file in fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let text = fs::read_to_string(&path).unwrap();
        let case: ServiceCase = serde_yaml::from_str(&text).unwrap_or_else(|error| panic!("{name}.yml: {error}"));
        let kind = name.split('-').next().unwrap_or_default();
        missing.remove(kind);
        // As in a tile, what is no option of the widget belongs to the service.
        let own = ["url", "key", "username", "password", "fields"];
        let (mut options, settings): (Map<_, _>, Map<_, _>) =
            case.options.into_iter().partition(|(name, _)| own.contains(&name.as_str()));
        options.insert("settings".to_owned(), settings.into());
        options.insert("service".to_owned(), kind.into());
        let recording = Case { options: options.into(), now: case.now, exchanges: case.exchanges, ..Case::default() };
        let recorded = recording.recorded(|file| fs::read(file)).unwrap();
        let (entry, _) = recording.entry();
        let problems = Kind::ServiceFigures.plan(&entry, &entry).problems;
        let problems: Vec<_> = problems.all().iter().map(|problem| problem.sentence.clone()).collect();
        let odd: Vec<_> = problems.iter().filter(|sentence| !sentence.contains("environment variable")).collect();
        assert!(odd.is_empty(), "{name}.yml: {odd:?}");
        let outcome = Kind::ServiceFigures.fetch(&entry, &recorded).now_or_never().unwrap();
        let figures = match &outcome {
            Ok(panel) => match &panel.parts[..] {
                [Part::Stats(stats)] => stats
                    .stats
                    .iter()
                    .map(|stat| (shown(&Datum::Words(stat.label.clone())), shown(&stat.value)))
                    .map(|(label, value)| (label.replace("Words(Ours(\"", "").replace("\"))", ""), value))
                    .collect(),
                other => panic!("{name}.yml: {other:?}"),
            },
            Err(error) => vec![("error".to_owned(), error.to_string())],
        };
        if figures != case.figures || !recorded.unused().is_empty() {
            wrong.push(format!(
                "{name}.yml: {figures:?} instead of {:?}; not asked: {:?}",
                case.figures,
                recorded.unused()
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(missing.is_empty(), "without a case: {missing:?}");
}

#[test]
fn the_version_of_a_service_is_found_once() {
    let exchange = |method: &str, url: &str, status: u16, body: Value| json!({ "request": { "method": method, "url": url }, "response": { "status": status, "body": body } });
    let summary = json!({ "domains_being_blocked": 98000, "dns_queries_today": 500 });
    let case = json!({
        "options": { "service": "pihole", "url": "http://h", "key": "k", "fields": ["queries"] },
        "exchanges": [
            exchange("POST", "http://h/api/auth", 404, json!("")),
            exchange("POST", "http://h/api/auth", 404, json!("again")),
            exchange("GET", "http://h/admin/api.php?summaryRaw&auth=k", 200, summary.clone()),
            exchange("GET", "http://h/admin/api.php?summaryRaw&auth=k", 200, summary),
        ],
    });
    let case: Case = serde_json::from_value(case).unwrap();
    let recorded = case.recorded(|file| fs::read(file)).unwrap();
    for _ in 0..2 {
        let panel = Kind::ServiceFigures.fetch(&case.entry().0, &recorded).now_or_never().unwrap();
        assert!(panel.is_ok(), "{panel:?}");
    }
    // The other version was asked only before the right one was known.
    assert_eq!(recorded.unused(), ["http://h/api/auth"]);
}
