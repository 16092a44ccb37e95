//! The built-in accounts (config.md 6.1).

use std::fmt::{self, Debug, Formatter};

use serde::{Serialize, Serializer};

use super::{
    cursor::Cursor,
    shape::{Demand, Form, Others, Pattern, Rule, Shape, Word, optional, required, words},
};
use crate::problem::ProblemKind;

/// A text that must not get out: it shows as `***` and serialises as an empty text.
#[derive(Clone, Default, Eq, PartialEq)]
pub struct Secret(String);

/// A built-in account.
#[derive(Clone, Debug, PartialEq)]
pub struct User {
    /// User name, compared without regard to case.
    pub name: String,
    /// How the password is known.
    pub password: Password,
    /// Whether the user may write.
    pub is_admin: bool,
}

/// How the password of a user is known.
#[derive(Clone, Debug, PartialEq)]
pub enum Password {
    /// SHA-256 of the password in lower-case hex.
    Sha256(Secret),
    /// An Argon2 string.
    Argon2(Secret),
    /// Name of the environment variable that holds the password.
    Environment(String),
    /// Not at all: such a user can never sign in.
    Unknown,
}

#[derive(Clone, Copy)]
enum UserType {
    Admin,
    Normal,
}

impl Word for UserType {
    const WORDS: &'static [(&'static str, Self)] = &[("admin", Self::Admin), ("normal", Self::Normal)];
}

const SHA_256: Pattern = Pattern::Characters(64, &[('0', '9'), ('a', 'f'), ('A', 'F')]);

const ARGON_2: Pattern = Pattern::Begins("$argon2");

const HASH: Form = Form { must: "must be a SHA-256 in 64 hexadecimal digits", patterns: &[SHA_256, ARGON_2] };

const PASSWORD: Form = Form {
    must: "must be the name of an environment variable that begins with `VITE_APP_`",
    patterns: &[Pattern::Begins("VITE_APP_"), Pattern::Begins("DASHY_"), OLD_VARIABLE],
};

const OLD_VARIABLE: Pattern = Pattern::Begins("VUE_APP_");

pub(crate) const USER: Shape = Shape {
    title: "User",
    name: "a user",
    about: "A built-in account. It has a `hash` or a `password`, not both.",
    fields: &[
        required("user", Rule::Text, "User name. Upper and lower case are the same."),
        optional(
            "hash",
            Rule::Form(&HASH),
            "Hash of the password: SHA-256 in 64 hexadecimal digits, or an Argon2 text. `portico hash-password` \
             prints one.",
        ),
        optional(
            "password",
            Rule::Form(&PASSWORD),
            "Name of an environment variable that holds the password, never the password itself.",
        )
        .examples(&["VITE_APP_ANNA_PASSWORD"])
        .old_forms(&[(OLD_VARIABLE, "`VUE_APP_` is the old prefix for `VITE_APP_`")]),
        optional("type", Rule::Word(words::<UserType>), "`admin` may change the dashboard, `normal` may look.")
            .like_text("normal"),
    ],
    others: Others::Refused,
    demands: &[Demand::OneOf("hash", "password")],
};

impl Secret {
    /// The text itself. To be read only where it is compared or where a request is built.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl From<String> for Secret {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl Debug for Secret {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.write_str("***")
    }
}

impl Serialize for Secret {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str("")
    }
}

/// The users, and a reason when what stands there cannot be understood as the list that it must have been meant as.
pub(super) fn read_users(cursor: &Cursor<'_>) -> (Vec<User>, Option<&'static str>) {
    let users: Vec<_> = cursor.mappings("a user").filter_map(|(_, user)| User::read(&user)).collect();
    let meant_some = match cursor.value().as_array() {
        Some(list) => !list.is_empty(),
        None => !cursor.is_null(),
    };
    let broken = (users.is_empty() && meant_some).then_some("`auth.users` has no usable user");
    (users, broken)
}

impl User {
    fn read(cursor: &Cursor<'_>) -> Option<Self> {
        let Some(name) = cursor.key("user").filled_text() else {
            cursor.warn(ProblemKind::Missing, "the user has no name and cannot sign in");
            return None;
        };
        let kind = cursor.key("type").word().unwrap_or(UserType::Normal);
        let password = read_password(cursor);
        if password == Password::Unknown {
            cursor
                .warn(ProblemKind::Missing, "the user has neither a valid `hash` nor a `password` and cannot sign in");
        }
        Some(Self { name, password, is_admin: matches!(kind, UserType::Admin) })
    }
}

fn read_password(user: &Cursor<'_>) -> Password {
    match (user.key("hash").filled_text(), user.key("password").filled_text()) {
        (Some(hash), _) if SHA_256.fits(&hash) => Password::Sha256(hash.to_ascii_lowercase().into()),
        (Some(hash), _) if ARGON_2.fits(&hash) => Password::Argon2(hash.into()),
        (None, Some(name)) if PASSWORD.fits(&name) => Password::Environment(name),
        _ => Password::Unknown,
    }
}
