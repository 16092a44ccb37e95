//! Generative icons: a picture derived from an address, the same for the same address.
//!
//! The address of such a picture contains 64 bits of the hash of the item's address and nothing else, so the picture
//! can be drawn from its own address, and that address reveals nothing about the item. The design is a patchwork of
//! three by three cells, each a quarter or half circle, a leaf, a disc or a triangle, in two tones on a third of
//! neighboring hues.

use std::fmt::Write;

const CELL: u32 = 20;
/// Margin around the patchwork, so that its shapes do not touch the rounded corners.
const MARGIN: u32 = 6;
const SIDE: u32 = 3 * CELL + 2 * MARGIN;

/// The picture for 16 hexadecimal digits; none if the key is something else.
pub fn picture(key: &str) -> Option<String> {
    if key.len() != 16 || !key.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte)) {
        return None;
    }
    let mut bits = Bits(u64::from_str_radix(key, 16).ok()?);
    let hue = bits.take(5) * 360 / 32;
    // The second hue is a neighbor on either side: related enough to look deliberate.
    let second = (hue + [40, 70, 290, 320][bits.take(2) as usize]) % 360;
    let mut cells = String::new();
    for number in 0..9 {
        let (x, y) = (MARGIN + number % 3 * CELL, MARGIN + number / 3 * CELL);
        let tone = if bits.take(1) == 0 { 'a' } else { 'b' };
        let shape = SHAPES[bits.take(3) as usize];
        let turn = bits.take(2) * 90;
        if !shape.is_empty() {
            // Shapes are drawn in a cell around the origin, then rotated and moved. Writing to a `String` cannot fail.
            let (x, y) = (x + CELL / 2, y + CELL / 2);
            let _ =
                write!(cells, "<path class=\"{tone}\" transform=\"translate({x} {y})rotate({turn})\" d=\"{shape}\"/>");
        }
    }
    Some(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {SIDE} {SIDE}\">\
         <style>.g{{fill:hsl({hue} 42% 91%)}}.a{{fill:hsl({hue} 58% 46%)}}.b{{fill:hsl({second} 66% 60%)}}\
         @media(prefers-color-scheme:dark){{.g{{fill:hsl({hue} 28% 20%)}}.a{{fill:hsl({hue} 55% 60%)}}\
         .b{{fill:hsl({second} 62% 70%)}}}}</style>\
         <rect class=\"g\" width=\"{SIDE}\" height=\"{SIDE}\" rx=\"14\"/>{cells}</svg>"
    ))
}

/// Paths within -10 to 10. The empty one leaves a gap, without which the patchwork looks crowded.
const SHAPES: [&str; 8] = [
    "M-10-10A20 20 0 0 1 10 10H-10Z",
    "M-10-10A20 20 0 0 1 10 10H-10Z",
    "M-10 0A10 10 0 0 1 10 0Z",
    "M0-10A10 10 0 0 1 10 0V10H0A10 10 0 0 1-10 0V-10Z",
    "M0-8A8 8 0 0 1 0 8A8 8 0 0 1 0-8Z",
    "M-10-10L10 10H-10Z",
    "M-10-10H10V0A10 10 0 0 1 0 10H-10Z",
    "",
];

/// A hash, consumed bit by bit: 5 + 2 + 9 × 6 = 61 of 64.
struct Bits(u64);

impl Bits {
    fn take(&mut self, count: u32) -> u32 {
        let value = self.0 & ((1 << count) - 1);
        self.0 >>= count;
        value as u32
    }
}
