//! Tests of the icons, with a small pack, scripted requests and a clock of their own.

mod cache;
mod choice;
mod drawing;
mod endpoints;
mod favicon;
mod known_addresses;
mod media;
mod other_sites;
mod outside;
mod pack;
mod pack_writer;
mod resolve;
mod sets;
mod style_sheet;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use outside::ScriptedWeb;
use pack_writer::PackWriter;

use super::{IconSettings, Icons, Pack};

/// The time at which every test starts.
const START: u64 = 1_000_000;

/// The smallest recognized file of each type.
pub const PNG: &[u8] = b"\x89PNG\r\n\x1a\n....";
pub const ICO: &[u8] = b"\0\0\x01\0....";
pub const WEBP: &[u8] = b"RIFF\x04\0\0\0WEBP";
pub const SVG: &[u8] = b"<svg xmlns='http://www.w3.org/2000/svg'/>";
pub const HTML: &[u8] = b"<!doctype html><title>404</title>";

/// An installation for one test.
struct Installation {
    icons: Icons,
    outside: Arc<ScriptedWeb>,
    time: Arc<AtomicU64>,
    folder: tempfile::TempDir,
}

impl Installation {
    fn new() -> Self {
        Self::with(false)
    }

    fn offline() -> Self {
        Self::with(true)
    }

    fn with(offline: bool) -> Self {
        Self::over(tempfile::tempdir().unwrap(), offline)
    }

    /// The same folders after a restart.
    fn over(folder: tempfile::TempDir, offline: bool) -> Self {
        let outside = Arc::new(ScriptedWeb::default());
        let time = Arc::new(AtomicU64::new(START));
        let settings = IconSettings {
            base: "/start".to_owned(),
            web_roots: vec![folder.path().join("user-data"), folder.path().join("public")],
            cache_directory: Some(folder.path().join("cache")),
            offline,
            database: None,
            address_secret: None,
            is_bundled_file: Arc::new(|path| path == "favicon.svg"),
        };
        let clock = time.clone();
        let icons =
            Icons::with_clock(settings, small_pack(), outside.clone(), Arc::new(move || clock.load(Ordering::Relaxed)));
        Self { icons, outside, time, folder }
    }

    fn pass(&self, seconds: u64) {
        self.time.fetch_add(seconds, Ordering::Relaxed);
    }

    fn write(&self, path: &str, content: &[u8]) {
        write(&self.folder.path().join(path), content);
    }
}

fn write(path: &Path, content: &[u8]) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, content).unwrap();
}

/// A pack with a handful of icons of every set.
fn small_pack() -> Pack {
    let mut pack = PackWriter::default();
    for name in ["github", "twitter", "openai"] {
        pack.icon("fa-brands", name, "0 0 496 512", "M1");
    }
    pack.icon("fa-regular", "face-smile-beam", "0 0 512 512", "M2");
    pack.icon("fa-regular", "file-lines", "0 0 384 512", "M3");
    for name in ["gauge-high", "shield-halved", "desktop", "briefcase", "file-lines", "window-maximize"] {
        pack.icon("fa-solid", name, "0 0 512 512", &format!("M4{name}"));
    }
    pack.alias("fa-solid", "tachometer-alt", "fa-solid", "gauge-high");
    pack.alias("fa-solid", "browser", "fa-solid", "window-maximize");
    pack.alias("fa-solid", "alien", "mdi", "alien");
    pack.alias("fa-regular", "smile-beam", "fa-regular", "face-smile-beam");
    pack.alias("fa-v4", "file-text-o", "fa-regular", "file-lines");
    for name in ["alien", "cog", "home-assistant", "router", "hulu"] {
        pack.icon("mdi", name, "0 0 24 24", "M5");
    }
    pack.alias("mdi", "settings", "mdi", "cog");
    pack.colored("si", "x", "M6", Some(0));
    pack.colored("si", "nodedotjs", "M7", Some(0x5f_a0_4e));
    pack.colored("si", "homeassistant", "M8", Some(0x18_bc_f2));
    pack.colored("si", "plex", "M9", Some(0xeb_af_00));
    pack.alias("si", "twitter", "si", "x");
    pack.alias("si", "chatgpt", "fa-brands", "openai");
    pack.document("homelab", "sonarr", "<svg id=\"sonarr\"/>");
    pack.document("homelab", "pihole", "<svg id=\"pihole\"/>");
    Pack::open(pack.finish()).unwrap()
}
