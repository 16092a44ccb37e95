//! The hosts in `ALLOWED_HOSTS`.

use super::host_rule::{HostRule, HostRuleError};

/// The variable that lists additional hosts.
pub const VARIABLE: &str = "ALLOWED_HOSTS";

/// The hosts in `ALLOWED_HOSTS`.
#[derive(Clone, Debug, Default)]
pub struct AllowedHosts {
    rules: Vec<HostRule>,
    /// The text as written.
    pub(super) text: String,
}

impl AllowedHosts {
    /// Parses comma-separated names, such as `dash.example.com,*.home.example`.
    ///
    /// # Errors
    ///
    /// The first entry that is not a host.
    pub fn read(list: &str) -> Result<Self, HostRuleError> {
        let words = list.split([',', ' ']).filter(|word| !word.is_empty());
        let rules = words.map(str::parse).collect::<Result<_, _>>()?;
        Ok(Self { rules, text: list.trim().trim_end_matches(',').to_owned() })
    }

    /// Whether a name is listed. It must be in lower case and without a trailing dot.
    pub fn contain(&self, name: &str) -> bool {
        self.rules.iter().any(|rule| rule.matches_name(name))
    }
}
