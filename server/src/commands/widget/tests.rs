use std::fs;

use tempfile::TempDir;

use super::*;
use crate::settings::variables::Variables;

/// A folder with a case and a file with options.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let case = "\
options: { url: 'https://api.example/PORTICO_PATH/state?token=in-the-query', headers: { X-Key: in-a-header } }
now: 2026-11-21T09:00:00Z
exchanges:
  - request: { url: 'https://api.example/PORTICO_PATH/state?token=in-the-query' }
    response: { headers: { content-type: application/json }, body_file: answer.json }
";
    fs::write(folder.path().join("case.yml"), case).unwrap();
    fs::write(folder.path().join("answer.json"), r#"{"state":"well","echo":"in-a-header"}"#).unwrap();
    let other = case.replace(
        "url: 'https://api.example/PORTICO_PATH/state?token=in-the-query' }",
        "url: 'https://other.example/*' }",
    );
    fs::write(folder.path().join("other.yml"), other).unwrap();
    folder
}

/// Tries `api-response` with the case.
async fn replayed(folder: &TempDir, name: &str, form: Form) -> Result<String, String> {
    try_once("api-response", None, Some(&folder.path().join(name)), form, &Settings::default()).await
}

#[test]
fn all_types_are_listed_and_shown() {
    let list = list();
    assert_eq!(list.lines().count(), Kind::ALL.len());
    assert!(list.contains("dns-sinkhole-stats-v6") && list.contains("pi-hole-stats-v6"));
    let shown: Value = serde_json::from_str(&show("Pi-Hole-Stats-V6", true).unwrap()).unwrap();
    assert_eq!(shown["type"], "dns-sinkhole-stats-v6");
    assert!(shown["options"]["properties"]["hostname"]["description"].is_string(), "{shown}");
    assert_eq!(shown["example"]["type"], "dns-sinkhole-stats-v6", "{shown}");
    assert!(show("thermometer", false).unwrap_err().contains("`thermometer`"));
    assert!(show("wether", false).unwrap_err().ends_with("did you mean `weather`?"));
    assert!(show("health-checks", false).unwrap().starts_with("cron-monitor\n"));
}

#[test]
fn types_are_found_by_words() {
    let search = |words: &[&str]| search(&words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>());
    let found = search(&["adguard", "blocked", "most"]).unwrap();
    assert!(found.starts_with("dns-filter-top-domains\n    Lists the domains"), "{found}");
    assert!(found.contains("Service: AdGuard Home") && found.contains("adguard-top-domains"), "{found}");
    assert_eq!(search(&["nextclod"]).unwrap_err(), "no widget matches `nextclod`; did you mean `nextcloud`?");
    assert!(search(&["weather", "nextcloud"]).unwrap_err().contains("try fewer words"));
}

#[test]
fn a_type_is_shown_with_defaults_bounds_and_an_example() {
    for kind in Kind::ALL {
        let text = show(kind.name(), false).unwrap();
        let manual = kind.manual();
        for option in &manual.options {
            assert!(text.contains(&format!("\n  {}: {}\n", option.name, option.value)), "{text}");
        }
        // The example is not wrapped, because people may copy it.
        let (reference, example) = text.split_once("\nExample\n").unwrap();
        let entries: Value = serde_yaml::from_str(example).unwrap();
        assert_eq!(Kind::parse(entries[0]["type"].as_str().unwrap()), Some(*kind), "{text}");
        let fits = |line: &str| !line.starts_with("      ") || line.chars().count() <= LINE + 6;
        assert!(reference.lines().all(fits), "{text}");
    }
    let forecast = show("WeatherForecast", false).unwrap();
    assert!(forecast.contains("numDays: integer 1 to 16; `4`"), "{forecast}");
    assert!(forecast.contains("The server sends the requests"), "{forecast}");
}

#[tokio::test]
async fn a_replay_prints_the_panel_and_the_requests_without_keys() {
    let folder = folder();
    let report: Value = serde_json::from_str(&replayed(&folder, "case.yml", Form::Json).await.unwrap()).unwrap();
    assert!(report["panel"]["parts"].is_array() && report["error"].is_null(), "{report}");
    let request = report["requests"][0].as_str().unwrap();
    assert!(request.starts_with("GET https://api.example/PORTICO_PATH/state?token=") && request.contains("→ 200"));
    let text = report.to_string();
    assert!(text.contains("well") && !text.contains("in-the-query") && !text.contains("in-a-header"), "{text}");
    let html = replayed(&folder, "case.yml", Form::Html).await.unwrap();
    assert!(html.starts_with('<') && html.contains("well") && !html.contains("in-a-header"), "{html}");
}

#[tokio::test]
async fn a_request_that_is_not_recorded_is_named() {
    let folder = folder();
    let reason = replayed(&folder, "other.yml", Form::Html).await.unwrap_err();
    assert!(reason.contains("https://api.example/") && !reason.contains("in-the-query"), "{reason}");
    assert!(replayed(&folder, "other.yml", Form::Json).await.unwrap_err().contains("nothing to show"));
    assert!(replayed(&folder, "none.yml", Form::Json).await.unwrap_err().contains("none.yml"));
}

#[tokio::test]
async fn certificates_and_variables_are_those_of_the_server() {
    _ = rustls::crypto::ring::default_provider().install_default();
    let folder = folder();
    let options = folder.path().join("options.yml");
    fs::write(&options, "url: 'http://127.0.0.1:1/PORTICO_PATH/x'\n").unwrap();
    let settings = Settings {
        extra_ca: Some(folder.path().join("ca.pem")),
        variables: Variables::of([("PORTICO_PATH".to_owned(), "of-the-environment".to_owned())]),
        ..Settings::default()
    };
    let reason = try_once("api-response", Some(&options), None, Form::Html, &settings).await.unwrap_err();
    assert!(reason.contains("ca.pem"), "{reason}");
    let settings = Settings { extra_ca: None, ..settings };
    let reason = try_once("api-response", Some(&options), None, Form::Html, &settings).await.unwrap_err();
    assert_eq!(reason, "127.0.0.1 could not be reached (connection refused).");
    fs::write(&options, "hostname: 'http://127.0.0.1:1'\n").unwrap();
    let reason = try_once("gl-uptime", Some(&options), None, Form::Html, &settings).await.unwrap_err();
    let advice = "Check that Glances runs at the address in the option hostname.";
    assert_eq!(reason, format!("127.0.0.1 could not be reached (connection refused). {advice}"));
}
