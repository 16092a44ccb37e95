//! What the browser needs to know about a page beyond the HTML: the data from which the live parts are hydrated.

use config::Dashboard;
use config::dashboard::{Appearance, BrowserSort, Layout, OpeningMethod, TileSize, WebSearchView};
use serde::Serialize;

/// Addresses of one of the browser's bundles.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Bundle {
    /// Its JavaScript module.
    pub script: String,
    /// Its WebAssembly.
    pub wasm: String,
}

/// The part of a [`Dashboard`] that lives on in the browser. Sections and tiles do not: their HTML says it all, and
/// a page with thousands of them must not carry everything twice.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PageSettings {
    /// Path prefix of the whole product without a trailing slash.
    pub base: String,
    /// Slug of the page; `home` for the root config.
    pub slug: String,
    /// Themes, layout, sizes as the config gives them.
    pub look: Appearance,
    /// What Enter in the search box does.
    pub web_search: WebSearchView,
    /// No search box.
    pub hide_search: bool,
    /// No options button.
    pub hide_options: bool,
    /// No counting of clicks.
    pub disable_smart_sort: bool,
    /// The page shows one section, which is always open.
    pub single_section: bool,
    /// Whether the search can offer items of other pages.
    pub other_pages: bool,
    /// Sections (by their index) with an order that only the browser can make.
    pub sorted: Vec<(usize, BrowserSort)>,
    /// Whether the browser is to watch, and renew, the session of the person who is looking.
    pub watch_session: bool,
}

/// Who is looking at a page, as far as the page shows it. The times of a session are not part of it: pages are kept for
/// all requests of one viewer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SessionView {
    /// How people sign in here.
    pub kind: SessionKind,
    /// Name of the person; empty for a guest.
    pub name: String,
    /// Whether the person may write.
    pub is_admin: bool,
    /// Nobody is signed in, and guests are let in.
    pub guest: bool,
}

impl SessionView {
    /// Whether the session is one of a provider, whose end comes by itself and may come at any time.
    pub fn is_watched(&self) -> bool {
        self.kind == SessionKind::Oidc && !self.guest
    }
}

/// How a person was recognised.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum SessionKind {
    /// By a provider's token, OpenID Connect or Keycloak.
    Oidc,
    /// By a name and password of the config.
    #[default]
    Users,
    /// By a proxy, which alone can sign the person out.
    Proxy,
}

/// A value of JSON that someone else has parsed: the browser, which does it better than code that the bundle would
/// have to carry.
pub trait Json: Sized {
    /// A member of an object, or an element of a list by its position.
    fn member(&self, name: &str) -> Option<Self>;
    /// The elements of a list; none of anything else.
    fn elements(&self) -> Vec<Self>;
    /// A text.
    fn text(&self) -> Option<String>;
    /// A number.
    fn number(&self) -> Option<f64>;
    /// Whether it is `true`.
    fn is_true(&self) -> bool;
}

/// What is read of the members of one object. What is not there has its default, as it has where it is written.
struct Members<'a, J>(&'a J);

impl<J: Json> Members<'_, J> {
    fn text(&self, name: &str) -> Option<String> {
        self.0.member(name)?.text()
    }

    fn flag(&self, name: &str) -> bool {
        self.0.member(name).is_some_and(|value| value.is_true())
    }

    fn list<T>(&self, name: &str, read: impl Fn(&J) -> Option<T>) -> Vec<T> {
        let elements = self.0.member(name).map(|list| list.elements()).unwrap_or_default();
        elements.iter().filter_map(read).collect()
    }

    /// The one of these whose word stands there.
    fn word<T: Copy + Default>(&self, name: &str, all: &[(T, &str)]) -> T {
        let written = self.text(name).unwrap_or_default();
        all.iter().find(|(_, word)| *word == written).map(|(one, _)| *one).unwrap_or_default()
    }
}

impl PageSettings {
    /// The settings as the server has written them into the page.
    pub fn read(json: &impl Json) -> Self {
        let page = Members(json);
        Self {
            base: page.text("base").unwrap_or_default(),
            slug: page.text("slug").unwrap_or_default(),
            look: json.member("look").map(|look| read_look(&look)).unwrap_or_default(),
            web_search: json.member("webSearch").map(|search| read_web_search(&search)).unwrap_or_default(),
            hide_search: page.flag("hideSearch"),
            hide_options: page.flag("hideOptions"),
            disable_smart_sort: page.flag("disableSmartSort"),
            single_section: page.flag("singleSection"),
            other_pages: page.flag("otherPages"),
            sorted: page.list("sorted", |pair| {
                let sorts = [BrowserSort::MostUsed, BrowserSort::LastUsed, BrowserSort::Random];
                let sorts = sorts.map(|sort| (sort, sort.word()));
                Some((position(&pair.member("0")?)?, Members(pair).word("1", &sorts)))
            }),
            watch_session: page.flag("watchSession"),
        }
    }

    /// The settings of a dashboard for anyone who looks at it.
    pub fn of(dashboard: &Dashboard, session: Option<&SessionView>) -> Self {
        Self {
            base: dashboard.base.clone(),
            slug: dashboard.slug.clone(),
            look: dashboard.look.clone(),
            web_search: dashboard.web_search.clone(),
            hide_search: dashboard.hide.search,
            // Where nobody signs in, whoever hides the options means it for all.
            hide_options: dashboard.hide.settings && !session.is_some_and(|session| session.is_admin),
            disable_smart_sort: dashboard.disable_smart_sort,
            single_section: dashboard.single_section,
            other_pages: dashboard.other_pages,
            sorted: dashboard
                .sections
                .iter()
                .filter(|section| section.sort != BrowserSort::None)
                .map(|section| (section.index, section.sort))
                .collect(),
            watch_session: session.is_some_and(SessionView::is_watched),
        }
    }
}

fn read_look(json: &impl Json) -> Appearance {
    let look = Members(json);
    let layouts = [Layout::Auto, Layout::Horizontal, Layout::Vertical, Layout::Masonry];
    let sizes = [TileSize::Small, TileSize::Medium, TileSize::Large];
    Appearance {
        day_theme: look.text("dayTheme").unwrap_or_default(),
        night_theme: look.text("nightTheme").unwrap_or_default(),
        themes: look.list("themes", Json::text),
        layout: look.word("layout", &layouts.map(|layout| (layout, layout.word()))),
        icon_size: look.word("iconSize", &sizes.map(|size| (size, size.word()))),
        col_count: json.member("colCount").and_then(|count| position(&count)?.try_into().ok()),
        language: look.text("language"),
        style_sheets: look.list("styleSheets", Json::text),
    }
}

fn read_web_search(json: &impl Json) -> WebSearchView {
    let search = Members(json);
    // The others never are where results open.
    let methods = [OpeningMethod::NewTab, OpeningMethod::SameTab, OpeningMethod::Workspace];
    WebSearchView {
        disabled: search.flag("disabled"),
        engine: search.text("engine"),
        engine_name: search.text("engineName").unwrap_or_default(),
        opening_method: search.word("openingMethod", &methods.map(|method| (method, method.word()))),
        open_urls_directly: search.flag("openUrlsDirectly"),
        bangs: search.list("bangs", |pair| Some((pair.member("0")?.text()?, pair.member("1")?.text()?))),
    }
}

/// A number that counts.
fn position(json: &impl Json) -> Option<usize> {
    let number = json.number()?;
    // Positions in a file and numbers of columns: small, and not below zero.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    (number >= 0.0).then_some(number as usize)
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    impl Json for Value {
        fn member(&self, name: &str) -> Option<Self> {
            match self {
                Self::Array(list) => list.get(name.parse::<usize>().ok()?).cloned(),
                _ => self.get(name).cloned(),
            }
        }

        fn elements(&self) -> Vec<Self> {
            self.as_array().cloned().unwrap_or_default()
        }

        fn text(&self) -> Option<String> {
            self.as_str().map(str::to_owned)
        }

        fn number(&self) -> Option<f64> {
            self.as_f64()
        }

        fn is_true(&self) -> bool {
            self == &Self::Bool(true)
        }
    }

    /// Settings in which nothing is as it would be by itself.
    fn full() -> PageSettings {
        PageSettings {
            base: "/start".to_owned(),
            slug: "attic".to_owned(),
            look: Appearance {
                day_theme: "dracula".to_owned(),
                night_theme: "nord".to_owned(),
                themes: vec!["own".to_owned(), "other".to_owned()],
                layout: Layout::Masonry,
                icon_size: TileSize::Large,
                col_count: Some(5),
                language: Some("de-AT".to_owned()),
                style_sheets: vec!["/a.css".to_owned()],
            },
            web_search: WebSearchView {
                disabled: true,
                engine: Some("https://search.example/?q=".to_owned()),
                engine_name: "search.example".to_owned(),
                opening_method: OpeningMethod::SameTab,
                open_urls_directly: true,
                bangs: vec![("/w".to_owned(), "https://wiki.example/".to_owned())],
            },
            hide_search: true,
            hide_options: true,
            disable_smart_sort: true,
            single_section: true,
            other_pages: true,
            sorted: vec![(0, BrowserSort::Random), (7, BrowserSort::MostUsed), (12, BrowserSort::LastUsed)],
            watch_session: true,
        }
    }

    #[test]
    fn what_is_written_is_read_again() {
        for settings in [full(), PageSettings::default()] {
            assert_eq!(PageSettings::read(&serde_json::to_value(&settings).unwrap()), settings);
        }
        assert_eq!(PageSettings::read(&Value::Null), PageSettings::default());
    }

    #[test]
    fn every_word_is_read_again() {
        let look = |layout, icon_size| Appearance { layout, icon_size, ..Appearance::default() };
        let methods = [OpeningMethod::NewTab, OpeningMethod::SameTab, OpeningMethod::Workspace];
        for (look, opening_method) in [
            look(Layout::Auto, TileSize::Small),
            look(Layout::Horizontal, TileSize::Medium),
            look(Layout::Vertical, TileSize::Large),
        ]
        .into_iter()
        .zip(methods)
        {
            let web_search = WebSearchView { opening_method, ..WebSearchView::default() };
            let settings = PageSettings { look, web_search, ..full() };
            assert_eq!(PageSettings::read(&serde_json::to_value(&settings).unwrap()), settings);
        }
    }
}
