use super::{EncryptedFile, Header, check_length, name_of_copy, print};
use serde_json::{Value, json};

fn header() -> Header {
    let (salt, iv) = ("AAECAwQFBgcICQoLDA0ODw==".to_owned(), "AAECAwQFBgcICQoL".to_owned());
    Header { file: "conf.yml".to_owned(), iterations: 600_000, salt, iv }
}

/// The message about a file with changed members; `null` removes one.
fn refusal(changes: Value) -> String {
    let mut content: Value = serde_json::from_str(&print(&header(), "AAAA")).unwrap();
    for (name, value) in changes.as_object().unwrap() {
        content[name] = value.clone();
    }
    EncryptedFile::parse(&content.to_string()).unwrap().checked().unwrap_err()
}

#[test]
fn a_file_is_read_as_it_was_written() {
    let text = print(&header(), "AAAA");
    let expected = r#"{
  "format": "portico-config",
  "version": 1,
  "file": "conf.yml",
  "iterations": 600000,
  "salt": "AAECAwQFBgcICQoLDA0ODw==",
  "iv": "AAECAwQFBgcICQoL",
  "data": "AAAA"
}
"#;
    assert_eq!(text, expected);
    let content = EncryptedFile::parse(&format!("\n  {text}")).unwrap();
    assert_eq!(content.checked(), Ok((header(), "AAAA".to_owned())));
}

#[test]
fn everything_but_the_data_is_authenticated() {
    let expected = r#"["portico-config",1,"conf.yml",600000,"AAECAwQFBgcICQoLDA0ODw==","AAECAwQFBgcICQoL"]"#;
    assert_eq!(header().authenticated(), expected);
    let named = Header { file: "Größe \"1\"\u{1}.yml".to_owned(), ..header() };
    assert!(named.authenticated().contains(r#""Größe \"1\"\u0001.yml""#), "{}", named.authenticated());
}

#[test]
fn damaged_and_newer_files_are_refused_in_words() {
    for changes in [
        json!({ "iterations": 1 }),
        json!({ "iterations": 1e12 }),
        json!({ "iterations": "600000" }),
        json!({ "iterations": 600_000.5 }),
        json!({ "salt": null }),
        json!({ "iv": 1 }),
        json!({ "file": null }),
        json!({ "data": [] }),
    ] {
        assert_eq!(refusal(changes.clone()), "This file is damaged. Take another copy of it.", "{changes}");
    }
    let newer = "This file has version 2 of the format, and this Portico reads version 1. Restore it with the Portico that wrote it, or a newer one.";
    assert_eq!([refusal(json!({ "version": 2 })), refusal(json!({ "version": "2" }))], [newer, newer]);
}

#[test]
fn other_files_are_not_taken_for_encrypted_ones() {
    for text in ["", "pageInfo:\n  title: Größe 🚀 # kept\n", "{", "{}", "[]", r#"{"format":"other"}"#, "null"] {
        assert_eq!(EncryptedFile::parse(text), None, "{text}");
    }
}

#[test]
fn a_copy_is_called_after_its_file() {
    for (file, copy) in [
        ("conf.yml", "conf.portico.json"),
        ("home.lab.yaml", "home.lab.portico.json"),
        ("conf.yml.txt", "conf.yml.txt.portico.json"),
    ] {
        assert_eq!(name_of_copy(file), copy);
    }
}

#[test]
fn a_password_has_at_least_eight_characters() {
    assert_eq!(check_length("1234567").unwrap_err(), "Choose a password of at least 8 characters.");
    assert_eq!(check_length("12345678"), Ok(()));
}
