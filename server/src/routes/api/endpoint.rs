//! Every endpoint of the API, in one list: it defines the routes, the `Allow` headers and the OpenAPI description.
//! The signature of a handler states who may call it.

use axum::{
    Router,
    routing::{MethodFilter, MethodRouter, on},
};
use http::Method;

use super::{files, items, keys, openapi, sections};
use crate::routes::router_state::RouterState;

/// A method on a path.
pub(super) struct Endpoint {
    pub method: Method,
    /// The path below `/api`, with the names of its parameters in braces.
    pub path: &'static str,
    /// The handler, for the method above.
    handler: fn(MethodFilter) -> MethodRouter<RouterState>,
    /// Its purpose, for the description.
    pub summary: &'static str,
    /// Name of the schema of the request's body, if it has one.
    pub request: Option<&'static str>,
    /// Name of the schema of the response's body.
    pub response: &'static str,
}

const FILE: &str = "/config/{filename}";
const KEY: &str = "/config/{filename}/{key}";
const SECTIONS: &str = "/config/{filename}/sections";
const SECTION: &str = "/config/{filename}/sections/{sid}";
const ITEMS: &str = "/config/{filename}/sections/{sid}/items";
const ITEM: &str = "/config/{filename}/sections/{sid}/items/{iid}";

/// All of them.
pub(super) static ENDPOINTS: [Endpoint; 15] = [
    Endpoint {
        method: Method::GET,
        path: "/config",
        handler: |only| on(only, files::list),
        summary: "List the config files",
        request: None,
        response: "Files",
    },
    Endpoint {
        method: Method::GET,
        path: FILE,
        handler: |only| on(only, files::get),
        summary: "Get a config file",
        request: None,
        response: "Config",
    },
    Endpoint {
        method: Method::PUT,
        path: FILE,
        handler: |only| on(only, files::put),
        summary: "Replace or create a config file",
        request: Some("Config"),
        response: "Written",
    },
    Endpoint {
        method: Method::GET,
        path: KEY,
        handler: |only| on(only, keys::get),
        summary: "Get a top-level key",
        request: None,
        response: "StoredValue",
    },
    Endpoint {
        method: Method::PUT,
        path: KEY,
        handler: |only| on(only, keys::put),
        summary: "Replace a top-level key",
        request: Some("Value"),
        response: "Written",
    },
    Endpoint {
        method: Method::POST,
        path: SECTIONS,
        handler: |only| on(only, sections::post),
        summary: "Add a section",
        request: Some("NewSection"),
        response: "SectionCreated",
    },
    Endpoint {
        method: Method::GET,
        path: SECTION,
        handler: |only| on(only, sections::get),
        summary: "Get a section",
        request: None,
        response: "StoredSection",
    },
    Endpoint {
        method: Method::PATCH,
        path: SECTION,
        handler: |only| on(only, sections::patch),
        summary: "Change fields of a section",
        request: Some("Section"),
        response: "SectionWritten",
    },
    Endpoint {
        method: Method::DELETE,
        path: SECTION,
        handler: |only| on(only, sections::delete),
        summary: "Delete a section",
        request: None,
        response: "Written",
    },
    Endpoint {
        method: Method::GET,
        path: ITEMS,
        handler: |only| on(only, items::list),
        summary: "List the items of a section",
        request: None,
        response: "StoredItems",
    },
    Endpoint {
        method: Method::POST,
        path: ITEMS,
        handler: |only| on(only, items::post),
        summary: "Add an item to a section",
        request: Some("NewItem"),
        response: "ItemCreated",
    },
    Endpoint {
        method: Method::GET,
        path: ITEM,
        handler: |only| on(only, items::get),
        summary: "Get an item",
        request: None,
        response: "StoredItem",
    },
    Endpoint {
        method: Method::PATCH,
        path: ITEM,
        handler: |only| on(only, items::patch),
        summary: "Change fields of an item",
        request: Some("Item"),
        response: "ItemWritten",
    },
    Endpoint {
        method: Method::DELETE,
        path: ITEM,
        handler: |only| on(only, items::delete),
        summary: "Delete an item",
        request: None,
        response: "Written",
    },
    Endpoint {
        method: Method::GET,
        path: "/openapi.json",
        handler: |only| on(only, openapi::get),
        summary: "Get this description",
        request: None,
        response: "Description",
    },
];

/// The routes of all endpoints.
pub(super) fn routes() -> Router<RouterState> {
    let methods = ENDPOINTS.iter().flat_map(|endpoint| endpoint.paths().map(move |path| (path, endpoint)));
    methods.fold(Router::new(), |routes, (path, endpoint)| match MethodFilter::try_from(endpoint.method.clone()) {
        Ok(only) => routes.route(path, (endpoint.handler)(only)),
        // The list contains only methods that routers support.
        Err(_) => routes,
    })
}

impl Endpoint {
    /// Its paths. The path of sections takes precedence over that of any key, so it has to name all its methods itself.
    pub(super) fn paths(&self) -> impl Iterator<Item = &'static str> {
        std::iter::once(self.path).chain((self.path == KEY).then_some(SECTIONS))
    }

    /// Whether it changes nothing.
    pub(super) fn is_read(&self) -> bool {
        self.method.is_safe()
    }
}

/// The name of a parameter; `None` for a fixed segment.
pub(super) fn parameter(pattern: &str) -> Option<&str> {
    pattern.strip_prefix('{')?.strip_suffix('}')
}
