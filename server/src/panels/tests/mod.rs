//! What panels do for their viewers, from recordings.

#[cfg(unix)]
mod containers;
mod faults;
mod other_pages;
