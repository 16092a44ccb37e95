//! Entries of pages on other hosts: they may only read, from public hosts and from that host.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use app::backend::{PanelQuery, PanelResponse, PanelState};
use config::{Config, Document};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpListener,
};
use widgets::RunSide;

use super::super::*;
use crate::{
    panels::{
        embedded::{Rights, address, document},
        own_addresses::OwnAddresses,
    },
    platform::system_info::Machine,
    settings::{HttpClientSettings, variables::Variables},
};

/// A service in the private network, and how often it was queried.
async fn service() -> (u16, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let (port, count) = (listener.local_addr().unwrap().port(), Arc::new(AtomicUsize::new(0)));
    let heard = Arc::clone(&count);
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            heard.fetch_add(1, Ordering::SeqCst);
            _ = stream.read(&mut [0; 4096]).await;
            let answer = "HTTP/1.1 200 OK\r\nContent-Length: 7\r\nConnection: close\r\n\r\n\"hello\"";
            _ = stream.write_all(answer.as_bytes()).await;
        }
    });
    (port, count)
}

/// The plan of a widget on a page from this host, or from ours.
fn planned(widget: &str, host: Option<&str>) -> Arc<PlannedWidget> {
    let document = Document::parse(format!("sections: [{{ name: A, widgets: [{widget}] }}]\n").as_bytes()).unwrap();
    let config = Config::read(&document).unwrap();
    let plans = match host {
        Some(host) => WidgetPlans::of_remote(&config, &document, host),
        None => WidgetPlans::of(&config, &document, &Variables::default()),
    };
    Arc::clone(plans.get(0, 0).unwrap())
}

async fn request(planned: &Arc<PlannedWidget>) -> PanelResponse {
    panels().request(planned, &PanelQuery::default(), false).await
}

fn panels() -> Panels {
    _ = rustls::crypto::ring::default_provider().install_default();
    let http_client = HttpClient::new(HttpClientSettings::default()).unwrap();
    Panels::new(http_client, OwnAddresses::new("nowhere".into(), Machine::new(None)), "")
}

#[tokio::test]
async fn entries_of_other_hosts_ask_that_host_and_send_nothing() {
    let (port, count) = service().await;
    let private = "is in a private network. Only hosts";
    let [sends, keys] = ["may not send data, only read it", "may not send passwords, keys or headers"];
    let own = Some("127.0.0.1");
    for (host, options, refused) in [
        (None, "", None),
        (None, "method: POST, requestBody: x, headers: { X-Key: a }", None),
        (own, "", None),
        (own, "headers: { Accept: text/plain }", None),
        (own, "method: POST", Some(sends)),
        (own, "method: HEAD", Some(sends)),
        (own, "headers: { Authorization: a }", Some(keys)),
        (own, "headers: { X-Requested-With: a }", Some(keys)),
        (own, "username: anna, password: pw", Some(keys)),
        (Some("pages.example"), "", Some(private)),
        (Some("pages.example"), "method: POST", Some(sends)),
    ] {
        let widget = format!("{{ type: api-response, options: {{ url: 'http://127.0.0.1:{port}/', {options} }} }}");
        let before = count.load(Ordering::SeqCst);
        let answer = request(&planned(&widget, host)).await;
        let asked = count.load(Ordering::SeqCst) - before;
        let note = answer.note.clone().unwrap_or_default();
        match refused {
            None => assert_eq!((asked, answer.state), (1, PanelState::Content), "{host:?} {options} {note}"),
            Some(sentence) => assert!(asked == 0 && note.contains(sentence), "{host:?} {options} {asked} {note}"),
        }
    }
}

#[tokio::test]
async fn what_a_redirect_names_is_not_looked_for_in_the_private_network() {
    let (port, count) = service().await;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let own = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        for host in ["localhost", "127.0.0.1"] {
            let (mut stream, _) = listener.accept().await.unwrap();
            _ = stream.read(&mut [0; 4096]).await;
            let answer = format!("HTTP/1.1 302 Found\r\nLocation: http://{host}:{port}/\r\nContent-Length: 0\r\n\r\n");
            _ = stream.write_all(answer.as_bytes()).await;
        }
    });
    let planned = planned(&format!("{{ type: api-response, options: {{ url: 'http://127.0.0.1:{own}/' }} }}"), None);
    let answer = request(&planned).await;
    let note = answer.note.unwrap_or_default();
    assert!(note.starts_with("localhost is in a private network. Only hosts"), "{note}");
    assert_eq!(count.load(Ordering::SeqCst), 0);
    // Another port of the same host is fine.
    assert_eq!(request(&planned).await.state, PanelState::Content);
    assert_eq!(count.load(Ordering::SeqCst), 1);
}

#[test]
fn entries_of_other_hosts_share_nothing_with_ours_and_never_use_the_browser() {
    let ours = planned("{ type: public-ip }", None);
    let theirs = planned("{ type: public-ip }", Some("pages.example"));
    assert_eq!((&ours.place, &theirs.place), (&RunSide::Browser, &RunSide::Server));
    assert!(theirs.origins.is_empty() && theirs.key != ours.key);
    let others = planned("{ type: public-ip }", Some("other.example"));
    assert_ne!(others.key, theirs.key);
}

#[tokio::test]
async fn what_pages_of_other_hosts_embed_has_no_rights() {
    let widget = "{ type: html-embed, options: { html: '<b>x</b>', script: 'go()', scriptSrc: /own.js } }";
    let panels = panels();
    for (host, expected) in [(None, Rights::Scripts), (Some("pages.example"), Rights::Nothing)] {
        let planned = planned(widget, host);
        let (embedded, rights) = panels.embedded(&planned).unwrap();
        assert_eq!(rights, expected);
        assert_eq!(document(embedded, rights, None).contains("go()"), host.is_none());
        let RunSide::Local(panel) = &planned.place else { panic!("{:?}", planned.place) };
        let html = panels.local(panel, &planned, &address(("my page", 0, 0)));
        assert!(html.contains("src=\"/widget-frame/my%20page/0/0\""), "{html}");
        let says_so = html.contains("Scripts on pages of another host do not run.");
        assert_eq!((html.contains("allow-scripts"), says_so), (host.is_none(), host.is_some()), "{html}");
    }
}
