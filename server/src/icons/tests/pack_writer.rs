//! Writes packs in the format that `tools/pack-icons.mjs` writes, independently of the reader.

use std::{collections::BTreeMap, io::Read as _};

use brotli::CompressorReader;
use bytes::Bytes;

/// How many bodies are in a block.
const BLOCK: usize = 3;

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
        let mut index: Vec<u8> = b"PORTICO3".to_vec();
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
        let all = self.sets.values().flat_map(|(_, entries)| entries.values());
        let bodies = all.filter_map(|entry| match entry {
            PackEntry::Icon { body, .. } => Some(body.as_str()),
            PackEntry::Alias { .. } => None,
        });
        let mut places = Vec::new();
        for bodies in bodies.collect::<Vec<_>>().chunks(BLOCK) {
            let block = compressed(&bodies.concat());
            let offset = add(&(block.len() as u32).to_le_bytes());
            add(&block);
            let mut start = 0;
            for body in bodies {
                // Where a body is longer, its block is refused.
                places.push((offset, [start, body.len()].map(|number| u16::try_from(number).unwrap_or(u16::MAX))));
                start += body.len();
            }
        }
        let mut places = places.into_iter();
        for (_, entries) in self.sets.values() {
            for (name, entry) in entries {
                index.extend_from_slice(&add(name.as_bytes()).to_le_bytes());
                index.push(name.len() as u8);
                let (flags, view_box, target, body, color) = match entry {
                    PackEntry::Icon { view_box, color, .. } => {
                        let number = view_boxes.iter().position(|known| known == view_box).unwrap();
                        let (block, body) = places.next().unwrap();
                        (0, number as u16, block, body, *color)
                    }
                    PackEntry::Alias { set, name } => (1, 0, positions[&(set.clone(), name.clone())], [0, 0], u32::MAX),
                };
                index.push(flags);
                index.extend_from_slice(&view_box.to_le_bytes());
                index.extend_from_slice(&target.to_le_bytes());
                index.extend(body.iter().flat_map(|number| number.to_le_bytes()));
                index.extend_from_slice(&color.to_le_bytes());
            }
        }
        index.extend_from_slice(&area);
        Bytes::from(index)
    }
}

fn compressed(text: &str) -> Vec<u8> {
    let mut compressed = Vec::new();
    CompressorReader::new(text.as_bytes(), 4096, 5, 16).read_to_end(&mut compressed).unwrap();
    compressed
}
