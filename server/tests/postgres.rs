//! A real PostgreSQL for the tests: one server for all of them, which ends with this program, and servers of their own for tests
//! that stop theirs.

use std::{
    fs,
    io::Write as _,
    net::TcpListener,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::{
        OnceLock,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use tempfile::TempDir;
use tokio_postgres::NoTls;

/// What the logs of the servers begin with: the database.
const LOG_PREFIX: &str = "%d|";
/// How long a server may take to start.
const START_TIME: Duration = Duration::from_secs(60);

/// The programs of PostgreSQL.
fn program(name: &str) -> PathBuf {
    let tools = std::env::var_os("HOME").map(|home| Path::new(&home).join(".cache/portico/tools/postgresql"));
    let roots = [Some(PathBuf::from("/")), tools].into_iter().flatten();
    let versions = roots.flat_map(|root| {
        let mut found: Vec<PathBuf> = fs::read_dir(root.join("usr/lib/postgresql"))
            .into_iter()
            .flatten()
            .map(|entry| entry.unwrap().path().join("bin"))
            .collect();
        found.sort();
        found.reverse();
        found
    });
    let on_path = std::env::var_os("PATH").map(|path| std::env::split_paths(&path).collect::<Vec<_>>());
    let found = versions.chain(on_path.into_iter().flatten()).map(|place| place.join(name)).find(|path| path.exists());
    found.unwrap_or_else(|| {
        panic!(
            "PostgreSQL is missing: run tools/setup-postgres.sh, or install it, for example: apt-get install postgresql"
        )
    })
}

/// A command of PostgreSQL, which refuses to run as root.
fn command(name: &str) -> Command {
    let program = program(name);
    // What is unpacked and not installed does not find its libraries by itself.
    let root = program.ancestors().nth(6).unwrap_or(Path::new("/"));
    let libraries = root.join(format!("usr/lib/{}-linux-gnu", std::env::consts::ARCH));
    if !rustix::process::geteuid().is_root() {
        let mut command = Command::new(program);
        command.env("LD_LIBRARY_PATH", libraries);
        return command;
    }
    let mut command = as_nobody();
    command.arg(program);
    command
}

/// What runs a command as the user of the server, if this program is root's.
fn as_nobody() -> Command {
    let mut command = Command::new("setpriv");
    command.args(["--reuid=65534", "--regid=65534", "--clear-groups"]);
    command
}

/// A server with its data.
pub struct Postgres {
    folder: TempDir,
    port: u16,
    /// Ends the server when its input is closed, which also happens when this program is killed.
    guard: Option<Child>,
    /// Whether it lives as long as this program, which then removes its data too.
    is_shared: bool,
}

impl Postgres {
    /// The server that tests share.
    pub fn shared() -> &'static Self {
        static SHARED: OnceLock<Postgres> = OnceLock::new();
        SHARED.get_or_init(|| {
            let mut server = Self::prepare();
            server.is_shared = true;
            server.initialize(&[])
        })
    }

    /// Starts a new server, with these lines in its configuration.
    pub fn start(settings: &[&str]) -> Self {
        Self::prepare().initialize(settings)
    }

    fn initialize(mut self, settings: &[&str]) -> Self {
        let output = command("initdb")
            .args(["--auth=trust", "--username=portico", "--no-sync", "--encoding=UTF8", "--locale=C"])
            // The smallest, so that a limit for all files leaves room for the log of transactions.
            .args(["--wal-segsize=1", "--pgdata"])
            .arg(self.data())
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        self.configure(settings);
        self.resume();
        self
    }

    /// Starts a standby that receives all changes of another server.
    pub fn standby_of(other: &Self) -> Self {
        let mut server = Self::prepare();
        let output = command("pg_basebackup")
            .args(["--host=127.0.0.1", "--username=portico", "--checkpoint=fast", "--no-sync", "--write-recovery-conf"])
            .arg(format!("--port={}", other.port))
            .arg("--pgdata")
            .arg(server.data())
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        server.resume();
        server
    }

    fn prepare() -> Self {
        let folder = tempfile::Builder::new().prefix("portico-postgres-").tempdir().unwrap();
        if rustix::process::geteuid().is_root() {
            std::os::unix::fs::chown(folder.path(), Some(65534), Some(65534)).unwrap();
        }
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        Self { folder, port, guard: None, is_shared: false }
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// A file in the folder of the data.
    pub fn file(&self, name: &str) -> PathBuf {
        self.data().join(name)
    }

    fn configure(&self, settings: &[&str]) {
        let path = self.data().join("postgresql.conf");
        let mut file = fs::OpenOptions::new().append(true).open(path).unwrap();
        let common = ["fsync = off", "log_statement = all", "max_connections = 200"];
        writeln!(file, "log_line_prefix = '{LOG_PREFIX}'\n{}\n{}", common.join("\n"), settings.join("\n")).unwrap();
    }

    /// Starts the server again, and waits until it answers.
    pub fn resume(&mut self) {
        assert!(self.guard.is_none());
        let script = "\"$@\" & server=$!; cat >/dev/null; kill -INT $server; wait $server; [ -z \"$REMOVE\" ] || rm -rf \"$REMOVE\"";
        let server = command("postgres");
        let log = fs::OpenOptions::new().create(true).append(true).open(self.log()).unwrap();
        let variables = server.get_envs().filter_map(|(name, value)| Some((name, value?)));
        let guard = Command::new("sh")
            .envs(variables)
            .args(["-c", script, "sh"])
            .arg(server.get_program())
            .args(server.get_args())
            .arg("-D")
            .arg(self.data())
            .args(["-p", &self.port.to_string(), "-c", "listen_addresses=127.0.0.1", "-k"])
            .arg(self.folder.path())
            .env("REMOVE", if self.is_shared { self.folder.path().as_os_str() } else { "".as_ref() })
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(log)
            .spawn()
            .unwrap();
        self.guard = Some(guard);
        let since = Instant::now();
        while std::net::TcpStream::connect(("127.0.0.1", self.port)).is_err() || !self.is_ready() {
            assert!(since.elapsed() < START_TIME, "{}", fs::read_to_string(self.log()).unwrap());
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    fn is_ready(&self) -> bool {
        let port = format!("--port={}", self.port);
        command("pg_isready").args(["--host=127.0.0.1", &port]).stdout(Stdio::null()).status().unwrap().success()
    }

    /// Stops the server at once, as a crash does.
    pub fn stop(&mut self) {
        let port = self.port;
        if let Some(mut guard) = self.guard.take() {
            let output =
                command("pg_ctl").args(["stop", "--mode=immediate", "--pgdata"]).arg(self.data()).output().unwrap();
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            drop(guard.stdin.take());
            _ = guard.wait();
        }
        assert!(std::net::TcpStream::connect(("127.0.0.1", port)).is_err());
    }

    /// Lets no file grow above a megabyte: PostgreSQL can write only a part of a block there, and reports a full disk, as it does when
    /// a file system has no room. Needs no rights, and no file system of its own.
    pub fn fill_disk(&self) {
        // Not a whole number of blocks, and more than a file of the log of transactions has.
        self.limit_files("1052672");
    }

    /// Makes room again.
    pub fn empty_disk(&self) {
        self.limit_files("unlimited");
    }

    fn limit_files(&self, limit: &str) {
        let first = fs::read_to_string(self.file("postmaster.pid")).unwrap();
        let first = first.lines().next().unwrap().to_owned();
        // First the one that starts the others.
        let mut processes = vec![first.clone()];
        for entry in fs::read_dir("/proc").unwrap().flatten() {
            let status = fs::read_to_string(entry.path().join("status")).unwrap_or_default();
            if status.lines().any(|line| line.strip_prefix("PPid:").is_some_and(|parent| parent.trim() == first)) {
                processes.push(entry.file_name().into_string().unwrap());
            }
        }
        for (number, process) in processes.iter().enumerate() {
            let is_root = rustix::process::geteuid().is_root();
            let mut command = if is_root { as_nobody() } else { Command::new("env") };
            command.args(["prlimit", "--pid", process, &format!("--fsize={limit}:")]);
            let output = command.output().unwrap();
            // Others may have ended since.
            assert!(number > 0 || output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        }
    }

    /// Makes a standby the server that takes changes.
    pub fn promote(&self) {
        let output = command("pg_ctl").args(["promote", "--pgdata"]).arg(self.data()).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }

    /// Where it listens.
    pub fn port(&self) -> u16 {
        self.port
    }

    fn log(&self) -> PathBuf {
        self.folder.path().join("log")
    }

    /// The statements that a database has run, as the log has them.
    pub fn statements(&self, database: &str) -> Vec<String> {
        let log = fs::read_to_string(self.log()).unwrap();
        let prefix = LOG_PREFIX.replace("%d", database);
        let lines = log.lines().filter_map(|line| line.strip_prefix(&prefix));
        lines.filter(|line| line.contains("statement:") || line.contains("execute ")).map(str::to_owned).collect()
    }

    /// The address of a new database.
    pub async fn database(&self) -> String {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let name = format!("portico{}", NUMBER.fetch_add(1, Ordering::Relaxed));
        self.run("postgres", &format!("create database {name}")).await;
        format!("postgres://portico@127.0.0.1:{}/{name}?sslmode=disable", self.port)
    }

    /// Runs statements in a database.
    pub async fn run(&self, database: &str, statements: &str) {
        self.client(database).await.batch_execute(statements).await.unwrap();
    }

    /// A client of a database.
    pub async fn client(&self, database: &str) -> tokio_postgres::Client {
        let address = format!("postgres://portico@127.0.0.1:{}/{database}", self.port);
        let (client, connection) = tokio_postgres::connect(&address, NoTls).await.unwrap();
        tokio::spawn(connection);
        client
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        if let Some(mut guard) = self.guard.take() {
            drop(guard.stdin.take());
            _ = guard.wait();
        }
    }
}

/// The name of the database at an address.
pub fn name_of(address: &str) -> &str {
    address.rsplit('/').next().unwrap().split('?').next().unwrap()
}
