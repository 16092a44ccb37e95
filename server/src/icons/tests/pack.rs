use bytes::Bytes;

use super::small_pack;
use crate::icons::{
    pack::{BodyKind, Pack, PackError},
    tests::pack_writer::PackWriter,
};

#[test]
fn finds_icons_by_exact_name() {
    let pack = small_pack();
    let icon = pack.find("si", "plex").unwrap();
    assert_eq!((icon.set, icon.name, icon.kind), ("si", "plex", BodyKind::Path));
    assert_eq!((icon.view_box, icon.body().as_deref(), icon.color), ("0 0 24 24", Some("M9"), Some(0xeb_af_00)));
    assert_eq!(icon.notice, "notice of si");
    for (set, name) in
        [("si", "Plex"), ("si", "ple"), ("si", "plexx"), ("si", ""), ("mdi", "plex"), ("nothing", "plex")]
    {
        assert_eq!(pack.find(set, name), None, "{set}/{name}");
    }
}

#[test]
fn finds_every_name_it_lists() {
    let mut writer = PackWriter::default();
    let names: Vec<String> = (0..1000).map(|number| format!("icon-{number}")).collect();
    for name in &names {
        writer.icon("set", name, "0 0 1 1", name);
    }
    let pack = Pack::open(writer.finish()).unwrap();
    for name in &names {
        assert_eq!(pack.find("set", name).unwrap().body().as_ref(), Some(name));
    }
}

#[test]
fn follows_aliases_within_and_between_sets() {
    let pack = small_pack();
    for (set, alias, target) in [
        ("fa-solid", "tachometer-alt", ("fa-solid", "gauge-high")),
        ("fa-solid", "alien", ("mdi", "alien")),
        ("si", "twitter", ("si", "x")),
        ("si", "chatgpt", ("fa-brands", "openai")),
        ("fa-v4", "file-text-o", ("fa-regular", "file-lines")),
    ] {
        let icon = pack.find(set, alias).unwrap();
        assert_eq!((icon.set, icon.name), target, "{set}/{alias}");
    }
}

#[test]
fn an_alias_of_an_alias_leads_nowhere() {
    let mut writer = PackWriter::default();
    writer.icon("set", "icon", "0 0 1 1", "M0");
    writer.alias("set", "first", "set", "icon");
    writer.alias("set", "second", "set", "first");
    writer.alias("set", "self", "set", "self");
    let pack = Pack::open(writer.finish()).unwrap();
    assert!(pack.find("set", "first").is_some());
    assert_eq!(pack.find("set", "second"), None);
    assert_eq!(pack.find("set", "self"), None);
}

#[test]
fn refuses_what_is_no_pack() {
    assert_eq!(Pack::open(Bytes::new()).unwrap_err(), PackError::Magic);
    assert_eq!(Pack::open(Bytes::from_static(b"<html>")).unwrap_err(), PackError::Magic);
    assert_eq!(Pack::open(Bytes::from_static(b"PORTICO3")).unwrap_err(), PackError::Short(8));
    let huge = [b"PORTICO3".as_slice(), &[0xff; 12]].concat();
    assert_eq!(Pack::open(Bytes::from(huge)).unwrap_err(), PackError::Short(20));
    assert_eq!(Pack::empty().find("si", "plex"), None);
}

#[test]
fn a_damaged_pack_loses_icons_but_does_no_harm() {
    let mut writer = PackWriter::default();
    writer.icon("set", "icon", "0 0 1 1", "M0");
    writer.alias("set", "alias", "set", "icon");
    let sound = writer.finish();
    for cut in 0..sound.len() {
        if let Ok(pack) = Pack::open(sound.slice(..cut)) {
            let _ = ["icon", "alias"].map(|name| pack.find("set", name).map(|icon| icon.body()));
        }
    }
    for at in 8..sound.len() {
        for value in [0, 1, 0x7f, 0xff] {
            let mut damaged = sound.to_vec();
            damaged[at] = value;
            if let Ok(pack) = Pack::open(Bytes::from(damaged)) {
                let _ = ["icon", "alias"].map(|name| pack.find("set", name).map(|icon| icon.body()));
            }
        }
    }
}

#[test]
fn a_block_that_unpacks_to_megabytes_is_refused() {
    let body = |bytes: usize| {
        let mut writer = PackWriter::default();
        writer.icon("set", "icon", "0 0 1 1", &"M0".repeat(bytes / 2));
        let pack = Pack::open(writer.finish()).unwrap();
        pack.find("set", "icon").unwrap().body().map(|body| body.len())
    };
    assert_eq!(body(48 * 1024), Some(48 * 1024));
    assert_eq!(body(16 * 1024 * 1024), None);
}
