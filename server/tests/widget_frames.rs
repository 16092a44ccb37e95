//! What the config file embeds lives in a frame with a policy of its own, for those who may see the widget.

use crate::{
    upstream::{Behavior, Upstream},
    world::{Reply, Setup, USERS, World},
};

const CONF: &str = "\
pageInfo: { title: Base }
pages: [ { name: Cellar, path: cellar.yml } ]
sections:
  - name: Home
    widgets:
      - { type: embed, options: { html: '<b>one</b>', css: 'b { color: red }' } }
      - { type: html-embed, options: { html: '<b>two</b>', script: 'two()', scriptSrc: /own.js } }
      - { type: html-embed, options: { scriptSrc: /secret.txt } }
      - { type: html-embed, options: { scriptSrc: /../conf.yml?.js } }
      - { type: clock }
  - name: Hidden
    displayData: { hideForUsers: [bob] }
    widgets: [ { type: html-embed, options: { html: hidden } } ]
";
const CELLAR: &str = "sections: [ { name: Wine, widgets: [ { type: html-embed, options: { html: below } } ] } ]\n";

fn setup() -> Setup {
    let conf = format!("{USERS}{CONF}");
    let setup = Setup::new().env("ENABLE_HTTP_AUTH", "true").file("conf.yml", conf).file("cellar.yml", CELLAR);
    setup.file("own.js", "own()").file("secret.txt", "secret")
}

async fn get(world: &World, path: &str) -> Reply {
    world.request("GET", path).basic("bob:bob").send().await
}

/// The addresses of the frames of a page, each with its rights.
fn frames(page: &str) -> Vec<(&str, &str)> {
    let value = |tag: &'_ str, name: &str| {
        let start = tag.find(&format!(" {name}=\"")).unwrap() + name.len() + 3;
        (start, start + tag[start..].find('"').unwrap())
    };
    let tags = page.split("<iframe").skip(1).map(|rest| rest.split('>').next().unwrap());
    tags.map(|tag| {
        let ((from, to), (start, end)) = (value(tag, "src"), value(tag, "sandbox"));
        (&tag[from..to], &tag[start..end])
    })
    .collect()
}

const RIGHTS: &str = "allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox";

#[tokio::test]
async fn a_frame_has_a_document_with_a_policy_of_its_own() {
    let world = setup().start().await;
    let page = get(&world, "/").await.expect_status(200);
    assert_eq!(frames(&page.text), [("/widget-frame/home/0/0", RIGHTS), ("/widget-frame/home/0/1", RIGHTS)]);
    assert!(!page.text.contains("<b>one</b>") && !page.text.contains("two()"), "{}", page.text);
    let policy = page.header("content-security-policy");
    assert!(!policy.contains("unsafe-inline") && !policy.contains("'unsafe-eval'"), "{policy}");

    let markup = get(&world, "/widget-frame/home/0/0").await.expect_status(200);
    assert_eq!(markup.header("content-type"), "text/html; charset=utf-8");
    assert!(markup.text.contains("<style>b { color: red }</style></head><body><b>one</b></body>"), "{}", markup.text);
    let policy = markup.header("content-security-policy");
    assert!(policy.contains("default-src 'none'; script-src 'sha256-"), "{policy}");
    assert!(policy.ends_with(&format!("sandbox {RIGHTS}")) && policy.contains("frame-ancestors 'self'"), "{policy}");
    assert!(!policy.contains("allow-same-origin"), "{policy}");
    let tag = markup.header("etag");
    let again = world.request("GET", "/widget-frame/home/0/0").basic("bob:bob").header("if-none-match", &tag);
    again.send().await.expect_status(304);

    let scripts = get(&world, "/widget-frame/home/0/1").await.expect_status(200);
    assert!(scripts.text.contains("<b>two</b><script>own()</script><script>two()</script>"), "{}", scripts.text);
    let policy = scripts.header("content-security-policy");
    assert!(policy.ends_with(&format!("sandbox {RIGHTS}")) && !policy.contains("allow-same-origin"), "{policy}");
    assert_eq!(scripts.header("referrer-policy"), "strict-origin-when-cross-origin");
}

#[tokio::test]
async fn only_those_who_see_the_widget_get_its_document() {
    let world = setup().start().await;
    world.get("/widget-frame/home/0/0").await.expect_status(401);
    assert!(get(&world, "/widget-frame/cellar/0/0").await.expect_status(200).text.contains("below"));
    for path in ["home/1/0", "home/0/2", "home/0/3", "home/0/4", "home/0/9", "nothing/0/0", "home/0/x", "home/-1/0"] {
        let reply = get(&world, &format!("/widget-frame/{path}")).await.expect_status(404);
        assert!(!reply.text.contains("hidden") && !reply.text.contains("secret"), "{path}: {}", reply.text);
    }
    let admin = world.request("GET", "/widget-frame/home/1/0").basic("Anna:anna").send().await;
    assert!(admin.expect_status(200).text.contains("hidden"));
}

#[tokio::test]
async fn the_administrator_switches_scripts_off() {
    let world = setup().env("DISABLE_WIDGET_SCRIPTS", "true").start().await;
    let page = get(&world, "/").await.expect_status(200).text;
    assert_eq!(page.matches("Scripts are switched off by the administrator").count(), 1, "{page}");
    let document = get(&world, "/widget-frame/home/0/1").await.expect_status(200);
    assert!(document.text.contains("<b>two</b></body>") && !document.text.contains("own()"), "{}", document.text);
    assert!(document.header("content-security-policy").contains("script-src 'sha256-"));
}

#[tokio::test]
async fn frames_stand_below_the_path_prefix() {
    let world = setup().env("BASE_URL", "/start").start().await;
    let page = get(&world, "/start/home/cellar").await.expect_status(200).text;
    assert_eq!(frames(&page), [("/start/widget-frame/cellar/0/0", RIGHTS)]);
    get(&world, "/start/widget-frame/cellar/0/0").await.expect_status(200);
}

#[tokio::test]
async fn markup_comes_from_a_file_or_from_the_web() {
    let page =
        |body: &str| Behavior::Says(200, vec![("content-type", "text/html".to_owned())], body.as_bytes().to_vec());
    let service = Upstream::start(page("<b>from the web</b>")).await;
    let widgets = [
        "{ type: embed, options: { htmlSrc: /parts/hello.html, html: unused } }".to_owned(),
        format!("{{ type: embed, options: {{ htmlSrc: \"{}\" }} }}", service.url("/box")),
        "{ type: embed, options: { htmlSrc: /parts/missing.html, html: instead } }".to_owned(),
        "{ type: embed, options: { htmlSrc: /secret.txt } }".to_owned(),
        "{ type: embed, options: { htmlSrc: /../conf.yml?.html } }".to_owned(),
        "{ type: embed, options: { htmlSrc: /conf.yml#.html, html: config } }".to_owned(),
    ];
    let conf = format!("sections:\n  - name: Home\n    widgets:\n      - {}\n", widgets.join("\n      - "));
    let setup = Setup::new().file("conf.yml", conf).file("secret.txt", "secret");
    let world = setup.file("parts/hello.html", "<b>from a file</b>").start().await;
    for (widget, expected) in
        [(0, "<b>from a file</b></body>"), (1, "<b>from the web</b></body>"), (2, "instead</body>")]
    {
        let frame = world.get(&format!("/widget-frame/home/0/{widget}")).await.expect_status(200);
        assert!(frame.text.contains(&format!("<body>{expected}")), "{}", frame.text);
        assert!(frame.header("content-security-policy").contains("default-src 'none'; script-src 'sha256-"));
    }
    for widget in [3, 4, 5] {
        let frame = world.get(&format!("/widget-frame/home/0/{widget}")).await.expect_status(404);
        assert!(!frame.text.contains("secret") && !frame.text.contains("sections"), "{}", frame.text);
    }
    service.now(Behavior::fails(500));
    let frame = world.get("/widget-frame/home/0/1").await.expect_status(200);
    assert!(frame.text.contains("<body></body>"), "a page of an error is not shown: {}", frame.text);
}
