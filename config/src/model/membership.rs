//! The old form of the rules about groups and roles.

use super::{block::Block, shape::Rule};

/// Groups and roles as the identity provider names them; case matters.
///
/// What `hideForKeycloakUsers` contains.
pub(crate) const HIDDEN_MEMBERS: Rule = Rule::Shape(Membership::SHAPE);

/// What `showForKeycloakUsers` contains.
pub(crate) const SHOWN_MEMBERS: Rule = HIDDEN_MEMBERS;

/// The old form of the rules about groups and roles.
#[derive(Clone, Debug, PartialEq, Block)]
#[config(name = "groups and roles")]
pub(crate) struct Membership {
    /// Names of groups.
    pub groups: Vec<String>,
    /// Names of roles.
    pub roles: Vec<String>,
}
