//! `file-browser`: a folder of a web file manager, with its favorite and newest files.

use std::{cmp::Reverse, collections::HashMap, time::Duration};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{
    Category, Entry, FetchError, Moment, OptionProblems, Panel, Reach, Request, Response, Widget, WidgetContext,
    option_types::{BaseAddress, Bounded, Flag, Lenient, OneOrMany, Secret, Text},
    panel::{Cell, Column, Datum, Fact, Facts, Heading, Notice, Part, Phrase, Row, SafeUrl, Style, Table, Unit},
    services::tolerant,
};

/// Longer file names are cut.
const MAX_NAME: usize = 28;
/// A longer name of the largest file is cut.
const MAX_SHORT_NAME: usize = 18;
/// Maximum number of file types that are counted.
const MAX_TYPES: usize = 5;
/// How long the name of the first source is remembered.
const SOURCE_LIFE: Duration = Duration::from_secs(600);

/// Shows the size and counts of one folder in FileBrowser Quantum, with links to favorite and recently changed files.
/// The older FileBrowser has another API and is not supported.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct FileBrowser {
    /// Address of the file manager with its path, such as {example}.
    #[schemars(extend("x-required" = true, "x-example" = "https://drive.example.com"))]
    hostname: Lenient<BaseAddress>,
    /// API token (Settings, API Keys), or the name of an environment variable. Without it, none is sent, as for a file
    /// manager that asks for no login.
    api_key: Secret,
    /// Name of the source. Without it, the first one that is available.
    source: Text,
    /// The folder. Without it, the root of the source.
    path: Text,
    /// Names of files directly in that folder to list first. Optional.
    favorites: OneOrMany<Lenient<Text>>,
    /// How many recently changed files are listed; 0 for none.
    show_recent: Bounded<0, 5, 100>,
    /// Maximum number of favorites, and of recent files.
    limit: Bounded<0, 10, 100>,
    /// Hides size and counts.
    hide_stats: Flag,
    /// Hides the favorites.
    hide_favorites: Flag,
    /// Hides the recent files.
    hide_recent: Flag,
    /// Also shows the last change, the largest file and the types of files.
    show_detailed_stats: Flag,
}

impl Widget for FileBrowser {
    const SYNONYMS: &'static [(&'static str, &'static str)] = &[("host", "hostname"), ("url", "hostname")];
    const REACH: Reach = Reach::ViaServer;
    const CATEGORY: Category = Category::FilesAndCloud;
    const USUAL_LINES: usize = 17;

    fn check(&self, _entry: &Entry, problems: &mut OptionProblems) {
        let has_address = self.hostname.get().is_some_and(BaseAddress::is_set);
        problems.require_option(has_address, "hostname", "the address of FileBrowser Quantum");
        problems.require(!self.favorites.is_all_wrong(), "favorites must be a list of names of files.");
        for written in self.favorites.iter().filter_map(Lenient::unknown) {
            problems.note(format!("favorites: {written} is not a file name and is left out."));
        }
        self.show_recent.check("showRecent", problems);
        self.limit.check("limit", problems);
    }

    fn refresh(&self) -> Option<Duration> {
        Some(Duration::from_secs(60))
    }

    async fn fetch(&self, context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        let source = match self.source.get() {
            Some(source) => source.to_owned(),
            None => self.first_source(context).await?,
        };
        let path = format!("/{}", self.path.trim_matches('/'));
        let request = self.request("/api/resources").query("path", &path).query("source", &source);
        let reply = context.exchange(request).await?;
        let folder: FolderReply = self.read(&reply, &source)?;
        if folder.kind.as_deref().is_some_and(|kind| kind != "directory") {
            let sentence = format!("{path} is a file: set the option path to a folder.");
            return Err(FetchError::message(format!("{}: {sentence}", reply.host)));
        }
        let links = Links { address: self.address(), source, path };
        Ok(self.panel(&folder, &links))
    }
}

impl FileBrowser {
    fn address(&self) -> BaseAddress {
        self.hostname.get().cloned().unwrap_or_default().without(&["/api"])
    }

    fn request(&self, path: &str) -> Request {
        Request::get(self.address().join(path, &[])).bearer(&self.api_key).header("Accept", "application/json")
    }

    /// The first available source, by name.
    async fn first_source(&self, context: &dyn WidgetContext) -> Result<String, FetchError> {
        let key = format!("file-browser/{}/source", self.address().public());
        let kept = context.kept(&key, SOURCE_LIFE, async {
            let reply = context.exchange(self.request("/api/settings/sources")).await?;
            if reply.status == 404 {
                return Err(FetchError::message(format!(
                    "{} does not list its sources: set the option source to the name of a source.",
                    reply.host
                )));
            }
            let sources: Map<String, Value> = self.read(&reply, "")?;
            let mut names: Vec<&String> =
                sources.iter().filter(|(_, source)| source["status"] != "unavailable").map(|(name, _)| name).collect();
            names.sort();
            names.first().map(|name| Value::from(name.as_str())).ok_or_else(|| {
                FetchError::message(format!(
                    "{} has no available source: check its sources, or set the option source to one of them.",
                    reply.host
                ))
            })
        });
        Ok(kept.await?.as_str().unwrap_or_default().to_owned())
    }

    fn read<T: serde::de::DeserializeOwned>(&self, reply: &Response, source: &str) -> Result<T, FetchError> {
        let (host, path) = (&reply.host, if self.path.is_set() { &*self.path } else { "/" });
        match reply.status {
            401 | 403 if !self.api_key.is_set() => Err(FetchError::login_refused(format!(
                "{host} asks for a token: set the option apiKey (Settings, API Keys)."
            ))),
            401 => Err(FetchError::login_refused(format!(
                "{host} refused the token, or it has expired: check the option apiKey (Settings, API Keys)."
            ))),
            403 => Err(FetchError::login_refused(format!(
                "{host} does not let the token see {path}: check the option path, or the permissions of the token."
            ))),
            404 => Err(FetchError::message(format!(
                "{host} has no folder {path} in its source {source}: check the option path."
            ))),
            500 => Err(FetchError::message(format!(
                "{host} has a problem (500): check that it has a source {source}, and the option path."
            ))),
            _ => reply.json(),
        }
    }

    fn panel(&self, folder: &FolderReply, links: &Links) -> Panel {
        let mut parts: Vec<Part> = Vec::new();
        if !self.hide_stats.is_on() {
            parts.push(Facts { facts: folder.facts() }.into());
        }
        if self.show_detailed_stats.is_on() {
            parts.push(Facts { facts: folder.details() }.into());
        }
        let favorites = self.favorites(folder);
        let mut recent: Vec<&FileReply> = folder.files.iter().filter(|file| file.name.is_some()).collect();
        if !self.hide_favorites.is_on() {
            recent.retain(|file| !favorites.iter().any(|favorite| favorite.name == file.name));
            let size = |file: &FileReply| file.size.map(|size| Datum::bytes(size.max(0.0))).into();
            parts.extend(links.list("Favorites", &favorites, size).into_iter().flatten());
        }
        if !self.hide_recent.is_on() {
            recent.sort_by_key(|file| Reverse(file.changed()));
            recent.truncate(self.show_recent.count().min(self.limit.count()));
            let changed = |file: &FileReply| file.changed().map(|at| Datum::time(at, Style::Relative)).into();
            parts.extend(links.list("Recent", &recent, changed).into_iter().flatten());
        }
        if folder.files.is_empty() && folder.folders.is_empty() {
            parts.push(Notice::empty("This folder is empty").into());
        }
        let name = folder.name.as_deref().filter(|name| *name != "/").unwrap_or(&links.source);
        let title = Heading::new(if name.is_empty() { "Files".into() } else { Phrase::foreign(name) });
        Panel::new(parts).titled(title.linked(&links.folder()))
    }

    /// The favorites that exist, in the order of the option.
    fn favorites<'a>(&self, folder: &'a FolderReply) -> Vec<&'a FileReply> {
        let wanted = self.favorites.iter().filter_map(Lenient::get).map(|name| name.trim_start_matches('/'));
        let found = wanted.filter_map(|name| folder.files.iter().find(|file| file.shown_name() == name));
        found.take(self.limit.count()).collect()
    }
}

/// The addresses at which the file manager opens files.
struct Links {
    address: BaseAddress,
    source: String,
    path: String,
}

impl Links {
    fn folder(&self) -> String {
        let steps = self.path.split('/').filter(|step| !step.is_empty());
        let steps: Vec<&str> = [self.source.as_str()].into_iter().chain(steps).collect();
        let address = BaseAddress::parse(&self.address.public()).unwrap_or_default();
        address.join(&format!("/files{}", "/{}".repeat(steps.len())), &steps)
    }

    fn list(
        &self,
        title: &'static str,
        files: &[&FileReply],
        value: impl Fn(&FileReply) -> Datum,
    ) -> Option<[Part; 2]> {
        let row = |file: &&FileReply| {
            let name = file.shown_name();
            let shown = cut(name, MAX_NAME);
            let hint = (shown != name).then(|| Phrase::foreign(name));
            let step = crate::address::encode(file.name.as_deref().unwrap_or_default());
            Row {
                cells: vec![Cell { value: Datum::text(&shown), hint, ..Cell::default() }, value(file).into()],
                url: SafeUrl::parse(&format!("{}/{step}", self.folder())),
                ..Row::default()
            }
        };
        let rows: Vec<Row> = files.iter().map(row).collect();
        let columns = vec![Column::text("Name"), Column::number("Size or change")];
        let table = Table { columns, rows, headless: true, one_line: true, ..Table::default() };
        (!files.is_empty()).then(|| [Heading::new(title).into(), table.into()])
    }
}

/// A name, cut if it is too long.
fn cut(name: &str, max: usize) -> String {
    match name.char_indices().nth(max) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name.to_owned(),
    }
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct FolderReply {
    #[serde(deserialize_with = "tolerant::text")]
    name: Option<String>,
    #[serde(deserialize_with = "tolerant::number")]
    size: Option<f64>,
    #[serde(deserialize_with = "tolerant::text")]
    modified: Option<String>,
    #[serde(rename = "type", deserialize_with = "tolerant::text")]
    kind: Option<String>,
    #[serde(deserialize_with = "tolerant::entries")]
    files: Vec<FileReply>,
    #[serde(deserialize_with = "tolerant::entries")]
    folders: Vec<FileReply>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct FileReply {
    #[serde(deserialize_with = "tolerant::untrimmed")]
    name: Option<String>,
    #[serde(deserialize_with = "tolerant::number")]
    size: Option<f64>,
    #[serde(deserialize_with = "tolerant::text")]
    modified: Option<String>,
    #[serde(rename = "type", deserialize_with = "tolerant::text")]
    kind: Option<String>,
    #[serde(deserialize_with = "tolerant::flag")]
    hidden: Option<bool>,
}

impl FolderReply {
    fn facts(&self) -> Vec<Fact> {
        let content = Phrase::from("{files} files, {folders} folders")
            .with("files", Datum::count(self.files.len()))
            .with("folders", Datum::count(self.folders.len()));
        vec![Fact::new("Size", self.size.map(|size| Datum::bytes(size.max(0.0)))), Fact::new("Content", content)]
    }

    fn details(&self) -> Vec<Fact> {
        let changed = self.modified.as_deref().and_then(Moment::parse).map(|at| Datum::time(at, Style::Relative));
        let mut facts = vec![Fact::new("Last change", changed)];
        let largest = self.files.iter().filter(|file| file.size.is_some());
        if let Some(file) = largest.max_by(|one, other| one.size.unwrap_or(0.0).total_cmp(&other.size.unwrap_or(0.0))) {
            let name = file.shown_name();
            let shown = cut(name, MAX_SHORT_NAME);
            let hint = (shown != name).then(|| Phrase::foreign(name));
            let size = file.size.map(|size| Datum::bytes(size.max(0.0)));
            facts.push(Fact { more: vec![size.into()], hint, ..Fact::new("Largest file", shown.as_str()) });
        }
        let hidden = self.files.iter().chain(&self.folders).filter(|entry| entry.hidden == Some(true)).count();
        if hidden > 0 {
            facts.push(Fact::new("Hidden", Datum::count(hidden)));
        }
        facts.push(Fact::new("Entries", Datum::count(self.files.len() + self.folders.len())));
        if let Some(types) = self.types() {
            facts.push(Fact::new("Types", types));
        }
        facts
    }

    /// The most frequent types of files with their counts.
    fn types(&self) -> Option<Phrase> {
        let mut counts: HashMap<String, usize> = HashMap::new();
        for kind in self.files.iter().filter_map(|file| file.kind.as_deref()) {
            *counts.entry(type_name(kind)).or_default() += 1;
        }
        let mut counts: Vec<(String, usize)> = counts.into_iter().collect();
        counts.sort_by(|(one, few), (other, many)| many.cmp(few).then(one.cmp(other)));
        let write = |(name, count): (String, usize)| {
            // The number of files in a folder is small.
            Phrase::from("{count}").with("count", Datum::number(count as f64, Unit::Sign(name)))
        };
        let types = counts.into_iter().take(MAX_TYPES).map(write);
        types.reduce(|before, next| Phrase::from("{before}, {next}").with("before", before).with("next", next))
    }
}

impl FileReply {
    fn shown_name(&self) -> &str {
        self.name.as_deref().unwrap_or_default().trim()
    }

    fn changed(&self) -> Option<Moment> {
        self.modified.as_deref().and_then(Moment::parse)
    }
}

/// The common name of a media type.
fn type_name(kind: &str) -> String {
    let kind = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let (group, name) = kind.split_once('/').unwrap_or(("", &kind));
    let known = match (group, name) {
        (_, "yaml" | "x-yaml") => "YAML",
        (_, "json") => "JSON",
        (_, "pdf") => "PDF",
        (_, "zip") => "ZIP",
        ("text", "plain") => "Text",
        (_, "html") => "HTML",
        (_, "css") => "CSS",
        (_, "javascript" | "x-javascript") => "JS",
        ("image", _) => "Image",
        ("video", _) => "Video",
        ("audio", _) => "Audio",
        ("", "blob") => "Binary",
        _ => return name.to_uppercase(),
    };
    known.to_owned()
}
