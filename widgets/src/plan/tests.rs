use serde_json::{Value, json};

use super::*;

fn plan(kind: Kind, written: Value) -> FetchPlan {
    let entry = Entry::read(&written, false, &mut OptionProblems::default());
    kind.plan(&entry, &entry)
}

#[test]
fn a_viewer_asks_for_their_own_address() {
    let plan = plan(Kind::PublicIp, json!({ "options": { "hideLocation": "yes" } }));
    assert_eq!(plan.place, RunSide::Browser);
    assert_eq!((plan.audience, plan.refresh), (Audience::Viewer, Some(Duration::from_secs(1800))));
    assert_eq!(plan.origins, ["https://ipinfo.io"]);
}

#[test]
fn the_server_queries_if_configured_or_if_there_is_a_secret() {
    for written in [
        json!({ "useProxy": true }),
        json!({ "options": { "apiKey": "key" } }),
        json!({ "options": { "apiKey": "VUE_APP_KEY" } }),
        json!({ "options": { "note": ["DASHY_NOTE"] } }),
    ] {
        let plan = plan(Kind::PublicIp, written.clone());
        assert_eq!((plan.place, plan.audience), (RunSide::Server, Audience::Everyone), "{written}");
    }
    assert_eq!(plan(Kind::Weather, json!({ "options": { "city": "Rome" } })).place, RunSide::Server);
}

#[test]
fn the_browser_queries_the_address_of_the_user_if_configured() {
    let place = |entry: Value| {
        let plan = plan(Kind::ApiResponse, entry);
        let kept_back = plan.problems.all().iter().filter(|problem| problem.sentence == KEPT_BACK).count();
        (plan.place, plan.audience, plan.origins, kept_back)
    };
    let url = "https://api.example.com:8443/status?unit=c";
    let options = json!({ "url": url });
    let by_server = |notes| (RunSide::Server, Audience::Everyone, Vec::<String>::new(), notes);
    assert_eq!(place(json!({ "options": options })), by_server(0));
    assert_eq!(place(json!({ "useProxy": true, "options": options })), by_server(0));
    let origins = vec!["https://api.example.com:8443".to_owned()];
    assert_eq!(
        place(json!({ "useProxy": false, "options": options })),
        (RunSide::Browser, Audience::Viewer, origins, 0)
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
    let always = Entry::read(&json!({ "useProxy": false, "options": options }), true, &mut OptionProblems::default());
    assert_eq!(Kind::ApiResponse.plan(&always, &always).place, RunSide::Server);
}

#[test]
fn words_of_a_service_are_cached_for_one_language() {
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
fn no_request_is_sent_if_options_are_wrong_or_sufficient() {
    let broken = plan(Kind::Weather, json!({ "updateInterval": false }));
    assert_eq!((broken.place, broken.refresh), (RunSide::Broken, None));
    assert_eq!(
        broken.problems.errors(),
        ["Set the option `city` to a place (or set lat and lon), for example `London`."]
    );
    assert!(matches!(plan(Kind::Clock, json!({})).place, RunSide::Local(_)));
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
        assert_eq!((plan.place, plan.problems.errors()), (RunSide::Broken, vec![SEEN_BY_ALL.to_owned()]), "{kind:?}");
    }
    // The server serves this one itself.
    let picture = planned(Kind::Image, json!({ "imagePath": "https://cam.lan/VUE_APP_KEY/still.jpg" }));
    assert!(matches!(picture.place, RunSide::Local(_)), "{picture:?}");
}

#[test]
fn an_address_with_a_key_is_for_the_server() {
    for address in [
        "https://anna:pw@host.example/",
        "https://host.example/?token=abc",
        "https://host.example/api/3f2504e04f8911d39a0c0305e82c3301",
    ] {
        let plan = plan(Kind::PublicIp, json!({ "options": { "note": [address] } }));
        assert_eq!(plan.place, RunSide::Server, "{address}");
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
fn misspelled_options_are_pointed_out() {
    let problems = |kind: Kind, options: Value| {
        let plan = plan(kind, json!({ "options": options }));
        let sentences = plan.problems.all().iter().map(|problem| problem.sentence.clone());
        (plan.problems.errors().len(), sentences.filter(|sentence| sentence.contains("Did you")).collect::<Vec<_>>())
    };
    let suggested = |written: &str, meant: &str| vec![format!("There is no option {written}. Did you mean {meant}?")];
    for (kind, options, expected) in [
        (Kind::Notes, json!({ "contnt": "Milk" }), (2, suggested("contnt", "content"))),
        (Kind::Notes, json!({ "content": "Milk", "Label": "Shopping" }), (0, suggested("Label", "label"))),
        (Kind::Notes, json!({ "content": "Milk", "contnt": "Bread" }), (0, vec![])),
        (Kind::Notes, json!({ "content": "Milk", "colour": "red" }), (0, vec![])),
        (Kind::Weather, json!({ "city": "Rome", "unit": "metric" }), (0, suggested("unit", "units"))),
        (Kind::SystemLoad, json!({ "hostnme": "http://nas.lan" }), (2, suggested("hostnme", "hostname"))),
        (Kind::Iframe, json!({ "urI": "https://a.example", "updateIntervall": 60 }), {
            let both = [suggested("urI", "url"), suggested("updateIntervall", "updateInterval")];
            (3, both.concat())
        }),
    ] {
        assert_eq!(problems(kind, options.clone()), expected, "{options}");
        // A widget that works is shown with them; a broken one has them in its error.
        let shown = plan(kind, json!({ "options": options })).misspelled;
        assert_eq!(shown, if expected.0 == 0 { expected.1 } else { Vec::new() }, "{options}");
    }
}

#[test]
fn what_is_only_odd_is_noted() {
    for (kind, written, expected) in [
        (
            Kind::CryptoPriceChart,
            json!({ "options": { "asset": "bitcoin", "numDays": 90, "chartColor": "pinkish", "dataPoints": 3 } }),
            &[
                "numDays must be between 1 and 30; 30 is used.",
                "dataPoints must be between 5 and 100; 5 is used.",
                "'pinkish' is not a color; the chart uses the theme's.",
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
                "limit must be between 1 and 250; 250 is used.",
                "Prices are kept for a minute: an updateInterval below 60 brings nothing new.",
                "sortBy 'luck' is unknown, so marketCap is used. Use marketCap, volume or alphabetical.",
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
            Kind::Joke,
            json!({ "options": { "category": ["pun", "knock-knock"] } }),
            &[
                "Unknown category 'knock-knock'. The categories are all, programming, pun, dark, spooky, christmas, misc.",
            ],
        ),
        (
            Kind::Apod,
            json!({ "updateInterval": 600 }),
            &[
                "NASA's public key allows 50 requests a day: an updateInterval below 1800 is too short without an apiKey.",
            ],
        ),
        (
            Kind::ExchangeRates,
            json!({ "options": {
                "inputCurrency": "GBP", "outputCurrencies": ["EUR", "U$", { "code": "USD" }], "apiKey": "VUE_APP_KEY",
            } }),
            &[
                "'U$' is not a currency code. Use 3 letters such as GBP.",
                "'{\"code\":\"USD\"}' is not a currency code. Use 3 letters such as GBP.",
            ],
        ),
        (
            Kind::CodeHostProfileStats,
            json!({ "options": { "username": "anna", "repos": ["garden", ["x"]] } }),
            &["repos entries have the form owner/name: [\"x\"]"],
        ),
        (
            Kind::CryptoWatchList,
            json!({ "options": { "assets": ["bitcoin", ["monero"]] } }),
            &["'[\"monero\"]' in assets is not an id of a coin such as bitcoin; it is left out."],
        ),
        (
            Kind::TflStatus,
            json!({ "options": { "linesToShow": ["Central", { "name": "Jubilee" }] } }),
            &["'{\"name\":\"Jubilee\"}' in linesToShow is not the name of a line; it is left out."],
        ),
        (
            Kind::WeatherForecast,
            json!({ "updateInterval": 60, "options": { "city": "Rome" } }),
            &["The weather services have new data every 10 minutes: an updateInterval below 600 brings nothing new."],
        ),
        (
            Kind::VpnStatus,
            json!({ "updateInterval": 30 }),
            &["An `updateInterval` below 60 may exceed the fair-use limit of am.i.mullvad.net."],
        ),
        (
            Kind::Weather,
            json!({ "options": { "city": "Rome", "provider": "met-office", "lat": 41 } }),
            &[
                "provider 'met-office' is unknown. Use openweathermap or open-meteo.",
                "lat and lon count only together, so city is used.",
            ],
        ),
        (
            Kind::TransitDepartures,
            json!({ "options": { "location": "Marienplatz", "filters": { "product": ["bus", "ferry"] } } }),
            &["Unknown product 'ferry'. Use TRAM, UBAHN, SBAHN, BUS."],
        ),
        (
            Kind::SystemNetworkTraffic,
            json!({ "options": { "host": "nas", "limit": 1, "chartHeight": "tall" } }),
            &[
                "limit must be between 2 and 100000; 2 is used.",
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
        assert_ne!(plan.place, RunSide::Broken, "{written}");
    }
}
