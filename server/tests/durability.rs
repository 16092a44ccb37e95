//! A program that is killed in the middle of a write leaves the old file or the new one, and a backup.
//!
//! The killed program is this test program itself: it writes one version after the other, stops at a chosen disk operation,
//! reports that and waits; then it is killed with SIGKILL.

use std::{
    fs::{self, File},
    io::{self, BufRead as _, BufReader, Write as _},
    path::Path,
    process::{Command, Stdio},
    sync::atomic::{AtomicUsize, Ordering},
};

use serde_json::json;
use server::store::{Disk, LocalDisk};

use crate::world::{C, Setup, names_in};

const FOLDER: &str = "PORTICO_TEST_KILL_FOLDER";
const STEP: &str = "PORTICO_TEST_KILL_STEP";
const PART: &str = "PORTICO_TEST_KILL_PART";
const IN_PLACE: &str = "PORTICO_TEST_KILL_IN_PLACE";
const REACHED: &str = "the step is reached";

/// Versions that the program writes; each has three steps for its backup and three for itself.
const VERSIONS: usize = 8;

/// Stops at a step: before it, or in the middle of the bytes.
#[derive(Debug)]
struct DeadlyDisk {
    step: usize,
    /// How much of a content is written before it stops, in hundredths.
    part: usize,
    in_place: bool,
    steps: AtomicUsize,
}

impl DeadlyDisk {
    fn is_last(&self) -> bool {
        self.steps.fetch_add(1, Ordering::SeqCst) == self.step
    }

    fn stop(&self) -> ! {
        println!("{REACHED}");
        _ = io::stdout().flush();
        loop {
            std::thread::park();
        }
    }
}

impl Disk for DeadlyDisk {
    fn create(&self, path: &Path) -> io::Result<File> {
        if self.is_last() {
            self.stop();
        }
        LocalDisk.create(path)
    }

    fn open(&self, path: &Path) -> io::Result<File> {
        LocalDisk.open(path)
    }

    fn fill(&self, file: &mut File, bytes: &[u8]) -> io::Result<()> {
        if self.is_last() {
            file.write_all(&bytes[..bytes.len() * self.part / 100])?;
            self.stop();
        }
        LocalDisk.fill(file, bytes)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        if self.is_last() {
            self.stop();
        }
        if self.in_place && to.ends_with("conf.yml") {
            return Err(io::ErrorKind::ResourceBusy.into());
        }
        LocalDisk.rename(from, to)
    }
}

fn body(version: usize) -> String {
    // Long and of varying length, so that a mixture of two versions equals neither.
    let title = format!("version {version} ").repeat(500 + 97 * (version % 5));
    json!({ "pageInfo": { "title": title }, "sections": [] }).to_string()
}

fn text(version: usize) -> String {
    let value = serde_json::from_str(&body(version)).unwrap();
    config::document::print(&value)
}

/// The program to be killed; without a step, it does nothing.
#[tokio::test]
async fn writer() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<usize>().ok());
    let (Ok(folder), Some(step), Some(part)) = (std::env::var(FOLDER), number(STEP), number(PART)) else { return };
    let in_place = std::env::var_os(IN_PLACE).is_some();
    let disk = DeadlyDisk { step, part, in_place, steps: AtomicUsize::new(0) };
    let world = Setup::new().directory(Path::new(&folder)).disk(disk).start().await;
    for version in 1..=VERSIONS {
        world.send("PUT", C, &body(version)).await.expect_status(200);
    }
}

fn kill_at(folder: &Path, step: usize, part: usize, in_place: bool) {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "durability::writer", "--nocapture"]);
    command.env(FOLDER, folder).env(STEP, step.to_string()).env(PART, part.to_string());
    if in_place {
        command.env(IN_PLACE, "1");
    }
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let reached = lines.map_while(Result::ok).any(|line| line.contains(REACHED));
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(reached, "step {step} was not reached");
}

/// The next number of a deterministic pseudo-random sequence.
fn next(seed: &mut u64) -> usize {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    usize::try_from(*seed >> 33).unwrap()
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("conf.yml"), text(0)).unwrap();
    folder
}

fn version_of(bytes: &str) -> Option<usize> {
    (0..=VERSIONS).find(|version| text(*version) == bytes)
}

/// The versions of all backups, each of which must be complete.
fn backed_up(folder: &Path) -> Vec<usize> {
    let backups = folder.join("config-backups");
    let names = names_in(&backups).into_iter().filter(|name| !name.starts_with('.'));
    names.map(|name| version_of(&fs::read_to_string(backups.join(name)).unwrap()).expect("a backup is whole")).collect()
}

async fn assert_usable(folder: &Path) {
    let world = Setup::new().directory(folder).start().await;
    for place in [folder.to_owned(), folder.join("config-backups")] {
        assert!(!names_in(&place).iter().any(|name| name.contains(".tmp-")), "leftovers are removed at start");
    }
    world.send("PUT", C, &body(1)).await.expect_status(200);
}

#[tokio::test]
async fn forty_kills_leave_the_old_file_or_the_new_one() {
    let mut seed = 20_240_229;
    for _ in 0..40 {
        let (step, part) = (next(&mut seed) % (VERSIONS * 6), next(&mut seed) % 101);
        let folder = folder();
        kill_at(folder.path(), step, part, false);
        let bytes = fs::read_to_string(folder.path().join("conf.yml")).unwrap();
        let version = version_of(&bytes).unwrap_or_else(|| panic!("torn at step {step}, {part} %"));
        assert_eq!(version, step / 6, "step {step}");
        let backups = backed_up(folder.path());
        assert!((0..version).all(|older| backups.contains(&older)), "step {step}: {backups:?}");
        // The last step puts the new content in place; the backup is complete before that.
        assert!(step % 6 < 5 || backups.contains(&version), "step {step}: {backups:?}");
        assert_usable(folder.path()).await;
    }
}

#[tokio::test]
async fn kills_while_overwriting_leave_a_whole_backup() {
    let mut seed = 7;
    for _ in 0..10 {
        // Each version has a fourth step: overwriting, after the rename has failed.
        let version = next(&mut seed) % VERSIONS;
        let (step, part) = (version * 7 + 6, next(&mut seed) % 101);
        let folder = folder();
        kill_at(folder.path(), step, part, true);
        assert!(backed_up(folder.path()).contains(&version), "step {step}");
    }
}
