//! `portico import`, as a user calls it.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../import/tests/examples")
}

/// The exit code, the output and the error output.
fn import(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_portico"))
        .arg("import")
        .args(arguments)
        .env_clear()
        .current_dir(folder)
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

#[test]
fn a_folder_becomes_a_config_with_a_report() {
    let folder = tempfile::tempdir().unwrap();
    for source in ["homepage", "homer", "glance", "bookmarks", "dashy"] {
        let path = examples().join(source);
        let (code, yaml, report) = import(folder.path(), &[path.to_str().unwrap()]);
        assert_eq!(code, 0, "{report}");
        assert!(yaml.contains("sections:"), "{yaml}");
        assert!(report.starts_with("Imported from ") && report.contains("\n- "), "{report}");
        let named = import(folder.path(), &["--from", source, path.to_str().unwrap()]);
        assert_eq!(named, (0, yaml, report));
    }
}

#[test]
fn included_files_are_found_wherever_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    let absolute = folder.path().join("elsewhere/more.yml");
    write("config/glance.yml", "pages:\n  $include: pages/home.yml\n");
    let page = "- name: Home\n  columns:\n    - widgets:\n        $include: links.yml\n        $include: ABSOLUTE\n";
    write("config/pages/home.yml", &page.replace("ABSOLUTE", absolute.to_str().unwrap()));
    let links =
        "- type: bookmarks\n  groups:\n    - title: G1\n      links: [{ title: L1, url: 'https://l1.example' }]\n";
    write("config/pages/links.yml", links);
    write("elsewhere/more.yml", &links.replace('1', "2"));
    for paths in [
        &["config"][..],
        &["config/glance.yml"],
        &["config/glance.yml", "config/pages/home.yml", "config/pages/links.yml"],
        &["config", "config/pages"],
    ] {
        let (code, yaml, report) = import(folder.path(), paths);
        assert_eq!(code, 0, "{paths:?}: {report}");
        assert!(yaml.contains("https://l1.example") && yaml.contains("https://l2.example"), "{paths:?}: {yaml}");
        assert!(!report.contains("together with"), "{paths:?}: {report}");
    }
}

#[test]
fn a_file_that_exists_is_not_overwritten_unasked() {
    let folder = tempfile::tempdir().unwrap();
    let path = examples().join("homer/config.yml");
    let path = path.to_str().unwrap();
    let (code, printed, _) = import(folder.path(), &[path]);
    assert_eq!(code, 0);
    let (code, output, report) = import(folder.path(), &[path, "--output", "conf.yml"]);
    assert_eq!((code, output.as_str()), (0, ""), "{report}");
    assert!(report.contains("The config was written to `conf.yml`"), "{report}");
    let written = || fs::read_to_string(folder.path().join("conf.yml")).unwrap();
    assert_eq!(written(), printed);

    fs::write(folder.path().join("conf.yml"), "sections: []\n").unwrap();
    let (code, _, report) = import(folder.path(), &[path, "--output", "conf.yml"]);
    assert_eq!(code, 1);
    assert!(report.contains("`conf.yml` exists") && report.contains("--force"), "{report}");
    assert_eq!(written(), "sections: []\n");
    let (code, _, report) = import(folder.path(), &[path, "-o", "conf.yml", "--force"]);
    assert_eq!((code, written()), (0, printed), "{report}");
}

#[test]
fn failures_are_shown_with_a_next_step() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("text.yml"), "just words\n").unwrap();
    fs::write(folder.path().join("latin.html"), b"<dt><a href=x>Gr\xfc\xdfe</a>").unwrap();
    fs::create_dir(folder.path().join("empty")).unwrap();
    let cases: [(&[&str], i32, &str); 6] = [
        (&["nowhere"], 1, "`nowhere` cannot be read: the file does not exist"),
        (&["empty"], 1, "contains no files that end in"),
        (&["text.yml"], 1, "say which of them it is, with `--from`"),
        (&["latin.html"], 1, "is not UTF-8"),
        (&["--from", "homer", "text.yml"], 1, "is not a config of Homer"),
        (&["--from", "nonsense", "text.yml"], 2, "possible values: dashy, homepage, homer, glance, bookmarks"),
    ];
    for (arguments, code, expected) in cases {
        let (actual, output, report) = import(folder.path(), arguments);
        assert_eq!((actual, output.as_str()), (code, ""), "{report}");
        assert!(report.contains(expected), "{report}");
    }
}
