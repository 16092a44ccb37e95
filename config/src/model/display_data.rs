//! `displayData` of sections, items and pages (config.md 7.1, 8.1, 10).

use super::{
    cursor::Cursor,
    page_info::read_color,
    shape::{Field, MANY, Others, Rule, Shape, Word, legacy, optional, words},
};
use crate::{
    css,
    dashboard::Size,
    viewer::{Membership, Visibility},
};

/// How a section is shown.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DisplayData {
    /// Order of the items.
    pub sort_by: SortBy,
    /// Initial state; none when not set.
    pub collapsed: Option<bool>,
    /// Fill the height of the grid cell.
    pub cut_to_height: bool,
    /// Background of the outer box, a valid CSS colour.
    pub color: Option<String>,
    /// Declarations for the outer box, reduced to what is allowed.
    pub custom_styles: Option<String>,
    /// Size of the tiles, when it differs from the page's.
    pub item_size: Option<Size>,
    /// Grid rows spanned, 1 to 5.
    pub rows: u8,
    /// Grid columns spanned, 1 to 6.
    pub cols: u8,
    /// How the items are placed.
    pub section_layout: SectionLayout,
    /// Items per row, 1 to 12.
    pub item_count_x: Option<u8>,
    /// Rows of items, 1 to 12.
    pub item_count_y: Option<u8>,
    /// Who sees the section.
    pub visibility: Visibility,
    /// Not in the workspace view.
    pub hide_from_workspace: bool,
}

/// Order of items.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum SortBy {
    /// As in the file.
    #[default]
    Default,
    /// By the browser's counter of openings.
    MostUsed,
    /// By the time of the browser's last opening.
    LastUsed,
    /// By title, from A to Z.
    Alphabetical,
    /// By title, from Z to A.
    ReverseAlphabetical,
    /// Shuffled on each load.
    Random,
}

impl Word for SortBy {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("default", Self::Default),
        ("most-used", Self::MostUsed),
        ("last-used", Self::LastUsed),
        ("alphabetical", Self::Alphabetical),
        ("reverse-alphabetical", Self::ReverseAlphabetical),
        ("random", Self::Random),
    ];
}

/// Placement of the items inside of a section.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum SectionLayout {
    /// As many columns as fit.
    #[default]
    Auto,
    /// Uniform columns.
    Grid,
}

impl Word for SectionLayout {
    const WORDS: &'static [(&'static str, Self)] = &[("auto", Self::Auto), ("grid", Self::Grid)];
}

impl Word for Size {
    const WORDS: &'static [(&'static str, Self)] =
        &[("small", Self::Small), ("medium", Self::Medium), ("large", Self::Large)];
}

const HIDE_FOR_USERS: Field = optional("hideForUsers", Rule::Texts(MANY));
const SHOW_FOR_USERS: Field = optional("showForUsers", Rule::Texts(MANY));
const HIDE_FOR_GUESTS: Field = optional("hideForGuests", Rule::Flag);
const HIDE_FOR_MEMBERS: Field = optional("hideForKeycloakUsers", Rule::Shape(&MEMBERSHIP));
const SHOW_FOR_MEMBERS: Field = optional("showForKeycloakUsers", Rule::Shape(&MEMBERSHIP));
const HIDE_FROM_WORKSPACE: Field = optional("hideFromWorkspace", Rule::Flag);

pub(crate) const SECTION_DISPLAY_DATA: Shape = Shape {
    name: "displayData",
    fields: &[
        optional("sortBy", Rule::Word(words::<SortBy>)),
        optional("collapsed", Rule::Flag),
        optional("cutToHeight", Rule::Flag),
        optional("color", Rule::Text),
        optional("customStyles", Rule::Text),
        optional("itemSize", Rule::Word(words::<Size>)),
        optional("rows", Rule::Number(1.0, 5.0)),
        optional("cols", Rule::Number(1.0, 5.0)),
        optional("sectionLayout", Rule::Word(words::<SectionLayout>)),
        optional("itemCountX", Rule::Number(1.0, 12.0)),
        optional("itemCountY", Rule::Number(1.0, 12.0)),
        HIDE_FOR_USERS,
        SHOW_FOR_USERS,
        HIDE_FOR_GUESTS,
        HIDE_FOR_MEMBERS,
        SHOW_FOR_MEMBERS,
        HIDE_FROM_WORKSPACE,
        legacy("layout", Rule::Any, "is called `sectionLayout` now"),
    ],
    others: Others::Refused,
};

pub(crate) const ITEM_DISPLAY_DATA: Shape = Shape {
    name: "displayData",
    fields: &[HIDE_FOR_USERS, SHOW_FOR_USERS, HIDE_FOR_GUESTS, HIDE_FOR_MEMBERS, SHOW_FOR_MEMBERS, HIDE_FROM_WORKSPACE],
    others: Others::Refused,
};

pub(crate) const PAGE_DISPLAY_DATA: Shape = Shape {
    name: "displayData",
    fields: &[HIDE_FOR_USERS, SHOW_FOR_USERS, HIDE_FOR_GUESTS, HIDE_FOR_MEMBERS, SHOW_FOR_MEMBERS],
    others: Others::Refused,
};

const MEMBERSHIP: Shape = Shape {
    name: "groups and roles",
    fields: &[optional("groups", Rule::Texts(MANY)), optional("roles", Rule::Texts(MANY))],
    others: Others::Refused,
};

impl DisplayData {
    /// Reads `displayData` of a section; `section` is the section itself, which may bear `hideForGuests` too.
    pub(super) fn read(section: &Cursor<'_>) -> Self {
        let cursor = section.key("displayData");
        Self {
            sort_by: cursor.key("sortBy").word().unwrap_or_default(),
            collapsed: cursor.key("collapsed").flag(),
            cut_to_height: cursor.key("cutToHeight").is_on(),
            color: read_color(&cursor.key("color")),
            custom_styles: cursor.key("customStyles").filled_text().and_then(|styles| css::declarations(&styles)),
            item_size: cursor.key("itemSize").word(),
            rows: small(&cursor.key("rows"), 5).unwrap_or(1),
            cols: small(&cursor.key("cols"), 6).unwrap_or(1),
            section_layout: cursor.first_key(["sectionLayout", "layout"]).word().unwrap_or_default(),
            item_count_x: small(&cursor.key("itemCountX"), 12),
            item_count_y: small(&cursor.key("itemCountY"), 12),
            visibility: read_own_visibility(section),
            hide_from_workspace: cursor.key("hideFromWorkspace").is_on(),
        }
    }
}

/// A number from 1 to a small limit.
pub(super) fn small(cursor: &Cursor<'_>, most: u8) -> Option<u8> {
    cursor.clamped(1, u32::from(most)).and_then(|number| u8::try_from(number).ok())
}

/// The rules of a section or item: those of its `displayData`, and its own `hideForGuests`.
pub(super) fn read_own_visibility(entry: &Cursor<'_>) -> Visibility {
    let mut visibility = read_visibility(&entry.key("displayData"));
    visibility.hide_for_guests |= entry.key("hideForGuests").is_on();
    visibility
}

/// The rules in a `displayData`.
pub(super) fn read_visibility(cursor: &Cursor<'_>) -> Visibility {
    cursor.mapping();
    Visibility {
        hide_for_users: cursor.key("hideForUsers").texts(),
        show_for_users: cursor.key("showForUsers").texts(),
        hide_for_guests: cursor.key("hideForGuests").is_on(),
        hide_for_members: read_membership(&cursor.key("hideForKeycloakUsers")),
        show_for_members: read_membership(&cursor.key("showForKeycloakUsers")),
    }
}

fn read_membership(cursor: &Cursor<'_>) -> Option<Membership> {
    cursor.mapping().map(|_| Membership { groups: cursor.key("groups").texts(), roles: cursor.key("roles").texts() })
}
