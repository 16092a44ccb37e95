//! Several servers with one database behind a load balancer: what people notice of updates, crashes and guesses elsewhere.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use reqwest::StatusCode;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{
        TcpListener, TcpStream,
        tcp::{OwnedReadHalf, OwnedWriteHalf},
    },
    task::JoinSet,
};

use crate::{
    postgres::Postgres,
    replicas::{Replica, until},
};

/// How many people load pages at the same time.
const PEOPLE: usize = 4;
/// Time between two checks whether a server is ready.
const CHECK_INTERVAL: Duration = Duration::from_millis(100);

/// Opens a connection for each request, so that a request fails only in the hands of a server.
fn client() -> reqwest::Client {
    reqwest::Client::builder().no_proxy().pool_max_idle_per_host(0).build().unwrap()
}

/// A request that failed, from its begin to its end.
#[derive(Debug)]
struct Failure {
    began: Instant,
    ended: Instant,
    #[allow(dead_code, reason = "shown when a test fails")]
    reason: String,
}

/// Sends requests to the servers that are ready, one after the other, as load balancers do.
struct Balancer {
    servers: Arc<Mutex<Vec<(String, bool)>>>,
    is_over: Arc<AtomicBool>,
    answers: Arc<AtomicUsize>,
    failures: Arc<Mutex<Vec<Failure>>>,
    tasks: JoinSet<()>,
}

impl Balancer {
    fn start(replicas: &[Replica]) -> Self {
        let servers = replicas.iter().map(|replica| (replica.address.clone(), true)).collect();
        let mut balancer = Self {
            servers: Arc::new(Mutex::new(servers)),
            is_over: Arc::default(),
            answers: Arc::default(),
            failures: Arc::default(),
            tasks: JoinSet::new(),
        };
        balancer.tasks.spawn(check(Arc::clone(&balancer.servers), Arc::clone(&balancer.is_over)));
        for number in 0..PEOPLE {
            let (servers, is_over) = (Arc::clone(&balancer.servers), Arc::clone(&balancer.is_over));
            let (answers, failures) = (Arc::clone(&balancer.answers), Arc::clone(&balancer.failures));
            balancer.tasks.spawn(async move {
                let client = client();
                for request in number.. {
                    if is_over.load(Ordering::Relaxed) {
                        return;
                    }
                    let ready = ready(&servers);
                    let began = Instant::now();
                    // Where no connection can be made, the next one is tried.
                    let mut failure = "no server is ready".to_owned();
                    for attempt in 0..ready.len() {
                        let address = &ready[(request + attempt) % ready.len()];
                        match client.get(address).send().await {
                            Ok(answer) => {
                                let status = answer.status();
                                let is_whole = answer.bytes().await.is_ok();
                                failure = format!("{status}, whole: {is_whole}");
                                if status == StatusCode::OK && is_whole {
                                    failure.clear();
                                }
                                break;
                            }
                            Err(error) if error.is_connect() => failure = format!("{error:?}"),
                            Err(error) => {
                                failure = format!("{error:?}");
                                break;
                            }
                        }
                    }
                    if failure.is_empty() {
                        answers.fetch_add(1, Ordering::Relaxed);
                    } else {
                        failures.lock().unwrap().push(Failure { began, ended: Instant::now(), reason: failure });
                    }
                }
            });
        }
        balancer
    }

    fn add(&self, replica: &Replica) {
        self.servers.lock().unwrap().push((replica.address.clone(), true));
    }

    /// Waits for some more answers, so that all servers have work.
    async fn work(&self) {
        let before = self.answers.load(Ordering::Relaxed);
        until(async || self.answers.load(Ordering::Relaxed) > before + 20).await;
    }

    /// The requests that failed.
    async fn end(mut self) -> Vec<Failure> {
        self.is_over.store(true, Ordering::Relaxed);
        while self.tasks.join_next().await.is_some() {}
        std::mem::take(&mut self.failures.lock().unwrap())
    }
}

fn ready(servers: &Mutex<Vec<(String, bool)>>) -> Vec<String> {
    servers.lock().unwrap().iter().filter(|(_, is_ready)| *is_ready).map(|(address, _)| address.clone()).collect()
}

async fn check(servers: Arc<Mutex<Vec<(String, bool)>>>, is_over: Arc<AtomicBool>) {
    let client = client();
    while !is_over.load(Ordering::Relaxed) {
        let addresses: Vec<_> = servers.lock().unwrap().iter().map(|(address, _)| address.clone()).collect();
        for address in addresses {
            let answer = client.get(format!("{address}/readyz")).send().await;
            let is_ready = answer.is_ok_and(|answer| answer.status() == StatusCode::OK);
            let mut servers = servers.lock().unwrap();
            servers.iter_mut().filter(|(other, _)| *other == address).for_each(|(_, state)| *state = is_ready);
        }
        tokio::time::sleep(CHECK_INTERVAL).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_rolling_update_fails_no_request() {
    let database = Postgres::shared().database().await;
    let variables = [("SHUTDOWN_DELAY", "2")];
    let first = Replica::start(&database, &variables).await;
    assert_eq!(first.put("Home").await.status(), 200);
    let mut replicas = vec![first, Replica::start(&database, &variables).await];
    let balancer = Balancer::start(&replicas);
    balancer.work().await;
    for _ in 0..2 {
        let next = Replica::start(&database, &variables).await;
        until(async || next.get("/readyz").await.status() == 200).await;
        balancer.add(&next);
        replicas.push(next);
        let mut old = replicas.remove(0);
        old.terminate();
        until(async || old.get("/readyz").await.status() == 503).await;
        assert!(old.text("/").await.contains("Home"), "it still serves");
        until(async || old.has_ended()).await;
        balancer.work().await;
    }
    let failures = balancer.end().await;
    assert!(failures.is_empty(), "{failures:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_killed_server_fails_only_the_requests_in_its_hands() {
    let database = Postgres::shared().database().await;
    let first = Replica::start(&database, &[]).await;
    assert_eq!(first.put("Home").await.status(), 200);
    let mut replicas = vec![first, Replica::start(&database, &[]).await];
    let balancer = Balancer::start(&replicas);
    let mut kills = Vec::new();
    for _ in 0..2 {
        balancer.work().await;
        let before = Instant::now();
        replicas.remove(0).kill();
        kills.push((before, Instant::now()));
        let next = Replica::start(&database, &[]).await;
        balancer.add(&next);
        replicas.push(next);
        balancer.work().await;
    }
    let failures = balancer.end().await;
    println!("{} requests failed by two kills", failures.len());
    // A request was in the hands of a server if it had begun when the process ended. How many these are depends on the machine:
    // until the kernel has closed the listener, it accepts new ones.
    let is_excused = |failure: &&Failure| kills.iter().any(|(from, to)| failure.began <= *to && failure.ended >= *from);
    let others: Vec<_> = failures.iter().filter(|failure| !is_excused(failure)).collect();
    assert!(others.is_empty(), "{others:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn wrong_passwords_count_at_all_servers() {
    let database = Postgres::shared().database().await;
    let variables = [("BASIC_AUTH_USERNAME", "anna"), ("BASIC_AUTH_PASSWORD", "the password of Anna")];
    let (first, second) = tokio::join!(Replica::start(&database, &variables), Replica::start(&database, &variables));
    let client = client();
    let guess = async |replica: &Replica| {
        let since = Instant::now();
        let answer = client.get(&replica.address).basic_auth("anna", Some("wrong")).send().await.unwrap();
        assert_eq!(answer.status(), 401);
        since.elapsed()
    };
    for _ in 0..8 {
        guess(&first).await;
    }
    // Five failures at one server cause no delay. The eighth at the other server was delayed for a second.
    let mut times = Vec::new();
    for _ in 0..4 {
        times.push(guess(&second).await);
        tokio::time::sleep(CHECK_INTERVAL).await;
    }
    assert!(times.iter().any(|time| *time >= Duration::from_secs(1)), "{times:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn metrics_show_the_leases_that_a_server_holds() {
    let database = Postgres::shared().database().await;
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let listener = format!("127.0.0.1:{port}");
    // The first server of a database sends the alerts of all.
    let _replica = Replica::start(&database, &[("METRICS_ADDR", &listener)]).await;
    let scrape =
        async || client().get(format!("http://{listener}/metrics")).send().await.unwrap().text().await.unwrap();
    until(async || scrape().await.contains("\nportico_leases 1\n")).await;
    let text = scrape().await;
    assert!(text.contains("\nportico_database{state=\"up\"} 1\n"), "{text}");
    let queries = text.lines().find_map(|line| line.strip_prefix("portico_database_queries_total "));
    assert!(queries.is_some_and(|count| count.parse::<u64>().unwrap() > 0), "{text}");
}

/// A network between a server and its database, which can be slow or cut.
struct Wire {
    port: u16,
    /// Milliseconds until what is sent arrives.
    delay: Arc<AtomicU64>,
    is_cut: Arc<AtomicBool>,
}

impl Wire {
    async fn to(port: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let own = listener.local_addr().unwrap().port();
        let wire = Self { port: own, delay: Arc::default(), is_cut: Arc::default() };
        let (delay, is_cut) = (Arc::clone(&wire.delay), Arc::clone(&wire.is_cut));
        tokio::spawn(async move {
            while let Ok((near, _)) = listener.accept().await {
                let Ok(far) = TcpStream::connect(("127.0.0.1", port)).await else { continue };
                let ((from, back), (answer, to)) = (near.into_split(), far.into_split());
                tokio::spawn(carry(from, to, Arc::clone(&delay), Arc::clone(&is_cut)));
                tokio::spawn(carry(answer, back, Arc::clone(&delay), Arc::clone(&is_cut)));
            }
        });
        wire
    }

    /// The address of a database, through this network.
    fn address(&self, direct: &str, port: u16) -> String {
        direct.replace(&format!(":{port}/"), &format!(":{}/", self.port))
    }
}

async fn carry(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, delay: Arc<AtomicU64>, is_cut: Arc<AtomicBool>) {
    let mut piece = vec![0; 64 * 1024];
    while let Ok(length) = from.read(&mut piece).await {
        tokio::time::sleep(Duration::from_millis(delay.load(Ordering::Relaxed))).await;
        while is_cut.load(Ordering::Relaxed) {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        if length == 0 || to.write_all(&piece[..length]).await.is_err() {
            return;
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_slow_database_slows_down_writes_and_no_page() {
    let server = Postgres::shared();
    let database = server.database().await;
    let wire = Wire::to(server.port()).await;
    let replica = Replica::start(&wire.address(&database, server.port()), &[]).await;
    assert_eq!(replica.put("Before").await.status(), 200);
    wire.delay.store(1000, Ordering::Relaxed);
    // A round trip takes two seconds.
    let began = Instant::now();
    let write = tokio::spawn({
        let address = format!("{}/api/config/conf.yml", replica.address);
        async move {
            let request = client().put(address).header("content-type", "application/json");
            request.body(r#"{"pageInfo":{"title":"After"},"sections":[]}"#).send().await.unwrap().status()
        }
    });
    let mut pages = Vec::new();
    for _ in 0..20 {
        let since = Instant::now();
        replica.text("/").await;
        pages.push(since.elapsed());
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    pages.sort_unstable();
    assert!(pages[10] < Duration::from_secs(1), "{pages:?}");
    assert_eq!(write.await.unwrap(), 200);
    println!("pages took {:?}, a write {:?}", pages[10], began.elapsed());
    assert_eq!(replica.title().await, "After");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_is_cut_off_goes_on_and_catches_up() {
    let server = Postgres::shared();
    let database = server.database().await;
    let wire = Wire::to(server.port()).await;
    let through = wire.address(&database, server.port());
    let (alone, other) = tokio::join!(Replica::start(&through, &[]), Replica::start(&database, &[]));
    assert_eq!(alone.put("Before").await.status(), 200);
    until(async || other.title().await == "Before").await;
    wire.is_cut.store(true, Ordering::Relaxed);
    assert_eq!(other.put("Meanwhile").await.status(), 200);
    let began = Instant::now();
    assert_eq!(alone.put("Refused").await.status(), 503);
    println!("a write without the database was refused after {:?}", began.elapsed());
    assert!(alone.text("/").await.contains("Before"));
    wire.is_cut.store(false, Ordering::Relaxed);
    until(async || alone.title().await == "Meanwhile").await;
    until(async || alone.put("After").await.status() == 200).await;
    until(async || other.title().await == "After").await;
}
