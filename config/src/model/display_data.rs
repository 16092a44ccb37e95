//! `displayData` of sections, items and pages (config.md 7.1, 8.1, 10).

use serde_json::{Map, Value};

use super::{
    cursor::Cursor,
    page_info::{COLOR, read_color},
    shape::{Field, MANY, Others, Preset, Rule, Shape, Word, flag, legacy, list, optional, words},
};
use crate::{
    css,
    dashboard::Size,
    problem::ProblemKind,
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

const HIDE_FOR_USERS: Field =
    list("hideForUsers", Rule::Texts(MANY), "Users who do not see it, by name, in upper or lower case.");
const SHOW_FOR_USERS: Field =
    list("showForUsers", Rule::Texts(MANY), "Users who alone see it, by name. An empty list means everybody.");
const HIDE_FOR_GUESTS: Field = flag("hideForGuests", "Hides it from people who are not signed in.");
const HIDE_FOR_MEMBERS: Field = optional(
    "hideForKeycloakUsers",
    Rule::Shape(&MEMBERSHIP),
    "Hides it from whoever has one of these groups or roles. Works with every OpenID provider.",
);
const SHOW_FOR_MEMBERS: Field = optional(
    "showForKeycloakUsers",
    Rule::Shape(&MEMBERSHIP),
    "Shows it only to those who have one of these groups or roles. Works with every OpenID provider.",
);
const HIDE_FROM_WORKSPACE: Field = flag("hideFromWorkspace", "Leaves it out of the workspace view.");

pub(crate) const SECTION_DISPLAY_DATA: Shape = Shape {
    title: "SectionDisplayData",
    name: "displayData",
    about: "How a section is shown, and to whom.",
    fields: &[
        optional(
            "sortBy",
            Rule::Word(words::<SortBy>),
            "Order of the items: as in the file, by how often or how lately they were opened in this browser, by \
             title, or another one on each load.",
        )
        .like_text("default"),
        optional("collapsed", Rule::Flag, "Whether the section is closed until the person opens it.")
            .means("open, or as the person left it"),
        flag("cutToHeight", "Stretches the section to the full height of its row. `masonry` takes no notice."),
        optional("color", Rule::Kind(&COLOR), "Background of the box around the section.").means("as the theme has it"),
        optional(
            "customStyles",
            Rule::Text,
            "CSS declarations for the box around the section. Nothing that loads something is kept.",
        )
        .examples(&["border-left: 3px solid gold;"]),
        optional("itemSize", Rule::Word(words::<Size>), "Size of the tiles in this section.")
            .means("`appConfig.iconSize`"),
        optional("rows", Rule::Number(1.0, 5.0), "Rows that the section takes up, 1 to 5. Only in the layout `auto`.")
            .like(Preset::Number(1)),
        optional(
            "cols",
            Rule::Number(1.0, 5.0),
            "Columns that the section takes up, 1 to 5, but never more than there are on the screen.",
        )
        .like(Preset::Number(1)),
        optional(
            "sectionLayout",
            Rule::Word(words::<SectionLayout>),
            "How the items stand: as many as fit, or in columns of the same width.",
        )
        .like_text("auto"),
        optional("itemCountX", Rule::Number(1.0, 12.0), "Items in a row, 1 to 12; makes the section a `grid`.")
            .means("as many as fit"),
        optional("itemCountY", Rule::Number(1.0, 12.0), "Rows of items, 1 to 12; makes the section a `grid`.")
            .means("as many as needed"),
        HIDE_FOR_USERS,
        SHOW_FOR_USERS,
        HIDE_FOR_GUESTS,
        HIDE_FOR_MEMBERS,
        SHOW_FOR_MEMBERS,
        HIDE_FROM_WORKSPACE,
        legacy("layout", Rule::Any, "is called `sectionLayout` now"),
    ],
    others: Others::Refused,
    demands: &[],
};

pub(crate) const ITEM_DISPLAY_DATA: Shape = Shape {
    title: "ItemDisplayData",
    name: "displayData",
    about: "Who sees an item.",
    fields: &[HIDE_FOR_USERS, SHOW_FOR_USERS, HIDE_FOR_GUESTS, HIDE_FOR_MEMBERS, SHOW_FOR_MEMBERS, HIDE_FROM_WORKSPACE],
    others: Others::Refused,
    demands: &[],
};

pub(crate) const PAGE_DISPLAY_DATA: Shape = Shape {
    title: "PageDisplayData",
    name: "displayData",
    about: "Who sees a page.",
    fields: &[HIDE_FOR_USERS, SHOW_FOR_USERS, HIDE_FOR_GUESTS, HIDE_FOR_MEMBERS, SHOW_FOR_MEMBERS],
    others: Others::Refused,
    demands: &[],
};

const MEMBERSHIP: Shape = Shape {
    title: "Membership",
    name: "groups and roles",
    about: "Groups and roles as the identity provider names them; upper and lower case matter.",
    fields: &[
        list("groups", Rule::Texts(MANY), "Names of groups."),
        list("roles", Rule::Texts(MANY), "Names of roles."),
    ],
    others: Others::Refused,
    demands: &[],
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

/// The rules of a page, section or item: those of its `displayData`, and its own `hideForGuests`.
pub(super) fn read_own_visibility(entry: &Cursor<'_>) -> Visibility {
    let (display, own) = (entry.key("displayData"), entry.key("hideForGuests"));
    let mut reader = RuleReader { unreadable: display.mapping().is_none() && !display.is_null() };
    reader.refuse_unknown_rules(&display, |key| PAGE_DISPLAY_DATA.allows(key));
    reader.refuse_unknown_rules(entry, |key| key == "hideForGuests");
    let mut visibility = Visibility {
        hide_for_users: reader.hidden_from(&display.key("hideForUsers")),
        show_for_users: reader.admitted(&display.key("showForUsers")),
        hide_for_guests: reader.flag(&display.key("hideForGuests")),
        hide_for_members: reader.membership(&display.key("hideForKeycloakUsers"), RuleReader::hidden_from),
        show_for_members: reader.membership(&display.key("showForKeycloakUsers"), RuleReader::admitted),
        unreadable: false,
    };
    visibility.hide_for_guests |= reader.flag(&own);
    visibility.unreadable = reader.unreadable;
    visibility
}

/// Reads rules, and remembers whether one of them could not be read.
struct RuleReader {
    unreadable: bool,
}

impl RuleReader {
    fn refuse(&mut self, cursor: &Cursor<'_>, kind: ProblemKind, what: &str) {
        cursor.warn(kind, format!("{what}, so only admins see what it belongs to"));
        self.unreadable = true;
    }

    fn flag(&mut self, cursor: &Cursor<'_>) -> bool {
        let flag = cursor.flag();
        if flag.is_none() && !cursor.is_null() {
            self.refuse(cursor, ProblemKind::Malformed, "the rule is neither true nor false");
        }
        flag.unwrap_or(false)
    }

    /// The names in a list, and whether something in it is no name.
    fn names(cursor: &Cursor<'_>) -> (Vec<String>, bool) {
        let names = cursor.texts();
        let is_whole = match cursor.value() {
            Value::Null | Value::String(_) => true,
            Value::Array(elements) => elements.len() == names.len(),
            _ => false,
        };
        (names, !is_whole)
    }

    /// Whom a rule hides something from: each name matters.
    fn hidden_from(&mut self, cursor: &Cursor<'_>) -> Vec<String> {
        let (names, is_broken) = Self::names(cursor);
        if is_broken {
            self.refuse(cursor, ProblemKind::Malformed, "the rule must be a list of names");
        }
        names
    }

    /// Who alone sees something: a name that cannot be read admits nobody, unless it would leave an empty list, which
    /// admits everybody.
    fn admitted(&mut self, cursor: &Cursor<'_>) -> Vec<String> {
        let (names, is_broken) = Self::names(cursor);
        if is_broken && names.is_empty() {
            self.refuse(cursor, ProblemKind::Malformed, "the rule must be a list of names");
        }
        names
    }

    fn membership(
        &mut self,
        cursor: &Cursor<'_>,
        names: fn(&mut Self, &Cursor<'_>) -> Vec<String>,
    ) -> Option<Box<Membership>> {
        let Some(mapping) = cursor.mapping() else {
            if !cursor.is_null() {
                self.refuse(cursor, ProblemKind::Malformed, "the rule must be a mapping with `groups` and `roles`");
            }
            return None;
        };
        for key in mapping.keys().filter(|key| !MEMBERSHIP.allows(key)) {
            self.refuse(&cursor.key(key), ProblemKind::UnknownKey, "the rule knows only `groups` and `roles`");
        }
        let groups = names(self, &cursor.key("groups"));
        let roles = names(self, &cursor.key("roles"));
        Some(Box::new(Membership { groups, roles }))
    }

    /// A key that begins like a rule was meant as one: it is misspelt, or stands in the wrong place.
    fn refuse_unknown_rules(&mut self, cursor: &Cursor<'_>, is_known: fn(&str) -> bool) {
        let keys = cursor.value().as_object().into_iter().flat_map(Map::keys);
        for key in keys {
            let begins_like =
                |start: &str| key.get(..start.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(start));
            if !is_known(key) && (begins_like("hideFor") || begins_like("showFor")) {
                self.refuse(&cursor.key(key), ProblemKind::UnknownKey, "there is no such rule here");
            }
        }
    }
}
