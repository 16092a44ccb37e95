use serde_json::json;

use super::*;

#[test]
fn targets_are_filled_in_and_only_lead_to_web_pages() {
    let entry = json!({ "id": "a/b c", "url": "https://example.com/?x=1", "bad": "javascript:alert(1)", "up": "..", "none": null });
    for (target, expected) in [
        ("https://nas.lan/{id}/edit?n={id}", Some("https://nas.lan/a%2Fb%20c/edit?n=a%2Fb%20c")),
        ("{url}", Some("https://example.com/?x=1")),
        ("{bad}", None),
        ("{bad}{id}", None),
        ("https://nas.lan/{none}", None),
        ("https://nas.lan/{up}/edit", None),
        ("https://nas.lan/{id", None),
        ("/local/{id}", None),
        ("", None),
    ] {
        let entries = entries(&json!({ "name": "", "label": "", "target": target })).unwrap();
        assert_eq!(entries.link(&entry).as_ref().map(SafeUrl::as_str), expected, "{target}");
    }
}

#[test]
fn what_is_wrong_is_named_by_its_position() {
    for (written, expected) in [
        (json!("name"), "mappings must be a list of fields."),
        (
            json!([{ "format": "foo" }, 3]),
            "Entry 1 of mappings: unknown format foo. Entry 2 of mappings must be a mapping of names and values.",
        ),
        (
            json!([{ "additionalField": { "format": "bar" } }]),
            "Entry 1 of mappings, additionalField: unknown format bar.",
        ),
        (json!(["name"]), "Entry 1 of mappings must be a mapping of names and values."),
        (
            json!([{ "field": "a", "remap": { "value": 1, "to": "on" } }]),
            "Entry 1 of mappings: remap must be a list such as [{ value: 1, to: on }, { any: true, to: off }].",
        ),
        (
            json!([{ "remap": [{ "to": "on" }] }]),
            "Entry 1 of mappings: remap must be a list such as [{ value: 1, to: on }, { any: true, to: off }].",
        ),
        (
            json!([{ "additionalField": "change" }]),
            "Entry 1 of mappings: additionalField must be a mapping such as { field: change, color: adaptive }.",
        ),
        (
            json!([{ "additionalField": { "field": { "a": 1 } } }]),
            "Entry 1 of mappings, additionalField: field must be a path such as data.0.name, or a list of its steps.",
        ),
        (json!([{ "label": ["a"] }]), "Entry 1 of mappings: label must be text."),
    ] {
        assert_eq!(fields(&written).unwrap_err(), expected, "{written}");
    }
    let both = "mappings must have name and label for a dynamic-list.";
    for (written, expected) in [
        (json!([]), both),
        (json!({}), both),
        (json!({ "items": "a", "name": "b" }), both),
        (json!({ "name": "b", "label": null }), both),
        (json!({ "name": "", "label": "", "limit": "x" }), "mappings: limit must be a number."),
        (json!({ "name": "", "label": "", "format": "x" }), "mappings: unknown format x."),
    ] {
        assert_eq!(entries(&written).unwrap_err(), expected, "{written}");
    }
    assert!(fields(&json!([{ "field": null, "label": "All" }])).is_ok());
}

#[test]
fn the_mapping_of_a_dynamic_list_may_be_the_only_one_in_a_list() {
    // Alone, it would show the whole response.
    assert!(fields(&json!({ "name": "a", "label": "b" })).is_err());
    assert!(entries(&json!([{ "name": "a", "label": "b" }])).is_ok());
    assert!(entries(&json!([{ "name": "a", "label": "b" }, { "name": "c", "label": "d" }])).is_err());
}

#[test]
fn what_does_not_count_is_noted() {
    let colored = |color: &str| json!({ "additionalField": { "field": "a", "color": color } });
    let fields =
        fields(&json!([colored("GREY"), { "format": "foo" }, "name", colored("Adaptive"), colored("#ff0000"), { "locale": "dutch language", "dateStyle": "tiny" }]))
            .unwrap();
    let entries =
        entries(&json!({ "name": "", "label": "", "limit": 1000, "numeric": "never", "target": "nas.lan/{id}" }))
            .unwrap();
    let mut problems = OptionProblems::default();
    check(&fields, &mut problems);
    entries.check(&mut problems);
    check_names(&json!([{ "label": "A", "path": "a", "scale": 2, "locale": "nl" }]), false, &mut problems);
    check_names(
        &json!({ "items": "a", "name": "b", "label": "c", "format": "date", "link": "d" }),
        true,
        &mut problems,
    );
    let notes: Vec<_> = problems.all().iter().map(|problem| problem.sentence.as_str()).collect();
    let known = "adaptive, green, red, yellow, blue, gray, black, white and theme";
    let format = "format, scale, prefix, suffix, remap, locale, dateStyle, timeStyle, style, numeric";
    let expected = [
        "Entry 2 of mappings: unknown format foo.",
        "Entry 3 of mappings must be a mapping of names and values.",
        &*format!("Entry 5 of mappings: '#ff0000' has no effect; the colors are {known}."),
        "Entry 6 of mappings: dateStyle 'tiny' has no effect; the values are full, long, medium and short.",
        "Entry 6 of mappings: locale 'dutch language' is no language; use one such as en-GB.",
        "limit in mappings must be between 1 and 500; 500 is used.",
        "mappings: numeric 'never' has no effect; the values are always and auto.",
        "target in mappings must begin with http:// or https://; the entries are not links.",
        &format!("Entry 1 of mappings: 'path' has no effect; the names are field, label, additionalField, {format}."),
        &format!("mappings: 'link' has no effect; the names are items, name, label, limit, target, {format}."),
    ];
    assert_eq!((problems.errors(), notes), (Vec::new(), expected.to_vec()));
}

#[test]
fn fields_without_label_are_called_as_in_the_answer() {
    let fields = fields(&json!([{ "field": "a.b", "label": "Name" }, { "field": "a.b" }, { "field": ["c.d"] }, {}]));
    let names: Vec<_> = fields.unwrap().list.iter().map(MappedField::name).collect();
    assert_eq!(
        names,
        ["Name", "b", "c.d"].map(Phrase::foreign).into_iter().chain(["Answer".into()]).collect::<Vec<_>>()
    );
}
