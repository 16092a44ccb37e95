use serde_json::json;

use super::*;

fn schema() -> Schema {
    Schema::new(serde_json::from_str(include_str!("../../../../docs/schema.json")).unwrap())
}

fn field(fields: &[Field], key: &str) -> Field {
    fields.iter().find(|field| field.key == key).unwrap_or_else(|| panic!("{key}")).clone()
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
    assert_eq!(field(&item, "subItems").input, Input::Yaml);
    assert_eq!(field(&item, "statusCheckHeaders").input, Input::Yaml);
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
fn no_form_shows_keys_or_accounts() {
    let schema = schema();
    let Input::Block(auth) = field(&schema.fields("AppConfig"), "auth").input else { panic!("no block") };
    assert!(auth.iter().any(|field| field.key == "oidc") && auth.iter().all(|field| field.key != "users"));
    assert_eq!(to_text(&Input::SecretYaml, Some(&json!({ "X-Key": "hush" }))), "");
    let key = field(&schema.options("pi-hole-stats"), "apiKey");
    assert_eq!(key.input_for(Some(&json!({ "a": "hush" }))), Input::Secret);
    let headers = field(&schema.options("api-response"), "headers");
    assert_eq!(headers.input_for(Some(&json!({ "X-Key": "hush" }))), Input::SecretYaml);
    assert_eq!(headers.input_for(None), Input::SecretYaml);
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
fn labels_are_words() {
    let item = schema().fields("Item");
    assert_eq!(field(&item, "statusCheckUrl").label(), "Status check url");
}
