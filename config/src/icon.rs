//! Icons: the forms in which a config names one (docs/spec/config.md 11.1), and how its picture is found.

use unicode_properties::UnicodeEmoji;

use crate::{dashboard::IconView, model::shape::TextKind};

/// The rule for an icon in the config file. An icon that does not exist is not an error: it is shown as a letter.
pub(crate) const KIND: TextKind = TextKind {
    title: "Icon",
    about: "An icon: a web address, a file in `item-icons`, the name of an icon from one of the sets (Font Awesome, \
            `mdi-`, `si-`, `hl-`, `sh-`), `favicon`, `generative`, or an emoji. Anything else shows the first letter \
            of the title.",
    examples: &[
        "fas fa-rocket",
        "mdi-alien",
        "si-portainer",
        "hl-plex",
        "sh-home-assistant",
        "favicon",
        "generative",
        "🚀",
        ":rocket:",
        "U+1F680",
        "networking/switch.svg",
        "https://example.com/icon.png",
    ],
};

/// An icon as written. The forms are tried in the order of docs/spec/config.md 11.1, at the beginning of the value.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Icon {
    /// A web address, or a `data:` picture.
    Address(String),
    /// A file: its path below `item-icons` in the user-data directory.
    File(String),
    /// A path from the web root, with its leading `/`.
    WebRoot(String),
    /// A Font Awesome glyph; the name is without `fa-`.
    FontAwesome {
        /// The requested style; styles that only the paid set has are common.
        style: FontAwesomeStyle,
        /// Name in lower case.
        name: String,
    },
    /// A Material Design glyph; the name is without `mdi-`.
    MaterialDesign(String),
    /// A Simple Icons glyph; the name is without `si-`.
    SimpleIcons(String),
    /// A homelab icon; the name is without `hl-`.
    Homelab(String),
    /// A selfh.st icon; the name is without `sh-`.
    Selfhst(String),
    /// The favicon of the item's address; `None` means the service that the config names.
    Favicon(Option<FaviconService>),
    /// A favicon from an unknown service; shown as broken.
    FaviconOfUnknown(String),
    /// A picture computed from the target's address.
    Generative,
    /// A character.
    Emoji(String),
    /// Anything else.
    Unknown(String),
}

/// Styles of Font Awesome.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum FontAwesomeStyle {
    /// `fas`, `fa-solid`, `fa`.
    #[default]
    Solid,
    /// `far`, `fa-regular`.
    Regular,
    /// `fab`, `fa-brands`.
    Brands,
    /// `fal`, `fa-light`; paid.
    Light,
    /// `fat`, `fa-thin`; paid.
    Thin,
    /// `fad`, `fa-duotone`; paid.
    Duotone,
    /// `fass`, `fa-sharp` and their relatives; paid.
    Sharp,
}

/// Services that find favicons (docs/spec/config.md 11.2).
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum FaviconService {
    /// The site's own `/favicon.ico`.
    Local,
    /// `f1.allesedv.com`.
    #[default]
    Allesedv,
    /// `icon.horse`.
    Iconhorse,
    /// `api.faviconkit.com`.
    Faviconkit,
    /// `icons.duckduckgo.com`.
    Duckduckgo,
    /// `favicon.yandex.net`.
    Yandex,
    /// `www.google.com`.
    Google,
    /// `besticon-demo.herokuapp.com`.
    Besticon,
    /// `api.webmasterapi.com`.
    Webmasterapi,
    /// `eu.mc-api.net`.
    Mcapi,
}

impl FaviconService {
    /// All services with their words in the config file.
    pub const WORDS: &'static [(&'static str, Self)] = &[
        ("local", Self::Local),
        ("allesedv", Self::Allesedv),
        ("iconhorse", Self::Iconhorse),
        ("faviconkit", Self::Faviconkit),
        ("duckduckgo", Self::Duckduckgo),
        ("yandex", Self::Yandex),
        ("google", Self::Google),
        ("besticon", Self::Besticon),
        ("webmasterapi", Self::Webmasterapi),
        ("mcapi", Self::Mcapi),
    ];
}

/// The entry of a page that has an icon.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct IconEntry<'a> {
    /// Its title, whose first letter replaces a picture that is not available.
    pub title: &'a str,
    /// Its address, from which favicons and generated pictures are made.
    pub url: Option<&'a str>,
    /// Its color.
    pub color: Option<&'a str>,
    /// Whether its service may have any TLS certificate (`statusCheckAllowInsecure`).
    pub allow_insecure: bool,
}

/// Finds pictures. The server implements it: it knows the icon sets, the files and its own addresses.
pub trait IconLookup {
    /// What to show for an icon of an entry. Emoji and unknown forms never come here, and a favicon comes with its
    /// service.
    fn resolve(&self, icon: &Icon, entry: &IconEntry<'_>) -> IconView;

    /// Why the picture of an icon is not shown, as far as that is known; `shown` is what [`IconLookup::resolve`] gave.
    fn problem(&self, _icon: &Icon, _shown: &IconView) -> Option<String> {
        None
    }

    /// The color of the brand that an icon shows, as 0xRRGGBB; `None` for an icon without one.
    fn brand(&self, _icon: &Icon) -> Option<u32> {
        None
    }

    /// The address on our own origin for a picture given as a web address or a path. `None` if a local file is missing.
    fn image(&self, address: &str) -> Option<String>;

    /// The address from which a style sheet is loaded; unchanged, unless the server has a better one.
    fn style_sheet(&self, address: &str) -> Option<String> {
        Some(address.to_owned())
    }

    /// The address for the picture behind the whole page, which may be larger than those of tiles.
    fn background(&self, address: &str) -> Option<String> {
        self.image(address)
    }

    /// Styles or the value of a CSS variable, with our own addresses in place of those of pictures, fonts and style
    /// sheets on other hosts.
    fn css(&self, css: &str) -> String {
        css.to_owned()
    }
}

const PICTURE_ENDINGS: [&str; 8] = [".svg", ".png", ".jpg", ".jpeg", ".webp", ".gif", ".ico", ".avif"];

/// Font Awesome words that are styles.
const STYLES: [(&str, FontAwesomeStyle); 21] = [
    ("fas", FontAwesomeStyle::Solid),
    ("fa", FontAwesomeStyle::Solid),
    ("fa-solid", FontAwesomeStyle::Solid),
    ("far", FontAwesomeStyle::Regular),
    ("fa-regular", FontAwesomeStyle::Regular),
    ("fab", FontAwesomeStyle::Brands),
    ("fa-brands", FontAwesomeStyle::Brands),
    ("fal", FontAwesomeStyle::Light),
    ("fa-light", FontAwesomeStyle::Light),
    ("fat", FontAwesomeStyle::Thin),
    ("fa-thin", FontAwesomeStyle::Thin),
    ("fad", FontAwesomeStyle::Duotone),
    ("fa-duotone", FontAwesomeStyle::Duotone),
    ("fadr", FontAwesomeStyle::Duotone),
    ("fadl", FontAwesomeStyle::Duotone),
    ("fadt", FontAwesomeStyle::Duotone),
    ("fass", FontAwesomeStyle::Sharp),
    ("fasr", FontAwesomeStyle::Sharp),
    ("fasl", FontAwesomeStyle::Sharp),
    ("fast", FontAwesomeStyle::Sharp),
    ("fa-sharp", FontAwesomeStyle::Sharp),
];

/// Font Awesome words that modify a glyph and do not name one.
const FONT_AWESOME_MODIFIERS: [&str; 12] =
    ["fw", "spin", "pulse", "border", "inverse", "beat", "fade", "bounce", "shake", "xs", "sm", "lg"];

/// Beginnings of Material Design words that modify a glyph and do not name one.
const MATERIAL_MODIFIERS: [&str; 5] = ["spin", "rotate-", "flip-", "inactive", "set"];

impl Icon {
    /// Parses an icon as written; the text is not empty.
    pub fn parse(text: &str) -> Self {
        let text = text.trim();
        let lower = text.to_ascii_lowercase();
        let named = |prefix: &str, icon: fn(String) -> Self| {
            let name = lower.strip_prefix(prefix)?.split_whitespace().next()?;
            is_name(name).then(|| icon(name.to_owned()))
        };
        if crate::address::is_web(text) || crate::address::is_data_picture(text) {
            return Self::Address(text.to_owned());
        }
        local(text)
            .or_else(|| font_awesome(&lower))
            .or_else(|| material_design(&lower))
            .or_else(|| named("si-", Self::SimpleIcons))
            .or_else(|| named("hl-", Self::Homelab))
            .or_else(|| named("sh-", Self::Selfhst))
            .or_else(|| favicon(&lower))
            .or_else(|| (lower == "generative").then_some(Self::Generative))
            .or_else(|| emoji(text).map(Self::Emoji))
            .unwrap_or_else(|| Self::Unknown(text.to_owned()))
    }

    /// What is shown for the icon.
    pub fn view(&self, entry: &IconEntry<'_>, lookup: &dyn IconLookup) -> IconView {
        match self {
            Self::Emoji(character) => IconView::Emoji(character.clone()),
            Self::Unknown(_) => letter(entry.title),
            known => lookup.resolve(known, entry),
        }
    }
}

/// An avatar with the first letter or digit of the title; no picture without a title.
pub fn letter(title: &str) -> IconView {
    let first = title.chars().find(|character| character.is_alphanumeric()).or_else(|| title.trim().chars().next());
    first.map_or(IconView::None, |first| IconView::Letter(first.to_uppercase().to_string()))
}

/// A file below `item-icons`, or a path from the web root.
fn local(text: &str) -> Option<Icon> {
    let climbs = |path: &str| path.split('/').any(|part| part == "..");
    if text.starts_with('/') {
        let usable = crate::address::is_resource(text) && !climbs(text) && text.len() > 1;
        return usable.then(|| Icon::WebRoot(text.to_owned()));
    }
    let path = text.split(['?', '#']).next().unwrap_or(text);
    let lower = path.to_ascii_lowercase();
    if !PICTURE_ENDINGS.iter().any(|ending| lower.ends_with(ending)) || text.contains([':', '\\']) || climbs(text) {
        return None;
    }
    let path = text.strip_prefix("./").unwrap_or(text);
    Some(Icon::File(path.strip_prefix("item-icons/").unwrap_or(path).to_owned()))
}

fn font_awesome(lower: &str) -> Option<Icon> {
    let style_of = |word: &str| STYLES.iter().find(|(known, _)| *known == word).map(|(_, style)| *style);
    let first = lower.split_whitespace().next()?;
    if !first.starts_with("fa-") && style_of(first).is_none() {
        return None;
    }
    // `fa-sharp fa-solid` is a style of two words; the first one is more specific.
    let style = lower.split_whitespace().find_map(style_of).unwrap_or_default();
    let is_modifier = |name: &str| {
        FONT_AWESOME_MODIFIERS.contains(&name)
            || name.starts_with("rotate-")
            || name.starts_with("flip-")
            || name.strip_suffix('x').is_some_and(|size| size.parse::<u8>().is_ok())
    };
    let name = lower
        .split_whitespace()
        .filter(|word| style_of(word).is_none())
        .filter_map(|word| word.strip_prefix("fa-"))
        .find(|name| is_name(name) && !is_modifier(name))?;
    Some(Icon::FontAwesome { style, name: name.to_owned() })
}

fn material_design(lower: &str) -> Option<Icon> {
    let mut words = lower.split_whitespace().peekable();
    if words.peek() == Some(&"mdi") {
        words.next();
    }
    if !words.peek()?.starts_with("mdi-") {
        return None;
    }
    let is_modifier = |name: &str| {
        MATERIAL_MODIFIERS
            .iter()
            .any(|modifier| name == *modifier || (modifier.ends_with('-') && name.starts_with(modifier)))
            || name.strip_suffix("px").is_some_and(|size| size.parse::<u16>().is_ok())
    };
    let name = words.filter_map(|word| word.strip_prefix("mdi-")).find(|name| is_name(name) && !is_modifier(name))?;
    Some(Icon::MaterialDesign(name.to_owned()))
}

fn favicon(lower: &str) -> Option<Icon> {
    let rest = lower.strip_prefix("favicon")?;
    if rest.is_empty() {
        return Some(Icon::Favicon(None));
    }
    let service = rest.strip_prefix('-')?;
    let known = FaviconService::WORDS.iter().find(|(word, _)| *word == service);
    Some(known.map_or_else(|| Icon::FaviconOfUnknown(service.to_owned()), |(_, service)| Icon::Favicon(Some(*service))))
}

/// An emoji: the character itself, a `:shortcode:`, or code points as `U+1F680`.
fn emoji(text: &str) -> Option<String> {
    if let Some(code) = text.strip_prefix(':').and_then(|rest| rest.strip_suffix(':')) {
        return emojis::get_by_shortcode(&code.to_ascii_lowercase()).map(|emoji| emoji.as_str().to_owned());
    }
    if text.get(..2).is_some_and(|start| start.eq_ignore_ascii_case("U+")) {
        let points = text.split([' ', '-', ',']).filter(|part| !part.is_empty()).map(|part| {
            let digits = part.strip_prefix("U+").or_else(|| part.strip_prefix("u+")).unwrap_or(part);
            let point = char::from_u32(u32::from_str_radix(digits, 16).ok()?)?;
            (!point.is_control() && !point.is_whitespace()).then_some(point)
        });
        return points.collect();
    }
    let word = text.split_whitespace().next()?;
    if let Some(emoji) = emojis::get(word) {
        return Some(emoji.as_str().to_owned());
    }
    // The table of this version lacks the newest emoji, but those are pictographs too.
    let mut characters = text.chars();
    let first = characters.next().filter(|first| !first.is_ascii() && first.is_emoji_char())?;
    let tail = characters.take_while(|next| !next.is_ascii() && next.is_emoji_char_or_emoji_component());
    Some(std::iter::once(first).chain(tail.take(16)).collect())
}

/// All emoji, each as the character, its name and its shortcodes. Skin tones are left out.
pub fn all_emoji() -> impl Iterator<Item = (&'static str, &'static str, impl Iterator<Item = &'static str>)> {
    emojis::iter().map(|emoji| (emoji.as_str(), emoji.name(), emoji.shortcodes()))
}

/// Whether a text is allowed as the name of an icon and of a file.
fn is_name(text: &str) -> bool {
    !text.is_empty()
        && text.len() <= 100
        && text.starts_with(|first: char| first.is_ascii_alphanumeric())
        && text.chars().all(|character| character.is_ascii_alphanumeric() || matches!(character, '-' | '_' | '.' | '+'))
        && !text.contains("..")
}
