//! The services by their types: those of the program, and those that the operator of the server has added.

use std::sync::{Arc, LazyLock, PoisonError, RwLock};

use crate::service::Service;

/// The files of the program: types and texts.
const FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/services.rs"));

/// The services of the program, read at the first use: a program without figures needs none of them.
static OWN: LazyLock<Vec<(&'static str, Arc<Service>)>> = LazyLock::new(|| {
    // A test reads all of them, so none is missing.
    let read = |(name, text): &(&'static str, &str)| Some((*name, Arc::new(Service::parse(text).ok()?)));
    FILES.iter().filter_map(read).collect()
});

/// The services in the user's folder, which take precedence.
static SHARED: RwLock<Vec<(String, Arc<Service>)>> = RwLock::new(Vec::new());

/// Sets the services that the operator of the server has added, by their types.
pub fn set_shared(services: Vec<(String, Service)>) {
    let services = services.into_iter().map(|(name, service)| (name.to_ascii_lowercase(), Arc::new(service)));
    *SHARED.write().unwrap_or_else(PoisonError::into_inner) = services.collect();
}

/// The service of a type, in upper or lower case.
#[must_use]
pub fn find(kind: &str) -> Option<Arc<Service>> {
    let kind = kind.trim().to_ascii_lowercase();
    let is_wanted = |name: &str, service: &Service| name == kind || service.also.contains(&kind);
    let shared = SHARED.read().unwrap_or_else(PoisonError::into_inner);
    let found = shared.iter().find(|(name, service)| is_wanted(name, service)).map(|(_, service)| Arc::clone(service));
    drop(shared);
    found
        .or_else(|| OWN.iter().find(|(name, service)| is_wanted(name, service)).map(|(_, service)| Arc::clone(service)))
}

/// The types of the program's own services, in alphabetical order.
pub fn own_names() -> impl Iterator<Item = &'static str> {
    FILES.iter().map(|(name, _)| *name)
}

/// All types and their other names, for suggestions.
#[must_use]
pub fn nearest_names() -> Vec<String> {
    let also = OWN.iter().flat_map(|(_, service)| service.also.iter().cloned());
    let shared = SHARED.read().unwrap_or_else(PoisonError::into_inner);
    shared.iter().map(|(name, _)| name.clone()).chain(own_names().map(str::to_owned)).chain(also).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_file_describes_a_service() {
        let mut names = HashSet::new();
        for (name, text) in FILES {
            let service = Service::parse(text).unwrap_or_else(|error| panic!("services/{name}.toml: {error}"));
            for name in std::iter::once(*name).chain(service.also.iter().map(String::as_str)) {
                assert!(name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit()), "{name}");
                assert!(names.insert(name.to_owned()), "two services are called {name}");
            }
        }
    }

    #[test]
    fn a_mistake_in_a_file_is_named() {
        let good = "name = 'A'\nicon = 'a'\n[[request]]\nname = 'stats'\npath = '/stats'\n\
                    [[figure]]\nname = 'up'\nlabel = 'Up'\nvalue = '$.stats.up'\n";
        assert!(Service::parse(good).is_ok());
        for (from, to, problem) in [
            ("'/stats'", "'stats'", "the path `stats` must begin with a slash"),
            ("'/stats'", "'/{site}'", "`{site}` in `/{site}` is no option"),
            ("$.stats.up", "$.other.up", "the figure `up` needs `other`, which no request has"),
            ("$.stats.up", "1", "the figure `up` needs no request"),
            ("'Up'", "'How many are up'", "has more than 14 characters"),
            ("label =", "lable =", "unknown field `lable`"),
            ("icon = 'a'", "", "missing field `icon`"),
            ("$.stats.up", "sum($.stats.up", "a `)` is missing"),
            (
                "[[figure]]",
                "[[request]]\nname = 'more'\npath = '/more'\n[[figure]]",
                "no figure needs the request `more`",
            ),
            ("[[figure]]", "[[request]]\nname = 'stats'\npath = '/'\n[[figure]]", "two requests have the name `stats`"),
            (
                "[[request]]",
                "[[request]]\nname = 'stats'\nversion = 2\npath = '/a'\ncall = 'a'\n[[request]]\nversion = 2\nname = 'b'\n\
                 path = '/b'\ncall = 'b'\n[[request]]\nversion = 1\n",
                "all calls must have the same path",
            ),
            (
                "[[request]]",
                "[[request]]\nversion = 2\nname = 'other'\npath = '/a'\n[[request]]\nversion = 1\n",
                "the figure `up` needs `stats`, which no request has",
            ),
            ("[[request]]", "[[sign-in]]\nneeds = ['pin']\n[[request]]", "a sign-in needs `pin`, which is no option"),
            ("[[request]]", "[[sign-in]]\nheaders = { A = '{token}' }\n[[request]]", "a session needs a token"),
        ] {
            let error = Service::parse(&good.replacen(from, to, 1)).unwrap_err().to_string();
            assert!(error.contains(problem), "{problem}: {error}");
        }
    }

    /// A table of all services: how each is called, what it needs, and its figures.
    fn table() -> String {
        let mut table = String::from("| Service | Type | Needs | Figures |\n|---|---|---|---|\n");
        let code = |text: &str| format!("`{text}`");
        let mut services: Vec<_> = OWN.iter().collect();
        services.sort_by_key(|(_, service)| service.name.to_lowercase());
        for (name, service) in services {
            let types: Vec<String> =
                std::iter::once(*name).chain(service.also.iter().map(String::as_str)).map(code).collect();
            let way = |needs: &[String]| match needs {
                [] => "nothing".to_owned(),
                needs => needs.iter().map(|name| code(name)).collect::<Vec<_>>().join(" and "),
            };
            let mut ways: Vec<String> = service.sign_in.iter().map(|sign_in| way(&sign_in.needs)).collect();
            ways.dedup();
            let mut needs = vec![if ways.is_empty() { way(&[]) } else { ways.join(", or ") }];
            let options = service
                .options
                .iter()
                .filter(|option| !service.sign_in.iter().any(|way| way.needs.contains(&option.name)));
            needs.extend(options.map(|option| format!("{}: {}", code(&option.name), option.about)));
            let figures: Vec<String> = service.figures.iter().map(|figure| code(&figure.name)).collect();
            table.push_str(&format!(
                "| {} | {} | {} | {} |\n",
                service.name,
                types.join(", "),
                needs.join("; "),
                figures.join(", ")
            ));
        }
        table
    }

    #[test]
    fn the_docs_list_every_service() {
        let here = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(here.join("docs.md")).unwrap().replace("<!-- services -->\n", &table());
        let path = here.join("../docs/figures.md");
        if std::env::var_os("UPDATE_DOCS").is_some() {
            std::fs::write(&path, &text).unwrap();
        }
        let written = std::fs::read_to_string(&path).unwrap();
        assert!(written == text, "docs/figures.md is stale: UPDATE_DOCS=1 cargo test -p figures");
    }

    #[test]
    fn a_file_of_the_user_takes_precedence() {
        let text = "name = 'Mine'\nicon = 'a'\nalso = ['ours']\n[[request]]\nname = 'stats'\npath = '/stats'\n\
                    [[figure]]\nname = 'up'\nlabel = 'Up'\nvalue = '$.stats.up'\n";
        assert!(find("no-such-service").is_none());
        set_shared(vec![("MyService".to_owned(), Service::parse(text).unwrap())]);
        assert_eq!(find(" myservice ").unwrap().name, "Mine");
        assert_eq!(find("Ours").unwrap().name, "Mine");
        set_shared(Vec::new());
        assert!(find("myservice").is_none());
    }
}
