//! `#[derive(Block)]`: a block of `conf.yml`, declared once as a struct. From the declaration follow how the block is
//! read, what the check and the JSON Schema say about it, its part of `docs/config.md`, and `Default`.
//!
//! The doc comment of a struct or field, up to its first empty line, is what people read about it; what comes after is
//! for developers. The key is the field's name in camel case, and the field's type says which values are allowed and
//! what holds while the key is not set (`config::model::block::FieldType`). Attributes say the rest:
//!
//! | `#[config(…)]` on a field | Meaning |
//! |---|---|
//! | `key = "title"` | the key, if it is not the field's name |
//! | `required`, `nullable` | must be set; may be null |
//! | `range(1, 8)` | a number outside is an error on a write, and read as the nearest one inside |
//! | `limit = Limit::…` | what the code that reads it makes of numbers that are too small or too large, for the docs |
//! | `max = 6`, `max_chars = 200` | the longest list; the longest text |
//! | `default = 10`, `preset = Preset::…` | what holds while it is not set; a preset is for the docs alone |
//! | `unset = "words"` | the same, where no value says it |
//! | `examples("a", "b")` | texts that somebody might write |
//! | `no_effect_yet` | nothing in the product reads it yet; take this away when something does |
//! | `old_key("name", "became …")` | an old name of the key, read where the new one is not set |
//! | `old_key("name", "became …", Rule::Flag)` | the same, with a rule of its own; any value is allowed otherwise |
//! | `old_form(pattern, "hint")` | an old form of the value that still works |
//! | `rule = …` | what a value must be, if the type does not say it |
//! | `read = f` | reads the field from the cursor of its value |
//! | `read_entry = f` | reads the field from the cursor of the whole block |
//! | `elsewhere` | described here, read by other code |
//! | `flatten` | a struct whose keys stand in this block |
//! | `computed = f`, `skip` | has no key: made from the cursor of the block; the type's default |
//!
//! On the struct: `name = "a user"` (as messages call it), `title = "User"` (in the schema, if not the struct's name),
//! `other_keys` or `other_keys = "prefix"` (unknown keys are allowed), `old("key", "became …")` (an old key that
//! belongs to no field), `demands = DEMANDS` (rules about several keys), `finish = f` (a last touch by `fn(&mut Self)`),
//! `own_default` (the struct implements `Default` itself).

mod declaration;
mod from_json;
mod output;

use proc_macro::TokenStream;
use syn::{DeriveInput, parse_macro_input};

/// Implements `Block`, `FieldType` and `Default` for a struct. See the crate's documentation.
#[proc_macro_derive(Block, attributes(config))]
pub fn block(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    declaration::Declaration::parse(&input)
        .map(|declaration| output::implementation(&declaration))
        .unwrap_or_else(|error| error.to_compile_error())
        .into()
}

/// Implements `config::json::FromJson` for a struct or an enum of plain words, by the attributes of serde.
#[proc_macro_derive(FromJson)]
pub fn from_json(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    from_json::implementation(&input).unwrap_or_else(|error| error.to_compile_error()).into()
}
