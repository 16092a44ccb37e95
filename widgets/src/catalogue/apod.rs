//! `apod`: the astronomy picture of the day.
//!
//! Videos and films are linked, not played in the panel: a player would load from another site into every viewer's
//! browser, and the server fetches and caches pictures only.

use std::time::Duration;

use jiff::civil::Date;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Category, Entry, FetchError, OptionProblems, Panel, Reach, Request, Response, Widget, WidgetContext, address,
    option_types::Secret,
    panel::{self, Datum, Entries, Image, Link, Paragraph, Part, Phrase, SafeUrl, Style},
    services::{calendar, tolerant},
};

const SERVICE: &str = "https://api.nasa.gov/planetary/apod";
/// A free relay that needs no key, used when the service itself does not respond.
const RELAY: &str = "https://apod.as93.net/apod";
/// The public key: 30 requests an hour and 50 a day per IP address.
const PUBLIC_KEY: &str = "DEMO_KEY";
/// What the public key allows, for everybody behind the same address.
const SHORTEST_UPDATE: Duration = Duration::from_secs(30 * 60);
/// The picture changes at midnight in the eastern USA. 29 hours ago is always the day before.
const YESTERDAY: Duration = Duration::from_secs(29 * 3600);

/// Shows the astronomy picture of the day of NASA with its explanation.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Apod {
    /// Key of api.nasa.gov, which allows more requests, or the name of an environment variable. Without it, NASA's
    /// public key is used, and a relay if that is used up.
    api_key: Secret,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct DayReply {
    #[serde(deserialize_with = "tolerant::text")]
    date: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    title: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    explanation: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    url: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    hdurl: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    thumbnail_url: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    media_type: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    copyright: Option<String>,
}

impl Widget for Apod {
    const REACH: Reach = Reach::ViaServer;
    const CATEGORY: Category = Category::Fun;
    const USUAL_LINES: usize = 15;

    fn check(&self, entry: &Entry, problems: &mut OptionProblems) {
        if entry.refreshes_more_often_than(SHORTEST_UPDATE) && !self.api_key.is_set() {
            problems.note(
                "NASA's public key allows 50 requests a day: an updateInterval below 1800 is too short without an apiKey.",
            );
        }
    }

    fn refresh(&self) -> Option<Duration> {
        Some(Duration::from_secs(2 * 3600))
    }

    async fn fetch(&self, context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        let error = match self.of_nasa(context).await {
            Ok(day) => {
                let mut panel = day.panel("Astronomy Picture of the Day, NASA");
                if !self.api_key.is_set() {
                    let text = "NASA's public key allows 50 requests a day; a free apiKey of your own allows more.";
                    panel.parts.push(Paragraph { small: true, ..Paragraph::new(text) }.into());
                }
                return Ok(panel);
            }
            Err(error) => error,
        };
        if !error.is_outage() && !matches!(error, FetchError::Message { .. }) {
            return Err(error);
        }
        // If the relay fails too, report the error of the service.
        let Ok(day) = of_relay(context).await else { return Err(error) };
        context.log(&format!("the relay stands in for api.nasa.gov: {error}"));
        Ok(day.panel("Astronomy Picture of the Day, NASA, through apod.as93.net"))
    }
}

impl Apod {
    async fn of_nasa(&self, context: &dyn WidgetContext) -> Result<DayReply, FetchError> {
        let reply = context.exchange(self.request()).await?;
        // There is no picture for a new day yet, or its page cannot be read.
        let reply = if matches!(reply.status, 404 | 500) {
            let day = context.now().before(YESTERDAY).utc_date();
            context.exchange(self.request().query("date", day)).await?
        } else {
            reply
        };
        if matches!(reply.status, 401 | 403) && self.api_key.is_set() {
            return Err(FetchError::login_refused(
                "api.nasa.gov refused the key: check the option apiKey, or leave it out.",
            ));
        }
        if reply.status == 429 && !self.api_key.is_set() {
            let sentence = "The public key of api.nasa.gov has no requests left for now. A free key of your own, in the \
                option apiKey, allows 1,000 requests an hour.";
            return Err(FetchError::Message { sentence: sentence.to_owned(), retry_at: reply.retry_at() });
        }
        read(&reply)
    }

    fn request(&self) -> Request {
        let request = Request::get(SERVICE).header("Accept", "application/json");
        let request = if self.api_key.is_set() {
            request.secret_query("api_key", &self.api_key)
        } else {
            request.query("api_key", PUBLIC_KEY)
        };
        request.query("thumbs", true)
    }
}

async fn of_relay(context: &dyn WidgetContext) -> Result<DayReply, FetchError> {
    read(&context.exchange(Request::get(RELAY).header("Accept", "application/json")).await?)
}

fn read(reply: &Response) -> Result<DayReply, FetchError> {
    let day: DayReply = reply.json()?;
    if day.title.is_none() && day.url.is_none() { Err(reply.unexpected("no picture")) } else { Ok(day) }
}

impl DayReply {
    fn day(&self) -> Option<Date> {
        self.date.as_deref()?.parse().ok()
    }

    /// The page of this day.
    fn page(&self) -> String {
        self.day().map_or_else(
            || "https://apod.nasa.gov/apod/astropix.html".to_owned(),
            |day| format!("https://apod.nasa.gov/apod/ap{}.html", day.strftime("%y%m%d")),
        )
    }

    fn panel(self, source: &'static str) -> Panel {
        let page = self.page();
        let title = self.title.clone().unwrap_or_else(|| "Astronomy Picture of the Day".to_owned());
        let is_picture = self.media_type.as_deref().unwrap_or("image") == "image";
        let picture = if is_picture { self.url.as_deref() } else { self.thumbnail_url.as_deref() };
        let mut parts: Vec<Part> = Vec::new();
        if let Some(url) = picture.and_then(SafeUrl::parse).filter(SafeUrl::is_remote) {
            let large = self.hdurl.as_deref().filter(|_| is_picture).and_then(SafeUrl::parse);
            let image = Image {
                source: address::host(url.as_str()).to_owned(),
                url,
                alt: title.clone(),
                file_name: String::new(),
                width: None,
                height: None,
                caption: None,
                link: large.or_else(|| SafeUrl::parse(&page)),
            };
            parts.push(image.into());
        }
        if !is_picture {
            // The page shows everything; but only a video file can be opened on its own.
            let film = self.url.as_deref().filter(|url| url.to_ascii_lowercase().ends_with(".mp4"));
            let is_video = self.media_type.as_deref() == Some("video");
            let words = if is_video { "Watch the video" } else { "Open the page of the day" };
            let link = Link::parse(words, film.unwrap_or(&page));
            parts.push(Paragraph::new(Phrase::from("{link}").with("link", link)).into());
        }
        let copyright = self.copyright.as_deref().map(squeezed).filter(|name| !name.is_empty());
        let copyright = copyright.map(|name| format!("© {name}"));
        let entry = panel::ListEntry {
            url: SafeUrl::parse(&page),
            values: [self.day().map(|day| calendar::day(day, Style::Date)), copyright.map(Datum::from)]
                .into_iter()
                .flatten()
                .collect(),
            text: self.explanation.as_deref().map(|text| Phrase::foreign(squeezed(text))),
            opens: true,
            ..panel::ListEntry::new(Phrase::foreign(title))
        };
        parts.push(Entries::new(vec![entry]).into());
        let credit = Link::parse(source, "https://apod.nasa.gov/");
        Panel { credit, ..Panel::new(parts) }
    }
}

fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
