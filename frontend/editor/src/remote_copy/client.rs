//! Requests to the endpoint.

use gloo_net::http::{Method, RequestBuilder};
use serde_json::{Value, json};
use wasm_bindgen::{JsCast as _, prelude::wasm_bindgen};
use web_sys::{ReferrerPolicy, RequestCache, RequestCredentials, Url};

use super::{answer, checked, copy, new_id};
use crate::{encrypted_file::proof, texts::fill};

#[wasm_bindgen]
extern "C" {
    /// A URL whose query can be changed. `web-sys` has it behind another feature.
    #[wasm_bindgen(extends = Url)]
    type Address;
    #[wasm_bindgen(method, getter, js_name = searchParams)]
    fn query(this: &Address) -> Query;
    /// The query of an address.
    type Query;
    #[wasm_bindgen(method)]
    fn set(this: &Query, name: &str, value: &str);
}

/// The host of an address; the address itself, if it is none.
pub fn host_of(endpoint: &str) -> String {
    Url::new(endpoint).map_or_else(|_| endpoint.to_owned(), |url| url.host())
}

/// Sends values to the endpoint. Returns the body of the response.
///
/// # Errors
///
/// The endpoint refuses the request or cannot be reached, in a sentence for the user.
async fn send(endpoint: &str, method: Method, values: &Value) -> Result<Value, String> {
    let host = host_of(endpoint);
    let Some((status, body)) = response(endpoint, method, values).await else {
        let text =
            "`{host}` cannot be reached. It has to answer, and to allow this page in `Access-Control-Allow-Origin`.";
        return Err(fill(text, &[("host", &host)]));
    };
    answer(&host, status, &body)
}

/// The status and the body of a response; `None` if there is no response.
async fn response(endpoint: &str, method: Method, values: &Value) -> Option<(u16, String)> {
    let has_body = matches!(method, Method::POST | Method::PUT);
    let mut url = endpoint.to_owned();
    if !has_body {
        url = with_query(&url, values)?;
    }
    let request = RequestBuilder::new(&url)
        .method(method)
        .cache(RequestCache::NoStore)
        .credentials(RequestCredentials::Omit)
        .referrer_policy(ReferrerPolicy::NoReferrer);
    let request = match has_body {
        true => request.header("Content-Type", "application/json").body(values.to_string()),
        false => request.build(),
    };
    let response = request.ok()?.send().await.ok()?;
    Some((response.status(), response.text().await.unwrap_or_default()))
}

/// An address with values in its query, among others.
fn with_query(endpoint: &str, values: &Value) -> Option<String> {
    let address: Address = Url::new(endpoint).ok()?.unchecked_into();
    for (name, value) in values.as_object()? {
        address.query().set(name, value.as_str()?);
    }
    Some(address.href())
}

/// Stores an encrypted copy, or replaces the one with an id. Returns its id. `id` is empty for a new copy.
///
/// # Errors
///
/// It cannot be stored, in a sentence for the user.
pub async fn store(endpoint: &str, copy: &str, password: &str, id: &str) -> Result<String, String> {
    let proof = proof(password).await?;
    if id.trim().is_empty() {
        let values = json!({ "userData": copy, "subHash": proof });
        return new_id(&send(endpoint, Method::POST, &values).await?);
    }
    let id = checked(id)?;
    let values = json!({ "userData": copy, "subHash": proof, "backupId": id });
    send(endpoint, Method::PUT, &values).await?;
    Ok(id)
}

/// The encrypted copy with an id.
///
/// # Errors
///
/// It cannot be loaded, in a sentence for the user.
pub async fn load(endpoint: &str, password: &str, id: &str) -> Result<String, String> {
    let values = json!({ "backupId": checked(id)?, "subHash": proof(password).await? });
    copy(&send(endpoint, Method::GET, &values).await?)
}

/// Deletes the copy with an id.
///
/// # Errors
///
/// It cannot be deleted, in a sentence for the user.
pub async fn remove(endpoint: &str, password: &str, id: &str) -> Result<(), String> {
    let values = json!({ "backupId": checked(id)?, "subHash": proof(password).await? });
    send(endpoint, Method::DELETE, &values).await?;
    Ok(())
}
