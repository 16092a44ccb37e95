//! Names and passwords. Refusing a login takes the same time for every name (see [`Passwords::user`]).

use std::sync::{Arc, Mutex, PoisonError};

use argon2::{
    Argon2, Params, PasswordHash, PasswordHasher as _, PasswordVerifier as _,
    password_hash::{self, Salt, SaltString},
};
use config::{
    model::auth::{Password, User, user_named},
    user_name::folded_name,
};
use quick_cache::unsync::Cache;
use ring::rand::{SecureRandom as _, SystemRandom};
use sha2::{Digest as _, Sha256};
use subtle::ConstantTimeEq as _;
use tokio::sync::Semaphore;

use crate::settings::variables::Variables;

/// Argon2 is deliberately slow and memory-hungry, so only this many run at once.
const MAX_ARGON2: usize = 2;

/// How many correct Argon2 passwords are remembered.
const MAX_REMEMBERED: usize = 64;

/// Checks passwords.
#[derive(Debug)]
pub(crate) struct Passwords {
    argon2: Arc<Semaphore>,
    /// Looks up passwords that the config only names.
    variables: Variables,
    /// Fingerprints of correct passwords, so that a page with fifty pictures costs one Argon2 hash instead of fifty.
    remembered: Mutex<Cache<[u8; 32], ()>>,
}

/// The cost of an Argon2 hash: algorithm, version and parameters.
type Cost = (String, Option<u32>, Params);

impl Passwords {
    pub(crate) fn new(variables: Variables) -> Self {
        Self {
            argon2: Arc::new(Semaphore::new(MAX_ARGON2)),
            variables,
            remembered: Mutex::new(Cache::new(MAX_REMEMBERED)),
        }
    }

    /// The user with that name and password. A rejection always costs the same, even if only some users have Argon2
    /// hashes: one hash is computed for each set of Argon2 parameters in the config.
    pub(crate) async fn user<'a>(&self, users: &'a [User], name: &str, password: &str) -> Option<&'a User> {
        let user = user_named(users, name);
        let by_text = self.is_right_text(user.map(|user| &user.password), password);
        let work = work_for(users, user);
        if by_text {
            return user;
        }
        if let Some(hash) = work.own
            && self.is_right_argon2(hash, password).await
        {
            return user;
        }
        for hash in work.others {
            self.run_argon2(hash, password).await;
        }
        None
    }

    /// Whether the password matches one that is stored as SHA-256 or in a variable. Takes as long for users with
    /// another kind of password, and for unknown users.
    fn is_right_text(&self, expected: Option<&Password>, given: &str) -> bool {
        let hashed = sha256_hex(given.as_bytes());
        let (expected, given) = match expected {
            Some(Password::Sha256(hash)) => (Some(hash.expose().to_owned()), hashed.as_str()),
            Some(Password::Environment(name)) => (self.variables.get(name), given),
            Some(Password::Argon2(_) | Password::Unknown) | None => (None, hashed.as_str()),
        };
        is_same(expected.as_deref().unwrap_or_default(), given) & expected.is_some()
    }

    /// A fingerprint of an account's name and stored password. A session is bound to it, and so ends when either
    /// changes. `None` for an account that cannot be signed in to.
    pub(crate) fn fingerprint(&self, user: &User) -> Option<String> {
        let known = match &user.password {
            Password::Sha256(hash) | Password::Argon2(hash) => hash.expose().to_owned(),
            Password::Environment(name) => self.variables.get(name)?,
            Password::Unknown => return None,
        };
        Some(password_fingerprint(&user.name, &known))
    }

    async fn is_right_argon2(&self, hash: &str, given: &str) -> bool {
        let fingerprint: [u8; 32] =
            Sha256::new().chain_update(hash).chain_update([0]).chain_update(given).finalize().into();
        if self.remembered.lock().unwrap_or_else(PoisonError::into_inner).get(&fingerprint).is_some() {
            return true;
        }
        let is_right = self.run_argon2(hash, given).await;
        if is_right {
            self.remembered.lock().unwrap_or_else(PoisonError::into_inner).insert(fingerprint, ());
        }
        is_right
    }

    /// The Argon2id hash of a password, on a separate thread.
    ///
    /// # Errors
    ///
    /// As for [`argon2_hash`].
    pub(crate) async fn hash(&self, password: String) -> Result<String, password_hash::Error> {
        let Ok(permit) = Arc::clone(&self.argon2).acquire_owned().await else {
            return Err(password_hash::Error::Crypto);
        };
        let hash = move || {
            let _permit = permit;
            argon2_hash(&password)
        };
        tokio::task::spawn_blocking(hash).await.unwrap_or(Err(password_hash::Error::Crypto))
    }

    /// Compares a password with its hash, on a separate thread.
    async fn run_argon2(&self, hash: &str, given: &str) -> bool {
        // The permit moves along: the work continues even if the requester has gone.
        let Ok(permit) = Arc::clone(&self.argon2).acquire_owned().await else { return false };
        let (hash, given) = (hash.to_owned(), given.to_owned());
        let verify = move || {
            let _permit = permit;
            let hash = PasswordHash::new(&hash).ok();
            hash.is_some_and(|hash| Argon2::default().verify_password(given.as_bytes(), &hash).is_ok())
        };
        tokio::task::spawn_blocking(verify).await.unwrap_or_default()
    }
}

/// The Argon2id hash of a password as a PHC string, with its own salt and the parameters that OWASP recommends.
///
/// # Errors
///
/// The password is too long for Argon2, or the system provides no random bytes.
pub fn argon2_hash(password: &str) -> Result<String, password_hash::Error> {
    let mut salt = [0; Salt::RECOMMENDED_LENGTH];
    SystemRandom::new().fill(&mut salt).map_err(|_| password_hash::Error::Crypto)?;
    let salt = SaltString::encode_b64(&salt)?;
    Ok(Argon2::default().hash_password(password.as_bytes(), &salt)?.to_string())
}

/// The Argon2 hashes that are computed for a login.
#[derive(Debug)]
struct Work<'a> {
    /// The user's own hash.
    own: Option<&'a str>,
    /// One for every other set of parameters, computed only to take the same time.
    others: Vec<&'a str>,
}

fn work_for<'a>(users: &'a [User], user: Option<&'a User>) -> Work<'a> {
    let argon2_of = |user: &'a User| match &user.password {
        Password::Argon2(hash) => Some(hash.expose()),
        _ => None,
    };
    let own = user.and_then(argon2_of);
    let mut costs: Vec<Cost> = own.and_then(cost_of).into_iter().collect();
    let mut others = Vec::new();
    for hash in users.iter().filter_map(argon2_of) {
        if let Some(cost) = cost_of(hash).filter(|cost| !costs.contains(cost)) {
            costs.push(cost);
            others.push(hash);
        }
    }
    Work { own, others }
}

/// The cost of a hash; `None` if the hash is incomplete, because nothing is computed for it then.
fn cost_of(hash: &str) -> Option<Cost> {
    let hash = PasswordHash::new(hash).ok()?;
    _ = (hash.salt?, hash.hash?);
    Some((hash.algorithm.to_string(), hash.version, Params::try_from(&hash).ok()?))
}

/// Like [`Passwords::fingerprint`], for a name and a stored password.
pub(crate) fn password_fingerprint(name: &str, known: &str) -> String {
    sha256_hex(format!("{}\0{known}", folded_name(name)).as_bytes()).chars().take(32).collect()
}

/// Whether two secrets are equal. The time it takes reveals nothing about either, not even a length.
pub(crate) fn is_same(one: &str, other: &str) -> bool {
    Sha256::digest(one.as_bytes()).as_slice().ct_eq(Sha256::digest(other.as_bytes()).as_slice()).into()
}

/// SHA-256 in lower-case hexadecimal digits, the form of `hash` in `appConfig.auth.users`.
pub fn sha256_hex(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}

#[cfg(test)]
mod tests {
    use config::model::auth::{Password, User};

    use super::{Passwords, cost_of, work_for};
    use crate::settings::variables::Variables;

    fn user(name: &str, password: Password) -> User {
        User::new(name.to_owned(), password, false)
    }

    fn argon2(parameters: &str) -> Password {
        Password::Argon2(
            format!("$argon2id$v=19${parameters}$c29tZXNhbHQ$SqZFr64t6Ky9QGo9cMVcfm3eT8ekDtwIwUmpbTtqZaA").into(),
        )
    }

    fn mixed() -> Vec<User> {
        vec![
            user("hex", Password::Sha256("00".repeat(32).into())),
            user("small", argon2("m=8,t=1,p=1")),
            user("large", argon2("m=16,t=2,p=1")),
            user("large too", argon2("m=16,t=2,p=1")),
            user("variable", Password::Environment("VITE_APP_X".to_owned())),
            user("broken", Password::Argon2("$argon2id$nonsense".to_owned().into())),
            user("nothing", Password::Unknown),
        ]
    }

    #[test]
    fn a_rejected_login_costs_the_same_for_every_name() {
        let users = mixed();
        for name in ["hex", "small", "large", "large too", "variable", "broken", "nothing", "nobody"] {
            let work = work_for(&users, users.iter().find(|user| user.name == name));
            let mut costs: Vec<u32> =
                work.own.into_iter().chain(work.others).filter_map(cost_of).map(|(_, _, cost)| cost.m_cost()).collect();
            costs.sort_unstable();
            assert_eq!(costs, [8, 16], "{name}");
        }
        // Without an Argon2 hash, there is nothing to compute.
        let plain = [user("hex", Password::Sha256("00".repeat(32).into()))];
        assert!(work_for(&plain, None).others.is_empty());
    }

    #[tokio::test]
    async fn the_password_of_another_user_is_rejected() {
        // The password is `anna`; made by the reference implementation.
        let hash = "$argon2id$v=19$m=8,t=1,p=1$c29tZXNhbHQ$SqZFr64t6Ky9QGo9cMVcfm3eT8ekDtwIwUmpbTtqZaA".to_owned();
        let users =
            [user("anna", Password::Argon2(hash.into())), user("hex", Password::Sha256("00".repeat(32).into()))];
        let passwords = Passwords::new(Variables::default());
        for _ in 0..2 {
            assert_eq!(passwords.user(&users, "ANNA", "anna").await.map(|user| user.name.as_str()), Some("anna"));
            for (name, password) in [("hex", "anna"), ("nobody", "anna"), ("anna", "hex"), ("nobody", "")] {
                assert!(passwords.user(&users, name, password).await.is_none(), "{name} {password}");
            }
        }
    }
}
