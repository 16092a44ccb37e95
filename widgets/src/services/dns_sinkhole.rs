//! The API of a DNS ad blocker of version 5 and older.

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::tolerant;
use crate::{
    FetchError, OptionProblems, Request, WidgetContext,
    option_types::{BaseAddress, Secret},
};

/// The address without the path that people copy from their browser.
pub(crate) fn address(hostname: &BaseAddress) -> BaseAddress {
    hostname.without(&["/admin/api.php", "/admin"])
}

/// Reports what is missing in the options that all types of this service have.
pub(crate) fn check(hostname: &BaseAddress, problems: &mut OptionProblems) {
    problems.require_option(hostname.is_set(), "hostname", "the address of Pi-hole");
}

/// Sends one query, such as `summaryRaw`. `newer_type` is the type of widget for version 6.
///
/// # Errors
///
/// The instance refuses the request, has another version, or the response has an unexpected shape.
pub(crate) async fn read<T: DeserializeOwned>(
    hostname: &BaseAddress,
    api_key: &Secret,
    question: &str,
    newer_type: &str,
    context: &dyn WidgetContext,
) -> Result<T, FetchError> {
    let url = address(hostname).join(&format!("/admin/api.php?{question}"), &[]);
    let request = Request::get(url).secret_query("auth", api_key).header("Accept", "application/json");
    let reply = context.exchange(request).await?;
    let host = &reply.host;
    // Version 6 responds to queries at the old address with an error in JSON.
    if matches!(reply.status, 400 | 404) && reply.any_json::<Value>().is_ok_and(|value| value["error"].is_object()) {
        return Err(FetchError::message(format!("{host}: this is version 6: use the type {newer_type}.")));
    }
    let text = reply.ok()?.text();
    let text = text.trim_start();
    for check in ["Failed CORS", "Failed Host Check"] {
        if text.starts_with(check) {
            return Err(FetchError::message(format!(
                "{host} does not know itself by this name ({check}): set the option hostname to an address that it knows, \
                 such as its IP address."
            )));
        }
    }
    let value: Value = if text.starts_with("Not authorized") { Value::Array(Vec::new()) } else { reply.json()? };
    if value.is_array() {
        return Err(FetchError::login_refused(if api_key.is_set() {
            format!("{host}: not authorized: check the API token in the option apiKey.")
        } else {
            format!("{host} asks for its API token (Settings, API): set the option apiKey.")
        }));
    }
    if value["FTLnotrunning"] == true {
        return Err(FetchError::message(format!("{host}: the DNS engine of Pi-hole is not running; start it there.")));
    }
    if !value.is_object() {
        return Err(reply.unexpected("data of another shape"));
    }
    reply.json()
}

/// The domains of an object that maps names to counts, most frequent first. If there are none, the API sends a list
/// instead.
pub(crate) fn domains(counts: &Value) -> Vec<(String, f64)> {
    let counts = counts.as_object().into_iter().flatten();
    let mut domains: Vec<(String, f64)> =
        counts.filter_map(|(name, count)| Some((name.clone(), tolerant::as_number(count)?.max(0.0)))).collect();
    domains.sort_by(|one, other| other.1.total_cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
    domains
}
