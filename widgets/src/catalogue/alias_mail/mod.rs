//! `alias-mail`: email aliases of addy.io and their activity.
//!
//! An alias is switched by a button that names what it will do, not by a toggle: the state beside it changes only when
//! addy.io has confirmed it.

mod account;

use std::time::Duration;

use futures_util::future::join;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use self::account::{AccountReply, FiguresReply, count};
use crate::{
    Action, ActionOutcome, Category, Entry, FetchError, Method, Moment, OptionProblems, Panel, Reach, Request,
    Response, Widget, WidgetContext,
    option_types::{BaseAddress, Bounded, Flag, Secret, Text},
    panel::{self, ActionButton, Columns, Datum, Entries, Notice, Paragraph, Part, Phrase, Style, Tone, Unit},
    services::tolerant,
};

/// The sort orders for aliases.
const ORDERS: [&str; 16] = [
    "local_part",
    "domain",
    "email",
    "emails_forwarded",
    "emails_blocked",
    "emails_replied",
    "emails_sent",
    "created_at",
    "updated_at",
    "deleted_at",
    "active",
    "last_forwarded",
    "last_blocked",
    "last_replied",
    "last_sent",
    "last_used",
];
/// The buttons.
const ENABLE: &str = "enable";
const DISABLE: &str = "disable";
const PAGE: &str = "page";
/// How many pages before and after the current one have a button with their number.
const NUMBERS: u32 = 2;
/// Separates the id of an alias from its page number, if that is not the first page.
const OF_PAGE: char = '@';
/// Maximum number of pages to browse.
const MAX_PAGE: u32 = 10_000;

/// Shows email aliases and account figures of addy.io, formerly AnonAddy. Aliases can be switched on and off.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct AliasMail {
    /// Personal access token (Settings, API), or the name of an environment variable.
    #[schemars(extend("x-required" = true))]
    api_key: Secret,
    /// Address of your own instance, or the name of an environment variable. Without it, `https://app.addy.io`.
    hostname: Text,
    /// Version of the API. Without it, `v1`.
    api_version: Text,
    /// How many aliases are listed per page. Signed-in viewers can browse the pages.
    limit: Bounded<1, 10, 100>,
    /// How the aliases are sorted, such as {example}, `created_at` or `emails_forwarded`; a `-` in front reverses the
    /// order. Without it, `updated_at`, oldest first; `-updated_at` is newest first.
    #[schemars(extend("x-example" = "email"))]
    sort_by: Text,
    /// Only aliases whose address or description contains this; 3 to 50 characters. Optional.
    search_term: Text,
    /// Disables switching aliases on and off here.
    disable_controls: Flag,
    /// Hides the numbers of the account.
    hide_meta: Flag,
    /// Hides the aliases.
    hide_aliases: Flag,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct AliasesReply {
    data: serde_json::Value,
    #[serde(deserialize_with = "tolerant::part")]
    meta: Option<PagesReply>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct PagesReply {
    #[serde(deserialize_with = "tolerant::number")]
    total: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    last_page: Option<f64>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct AliasReply {
    #[serde(deserialize_with = "tolerant::text")]
    id: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    local_part: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    domain: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    email: Option<String>,
    #[serde(deserialize_with = "tolerant::flag")]
    active: Option<bool>,
    #[serde(deserialize_with = "tolerant::text")]
    description: Option<String>,
    #[serde(deserialize_with = "tolerant::number")]
    emails_forwarded: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    emails_blocked: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    emails_replied: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    emails_sent: Option<f64>,
    #[serde(deserialize_with = "tolerant::text")]
    created_at: Option<String>,
}

impl Widget for AliasMail {
    const REACH: Reach = Reach::ViaServer;
    const CATEGORY: Category = Category::FilesAndCloud;
    const USUAL_LINES: usize = 26;

    fn check(&self, entry: &Entry, problems: &mut OptionProblems) {
        problems.require_option(self.api_key.is_set(), "apiKey", "a personal access token of addy.io (Settings, API)");
        let sentence = "hostname must be an http(s) address, for example https://app.addy.io.";
        problems.require(BaseAddress::parse_secure(&self.hostname).is_ok(), sentence);
        let is_word = self.api_version.len() <= 10 && self.api_version.bytes().all(|byte| byte.is_ascii_alphanumeric());
        problems.require(is_word, "apiVersion must be a version such as v1.");
        if !ORDERS.contains(&self.order().strip_prefix('-').unwrap_or(self.order())) {
            problems.error(format!("sortBy '{}' is unknown. Use one of: {}.", self.sort_by, ORDERS.join(", ")));
        }
        match self.search_term.chars().count() {
            0 | 3..=50 => {}
            1 | 2 => problems.error("searchTerm needs at least 3 characters."),
            _ => problems.error("searchTerm must have 50 characters at most."),
        }
        self.limit.check("limit", problems);
        if entry.refreshes_more_often_than(Duration::from_secs(30)) {
            problems.note("addy.io allows 60 requests a minute: an updateInterval below 30 is too short.");
        }
    }

    fn refresh(&self) -> Option<Duration> {
        Some(Duration::from_secs(600))
    }

    async fn fetch(&self, context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        self.page(1, context).await
    }

    async fn act(&self, action: &Action, context: &dyn WidgetContext) -> Result<ActionOutcome, FetchError> {
        let read = |page: &str| page.parse::<u32>().ok().filter(|page| (1..=MAX_PAGE).contains(page));
        if action.name == PAGE && !self.hide_aliases.is_on() {
            let page = read(&action.target).ok_or_else(|| FetchError::message("There is no such page."))?;
            return Ok(ActionOutcome::Shown(Box::new(self.page(page, context).await?)));
        }
        if self.disable_controls.is_on() || self.hide_aliases.is_on() {
            return Err(FetchError::message("Aliases cannot be changed here: disableControls or hideAliases is set."));
        }
        let (id, page) = match action.target.split_once(OF_PAGE) {
            Some((id, page)) => (id, read(page)),
            None => (action.target.as_str(), Some(1)),
        };
        let Some(page) = page.filter(|_| is_id(id)) else { return Err(FetchError::message("There is no such alias.")) };
        let request = match action.name.as_str() {
            ENABLE => self.request(Method::Post, "/active-aliases").json(&json!({ "id": id })),
            DISABLE => self.request(Method::Delete, &format!("/active-aliases/{id}")),
            _ => return Err(FetchError::message("There is no such action.")),
        };
        let reply = context.exchange(request).await?;
        if matches!(reply.status, 404 | 422) {
            let sentence = format!("{} cannot change this alias; it may have been deleted.", reply.host);
            return Err(FetchError::message(sentence));
        }
        explained(&reply)?;
        match page {
            1 => Ok(ActionOutcome::Changed),
            // People who have browsed to a page stay on it.
            page => Ok(ActionOutcome::Shown(Box::new(self.page(page, context).await?))),
        }
    }
}

/// Whether this is the id of an alias, and nothing that would lead elsewhere in a path.
fn is_id(written: &str) -> bool {
    (8..=64).contains(&written.len()) && written.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-')
}

/// The reply, if its status is a success; otherwise the service's error.
fn explained(reply: &Response) -> Result<&Response, FetchError> {
    match reply.status {
        401 | 403 => Err(FetchError::login_refused(format!(
            "{} refused the token: check the option apiKey (Settings, API).",
            reply.host
        ))),
        422 => Err(FetchError::message(format!(
            "{} refused the choice: check the options sortBy, limit and searchTerm.",
            reply.host
        ))),
        _ => reply.ok(),
    }
}

impl AliasMail {
    fn order(&self) -> &str {
        self.sort_by.get().unwrap_or("updated_at")
    }

    fn request(&self, method: Method, path: &str) -> Request {
        let base = BaseAddress::parse_secure(self.hostname.get().unwrap_or("https://app.addy.io")).unwrap_or_default();
        let version = self.api_version.get().unwrap_or("v1");
        let request = Request::new(method, base.join(&format!("/api/{version}{path}"), &[])).bearer(&self.api_key);
        // The service expects it with every request. A request with a body gets it from there.
        let request = if method == Method::Post { request } else { request.header("Content-Type", "application/json") };
        request
            .header("Accept", "application/json")
            // Without this header, errors come as pages and redirects.
            .header("X-Requested-With", "XMLHttpRequest")
    }

    /// The panel with one page of the aliases.
    async fn page(&self, page: u32, context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        let account = async { if self.hide_meta.is_on() { None } else { Some(self.account(context).await) } };
        let aliases = async { if self.hide_aliases.is_on() { None } else { Some(self.aliases(page, context).await) } };
        let (account, aliases) = join(account, aliases).await;
        let mut parts: Vec<Part> = Vec::new();
        match (account, &aliases) {
            (Some(Ok(account)), _) => parts.extend(account.parts()),
            // Half of the data is better than nothing.
            (Some(Err(error)), Some(Ok(_))) => parts.push(Notice::warning(Phrase::message(error.to_string())).into()),
            (Some(Err(error)), _) => return Err(error),
            (None, _) => {}
        }
        match aliases {
            Some(Ok(aliases)) => parts.extend(self.listed(aliases, page)),
            Some(Err(error)) if parts.is_empty() => return Err(error),
            Some(Err(error)) => parts.push(Notice::warning(Phrase::message(error.to_string())).into()),
            None => {}
        }
        if parts.is_empty() {
            return Ok(Panel::empty("All parts of this widget are hidden"));
        }
        Ok(Panel::new(parts))
    }

    async fn account(&self, context: &dyn WidgetContext) -> Result<FiguresReply, FetchError> {
        let reply = context.exchange(self.request(Method::Get, "/account-details")).await?;
        let account: AccountReply = explained(&reply)?.json()?;
        account.data.ok_or_else(|| reply.unexpected("data of another shape"))
    }

    async fn aliases(&self, page: u32, context: &dyn WidgetContext) -> Result<AliasesReply, FetchError> {
        let mut request = self
            .request(Method::Get, "/aliases")
            .query("sort", self.order())
            .query("page%5Bnumber%5D", page)
            .query("page%5Bsize%5D", self.limit.get());
        if let Some(words) = self.search_term.get() {
            request = request.query("filter%5Bsearch%5D", words);
        }
        let reply = context.exchange(request).await?;
        let aliases: AliasesReply = explained(&reply)?.json()?;
        if aliases.data.is_array() { Ok(aliases) } else { Err(reply.unexpected("data of another shape")) }
    }

    fn listed(&self, aliases: AliasesReply, page: u32) -> Vec<Part> {
        let (total, last) = aliases.meta.map(|meta| (meta.total, meta.last_page)).unwrap_or_default();
        let mut aliases: Vec<AliasReply> = tolerant::as_entries(aliases.data);
        aliases.truncate(self.limit.count());
        if aliases.is_empty() && page == 1 {
            let sentence = match self.search_term.get() {
                Some(words) => Phrase::from("No alias matches '{words}'").with("words", words),
                None => "No aliases".into(),
            };
            return vec![Notice::empty(sentence).into()];
        }
        let has_controls = !self.disable_controls.is_on();
        let entries = aliases.into_iter().map(|alias| alias.entry(page, has_controls)).collect();
        let mut parts: Vec<Part> = vec![Entries::new(entries).into()];
        // Page numbers are small; larger values are invalid anyway.
        let last = last.filter(|last| *last > 1.0).map_or(page, |last| last as u32).min(MAX_PAGE);
        if last > 1 {
            let text = Phrase::from("Page {page} of {last}, {total} aliases")
                .with("page", Datum::count(page as usize))
                .with("last", Datum::count(last as usize))
                .with("total", count(total));
            parts.push(Paragraph { small: true, ..Paragraph::new(text) }.into());
            parts.push(Columns { columns: turns(page, last).into_iter().map(page_button).collect() }.into());
        }
        parts
    }
}

/// The pages to which buttons lead, with the words on them: the neighbors, the numbers around the current page, and
/// both ends if they are not among those.
fn turns(page: u32, last: u32) -> Vec<(Phrase, u32)> {
    let numbers = page.saturating_sub(NUMBERS).max(1)..=(page + NUMBERS).min(last);
    let number = |page: u32| (Phrase::from("{page}").with("page", Datum::count(page as usize)), page);
    let mut turns: Vec<(Phrase, u32)> = Vec::new();
    if *numbers.start() > 1 {
        turns.push(("First".into(), 1));
    }
    if page > 1 {
        turns.push(("Previous".into(), page - 1));
    }
    turns.extend(numbers.clone().filter(|other| *other != page).map(number));
    if page < last {
        turns.push(("Next".into(), page + 1));
    }
    if *numbers.end() < last {
        turns.push(("Last".into(), last));
    }
    turns
}

/// A button that leads to a page.
fn page_button((label, page): (Phrase, u32)) -> Vec<Part> {
    let action = Action { name: PAGE.to_owned(), target: page.to_string() };
    vec![ActionButton { action, label, ..ActionButton::default() }.into()]
}

impl AliasReply {
    fn entry(self, page: u32, has_controls: bool) -> panel::ListEntry {
        // What is neither on nor off has no state, and no button.
        let state: Option<(&'static str, Tone)> =
            self.active.map(|active| if active { ("on", Tone::Success) } else { ("off", Tone::Neutral) });
        let number = |words: &'static str, value: Option<f64>| {
            value.map(|value| Datum::from(Phrase::from(words).with("count", Datum::number(value, Unit::None))))
        };
        let created = self.created_at.as_deref().and_then(|written| Moment::parse_local(written, 0));
        let created = created.map(|at| {
            let words = Phrase::from("created {date}, {age}").with("date", Datum::time(at, Style::Date));
            words.with("age", Datum::time(at, Style::Relative)).into()
        });
        let values = [
            number("{count} forwarded", self.emails_forwarded),
            number("{count} blocked", self.emails_blocked),
            number("{count} replied", self.emails_replied),
            number("{count} sent", self.emails_sent),
            created,
        ];
        let action = self.id.filter(|id| has_controls && is_id(id)).zip(self.active).map(|(id, is_active)| {
            let (name, label): (&str, &'static str) =
                if is_active { (DISABLE, "Switch off") } else { (ENABLE, "Switch on") };
            let target = if page == 1 { id } else { format!("{id}{OF_PAGE}{page}") };
            ActionButton {
                action: Action { name: name.to_owned(), target },
                label: label.into(),
                ..ActionButton::default()
            }
        });
        let email = self.email.or_else(|| Some(format!("{}@{}", self.local_part?, self.domain?)));
        let title = match email.as_deref().map(|email| (email, email.rsplit_once('@'))) {
            Some((_, Some((local, domain)))) => {
                Phrase::from("{local}@{domain}").with("local", Datum::strong(local, "")).with("domain", domain)
            }
            Some((email, None)) => Phrase::foreign(email),
            None => Phrase::foreign("–"),
        };
        panel::ListEntry {
            copyable: email.is_some(),
            state: state.map(|(words, _)| words.into()),
            tone: state.map(|(_, tone)| tone).unwrap_or_default(),
            text: self.description.map(Phrase::foreign),
            opens: true,
            values: values.into_iter().flatten().collect(),
            action,
            ..panel::ListEntry::new(title)
        }
    }
}
