//! Styles from the config cannot escape from their place.

use crate::css::{is_theme_name, width, without_tags};

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
