//! `code-host-profile-stats`: the numbers, languages and chosen repositories of a GitHub account.
//!
//! Requests are not conditional: without a token, a response that says that nothing has changed counts against the limit
//! like any other.

use std::{collections::HashMap, time::Duration};

use futures_util::future::{join, join_all};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Category, Entry, FetchError, Moment, OptionProblems, Panel, Reach, Request, Widget, WidgetContext, address,
    option_types::{Flag, Lenient, OneOrMany, Secret, Text},
    panel::{
        self, Datum, Donut, Entries, Fact, Facts, Heading, Notice, Part, Phrase, Picture, SafeUrl, Slice, Stat, Stats,
        Style,
    },
    services::{github, tolerant},
};

/// Repositories per page of the list, and maximum number of pages.
const PAGE: usize = 100;
const MAX_PAGES: usize = 3;
/// Maximum number of languages shown separately.
const MAX_LANGUAGES: usize = 12;
/// Without a token there are 60 requests an hour, for everybody behind the same address.
const SHORTEST_UPDATE: Duration = Duration::from_secs(30 * 60);

/// Shows the numbers of a GitHub account, the languages of its repositories, and chosen repositories.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct CodeHostProfileStats {
    /// Name of the user or organization, such as {example}. Required, unless both cards are hidden.
    #[schemars(extend("x-example" = "octocat"))]
    username: Text,
    /// Hides the numbers of the account.
    hide_profile_card: Flag,
    /// Hides the languages.
    hide_languages_card: Flag,
    /// Repositories to show, such as {example}: each as `owner/name`, or as `name` if it belongs to the account. Optional.
    #[schemars(extend("x-example" = "[octocat/hello-world]"))]
    repos: OneOrMany<Lenient<Text>>,
    /// A personal access token of GitHub, or the name of an environment variable: with it, GitHub allows 5,000 requests an
    /// hour, not 60. Without it, none is sent.
    token: Secret,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct UserReply {
    #[serde(deserialize_with = "tolerant::text")]
    login: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    name: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    avatar_url: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    html_url: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    bio: Option<String>,
    #[serde(deserialize_with = "tolerant::number")]
    public_repos: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    followers: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    following: Option<f64>,
    #[serde(deserialize_with = "tolerant::text")]
    created_at: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct RepoReply {
    #[serde(deserialize_with = "tolerant::text")]
    full_name: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    html_url: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    description: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    language: Option<String>,
    #[serde(deserialize_with = "tolerant::flag")]
    fork: Option<bool>,
    #[serde(deserialize_with = "tolerant::flag")]
    archived: Option<bool>,
    #[serde(deserialize_with = "tolerant::number")]
    stargazers_count: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    forks_count: Option<f64>,
}

impl Widget for CodeHostProfileStats {
    const REACH: Reach = Reach::ViaServer;
    const CATEGORY: Category = Category::Development;
    const USUAL_LINES: usize = 24;

    fn check(&self, entry: &Entry, problems: &mut OptionProblems) {
        let needs_user = self.shows_profile() || self.shows_languages();
        match self.username.get() {
            None => {
                let purpose = "a user or an organization at GitHub (or hide both cards)";
                problems.require_option(!needs_user, "username", purpose);
                let shows_repos = needs_user || !self.repos.is_empty();
                problems.require_option(shows_repos, "repos", "the repositories to show (or set username)");
            }
            Some(name) => problems.require(is_account(name), "username must be the name of an account at GitHub."),
        }
        let repos = self.repos.iter().filter_map(|entry| entry.get().map(|text| &**text).or(entry.unknown()));
        let repos: Vec<&str> = repos.collect();
        let is_wrong = |written: &&str| self.repo(written).is_none();
        let none_is_left = repos.iter().all(is_wrong);
        // A wrong entry costs only itself.
        for written in repos.iter().copied().filter(is_wrong) {
            let sentence = format!("repos entries have the form owner/name: {written}");
            if none_is_left { problems.error(sentence) } else { problems.note(sentence) }
        }
        if !self.token.is_set() && entry.refreshes_more_often_than(SHORTEST_UPDATE) {
            problems.note("GitHub allows 60 requests an hour: an updateInterval below 1800 is too short.");
        }
    }

    fn refresh(&self) -> Option<Duration> {
        Some(Duration::from_secs(6 * 3600))
    }

    async fn fetch(&self, context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        let account = async {
            let user = async { if self.shows_profile() { Some(self.user(context).await) } else { None } };
            let own = async {
                // The profile needs the list too: it contains the stars.
                if self.shows_profile() || self.shows_languages() { Some(self.own(context).await) } else { None }
            };
            join(user, own).await
        };
        let written = self.repos.iter().filter_map(Lenient::get);
        let chosen: Vec<(String, String)> = written.filter_map(|written| self.repo(written)).collect();
        let repos = join_all(chosen.iter().map(|(owner, name)| self.repository(owner, name, context)));
        let ((user, own), repos) = join(account, repos).await;
        let mut parts: Vec<Part> = Vec::new();
        // An error of the account is an error of the widget; a missing repository is only shown as missing.
        let user = user.transpose()?;
        let own = match own {
            Some(Err(error)) if user.is_none() => return Err(error),
            Some(Err(error)) => {
                parts.push(Notice::warning(Phrase::message(error.to_string())).into());
                None
            }
            Some(Ok(own)) => Some(own),
            None => None,
        };
        let mut title = None;
        if let Some(user) = user {
            let stars = own.as_ref().map(|own| own.iter().filter_map(|repo| repo.stargazers_count).sum());
            title = Some(user.heading(&self.username));
            parts.extend(user.figures(stars));
        }
        if let Some(own) = own.filter(|_| self.shows_languages()) {
            parts.push(languages(&own));
        }
        let mut entries = Vec::new();
        for ((owner, name), repo) in chosen.iter().zip(repos) {
            match repo {
                Ok(repo) => entries.push(repo.entry(owner, name)),
                Err(error) if parts.is_empty() && chosen.len() == 1 => return Err(error),
                Err(error) => parts.push(Notice::warning(Phrase::message(error.to_string())).into()),
            }
        }
        if !entries.is_empty() {
            parts.push(Entries::new(entries).into());
        }
        Ok(Panel { title, ..Panel::new(parts) })
    }
}

impl CodeHostProfileStats {
    fn shows_profile(&self) -> bool {
        !self.hide_profile_card.is_on()
    }

    fn shows_languages(&self) -> bool {
        !self.hide_languages_card.is_on()
    }

    /// The owner and the name of a repository as written; `None` if it cannot be one.
    fn repo(&self, written: &str) -> Option<(String, String)> {
        let written = written.trim().trim_start_matches("https://github.com/").trim_end_matches('/');
        let (owner, name) = match written.split_once('/') {
            Some((owner, name)) => (owner, name),
            None => (self.username.get()?, written),
        };
        let is_name = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
        let is_plain = !name.is_empty() && name.bytes().all(is_name) && ![".", ".."].contains(&name);
        (is_account(owner) && is_plain).then(|| (owner.to_owned(), name.to_owned()))
    }

    fn request(&self, path: &str) -> Request {
        github::request(path).bearer(&self.token)
    }

    async fn repository(&self, owner: &str, name: &str, context: &dyn WidgetContext) -> Result<RepoReply, FetchError> {
        let path = format!("/repos/{}/{}", address::encode(owner), address::encode(name));
        let reply = github::send(context, self.request(&path)).await?;
        if reply.status == 404 {
            return Err(FetchError::message(format!("Repository {owner}/{name} was not found.")));
        }
        reply.json()
    }

    async fn user(&self, context: &dyn WidgetContext) -> Result<UserReply, FetchError> {
        let path = format!("/users/{}", address::encode(&self.username));
        let reply = github::send(context, self.request(&path)).await?;
        if reply.status == 404 { Err(self.no_account()) } else { reply.json() }
    }

    fn no_account(&self) -> FetchError {
        FetchError::message(format!(
            "There is no account called {} at GitHub: check the option username.",
            self.username
        ))
    }

    /// The account's own repositories, those pushed to last first; not all of them for very large accounts.
    async fn own(&self, context: &dyn WidgetContext) -> Result<Vec<RepoReply>, FetchError> {
        let path = format!("/users/{}/repos", address::encode(&self.username));
        let mut own: Vec<RepoReply> = Vec::new();
        for page in 1..=MAX_PAGES {
            let request = self.request(&path).query("per_page", PAGE).query("type", "owner").query("sort", "pushed");
            let request = if page > 1 { request.query("page", page) } else { request };
            let reply = github::send(context, request).await?;
            if reply.status == 404 {
                return Err(self.no_account());
            }
            let repos: Vec<serde_json::Value> = reply.json()?;
            let is_full = repos.len() >= PAGE;
            own.extend(repos.into_iter().filter_map(|repo| serde_json::from_value(repo).ok()));
            if !is_full {
                break;
            }
        }
        Ok(own)
    }
}

/// Whether a text can be the name of an account.
fn is_account(name: &str) -> bool {
    (1..=39).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

impl UserReply {
    fn heading(&self, written: &str) -> Heading {
        let login = self.login.as_deref().unwrap_or(written);
        Heading {
            text: Phrase::foreign(self.name.as_deref().unwrap_or(login)),
            url: SafeUrl::parse(self.html_url.as_deref().unwrap_or_default()),
            picture: self.avatar_url.as_deref().and_then(Picture::parse),
            subtitle: self.bio.as_deref().map(Phrase::foreign),
        }
    }

    fn figures(&self, stars: Option<f64>) -> Vec<Part> {
        let count = |value: Option<f64>| Datum::from(value.map(Datum::short));
        let stats = vec![
            Stat::new("Stars", count(stars)),
            Stat::new("Repositories", count(self.public_repos)),
            Stat::new("Followers", count(self.followers)),
            Stat::new("Following", count(self.following)),
        ];
        let since = self.created_at.as_deref().and_then(Moment::parse).map(|at| Datum::time(at, Style::Date));
        let mut parts = vec![Stats { stats }.into()];
        if let Some(since) = since {
            parts.push(Facts { facts: vec![Fact::new("Member since", since)] }.into());
        }
        parts
    }
}

/// How many repositories are in which language. Forks say nothing about their owner.
fn languages(own: &[RepoReply]) -> Part {
    let mut counts: HashMap<&str, u32> = HashMap::new();
    for repo in own.iter().filter(|repo| repo.fork != Some(true)) {
        if let Some(language) = &repo.language {
            *counts.entry(language).or_default() += 1;
        }
    }
    if counts.is_empty() {
        let words: &'static str = if own.is_empty() { "No public repositories" } else { "No languages known" };
        return Notice::empty(words).into();
    }
    let mut counts: Vec<(&str, u32)> = counts.into_iter().collect();
    counts.sort_by(|one, other| other.1.cmp(&one.1).then(one.0.cmp(other.0)));
    let others: u32 = counts.iter().skip(MAX_LANGUAGES).map(|(_, count)| count).sum();
    let mut slices: Vec<Slice> = counts
        .iter()
        .take(MAX_LANGUAGES)
        .map(|(language, count)| Slice {
            label: Phrase::foreign(*language),
            size: f64::from(*count),
            color: github::color(language),
            ..Slice::default()
        })
        .collect();
    if others > 0 {
        slices.push(Slice { label: "Others".into(), size: f64::from(others), ..Slice::default() });
    }
    Donut { title: "Languages, by repositories".into(), slices, flat: true, ..Donut::default() }.into()
}

impl RepoReply {
    fn entry(self, owner: &str, name: &str) -> panel::ListEntry {
        let count = |words: &'static str, value: Option<f64>| {
            value.map(|value| Datum::from(Phrase::from(words).with("count", Datum::short(value))))
        };
        let values = [
            self.language.as_deref().map(Datum::text),
            count("{count} stars", self.stargazers_count),
            count("{count} forks", self.forks_count),
        ];
        let tags = if self.archived == Some(true) { vec!["archived".into()] } else { Vec::new() };
        panel::ListEntry {
            url: self.html_url.as_deref().and_then(SafeUrl::parse),
            text: self.description.map(Phrase::foreign),
            values: values.into_iter().flatten().collect(),
            color: self.language.as_deref().and_then(github::color),
            tags,
            ..panel::ListEntry::new(Phrase::foreign(self.full_name.unwrap_or_else(|| format!("{owner}/{name}"))))
        }
    }
}
