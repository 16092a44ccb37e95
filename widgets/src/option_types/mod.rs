//! Types for options. They hold defaults and bounds, and accept what people write: numbers in quotes, one value instead
//! of a list, `yes` for true.
//!
//! Their error messages begin with "must", so that they can follow the name of the option.

mod base_address;
mod chart_style;
mod color;
mod list;
mod number;
mod size;
mod text;

pub use base_address::{BaseAddress, WebAddress};
pub use chart_style::ChartStyle;
pub use color::Color;
pub use list::{Lenient, OneOrMany};
pub(crate) use number::truth;
pub use number::{Bounded, Flag, Number};
pub use size::Size;
pub use text::{Secret, Text};

/// Implements the schema of a type that is a single JSON type.
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
