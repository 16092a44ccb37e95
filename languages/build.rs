//! Compresses the texts of the languages, of which most installations use one or two: a megabyte less of the program.

use std::{
    env,
    ffi::OsStr,
    fs,
    io::{self, Write as _},
    path::Path,
};

use flate2::{Compression, write::GzEncoder};

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=texts");
    // Asked when it runs: a target directory may be shared by several checkouts.
    let variable = |name| env::var_os(name).ok_or_else(|| io::Error::other(format!("cargo sets {name}")));
    let (here, out) = (variable("CARGO_MANIFEST_DIR")?, variable("OUT_DIR")?);
    for entry in Path::new(&here).join("texts").read_dir()? {
        let file = entry?.path();
        let (Some(name), Some("toml")) = (file.file_stem(), file.extension().and_then(OsStr::to_str)) else { continue };
        let packed = fs::File::create(Path::new(&out).join(name).with_added_extension("gz"))?;
        let mut encoder = GzEncoder::new(packed, Compression::best());
        encoder.write_all(&fs::read(&file)?)?;
        encoder.finish()?;
    }
    Ok(())
}
