//! `user-data/services`: data files of services that the operator has written, or got from others.

use std::{fs, path::Path};

use figures::Service;

/// The folder inside the user's.
const FOLDER: &str = "services";
/// Maximum number of files that are read.
const MAX_FILES: usize = 200;

/// Reads the services in the user's folder, and makes them known. Returns what is wrong with files, which are left out.
pub fn load(user_data: &Path) -> Vec<String> {
    let Ok(files) = fs::read_dir(user_data.join(FOLDER)) else { return Vec::new() };
    let mut paths: Vec<_> = files.filter_map(|file| Some(file.ok()?.path())).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
    paths.sort();
    let (mut services, mut problems) = (Vec::new(), Vec::new());
    for path in paths.into_iter().take(MAX_FILES) {
        let Some(name) = path.file_stem().and_then(|name| name.to_str()) else { continue };
        match fs::read_to_string(&path)
            .map_err(|error| error.to_string())
            .and_then(|text| Service::parse(&text).map_err(|error| error.to_string()))
        {
            Ok(service) => services.push((name.to_owned(), service)),
            Err(problem) => problems.push(format!("{FOLDER}/{name}.toml is left out: {problem}")),
        }
    }
    figures::set_shared(services);
    problems
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_the_user_are_known_and_mistakes_are_named() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(load(folder.path()), Vec::<String>::new());
        let services = folder.path().join(FOLDER);
        fs::create_dir(&services).unwrap();
        let text = "name = 'Bees'\nicon = 'bee'\n[[request]]\nname = 'hive'\npath = '/hive'\n\
                    [[figure]]\nname = 'bees'\nlabel = 'Bees'\nvalue = '$.hive.bees'\n";
        fs::write(services.join("beehive.toml"), text).unwrap();
        fs::write(services.join("wrong.toml"), text.replace("'/hive'", "'hive'")).unwrap();
        fs::write(services.join("notes.txt"), "no service").unwrap();
        let problems = load(folder.path());
        assert_eq!(problems, ["services/wrong.toml is left out: the path `hive` must begin with a slash"]);
        assert_eq!(figures::find("Beehive").unwrap().name, "Bees");
        assert!(figures::find("wrong").is_none());
    }
}
