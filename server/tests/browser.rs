//! A browser with cookies, which checks their attributes.

use std::collections::BTreeMap;

use http::header;
use serde_json::Value;
use url::form_urlencoded;

use crate::{
    provider::Idp,
    world::{Reply, TestRequest, World},
};

/// A browser with cookies.
pub struct Browser<'a> {
    world: &'a World,
    pub cookies: BTreeMap<String, String>,
    host: &'static str,
    secure: bool,
}

impl<'a> Browser<'a> {
    pub fn new(world: &'a World) -> Self {
        Self { world, cookies: BTreeMap::new(), host: "dash.lan", secure: false }
    }

    /// Behind a proxy that speaks HTTPS.
    pub fn secure(world: &'a World) -> Self {
        Self { secure: true, ..Self::new(world) }
    }

    pub fn origin(&self) -> String {
        format!("http{}://{}", if self.secure { "s" } else { "" }, self.host)
    }

    fn request(&self, method: &str, path: &str) -> TestRequest {
        let mut request = self.world.request(method, path).header("host", self.host);
        if self.secure {
            request = request.header("x-forwarded-proto", "https").peer("172.18.0.2");
        }
        if self.cookies.is_empty() {
            return request;
        }
        let pairs: Vec<String> = self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        request.header("cookie", &pairs.join("; "))
    }

    async fn send(&mut self, request: TestRequest) -> Reply {
        let reply = request.send().await;
        for line in reply.headers.get_all(header::SET_COOKIE) {
            let line = line.to_str().unwrap();
            assert!(line.contains("; HttpOnly; SameSite=Lax"), "{line}");
            assert_eq!(line.contains("; Secure"), self.secure, "{line}");
            assert_eq!(line.starts_with("__Host-"), self.secure, "{line}");
            let (name, rest) = line.split_once('=').unwrap();
            let (value, attributes) = rest.split_once(';').unwrap();
            assert!(name.len() + value.len() < 4096);
            if attributes.contains("Max-Age=0") {
                self.cookies.remove(name);
            } else {
                self.cookies.insert(name.to_owned(), value.to_owned());
            }
        }
        reply
    }

    /// Opens an address.
    pub async fn get(&mut self, path: &str) -> Reply {
        let request =
            self.request("GET", path).header("sec-fetch-mode", "navigate").header("sec-fetch-dest", "document");
        self.send(request).await
    }

    /// Sends a form of our own page.
    pub async fn form(&mut self, path: &str, fields: &[(&str, &str)]) -> Reply {
        let origin = self.origin();
        self.form_from(&origin, path, fields).await
    }

    /// Sends a form of a page with this origin.
    pub async fn form_from(&mut self, origin: &str, path: &str, fields: &[(&str, &str)]) -> Reply {
        let body = form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
        let request = self.request("POST", path).header("origin", origin).untyped();
        self.send(request.header("content-type", "application/x-www-form-urlencoded").body(body)).await
    }

    /// Sends JSON as a script of our own page.
    pub async fn json(&mut self, path: &str, body: &str) -> Reply {
        let request = self.request("POST", path).header("origin", &self.origin()).header("sec-fetch-mode", "cors");
        self.send(request.body(body)).await
    }

    /// The session as reported to the page.
    pub async fn session(&mut self) -> Value {
        self.json("/fn/session", "{}").await.expect_status(200).json()
    }

    /// Signs in at the provider, from a page; returns the response to the callback.
    pub async fn sign_in_from(&mut self, idp: &Idp, path: &str) -> Reply {
        let to_provider = self.get(path).await.expect_status(303).header("location");
        let away = self.get(&to_provider).await.expect_status(303).header("location");
        let back = idp.consent(&away);
        self.get(&back).await
    }

    /// Signs in at the provider with the link on a page that guests see, or on the current page.
    pub async fn sign_in_via_link(&mut self, idp: &Idp) {
        let away = self.get("/login/provider?return_to=/").await.expect_status(303).header("location");
        let back = idp.consent(&away);
        self.get(&back).await.expect_status(303);
    }

    /// Signs in at the provider.
    pub async fn sign_in(&mut self, idp: &Idp) {
        let reply = self.sign_in_from(idp, "/").await.expect_status(303);
        assert_eq!(reply.header("location"), "/");
    }
}
