//! The version of what this program stores for itself (docs/upgrade.md).

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

/// The version of records that this program writes.
const CURRENT: u32 = 1;

/// The version of a record, as its field `version`: a token, an outage, a line of the history, and each file that is one record.
///
/// It rises only if older programs must not use a record, for example because they would ignore a new limit of a token. They
/// cannot read it then. A new field that they may ignore needs no new version. A record without the field has version 1; in
/// Rust, give the field `#[serde(default)]`.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct RecordVersion;

impl Serialize for RecordVersion {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u32(CURRENT)
    }
}

impl<'de> Deserialize<'de> for RecordVersion {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match u32::deserialize(deserializer)? {
            ..=CURRENT => Ok(Self),
            newer => Err(D::Error::custom(format!("it has version {newer}, which needs a newer Portico"))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Deserialize, PartialEq, Serialize)]
    struct Record {
        #[serde(default)]
        version: RecordVersion,
        name: String,
    }

    #[test]
    fn records_have_a_version_and_those_of_a_newer_program_cannot_be_read() {
        let record = Record { version: RecordVersion, name: "x".to_owned() };
        assert_eq!(serde_json::to_string(&record).unwrap(), r#"{"version":1,"name":"x"}"#);
        for text in [r#"{"name":"x"}"#, r#"{"version":1,"name":"x","more":[2]}"#] {
            assert_eq!(serde_json::from_str::<Record>(text).unwrap(), record, "{text}");
        }
        let newer = serde_json::from_str::<Record>(r#"{"version":2,"name":"x"}"#).unwrap_err();
        assert!(newer.to_string().starts_with("it has version 2, which needs a newer Portico"), "{newer}");
    }
}
