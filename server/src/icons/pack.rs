//! The bundled icon sets: one file, of which only the icons in use are unpacked.
//!
//! `tools/pack-icons.mjs` writes the file. All numbers are little-endian, all offsets count from the start of the file.
//!
//! | Part | Content |
//! |---|---|
//! | header, 20 bytes | `PORTICO3`; number of sets, of view boxes, of records (`u32` each) |
//! | sets, 24 bytes each | offsets of name and notice, first record, number of records (`u32`); lengths of name and notice (`u16`); kind (`u32`) |
//! | view boxes, 8 bytes each | offset and length (`u32`) |
//! | records, 20 bytes each | offset of the name (`u32`); its length, flags (`u8`); view box (`u16`); offset of the block (`u32`); where the body begins in it, length of the body (`u16`); color (`u32`) |
//! | texts and blocks | names, notices; blocks of bodies, each after its length (`u32`) |
//!
//! Kinds: 0, bodies are the `d` of a single path; 1, bodies are whole documents. Bodies are compressed (Brotli, RFC 7932)
//! in blocks of a few dozen. Compressed one by one they would take a quarter more; in larger blocks, reading one would
//! take longer than the tens of microseconds that it takes now.
//!
//! The records of a set are sorted by the bytes of their names. A record with the flag 1 is an alias: in place of its
//! block's offset it has the number of another record, of any set. Nothing is unpacked when a pack is opened, so
//! thirteen thousand icons cost neither start-up time nor memory; every read is checked against the file's length, so a
//! damaged file loses icons but cannot do harm.

use std::io::Read as _;

use bytes::Bytes;

const MAGIC: &[u8; 8] = b"PORTICO3";
const HEADER_BYTES: usize = 20;
const SET_BYTES: usize = 24;
const VIEW_BOX_BYTES: usize = 8;
const RECORD_BYTES: usize = 20;
const NO_COLOR: u32 = u32::MAX;
const FLAG_ALIAS: u8 = 1;
/// Maximum size of an unpacked block in bytes. The packer drops drawings of more than half of this.
const MAX_BLOCK_BYTES: u64 = 64 * 1024;
/// The size of the buffer for decompressing, in bytes.
const BUFFER_BYTES: usize = 4096;

/// The format of the bodies in a set.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum BodyKind {
    /// The `d` of a single path.
    Path,
    /// A whole SVG document.
    Document,
}

/// Why a file is not a valid pack.
#[derive(Debug, thiserror::Error, Eq, PartialEq)]
pub enum PackError {
    /// The file does not start with the signature of this format.
    #[error("icon pack does not begin with `PORTICO3` (run `make build`)")]
    Magic,
    /// The tables announced in the header do not fit into the file.
    #[error("icon pack of {0} bytes is shorter than its tables")]
    Short(usize),
}

/// The icon sets. Cheap to clone: all clones read the same bytes.
#[derive(Clone, Debug)]
pub struct Pack {
    bytes: Bytes,
    set_count: usize,
    view_box_count: usize,
    record_count: usize,
}

/// One icon of a pack.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct PackedIcon<'a> {
    /// The set it belongs to, after aliases.
    pub set: &'a str,
    /// Its own name, after aliases.
    pub name: &'a str,
    /// The format of [`Self::body`].
    pub kind: BodyKind,
    /// The view box, as in the SVG attribute; empty for documents.
    pub view_box: &'a str,
    /// The compressed block that contains the body.
    block: &'a [u8],
    /// Where the body begins in the unpacked block.
    body_start: usize,
    body_length: usize,
    /// The color of the brand as 0xRRGGBB.
    pub color: Option<u32>,
    /// Name, version and license of the set, for the comment that the licenses require.
    pub notice: &'a str,
}

impl PackedIcon<'_> {
    /// The path or the document. `None` if the file is damaged.
    pub fn body(&self) -> Option<String> {
        let mut block = Vec::new();
        let decompressor = brotli::Decompressor::new(self.block, BUFFER_BYTES);
        let length = decompressor.take(MAX_BLOCK_BYTES + 1).read_to_end(&mut block).ok()?;
        let body = block.get(self.body_start..self.body_start + self.body_length)?;
        (length as u64 <= MAX_BLOCK_BYTES).then(|| str::from_utf8(body).map(str::to_owned).ok())?
    }
}

#[derive(Clone, Copy)]
struct Set {
    name_offset: usize,
    name_length: usize,
    notice_offset: usize,
    notice_length: usize,
    first_record: usize,
    record_count: usize,
    kind: BodyKind,
}

#[derive(Clone, Copy)]
struct Record {
    name_offset: usize,
    name_length: usize,
    alias: bool,
    view_box: usize,
    /// The offset of the block; of an alias, the number of another record.
    target: usize,
    body_start: usize,
    body_length: usize,
    color: u32,
}

impl Pack {
    /// Opens a pack.
    ///
    /// # Errors
    ///
    /// The bytes are not a pack, or the pack is cut off within its tables.
    pub fn open(bytes: Bytes) -> Result<Self, PackError> {
        if !bytes.starts_with(MAGIC) {
            return Err(PackError::Magic);
        }
        let short = PackError::Short(bytes.len());
        let count = |at| read_u32(&bytes, at).map(|value| value as usize);
        let (Some(set_count), Some(view_box_count), Some(record_count)) = (count(8), count(12), count(16)) else {
            return Err(short);
        };
        let pack = Self { bytes, set_count, view_box_count, record_count };
        // The counts are below 2^32 and the entries below 2^5 bytes, so this cannot overflow on 64-bit machines;
        // smaller ones could not hold such a large file anyway.
        if pack.records_start().saturating_add(record_count.saturating_mul(RECORD_BYTES)) > pack.bytes.len() {
            return Err(short);
        }
        Ok(pack)
    }

    /// An empty pack, for a development build whose icons have not been packed.
    pub fn empty() -> Self {
        Self { bytes: Bytes::new(), set_count: 0, view_box_count: 0, record_count: 0 }
    }

    /// The icon with exactly that name or alias.
    pub fn find(&self, set: &str, name: &str) -> Option<PackedIcon<'_>> {
        let set = self.set(set)?;
        let number = self.search(set, name)?;
        let record = self.record(number)?;
        if record.alias {
            // An alias never leads to another alias, which also rules out cycles.
            let target = self.record(record.target)?;
            if target.alias {
                return None;
            }
            return self.icon(self.set_of(record.target)?, target);
        }
        self.icon(set, record)
    }

    /// All names of a set, those of aliases too, each with the number that [`Pack::named_by`] takes.
    pub fn names<'a>(&'a self, set: &str) -> impl Iterator<Item = (usize, &'a str)> + use<'a> {
        let records = self.set(set).map_or(0..0, |set| set.first_record..set.first_record + set.record_count);
        records.filter_map(move |number| {
            let record = self.record(number)?;
            Some((number, self.text(record.name_offset, record.name_length)?))
        })
    }

    /// The set and the name of the icon that a name of [`Pack::names`] stands for.
    pub fn named_by(&self, number: usize) -> Option<(&str, &str)> {
        let record = self.record(number)?;
        let (number, record) =
            if record.alias { (record.target, self.record(record.target)?) } else { (number, record) };
        let set = self.set_of(number).filter(|_| !record.alias)?;
        Some((self.text(set.name_offset, set.name_length)?, self.text(record.name_offset, record.name_length)?))
    }

    fn icon(&self, set: Set, record: Record) -> Option<PackedIcon<'_>> {
        Some(PackedIcon {
            set: self.text(set.name_offset, set.name_length)?,
            name: self.text(record.name_offset, record.name_length)?,
            kind: set.kind,
            view_box: self.view_box(record.view_box)?,
            block: self.slice(record.target.checked_add(4)?, self.u32(record.target)?)?,
            body_start: record.body_start,
            body_length: record.body_length,
            color: (record.color != NO_COLOR).then_some(record.color),
            notice: self.text(set.notice_offset, set.notice_length)?,
        })
    }

    fn search(&self, set: Set, name: &str) -> Option<usize> {
        let mut low = set.first_record;
        let mut high = set.first_record.checked_add(set.record_count)?;
        while low < high {
            let middle = low + (high - low) / 2;
            let record = self.record(middle)?;
            match self.slice(record.name_offset, record.name_length)?.cmp(name.as_bytes()) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
                std::cmp::Ordering::Equal => return Some(middle),
            }
        }
        None
    }

    fn set(&self, name: &str) -> Option<Set> {
        (0..self.set_count)
            .filter_map(|number| self.set_at(number))
            .find(|set| self.slice(set.name_offset, set.name_length) == Some(name.as_bytes()))
    }

    fn set_of(&self, record: usize) -> Option<Set> {
        (0..self.set_count)
            .filter_map(|number| self.set_at(number))
            .find(|set| record.checked_sub(set.first_record).is_some_and(|position| position < set.record_count))
    }

    fn set_at(&self, number: usize) -> Option<Set> {
        let at = HEADER_BYTES + number * SET_BYTES;
        // A damaged count must not cause a walk through four billion records that do not exist.
        let first_record = self.u32(at + 8)?.min(self.record_count);
        Some(Set {
            name_offset: self.u32(at)?,
            notice_offset: self.u32(at + 4)?,
            first_record,
            record_count: self.u32(at + 12)?.min(self.record_count - first_record),
            name_length: self.u16(at + 16)?,
            notice_length: self.u16(at + 18)?,
            kind: match self.u32(at + 20)? {
                0 => BodyKind::Path,
                1 => BodyKind::Document,
                _ => return None,
            },
        })
    }

    fn record(&self, number: usize) -> Option<Record> {
        if number >= self.record_count {
            return None;
        }
        let at = self.records_start() + number * RECORD_BYTES;
        Some(Record {
            name_offset: self.u32(at)?,
            name_length: usize::from(*self.bytes.get(at + 4)?),
            alias: *self.bytes.get(at + 5)? & FLAG_ALIAS != 0,
            view_box: self.u16(at + 6)?,
            target: self.u32(at + 8)?,
            body_start: self.u16(at + 12)?,
            body_length: self.u16(at + 14)?,
            color: read_u32(&self.bytes, at + 16)?,
        })
    }

    fn view_box(&self, number: usize) -> Option<&str> {
        if number >= self.view_box_count {
            return None;
        }
        let at = HEADER_BYTES + self.set_count * SET_BYTES + number * VIEW_BOX_BYTES;
        self.text(self.u32(at)?, self.u32(at + 4)?)
    }

    fn records_start(&self) -> usize {
        HEADER_BYTES
            .saturating_add(self.set_count.saturating_mul(SET_BYTES))
            .saturating_add(self.view_box_count.saturating_mul(VIEW_BOX_BYTES))
    }

    fn text(&self, offset: usize, length: usize) -> Option<&str> {
        std::str::from_utf8(self.slice(offset, length)?).ok()
    }

    fn slice(&self, offset: usize, length: usize) -> Option<&[u8]> {
        self.bytes.get(offset..offset.checked_add(length)?)
    }

    fn u32(&self, at: usize) -> Option<usize> {
        read_u32(&self.bytes, at).map(|value| value as usize)
    }

    fn u16(&self, at: usize) -> Option<usize> {
        let bytes = self.bytes.get(at..at.checked_add(2)?)?;
        Some(usize::from(u16::from_le_bytes(bytes.try_into().ok()?)))
    }
}

fn read_u32(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at.checked_add(4)?)?.try_into().ok()?))
}
