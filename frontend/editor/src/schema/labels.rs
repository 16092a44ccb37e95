//! What forms call keys and values, in plain words.

use crate::texts::{field_text, fill};

/// The labels of keys whose own words would not say what they are.
const LABELS: [(&str, &str); 81] = [
    // Items and sub-items.
    ("url", "Address"),
    ("localUrl", "Address at home"),
    ("localUrlTimeout", "Milliseconds to wait for the address at home"),
    ("localUrlCheckInterval", "Seconds between tries of the address at home"),
    ("target", "Opens in"),
    ("hotkey", "Number key"),
    ("rel", "Link relation"),
    ("statusCheck", "Status dot"),
    ("statusCheckUrl", "Address to check"),
    ("statusCheckHeaders", "Headers of the check"),
    ("statusCheckAllowInsecure", "Check with any certificate"),
    ("statusCheckAcceptCodes", "Codes that count as up"),
    ("statusCheckMaxRedirects", "Redirects of the check"),
    ("statusCheckInterval", "Seconds between checks"),
    ("statusCheckAccessibility", "Status as shapes"),
    ("pingCheckEnabled", "Ping dot"),
    ("pingCheckHost", "Host to ping"),
    ("pingCheckInterval", "Seconds between pings"),
    ("pingCheckCount", "Packets per ping"),
    ("pingCheckTimeout", "Seconds to wait for a ping"),
    ("pingCheckAccessibility", "Ping status as shapes"),
    ("backgroundColor", "Background color"),
    ("displayData", "Display and visibility"),
    ("hideForGuests", "Hide from guests"),
    ("subItems", "Sub-items"),
    // Sections.
    ("sortBy", "Order"),
    ("cutToHeight", "Fill the row"),
    ("customStyles", "CSS of the box"),
    ("itemSize", "Tile size"),
    ("rows", "Height in rows"),
    ("cols", "Width in columns"),
    ("column", "Column of the page"),
    ("sectionLayout", "Arrangement of items"),
    ("itemCountX", "Items per row"),
    ("itemCountY", "Rows of items"),
    ("hideForUsers", "Hide from users"),
    ("showForUsers", "Show only to users"),
    ("hideForGroups", "Hide from groups"),
    ("showForGroups", "Show only to groups"),
    ("hideForRoles", "Hide from roles"),
    ("showForRoles", "Show only to roles"),
    ("hideFromWorkspace", "Hide in the workspace"),
    // Widgets.
    ("updateInterval", "Seconds between updates"),
    ("useProxy", "Fetch on the server"),
    ("hideControls", "Hide the reload button"),
    ("class", "CSS classes"),
    ("insecure", "Accept any certificate"),
    ("allowInsecure", "Accept any certificate (other name)"),
    // The page, and settings.
    ("navLinks", "Links in the header"),
    ("startingView", "First view"),
    ("iconSize", "Tile size"),
    ("monochromeIcons", "Icons in one color"),
    ("colCount", "Number of columns"),
    ("hideComponents", "Parts of the page to hide"),
    ("showSplashScreen", "Loading screen"),
    ("disableContextMenu", "Turn off the menu on a right click"),
    ("disableSmartSort", "Do not count what is opened"),
    ("dayTheme", "Theme by day"),
    ("nightTheme", "Theme by night"),
    ("backgroundImg", "Background picture"),
    ("contentMaxWidth", "Maximum width"),
    ("cssThemes", "Your own themes"),
    ("customColors", "Colors of themes"),
    ("externalStyleSheet", "Your own style sheets"),
    ("customCss", "Your own CSS"),
    ("defaultIcon", "Icon of items without one"),
    ("faviconApi", "Service for icons of sites"),
    ("fontAwesomeKey", "Font Awesome kit"),
    ("defaultOpeningMethod", "Items open in"),
    ("workspaceLandingUrl", "First address in the workspace"),
    ("enableMultiTasking", "Keep sites open in the workspace"),
    ("preventWriteToDisk", "Forbid saving to the file"),
    ("preventLocalSave", "Forbid local configs"),
    ("disableConfiguration", "Turn off editing"),
    ("disableConfigurationForNonAdmin", "Editing only for admins"),
    ("widgetsAlwaysUseProxy", "Fetch all widgets on the server"),
    ("enableServiceWorker", "Work offline"),
    ("backupEndpoint", "Address for encrypted copies"),
    ("enableAuthProxyCompat", "Behind a proxy with its own login"),
    ("disableUpdateChecks", "Turn off checks for new versions"),
    ("auth", "Accounts and sign-in"),
];

/// Words that are not written in lower case.
const SPELLINGS: [(&str, &str); 22] = [
    ("api", "API"),
    ("cpu", "CPU"),
    ("css", "CSS"),
    ("dns", "DNS"),
    ("html", "HTML"),
    ("http", "HTTP"),
    ("https", "HTTPS"),
    ("id", "ID"),
    ("ids", "IDs"),
    ("img", "picture"),
    ("io", "I/O"),
    ("ip", "IP"),
    ("json", "JSON"),
    ("lang", "language"),
    ("lat", "latitude"),
    ("lon", "longitude"),
    ("oidc", "OpenID Connect"),
    ("ram", "RAM"),
    ("rss", "RSS"),
    ("src", "address"),
    ("uri", "address"),
    ("url", "address"),
];

/// What values of choices are called, if not by their own words.
const CHOICES: [(&str, &str); 51] = [
    ("newtab", "New tab"),
    ("sametab", "Same tab"),
    ("parent", "The frame around the page"),
    ("top", "The whole window"),
    ("modal", "A window inside the page"),
    ("workspace", "The workspace"),
    ("clipboard", "Copies the address"),
    ("newwindow", "New window"),
    ("home", "All sections"),
    ("minimal", "One section at a time"),
    ("horizontal", "Rows"),
    ("vertical", "Columns side by side"),
    ("auto", "Automatic"),
    ("masonry", "Columns without gaps"),
    ("narrow-full-narrow", "Narrow, wide, narrow"),
    ("narrow-full", "Narrow, wide"),
    ("full-narrow", "Wide, narrow"),
    ("full-full", "Two of the same width"),
    ("ask", "Ask"),
    ("default", "As in the file"),
    ("normal", "May view"),
    // Options of widgets.
    ("asc", "Ascending"),
    ("desc", "Descending"),
    ("all", "All"),
    ("red", "Red"),
    ("cpu", "CPU"),
    ("C", "°C"),
    ("F", "°F"),
    ("CRITICAL", "Critical severity"),
    ("HIGH", "High severity"),
    ("MEDIUM", "Medium severity"),
    ("LOW", "Low severity"),
    ("AllAtOnce", "All at once"),
    ("OneByOne", "One by one"),
    ("marketCap", "Market capitalization"),
    ("pubDate", "Publication date"),
    ("relativeDate", "Relative date"),
    ("public_holiday", "Public holidays"),
    ("school_holiday", "School holidays"),
    ("other_day", "Other days"),
    ("extra_working_day", "Extra working days"),
    ("open", "Opening price"),
    ("close", "Closing price"),
    ("high", "Highest price"),
    ("low", "Lowest price"),
    ("topstories", "Top stories"),
    ("beststories", "Best stories"),
    ("newstories", "New stories"),
    ("askstories", "Ask HN"),
    ("showstories", "Show HN"),
    ("jobstories", "Job offers"),
];

/// The same for values that mean something else under another key.
const CHOICES_OF_KEYS: [(&str, &str, &str); 1] = [("add", "live", "Show at once")];

/// Values that old files have and that do what another value does: forms do not offer them.
const OLD_CHOICES: [(&str, &str); 2] = [("layout", "sidebar"), ("startingView", "default")];

/// The words of a key, in lower case: `statusCheckUrl` is `status`, `check`, `url`.
fn words(key: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut is_new = true;
    for character in key.chars() {
        if matches!(character, '_' | '-') {
            is_new = true;
            continue;
        }
        match words.last_mut().filter(|_| !is_new && !character.is_uppercase()) {
            Some(word) => word.push(character),
            None => words.push(character.to_lowercase().collect()),
        }
        is_new = false;
    }
    words
}

fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect()
}

/// The label of a key, in the language of the page.
#[must_use]
pub fn label(key: &str) -> String {
    field_text(&english_label(key))
}

fn english_label(key: &str) -> String {
    if let Some((_, label)) = LABELS.iter().find(|(known, _)| *known == key) {
        return (*label).to_owned();
    }
    let spelled = |word: &String| {
        let known = SPELLINGS.iter().find(|(plain, _)| plain == word);
        known.map_or_else(|| word.clone(), |(_, spelling)| (*spelling).to_owned())
    };
    capitalized(&words(key).iter().map(spelled).collect::<Vec<_>>().join(" "))
}

/// What an element of a list under a key is called: `statusCheckHeaders` has elements “Status check header”.
#[must_use]
pub fn noun(key: &str) -> String {
    field_text(&english_noun(key))
}

fn english_noun(key: &str) -> String {
    if key == "subItems" {
        return "Sub-item".to_owned();
    }
    let words = words(key).join(" ");
    match words.as_str() {
        "entries" => "Entry".to_owned(),
        words => capitalized(words.strip_suffix('s').unwrap_or(words)),
    }
}

/// What a value of the choice under a key is called.
#[must_use]
pub fn choice_label(key: &str, word: &str) -> String {
    let of_key = CHOICES_OF_KEYS.iter().find(|(other, known, _)| *other == key && *known == word);
    let label = of_key.map(|(.., label)| label);
    let label = label.or_else(|| CHOICES.iter().find(|(known, _)| *known == word).map(|(_, label)| label));
    if let Some(label) = label {
        return field_text(label);
    }
    // Names and abbreviations stay as they are; the tests list them.
    let is_words = word.len() > 3 && word.chars().all(|letter| letter.is_ascii_lowercase() || letter == '-');
    if is_words { field_text(&capitalized(&word.replace('-', " "))) } else { word.to_owned() }
}

/// Whether a form offers a value of the choice under a key.
#[must_use]
pub fn offers(key: &str, word: &str) -> bool {
    !OLD_CHOICES.contains(&(key, word))
}

/// The language of a description.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum LabelLanguage {
    /// English, which says more about the field to the code too.
    English,
    /// That of the page.
    OfPage,
}

/// The description of a key for people: settings by their labels, and nothing about values that are not offered.
#[must_use]
pub fn about(key: &str, description: &str, language: LabelLanguage) -> String {
    const SETTING: &str = "`appConfig.";
    let mut text = description.to_owned();
    while let Some(start) = text.find(SETTING) {
        let name = start + SETTING.len();
        let Some(end) = text[name..].find('`').map(|length| name + length) else { break };
        let setting = match language {
            LabelLanguage::English => format!("“{}” in the settings", english_label(&text[name..end])),
            LabelLanguage::OfPage => fill("“{name}” in the settings", &[("name", &label(&text[name..end]))]),
        };
        text.replace_range(start..=end, &setting);
    }
    if let Some((_, old)) = OLD_CHOICES.iter().find(|(known, _)| *known == key)
        && let Some(start) = text.find(&format!("`{old}` "))
        && let Some((end, stop)) = text[..start].char_indices().rev().find(|(_, letter)| ".。।".contains(*letter))
    {
        text.truncate(end + stop.len_utf8());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{LabelLanguage, about, choice_label, label, noun};

    #[test]
    fn labels_are_plain_words() {
        for (key, expected) in [
            ("url", "Address"),
            ("hideSeconds", "Hide seconds"),
            ("apiKey", "API key"),
            ("cityId", "City ID"),
            ("max_items", "Max items"),
            ("target", "Opens in"),
            ("newtab", "Newtab"),
        ] {
            assert_eq!(label(key), expected);
        }
        assert_eq!(noun("statusCheckHeaders"), "Status check header");
        assert_eq!(choice_label("target", "newtab"), "New tab");
        assert_eq!(choice_label("sortBy", "most-used"), "Most used");
        assert_eq!(choice_label("order", "asc"), "Ascending");
        assert_eq!(choice_label("currency", "usd"), "usd");
        assert_eq!(
            (choice_label("add", "live"), choice_label("matches", "live")),
            ("Show at once".into(), "Live".into())
        );
    }

    #[test]
    fn descriptions_speak_of_settings_by_their_labels_and_not_of_old_values() {
        let icon = "Picture of the tile. Default: `appConfig.defaultIcon`.";
        assert_eq!(
            about("icon", icon, LabelLanguage::English),
            "Picture of the tile. Default: “Icon of items without one” in the settings."
        );
        let layout = "How sections are placed. Can be changed on the page. `sidebar` is an old word for `auto`.";
        assert_eq!(
            about("layout", layout, LabelLanguage::English),
            "How sections are placed. Can be changed on the page."
        );
    }
}
