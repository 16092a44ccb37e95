//! The panels that viewers get, from recordings.

mod age;
#[cfg(unix)]
mod containers;
mod faults;
mod other_pages;
