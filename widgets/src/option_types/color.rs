//! Colours that may stand in a style.

use serde::{Deserialize, Deserializer, Serialize, de};

use super::text::scalar;

/// A CSS colour that is one by its syntax, so that nothing else can be put into a style in its place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Color(String);

impl Color {
    /// Reads hex digits (3, 4, 6 or 8), `rgb()`, `hsl()`, a name, `var(--x)` or the name of a variable, `--x`; and
    /// `light-dark()` of two of these.
    #[must_use]
    pub fn parse(written: &str) -> Option<Self> {
        let written = written.trim();
        if is_variable(written) {
            return Some(Self(format!("var({written})")));
        }
        (is_single(written) || is_composed(written)).then(|| Self(written.to_owned()))
    }

    /// A shade of the colour, nearer to the colour of the text around it: how it is told apart where it is used so many
    /// times before. There are three; then they begin again.
    #[must_use]
    pub fn shade(self, before: usize) -> Self {
        match [0, 40, 70][before % 3] {
            share if share > 0 && is_single(&self.0) => {
                Self(format!("color-mix(in oklab, {}, currentcolor {share}%)", self.0))
            }
            _ => self,
        }
    }

    /// A colour of ours.
    ///
    /// # Panics
    ///
    /// If it is none, which the first test that draws with it finds.
    #[must_use]
    pub fn fixed(css: &'static str) -> Self {
        Self::parse(css).expect("colours in the code are colours")
    }

    /// The colour as CSS.
    #[must_use]
    pub fn css(&self) -> &str {
        &self.0
    }
}

/// Whether a text is a colour without others in it.
fn is_single(written: &str) -> bool {
    let lower = written.to_ascii_lowercase();
    if let Some(digits) = lower.strip_prefix('#') {
        return matches!(digits.len(), 3 | 4 | 6 | 8) && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    }
    let Some((function, rest)) = lower.split_once('(') else { return NAMES.binary_search(&lower.as_str()).is_ok() };
    let arguments = rest.strip_suffix(')').map(str::trim);
    match function {
        "rgb" | "rgba" | "hsl" | "hsla" => arguments.is_some_and(are_components),
        // Names of variables have capitals, so the text as written counts.
        "var" => {
            let name = written.get(4..written.len().saturating_sub(1)).unwrap_or_default();
            arguments.is_some() && is_variable(name.trim())
        }
        _ => false,
    }
}

/// Whether a text is one colour for each scheme, or what [`Color::shade`] writes.
fn is_composed(written: &str) -> bool {
    let inside = |start: &str, end: &str| written.strip_prefix(start)?.strip_suffix(end);
    if let Some(pair) = inside("light-dark(", ")") {
        let halves = |at: usize| (pair[..at].trim(), pair[at + 1..].trim());
        return pair
            .match_indices(',')
            .map(|(at, _)| halves(at))
            .any(|(one, other)| is_single(one) && is_single(other));
    }
    inside("color-mix(in oklab, ", "%)")
        .and_then(|mix| mix.rsplit_once(", currentcolor "))
        .is_some_and(|(color, share)| is_single(color) && ["40", "70"].contains(&share))
}

/// Whether a text is the name of a CSS variable.
fn is_variable(text: &str) -> bool {
    let rest = text.strip_prefix("--").unwrap_or_default();
    !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
}

/// Whether these are three or four numbers, with their units.
fn are_components(arguments: &str) -> bool {
    let parts = arguments.split(|character: char| character == ',' || character == '/' || character.is_whitespace());
    let mut count = 0;
    parts.filter(|part| !part.is_empty()).all(|part| {
        count += 1;
        let units = ["%", "deg", "rad", "grad", "turn"];
        let number = units.iter().find_map(|unit| part.strip_suffix(unit)).unwrap_or(part);
        let is_plain = number.bytes().all(|byte| byte.is_ascii_digit() || b"+-.".contains(&byte));
        part == "none" || is_plain && number.parse::<f64>().is_ok()
    }) && (3..=4).contains(&count)
}

impl<'de> Deserialize<'de> for Color {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::parse(&scalar(deserializer)?).ok_or_else(|| de::Error::custom("must be a CSS colour"))
    }
}

#[cfg(feature = "server")]
super::schema!(Color, { "type": "string" });

/// The names of CSS colours, sorted.
const NAMES: [&str; 150] = [
    "aliceblue",
    "antiquewhite",
    "aqua",
    "aquamarine",
    "azure",
    "beige",
    "bisque",
    "black",
    "blanchedalmond",
    "blue",
    "blueviolet",
    "brown",
    "burlywood",
    "cadetblue",
    "chartreuse",
    "chocolate",
    "coral",
    "cornflowerblue",
    "cornsilk",
    "crimson",
    "currentcolor",
    "cyan",
    "darkblue",
    "darkcyan",
    "darkgoldenrod",
    "darkgray",
    "darkgreen",
    "darkgrey",
    "darkkhaki",
    "darkmagenta",
    "darkolivegreen",
    "darkorange",
    "darkorchid",
    "darkred",
    "darksalmon",
    "darkseagreen",
    "darkslateblue",
    "darkslategray",
    "darkslategrey",
    "darkturquoise",
    "darkviolet",
    "deeppink",
    "deepskyblue",
    "dimgray",
    "dimgrey",
    "dodgerblue",
    "firebrick",
    "floralwhite",
    "forestgreen",
    "fuchsia",
    "gainsboro",
    "ghostwhite",
    "gold",
    "goldenrod",
    "gray",
    "green",
    "greenyellow",
    "grey",
    "honeydew",
    "hotpink",
    "indianred",
    "indigo",
    "ivory",
    "khaki",
    "lavender",
    "lavenderblush",
    "lawngreen",
    "lemonchiffon",
    "lightblue",
    "lightcoral",
    "lightcyan",
    "lightgoldenrodyellow",
    "lightgray",
    "lightgreen",
    "lightgrey",
    "lightpink",
    "lightsalmon",
    "lightseagreen",
    "lightskyblue",
    "lightslategray",
    "lightslategrey",
    "lightsteelblue",
    "lightyellow",
    "lime",
    "limegreen",
    "linen",
    "magenta",
    "maroon",
    "mediumaquamarine",
    "mediumblue",
    "mediumorchid",
    "mediumpurple",
    "mediumseagreen",
    "mediumslateblue",
    "mediumspringgreen",
    "mediumturquoise",
    "mediumvioletred",
    "midnightblue",
    "mintcream",
    "mistyrose",
    "moccasin",
    "navajowhite",
    "navy",
    "oldlace",
    "olive",
    "olivedrab",
    "orange",
    "orangered",
    "orchid",
    "palegoldenrod",
    "palegreen",
    "paleturquoise",
    "palevioletred",
    "papayawhip",
    "peachpuff",
    "peru",
    "pink",
    "plum",
    "powderblue",
    "purple",
    "rebeccapurple",
    "red",
    "rosybrown",
    "royalblue",
    "saddlebrown",
    "salmon",
    "sandybrown",
    "seagreen",
    "seashell",
    "sienna",
    "silver",
    "skyblue",
    "slateblue",
    "slategray",
    "slategrey",
    "snow",
    "springgreen",
    "steelblue",
    "tan",
    "teal",
    "thistle",
    "tomato",
    "transparent",
    "turquoise",
    "violet",
    "wheat",
    "white",
    "whitesmoke",
    "yellow",
    "yellowgreen",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_colours_are_colours() {
        for (written, expected) in [
            ("#7cd6fd", Some("#7cd6fd")),
            (" #FFF8 ", Some("#FFF8")),
            ("rgb(1, 2, 3)", Some("rgb(1, 2, 3)")),
            ("hsl(120deg 50% 50% / .5)", Some("hsl(120deg 50% 50% / .5)")),
            ("RebeccaPurple", Some("RebeccaPurple")),
            ("transparent", Some("transparent")),
            ("--widget-text-color", Some("var(--widget-text-color)")),
            ("var(--myColor)", Some("var(--myColor)")),
            ("#12345", None),
            ("#ggg", None),
            ("rgb(1,2)", None),
            ("rgb(1,2,url(x))", None),
            ("var(--x;color:red)", None),
            ("var(--x, url(//evil))", None),
            ("red;background:url(x)", None),
            ("light-dark(rgb(1, 2, 3), #fff)", Some("light-dark(rgb(1, 2, 3), #fff)")),
            ("light-dark(red, url(x))", None),
            ("light-dark(red)", None),
            ("light-dark(light-dark(red, red), red)", None),
            (
                "color-mix(in oklab, var(--myColor), currentcolor 40%)",
                Some("color-mix(in oklab, var(--myColor), currentcolor 40%)"),
            ),
            ("color-mix(in oklab, url(x), currentcolor 40%)", None),
            ("color-mix(in oklab, red, currentcolor 4;0%)", None),
            ("reddish", None),
            ("--", None),
            ("", None),
        ] {
            assert_eq!(Color::parse(written).as_ref().map(Color::css), expected, "{written:?}");
        }
    }

    #[test]
    fn shades_are_colours() {
        for (written, before, expected) in [
            ("red", 0, "red"),
            ("red", 1, "color-mix(in oklab, red, currentcolor 40%)"),
            ("red", 2, "color-mix(in oklab, red, currentcolor 70%)"),
            ("red", 3, "red"),
            ("light-dark(red, blue)", 1, "light-dark(red, blue)"),
        ] {
            let shade = Color::fixed(written).shade(before);
            assert_eq!(shade.css(), expected);
            assert_eq!(Color::parse(shade.css()), Some(shade));
        }
    }

    #[test]
    fn the_names_are_sorted() {
        assert!(NAMES.is_sorted());
    }
}
