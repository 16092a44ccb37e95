//! Lists the services, so that a new one is a new file and nothing else.

use std::{env, ffi::OsStr, fmt::Write as _, fs, io, path::Path};

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=services");
    // Asked when it runs: a target directory may be shared by several checkouts.
    let variable = |name| env::var_os(name).ok_or_else(|| io::Error::other(format!("cargo sets {name}")));
    let (here, out) = (variable("CARGO_MANIFEST_DIR")?, variable("OUT_DIR")?);
    let mut files = Vec::new();
    for entry in Path::new(&here).join("services").read_dir()? {
        let file = entry?.path();
        if file.extension() == Some(OsStr::new("toml")) {
            files.push(file);
        }
    }
    files.sort();
    let mut list = String::from("&[\n");
    for file in files {
        let name = file.file_stem().unwrap_or_default();
        // The text itself: a path would break once the checkout that wrote it is gone.
        writeln!(list, "({name:?}, {:?}),", fs::read_to_string(&file)?).map_err(io::Error::other)?;
    }
    list.push(']');
    fs::write(Path::new(&out).join("services.rs"), list)
}
