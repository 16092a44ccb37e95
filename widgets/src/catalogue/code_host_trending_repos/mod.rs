//! `code-host-trending-repos`: the trending repositories on GitHub.

mod page;

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use self::page::{Repo, TrendingPage};
use crate::{
    Category, Entry, FetchError, OptionProblems, Panel, Reach, Request, Widget, WidgetContext, address,
    option_types::{Bounded, Lenient, Text},
    panel::{self, Datum, Entries, Link, Notice, Part, Phrase, Picture, SafeUrl, Tone},
    services::{github, tolerant},
};

/// Maximum size of the page in bytes: it has some 600 KB.
const MAX_BYTES: usize = 4 * 1024 * 1024;
/// A relay of the page of trends, run by one person.
const MIRROR: &str = "trend.doforce.dpdns.org";

/// Lists the trending repositories on GitHub, from its page of trends.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct CodeHostTrendingRepos {
    /// Only repositories in this language, such as {example} or `c++`. Without it, all languages.
    #[schemars(extend("x-example" = "rust"))]
    lang: Text,
    /// The period: `daily`, `weekly` or `monthly`. Without it, `daily`.
    since: Lenient<Since>,
    /// How many repositories are shown.
    limit: Bounded<1, 10, 25>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Since {
    #[default]
    Daily,
    Weekly,
    Monthly,
}

impl Since {
    const fn word(self) -> &'static str {
        match self {
            Self::Daily => "daily",
            Self::Weekly => "weekly",
            Self::Monthly => "monthly",
        }
    }

    const fn days(self) -> u64 {
        match self {
            Self::Daily => 1,
            Self::Weekly => 7,
            Self::Monthly => 30,
        }
    }
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct MirrorReply {
    #[serde(deserialize_with = "tolerant::text")]
    repo: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    desc: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    lang: Option<String>,
    #[serde(deserialize_with = "tolerant::number")]
    stars: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    forks: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    change: Option<f64>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct SearchReply {
    #[serde(deserialize_with = "tolerant::entries")]
    items: Vec<FoundReply>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct FoundReply {
    #[serde(deserialize_with = "tolerant::text")]
    full_name: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    description: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    language: Option<String>,
    #[serde(deserialize_with = "tolerant::number")]
    stargazers_count: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    forks_count: Option<f64>,
}

impl Widget for CodeHostTrendingRepos {
    const REACH: Reach = Reach::ViaServer;
    const CATEGORY: Category = Category::Development;
    const USUAL_LINES: usize = 10;

    fn check(&self, entry: &Entry, problems: &mut OptionProblems) {
        problems.require(self.since.unknown().is_none(), "since must be daily, weekly or monthly.");
        self.limit.check("limit", problems);
        if entry.refreshes_more_often_than(Duration::from_secs(15 * 60)) {
            problems.note("The list changes a few times a day: an updateInterval below 900 brings nothing new.");
        }
    }

    fn refresh(&self) -> Option<Duration> {
        Some(Duration::from_secs(3600))
    }

    async fn fetch(&self, context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        let mut notice = None;
        let mut credit = Link::parse("Trending on GitHub", "https://github.com/trending");
        let repos = match self.of_page(context).await {
            Ok(repos) => repos,
            Err(error) if error.is_outage() => match self.of_mirror(context).await {
                Ok(repos) => {
                    context.log(&format!("{MIRROR} stands in for the page of trends: {error}"));
                    credit = Link::parse(Phrase::foreign(MIRROR), &format!("https://{MIRROR}/"));
                    repos
                }
                Err(_) => {
                    // If both fail, report the error of the page.
                    let Ok(repos) = self.of_search(context).await else { return Err(error) };
                    context.log(&format!("the search stands in for the page of trends: {error}"));
                    notice = Some(Notice::warning(
                        "GitHub's list of trends cannot be read; these are new repositories with the most stars.",
                    ));
                    repos
                }
            },
            Err(error) => return Err(error),
        };
        Ok(Panel { credit, ..self.panel(repos, notice) })
    }
}

impl CodeHostTrendingRepos {
    fn since(&self) -> Since {
        self.since.or_default()
    }

    /// The name of the language in addresses.
    fn slug(&self) -> Option<String> {
        let slug = self.lang.get()?.to_lowercase().replace(' ', "-");
        Some(slug)
    }

    async fn of_page(&self, context: &dyn WidgetContext) -> Result<Vec<Repo>, FetchError> {
        let path = self.slug().map(|slug| format!("/{}", address::encode(&slug))).unwrap_or_default();
        let mut request = Request::get(format!("https://github.com/trending{path}"))
            .query("since", self.since().word())
            .header("Accept", "text/html");
        request.max_bytes = Some(MAX_BYTES);
        let reply = context.exchange(request).await?;
        match page::read(&reply.ok()?.text()) {
            TrendingPage::Repos(repos) => Ok(repos),
            TrendingPage::Blank => Ok(Vec::new()),
            TrendingPage::Unknown => Err(reply.unexpected("a page without repositories")),
        }
    }

    async fn of_mirror(&self, context: &dyn WidgetContext) -> Result<Vec<Repo>, FetchError> {
        let request = Request::get(format!("https://{MIRROR}/repo")).query("since", self.since().word());
        let request = match self.slug() {
            Some(slug) => request.query("lang", slug),
            None => request,
        };
        let reply = context.exchange(request).await?;
        let body: serde_json::Value = reply.json()?;
        // Older versions put the list into an object.
        let list = body.get("items").cloned().unwrap_or(body);
        if !list.is_array() {
            return Err(reply.unexpected("data of another shape"));
        }
        let repos = tolerant::as_entries::<MirrorReply>(list).into_iter().map(|repo| Repo {
            path: repo.repo.unwrap_or_default().trim_matches('/').to_owned(),
            description: repo.desc.unwrap_or_default(),
            language: repo.lang.unwrap_or_default(),
            stars: repo.stars,
            forks: repo.forks,
            new_stars: repo.change,
        });
        Ok(repos.filter(|repo| repo.path.contains('/')).collect())
    }

    async fn of_search(&self, context: &dyn WidgetContext) -> Result<Vec<Repo>, FetchError> {
        let from = context.now().before(Duration::from_secs(self.since().days() * 86_400)).utc_date();
        let language = self.lang.get().map(|lang| format!(" language:\"{}\"", lang.replace('"', "")));
        let request = github::request("/search/repositories")
            .query("q", format!("created:>{from}{}", language.unwrap_or_default()))
            .query("sort", "stars")
            .query("order", "desc")
            .query("per_page", self.limit.get());
        let body: SearchReply = github::send(context, request).await?.json()?;
        let repos = body.items.into_iter().map(|repo| Repo {
            path: repo.full_name.unwrap_or_default(),
            description: repo.description.unwrap_or_default(),
            language: repo.language.unwrap_or_default(),
            stars: repo.stargazers_count,
            forks: repo.forks_count,
            new_stars: None,
        });
        Ok(repos.filter(|repo| repo.path.contains('/')).collect())
    }

    fn panel(&self, repos: Vec<Repo>, notice: Option<Notice>) -> Panel {
        let words: &'static str = match self.since() {
            Since::Daily => "Trending today",
            Since::Weekly => "Trending this week",
            Since::Monthly => "Trending this month",
        };
        let title = match self.lang.get() {
            Some(lang) => {
                Phrase::from("{trending}: {language}").with("trending", Phrase::from(words)).with("language", lang)
            }
            None => words.into(),
        };
        let mut parts: Vec<Part> = notice.into_iter().map(Part::from).collect();
        if repos.is_empty() {
            let sentence = match self.lang.get() {
                Some(lang) => Phrase::from("No trending repositories for {language}").with("language", lang),
                None => "No trending repositories".into(),
            };
            parts.push(Notice::empty(sentence).into());
        } else {
            let entries = repos.into_iter().take(self.limit.count()).map(|repo| repo.entry(self.since())).collect();
            parts.push(Entries::new(entries).into());
        }
        Panel::new(parts).titled(title)
    }
}

impl Repo {
    fn entry(self, since: Since) -> panel::ListEntry {
        let owner = self.path.split('/').next().unwrap_or_default();
        let count = |words: &'static str, value: Option<f64>| {
            value.map(|value| Phrase::from(words).with("count", Datum::short(value)))
        };
        let new: &'static str = match since {
            Since::Daily => "+{count} today",
            Since::Weekly => "+{count} this week",
            Since::Monthly => "+{count} this month",
        };
        let language = Some(Datum::text(&self.language)).filter(|language| !language.is_missing());
        let values = [
            count(new, self.new_stars).map(|new| Datum::from(new).toned(Tone::Success)),
            count("{count} forks", self.forks).map(Datum::from),
            language,
        ];
        panel::ListEntry {
            url: SafeUrl::parse(&format!("https://github.com/{}", self.path)),
            text: (!self.description.is_empty()).then(|| Phrase::foreign(&self.description)),
            picture: Picture::parse(&format!("https://github.com/{}.png?size=40", address::encode(owner))),
            state: count("{count} stars", self.stars),
            values: values.into_iter().flatten().collect(),
            color: github::color(&self.language),
            ..panel::ListEntry::new(Phrase::foreign(&self.path))
        }
    }
}
