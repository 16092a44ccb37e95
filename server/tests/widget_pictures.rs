//! Pictures that panels name come through this server, and nothing else does.

use crate::{
    upstream::{Behavior, Upstream},
    world::{Reply, Setup, USERS, World},
};

const DRAWING: &[u8] = b"<svg xmlns=\"http://www.w3.org/2000/svg\"><script>alert(1)</script></svg>";

fn picture(body: &[u8]) -> Behavior {
    // What the service says about the type is not believed.
    Behavior::Says(200, vec![("content-type", "text/html".to_owned())], body.to_vec())
}

/// At least so many bytes that begin as a picture does.
fn png(bytes: usize) -> Vec<u8> {
    [b"\x89PNG\r\n\x1a\n".to_vec(), vec![0; bytes]].concat()
}

async fn world(upstream: &Upstream) -> World {
    let text = format!(
        "{USERS}sections:\n  - name: Home\n    widgets:\n      - {{ type: image, options: {{ imagePath: '{}' }} }}\n",
        upstream.url("/cam.png?key=5ecret")
    );
    Setup::new().env("ENABLE_HTTP_AUTH", "true").file("conf.yml", text).start().await
}

async fn get(world: &World, path: &str) -> Reply {
    world.request("GET", path).basic("bob:bob").send().await
}

/// The address of the picture on the page.
async fn address(world: &World) -> String {
    let page = get(world, "/").await.expect_status(200).text;
    assert!(!page.contains("5ecret") && !page.contains("/cam.png"), "{page}");
    assert!(page.contains("alt=\"cam.png\""), "the picture has no name");
    let start = page.find("/widget-picture/").unwrap();
    page[start..].split('"').next().unwrap().to_owned()
}

#[tokio::test]
async fn a_picture_comes_through_the_server_once() {
    let upstream = Upstream::start(picture(DRAWING)).await;
    let world = world(&upstream).await;
    let address = address(&world).await;
    for _ in 0..3 {
        let reply = get(&world, &address).await.expect_status(200);
        assert_eq!(reply.header("content-type"), "image/svg+xml");
        assert!(reply.header("content-security-policy").contains("default-src 'none'"));
        assert!(reply.header("content-security-policy").contains("sandbox"));
        assert_eq!(reply.text.as_bytes(), DRAWING);
    }
    assert_eq!(upstream.count(), 1);
    assert!(upstream.heard()[0].contains("/cam.png?key=5ecret"));
    assert!(upstream.heard()[0].contains("\"user-agent\": \"Portico/"), "{:?}", upstream.heard());
    tokio::time::pause();
    tokio::time::advance(std::time::Duration::from_secs(2)).await;
    tokio::time::resume();
    let fresh = get(&world, &format!("{address}?n=1")).await.expect_status(200);
    assert_eq!((upstream.count(), fresh.header("cache-control")), (2, "private, no-cache".to_owned()));
    get(&world, &format!("{address}?n=2")).await.expect_status(200);
    assert_eq!(upstream.count(), 2, "a camera is asked once a second");
}

#[tokio::test]
async fn only_pictures_that_a_panel_named_for_people_who_may_look() {
    let upstream = Upstream::start(picture(DRAWING)).await;
    let world = world(&upstream).await;
    let address = address(&world).await;
    world.get(&address).await.expect_status(401);
    for path in [
        "/widget-picture/0123456789abcdef0123456789abcdef",
        "/widget-picture/http:%2F%2F127.0.0.1",
        "/widget-picture/..",
    ] {
        get(&world, path).await.expect_status(404);
    }
    assert_eq!(upstream.count(), 0);
}

#[tokio::test]
async fn what_is_no_picture_or_too_large_is_not_handed_out() {
    for behavior in [
        picture(b"<!doctype html><script>alert(1)</script>"),
        picture(&png(10 * 1024 * 1024)),
        Behavior::fails(403),
        Behavior::Says(302, vec![("location", "http://169.254.169.254/".to_owned())], Vec::new()),
    ] {
        let upstream = Upstream::start(behavior).await;
        let world = world(&upstream).await;
        let address = address(&world).await;
        let reply = get(&world, &address).await.expect_status(404);
        assert_eq!((reply.text.as_str(), reply.header("cache-control")), ("", "no-store".to_owned()));
        get(&world, &address).await.expect_status(404);
        assert_eq!(upstream.count(), 1, "a failure is not tried again at once");
    }
}

#[tokio::test]
async fn the_main_picture_of_a_widget_may_be_large_and_is_not_cached() {
    let upstream = Upstream::start(picture(&[DRAWING.to_vec(), vec![b' '; 5 * 1024 * 1024]].concat())).await;
    let world = world(&upstream).await;
    let address = address(&world).await;
    let tag = get(&world, &address).await.expect_status(200).header("etag");
    let unchanged = world.request("GET", &address).basic("bob:bob").header("if-none-match", &tag).send().await;
    unchanged.expect_status(304);
    assert_eq!(upstream.count(), 2);
}

#[tokio::test]
async fn a_service_cannot_name_a_picture_in_the_home_network() {
    let pictures = Upstream::start(picture(DRAWING)).await;
    let own = pictures.url("/own.svg");
    // By another name, which no option has.
    let router = own.replace("127.0.0.1", "localhost").replace("own", "router");
    let large = Upstream::start(picture(&png(2 * 1024 * 1024))).await;
    let items = [&router, &own, &large.url("/large.png")].map(|address| {
        format!("<item><title>News</title><link>{own}</link><enclosure url='{address}' type='image/svg+xml'/></item>")
    });
    let feed = format!("<rss version='2.0'><channel><title>Feed</title>{}</channel></rss>", items.concat());
    let feed = Upstream::start(Behavior::Says(200, Vec::new(), feed.into_bytes())).await;
    let text = format!(
        "sections:\n  - name: Home\n    widgets:\n      - {{ type: rss-feed, options: {{ rssUrl: '{}' }} }}\n",
        feed.url("/feed")
    );
    let world = Setup::new().file("conf.yml", text).start().await;
    let panel = world.get("/fn/panel?page=home&section=0&widget=0&kind=rss-feed").await.expect_status(200).json();
    let html = panel["html"].as_str().unwrap_or_default().to_owned();
    let addresses: Vec<&str> = html.split("src=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    let [router, own, large] = addresses.as_slice() else { panic!("{panel}") };
    world.get(router).await.expect_status(404);
    assert_eq!(pictures.count(), 0);
    world.get(own).await.expect_status(200);
    assert_eq!(pictures.count(), 1);
    world.get(large).await.expect_status(404);
}

#[tokio::test(start_paused = true)]
async fn a_picture_has_the_time_that_its_entry_gives() {
    let upstream = Upstream::start(Behavior::Hangs).await;
    let options = format!("timeout: 1000, options: {{ imagePath: '{}' }}", upstream.url("/cam.png"));
    let text = format!("sections:\n  - name: Home\n    widgets:\n      - {{ type: image, {options} }}\n");
    let world = Setup::new().file("conf.yml", text).start().await;
    let page = world.get("/").await.expect_status(200).text;
    let start = page.find("/widget-picture/").unwrap();
    let begun = tokio::time::Instant::now();
    world.get(page[start..].split('"').next().unwrap()).await.expect_status(404);
    assert_eq!(begun.elapsed().as_secs(), 1);
}
