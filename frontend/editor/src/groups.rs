//! The groups of the fields of `appConfig` in its form.

/// The groups, in the order of the form, with the keys of their fields.
pub const GROUPS: [(&str, &[&str]); 7] = [
    (
        "Look",
        &[
            "theme",
            "dayTheme",
            "nightTheme",
            "backgroundImg",
            "customColors",
            "customCss",
            "cssThemes",
            "externalStyleSheet",
            "contentMaxWidth",
            "language",
        ],
    ),
    (
        "Layout",
        &["layout", "columns", "density", "iconSize", "colCount", "startingView", "hideComponents", "showSplashScreen"],
    ),
    (
        "Opening and searching",
        &[
            "defaultOpeningMethod",
            "webSearch",
            "disableSmartSort",
            "disableContextMenu",
            "workspaceLandingUrl",
            "enableMultiTasking",
        ],
    ),
    (
        "Icons",
        &[
            "defaultIcon",
            "monochromeIcons",
            "faviconApi",
            "enableFontAwesome",
            "enableMaterialDesignIcons",
            "fontAwesomeKey",
        ],
    ),
    (
        "Services",
        &[
            "statusCheck",
            "statusCheckInterval",
            "statusCheckCertificateDays",
            "statusCheckAccessibility",
            "alerts",
            "pingCheckEnabled",
            "pingCheckInterval",
            "pingCheckAccessibility",
            "pingCheckCount",
            "pingCheckTimeout",
            "widgetsAlwaysUseProxy",
            "discovery",
        ],
    ),
    (
        "Editing and signing in",
        &[
            "auth",
            "disableConfiguration",
            "disableConfigurationForNonAdmin",
            "preventWriteToDisk",
            "preventLocalSave",
            "backupEndpoint",
        ],
    ),
    ("Program", &["enableServiceWorker", "enableAuthProxyCompat", "disableUpdateChecks"]),
];

/// The heading of fields that are in no group.
pub const OTHERS: &str = "More fields";

/// The group of a field of `appConfig`.
#[must_use]
pub fn group_of(key: &str) -> &'static str {
    GROUPS.iter().find(|(_, keys)| keys.contains(&key)).map_or(OTHERS, |(group, _)| group)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::Schema;

    #[test]
    fn every_field_of_app_config_is_in_one_group() {
        let schema = Schema::new(serde_json::from_str(include_str!("../../../docs/schema.json")).unwrap());
        let fields = schema.fields("AppConfig");
        assert!(fields.len() > 30);
        for field in &fields {
            assert_ne!(group_of(&field.key), OTHERS, "put `{}` into a group", field.key);
        }
        let keys: Vec<_> = GROUPS.iter().flat_map(|(_, keys)| keys.iter()).collect();
        for (position, key) in keys.iter().enumerate() {
            assert!(fields.iter().any(|field| field.key == **key), "{key}");
            assert!(!keys[..position].contains(key), "{key}");
        }
    }
}
