//! Widgets that the browser looks up itself. What can do that is a bundle of its own, which is loaded with the first
//! such widget.

use std::{cell::RefCell, time::Duration};

use js_sys::{Array, Date, Function, Object, Promise, Reflect};
use leptos::logging;
use wasm_bindgen::{JsCast, JsValue, prelude::wasm_bindgen};
use wasm_bindgen_futures::JsFuture;

use super::{Frame, arrived, with};
use crate::{
    backend::{PanelAnswer, PanelState},
    direct::{HTML, IS_CONFIG, RETRY_AT, SENTENCE},
    page::Bundle,
    parts::live::property,
    within::within,
};

/// Seconds of the first wait after an error, and of the longest.
const WAIT: (f64, f64) = (5.0, 300.0);
/// The bundle keeps to the limits of entries, three times a minute at most. What takes longer has failed in a way that it
/// cannot tell: a panic ends its code where it stands, and its promise is never kept.
const LONGEST: Duration = Duration::from_secs(190);

#[wasm_bindgen]
extern "C" {
    /// Loads a module of this server; the page's loader defines it, because WebAssembly has no `import()`.
    #[wasm_bindgen(catch, js_name = porticoModule)]
    fn load_module(address: &str) -> Result<Promise, JsValue>;
}

thread_local! {
    /// The bundle's function, once it is there.
    static LOOK_UP: RefCell<Option<Function>> = const { RefCell::new(None) };
}

/// Looks, and shows what came of it.
pub(super) async fn look_up(position: usize) {
    let Some((arguments, bundle)) = with(|runtime| {
        let frame = &mut runtime.frames[position];
        frame.forced = false;
        let options = frame.element.get_attribute("data-options").unwrap_or_default();
        let hint = |hint: &Option<String>| hint.as_deref().map_or(JsValue::UNDEFINED, JsValue::from_str);
        let viewer = &runtime.viewer;
        let arguments = Array::of5(
            &JsValue::from_str(&frame.kind),
            &JsValue::from_str(&options),
            &JsValue::from_str(&runtime.base),
            &hint(&viewer.locale),
            &hint(&viewer.time_zone),
        );
        (arguments, runtime.direct.clone())
    }) else {
        return;
    };
    let outcome = within(LONGEST, ask(bundle.as_ref(), &arguments)).await;
    let answer = with(|runtime| {
        let frame = &mut runtime.frames[position];
        match outcome {
            Some(Ok(outcome)) => read(frame, &outcome),
            Some(Err(error)) => {
                logging::error!("the bundle for {} cannot be loaded: {error:?}", frame.kind);
                failed(frame, "The server of this dashboard cannot be reached.", None)
            }
            None => failed(frame, "This widget failed. The console of the browser says more.", None),
        }
    });
    if let Some(answer) = answer {
        arrived(position, answer);
    }
}

/// What the bundle says, which is loaded if it is not there yet.
async fn ask(bundle: Option<&Bundle>, arguments: &Array) -> Result<JsValue, JsValue> {
    let known = LOOK_UP.with_borrow(Clone::clone);
    let function = match known {
        Some(function) => function,
        None => {
            let bundle = bundle.ok_or(JsValue::NULL)?;
            let module = JsFuture::from(load_module(&bundle.script)?).await?;
            let options = Object::new();
            Reflect::set(&options, &"module_or_path".into(), &JsValue::from_str(&bundle.wasm))?;
            JsFuture::from(function(&module, "default")?.call1(&module, &options)?.unchecked_into::<Promise>()).await?;
            let function = function(&module, "lookUp")?;
            LOOK_UP.set(Some(function.clone()));
            function
        }
    };
    JsFuture::from(function.apply(&JsValue::UNDEFINED, arguments)?.unchecked_into::<Promise>()).await
}

fn function(module: &JsValue, name: &str) -> Result<Function, JsValue> {
    Reflect::get(module, &JsValue::from_str(name))?.dyn_into()
}

/// The answer of the bundle as one of the server's.
fn read(frame: &mut Frame, outcome: &JsValue) -> PanelAnswer {
    let property = |name: &str| property(outcome, name);
    if let Some(html) = property(HTML).as_string() {
        frame.failures = 0;
        // Milliseconds since 1970.
        #[allow(clippy::cast_possible_truncation)]
        let at = Date::now() as i64;
        let next = frame.refresh().map(seconds);
        return PanelAnswer {
            state: PanelState::Content,
            html: Some(html),
            at: Some(at),
            next,
            ..PanelAnswer::default()
        };
    }
    let sentence = property(SENTENCE).as_string().unwrap_or_default();
    if property(IS_CONFIG).is_truthy() {
        return PanelAnswer { state: PanelState::Broken, note: Some(sentence), ..PanelAnswer::default() };
    }
    failed(frame, &sentence, property(RETRY_AT).as_f64())
}

/// The panel stays if there is one; else there is a box, unless the entry wants none.
fn failed(frame: &mut Frame, sentence: &str, retry_at: Option<f64>) -> PanelAnswer {
    logging::warn!("{}: {sentence}", frame.kind);
    let wait = (WAIT.0 * f64::from(1_u32 << frame.failures.min(8))).min(WAIT.1);
    frame.failures += 1;
    // Neither a service that says when nor a widget that looks only once is asked sooner.
    let told = retry_at.map_or(0.0, |at| (at - Date::now()) / 1000.0);
    let next = frame.refresh().map(|_| seconds(told.max(wait)));
    let answer = PanelAnswer { next, note: Some(sentence.to_owned()), at: frame.at(), ..PanelAnswer::default() };
    match (frame.has_panel(), frame.is_quiet()) {
        (true, false) => PanelAnswer { state: PanelState::Stale, ..answer },
        (false, false) => PanelAnswer { state: PanelState::Error, ..answer },
        (true, true) => PanelAnswer { state: PanelState::Content, ..answer },
        (false, true) => PanelAnswer { state: PanelState::Content, html: Some(String::new()), ..answer },
    }
}

/// Seconds as an answer has them.
fn seconds(seconds: f64) -> u32 {
    // At most hours, and not below zero.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let whole = seconds.ceil() as u32;
    whole
}
