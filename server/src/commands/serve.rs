//! `portico serve`: listeners, signals, and messages at start.

use std::{
    collections::HashSet,
    io,
    net::SocketAddr,
    sync::Arc,
    time::{Duration, Instant},
};

use axum_server::Handle;

use crate::{
    access,
    commands::report,
    http_client,
    panels::shared_services,
    platform::{
        assets::{Assets, EmbeddedFiles},
        spans,
    },
    routes::{
        self,
        app_state::{AppState, StartError},
        connections::{
            Acceptor, Connections, Limits, ListenAddress, Listener, raise_descriptor_limit, server, service,
        },
        tls,
    },
    settings::{RunAs, Settings},
    store::{remote_main, rights},
};

/// How long open requests may take after SIGTERM.
const GRACE: Duration = Duration::from_secs(10);

/// With fewer file descriptors than this, a warning is logged at start.
const FEW_DESCRIPTORS: usize = 1024;

/// Serves until SIGTERM or Ctrl+C; with `demo`, a gallery of widgets instead of the dashboard. `embedded` are the files that the
/// program contains, if it does.
///
/// # Errors
///
/// [`StartError`] if something that every page needs is missing, or an address cannot be bound.
pub async fn serve(settings: Settings, embedded: Option<EmbeddedFiles>, demo: bool) -> Result<(), StartError> {
    let started = Instant::now();
    take_rights(&settings);
    // Process 1 gets no signal that it has not asked for, so a stop during the start would be lost.
    let stop =
        StopSignals::listen().map_err(|error| StartError::Listen(format!("signals cannot be received: {error}")))?;
    for warning in Settings::warnings(|name| std::env::var(name).ok()) {
        tracing::warn!("{warning}");
    }
    let http_client_runtime = http_client::dedicated_runtime()?;
    let settings = Settings { http_client_runtime: Some(http_client_runtime), ..settings };
    if let Some(collector) = &settings.span_collector {
        spans::turn_on(collector)
            .map_err(|error| StartError::Listen(format!("spans cannot be sent to {collector}: {error}")))?;
    }
    if embedded.is_none() {
        themes::read_from(|path| {
            std::fs::read_to_string(format!(concat!(env!("CARGO_MANIFEST_DIR"), "/../style/{}"), path)).ok()
        });
    }
    for problem in shared_services::load(&settings.user_data) {
        tracing::warn!("{problem}");
    }
    let assets = Assets::load(embedded, &settings.base)?;
    let portico = if demo {
        AppState::start_demo(settings, assets, started)?
    } else {
        AppState::start(settings, assets, started).await?
    };
    if !demo {
        if let Some(problem) = rights::problem(&portico.settings) {
            tracing::warn!("{problem}");
        }
        if portico.is_open() {
            tracing::warn!(
                "everybody who reaches this server may change the dashboard, because no sign-in is set up: choose “Protect \
                 this dashboard” on the page, or see docs/sign-in.md"
            );
        }
        spawn_watcher(&portico);
    }
    let descriptors = raise_descriptor_limit();
    let limits = Limits::for_descriptors(descriptors);
    if descriptors < FEW_DESCRIPTORS {
        tracing::info!(
            "this process may have only {descriptors} files open, so it serves at most {} connections at a time; raise the \
             limit (`ulimit -n`, `LimitNOFILE`) for more",
            limits.connections,
        );
    }
    let connections = Connections::new(limits, portico.settings.trusted_proxies.clone());
    let handle = Handle::new();
    let stopping = tokio::spawn(stop_on_signal(stop, handle.clone(), Arc::clone(&portico)));
    listen(&portico, handle, connections).await?;
    // Service sessions were ended while open requests finished; now end those that these requests have started since.
    _ = stopping.await;
    portico.panels.keep_sessions_of(HashSet::new()).await;
    if tokio::task::spawn_blocking(spans::turn_off).await.is_err() {
        tracing::error!("the last spans were not sent");
    }
    Ok(())
}

/// Serves at the addresses in the settings until the handle shuts it down.
///
/// # Errors
///
/// [`StartError::Listen`] if an address cannot be bound, or the certificate for HTTPS cannot be used.
pub async fn listen(
    portico: &Arc<AppState>,
    handle: Handle<ListenAddress>,
    connections: Connections,
) -> Result<(), StartError> {
    let sweeping = tokio::spawn(connections.clone().sweep());
    let result = listen_on_all(portico, handle, &connections).await;
    sweeping.abort();
    result
}

async fn listen_on_all(
    portico: &Arc<AppState>,
    handle: Handle<ListenAddress>,
    connections: &Connections,
) -> Result<(), StartError> {
    let settings = &portico.settings;
    let tls = tls::load(settings).await.map_err(|error| StartError::Listen(error.to_string()))?;
    let routes = routes::router(Arc::clone(portico));
    let http = SocketAddr::new(settings.host, settings.port);
    let https = SocketAddr::new(settings.host, settings.ssl_port);
    let plain_listener = bind(http, "PORT", connections)?;
    serve_metrics(portico).await?;
    let stopped = |error: io::Error| StartError::Listen(error.to_string());

    let Some(tls) = tls else {
        announce("http", &plain_listener, portico);
        return server(plain_listener).handle(handle).serve(service(routes)).await.map_err(stopped);
    };
    let secure_listener = bind(https, "SSL_PORT", connections)?;
    announce("https", &secure_listener, portico);
    let plain =
        if settings.redirect_https { tls::redirect_router(Arc::clone(portico), tls.clone()) } else { routes.clone() };
    let encrypted = routes.layer(axum::Extension(access::Encrypted));
    let secure = server(secure_listener).acceptor(Acceptor::new(tls.config));
    let secure = secure.handle(handle.clone()).serve(service(encrypted));
    let plain = server(plain_listener).handle(handle).serve(service(plain));
    tokio::try_join!(secure, plain).map_err(stopped)?;
    Ok(())
}

/// Serves metrics on their own address, until the program ends.
async fn serve_metrics(portico: &Arc<AppState>) -> Result<(), StartError> {
    let Some(address) = portico.settings.metrics_address else { return Ok(()) };
    let failed = |error: io::Error| StartError::Listen(cannot_listen(address, "METRICS_ADDR", &error));
    let listener = tokio::net::TcpListener::bind(address).await.map_err(failed)?;
    tracing::info!("metrics at http://{}/metrics", listener.local_addr().map_err(failed)?);
    let routes = routes::metrics::router(Arc::clone(portico));
    tokio::spawn(async move { axum::serve(listener, routes).await });
    Ok(())
}

/// Binds an address. `port` is the variable that sets the port.
fn bind(address: SocketAddr, port: &str, connections: &Connections) -> Result<Listener, StartError> {
    let bound = Listener::bind(address, connections.clone());
    bound.map_err(|error| StartError::Listen(cannot_listen(address, port, &error)))
}

/// Why an address cannot be bound, and what to do. `port` is the variable that sets the port.
fn cannot_listen(address: SocketAddr, port: &str, error: &io::Error) -> String {
    let advice = match error.kind() {
        io::ErrorKind::AddrInUse => format!("another program uses this port; stop it, or set {port} to another port"),
        io::ErrorKind::PermissionDenied => format!("this user may not use this port; set {port} to 1024 or above"),
        io::ErrorKind::AddrNotAvailable => {
            "this machine does not have this address; set HOST to one that it has".to_owned()
        }
        _ => error.to_string(),
    };
    format!("cannot listen on {address}: {advice}")
}

fn spawn_watcher(portico: &Arc<AppState>) {
    let icons = portico.icons.clone();
    let list = Arc::new(move || icons.rescan());
    tokio::spawn(Arc::clone(&portico.store).watch(Arc::clone(&list) as _));
    tokio::spawn(Arc::clone(&portico.store).follow_database(list));
    tokio::spawn(portico.alerts.clone().run());
    tokio::spawn(portico.found.clone().run());
    if portico.store.database().is_none() {
        let access_control = Arc::clone(&portico.access_control);
        tokio::spawn(async move { access_control.watch().await });
    }
    tokio::spawn(report::log_changes(Arc::clone(&portico.store), Arc::clone(&portico.plans)));
    if let Some(address) = &portico.settings.main_address {
        let target = portico.store.directory().join(portico.store.main());
        tokio::spawn(remote_main::follow(portico.http_client.clone(), address.clone(), target));
    }
    tokio::spawn(Arc::clone(&portico.remote_pages).watch(Arc::clone(&portico.store), portico.http_client.clone()));
}

/// Logs the address of the dashboard.
fn announce(scheme: &str, listener: &Listener, portico: &AppState) {
    let Ok(address) = listener.address() else { return };
    let host = if address.ip().is_unspecified() { "localhost".to_owned() } else { address.ip().to_string() };
    let base = &portico.settings.base;
    tracing::info!(
        version = env!("CARGO_PKG_VERSION"),
        user_data = %portico.settings.user_data.display(),
        "serving on {scheme}://{host}:{}{base}/ after {} ms",
        address.port(),
        portico.started.elapsed().as_millis(),
    );
}

/// Starts the program again with the rights of the user that `UID` and `GID` name, if it runs as root.
#[cfg(unix)]
fn take_rights(settings: &Settings) {
    use std::os::unix::process::CommandExt as _;
    let Some(RunAs { uid, gid }) = settings.run_as.filter(|_| rustix::process::geteuid().is_root()) else { return };
    let mut arguments = std::env::args_os();
    let mut again = std::process::Command::new("/proc/self/exe");
    again.arg0(arguments.next().unwrap_or_default()).args(arguments).uid(uid).gid(gid);
    // Returns only if it fails.
    let error = again.exec();
    tracing::warn!("the server runs as root, because it cannot become uid {uid}, gid {gid}: {error}");
}

#[cfg(not(unix))]
fn take_rights(_: &Settings) {}

/// SIGTERM and SIGINT (Ctrl+C).
struct StopSignals {
    #[cfg(unix)]
    interrupt: tokio::signal::unix::Signal,
    #[cfg(unix)]
    terminate: tokio::signal::unix::Signal,
}

impl StopSignals {
    fn listen() -> io::Result<Self> {
        #[cfg(unix)]
        {
            use tokio::signal::unix::{SignalKind, signal};
            Ok(Self { interrupt: signal(SignalKind::interrupt())?, terminate: signal(SignalKind::terminate())? })
        }
        #[cfg(not(unix))]
        Ok(Self {})
    }

    /// Waits for the first one.
    async fn next(self) {
        #[cfg(unix)]
        {
            let Self { mut interrupt, mut terminate } = self;
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
            }
        }
        #[cfg(not(unix))]
        {
            _ = tokio::signal::ctrl_c().await;
        }
    }
}

async fn stop_on_signal(stop: StopSignals, handle: Handle<ListenAddress>, portico: Arc<AppState>) {
    stop.next().await;
    portico.stopping.cancel();
    let delay = portico.settings.shutdown_delay;
    if !delay.is_zero() {
        tracing::info!(
            "stopping in {} s: load balancers can see at /readyz that this server takes no more requests",
            delay.as_secs()
        );
        tokio::time::sleep(delay).await;
    }
    tracing::info!("stopping: open requests have {} s to finish", GRACE.as_secs());
    portico.streams.end();
    handle.graceful_shutdown(Some(GRACE));
    portico.panels.keep_sessions_of(HashSet::new()).await;
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use super::cannot_listen;

    #[test]
    fn a_port_in_use_is_explained() {
        let taken = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = taken.local_addr().unwrap();
        let error = TcpListener::bind(address).unwrap_err();
        let message = cannot_listen(address, "SSL_PORT", &error);
        assert_eq!(
            message,
            format!(
                "cannot listen on {address}: another program uses this port; stop it, or set SSL_PORT to another port"
            )
        );
    }
}
