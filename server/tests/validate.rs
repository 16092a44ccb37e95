//! `portico validate`, as a person calls it.

use std::{fs, path::Path, process::Command};

/// Whether the files are valid, and what is said about them.
fn validate(folder: &Path, files: &[&str], environment: &[(&str, &str)]) -> (bool, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_portico"))
        .arg("validate")
        .args(files)
        .env_clear()
        .envs(environment.iter().copied())
        .current_dir(folder)
        .output()
        .unwrap();
    (output.status.success(), String::from_utf8(output.stdout).unwrap())
}

/// `sections` is missing, and a key is unknown: allowed in a sub-page, wrong in a main config.
const SUB_PAGE: &str = "pageInfo:\n  title: T\nbanana: 1\n";

#[test]
fn files_of_other_pages_are_read_and_that_is_said() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["conf.yml", "extra.yml"] {
        fs::write(folder.path().join(name), SUB_PAGE).unwrap();
    }
    let (valid, said) = validate(folder.path(), &["extra.yml"], &[]);
    assert!(valid, "{said}");
    assert!(said.contains("extra.yml: note: read, but not checked against the schema"), "{said}");
    assert!(said.contains("extra.yml: valid (0 errors"), "{said}");

    let (valid, said) = validate(folder.path(), &["conf.yml", "extra.yml"], &[]);
    assert!(!valid, "{said}");
    assert!(said.contains("conf.yml: invalid (2 errors"), "{said}");
    assert!(!said.contains("conf.yml: note"), "{said}");
    assert_eq!(said.matches("note:").count(), 1, "{said}");
}

/// A file that does not parse is an error whatever it is for.
#[test]
fn broken_files_are_errors() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("extra.yml"), "a: [1").unwrap();
    let (valid, said) = validate(folder.path(), &["extra.yml"], &[]);
    assert!(!valid && !said.contains("note:"), "{said}");
}

#[test]
fn a_main_config_with_another_name_is_checked() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("start.yml"), SUB_PAGE).unwrap();
    let (valid, said) = validate(folder.path(), &["start.yml"], &[("VITE_APP_CONFIG_PATH", "/start.yml")]);
    assert!(!valid, "{said}");
    fs::write(folder.path().join("other.yml"), format!("{SUB_PAGE}pages: []\n")).unwrap();
    let (valid, said) = validate(folder.path(), &["other.yml"], &[]);
    assert!(!valid, "{said}");
}
