//! Prints the CSS of a theme: `cargo run -p themes --example css nord`; of all of them into a folder, with `--into FOLDER`.

use std::{env, fs, path::Path, process::ExitCode};

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["--into", folder] => {
            for theme in themes::all() {
                if let Err(error) = fs::write(Path::new(folder).join(format!("{}.css", theme.name)), &theme.css) {
                    eprintln!("{folder}: {error}");
                    return ExitCode::FAILURE;
                }
            }
            ExitCode::SUCCESS
        }
        [name] if themes::find(name).is_some() => {
            println!("{}", themes::css(name));
            ExitCode::SUCCESS
        }
        _ => {
            eprintln!("which theme? {}", themes::NAMES.join(", "));
            ExitCode::FAILURE
        }
    }
}
