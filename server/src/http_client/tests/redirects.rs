//! How far redirects are followed, and what is sent along.

use super::fixture::{ReceivedRequest, TestServer, get, ok, redirect, response, with_local_names};
use crate::http_client::{BlockReason, HttpClientError, HttpRequest, Purpose};

/// Redirects from `/n` to `/n-1`, until `/0` responds.
async fn staircase() -> TestServer {
    TestServer::start(|heard| {
        let path = heard.line().split(' ').nth(1).unwrap();
        match path.trim_start_matches('/').parse::<u32>().unwrap() {
            0 => ok("ground"),
            step => redirect("302 Found", &format!("/{}", step - 1)),
        }
    })
    .await
}

#[tokio::test]
async fn redirects_are_followed_up_to_the_limit() {
    let site = staircase().await;
    let client = with_local_names(&["stairs.test"]);
    let url = |step: u32| format!("http://stairs.test:{}/{step}", site.port);

    let reply = client.send(get(url(5))).await.unwrap();
    assert_eq!(&reply.body[..], b"ground");
    assert_eq!(reply.final_url.as_str(), url(0));
    assert_eq!(site.received().len(), 6);

    let error = client.send(get(url(6))).await.unwrap_err();
    assert_eq!(error, HttpClientError::TooManyRedirects { host: "stairs.test".into() });
    assert_eq!(site.received().len(), 12);
}

#[tokio::test]
async fn with_no_redirects_allowed_the_redirect_is_the_reply() {
    let site = staircase().await;
    let mut request = get(format!("http://127.0.0.1:{}/3", site.port));
    request.max_redirects = 0;
    let reply = with_local_names(&[]).send(request).await.unwrap();
    assert_eq!(reply.status, 302);
    assert_eq!(reply.headers["location"], "/2");
}

#[tokio::test]
async fn only_redirects_with_a_place_to_go_are_followed() {
    let cases = [
        response("302 Found", &[], b"here"),
        response("304 Not Modified", &[("Location", "/other")], b""),
        response("300 Multiple Choices", &[("Location", "/other")], b"here"),
        response("201 Created", &[("Location", "/other")], b"here"),
    ];
    for bytes in cases {
        let site = TestServer::start(move |_| bytes.clone()).await;
        with_local_names(&[]).send(get(format!("http://127.0.0.1:{}/", site.port))).await.unwrap();
        assert_eq!(site.received().len(), 1);
    }
    let site = TestServer::start(|_| redirect("302 Found", "http://[broken/")).await;
    let error = with_local_names(&[]).send(get(format!("http://127.0.0.1:{}/", site.port))).await.unwrap_err();
    let problem = "a redirect to nowhere";
    assert_eq!(error, HttpClientError::Protocol { host: "127.0.0.1".into(), problem });
}

/// A site at `here.test` that redirects to `location`, where `{port}` is the port of another site; both requests.
async fn follow(
    location: &str,
    change: impl Fn(&mut HttpRequest),
) -> (Result<(), HttpClientError>, Vec<ReceivedRequest>, Vec<ReceivedRequest>) {
    follow_with("307 Temporary Redirect", location, change).await
}

async fn follow_with(
    status: &'static str,
    location: &str,
    change: impl Fn(&mut HttpRequest),
) -> (Result<(), HttpClientError>, Vec<ReceivedRequest>, Vec<ReceivedRequest>) {
    let there = TestServer::start(|_| ok("there")).await;
    let location = location.replace("{port}", &there.port.to_string());
    let here = TestServer::start(move |heard| match heard.line().contains("/start") {
        true => redirect(status, &location),
        false => ok("here"),
    })
    .await;
    let mut request = get(format!("http://me:s3cret@here.test:{}/start?apikey=abcdef&page=2", here.port))
        .with_header("Cookie", "session=abcdef")
        .with_header("X-Api-Key", "abcdef")
        .with_header("X-Plex-Token", "abcdef")
        .with_header("Accept", "application/json")
        .with_header("User-Agent", "Tester");
    request.secret_query_keys = vec!["apikey".into()];
    change(&mut request);
    let outcome = with_local_names(&["here.test", "there.test"]).send(request).await;
    (outcome.map(drop), here.received(), there.received())
}

#[tokio::test]
async fn secrets_stay_with_their_origin() {
    let (outcome, here, there) = follow("http://there.test:{port}/next?page=2&APIKEY=abcdef&x=%20y", |_| ()).await;
    assert_eq!(outcome, Ok(()));
    assert_eq!(here[0].line(), "GET /start?apikey=abcdef&page=2 HTTP/1.1");
    assert_eq!(here[0].header("authorization"), Some("Basic bWU6czNjcmV0"));
    assert_eq!(here[0].header("cookie"), Some("session=abcdef"));
    assert_eq!(here[0].header("x-api-key"), Some("abcdef"));

    assert_eq!(there[0].line(), "GET /next?page=2&x=%20y HTTP/1.1");
    for name in ["authorization", "cookie", "x-api-key", "x-plex-token", "referer"] {
        assert_eq!(there[0].header(name), None, "{name}");
    }
    assert_eq!(there[0].header("accept"), Some("application/json"));
    assert_eq!(there[0].header("user-agent"), Some("Tester"));
    assert!(!there[0].head.contains("abcdef"));
}

#[tokio::test]
async fn the_same_host_on_another_port_is_another_origin() {
    let (outcome, _, there) = follow("http://here.test:{port}/next", |_| ()).await;
    assert_eq!(outcome, Ok(()));
    assert_eq!(there[0].header("authorization"), None);
    assert_eq!(there[0].header("x-api-key"), None);
}

#[tokio::test]
async fn a_key_inside_of_another_parameter_is_dropped_as_well() {
    let (_, _, there) = follow("//there.test:{port}/in?back=%2Fstart%3Fapikey%3Dabcdef&lang=en", |_| ()).await;
    assert_eq!(there[0].line(), "GET /in?lang=en HTTP/1.1");
    let (_, _, there) = follow("//there.test:{port}/in?apikey=abcdef", |_| ()).await;
    assert_eq!(there[0].line(), "GET /in HTTP/1.1");
}

#[tokio::test]
async fn a_key_that_only_its_name_tells_is_dropped_and_those_of_the_other_host_stay() {
    let location = "//there.test:{port}/in?apikey=abcdef&x-key=abcdef&token=of-the-file&page=2";
    let (_, _, there) = follow(location, |request| request.secret_query_keys.clear()).await;
    assert_eq!(there[0].line(), "GET /in?token=of-the-file&page=2 HTTP/1.1");
    let (_, _, there) = follow("//there.test:{port}/in?pwd=ab&page=2", |request| {
        request.secret_query_keys.clear();
        request.url = request.url.replace("apikey=abcdef", "pwd=ab");
    })
    .await;
    assert_eq!(there[0].line(), "GET /in?page=2 HTTP/1.1");
}

#[tokio::test]
async fn secrets_follow_within_their_origin() {
    let (outcome, here, _) = follow("/next?apikey=abcdef#part", |_| ()).await;
    assert_eq!(outcome, Ok(()));
    assert_eq!(here[1].line(), "GET /next?apikey=abcdef HTTP/1.1");
    assert_eq!(here[1].header("authorization"), Some("Basic bWU6czNjcmV0"));
    assert_eq!(here[1].header("x-api-key"), Some("abcdef"));
}

#[tokio::test]
async fn credentials_of_a_redirect_are_not_sent() {
    let (outcome, _, there) = follow("http://admin:admin@there.test:{port}/", |_| ()).await;
    assert_eq!(outcome, Ok(()));
    assert_eq!(there[0].header("authorization"), None);
}

#[tokio::test]
async fn secrets_do_not_come_back_with_a_second_redirect() {
    let home = std::sync::Arc::new(std::sync::OnceLock::<u16>::new());
    let known = std::sync::Arc::clone(&home);
    let away =
        TestServer::start(move |_| redirect("302 Found", &format!("http://here.test:{}/back", known.get().unwrap())))
            .await;
    let port = away.port;
    let here = TestServer::start(move |heard| match heard.line().contains("/start") {
        true => redirect("302 Found", &format!("http://away.test:{port}/")),
        false => ok("back"),
    })
    .await;
    home.set(here.port).unwrap();
    let request = get(format!("http://me:pass@here.test:{}/start", here.port));
    with_local_names(&["here.test", "away.test"]).send(request).await.unwrap();
    assert!(here.received()[0].header("authorization").is_some());
    assert_eq!(here.received()[1].line(), "GET /back HTTP/1.1");
    assert_eq!(here.received()[1].header("authorization"), None);
}

fn posted(request: &mut HttpRequest) {
    let url = request.url.clone();
    *request = HttpRequest::post(Purpose::Configured, url, "password=s3cret").with_header("Content-Type", "text/plain");
}

#[tokio::test]
async fn a_body_is_repeated_within_its_origin_only() {
    for status in ["307 Temporary Redirect", "308 Permanent Redirect"] {
        let (outcome, here, _) = follow_with(status, "/next", posted).await;
        assert_eq!(outcome, Ok(()));
        assert_eq!(here[1].line(), "POST /next HTTP/1.1");
        assert_eq!(here[1].body, "password=s3cret");

        let (outcome, _, there) = follow_with(status, "http://there.test:{port}/", posted).await;
        let reason = BlockReason::BodyElsewhere;
        assert_eq!(outcome, Err(HttpClientError::Blocked { host: "here.test".into(), reason }));
        assert!(there.is_empty());
    }
}

#[tokio::test]
async fn a_posted_form_becomes_a_page_view() {
    for status in ["301 Moved Permanently", "302 Found", "303 See Other"] {
        let (outcome, _, there) = follow_with(status, "http://here.test:{port}/done", posted).await;
        assert_eq!(outcome, Ok(()));
        assert_eq!(there[0].line(), "GET /done HTTP/1.1");
        assert_eq!(there[0].body, "");
        assert_eq!(there[0].header("content-type"), None);
        assert_eq!(there[0].header("content-length"), None);
    }
}
