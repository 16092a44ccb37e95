//! Widgets that the browser looks up itself. A bundle of its own, which the page loads when it has such a widget
//! ([`crate::browser`]); so nothing here is in the bundle of all pages.

mod outside;

use js_sys::{Object, Promise, Reflect};
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::future_to_promise;
use widgets::{Entry, FetchError, Kind, Panel, ViewerHints};

use self::outside::BrowserOutside;
use crate::{
    parts::{self, Surroundings, live},
    within::within,
};

/// What stands in the panel's element.
pub(crate) const HTML: &str = "html";
/// Why there is none: the sentence for the person.
pub(crate) const SENTENCE: &str = "sentence";
/// Whether the options are at fault.
pub(crate) const IS_CONFIG: &str = "isConfig";
/// When asking again makes sense, in milliseconds since 1970, if that is known.
pub(crate) const RETRY_AT: &str = "retryAt";

/// Looks once. The promise is kept with an object with the panel's markup, or with the reason why there is none. `entry` is the JSON of
/// a [`widgets::Entry`] without secrets.
pub fn look_up(
    kind: String,
    entry: String,
    base: String,
    locale: Option<String>,
    time_zone: Option<String>,
) -> Promise {
    future_to_promise(async move { Ok(answer(&kind, &entry, base, ViewerHints { locale, time_zone }).await) })
}

async fn answer(kind: &str, entry: &str, base: String, viewer: ViewerHints) -> JsValue {
    let answer = Object::new();
    let set = |name: &str, value: JsValue| _ = Reflect::set(&answer, &JsValue::from_str(name), &value);
    match fetch(kind, entry, viewer).await {
        Ok((panel, label)) => {
            let html = parts::html(&panel, &Surroundings { base, label });
            set(HTML, html.into());
        }
        Err(error) => {
            set(SENTENCE, error.sentence(|at| live::clock_time(at.millis())).into());
            set(IS_CONFIG, error.is_config().into());
            if let Some(at) = error.retry_at() {
                // Far below 2^53.
                #[allow(clippy::cast_precision_loss)]
                set(RETRY_AT, (at.millis() as f64).into());
            }
        }
    }
    answer.into()
}

async fn fetch(kind: &str, entry: &str, viewer: ViewerHints) -> Result<(Panel, String), FetchError> {
    let kind = Kind::parse(kind).ok_or(FetchError::NeedsServer)?;
    let entry: Entry =
        serde_json::from_str(entry).map_err(|error| FetchError::Config { problems: vec![error.to_string()] })?;
    let outside = BrowserOutside::new(&entry, viewer);
    // A widget with several requests has three times the limit of one.
    let limit = entry.timeout * 3;
    let panel = match within(limit, kind.fetch(&entry, &outside)).await {
        Some(outcome) => outcome?,
        None => return Err(FetchError::told(format!("The answers took longer than {} s.", limit.as_secs()))),
    };
    Ok((panel, entry.label.unwrap_or_default()))
}
