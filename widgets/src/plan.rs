//! Where and how often an entry is fetched (docs/spec/widgets.md 2).

use async_trait::async_trait;
use std::time::Duration;

use futures_util::FutureExt;
use serde_json::Value;

use crate::{
    Audience, Entry, FetchError, Kind, Moment, OptionProblems, Outside, Panel, Reach, Request, Response, Side, Update,
    ViewerHints, Widget, address, address::AddressKeys, catalogue::read, names_variable, panel::SafeUrl,
    placeholder::names_a_variable,
};

/// Why a widget without requests cannot use an environment variable.
const SEEN_BY_ALL: &str =
    "The value of an environment variable would be visible to everyone here. Write a value that may be seen.";

/// Why the server sends the requests although the entry asks for the browser.
const KEPT_BACK: &str =
    "useProxy: false has no effect: the options may contain a key, which must not leave the server.";

/// What to do for one entry.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// Where the data is fetched.
    pub place: Place,
    /// The refresh interval, if any.
    pub refresh: Option<Duration>,
    /// Who may share the panel.
    pub audience: Audience,
    /// The origins to which the browser sends requests; empty if it sends none.
    pub origins: Vec<String>,
    /// What is wrong with the options. If there is an error, the place is [`Place::Broken`].
    pub problems: OptionProblems,
}

/// Where the data is fetched.
#[derive(Clone, Debug, PartialEq)]
pub enum Place {
    /// On the server.
    Server,
    /// In the browser, with requests that the server lists; the options contain no secrets.
    Browser,
    /// Nowhere; this is the panel.
    Local(Box<Panel>),
    /// Nowhere: the options are wrong.
    Broken,
}

impl Plan {
    /// Plans one entry of a widget type. `as_written` is the entry as in the file; `resolved` is the same with the
    /// values of environment variables.
    pub(crate) fn make<W: Widget>(kind: Kind, as_written: &Entry, resolved: &Entry) -> Self {
        let mut problems = OptionProblems::default();
        let widget = match read::<W>(resolved, &mut problems) {
            Ok(widget) => {
                widget.check(resolved, &mut problems);
                widget
            }
            Err(problem) => {
                problems.error(problem);
                W::default()
            }
        };
        note_misspelt_options(kind, as_written, &mut problems);
        for (subject, name) in plain_secrets(kind, as_written) {
            problems.note(format!(
                "{subject} is written out. Better put it into an environment variable, such as PORTICO_{}, and write \
                 the name of that in its place.",
                variable_name(&name),
            ));
        }
        let refresh = match resolved.update {
            Update::Never => None,
            Update::Every(interval) => Some(interval),
            Update::Usual => widget.refresh(),
        };
        let place = if problems.errors().is_empty() {
            place(kind, &widget, as_written, resolved, &mut problems)
        } else {
            Place::Broken
        };
        // If the server sends requests that the browser usually sends, the result describes the server, so it is the
        // same for everyone.
        let audience = match (W::REACH, &place) {
            (Reach::Direct, Place::Server) => Audience::Everyone,
            // Data sent by a browser is never shown to anybody else.
            (_, Place::Browser) => Audience::Viewer,
            _ => widget.audience(),
        };
        let origins = if place == Place::Browser { widget.origins() } else { Vec::new() };
        Self { place, refresh, audience, origins, problems }
    }
}

/// Notes options whose names barely differ from ours. If the widget cannot work, this may be the reason, so it is also
/// part of the error.
fn note_misspelt_options(kind: Kind, as_written: &Entry, problems: &mut OptionProblems) {
    if as_written.options.is_empty() {
        return;
    }
    let is_broken = !problems.errors().is_empty();
    for (written, meant) in kind.misspelt_options(&as_written.options) {
        let sentence = format!("There is no option {written}. Did you mean {meant}?");
        if is_broken { problems.error(sentence) } else { problems.note(sentence) }
    }
}

fn place<W: Widget>(
    kind: Kind,
    widget: &W,
    as_written: &Entry,
    resolved: &Entry,
    problems: &mut OptionProblems,
) -> Place {
    let has_secret = || names_variable(&as_written.options) || holds_secret(kind, as_written);
    match W::REACH {
        Reach::ViaServer => Place::Server,
        Reach::Either if !resolved.by_browser => Place::Server,
        Reach::Either if has_secret() => {
            problems.note(KEPT_BACK);
            Place::Server
        }
        Reach::Either => Place::Browser,
        Reach::Direct if resolved.use_proxy || has_secret() => Place::Server,
        Reach::Direct => Place::Browser,
        // No request is sent, so the future is ready at the first poll.
        Reach::Local => match widget.fetch(&Nowhere::default()).now_or_never() {
            Some(Ok(panel)) if shows_variable::<W>(&panel, as_written) => {
                problems.error(SEEN_BY_ALL);
                Place::Broken
            }
            Some(Ok(panel)) => Place::Local(Box::new(panel)),
            Some(Err(error)) => {
                problems.error(error.to_string());
                Place::Broken
            }
            None => Place::Server,
        },
    }
}

/// Whether a panel that depends only on the options shows the value of an environment variable. Pictures on other hosts
/// do not count: the server serves them under its own addresses.
fn shows_variable<W: Widget>(panel: &Panel, as_written: &Entry) -> bool {
    if !names_variable(&as_written.options) {
        return false;
    }
    // Unless the panel shows a value, it is the same with the names of the variables.
    let Ok(widget) = read::<W>(as_written, &mut OptionProblems::default()) else { return true };
    match widget.fetch(&Nowhere::default()).now_or_never() {
        Some(Ok(other)) => without_pictures(panel) != without_pictures(&other),
        _ => true,
    }
}

fn without_pictures(panel: &Panel) -> Panel {
    let mut panel = panel.clone();
    let nothing = SafeUrl::parse("/");
    panel.change_pictures(&mut |url, _| {
        if let Some(nothing) = nothing.clone().filter(|_| url.is_remote()) {
            *url = nothing;
        }
    });
    panel
}

/// Secrets that anybody who reads the file could use: keys and passwords, also inside addresses. Returns a description
/// of each, and the name of its option.
fn plain_secrets(kind: Kind, as_written: &Entry) -> Vec<(String, String)> {
    if as_written.options.is_empty() {
        return Vec::new();
    }
    let mut secret = kind.secret_options();
    // The body of a request may contain a key, but usually does not.
    secret.retain(|name| address::names_secret(name));
    let is_plain = |name: &String, value: &Value| {
        let is_secret = secret.contains(name);
        let texts = match value {
            Value::Array(values) => values.as_slice(),
            value => std::slice::from_ref(value),
        };
        texts.iter().any(|value| match value {
            Value::String(text) if names_a_variable(text) || text.trim().is_empty() => false,
            Value::String(text) => is_secret || !AddressKeys::of(text).certain.is_empty(),
            value => is_secret && value.is_number(),
        })
    };
    let plain = as_written.options.iter().filter(|(name, value)| is_plain(name, value));
    let subject = |name: &String| if secret.contains(name) { name.clone() } else { format!("The key in {name}") };
    let named = |name: &String| if secret.contains(name) { name.clone() } else { format!("{name}Key") };
    plain.map(|(name, _)| (subject(name), named(name))).collect()
}

/// The name of an option in the style of environment variables: `apiKey` becomes `API_KEY`.
fn variable_name(option: &str) -> String {
    let mut name = String::new();
    for character in option.chars() {
        if character.is_ascii_uppercase() && !name.is_empty() && !name.ends_with('_') {
            name.push('_');
        }
        name.push(if character.is_ascii_alphanumeric() { character.to_ascii_uppercase() } else { '_' });
    }
    name
}

/// Whether a secret option is set, or an address that may contain a key.
fn holds_secret(kind: Kind, entry: &Entry) -> bool {
    let secret = kind.secret_options();
    entry.options.iter().any(|(name, value)| {
        let is_set = !matches!(value, Value::Null | Value::Bool(_)) && value != "";
        is_set && secret.iter().any(|secret| secret == name) || carries_key(value)
    })
}

fn carries_key(value: &Value) -> bool {
    match value {
        Value::String(text) => address::has_user(text) || !AddressKeys::of(text).is_empty(),
        Value::Array(values) => values.iter().any(carries_key),
        Value::Object(values) => values.values().any(carries_key),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

/// The `Outside` of a widget that sends no requests.
#[derive(Default)]
struct Nowhere {
    viewer: ViewerHints,
}

#[async_trait]
impl Outside for Nowhere {
    async fn exchange(&self, request: Request) -> Result<Response, FetchError> {
        Err(FetchError::Unreachable {
            host: request.host().to_owned(),
            reason: "this widget makes no requests".to_owned(),
        })
    }

    fn now(&self) -> Moment {
        Moment::default()
    }

    fn side(&self) -> Side {
        Side::Server
    }

    fn viewer(&self) -> &ViewerHints {
        &self.viewer
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn plan(kind: Kind, written: Value) -> Plan {
        let entry = Entry::read(&written, false, &mut OptionProblems::default());
        kind.plan(&entry, &entry)
    }

    #[test]
    fn a_viewer_asks_for_their_own_address() {
        let plan = plan(Kind::PublicIp, json!({ "options": { "hideLocation": "yes" } }));
        assert_eq!(plan.place, Place::Browser);
        assert_eq!((plan.audience, plan.refresh), (Audience::Viewer, Some(Duration::from_secs(1800))));
        assert_eq!(plan.origins, ["https://ipinfo.io"]);
    }

    #[test]
    fn the_server_asks_when_told_to_and_when_there_is_a_secret() {
        for written in [
            json!({ "useProxy": true }),
            json!({ "options": { "apiKey": "key" } }),
            json!({ "options": { "apiKey": "VUE_APP_KEY" } }),
            json!({ "options": { "note": ["DASHY_NOTE"] } }),
        ] {
            let plan = plan(Kind::PublicIp, written.clone());
            assert_eq!((plan.place, plan.audience), (Place::Server, Audience::Everyone), "{written}");
        }
        assert_eq!(plan(Kind::Weather, json!({ "options": { "city": "Rome" } })).place, Place::Server);
    }

    #[test]
    fn the_browser_asks_an_address_of_the_users_own_when_told_to() {
        let place = |entry: Value| {
            let plan = plan(Kind::ApiResponse, entry);
            let kept_back = plan.problems.all().iter().filter(|problem| problem.sentence == KEPT_BACK).count();
            (plan.place, plan.audience, plan.origins, kept_back)
        };
        let url = "https://api.example.com:8443/status?unit=c";
        let options = json!({ "url": url });
        let by_server = |notes| (Place::Server, Audience::Everyone, Vec::<String>::new(), notes);
        assert_eq!(place(json!({ "options": options })), by_server(0));
        assert_eq!(place(json!({ "useProxy": true, "options": options })), by_server(0));
        let origins = vec!["https://api.example.com:8443".to_owned()];
        assert_eq!(
            place(json!({ "useProxy": false, "options": options })),
            (Place::Browser, Audience::Viewer, origins, 0)
        );
        for secret in [
            json!({ "url": "https://api.example.com/?token=abc" }),
            json!({ "url": "https://VUE_APP_HOST/" }),
            json!({ "url": url, "headers": { "X-Key": "abc" } }),
            json!({ "url": url, "method": "POST", "requestBody": { "key": "abc" } }),
            json!({ "url": url, "username": "anna", "password": "abc" }),
        ] {
            assert_eq!(place(json!({ "useProxy": false, "options": secret })), by_server(1), "{secret}");
        }
        let always =
            Entry::read(&json!({ "useProxy": false, "options": options }), true, &mut OptionProblems::default());
        assert_eq!(Kind::ApiResponse.plan(&always, &always).place, Place::Server);
    }

    #[test]
    fn words_of_a_service_are_kept_for_one_language() {
        for (kind, options, expected) in [
            (Kind::Weather, json!({ "city": "Rome" }), Audience::Everyone),
            (Kind::Weather, json!({ "city": "Rome", "apiKey": "key" }), Audience::Language),
            (Kind::WeatherForecast, json!({ "city": "Rome", "apiKey": "key" }), Audience::Language),
            (Kind::WeatherForecast, json!({ "city": "Rome", "apiKey": "key", "lang": "it" }), Audience::Everyone),
            (Kind::PublicHolidays, json!({ "country": "IT" }), Audience::Language),
        ] {
            assert_eq!(plan(kind, json!({ "options": options })).audience, expected, "{options}");
        }
    }

    #[test]
    fn nobody_asks_when_options_are_wrong_or_enough() {
        let broken = plan(Kind::Weather, json!({ "updateInterval": false }));
        assert_eq!((broken.place, broken.refresh), (Place::Broken, None));
        assert_eq!(broken.problems.errors(), ["A city, or lat and lon, is required."]);
        assert!(matches!(plan(Kind::Clock, json!({})).place, Place::Local(_)));
        let every = plan(Kind::Weather, json!({ "updateInterval": 60, "options": { "city": "Rome" } }));
        assert_eq!(every.refresh, Some(Duration::from_secs(60)));
    }

    #[test]
    fn no_value_of_the_environment_is_shown() {
        let planned = |kind: Kind, written: Value| {
            let as_written = Entry::read(&json!({ "options": written }), false, &mut OptionProblems::default());
            let mut resolved = as_written.clone();
            crate::resolve(&mut resolved.options, &|_| Some("k3y".to_owned()), &mut OptionProblems::default());
            kind.plan(&as_written, &resolved)
        };
        let engine = json!({ "engines": { "title": "Find", "url": "https://find.example/VUE_APP_KEY?q=" } });
        for (kind, written) in [
            (Kind::CustomSearch, engine),
            (Kind::Image, json!({ "imagePath": "/VUE_APP_KEY/logo.png" })),
            (Kind::Clock, json!({ "customCityName": "VUE_APP_KEY" })),
        ] {
            let plan = planned(kind, written);
            assert_eq!((plan.place, plan.problems.errors()), (Place::Broken, vec![SEEN_BY_ALL.to_owned()]), "{kind:?}");
        }
        // The server serves this one itself.
        let picture = planned(Kind::Image, json!({ "imagePath": "https://cam.lan/VUE_APP_KEY/still.jpg" }));
        assert!(matches!(picture.place, Place::Local(_)), "{picture:?}");
    }

    #[test]
    fn an_address_with_a_key_is_for_the_server() {
        for address in [
            "https://anna:pw@host.example/",
            "https://host.example/?token=abc",
            "https://host.example/api/3f2504e04f8911d39a0c0305e82c3301",
        ] {
            let plan = plan(Kind::PublicIp, json!({ "options": { "note": [address] } }));
            assert_eq!(plan.place, Place::Server, "{address}");
        }
    }

    #[test]
    fn keys_in_the_file_are_pointed_out() {
        let notes = |kind: Kind, options: Value| {
            let plan = plan(kind, json!({ "options": options }));
            let sentences = plan.problems.all().iter().map(|problem| problem.sentence.clone());
            sentences.filter(|sentence| sentence.contains("environment variable")).collect::<Vec<_>>()
        };
        let named = |name: &str, variable: &str| {
            vec![format!(
                "{name} is written out. Better put it into an environment variable, such as {variable}, and write \
                 the name of that in its place."
            )]
        };
        let url = "https://api.example.com/status";
        for (kind, options, expected) in [
            (Kind::Weather, json!({ "city": "Rome", "apiKey": "0123abc" }), named("apiKey", "PORTICO_API_KEY")),
            (Kind::Weather, json!({ "city": "Rome", "apiKey": 123_456 }), named("apiKey", "PORTICO_API_KEY")),
            (Kind::Weather, json!({ "city": "Rome", "apiKey": "VUE_APP_WEATHER" }), vec![]),
            (Kind::Weather, json!({ "city": "Rome", "apiKey": "" }), vec![]),
            (Kind::Weather, json!({ "city": "Rome" }), vec![]),
            (
                Kind::ApiResponse,
                json!({ "url": "https://a.example/?token=abc" }),
                named("The key in url", "PORTICO_URL_KEY"),
            ),
            (Kind::ApiResponse, json!({ "url": "https://a.example/?token=DASHY_TOKEN" }), vec![]),
            (Kind::ApiResponse, json!({ "url": url, "headers": { "Accept": "text/plain" } }), vec![]),
            (Kind::ApiResponse, json!({ "url": url, "method": "POST", "requestBody": "{ uptime }" }), vec![]),
            (
                Kind::ApiResponse,
                json!({ "url": url, "username": "anna", "password": "abc" }),
                named("password", "PORTICO_PASSWORD"),
            ),
        ] {
            assert_eq!(notes(kind, options.clone()), expected, "{options}");
        }
    }

    #[test]
    fn misspelt_options_are_pointed_out() {
        let problems = |kind: Kind, options: Value| {
            let plan = plan(kind, json!({ "options": options }));
            let sentences = plan.problems.all().iter().map(|problem| problem.sentence.clone());
            (
                plan.problems.errors().len(),
                sentences.filter(|sentence| sentence.contains("Did you")).collect::<Vec<_>>(),
            )
        };
        let asked = |written: &str, meant: &str| vec![format!("There is no option {written}. Did you mean {meant}?")];
        for (kind, options, expected) in [
            (Kind::Notes, json!({ "contnt": "Milk" }), (2, asked("contnt", "content"))),
            (Kind::Notes, json!({ "content": "Milk", "Label": "Shopping" }), (0, asked("Label", "label"))),
            (Kind::Notes, json!({ "content": "Milk", "contnt": "Bread" }), (0, vec![])),
            (Kind::Notes, json!({ "content": "Milk", "colour": "red" }), (0, vec![])),
            (Kind::Weather, json!({ "city": "Rome", "unit": "metric" }), (0, asked("unit", "units"))),
            (Kind::SystemLoad, json!({ "hostnme": "http://nas.lan" }), (2, asked("hostnme", "hostname"))),
            (Kind::Iframe, json!({ "urI": "https://a.example", "updateIntervall": 60 }), {
                let both = [asked("urI", "url"), asked("updateIntervall", "updateInterval")];
                (3, both.concat())
            }),
        ] {
            assert_eq!(problems(kind, options.clone()), expected, "{options}");
        }
    }

    #[test]
    fn what_is_only_odd_is_noted() {
        for (kind, written, expected) in [
            (
                Kind::CryptoPriceChart,
                json!({ "options": { "asset": "bitcoin", "numDays": 90, "chartColor": "pinkish", "dataPoints": 3 } }),
                &[
                    "numDays must be between 1 and 30; 30 counts.",
                    "dataPoints must be between 5 and 100; 5 counts.",
                    "'pinkish' is not a colour; the chart uses the theme's.",
                ][..],
            ),
            (
                Kind::CryptoPriceChart,
                json!({ "updateInterval": 60, "options": { "asset": "bitcoin" } }),
                &["CoinGecko has new values every 5 minutes: an updateInterval below 300 brings nothing new."],
            ),
            (
                Kind::CryptoWatchList,
                json!({ "options": { "limit": 300, "sortBy": "luck", "updateInterval": 30 } }),
                &[
                    "limit must be between 1 and 250; 250 counts.",
                    "Prices are kept for a minute: an updateInterval below 60 brings nothing new.",
                    "sortBy 'luck' is unknown, so marketCap counts. Use marketCap, volume or alphabetical.",
                ],
            ),
            (
                Kind::RssFeed,
                json!({ "updateInterval": 60, "options": { "rssUrl": "https://a.example/feed", "limit": 30 } }),
                &[
                    "Without an apiKey the conversion service returns at most 10 posts; parseLocally shows all.",
                    "The conversion service keeps feeds for a while: an updateInterval below 900 brings nothing new.",
                ],
            ),
            (
                Kind::RssFeed,
                json!({ "updateInterval": 60, "options": { "rssUrl": "http://nas.lan/feed", "limit": 30 } }),
                &[],
            ),
            (
                Kind::PublicIp,
                json!({ "updateInterval": 60 }),
                &["The provider allows 1,000 requests a day: an updateInterval below 90 is too short."],
            ),
            (Kind::PublicIp, json!({ "updateInterval": 60, "options": { "provider": "ipquery" } }), &[]),
            (
                Kind::Joke,
                json!({ "options": { "category": "dark", "safeMode": true } }),
                &["There are no dark jokes in safe mode."],
            ),
            (
                Kind::SystemNetworkTraffic,
                json!({ "options": { "host": "nas", "limit": 1, "chartHeight": "tall" } }),
                &[
                    "limit must be between 2 and 100000; 2 counts.",
                    "chartHeight 'tall' is not a height in pixels; 300 is used.",
                ],
            ),
        ] {
            let plan = plan(kind, written.clone());
            let mut notes: Vec<_> = plan.problems.all().iter().map(|problem| problem.sentence.as_str()).collect();
            let mut expected = expected.to_vec();
            notes.sort_unstable();
            expected.sort_unstable();
            assert_eq!(notes, expected, "{written}");
            assert_ne!(plan.place, Place::Broken, "{written}");
        }
    }
}
