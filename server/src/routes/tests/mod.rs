//! Routes whose widgets answer from recordings.

mod languages;
