//! `portico validate`, as a user calls it.

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
fn reading_the_files_of_other_pages_is_reported() {
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

/// What is said about a config, line by line.
fn said_of(config: &str, files: &[&str]) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    for file in files {
        let path = folder.path().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "").unwrap();
    }
    fs::write(folder.path().join("conf.yml"), config).unwrap();
    let (valid, said) = validate(folder.path(), &["conf.yml"], &[]);
    assert!(valid, "{said}");
    said.lines().map(str::to_owned).collect()
}

#[test]
fn icons_that_do_not_exist_are_named_with_the_nearest_name() {
    let of = |icon: &str, expected: Option<&str>| {
        let config = format!(
            "sections:\n- name: One\n  items:\n  - {{ title: A, url: 'http://a.lan', icon: '{icon}' }}\n\
             - name: Two\n  icon: '{icon}'\n  items:\n  - title: Group\n    subItems: [{{ title: B, icon: '{icon}' }}]\n"
        );
        let said = said_of(&config, &["item-icons/networking/switch.png"]);
        let Some(expected) = expected else { return assert_eq!(said.len(), 1, "{said:?}") };
        let warned = said.iter().filter(|line| line.contains("/icon: ") && line.contains(expected)).count();
        assert_eq!(warned, 3, "{icon}: {said:?}");
    };
    of("mdi-doesnotexist", Some("warning: "));
    of("mdi-doesnotexist", Some("`mdi-doesnotexist`: no bundled icon has that name"));
    of("mdi-hme-outline", Some("did you mean `mdi-home-outline`?"));
    of("fas fa-rokcet", Some("did you mean `fas fa-rocket`?"));
    of("si-jelyfin", Some("did you mean `si-jellyfin`?"));
    of("missing.png", Some("`item-icons/missing.png`: there is no such file"));
    of("networking/swich.png", Some("did you mean `networking/switch.png`?"));
    of("jellyfin", Some("`jellyfin` is not an icon in any of the known forms; did you mean `"));
    of("favicon-nonsense", Some("there is no such favicon service"));
    for icon in ["mdi-home-outline", "fas fa-rocket", "si-jellyfin", "networking/switch.png", "hl-anything", "🚀"] {
        of(icon, None);
    }
}

#[test]
fn an_unknown_language_is_named() {
    let of = |language: &str| said_of(&format!("appConfig: {{ language: {language} }}\nsections: []\n"), &[]);
    for known in ["de", "de-AT", "pt_BR", "en-GB", "zz-pirate"] {
        assert_eq!(of(known).len(), 1, "{known}");
    }
    let said = of("klingon");
    assert!(
        said[0].contains("warning: /appConfig/language: the interface has no language `klingon`; there are: "),
        "{said:?}"
    );
    let said = of("xx-pirate");
    assert!(said[0].contains("did you mean `zz-pirate`?"), "{said:?}");
}

#[test]
fn generated_ids_are_one_line_together() {
    let items: String = (0..40).map(|id| format!("  - {{ title: T{id}, id: {id}_400_t }}\n")).collect();
    let said = said_of(&format!("sections:\n- name: One\n  id: abc\n  items:\n{items}"), &[]);
    assert_eq!(said.len(), 2, "{said:?}");
    assert!(said[0].contains("conf.yml:3:") && said[0].contains("41 entries have an `id`"), "{said:?}");
    assert!(said[1].contains("0 errors, 1 warning"), "{said:?}");
}

#[test]
fn a_file_with_another_ending_is_named() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("conf.yaml"), "sections: []\n").unwrap();
    let (valid, said) = validate(folder.path(), &["conf.yml"], &[]);
    assert!(!valid && said.contains("the file does not exist; there is `conf.yaml` beside it"), "{said}");
}
