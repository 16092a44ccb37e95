//! Finds the pictures that panels named.

use bytes::Bytes;

use super::{
    panel_set::Panels,
    pictures::{LIFE, LIFE_OF_FRESH},
};
use crate::icons::media::Media;

impl Panels {
    /// The picture that a panel named with this token, reloaded if it should be fresh; `None` if there is none.
    pub async fn picture(&self, token: &str, is_fresh: bool) -> Option<(Bytes, Media)> {
        let picture = self.pictures.find(token)?;
        if self.demo {
            return Some((drawn(token), Media::Svg));
        }
        let (content, is_new) = picture.content(&self.http_client, if is_fresh { LIFE_OF_FRESH } else { LIFE }).await;
        if is_new {
            self.pictures.make_room();
        }
        content
    }
}

/// A simple landscape in place of a picture that the demo does not fetch; its colors depend on the token.
fn drawn(token: &str) -> Bytes {
    let hue = token.bytes().fold(0_u32, |sum, byte| sum * 31 % 360 + u32::from(byte)) % 360;
    let (sky, near) = ((hue + 40) % 360, (hue + 15) % 360);
    Bytes::from(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 320 180\" width=\"320\" height=\"180\">\
         <rect width=\"320\" height=\"180\" fill=\"hsl({sky} 55% 72%)\"/><circle cx=\"236\" cy=\"52\" r=\"22\" \
         fill=\"hsl({sky} 80% 90%)\"/><path d=\"M0 128 70 70l52 44 58-62 140 96v32H0z\" fill=\"hsl({hue} 32% 48%)\"/>\
         <path d=\"M0 152l96-40 88 36 60-26 76 34v24H0z\" fill=\"hsl({near} 36% 32%)\"/></svg>"
    ))
}
