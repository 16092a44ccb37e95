//! The templates with which a new dashboard begins: they are read like any config of Dashy, and nothing is wrong with them.

use std::{fs, path::Path};

use crate::{file, imported};
use import::Source;

#[test]
fn nothing_is_wrong_with_the_templates() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../frontend/editor/templates");
    let mut count = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let text = fs::read_to_string(entry.unwrap().path()).unwrap();
        let imported = imported(Source::Dashy, &[file("conf.yml", &text)]);
        assert_eq!(imported.report.notes, [], "{text}");
        assert!(!imported.has_settings, "templates have sections alone");
        count += 1;
    }
    assert_eq!(count, 4);
}
