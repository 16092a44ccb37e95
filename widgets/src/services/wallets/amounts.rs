//! Reads amounts in the smallest unit, which may be too large for a float or a 64-bit integer. An amount or an entry of
//! another shape does not affect the others.

use serde::{Deserialize, Deserializer, de::DeserializeOwned};
use serde_json::value::RawValue;

/// For `deserialize_with`: an amount, possibly in quotes; `None` for everything else.
pub(super) fn amount<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<i128>, D::Error> {
    // Other ways to read a number fail with the whole document if it has a fraction or an exponent, or lose digits.
    Ok(Box::<RawValue>::deserialize(deserializer)?.get().trim_matches('"').trim().parse().ok())
}

/// For `deserialize_with`: the entries of a list that can be read. Their amounts keep all digits.
pub(super) fn entries<'de, D: Deserializer<'de>, T: DeserializeOwned>(deserializer: D) -> Result<Vec<T>, D::Error> {
    let entries = Option::<Vec<Box<RawValue>>>::deserialize(deserializer)?.unwrap_or_default();
    // A list could be read as an object, by the order of its fields.
    let objects = entries.iter().filter(|entry| entry.get().starts_with('{'));
    Ok(objects.filter_map(|entry| serde_json::from_str(entry.get()).ok()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Default, PartialEq, Deserialize)]
    #[serde(default)]
    struct Reply {
        #[serde(deserialize_with = "amount")]
        sum: Option<i128>,
        #[serde(deserialize_with = "entries")]
        list: Vec<Reply>,
    }

    #[test]
    fn an_odd_amount_costs_itself_and_an_odd_entry_itself() {
        let text = r#"{ "sum": 123456789012345678901234567, "list": [
            { "sum": 1e40 }, { "sum": 1.5 }, { "sum": "-7 " }, { "sum": { "wei": 1 } }, 3, [4], null, { "sum": 9, "list": 8 }
        ] }"#;
        let read: Reply = serde_json::from_str(text).unwrap();
        assert_eq!(read.sum, Some(123_456_789_012_345_678_901_234_567));
        assert_eq!(read.list.iter().map(|entry| entry.sum).collect::<Vec<_>>(), [None, None, Some(-7), None]);
        assert_eq!(serde_json::from_str::<Reply>(r#"{ "sum": null, "list": null }"#).unwrap(), Reply::default());
    }
}
