//! The folder in which containers of Dashy had their files before version 3 (docs/spec/behavior.md 23).

use std::path::Path;

use super::values::Settings;

/// Its path.
pub(super) const PLACE: &str = "/app/public";

impl Settings {
    /// The settings for the files that are there: if only the old folder has a main config, it is the user-data directory.
    /// Looks at the disk.
    #[must_use]
    pub fn settled(self) -> Self {
        let Some(old) = self.old_user_data.clone() else { return self };
        let has_main = |folder: &Path| folder.join(&self.main_config).exists();
        if has_main(&self.user_data) || !has_main(&old) {
            return self;
        }
        tracing::info!("`{}` has no {}; using `{}`", self.user_data.display(), self.main_config, old.display());
        Self { user_data: old, old_user_data: None, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::Settings;

    #[test]
    fn the_old_folder_stands_in_for_a_missing_config() {
        let place = tempfile::tempdir().unwrap();
        let [new, old] = ["new", "old"].map(|name| place.path().join(name));
        for folder in [&new, &old] {
            std::fs::create_dir(folder).unwrap();
        }
        let settled = || {
            let settings = Settings { user_data: new.clone(), old_user_data: Some(old.clone()), ..Settings::default() };
            settings.settled().user_data
        };
        assert_eq!(settled(), new, "both are empty");
        std::fs::write(old.join("conf.yml"), "").unwrap();
        assert_eq!(settled(), old);
        std::fs::write(new.join("conf.yml"), "").unwrap();
        assert_eq!(settled(), new);
    }
}
