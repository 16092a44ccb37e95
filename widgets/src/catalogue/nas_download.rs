//! `nas-download`: what the download manager of a NAS is doing.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Category, Entry, FetchError, OptionProblems, Panel, Reach, Widget, WidgetContext,
    option_types::{BaseAddress, Lenient, Number, Secret, Text},
    panel::{Datum, Decimals, Headline, Meter, Paragraph, Part, Phrase, Tone, Unit, rows},
    services::download_station::Nas,
};

/// Shows the tasks of the download manager of a NAS, including torrents, with progress, speed and share ratio. Accounts
/// with two-factor login are not supported. Administrators see all tasks, other users only their own.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct NasDownload {
    /// Address of the NAS with port, such as {example}.
    #[schemars(extend("x-required" = true, "x-example" = "http://nas.local:5000"))]
    hostname: BaseAddress,
    /// Name of an account that may use Download Station, such as {example}.
    #[schemars(extend("x-required" = true, "x-example" = "alice"))]
    username: Text,
    /// Its password, or the name of an environment variable.
    #[schemars(extend("x-required" = true))]
    password: Secret,
}

impl Widget for NasDownload {
    const REACH: Reach = Reach::ViaServer;
    const CATEGORY: Category = Category::FilesAndCloud;
    const USUAL_LINES: usize = 17;

    fn check(&self, _entry: &Entry, problems: &mut OptionProblems) {
        problems.require_option(self.hostname.is_set(), "hostname", "the address of the NAS, with port");
        problems.require_option(self.username.is_set(), "username", "an account that may use Download Station");
        problems.require_option(self.password.is_set(), "password", "the password of this account");
    }

    fn refresh(&self) -> Option<Duration> {
        Some(Duration::from_secs(30))
    }

    async fn fetch(&self, context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        let nas = Nas::new(&self.hostname, &self.username, &self.password);
        let mut tasks = nas.tasks::<TasksReply>(context).await?.tasks;
        if tasks.is_empty() {
            return Ok(Panel::empty("No downloads"));
        }
        // Running tasks come first, and of those the most recently added.
        tasks.sort_by(|one, other| {
            let newest_first = other.created().total_cmp(&one.created());
            one.rank().cmp(&other.rank()).then(newest_first)
        });
        let mut parts = vec![head_line(&tasks).into()];
        parts.extend(rows(tasks.iter().map(TaskReply::parts)));
        Ok(Panel::new(parts))
    }
}

/// The total speed, and how many tasks are running and finished.
fn head_line(tasks: &[TaskReply]) -> Headline {
    let complete = tasks.iter().filter(|task| task.is_complete()).count();
    let total = |rate: fn(&TransferReply) -> f64| {
        Datum::number(tasks.iter().map(|task| rate(task.transfer())).sum::<f64>(), Unit::BytesPerSecond)
    };
    let caption = Phrase::from("{active} active, {complete} complete, uploading {upload}")
        .with("active", Datum::count(tasks.len() - complete))
        .with("complete", Datum::count(complete))
        .with("upload", total(|transfer| amount(&transfer.speed_upload)));
    Headline { caption: Some(caption), ..Headline::new(total(|transfer| amount(&transfer.speed_download))) }
}

/// Old systems write numbers in quotes, or leave them out.
fn amount(number: &Lenient<Number>) -> f64 {
    number.get().map_or(0.0, |number| number.get().max(0.0))
}

/// More digits are not visible, and make the panel larger.
fn rounded(value: f64) -> f64 {
    (value * 10_000.0).round() / 10_000.0
}

#[derive(Deserialize)]
struct TasksReply {
    #[serde(default)]
    tasks: Vec<TaskReply>,
}

/// What is shown of a task. Its address may contain keys of private trackers, so it is not even read.
#[derive(Default, Deserialize)]
#[serde(default)]
struct TaskReply {
    title: String,
    size: Lenient<Number>,
    status: String,
    status_extra: Option<StatusReply>,
    additional: Option<AdditionalReply>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct StatusReply {
    error_detail: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct AdditionalReply {
    transfer: TransferReply,
    detail: DetailReply,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct TransferReply {
    size_downloaded: Lenient<Number>,
    size_uploaded: Lenient<Number>,
    speed_download: Lenient<Number>,
    speed_upload: Lenient<Number>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct DetailReply {
    create_time: Lenient<Number>,
}

/// For tasks without transfer data.
static NO_TRANSFER: TransferReply = TransferReply {
    size_downloaded: Lenient::Unset,
    size_uploaded: Lenient::Unset,
    speed_download: Lenient::Unset,
    speed_upload: Lenient::Unset,
};

impl TaskReply {
    fn transfer(&self) -> &TransferReply {
        self.additional.as_ref().map_or(&NO_TRANSFER, |additional| &additional.transfer)
    }

    fn created(&self) -> f64 {
        self.additional.as_ref().map_or(0.0, |additional| amount(&additional.detail.create_time))
    }

    fn rank(&self) -> u8 {
        match self.status.as_str() {
            "downloading" => 0,
            "seeding" => 1,
            "finished" => 3,
            "error" => 4,
            _ => 2,
        }
    }

    fn is_complete(&self) -> bool {
        let size = amount(&self.size);
        self.is_finished() || size > 0.0 && self.done().is_some_and(|done| done >= size)
    }

    fn is_finished(&self) -> bool {
        matches!(self.status.as_str(), "finished" | "seeding")
    }

    /// The downloaded size; `None` if unknown. A finished task is complete.
    fn done(&self) -> Option<f64> {
        let done = &self.transfer().size_downloaded;
        let all = || self.is_finished().then(|| amount(&self.size));
        if done.get().is_some() { Some(amount(done)) } else { all() }
    }

    fn state(&self) -> (Phrase, Tone) {
        let (word, tone) = match self.status.as_str() {
            "waiting" => ("waiting", Tone::Neutral),
            "downloading" => ("downloading", Tone::Success),
            "paused" => ("paused", Tone::Neutral),
            "finishing" => ("finishing", Tone::Success),
            "finished" => ("finished", Tone::Success),
            "hash_checking" => ("checking", Tone::Info),
            "seeding" => ("seeding", Tone::Success),
            "filehosting_waiting" => ("waiting for the file host", Tone::Neutral),
            "extracting" => ("extracting", Tone::Info),
            "error" => ("error", Tone::Danger),
            other => return (Phrase::foreign(other.trim()), Tone::Neutral),
        };
        let detail = self.status_extra.as_ref().and_then(|extra| extra.error_detail.as_deref());
        match detail.filter(|detail| self.status == "error" && !["", "unknown"].contains(detail)) {
            Some(detail) => {
                (Phrase::from("error: {reason}").with("reason", Datum::text(&detail.replace('_', " "))), tone)
            }
            None => (word.into(), tone),
        }
    }

    /// A bar with its state, and a line with the amounts.
    fn parts(&self) -> [Part; 2] {
        let transfer = self.transfer();
        let (size, done) = (amount(&self.size), self.done());
        // Some torrents end with a few bytes more than their size.
        let share = if size > 0.0 { rounded((done.unwrap_or_default() / size).min(1.0)) } else { 0.0 };
        let (state, tone) = self.state();
        let speed = amount(&transfer.speed_download);
        let left = (self.status == "downloading" && speed > 0.0 && size > 0.0)
            .then(|| done.filter(|done| *done < size))
            .flatten()
            .map(|done| Datum::seconds(coarse((size - done) / speed)));
        let text = match left {
            // That it is downloading is seen from the time.
            Some(time) => Phrase::from("{time} left").with("time", time),
            None => state,
        };
        let meter = Meter {
            label: Phrase::from("{title}").with("title", Datum::text(&self.title)),
            share,
            text: (!text.is_empty()).then_some(text),
            tone: if tone == Tone::Danger { tone } else { Tone::Plain },
            ..Meter::default()
        };
        let amounts = Paragraph { small: true, ..Paragraph::new(self.amounts(size, done, speed)) };
        [meter.into(), amounts.into()]
    }

    /// How much of it there is, how fast it comes, and what was given back.
    fn amounts(&self, size: f64, done: Option<f64>, speed: f64) -> Phrase {
        let transfer = self.transfer();
        let known_size = if size > 0.0 { Datum::bytes(size) } else { Datum::Missing };
        let done_words = match done {
            None => Phrase::from("progress unknown, size {size}").with("size", known_size),
            Some(done) if size <= 0.0 => Phrase::from("{done} of unknown size").with("done", Datum::bytes(done)),
            Some(done) if done >= size => Phrase::from("{size}").with("size", known_size),
            Some(done) => {
                let percent = Datum::percent(rounded(done / size * 100.0)).decimals(Decimals::Exactly(0));
                Phrase::from("{percent} of {size}").with("percent", percent).with("size", known_size)
            }
        };
        let rate =
            (speed > 0.0).then(|| Phrase::from("{speed}").with("speed", Datum::number(speed, Unit::BytesPerSecond)));
        let is_shared = transfer.size_uploaded.get().is_some() || transfer.speed_upload.get().is_some();
        let shared = is_shared.then(|| shared(transfer));
        Phrase::joined([Some(done_words), rate, shared].into_iter().flatten())
    }
}

/// A remaining time in seconds, rounded as one would say it: to whole minutes, and to whole hours if it is several
/// hours.
fn coarse(seconds: f64) -> f64 {
    let unit = match seconds {
        ..60.0 => 1.0,
        ..21_600.0 => 60.0,
        _ => 3600.0,
    };
    (seconds / unit).round() * unit
}

/// What was given back to others, with its speed while that lasts.
fn shared(transfer: &TransferReply) -> Phrase {
    let (done, uploaded) = (amount(&transfer.size_downloaded), amount(&transfer.size_uploaded));
    let speed = amount(&transfer.speed_upload);
    let ratio =
        (done > 0.0).then(|| Datum::number(rounded(uploaded / done), Unit::None).decimals(Decimals::Exactly(2)));
    let words = if speed > 0.0 {
        Phrase::from("uploaded {size} ({speed}), ratio {ratio}")
            .with("speed", Datum::number(speed, Unit::BytesPerSecond))
    } else {
        Phrase::from("uploaded {size}, ratio {ratio}")
    };
    words.with("size", Datum::bytes(uploaded)).with("ratio", ratio)
}
