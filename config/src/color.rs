//! CSS colours: only what is one by its syntax, so nothing else can be put where a colour stands.

/// The colour, trimmed, if the text is a valid CSS colour.
pub fn parse(text: &str) -> Option<String> {
    let text = text.trim();
    is_color(&text.to_ascii_lowercase(), 0).then(|| text.to_owned())
}

/// Colours may hold colours; this is how deep.
const DEEPEST: usize = 4;

fn is_color(text: &str, depth: usize) -> bool {
    if depth > DEEPEST {
        return false;
    }
    if let Some(digits) = text.strip_prefix('#') {
        return matches!(digits.len(), 3 | 4 | 6 | 8) && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    }
    let Some((function, rest)) = text.split_once('(') else {
        return matches!(text, "transparent" | "currentcolor") || NAMES.binary_search(&text).is_ok();
    };
    let Some(arguments) = rest.strip_suffix(')') else { return false };
    match function {
        "rgb" | "rgba" | "hsl" | "hsla" | "hwb" | "lab" | "lch" | "oklab" | "oklch" => {
            let origin_free = without_origin(arguments, depth);
            origin_free
                .is_some_and(|arguments| (3..=4).contains(&components(arguments).count()) && are_components(arguments))
        }
        "color" => {
            let Some(arguments) = without_origin(arguments, depth) else { return false };
            let arguments = arguments.trim();
            let (space, rest) = arguments.split_once(' ').unwrap_or((arguments, ""));
            let known = space.starts_with("--") && is_identifier(space)
                || matches!(
                    space,
                    "srgb"
                        | "srgb-linear"
                        | "display-p3"
                        | "a98-rgb"
                        | "prophoto-rgb"
                        | "rec2020"
                        | "xyz"
                        | "xyz-d50"
                        | "xyz-d65"
                );
            known && (3..=4).contains(&components(rest).count()) && are_components(rest)
        }
        "color-mix" => is_mix(arguments, depth),
        "light-dark" => {
            let parts = split_top(arguments, ',');
            parts.len() == 2 && parts.iter().all(|part| is_color(part.trim(), depth + 1))
        }
        "var" => is_variable(arguments, |fallback| is_color(fallback, depth + 1)),
        _ => false,
    }
}

/// The arguments behind `from <color>`.
fn without_origin(arguments: &str, depth: usize) -> Option<&str> {
    let Some(rest) = arguments.trim_start().strip_prefix("from ") else { return Some(arguments) };
    let rest = rest.trim_start();
    let end = top_level(rest).find(|(_, character)| *character == ' ').map(|(at, _)| at)?;
    is_color(&rest[..end], depth + 1).then_some(&rest[end..])
}

fn is_mix(arguments: &str, depth: usize) -> bool {
    let parts = split_top(arguments, ',');
    let [method, first, second] = parts.as_slice() else { return false };
    let words: Vec<_> = method.split_whitespace().collect();
    let method_fits =
        words.first() == Some(&"in") && (2..=4).contains(&words.len()) && words.iter().all(|word| is_identifier(word));
    let is_part = |part: &str| {
        let words = split_top(part.trim(), ' ');
        let mut words: Vec<_> = words.into_iter().filter(|word| !word.is_empty()).collect();
        let percentages = words.len();
        words.retain(|word| !is_number(word, &["%"]) || !word.ends_with('%'));
        percentages - words.len() <= 1 && words.len() == 1 && is_color(words[0], depth + 1)
    };
    method_fits && is_part(first) && is_part(second)
}

/// A variable, with a fallback that fits or none.
fn is_variable(arguments: &str, fallback_fits: impl Fn(&str) -> bool) -> bool {
    let (name, fallback) = match arguments.split_once(',') {
        Some((name, fallback)) => (name.trim(), Some(fallback.trim())),
        None => (arguments.trim(), None),
    };
    name.len() > 2 && name.starts_with("--") && is_identifier(name) && fallback.is_none_or(fallback_fits)
}

fn components(arguments: &str) -> impl Iterator<Item = &str> {
    split_top_any(arguments).into_iter().filter(|part| !part.is_empty())
}

fn are_components(arguments: &str) -> bool {
    // Commas and the slash divide; that they stand in the right places matters to the look, not to safety.
    arguments.matches('/').count() <= 1 && components(arguments).all(is_component)
}

fn is_component(text: &str) -> bool {
    const UNITS: [&str; 6] = ["", "%", "deg", "rad", "grad", "turn"];
    if let Some(inner) = text.strip_prefix("var(").and_then(|rest| rest.strip_suffix(')')) {
        return is_variable(inner, is_component);
    }
    if let Some(inner) = text.strip_prefix("calc(").and_then(|rest| rest.strip_suffix(')')) {
        let mut before = ' ';
        let calls_nothing = inner.chars().all(|character| {
            let fits = character.is_ascii_alphanumeric()
                || matches!(character, ' ' | '+' | '-' | '*' | '/' | '.' | '%' | ')')
                || (character == '(' && !before.is_ascii_alphanumeric() && before != '-');
            before = character;
            fits
        });
        return !inner.is_empty() && calls_nothing && balanced(inner);
    }
    // The letters are the channels of a colour that another one is made from.
    let channel =
        matches!(text, "r" | "g" | "b" | "h" | "s" | "l" | "w" | "a" | "c" | "x" | "y" | "z" | "alpha" | "none");
    channel || is_number(text, &UNITS)
}

fn is_number(text: &str, units: &[&str]) -> bool {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let end = digits.find(|character: char| !character.is_ascii_digit() && character != '.').unwrap_or(digits.len());
    let (number, unit) = digits.split_at(end);
    // A number with an exponent ends where its unit begins, so it is tried as a whole too.
    (number.parse::<f64>().is_ok() && units.contains(&unit)) || (unit.starts_with('e') && digits.parse::<f64>().is_ok())
}

fn is_identifier(text: &str) -> bool {
    !text.is_empty()
        && text.chars().all(|character| character.is_ascii_alphanumeric() || matches!(character, '-' | '_'))
}

fn balanced(text: &str) -> bool {
    let mut depth = 0_i32;
    text.chars().all(|character| {
        depth += i32::from(character == '(') - i32::from(character == ')');
        depth >= 0
    }) && depth == 0
}

/// The characters outside of brackets.
fn top_level(text: &str) -> impl Iterator<Item = (usize, char)> {
    let mut depth = 0_i32;
    text.char_indices().filter(move |(_, character)| {
        depth += i32::from(*character == '(');
        let outside = depth <= 0;
        depth -= i32::from(*character == ')');
        outside
    })
}

fn split_top(text: &str, divider: char) -> Vec<&str> {
    split_at_top(text, |character| character == divider)
}

fn split_top_any(text: &str) -> Vec<&str> {
    split_at_top(text, |character| matches!(character, ' ' | ',' | '/' | '\t' | '\n'))
}

fn split_at_top(text: &str, divides: impl Fn(char) -> bool) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut start = 0;
    for (at, character) in top_level(text) {
        if divides(character) {
            parts.push(&text[start..at]);
            start = at + character.len_utf8();
        }
    }
    parts.push(&text[start..]);
    parts
}

/// The 148 colours with a name, in order.
const NAMES: [&str; 148] = [
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
    "turquoise",
    "violet",
    "wheat",
    "white",
    "whitesmoke",
    "yellow",
    "yellowgreen",
];
