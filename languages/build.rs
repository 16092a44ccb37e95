//! Packs the texts of the languages: compressed, and without their English keys, which all languages share. A language has two
//! files, because the texts of the editor are needed seldom.

use std::{env, ffi::OsStr, fmt::Write as _, fs, io, path::Path};

use brotli::{BrotliCompress, enc::BrotliEncoderParams};
use toml::de::{DeTable, DeValue};

/// The tables of a language, and the lists of `en.toml` with their keys. The first one is the top of the file.
const TABLES: [(&str, &[&str]); 5] = [
    ("page", &["page", "scripts", "dialogs"]),
    ("panels", &["panels"]),
    ("problems", &["problems"]),
    ("editor", &["editor"]),
    ("fields", &["fields"]),
];
/// The tables that only the editor needs.
const OF_EDITOR: [&str; 2] = ["editor", "fields"];
/// What is packed as it is written.
const FORMATS: [&str; 3] = ["durations", "dates", "browsers"];

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=texts");
    // Asked when it runs: a target directory may be shared by several checkouts.
    let variable = |name| env::var_os(name).ok_or_else(|| io::Error::other(format!("cargo sets {name}")));
    let (here, out) = (variable("CARGO_MANIFEST_DIR")?, variable("OUT_DIR")?);
    let (texts, out) = (Path::new(&here).join("texts"), Path::new(&out));
    let english = fs::read_to_string(texts.join("en.toml"))?;
    let english = parsed("en", &english)?;
    for entry in texts.read_dir()? {
        let file = entry?.path();
        let is_toml = file.extension() == Some(OsStr::new("toml"));
        let Some(code) = file.file_stem().and_then(OsStr::to_str).filter(|_| is_toml) else { continue };
        let text = fs::read_to_string(&file)?;
        let language = parsed(code, &text)?;
        let (mut usual, mut editor) = (Vec::new(), Vec::new());
        for (table, lists) in TABLES {
            let keys = lists.iter().flat_map(|list| keys(&english, list));
            let texts: Vec<String> = match code {
                // English consists of keys.
                "en" => keys.map(quoted).collect(),
                _ => {
                    let words = match table {
                        "page" => Some(&language),
                        table => language.get(table).and_then(|words| words.get_ref().as_table()),
                    };
                    let text = |key| words.and_then(|words| words.get(key)).map(|text| json(text.get_ref()));
                    keys.map(|key| text(key).unwrap_or_else(|| "null".to_owned())).collect()
                }
            };
            let packed = if OF_EDITOR.contains(&table) { &mut editor } else { &mut usual };
            packed.push(member(table, &format!("[{}]", texts.join(","))));
        }
        if code == "en" {
            for list in ["scripts", "dialogs"] {
                let keys: Vec<String> = keys(&english, list).map(quoted).collect();
                usual.push(member(list, &format!("[{}]", keys.join(","))));
            }
        }
        usual
            .extend(FORMATS.into_iter().filter_map(|table| Some(member(table, &json(language.get(table)?.get_ref())))));
        pack(&out.join(format!("{code}.br")), &usual)?;
        pack(&out.join(format!("{code}.editor.br")), &editor)?;
    }
    Ok(())
}

fn parsed<'a>(code: &str, text: &'a str) -> io::Result<DeTable<'a>> {
    let table = DeTable::parse(text).map_err(|error| io::Error::other(format!("texts/{code}.toml: {error}")))?;
    Ok(table.into_inner())
}

/// The keys in a list of `en.toml`.
fn keys<'a>(english: &'a DeTable<'_>, list: &str) -> impl Iterator<Item = &'a str> {
    let list = english.get(list).and_then(|list| list.get_ref().as_array());
    list.into_iter().flat_map(|list| list.iter()).filter_map(|key| key.get_ref().as_str())
}

/// A value in JSON. There are only texts, lists and tables.
fn json(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(text) => quoted(text),
        DeValue::Array(list) => {
            let elements: Vec<String> = list.iter().map(|element| json(element.get_ref())).collect();
            format!("[{}]", elements.join(","))
        }
        DeValue::Table(table) => {
            let members = table.iter().map(|(key, value)| member(key.get_ref(), &json(value.get_ref())));
            format!("{{{}}}", members.collect::<Vec<_>>().join(","))
        }
        _ => "null".to_owned(),
    }
}

fn member(key: &str, value: &str) -> String {
    format!("{}:{value}", quoted(key))
}

fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' => quoted.extend(['\\', letter]),
            '\0'..='\x1f' => _ = write!(quoted, "\\u{:04x}", u32::from(letter)),
            _ => quoted.push(letter),
        }
    }
    quoted + "\""
}

fn pack(file: &Path, members: &[String]) -> io::Result<()> {
    let text = format!("{{{}}}", members.join(","));
    // The best quality takes eight times as long, and saves two percent.
    let settings = BrotliEncoderParams { quality: 10, size_hint: text.len(), ..BrotliEncoderParams::default() };
    BrotliCompress(&mut text.as_bytes(), &mut fs::File::create(file)?, &settings).map(drop)
}
