//! The objects of the API, as far as they are needed.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use super::{
    kinds::{Kind, Listener},
    pods::Pod,
    routes::Route,
    selector::Selector,
};
use crate::resource::Malformed;

/// An object of the API.
#[derive(Debug)]
pub enum Object {
    Route(Box<Route>),
    /// A route that cannot be read.
    Malformed(Malformed),
    /// What the pods of a service have in common; `None` if it has none of its own.
    Service(Option<Selector>),
    Gateway(Vec<Listener>),
    Pod(Pod),
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct RawGateway {
    spec: RawGatewaySpec,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct RawGatewaySpec {
    listeners: Option<Vec<Listener>>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct RawService {
    spec: RawServiceSpec,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct RawServiceSpec {
    selector: Option<BTreeMap<String, String>>,
}

impl Object {
    /// Reads an object, with its namespace and its name. `None` if it does not matter: only routes that cannot be read are
    /// reported.
    pub fn read(kind: Kind, value: &Value, instance: Option<&str>) -> Option<(String, Self)> {
        let name = |key: &str| value.pointer(key).and_then(Value::as_str).filter(|text| text.len() <= 253);
        let key = match (name("/metadata/namespace"), name("/metadata/name")) {
            (Some(namespace), Some(name)) => format!("{namespace}/{name}"),
            _ if Kind::ROUTES.contains(&kind) => {
                let name = format!("one of the {}", kind.word());
                return Some((name.clone(), Self::Malformed(Malformed { name, reason: "it has no name" })));
            }
            _ => return None,
        };
        let object = match kind {
            Kind::Ingress | Kind::HttpRoute | Kind::IngressRoute | Kind::OldIngressRoute => {
                match Route::read(kind, value, instance) {
                    Ok(route) => Self::Route(Box::new(route)),
                    Err(reason) => Self::Malformed(Malformed { name: key.clone(), reason }),
                }
            }
            Kind::Service => {
                let selector = RawService::deserialize(value).ok()?.spec.selector;
                Self::Service(selector.filter(|selector| !selector.is_empty()).as_ref().map(Selector::of))
            }
            Kind::Gateway => Self::Gateway(RawGateway::deserialize(value).ok()?.spec.listeners.unwrap_or_default()),
            Kind::Pod => Self::Pod(Pod::read(value)?),
            // Their sum is read elsewhere, on demand.
            Kind::PodMetrics => return None,
        };
        Some((key, object))
    }
}
