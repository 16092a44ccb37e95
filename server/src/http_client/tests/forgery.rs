//! Request forgery: ways to make the server contact forbidden addresses, all refused, and the home network, all
//! allowed.

use url::Url;

use super::{
    fixture::{Names, TestServer, get, http_client, ok, redirect, with_local_names},
    forgery_addresses::{AT_HOME, FORBIDDEN, MALFORMED},
};
use crate::{
    http_client::{
        BlockReason::{self, Forbidden, Metadata, OwnPort, Private},
        HttpClientError, HttpRequest, PrivateReach,
        guard::{Guard, Restrictions},
        target,
    },
    settings::{HostRule, HttpClientSettings},
};

fn names() -> std::sync::Arc<Names> {
    Names::new(&[
        ("localhost", &["127.0.0.1 ::1"]),
        ("localhost.", &["127.0.0.1"]),
        ("own.test", &["127.0.0.53"]),
        ("link.test", &["169.254.3.4"]),
        ("169.254.169.254.nip.test", &["169.254.169.254"]),
        ("zero.test", &["0.0.0.0"]),
        ("multicast.test", &["239.1.2.3"]),
        ("mapped.test", &["::ffff:169.254.169.254"]),
        ("mixed.test", &["93.184.216.34 169.254.169.254"]),
        ("vault.test", &["10.66.3.4"]),
    ])
}

fn rules(texts: &[&str]) -> Vec<HostRule> {
    texts.iter().map(|text| text.parse().unwrap()).collect()
}

fn settings() -> HttpClientSettings {
    HttpClientSettings {
        own_ports: vec![8080, 443],
        // Allowing a host must not open what is never allowed.
        allowed_hosts: rules(&["169.254.0.0/16", "metadata.google.internal", "::/0", "0.0.0.0/0", "router.test"]),
        forbidden_hosts: rules(&["router.test", "*.secret.test", "10.66.0.0/16"]),
        ..HttpClientSettings::default()
    }
}

#[tokio::test]
async fn forbidden_addresses_are_refused() {
    assert!(FORBIDDEN.len() >= 60);
    let client = http_client(settings(), &names());
    for (url, expected) in FORBIDDEN {
        match client.send(get(*url)).await {
            Err(HttpClientError::Blocked { reason, .. }) => assert_eq!(reason, *expected, "{url}"),
            other => panic!("{url}: {other:?}"),
        }
    }
}

#[tokio::test]
async fn forbidden_addresses_are_refused_for_status_checks() {
    let client = http_client(settings(), &names());
    for (url, _) in FORBIDDEN {
        let outcome = client.send_headers_only(get(*url)).await;
        assert!(matches!(outcome, Err(HttpClientError::Blocked { .. })), "{url}: {outcome:?}");
    }
}

#[tokio::test]
async fn forbidden_addresses_are_refused_after_a_redirect() {
    // Text that is not valid in a header is left out; so are relative addresses once there is a base.
    let carried = |url: &&str| url.is_ascii() && !url.starts_with(' ') && url.contains("://");
    let site = TestServer::start(|heard| {
        let place: usize = heard.line().split(['/', ' ']).nth(2).unwrap().parse().unwrap();
        redirect("302 Found", FORBIDDEN[place].0)
    })
    .await;
    let client = http_client(settings(), &names());
    let mut refused = 0;
    for (place, (url, expected)) in FORBIDDEN.iter().enumerate().filter(|(_, (url, _))| carried(url)) {
        match client.send(get(format!("http://127.0.0.1:{}/{place}", site.port))).await {
            Err(HttpClientError::Blocked { reason, .. }) => assert_eq!(reason, *expected, "{url}"),
            other => panic!("{url}: {other:?}"),
        }
        refused += 1;
    }
    assert!(refused >= 60);
    assert_eq!(site.received().len(), refused);
}

#[tokio::test]
async fn malformed_addresses_are_refused() {
    let client = http_client(settings(), &names());
    for url in MALFORMED {
        let outcome = client.send(get(*url)).await;
        assert!(matches!(outcome, Err(HttpClientError::BadAddress { .. })), "{url:?}: {outcome:?}");
    }
}

#[tokio::test]
async fn a_redirect_to_another_scheme_is_refused() {
    for location in ["file:///etc/passwd", "gopher://127.0.0.1:6379/_x", "ftp://127.0.0.1/", "data:text/plain,x"] {
        let site = TestServer::start(move |_| redirect("302 Found", location)).await;
        let outcome = with_local_names(&[]).send(get(format!("http://127.0.0.1:{}/", site.port))).await;
        assert!(matches!(outcome, Err(HttpClientError::BadAddress { .. })), "{location}: {outcome:?}");
    }
}

/// Only the decision, because none of these hosts exists in a test.
fn check(guard: &Guard, url: &str, resolved: &str) -> Result<(), BlockReason> {
    let url: Url = target::read(url).unwrap().url;
    let restrictions = Restrictions { own_port: guard.is_own_port(&url), public_only: false };
    guard.check_url(&url, restrictions)?;
    let addresses = resolved.split_whitespace().map(|ip| ip.parse().unwrap()).collect();
    guard.check_resolved(url.host_str().unwrap(), restrictions, addresses).map(drop)
}

#[test]
fn the_home_network_is_allowed() {
    let guard = Guard::new(&HttpClientSettings { own_ports: vec![8080, 443], ..HttpClientSettings::default() });
    for (url, resolved) in AT_HOME {
        assert_eq!(check(&guard, url, resolved), Ok(()), "{url}");
    }
}

#[test]
fn private_addresses_can_be_switched_off() {
    let guard = Guard::new(&HttpClientSettings { forbid_private: true, ..HttpClientSettings::default() });
    for (url, resolved) in AT_HOME {
        let public = url.contains("example");
        assert_eq!(check(&guard, url, resolved), if public { Ok(()) } else { Err(Private) }, "{url}");
    }
    for url in ["http://[2002:c0a8:10a::1]/", "http://[::10.0.0.1]/", "http://[64:ff9b::127.0.0.1]/"] {
        assert_eq!(check(&guard, url, ""), Err(Private), "{url}");
    }
    assert_eq!(check(&guard, "http://mixed.example/", "93.184.216.34 10.0.0.1"), Err(Private));
}

#[test]
fn allowed_hosts_are_exceptions_from_the_switch() {
    let guard = Guard::new(&HttpClientSettings {
        forbid_private: true,
        allowed_hosts: rules(&["nas.lan", "*.home.arpa", "10.1.0.0/16", "fd12::/16"]),
        forbidden_hosts: rules(&["10.1.9.9"]),
        ..HttpClientSettings::default()
    });
    let allowed = [
        ("http://NAS.lan/", "192.168.1.2"),
        ("http://tv.home.arpa/", "192.168.1.3"),
        ("http://10.1.2.3/", ""),
        ("http://other.lan/", "10.1.2.3"),
        ("http://[fd12::5]/", ""),
        ("http://[::ffff:10.1.2.3]/", ""),
    ];
    for (url, resolved) in allowed {
        assert_eq!(check(&guard, url, resolved), Ok(()), "{url}");
    }
    let refused = [
        ("http://other.lan/", "192.168.1.2", Private),
        ("http://192.168.1.2/", "", Private),
        ("http://home.arpa/", "192.168.1.3", Private),
        ("http://10.1.9.9/", "", Forbidden),
        ("http://nas.lan/", "10.1.9.9", Forbidden),
        ("http://nas.lan/", "169.254.169.254", Metadata),
    ];
    for (url, resolved, reason) in refused {
        assert_eq!(check(&guard, url, resolved), Err(reason), "{url}");
    }
}

#[tokio::test]
async fn another_port_of_this_machine_may_be_called_but_not_ours() {
    let ours = TestServer::start(|_| ok("ours")).await;
    let other = TestServer::start(|_| ok("other")).await;
    let client = http_client(
        HttpClientSettings { own_ports: vec![ours.port], ..HttpClientSettings::default() },
        &Names::new(&[("localhost", &["127.0.0.1"])]),
    );
    for host in ["localhost", "127.0.0.1", "[::ffff:127.0.0.1]"] {
        let reply = client.send(get(format!("http://{host}:{}/", other.port))).await.unwrap();
        assert_eq!(&reply.body[..], b"other");
        let error = client.send(get(format!("http://{host}:{}/", ours.port))).await.unwrap_err();
        assert!(matches!(error, HttpClientError::Blocked { reason: OwnPort, .. }), "{host}: {error}");
    }
    assert!(ours.received().is_empty());
}

#[tokio::test]
async fn what_a_service_names_is_not_looked_for_in_the_home_network() {
    let router = TestServer::start(|_| ok("router")).await;
    let port = router.port;
    let public = TestServer::start(move |_| redirect("302 Found", &format!("http://router.lan:{port}/"))).await;
    let names = Names::new(&[
        ("router.lan", &["127.0.0.1"]),
        ("nas.lan", &["127.0.0.1"]),
        ("localhost", &["127.0.0.1"]),
        ("mixed.example", &["93.184.216.34 127.0.0.1"]),
    ]);
    let client = http_client(HttpClientSettings::default(), &names);
    let send = async |url: String, private_reach: PrivateReach| {
        client.send(HttpRequest { private_reach, ..get(url) }).await.map(|reply| reply.body)
    };
    let at_home = format!("http://router.lan:{port}/");
    // Nor is a connection reused that another client has opened.
    assert_eq!(&send(at_home.clone(), PrivateReach::Everywhere).await.unwrap()[..], b"router");
    assert_eq!(&send(at_home.clone(), PrivateReach::OwnHost).await.unwrap()[..], b"router");
    let heard = router.received().len();
    for (url, reach) in [
        (at_home, PrivateReach::Nowhere),
        (format!("http://127.0.0.1:{port}/"), PrivateReach::Nowhere),
        (format!("http://[::ffff:127.0.0.1]:{port}/"), PrivateReach::Nowhere),
        (format!("http://2130706433:{port}/"), PrivateReach::Nowhere),
        (format!("http://localhost:{port}/"), PrivateReach::Nowhere),
        (format!("http://mixed.example:{port}/"), PrivateReach::Nowhere),
        ("http://192.168.1.1/".to_owned(), PrivateReach::Nowhere),
        // The redirect target is another host.
        (format!("http://nas.lan:{}/", public.port), PrivateReach::OwnHost),
    ] {
        let error = send(url.clone(), reach).await.unwrap_err();
        assert!(matches!(error, HttpClientError::Blocked { reason: BlockReason::NotNamed, .. }), "{url}: {error}");
    }
    assert_eq!((router.received().len(), public.received().len()), (heard, 1));
    // It may redirect to another port of the host that the config names.
    let same = TestServer::start(move |_| redirect("302 Found", &format!("http://ROUTER.lan:{port}/"))).await;
    let moved = send(format!("http://router.lan:{}/", same.port), PrivateReach::OwnHost).await;
    assert_eq!(&moved.unwrap()[..], b"router");
    // The administrator may allow a host for everyone.
    let settings =
        HttpClientSettings { allowed_hosts: vec!["router.lan".parse().unwrap()], ..HttpClientSettings::default() };
    let request = get(format!("http://router.lan:{port}/"));
    let reply =
        http_client(settings, &names).send(HttpRequest { private_reach: PrivateReach::Nowhere, ..request }).await;
    assert_eq!(&reply.unwrap().body[..], b"router");
}
