//! The program `portico`.

use std::process::ExitCode;

use server::{
    commands::{self, Arguments},
    platform::{assets::EmbeddedFiles, log},
};

/// The browser bundle, the icons and the fonts; none in a program that reads them from `dist/`.
#[cfg(feature = "embed")]
const EMBEDDED: Option<EmbeddedFiles> = Some(include!("../../dist/.embedded.rs"));
#[cfg(not(feature = "embed"))]
const EMBEDDED: Option<EmbeddedFiles> = None;

#[cfg(target_os = "linux")]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

/// Maximum number of threads that wait for the disk or compute something: each has memory of its own.
const MAX_BLOCKING_THREADS: usize = 64;

fn main() -> ExitCode {
    let arguments = Arguments::of_process();
    let json = std::env::var("LOG_FORMAT").is_ok_and(|format| format.trim().eq_ignore_ascii_case("json"));
    log::start(std::env::var("LOG_LEVEL").ok().as_deref(), json);
    // The only provider in the program; there is nothing to choose between.
    _ = rustls::crypto::ring::default_provider().install_default();
    let runtime =
        tokio::runtime::Builder::new_multi_thread().max_blocking_threads(MAX_BLOCKING_THREADS).enable_all().build();
    match runtime {
        Ok(runtime) => runtime.block_on(commands::run(arguments, EMBEDDED)),
        Err(error) => {
            eprintln!("portico: the runtime cannot start: {error}");
            ExitCode::FAILURE
        }
    }
}

#[cfg(all(test, feature = "embed"))]
mod tests {
    use std::io::Read as _;

    use flate2::read::GzDecoder;
    use server::platform::{
        assets::{Assets, etag},
        encoding::Encoding,
    };

    use super::EMBEDDED;

    #[test]
    fn every_file_can_be_had_as_it_was_built() {
        let assets = Assets::load(EMBEDDED, "").unwrap();
        assert!(assets.names().count() > 10);
        for name in assets.names() {
            let asset = assets.get(name).unwrap();
            let (plain, encoding) = asset.body(Encoding::Identity);
            assert_eq!(encoding, Encoding::Identity);
            assert_eq!(etag(&plain), asset.etag, "{name}");
        }
    }

    #[test]
    fn a_gzip_form_that_the_program_does_not_contain_is_made() {
        let assets = Assets::load(EMBEDDED, "").unwrap();
        let is_module = |name: &&str| name.starts_with("editor-") && name.ends_with(".wasm");
        let asset = assets.get(assets.names().find(is_module).unwrap()).unwrap();
        let (body, encoding) = asset.body(Encoding::Gzip);
        assert_eq!(encoding, Encoding::Gzip);
        let mut plain = Vec::new();
        GzDecoder::new(&*body).read_to_end(&mut plain).unwrap();
        assert_eq!(etag(&plain), asset.etag);
    }
}
