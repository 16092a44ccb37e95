//! The built-in accounts (docs/spec/config.md 6.1).

use std::{
    collections::{HashMap, HashSet},
    fmt::{self, Debug, Formatter},
};

use serde::{Serialize, Serializer};

use super::{
    block::Block,
    cursor::Cursor,
    shape::{Demand, Pattern, TextFormat},
    words::words,
};
use crate::{problem::ProblemKind, user_name::folded_name};

/// A secret text: `Debug` prints `***`, and it serializes as an empty text.
#[derive(Clone, Default, Eq, PartialEq)]
pub struct SecretText(String);

/// A built-in account.
#[derive(Clone, Debug, PartialEq)]
pub struct User {
    /// User name.
    pub name: String,
    /// The form in which names are compared; see [`folded_name`].
    pub folded_name: String,
    /// How the password is verified.
    pub password: Password,
    /// Whether the user may write.
    pub is_admin: bool,
}

/// How the password of a user is verified.
#[derive(Clone, Debug, PartialEq)]
pub enum Password {
    /// SHA-256 of the password in lower-case hex.
    Sha256(SecretText),
    /// An Argon2 string.
    Argon2(SecretText),
    /// Name of the environment variable that holds the password.
    Environment(String),
    /// Not possible: such a user can never sign in.
    Unknown,
}

/// A built-in account. It has a `hash` or a `password`, not both.
///
/// As written in the file; it is turned into a [`User`].
#[derive(Clone, Debug, PartialEq, Block)]
#[config(title = "User", name = "a user", demands = &[Demand::OneOf("hash", "password")])]
pub(crate) struct UserEntry {
    /// User name. Case does not matter, and no two users may have the same.
    #[config(required)]
    user: Option<String>,
    /// Hash of the password: SHA-256 as 64 hexadecimal digits, or an Argon2 string. `portico hash-password` prints one.
    #[config(rule = Rule::Format(&HASH))]
    hash: Option<String>,
    /// Name of an environment variable that holds the password, never the password itself.
    #[config(
        rule = Rule::Format(&PASSWORD),
        examples("VITE_APP_ANNA_PASSWORD"),
        old_form(OLD_VARIABLE, "`VUE_APP_` is the old prefix for `VITE_APP_`")
    )]
    password: Option<String>,
    /// `admin` may change the dashboard, `normal` may only view it.
    #[config(key = "type")]
    kind: UserType,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum UserType {
    Admin,
    #[default]
    Normal,
}

words!(UserType: "admin" => Admin, "normal" => Normal);

const SHA_256: Pattern = Pattern::Characters(64, &[('0', '9'), ('a', 'f'), ('A', 'F')]);

const ARGON_2: Pattern = Pattern::Begins("$argon2");

const HASH: TextFormat = TextFormat {
    must: "must be a SHA-256 hash of 64 hexadecimal digits, or an Argon2 string",
    patterns: &[SHA_256, ARGON_2],
};

const PASSWORD: TextFormat = TextFormat {
    must: "must be the name of an environment variable that begins with `VITE_APP_`",
    patterns: &[Pattern::Begins("VITE_APP_"), Pattern::Begins("DASHY_"), OLD_VARIABLE],
};

const OLD_VARIABLE: Pattern = Pattern::Begins("VUE_APP_");

impl SecretText {
    /// The text itself. Read it only to compare it or to build a request.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl From<String> for SecretText {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl Debug for SecretText {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.write_str("***")
    }
}

impl Serialize for SecretText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str("")
    }
}

/// The users of a list who can be told apart.
pub(super) fn read_users(cursor: &Cursor<'_>) -> Vec<User> {
    let mut names = HashMap::new();
    let mut users = Vec::new();
    for (_, entry) in cursor.mappings(UserEntry::SHAPE.name) {
        let Some(user) = User::read(&entry) else { continue };
        match names.get(&user.folded_name) {
            Some(first) => entry.key("user").refuse(ProblemKind::Conflict, format!(
                "`{}` and `{first}` are the same user, because neither case nor the form of letters matters; give one of them \
                 another name, or remove it",
                user.name,
            )),
            None => _ = names.insert(user.folded_name.clone(), user.name.clone()),
        }
        users.push(user);
    }
    users
}

/// Why the list of users cannot be trusted to define who may enter: it has no valid user, although it must have been
/// meant to have one.
pub(super) fn why_users_are_broken(cursor: &Cursor<'_>) -> Option<&'static str> {
    let cursor = cursor.quiet();
    let meant_some = match cursor.value().as_array() {
        Some(list) => !list.is_empty(),
        None => !cursor.is_null(),
    };
    (meant_some && read_users(&cursor).is_empty()).then_some("`auth.users` has no valid user")
}

/// Why users cannot be told apart by their names.
pub(super) fn why_users_are_alike(cursor: &Cursor<'_>) -> Option<&'static str> {
    let users = read_users(&cursor.quiet());
    let names: HashSet<_> = users.iter().map(|user| &user.folded_name).collect();
    (names.len() < users.len())
        .then_some("two entries of `auth.users` are the same user; `portico validate` names them")
}

impl User {
    /// An account.
    pub fn new(name: String, password: Password, is_admin: bool) -> Self {
        Self { folded_name: folded_name(&name), name, password, is_admin }
    }

    fn read(cursor: &Cursor<'_>) -> Option<Self> {
        let entry = UserEntry::read(cursor);
        let password = password_of(&entry);
        let Some(name) = entry.user else {
            cursor.warn(ProblemKind::Missing, "the user has no name and cannot sign in", None);
            return None;
        };
        if password == Password::Unknown {
            let message = "the user has neither a valid `hash` nor a `password` and cannot sign in";
            cursor.warn(ProblemKind::Missing, message, None);
        }
        Some(Self::new(name, password, entry.kind == UserType::Admin))
    }
}

fn password_of(entry: &UserEntry) -> Password {
    match (&entry.hash, &entry.password) {
        (Some(hash), _) if SHA_256.fits(hash) => Password::Sha256(hash.to_ascii_lowercase().into()),
        (Some(hash), _) if ARGON_2.fits(hash) => Password::Argon2(hash.clone().into()),
        (None, Some(name)) if PASSWORD.fits(name) => Password::Environment(name.clone()),
        _ => Password::Unknown,
    }
}
