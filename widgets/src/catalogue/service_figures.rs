//! `service-figures`: a few live figures of one of many services. What the services are asked is data, in the crate `figures`.

use std::{borrow::Cow, collections::BTreeMap, sync::Arc, time::Duration};

use figures::{Figure, Service, SignIn};
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, de};
use serde_json::Value;

use crate::{
    Category, Entry, FetchError, OptionProblems, Panel, Reach, Widget, WidgetContext,
    option_types::{BaseAddress, Lenient, OneOrMany, Secret, Text},
    panel::{Phrase, Stats},
    services::live_figures::{self, Highlight, Inquiry, USUAL, label, pace},
};
use nearest::nearest;

/// Shows a few live figures of a service, such as how many downloads are running. The services, their figures and what they
/// need are listed in docs/figures.md.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ServiceFigures {
    /// The service, such as {example}.
    #[schemars(extend("x-required" = true, "x-example" = "sonarr"))]
    service: Text,
    /// Address of the service, such as {example}. Without it, that of a service on the internet is used.
    #[schemars(extend("x-example" = "http://192.168.1.2:8989"))]
    url: BaseAddress,
    /// Key for the service's API, or the name of an environment variable. Without it, `username` and `password` are used.
    key: Secret,
    /// User, or the name of an environment variable. Without it, `key` is used, or nothing for a service that is open.
    username: Text,
    /// Password, or the name of an environment variable. Without it, `key` is used, or nothing for a service that is open.
    password: Secret,
    /// Figures to show, such as `queued`. Without it, the first four of the service.
    fields: OneOrMany<Lenient<Text>>,
    /// What else the service needs, as a mapping of names and texts. Each text may be the name of an environment variable.
    /// Optional for most services.
    settings: SecretTexts,
    /// Headers of each request, as a mapping of names and texts, for a proxy in front of the service. Optional.
    headers: SecretTexts,
    /// Rules that color figures, by the names of the figures, as in Homepage: lists of `level` (`good`, `warn` or `danger`),
    /// `when` and `value`. Optional.
    #[schemars(with = "BTreeMap<String, Value>")]
    highlight: Highlight,
}

/// The setting that says which version of a service it is.
const VERSION: &str = "version";

/// Texts by name. Each of them may be a key.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(transparent)]
struct SecretTexts(BTreeMap<String, Secret>);

impl JsonSchema for SecretTexts {
    fn schema_name() -> Cow<'static, str> {
        "SecretTexts".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "type": "object",
            "additionalProperties": { "type": ["string", "number", "boolean"] },
            "writeOnly": true
        })
    }
}

impl<'de> Deserialize<'de> for SecretTexts {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let written = match Value::deserialize(deserializer)? {
            Value::Null => return Ok(Self::default()),
            Value::Object(written) => written,
            _ => return Err(de::Error::custom("must be a mapping of names and texts")),
        };
        // A value of another type is kept as a blank one, to note it.
        let secret = |value: Value| serde_json::from_value(value).unwrap_or_default();
        Ok(Self(written.into_iter().map(|(name, value)| (name, secret(value))).collect()))
    }
}

impl Widget for ServiceFigures {
    const REACH: Reach = Reach::ViaServer;
    const CATEGORY: Category = Category::Uptime;
    const USUAL_LINES: usize = 3;
    const SYNONYMS: &'static [(&'static str, &'static str)] = &[("type", "service")];

    fn check(&self, _entry: &Entry, problems: &mut OptionProblems) {
        problems.require_option(self.service.is_set(), "service", "the service");
        problems.require(!self.fields.is_all_wrong(), "fields must be a list of names of figures such as queued.");
        if !self.service.is_set() {
            return;
        }
        let Some(service) = self.known() else {
            let names = figures::nearest_names();
            let near = nearest(&self.service.to_lowercase(), names.iter().map(String::as_str));
            let near = near.map(|name| format!(" Did you mean {name}?")).unwrap_or_default();
            problems.error(format!("There are no figures for a service called {}.{near}", self.service));
            return;
        };
        if service.url.is_none() {
            let name = &service.name;
            problems.require_option(self.url.is_set(), "url", &format!("the address of {name}"));
        }
        for option in &service.options {
            let is_set = option.default.is_some() || self.settings.0.get(&option.name).is_some_and(Secret::is_set);
            problems.require(is_set, &format!("{} needs {}: {}.", service.name, option.name, option.about));
        }
        if !service.sign_in.is_empty() && self.sign_in(&service).is_none() {
            let mut ways: Vec<String> = service.sign_in.iter().map(|way| way.needs.join(" and ")).collect();
            ways.dedup();
            problems.error(format!("{} needs {}.", service.name, ways.join(", or ")));
        }
        // Homepage needs the version of many services; here it is found by asking.
        let is_known = |name: &str| name == VERSION || service.options.iter().any(|option| option.name == name);
        for name in self.settings.0.keys().filter(|name| !is_known(name)) {
            problems.note(format!("settings: {} has no {name}.", service.name));
        }
        for (name, value) in &self.headers.0 {
            if !is_header(name) || value.reveal().contains(char::is_control) {
                problems.note(format!("headers: '{}' is not sent.", name.escape_debug()));
            }
        }
        let (_, unknown) = service.chosen(&self.names(), USUAL);
        let unknown =
            unknown.into_iter().chain(self.fields.iter().filter_map(Lenient::unknown).map(ToString::to_string));
        let known = service.figures.iter().map(|figure| figure.name.as_str()).collect::<Vec<_>>().join(", ");
        for name in unknown {
            problems.note(format!("fields: {} has no figure '{name}'. Its figures are {known}.", service.name));
        }
        for problem in self.highlight.problems() {
            problems.note(problem.clone());
        }
        for name in self.highlight.names() {
            if service.chosen(&[name.to_owned()], USUAL).0.is_empty() {
                problems.note(format!("highlight: {} has no figure '{name}'. Its figures are {known}.", service.name));
            }
        }
    }

    fn refresh(&self) -> Option<Duration> {
        let service = self.known()?;
        Some(pace(&service, &self.chosen(&service)).time())
    }

    async fn fetch(&self, context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        let Some(service) = self.known() else {
            return Err(FetchError::message("There are no figures for this service."));
        };
        let address = match &service.url {
            Some(url) if !self.url.is_set() => BaseAddress::parse(url).unwrap_or_default(),
            _ => self.url.without(&service.without.iter().map(String::as_str).collect::<Vec<_>>()),
        };
        let kind = self.service.to_lowercase();
        let headers: BTreeMap<String, Secret> = self
            .headers
            .0
            .iter()
            .filter(|(name, value)| is_header(name) && !value.reveal().contains(char::is_control))
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect();
        let editions = self.editions(&service, &kind, address.is_encrypted());
        let versions = editions.iter().map(|(kind, service)| Inquiry {
            service,
            kind,
            address: address.clone(),
            options: self.values(service),
            headers: &headers,
            sign_in: self.sign_in(service),
            is_guess: editions.len() > 1,
        });
        let versions: Vec<Inquiry<'_>> = versions.collect();
        let stats = live_figures::stats(&versions, &self.chosen(&service), &self.highlight, context).await?;
        Ok(Panel::new(vec![Stats { stats }.into()]))
    }
}

impl ServiceFigures {
    fn known(&self) -> Option<Arc<Service>> {
        figures::find(&self.service)
    }

    /// The service in the versions that it may have, each with a key for what is remembered: the one that is written, or all in the
    /// order in which they are tried. A key that must not be sent without HTTPS is no reason to guess.
    fn editions<'a>(&self, service: &'a Service, kind: &str, is_encrypted: bool) -> Vec<(String, Cow<'a, Service>)> {
        let mut versions = service.versions();
        let written = self.settings.0.get(VERSION).and_then(|version| version.reveal().trim().parse().ok());
        match written.filter(|version| versions.contains(version)) {
            Some(version) => versions = vec![version],
            None => versions.retain(|version| {
                is_encrypted || self.sign_in(&service.in_version(*version)).is_none_or(|sign_in| !sign_in.https)
            }),
        }
        if versions.is_empty() {
            return vec![(kind.to_owned(), Cow::Borrowed(service))];
        }
        let edition = |version: u32| (format!("{kind} {version}"), Cow::Owned(service.in_version(version)));
        versions.into_iter().map(edition).collect()
    }

    fn names(&self) -> Vec<String> {
        self.fields.iter().filter_map(Lenient::get).map(|name| name.to_string()).collect()
    }

    /// The figures that are shown. If none of the chosen ones exists, those that are shown without a choice.
    fn chosen<'a>(&self, service: &'a Service) -> Vec<&'a Figure> {
        let (chosen, _) = service.chosen(&self.names(), USUAL);
        if chosen.is_empty() { service.chosen(&[], USUAL).0 } else { chosen }
    }

    /// The options by their names, with the defaults of the service.
    fn values(&self, service: &Service) -> BTreeMap<String, String> {
        let own = [("key", self.key.reveal()), ("username", &*self.username), ("password", self.password.reveal())];
        let own = own.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned()));
        let others = service.options.iter().map(|option| {
            let written = self.settings.0.get(&option.name).map(Secret::reveal).filter(|value| !value.is_empty());
            (option.name.clone(), written.or(option.default.as_deref()).unwrap_or_default().to_owned())
        });
        own.chain(others).collect()
    }

    /// The first way to sign in whose options are all set.
    fn sign_in<'a>(&self, service: &'a Service) -> Option<&'a SignIn> {
        let values = self.values(service);
        let is_set = |name: &String| values.get(name).is_some_and(|value| !value.is_empty());
        service.sign_in.iter().find(|sign_in| sign_in.needs.iter().all(is_set))
    }
}

/// Whether there are figures for a service, in upper or lower case.
#[must_use]
pub fn has_figures(service: &str) -> bool {
    figures::find(service).is_some()
}

/// The labels of the figures that an entry of this type shows, to reserve their space. Empty if its options are wrong.
#[must_use]
pub fn figure_labels(entry: &Entry) -> Vec<Phrase> {
    let Ok(widget) = serde_json::from_value::<ServiceFigures>(Value::Object(entry.options.clone())) else {
        return Vec::new();
    };
    let Some(service) = widget.known() else { return Vec::new() };
    widget.chosen(&service).into_iter().map(|figure| label(&figure.label)).collect()
}

fn is_header(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
}
