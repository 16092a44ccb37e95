use super::{HTML, ICO, PNG, SVG, WEBP};
use crate::icons::media::Media;

#[test]
fn pictures_are_known_by_their_bytes() {
    let cases: &[(&[u8], Option<Media>)] = &[
        (PNG, Some(Media::Png)),
        (ICO, Some(Media::Ico)),
        (WEBP, Some(Media::WebP)),
        (b"\xff\xd8\xff\xe0", Some(Media::Jpeg)),
        (b"GIF89a..", Some(Media::Gif)),
        (b"\0\0\0\x20ftypavif", Some(Media::Avif)),
        (b"\0\0\0\x20ftypisom", None),
        (b"BM..........................", Some(Media::Bmp)),
        (b"BM", None),
        (SVG, Some(Media::Svg)),
        (b"<svg>", Some(Media::Svg)),
        (b"<svg/>", Some(Media::Svg)),
        (b"\xef\xbb\xbf\n <svg\nwidth='1'>", Some(Media::Svg)),
        (b"<?xml version='1.0'?>\n<!-- by > hand --><!DOCTYPE svg PUBLIC '' ''><svg >", Some(Media::Svg)),
        (b"<!DOCTYPE svg [<!ENTITY a 'b'>]><svg >", Some(Media::Svg)),
        (b"<svg:svg xmlns:svg=''>", Some(Media::Svg)),
        (b"<svgx>", None),
        (b"<svg", None),
        (b"<?xml", None),
        (b"<!-- <svg>", None),
        (HTML, None),
        (b"<html><body><svg></svg></body></html>", None),
        (b"{}", None),
        (b"", None),
    ];
    for (body, expected) in cases {
        assert_eq!(Media::of_picture(body), *expected, "{}", String::from_utf8_lossy(body));
    }
}

#[test]
fn fonts_are_known_by_their_bytes() {
    let cases: &[(&[u8], Option<Media>)] = &[
        (b"wOF2....", Some(Media::Woff2)),
        (b"wOFF", Some(Media::Woff)),
        (b"\0\x01\0\0..", Some(Media::Ttf)),
        (b"true", Some(Media::Ttf)),
        (b"OTTO\0", Some(Media::Otf)),
        (ICO, None),
        (HTML, None),
        (b"wOF", None),
    ];
    for (body, expected) in cases {
        assert_eq!(Media::of_font(body), *expected, "{}", String::from_utf8_lossy(body));
    }
}

#[test]
fn words_lead_back() {
    for word in ["svg", "png", "jpeg", "gif", "webp", "ico", "avif", "bmp", "css", "woff2", "woff", "ttf", "otf"] {
        assert_eq!(Media::from_word(word).unwrap().word(), word);
    }
    assert_eq!(Media::from_word("html"), None);
}

#[test]
fn hostile_drawings_cost_no_more_than_their_length() {
    for piece in ["<!DOCTYPE svg>", "<!DOCTYPE svg [>", "<!-- -->", "<?x?>", "<!DOCTYPE svg ", "<!DOCTYPE svg [ ]>"] {
        let body = piece.repeat(2 * 1024 * 1024 / piece.len());
        let began = std::time::Instant::now();
        assert_eq!(Media::of_picture(body.as_bytes()), None, "{piece}");
        assert!(began.elapsed().as_secs() < 30, "{piece}");
    }
}
