//! `custom-list`: rows of a JSON file provided by the user.

use std::{cmp::Reverse, time::Duration};

use percent_encoding::percent_decode_str;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{
    Category, Entry, FetchError, Moment, OptionProblems, Panel, Reach, Request, Response, Widget, WidgetContext,
    address,
    context::is_too_much_json,
    option_types::{Lenient, Number, Text, WebAddress},
    panel::{Cell, Column, Datum, Link, Notice, Part, Phrase, Row, Table, Tone},
};

/// Maximum number of bytes of a file.
const MAX_BYTES: usize = 5 * 1024 * 1024;
/// Maximum number of rows sent to a page.
const MAX_ROWS: usize = 2000;
/// How long a file is remembered, so that it is only sent again if it has changed.
const LIFE: Duration = Duration::from_secs(24 * 3600);
const DAY_MILLIS: f64 = 86_400_000.0;

/// Shows the rows of your own JSON file: a link, a value, and a mark for new rows.
///
/// The file is a list of objects such as `{"link": {"text": "a/b", "url": "https://example.com/", "title": ""}, "value":
/// {"text": "v1.2", "title": ""}, "date": "2026-04-05T19:14:59Z"}`.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct CustomList {
    /// Address of the file: a full address, or the path of a `.json` file in the user-data folder, such as {example}.
    #[schemars(extend("x-required" = true, "x-example" = "/json-data/releases.json"))]
    url: Text,
    /// Title above the list. Optional.
    title: Text,
    /// Rows younger than this many days are marked as new. Without it, none are.
    days_for_new: Lenient<Number>,
}

/// A complete row.
#[derive(Debug, PartialEq)]
struct Line {
    text: String,
    url: String,
    hint: String,
    value: String,
    value_hint: String,
    date: Option<Moment>,
}

/// A file as last read.
#[derive(Debug, Default, Serialize, Deserialize)]
struct CachedFile {
    etag: Option<String>,
    modified: Option<String>,
    body: String,
}

impl Widget for CustomList {
    const REACH: Reach = Reach::ViaServer;
    const CATEGORY: Category = Category::TextAndLinks;

    fn check(&self, _entry: &Entry, problems: &mut OptionProblems) {
        problems.require_option(self.url.is_set(), "url", "the address or path of a file with a list");
        if self.url.is_set() && location(&self.url).is_none() {
            problems
                .error("url must be an http(s) address, or the path of a .json file below the folder of your files.");
        }
        let is_positive = self.days_for_new.get().is_none_or(|days| days.get() > 0.0);
        problems.require(is_positive && self.days_for_new.unknown().is_none(), "daysForNew must be a positive number.");
    }

    async fn fetch(&self, context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        let location = location(&self.url).ok_or_else(|| FetchError::message("Set the option `url`."))?;
        let rows = read(context, &location).await?;
        let mut panel = self.panel(&rows, context.now())?;
        panel.title = self.title.get().map(|title| Phrase::foreign(title).into());
        Ok(panel)
    }
}

impl CustomList {
    fn panel(&self, rows: &[Value], now: Moment) -> Result<Panel, FetchError> {
        if rows.is_empty() {
            return Ok(Panel::empty("The list is empty"));
        }
        let count = rows.len();
        let (mut good, mut bad) = (Vec::new(), Vec::new());
        for (index, row) in rows.iter().enumerate() {
            match line(row) {
                Ok(line) => good.push(line),
                Err(lacking) => bad.push((index + 1, lacking)),
            }
        }
        let mut parts: Vec<Part> = Vec::new();
        if let Some((number, lacking)) = bad.first() {
            if good.is_empty() {
                return Err(FetchError::message(format!("No row of the file is valid: row {number} lacks {lacking}.")));
            }
            let text = Phrase::from("{bad} of {all} rows are not valid: row {row} lacks {part}")
                .with("bad", Datum::count(bad.len()))
                .with("all", Datum::count(count))
                .with("row", Datum::count(*number))
                .with("part", *lacking);
            parts.push(Notice::warning(text).into());
        }
        // Rows without a date come last; the sort keeps the file's order of equal ones.
        good.sort_by_key(|line| Reverse(line.date));
        good.truncate(MAX_ROWS);
        parts.insert(0, self.table(&good, now).into());
        Ok(Panel::new(parts))
    }

    fn table(&self, lines: &[Line], now: Moment) -> Table {
        let any_new = lines.iter().any(|line| self.is_new(line, now));
        let mut columns = vec![Column::text("Name"), Column::number("Value")];
        if any_new {
            columns.insert(1, Column::text("New"));
        }
        let rows = lines.iter().map(|line| {
            let mut cells = vec![line.name(), Cell { hint: hint(&line.value_hint), ..Datum::text(&line.value).into() }];
            if any_new {
                let mark = if self.is_new(line, now) {
                    Cell { tone: Tone::Info, ..Datum::from(Phrase::from("new")).into() }
                } else {
                    Datum::Text(String::new()).into()
                };
                cells.insert(1, mark);
            }
            Row { cells, ..Row::default() }
        });
        Table { columns, rows: rows.collect(), headless: true, one_line: true, ..Table::default() }
    }

    /// Whether a row is new. A date more than a day ahead is a mistake, not new.
    fn is_new(&self, line: &Line, now: Moment) -> bool {
        let Some((days, date)) = self.days_for_new.get().zip(line.date) else { return false };
        // Ages of rows fit into a float exactly.
        let age = now.millis().saturating_sub(date.millis()) as f64;
        age < days.get() * DAY_MILLIS && age >= -DAY_MILLIS
    }
}

impl Line {
    fn name(&self) -> Cell {
        let text = Phrase::foreign(&self.text);
        let value = Link::parse(text, &self.url).map_or_else(|| Datum::text(&self.text), Datum::from);
        Cell { hint: hint(&self.hint), ..value.into() }
    }
}

fn hint(text: &str) -> Option<Phrase> {
    (!text.is_empty()).then(|| Phrase::foreign(text))
}

/// Address of the file: on the web, or in the folder of the user's files, as a path that begins with a slash.
fn location(written: &str) -> Option<String> {
    if written.contains("://") {
        return WebAddress::parse(written).ok().map(|address| address.url().to_owned());
    }
    let path = written.split(['?', '#']).next().unwrap_or_default();
    let path = path.strip_prefix('/').or_else(|| path.strip_prefix("./")).unwrap_or(path);
    // Decode exactly once; anything still encoded then is part of the file name.
    let path = percent_decode_str(path).decode_utf8().ok()?;
    let is_name = |segment: &str| !segment.is_empty() && segment != "." && segment != "..";
    let is_plain = |character: char| !character.is_control() && !r"\:".contains(character);
    let is_file =
        path.split('/').all(is_name) && path.chars().all(is_plain) && path.to_ascii_lowercase().ends_with(".json");
    let encoded = || path.split('/').map(address::encode).collect::<Vec<_>>().join("/");
    is_file.then(|| format!("/{}", encoded()))
}

/// The rows of the file, which is only sent again if it has changed.
async fn read(context: &dyn WidgetContext, location: &str) -> Result<Vec<Value>, FetchError> {
    let key = format!("custom-list/{}", address::without_user(location));
    let kept: Option<CachedFile> = context.recall(&key).and_then(|kept| serde_json::from_value(kept).ok());
    let mut request = Request::get(location).header("Accept", "application/json");
    request.max_bytes = Some(MAX_BYTES);
    if let Some(kept) = &kept {
        for (name, value) in [("If-None-Match", &kept.etag), ("If-Modified-Since", &kept.modified)] {
            if let Some(value) = value {
                request = request.header(name, value);
            }
        }
    }
    let reply = context.exchange(request).await?;
    match (reply.status, kept) {
        (304, Some(kept)) => return rows(&kept.body),
        (200..=299, _) => {}
        (status, _) => return Err(FetchError::message(format!("The file answered {status}."))),
    }
    let body = &*reply.text();
    // A file that is just being written may be incomplete, and must not be remembered in that state.
    let rows = rows(body)?;
    remember(context, &key, &reply, body);
    Ok(rows)
}

/// Remembers a file whose server can tell whether it has changed.
fn remember(context: &dyn WidgetContext, key: &str, reply: &Response, body: &str) {
    let header = |name: &'static str| reply.header(name).map(str::to_owned);
    let kept = CachedFile { etag: header("etag"), modified: header("last-modified"), body: body.to_owned() };
    if kept.etag.is_some() || kept.modified.is_some() {
        context.remember(key, json!(kept), LIFE);
    }
}

fn rows(body: &str) -> Result<Vec<Value>, FetchError> {
    if body.trim_start().starts_with('<') {
        return Err(FetchError::message("The address returned a web page, not JSON."));
    }
    if is_too_much_json(body.as_bytes()) {
        return Err(FetchError::message("The file holds too much to read."));
    }
    match serde_json::from_str(body) {
        Ok(Value::Array(rows)) => Ok(rows),
        Ok(_) => Err(FetchError::message("The file must contain a JSON array.")),
        Err(error) => {
            let (line, column) = (error.line(), error.column());
            Err(FetchError::message(format!("The file is not valid JSON (line {line}, column {column}).")))
        }
    }
}

/// A row, or the name of its missing part.
fn line(row: &Value) -> Result<Line, &'static str> {
    let text = |path: &'static str, name: &'static str| match row.pointer(path) {
        Some(Value::String(text)) => Ok(text.trim().to_owned()),
        Some(Value::Number(number)) => Ok(number.to_string()),
        _ => Err(name),
    };
    let filled = |path, name| text(path, name).and_then(|text| if text.is_empty() { Err(name) } else { Ok(text) });
    for (path, name) in [("/link", "link"), ("/value", "value")] {
        row.pointer(path).ok_or(name)?;
    }
    Ok(Line {
        text: filled("/link/text", "link.text")?,
        url: filled("/link/url", "link.url")?,
        hint: text("/link/title", "link.title")?,
        value: text("/value/text", "value.text")?,
        value_hint: text("/value/title", "value.title")?,
        date: Moment::parse_local(&text("/date", "date")?, 0),
    })
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;
    use crate::Recorded;

    #[test]
    fn files_are_sent_again_only_if_they_have_changed() {
        let url = "https://anna:pass-word@lists.example/a.json";
        let exchanges = serde_json::from_value(json!([
            { "request": { "url": url }, "response": { "headers": { "ETag": "\"one\"" }, "body": "[1]" } },
            { "request": { "url": url, "headers": { "If-None-Match": "\"one\"" } }, "response": { "status": 304 } },
        ]));
        let context = Recorded::new(exchanges.unwrap(), Moment::from_seconds(0));
        let run = || read(&context, url).now_or_never().unwrap();
        assert_eq!(run(), Ok(vec![json!(1)]));
        assert_eq!(run(), Ok(vec![json!(1)]));
        assert_eq!(context.unused(), Vec::<&str>::new());
    }

    #[test]
    fn half_of_a_file_is_not_remembered() {
        let url = "https://lists.example/a.json";
        let exchanges = serde_json::from_value(json!([
            { "request": { "url": url }, "response": { "headers": { "ETag": "\"one\"" }, "body": "[1]" } },
            { "request": { "url": url }, "response": { "headers": { "ETag": "\"two\"" }, "body": "[1, " } },
            { "request": { "url": url, "headers": { "If-None-Match": "\"one\"" } }, "response": { "status": 304 } },
        ]));
        let context = Recorded::new(exchanges.unwrap(), Moment::from_seconds(0));
        let run = || read(&context, url).now_or_never().unwrap();
        assert_eq!(run(), Ok(vec![json!(1)]));
        assert!(run().is_err());
        assert_eq!(run(), Ok(vec![json!(1)]));
    }

    #[test]
    fn paths_stay_in_the_folder() {
        for (written, expected) in [
            ("https://lists.example/a.json?key=1", Some("https://lists.example/a.json?key=1")),
            ("/json-data/releases.json", Some("/json-data/releases.json")),
            ("json-data/releases.json", Some("/json-data/releases.json")),
            ("./releases.JSON?v=2", Some("/releases.JSON")),
            ("/my%20lists/new%252e.json", Some("/my%20lists/new%252e.json")),
            ("/my lists/größe.json", Some("/my%20lists/gr%C3%B6%C3%9Fe.json")),
            ("/../conf.json", None),
            ("/a/%2e%2e/b.json", None),
            ("/a/..%2fb.json", None),
            ("/a/./b.json", None),
            ("//server/share/a.json", None),
            ("\\\\server\\a.json", None),
            ("/a%5cb.json", None),
            ("/a%00.json", None),
            ("C:/lists/a.json", None),
            ("javascript:a.json", None),
            ("ftp://lists.example/a.json", None),
            ("/conf.yml", None),
            ("/", None),
        ] {
            assert_eq!(location(written).as_deref(), expected, "{written:?}");
        }
    }

    #[test]
    fn rows_are_new_for_so_many_days() {
        let now = Moment::parse("2026-06-02T00:00:00Z").unwrap();
        let list = |days: &str| CustomList {
            days_for_new: serde_json::from_value(json!(days)).unwrap(),
            ..CustomList::default()
        };
        let dated = |date: &str| Line {
            text: String::new(),
            url: String::new(),
            hint: String::new(),
            value: String::new(),
            value_hint: String::new(),
            date: Moment::parse_local(date, 0),
        };
        for (days, date, expected) in [
            ("1", "2026-06-01T00:00:01Z", true),
            ("1", "2026-06-01T00:00:00Z", false),
            ("0.5", "2026-06-01T13:00:00", true),
            ("1", "2026-06-02T23:00:00Z", true),
            ("1", "2026-06-03T00:00:01Z", false),
            ("1", "yesterday", false),
            ("", "2026-06-01T23:00:00Z", false),
        ] {
            assert_eq!(list(days).is_new(&dated(date), now), expected, "{days} {date}");
        }
    }
}
