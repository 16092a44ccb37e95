//! Shapes that options share. They hold defaults and bounds, and read what people write: numbers in quotes, one value
//! in place of a list, `yes` for true.
//!
//! A message of theirs begins with "must", so that it can follow the name of the option.

mod base_address;
mod chart_look;
mod color;
mod list;
mod number;
mod size;
mod text;

pub use base_address::{BaseAddress, WebAddress};
pub use chart_look::ChartLook;
pub use color::Color;
pub use list::{Lenient, OneOrMany};
pub(crate) use number::truth;
pub use number::{Bounded, Flag, Number};
pub use size::Size;
pub use text::{Secret, Text};

/// Writes the schema of a shape that is one word long.
#[cfg(feature = "server")]
macro_rules! schema {
    ($shape:ty, $($json:tt)+) => {
        impl schemars::JsonSchema for $shape {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($shape).into()
            }

            fn inline_schema() -> bool {
                true
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!($($json)+)
            }
        }
    };
}

#[cfg(feature = "server")]
use schema;
