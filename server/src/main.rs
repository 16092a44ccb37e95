//! The program `portico`.

use std::process::ExitCode;

use clap::Parser as _;
use server::{
    commands::{self, Arguments},
    platform::log,
};

#[cfg(target_os = "linux")]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let json = std::env::var("LOG_FORMAT").is_ok_and(|format| format.trim().eq_ignore_ascii_case("json"));
    log::start(std::env::var("LOG_LEVEL").ok().as_deref(), json);
    // The only provider in the program; there is nothing to choose between.
    _ = rustls::crypto::ring::default_provider().install_default();
    match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime.block_on(commands::run(arguments)),
        Err(error) => {
            eprintln!("portico: the runtime cannot start: {error}");
            ExitCode::FAILURE
        }
    }
}
