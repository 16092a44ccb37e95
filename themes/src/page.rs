//! The theme CSS in a page: that of the theme in use, or of the two that light and dark mode choose between, and the
//! variables that a config sets.

use std::fmt::Write as _;

use crate::{DEFAULT, Rgba, css, find};

const DAY: &str = "(prefers-color-scheme: light)";
const NIGHT: &str = "(prefers-color-scheme: dark)";

/// The content of a style element and its `media`.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct InlineStyle {
    /// The media query; empty for always.
    pub media: &'static str,
    /// The text, whose hash is in the Content-Security-Policy.
    pub css: String,
}

/// The styles of the light and dark themes, for a page below a path prefix.
pub fn inline_styles(day: &str, night: &str, base: &str) -> Vec<InlineStyle> {
    let both = [(DAY, day), (NIGHT, night)];
    let one = [("", day)];
    let wanted = if day == night { &one[..] } else { &both[..] };
    let styles = wanted.iter().map(|&(media, name)| InlineStyle { media, css: located(css(name), base) });
    styles.filter(|style| !style.css.is_empty()).collect()
}

/// The CSS of a theme as a separate file. Such files are two folders below the root of the product.
pub fn style_sheet(name: &str) -> String {
    located(css(name), "../..")
}

/// The CSS with addresses adjusted to its location.
fn located(css: &str, root: &str) -> String {
    css.replace("url(\"fonts/", &format!("url(\"{root}/fonts/"))
}

/// Rules that set the variables of a config (`customColors`) while the theme with that name is in use: as the config's
/// theme, where a media query chooses between light and dark without a script, and as the viewer's own choice. `colors`
/// has theme names, and variable names without `--` with their values; all of it is safe in a style element.
pub fn custom_rules(colors: &[(String, Vec<(String, String)>)], day: &str, night: &str) -> String {
    let mut rules = String::new();
    for (theme, variables) in colors.iter().filter(|(_, variables)| !variables.is_empty()) {
        let declarations = declarations(theme, variables);
        let named =
            if theme == DEFAULT { ":not([data-theme])".to_owned() } else { format!("[data-theme=\"{theme}\"]") };
        if day == night || theme != day && theme != night {
            _ = writeln!(rules, "html{named}{{{declarations}}}");
            continue;
        }
        let media = if theme == day { DAY } else { NIGHT };
        _ = writeln!(
            rules,
            "@media {media}{{html:not([data-chosen]){{{declarations}}}}}html[data-chosen]{named}{{{declarations}}}"
        );
    }
    rules
}

/// The background of a custom theme determines whether it is light or dark, and a theme that changes only the
/// background gets readable text.
fn declarations(theme: &str, variables: &[(String, String)]) -> String {
    let value = |name: &str| variables.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str());
    let mut css = String::new();
    let ground = value("background");
    // Most colors that cannot be measured are dark.
    let is_light = ground.and_then(Rgba::parse).is_some_and(|ground| ground.to_oklch()[0] > 0.6);
    if find(theme).is_none() || ground.is_some_and(|ground| Rgba::parse(ground).is_some()) {
        _ = write!(css, "color-scheme:{};", if is_light { "light" } else { "dark" });
    }
    if ground.is_some() && value("foreground").is_none() {
        css.push_str("--foreground:oklch(from var(--background) clamp(.26,(.6 - l)*1000,.93) .014 210);");
    }
    for (name, value) in variables {
        _ = write!(css, "--{name}:{value};");
    }
    css
}

#[cfg(test)]
mod tests {
    use super::{custom_rules, inline_styles, style_sheet};

    fn colors(theme: &str, variables: &[(&str, &str)]) -> (String, Vec<(String, String)>) {
        let variables = variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        (theme.to_owned(), variables.collect())
    }

    #[test]
    fn a_page_carries_only_what_it_uses() {
        assert_eq!(inline_styles("default", "default", ""), []);
        assert_eq!(inline_styles("of-somebody", "of-somebody", ""), []);
        let [nord] = inline_styles("nord", "nord", "").try_into().unwrap();
        assert!(nord.media.is_empty() && nord.css.contains("--background:#3b4252") && !nord.css.contains("#44475a"));
        let [day, night] = inline_styles("glow", "dracula", "").try_into().unwrap();
        assert_eq!((day.media, night.media), ("(prefers-color-scheme: light)", "(prefers-color-scheme: dark)"));
        let [night] = inline_styles("default", "nord", "").try_into().unwrap();
        assert_eq!(night.media, "(prefers-color-scheme: dark)");
    }

    #[test]
    fn fonts_are_found_from_pages_and_from_sheets() {
        assert!(inline_styles("matrix", "matrix", "/start")[0].css.contains("url(\"/start/fonts/vt323-latin.woff2\")"));
        assert!(style_sheet("matrix").contains("url(\"../../fonts/vt323-latin.woff2\")"));
    }

    #[test]
    fn variables_of_a_config_follow_the_theme() {
        let all = [
            colors("default", &[("primary", "red")]),
            colors("my theme", &[("a", "1px"), ("b", "2px")]),
            colors("empty", &[]),
        ];
        assert_eq!(
            custom_rules(&all, "default", "default"),
            "html:not([data-theme]){--primary:red;}\nhtml[data-theme=\"my theme\"]{color-scheme:dark;--a:1px;--b:2px;}\n"
        );
        let day = [colors("mine", &[("background", "#fff"), ("foreground", "#111")])];
        assert_eq!(
            custom_rules(&day, "mine", "nord"),
            "@media (prefers-color-scheme: light){html:not([data-chosen]){color-scheme:light;--background:#fff;--foreground:#111;}}\
             html[data-chosen][data-theme=\"mine\"]{color-scheme:light;--background:#fff;--foreground:#111;}\n"
        );
    }

    #[test]
    fn a_ground_without_ink_gets_one() {
        let rules = custom_rules(&[colors("nord", &[("background", "#fff")])], "nord", "nord");
        assert!(rules.starts_with("html[data-theme=\"nord\"]{color-scheme:light;--foreground:oklch(from"), "{rules}");
    }
}
