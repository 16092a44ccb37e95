//! `X-Forwarded-Prefix`: the proxy removes a path prefix, and pages add it to every address.

use std::fs;

use crate::{
    upstream::{Behavior, Upstream},
    world::{C, Reply, Setup, USERS, World},
};

const PROXY: &str = "10.0.0.2";
const CONF: &str = "pageInfo: { title: House }
pages: [ { name: Lab, path: lab.yml } ]
sections: [ { name: Media, items: [ { title: Films, url: 'http://nas.lan', icon: si-jellyfin } ] } ]
";

async fn house() -> World {
    let lab = "pageInfo: { title: Lab }\nsections: [ { name: Racks } ]\n";
    Setup::new().env("ENABLE_API", "").file("conf.yml", CONF).file("lab.yml", lab).start().await
}

async fn through(world: &World, path: &str, peer: &str, prefixes: &[&str]) -> Reply {
    let request = world.request("GET", path).peer(peer);
    prefixes.iter().fold(request, |request, prefix| request.header("x-forwarded-prefix", prefix)).send().await
}

/// The text before the address of the other page.
fn prefix_of(page: &Reply) -> String {
    let address = page.text.split("/home/lab\"").next().and_then(|before| before.rsplit('"').next());
    address.unwrap().to_owned()
}

#[tokio::test]
async fn addresses_have_the_prefix_that_a_proxy_has_taken_off() {
    let world = house().await;
    for (prefixes, expected) in [
        (&["/apps/dash"][..], "/apps/dash"),
        (&["/apps/dash/"], "/apps/dash"),
        (&["apps"], "/apps"),
        (&["/outer", "/inner"], "/outer/inner"),
        (&["/outer, /inner"], "/outer/inner"),
        (&["/"], ""),
        (&[""], ""),
        (&["/a/../b"], ""),
        (&["/a b"], ""),
        (&["/a\"><script>"], ""),
        (&["/ok", "/%2e"], ""),
        (&[], ""),
    ] {
        let page = through(&world, "/", PROXY, prefixes).await.expect_status(200);
        assert_eq!(prefix_of(&page), expected, "{prefixes:?}");
        let wanted = format!("data-fonts=\"{expected}/fonts/figtree-latin.woff2\"");
        assert!(page.text.contains(&wanted), "{prefixes:?}");
        let lab = through(&world, "/home/lab", PROXY, prefixes).await.expect_status(200);
        assert!(lab.text.contains("<title>Lab</title>"));
    }
    assert_eq!(through(&world, "/", PROXY, &[&"/a".repeat(101)]).await.header("x-content-type-options"), "nosniff");
}

#[tokio::test]
async fn whatever_a_page_names_answers_through_the_proxy() {
    let world = house().await;
    let page = through(&world, "/", PROXY, &["/dash"]).await;
    let names = page.text.split("=\"/dash").skip(1).map(|rest| rest.split('"').next().unwrap().replace("#i", ""));
    // The form for the language is posted.
    let names: Vec<_> =
        names.filter(|name| !name.is_empty() && name != "/language" && !name.contains("favicon.svg")).collect();
    assert!(names.iter().any(|name| name.ends_with(".wasm")) && names.len() > 5, "{names:?}");
    for name in names.iter().filter(|name| !name.starts_with("/icons/")) {
        // The page contains the folder of the themes, for a script that adds the name of a theme.
        let path =
            if name.starts_with("/themes/") && name.ends_with('/') { format!("{name}nord.css") } else { name.clone() };
        through(&world, &path, PROXY, &["/dash"]).await.expect_status(200);
    }
    // The policy allows the inline styles with the prefix.
    let styles = page.text.split("<style>").nth(1).and_then(|rest| rest.split("</style>").next()).unwrap();
    assert!(styles.contains("url(\"/dash/fonts/"));
    use base64::Engine as _;
    use sha2::Digest as _;
    let hash = base64::engine::general_purpose::STANDARD.encode(sha2::Sha256::digest(styles));
    assert!(page.header("content-security-policy").contains(&hash));
}

#[tokio::test]
async fn headers_of_untrusted_peers_are_ignored() {
    let world = house().await;
    assert_eq!(prefix_of(&through(&world, "/", "203.0.113.7", &["/dash"]).await), "");
    let world = Setup::new().env("TRUSTED_PROXIES", "203.0.113.7").file("conf.yml", CONF).start().await;
    assert_eq!(prefix_of(&through(&world, "/", PROXY, &["/dash"]).await), "");
    assert_eq!(prefix_of(&through(&world, "/", "203.0.113.7", &["/dash"]).await), "/dash");
}

#[tokio::test]
async fn the_prefix_of_the_settings_lies_behind_it() {
    let world = Setup::new().env("BASE_URL", "/start").file("conf.yml", CONF).start().await;
    for (path, prefix, expected) in [
        ("/start/", "/apps", "/apps/start"),
        // This proxy names a prefix without removing it.
        ("/start/", "/start", "/start"),
    ] {
        let page = through(&world, path, PROXY, &[prefix]).await.expect_status(200);
        assert_eq!(prefix_of(&page), expected, "{prefix}");
    }
}

#[tokio::test]
async fn a_change_shows_under_every_prefix() {
    let world = house().await;
    let prefixes: Vec<String> = (0..4).map(|number| format!("/p{number}")).collect();
    for text in [CONF.to_owned(), CONF.replace("House", "Home of all")] {
        fs::write(world.path("conf.yml"), &text).unwrap();
        world.poll().await;
        let title = if text == CONF { "<title>House</title>" } else { "<title>Home of all</title>" };
        for prefix in &prefixes {
            let page = through(&world, "/", PROXY, &[prefix]).await.expect_status(200);
            assert!(page.text.contains(title) && prefix_of(&page) == *prefix, "{prefix}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn made_up_prefixes_push_no_real_one_out() {
    let world = house().await;
    let request = async |prefix: &str| prefix_of(&through(&world, "/", PROXY, &[prefix]).await);
    assert_eq!(request("/real").await, "/real");
    for number in 0..100 {
        let made_up = format!("/p{number}");
        assert_eq!(request(&made_up).await, made_up);
    }
    assert_eq!(request("/real").await, "/real");
    // Nor does a late one, however many prefixes strangers use.
    assert_eq!(request("/late").await, "/late");
    tokio::time::advance(std::time::Duration::from_secs(601)).await;
    assert_eq!(request("/late").await, "/late");
    assert_eq!(request("/real").await, "/real");
}

#[tokio::test]
async fn a_service_is_asked_once_for_all_prefixes() {
    let feed = "<rss version='2.0' xmlns:media='http://search.yahoo.com/mrss/'><channel><title>Garden</title>\
        <item><title>Rain</title><media:thumbnail url='https://blog.example/rain.png'/></item></channel></rss>";
    let upstream = Upstream::start(Behavior::Says(200, Vec::new(), feed.into())).await;
    let feed = upstream.url("/feed.xml");
    let conf =
        format!("sections: [ {{ name: A, widgets: [ {{ type: rss-feed, options: {{ rssUrl: '{feed}' }} }} ] }} ]\n");
    let world = Setup::new().file("conf.yml", conf).start().await;
    for prefixes in [&[][..], &["/dash"], &["/apps/dash"]] {
        let panel = "/fn/panel?page=home&section=0&widget=0&kind=rss-feed";
        let panel = through(&world, panel, PROXY, prefixes).await.expect_status(200).json();
        let page = through(&world, "/", PROXY, prefixes).await.expect_status(200).text;
        let picture = format!("<img src=\"{}/widget-picture/", prefixes.concat());
        assert!(panel["html"].as_str().unwrap().contains(&picture), "{panel}");
        assert!(page.contains(&picture), "{prefixes:?}");
    }
    assert_eq!(upstream.count(), 1);
}

#[tokio::test]
async fn the_way_to_sign_in_has_the_prefix() {
    let world = Setup::new().file("conf.yml", USERS).start().await;
    let page = through(&world, "/", PROXY, &["/dash"]).await;
    let place = page.header("location") + &page.text;
    assert!(place.contains("/dash/login"), "{} {place}", page.status);
}

#[tokio::test(start_paused = true)]
async fn guessing_costs_the_same_under_every_prefix() {
    let world = Setup::new().env("ENABLE_API", "true").env("API_TOKEN", "t0k").file("conf.yml", CONF).start().await;
    let guess = async |number: usize| {
        let before = tokio::time::Instant::now();
        let request = world.request("GET", C).peer(PROXY).header("x-forwarded-prefix", &format!("/p{number}"));
        request.bearer("guess").send().await.expect_failure(401);
        before.elapsed().as_millis()
    };
    for number in 0..5 {
        assert_eq!(guess(number).await, 0);
    }
    assert_eq!(guess(5).await, 250);
}
