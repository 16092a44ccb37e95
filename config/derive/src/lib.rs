//! `#[derive(Block)]`: a block of `conf.yml`, declared once as a struct. The declaration generates how the block is
//! read, what the check and the JSON Schema say about it, its part of `docs/config.md`, and `Default`.
//!
//! The doc comment of a struct or field, up to its first empty line, is what users read about it; the rest is for
//! developers. The key is the field's name in camel case. The field's type determines which values are allowed and
//! which value applies while the key is not set (`config::model::block::FieldType`). Attributes say the rest:
//!
//! | `#[config(…)]` on a field | Meaning |
//! |---|---|
//! | `key = "title"` | the key, if it is not the field's name |
//! | `required`, `nullable` | must be set; may be null |
//! | `range(1, 8)` | a number out of range is an error on a write; a read uses the nearest number in range |
//! | `limit = ReadLimit::…` | how the reading code treats numbers that are too small or too large, for the docs |
//! | `max = 6`, `max_chars = 200` | the maximum length of a list; of a text, in characters |
//! | `default = 10`, `preset = Preset::…` | the value while the key is not set; a preset is only for the docs |
//! | `unset = "words"` | the same in words, if no value expresses it |
//! | `examples("a", "b")` | sample values |
//! | `no_effect_yet` | nothing in the product uses it yet; remove this when something does |
//! | `old_key("name", "became …")` | an old name of the key, read where the new one is not set |
//! | `old_key("name", "became …", Rule::Flag)` | the same, with its own rule; without one, any value is allowed |
//! | `old_form(pattern, "hint")` | an old form of the value that still works |
//! | `rule = …` | what a value must be, if the type alone does not determine it |
//! | `read = f` | reads the field from the cursor of its value |
//! | `read_entry = f` | reads the field from the cursor of the whole block |
//! | `elsewhere` | documented here, read by other code |
//! | `flatten` | a struct whose keys belong to this block |
//! | `computed = f`, `skip` | has no key: computed from the cursor of the block, or the type's default |
//!
//! On the struct: `name = "a user"` (its name in messages), `title = "User"` (its name in the schema, if not the
//! struct's name), `other_keys` or `other_keys = "prefix"` (unknown keys are allowed), `old("key", "became …")` (an old
//! key that belongs to no field), `demands = DEMANDS` (rules about several keys), `finish = f` (a final step, `fn(&mut
//! Self)`), `own_default` (the struct implements `Default` itself).

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

/// Implements `config::json::FromJson` for a struct or an enum of unit variants, following the attributes of serde.
#[proc_macro_derive(FromJson)]
pub fn from_json(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    from_json::implementation(&input).unwrap_or_else(|error| error.to_compile_error()).into()
}
