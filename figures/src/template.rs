//! Texts with placeholders: `/api/users/{user}`.

/// A text with the values of its placeholders. `value` returns the value of a name, in the form in which it is inserted;
/// unknown placeholders stay as they are, because braces also occur in JSON and in patterns.
pub fn fill(text: &str, value: &dyn Fn(&str) -> Option<String>) -> String {
    let mut filled = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        filled.push_str(before);
        let found = after.split_once('}').and_then(|(name, after)| Some((value(name)?, after)));
        match found {
            Some((value, after)) => {
                filled.push_str(&value);
                rest = after;
            }
            None => {
                filled.push('{');
                rest = after;
            }
        }
    }
    filled.push_str(rest);
    filled
}

/// The names in braces.
pub(crate) fn names(text: &str) -> Vec<&str> {
    let inner = text.split('{').skip(1).filter_map(|piece| piece.split_once('}').map(|(name, _)| name));
    inner
        .filter(|name| {
            !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_known_placeholders_are_replaced() {
        let value = |name: &str| (name == "key").then(|| "k{key}".to_owned());
        assert_eq!(fill("/a/{key}/b?c={key}", &value), "/a/k{key}/b?c=k{key}");
        assert_eq!(fill("{ a { b } {other} {key", &value), "{ a { b } {other} {key");
        assert_eq!(names("/{a}/{b-c}/{ d }{"), ["a", "b-c"]);
    }
}
