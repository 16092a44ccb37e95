//! A whole sign-in through our own HTTPS listener, as a browser without a proxy in between sees it.

use std::{collections::BTreeMap, net::SocketAddr, time::Duration};

use http::{Method, header};
use rcgen::{CertifiedKey, generate_simple_self_signed};
use reqwest::{Certificate, Client, Response, redirect::Policy};

use crate::provider::{Idp, SetClock, asked};

/// A browser that trusts one certificate.
struct Visitor {
    client: Client,
    cookies: BTreeMap<String, String>,
}

impl Visitor {
    async fn request(&mut self, method: Method, address: &str, body: &str) -> Response {
        let pairs: Vec<String> = self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let mut request = self.client.request(method.clone(), address).header(header::COOKIE, pairs.join("; "));
        if method == Method::POST {
            let origin = url::Url::parse(address).unwrap().origin().ascii_serialization();
            request = request.header(header::ORIGIN, origin).header(header::CONTENT_TYPE, "application/json");
        }
        let response = request.body(body.to_owned()).send().await.unwrap();
        for line in response.headers().get_all(header::SET_COOKIE) {
            let line = line.to_str().unwrap();
            let (name, rest) = line.split_once('=').unwrap();
            let (value, attributes) = rest.split_once(';').unwrap();
            // Browsers take cookies with this prefix only if they are secure, for the whole host, and for no other.
            assert!(name.starts_with("__Host-"), "{line}");
            assert!(attributes.contains("; Secure") && attributes.contains(" Path=/;"), "{line}");
            assert!(attributes.contains("; HttpOnly; SameSite=Lax") && !attributes.contains("Domain"), "{line}");
            if attributes.contains("Max-Age=0") {
                self.cookies.remove(name);
            } else {
                self.cookies.insert(name.to_owned(), value.to_owned());
            }
        }
        response
    }

    async fn get(&mut self, address: &str) -> Response {
        self.request(Method::GET, address, "").await
    }
}

fn location(response: &Response) -> String {
    response.headers()[header::LOCATION].to_str().unwrap().to_owned()
}

/// A free port.
pub fn free_port() -> u16 {
    std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

#[tokio::test]
async fn a_person_signs_in_and_out_without_a_proxy() {
    let clock = SetClock::new();
    let idp = Idp::start(&clock).await;
    let (port, ssl_port) = (free_port(), free_port());
    let CertifiedKey { cert, signing_key } = generate_simple_self_signed(["dash.lan".to_owned()]).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let (certificate, key) = (folder.path().join("cert.pem"), folder.path().join("key.pem"));
    std::fs::write(&certificate, cert.pem()).unwrap();
    std::fs::write(&key, signing_key.serialize_pem()).unwrap();
    let world = idp
        .setup(&clock, "", "")
        .env("HOST", "127.0.0.1")
        .env("PORT", &port.to_string())
        .env("SSL_PORT", &ssl_port.to_string())
        .env("SSL_PUB_KEY_PATH", &certificate.display().to_string())
        .env("SSL_PRIV_KEY_PATH", &key.display().to_string())
        .start()
        .await;
    world.listen();
    let client = Client::builder()
        .tls_certs_only([Certificate::from_pem(cert.pem().as_bytes()).unwrap()])
        .resolve("dash.lan", SocketAddr::from(([127, 0, 0, 1], 0)))
        .redirect(Policy::none())
        .no_proxy()
        .build()
        .unwrap();
    let origin = format!("https://dash.lan:{ssl_port}");
    while client.get(format!("{origin}/healthz")).send().await.is_err() {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let mut visitor = Visitor { client, cookies: BTreeMap::new() };
    // Requests without HTTPS are redirected before anything else happens.
    let plain = visitor.get(&format!("http://dash.lan:{port}/home/alpha")).await;
    assert_eq!((plain.status().as_u16(), location(&plain)), (308, format!("{origin}/home/alpha")));
    assert!(visitor.cookies.is_empty());

    let to_provider = location(&visitor.get(&format!("{origin}/home/alpha")).await);
    let away = location(&visitor.get(&format!("{origin}{to_provider}")).await);
    assert_eq!(asked(&away).1["redirect_uri"], origin);
    let back = idp.consent(&away);
    let back = visitor.get(&format!("{origin}{back}")).await;
    assert_eq!((back.status().as_u16(), location(&back).as_str()), (303, "/home/alpha"));
    let page = visitor.get(&format!("{origin}/home/alpha")).await;
    assert_eq!(page.status(), 200);
    assert!(page.text().await.unwrap().contains("<p class=\"account-name\">carol</p>"));

    let session = visitor.request(Method::POST, &format!("{origin}/fn/session"), "{}").await.text().await.unwrap();
    let session: serde_json::Value = serde_json::from_str(&session).unwrap();
    let token = session["idToken"].as_str().unwrap();
    let api = visitor.client.get(format!("{origin}/api/config")).bearer_auth(token).send().await.unwrap();
    assert_eq!(api.status(), 200);

    let out = visitor.request(Method::POST, &format!("{origin}/logout"), "").await;
    assert!(out.headers()[header::REFRESH].to_str().unwrap().contains("/end?"));
    assert!(visitor.cookies.is_empty());
    assert_eq!(visitor.get(&format!("{origin}/home/alpha")).await.status(), 303);
}
