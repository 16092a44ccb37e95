//! The text of the config, its problems, and all config files.

use app::{
    browser::download_text,
    built_view::{AnyView, IntoAny},
    config_files::{ConfigFileSummary, ListConfigFiles},
    editing::{EditorCheck, TextProblem},
};
use gloo_net::http::Request;
use leptos::{html, prelude::*, task::spawn_local};
use wasm_bindgen::JsCast;

use super::{
    browser::has_local_config,
    open_menu::{Menu, or_problem},
};
use crate::{
    calls::call,
    dialog::{acting_button, button, copy},
    page::{address, download_address, page},
    texts::{fill, plural, t, words},
};

/// What a server has sent, or why it has not; `None` while it is awaited.
type Loaded<T> = RwSignal<Option<Result<T, String>>>;

/// The text of a config file.
async fn text_of(page: Option<&str>) -> Result<String, String> {
    let response = Request::get(&download_address(page)).send().await.ok().filter(gloo_net::http::Response::ok);
    let text = match response {
        Some(response) => response.text().await.ok(),
        None => None,
    };
    text.ok_or_else(|| t("The file cannot be read. Its problem is in the table below, or in the log of the server."))
}

async fn problems() -> Result<Vec<TextProblem>, String> {
    let page = page();
    let text = text_of(page.as_deref()).await?;
    call(&EditorCheck { page, text }).await
}

/// The last part of a path.
fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn problem_list(problems: Vec<TextProblem>) -> AnyView {
    if problems.is_empty() {
        return view! { <p>{t("Nothing is wrong in this file.")}</p> }.into_any();
    }
    let rows = problems.into_iter().map(|TextProblem { line, message, blocks, .. }| {
        let text = fill(&t("Line {line}: {message}"), &[("line", &line.to_string()), ("message", &message)]);
        view! { <li class=if blocks { "tools-problem" } else { "" }><span>{words(&text)}</span></li> }.into_any()
    });
    let rows: Vec<_> = rows.collect();
    view! { <ul class="tools-list" aria-label=t("Problems")>{rows}</ul> }.into_any()
}

/// A row of the table of all files. `show` shows the text of a page.
fn row(summary: ConfigFileSummary, show: impl Fn(String, Option<String>) + 'static) -> AnyView {
    let ConfigFileSummary { page, file, title, remote, sections, items, widgets, problems, unreadable, .. } = summary;
    let state = match (unreadable, problems.len()) {
        (Some(reason), _) => {
            let text = fill(&t("unreadable: {reason}"), &[("reason", &reason)]);
            view! { <span class="tools-problem">{words(&text)}</span> }.into_any()
        }
        (None, 0) => t("valid").into_any(),
        (None, count) => plural(count, "1 problem", "{count} problems").into_any(),
    };
    let contents = [
        plural(sections, "1 section", "{count} sections"),
        plural(items, "1 item", "{count} items"),
        plural(widgets, "1 widget", "{count} widgets"),
    ];
    let open = match &page {
        Some(page) => address(&["home/", &String::from(js_sys::encode_uri_component(page))].concat()),
        None => address("home"),
    };
    let open_label = fill(&t("Open {title}"), &[("title", &title)]);
    let of_file = |text: &str| fill(&t(text), &[("file", &file)]);
    let here = (!remote).then(|| {
        let shown = (file.clone(), page.clone());
        view! {
            <a
                class="button" href=download_address(page.as_deref()) download=file_name(&file).to_owned()
                aria-label=of_file("Download {file}")
            >
                {t("Download")}
            </a>
            <button
                type="button" class="button" aria-label=of_file("Show {file}")
                on:click=move |_| show(shown.0.clone(), shown.1.clone())
            >
                {t("Show")}
            </button>
        }
        .into_any()
    });
    view! {
        <tr>
            <td>{title.clone()}<br/><code>{file.clone()}</code></td>
            <td>{contents.join(", ")}</td>
            <td>{state}</td>
            <td class="tools-actions"><a class="button" href=open aria-label=open_label>{t("Open")}</a>{here}</td>
        </tr>
    }
    .into_any()
}

/// The content of the tab; `name` is the file of the page.
pub(super) fn content(menu: Menu, name: String) -> AnyView {
    let file = RwSignal::new(name.clone());
    let text: Loaded<String> = RwSignal::new(None);
    let found: Loaded<Vec<TextProblem>> = RwSignal::new(None);
    let files: Loaded<Vec<ConfigFileSummary>> = RwSignal::new(None);
    let node = NodeRef::<html::Pre>::new();
    let show = move |name: String, page: Option<String>| {
        file.set(name);
        spawn_local(async move {
            let loaded = text_of(page.as_deref()).await;
            _ = text.try_set(Some(loaded));
        });
    };
    show(name, page());
    spawn_local(async move {
        let loaded = problems().await;
        _ = found.try_set(Some(loaded));
    });
    spawn_local(async move {
        let loaded = call(&ListConfigFiles {}).await;
        _ = files.try_set(Some(loaded));
    });
    let shown_text = move || text.get_untracked().and_then(Result::ok).unwrap_or_default();
    let copy_text = move || copy(shown_text(), node.get_untracked().map(|node| node.unchecked_into()));
    let download = move || download_text(file_name(&file.get_untracked()), &shown_text());
    let table = move |summaries: Vec<ConfigFileSummary>| {
        let head = [t("Page"), t("Contents"), t("State"), t("Actions")];
        let head: Vec<_> = head.into_iter().map(|label| view! { <th scope="col">{label}</th> }.into_any()).collect();
        let rows: Vec<_> = summaries.into_iter().map(|summary| row(summary, show)).collect();
        view! { <table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table> }.into_any()
    };
    let local = t(
        "This is the file. To download the config that is stored only in this browser, use its badge at the foot of the page.",
    );
    view! {
        <h3>{file}</h3>
        <p hidden=!has_local_config()>{local}</p>
        <p class="tools-actions">
            {acting_button(t("Copy"), Signal::stored(false), copy_text)}
            {button(t("Download"), "button", download)}
            {menu.editor_button("Encrypted copy…", "encrypt")}
            {menu.editor_button("Edit as YAML", "yaml")}
        </p>
        <pre node_ref=node class="tools-text" tabindex="0" aria-label=move || fill(&t("Text of {file}"), &[("file", &file.get())])>
            {move || or_problem(text.get(), |text| text.into_any())}
        </pre>
        <h3>{t("Problems")}</h3>
        <div>{move || or_problem(found.get(), problem_list)}</div>
        <h3>{t("All config files")}</h3>
        <div class="tools-table">{move || or_problem(files.get(), table)}</div>
    }
    .into_any()
}
