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
    config(title = "PageDisplayData", name = "displayData", own_default)
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
    /// Hides it from people who have one of these groups or roles. Works with every OpenID provider.
    #[serde(rename = "hideForKeycloakUsers")]
    #[cfg_attr(feature = "read", config(key = "hideForKeycloakUsers", elsewhere))]
    pub hide_for_members: Option<Box<Membership>>,
    /// Shows it only to those who have one of these groups or roles. Works with every OpenID provider.
    ///
    /// If present but empty, it hides the entry from everybody.
    #[serde(rename = "showForKeycloakUsers")]
    #[cfg_attr(feature = "read", config(key = "showForKeycloakUsers", elsewhere))]
    pub show_for_members: Option<Box<Membership>>,
    /// Whether a rule cannot be read. Then only admins see the entry, since nobody can tell from whom it should be
    /// hidden.
    #[cfg_attr(feature = "read", config(skip))]
    pub unreadable: bool,
}

/// Groups and roles as the identity provider names them; case matters.
#[derive(Clone, Debug, Default, Eq, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "read", derive(config_derive::Block), config(name = "groups and roles", own_default))]
pub struct Membership {
    /// Names of groups.
    pub groups: Vec<String>,
    /// Names of roles.
    pub roles: Vec<String>,
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
    pub fn sees(&self, rules: &Visibility) -> bool {
        match self {
            Self::Anonymous => false,
            Self::Admin(None) => true,
            Self::Guest => {
                !rules.unreadable
                    && !rules.hide_for_guests
                    && rules.show_for_users.is_empty()
                    && rules.show_for_members.is_none()
            }
            Self::User(person) | Self::Admin(Some(person)) => {
                let listed = |names: &[String]| names.iter().any(|name| same_name(name, &person.name));
                let member = |membership: &Membership| membership.includes(person);
                (!rules.unreadable || self.is_admin())
                    && !listed(&rules.hide_for_users)
                    && (rules.show_for_users.is_empty() || listed(&rules.show_for_users))
                    && !rules.hide_for_members.as_deref().is_some_and(member)
                    && rules.show_for_members.as_deref().is_none_or(member)
            }
        }
    }
}

impl Membership {
    /// Whether the user is in one of the groups or has one of the roles.
    pub fn includes(&self, person: &Person) -> bool {
        self.groups.iter().any(|group| person.groups.contains(group))
            || self.roles.iter().any(|role| person.roles.contains(role))
    }
}

/// Whether two user names mean the same user.
#[cfg(feature = "read")]
fn same_name(one: &str, other: &str) -> bool {
    one == other || folded_name(one) == folded_name(other)
}
