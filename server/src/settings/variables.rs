//! The environment variables that widget options may name (docs/spec/widgets.md 5). Read once at start.

use std::{collections::HashMap, fmt, fs, sync::Arc};

/// With this suffix, a variable holds the path of a file with the value, as container secrets do.
const IN_A_FILE: &str = "_FILE";

/// Names and values of these variables. Cheap to clone, and prints no values.
#[derive(Clone, Default)]
pub struct Variables(Arc<HashMap<String, String>>);

impl Variables {
    /// Selects these variables from an environment. `KEY_FILE` sets `KEY` to the content of a file, unless `KEY` itself
    /// is set.
    pub fn of(environment: impl IntoIterator<Item = (String, String)>) -> Self {
        let named = |(name, _): &(String, String)| widgets::is_variable(name);
        let mut variables: HashMap<String, String> = environment.into_iter().filter(named).collect();
        let mut from_files = Vec::new();
        for (name, path) in &variables {
            let Some(short) = name.strip_suffix(IN_A_FILE).filter(|short| widgets::is_variable(short)) else {
                continue;
            };
            if variables.contains_key(short) {
                continue;
            }
            match fs::read_to_string(path) {
                Ok(value) => from_files.push((short.to_owned(), value)),
                Err(error) => tracing::warn!("{name}: {}", crate::platform::io_error::reason(&error)),
            }
        }
        variables.extend(from_files);
        Self(Arc::new(variables))
    }

    /// Those with one of these names.
    #[must_use]
    pub fn only(&self, names: &[String]) -> Self {
        let named = |name: &String| Some((name.clone(), self.0.get(name)?.clone()));
        Self(Arc::new(names.iter().filter_map(named).collect()))
    }

    /// The value of a variable, without trailing line breaks.
    pub fn get(&self, name: &str) -> Option<String> {
        self.0.get(name).map(|value| value.trim_end_matches(['\r', '\n']).to_owned())
    }
}

impl fmt::Debug for Variables {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut names: Vec<&String> = self.0.keys().collect();
        names.sort();
        formatter.debug_tuple("Variables").field(&names).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::Variables;

    #[test]
    fn only_the_named_ones_are_known_and_files_stand_for_values() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("key");
        std::fs::write(&file, "from a file\n").unwrap();
        let path = file.display().to_string();
        let environment = [
            ("VUE_APP_KEY", "k3y\r\n"),
            ("DASHY_TOKEN_FILE", &path),
            ("VITE_APP_BOTH", "itself"),
            ("VITE_APP_BOTH_FILE", &path),
            ("PORTICO_GONE_FILE", "/nowhere/at/all"),
            ("HOME", "/home/anna"),
        ];
        let variables = Variables::of(environment.map(|(name, value)| (name.to_owned(), value.to_owned())));
        for (name, expected) in [
            ("VUE_APP_KEY", Some("k3y")),
            ("DASHY_TOKEN", Some("from a file")),
            ("VITE_APP_BOTH", Some("itself")),
            ("PORTICO_GONE", None),
            ("HOME", None),
        ] {
            assert_eq!(variables.get(name).as_deref(), expected, "{name}");
        }
        assert!(!format!("{variables:?}").contains("k3y"));
    }
}
