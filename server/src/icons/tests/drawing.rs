use super::small_pack;
use crate::icons::{
    drawing::{broken_picture, glyph_file, glyph_picture, initial, key_of, letter_picture},
    generative,
    media::Media,
};

#[test]
fn a_glyph_file_works_as_symbol_and_as_image() {
    let pack = small_pack();
    let file = glyph_file(&pack.find("fa-brands", "github").unwrap()).unwrap();
    assert_eq!(
        file,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 496 512\"><!-- notice of fa-brands -->\
         <symbol id=\"i\" viewBox=\"0 0 496 512\" fill=\"currentColor\"><path d=\"M1\"/></symbol><use href=\"#i\"/></svg>"
    );
}

#[test]
fn brand_colors_give_way_where_they_would_vanish() {
    let pack = small_pack();
    let black = glyph_picture(&pack.find("si", "x").unwrap()).unwrap();
    assert!(black.contains("<style>path{fill:#000000}"), "{black}");
    assert!(black.contains("dark){path{fill:#d6dce6}}"), "{black}");
    let yellow = glyph_picture(&pack.find("si", "plex").unwrap()).unwrap();
    assert!(yellow.contains("<style>path{fill:#3b4455}"), "{yellow}");
    assert!(yellow.contains("dark){path{fill:#ebaf00}}"), "{yellow}");
    let blue = glyph_picture(&pack.find("si", "homeassistant").unwrap()).unwrap();
    assert_eq!(blue.matches("#18bcf2").count(), 2, "{blue}");
}

#[test]
fn initials() {
    for (title, letter) in [
        ("plex", "P"),
        ("🎬 media", "M"),
        ("(old) nas", "O"),
        ("4k movies", "4"),
        ("größe", "G"),
        ("ölofen", "Ö"),
        ("日本語", "日"),
        ("ßtraße", "SS"),
        ("🎬", "🎬"),
        ("  ", "?"),
        ("", "?"),
    ] {
        assert_eq!(initial(title), letter, "{title}");
    }
}

#[test]
fn everything_drawn_is_an_svg_without_foreign_markup() {
    let letter = letter_picture("<script>", None);
    assert!(letter.contains(">S<"), "{letter}");
    let sign = letter_picture("<", None);
    assert!(sign.contains(">&lt;<"), "{sign}");
    assert_eq!(letter_picture("nas", None), letter_picture("nas", None));
    assert!(letter_picture("nas", Some("#123456")).contains("text{fill:#123456}"));
    assert_eq!(letter_picture("nas", Some("var(--primary)")), letter_picture("nas", None));
    for picture in [letter, sign, broken_picture(), generative::picture("0123456789abcdef").unwrap()] {
        assert_eq!(Media::of_picture(picture.as_bytes()), Some(Media::Svg));
    }
}

#[test]
fn generative_pictures_follow_their_key() {
    let key = key_of("https://nas.lan");
    assert_eq!(key.len(), 16);
    assert_eq!(generative::picture(&key), generative::picture(&key));
    assert_ne!(generative::picture(&key), generative::picture(&key_of("https://nas.lan/")));
    for wrong in ["", "0", "0123456789abcdeg", "0123456789ABCDEF", "0123456789abcdef0", "+123456789abcdef"] {
        assert_eq!(generative::picture(wrong), None, "{wrong}");
    }
    for extreme in ["0000000000000000", "ffffffffffffffff"] {
        assert!(generative::picture(extreme).is_some());
    }
}
