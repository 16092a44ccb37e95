//! The panels that viewers get, from recordings.

#[cfg(unix)]
mod containers;
mod faults;
mod other_pages;
