//! `displayData` of sections, items and pages (docs/spec/config.md 7.1, 8.1, 10).

use serde_json::{Map, Value};

use super::{
    block::Block,
    cursor::Cursor,
    membership::Membership,
    page_info::{COLOR, read_color},
    words::words,
};
use crate::{dashboard::TileSize, problem::ProblemKind, viewer::Visibility};

/// How the section is shown, and to whom.
#[derive(Clone, Debug, PartialEq, Block)]
#[config(title = "SectionDisplayData", name = "displayData")]
pub struct DisplayData {
    /// Order of the items: as in the file, by how often or how recently they were opened in this browser, by title, by
    /// `provider`, by `id`, or random on each load. Items without a provider come last.
    pub sort_by: SortBy,
    /// Whether the section is collapsed until the viewer opens it.
    #[config(unset = "open, or as the viewer left it")]
    pub collapsed: Option<bool>,
    /// Stretches the section to the full height of its row. `masonry` ignores this.
    pub cut_to_height: bool,
    /// Background of the box around the section.
    #[config(rule = Rule::Kind(&COLOR), read = read_color, unset = "from the theme")]
    pub color: Option<String>,
    /// CSS declarations for the box around the section. Declarations that would load something are removed.
    #[config(
        read = |styles| styles.filled_text().and_then(|styles| css_values::declarations(&styles)),
        examples("border-left: 3px solid gold;")
    )]
    pub custom_styles: Option<String>,
    /// Size of the tiles in this section.
    #[config(unset = "`appConfig.iconSize`")]
    pub item_size: Option<TileSize>,
    /// Rows that the section takes up. Works only in the layout `auto`.
    #[config(range(1, 5), default = 1)]
    pub rows: u8,
    /// Columns that the section takes up, but never more than the screen has.
    ///
    /// The style sheet supports up to six, and existing files use them.
    #[config(
        range(1, 5),
        read = |columns| clamped_u8(columns, 6),
        unset = "1; in the layout `auto` more for large sections, where that makes the page shorter"
    )]
    pub cols: Option<u8>,
    /// The column of the page that the section goes into, counted from the left. Works only with `appConfig.columns`.
    #[config(range(1, 3), unset = "the first full column")]
    pub column: Option<u8>,
    /// How the items are placed: as many as fit, or in columns of the same width.
    #[config(old_key("layout", "is now called `sectionLayout`"))]
    pub section_layout: SectionLayout,
    /// Items per row; makes the section a `grid`.
    #[config(range(1, 12), unset = "as many as fit")]
    pub item_count_x: Option<u8>,
    /// Rows of items; makes the section a `grid`.
    #[config(range(1, 12), unset = "as many as needed")]
    pub item_count_y: Option<u8>,
    /// Who sees the section.
    #[config(flatten)]
    pub visibility: Visibility,
    /// Leaves it out of the workspace view.
    pub hide_from_workspace: bool,
}

/// Who sees an item.
#[derive(Clone, Debug, PartialEq, Block)]
#[config(name = "displayData")]
pub struct ItemDisplayData {
    /// Who sees the item.
    #[config(flatten)]
    pub visibility: Visibility,
    /// Leaves it out of the workspace view.
    pub hide_from_workspace: bool,
    /// Leaves it out of the home and minimal views until a search finds it. The view of its section alone shows it.
    pub hide_from_homepage: bool,
}

/// Order of items.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum SortBy {
    /// As in the file.
    #[default]
    Default,
    /// By how often the browser has counted an opening.
    MostUsed,
    /// By when the item was last opened in the browser.
    LastUsed,
    /// By title, from A to Z.
    Alphabetical,
    /// By title, from Z to A.
    ReverseAlphabetical,
    /// By provider, from A to Z.
    Provider,
    /// By provider, from Z to A.
    ReverseProvider,
    /// By the id of the item.
    ItemId,
    /// By the id of the item, backwards.
    ReverseItemId,
    /// Shuffled on each load.
    Random,
}

words!(
    SortBy:
    "default" => Default, "most-used" => MostUsed, "last-used" => LastUsed, "alphabetical" => Alphabetical,
    "reverse-alphabetical" => ReverseAlphabetical, "provider" => Provider, "provider-reverse" => ReverseProvider,
    "item-id" => ItemId, "item-id-reverse" => ReverseItemId, "random" => Random
);

/// Placement of the items inside a section.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum SectionLayout {
    /// As many columns as fit.
    #[default]
    Auto,
    /// Uniform columns.
    Grid,
}

words!(SectionLayout: "auto" => Auto, "grid" => Grid);
words!(TileSize: "small" => Small, "medium" => Medium, "large" => Large);

impl DisplayData {
    /// Reads `displayData` of a section; `hideForGuests` may also be in the section itself.
    pub(super) fn of_section(section: &Cursor<'_>) -> Self {
        let visibility = read_own_visibility(section);
        Self { visibility, ..Self::read(&section.key("displayData")) }
    }
}

impl ItemDisplayData {
    /// Reads `displayData` of an item; `hideForGuests` may also be in the item itself.
    pub(super) fn of_item(item: &Cursor<'_>) -> Self {
        let visibility = read_own_visibility(item);
        Self { visibility, ..Self::read(&item.key("displayData")) }
    }
}

/// A number from 1 to a small maximum.
fn clamped_u8(cursor: &Cursor<'_>, max: u8) -> Option<u8> {
    cursor.clamped(1, max.into()).and_then(|number| u8::try_from(number).ok())
}

/// The rules of a page, section or item: those in its `displayData`, and its own `hideForGuests`.
pub(super) fn read_own_visibility(entry: &Cursor<'_>) -> Visibility {
    let (display, own) = (entry.key("displayData"), entry.key("hideForGuests"));
    let mut reader = RuleReader { unreadable: display.mapping().is_none() && !display.is_null() };
    reader.refuse_unknown_rules(&display, |key| Visibility::SHAPE.allows(key));
    reader.refuse_unknown_rules(entry, |key| key == "hideForGuests");
    let old_hidden = reader.membership(&display.key("hideForKeycloakUsers"), RuleReader::hidden_from);
    let old_admitted = reader.membership(&display.key("showForKeycloakUsers"), RuleReader::admitted);
    let is_old_rule = old_admitted.is_some();
    let (old_hidden, old_admitted) = (old_hidden.unwrap_or_default(), old_admitted.unwrap_or_default());
    let newer = |new: Vec<String>, old| if new.is_empty() { old } else { new };
    let mut visibility = Visibility {
        hide_for_users: reader.hidden_from(&display.key("hideForUsers")),
        show_for_users: reader.admitted(&display.key("showForUsers")),
        hide_for_guests: reader.flag(&display.key("hideForGuests")),
        hide_for_groups: newer(reader.hidden_from(&display.key("hideForGroups")), old_hidden.groups),
        hide_for_roles: newer(reader.hidden_from(&display.key("hideForRoles")), old_hidden.roles),
        show_for_groups: newer(reader.admitted(&display.key("showForGroups")), old_admitted.groups),
        show_for_roles: newer(reader.admitted(&display.key("showForRoles")), old_admitted.roles),
        for_nobody: false,
        unreadable: false,
    };
    // An empty rule of the old form admits nobody, unless a list of the new form replaces it.
    visibility.for_nobody =
        is_old_rule && visibility.show_for_groups.is_empty() && visibility.show_for_roles.is_empty();
    visibility.hide_for_guests |= reader.flag(&own);
    visibility.unreadable = reader.unreadable;
    visibility
}

/// Reads rules, and records whether one of them could not be read.
struct RuleReader {
    unreadable: bool,
}

impl RuleReader {
    fn refuse(&mut self, cursor: &Cursor<'_>, kind: ProblemKind, what: &str) {
        cursor.warn(kind, format!("{what}, so only admins see the entry"), None);
        self.unreadable = true;
    }

    fn flag(&mut self, cursor: &Cursor<'_>) -> bool {
        let flag = cursor.flag();
        if flag.is_none() && !cursor.is_null() {
            self.refuse(cursor, ProblemKind::Malformed, "the rule is neither true nor false");
        }
        flag.unwrap_or(false)
    }

    /// The names in a list, and whether the list contains something that is not a name.
    fn names(cursor: &Cursor<'_>) -> (Vec<String>, bool) {
        let names = cursor.texts();
        let is_whole = match cursor.value() {
            Value::Null | Value::String(_) => true,
            Value::Array(elements) => elements.len() == names.len(),
            _ => false,
        };
        (names, !is_whole)
    }

    /// The names from whom a rule hides something. One unreadable name makes the rule unreadable.
    fn hidden_from(&mut self, cursor: &Cursor<'_>) -> Vec<String> {
        let (names, is_broken) = Self::names(cursor);
        if is_broken {
            self.refuse(cursor, ProblemKind::Malformed, "the rule must be a list of names");
        }
        names
    }

    /// The only names that may see something. A name that cannot be read admits nobody; but if it would leave an empty
    /// list, which admits everybody, the rule is unreadable.
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
    ) -> Option<Membership> {
        let Some(mapping) = cursor.mapping() else {
            if !cursor.is_null() {
                self.refuse(cursor, ProblemKind::Malformed, "the rule must be a mapping with `groups` and `roles`");
            }
            return None;
        };
        for key in mapping.keys().filter(|key| !Membership::SHAPE.allows(key)) {
            self.refuse(&cursor.key(key), ProblemKind::UnknownKey, "the rule has only the keys `groups` and `roles`");
        }
        let groups = names(self, &cursor.key("groups"));
        let roles = names(self, &cursor.key("roles"));
        Some(Membership { groups, roles })
    }

    /// An unknown key that begins like a rule was meant as one, but is misspelled or in the wrong place.
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
