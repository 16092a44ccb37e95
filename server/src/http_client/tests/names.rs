//! Host rules, and what a name may resolve to.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;

use super::fixture::{Names, TestServer, get, http_client, ok};
use crate::{
    http_client::{BlockReason, HttpClient, HttpClientError, LookedUp, NameLookup, guard::is_own_address},
    settings::{HostRule, HttpClientSettings},
};

#[track_caller]
fn rule(text: &str) -> HostRule {
    text.parse().unwrap()
}

#[test]
fn rules_match_names_and_what_is_below() {
    let cases = [
        ("nas.lan", "nas.lan", true),
        ("NAS.lan.", "nas.lan", true),
        ("nas.lan", "my.nas.lan", false),
        ("*.lan", "nas.lan", true),
        ("*.lan", "a.nas.lan", true),
        (".lan", "nas.lan", true),
        ("*.lan", "lan", false),
        ("*.lan", "evillan", false),
        ("bücher.example", "xn--bcher-kva.example", true),
        ("10.0.0.0/8", "nas.lan", false),
    ];
    for (text, name, expected) in cases {
        assert_eq!(rule(text).matches_name(name), expected, "{text} on {name}");
    }
}

#[test]
fn rules_match_addresses_and_networks() {
    let cases = [
        ("192.168.1.10", "192.168.1.10", true),
        ("192.168.1.10", "192.168.1.11", false),
        ("0xc0a8010a", "192.168.1.10", true),
        ("192.168.1.99/24", "192.168.1.1", true),
        ("192.168.1.0/24", "192.168.2.1", false),
        ("0.0.0.0/0", "8.8.8.8", true),
        ("[fd00::1]", "fd00::1", true),
        ("fd00::/8", "fd12::1", true),
        ("fd00::/8", "fe12::1", false),
        ("::ffff:10.0.0.1", "10.0.0.1", true),
        ("::/0", "10.0.0.1", false),
        ("nas.lan", "192.168.1.10", false),
    ];
    for (text, address, expected) in cases {
        assert_eq!(rule(text).matches_address(address.parse().unwrap()), expected, "{text} on {address}");
    }
}

#[test]
fn other_texts_are_no_rules() {
    for text in ["", "*", "*.", ".", "a b", "10.0.0.0/33", "fd00::/129", "10.0.0.0/x", "nas/24", "a.*.lan", "a..b"] {
        let error = text.parse::<HostRule>().unwrap_err();
        assert_eq!(error.to_string(), format!("`{text}` is not a host name, an address or a network"));
    }
}

#[tokio::test]
async fn a_name_is_looked_up_once_and_the_connection_goes_to_that_answer() {
    let site = TestServer::start(|_| ok("inside")).await;
    let names = Names::new(&[("rebind.test", &["127.0.0.1", "169.254.169.254"])]);
    let client = http_client(HttpClientSettings::default(), &names);
    let url = format!("http://rebind.test:{}/", site.port);

    let reply = client.send(get(&url)).await.unwrap();
    assert_eq!(&reply.body[..], b"inside");
    assert_eq!(names.lookups(), ["rebind.test"]);

    let error = client.send(get(&url)).await.unwrap_err();
    assert_eq!(error, HttpClientError::Blocked { host: "rebind.test".into(), reason: BlockReason::Metadata });
    assert_eq!(site.received().len(), 1);
}

#[tokio::test]
async fn one_forbidden_address_condemns_the_answer() {
    let site = TestServer::start(|_| ok("inside")).await;
    let cases: [(&[&str], BlockReason); 5] = [
        (&["127.0.0.1 169.254.169.254"], BlockReason::Metadata),
        (&["127.0.0.1 169.254.7.7"], BlockReason::LinkLocal),
        (&["127.0.0.1 0.0.0.0"], BlockReason::NotAHost),
        (&["127.0.0.1 ::ffff:100.100.100.200"], BlockReason::Metadata),
        (&["fe80::1"], BlockReason::LinkLocal),
    ];
    for (addresses, reason) in cases {
        let client = http_client(HttpClientSettings::default(), &Names::new(&[("mixed.test", addresses)]));
        let error = client.send(get(format!("http://mixed.test:{}/", site.port))).await.unwrap_err();
        assert_eq!(error, HttpClientError::Blocked { host: "mixed.test".into(), reason }, "{addresses:?}");
    }
    assert!(site.received().is_empty());
}

#[tokio::test]
async fn a_link_local_ipv6_address_beside_others_is_left_out() {
    let site = TestServer::start(|_| ok("printer")).await;
    let client = http_client(HttpClientSettings::default(), &Names::new(&[("printer.local", &["fe80::1 127.0.0.1"])]));
    let reply = client.send(get(format!("http://printer.local:{}/", site.port))).await.unwrap();
    assert_eq!(&reply.body[..], b"printer");
}

#[tokio::test]
async fn a_name_without_addresses_is_not_found() {
    let client = http_client(HttpClientSettings::default(), &Names::new(&[("empty.test", &[""])]));
    for host in ["empty.test", "unknown.test"] {
        let error = client.send(get(format!("http://{host}/secret?key=1"))).await.unwrap_err();
        assert_eq!(error, HttpClientError::NameNotFound { host: host.into() });
        assert_eq!(error.to_string(), format!("{host} could not be reached (name not found)"));
    }
}

/// A DNS server that is down.
struct Silent;

impl NameLookup for Silent {
    fn lookup(&self, _: &str) -> LookedUp {
        Box::pin(std::future::pending())
    }
}

#[tokio::test(start_paused = true)]
async fn a_silent_name_service_times_out() {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let client = HttpClient::with_lookup(HttpClientSettings::default(), Arc::new(Silent)).unwrap();
    let error = client.send(get("http://nas.test/")).await.unwrap_err();
    // No option of an entry raises this limit.
    assert_eq!(error, HttpClientError::Unreachable { host: "nas.test".into() });
}

#[test]
fn only_addresses_of_this_machine_are_its_own() {
    assert!(is_own_address(IpAddr::V4(Ipv4Addr::LOCALHOST)));
    assert!(is_own_address("127.9.9.9".parse().unwrap()));
    assert!(is_own_address("::1".parse().unwrap()));
    assert!(!is_own_address("192.0.2.1".parse().unwrap()));
    assert!(!is_own_address("2001:db8::1".parse().unwrap()));
}
