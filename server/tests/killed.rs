//! The program itself, killed in the middle of writing for several clients: what was acknowledged is there, what was
//! not is there wholly or not at all. `durability.rs` kills at each step of one write instead.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::task::JoinSet;

use crate::world::{C, names_in, write_assets};

const KILLS: usize = 24;
const CLIENTS: usize = 3;

/// The most that one server acknowledges before it is killed.
const MAX_ACKNOWLEDGED: usize = 12;

/// One write, of a text that no other write has.
#[derive(Clone, Debug)]
struct Attempt {
    text: String,
    /// The ticks of the clock of all clients at which it was begun and acknowledged; the second only if it was.
    begun: usize,
    acknowledged: Option<usize>,
    backup: Option<String>,
}

/// All writes, and a clock that ticks with each event.
#[derive(Debug, Default)]
struct Record {
    attempts: Mutex<BTreeMap<usize, Attempt>>,
    clock: AtomicUsize,
    acknowledged: AtomicUsize,
}

impl Record {
    fn tick(&self) -> usize {
        self.clock.fetch_add(1, Ordering::SeqCst)
    }

    /// Notes that a write begins; gives its number and body.
    fn begin(&self) -> (usize, String) {
        let mut attempts = self.attempts.lock().unwrap();
        let number = attempts.len();
        // Long and of changing length, so that a mixture of two texts is none of them.
        let title = format!("write {number} ").repeat(100 + 997 * (number % 7));
        let value = json!({ "pageInfo": { "title": title }, "sections": [] });
        let text = config::document::print(&value);
        attempts.insert(number, Attempt { text, begun: self.tick(), acknowledged: None, backup: None });
        (number, value.to_string())
    }

    fn acknowledge(&self, number: usize, answer: &Value) {
        let mut attempts = self.attempts.lock().unwrap();
        let attempt = attempts.get_mut(&number).unwrap();
        attempt.acknowledged = Some(self.tick());
        attempt.backup = answer["backup"].as_str().map(str::to_owned);
        self.acknowledged.fetch_add(1, Ordering::SeqCst);
    }
}

/// The program while it runs; it does not outlive a test that fails.
struct Running(Child);

impl Running {
    fn assert_alive(&mut self) {
        assert!(self.0.try_wait().unwrap().is_none(), "the program has ended by itself");
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        _ = self.0.kill();
        _ = self.0.wait();
    }
}

/// A folder, and the program that runs over it now and then.
struct Victim {
    folder: TempDir,
    record: Arc<Record>,
    seed: u64,
}

impl Victim {
    fn data(&self) -> PathBuf {
        self.folder.path().join("user-data")
    }

    /// The next number of a sequence that looks random and is always the same.
    fn next(&mut self, below: usize) -> usize {
        self.seed = self.seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.seed >> 33).unwrap() % below
    }

    /// Starts the program and waits until it answers.
    async fn start(&self) -> (Running, String) {
        let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let child = Command::new(env!("CARGO_BIN_EXE_portico"))
            .env_clear()
            .envs([("HOST", "127.0.0.1"), ("ENABLE_API", "true"), ("OFFLINE", "true"), ("CONFIG_BACKUP_LIMIT", "0")])
            .env("PORT", port.to_string())
            .env("USER_DATA_DIR", self.data())
            .env("SSL_PRIV_KEY_PATH", self.folder.path().join("none"))
            .current_dir(self.folder.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut program = Running(child);
        let address = format!("http://127.0.0.1:{port}");
        let client = client();
        while client.get(format!("{address}/healthz")).send().await.is_err() {
            program.assert_alive();
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        (program, address)
    }

    /// Lets the clients write until so many are acknowledged, and kills it a moment later.
    async fn kill(&self, after: usize, moment: Duration) {
        let (mut program, address) = self.start().await;
        self.assert_clean();
        let goal = self.record.acknowledged.load(Ordering::SeqCst) + after;
        let mut writers = JoinSet::new();
        for _ in 0..CLIENTS {
            writers.spawn(write(Arc::clone(&self.record), format!("{address}{C}")));
        }
        while self.record.acknowledged.load(Ordering::SeqCst) < goal {
            program.assert_alive();
            tokio::task::yield_now().await;
        }
        tokio::time::sleep(moment).await;
        drop(program);
        writers.join_all().await;
    }

    /// Nothing temporary is left, but for what the server is just writing for itself.
    fn assert_clean(&self) {
        for place in [self.data(), self.data().join("config-backups")] {
            let mut hidden = names_in(&place);
            hidden.retain(|name| name.starts_with('.') && name != ".history" && !name.contains(".last-read"));
            assert!(hidden.is_empty(), "{hidden:?}");
        }
    }

    fn check(&self, first: &str) {
        let attempts = self.record.attempts.lock().unwrap();
        let whose = |path: &Path| {
            let text = fs::read_to_string(path).unwrap();
            let found = attempts.iter().find(|(_, attempt)| attempt.text == text).map(|(number, _)| *number);
            assert!(found.is_some() || text == first, "{} is torn", path.display());
            found
        };
        let current = whose(&self.data().join("conf.yml"));
        let backups = self.data().join("config-backups");
        let kept: BTreeMap<String, Option<usize>> = names_in(&backups)
            .into_iter()
            .filter(|name| !name.starts_with('.'))
            .map(|name| (name.clone(), whose(&backups.join(name))))
            .collect();
        // What is there now was not overtaken by a write that began later and was acknowledged.
        let overtaken =
            |since: usize| attempts.values().any(|other| other.acknowledged.is_some() && other.begun > since);
        match current.map(|number| &attempts[&number]) {
            None => assert!(!attempts.values().any(|attempt| attempt.acknowledged.is_some()), "a write is lost"),
            Some(attempt) => {
                assert!(!attempt.acknowledged.is_some_and(overtaken), "a newer write is lost");
            }
        }
        for (number, attempt) in attempts.iter().filter(|(_, attempt)| attempt.acknowledged.is_some()) {
            let backup = attempt.backup.as_ref().expect("there was a file before");
            assert!(kept.contains_key(backup), "the backup `{backup}` is lost");
            let survives = current == Some(*number) || kept.values().any(|kept| *kept == Some(*number));
            assert!(survives, "write {number} is neither there nor in a backup");
        }
    }
}

fn client() -> reqwest::Client {
    reqwest::Client::builder().no_proxy().build().unwrap()
}

/// Writes until the server is gone.
async fn write(record: Arc<Record>, url: String) {
    let client = client();
    loop {
        let (number, body) = record.begin();
        let request = client.put(&url).header("content-type", "application/json").body(body);
        let Ok(answer) = request.send().await else { return };
        assert_eq!(answer.status(), 200);
        // An answer whose end is missing is none.
        let Ok(text) = answer.text().await else { return };
        record.acknowledge(number, &serde_json::from_str(&text).unwrap());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn kills_of_the_program_lose_nothing_that_it_acknowledged() {
    _ = rustls::crypto::ring::default_provider().install_default();
    let folder = tempfile::tempdir().unwrap();
    write_assets(&folder.path().join("dist"));
    let mut victim = Victim { folder, record: Arc::default(), seed: 20_240_229 };
    fs::create_dir(victim.data()).unwrap();
    let first = "pageInfo:\n  title: First\nsections: []\n";
    fs::write(victim.data().join("conf.yml"), first).unwrap();
    for _ in 0..KILLS {
        let (after, moment) = (victim.next(MAX_ACKNOWLEDGED), victim.next(4000));
        victim.kill(after, Duration::from_micros(moment as u64)).await;
        victim.check(first);
    }
    let (_program, address) = victim.start().await;
    victim.assert_clean();
    // It still works.
    let answer = client().put(format!("{address}{C}")).body(r#"{"sections":[]}"#).send().await.unwrap();
    assert_eq!(answer.status(), 200);
}
