//! One build: its data from the CI servers, and its row.

use serde::Deserialize;

use crate::{
    Moment,
    panel::{Datum, ListEntry, Phrase, SafeUrl, Style, Tone},
    services::tolerant,
};

/// A build, from any server.
#[derive(Default)]
pub(super) struct Build {
    status: String,
    /// The repository with its owner.
    slug: String,
    number: Option<f64>,
    url: String,
    event: String,
    branch: Option<String>,
    /// The number of the pull request, the name of the tag, of the cron job, or of the target.
    subject: Option<String>,
    message: Option<String>,
    author: Option<String>,
    /// Who or what started it, if that is not the author.
    trigger: Option<String>,
    error: Option<String>,
    pub(super) created: Option<Moment>,
    started: Option<Moment>,
    finished: Option<Moment>,
}

/// A repository of Drone with one of its builds. It is listed once per build.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct DroneRepo {
    #[serde(deserialize_with = "tolerant::text")]
    slug: Option<String>,
    #[serde(deserialize_with = "tolerant::part")]
    build: Option<DroneBuild>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct DroneBuild {
    #[serde(deserialize_with = "tolerant::number")]
    number: Option<f64>,
    #[serde(deserialize_with = "tolerant::text")]
    status: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    event: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    link: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    message: Option<String>,
    #[serde(rename = "ref", deserialize_with = "tolerant::text")]
    reference: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    target: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    author_name: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    author_login: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    trigger: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    error: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    cron: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    deploy_to: Option<String>,
    #[serde(deserialize_with = "tolerant::number")]
    created: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    started: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    finished: Option<f64>,
}

/// A pipeline of Woodpecker. Empty fields and zeros are left out.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Pipeline {
    #[serde(deserialize_with = "tolerant::number")]
    repo_id: Option<f64>,
    #[serde(deserialize_with = "tolerant::text")]
    full_name: Option<String>,
    #[serde(deserialize_with = "tolerant::number")]
    number: Option<f64>,
    #[serde(deserialize_with = "tolerant::text")]
    event: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    status: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    branch: Option<String>,
    #[serde(rename = "ref", deserialize_with = "tolerant::text")]
    reference: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    title: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    message: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    author: Option<String>,
    #[serde(deserialize_with = "tolerant::entries")]
    errors: Vec<PipelineError>,
    #[serde(deserialize_with = "tolerant::number")]
    created: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    started: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    finished: Option<f64>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct PipelineError {
    #[serde(deserialize_with = "tolerant::text")]
    message: Option<String>,
}

/// A job of Gitea or Forgejo.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct GiteaRun {
    #[serde(deserialize_with = "tolerant::text")]
    name: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    head_branch: Option<String>,
    #[serde(deserialize_with = "tolerant::number")]
    run_number: Option<f64>,
    #[serde(deserialize_with = "tolerant::text")]
    event: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    display_title: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    status: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    url: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    created_at: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    updated_at: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    run_started_at: Option<String>,
}

impl DroneRepo {
    pub(super) fn read(self, base: &str) -> Option<Build> {
        Some(self.build?.read(base, &self.slug.unwrap_or_default()))
    }
}

impl DroneBuild {
    pub(super) fn read(self, base: &str, slug: &str) -> Build {
        let subject = match self.event.as_deref() {
            Some("pull_request") => pull_request(self.link.as_deref(), self.reference.as_deref()),
            Some("tag") => tag(self.reference.as_deref()),
            Some("cron") => self.cron,
            _ => self.deploy_to,
        };
        let author = self.author_name.or(self.author_login);
        Build {
            status: self.status.unwrap_or_default(),
            slug: slug.to_owned(),
            url: self.number.map(|number| format!("{base}/{}/{number}", encoded(slug))).unwrap_or_default(),
            number: self.number,
            event: self.event.unwrap_or_default(),
            branch: self.target,
            subject,
            message: self.message,
            trigger: self.trigger.clone().filter(|_| author.is_some()),
            author: author.or(self.trigger),
            error: self.error,
            created: time(self.created),
            started: time(self.started),
            finished: time(self.finished),
        }
    }
}

impl Pipeline {
    /// Reads a pipeline of the repository with this number and name, or of the one named in the pipeline.
    pub(super) fn read(self, base: &str, repo: Option<(u64, &str)>) -> Build {
        // Repository numbers are small.
        let id = repo.map(|(id, _)| id as f64).or(self.repo_id);
        let slug = self.full_name.unwrap_or_else(|| repo.map(|(_, name)| name.to_owned()).unwrap_or_default());
        let subject = match self.event.as_deref() {
            Some("pull_request" | "pull_request_closed") => pull_request(None, self.reference.as_deref()),
            Some("tag" | "release") => tag(self.reference.as_deref()),
            _ => None,
        };
        let url = id.zip(self.number).map(|(id, number)| format!("{base}/repos/{id}/pipeline/{number}"));
        Build {
            status: self.status.unwrap_or_default(),
            slug,
            number: self.number,
            url: url.unwrap_or_default(),
            event: self.event.unwrap_or_default(),
            branch: self.branch,
            subject,
            message: self.title.or(self.message),
            author: self.author,
            error: self.errors.into_iter().find_map(|error| error.message),
            created: time(self.created),
            started: time(self.started),
            finished: time(self.finished),
            ..Build::default()
        }
    }
}

impl GiteaRun {
    pub(super) fn read(self, slug: &str) -> Build {
        let time = |written: Option<String>| written.as_deref().and_then(Moment::parse).filter(|at| at.seconds() > 0);
        let status = self.status.unwrap_or_default();
        let is_open = ["waiting", "running", "blocked"].contains(&status.as_str());
        Build {
            slug: slug.to_owned(),
            number: self.run_number,
            url: self.url.unwrap_or_default(),
            event: self.event.unwrap_or_default(),
            branch: self.head_branch,
            // Each job of a run is a separate entry.
            message: match (self.name, self.display_title) {
                (Some(name), Some(title)) => Some(format!("{name}: {title}")),
                (name, title) => name.or(title),
            },
            created: time(self.created_at),
            started: time(self.run_started_at),
            finished: time(self.updated_at).filter(|_| !is_open),
            status,
            ..Build::default()
        }
    }
}

impl Build {
    pub(super) fn entry(&self) -> ListEntry {
        let (word, tone) = self.state();
        let name = self.slug.rsplit('/').next().unwrap_or_default();
        let number = self.number.map(|number| Phrase::foreign(number.to_string()));
        let author = self.author.as_deref().map(|author| Phrase::from("by {author}").with("author", author));
        let error = self.error.as_deref().map(|error| Phrase::foreign(first_line(error)));
        let others = [author, error].into_iter().flatten().map(Datum::from);
        ListEntry {
            url: SafeUrl::parse(&self.url),
            state: Some(word),
            tone,
            text: Some(self.change()),
            hint: self.origin(),
            values: [self.time()].into_iter().chain(others).collect(),
            ..ListEntry::new(Phrase::from("{name} #{number}").with("name", name).with("number", number))
        }
    }

    fn state(&self) -> (Phrase, Tone) {
        let (word, tone): (&'static str, Tone) = match self.status.as_str() {
            "success" => ("Success", Tone::Success),
            "failure" => ("Failed", Tone::Danger),
            "error" => ("Error", Tone::Danger),
            "killed" => ("Killed", Tone::Danger),
            "running" => ("Running", Tone::Info),
            "pending" | "created" => ("Pending", Tone::Neutral),
            "waiting" | "waiting_on_dependencies" => ("Waiting", Tone::Neutral),
            "blocked" => ("Blocked", Tone::Neutral),
            "skipped" => ("Skipped", Tone::Neutral),
            "declined" => ("Declined", Tone::Neutral),
            "canceled" | "cancelled" => ("Canceled", Tone::Neutral),
            "" => ("Unknown", Tone::Neutral),
            other => return (Phrase::foreign(other), Tone::Neutral),
        };
        (word.into(), tone)
    }

    /// The repository with its owner, the branch, and what started the build.
    fn origin(&self) -> Option<Phrase> {
        let pieces = [Some(&self.slug), self.branch.as_ref(), self.trigger.as_ref()];
        let pieces = pieces.into_iter().flatten().filter(|piece| !piece.is_empty());
        Some(Phrase::joined(pieces.map(Phrase::foreign))).filter(|pieces| !pieces.is_empty())
    }

    /// What was built, and the first line of the message.
    fn change(&self) -> Phrase {
        let subject = self.subject.as_deref();
        let words: &'static str = match (self.event.as_str(), subject) {
            ("pull_request" | "pull_request_closed", Some(_)) => "#{subject} to {branch}",
            ("pull_request" | "pull_request_closed", None) => "pull request to {branch}",
            ("push", _) => "push to {branch}",
            ("tag" | "release", _) => "tag {subject}",
            ("cron", Some(_)) => "cron {subject}",
            ("promote", _) => "promotion to {subject}",
            ("rollback", _) => "rollback of {subject}",
            _ => "{event}",
        };
        let all = [("subject", subject), ("branch", self.branch.as_deref()), ("event", Some(self.event.as_str()))];
        let used = all.into_iter().filter(|(name, _)| words.contains(&format!("{{{name}}}")));
        let event = used.fold(Phrase::from(words), |phrase, (name, value)| phrase.with(name, value));
        match self.message.as_deref().map(first_line).filter(|message| !message.is_empty()) {
            Some(message) => Phrase::from("{event}: {message}").with("event", event).with("message", message),
            None => event,
        }
    }

    /// Since when it has been running or waiting, or how long it took.
    fn time(&self) -> Datum {
        let since =
            |words: &'static str, at: Moment| Phrase::from(words).with("time", Datum::time(at, Style::Relative)).into();
        match (self.started, self.finished) {
            (Some(started), Some(finished)) => Datum::seconds(finished.since(started).as_secs_f64().round()),
            (Some(started), None) if self.status == "running" => since("started {time}", started),
            _ => self.created.map_or(Datum::Missing, |created| since("created {time}", created)),
        }
    }
}

/// A path of names, encoded.
fn encoded(slug: &str) -> String {
    slug.split('/').map(crate::address::encode).collect::<Vec<_>>().join("/")
}

/// A time in seconds; zero means not yet.
fn time(seconds: Option<f64>) -> Option<Moment> {
    // The cast saturates.
    seconds.filter(|seconds| *seconds > 0.0).map(|seconds| Moment::from_seconds(seconds as i64))
}

/// The number of a pull request: the end of its address, or a part of its reference (`refs/pull/77/head`).
fn pull_request(link: Option<&str>, reference: Option<&str>) -> Option<String> {
    let is_number = |text: &&str| !text.is_empty() && text.len() < 12 && text.bytes().all(|byte| byte.is_ascii_digit());
    let link = link.and_then(|link| link.trim_end_matches('/').rsplit('/').next()).filter(is_number);
    let reference = || reference.and_then(|reference| reference.split('/').nth(2)).filter(is_number);
    link.or_else(reference).map(str::to_owned)
}

fn tag(reference: Option<&str>) -> Option<String> {
    reference?.strip_prefix("refs/tags/").map(str::to_owned)
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default().trim()
}
