//! Who has signed out, and when. Only browsers store sessions, so a copied session cookie would outlive a sign-out. The
//! server therefore stores the time of each user's last sign-out: every session that began before it has ended, in
//! all browsers.
//!
//! The times are stored in a small file in the user-data folder. If it cannot be written, they are kept until the
//! server stops. Several servers that share the folder add to the same file, and read it when it has changed. Those that share a
//! database tell each other at once.

use std::{
    collections::HashMap,
    fs,
    io::{self, Write as _},
    path::PathBuf,
    sync::{
        Arc, Mutex, Once, OnceLock, PoisonError, Weak,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use arc_swap::ArcSwap;
use config::user_name::folded_name;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use tokio::{
    sync::broadcast::{Receiver, error::RecvError},
    time::{sleep, timeout},
};

use crate::{
    database::{COMPARE, Database, News},
    platform::io_error::reason,
    store::{RecordVersion, SIGN_OUTS_FILE},
};

/// How long a session may last with all its renewals, in seconds. Older sign-outs can be forgotten.
pub(crate) const MAX_SESSION_SECONDS: u64 = 400 * 24 * 3600;

/// How many people are remembered. If there are more, the oldest entries are merged into one that applies to everyone.
const MAX_PEOPLE: usize = 10_000;

/// Time between two looks at the file, which other servers may have changed.
const WATCH_INTERVAL: Duration = Duration::from_secs(1);

/// Time between two attempts to tell other servers of a sign-out.
const SHARE_INTERVAL: Duration = Duration::from_secs(2);

/// How long signing out waits for the disk.
const MAX_WAIT: Duration = Duration::from_secs(1);

/// Identifies a user without revealing who it is.
#[derive(Clone, Debug, Eq, Hash, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct PersonId(String);

impl PersonId {
    /// The user with this account.
    pub(crate) fn of_account(name: &str) -> Self {
        Self::of(&["account", &folded_name(name)])
    }

    /// The user that the provider identifies by `subject`; `provider` is the fingerprint of provider and client.
    pub(crate) fn of_subject(provider: &str, issuer: &str, subject: &str) -> Self {
        Self::of(&["provider", provider, issuer, subject])
    }

    fn of(parts: &[&str]) -> Self {
        Self(hex::encode(&Sha256::digest(parts.join("\0"))[..16]))
    }
}

/// The sign-outs of all people.
#[derive(Debug)]
pub(crate) struct SignOuts {
    path: PathBuf,
    table: ArcSwap<SignOutTable>,
    /// The database that knows the sign-outs at all servers, if there is one.
    database: OnceLock<Arc<Database>>,
    /// Whether a task tries to tell other servers of a sign-out.
    is_sharing: AtomicBool,
    /// Held while the file is written.
    writing: Mutex<()>,
    told: Once,
}

/// Times in seconds since 1970: sessions that began at or before them have ended.
#[derive(Clone, Debug, Default, Eq, PartialEq, Serialize, Deserialize)]
#[serde(default)]
struct SignOutTable {
    version: RecordVersion,
    everybody: u64,
    people: HashMap<PersonId, u64>,
}

impl SignOuts {
    /// Reads the file of a user-data directory. `now` in seconds since 1970.
    pub(crate) fn read(user_data: &std::path::Path, now: u64) -> Self {
        let path = user_data.join(SIGN_OUTS_FILE);
        let table = match SignOutTable::read(&path) {
            Ok(table) => table,
            Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                tracing::error!(
                    "`{SIGN_OUTS_FILE}` cannot be used ({error}): to be safe, everyone has to sign in again"
                );
                SignOutTable { everybody: now, ..SignOutTable::default() }
            }
            Err(error) => {
                tracing::warn!("`{SIGN_OUTS_FILE}` cannot be read: {}", reason(&error));
                SignOutTable::default()
            }
        };
        Self {
            path,
            table: ArcSwap::from_pointee(table),
            database: OnceLock::new(),
            is_sharing: AtomicBool::new(false),
            writing: Mutex::default(),
            told: Once::new(),
        }
    }

    /// Shares the sign-outs with the other servers of a database, from now on.
    pub(crate) fn share(self: &Arc<Self>, database: &Arc<Database>) {
        if self.database.set(Arc::clone(database)).is_ok() {
            tokio::spawn(follow(Arc::downgrade(self), database.news()));
        }
    }

    /// Learns what other servers that share the folder add to the file, forever.
    pub(crate) async fn watch(self: Arc<Self>) {
        let changed = |path: &PathBuf| fs::metadata(path).and_then(|about| about.modified()).ok();
        let mut last = None;
        loop {
            let this = Arc::clone(&self);
            let look = move || {
                let now = changed(&this.path);
                if now != last
                    && let Ok(theirs) = SignOutTable::read(&this.path)
                {
                    this.table.rcu(|table| SignOutTable::clone(table).merged(&theirs));
                }
                now
            };
            last = tokio::task::spawn_blocking(look).await.unwrap_or_default();
            sleep(WATCH_INTERVAL).await;
        }
    }

    /// Learns what the database knows.
    pub(crate) async fn catch_up(&self) {
        if let Some(database) = self.database.get() {
            self.compare(database).await;
        }
    }

    /// Learns what other servers know, and tells them what only this one knows. Returns whether they know everything now.
    async fn compare(&self, database: &Database) -> bool {
        let theirs = match database.sign_outs().await {
            Ok(theirs) => theirs.into_iter().map(|(person, at)| (PersonId(person), at)).collect::<HashMap<_, _>>(),
            Err(error) => {
                tracing::debug!("sign-outs at other servers are not known yet: {error}");
                return false;
            }
        };
        let mut is_complete = true;
        for (person, at) in self.table.load().people.iter().filter(|(person, at)| theirs.get(person) < Some(at)) {
            if let Err(error) = database.sign_out(&person.0, *at).await {
                tracing::debug!("a sign-out is not shared yet: {error}");
                is_complete = false;
            }
        }
        self.learn(theirs);
        is_complete
    }

    fn learn(&self, people: HashMap<PersonId, u64>) {
        let theirs = SignOutTable { people, ..SignOutTable::default() };
        self.table.rcu(|table| SignOutTable::clone(table).merged(&theirs));
    }

    /// Whether a session that began at a time has been signed out.
    pub(crate) fn is_over(&self, person: &PersonId, began: u64) -> bool {
        let end = self.table.load().end_of(person);
        end > 0 && began <= end
    }

    /// The start time of a session that begins now: always after the last sign-out.
    pub(crate) fn beginning(&self, person: &PersonId, now: u64) -> u64 {
        now.max(self.table.load().end_of(person).saturating_add(1))
    }

    /// Ends all current sessions of a user, including one that began at `began`.
    pub(crate) async fn end(self: &Arc<Self>, person: &PersonId, began: u64, now: u64) {
        let at = now.max(began);
        self.table.rcu(|table| {
            let mut table = SignOutTable::clone(table);
            let end = table.people.entry(person.clone()).or_default();
            *end = at.max(*end);
            table.bounded(now, MAX_PEOPLE)
        });
        if let Some(database) = self.database.get()
            && let Err(error) = database.sign_out(&person.0, at).await
        {
            tracing::warn!("other servers learn of a sign-out later: {error}");
            if !self.is_sharing.swap(true, Ordering::Relaxed) {
                tokio::spawn(share_later(Arc::downgrade(self)));
            }
        }
        let this = Arc::clone(self);
        let written = tokio::task::spawn_blocking(move || this.write(now));
        match timeout(MAX_WAIT, written).await {
            Ok(Ok(Err(error))) => self.told.call_once(|| {
                tracing::warn!(
                    "`{SIGN_OUTS_FILE}` cannot be written in the user-data folder ({}): a session that was signed out \
                     stays over until the server restarts, and a stolen copy of its cookie works again then",
                    reason(&error),
                );
            }),
            Ok(_) => {}
            Err(_) => tracing::warn!("writing `{SIGN_OUTS_FILE}` takes long; the sign-out counts already"),
        }
    }

    /// Replaces the file, and includes what other servers have added to it.
    fn write(&self, now: u64) -> io::Result<()> {
        let _turn = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let others = SignOutTable::read(&self.path).unwrap_or_default();
        self.table.rcu(|table| SignOutTable::clone(table).merged(&others).bounded(now, MAX_PEOPLE));
        let text = serde_json::to_vec(&**self.table.load())?;
        let folder = self.path.parent().ok_or(io::ErrorKind::NotFound)?;
        // Only the owner can read such a file.
        let mut draft = tempfile::Builder::new().prefix(SIGN_OUTS_FILE).tempfile_in(folder)?;
        draft.write_all(&text)?;
        draft.as_file().sync_all()?;
        draft.persist(&self.path).map_err(|error| error.error)?;
        Ok(())
    }
}

/// Tells other servers of sign-outs as soon as the database stores them again.
async fn share_later(sign_outs: Weak<SignOuts>) {
    loop {
        sleep(SHARE_INTERVAL).await;
        let Some(sign_outs) = sign_outs.upgrade() else { return };
        let Some(database) = sign_outs.database.get() else { return };
        // Before the attempt, so that a sign-out that fails meanwhile begins another one.
        sign_outs.is_sharing.store(false, Ordering::Relaxed);
        if sign_outs.compare(database).await || sign_outs.is_sharing.swap(true, Ordering::Relaxed) {
            return;
        }
    }
}

/// Learns of sign-outs at other servers.
async fn follow(sign_outs: Weak<SignOuts>, mut news: Receiver<News>) {
    loop {
        let news = match news.recv().await {
            Ok(news) => news,
            // What was missed is in the database.
            Err(RecvError::Lagged(_)) => News { key: COMPARE.into(), value: None },
            Err(RecvError::Closed) => return,
        };
        let Some(sign_outs) = sign_outs.upgrade() else { return };
        if let (Some(person), Some(at)) = (news.key.strip_prefix("sign-out/"), &news.value) {
            let person = PersonId(person.to_owned());
            sign_outs.learn(HashMap::from([(person, at.parse().unwrap_or_default())]));
        } else if &*news.key == COMPARE
            && let Some(database) = sign_outs.database.get()
        {
            sign_outs.compare(database).await;
        }
    }
}

impl SignOutTable {
    /// The table in a file; empty if there is none.
    fn read(path: &std::path::Path) -> io::Result<Self> {
        match fs::read(path) {
            Ok(text) => {
                serde_json::from_slice(&text).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Self::default()),
            Err(error) => Err(error),
        }
    }

    fn end_of(&self, person: &PersonId) -> u64 {
        self.people.get(person).copied().unwrap_or_default().max(self.everybody)
    }

    fn merged(mut self, other: &Self) -> Self {
        self.everybody = self.everybody.max(other.everybody);
        for (person, time) in &other.people {
            let end = self.people.entry(person.clone()).or_default();
            *end = (*end).max(*time);
        }
        self
    }

    /// Drops entries that are older than any session can be. If there are still more than `max` people, the oldest
    /// sign-outs are applied to everyone, so that none is lost.
    fn bounded(mut self, now: u64, max: usize) -> Self {
        let everybody = self.everybody;
        self.people.retain(|_, end| *end > everybody && *end >= now.saturating_sub(MAX_SESSION_SECONDS));
        if self.people.len() > max {
            let mut ends: Vec<u64> = self.people.values().copied().collect();
            ends.sort_unstable();
            self.everybody = ends.get(self.people.len() - max - 1).copied().unwrap_or_default();
            let everybody = self.everybody;
            self.people.retain(|_, end| *end > everybody);
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::{MAX_SESSION_SECONDS, PersonId, SIGN_OUTS_FILE, SignOutTable, SignOuts};

    const NOW: u64 = 1_800_000_000;

    #[tokio::test]
    async fn a_sign_out_ends_what_began_before_and_survives_a_restart() {
        let folder = tempfile::tempdir().unwrap();
        let sign_outs = Arc::new(SignOuts::read(folder.path(), NOW));
        let (anna, bob) = (PersonId::of_account("Anna"), PersonId::of_account("bob"));
        assert!(!sign_outs.is_over(&anna, 0));
        sign_outs.end(&anna, NOW - 10, NOW).await;
        let again = SignOuts::read(folder.path(), NOW);
        for sign_outs in [&*sign_outs, &again] {
            assert!(sign_outs.is_over(&anna, NOW - 10) && sign_outs.is_over(&PersonId::of_account("ANNA"), NOW));
            assert!(!sign_outs.is_over(&bob, NOW - 10));
            // Someone who signs in again within the same second is signed in.
            let began = sign_outs.beginning(&anna, NOW);
            assert!(!sign_outs.is_over(&anna, began));
        }
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let mode = std::fs::metadata(folder.path().join(SIGN_OUTS_FILE)).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
        let text = std::fs::read_to_string(folder.path().join(SIGN_OUTS_FILE)).unwrap();
        assert!(!text.to_lowercase().contains("anna"), "{text}");
    }

    #[tokio::test]
    async fn servers_with_one_folder_add_to_the_same_file() {
        let folder = tempfile::tempdir().unwrap();
        let servers = [(); 2].map(|()| Arc::new(SignOuts::read(folder.path(), NOW)));
        let (anna, bob) = (PersonId::of_account("anna"), PersonId::of_account("bob"));
        servers[0].end(&anna, 0, NOW).await;
        servers[1].end(&bob, 0, NOW).await;
        let third = SignOuts::read(folder.path(), NOW);
        assert!(third.is_over(&anna, NOW) && third.is_over(&bob, NOW));
        assert!(servers[1].is_over(&anna, NOW));
    }

    #[tokio::test]
    async fn without_a_folder_it_is_remembered_in_memory() {
        let sign_outs = Arc::new(SignOuts::read("/nowhere/at/all".as_ref(), NOW));
        let anna = PersonId::of_account("anna");
        sign_outs.end(&anna, 0, NOW).await;
        assert!(sign_outs.is_over(&anna, NOW));
    }

    #[test]
    fn a_file_that_cannot_be_used_signs_everybody_out() {
        let folder = tempfile::tempdir().unwrap();
        for text in ["{\"people\":", "{\"version\":2,\"people\":{}}"] {
            std::fs::write(folder.path().join(SIGN_OUTS_FILE), text).unwrap();
            let sign_outs = SignOuts::read(folder.path(), NOW);
            assert!(sign_outs.is_over(&PersonId::of_account("anna"), NOW), "{text}");
            assert!(!sign_outs.is_over(&PersonId::of_account("anna"), NOW + 1), "{text}");
        }
    }

    #[test]
    fn it_never_grows_beyond_its_bound_and_evicts_no_active_address() {
        let mut table = SignOutTable::default();
        for number in 0..100_u64 {
            table.people.insert(PersonId::of_account(&number.to_string()), NOW + number);
            table = table.bounded(NOW, 10);
            assert!(table.people.len() <= 10);
            for earlier in 0..=number {
                assert!(table.end_of(&PersonId::of_account(&earlier.to_string())) >= NOW + earlier);
            }
        }
        let later = table.bounded(NOW + 100 + MAX_SESSION_SECONDS, 10);
        assert!(later.people.is_empty());
    }
}
