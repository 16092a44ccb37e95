//! What to do for each widget of a config file: worked out once when the file is read, never during a request.

use std::borrow::Cow;
use std::{
    cell::RefCell,
    collections::{HashMap, HashSet},
    sync::Arc,
    time::Duration,
};

use config::{Config, Document, Problem, ProblemKind, Severity, model::widget::WidgetSpot};
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use widgets::{Audience, Entry, FetchPlan, Kind, OptionProblems, OptionSeverity, Reach, Request, RunSide};

use super::{
    Recording,
    isolated::{FAILED, isolated},
    rendered_panel::PanelForm,
    secrets::Secrets,
    tile_plan::{self, TilePlan},
};
use crate::settings::variables::Variables;

/// Ids that the page itself uses.
const IDS_OF_THE_PAGE: [&str; 8] = ["page", "content", "toolbar", "overlay", "settings", "tooltip", "splash", "search"];
/// Maximum length of an id in characters.
const MAX_ID_LENGTH: usize = 80;

/// The plans for the widgets of one config file, by section and widget position.
#[derive(Debug, Default)]
pub struct WidgetPlans {
    widgets: HashMap<(usize, usize), Arc<PlannedWidget>>,
    /// The figures of tiles, by section, item and position in it.
    figures: HashMap<(usize, usize, usize), Arc<PlannedWidget>>,
    problems: Vec<Problem>,
    page_host: Option<Arc<str>>,
}

/// What to do for one widget.
#[derive(Debug)]
pub struct PlannedWidget {
    /// Its type; `None` if the type is unknown.
    pub kind: Option<Kind>,
    /// The entry, with the values of environment variables; never leaves the server.
    pub entry: Entry,
    /// Id of its element.
    pub id: String,
    /// Its name in the address of its own page: its own id if it has one, else its position.
    pub address: String,
    /// Who runs the lookup.
    pub place: RunSide,
    /// How often it refreshes; `None` for never.
    pub refresh: Option<Duration>,
    /// The request whose response says when the panel is outdated.
    pub follow: Option<Request>,
    /// What is needed to draw it in a tile, if it belongs there.
    pub tile: Option<TilePlan>,
    /// Whether it is a small fact in the bar below the header.
    pub in_header: bool,
    /// Which viewers may share its cached panel.
    pub audience: Audience,
    /// The origins that a browser queries.
    pub origins: Vec<String>,
    /// Why it is broken, in sentences for people.
    pub errors: Vec<String>,
    /// What is odd about its options although it works, in sentences for admins.
    pub hints: Vec<String>,
    /// Equal for entries with the same panel. Reveals nothing about the options.
    pub key: PanelKey,
    /// Texts that never leave the server, even if a service echoes them.
    pub secrets: Secrets,
    /// Replaces the services in the demo.
    pub recording: Option<Recording>,
    /// The host of the page that contains the entry, if it is not ours. Such an entry may only read, and only from that
    /// host and public ones.
    pub page_host: Option<Arc<str>>,
}

/// Identifies a panel. A digest, because options contain secrets.
#[derive(Clone, Copy, Debug, Default, Eq, Hash, PartialEq)]
pub struct PanelKey([u8; 32]);

impl PanelKey {
    /// The key of these texts in this order.
    pub fn of<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> Self {
        let mut digest = Sha256::new();
        for part in parts {
            digest.update((part.len() as u64).to_le_bytes());
            digest.update(part);
        }
        Self(digest.finalize().into())
    }

    /// A key that depends on this one and on additional text.
    #[must_use]
    pub fn with(&self, more: &[&str]) -> Self {
        Self::of(std::iter::once(&self.0[..]).chain(more.iter().map(|part| part.as_bytes())))
    }

    /// The digest.
    pub fn bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl WidgetPlans {
    /// Plans for all widgets of a config. `document` is the file that contains its sections.
    pub fn of(config: &Config, document: &Document, variables: &Variables) -> Self {
        Self::of_page(config, document, variables, None)
    }

    /// The same for a page on another host. Its author may not be the person who runs this server, so its widgets see
    /// no environment variables, and viewers' browsers make no requests for them.
    pub fn of_remote(config: &Config, document: &Document, host: &str) -> Self {
        Self::of_page(config, document, &Variables::default(), Some(host.into()))
    }

    fn of_page(config: &Config, document: &Document, variables: &Variables, page_host: Option<Arc<str>>) -> Self {
        let mut ids: HashSet<String> = IDS_OF_THE_PAGE.iter().map(|id| (*id).to_owned()).collect();
        let always_proxy = config.app.widgets_always_use_proxy || page_host.is_some();
        let mut plans = Self { page_host, ..Self::default() };
        for section in &config.sections {
            for widget in &section.widgets {
                let (section, index) = (section.index, widget.index);
                let written = &document.value()["sections"][section]["widgets"][index];
                let (mut planned, problems) = PlannedWidget::of(&widget.kind, written, always_proxy, variables);
                let usual = format!("widget-{section}-{index}");
                let own_id = planned.entry.id.as_deref().map(cleaned_id);
                planned.id = unique(&own_id.unwrap_or_else(|| usual.clone()), &mut ids);
                // A number in an address is a position, whatever ids exist.
                let has_name = planned.id != usual && !planned.id.bytes().all(|byte| byte.is_ascii_digit());
                planned.address = if has_name { planned.id.clone() } else { index.to_string() };
                if widget.place == WidgetSpot::Header {
                    planned.in_header = true;
                    // The same entry as a card is drawn in another way.
                    planned.key = planned.key.with(&["header"]);
                }
                if let Some(host) = &plans.page_host {
                    planned.belong_to_page_of(host);
                }
                plans.widgets.insert((section, index), Arc::new(planned));
                // An invalid widget breaks only itself, so none of this makes the file invalid.
                plans.problems.extend(problems.all().iter().map(|problem| Problem {
                    path: format!("/sections/{section}/widgets/{index}"),
                    kind: match problem.severity {
                        OptionSeverity::Advice => ProblemKind::Advice,
                        OptionSeverity::Note | OptionSeverity::Error => ProblemKind::Malformed,
                    },
                    message: problem.sentence.clone(),
                    effect: None,
                    severity: Severity::Warning,
                }));
            }
            for item in &section.items {
                let written = &document.value()["sections"][section.index]["items"][item.index];
                let place = |position| (section.index, item.index, position);
                if let Some(found) = &item.found {
                    let allowed = variables.only(&found.allowed_variables);
                    for (position, entry) in found.figures.iter().map(tile_plan::as_widget).enumerate() {
                        // The file is not to blame for its problems. Admins see them in the tile.
                        _ = plans.plan_figures(place(position), &entry, &allowed);
                    }
                    continue;
                }
                for (position, entry) in tile_plan::entries_of(written).iter().enumerate() {
                    let problems = plans.plan_figures(place(position), entry, variables);
                    plans.problems.extend(problems.all().iter().map(|problem| Problem {
                        path: format!("/sections/{}/items/{}", section.index, item.index),
                        kind: ProblemKind::Malformed,
                        message: problem.sentence.clone(),
                        effect: None,
                        severity: Severity::Warning,
                    }));
                }
            }
        }
        plans
    }

    /// Plans the figures at this place: section, item, and position in it.
    fn plan_figures(&mut self, place: (usize, usize, usize), written: &Value, variables: &Variables) -> OptionProblems {
        let (mut planned, problems) = PlannedWidget::of(tile_plan::KIND, written, true, variables);
        let (section, item, position) = place;
        planned.id = format!("{section}-{item}-{position}");
        // The same entry as a widget is drawn in another way.
        planned.key = planned.key.with(&["tile"]);
        planned.tile = Some(TilePlan::of(&planned.entry));
        if let Some(host) = &self.page_host {
            planned.belong_to_page_of(host);
        }
        self.figures.insert(place, Arc::new(planned));
        problems
    }

    /// Uses recordings for a widget instead of its services. The server runs the lookup even if a browser would
    /// normally do it.
    pub fn replay(&mut self, section: usize, widget: usize, recording: Recording) {
        self.use_recording(section, widget, recording);
        let Some(planned) = self.widgets.get_mut(&(section, widget)).and_then(Arc::get_mut) else { return };
        if planned.place == RunSide::Browser {
            planned.place = RunSide::Server;
            planned.origins.clear();
        }
        planned.audience = Audience::Everyone;
        // The same options may be recorded with different responses.
        planned.key = planned.key.with(&[&format!("{section}-{widget}")]);
    }

    /// Lets the server look up what browsers would, unless the response says something about who asks.
    pub fn look_up_for_browsers(&mut self) {
        for planned in self.widgets.values_mut().filter_map(Arc::get_mut) {
            let is_about_viewer = planned.kind.is_some_and(|kind| kind.reach() == Reach::BrowserByDefault);
            if planned.place == RunSide::Browser && !is_about_viewer {
                planned.place = RunSide::Server;
                planned.origins.clear();
                planned.audience = Audience::Everyone;
            }
        }
    }

    /// Uses a recording for a widget, and changes nothing else.
    pub(crate) fn use_recording(&mut self, section: usize, widget: usize, recording: Recording) {
        if let Some(planned) = self.widgets.get_mut(&(section, widget)).and_then(Arc::get_mut) {
            planned.recording = Some(recording);
        }
    }

    /// Problems with the widgets, for the author of the file.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// The plan for the widget at these positions.
    pub fn get(&self, section: usize, widget: usize) -> Option<&Arc<PlannedWidget>> {
        self.widgets.get(&(section, widget))
    }

    /// The plan for the figures at these positions: section, item, and place in the item.
    pub fn figures(&self, section: usize, item: usize, position: usize) -> Option<&Arc<PlannedWidget>> {
        self.figures.get(&(section, item, position))
    }

    /// All plans, in no particular order.
    pub fn all(&self) -> impl Iterator<Item = &Arc<PlannedWidget>> {
        self.widgets.values().chain(self.figures.values())
    }
}

impl PlannedWidget {
    /// The plan, still without an id and an address, and the problems of the entry. Errors make the entry broken.
    fn of(type_name: &str, written: &Value, always_proxy: bool, variables: &Variables) -> (Self, OptionProblems) {
        let mut problems = OptionProblems::default();
        let as_written = Entry::read(written, always_proxy, &mut problems);
        let mut entry = as_written.clone();
        let used = RefCell::new(Vec::new());
        let lookup = |name: &str| variables.get(name).inspect(|value| used.borrow_mut().push(value.clone()));
        widgets::resolve(&mut entry.options, &lookup, &mut problems);
        let secrets = Secrets::of(Kind::parse(type_name), &entry, used.into_inner());
        let kind = Kind::parse(type_name);
        let plan = kind.and_then(|kind| plan(&mut problems, || kind.plan(&as_written, &entry)));
        for problem in plan.iter().flat_map(|plan| plan.problems.all()) {
            problems.add(problem.clone());
        }
        if type_name.is_empty() {
            problems.error("A widget needs a type, such as clock or weather.");
        } else if kind.is_none() {
            let hint = Kind::nearest_name(type_name).map(|name| format!(" Did you mean {name}?")).unwrap_or_default();
            problems.error(format!("There is no widget of type {type_name}.{hint}"));
        }
        // A message may quote the invalid value, which may come from the environment.
        problems.change(|sentence| {
            if let Cow::Owned(blanked) = secrets.blank(sentence) {
                *sentence = blanked;
            }
        });
        let errors = problems.errors();
        let planned = match (kind, plan) {
            (Some(kind), Some(plan)) if errors.is_empty() => Self {
                kind: Some(kind),
                key: key(kind, &entry),
                entry,
                id: String::new(),
                address: String::new(),
                place: plan.place,
                refresh: plan.refresh,
                follow: plan.follow,
                tile: None,
                in_header: false,
                audience: plan.audience,
                origins: plan.origins,
                hints: plan.misspelled,
                errors,
                secrets,
                recording: None,
                page_host: None,
            },
            (_, plan) => Self {
                kind,
                entry,
                id: String::new(),
                address: String::new(),
                place: RunSide::Broken,
                refresh: None,
                follow: None,
                tile: None,
                in_header: false,
                audience: Audience::Everyone,
                origins: Vec::new(),
                // What is wrong may be due to them, or has nothing to do with them.
                hints: plan.map(|plan| plan.misspelled).unwrap_or_default(),
                errors,
                key: PanelKey::default(),
                secrets,
                recording: None,
                page_host: None,
            },
        };
        (planned, problems)
    }

    /// Marks the entry as belonging to a page on another host. It shares nothing with our own entries, which may do
    /// more.
    fn belong_to_page_of(&mut self, host: &Arc<str>) {
        self.key = self.key.with(&["page of another host", host]);
        self.page_host = Some(Arc::clone(host));
        self.follow = None;
        if self.place == RunSide::Browser {
            self.place = RunSide::Server;
            self.origins.clear();
        }
    }

    /// In which form its panel is drawn.
    pub fn form(&self) -> PanelForm {
        match (&self.tile, self.in_header) {
            (Some(_), _) => PanelForm::Tile,
            (None, true) => PanelForm::Fact,
            (None, false) => PanelForm::Card,
        }
    }

    /// Our name of the type; empty if the type is unknown.
    pub fn kind_name(&self) -> &'static str {
        self.kind.map_or("", Kind::name)
    }

    /// Names the widget that a problem belongs to: nothing if it has a label, or if the type is unknown.
    pub fn name_of_problem(&self) -> Option<&'static str> {
        self.kind.filter(|_| self.entry.label.is_none()).map(Kind::name)
    }
}

/// The plan for a type. A panic breaks only its widget, not the file.
fn plan(problems: &mut OptionProblems, make: impl FnOnce() -> FetchPlan) -> Option<FetchPlan> {
    let plan = isolated(make);
    if plan.is_none() {
        problems.error(FAILED);
    }
    plan
}

/// What the panel depends on: not on its refresh interval, nor on the look of its frame.
fn key(kind: Kind, entry: &Entry) -> PanelKey {
    let shown = Entry {
        update: widgets::Update::Usual,
        ignore_errors: false,
        hide_controls: false,
        classes: Vec::new(),
        id: None,
        ..entry.clone()
    };
    let shown = serde_json::to_vec(&shown).expect("an entry has only text keys");
    PanelKey::of([kind.name().as_bytes(), &shown])
}

/// A configured id, cleaned.
fn cleaned_id(written: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let id: String = written.chars().take(MAX_ID_LENGTH).map(|c| if is_plain(c) { c } else { '-' }).collect();
    // Generated ids of sections and items look like this.
    let is_taken = ["s-", "i-"].iter().any(|start| id.strip_prefix(start).is_some_and(starts_with_digit));
    if is_taken { format!("widget-{id}") } else { id }
}

fn starts_with_digit(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_digit())
}

fn unique(wanted: &str, ids: &mut HashSet<String>) -> String {
    let mut id = wanted.to_owned();
    let mut number = 2;
    while !ids.insert(id.clone()) {
        id = format!("{wanted}-{number}");
        number += 1;
    }
    id
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plans(text: &str) -> WidgetPlans {
        let document = Document::parse(text.as_bytes()).unwrap();
        let variables = Variables::of([("VUE_APP_KEY".to_owned(), "s3cret".to_owned())]);
        WidgetPlans::of(&Config::read(&document).unwrap(), &document, &variables)
    }

    #[test]
    fn a_plan_that_panics_costs_its_widget_only() {
        let mut problems = OptionProblems::default();
        assert!(plan(&mut problems, || panic!("a panic of this test")).is_none());
        assert_eq!(problems.errors(), [FAILED]);
    }

    #[test]
    fn the_config_may_have_the_server_ask_for_all() {
        let place = |app: &str| {
            let plans = plans(&format!("{app}sections:\n  - name: A\n    widgets:\n      - type: public-ip\n"));
            plans.get(0, 0).unwrap().place.clone()
        };
        assert_eq!(place(""), RunSide::Browser);
        assert_eq!(place("appConfig: { widgetsAlwaysUseProxy: true }\n"), RunSide::Server);
    }

    #[test]
    fn every_entry_has_a_place() {
        let plans = plans(
            "sections:\n  - name: A\n    widgets:\n      - type: Clock\n      - type: weather\n      - type: nonsense\n      \
             - { type: weather, options: { city: Rome, apiKey: VUE_APP_KEY } }\n      \
             - { type: weather, options: { city: Rome, apiKey: VUE_APP_NONE } }\n      - type: public-ip\n      \
             - type: wether\n      - { type: health-checks, options: { apiKey: 0123456789abcdef0123456789abcdef } }\n",
        );
        let at = |index| plans.get(0, index).unwrap();
        assert!(matches!(at(0).place, RunSide::Local(_)));
        assert_eq!(
            (&at(1).place, at(1).errors[0].as_str()),
            (&RunSide::Broken, "Set the option `city` to a place (or set lat and lon), for example `London`.")
        );
        assert_eq!(at(2).errors, ["There is no widget of type nonsense."]);
        assert_eq!((&at(3).place, &at(3).entry.options["apiKey"]), (&RunSide::Server, &"s3cret".into()));
        assert_eq!(at(4).errors, ["The environment variable VUE_APP_NONE is not set."]);
        assert_eq!(at(5).place, RunSide::Browser);
        assert_eq!(at(5).origins, ["https://ipinfo.io"]);
        assert_eq!(at(6).errors, ["There is no widget of type wether. Did you mean weather?"]);
        assert_eq!((at(7).kind_name(), &at(7).place), ("cron-monitor", &RunSide::Server));
    }

    #[test]
    fn what_shows_the_same_has_one_key() {
        let plans = plans(
            "sections:\n  - name: A\n    widgets:\n      - { type: weather, options: { city: Rome } }\n      \
             - { type: weather, updateInterval: 60, class: wide, options: { city: Rome } }\n      \
             - { type: weather, options: { city: Oslo } }\n      - { type: weather-forecast, options: { city: Rome } }\n",
        );
        let key = |index| plans.get(0, index).unwrap().key;
        assert_eq!(key(0), key(1));
        assert_ne!(key(0), key(2));
        assert_ne!(key(0), key(3));
    }

    #[test]
    fn ids_are_unique_and_none_of_the_page() {
        let plans = plans(
            "sections:\n  - name: A\n    widgets:\n      - { type: clock, id: 'my clock' }\n      - { type: clock, id: my-clock }\n      \
             - { type: clock, id: settings }\n      - { type: clock }\n      - { type: clock, id: s-0 }\n",
        );
        let ids: Vec<&str> = (0..5).map(|index| plans.get(0, index).unwrap().id.as_str()).collect();
        assert_eq!(ids, ["my-clock", "my-clock-2", "settings-2", "widget-0-3", "widget-s-0"]);
    }
}
