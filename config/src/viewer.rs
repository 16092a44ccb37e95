//! Who is looking, and what they may see (docs/spec/config.md 10).

use serde::{Deserialize, Serialize};

#[cfg(feature = "read")]
use crate::user_name::folded_name;

/// Who is looking at the page.
#[derive(Clone, Debug, Default, Eq, Hash, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Viewer {
    /// Not signed in, although signing in is required: sees only the login page.
    #[default]
    Anonymous,
    /// Not signed in, with guest access on: sees everything that is not hidden from guests.
    Guest,
    /// Signed in; may view.
    User(Person),
    /// May view and write. `None` means that no kind of sign-in is configured, or that a program uses the API token;
    /// rules about users then apply to nobody and hide nothing.
    Admin(Option<Person>),
}

/// A signed-in user.
#[derive(Clone, Debug, Default, Eq, Hash, PartialEq, Serialize, Deserialize)]
pub struct Person {
    /// User name, compared without regard to case.
    pub name: String,
    /// Groups from the identity provider, compared exactly.
    #[serde(default)]
    pub groups: Vec<String>,
    /// Roles from the identity provider, compared exactly.
    #[serde(default)]
    pub roles: Vec<String>,
}

/// Who sees a page.
///
/// The rules of an entry's `displayData`, of pages, sections and items alike (docs/spec/config.md 10). All of them are
/// read together, by `model::display_data`.
#[derive(Clone, Debug, Default, Eq, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
#[cfg_attr(
    feature = "read",
    derive(config_derive::Block),
    config(
        title = "PageDisplayData",
        name = "displayData",
        own_default,
        old(
            "hideForKeycloakUsers",
            "is the old form of `hideForGroups` and `hideForRoles`",
            crate::model::membership::HIDDEN_MEMBERS
        ),
        old(
            "showForKeycloakUsers",
            "is the old form of `showForGroups` and `showForRoles`; present but empty, it hides from everybody",
            crate::model::membership::SHOWN_MEMBERS
        )
    )
)]
pub struct Visibility {
    /// Names of the users who do not see it; case does not matter.
    #[cfg_attr(feature = "read", config(elsewhere))]
    pub hide_for_users: Vec<String>,
    /// The only users who see it, by name. An empty list means everybody.
    #[cfg_attr(feature = "read", config(elsewhere))]
    pub show_for_users: Vec<String>,
    /// Hides it from people who are not signed in.
    #[cfg_attr(feature = "read", config(elsewhere))]
    pub hide_for_guests: bool,
    /// Hides it from members of these groups, as the identity provider names them. Works with every OpenID provider.
    #[cfg_attr(feature = "read", config(elsewhere))]
    pub hide_for_groups: Vec<String>,
    /// Hides it from people who have one of these roles.
    #[cfg_attr(feature = "read", config(elsewhere))]
    pub hide_for_roles: Vec<String>,
    /// Shows it only to members of these groups, and to people who have a role in `showForRoles`. An empty list is no
    /// rule.
    #[cfg_attr(feature = "read", config(elsewhere))]
    pub show_for_groups: Vec<String>,
    /// Shows it only to people who have one of these roles, and to members of the groups in `showForGroups`. An empty
    /// list is no rule.
    #[cfg_attr(feature = "read", config(elsewhere))]
    pub show_for_roles: Vec<String>,
    /// Whether it is shown only to members of groups, but of none: what an empty rule of the old form means.
    #[cfg_attr(feature = "read", config(skip))]
    pub for_nobody: bool,
    /// Whether a rule cannot be read. Then only admins see the entry, since nobody can tell from whom it should be
    /// hidden.
    #[cfg_attr(feature = "read", config(skip))]
    pub unreadable: bool,
}

impl Viewer {
    /// The user, if one is signed in.
    pub fn person(&self) -> Option<&Person> {
        match self {
            Self::User(person) | Self::Admin(Some(person)) => Some(person),
            Self::Anonymous | Self::Guest | Self::Admin(None) => None,
        }
    }

    /// The name of the user, for the log.
    pub fn name_for_log(&self) -> &str {
        self.person().map_or("someone who is not signed in", |person| &person.name)
    }

    /// Whether the viewer may write.
    pub fn is_admin(&self) -> bool {
        matches!(self, Self::Admin(_))
    }

    /// Whether an entry with these rules exists for the viewer. The entries around it have their own rules.
    #[cfg(feature = "read")]
    pub fn sees(&self, rules: &Visibility) -> bool {
        match self {
            Self::Anonymous => false,
            Self::Admin(None) => true,
            Self::Guest => !rules.unreadable && !rules.hide_for_guests && !rules.is_for_certain_people(),
            Self::User(person) | Self::Admin(Some(person)) => {
                let listed = |names: &[String]| names.iter().any(|name| same_name(name, &person.name));
                (!rules.unreadable || self.is_admin())
                    && !listed(&rules.hide_for_users)
                    && (rules.show_for_users.is_empty() || listed(&rules.show_for_users))
                    && !person.has_any(&rules.hide_for_groups, &rules.hide_for_roles)
                    && (!rules.is_for_members() || person.has_any(&rules.show_for_groups, &rules.show_for_roles))
            }
        }
    }
}

#[cfg(feature = "read")]
impl Person {
    /// Whether the user is in one of the groups or has one of the roles.
    fn has_any(&self, groups: &[String], roles: &[String]) -> bool {
        groups.iter().any(|group| self.groups.contains(group)) || roles.iter().any(|role| self.roles.contains(role))
    }
}

#[cfg(feature = "read")]
impl Visibility {
    /// Whether only certain users, or members of certain groups, see the entry.
    fn is_for_certain_people(&self) -> bool {
        !self.show_for_users.is_empty() || self.is_for_members()
    }

    /// Whether only members of certain groups and holders of certain roles see the entry.
    fn is_for_members(&self) -> bool {
        self.for_nobody || !self.show_for_groups.is_empty() || !self.show_for_roles.is_empty()
    }
}

/// Whether two user names mean the same user.
#[cfg(feature = "read")]
fn same_name(one: &str, other: &str) -> bool {
    one == other || folded_name(one) == folded_name(other)
}
