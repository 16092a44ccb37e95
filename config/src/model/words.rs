//! The words of enums in the config file.

use super::shape::Word;

/// The words of an enum, for a table.
pub(crate) fn words_of<T: Word>() -> Vec<&'static str> {
    T::WORDS.iter().map(|(word, _)| *word).collect()
}

/// The word of an enum's default.
pub(crate) fn default_word<T: Word + Default + PartialEq>() -> &'static str {
    let default = T::default();
    T::WORDS.iter().find(|(_, meaning)| *meaning == default).map_or("", |(word, _)| *word)
}

/// Defines the words of an enum in the config file. Legacy words come last.
macro_rules! words {
    ($type:ty: $($word:literal => $meaning:ident),+ $(,)?) => {
        $crate::model::words::words!($type: &[$(($word, <$type>::$meaning)),+]);
    };
    ($type:ty: $words:expr) => {
        impl $crate::model::shape::Word for $type {
            const WORDS: &'static [(&'static str, Self)] = $words;
        }

        impl $crate::model::block::FieldType for $type {
            const RULE: $crate::model::shape::Rule =
                $crate::model::shape::Rule::Word($crate::model::words::words_of::<Self>);
            const UNSET: $crate::model::shape::Unset = $crate::model::shape::Unset::Like(
                $crate::model::shape::Preset::Word($crate::model::words::default_word::<Self>),
            );

            fn read(cursor: &$crate::model::cursor::Cursor<'_>) -> Option<Self> {
                cursor.word()
            }
        }
    };
}

pub(crate) use words;
