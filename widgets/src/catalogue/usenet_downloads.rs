//! `usenet-downloads`: the speed, the state and the queue of a Usenet downloader.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    Category, Entry, FetchError, OptionProblems, Panel, Reach, Request, Response, Widget, WidgetContext,
    option_types::{BaseAddress, Flag, Lenient, Secret, Text},
    panel::{Datum, Details, Fact, Facts, Headline, Meter, Notice, Paragraph, Part, Phrase, Tone, Unit, rows},
    services::tolerant,
};

/// How many jobs are requested: some queues have thousands.
const MAX_JOBS: usize = 10;
/// The path prefix of most installations; others have none.
const USUAL_PREFIX: &str = "/sabnzbd";
/// How long the prefix of an installation is remembered.
const PREFIX_LIFE: Duration = Duration::from_secs(24 * 3600);

/// Shows the speed, the state and the queue of a SABnzbd downloader.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct UsenetDownloads {
    /// Address of the downloader, such as {example}.
    #[schemars(extend("x-required" = true, "x-example" = "http://192.168.1.2:8080"))]
    sabnzbd_url: Lenient<BaseAddress>,
    /// API key (Config, General), or the name of an environment variable. The NZB key is not enough. Without it, none is
    /// sent, as for a downloader that asks for none.
    api_key: Secret,
    /// Hides time left, length of the queue, status and size left.
    hide_details: Flag,
    /// Hides the queue.
    hide_queue: Flag,
    /// Path prefix of the downloader. Without it, `/sabnzbd` is tried first, then none.
    path_prefix: Text,
}

impl Widget for UsenetDownloads {
    const SYNONYMS: &'static [(&'static str, &'static str)] = &[("hostname", "sabnzbdUrl")];
    const REACH: Reach = Reach::ViaServer;
    const CATEGORY: Category = Category::FilesAndCloud;
    const USUAL_LINES: usize = 11;

    fn check(&self, _entry: &Entry, problems: &mut OptionProblems) {
        let has_address = self.sabnzbd_url.get().is_some_and(BaseAddress::is_set);
        problems.require_option(has_address, "sabnzbdUrl", "the address of SABnzbd");
    }

    fn refresh(&self) -> Option<Duration> {
        Some(Duration::from_secs(10))
    }

    async fn fetch(&self, context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        let reply = self.queue(context).await?;
        let queue = read(&reply).map_err(|error| match error {
            FetchError::LoginRefused { .. } if !self.api_key.is_set() => FetchError::login_refused(format!(
                "{} asks for a key: set the option apiKey (Config, General, API Key).",
                reply.host
            )),
            error => error,
        })?;
        let mut parts: Vec<Part> = vec![queue.head().into()];
        if !self.hide_details.is_on() {
            parts.push(queue.details().into());
        }
        if !self.hide_queue.is_on() {
            parts.push(Details { summary: "Queue".into(), parts: queue.jobs(), ..Details::default() }.into());
        }
        Ok(Panel::new(parts))
    }
}

impl UsenetDownloads {
    /// Sends the request below the prefix, or below the other usual one if nothing is there. The prefix that works is
    /// remembered.
    async fn queue(&self, context: &dyn WidgetContext) -> Result<Response, FetchError> {
        let prefix = match self.path_prefix.trim_matches('/') {
            "" => USUAL_PREFIX.to_owned(),
            prefix => format!("/{prefix}"),
        };
        let address = self.sabnzbd_url.get().cloned().unwrap_or_default().without(&["/api", &prefix]);
        let key = format!("usenet-downloads/{}{prefix}/prefix", address.public());
        let first = match context.recall(&key) {
            Some(Value::String(known)) => known,
            _ => prefix.clone(),
        };
        let other = if first == prefix { "" } else { &prefix };
        let reply = self.get(&address, &first, context).await?;
        if reply.status != 404 {
            return Ok(reply);
        }
        let reply = self.get(&address, other, context).await?;
        if (200..300).contains(&reply.status) {
            context.remember(&key, Value::from(other), PREFIX_LIFE);
        }
        Ok(reply)
    }

    async fn get(
        &self,
        address: &BaseAddress,
        prefix: &str,
        context: &dyn WidgetContext,
    ) -> Result<Response, FetchError> {
        let url = address.join(&format!("{prefix}/api?output=json&mode=queue&limit={MAX_JOBS}"), &[]);
        let request = Request::get(url).secret_query("apikey", &self.api_key).header("Accept", "application/json");
        context.exchange(request).await
    }
}

/// Reads the queue.
fn read(reply: &Response) -> Result<QueueReply, FetchError> {
    let host = &reply.host;
    let text = reply.text();
    let text = text.trim();
    if reply.status == 403 {
        return Err(if text.contains("Hostname verification") {
            FetchError::message(format!(
                "{host}: the downloader does not know this host name: add it to host_whitelist in its settings, or set \
                 sabnzbdUrl to its IP address."
            ))
        } else if text.contains("External internet access") {
            FetchError::message(format!("{host}: the downloader rejects this network: check its inet_exposure."))
        } else if text.is_empty() {
            // The downloader can be set to give no reasons.
            FetchError::login_refused(format!(
                "{host} refused the request without a reason: check the option apiKey (Config, General, API Key), and that \
                 host_whitelist in the settings of the downloader has this host name."
            ))
        } else {
            FetchError::login_refused(format!(
                "{host} refused the key: check the option apiKey (Config, General, API Key)."
            ))
        });
    }
    if text.starts_with('<') && reply.status == 200 {
        return Err(FetchError::message(format!(
            "{host} sent a web page in place of data: check sabnzbdUrl, and that the downloader is set up."
        )));
    }
    let body: DataReply = reply.json()?;
    if let Some(queue) = body.queue {
        return Ok(queue);
    }
    match body.error {
        // Old releases reject the key with a success status.
        Some(error) if error.contains("API Key") => Err(FetchError::login_refused(format!(
            "{host} refused the key: check the option apiKey (Config, General, API Key)."
        ))),
        _ => Err(reply.unexpected("data of another shape")),
    }
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct DataReply {
    #[serde(deserialize_with = "tolerant::part")]
    queue: Option<QueueReply>,
    #[serde(deserialize_with = "tolerant::text")]
    error: Option<String>,
}

/// Nearly all numbers are texts.
#[derive(Default, Deserialize)]
#[serde(default)]
struct QueueReply {
    #[serde(deserialize_with = "tolerant::text")]
    status: Option<String>,
    #[serde(deserialize_with = "tolerant::flag")]
    paused: Option<bool>,
    #[serde(deserialize_with = "tolerant::number")]
    kbpersec: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    noofslots: Option<f64>,
    #[serde(deserialize_with = "tolerant::text")]
    timeleft: Option<String>,
    #[serde(deserialize_with = "tolerant::number")]
    mbleft: Option<f64>,
    #[serde(deserialize_with = "tolerant::entries")]
    slots: Vec<JobReply>,
}

/// The part of a job that is shown. Its password is not even read.
#[derive(Default, Deserialize)]
#[serde(default)]
struct JobReply {
    #[serde(deserialize_with = "tolerant::text")]
    filename: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    status: Option<String>,
    #[serde(deserialize_with = "tolerant::number")]
    percentage: Option<f64>,
    #[serde(deserialize_with = "tolerant::text")]
    timeleft: Option<String>,
}

impl QueueReply {
    fn is_paused(&self) -> bool {
        self.paused == Some(true) || self.status.as_deref() == Some("Paused")
    }

    fn head(&self) -> Headline {
        let speed = self.kbpersec.map(|speed| Datum::number(speed.max(0.0) * 1024.0, Unit::BytesPerSecond));
        let (caption, tone): (&'static str, Tone) = match self.status.as_deref() {
            _ if self.is_paused() => ("Paused", Tone::Warning),
            Some("Downloading") => ("Downloading", Tone::Success),
            _ => ("Idle", Tone::Plain),
        };
        Headline { caption: Some(caption.into()), tone, ..Headline::new(speed) }
    }

    fn details(&self) -> Facts {
        let left = self.mbleft.map(|left| Datum::bytes(left.max(0.0) * 1024.0 * 1024.0));
        // While nothing runs, the downloader writes zero, however much is left.
        let never = self.kbpersec == Some(0.0) && self.mbleft.is_some_and(|left| left > 0.0);
        let time_left = if never { Datum::Missing } else { time_left(self.timeleft.as_deref()) };
        let count = self.noofslots.map(|count| Datum::number(count.max(0.0), Unit::None));
        Facts {
            facts: vec![
                Fact::new("Time left", time_left),
                Fact::new("Queue", count),
                Fact::new("Status", self.status.as_deref()),
                Fact::new("Size left", left),
            ],
        }
    }

    fn jobs(&self) -> Vec<Part> {
        if self.slots.is_empty() {
            return vec![Notice::empty("Nothing in the queue").into()];
        }
        // Some releases report waiting jobs as downloading, but only the first one is.
        let running = self.slots.iter().position(|job| job.status.as_deref() == Some("Downloading"));
        let running = running.filter(|_| !self.is_paused());
        let row = |(index, job): (usize, &JobReply)| {
            let is_running = running == Some(index);
            let (state, tone): (Phrase, Tone) = match job.status.as_deref() {
                _ if is_running => ("Downloading".into(), Tone::Success),
                Some("Downloading" | "Queued") | None => ("Waiting".into(), Tone::Neutral),
                Some("Paused") => ("Paused".into(), Tone::Warning),
                Some(other) => (Phrase::foreign(other), Tone::Info),
            };
            let percent = job.percentage.map(|percent| percent.clamp(0.0, 100.0));
            // A job that does not run has no time left, or zero.
            let left = match time_left(job.timeleft.as_deref()) {
                Datum::Number { value: 0.0, .. } => Datum::Missing,
                left => left,
            };
            let text = match (percent, left) {
                (Some(percent), Datum::Missing) => {
                    Phrase::from("{state}, {percent}").with("percent", Datum::percent(percent))
                }
                (Some(percent), left) => Phrase::from("{state}, {percent}, {time} left")
                    .with("percent", Datum::percent(percent))
                    .with("time", left),
                (None, _) => Phrase::from("{state}"),
            };
            let name = job.filename.as_deref().map_or_else(|| Phrase::from("–"), Phrase::foreign);
            let share = percent.unwrap_or_default() / 100.0;
            Part::from(Meter { label: name, share, text: Some(text.with("state", state)), tone, ..Meter::default() })
        };
        let mut parts = rows(self.slots.iter().take(MAX_JOBS).enumerate().map(|slot| [row(slot)]));
        let shown = Datum::count(self.slots.len().min(MAX_JOBS));
        let (Some(all), Datum::Number { value: shown, .. }) = (self.noofslots, shown) else { return parts };
        if all > shown {
            let more = Phrase::from("and {count} more").with("count", Datum::number(all - shown, Unit::None));
            parts.push(Paragraph { small: true, ..Paragraph::new(more) }.into());
        }
        parts
    }
}

/// Parses a duration such as `0:16:44`, or `1:02:03:04` with days.
fn time_left(written: Option<&str>) -> Datum {
    let seconds = written.and_then(|written| {
        written.split(':').try_fold((0.0, 0), |(sum, index), piece| {
            let value: f64 = piece.trim().parse().ok()?;
            // A day has 24 hours; the other units have sixty of the next.
            let days_come_first = written.matches(':').count() == 3 && index == 1;
            Some((sum * if days_come_first { 24.0 } else { 60.0 } + value, index + 1))
        })
    });
    seconds.map_or(Datum::Missing, |(seconds, _): (f64, i32)| Datum::seconds(seconds.max(0.0)))
}
