//! One frame on the page: what its markup says, and how an answer changes it.

use js_sys::{Date, Math};
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};

use crate::{
    backend::{PanelResponse, PanelState},
    page::widget_frame,
    parts::live,
};

/// Seconds for which a panel without automatic refresh is current, as on the server: a visit shows nothing older.
const LIFE_WITHOUT_REFRESH: f64 = 10.0;

/// Where the data of a widget comes from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Refresher {
    Server,
    Browser,
    /// Nowhere: only a picture or a frame of this server is reloaded.
    Local,
}

/// A frame whose content changes. Times are in milliseconds since 1970.
pub(super) struct LiveFrame {
    pub(super) element: HtmlElement,
    pub(super) place: Refresher,
    /// Position of its section in the file.
    pub(super) section: usize,
    /// Position in the section's list.
    pub(super) widget: usize,
    /// Our name of its type.
    pub(super) kind: String,
    /// When to refresh next; infinity means never.
    pub(super) due: f64,
    /// Whether a call is in progress.
    pub(super) asking: bool,
    /// Whether the answer will be too old.
    pub(super) outdated: bool,
    /// Whether this call carries out an action.
    pub(super) acting: bool,
    /// Whether a user requested the next refresh.
    pub(super) forced: bool,
    /// Whether the next answer reloads the frames in the panel, even if it is the same.
    pub(super) reloads: bool,
    /// When a user last requested a refresh.
    pub(super) wished: f64,
    /// How many refreshes in a row have failed; only counted for those in the browser.
    pub(super) failures: u32,
    /// The buttons and checkboxes that were clicked while a call was in progress, in that order.
    pub(super) clicked: Vec<Clicked>,
}

/// A button or a checkbox of a panel that is clicked again after the call in progress.
pub(super) struct Clicked {
    element: HtmlElement,
    meaning: String,
}

impl Clicked {
    pub(super) fn new(element: &Element) -> Option<Self> {
        Some(Self { element: element.clone().dyn_into().ok()?, meaning: meaning(element) })
    }

    pub(super) fn is(&self, element: &Element) -> bool {
        self.element.is_same_node(Some(element))
    }

    /// Clicks the element again, unless it now does something else.
    pub(super) fn click(self) {
        if meaning(&self.element) == self.meaning {
            self.element.click();
        }
    }
}

/// What a click on an element does. The target of a checkbox changes with every version of its note, so its text counts.
fn meaning(element: &Element) -> String {
    let attribute = |name: &str| element.get_attribute(name).unwrap_or_default();
    let target = match element.parent_element() {
        Some(label) if element.tag_name() == "INPUT" => label.text_content().unwrap_or_default(),
        _ => attribute("data-target"),
    };
    attribute("data-action") + &target
}

impl LiveFrame {
    /// The frame of an element; `None` for one whose content does not change.
    pub(super) fn of(element: HtmlElement) -> Option<Self> {
        let attribute = |name: &str| element.get_attribute(name);
        let kind = attribute("data-kind")?;
        let place = match attribute("data-place")?.as_str() {
            "server" => Refresher::Server,
            "browser" => Refresher::Browser,
            "local" if element.matches("[data-refresh], [data-writable], :has(.widget-reload)") == Ok(true) => {
                Refresher::Local
            }
            _ => return None,
        };
        let position = attribute("data-widget")?;
        let (section, widget) = position.split_once('-')?;
        let (section, widget) = (section.parse().ok()?, widget.parse().ok()?);
        let mut frame = Self {
            place,
            section,
            widget,
            kind,
            due: 0.0,
            asking: false,
            acting: false,
            outdated: false,
            forced: false,
            reloads: false,
            wished: 0.0,
            failures: 0,
            clicked: Vec::new(),
            element,
        };
        frame.due = frame.first_look();
        Some(frame)
    }

    /// The time of the first refresh: the panel in the page is current until it would be refreshed.
    fn first_look(&self) -> f64 {
        if self.place == Refresher::Local {
            return self.refresh().map_or(f64::INFINITY, |seconds| Date::now() + seconds * 1000.0);
        }
        let Some(body) = self.body().filter(|body| body.get_attribute("data-state").as_deref() == Some("content"))
        else {
            return 0.0;
        };
        let Some(at) = number(&body, "data-at") else { return f64::INFINITY };
        // A wrong clock must not keep it forever.
        if at > Date::now() {
            return 0.0;
        }
        match self.refresh() {
            Some(refresh) => at + refresh * 1000.0,
            // Without an interval, each visit fetches once; a panel that is recent enough is not fetched again.
            None if at + LIFE_WITHOUT_REFRESH * 1000.0 > Date::now() => f64::INFINITY,
            None => 0.0,
        }
    }

    /// Goes on as if the page had just been loaded. The answer of a call in progress is too old.
    pub(super) fn start_again(&mut self) {
        self.due = if self.version().is_some() { self.first_look() } else { 0.0 };
        self.outdated = self.asking;
    }

    /// Reloads the pictures and frames in the panel. The server fetches at most once a second.
    pub(super) fn load_again(&mut self) {
        self.due = self.refresh().map_or(f64::INFINITY, |seconds| Date::now() + seconds * 1000.0);
        self.forced = false;
        for picture in live::all(&self.element, ".part-image img") {
            live::load_again(&picture);
        }
        live::load_frames_again(&self.element);
        self.show_busy(false);
    }

    /// Seconds between two refreshes.
    pub(super) fn refresh(&self) -> Option<f64> {
        number(&self.element, "data-refresh")
    }

    /// Whether it would be visible if the tab is in front: its section is open, and the search has not hidden it.
    pub(super) fn is_shown(&self) -> bool {
        !self.element.matches(":is(details:not([open]), [hidden]) *").unwrap_or_default()
    }

    /// Whether there are only errors that the entry hides.
    pub(super) fn is_quiet(&self) -> bool {
        self.element.has_attribute("data-quiet")
    }

    /// Whether a panel is visible.
    pub(super) fn has_panel(&self) -> bool {
        self.version().is_some()
    }

    /// The version of the visible panel.
    pub(super) fn version(&self) -> Option<u64> {
        self.body()?.get_attribute("data-version")?.parse().ok()
    }

    /// When the visible panel was fetched.
    pub(super) fn at(&self) -> Option<i64> {
        self.body()?.get_attribute("data-at")?.parse().ok()
    }

    fn body(&self) -> Option<Element> {
        self.element.query_selector(".widget-body").ok()?
    }

    /// Shows that a user's request is in progress.
    pub(super) fn show_busy(&self, busy: bool) {
        _ = self.element.toggle_attribute_with_force("data-busy", busy);
        if let Some(body) = self.body() {
            _ = if busy { body.set_attribute("aria-busy", "true") } else { body.remove_attribute("aria-busy") };
            if !busy {
                // Whether or not ticking worked, the boxes show what the note says.
                live::show_tasks(&body);
            }
        }
    }

    /// Shows an answer, and sets the time of the next call.
    pub(super) fn show(&mut self, answer: PanelResponse) {
        // Random, so that many frames do not call at the same moment.
        self.due = answer.next.map_or(f64::INFINITY, |seconds| {
            Date::now() + f64::from(seconds) * 1000.0 * (1.0 + Math::random() / 10.0) + Math::random() * 100.0
        });
        if answer.state == PanelState::Pending {
            return;
        }
        self.show_busy(false);
        let Some(body) = self.body() else { return };
        let content = match (&answer.html, answer.state) {
            (Some(html), _) => Some(widget_frame::panel(html)),
            (None, PanelState::Error | PanelState::Broken) => {
                let sentence = answer.note.clone().unwrap_or_default();
                let can_retry = answer.state == PanelState::Error;
                Some(widget_frame::problem(self.name(), &[sentence], answer.detail.as_deref(), can_retry))
            }
            (None, _) => None,
        };
        if let Some(content) = content {
            live::replace(&body, &content);
            _ = if answer.html.is_some() {
                body.set_attribute("data-version", &answer.version.to_string())
            } else {
                body.remove_attribute("data-version")
            };
        }
        // In the first answer of a visit, the frame has only just loaded.
        if self.reloads && answer.state == PanelState::Content {
            live::load_frames_again(&self.element);
        }
        self.reloads = self.refresh().is_some();
        if let Some(at) = answer.at {
            _ = body.set_attribute("data-at", &at.to_string());
        }
        _ = body.set_attribute("data-state", answer.state.word());
        let next = widget_frame::next_try(&answer, Date::now() as i64);
        self.say(answer.at, answer.note.as_deref().filter(|_| answer.state == PanelState::Stale), next);
    }

    /// The name of the widget for its error, unless it has a label.
    fn name(&self) -> Option<&str> {
        let label = self.element.query_selector(".widget-label").ok().flatten();
        label.is_none().then_some(self.kind.as_str())
    }

    /// Shows how old the content is, and why. The same text is not set again, because screen readers would repeat it.
    fn say(&self, at: Option<i64>, reason: Option<&str>, next: Option<i64>) {
        if let Ok(Some(note)) = self.element.query_selector(".widget-note") {
            live::replace(&note, &widget_frame::note(at, reason, next));
        }
    }
}

/// An attribute that is a number.
fn number(element: &Element, name: &str) -> Option<f64> {
    let number = js_sys::Number::parse_float(&element.get_attribute(name)?);
    number.is_finite().then_some(number)
}

/// The elements of all frames, in page order.
pub(super) fn elements() -> Vec<HtmlElement> {
    crate::browser::elements("article[data-widget]")
}

/// The element of the frame that contains an element.
pub(super) fn around(element: &Element) -> Option<HtmlElement> {
    element.closest("article[data-widget]").ok()??.dyn_into().ok()
}
