//! Who changed which config file, when and how: one line of JSON for each write, in a file of the user-data folder
//! (docs/spec/api.md 9.4). The content before each write is in a backup; this file has the difference.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Read as _, Seek as _, SeekFrom, Write as _},
    path::PathBuf,
    sync::{Mutex, PoisonError},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use serde::{Deserialize, Serialize};
use similar::TextDiff;

use super::{HISTORY_FILE, RecordVersion, temporary::shortened};
use crate::platform::io_error::reason;

/// Maximum size of the file in bytes. Then its older half is removed.
const MAX_BYTES: u64 = 8 * 1024 * 1024;
/// Maximum length of a difference in bytes.
const MAX_DIFF: usize = 8 * 1024;
/// Maximum size of a text that is compared, in bytes.
const MAX_COMPARED: usize = 1024 * 1024;
/// Maximum number of lines of a file that is compared. The time grows with the square of the lines that differ.
const MAX_LINES: usize = 10_000;
/// Maximum time for a comparison. After that, the difference is correct, but longer than need be.
const MAX_TIME: Duration = Duration::from_millis(200);
/// Unchanged lines around a change.
const CONTEXT: usize = 2;
/// Bytes that are read at once, from the end.
const CHUNK: u64 = 256 * 1024;

/// Who changes a file, and from where.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Author {
    /// The name of the person or of the token; empty for a change on disk.
    pub who: String,
    /// From where.
    pub via: Via,
}

/// From where a file is changed.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Via {
    /// The editor in the page.
    Editor,
    /// The REST API.
    Api,
    /// A button of a widget.
    Widget,
    /// The file was changed on disk, by another program.
    Disk,
}

/// A change of a file.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Change {
    /// The version of the record.
    #[serde(default)]
    pub version: RecordVersion,
    /// When, in milliseconds since 1970.
    pub at: u64,
    /// The file.
    pub file: String,
    /// Who changed it.
    #[serde(flatten)]
    pub author: Author,
    /// The backup with the content before; `None` if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub backup: Option<String>,
    /// How many lines were added.
    pub added: usize,
    /// How many lines were removed.
    pub removed: usize,
    /// The difference as in a patch; its end may be missing.
    pub diff: String,
}

/// The changes of all files.
#[derive(Debug)]
pub struct History {
    path: PathBuf,
    writing: Mutex<()>,
}

impl Author {
    /// A change on disk, by another program.
    pub const DISK: Self = Self { who: String::new(), via: Via::Disk };

    /// Someone at a place.
    pub fn new(who: impl Into<String>, via: Via) -> Self {
        Self { who: who.into(), via }
    }
}

impl std::fmt::Display for Author {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.via {
            Via::Editor => write!(formatter, "in the editor by {}", self.who),
            Via::Api => write!(formatter, "through the API by {}", self.who),
            Via::Widget => write!(formatter, "through a widget by {}", self.who),
            Via::Disk => formatter.write_str("on disk"),
        }
    }
}

impl Change {
    /// A change that happens now.
    pub(super) fn new(file: &str, author: Author, backup: Option<String>, before: &[u8], after: &[u8]) -> Self {
        let at = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_millis();
        let (before, after) = (String::from_utf8_lossy(before), String::from_utf8_lossy(after));
        let (mut added, mut removed, mut diff) = (0, 0, String::new());
        let lines = |text: &str| text.bytes().filter(|byte| *byte == b'\n').count();
        if before.len().max(after.len()) <= MAX_COMPARED && lines(&before).max(lines(&after)) <= MAX_LINES {
            let compared = TextDiff::configure().timeout(MAX_TIME).diff_lines(&*before, &*after);
            for change in compared.iter_all_changes() {
                match change.tag() {
                    similar::ChangeTag::Insert => added += 1,
                    similar::ChangeTag::Delete => removed += 1,
                    similar::ChangeTag::Equal => {}
                }
            }
            diff = compared.unified_diff().context_radius(CONTEXT).to_string();
            if diff.len() > MAX_DIFF {
                diff = format!("{}\n…", shortened(&diff, MAX_DIFF).trim_end());
            }
        }
        let at = u64::try_from(at).unwrap_or(u64::MAX);
        Self { version: RecordVersion, at, file: file.to_owned(), author, backup, added, removed, diff }
    }
}

impl History {
    /// The history in a user-data folder.
    pub fn in_folder(user_data: &std::path::Path) -> Self {
        Self { path: user_data.join(HISTORY_FILE), writing: Mutex::new(()) }
    }

    /// Adds a change. A failure is logged; the change itself has happened.
    pub fn add(&self, change: &Change) {
        if let Err(error) = self.append(change) {
            tracing::warn!("`{HISTORY_FILE}` cannot be written in the user-data folder: {}", reason(&error));
        }
    }

    fn append(&self, change: &Change) -> io::Result<()> {
        let mut line = serde_json::to_vec(change)?;
        line.push(b'\n');
        let _turn = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let mut file = private().append(true).create(true).open(&self.path)?;
        // One call, so that a reader finds whole lines.
        file.write_all(&line)?;
        if file.metadata()?.len() > MAX_BYTES {
            self.halve()?;
        }
        Ok(())
    }

    /// Removes the older half.
    fn halve(&self) -> io::Result<()> {
        let all = fs::read(&self.path)?;
        let half = all.len() / 2;
        let start = all[half..].iter().position(|byte| *byte == b'\n').map_or(all.len(), |end| half + end + 1);
        let folder = self.path.parent().ok_or(io::ErrorKind::NotFound)?;
        let mut draft = tempfile::Builder::new().prefix(HISTORY_FILE).tempfile_in(folder)?;
        draft.write_all(&all[start..])?;
        draft.persist(&self.path).map_err(|error| error.error)?;
        Ok(())
    }

    /// The latest changes before a time in milliseconds since 1970, the newest first. Reads only as much of the file as it needs.
    ///
    /// # Errors
    ///
    /// The file exists and cannot be read.
    pub fn latest(&self, before: u64, count: usize) -> io::Result<Vec<Change>> {
        let mut file = match File::open(&self.path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(error),
        };
        let mut start = file.metadata()?.len();
        let mut found = Vec::new();
        // The beginning of the first line is in the chunk before.
        let mut rest: Vec<u8> = Vec::new();
        while found.len() < count && start > 0 {
            let length = CHUNK.min(start);
            start -= length;
            file.seek(SeekFrom::Start(start))?;
            let mut chunk = Vec::new();
            (&mut file).take(length).read_to_end(&mut chunk)?;
            chunk.append(&mut rest);
            let whole = if start == 0 {
                0
            } else {
                chunk.iter().position(|byte| *byte == b'\n').map_or(chunk.len(), |end| end + 1)
            };
            for line in chunk[whole..].rsplit(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
                // A line of a later version, or half a line after a power cut, hides no others.
                let Ok(change) = serde_json::from_slice::<Change>(line) else { continue };
                if change.at < before {
                    found.push(change);
                    if found.len() == count {
                        return Ok(found);
                    }
                }
            }
            chunk.truncate(whole);
            rest = chunk;
        }
        Ok(found)
    }
}

/// Only the owner can read such a file: a difference may contain keys.
fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(0o600);
    }
    options
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;

    fn history() -> (tempfile::TempDir, History) {
        let folder = tempfile::tempdir().unwrap();
        let history = History::in_folder(folder.path());
        (folder, history)
    }

    #[test]
    fn changes_have_their_author_and_their_difference() {
        let (folder, history) = history();
        assert_eq!(history.latest(u64::MAX, 10).unwrap(), []);
        let anna = Author::new("Anna", Via::Editor);
        history.add(&Change::new(
            "conf.yml",
            anna.clone(),
            Some("conf-1.backup.yml".to_owned()),
            b"a\nb\nc\n",
            b"a\nB\nc\nd\n",
        ));
        history.add(&Change::new("lab.yml", Author::DISK, None, b"", b"x\n"));
        let all = history.latest(u64::MAX, 10).unwrap();
        assert_eq!((all[0].file.as_str(), all[0].author.via), ("lab.yml", Via::Disk));
        assert_eq!((&all[1].author, all[1].added, all[1].removed), (&anna, 2, 1));
        assert_eq!(all[1].diff, "@@ -1,3 +1,4 @@\n a\n-b\n+B\n c\n+d\n");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let mode = fs::metadata(folder.path().join(HISTORY_FILE)).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
        }
    }

    #[test]
    fn a_long_difference_is_cut_and_a_line_that_cannot_be_read_hides_no_others() {
        let (folder, history) = history();
        let long: String = (0..5000).map(|number| format!("ä{number}\n")).collect();
        history.add(&Change::new("conf.yml", Author::DISK, None, b"", long.as_bytes()));
        let mut file = OpenOptions::new().append(true).open(folder.path().join(HISTORY_FILE)).unwrap();
        let newer = r#"{"version":2,"at":1,"file":"conf.yml","who":"","via":"disk","added":0,"removed":0,"diff":""}"#;
        file.write_all(format!("{{\"at\": 1, \"fi\n{newer}\n").as_bytes()).unwrap();
        history.add(&Change::new("conf.yml", Author::DISK, None, b"a\n", b"b\n"));
        let all = history.latest(u64::MAX, 10).unwrap();
        assert_eq!((all.len(), all[1].added), (2, 5000));
        assert!(all[1].diff.len() < MAX_DIFF + 10 && all[1].diff.ends_with("\n…"));
    }

    #[test]
    fn ten_thousand_changes_are_found_page_by_page_and_quickly() {
        let (folder, history) = history();
        let mut text = Vec::new();
        for at in 0..10_000_u64 {
            let author = Author::new("Anna", Via::Api);
            let diff = "@@ -1 +1 @@\n-a\n+b\n".repeat(10);
            let change = Change {
                version: RecordVersion,
                at,
                file: "conf.yml".to_owned(),
                author,
                backup: None,
                added: 1,
                removed: 1,
                diff,
            };
            serde_json::to_writer(&mut text, &change).unwrap();
            text.push(b'\n');
        }
        fs::write(folder.path().join(HISTORY_FILE), text).unwrap();
        let began = Instant::now();
        let first = history.latest(u64::MAX, 50).unwrap();
        assert!(began.elapsed() < Duration::from_millis(100), "{:?}", began.elapsed());
        let times =
            |changes: &[Change]| (changes.first().map(|change| change.at), changes.last().map(|change| change.at));
        assert_eq!((first.len(), times(&first)), (50, (Some(9999), Some(9950))));
        let next = history.latest(9950, 50).unwrap();
        assert_eq!((next.len(), times(&next)), (50, (Some(9949), Some(9900))));
        let last = history.latest(30, 50).unwrap();
        assert_eq!((last.len(), times(&last)), (30, (Some(29), Some(0))));
        assert_eq!(history.latest(u64::MAX, 20_000).unwrap().len(), 10_000);
    }

    #[test]
    fn the_file_never_grows_beyond_its_bound() {
        let (folder, history) = history();
        let path = folder.path().join(HISTORY_FILE);
        let long: String = (0..2000).map(|number| format!("line {number}\n")).collect();
        for number in 0..1200 {
            history.add(&Change::new("conf.yml", Author::DISK, None, b"", format!("{number}\n{long}").as_bytes()));
            assert!(fs::metadata(&path).unwrap().len() <= MAX_BYTES + 2 * MAX_DIFF as u64);
        }
        let all = history.latest(u64::MAX, 10_000).unwrap();
        assert!((400..1200).contains(&all.len()) && all[0].diff.contains("\n+1199\n"), "{}", all.len());
    }
}
