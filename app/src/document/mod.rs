//! The HTML document around a page. Rendered only on the server; the browser hydrates parts of `<body>`.

mod assets;
mod head;
mod inline_scripts;
mod markup;
mod static_pages;

use std::{
    fmt::Write as _,
    hash::{DefaultHasher, Hash, Hasher as _},
    sync::Arc,
};

use config::{
    Dashboard, View,
    dashboard::{WidgetState, WidgetView},
};
use hydration_context::SsrSharedContext;
use leptos::prelude::*;

pub use self::{
    assets::{Head, OfflineScript, PageAssets},
    inline_scripts::{FORMATS_SCRIPT, LANGUAGE_SCRIPT, inline_scripts},
    static_pages::{error, not_found, preview_question, sign_in, sign_in_failure, signed_out, signing_out, unframed},
};
use self::{
    head::{head_tags, icons, open},
    inline_scripts::{LOADER_SCRIPT, STATE_SCRIPT},
    markup::{attribute, style_sheet, tag},
};
use crate::{
    SETTINGS_ELEMENT,
    any_view::{AnyView, IntoAny},
    page::{
        EditMode, Page, PageSettings, SessionView,
        hits::{self, SearchOutcome},
        is_start,
    },
};

/// A page, complete before any script has run, with the data for its scripts, and the name of this version.
/// `session` describes the viewer's session; `None` if no kind of sign-in is configured.
pub fn page(
    dashboard: Arc<Dashboard>,
    session: Option<SessionView>,
    edit_mode: EditMode,
    head: &Head,
    assets: &PageAssets,
) -> (String, String) {
    let settings = PageSettings::of(&dashboard, session.as_ref());
    let has_widgets = dashboard.has_widgets();
    let bundle = if has_widgets || settings.watch_session { &assets.live } else { &assets.bundle };
    let data = serde_json::to_string(&settings).expect("settings have only text keys");
    let view = dashboard.view;
    let is_start = is_start(&dashboard);
    let own_script = if view == View::Home { "" } else { assets.view.as_str() };
    let body = rendered({
        let (dashboard, editor) = (Arc::clone(&dashboard), assets.editor.clone());
        let languages = head.languages.clone();
        move || {
            if let Some(languages) = languages {
                provide_context(languages);
            }
            view! { <Page dashboard session edit_mode editor/> }.into_any()
        }
    });
    let mut html = String::with_capacity(body.len() + data.len() + 4096);
    let page = if dashboard.slug == "home" { "" } else { &dashboard.slug };
    let themes = [dashboard.look.day_theme.as_str(), dashboard.look.night_theme.as_str()];
    open(&mut html, themes, (page, &head.drafts), assets);
    head_tags(&mut html, head, themes, assets, |html| {
        _ = write!(html, "<style>{}</style>", assets.styles);
        if has_widgets {
            style_sheet(html, &assets.widget_style_sheet);
        }
        if view != View::Home {
            style_sheet(html, &assets.view_style_sheet);
        }
    });
    if let Some(description) = &dashboard.description {
        tag(&mut html, "meta", &[("name", "description"), ("content", description)]);
    }
    let [day, night] = &head.backgrounds;
    match &dashboard.color {
        Some(color) => tag(&mut html, "meta", &[("name", "theme-color"), ("content", color)]),
        None if head.offline.version.is_none() => {}
        None if day == night => tag(&mut html, "meta", &[("name", "theme-color"), ("content", day)]),
        None => {
            for (color, scheme) in [(day, "(prefers-color-scheme:light)"), (night, "(prefers-color-scheme:dark)")] {
                tag(&mut html, "meta", &[("name", "theme-color"), ("media", scheme), ("content", color)]);
            }
        }
    }
    if head.offline.version.is_some() {
        // Its contents depend on the viewer. An installed page opens where it was installed.
        let page = if is_start || dashboard.is_static { String::new() } else { format!("?{}", head.address) };
        let address = format!("{}/manifest.json{page}", assets.base);
        tag(&mut html, "link", &[("rel", "manifest"), ("crossorigin", "use-credentials"), ("href", &address)]);
    }
    icons(&mut html, dashboard.favicon.as_deref(), assets);
    _ = write!(html, "</head><body>{body}{}<script>{STATE_SCRIPT}</script>", head.glyphs);
    if !own_script.is_empty() {
        html.push_str("<script type=\"module\"");
        attribute(&mut html, "src", own_script);
        html.push_str("></script>");
    }
    let locale = languages::current_locale();
    if let Some(formats) = locale.language.formats_for_browsers() {
        html.push_str("<script");
        attribute(&mut html, "data-formats", formats);
        _ = write!(html, ">{FORMATS_SCRIPT}</script>");
    }
    _ = write!(html, "<script type=\"application/json\" id=\"{SETTINGS_ELEMENT}\"");
    attribute(&mut html, "data-script", &bundle.script);
    attribute(&mut html, "data-wasm", &bundle.wasm);
    attribute(&mut html, "data-controls", &assets.menu);
    let menu = if dashboard.disable_context_menu { "" } else { assets.menu.as_str() };
    if !menu.is_empty() {
        attribute(&mut html, "data-menu", menu);
    }
    attribute(&mut html, "data-companion", &head.offline.script);
    // Whoever may keep a draft may keep a local config.
    if head.drafts.as_deref().is_some_and(|owner| !owner.is_empty()) && !assets.editor.is_empty() {
        attribute(&mut html, "data-editor", &assets.editor);
    }
    if let Some(version) = &head.offline.version {
        attribute(&mut html, "data-worker", version);
    }
    if head.offline.compat {
        attribute(&mut html, "data-compat", "");
    }
    if let Some(texts) = locale.language.for_scripts() {
        attribute(&mut html, "data-texts", texts);
    }
    let data = data.replace('<', "\\u003c");
    let version = hash_of((&html, &data));
    if !assets.stream.is_empty() {
        attribute(&mut html, "data-stream", &assets.stream);
        attribute(&mut html, "data-address", &head.address);
        attribute(&mut html, "data-version", &version);
        // Everything whose change requires a reload of the page: its scripts and their settings, style sheets, widgets. The
        // text of a note can be replaced, and ticking its boxes changes it often.
        let without_note = |widget: &WidgetView| {
            let mut widget = widget.clone();
            if widget.kind == "notes" && widget.place == WidgetState::Local {
                widget.html.clear();
            }
            widget
        };
        let widgets: Vec<_> = dashboard.widgets().map(|(section, widget)| (section, without_note(widget))).collect();
        let widgets = serde_json::to_string(&widgets).unwrap_or_default();
        let loaded: [&str; 9] = [
            &locale.tag,
            &assets.style_sheet,
            &assets.stream,
            &assets.menu,
            menu,
            &bundle.script,
            &bundle.wasm,
            &head.offline.script,
            own_script,
        ];
        attribute(&mut html, "data-core", &hash_of((&data, widgets, loaded, &head.style_sheets, &head.connect)));
    }
    _ = write!(html, ">{data}</script><script>{LOADER_SCRIPT}</script></body></html>");
    (html, version)
}

/// What a search found, as markup for browsers without scripts: what stands above the sections, and what stands below.
pub fn search_outcome(outcome: SearchOutcome) -> [String; 2] {
    let above = outcome.clone();
    [rendered(move || hits::summary(&above).into_any()), rendered(move || hits::elsewhere(outcome).into_any())]
}

/// A hash in hexadecimal, always the same for the same value.
fn hash_of(value: impl Hash) -> String {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

fn rendered(view: impl FnOnce() -> AnyView + 'static) -> String {
    let owner = Owner::new_root(Some(Arc::new(SsrSharedContext::new())));
    let html = owner.with(|| view().to_html());
    owner.unset_with_forced_cleanup();
    html
}
