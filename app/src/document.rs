//! The HTML document around a page. Rendered only on the server; the browser hydrates parts of `<body>`.

use std::{
    fmt::Write as _,
    hash::{DefaultHasher, Hash, Hasher as _},
    iter,
    sync::{Arc, LazyLock},
};

use config::{Dashboard, View};
use hydration_context::SsrSharedContext;
use leptos::prelude::*;

use crate::{
    SETTINGS_ELEMENT,
    any_view::{AnyView, IntoAny},
    fallback::{ErrorPanel, NotFound, PageFailure, PreviewQuestion, PreviewQuestionView, Unframed, UnframedView},
    page::{
        Bundle, EditMode, FAILED_ELEMENT, Page, PageSettings, SessionView,
        hits::{self, SearchOutcome},
    },
    sign_in::{
        Leaving, LeavingView, SignInFailure, SignInFailureView, SignInPage, SignInView, SignedOut, SignedOutView,
        Surroundings,
    },
    words::t,
};

/// Addresses of the program's own files, with hashes in their names.
#[derive(Clone, Debug, Default)]
pub struct Assets {
    /// Path prefix of the whole product, without a trailing slash.
    pub base: String,
    /// Prefix of the addresses of the themes' style sheets, up to the theme's name.
    pub themes: String,
    /// The style sheet, for pages that are rarely visited first.
    pub style_sheet: String,
    /// The text of that style sheet, with addresses that work inside a page. Dashboards contain it: saving a request
    /// before the first paint is worth more than the few kilobytes that a second page need not have loaded.
    pub styles: Arc<str>,
    /// The style sheet of pages with widgets.
    pub widget_style_sheet: String,
    /// The style sheet of the minimal and the workspace view.
    pub view_style_sheet: String,
    /// The script of the search.
    pub search: String,
    /// The script of the context menus.
    pub menu: String,
    /// The script of the minimal view.
    pub minimal: String,
    /// The script of the workspace view.
    pub workspace: String,
    /// The bundle for pages of sections and items.
    pub bundle: Bundle,
    /// The bundle for pages that also have widgets, or a session to watch. It is the larger one.
    pub live: Bundle,
    /// The script that follows changes to an open page; empty for pages that do not change.
    pub stream: String,
    /// The module that starts the editor.
    pub editor: String,
    /// The font of nearly all text.
    pub font: String,
}

/// What the head of a page contains beyond its [`Dashboard`].
#[derive(Clone, Debug, Default)]
pub struct Head {
    /// Text of the page's own `<style>`.
    pub style: String,
    /// Addresses of further style sheets, in order.
    pub style_sheets: Vec<String>,
    /// The SVG element with the glyphs used in the page.
    pub glyphs: String,
    /// Title of the browser's tab.
    pub title: String,
    /// The background colour of the page in light and dark mode.
    pub grounds: [String; 2],
    /// The script that is loaded after the page has started.
    pub companion: Companion,
    /// Other origins to which the page's scripts may send requests.
    pub connect: Vec<String>,
    /// Identifies this page in the query of its event stream's address.
    pub address: String,
    /// Whose editor drafts this browser may keep; empty means nobody's, `None` that the viewer is unknown.
    pub drafts: Option<String>,
}

/// What a page needs in order to work offline, and to notice that its server is gone.
#[derive(Clone, Debug, Default)]
pub struct Companion {
    /// Address of the script.
    pub script: String,
    /// The version of the program, if there is an offline worker.
    pub version: Option<String>,
    /// Whether to watch for the login page of a proxy in front of the dashboard.
    pub compat: bool,
}

/// Applied in the head, before anything is painted: the theme chosen in this browser, or the one for the time of day,
/// the colours that the person has set for it, and whether icons have the colour of the text. A chosen theme replaces the
/// ones before this script. Its style sheet is written into the document, because then all browsers wait for it before the
/// first paint.
///
/// Fonts are preloaded for people who have been here before, and so have them cached: a browser waits up to 50 ms for
/// such a font before it paints. On the first visit, text is painted in a font with the same metrics, and changes when
/// the font is loaded.
///
/// The editor's drafts contain everything that is in a config file. They are deleted on sign-out, and when somebody
/// else opens the page.
///
/// Sections beyond the first screen wait for the first paint, like the bundle, so that nothing competes with the
/// visible part. A tab in the background does not paint, and so does not wait; without scripts everything is in the
/// first frame.
const THEME_SCRIPT: &str = "(function(){var r=document.documentElement,s=r.dataset,p=s.page?'-'+s.page:'',t='',i,c={},\
    m=matchMedia(\
    '(prefers-color-scheme: dark)'),forget=function(own){try{Object.keys(localStorage).forEach(function(k){\
    k.indexOf('porticoDraft-')||k.indexOf(own)&&localStorage.removeItem(k)})}catch(e){}},P=window.PerformanceObserver,own=function(){var v=c[s.theme||'default'],k;\
    r.removeAttribute('style');for(k in v)r.style.setProperty('--'+k,v[k])};\
    window.porticoPainted=new Promise(function(go){\
    if(document.hidden||!P||(P.supportedEntryTypes||[]).indexOf('paint')<0)return go();\
    new P(function(l){l.getEntriesByName('first-contentful-paint').length&&go()}).observe({type:'paint',buffered:true});\
    setTimeout(go,2e3)});\
    r.classList.add('arriving');porticoPainted.then(function(){r.classList.remove('arriving');\
    try{localStorage.setItem('fonts','1')}catch(e){}});\
    try{localStorage.getItem('fonts')&&s.fonts.split(' ').forEach(function(f){var l=document.createElement('link');\
    l.rel='preload';l.as='font';l.type='font/woff2';l.crossOrigin='';l.href=f;document.head.append(l)})}catch(e){}\
    try{t=localStorage.getItem('theme'+p)||'';i=localStorage.getItem('iconColor'+p);\
    if(/^(mono|color)$/.test(i))s.icons=i;c=JSON.parse(localStorage.getItem('customColors'))||c}catch(e){}\
    if('drafts'in s)forget('porticoDraft-'+s.drafts+'-');\
    addEventListener('submit',function(e){/\\/logout$/.test(e.target.action)&&forget('?')},true);\
    if(t){s.chosen='';document.querySelectorAll('style.theme').forEach(function(e){e.disabled=true});\
    if(/^(default|auto)$/.test(t))delete s.theme;else{s.theme=t;\
    document.write('<link class=theme rel=stylesheet href=\"'+s.themes+encodeURIComponent(t)+'.css\">')}}\
    m.onchange=function(){if(s.day&&!('chosen' in s)){var n=m.matches?s.night:s.day;\
    if(n=='default')delete s.theme;else s.theme=n}own()};m.onchange()})()";

/// Applied at the end of the body: layout, size and collapsed sections as this browser left them, the chosen colour of
/// icons, dismissed notices, and in the minimal view the last tab, unless the address names
/// one.
///
/// Then the masonry: each section gets the lane that is shortest so far and keeps it, however heights change, so nothing jumps
/// from one column to another. The bundle follows the heights (`app/src/browser/masonry.rs`). Until all lanes are known no
/// section is seen, because a large page may be painted while it arrives.
const STATE_SCRIPT: &str = "(function(){try{var p=document.getElementById('page'),\
    d=document.documentElement.dataset.page,g=function(n){return localStorage.getItem(n+(d?'-'+d:''))||''},\
    l=g('layoutOrientation'),z=g('iconSize'),c=JSON.parse(localStorage.getItem('collapseState')||'{}');\
    if(/^(auto|horizontal|vertical|masonry)$/.test(l))p.className=p.className.replace(/orientation-\\w+/,'orientation-'+l);\
    if(/^(small|medium|large)$/.test(z))p.className=p.className.replace(/item-size-\\w+/,'item-size-'+z);\
    var i=document.documentElement.dataset.icons,o=document.getElementById('one-color');if(i&&o)o.checked=i=='mono';\
    if(localStorage.getItem('disableCriticalWarning'))document.querySelectorAll('.notice:has([data-dismiss])').forEach(function(e){\
    e.classList.add('quiet')});\
    if(!/single-section|view-/.test(p.className))document.querySelectorAll('details[data-key]').forEach(function(e){\
    var o=c[e.dataset.key];if(typeof o=='boolean')e.open=o});\
    var n=document.querySelector('.section-tabs:not([data-chosen])'),k=g('minimalSection'),\
    t=k&&n&&n.querySelector('[data-key=\"'+CSS.escape(k)+'\"]'),a=n&&n.querySelector('[aria-current]');\
    if(t&&t!=a){a.removeAttribute('aria-current');t.setAttribute('aria-current','true');\
    delete document.querySelector('[data-selected]').dataset.selected;\
    document.getElementById(t.dataset.section).dataset.selected=''}}catch(e){}})();\
    (function(){var c=document.getElementById('content'),p=document.getElementById('page'),n,place=function(){\
    document.documentElement.dataset.placed='';\
    var m=c&&/orientation-masonry/.test(p.className)&&!/single-section|view-/.test(p.className)&&!('split'in c.dataset)&&!CSS.supports('display','grid-lanes'),\
    k=m&&getComputedStyle(c).gridTemplateColumns.split(' ').length,t;\
    if(!m||k==n||(document.getElementById('settings')||c).dataset.failed)return;n=k;t=Array(k).fill(0);c.dataset.packed='';\
    [].map.call(c.children,function(e){return[e,e.offsetHeight+parseFloat(getComputedStyle(e).marginBlockEnd)]}).\
    forEach(function(x){var e=x[0],w=Math.min(e.dataset.cols||1,k),a=0,i,top=function(i){return Math.max.apply(0,t.slice(i,i+w))};\
    for(i=1;i<=k-w;i++)if(top(i)<top(a))a=i;\
    var h=top(a)+x[1];for(i=0;i<w;i++)t[a+i]=h;\
    e.style.setProperty('--lane',a+1);e.style.setProperty('--packed-rows',Math.ceil(x[1]/4))})};\
    place();addEventListener('resize',place)})()";

/// Loads the bundle that the page's data names after the first paint; the module starts by itself. Nothing is loaded
/// ahead, because that would delay the paint, and the page can be used before.
///
/// If it has not arrived after eight seconds, the page says so until it has. A moment after the start, the page
/// loads its companion if there is work for it, otherwise after half a minute, or when the tab is first left.
///
/// If it cannot be loaded, or fails later, the page says so once, and then works as it does without scripts: the bundle
/// gets no more events, since each would only fail again, and links and sections work by themselves. The dialogs of the
/// options work without the bundle. The style sheet takes over a masonry layout that the bundle no longer measures.
///
/// Finally, it loads the small script that follows changes of the page.
///
/// The script of the search is loaded when the bundle needs it, or else with the companion: people search a page that
/// stays open after its server has gone.
///
/// A button with `data-module` loads that module at its first use, and calls it with the button at each use. While that
/// lasts, or while another page is loading, the root has `data-busy` after a moment, for which the style sheet draws a
/// bar.
///
/// Events that open a context menu, or may become a long press, are passed to the script of the menus in the same way.
/// The browser shows its own menu with Shift, and on selected text, except for a link that was selected by the same
/// click.
///
/// A local config, which an admin keeps in this browser (docs/spec/behaviour.md 16), is drawn by a script of the editor; until
/// then nothing is seen of the file that it stands for.
///
/// The last errors are kept for the debug information, and the texts of the page's language for all scripts. A language that
/// is chosen in the options is sent at once.
static LOADER_SCRIPT: LazyLock<String> = LazyLock::new(|| {
    format!(
        "(function(){{var r=document.documentElement,busy=function(){{return setTimeout(function(){{r.dataset.busy=''}},300)}},\
         idle=function(t){{clearTimeout(t);delete r.dataset.busy}},G=window.navigation;\
         addEventListener('click',function(e){{var b=e.target.closest&&e.target.closest('[data-module]'),t;\
         if(b){{t=busy();import(b.dataset.module).then(function(m){{return m.default(b)}}).finally(function(){{idle(t)}})}}}},true);\
         G&&G.addEventListener('navigate',function(e){{if(/^http/.test(e.destination.url)&&!e.destination.sameDocument&&\
         e.downloadRequest==null){{var t=busy();G.onnavigateerror=function(){{idle(t)}}}}}});\
         addEventListener('pageshow',idle);\
         addEventListener('change',function(e){{e.target.name=='language'&&e.target.form.submit()}},true)}})();\
         (function(){{var s=document.getElementById('{SETTINGS_ELEMENT}'),d=s.dataset,W=window.WebAssembly,\
         fail=function(){{if(d.failed)return;d.failed=1;\
         if(s.sizes){{s.sizes.disconnect();document.getElementById('content').removeAttribute('data-packed')}}\
         var e=document.getElementById('{FAILED_ELEMENT}');if(e){{e.className='toast';e.hidden=false}}\
         '{HEARD_EVENTS}'.split(' ').forEach(function(n){{\
         addEventListener(n,function(e){{e.target.closest&&e.target.closest('.theme-dialog,.tools-dialog')||e.stopImmediatePropagation()}},true)}})}},\
         look=function(e){{var x=e.error||e.reason;s.errors.push(String(x&&x.stack||x||e.message));s.errors.splice(0,s.errors.length-20);\
         if(W&&x instanceof W.RuntimeError)fail()}},\
         n=navigator.serviceWorker,slow,wait=setTimeout(function(){{var e=document.getElementById('{FAILED_ELEMENT}');\
         if(!e)return;slow=document.createElement('p');slow.className='toast';\
         var w='Search and options are still loading. Links work already.';slow.textContent=s.texts[w]||w;e.after(slow)}},8e3),\
         arrived=function(){{clearTimeout(wait);if(slow)slow.remove()}},\
         more=function(){{more=function(){{}};[d.companion,d.search].map(function(x){{import(x).catch(function(){{}})}})}};\
         try{{var h=document.documentElement.dataset,c=document.getElementById('content');\
         if(d.editor&&localStorage.getItem('porticoDraft-'+h.drafts+'-/'+(h.page||''))){{c.style.visibility='hidden';\
         import(d.editor).then(function(m){{return m.local()}}).finally(function(){{c.style.visibility=''}})}}}}catch(e){{}}\
         s.errors=[];s.texts=JSON.parse(d.texts||'{{}}');s.search=function(){{return import(d.search)}};\
         var menu=function(e){{var k=e.type,t=k=='keydown'&&e.key!='ContextMenu'&&!(e.shiftKey&&e.key=='F10')||\
         k=='pointerdown'&&e.pointerType!='touch'||!e.target.closest?0:e.target.closest('{MENU_OWNERS}'),q=getSelection();\
         if(!t||!d.menu||d.failed||k=='contextmenu'&&(e.shiftKey||!q.isCollapsed&&q.containsNode(t,true)&&\
         !(t.matches('a')&&t.contains(q.anchorNode))))return;\
         if(k!='pointerdown')e.preventDefault();\
         import(d.menu).then(function(m){{m.default(e,t)}},function(){{d.menu=''}})}};\
         'contextmenu keydown pointerdown'.split(' ').forEach(function(n){{addEventListener(n,menu,true)}});\
         addEventListener('beforeinstallprompt',function(e){{e.preventDefault();s.install=e}});\
         document.addEventListener('visibilitychange',function(){{setTimeout(function(){{more()}},1e3)}});\
         porticoPainted.then(function(){{setTimeout(function(){{more()}},'worker'in d||'compat'in d?3e3:3e4);\
         if(n)n.getRegistrations().then(function(r){{if(r.length)more()}}).catch(function(){{}})}});\
         addEventListener('error',look);addEventListener('unhandledrejection',look);\
         porticoPainted.then(function(){{var w=fetch(d.wasm);w.catch(function(){{}});\
         return import(d.script).then(function(m){{return m.default({{module_or_path:w}})}})}})\
         .then(arrived,function(e){{arrived();fail();console.error(e)}})\
         .then(function(){{return d.stream&&import(d.stream)}}).catch(console.error)}})()"
    )
});

/// The elements with a context menu: links of items, headings of sections, all tiles for viewers who may edit the page,
/// and in edit mode also the controls and the heads of widgets.
const MENU_OWNERS: &str = "#content :is(.items a,.section-heading),:root:has(.edit-button) #content .items>*,\
    [data-editing] #content :is(.widget-head,[data-edit^=section],[data-edit^=widget])";

/// The events that the bundles listen for.
const HEARD_EVENTS: &str = "click auxclick input change submit keydown pointermove pointerover pointerout focusin \
    focusout scroll error toggle close visibilitychange pageshow online";

/// The texts of all inline scripts that a page may contain, for the hashes in the Content-Security-Policy.
pub fn inline_scripts() -> [&'static str; 3] {
    [THEME_SCRIPT, STATE_SCRIPT, &LOADER_SCRIPT]
}

/// A page, complete before any script has run, with the data for its scripts, and the name of this version.
/// `session` describes the viewer's session; `None` if no kind of sign-in is configured.
pub fn page(
    dashboard: Arc<Dashboard>,
    session: Option<SessionView>,
    edit_mode: EditMode,
    head: &Head,
    assets: &Assets,
) -> (String, String) {
    let settings = PageSettings::of(&dashboard, session.as_ref());
    let has_widgets = dashboard.sections.iter().any(|section| !section.widgets.is_empty());
    let bundle = if has_widgets || settings.watch_session { &assets.live } else { &assets.bundle };
    let data = serde_json::to_string(&settings).expect("settings have only text keys");
    let view = dashboard.view;
    let own_script = match view {
        View::Home => "",
        View::Minimal => assets.minimal.as_str(),
        View::Workspace => assets.workspace.as_str(),
    };
    let body = rendered({
        let (dashboard, editor) = (Arc::clone(&dashboard), assets.editor.clone());
        move || view! { <Page dashboard session edit_mode editor/> }.into_any()
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
    let [day, night] = &head.grounds;
    match &dashboard.color {
        Some(color) => tag(&mut html, "meta", &[("name", "theme-color"), ("content", color)]),
        None if head.companion.version.is_none() => {}
        None if day == night => tag(&mut html, "meta", &[("name", "theme-color"), ("content", day)]),
        None => {
            for (color, scheme) in [(day, "(prefers-color-scheme:light)"), (night, "(prefers-color-scheme:dark)")] {
                tag(&mut html, "meta", &[("name", "theme-color"), ("media", scheme), ("content", color)]);
            }
        }
    }
    if head.companion.version.is_some() {
        // Its contents depend on the viewer.
        let address = format!("{}/manifest.json", assets.base);
        tag(&mut html, "link", &[("rel", "manifest"), ("crossorigin", "use-credentials"), ("href", &address)]);
    }
    icons(&mut html, dashboard.favicon.as_deref(), assets);
    _ = write!(html, "</head><body>{body}{}<script>{STATE_SCRIPT}</script>", head.glyphs);
    if !own_script.is_empty() {
        html.push_str("<script type=\"module\"");
        attribute(&mut html, "src", own_script);
        html.push_str("></script>");
    }
    _ = write!(html, "<script type=\"application/json\" id=\"{SETTINGS_ELEMENT}\"");
    attribute(&mut html, "data-script", &bundle.script);
    attribute(&mut html, "data-wasm", &bundle.wasm);
    attribute(&mut html, "data-search", &assets.search);
    let menu = if dashboard.disable_context_menu { "" } else { assets.menu.as_str() };
    if !menu.is_empty() {
        attribute(&mut html, "data-menu", menu);
    }
    attribute(&mut html, "data-companion", &head.companion.script);
    // Whoever may keep a draft may keep a local config.
    if head.drafts.as_deref().is_some_and(|owner| !owner.is_empty()) && !assets.editor.is_empty() {
        attribute(&mut html, "data-editor", &assets.editor);
    }
    if let Some(version) = &head.companion.version {
        attribute(&mut html, "data-worker", version);
    }
    if head.companion.compat {
        attribute(&mut html, "data-compat", "");
    }
    let locale = languages::spoken();
    if let Some(texts) = locale.language.for_scripts() {
        attribute(&mut html, "data-texts", texts);
    }
    let data = data.replace('<', "\\u003c");
    let version = hash_of((&html, &data));
    if !assets.stream.is_empty() {
        attribute(&mut html, "data-stream", &assets.stream);
        attribute(&mut html, "data-address", &head.address);
        attribute(&mut html, "data-version", &version);
        // Everything whose change requires a reload of the page: its scripts and their settings, style sheets, widgets.
        let sections = dashboard.sections.iter();
        let widgets: Vec<_> =
            sections.flat_map(|section| section.widgets.iter().map(move |widget| (section.index, widget))).collect();
        let widgets = serde_json::to_string(&widgets).unwrap_or_default();
        let loaded: [&str; 9] = [
            &locale.tag,
            &assets.style_sheet,
            &assets.stream,
            &assets.search,
            menu,
            &bundle.script,
            &bundle.wasm,
            &head.companion.script,
            own_script,
        ];
        attribute(&mut html, "data-core", &hash_of((&data, widgets, loaded, &head.style_sheets, &head.connect)));
    }
    _ = write!(html, ">{data}</script><script>{}</script></body></html>", *LOADER_SCRIPT);
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
    format!("{:x}", hasher.finish())
}

/// The critical-error panel as a document. `title` is the dashboard's own.
pub fn error(failure: PageFailure, title: &str, assets: &Assets) -> String {
    let title = format!("{} | {title}", failure.title);
    let base = assets.base.clone();
    fallback(&title, assets, move || view! { <ErrorPanel failure base/> }.into_any())
}

/// The not-found page as a document. `title` is the dashboard's own.
pub fn not_found(path: &str, title: &str, assets: &Assets) -> String {
    let path = path.to_owned();
    let base = assets.base.clone();
    fallback(&format!("{} | {title}", t("Not Found")), assets, move || view! { <NotFound path base/> }.into_any())
}

/// The document in a frame instead of a site that forbids frames. `themes` are those of day and night.
pub fn unframed(page: Unframed, themes: [String; 2], assets: &Assets) -> String {
    let head = Head { title: t("Open in a new tab").to_owned(), ..Head::default() };
    static_page(themes, &head, assets, move || view! { <UnframedView page/> }.into_any())
}

/// The question before a preview as a document. `themes` are those of day and night.
pub fn preview_question(question: PreviewQuestion, themes: [String; 2], assets: &Assets) -> String {
    let head = Head { title: "Look at another config?".to_owned(), ..Head::default() };
    static_page(themes, &head, assets, move || view! { <PreviewQuestionView question/> }.into_any())
}

/// The login page as a document.
pub fn sign_in(page: SignInPage, assets: &Assets) -> String {
    let surroundings = page.surroundings.clone();
    sign_in_page(t("Sign in"), &surroundings, assets, move || view! { <SignInView page/> }.into_any())
}

/// The page for a sign-in that failed, as a document.
pub fn sign_in_failure(failure: SignInFailure, assets: &Assets) -> String {
    let surroundings = failure.surroundings.clone();
    let title = failure.title.clone();
    sign_in_page(&title, &surroundings, assets, move || view! { <SignInFailureView failure/> }.into_any())
}

/// The signed-out page as a document.
pub fn signed_out(page: SignedOut, assets: &Assets) -> String {
    let surroundings = page.surroundings.clone();
    sign_in_page(t("You are signed out"), &surroundings, assets, move || view! { <SignedOutView page/> }.into_any())
}

/// The page shown before the provider ends the session, as a document.
pub fn leaving(page: Leaving, assets: &Assets) -> String {
    let surroundings = page.surroundings.clone();
    sign_in_page(t("Signing you out"), &surroundings, assets, move || view! { <LeavingView page/> }.into_any())
}

fn sign_in_page(
    title: &str,
    surroundings: &Surroundings,
    assets: &Assets,
    view: impl FnOnce() -> AnyView + 'static,
) -> String {
    let title = format!("{title} | {}", surroundings.name());
    let head = Head { title, style: surroundings.style.clone(), ..Head::default() };
    let theme = |name: &String| if name.is_empty() { "default".to_owned() } else { name.clone() };
    let themes = [&surroundings.day_theme, &surroundings.night_theme].map(theme);
    static_page(themes, &head, assets, view)
}

fn fallback(title: &str, assets: &Assets, view: impl FnOnce() -> AnyView + 'static) -> String {
    let themes = ["default", "default"].map(str::to_owned);
    static_page(themes, &Head { title: title.to_owned(), ..Head::default() }, assets, view)
}

/// A page without scripts, except for the one that applies its theme.
fn static_page(
    [day, night]: [String; 2],
    head: &Head,
    assets: &Assets,
    view: impl FnOnce() -> AnyView + 'static,
) -> String {
    let mut html = String::new();
    let themes = [day.as_str(), night.as_str()];
    open(&mut html, themes, ("", &head.drafts), assets);
    head_tags(&mut html, head, themes, assets, |html| style_sheet(html, &assets.style_sheet));
    icons(&mut html, None, assets);
    _ = write!(html, "</head><body>{}</body></html>", rendered(view));
    html
}

fn rendered(view: impl FnOnce() -> AnyView + 'static) -> String {
    let owner = Owner::new_root(Some(Arc::new(SsrSharedContext::new())));
    let html = owner.with(|| view().to_html());
    owner.unset_with_forced_cleanup();
    html
}

fn open(html: &mut String, [day, night]: [&str; 2], (page, drafts): (&str, &Option<String>), assets: &Assets) {
    html.push_str("<!DOCTYPE html><html");
    let locale = languages::spoken();
    attribute(html, "lang", &locale.tag);
    attribute(html, "dir", if locale.language.is_rtl() { "rtl" } else { "ltr" });
    attribute(html, "data-themes", &assets.themes);
    if day != "default" {
        attribute(html, "data-theme", day);
    }
    if day != night {
        attribute(html, "data-day", day);
        attribute(html, "data-night", night);
    }
    if !page.is_empty() {
        attribute(html, "data-page", page);
    }
    if let Some(person) = drafts {
        attribute(html, "data-drafts", person);
    }
    let own = if day == night { themes::find(day) } else { None };
    let own = own.into_iter().flat_map(|theme| &theme.fonts).map(|font| format!("{}/{font}", assets.base));
    let fonts: Vec<_> = iter::once(assets.font.clone()).chain(own).collect();
    attribute(html, "data-fonts", &fonts.join(" "));
    html.push_str("><head><meta charset=\"utf-8\">");
    tag(html, "meta", &[("name", "viewport"), ("content", "width=device-width, initial-scale=1, viewport-fit=cover")]);
}

/// `styles` writes the product's own style sheets; those of the dashboard come after them.
fn head_tags(
    html: &mut String,
    head: &Head,
    [day, night]: [&str; 2],
    assets: &Assets,
    styles: impl FnOnce(&mut String),
) {
    html.push_str("<title>");
    escape(html, &head.title);
    html.push_str("</title>");
    for style in themes::inline_styles(day, night, &assets.base) {
        let media = [("class", "theme"), ("media", style.media)];
        tag(html, "style", if style.media.is_empty() { &media[..1] } else { &media });
        _ = write!(html, "{}</style>", style.css);
    }
    // Before the style sheets, because scripts after them would wait for them.
    _ = write!(html, "<script>{THEME_SCRIPT}</script>");
    styles(html);
    for address in &head.style_sheets {
        style_sheet(html, address);
    }
    if !head.style.is_empty() {
        _ = write!(html, "<style>{}</style>", head.style);
    }
    tag(html, "meta", &[("name", "robots"), ("content", "noindex")]);
}

fn style_sheet(html: &mut String, address: &str) {
    tag(html, "link", &[("rel", "stylesheet"), ("href", address)]);
}

fn icons(html: &mut String, own: Option<&str>, assets: &Assets) {
    match own {
        Some(address) => tag(html, "link", &[("rel", "icon"), ("href", address)]),
        None => {
            tag(
                html,
                "link",
                &[("rel", "icon"), ("type", "image/svg+xml"), ("href", &format!("{}/favicon.svg", assets.base))],
            );
        }
    }
    tag(html, "link", &[("rel", "apple-touch-icon"), ("href", &format!("{}/icons/apple-touch-icon.png", assets.base))]);
}

fn tag(html: &mut String, name: &str, attributes: &[(&str, &str)]) {
    _ = write!(html, "<{name}");
    for (name, value) in attributes {
        attribute(html, name, value);
    }
    html.push('>');
}

fn attribute(html: &mut String, name: &str, value: &str) {
    _ = write!(html, " {name}=\"");
    escape(html, value);
    html.push('"');
}

fn escape(html: &mut String, text: &str) {
    for c in text.chars() {
        match c {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            other => html.push(other),
        }
    }
}
