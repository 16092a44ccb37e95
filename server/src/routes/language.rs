//! The language of a page for its reader (docs/spec/behavior.md 18), the form in the options that sets it, and the texts of dialogs.

use std::{
    hash::{DefaultHasher, Hash as _, Hasher as _},
    sync::Arc,
};

use axum::{
    extract::{Query, Request, State, rejection::QueryRejection},
    response::{IntoResponse as _, Response},
};
use http::{HeaderMap, HeaderValue, StatusCode, header};
use languages::{Language, Locale};
use serde::Deserialize;
use url::form_urlencoded;

use super::{api::is_cross_site, app_state::AppState, error::ApiError, headers::is_unchanged, request_body};
use crate::{access::public_address::own_path, store::Site};

/// The cookie with the code of the chosen language.
const COOKIE: &str = "portico-language";
/// How long a choice lasts, in seconds: a year.
const LIFE: u32 = 31_536_000;
/// Maximum size of the form, in bytes.
const MAX_BYTES: usize = 4096;

/// The language of a page for a request with these headers.
pub fn of(site: &Site, request: &HeaderMap) -> Locale {
    let accepted = request.get(header::ACCEPT_LANGUAGE).and_then(|accepted| accepted.to_str().ok());
    Locale::choose(chosen(request), configured(site), accepted)
}

/// The cookie of a browser in which a language was chosen.
pub fn cookie(language: Language) -> Option<HeaderValue> {
    HeaderValue::try_from(format!("{COOKIE}={}", language.code())).ok()
}

/// Whether the browser's language decides if none was chosen.
pub fn follows_browser(site: &Site) -> bool {
    configured(site).and_then(Language::of_tag).is_none()
}

fn configured(site: &Site) -> Option<&str> {
    site.root.as_ref()?.config.app.language.as_deref()
}

fn chosen(request: &HeaderMap) -> Option<&str> {
    let lines = request.get_all(header::COOKIE).iter().filter_map(|line| line.to_str().ok());
    let mut cookies = lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    cookies.find(|(name, _)| *name == COOKIE).map(|(_, code)| code)
}

/// `POST /language`: stores the language that was chosen in the options, and redirects to the page. An empty language
/// removes the choice.
pub async fn choose(State(portico): State<Arc<AppState>>, request: Request) -> Response {
    let (request, body) = request.into_parts();
    if is_cross_site(&request) {
        return ApiError::new(StatusCode::FORBIDDEN, "Forbidden - the request comes from a page of another site")
            .into_response();
    }
    let form = match request_body::read(body, MAX_BYTES).await {
        Ok(form) => form,
        Err(unread) => return unread.into_error("the form is too large").into_response(),
    };
    let Some((code, return_to)) = parse_form(&form) else {
        return ApiError::bad_request("name a language: `language=de`").into_response();
    };
    let base = &portico.settings.base;
    let life = if code.is_empty() { 0 } else { LIFE };
    let cookie = format!("{COOKIE}={code}; Path={base}/; Max-Age={life}; SameSite=Lax");
    let headers = [
        (header::LOCATION, own_path(return_to.as_deref(), base)),
        (header::SET_COOKIE, cookie),
        (header::CACHE_CONTROL, "no-store".to_owned()),
    ];
    (StatusCode::SEE_OTHER, headers).into_response()
}

/// Which texts are wanted.
#[derive(Deserialize)]
pub struct WantedTexts {
    /// The tag of the page.
    #[serde(rename = "of")]
    tag: String,
    /// What needs them.
    #[serde(default, rename = "for")]
    place: TextPlace,
}

/// What needs texts that pages do not contain.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum TextPlace {
    /// The dialogs of a page.
    #[default]
    Dialogs,
    /// The editor.
    Editor,
}

/// `GET /language?of=de`: the texts of the dialogs of a page with this tag, for its scripts. `GET /language?of=de&for=editor`: those
/// of the editor, with what it knows about fields.
pub async fn texts(headers: HeaderMap, wanted: Result<Query<WantedTexts>, QueryRejection>) -> Response {
    let wanted = wanted.ok().map(|Query(wanted)| wanted);
    let language = wanted.as_ref().and_then(|wanted| Language::of_tag(&wanted.tag)).unwrap_or_default();
    let texts = match wanted.map(|wanted| wanted.place).unwrap_or_default() {
        TextPlace::Dialogs => language.for_dialogs(),
        TextPlace::Editor => language.for_editor(),
    };
    // They change only with the program. A browser that has them asks again, and gets no second copy.
    let mut hasher = DefaultHasher::new();
    texts.hash(&mut hasher);
    let etag = HeaderValue::from_str(&format!("W/\"{:x}\"", hasher.finish())).unwrap_or(HeaderValue::from_static("*"));
    let is_unchanged = is_unchanged(&headers, &etag);
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("application/json")),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-cache")),
        (header::ETAG, etag),
    ];
    if is_unchanged { (StatusCode::NOT_MODIFIED, headers).into_response() } else { (headers, texts).into_response() }
}

/// The language code in a form, which may be empty, and the path to redirect to.
fn parse_form(form: &[u8]) -> Option<(&'static str, Option<String>)> {
    let value = |wanted: &str| {
        form_urlencoded::parse(form).find(|(name, _)| name == wanted).map(|(_, value)| value.into_owned())
    };
    let code = match value("language")?.as_str() {
        "" => "",
        code => Language::of_code(code)?.code(),
    };
    Some((code, value("return_to")))
}

/// The value of `Vary` for a page; `follows_browser` says whether the browser's language is part of it.
pub fn vary(follows_browser: bool) -> HeaderValue {
    HeaderValue::from_static(if follows_browser {
        "Accept-Encoding, Accept-Language, Authorization, Cookie"
    } else {
        "Accept-Encoding, Authorization, Cookie"
    })
}

/// The first language that a browser names; its scripts see it as `navigator.language`.
pub fn of_browser(request: &HeaderMap) -> Option<&str> {
    let languages = request.get(header::ACCEPT_LANGUAGE)?.to_str().ok()?;
    languages.split([',', ';']).next().map(str::trim).filter(|language| !language.is_empty())
}
