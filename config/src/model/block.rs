//! What `#[derive(Block)]` implements, and which types its fields may have.
//!
//! To add a field to the config:
//!
//! 1. Add it to the struct of its block, with a doc comment and its attributes. They are listed in the documentation of
//!    [`config_derive`].
//! 2. Use it where it takes effect. Until something does, mark it `no_effect_yet`.
//! 3. Regenerate the docs with `UPDATE_DOCS=1 cargo test -p config` and
//!    `UPDATE_DOCS=1 cargo test -p server --features embed schema`.
//!
//! People without write access get the keys that `redacted.rs` lists; until a new key is listed there, it stays on the
//! server.

use std::marker::PhantomData;

pub(crate) use config_derive::Block;
use serde_json::{Map, Value};

use super::{
    cursor::Cursor,
    shape::{ANY_NUMBER, BlockShape, FieldSpec, MANY, Preset, Rule, Unset},
};
use crate::icon::{self, Icon};

/// A mapping with known keys, declared as a struct.
pub(crate) trait Block: Sized {
    /// What the schema says about it.
    const SHAPE: &'static BlockShape;

    /// Reads the block. A cursor that is not at a mapping gives the defaults.
    fn read(cursor: &Cursor<'_>) -> Self;
}

/// A type of a field: what the schema says about it, and how it is read.
pub(crate) trait FieldType: Sized {
    /// What a value must be.
    const RULE: Rule;

    /// What applies while the key is not set, if the field is not an `Option`.
    const UNSET: Unset = Unset::Nothing;

    /// Reads the value; `None` if it is not set, or cannot be used, which is then reported as a problem.
    fn read(cursor: &Cursor<'_>) -> Option<Self>;
}

impl FieldType for bool {
    const RULE: Rule = Rule::Flag;
    const UNSET: Unset = Unset::Like(Preset::Flag(false));

    fn read(cursor: &Cursor<'_>) -> Option<Self> {
        cursor.flag()
    }
}

impl FieldType for u32 {
    const RULE: Rule = ANY_NUMBER;
    const UNSET: Unset = Unset::Like(Preset::Number(0));

    fn read(cursor: &Cursor<'_>) -> Option<Self> {
        cursor.count()
    }
}

impl FieldType for String {
    const RULE: Rule = Rule::Text;

    fn read(cursor: &Cursor<'_>) -> Option<Self> {
        cursor.filled_text()
    }
}

impl FieldType for Icon {
    const RULE: Rule = Rule::Kind(&icon::KIND);

    fn read(cursor: &Cursor<'_>) -> Option<Self> {
        cursor.filled_text().map(|icon| Self::parse(&icon))
    }
}

impl FieldType for Vec<String> {
    const RULE: Rule = Rule::Texts(MANY);
    const UNSET: Unset = Unset::Like(Preset::EmptyList);

    fn read(cursor: &Cursor<'_>) -> Option<Self> {
        Some(cursor.texts())
    }
}

/// A mapping from texts to texts.
impl FieldType for Vec<(String, String)> {
    const RULE: Rule = Rule::TextMap;
    const UNSET: Unset = Unset::Like(Preset::EmptyMapping);

    fn read(cursor: &Cursor<'_>) -> Option<Self> {
        Some(cursor.text_pairs())
    }
}

impl FieldType for Map<String, Value> {
    const RULE: Rule = Rule::Map;
    const UNSET: Unset = Unset::Like(Preset::EmptyMapping);

    fn read(cursor: &Cursor<'_>) -> Option<Self> {
        cursor.mapping().cloned()
    }
}

impl<T: Block> FieldType for Vec<T> {
    const RULE: Rule = Rule::Shapes(T::SHAPE, MANY);
    const UNSET: Unset = Unset::Like(Preset::EmptyList);

    fn read(cursor: &Cursor<'_>) -> Option<Self> {
        Some(cursor.mappings(T::SHAPE.name).map(|(_, element)| T::read(&element)).collect())
    }
}

impl<T: FieldType> FieldType for Box<T> {
    const RULE: Rule = T::RULE;
    const UNSET: Unset = T::UNSET;

    fn read(cursor: &Cursor<'_>) -> Option<Self> {
        T::read(cursor).map(Self::new)
    }
}

/// A field that is documented here but read by other code, from the raw value.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Described<T>(PhantomData<T>);

impl<T: FieldType> FieldType for Described<T> {
    const RULE: Rule = T::RULE;
    const UNSET: Unset = T::UNSET;

    fn read(_: &Cursor<'_>) -> Option<Self> {
        None
    }
}

/// The total number of fields in several lists.
pub(crate) const fn count_fields(parts: &[&[FieldSpec]]) -> usize {
    let (mut count, mut part) = (0, 0);
    while part < parts.len() {
        count += parts[part].len();
        part += 1;
    }
    count
}

/// Joins several lists of fields.
pub(crate) const fn join_fields<const COUNT: usize>(parts: &[&[FieldSpec]]) -> [FieldSpec; COUNT] {
    let mut joined = [FieldSpec::new("", Rule::Any, ""); COUNT];
    let (mut count, mut part) = (0, 0);
    while part < parts.len() {
        let mut index = 0;
        while index < parts[part].len() {
            joined[count] = parts[part][index];
            count += 1;
            index += 1;
        }
        part += 1;
    }
    joined
}
