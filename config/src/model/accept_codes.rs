//! The HTTP codes that count as up.

/// Parses codes separated by commas or spaces: `401`, `2xx`, `200-299`. Returns the inclusive ranges, and the parts
/// that are not codes. Stray quotes are stripped.
pub fn accept_codes(text: &str) -> (Vec<(u16, u16)>, Vec<String>) {
    let text = text.replace(['\'', '"'], "");
    let mut wrong = Vec::new();
    let parts = text.split([',', ' ', ';']).filter(|part| !part.is_empty());
    let codes = parts
        .filter_map(|part| {
            let code = accept_code(part);
            if code.is_none() {
                wrong.push(part.to_owned());
            }
            code
        })
        .collect();
    (codes, wrong)
}

fn accept_code(part: &str) -> Option<(u16, u16)> {
    let code = |text: &str| text.parse().ok().filter(|code| (100..=999).contains(code));
    if let Some(class) = part.strip_suffix("xx").or_else(|| part.strip_suffix("XX")) {
        let first = class.parse::<u16>().ok().filter(|class| (1..=9).contains(class))? * 100;
        return Some((first, first + 99));
    }
    match part.split_once('-') {
        Some((from, to)) => Some((code(from)?, code(to)?)),
        None => Some((code(part)?, code(part)?)),
    }
}
