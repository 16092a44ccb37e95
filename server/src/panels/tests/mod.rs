//! What panels do for their viewers, from recordings.

mod faults;
mod languages;
mod other_pages;
