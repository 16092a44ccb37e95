//! Who is asking: from the request's credentials to a [`Viewer`].

use axum::response::{IntoResponse, Response};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use config::{
    Person, Viewer,
    model::{
        Config,
        auth::{Password, SignIn},
    },
};
use http::{HeaderMap, HeaderValue, StatusCode, header};
use subtle::ConstantTimeEq as _;

use crate::command::sha256_hex;

/// Why a request is let in nowhere.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Denied {
    /// Credentials are missing or wrong.
    Unauthorized,
    /// The config asks for a kind of sign-in that cannot work; the reason is in words.
    Unavailable(String),
}

/// The viewer of a page. Without any kind of sign-in everybody is an admin; as soon as one is configured, nothing is
/// open but what guest access opens (behaviour.md 19.1).
///
/// # Errors
///
/// [`Denied`]; wrong credentials are never ignored in favour of guest access.
pub fn viewer(headers: &HeaderMap, config: Option<&Config>) -> Result<Viewer, Denied> {
    // Without a readable config nobody can tell what it protects; only its failure is shown then.
    let Some(config) = config else { return Ok(Viewer::Admin(None)) };
    let auth = &config.app.auth;
    match auth.sign_in() {
        SignIn::None => return Ok(Viewer::Admin(None)),
        SignIn::Users(_) => {}
        SignIn::Oidc(oidc) if oidc.disable_server_side_check => return Ok(Viewer::Admin(None)),
        _ if auth.enable_guest_access && !headers.contains_key(header::AUTHORIZATION) => return Ok(Viewer::Guest),
        SignIn::Broken(reason) => return Err(Denied::Unavailable(reason.to_owned())),
        SignIn::Oidc(_) => return Err(not_supported("OpenID Connect")),
        SignIn::Keycloak(_) => return Err(not_supported("Keycloak")),
        SignIn::HeaderAuth(_) => return Err(not_supported("a proxy's user header")),
    }
    let Some(credentials) = headers.get(header::AUTHORIZATION) else {
        return if auth.enable_guest_access { Ok(Viewer::Guest) } else { Err(Denied::Unauthorized) };
    };
    let (name, password) = basic_credentials(credentials).ok_or(Denied::Unauthorized)?;
    let user = auth.user(&name).ok_or(Denied::Unauthorized)?;
    if !is_right(&user.password, &password) {
        return Err(Denied::Unauthorized);
    }
    let person = Person { name: user.name.clone(), ..Person::default() };
    Ok(if user.is_admin { Viewer::Admin(Some(person)) } else { Viewer::User(person) })
}

fn not_supported(kind: &str) -> Denied {
    Denied::Unavailable(format!("this version cannot sign people in with {kind}, so everything stays closed"))
}

/// Name and password of `Authorization: Basic` (RFC 7617); the password may hold colons.
fn basic_credentials(value: &HeaderValue) -> Option<(String, String)> {
    let (scheme, token) = value.to_str().ok()?.trim().split_once(' ')?;
    if !scheme.eq_ignore_ascii_case("basic") {
        return None;
    }
    let bytes = STANDARD.decode(token.trim()).ok()?;
    let text = String::from_utf8(bytes).ok()?;
    text.split_once(':').map(|(name, password)| (name.to_owned(), password.to_owned()))
}

fn is_right(expected: &Password, given: &str) -> bool {
    let same = |a: &str, b: &str| bool::from(a.as_bytes().ct_eq(b.as_bytes()));
    match expected {
        Password::Sha256(hash) => same(hash.expose(), &sha256_hex(given.as_bytes())),
        Password::Environment(name) => {
            std::env::var(name).is_ok_and(|password| same(password.trim_end_matches(['\r', '\n']), given))
        }
        Password::Argon2(_) | Password::Unknown => false,
    }
}

impl IntoResponse for Denied {
    fn into_response(self) -> Response {
        match self {
            Self::Unauthorized => {
                let challenge = [(header::WWW_AUTHENTICATE, "Basic realm=\"dashboard\", charset=\"UTF-8\"")];
                (StatusCode::UNAUTHORIZED, challenge, "sign in to see this page\n").into_response()
            }
            Self::Unavailable(reason) => (StatusCode::SERVICE_UNAVAILABLE, format!("{reason}\n")).into_response(),
        }
    }
}
