//! `web-comic`: an xkcd comic, the newest, a random or a chosen one.

use std::time::Duration;

use jiff::civil::Date;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{
    Action, ActionOutcome, Category, Entry, FetchError, Moment, OptionProblems, Panel, Reach, Widget, WidgetContext,
    address,
    option_types::Text,
    panel::{ActionButton, Columns, Heading, Image, Link, Paragraph, Part, Phrase, PlainText, SafeUrl, Style},
    services::{calendar, tolerant},
};

/// There is no comic with this number, as a joke.
const MISSING: u64 = 404;
/// How long the number of the newest comic is remembered for choosing a random one.
const NEWEST_LIFE: Duration = Duration::from_secs(6 * 3600);
/// The button for another random comic.
const ANOTHER: &str = "another";
/// The buttons for the previous and the next comic.
const SHOW: &str = "show";

/// Shows a comic of xkcd with its hover text.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct WebComic {
    /// `latest`, `random`, or the number of a comic. Without it, `latest`.
    comic: Text,
}

/// Which comic is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Choice {
    Latest,
    Random,
    Number(u64),
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct ComicReply {
    #[serde(deserialize_with = "tolerant::number")]
    num: Option<f64>,
    #[serde(deserialize_with = "tolerant::text")]
    title: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    safe_title: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    img: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    alt: Option<String>,
    #[serde(deserialize_with = "tolerant::number")]
    year: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    month: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    day: Option<f64>,
}

impl Widget for WebComic {
    const REACH: Reach = Reach::ViaServer;
    const CATEGORY: Category = Category::Fun;
    const USUAL_LINES: usize = 15;

    fn check(&self, _entry: &Entry, problems: &mut OptionProblems) {
        if let Err(sentence) = self.choice() {
            problems.error(sentence);
        }
    }

    fn refresh(&self) -> Option<Duration> {
        // New comics come out on Mondays, Wednesdays and Fridays; old ones do not change.
        (self.choice() == Ok(Choice::Latest)).then_some(Duration::from_secs(3 * 3600))
    }

    async fn fetch(&self, context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        let choice = self.choice().map_err(FetchError::message)?;
        let is_random = choice == Choice::Random;
        let (comic, newest) = match choice {
            Choice::Latest => {
                let comic = fetch_comic(None, context).await?;
                let newest = comic.number();
                (comic, newest)
            }
            // Whether there is a next one is checked when the button is pressed.
            Choice::Number(number) => (fetch_comic(Some(number), context).await?, None),
            Choice::Random => {
                let newest = newest(context).await?;
                (fetch_comic(Some(draw(context.now(), newest)), context).await?, Some(newest))
            }
        };
        comic.panel(is_random, newest)
    }

    /// Shows the previous or next comic to the viewer who pressed the button. For a random one, the panel is fetched again.
    async fn act(&self, action: &Action, context: &dyn WidgetContext) -> Result<ActionOutcome, FetchError> {
        let is_random = self.choice() == Ok(Choice::Random);
        match action.name.as_str() {
            ANOTHER if is_random => Ok(ActionOutcome::Changed),
            SHOW => {
                let newest = newest(context).await?;
                let number = action.target.parse::<u64>().ok().filter(|number| (1..=newest).contains(number));
                let number = number.filter(|number| *number != MISSING);
                let number = number.ok_or_else(|| FetchError::message("There is no such comic."))?;
                let panel = fetch_comic(Some(number), context).await?.panel(is_random, Some(newest))?;
                Ok(ActionOutcome::Shown(Box::new(panel)))
            }
            _ => Err(FetchError::message("There is no such action.")),
        }
    }
}

/// The number of the newest comic.
async fn newest(context: &dyn WidgetContext) -> Result<u64, FetchError> {
    let kept = context
        .kept("xkcd/newest", NEWEST_LIFE, async { Ok(json!(fetch_comic(None, context).await?.number().unwrap_or(1))) });
    Ok(kept.await?.as_u64().unwrap_or(1))
}

/// The existing neighbors of a comic. If the number of the newest one is unknown, there is a next one.
fn neighbors(number: u64, newest: Option<u64>) -> (Option<u64>, Option<u64>) {
    let previous = if number == MISSING + 1 { MISSING - 1 } else { number - 1 };
    let next = if number == MISSING - 1 { MISSING + 1 } else { number + 1 };
    (Some(previous).filter(|number| *number > 0), Some(next).filter(|next| newest.is_none_or(|newest| *next <= newest)))
}

impl WebComic {
    fn choice(&self) -> Result<Choice, String> {
        match self.comic.to_ascii_lowercase().as_str() {
            "" | "latest" => Ok(Choice::Latest),
            "random" => Ok(Choice::Random),
            written => match written.trim_start_matches('#').parse::<i64>() {
                Ok(number) => match u64::try_from(number) {
                    Ok(number) if number > 0 && number != MISSING => Ok(Choice::Number(number)),
                    _ => Err(format!("There is no comic {number}.")),
                },
                Err(_) => Err("comic must be random, latest or a number.".to_owned()),
            },
        }
    }
}

/// Requests one comic; the newest one if no number is given.
async fn fetch_comic(number: Option<u64>, context: &dyn WidgetContext) -> Result<ComicReply, FetchError> {
    let url = match number {
        Some(number) => format!("https://xkcd.com/{number}/info.0.json"),
        None => "https://xkcd.com/info.0.json".to_owned(),
    };
    let reply = context.exchange(crate::Request::get(url).header("Accept", "application/json")).await?;
    match number {
        Some(number) if reply.status == 404 => {
            Err(FetchError::message(format!("Comic {number} was not found: check the option comic.")))
        }
        _ => reply.json(),
    }
}

/// A number from 1 to the newest, derived from the time, so that each refresh gives another one.
fn draw(now: Moment, newest: u64) -> u64 {
    // The mixing function of SplitMix64: close times give numbers that are far apart.
    let mut mixed = u64::try_from(now.millis()).unwrap_or_default().wrapping_add(0x9E37_79B9_7F4A_7C15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    let number = (mixed ^ (mixed >> 31)) % newest.max(1) + 1;
    if number == MISSING { MISSING - 1 } else { number }
}

impl ComicReply {
    fn number(&self) -> Option<u64> {
        // Comic numbers have four digits.
        self.num.filter(|number| *number >= 1.0).map(|number| number as u64)
    }

    fn date(&self) -> Option<Date> {
        // Values out of range saturate, and then are no date.
        Date::new(self.year? as i16, self.month? as i8, self.day? as i8).ok()
    }

    fn panel(self, is_random: bool, newest: Option<u64>) -> Result<Panel, FetchError> {
        let unreadable = || FetchError::message("xkcd.com sent something unexpected (no picture).");
        let number = self.number().ok_or_else(unreadable)?;
        let picture = self.img.as_deref().map(|url| match url.strip_prefix("http://") {
            Some(rest) => format!("https://{rest}"),
            None => url.to_owned(),
        });
        let url = picture.and_then(|url| SafeUrl::parse(&url)).filter(SafeUrl::is_remote).ok_or_else(unreadable)?;
        let page = format!("https://xkcd.com/{number}/");
        let title = self.safe_title.as_deref().or(self.title.as_deref()).unwrap_or("xkcd");
        let title = PlainText::read(title).text;
        let words = self.alt.clone().unwrap_or_default();
        let image = Image {
            source: address::host(url.as_str()).to_owned(),
            url,
            alt: if words.is_empty() { title.clone() } else { words.clone() },
            file_name: String::new(),
            width: None,
            height: None,
            caption: (!words.is_empty()).then(|| Phrase::foreign(words)),
            link: SafeUrl::parse(&page),
        };
        let line = match self.date() {
            Some(date) => Phrase::from("#{number}, {date}").with("date", calendar::day(date, Style::Date)),
            None => Phrase::from("#{number}"),
        };
        let line = line.with("number", number.to_string());
        let mut parts: Vec<Part> = vec![image.into(), Paragraph { small: true, ..Paragraph::new(line) }.into()];
        let button = |name: &str, target: Option<u64>, label: &'static str| {
            let target = target.map(|number| number.to_string()).unwrap_or_default();
            let action = Action { name: name.to_owned(), target };
            vec![Part::from(ActionButton { action, label: label.into(), ..ActionButton::default() })]
        };
        let (previous, next) = neighbors(number, newest);
        let buttons = [
            previous.map(|number| button(SHOW, Some(number), "Previous")),
            is_random.then(|| button(ANOTHER, None, "Another one")),
            next.map(|number| button(SHOW, Some(number), "Next")),
        ];
        parts.push(Columns { columns: buttons.into_iter().flatten().collect() }.into());
        let credit = Link::parse("xkcd by Randall Munroe, CC BY-NC 2.5", "https://xkcd.com/license.html");
        Ok(Panel { credit, ..Panel::new(parts).titled(Heading::new(Phrase::foreign(title)).linked(&page)) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leafing_ends_at_the_first_and_the_newest_and_skips_the_missing_one() {
        assert_eq!(neighbors(1, Some(3170)), (None, Some(2)));
        assert_eq!(neighbors(3170, Some(3170)), (Some(3169), None));
        assert_eq!(neighbors(405, None), (Some(403), Some(406)));
        assert_eq!(neighbors(403, Some(403)), (Some(402), None));
        assert_eq!(neighbors(403, None), (Some(402), Some(405)));
    }

    #[test]
    fn every_comic_may_be_drawn_and_no_other() {
        let drawn: Vec<u64> = (0..5000).map(|millis| draw(Moment::from_millis(millis), 500)).collect();
        assert!(drawn.iter().all(|number| (1..=500).contains(number) && *number != MISSING));
        let missing = (1..=500).filter(|number| *number != MISSING && !drawn.contains(number)).count();
        assert_eq!(missing, 0);
        assert_eq!(draw(Moment::default(), 0), 1);
    }
}
