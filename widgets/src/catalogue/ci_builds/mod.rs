//! `ci-builds`: the newest builds of a CI server.

mod build;

use std::{cmp::Reverse, time::Duration};

use futures_util::future::try_join;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::Value;

use self::build::{Build, DroneBuild, DroneRepo, GiteaRun, Pipeline};
use crate::{
    Category, Entry, FetchError, OptionProblems, Panel, Reach, Request, Response, Widget, WidgetContext,
    option_types::{BaseAddress, Bounded, Lenient, Secret, Text},
    panel::Entries,
    services::tolerant,
};

/// Maximum number of builds that Woodpecker sends per request.
const MAX_PIPELINES: usize = 50;
/// How long the number of a repository is remembered.
const DAY: Duration = Duration::from_secs(86_400);

/// Shows the newest builds of a CI server: state, repository, number, trigger, branch and duration.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct CiBuilds {
    /// Address of the server, such as {example}.
    #[schemars(extend("x-required" = true, "x-example" = "https://ci.example.org"))]
    host: Lenient<BaseAddress>,
    /// A personal access token, or the name of an environment variable. Required, except for a public `repo`.
    api_key: Secret,
    /// The kind of server: `drone`, `woodpecker` or `gitea`, which also works for Forgejo. Without it, `drone`.
    provider: Lenient<Provider>,
    /// Maximum number of builds.
    limit: Bounded<1, 10, 100>,
    /// The repository by owner and name, such as {example}. Without it, those of the token's owner; required for `gitea`.
    #[schemars(extend("x-example" = "alice/website"))]
    repo: Text,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Provider {
    #[default]
    Drone,
    Woodpecker,
    #[serde(alias = "forgejo")]
    Gitea,
}

impl Widget for CiBuilds {
    const REACH: Reach = Reach::ViaServer;
    const CATEGORY: Category = Category::Development;
    const USUAL_LINES: usize = 15;

    fn check(&self, _entry: &Entry, problems: &mut OptionProblems) {
        let has_address = self.host.get().is_some_and(BaseAddress::is_set);
        problems.require_option(has_address, "host", "the address of the CI server");
        let needs_key = !self.api_key.is_set() && !self.repo.is_set();
        problems.require_option(!needs_key, "apiKey", "a personal access token of the CI server");
        if let Some(written) = self.provider.unknown() {
            problems.error(format!("Unknown provider '{written}'. The providers are drone, woodpecker and gitea."));
        }
        if self.repo.is_set() && self.repo().is_none() {
            problems.error("repo must look like owner/name, for example alice/website.");
        }
        let needs_repo = self.provider.or_default() == Provider::Gitea && !self.repo.is_set();
        problems.require_option(!needs_repo, "repo", "the repository whose builds are shown");
        self.limit.check("limit", problems);
    }

    fn refresh(&self) -> Option<Duration> {
        Some(Duration::from_secs(60))
    }

    async fn fetch(&self, context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        let mut builds = match self.provider.or_default() {
            Provider::Drone => self.drone(context).await?,
            Provider::Woodpecker => self.woodpecker(context).await?,
            Provider::Gitea => self.gitea(context).await?,
        };
        if builds.is_empty() {
            return Ok(Panel::empty("No builds yet"));
        }
        builds.sort_by_key(|build| Reverse(build.created));
        builds.truncate(self.limit.count());
        let entries = builds.iter().map(Build::entry).collect();
        Ok(Panel::new(vec![Entries::new(entries).into()]))
    }
}

impl CiBuilds {
    fn address(&self) -> BaseAddress {
        self.host.get().cloned().unwrap_or_default().without(&["/api"])
    }

    /// Owner and name. The owner has several segments if groups are nested.
    fn repo(&self) -> Option<(&str, &str)> {
        let (owner, name) = self.repo.get()?.rsplit_once('/')?;
        let is_plain = |step: &str| !step.is_empty() && step != "." && step != "..";
        (owner.split('/').all(is_plain) && is_plain(name)).then_some((owner, name))
    }

    async fn drone(&self, context: &dyn WidgetContext) -> Result<Vec<Build>, FetchError> {
        let base = self.address().public();
        let Some((owner, name)) = self.repo() else {
            let repos: Vec<DroneRepo> = self.list("/api/user/builds", &[], context).await?;
            return Ok(repos.into_iter().filter_map(|repo| repo.read(&base)).collect());
        };
        let count = self.limit.count();
        let path = format!("/api/repos/{{}}/{{}}/builds?page=1&per_page={count}");
        let steps = [owner, name];
        let repo = self.get::<Value>("/api/repos/{}/{}", &steps, context);
        let (repo, builds) = try_join(repo, self.list::<DroneBuild>(&path, &steps, context)).await?;
        let slug = repo["slug"].as_str().or(self.repo.get()).unwrap_or_default();
        Ok(builds.into_iter().map(|build| build.read(&base, slug)).collect())
    }

    async fn woodpecker(&self, context: &dyn WidgetContext) -> Result<Vec<Build>, FetchError> {
        let base = self.address().public();
        let Some((owner, name)) = self.repo() else {
            let feed: Vec<Pipeline> = self.list("/api/user/feed", &[], context).await?;
            return Ok(feed.into_iter().map(|pipeline| pipeline.read(&base, None)).collect());
        };
        let key = format!("ci-builds/{base}/{owner}/{name}/id");
        let id = context.kept(&key, DAY, async {
            let steps: Vec<&str> = owner.split('/').chain([name]).collect();
            let path = format!("/api/repos/lookup{}", "/{}".repeat(steps.len()));
            let repo: Value = self.get(&path, &steps, context).await?;
            // Only a number is remembered: with anything else, all requests of the day would fail.
            repo["id"].as_u64().map(Value::from).ok_or_else(|| self.unexpected())
        });
        let id = id.await?.as_u64().unwrap_or_default();
        let count = self.limit.count().min(MAX_PIPELINES);
        let path = format!("/api/repos/{id}/pipelines?page=1&perPage={count}");
        let pipelines = self.list::<Pipeline>(&path, &[], context).await;
        if pipelines.is_err() {
            // The repository may have another number by now.
            context.forget(&key);
        }
        let pipelines = pipelines?;
        let repo = (id, self.repo.get().unwrap_or_default());
        Ok(pipelines.into_iter().map(|pipeline| pipeline.read(&base, Some(repo))).collect())
    }

    async fn gitea(&self, context: &dyn WidgetContext) -> Result<Vec<Build>, FetchError> {
        let (owner, name) = self.repo().unwrap_or_default();
        let count = self.limit.count();
        let path = format!("/api/v1/repos/{{}}/{{}}/actions/tasks?page=1&limit={count}");
        let body: Value = self.get(&path, &[owner, name], context).await?;
        // The list is null if it is empty, but a response without one is from something else.
        let list = body.get("workflow_runs").filter(|list| list.is_array() || list.is_null());
        let runs: Vec<GiteaRun> = tolerant::as_entries(list.cloned().ok_or_else(|| self.unexpected())?);
        Ok(runs.into_iter().map(|run| run.read(self.repo.get().unwrap_or_default())).collect())
    }

    fn unexpected(&self) -> FetchError {
        FetchError::Unexpected { host: self.address().host().to_owned(), what: "data of another shape".to_owned() }
    }

    /// Reads a list. Entries that cannot be read are left out.
    async fn list<T: DeserializeOwned>(
        &self,
        path: &str,
        steps: &[&str],
        context: &dyn WidgetContext,
    ) -> Result<Vec<T>, FetchError> {
        // An empty list is null in some releases.
        let list: Option<Vec<Value>> = self.get(path, steps, context).await?;
        Ok(tolerant::as_entries(list.unwrap_or_default().into()))
    }

    async fn get<T: DeserializeOwned>(
        &self,
        path: &str,
        steps: &[&str],
        context: &dyn WidgetContext,
    ) -> Result<T, FetchError> {
        let request = Request::get(self.address().join(path, steps)).header("Accept", "application/json");
        let request = if self.provider.or_default() == Provider::Gitea && self.api_key.is_set() {
            request.header("Authorization", format!("token {}", self.api_key.reveal()))
        } else {
            request.bearer(&self.api_key)
        };
        self.read(&context.exchange(request).await?)
    }

    fn read<T: DeserializeOwned>(&self, reply: &Response) -> Result<T, FetchError> {
        let host = &reply.host;
        match reply.status {
            401 | 403 if !self.api_key.is_set() => Err(FetchError::login_refused(format!(
                "{host} asks for a token: set the option apiKey to a personal access token."
            ))),
            401 | 403 => Err(FetchError::login_refused(format!(
                "{host} refused the token: check the option apiKey (a personal access token)."
            ))),
            404 => Err(FetchError::message(match self.repo.get() {
                Some(repo) if !self.api_key.is_set() => format!(
                    "{host} has no public repository {repo}: check the options repo and provider, or set apiKey to a \
                     token that may see it."
                ),
                Some(repo) => format!(
                    "{host} does not know the repository {repo}, or the token may not see it: check the options repo and \
                     provider."
                ),
                None => format!("{host} does not know this address: check the options host and provider."),
            })),
            _ => reply.json(),
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;
    use serde_json::json;

    use super::*;
    use crate::{Moment, Recorded};

    #[test]
    fn a_repository_with_another_number_is_found_again() {
        let to = |path: &str, status: u16, body: Value| {
            json!({ "request": { "url": format!("https://ci.lan/api/repos/{path}") },
                    "response": { "status": status, "body": body } })
        };
        let exchanges = json!([
            to("lookup/kit/oven", 200, json!({ "id": 4 })),
            to("4/pipelines?page=1&perPage=10", 404, json!("")),
            to("lookup/kit/oven", 200, json!({ "id": 5 })),
            to("5/pipelines?page=1&perPage=10", 200, json!([])),
        ]);
        let context = Recorded::new(serde_json::from_value(exchanges).unwrap(), Moment::from_seconds(0));
        let options =
            json!({ "host": "https://ci.lan", "apiKey": "t0ken", "provider": "woodpecker", "repo": "kit/oven" });
        let widget: CiBuilds = serde_json::from_value(options).unwrap();
        let is_found = || widget.fetch(&context).now_or_never().unwrap().is_ok();
        assert_eq!([is_found(), is_found()], [false, true]);
    }
}
