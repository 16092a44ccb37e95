//! With the feature `embed`: writes the list of files in `dist/` that go into the binary.

use std::{env, fmt::Write as _, fs, io, path::Path};

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    if env::var_os("CARGO_FEATURE_EMBED").is_none() {
        return Ok(());
    }
    // Asked when it runs: a target directory may be shared by several checkouts.
    let manifest =
        env::var_os("CARGO_MANIFEST_DIR").ok_or_else(|| io::Error::other("cargo sets CARGO_MANIFEST_DIR"))?;
    let dist = Path::new(&manifest).join("../dist");
    println!("cargo::rerun-if-changed={}", dist.display());
    let mut names = Vec::new();
    collect(&dist, "", &mut names)
        .map_err(|error| io::Error::new(error.kind(), format!("dist/ cannot be read, run `make build`: {error}")))?;
    names.sort();
    let include = |name: &str| format!("include_bytes!({:?})", dist.join(name).display().to_string());
    let optional = |name: String| {
        if names.contains(&name) { format!("Some({})", include(&name)) } else { "None".to_owned() }
    };
    let mut code = String::from("pub static FILES: &[super::Built] = &[\n");
    for name in names.iter().filter(|name| !name.ends_with(".br") && !name.ends_with(".gz") && *name != "icons.pack") {
        let (brotli, gzip) = (optional(format!("{name}.br")), optional(format!("{name}.gz")));
        writeln!(code, "({name:?}, {}, {brotli}, {gzip}),", include(name)).map_err(io::Error::other)?;
    }
    writeln!(code, "];\npub static ICON_PACK: &[u8] = {};", include("icons.pack")).map_err(io::Error::other)?;
    let out = env::var_os("OUT_DIR").ok_or_else(|| io::Error::other("cargo sets OUT_DIR"))?;
    fs::write(Path::new(&out).join("embedded.rs"), code)
}

fn collect(directory: &Path, prefix: &str, names: &mut Vec<String>) -> io::Result<()> {
    for entry in directory.read_dir()? {
        let entry = entry?;
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_dir() {
            collect(&entry.path(), &format!("{name}/"), names)?;
        } else if name != "index.html" && !name.starts_with('.') {
            names.push(name);
        }
    }
    Ok(())
}
