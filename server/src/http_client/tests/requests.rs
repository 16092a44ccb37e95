//! Ordinary requests and responses, and what errors and logs may contain.

use tokio::net::TcpListener;

use super::fixture::{Names, TestServer, get, http_client, ok, response, with_local_names};
use crate::{
    http_client::{BlockReason, HttpClientError, HttpRequest, Purpose},
    settings::HttpClientSettings,
};

#[tokio::test]
async fn a_request_is_sent_as_written() {
    let site = TestServer::start(|_| response("418 I'm a teapot", &[("X-Pot", "short")], b"tea")).await;
    let client = http_client(
        HttpClientSettings { user_agent: "Portico/1.0".into(), ..HttpClientSettings::default() },
        &Names::new(&[("pot.test", &["127.0.0.1"])]),
    );
    let url = format!("http://pot.test:{}/brew?cups=2&sugar=%0d%0aX:%20y#now", site.port);
    let request = HttpRequest::post(Purpose::Configured, &url, "leaves").with_header("X-Kind", "gr\u{fc}n");
    let reply = client.send(request).await.unwrap();

    assert_eq!(reply.status, 418);
    assert_eq!(reply.headers["x-pot"], "short");
    assert_eq!(&reply.body[..], b"tea");
    assert_eq!(reply.final_url.as_str(), url.trim_end_matches("#now"));

    let heard = &site.received()[0];
    assert_eq!(heard.line(), "POST /brew?cups=2&sugar=%0d%0aX:%20y HTTP/1.1");
    assert_eq!(heard.header("host"), Some(format!("pot.test:{}", site.port).as_str()));
    assert_eq!(heard.header("user-agent"), Some("Portico/1.0"));
    assert_eq!(heard.header("x-kind"), Some("gr\u{fc}n"));
    assert_eq!(heard.body, "leaves");
}

#[tokio::test]
async fn credentials_in_the_address_become_a_header() {
    let cases = [
        ("me:pass@", "Basic bWU6cGFzcw=="),
        ("me%40home:p%3Ass%2F@", "Basic bWVAaG9tZTpwOnNzLw=="),
        (":key@", "Basic OmtleQ=="),
        ("key@", "Basic a2V5Og=="),
        ("a%0d%0ab:c@", "Basic YQ0KYjpj"),
    ];
    let client = with_local_names(&[]);
    for (credentials, expected) in cases {
        let site = TestServer::start(|_| ok("")).await;
        let reply = client.send(get(format!("http://{credentials}127.0.0.1:{}/", site.port))).await.unwrap();
        assert_eq!(site.received()[0].header("authorization"), Some(expected));
        assert_eq!(reply.final_url.as_str(), format!("http://127.0.0.1:{}/", site.port));
    }
    let site = TestServer::start(|_| ok("")).await;
    let request = get(format!("http://me:pass@127.0.0.1:{}/", site.port)).with_header("authorization", "Bearer t");
    client.send(request).await.unwrap();
    assert_eq!(site.received()[0].header("authorization"), Some("Bearer t"));
}

#[tokio::test]
async fn headers_with_line_breaks_are_refused() {
    let site = TestServer::start(|_| ok("")).await;
    let cases = [
        ("X-Key", "a\r\nHost: other"),
        ("X-Key", "a\nb"),
        ("X-Key", "a\rb"),
        ("X-Key", "a\0b"),
        ("X-Key", "a\r\n\r\nGET /admin HTTP/1.1"),
        ("X-Key: a\r\nX-Other", "b"),
        ("X Key", "b"),
        ("X-Key:", "b"),
        ("", "b"),
    ];
    for (name, value) in cases {
        let request = get(format!("http://127.0.0.1:{}/", site.port)).with_header(name, value);
        let error = with_local_names(&[]).send(request).await.unwrap_err();
        assert_eq!(error, HttpClientError::BadHeader { name: name.into() });
        assert!(!error.to_string().contains(['\r', '\n']), "{error}");
    }
    assert!(site.received().is_empty());
}

#[tokio::test]
async fn headers_of_the_connection_are_left_out() {
    let site = TestServer::start(|_| ok("")).await;
    let mut request = HttpRequest::post(Purpose::Configured, format!("http://127.0.0.1:{}/", site.port), "four");
    for (name, value) in [
        ("Host", "internal.test"),
        ("Content-Length", "0"),
        ("Transfer-Encoding", "chunked"),
        ("Connection", "X-Key"),
        ("Upgrade", "h2c"),
        ("TE", "trailers"),
        ("Expect", "100-continue"),
        ("X-Key", "kept"),
    ] {
        request = request.with_header(name, value);
    }
    with_local_names(&[]).send(request).await.unwrap();
    let heard = &site.received()[0];
    assert_eq!(heard.header("host"), Some(format!("127.0.0.1:{}", site.port).as_str()));
    assert_eq!(heard.header("content-length"), Some("4"));
    for name in ["transfer-encoding", "connection", "upgrade", "te", "expect"] {
        assert_eq!(heard.header(name), None, "{name}");
    }
    assert_eq!(heard.header("x-key"), Some("kept"));
    assert_eq!(heard.body, "four");
}

#[tokio::test]
async fn cookies_are_passed_on_but_not_stored() {
    let cookies = [("Set-Cookie", "sid=1; Path=/"), ("Set-Cookie", "theme=dark")];
    let site = TestServer::start(move |_| response("200 OK", &cookies, b"")).await;
    let client = with_local_names(&[]);
    let url = format!("http://127.0.0.1:{}/", site.port);
    let reply = client.send(get(&url)).await.unwrap();
    assert_eq!(reply.set_cookies, ["sid=1; Path=/", "theme=dark"]);
    assert!(!reply.headers.contains_key("set-cookie"));
    client.send(get(&url)).await.unwrap();
    assert_eq!(site.received()[1].header("cookie"), None);
}

#[tokio::test]
async fn a_head_request_has_no_body() {
    let site =
        TestServer::start(|_| b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 999999\r\n\r\n".to_vec()).await;
    let mut request = get(format!("http://127.0.0.1:{}/", site.port));
    request.method = http::Method::HEAD;
    request.max_bytes = 10;
    let reply = with_local_names(&[]).send(request).await.unwrap();
    assert!(reply.body.is_empty());
    assert_eq!(reply.headers["content-length"], "999999");
}

#[tokio::test]
async fn when_offline_only_what_is_configured_is_called() {
    let site = TestServer::start(|_| ok("")).await;
    let client = http_client(HttpClientSettings { offline: true, ..HttpClientSettings::default() }, &Names::new(&[]));
    let url = format!("http://127.0.0.1:{}/", site.port);
    let error = client.send(HttpRequest::get(Purpose::Lookup, &url)).await.unwrap_err();
    assert_eq!(error, HttpClientError::Blocked { host: "127.0.0.1".into(), reason: BlockReason::Offline });
    assert!(site.received().is_empty());
    client.send(HttpRequest::get(Purpose::Configured, &url)).await.unwrap();
}

#[tokio::test]
async fn a_closed_port_is_a_refused_connection() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    drop(listener);
    let error = with_local_names(&["nas.test"]).send(get(format!("http://nas.test:{port}/"))).await.unwrap_err();
    assert_eq!(error, HttpClientError::Refused { host: "nas.test".into() });
    assert_eq!(error.to_string(), "nas.test could not be reached (connection refused)");
}

#[tokio::test]
async fn messages_and_debug_texts_hold_no_secrets() {
    let url = "http://user:s3cret@169.254.169.254/s3cret?key=s3cret#s3cret";
    let request = get(url).with_header("X-Key", "s3cret");
    assert!(!format!("{request:?}").contains("s3cret"));
    let error = with_local_names(&[]).send(request).await.unwrap_err();
    assert_eq!(error.to_string(), "169.254.169.254 may not be contacted (cloud metadata)");
    assert!(!format!("{error:?}").contains("s3cret"));

    let error = with_local_names(&[]).send(get("http://user:s3cret@[bad/s3cret")).await.unwrap_err();
    assert!(!format!("{error} {error:?}").contains("s3cret"));

    let site = TestServer::start(|_| response("200 OK", &[("Set-Cookie", "s3cret")], b"s3cret")).await;
    let reply = with_local_names(&[]).send(get(format!("http://127.0.0.1:{}/s3cret", site.port))).await.unwrap();
    assert!(!format!("{reply:?}").contains("s3cret"));
}
