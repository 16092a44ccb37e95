//! Guesses at passwords and tokens are slowed down, while their owners still get in (docs/spec/api.md 3.4). Time is paused in
//! these tests unless all tasks wait.

use std::{sync::Arc, time::Duration};

use tokio::{task::JoinSet, time::Instant};

use crate::{
    browser::Browser,
    provider::SetClock,
    world::{C, CONF, Reply, Setup, USERS, World},
};

const GUESSES: usize = 2801;

async fn world() -> Arc<World> {
    let setup = Setup::new().clock(Arc::new(SetClock::new())).env("API_TOKEN", "t0k");
    Arc::new(setup.file("conf.yml", format!("{CONF}{USERS}")).start().await)
}

/// One way to guess.
type Guess = fn(Arc<World>, usize) -> std::pin::Pin<Box<dyn Future<Output = Reply> + Send>>;

const WAYS: [(&str, Guess); 3] = [
    ("Basic", |world, number| {
        Box::pin(async move {
            let credentials = format!("{}:guess {number}", if number % 2 == 0 { "anna" } else { "ANNA" });
            world.request("GET", C).peer("10.0.0.1").basic(&credentials).send().await
        })
    }),
    ("Bearer", |world, number| {
        Box::pin(
            async move { world.request("GET", C).peer("10.0.0.1").bearer(&format!("guess {number}")).send().await },
        )
    }),
    ("form", |world, number| {
        Box::pin(async move {
            let request = world.request("POST", "/login").peer("10.0.0.1").header("host", "dash.lan").untyped();
            let request =
                request.header("origin", "http://dash.lan").header("content-type", "application/x-www-form-urlencoded");
            request.body(format!("user=anna&password=guess+{number}")).send().await
        })
    }),
];

#[tokio::test(start_paused = true)]
async fn of_many_guesses_at_once_few_are_checked() {
    for (way, guess) in WAYS {
        let world = world().await;
        let begin = Instant::now();
        let mut tasks = JoinSet::new();
        for number in 0..GUESSES {
            tasks.spawn(guess(Arc::clone(&world), number));
        }
        let replies = tasks.join_all().await;
        let checked = replies.iter().filter(|reply| reply.status == 401).count();
        let refused: Vec<_> = replies.iter().filter(|reply| reply.status == 429).collect();
        assert_eq!(checked + refused.len(), GUESSES, "{way}");
        // Five are free, then about one per second.
        let seconds = begin.elapsed().as_secs() as usize;
        assert!(checked <= 12 + seconds, "{way}: {checked} in {seconds} s");
        assert!(seconds <= 15, "{way}: {seconds}");
        for reply in refused {
            assert_eq!(reply.header("retry-after"), "10", "{way}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn the_right_password_gets_in_from_elsewhere_during_an_attack() {
    for (way, guess) in WAYS {
        let world = world().await;
        let mut browser = Browser::new(&world);
        browser.form("/login", &[("user", "anna"), ("password", "anna")]).await.expect_status(303);
        let mut tasks = JoinSet::new();
        for number in 0..GUESSES {
            tasks.spawn(guess(Arc::clone(&world), number));
        }
        // Until the first guesses are delayed.
        tokio::time::sleep(Duration::from_millis(100)).await;
        assert_eq!(guess(Arc::clone(&world), 0).await.status, 429, "{way}");
        let before = Instant::now();
        world.request("GET", C).peer("10.0.0.2").basic("anna:anna").send().await.expect_status(200);
        world.request("GET", C).peer("10.0.0.2").bearer("t0k").send().await.expect_status(200);
        // A session is not a guess, from any address.
        browser.get("/").await.expect_status(200);
        assert_eq!(before.elapsed(), Duration::ZERO, "{way}");
        tasks.abort_all();
    }
}

/// Behind a trusted proxy, each visitor is counted separately.
#[tokio::test(start_paused = true)]
async fn one_visitor_of_a_proxy_does_not_slow_down_the_others() {
    let setup = Setup::new().clock(Arc::new(SetClock::new())).env("TRUSTED_PROXIES", "10.0.0.1");
    let world = Arc::new(setup.file("conf.yml", format!("{CONF}{USERS}")).start().await);
    let from = |visitor: &str, credentials: &str| {
        world.request("GET", C).peer("10.0.0.1").header("x-forwarded-for", visitor).basic(credentials)
    };
    let mut tasks = JoinSet::new();
    for number in 0..GUESSES {
        let request = from("198.51.100.1", &format!("anna:guess {number}"));
        tasks.spawn(async move { request.send().await });
    }
    tokio::time::sleep(Duration::from_millis(100)).await;
    from("198.51.100.1", "anna:guess").send().await.expect_status(429);
    let before = Instant::now();
    from("192.0.2.7", "anna:anna").send().await.expect_status(200);
    from("203.0.113.9, 192.0.2.8", "anna:anna").send().await.expect_status(200);
    assert_eq!(before.elapsed(), Duration::ZERO);
    tasks.abort_all();
}

/// A page sends many requests at once, all with the same password.
#[tokio::test(start_paused = true)]
async fn many_requests_with_the_right_password_all_pass() {
    let world = world().await;
    let mut tasks = JoinSet::new();
    for _ in 0..60 {
        let request = world.request("GET", C).peer("10.0.0.1").basic("anna:anna");
        tasks.spawn(async move { request.send().await.status });
    }
    assert!(tasks.join_all().await.into_iter().all(|status| status == 200));
}
