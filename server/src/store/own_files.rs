//! Files that this server stores in the user-data directory for itself; they are never served.

/// The session key, if the environment does not set one.
pub const KEY_FILE: &str = ".session-key";

/// The tokens of the REST API, with the hash of each.
pub const TOKENS_FILE: &str = ".api-tokens";

/// Who has signed out, and when.
pub const SIGN_OUTS_FILE: &str = ".signed-out";

/// Who changed which config file, when and how.
pub const HISTORY_FILE: &str = ".history";

/// What the config files contained when a server last read them.
pub const LAST_READ_FILE: &str = ".last-read";

/// The outages for which alerts were sent.
pub const ALERTS_FILE: &str = ".alerts";
