//! The tabs of the config menu that the server draws, for admins. `frontend/dialogs/src/config_menu/managed.rs` shows them: a click on an element with
//! `data-do` sends its value back, a click on a heading with `data-sort` sorts the table, and it writes each `time` as the browser does.

use std::{sync::Arc, time::Duration};

use config::dashboard::IconView;
use hydration_context::SsrSharedContext;
use leptos::prelude::*;

use crate::{
    any_view::{AnyView, IntoAny},
    page::icon::icon,
    parts::number::plain_duration,
    words::{fill, split_at_placeholder, t},
};

/// A target of alerts.
#[derive(Clone, Debug)]
pub struct AlertTargetRow {
    /// What it is called.
    pub name: String,
    /// Why it got no message, or can get none.
    pub problem: Option<String>,
    /// When the last message was sent, in RFC 3339.
    pub last: Option<String>,
}

/// A widget and its lookups of the last hour.
#[derive(Clone, Debug)]
pub struct WidgetUsageRow {
    /// Its caption, or its type.
    pub name: String,
    /// Its page and its section.
    pub place: String,
    /// The mean time of a lookup.
    pub mean: Option<Duration>,
    /// How old its data are.
    pub age: Option<Duration>,
    /// How many lookups failed.
    pub failures: u32,
    /// How many lookups there were.
    pub calls: u32,
}

/// A change of a config file.
#[derive(Clone, Debug)]
pub struct ChangeRow {
    /// When, in RFC 3339.
    pub at: String,
    /// The file.
    pub file: String,
    /// Who changed it; empty for another program.
    pub who: String,
    /// From where.
    pub place: ChangePlace,
    /// How many lines were added.
    pub added: usize,
    /// How many lines were removed.
    pub removed: usize,
    /// The difference as in a patch.
    pub diff: String,
    /// The action that restores what was before; `None` if that is gone.
    pub restore: Option<String>,
}

/// From where a file was changed.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum ChangePlace {
    /// The editor in the page.
    Editor,
    /// The REST API.
    Api,
    /// A button of a widget.
    Widget,
    /// The file was changed on disk.
    Disk,
}

impl ChangePlace {
    fn name(self) -> &'static str {
        match self {
            Self::Editor => t("Editor"),
            Self::Api => "API",
            Self::Widget => t("Widget"),
            Self::Disk => t("File on disk"),
        }
    }
}

/// The changes of the config files, the newest first. `older` is the action that shows those before, `problem` why the last action
/// failed.
pub fn changes(rows: Vec<ChangeRow>, older: Option<String>, problem: Option<String>) -> String {
    rendered(move || {
        let problem = problem.map(|problem| view! { <p class="tools-problem" role="alert">{problem}</p> });
        if rows.is_empty() {
            return view! { {problem}<p>{t("Nothing has been changed yet.")}</p> }.into_any();
        }
        let rows = rows.into_iter().map(|row| {
            let who = if row.who.is_empty() { row.place.name().to_owned() } else { format!("{} · {}", row.who, row.place.name()) };
            let size = format!("+{} −{}", row.added, row.removed);
            let restore = row.restore.map(|action| {
                view! { <button class="button" type="button" data-do=action>{t("Restore what was before")}</button> }
            });
            view! {
                <li class="tools-change">
                    <details>
                        <summary>
                            <time datetime=row.at></time>" "<code>{row.file}</code>" "<span class="tools-muted">{size}</span>
                            <br/><span class="tools-muted">{who}</span>
                        </summary>
                        <pre class="tools-text" tabindex="0">{row.diff}</pre>
                        {restore}
                    </details>
                </li>
            }
        });
        let older = older
            .map(|action| view! { <button class="button" type="button" data-do=action>{t("Older changes")}</button> });
        view! { {problem}<ul class="tools-list" role="list">{rows.collect_view()}</ul>{older} }.into_any()
    })
}

/// A token of the REST API.
#[derive(Clone, Debug)]
pub struct TokenRow {
    /// Its name.
    pub name: String,
    /// Whether it may change files.
    pub may_write: bool,
    /// The only file and section that it may use.
    pub limit: Option<String>,
    /// When it expires, in RFC 3339.
    pub expires: Option<String>,
}

/// What the tab of the tokens shows.
#[derive(Clone, Debug, Default)]
pub struct TokensTab {
    /// The tokens.
    pub rows: Vec<TokenRow>,
    /// The value of a new token, which is shown once.
    pub created: Option<String>,
    /// Why the last action failed.
    pub problem: Option<String>,
    /// The config files.
    pub files: Vec<String>,
    /// Whether the API is on.
    pub api_is_on: bool,
}

/// The tokens of the REST API, and a form that makes one.
pub fn tokens(tab: TokensTab) -> String {
    rendered(move || {
        let hint =
            (!tab.api_is_on).then(|| view! { <p>{t("The REST API is off. Set ENABLE_API=true to use tokens.")}</p> });
        let problem = tab.problem.map(|problem| view! { <p class="tools-problem" role="alert">{problem}</p> });
        let created = tab.created.map(|value| {
            view! { <p role="status">{t("Copy this token now. It is not shown again.")}<br/><code class="tools-secret">{value}</code></p> }
        });
        let rows = tab.rows.into_iter().map(|row| {
            let label = format!("{}: {}", t("Revoke"), row.name);
            let rights = row.may_write.then(|| view! { <span class="tools-muted">{t("May change files")}</span> });
            let limit = row.limit.unwrap_or_else(|| t("All files").to_owned());
            let expires = row.expires.map(|at| {
                let (before, after) = split_at_placeholder("Expires: {time}");
                view! { <span class="tools-muted">{before}<time datetime=at></time>{after}</span> }
            });
            let action = revoke(&row.name);
            view! {
                <li>
                    <strong>{row.name}</strong>
                    <span class="tools-muted">{limit}</span>
                    {rights}
                    {expires}
                    <button class="button" type="button" data-do=action aria-label=label>{t("Revoke")}</button>
                </li>
            }
        });
        let files = tab.files.into_iter().map(|file| {
            let value = file.clone();
            view! { <option value=value>{file}</option> }
        });
        view! {
            {hint}
            {problem}
            {created}
            <ul class="tools-list" role="list">{rows.collect_view()}</ul>
            <form class="tools-form" data-form="create">
                <label>{t("Name")}<input name="name" required="" maxlength="64" autocomplete="off"/></label>
                <label>
                    {t("File")}
                    <select name="file"><option value="">{t("All files")}</option>{files.collect_view()}</select>
                </label>
                <label>{t("Section")}<input name="section" autocomplete="off"/></label>
                <label>{t("Days until it expires")}<input name="days" type="number" min="1" max="36500"/></label>
                <label class="tools-check"><input name="write" type="checkbox"/>{t("May change files")}</label>
                <button class="button" type="submit">{t("Create a token")}</button>
            </form>
        }
        .into_any()
    })
}

/// The action that revokes a token, as JSON.
fn revoke(name: &str) -> String {
    let quoted = name.replace('\\', "\\\\").replace('"', "\\\"");
    format!("{{\"revoke\":\"{quoted}\"}}")
}

/// What the sources of discovery find.
#[derive(Clone, Debug, Default)]
pub struct FoundTab {
    /// The sources, in the order of the config.
    pub sources: Vec<FoundSource>,
    /// Why the last action failed.
    pub problem: Option<String>,
    /// Whether the file may be changed.
    pub may_add: bool,
}

/// A source of discovery.
#[derive(Clone, Debug)]
pub struct FoundSource {
    /// Its name, or its address.
    pub title: String,
    /// Whether it cannot be asked at the moment.
    pub is_away: bool,
    /// The action that adds everything that is new; `None` if nothing is.
    pub add_all: Option<String>,
    /// What it finds.
    pub rows: Vec<FoundRow>,
}

/// An entry that a source finds.
#[derive(Clone, Debug)]
pub struct FoundRow {
    /// The title of the item.
    pub title: String,
    /// Its picture.
    pub icon: IconView,
    /// Its description.
    pub description: Option<String>,
    /// The section for it.
    pub section: String,
    /// What it opens.
    pub address: Option<String>,
    /// The container.
    pub container: String,
    /// The state of the container, in the word of its engine.
    pub state: String,
    /// Where it is.
    pub place: FoundPlace,
    /// The action that adds it to the file.
    pub add: String,
    /// The action after which the container is never found again.
    pub hide: String,
}

/// Where an entry is that a source finds.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum FoundPlace {
    /// In the file.
    File,
    /// Only on the page, because the source has `add: live`.
    Page,
    /// Nowhere yet.
    Nowhere,
}

/// What the sources of discovery find, with buttons that add it to the file.
pub fn found_services(tab: FoundTab) -> String {
    rendered(move || {
        let problem = tab.problem.map(|problem| view! { <p class="tools-problem" role="alert">{problem}</p> });
        if tab.sources.is_empty() {
            let hint = t("Add a source under “discovery” in the settings, and containers are found by their labels.");
            return view! { {problem}<p>{hint}</p> }.into_any();
        }
        let may_add = tab.may_add;
        let sources = tab.sources.into_iter().map(|source| {
            let away = source.is_away.then(|| {
                let text = t("This source cannot be asked at the moment. The log says why.");
                view! { <p class="tools-problem" role="alert">{text}</p> }
            });
            let nothing = source.rows.is_empty().then(|| view! { <p>{t("Nothing has been found yet.")}</p> });
            let all = source.add_all.filter(|_| may_add && source.rows.len() > 1).map(|action| {
                let label = format!("{}: {}", t("Add all"), source.title);
                view! { <button class="button" type="button" data-do=action aria-label=label>{t("Add all")}</button> }
            });
            let rows = source.rows.into_iter().map(|row| found_row(row, may_add));
            view! {
                <h3>{source.title}</h3>
                {away}
                {nothing}
                <ul class="tools-list" role="list">{rows.collect_view()}</ul>
                {all}
            }
        });
        view! { {problem}{sources.collect_view()} }.into_any()
    })
}

fn found_row(row: FoundRow, may_add: bool) -> impl IntoView {
    let note = match row.place {
        FoundPlace::File => Some(t("On the dashboard")),
        FoundPlace::Page => Some(t("Shown, but not in the file")),
        FoundPlace::Nowhere => None,
    };
    let button = |action: String, text: &'static str| {
        let label = format!("{text}: {}", row.title);
        view! { <button class="button" type="button" data-do=action aria-label=label>{text}</button> }
    };
    let add = (may_add && row.place != FoundPlace::File).then(|| button(row.add.clone(), t("Add")));
    let hide = may_add.then(|| button(row.hide.clone(), t("Never show again")));
    let about = [Some(row.section), row.address, Some(row.container), Some(row.state)];
    let about: Vec<_> = about.into_iter().flatten().filter(|text| !text.is_empty()).collect();
    view! {
        <li>
            {icon(&row.icon)}
            <div class="tools-found">
                <strong>{row.title}</strong>
                {row.description.map(|text| view! { <span dir="auto">{text}</span> })}
                <span class="tools-muted" dir="auto">{about.join(" · ")}</span>
                {note.map(|note| view! { <span class="tools-muted">{note}</span> })}
            </div>
            <div class="tools-found-buttons">{add}{hide}</div>
        </li>
    }
}

/// The targets of alerts, each with a button that tests it.
pub fn alert_targets(rows: Vec<AlertTargetRow>) -> String {
    rendered(move || {
        if rows.is_empty() {
            let hint = t("Add a target under “alerts” in the settings, and it gets a message when a service fails.");
            return view! { <p>{hint}</p> }.into_any();
        }
        let rows = rows.into_iter().enumerate().map(|(position, row)| {
            let label = format!("{}: {}", t("Send a test message"), row.name);
            view! {
                <li>
                    <strong>{row.name}</strong>
                    {last_message(row.last)}
                    <button class="button" type="button" data-do=format!("{{\"test\":{position}}}") aria-label=label>
                        {t("Send a test message")}
                    </button>
                    {row.problem.map(|reason| {
                        view! { <p class="tools-problem" role="alert">{fill("Not delivered: {reason}", &[("reason", &reason)])}</p> }
                    })}
                </li>
            }
        });
        view! { <ul class="tools-list" role="list">{rows.collect_view()}</ul> }.into_any()
    })
}

fn last_message(at: Option<String>) -> AnyView {
    match at {
        Some(at) => {
            let (before, after) = split_at_placeholder("Last message: {time}");
            view! { <span class="tools-muted">{before}<time datetime=at></time>{after}</span> }.into_any()
        }
        None => view! { <span class="tools-muted">{t("No message has been sent yet.")}</span> }.into_any(),
    }
}

/// The widgets in a table that can be sorted, the slowest first.
pub fn widget_usage(mut rows: Vec<WidgetUsageRow>) -> String {
    rendered(move || {
        if rows.is_empty() {
            return view! { <p>{t("No widget has asked a service yet.")}</p> }.into_any();
        }
        rows.sort_by_key(|row| std::cmp::Reverse(row.mean));
        let headings = [
            (t("Widget"), "none"),
            (t("Mean time"), "descending"),
            (t("Age"), "none"),
            (t("Failures"), "none"),
            (t("Calls per hour"), "none"),
        ];
        let headings = headings.map(|(text, order)| {
            view! { <th scope="col" aria-sort=order><button type="button" data-sort="">{text}</button></th> }
        });
        let rows = rows.into_iter().map(|row| {
            view! {
                <tr>
                    <td>{row.name}<br/><span class="tools-muted">{row.place}</span></td>
                    {number(t("Mean time"), row.mean.map(|mean| mean.as_secs_f64() * 1000.0), |value| format!("{value:.0}\u{a0}ms"))}
                    {number(t("Age"), row.age.map(|age| age.as_secs_f64()), plain_duration)}
                    {number(t("Failures"), Some(row.failures.into()), |value| value.to_string())}
                    {number(t("Calls per hour"), Some(row.calls.into()), |value| value.to_string())}
                </tr>
            }
        });
        view! {
            <div class="tools-table tools-usage">
                <table><thead><tr>{headings.collect_view()}</tr></thead><tbody>{rows.collect_view()}</tbody></table>
            </div>
        }
        .into_any()
    })
}

/// A cell with a number, by which the table can be sorted. Phones show its label, because there are no columns.
fn number(label: &str, value: Option<f64>, written: impl Fn(f64) -> String) -> impl IntoView {
    let text = value.map_or_else(|| "–".to_owned(), written);
    let label = label.to_owned();
    view! { <td class="tools-number" data-label=label data-value=value.unwrap_or(-1.0).to_string()>{text}</td> }
}

fn rendered(view: impl FnOnce() -> AnyView) -> String {
    let owner = Owner::new_root(Some(Arc::new(SsrSharedContext::new())));
    let html = owner.with(|| view().to_html());
    owner.unset_with_forced_cleanup();
    html
}
