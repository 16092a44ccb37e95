//! `calendar`: events from calendars in the iCalendar format.

mod month;

use std::time::Duration;

use futures_util::future::join_all;
use jiff::{
    Span,
    civil::{Date, DateTime},
    tz::TimeZone,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Audience, Category, Entry, FetchError, Moment, OptionProblems, Panel, Reach, Request, Widget, WidgetContext,
    option_types::{Bounded, Color, Flag, Lenient, OneOrMany, Text, WebAddress},
    panel::{self, Columns, Datum, Entries, Notice, Paragraph, Part, Phrase, SafeUrl, Style},
    services::{
        calendar as days,
        ical::{self, Agenda, Occurrence, Window},
        weeks::first_weekday,
    },
};
use month::{Event, MonthGrid, Weekday};

/// Maximum size of one calendar in bytes.
const MAX_BYTES: usize = 5 * 1024 * 1024;
/// Maximum number of calendars.
const MAX_CALENDARS: usize = 20;
/// The colors of calendars that set none, in the order of the list.
const PALETTE: [&str; 8] =
    ["--series-1", "--series-2", "--series-3", "--series-4", "--series-5", "--series-6", "--series-7", "--series-8"];

/// Shows a month and an agenda of the next days, from one or more calendars in the iCalendar format. Google Calendar,
/// Nextcloud, iCloud, Outlook and others offer such an address (`.ics`). Repeating events, events of several days and
/// events in other time zones are supported. Events that repeat every few minutes are left out, which is then said, and
/// so is what cannot be read. Tasks are not shown. Without a calendar, the month is shown alone.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Calendar {
    /// The calendars, each with a `url`, and optionally a `name` and a `color`; or only their addresses. An address may be
    /// the name of an environment variable, since whoever knows it can read the calendar. Optional.
    calendars: OneOrMany<Lenient<Source>>,
    /// What is shown: the `month`, the `agenda` of the next days, or `both`. Without it, `both`.
    view: Lenient<View>,
    /// How many days the agenda looks ahead.
    days: Bounded<1, 30, 366>,
    /// Maximum number of events in the agenda.
    limit: Bounded<1, 25, 200>,
    /// The first day of the week, such as {example}. Without it, that of the viewer's language and country.
    #[schemars(extend("x-example" = "monday"))]
    first_day: Lenient<Weekday>,
    /// The time zone, such as {example}. Without it, the viewer's.
    #[schemars(extend("x-example" = "Europe/Vienna"))]
    time_zone: Text,
    /// Hides the places of events.
    hide_location: Flag,
    /// Hides events that last whole days.
    hide_all_day: Flag,
    /// The first day of the agenda, whose month is shown, such as {example}. Without it, today.
    #[schemars(extend("x-example" = "2026-12-24"))]
    start_date: Text,
}

/// One calendar as written in the options.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Source {
    /// Only its address.
    Address(Text),
    /// Its address and more.
    Calendar {
        /// Its address.
        #[serde(default)]
        url: Text,
        /// Its name, for messages and beside its events.
        #[serde(default, alias = "label", alias = "title")]
        name: Text,
        /// The color of its events.
        #[serde(default)]
        color: Lenient<Color>,
    },
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum View {
    #[default]
    Both,
    Month,
    Agenda,
}

/// One calendar that can be fetched.
struct Reachable {
    name: Option<String>,
    address: WebAddress,
    color: Option<Color>,
    /// The color if the options set none.
    usual_color: Color,
}

impl Source {
    fn url(&self) -> &Text {
        match self {
            Self::Address(url) | Self::Calendar { url, .. } => url,
        }
    }

    fn address(&self) -> Option<WebAddress> {
        let written = self.url().trim();
        let (scheme, rest) = written.split_once(':').unwrap_or_default();
        let is_webcal = ["webcal", "webcals"].iter().any(|known| scheme.eq_ignore_ascii_case(known));
        let address = if is_webcal { format!("https:{rest}") } else { written.to_owned() };
        // A file in the folder of the user's own files.
        if address.starts_with('/') {
            return None;
        }
        WebAddress::parse(&address).ok().filter(WebAddress::is_set)
    }
}

impl Widget for Calendar {
    const SYNONYMS: &'static [(&'static str, &'static str)] = &[
        ("urls", "calendars"),
        ("url", "calendars"),
        ("calendarUrl", "calendars"),
        ("firstDayOfWeek", "firstDay"),
        ("timezone", "timeZone"),
    ];
    const REACH: Reach = Reach::ViaServer;
    const CATEGORY: Category = Category::TimeAndWeather;
    const USUAL_LINES: usize = 28;
    const AUDIENCE: Audience = Audience::Language;

    fn check(&self, _entry: &Entry, problems: &mut OptionProblems) {
        let has_good_one = self.calendars().next().is_some();
        for (index, source) in self.calendars.iter().enumerate() {
            let number = index + 1;
            let error = match source.get() {
                None => "needs a url, an http(s) address.",
                Some(source) if source.address().is_none() => "needs a url, an http(s) address.",
                Some(Source::Calendar { color, .. }) if color.unknown().is_some() => {
                    problems.note(format!("Calendar {number}: color is not a color; one from the palette is used."));
                    continue;
                }
                Some(_) => continue,
            };
            let sentence = format!("Calendar {number} {error}");
            // An invalid calendar is left out; the others still work.
            if has_good_one { problems.note(sentence) } else { problems.error(sentence) }
        }
        if self.calendars.as_slice().len() > MAX_CALENDARS {
            problems.note(format!("Only the first {MAX_CALENDARS} calendars are shown."));
        }
        if let Some(view) = self.view.unknown() {
            problems.note(format!("view '{view}' is not month, agenda or both; both are shown."));
        }
        if let Some(day) = self.first_day.unknown() {
            problems
                .note(format!("firstDay '{day}' is not a day of the week; the one of the viewer's language is used."));
        }
        if let Some(zone) = self.time_zone.get().filter(|zone| ical::zone(zone).is_none()) {
            problems.note(format!("timeZone '{zone}' is unknown; the viewer's is used."));
        }
        if self.start_date.is_set() && self.start_date().is_none() {
            problems
                .note(format!("startDate '{}' is not a date such as 2026-12-24; today is used.", &*self.start_date));
        }
        self.days.check("days", problems);
        self.limit.check("limit", problems);
    }

    /// Often enough for "today" to be true.
    fn refresh(&self) -> Option<Duration> {
        Some(Duration::from_secs(15 * 60))
    }

    async fn fetch(&self, context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        let viewer = context.viewer();
        let own_zone = self.time_zone.get().and_then(ical::zone);
        let zone = own_zone.clone().or_else(|| ical::zone(viewer.time_zone.as_deref()?)).unwrap_or(TimeZone::UTC);
        let today = ical::local(context.now(), &zone).unwrap_or_default().date();
        let written = self.first_day.get().copied().map(Weekday::of_calendar);
        let first_day = written.unwrap_or_else(|| first_weekday(viewer.locale.as_deref()));
        let start = self.start_date().unwrap_or(today);
        let sheet = MonthGrid::of(start, first_day);
        let view = if self.calendars.is_empty() { View::Month } else { self.view.or_default() };
        let until = Span::new().try_days(self.days.get()).and_then(|ahead| start.checked_add(ahead)).unwrap_or(start);
        let (first, last) = match view {
            View::Agenda => (start, until),
            View::Month => (sheet.first, sheet.last),
            View::Both => (sheet.first, sheet.last.max(until)),
        };
        let window = Window { first, last, zone: zone.clone() };

        let calendars: Vec<Reachable> = self.calendars().take(MAX_CALENDARS).collect();
        let mut results = join_all(calendars.iter().map(|calendar| calendar.read(&window, context))).await;
        if let Some(Err(error)) = results.first()
            && results.iter().all(Result::is_err)
        {
            return Err(error.clone());
        }
        let mut parts: Vec<Part> = Vec::new();
        let mut happening: Vec<(usize, Vec<Occurrence>)> = Vec::new();
        for (position, (calendar, result)) in calendars.iter().zip(&mut results).enumerate() {
            match result {
                Ok(agenda) => {
                    parts.extend(calendar.notices(agenda));
                    happening.push((position, std::mem::take(&mut agenda.occurrences)));
                }
                Err(error) => parts.push(calendar.notice(None, error.to_string().trim_end_matches('.'))),
            }
        }
        let mut events: Vec<Event<'_>> = Vec::new();
        for (position, occurrences) in happening {
            let (calendar, result) = (&calendars[position], results[position].as_ref().ok());
            let name = calendar.name.as_deref().or_else(|| result?.name.as_deref());
            let color = calendar.color.as_ref().or_else(|| result?.color.as_ref()).unwrap_or(&calendar.usual_color);
            let shown = occurrences.into_iter().filter(|found| found.times.is_some() || !self.hide_all_day.is_on());
            events.extend(shown.map(|occurrence| Event { occurrence, calendar: name, color }));
        }
        events.sort_by(|one, other| one.key().cmp(&other.key()));
        // If a zone is set, times are shown in it, wherever the viewer is.
        let offset = |at: Moment| {
            let local = ical::local(at, own_zone.as_ref()?)?;
            let shown = local.duration_since(DateTime::constant(1970, 1, 1, 0, 0, 0, 0)).as_secs();
            i32::try_from(shown - at.seconds()).ok()
        };
        let month = || vec![Part::from(sheet.part(today, &events, &offset))];
        let agenda = || self.agenda(&events, today, (start, until), calendars.len() > 1, &offset);
        match view {
            View::Both => parts.push(Columns { columns: vec![month(), agenda()] }.into()),
            View::Month => parts.extend(month()),
            View::Agenda => parts.extend(agenda()),
        }
        Ok(Panel::new(parts))
    }
}

impl Calendar {
    fn start_date(&self) -> Option<Date> {
        days::parse(self.start_date.get()?)
    }

    /// The calendars that have an address.
    fn calendars(&self) -> impl Iterator<Item = Reachable> {
        let known = self.calendars.iter().filter_map(Lenient::get).enumerate();
        known.filter_map(|(position, source)| {
            let address = source.address()?;
            let (name, color) = match source {
                Source::Address(_) => (None, None),
                Source::Calendar { name, color, .. } => (name.get().map(str::to_owned), color.get().cloned()),
            };
            let usual_color = Color::fixed(PALETTE[position % PALETTE.len()]);
            Some(Reachable { name, address, color, usual_color })
        })
    }

    /// The events between two days. If there are several calendars, each event names its own.
    fn agenda(
        &self,
        events: &[Event<'_>],
        today: Date,
        (start, until): (Date, Date),
        is_named: bool,
        offset: &dyn Fn(Moment) -> Option<i32>,
    ) -> Vec<Part> {
        let is_coming = |event: &&Event<'_>| event.occurrence.last >= start && event.occurrence.first <= until;
        let coming: Vec<&Event<'_>> = events.iter().filter(is_coming).collect();
        if coming.is_empty() {
            let sentence = Phrase::from(match self.start_date() {
                Some(_) => "No events in these {count} days.",
                None => "No events in the next {count} days.",
            });
            return vec![Notice::empty(sentence.with("count", Datum::count(self.days.get()))).into()];
        }
        let limit = self.limit.count();
        let entry = |event: &&Event<'_>| event.entry(today, is_named, self.hide_location.is_on(), offset);
        let entries = coming.iter().take(limit).map(entry).collect();
        let mut parts: Vec<Part> = vec![Entries::new(entries).into()];
        if coming.len() > limit {
            let text = Phrase::from("Not shown: {count}. Raise the option limit.");
            let text = text.with("count", Datum::count(coming.len() - limit));
            parts.push(Paragraph { small: true, ..Paragraph::new(text) }.into());
        }
        parts
    }
}

impl Reachable {
    async fn read(&self, window: &Window, context: &dyn WidgetContext) -> Result<Agenda, FetchError> {
        let mut request = Request::get(self.address.url()).header("Accept", "text/calendar, */*;q=0.5");
        request.max_bytes = Some(MAX_BYTES);
        let reply = context.exchange(request).await?;
        let host = &reply.host;
        match reply.status {
            401 | 403 => {
                return Err(FetchError::login_refused(format!(
                    "{host} refused the address: use one for sharing, which needs no sign-in, in the option calendars."
                )));
            }
            404 | 410 => {
                return Err(FetchError::message(format!(
                    "{host} has no calendar at this address: check the option calendars."
                )));
            }
            _ => {}
        }
        let not_a_calendar = || {
            FetchError::message(format!("{host} did not send a calendar: check the address in the option calendars."))
        };
        ical::read(reply.ok()?, window).ok_or_else(not_a_calendar)
    }

    /// What is not shown of this calendar, or may be shown at a wrong time.
    fn notices(&self, agenda: &Agenda) -> Vec<Part> {
        let title = match agenda.first_unreadable.as_str() {
            "" => "without a title",
            title => title,
        };
        let unreadable = match agenda.unreadable {
            0 => None,
            1 => Some(format!("an event is not shown, because its time cannot be read ({title})")),
            count => Some(format!(
                "{count} events are not shown, because their times cannot be read (the first one is {title})"
            )),
        };
        let zone = agenda.unknown_zone.as_deref();
        let zone =
            zone.map(|zone| format!("the time zone {zone} is unknown, so its times are shown as they are written"));
        let cut = agenda.is_cut.then(|| "not all events of this calendar are shown".to_owned());
        let problems = [cut, unreadable, zone].into_iter().flatten();
        problems.map(|problem| self.notice(agenda.name.as_deref(), &problem)).collect()
    }

    /// A sentence about this calendar, with its name, unless the sentence begins with its host.
    fn notice(&self, own_name: Option<&str>, problem: &str) -> Part {
        let sentence = Phrase::message(format!("{problem}."));
        let text = match self.name.as_deref().or(own_name) {
            None if problem.starts_with(self.address.host()) => sentence,
            name => {
                let calendar = name.unwrap_or_else(|| self.address.host());
                Phrase::from("{calendar}: {sentence}").with("calendar", calendar).with("sentence", sentence)
            }
        };
        Notice::warning(text).into()
    }
}

impl Event<'_> {
    /// Earlier events first; on the same day, all-day events first.
    fn key(&self) -> (Date, Option<Moment>, &str) {
        (self.occurrence.first, self.occurrence.times.map(|(begin, _)| begin), &self.occurrence.title)
    }

    fn title(&self) -> Phrase {
        match self.occurrence.title.as_str() {
            "" => "Without a title".into(),
            title => Phrase::foreign(title),
        }
    }

    fn entry(
        &self,
        today: Date,
        is_named: bool,
        hides_location: bool,
        offset: &dyn Fn(Moment) -> Option<i32>,
    ) -> panel::ListEntry {
        let Occurrence { location, url, first, last, times, .. } = &self.occurrence;
        let time = |at: Moment| Datum::Time { at, style: Style::Time, offset: offset(at) };
        let time: Option<Datum> = times.as_ref().map(|(begin, end)| match begin == end {
            true => time(*begin),
            false => Phrase::from("{begin}–{end}").with("begin", time(*begin)).with("end", time(*end)).into(),
        });
        let location = Some(Datum::text(location)).filter(|place| !hides_location && !place.is_missing());
        let calendar = self.calendar.filter(|_| is_named).map(Datum::text);
        let is_now = (*first..=*last).contains(&today);
        panel::ListEntry {
            day: Some(if first == last { days::day(*first, Style::ShortDate) } else { days::days(*first, *last) }),
            url: url.as_deref().and_then(SafeUrl::parse),
            values: [time, location, calendar].into_iter().flatten().collect(),
            tags: is_now.then(|| Phrase::from("Today")).into_iter().collect(),
            color: Some(self.color.clone()),
            highlighted: is_now,
            ..panel::ListEntry::new(self.title())
        }
    }
}
