//! Writes packs in the format that `tools/pack-icons.mjs` writes, independently of the reader.

use std::{collections::BTreeMap, io::Write as _};

use bytes::Bytes;
use flate2::{Compression, write::DeflateEncoder};

#[derive(Clone)]
enum PackEntry {
    Icon { view_box: String, body: String, color: u32 },
    Alias { set: String, name: String },
}

#[derive(Default)]
pub struct PackWriter {
    sets: BTreeMap<String, (u32, BTreeMap<String, PackEntry>)>,
}

impl PackWriter {
    pub fn icon(&mut self, set: &str, name: &str, view_box: &str, body: &str) {
        self.add(set, 0, name, view_box, body, u32::MAX);
    }

    pub fn colored(&mut self, set: &str, name: &str, body: &str, color: Option<u32>) {
        self.add(set, 0, name, "0 0 24 24", body, color.unwrap_or(u32::MAX));
    }

    pub fn document(&mut self, set: &str, name: &str, body: &str) {
        self.add(set, 1, name, "", body, u32::MAX);
    }

    pub fn alias(&mut self, set: &str, alias: &str, target_set: &str, target: &str) {
        let entry = PackEntry::Alias { set: target_set.to_owned(), name: target.to_owned() };
        self.sets.entry(set.to_owned()).or_default().1.insert(alias.to_owned(), entry);
    }

    fn add(&mut self, set: &str, kind: u32, name: &str, view_box: &str, body: &str, color: u32) {
        let set = self.sets.entry(set.to_owned()).or_default();
        set.0 = kind;
        let entry = PackEntry::Icon { view_box: view_box.to_owned(), body: body.to_owned(), color };
        set.1.insert(name.to_owned(), entry);
    }

    pub fn finish(&self) -> Bytes {
        let mut positions = BTreeMap::new();
        let mut view_boxes: Vec<String> = Vec::new();
        for (set, (_, entries)) in &self.sets {
            for (name, entry) in entries {
                positions.insert((set.clone(), name.clone()), positions.len() as u32);
                if let PackEntry::Icon { view_box, .. } = entry
                    && !view_boxes.contains(view_box)
                {
                    view_boxes.push(view_box.clone());
                }
            }
        }
        let area_start = 20 + self.sets.len() * 24 + view_boxes.len() * 8 + positions.len() * 20;
        let mut area: Vec<u8> = Vec::new();
        let mut add = |bytes: &[u8]| {
            area.extend_from_slice(bytes);
            (area_start + area.len() - bytes.len()) as u32
        };
        let mut index: Vec<u8> = b"PORTICO2".to_vec();
        for count in [self.sets.len(), view_boxes.len(), positions.len()] {
            index.extend_from_slice(&(count as u32).to_le_bytes());
        }
        let mut first = 0_u32;
        for (set, (kind, entries)) in &self.sets {
            let notice = format!("notice of {set}");
            for value in [add(set.as_bytes()), add(notice.as_bytes()), first, entries.len() as u32] {
                index.extend_from_slice(&value.to_le_bytes());
            }
            index.extend_from_slice(&(set.len() as u16).to_le_bytes());
            index.extend_from_slice(&(notice.len() as u16).to_le_bytes());
            index.extend_from_slice(&kind.to_le_bytes());
            first += entries.len() as u32;
        }
        for view_box in &view_boxes {
            index.extend_from_slice(&add(view_box.as_bytes()).to_le_bytes());
            index.extend_from_slice(&(view_box.len() as u32).to_le_bytes());
        }
        for (_, entries) in self.sets.values() {
            for (name, entry) in entries {
                index.extend_from_slice(&add(name.as_bytes()).to_le_bytes());
                index.push(name.len() as u8);
                let (flags, view_box, body, length, color) = match entry {
                    PackEntry::Icon { view_box, body, color } => {
                        let number = view_boxes.iter().position(|known| known == view_box).unwrap();
                        let body = deflated(body);
                        (0, number as u16, add(&body), body.len() as u32, *color)
                    }
                    PackEntry::Alias { set, name } => (1, 0, positions[&(set.clone(), name.clone())], 0, u32::MAX),
                };
                index.push(flags);
                index.extend_from_slice(&view_box.to_le_bytes());
                for value in [body, length, color] {
                    index.extend_from_slice(&value.to_le_bytes());
                }
            }
        }
        index.extend_from_slice(&area);
        Bytes::from(index)
    }
}

fn deflated(text: &str) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}
