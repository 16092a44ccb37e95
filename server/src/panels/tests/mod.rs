//! What panels do for their viewers, from recordings.

mod faults;
mod other_pages;
