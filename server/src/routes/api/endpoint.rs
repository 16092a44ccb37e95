//! Every endpoint of the API, in one list: from it come the routing, the `Allow` headers and the description in
//! OpenAPI. A handler states its access in its signature.

use std::{pin::Pin, sync::Arc};

use config::{Key, Selector};
use http::Method;
use serde_json::Value;

use super::{
    address::{decoded, encoded},
    answer::Answer,
    files, items, keys, openapi, sections,
};
use crate::{
    access::{Admin, Reader},
    routes::{error::ApiError, portico::Portico},
    store::FileName,
};

/// What a handler gives, later.
pub(super) type Answering = Pin<Box<dyn Future<Output = Result<Answer, ApiError>> + Send>>;

/// A handler, by what it does.
#[derive(Clone, Copy, Debug)]
pub(super) enum Action {
    /// Changes nothing.
    Read(fn(Reader, Call) -> Answering),
    /// Changes something, by a body.
    Change(fn(Admin, Call, Value) -> Answering),
    /// Takes something away.
    Remove(fn(Admin, Call) -> Answering),
}

/// A method on a path.
#[derive(Debug)]
pub(super) struct Endpoint {
    pub method: Method,
    /// The path below `/api`, with the names of its parameters in braces.
    pub path: &'static str,
    pub action: Action,
    /// What it is for, for the description.
    pub summary: &'static str,
    /// Name of the schema of the request's body, if it has one.
    pub request: Option<&'static str>,
    /// Name of the schema of the answer's body.
    pub response: &'static str,
}

const FILE: &str = "/config/{filename}";
pub(super) const KEY: &str = "/config/{filename}/{key}";
pub(super) const SECTIONS: &str = "/config/{filename}/sections";
const SECTION: &str = "/config/{filename}/sections/{sid}";
const ITEMS: &str = "/config/{filename}/sections/{sid}/items";
const ITEM: &str = "/config/{filename}/sections/{sid}/items/{iid}";

/// All of them. Of two that fit, as `{key}` and `sections` do, both count.
pub(super) static ENDPOINTS: [Endpoint; 15] = [
    Endpoint {
        method: Method::GET,
        path: "/config",
        action: Action::Read(|reader, call| Box::pin(files::list(reader, call))),
        summary: "List the config files",
        request: None,
        response: "Files",
    },
    Endpoint {
        method: Method::GET,
        path: FILE,
        action: Action::Read(|reader, call| Box::pin(files::get(reader, call))),
        summary: "Get a config file",
        request: None,
        response: "Config",
    },
    Endpoint {
        method: Method::PUT,
        path: FILE,
        action: Action::Change(|admin, call, body| Box::pin(files::put(admin, call, body))),
        summary: "Replace or create a config file",
        request: Some("Config"),
        response: "Written",
    },
    Endpoint {
        method: Method::GET,
        path: KEY,
        action: Action::Read(|reader, call| Box::pin(keys::get(reader, call))),
        summary: "Get a top-level key",
        request: None,
        response: "StoredValue",
    },
    Endpoint {
        method: Method::PUT,
        path: KEY,
        action: Action::Change(|admin, call, body| Box::pin(keys::put(admin, call, body))),
        summary: "Replace a top-level key",
        request: Some("Value"),
        response: "Written",
    },
    Endpoint {
        method: Method::POST,
        path: SECTIONS,
        action: Action::Change(|admin, call, body| Box::pin(sections::post(admin, call, body))),
        summary: "Add a section",
        request: Some("NewSection"),
        response: "SectionCreated",
    },
    Endpoint {
        method: Method::GET,
        path: SECTION,
        action: Action::Read(|reader, call| Box::pin(sections::get(reader, call))),
        summary: "Get a section",
        request: None,
        response: "StoredSection",
    },
    Endpoint {
        method: Method::PATCH,
        path: SECTION,
        action: Action::Change(|admin, call, body| Box::pin(sections::patch(admin, call, body))),
        summary: "Change fields of a section",
        request: Some("Section"),
        response: "SectionWritten",
    },
    Endpoint {
        method: Method::DELETE,
        path: SECTION,
        action: Action::Remove(|admin, call| Box::pin(sections::delete(admin, call))),
        summary: "Delete a section",
        request: None,
        response: "Written",
    },
    Endpoint {
        method: Method::GET,
        path: ITEMS,
        action: Action::Read(|reader, call| Box::pin(items::list(reader, call))),
        summary: "List the items of a section",
        request: None,
        response: "StoredItems",
    },
    Endpoint {
        method: Method::POST,
        path: ITEMS,
        action: Action::Change(|admin, call, body| Box::pin(items::post(admin, call, body))),
        summary: "Add an item to a section",
        request: Some("NewItem"),
        response: "ItemCreated",
    },
    Endpoint {
        method: Method::GET,
        path: ITEM,
        action: Action::Read(|reader, call| Box::pin(items::get(reader, call))),
        summary: "Get an item",
        request: None,
        response: "StoredItem",
    },
    Endpoint {
        method: Method::PATCH,
        path: ITEM,
        action: Action::Change(|admin, call, body| Box::pin(items::patch(admin, call, body))),
        summary: "Change fields of an item",
        request: Some("Item"),
        response: "ItemWritten",
    },
    Endpoint {
        method: Method::DELETE,
        path: ITEM,
        action: Action::Remove(|admin, call| Box::pin(items::delete(admin, call))),
        summary: "Delete an item",
        request: None,
        response: "Written",
    },
    Endpoint {
        method: Method::GET,
        path: "/openapi.json",
        action: Action::Read(|reader, call| Box::pin(openapi::get(reader, call))),
        summary: "Get this description",
        request: None,
        response: "Description",
    },
];

/// The endpoints at a path.
pub(super) fn at(segments: &[&str]) -> Vec<&'static Endpoint> {
    ENDPOINTS.iter().filter(|endpoint| endpoint.fits(segments)).collect()
}

impl Endpoint {
    fn pattern(&self) -> impl Iterator<Item = &'static str> {
        self.path.split('/').skip(1)
    }

    fn fits(&self, segments: &[&str]) -> bool {
        let is = |segment: &str, word: &str| {
            segment == word || segment.contains('%') && decoded(segment).is_ok_and(|text| text == word)
        };
        let fits = |(pattern, segment): (&str, &&str)| parameter(pattern).is_some() || is(segment, pattern);
        self.pattern().count() == segments.len() && self.pattern().zip(segments).all(fits)
    }
}

/// The name of a parameter, none for a fixed segment.
pub(super) fn parameter(pattern: &str) -> Option<&str> {
    pattern.strip_prefix('{')?.strip_suffix('}')
}

/// A request that has passed all checks but those of its parameters and body. The parameters are read by the handler,
/// in the order of docs/spec/api.md 2.
#[derive(Clone)]
pub(super) struct Call {
    pub portico: Arc<Portico>,
    parameters: Vec<(&'static str, String)>,
}

impl Call {
    pub(super) fn new(portico: Arc<Portico>, endpoint: &'static Endpoint, segments: &[&str]) -> Self {
        let named = |(pattern, segment): (&'static str, &&str)| Some((parameter(pattern)?, (*segment).to_owned()));
        Self { portico, parameters: endpoint.pattern().zip(segments).filter_map(named).collect() }
    }

    /// The file.
    ///
    /// # Errors
    ///
    /// 400 for what is no name of a config file.
    pub(super) fn file(&self) -> Result<FileName, ApiError> {
        FileName::parse(&self.parameter("filename")?).map_err(|error| ApiError::bad_request(error.to_string()))
    }

    /// The top-level key.
    ///
    /// # Errors
    ///
    /// 400 for a key that does not exist.
    pub(super) fn key(&self) -> Result<Key, ApiError> {
        let word = self.parameter("key")?;
        Key::parse(&word).ok_or_else(|| {
            let known = Key::ALL.map(Key::word).join(", ");
            ApiError::bad_request(format!("`{word}` is no key of a config: there are {known}"))
        })
    }

    /// The section's address.
    ///
    /// # Errors
    ///
    /// 400 for a malformed percent sequence.
    pub(super) fn section(&self) -> Result<Selector, ApiError> {
        Ok(Selector::parse(&self.parameter("sid")?))
    }

    /// The item's address.
    ///
    /// # Errors
    ///
    /// 400 for a malformed percent sequence.
    pub(super) fn item(&self) -> Result<Selector, ApiError> {
        Ok(Selector::parse(&self.parameter("iid")?))
    }

    /// The address of a part of a file, by its index.
    pub(super) fn location(&self, file: &FileName, part: &str) -> String {
        format!("{}/api/config/{}/{part}", self.portico.settings.base, encoded(file.as_str()))
    }

    fn parameter(&self, name: &str) -> Result<String, ApiError> {
        let segment = self.parameters.iter().find(|(known, _)| *known == name).map(|(_, segment)| segment.as_str());
        decoded(segment.unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::at;

    #[test]
    fn paths_have_the_methods_of_the_contract() {
        for (path, expected) in [
            ("config", "GET"),
            ("config/conf.yml", "GET PUT"),
            ("config/conf.yml/appConfig", "GET PUT"),
            ("config/conf.yml/sections", "GET PUT POST"),
            ("config/conf.yml/%73ections", "GET PUT POST"),
            ("config/conf.yml/banana", "GET PUT"),
            ("config/conf.yml/sections/0", "GET PATCH DELETE"),
            ("config/conf.yml/sections/0/items", "GET POST"),
            ("config/conf.yml/sections/0/items/0", "GET PATCH DELETE"),
            ("config/conf.yml/pageInfo/0", ""),
            ("config/conf.yml/sections/0/widgets", ""),
            ("", ""),
        ] {
            let segments: Vec<&str> = path.split('/').collect();
            let methods: Vec<&str> = at(&segments).iter().map(|endpoint| endpoint.method.as_str()).collect();
            assert_eq!(methods.join(" "), expected, "{path}");
        }
    }
}
