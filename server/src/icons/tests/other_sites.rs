//! Pictures and style sheets of other sites: which are fetched, for whom, and under which keys.

use config::{
    dashboard::IconView,
    icon::{Icon, IconEntry, IconLookup},
};
use http::StatusCode;

use super::{
    ICO, Installation, PNG, SVG,
    endpoints::{entry, key, text},
};
use crate::icons::{FetchProblem, Lifetime, drawing::nothing};

#[tokio::test]
async fn pictures_of_other_sites() {
    let place = Installation::new();
    place.outside.picture("https://pictures.test/a.svg", SVG);
    let good = key(place.icons.picture_view("https://pictures.test/a.svg", &entry("Alps")));
    let answer = place.icons.remote(&good).await;
    assert_eq!((answer.content_type, answer.cache), ("image/svg+xml", Lifetime::Long));
    let policy = answer.headers.iter().find(|(name, _)| *name == "content-security-policy").unwrap().1;
    assert!(policy.contains("sandbox") && policy.contains("default-src 'none'"));
    assert!(answer.headers.contains(&("x-content-type-options", "nosniff")));

    place.outside.page("https://pictures.test/page", "<script>");
    place.outside.problem("https://pictures.test/dead", FetchProblem::Unreachable);
    for address in ["https://pictures.test/page", "https://pictures.test/dead", "https://pictures.test/none"] {
        let untitled = place.icons.remote(&key(place.icons.picture_view(address, &entry("")))).await;
        assert_eq!((untitled.status, untitled.cache), (StatusCode::OK, Lifetime::Short), "{address}");
        assert_eq!(untitled.body, place.icons.broken().body, "{address}");
        let shown = place.icons.picture_view(address, &IconEntry { color: Some("teal"), ..entry("Berg") });
        let answer = place.icons.remote(&key(shown.clone())).await;
        assert!(text(&answer).contains(">B<") && text(&answer).contains("text{fill:teal}"), "{}", text(&answer));
        let problem = place.icons.problem(&Icon::parse(address), &shown);
        assert_eq!(
            problem.as_deref(),
            Some("pictures.test: no picture, font or style sheet at the configured address")
        );
    }
    assert_eq!(
        place.icons.problem(
            &Icon::parse("https://pictures.test/a.svg"),
            &IconView::Image(format!("/start/icons/remote/{good}"))
        ),
        None
    );
    assert_eq!(place.icons.problem_changes(), 3, "the same problem is news once");
}

#[tokio::test]
async fn style_sheets_of_other_sites() {
    let place = Installation::new();
    let css = "@import url(b.css);@import 'https://styles.test/c.css' print;a{b:url(d.png) url(//fonts.test/e)}";
    place.outside.respond("https://styles.test/a.css", 200, "text/css", css.as_bytes());
    place.outside.respond("https://styles.test/b.css", 200, "text/css", b"b{}");
    place.outside.respond("https://fonts.test/e", 200, "text/plain", b"wOF2....");
    let address = place.icons.style_sheet("https://styles.test/a.css").unwrap();
    let answer = place.icons.remote(address.rsplit('/').next().unwrap()).await;
    assert_eq!((answer.content_type, answer.cache), ("text/css; charset=utf-8", Lifetime::Short));
    let css = text(&answer);
    let keys: Vec<&str> = css.split("/start/icons/remote/").skip(1).map(|rest| &rest[..32]).collect();
    let [import, conditional, picture, font] = keys[..] else { panic!("{css}") };
    assert_eq!(
        css,
        format!(
            "@import url(/start/icons/remote/{import});@import '/start/icons/remote/{conditional}' print;\
             a{{b:url(/start/icons/remote/{picture}) url(/start/icons/remote/{font})}}"
        )
    );
    assert_eq!(text(&place.icons.remote(import).await), "b{}");
    let answer = place.icons.remote(font).await;
    assert_eq!((answer.content_type, answer.cache), ("font/woff2", Lifetime::Long));
    // What styles name and cannot be had is not to be seen.
    let answer = place.icons.remote(picture).await;
    assert_eq!((answer.status, answer.content_type, answer.cache), (StatusCode::OK, "image/svg+xml", Lifetime::Short));
    assert_eq!(text(&answer), nothing());
    // Only the host that the config names may be in the private network.
    let private = place.outside.private_requests();
    assert!(private.contains(&"https://styles.test/b.css".to_owned()), "{private:?}");
    assert!(!private.iter().any(|address| address.contains("fonts.test")), "{private:?}");
    let address = place.icons.style_sheet("https://styles.test/none.css").unwrap();
    let answer = place.icons.remote(address.rsplit('/').next().unwrap()).await;
    assert_eq!((answer.status, answer.content_type), (StatusCode::OK, "text/css; charset=utf-8"));
}

#[tokio::test]
async fn what_the_styles_of_the_config_name() {
    let place = Installation::new();
    place.outside.respond("https://pictures.test/a.png", 200, "image/png", PNG);
    place.outside.respond("http://nas.lan/b.ttf", 200, "", b"\0\x01\0\0....");
    let css =
        place.icons.css("a{b:url('https://pictures.test/a.png') url(http://nas.lan/b.ttf) url(/c.png) url(d.png)}");
    let keys: Vec<&str> = css.split("/start/icons/remote/").skip(1).map(|rest| &rest[..32]).collect();
    let [picture, font] = keys[..] else { panic!("{css}") };
    assert_eq!(
        css,
        format!("a{{b:url('/start/icons/remote/{picture}') url(/start/icons/remote/{font}) url(/c.png) url(d.png)}}")
    );
    assert_eq!(place.icons.remote(picture).await.content_type, "image/png");
    assert_eq!(place.icons.remote(font).await.content_type, "font/ttf");
    assert_eq!(place.outside.private_requests().len(), 2);
    // A page on another host names nothing in the private network.
    let css = place.icons.for_page_of(Some("far.test")).css("a{b:url(http://nas.lan/b.ttf)}");
    let key = css.split("/start/icons/remote/").nth(1).unwrap()[..32].to_owned();
    place.icons.remote(&key).await;
    assert_eq!(place.outside.private_requests(), Vec::<String>::new());
}

#[tokio::test]
async fn a_background_may_be_large() {
    let place = Installation::new();
    let picture = [PNG, vec![0; 4 * 1024 * 1024].as_slice()].concat();
    place.outside.respond("https://pictures.test/sea.png", 200, "image/png", &picture);
    let address = place.icons.background("https://pictures.test/sea.png").unwrap();
    let answer = place.icons.remote(address.rsplit('/').next().unwrap()).await;
    assert_eq!((answer.content_type, answer.body.len()), ("image/png", picture.len()));
    assert_eq!(place.icons.background("/none.png"), None);
}

#[tokio::test]
async fn keys_of_hidden_hosts_cannot_be_guessed() {
    let favicon = |place: &Installation| {
        key(place
            .icons
            .favicon_view(Default::default(), &IconEntry { url: Some("http://router.lan/"), ..entry("Router") }))
    };
    let (one, other) = (Installation::new(), Installation::new());
    one.outside.picture("http://router.lan/favicon.ico", ICO);
    let address = favicon(&one);
    assert_ne!(address, favicon(&other), "each installation has its own");
    assert_eq!(address.len(), 32);
    // The key without a secret is not valid.
    let plain = crate::icons::drawing::key_of("favicon Local http://router.lan/");
    let first = one.icons.favicon(&plain).await;
    assert_eq!((first.cache, one.outside.requests().len()), (Lifetime::None, 0));
    assert_eq!(&one.icons.favicon(&address).await.body[..], ICO);
    // Pages cached by browsers still work after a restart.
    let again = Installation::over(one.folder, false);
    assert_eq!(favicon(&again), address);
    assert_eq!(&again.icons.favicon(&address).await.body[..], ICO);
    assert_eq!(again.outside.requests(), [""; 0], "the picture has been kept too");
}

#[tokio::test]
async fn a_page_of_another_host_reaches_public_pictures_and_its_own_host() {
    let place = Installation::new();
    let there = place.icons.for_page_of(Some("pages.lan"));
    for (icons, address, may_be_private) in [
        (&place.icons, "http://router.lan/a.png", true),
        (&there, "http://router.lan/a.png", false),
        (&there, "http://PAGES.lan./b.png", true),
        (&there, "https://pictures.example/c.png", false),
    ] {
        place.outside.picture(address, PNG);
        icons.remote(&key(icons.picture_view(address, &entry("Picture")))).await;
        assert_eq!(!place.outside.private_requests().is_empty(), may_be_private, "{address}");
        assert_eq!(place.outside.requests().len(), 1, "what one page has found is not shown to the other: {address}");
    }
}
