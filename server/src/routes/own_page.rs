//! The proof that a request with an address in it was not made up by a page of another site.
//!
//! Any page can make a browser send a GET, and over plain HTTP browsers do not say which page it was (they send
//! `Sec-Fetch-Site` only to HTTPS and to localhost). So whoever names an address that this server shall contact must
//! repeat a token that this server gave them for it: in a link of our own page, or in the response to a program. Pages
//! of other sites can read neither.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use config::Viewer;
use http::request::Parts;
use ring::hmac;
use url::form_urlencoded;

use super::api::is_cross_site;
use crate::access;

/// The query parameter with the token.
pub const PARAMETER: &str = "proof";

/// Makes and checks the tokens. They hold for one viewer, one purpose, one address and one run of the program.
#[derive(Debug)]
pub struct OwnPageProofs(hmac::Key);

impl Default for OwnPageProofs {
    fn default() -> Self {
        Self(hmac::Key::new(hmac::HMAC_SHA256, &access::random::<32>()))
    }
}

impl OwnPageProofs {
    /// The token with which this viewer may have an address contacted. `purpose` is the path that takes it.
    pub fn token(&self, viewer: &Viewer, purpose: &str, address: &str) -> String {
        URL_SAFE_NO_PAD.encode(hmac::sign(&self.0, &claim(viewer, purpose, address)))
    }

    /// Whether a request repeats the token, and does not come from a page of another site.
    pub fn is_in(&self, request: &Parts, viewer: &Viewer, purpose: &str, address: &str) -> bool {
        let query = request.uri.query().unwrap_or_default();
        let given = form_urlencoded::parse(query.as_bytes()).find(|(name, _)| name == PARAMETER);
        let given = given.and_then(|(_, token)| URL_SAFE_NO_PAD.decode(&*token).ok());
        given.is_some_and(|tag| hmac::verify(&self.0, &claim(viewer, purpose, address), &tag).is_ok())
            && !is_cross_site(request)
    }
}

/// What a token stands for, as text that no other claim has.
fn claim(viewer: &Viewer, purpose: &str, address: &str) -> Vec<u8> {
    let who = match viewer {
        Viewer::Anonymous => "anonymous".to_owned(),
        Viewer::Guest => "guest".to_owned(),
        Viewer::Admin(None) => "everybody".to_owned(),
        Viewer::User(person) | Viewer::Admin(Some(person)) => format!("user {}", person.name),
    };
    [who.as_str(), purpose, address]
        .iter()
        .flat_map(|part| [part.len().to_le_bytes().as_slice(), part.as_bytes()].concat())
        .collect()
}

#[cfg(test)]
mod tests {
    use config::Person;
    use http::Request;

    use super::*;

    #[test]
    fn a_token_holds_for_one_viewer_purpose_address_and_run() {
        let proofs = OwnPageProofs::default();
        let person = |name: &str| Viewer::User(Person { name: name.to_owned(), ..Person::default() });
        let (anna, address) = (person("anna"), "http://nas.lan/");
        let token = proofs.token(&anna, "check", address);
        let holds = |token: &str, site: &str, viewer: &Viewer, purpose: &str, address: &str| {
            let request = Request::builder().uri(format!("/?a=b&proof={token}")).header("sec-fetch-site", site);
            let (parts, ()) = request.body(()).unwrap().into_parts();
            proofs.is_in(&parts, viewer, purpose, address)
        };
        assert!(holds(&token, "same-origin", &anna, "check", address));
        assert!(holds(&token, "none", &anna, "check", address));
        let other_run = OwnPageProofs::default().token(&anna, "check", address);
        for (token, site, viewer, purpose, address) in [
            (token.as_str(), "cross-site", &anna, "check", address),
            (&token, "same-site", &anna, "check", address),
            (&token, "none", &person("bob"), "check", address),
            (&token, "none", &Viewer::Guest, "check", address),
            (&token, "none", &anna, "preview", address),
            (&token, "none", &anna, "check", "http://nas.lan/x"),
            (&other_run, "none", &anna, "check", address),
            (&token[1..], "none", &anna, "check", address),
            ("", "none", &anna, "check", address),
            ("%00", "none", &anna, "check", address),
        ] {
            assert!(!holds(token, site, viewer, purpose, address), "{token} {site} {viewer:?} {purpose} {address}");
        }
    }
}
