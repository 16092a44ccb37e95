//! What this server keeps in the user-data directory for itself; nobody gets these files.

/// The key of session cookies, where the environment names none.
pub const KEY_FILE: &str = ".session-key";

/// Who has signed out, and when.
pub const SIGN_OUTS_FILE: &str = ".signed-out";
