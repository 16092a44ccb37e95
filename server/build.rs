//! Packs the widgets' cases for the demo, and sets how the program is linked.

use std::{
    env,
    fmt::Write as _,
    fs,
    io::{self, Write as _},
    path::{Path, PathBuf},
};

use flate2::{Compression, write::GzEncoder};

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    pack_relocations();
    order_functions()?;
    let out = env::var_os("OUT_DIR").ok_or_else(|| io::Error::other("cargo sets OUT_DIR"))?;
    write_cases(Path::new(&out))
}

/// Has the linker pack the list of relocations (`DT_RELR`), which a program reads as a whole when it starts: 1.5 MB less of
/// the file, and of memory. Linkers that cannot do it ignore the option, and glibc understands it since 2.36, so for a
/// machine with an older one the program has to be built there.
fn pack_relocations() {
    let is = |variable: &str, value: &str| env::var(variable).is_ok_and(|found| found == value);
    if is("CARGO_CFG_TARGET_OS", "linux") && is("CARGO_CFG_TARGET_ENV", "gnu") && is("PROFILE", "release") {
        println!("cargo::rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
    }
}

/// Has the linker put the functions beside each other that run when the server starts and serves pages. Systems load code in
/// blocks of 64 KiB, so three megabytes less of the program are in memory. `tools/function-order.mjs` writes the list; a function
/// that it does not name stays where it was. Only for the target on which it was recorded.
fn order_functions() -> io::Result<()> {
    let script = manifest()?.join("function-order.ld");
    println!("cargo::rerun-if-changed={}", script.display());
    let is = |variable: &str, value: &str| env::var(variable).is_ok_and(|found| found == value);
    if is("TARGET", "x86_64-unknown-linux-gnu") && is("PROFILE", "release") {
        println!("cargo::rustc-link-arg-bins=-Wl,-T,{}", script.display());
    }
    Ok(())
}

/// The folder of this crate. Asked when it runs: a target directory may be shared by several checkouts.
fn manifest() -> io::Result<PathBuf> {
    let folder = env::var_os("CARGO_MANIFEST_DIR").ok_or_else(|| io::Error::other("cargo sets CARGO_MANIFEST_DIR"))?;
    Ok(PathBuf::from(folder))
}

/// Every case, and the bodies that cases refer to; not the panels that they must give. As one compressed text, because they
/// are a thousand small files that resemble each other.
fn write_cases(out: &Path) -> io::Result<()> {
    let folder = manifest()?.join("../widgets/cases");
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut names = Vec::new();
    collect(&folder, "", &mut names)?;
    names.sort();
    let mut code = String::from("static FILES: &[(&str, Range<usize>)] = &[\n");
    let mut content = Vec::new();
    for name in names.iter().filter(|name| !name.ends_with(".snap")) {
        let start = content.len();
        content.extend(fs::read(folder.join(name))?);
        writeln!(code, "({name:?}, {start}..{}),", content.len()).map_err(io::Error::other)?;
    }
    let packed = out.join("cases.gz");
    let mut encoder = GzEncoder::new(fs::File::create(&packed)?, Compression::best());
    encoder.write_all(&content)?;
    encoder.finish()?;
    writeln!(code, "];\nstatic PACKED: &[u8] = include_bytes!({:?});", packed.display().to_string())
        .map_err(io::Error::other)?;
    fs::write(out.join("cases.rs"), code)
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
