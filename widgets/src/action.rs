//! What a button of a panel requests.

use serde::{Deserialize, Serialize};

/// The action of a button in a panel.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Action {
    /// The widget's word for it, such as `disable`.
    pub name: String,
    /// The target of the action, if there are several.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub target: String,
}
