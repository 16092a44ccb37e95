//! Entity tags (RFC 9110, section 8.8.3) computed from the content. `tools/finish-dist.mjs` computes
//! them for the program's own files.

use sha2::{Digest as _, Sha256};

/// A strong entity tag, quotes included.
pub fn of(content: &[u8]) -> String {
    format!("\"{}\"", hex::encode(&Sha256::digest(content)[..12]))
}
