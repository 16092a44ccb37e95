use std::time::Duration;

use config::icon::FaviconService;
use url::Url;

use super::outside::ScriptedWeb;
use super::{HTML, ICO, PNG, SVG, WEBP};
use crate::icons::{
    FetchProblem, HostTrust,
    cache::LookupOutcome,
    favicon::{is_local, look_up, page_of, service_address},
    page_links::icon_addresses,
};

async fn find(outside: &ScriptedWeb, page: &str, service: FaviconService) -> Option<Vec<u8>> {
    match look_up(outside, &Url::parse(page).unwrap(), service, HostTrust::Named).await {
        LookupOutcome::Found(stored) => Some(stored.body.to_vec()),
        LookupOutcome::Missing | LookupOutcome::Failed => None,
    }
}

#[test]
fn pages() {
    for (written, expected) in [
        ("https://nas.lan", Some("https://nas.lan/")),
        ("https://nas.lan/app/?token=x#part", Some("https://nas.lan/app/")),
        ("http://user:secret@nas.lan:8080/", Some("http://nas.lan:8080/")),
        ("nas.lan", Some("http://nas.lan/")),
        ("nas.lan:8080/app", Some("http://nas.lan:8080/app")),
        ("localhost:3000", Some("http://localhost:3000/")),
        ("192.168.1.1:8080", Some("http://192.168.1.1:8080/")),
        ("HTTPS://Größe.example", Some("https://xn--gre-6ka8i.example/")),
        ("mailto:anna@example.com", None),
        ("tel:123", None),
        ("ssh://nas.lan", None),
        ("steam:run", None),
        ("javascript:alert(1)", None),
        ("", None),
    ] {
        assert_eq!(page_of(written).map(String::from).as_deref(), expected, "{written}");
    }
}

#[test]
fn local_hosts() {
    for host in [
        "localhost",
        "127.0.0.1",
        "10.0.0.1",
        "172.16.0.1",
        "172.31.255.255",
        "192.168.1.1",
        "169.254.1.1",
        "100.64.0.1",
        "0.0.0.0",
        "[::1]",
        "[fd12::1]",
        "[fe80::1]",
        "[::ffff:192.168.1.1]",
        "nas",
        "nas.local",
        "NAS.LAN",
        "nas.lan.",
        "a.b.home.arpa",
        "router.box",
        "x.internal",
        "2130706433",
    ] {
        assert!(is_local(&Url::parse(&format!("http://{host}/")).unwrap()), "{host}");
    }
    for host in [
        "example.com",
        "1.1.1.1",
        "172.32.0.1",
        "100.128.0.1",
        "[2606:4700::1111]",
        "localhost.com",
        "mylan.org",
        "xlocal.dev",
    ] {
        assert!(!is_local(&Url::parse(&format!("http://{host}/")).unwrap()), "{host}");
    }
}

#[test]
fn icons_named_by_a_page() {
    let page = Url::parse("https://site.test/app/index.html").unwrap();
    let check = |html: &str, expected: &[&str]| {
        let found: Vec<String> = icon_addresses(html.as_bytes(), &page).into_iter().map(String::from).collect();
        assert_eq!(found, expected, "{html}");
    };
    check("<link rel=icon href=a.png>", &["https://site.test/app/a.png"]);
    check("<LINK REL='Shortcut Icon' HREF='/a.ico'/>", &["https://site.test/a.ico"]);
    check("<link rel=\"apple-touch-icon-precomposed\" href=//cdn.test/a.png>", &["https://cdn.test/a.png"]);
    check("<link rel=icon href='a.png?x=1&amp;y=2'>", &["https://site.test/app/a.png?x=1&y=2"]);
    check("<base href='/b/'><link rel=icon href=a.png>", &["https://site.test/b/a.png"]);
    check("<link rel=icon href=a.png><base href='/b/'>", &["https://site.test/b/a.png"]);
    check(
        "<link rel=icon sizes=16x16 href=16.png><link rel=icon sizes=32x32 href=32.png><link rel=icon sizes='192x192' href=192.png>\
         <link rel=icon sizes=512x512 href=512.png><link rel=apple-touch-icon href=touch.png><link rel=icon href=plain.ico>\
         <link rel=icon type=image/svg+xml href=vector>",
        &[
            "https://site.test/app/vector",
            "https://site.test/app/touch.png",
            "https://site.test/app/192.png",
            "https://site.test/app/512.png",
            "https://site.test/app/32.png",
            "https://site.test/app/16.png",
            "https://site.test/app/plain.ico",
        ],
    );
    check(
        "<link rel=icon href=dark.svg media='(prefers-color-scheme: dark)'><link rel=icon href=light.png>",
        &["https://site.test/app/light.png", "https://site.test/app/dark.svg"],
    );
    check(
        "<link rel=mask-icon href=a.svg><link rel=stylesheet href=a.css><link rel=icon><link rel=icon href=' '>",
        &[],
    );
    check("<link rel=icon href=javascript:alert(1)><link rel=icon href=file:///etc/passwd>", &[]);
    check("<script>\"<link rel=icon href=a.png>\"</script><!-- <link rel=icon href=b.png> -->", &[]);
    check("<title><link rel=icon href=a.png></title>", &[]);
    check("<head></head><link rel=icon href=a.png>", &[]);
    check("<body><link rel=icon href=a.png>", &[]);
    check("<link rel=icon href=a.png", &[]);
    check("\u{fffd}\0<<<>>", &[]);
    assert!(icon_addresses(&[0xff, 0xfe, 0x3c], &page).is_empty());
    assert_eq!(icon_addresses("<link rel=icon href=a.png>".repeat(1000).as_bytes(), &page).len(), 1);
}

#[tokio::test]
async fn the_page_comes_first_then_the_root_then_the_service() {
    let outside = ScriptedWeb::default();
    let page = "https://site.com/app";
    let service = "https://icons.duckduckgo.com/ip2/site.com.ico";
    outside.picture(service, WEBP);
    assert_eq!(find(&outside, page, FaviconService::Duckduckgo).await.as_deref(), Some(WEBP));
    assert_eq!(outside.requests(), [page, "https://site.com/favicon.ico", service]);

    outside.picture("https://site.com/favicon.ico", ICO);
    assert_eq!(find(&outside, page, FaviconService::Duckduckgo).await.as_deref(), Some(ICO));
    assert_eq!(outside.requests(), [page, "https://site.com/favicon.ico"]);

    outside.page(page, "<link rel=icon href=/missing.svg><link rel=icon href=/a.png>");
    outside.picture("https://site.com/a.png", PNG);
    assert_eq!(find(&outside, page, FaviconService::Duckduckgo).await.as_deref(), Some(PNG));
    assert_eq!(outside.requests(), [page, "https://site.com/missing.svg", "https://site.com/a.png"]);
}

#[tokio::test]
async fn no_service_hears_of_local_hosts() {
    for (page, service) in [
        ("http://192.168.1.2/", FaviconService::Google),
        ("http://nas.lan/", FaviconService::Allesedv),
        ("https://site.com/", FaviconService::Local),
        ("https://site.com/", FaviconService::Webmasterapi),
    ] {
        let outside = ScriptedWeb::default();
        assert_eq!(find(&outside, page, service).await, None);
        assert_eq!(outside.requests(), [page.to_owned(), format!("{page}favicon.ico")]);
    }
}

#[tokio::test]
async fn error_pages_in_the_place_of_pictures_are_refused() {
    let outside = ScriptedWeb::default();
    outside.page("http://nas.lan/", "<link rel=icon href=a.png>");
    outside.respond("http://nas.lan/a.png", 200, "image/png", HTML);
    outside.respond("http://nas.lan/favicon.ico", 200, "image/x-icon", b"");
    assert_eq!(
        look_up(&outside, &Url::parse("http://nas.lan/").unwrap(), FaviconService::Local, HostTrust::Named).await,
        LookupOutcome::Missing
    );
    // A real picture with an error status is a placeholder of the other side.
    outside.respond("http://nas.lan/favicon.ico", 404, "image/png", PNG);
    assert_eq!(find(&outside, "http://nas.lan/", FaviconService::Local).await, None);
    // A login page has the site's icon whatever its status.
    outside.respond("http://nas.lan/", 401, "text/html", b"<link rel=icon href=b.png>");
    outside.picture("http://nas.lan/b.png", PNG);
    assert_eq!(find(&outside, "http://nas.lan/", FaviconService::Local).await.as_deref(), Some(PNG));
}

#[tokio::test]
async fn too_large_pictures_are_refused() {
    let outside = ScriptedWeb::default();
    let mut large = PNG.to_vec();
    large.resize(2 * 1024 * 1024 + 1, 0);
    outside.picture("http://nas.lan/favicon.ico", &large);
    assert_eq!(find(&outside, "http://nas.lan/", FaviconService::Local).await, None);
    outside.picture("http://nas.lan/favicon.ico", &large[..large.len() - 1]);
    assert!(find(&outside, "http://nas.lan/", FaviconService::Local).await.is_some());
}

#[tokio::test]
async fn a_page_may_carry_its_icon_or_be_one() {
    let outside = ScriptedWeb::default();
    outside.page("http://a.lan/", "<link rel=icon href='data:image/svg+xml,%3Csvg%20xmlns=%22x%22/%3E'>");
    assert_eq!(
        find(&outside, "http://a.lan/", FaviconService::Local).await.as_deref(),
        Some(b"<svg xmlns=\"x\"/>".as_slice())
    );
    outside.page("http://b.lan/", "<link rel=icon href='data:image/png;base64,iVBORw0KGgo='>");
    assert_eq!(
        find(&outside, "http://b.lan/", FaviconService::Local).await.as_deref(),
        Some(b"\x89PNG\r\n\x1a\n".as_slice())
    );
    outside.page("http://c.lan/", "<link rel=icon href='data:text/html,<h1>'><link rel=icon href='data:,'>");
    assert_eq!(find(&outside, "http://c.lan/", FaviconService::Local).await, None);
    outside.picture("http://d.lan/", SVG);
    assert_eq!(find(&outside, "http://d.lan/", FaviconService::Local).await.as_deref(), Some(SVG));
}

#[tokio::test]
async fn redirects_lead_to_the_other_hosts_icon() {
    let outside = ScriptedWeb::default();
    outside.page_elsewhere("http://old.com/", "https://new.com/home/", "<link rel=icon href=a.png>");
    outside.picture("https://new.com/home/a.png", PNG);
    assert_eq!(find(&outside, "http://old.com/", FaviconService::Local).await.as_deref(), Some(PNG));
    outside.page_elsewhere("http://older.com/", "https://other.com/", "");
    outside.picture("https://other.com/favicon.ico", ICO);
    assert_eq!(find(&outside, "http://older.com/", FaviconService::Local).await.as_deref(), Some(ICO));
}

#[tokio::test]
async fn a_public_page_cannot_point_into_the_own_network() {
    let outside = ScriptedWeb::default();
    outside.page(
        "https://evil.com/",
        "<link rel=icon href=http://192.168.1.1/reboot><link rel=icon href=http://nas/a.png>",
    );
    outside.page_elsewhere("https://sly.com/", "http://10.0.0.1/", "");
    for page in ["https://evil.com/", "https://sly.com/"] {
        assert_eq!(find(&outside, page, FaviconService::Local).await, None);
        assert_eq!(outside.requests(), [page.to_owned(), format!("{page}favicon.ico")]);
    }
    // Nor can a page in the local network: the config names only its host.
    outside.page("http://nas.lan/", "<link rel=icon href=http://192.168.1.1/a.png>");
    outside.picture("http://192.168.1.1/a.png", PNG);
    assert_eq!(find(&outside, "http://nas.lan/", FaviconService::Local).await, None);
    assert_eq!(outside.requests(), ["http://nas.lan/", "http://nas.lan/favicon.ico"]);
}

#[tokio::test]
async fn only_the_host_of_the_item_may_turn_out_to_be_private() {
    let outside = ScriptedWeb::default();
    // A name does not show where it resolves to.
    let links = "<link rel=icon href=http://rebound.com/a.png><link rel=icon href=//site.com:8443/b.png>";
    outside.page("https://site.com/", links);
    find(&outside, "https://site.com/", FaviconService::Google).await;
    assert_eq!(
        outside.private_requests(),
        ["https://site.com/", "https://site.com:8443/b.png", "https://site.com/favicon.ico"]
    );
    assert_eq!(outside.requests().len(), 5);
    outside.page_elsewhere("http://old.com/", "https://new.com/home/", "<link rel=icon href=a.png>");
    find(&outside, "http://old.com/", FaviconService::Local).await;
    assert_eq!(outside.private_requests(), ["http://old.com/", "http://old.com/favicon.ico"]);
    // An item on a page from another host may use no private host at all.
    look_up(&outside, &Url::parse("https://site.com/").unwrap(), FaviconService::Local, HostTrust::Foreign).await;
    assert_eq!(outside.private_requests(), [""; 0]);
}

#[tokio::test]
async fn silence_is_not_absence() {
    let outside = ScriptedWeb::default();
    outside.problem("http://nas.lan/", FetchProblem::Unreachable);
    let page = Url::parse("http://nas.lan/").unwrap();
    assert_eq!(look_up(&outside, &page, FaviconService::Local, HostTrust::Named).await, LookupOutcome::Failed);
    assert_eq!(outside.requests(), ["http://nas.lan/"], "a dead host is asked once");
    for problem in [FetchProblem::Forbidden, FetchProblem::Redirects] {
        outside.problem("http://nas.lan/", problem);
        assert_eq!(find(&outside, "http://nas.lan/", FaviconService::Local).await, None);
        assert_eq!(outside.requests(), ["http://nas.lan/", "http://nas.lan/favicon.ico"], "{problem}");
    }
    assert_eq!(look_up(&outside, &page, FaviconService::Local, HostTrust::Named).await, LookupOutcome::Missing);
    outside.problem("http://nas.lan/", FetchProblem::TooLarge);
    outside.picture("http://nas.lan/favicon.ico", ICO);
    assert_eq!(find(&outside, "http://nas.lan/", FaviconService::Local).await.as_deref(), Some(ICO));
}

#[test]
fn every_service_is_asked_over_https_for_the_host_alone() {
    for (word, service) in FaviconService::WORDS {
        let address = service_address(*service, "site.com");
        assert_eq!(address.is_none(), matches!(*word, "local" | "webmasterapi"), "{word}");
        assert!(address.is_none_or(|address| address.scheme() == "https" && address.as_str().contains("site.com")));
    }
}

/// The CPU time of this thread: other tests do not affect it.
fn cpu_time() -> Duration {
    let counts = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    Duration::from_nanos(counts.split(' ').next().and_then(|spent| spent.parse().ok()).unwrap_or_default())
}

#[test]
fn reading_a_page_takes_time_in_proportion_to_its_length() {
    let page = Url::parse("http://nas.lan/").unwrap();
    let pieces = [
        "<link rel=icon href=a>",
        "<link rel=icon href=a#>",
        "<link rel=stylesheet>",
        "<link ",
        "<link a#=1 ",
        "<base href=a/>",
        "<base href='a/../'>",
        "<a",
        "</a>",
        "<",
        "</",
        "<!",
        "<!--",
        "<!-- -",
        "&",
        "&amp;",
        "&#x",
        "<script>",
        "<title>",
        "<title>a</title",
        "<svg>",
        "<![CDATA[",
        "\0",
        "é",
        "'",
        "\"",
        "<a b='",
        "<a b=\"&lt",
        " sizes='16x16 16x16' ",
    ];
    for piece in pieces {
        let document = |bytes: usize| {
            let mut document = "<!doctype html><head>".to_owned();
            let mut number = 0_usize;
            while document.len() < bytes {
                document.push_str(&piece.replace('#', &number.to_string()));
                number += 1;
            }
            document
        };
        let time = |document: &str| {
            let once = || {
                let began = cpu_time();
                _ = icon_addresses(document.as_bytes(), &page);
                cpu_time() - began
            };
            once().min(once())
        };
        let (short, long) = (time(&document(64 * 1024)), time(&document(256 * 1024)));
        // Times near zero cannot be compared; quadratic work takes 16 times as long.
        let short = short.max(Duration::from_millis(10));
        assert!(long < short * 9, "{piece}: {short:?}, {long:?}");
    }
}
