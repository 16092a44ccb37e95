//! Which fields of a config want numbers and booleans. What is written there without quotes is one, in any notation;
//! everywhere else `1.10`, `0x1F` or `True` may be meant as text, and stays text.

use serde_json::Value;

#[cfg(feature = "read")]
use crate::model::{Config, block::Block, shape::Rule};

/// The types of a field, and of everything in it.
#[derive(Clone, Copy)]
pub(super) struct FieldTypes(#[cfg(feature = "read")] Option<Rule>);

#[cfg(feature = "read")]
impl FieldTypes {
    /// Those of a whole config file.
    pub const TOP: Self = Self(Some(Rule::Shape(Config::SHAPE)));

    /// Whether a field wants a value of this type.
    pub fn want(self, value: &Value) -> bool {
        match self.0 {
            Some(Rule::Flag) => value.is_boolean(),
            Some(Rule::Number(..)) => value.is_number(),
            Some(Rule::NumberOrFlag) => value.is_boolean() || value.is_number(),
            _ => false,
        }
    }

    /// Those of the elements of a list.
    pub fn of_elements(self) -> Self {
        Self(match self.0 {
            Some(Rule::Shapes(shape, _) | Rule::ShapeOrOldList(_, shape, _)) => Some(Rule::Shape(shape)),
            _ => None,
        })
    }

    /// Those of the value of a key.
    pub fn of_key(self, key: &str) -> Self {
        Self(match self.0 {
            Some(Rule::Shape(shape) | Rule::ShapeOrOldList(shape, ..)) => {
                shape.fields.iter().find(|field| field.key == key).map(|field| field.rule)
            }
            _ => None,
        })
    }
}

/// The editor in the browser does not know the fields: it keeps every such scalar as text, and prints it unchanged.
#[cfg(not(feature = "read"))]
impl FieldTypes {
    pub const TOP: Self = Self();

    pub fn want(self, _: &Value) -> bool {
        false
    }

    pub fn of_elements(self) -> Self {
        self
    }

    pub fn of_key(self, _: &str) -> Self {
        self
    }
}
