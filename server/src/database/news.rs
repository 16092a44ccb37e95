//! What servers tell each other.

use std::sync::Arc;

/// Something that another server has found out.
#[derive(Clone, Debug)]
pub struct News {
    /// What it is about.
    pub key: Arc<str>,
    /// The result; `None` if it is too large for an announcement.
    pub value: Option<Arc<str>>,
}
