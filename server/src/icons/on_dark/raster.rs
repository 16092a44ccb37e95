//! The same for logos that consist of pixels. They are wrapped in a drawing, because only a drawing can look different on
//! a dark page.

use std::io::Cursor;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use image_webp::WebPDecoder;
use png::{Limits, Transformations};

use super::{Color, STYLE};
use crate::icons::media::Media;

/// Pictures with more pixels stay as they are: the collections' have a quarter of a million, and a bomb must not fill
/// the memory.
const MAX_PIXELS: u64 = 1 << 21;
/// What a decoder may allocate for anything but pixels, in bytes.
const MAX_OTHER_BYTES: usize = 1024 * 1024;
/// Pixels with less alpha are shadows and smooth edges, whose color says nothing.
const MIN_ALPHA: u8 = 0x80;
/// One in so many pixels may have another color: edges between black and white are gray.
const OTHERS: u64 = 8;

/// A PNG or WebP as a drawing with a light variant for dark pages, if it is black or nearly so; `None` for any other, and
/// for pictures that are damaged or too large. It decodes the picture, which takes milliseconds.
pub fn picture_with_light_variant(media: Media, body: &[u8]) -> Option<String> {
    let (width, height) = match media {
        Media::Png => black_png(body),
        Media::WebP => black_webp(body),
        _ => None,
    }?;
    let (kind, data) = (media.content_type(), STANDARD.encode(body));
    Some(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\">\
         {STYLE}<image width=\"{width}\" height=\"{height}\" href=\"data:{kind};base64,{data}\"/></svg>"
    ))
}

/// The size of a PNG, if it is invisible on a dark page. It holds one row at a time.
fn black_png(body: &[u8]) -> Option<(u32, u32)> {
    let mut decoder = png::Decoder::new_with_limits(Cursor::new(body), Limits { bytes: MAX_OTHER_BYTES });
    decoder.set_transformations(Transformations::normalize_to_color8());
    decoder.set_ignore_text_chunk(true);
    decoder.set_ignore_iccp_chunk(true);
    let header = decoder.read_header_info().ok()?;
    let size = (header.width, header.height);
    let mut tally = Tally::of_size(size)?;
    let mut reader = decoder.read_info().ok()?;
    let channels = reader.output_color_type().0.samples();
    // Interlaced pictures too: their rows are shorter, but have every pixel once.
    while let Some(row) = reader.next_interlaced_row().ok()? {
        tally.count(row.data(), channels)?;
    }
    tally.vanishes().then_some(size)
}

/// The size of a WebP, if it is invisible on a dark page.
fn black_webp(body: &[u8]) -> Option<(u32, u32)> {
    let mut decoder = WebPDecoder::new(Cursor::new(body)).ok()?;
    decoder.set_memory_limit(MAX_OTHER_BYTES);
    let size = decoder.dimensions();
    let mut tally = Tally::of_size(size)?;
    if decoder.is_animated() || has_large_frame(body) {
        return None;
    }
    let mut pixels = vec![0; decoder.output_buffer_size()?];
    decoder.read_image(&mut pixels).ok()?;
    tally.count(&pixels, if decoder.has_alpha() { 4 } else { 3 })?;
    tally.vanishes().then_some(size)
}

/// Whether a frame in a WebP is too large, whatever the header says: the decoder would notice that only after decoding it.
/// The bytes that begin a frame may be anywhere by chance, which costs a picture its variant once in a million times.
fn has_large_frame(body: &[u8]) -> bool {
    body.windows(7).any(|frame| {
        let side = |at: usize| u32::from(u16::from_le_bytes([frame[at], frame[at + 1]]) & 0x3fff);
        frame.starts_with(b"\x9d\x01\x2a") && Tally::of_size((side(3), side(5))).is_none()
    })
}

/// How many pixels of a picture have which kind of color.
struct Tally {
    /// All pixels, including the transparent ones.
    pixels: u64,
    dark: u64,
    white: u64,
    others: u64,
    /// The color of the pixel before: nearly always that of the next one.
    last: (u32, Color),
}

impl Tally {
    /// `None` for a picture that is empty or too large.
    fn of_size((width, height): (u32, u32)) -> Option<Self> {
        let pixels = u64::from(width) * u64::from(height);
        let tally = Self { pixels, dark: 0, white: 0, others: 0, last: (0, Color::of(0)) };
        (1..=MAX_PIXELS).contains(&pixels).then_some(tally)
    }

    /// Counts pixels: gray, gray and alpha, RGB or RGBA. `None` once it is certain that the picture is visible.
    fn count(&mut self, pixels: &[u8], channels: usize) -> Option<()> {
        for pixel in pixels.chunks_exact(channels) {
            let (color, alpha) = match *pixel {
                [gray] => ([gray; 3], u8::MAX),
                [gray, alpha] => ([gray; 3], alpha),
                [red, green, blue] => ([red, green, blue], u8::MAX),
                [red, green, blue, alpha] => ([red, green, blue], alpha),
                _ => return None,
            };
            if alpha < MIN_ALPHA {
                continue;
            }
            let number = u32::from_be_bytes([0, color[0], color[1], color[2]]);
            if number != self.last.0 {
                self.last = (number, Color::of(number));
            }
            match self.last.1 {
                Color::Dark => self.dark += 1,
                Color::White => self.white += 1,
                Color::Other | Color::None => self.others += 1,
            }
        }
        (self.others * OTHERS <= self.pixels).then_some(())
    }

    /// Whether most of what a light page shows is too dark for a dark one.
    fn vanishes(&self) -> bool {
        let Self { dark, white, others, .. } = *self;
        dark > white && others * OTHERS <= dark + white + others
    }
}

#[cfg(test)]
pub(in crate::icons) mod tests {
    use image_webp::{ColorType as WebPColor, WebPEncoder};
    use png::{BitDepth, ColorType};

    use super::*;

    /// The color and the alpha of a pixel, by its number.
    type Shade = fn(u32) -> [u8; 4];

    const SIDE: u32 = 32;
    const BLACK: [u8; 4] = [0x19, 0x17, 0x17, 0xff];
    const WHITE: [u8; 4] = [0xff; 4];
    const CLEAR: [u8; 4] = [0; 4];

    fn square(color: impl Fn(u32) -> [u8; 4]) -> Vec<u8> {
        (0..SIDE * SIDE).flat_map(color).collect()
    }

    fn encoded(color: ColorType, depth: BitDepth, palette: Option<&[u8]>, pixels: &[u8]) -> Vec<u8> {
        let mut body = Vec::new();
        let mut encoder = png::Encoder::new(&mut body, SIDE, SIDE);
        encoder.set_color(color);
        encoder.set_depth(depth);
        if let Some(palette) = palette {
            encoder.set_palette(palette);
        }
        encoder.write_header().unwrap().write_image_data(pixels).unwrap();
        body
    }

    fn png(pixels: &[u8]) -> Vec<u8> {
        encoded(ColorType::Rgba, BitDepth::Eight, None, pixels)
    }

    fn webp(pixels: &[u8]) -> Vec<u8> {
        let mut body = Vec::new();
        WebPEncoder::new(&mut body).encode(pixels, SIDE, SIDE, WebPColor::Rgba8).unwrap();
        body
    }

    /// A black PNG with a clear lower half, for tests of what serves it.
    pub fn black_logo() -> Vec<u8> {
        png(&square(|at| if at < SIDE * SIDE / 2 { BLACK } else { CLEAR }))
    }

    /// A chunk without a valid check sum.
    fn chunk(kind: &[u8; 4], data: &[u8]) -> Vec<u8> {
        let length = u32::try_from(data.len()).unwrap().to_be_bytes();
        [&length, &kind[..], data, &[0; 4]].concat()
    }

    #[test]
    fn black_pictures_become_drawings_with_a_light_variant() {
        let black = black_logo();
        let drawing = picture_with_light_variant(Media::Png, &black).unwrap();
        let data = drawing.split("data:image/png;base64,").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
        assert_eq!(STANDARD.decode(data).unwrap(), black);
        assert_eq!(
            drawing.replace(data, ""),
            format!(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"32\" height=\"32\" viewBox=\"0 0 32 32\">{STYLE}\
                 <image width=\"32\" height=\"32\" href=\"data:image/png;base64,\"/></svg>"
            )
        );
        assert_eq!(super::super::with_light_variant(drawing.as_bytes()), None, "one variant is enough");
    }

    #[test]
    fn black_in_every_form() {
        let shades: [(&str, Shade); 5] = [
            ("black", |_| BLACK),
            ("dark gray and clear", |at| if at % 3 == 0 { [0x40, 0x40, 0x40, 0xff] } else { CLEAR }),
            ("with a white mark and its gray edge", |at| match at % 16 {
                0..4 => WHITE,
                4 => [0x80, 0x80, 0x80, 0xff],
                _ => BLACK,
            }),
            ("with a shadow in color", |at| if at % 2 == 0 { BLACK } else { [0xff, 0, 0, 0x40] }),
            ("half clear", |_| [0, 0, 0, 0x90]),
        ];
        for (what, shade) in shades {
            let pixels = square(shade);
            assert!(picture_with_light_variant(Media::Png, &png(&pixels)).is_some(), "PNG, {what}");
            assert!(picture_with_light_variant(Media::WebP, &webp(&pixels)).is_some(), "WebP, {what}");
        }
        let (side, area) = (SIDE as usize, (SIDE * SIDE) as usize);
        for (what, body) in [
            ("gray", encoded(ColorType::Grayscale, BitDepth::Eight, None, &vec![0; area])),
            ("one bit", encoded(ColorType::Grayscale, BitDepth::One, None, &vec![0; area / 8])),
            (
                "gray and alpha",
                encoded(ColorType::GrayscaleAlpha, BitDepth::Sixteen, None, &[0, 0, 255, 255].repeat(area)),
            ),
            ("deep", encoded(ColorType::Rgb, BitDepth::Sixteen, None, &vec![0; area * 6])),
            (
                "palette",
                encoded(ColorType::Indexed, BitDepth::Four, Some(&[9, 9, 9, 255, 0, 0]), &vec![0; side * side / 2]),
            ),
        ] {
            assert!(picture_with_light_variant(Media::Png, &body).is_some(), "{what}");
        }
    }

    #[test]
    fn others_stay() {
        let shades: [(&str, Shade); 6] = [
            ("color", |_| [0xe5, 0xa0, 0x0d, 0xff]),
            ("color on black", |at| if at % 4 == 0 { [0x18, 0xbc, 0xf2, 0xff] } else { BLACK }),
            ("gray", |_| [0x80, 0x80, 0x80, 0xff]),
            ("white", |_| WHITE),
            ("mostly white", |at| if at % 3 == 0 { BLACK } else { WHITE }),
            ("clear", |_| CLEAR),
        ];
        for (what, shade) in shades {
            let pixels = square(shade);
            assert_eq!(picture_with_light_variant(Media::Png, &png(&pixels)), None, "PNG, {what}");
            assert_eq!(picture_with_light_variant(Media::WebP, &webp(&pixels)), None, "WebP, {what}");
        }
        assert_eq!(picture_with_light_variant(Media::Gif, &black_logo()), None);
    }

    #[test]
    fn hostile_pictures_stay() {
        let black = black_logo();
        for length in 0..black.len() - 12 {
            assert_eq!(picture_with_light_variant(Media::Png, &black[..length]), None, "cut off after {length} bytes");
        }
        let small = webp(&square(|_| BLACK));
        for length in 0..small.len() - 1 {
            picture_with_light_variant(Media::WebP, &small[..length]);
        }
        for at in 0..black.len() {
            let mut damaged = black.clone();
            damaged[at] ^= 0x55;
            picture_with_light_variant(Media::Png, &damaged);
        }
        for at in 0..small.len() {
            let mut damaged = small.clone();
            damaged[at] ^= 0x55;
            picture_with_light_variant(Media::WebP, &damaged);
        }
        assert_eq!(picture_with_light_variant(Media::WebP, &black), None);
        assert_eq!(picture_with_light_variant(Media::Png, b""), None);
    }

    #[test]
    fn bombs_are_not_unpacked() {
        // Its sides announce sixteen gigapixels; the check sum is right.
        let mut large = black_logo();
        large[16..24].copy_from_slice(&[0, 2, 0, 0, 0, 2, 0, 0]);
        let sum = {
            let mut hash = flate2::Crc::new();
            hash.update(&large[12..29]);
            hash.sum()
        };
        large[29..33].copy_from_slice(&sum.to_be_bytes());
        assert_eq!(picture_with_light_variant(Media::Png, &large), None);
        assert!(Tally::of_size((1 << 17, 1 << 17)).is_none());
        assert!(Tally::of_size((2048, 1024)).is_some());
        assert!(Tally::of_size((2048, 1025)).is_none());
        assert!(Tally::of_size((0, 9)).is_none());

        // A frame of 16383 times 16383 pixels in a picture of one.
        let mut frame = vec![0x10, 0, 0, 0x9d, 0x01, 0x2a, 0xff, 0x3f, 0xff, 0x3f];
        frame.resize(1000, 0);
        let mut body = b"RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0\0\0\0\0\0\0VP8 ".to_vec();
        body.extend_from_slice(&1000_u32.to_le_bytes());
        body.extend_from_slice(&frame);
        let length = u32::try_from(body.len() - 8).unwrap();
        body[4..8].copy_from_slice(&length.to_le_bytes());
        assert_eq!(WebPDecoder::new(Cursor::new(&body)).unwrap().dimensions(), (1, 1));
        assert!(has_large_frame(&body));
        assert_eq!(picture_with_light_variant(Media::WebP, &body), None);

        // A color profile is not unpacked.
        let mut profile = black_logo();
        profile.splice(33..33, chunk(b"iCCP", &[b"a\0\0".to_vec(), vec![0; 1 << 21]].concat()));
        assert!(picture_with_light_variant(Media::Png, &profile).is_some());
    }
}
