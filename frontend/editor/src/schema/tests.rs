use std::collections::BTreeSet;

use serde_json::json;

use super::*;
use crate::texts::tests::FIELD_TEXTS;

pub(super) fn schema() -> Schema {
    Schema::new(serde_json::from_str(include_str!("../../../../docs/schema.json")).unwrap())
}

fn field(fields: &[SchemaField], key: &str) -> SchemaField {
    fields.iter().find(|field| field.key == key).unwrap_or_else(|| panic!("{key}")).clone()
}

fn rows(fields: &[SchemaField], key: &str) -> Rows {
    let Input::Rows(rows) = field(fields, key).input else { panic!("{key} has no rows") };
    rows
}

#[test]
fn forms_follow_from_the_schema() {
    let item = schema().fields("Item");
    assert_eq!(field(&item, "title").input, Input::Text);
    assert!(field(&item, "title").required && !field(&item, "title").about.is_empty());
    assert_eq!(field(&item, "icon").input, Input::Text);
    assert_eq!(field(&item, "color").input, Input::Text);
    assert!(matches!(field(&item, "target").input, Input::Choice(words) if words.contains(&"modal".to_owned())));
    assert_eq!(field(&item, "tags").input, Input::List(false));
    assert_eq!(field(&item, "hotkey").input, Input::Number(Some(0.into()), Some(9.into())));
    assert_eq!(field(&item, "statusCheck").input, Input::Flag);
    assert_eq!(rows(&item, "subItems").shape, Shape::List);
    assert_eq!(rows(&item, "statusCheckHeaders").shape, Shape::Mapping);
    assert!(matches!(field(&item, "displayData").input, Input::Block(fields) if fields.len() > 3));
    assert!(item.iter().all(|field| field.key != "id"));
    let helpers: Vec<_> = item.iter().filter_map(|field| Some((field.key.as_str(), field.helper?))).collect();
    assert_eq!(helpers, [("icon", "icons"), ("color", "colors"), ("backgroundColor", "colors")]);
    assert_eq!(field(&schema().options("stock-price-chart"), "chartColor").helper, Some("colors"));
    let section = schema().fields("Section");
    let Input::Block(display) = field(&section, "displayData").input else { panic!("no block") };
    assert_eq!(field(&display, "collapsed").input, Input::Flag);
    assert!(schema().fields("PageInfo").len() > 5 && schema().fields("Widget").len() > 5);
}

#[test]
fn every_type_of_widget_has_a_form() {
    let schema = schema();
    let options = schema.options("Pi-Hole-Stats");
    let key = field(&options, "apiKey");
    assert_eq!(
        (key.input_for(Some(&json!("secret"))), to_text(&Input::Secret, Some(&json!("secret")))),
        (Input::Secret, String::new())
    );
    let names = &schema.0["$defs"]["Widget"]["properties"]["type"]["anyOf"][0]["enum"];
    let mut with_options = 0;
    for name in names.as_array().unwrap() {
        let options = schema.options(name.as_str().unwrap());
        with_options += usize::from(!options.is_empty());
    }
    assert!(with_options > 150, "{with_options}");
    assert!(schema.options("made-up").is_empty());
}

#[test]
fn no_form_shows_keys_or_hashes() {
    let schema = schema();
    let Input::Block(auth) = field(&schema.fields("AppConfig"), "auth").input else { panic!("no block") };
    let accounts = rows(&auth, "users");
    assert_eq!(field(&accounts.fields, "hash").input, Input::NewPassword);
    assert_eq!(schema.accounts().unwrap().input, Input::Rows(accounts));
    for input in [Input::SecretYaml, Input::SecretList, Input::Secret, Input::NewPassword] {
        assert_eq!(to_text(&input, Some(&json!({ "X-Key": "hush" }))), "");
    }
    let key = field(&schema.options("pi-hole-stats"), "apiKey");
    assert_eq!(key.input_for(Some(&json!({ "a": "hush" }))), Input::Secret);
    assert_eq!(field(&schema.options("cron-checks"), "apiKey").input, Input::SecretList);
    let headers = field(&schema.options("api-response"), "headers");
    let Input::Rows(rows) = &headers.input else { panic!("no rows") };
    assert_eq!(field(&rows.fields, VALUE).input, Input::Secret);
    // What does not fit is not shown either.
    assert_eq!(headers.input_for(Some(&json!(["hush"]))), Input::SecretYaml);
    assert_eq!(field(&auth, "users").input_for(Some(&json!(["hush"]))), Input::SecretYaml);
}

#[test]
fn only_free_form_values_are_edited_as_yaml() {
    let schema = schema();
    let mut found = Vec::new();
    for name in ["Item", "SubItem", "Section", "Page", "PageInfo", "AppConfig", "NavLink"] {
        let mut fields = schema.fields(name);
        // The form of a section leaves its elements out: each has a form of its own.
        fields.retain(|field| name != "Section" || !["items", "widgets"].contains(&field.key.as_str()));
        note_yaml(name, &fields, &mut found);
    }
    let names = &schema.0["$defs"]["Widget"]["properties"]["type"]["anyOf"][0]["enum"];
    for name in names.as_array().unwrap().iter().filter_map(Value::as_str) {
        note_yaml(name, &schema.options(name), &mut found);
    }
    // The body of a request may be any JSON.
    found.retain(|place| !place.ends_with(".requestBody"));
    assert_eq!(found, [] as [String; 0]);
}

fn note_yaml(place: &str, fields: &[SchemaField], found: &mut Vec<String>) {
    for field in fields {
        let place = format!("{place}.{}", field.key);
        match &field.input {
            Input::Yaml | Input::SecretYaml => found.push(place),
            Input::Block(fields) | Input::Rows(Rows { fields, .. }) => note_yaml(&place, fields, found),
            _ => {}
        }
    }
}

#[test]
fn what_is_shown_is_entered_again() {
    for (input, value) in [
        (Input::Text, json!("a: b")),
        (Input::Number(None, None), json!(3)),
        (Input::Number(None, None), json!(0.5)),
        (Input::List(false), json!(["a", "b c"])),
        (Input::List(true), json!("a")),
        (Input::Yaml, json!({ "a": [1, { "b": null }] })),
        (Input::Yaml, json!([])),
    ] {
        assert_eq!(parse(&input, &to_text(&input, Some(&value))), Ok(Some(value)), "{input:?}");
    }
    assert_eq!(parse(&Input::Text, " "), Ok(None));
    assert!(parse(&Input::Number(None, None), "x").is_err() && parse(&Input::Yaml, "a: [").is_err());
}

#[test]
fn lists_of_texts_keep_their_commas_and_their_form() {
    let fonts = "https://fonts.googleapis.com/css2?family=Lora:wght@0,400;1,700";
    let settings = schema().fields("AppConfig");
    let sheets = field(&settings, "externalStyleSheet");
    let colors = field(&schema().options("covid-stats"), "chartColors");
    for (field, value) in [
        (&sheets, json!([fonts, "https://b.example/y.css"])),
        (&sheets, json!([fonts])),
        (&colors, json!(["rgb(1, 2, 3)", "red"])),
        (&colors, json!("rgb(1, 2, 3)")),
        (&colors, json!(["red"])),
        (&colors, json!("one, two")),
        (&field(&schema().fields("Item"), "tags"), json!(["a, b", "\"c\"", ""])),
    ] {
        let input = field.input_for(Some(&value));
        assert!(matches!(input, Input::List(_)), "{value}");
        let read = parse(&input, &to_text(&input, Some(&value))).unwrap().unwrap();
        assert_eq!(as_before(Some(&value), &input, read), value);
    }
    assert_eq!(parse(&Input::SecretList, "\"a,b\", c"), Ok(Some(json!(["a,b", "c"]))));
    assert_eq!(parse(&Input::List(false), " , "), Ok(None));
    assert_eq!(sheets.input_for(Some(&json!(["two\nlines"]))), Input::Yaml);
}

#[test]
fn what_does_not_fit_a_field_is_edited_as_yaml() {
    let item = schema().fields("Item");
    assert_eq!(field(&item, "tags").input_for(Some(&json!([1]))), Input::Yaml);
    assert_eq!(field(&item, "statusCheck").input_for(Some(&json!("maybe"))), Input::Yaml);
    assert_eq!(field(&item, "title").input_for(Some(&json!(5))), Input::Text);
}

#[test]
fn values_are_set_by_their_path_and_leave_no_empty_mapping() {
    let mut value = json!({ "title": "A", "x-own": 1 });
    let path = ["displayData".to_owned(), "hideForGuests".to_owned()];
    set(&mut value, &path, Some(true.into()));
    assert_eq!(value, json!({ "title": "A", "x-own": 1, "displayData": { "hideForGuests": true } }));
    assert_eq!(get(&value, &path), Some(&json!(true)));
    set(&mut value, &path, None);
    assert_eq!(value, json!({ "title": "A", "x-own": 1 }));
}

#[test]
fn colors_and_lists_of_them_have_a_dialog() {
    let chart = schema().options("covid-stats");
    let of = |key: &str| (field(&chart, key).helper, field(&chart, key).input);
    assert_eq!(of("chartColor"), (Some("colors"), Input::Text));
    assert_eq!(of("chartColors"), (Some("palette"), Input::List(true)));
}

#[test]
fn addresses_that_cannot_be_opened_are_noticed() {
    for text in ["htp:/bad url", "htp://nas.lan", "http:nas.lan", "https:/nas.lan", "nas.lan/a b"] {
        assert!(misspelled_address(text).is_some(), "{text}");
    }
    for text in [
        "",
        "nas.lan:8080/a",
        "http://nas.lan",
        " https://nas.lan/a%20b ",
        "mailto:ann@example.org",
        "/page",
        "ssh://nas",
    ] {
        assert_eq!(misspelled_address(text), None, "{text}");
    }
}

#[test]
fn old_values_are_not_offered_and_defaults_that_are_null_are_none() {
    let settings = schema().fields("AppConfig");
    assert!(matches!(field(&settings, "layout").input, Input::Choice(words) if !words.contains(&"sidebar".to_owned())));
    assert!(!field(&settings, "layout").about.contains("sidebar"));
    assert_eq!(field(&schema().options("weather"), "units").default, None);
    assert!(field(&schema().options("weather"), "city").is_needed());
    let helpers: Vec<_> = settings.iter().filter_map(|field| Some((field.key.as_str(), field.helper?))).collect();
    for helped in [("theme", "themes"), ("dayTheme", "themes"), ("nightTheme", "themes"), ("language", "languages")] {
        assert!(helpers.contains(&helped), "{helped:?}");
    }
}

#[test]
fn labels_are_words() {
    let item = schema().fields("Item");
    assert_eq!(field(&item, "statusCheckUrl").label, "Address to check");
}

/// The value of rows that were read and not changed.
fn written_again(rows: &Rows, value: &Value) -> Value {
    let read = rows.read(Some(value)).unwrap_or_else(|| panic!("{value} does not fit"));
    rows.write(Some(value), read).unwrap().unwrap()
}

#[test]
fn untouched_rows_are_written_unchanged() {
    let schema = schema();
    let links = rows(&schema.fields("PageInfo"), "navLinks");
    let calendars = rows(&schema.options("calendar"), "calendars");
    let colors = rows(&schema.fields("AppConfig"), "customColors");
    let headers = rows(&schema.options("api-response"), "headers");
    for (rows, value) in [
        (&links, json!([{ "title": "A", "x-own": { "deep": [1] } }, { "path": "/b" }])),
        (&calendars, json!(["https://a.example", { "url": "https://b.example" }, { "url": "c", "name": "C" }])),
        (&calendars, json!("https://a.example")),
        (&calendars, json!({ "url": "https://a.example", "x-own": true })),
        (&colors, json!({ "nord": { "primary": "#fff", "x": 1, "gone": null }, "mine": null })),
        (&headers, json!({ "X-Key": "hush", "X-Number": 7 })),
    ] {
        assert_eq!(written_again(rows, &value), value);
    }
    assert_eq!(links.read(Some(&json!(["a"]))), None);
    assert_eq!(links.read(Some(&json!({ "title": "A" }))), None);
    assert_eq!(colors.read(Some(&json!({ "nord": "red" }))), None);
    assert_eq!(links.write(Some(&json!([])), Vec::new()), Ok(None));
}

#[test]
fn rows_are_changed_one_by_one() {
    let schema = schema();
    let headers = rows(&schema.options("api-response"), "headers");
    let before = json!({ "X-Key": "hush", "Accept": "text/plain" });
    let mut read = headers.read(Some(&before)).unwrap();
    set(&mut read[0], &[NAME.to_owned()], Some("X-Token".into()));
    read.push(json!({}));
    assert_eq!(
        headers.write(Some(&before), read.clone()),
        Ok(Some(json!({ "X-Token": "hush", "Accept": "text/plain" })))
    );
    read[2] = json!({ "name": "Accept", "value": "x" });
    assert_eq!(headers.write(Some(&before), read.clone()), Err("`Accept` is there twice.".to_owned()));
    read[2] = json!({ "value": "x" });
    assert!(headers.write(Some(&before), read).unwrap_err().contains("name of each header"));

    let engines = rows(&schema.options("custom-search"), "engines");
    let one = json!({ "title": "A", "url": "https://a.example" });
    let other = json!({ "title": "B" });
    assert_eq!(engines.write(Some(&one), vec![other.clone()]), Ok(Some(other.clone())));
    assert_eq!(engines.write(Some(&one), vec![one.clone(), other.clone()]), Ok(Some(json!([one, other]))));
    assert_eq!(engines.write(None, vec![other.clone()]), Ok(Some(json!([other]))));

    let mappings = rows(&schema.options("api-response"), "mappings");
    assert_eq!((field(&mappings.fields, "field").input, mappings.shape), (Input::Text, Shape::OneOrMany));
    let format = rows(&schema.options("prometheus-data"), "format");
    assert_eq!(field(&format.fields, "type").input, Input::Text);
    assert_eq!(format.read(Some(&json!("bytes"))), Some(vec![json!({ "type": "bytes" })]));
    assert_eq!(format.write(None, vec![json!({ "type": "bytes" })]), Ok(Some("bytes".into())));
    assert_eq!(
        format.write(Some(&"bytes".into()), vec![json!({ "type": "bytes", "scale": 8 })]),
        Ok(Some(json!({ "type": "bytes", "scale": 8 })))
    );
    assert_eq!(written_again(&format, &json!({ "type": "bytes" })), json!({ "type": "bytes" }));
    assert_eq!(format.write(None, vec![json!({})]), Ok(None));
}

#[test]
fn rows_need_what_is_required_unless_the_file_lacks_it_already() {
    let schema = schema();
    let auth = schema.fields("Auth").into_iter().map(|field| (vec![field.key.clone()], field)).collect::<Vec<_>>();
    let missing = |before: Value, value: Value| missing_in_rows(&auth, &before, &value);
    let users = |users: Value| json!({ "users": users });
    assert_eq!(missing(json!({}), users(json!([{ "user": "ann", "hash": "$argon2id$x" }]))), None);
    assert_eq!(missing(json!({}), users(json!([{ "user": "ann", "password": "DASHY_ANN" }]))), None);
    assert_eq!(missing(json!({}), users(json!([{ "user": "ann" }]))).unwrap(), "password of each account");
    assert_eq!(missing(json!({}), users(json!([{ "hash": "$argon2id$x" }]))).unwrap(), "user of each account");
    assert_eq!(missing(users(json!([{}])), users(json!([{}]))), None);
}

#[test]
fn unusual_fields_of_a_row_appear_when_they_are_set() {
    let items = rows(&schema().fields("Item"), "subItems");
    let shown = |row: Value| {
        let shown = (0..items.fields.len()).filter(|position| items.shows("subItems", *position, &row));
        shown.map(|position| items.fields[position].key.as_str()).collect::<Vec<_>>()
    };
    assert_eq!(shown(json!({ "title": "A" })), ["title", "description", "url", "icon"]);
    let order = items.order("subItems").into_iter().map(|position| items.fields[position].key.as_str());
    assert_eq!(order.take(4).collect::<Vec<_>>(), ["title", "url", "icon", "description"]);
    let filled = items.ordered(&json!({ "url": "https://a.example", "title": "A" }));
    assert_eq!(filled.to_string(), r#"{"title":"A","url":"https://a.example"}"#);
    assert_eq!(shown(json!({ "rel": "me" })), ["title", "description", "url", "icon", "rel"]);
}

/// Names and abbreviations among the choices, which are the same in all languages.
const NAMES: [&str; 65] = [
    "°C",
    "°F",
    "Allesedv",
    "Alpha vantage",
    "Apprise",
    "Besticon",
    "Blacklistchecker",
    "CPU",
    "Brave",
    "Challenger",
    "Currents",
    "Dnsbl",
    "Drone",
    "Duckduckgo",
    "Ecosia",
    "Faviconkit",
    "Freeipapi",
    "Gitea",
    "Github",
    "Google",
    "Google news",
    "Gotify",
    "HTML",
    "ID",
    "Iconhorse",
    "Ip api",
    "Ipgeolocation",
    "Ipinfo",
    "Ipquery",
    "Json",
    "Kagi",
    "Mcapi",
    "Metager",
    "Mojeek",
    "Ntfy",
    "Open meteo",
    "Openweathermap",
    "Peekier",
    "Perplexity",
    "Qemu",
    "Qwant",
    "Rdap",
    "Reddit",
    "Searx bar",
    "Searx bissisoft",
    "Searx info",
    "Searx tiekoetter",
    "Stackoverflow",
    "Startpage",
    "Swisscows",
    "Uruky",
    "Webmasterapi",
    "Whoapi",
    "Whoogle",
    "Wikipedia",
    "Wolframalpha",
    "Woodpecker",
    "Yahoo",
    "Yandex",
    "Youtube",
    "atp",
    "bbc",
    "itf",
    "lxc",
    "wta",
];

/// Looks up everything that forms say about fields.
fn look_up(fields: &[SchemaField]) {
    for field in fields {
        match &field.input {
            Input::Choice(words) => {
                for word in words {
                    // What no label says in words is a name too.
                    if choice_label(&field.key, word) == *word {
                        _ = field_text(word);
                    }
                }
            }
            Input::Block(inner) => look_up(inner),
            Input::Rows(rows) => look_up(&rows.fields),
            _ => {}
        }
    }
}

/// Looks up all descriptions of a schema, which the editor for YAML shows.
fn look_up_descriptions(schema: &Value) {
    if let Some(description) = schema["description"].as_str() {
        _ = field_text(description);
    }
    match schema {
        Value::Array(elements) => elements.iter().for_each(look_up_descriptions),
        Value::Object(members) => members.values().for_each(look_up_descriptions),
        _ => {}
    }
}

#[test]
fn what_is_known_about_fields_is_listed_for_translators() {
    let schema = schema();
    for definition in ["PageInfo", "AppConfig", "Page", "Section", "Item", "SubItem", "Widget"] {
        look_up(&schema.fields(definition));
    }
    for rule in schema.0["$defs"]["Widget"]["allOf"].as_array().unwrap() {
        for kind in rule["if"]["properties"]["type"]["enum"].as_array().into_iter().flatten() {
            look_up(&schema.options(kind.as_str().unwrap()));
        }
    }
    look_up_descriptions(&schema.0);
    let texts: BTreeSet<String> = FIELD_TEXTS.take().into_iter().filter(|text| !text.is_empty()).collect();
    assert!(texts.len() > 1000 && texts.contains("Address to check"), "{}", texts.len());
    // A line for each, in the same notation as JSON.
    let english = include_str!("../../../../languages/texts/en.toml");
    let list =
        english.split_once("\nfields = [").map_or("", |(_, list)| list.split_once("\n]").map_or("", |(list, _)| list));
    let lines = list.lines().map(|line| line.trim().trim_end_matches(','));
    let listed: BTreeSet<String> = lines.filter_map(|line| serde_json::from_str(line).ok()).collect();
    let missing: Vec<_> = texts.difference(&listed).filter(|text| !NAMES.contains(&text.as_str())).collect();
    assert!(missing.is_empty(), "add these to the fields of texts/en.toml: {missing:#?}");
}
