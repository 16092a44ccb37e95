//! Names and passwords.

use std::{
    collections::HashSet,
    sync::{Mutex, PoisonError},
};

use argon2::{Argon2, PasswordHash, PasswordVerifier as _};
use config::{
    model::auth::{Password, User},
    viewer::same_name,
};
use sha2::{Digest as _, Sha256};
use subtle::ConstantTimeEq as _;
use tokio::sync::Semaphore;

use crate::{command::sha256_hex, variables::Variables};

/// Argon2 is meant to be slow and large, so only so many run at once.
const ARGON2_AT_ONCE: usize = 2;

/// Most Argon2 passwords that are remembered.
const MOST_REMEMBERED: usize = 64;

/// Checks passwords.
#[derive(Debug)]
pub(super) struct Passwords {
    argon2: Semaphore,
    /// Where passwords are that the config only names.
    variables: Variables,
    /// Fingerprints of what was right, so that a page with fifty pictures costs one Argon2 and not fifty.
    remembered: Mutex<HashSet<[u8; 32]>>,
}

impl Passwords {
    pub(super) fn new(variables: Variables) -> Self {
        Self { argon2: Semaphore::new(ARGON2_AT_ONCE), variables, remembered: Mutex::default() }
    }

    /// The user with that name and password. An unknown name takes as long as a wrong password.
    pub(super) async fn user<'a>(&self, users: &'a [User], name: &str, password: &str) -> Option<&'a User> {
        let user = users.iter().find(|user| same_name(&user.name, name));
        let decoy = || users.iter().find(|user| matches!(user.password, Password::Argon2(_))).or(users.first());
        let compared = user.or_else(decoy)?;
        let right = self.is_right(&compared.password, password).await;
        user.filter(|_| right)
    }

    async fn is_right(&self, expected: &Password, given: &str) -> bool {
        match expected {
            Password::Sha256(hash) => is_same(hash.expose(), &sha256_hex(given.as_bytes())),
            Password::Environment(name) => self.variables.get(name).is_some_and(|password| is_same(&password, given)),
            Password::Argon2(hash) => self.is_right_argon2(hash.expose().to_owned(), given.to_owned()).await,
            Password::Unknown => false,
        }
    }

    /// A fingerprint of an account's name and of how its password is known: a session is bound to it, and so ends when
    /// either changes. None for an account that nobody can sign in to.
    pub(super) fn binding(&self, user: &User) -> Option<String> {
        let known = match &user.password {
            Password::Sha256(hash) | Password::Argon2(hash) => hash.expose().to_owned(),
            Password::Environment(name) => self.variables.get(name)?,
            Password::Unknown => return None,
        };
        Some(binding_of(&user.name, &known))
    }

    async fn is_right_argon2(&self, hash: String, given: String) -> bool {
        let fingerprint: [u8; 32] =
            Sha256::new().chain_update(&hash).chain_update([0]).chain_update(&given).finalize().into();
        if self.remembered.lock().unwrap_or_else(PoisonError::into_inner).contains(&fingerprint) {
            return true;
        }
        let Ok(_permit) = self.argon2.acquire().await else { return false };
        let verify = move || {
            let hash = PasswordHash::new(&hash).ok();
            hash.is_some_and(|hash| Argon2::default().verify_password(given.as_bytes(), &hash).is_ok())
        };
        let right = tokio::task::spawn_blocking(verify).await.unwrap_or_default();
        if right {
            let mut remembered = self.remembered.lock().unwrap_or_else(PoisonError::into_inner);
            if remembered.len() >= MOST_REMEMBERED {
                remembered.clear();
            }
            remembered.insert(fingerprint);
        }
        right
    }
}

/// As [`Passwords::binding`], for a name and what the password is known by.
pub(super) fn binding_of(name: &str, known: &str) -> String {
    sha256_hex(format!("{}\0{known}", name.to_lowercase()).as_bytes()).chars().take(32).collect()
}

/// Whether two secrets are the same. The time it takes tells nothing about either, not even a length.
pub(super) fn is_same(one: &str, other: &str) -> bool {
    Sha256::digest(one.as_bytes()).as_slice().ct_eq(Sha256::digest(other.as_bytes()).as_slice()).into()
}
