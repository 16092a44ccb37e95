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
    fs::create_dir(folder.path().join("sub")).unwrap();
    let pages = "pages: [ { name: E, path: ./extra.yml }, { name: D, path: sub/deep.yml } ]\n";
    fs::write(folder.path().join("conf.yml"), format!("{SUB_PAGE}{pages}")).unwrap();
    for name in ["extra.yml", "sub/deep.yml"] {
        fs::write(folder.path().join(name), format!("{SUB_PAGE}appConfig: 5\n")).unwrap();
        let (valid, said) = validate(folder.path(), &[name], &[]);
        assert!(valid && !said.contains("valid"), "{said}");
        assert!(said.contains("can be read as a page of the main config (2 warnings)"), "{said}");
        assert!(said.contains(":4:1: warning: /appConfig: must be a mapping"), "{said}");
    }

    let (valid, said) = validate(folder.path(), &["conf.yml", "extra.yml"], &[]);
    assert!(!valid, "{said}");
    assert!(said.contains("conf.yml: invalid (2 errors"), "{said}");
    assert_eq!(said.matches("can be read").count(), 1, "{said}");
}

/// Whatever is no page of a main config is one itself, under whatever name.
#[test]
fn a_file_that_no_main_config_names_is_checked() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("mine.yml"), SUB_PAGE).unwrap();
    let alone = validate(folder.path(), &["mine.yml"], &[]);
    fs::write(folder.path().join("conf.yml"), "sections: []\n").unwrap();
    let beside = validate(folder.path(), &["mine.yml"], &[]);
    for (valid, said) in [alone, beside] {
        assert!(!valid && said.contains("mine.yml: invalid (2 errors"), "{said}");
    }
}

/// A file that does not parse is an error whatever it is for.
#[test]
fn broken_files_are_errors() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("extra.yml"), "a: [1").unwrap();
    let (valid, said) = validate(folder.path(), &["extra.yml"], &[]);
    assert!(!valid, "{said}");
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

    // Without a file, it is the one that the server uses. The usual name may be that of a page then.
    let environment = [("VITE_APP_CONFIG_PATH", "start.yml"), ("USER_DATA_DIR", ".")];
    fs::write(folder.path().join("start.yml"), "pages: [ { name: C, path: conf.yml } ]\nsections: []\n").unwrap();
    fs::write(folder.path().join("conf.yml"), SUB_PAGE).unwrap();
    let (valid, said) = validate(folder.path(), &[], &environment);
    assert!(valid && said.contains("start.yml: valid"), "{said}");
    let (valid, said) = validate(folder.path(), &["conf.yml"], &environment);
    assert!(valid && said.contains("can be read as a page of the main config"), "{said}");
}
