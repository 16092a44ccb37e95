//! Styles from the config cannot leave their place.

use crate::css::{declarations, is_theme_name, variable, width, without_tags};

#[test]
fn custom_styles() {
    fn check(text: &str, expected: Option<&str>) {
        assert_eq!(declarations(text).as_deref(), expected, "{text:?}");
    }
    for (text, expected) in [
        ("border-left: 3px solid gold;", Some("border-left: 3px solid gold;")),
        ("color: #fff; margin: 0 5%", Some("color: #fff; margin: 0 5%;")),
        ("width: calc(100% - 2rem)", Some("width: calc(100% - 2rem);")),
        ("background: url(https://x)", None),
        ("background: u{r}l(x)", None),
        ("background: URL(x); color: red", Some("color: red;")),
        ("width: expression(alert(1))", None),
        ("behavior: x", None),
        ("color: red} body {display: none", Some("color: red body display: none;")),
        ("color: \"red\" <b>", Some("color: red b;")),
        ("transform: rotate(5deg", None),
        ("nothing", None),
        ("a:;:b", None),
        ("", None),
    ] {
        check(text, expected);
    }
}

#[test]
fn variables() {
    fn check(name: &str, value: &str, expected: Option<(&str, &str)>) {
        let found = variable(name, value);
        assert_eq!(found.as_ref().map(|(name, value)| (name.as_str(), value.as_str())), expected, "{name}: {value}");
    }
    for (name, value, expected) in [
        ("primary", "#ffd166", Some(("primary", "#ffd166"))),
        ("--primary", "red", Some(("primary", "red"))),
        (
            "item-shadow",
            "0 2px 4px rgba(0, 0, 0, .5), none",
            Some(("item-shadow", "0 2px 4px rgba(0, 0, 0, .5), none")),
        ),
        ("font-body", "'Open Sans', \"x)\", serif", Some(("font-body", "'Open Sans', \"x)\", serif"))),
        ("a", "red;", Some(("a", "red"))),
        ("a", "url(/x.png)", Some(("a", "url(/x.png)"))),
        ("a", "red; color: blue", None),
        ("a", "red}", None),
        ("a", "</style>", None),
        ("a", "rgb(1", None),
        ("a", "'x", None),
        ("a", "x)", None),
        ("a", "\\65", None),
        ("a", "/* x", None),
        ("a", "", None),
        ("a b", "red", None),
        ("a:b", "red", None),
        ("", "red", None),
    ] {
        check(name, value, expected);
    }
}

#[test]
fn style_sheets_without_tags() {
    for (text, expected) in [
        (".a > .b { color: red; }", ".a > .b { color: red; }"),
        ("<style>.a {}</style>", ".a {}"),
        ("@media (width < 40rem) { .a > .b {} }", "@media (width < 40rem) { .a > .b {} }"),
        ("@media (400px <= width <= 700px) {}", "@media (400px <= width <= 700px) {}"),
        ("</sty<b>le><script>x", "le>x"),
        ("a </style", "a /style"),
        ("<<<</style", "<<<</style".trim_start_matches('<')),
        ("<!-- x -->a", "a"),
    ] {
        assert_eq!(without_tags(text), expected, "{text:?}");
    }
    for text in ["<<a>/style>", "<</style>/style>", "<<<b></b>/style><script>"] {
        let left = without_tags(text);
        assert!(!left.contains("</") && !left.contains("<s"), "{text:?} gave {left:?}");
    }
}

#[test]
fn widths() {
    for (text, expected) in [
        ("1600px", Some("1600px")),
        ("90", Some("90%")),
        ("100", Some("100%")),
        ("101", Some("101px")),
        ("85.5%", Some("85.5%")),
        ("80 rem", Some("80rem")),
        ("50VW", Some("50vw")),
        ("", None),
        ("0", None),
        ("-5px", None),
        ("5cm", None),
        ("calc(1px)", None),
        ("1px;", None),
        ("1.2.3px", None),
    ] {
        assert_eq!(width(text).as_deref(), expected, "{text:?}");
    }
}

#[test]
fn theme_names() {
    for (name, expected) in [
        ("my-theme", true),
        ("Mein Thema ä", true),
        ("", false),
        ("a'b", false),
        ("a\"]", false),
        ("<b>", false),
        ("a\nb", false),
    ] {
        assert_eq!(is_theme_name(name), expected, "{name:?}");
    }
}
