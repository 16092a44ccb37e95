//! The server's responses to a query.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use super::metric::Window;
use crate::{FetchError, Response};

/// Maximum length of messages from the server.
const MAX_SENTENCE: usize = 200;

/// The series of a response.
#[derive(Debug)]
pub(super) struct QueryResult {
    pub series: Vec<Series>,
    /// The server's warnings.
    pub warnings: Vec<String>,
    /// The times of a chart; `None` for numbers.
    pub window: Option<Window>,
}

/// One series: its labels, and its values by seconds since 1970. A number has a single value.
#[derive(Debug)]
pub(super) struct Series {
    pub labels: BTreeMap<String, String>,
    pub values: Vec<(f64, String)>,
}

#[derive(Deserialize)]
struct QueryReply {
    data: Option<DataReply>,
    #[serde(default)]
    warnings: Vec<Value>,
    #[serde(default)]
    error: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct DataReply {
    result_type: String,
    #[serde(default)]
    result: Value,
}

/// Reads a response. Series that cannot be read, such as native histograms, are left out.
///
/// # Errors
///
/// The server rejects the login, reports an error in the query, or is not a Prometheus server.
pub(super) fn read(reply: &Response, window: Option<Window>, has_login: bool) -> Result<QueryResult, FetchError> {
    let host = &reply.host;
    match reply.status {
        401 | 403 if has_login => {
            return Err(FetchError::login_refused(format!(
                "{host} refused the login: check the options username and password, or token."
            )));
        }
        401 | 403 => {
            return Err(FetchError::login_refused(format!(
                "{host} asks for a login: set the options username and password, or token."
            )));
        }
        404 => {
            return Err(FetchError::message(format!(
                "{host} has no Prometheus API at this address (404): check the path in the option url."
            )));
        }
        _ => {}
    }
    let read = reply.any_json::<QueryReply>();
    if let Ok(QueryReply { error: Some(error), .. }) = &read {
        let error: String = error.chars().take(MAX_SENTENCE).collect();
        return Err(FetchError::message(format!("{host}: {error}")));
    }
    reply.ok()?;
    let QueryReply { data, warnings, .. } = read?;
    let data = data.ok_or_else(|| reply.unexpected("no data"))?;
    let list = || data.result.as_array().ok_or_else(|| reply.unexpected("data of another shape"));
    let series = match data.result_type.as_str() {
        "scalar" | "string" => value(&data.result)
            .map(|value| Series { labels: BTreeMap::new(), values: vec![value] })
            .into_iter()
            .collect(),
        "vector" => list()?.iter().filter_map(|series| one(series, vec![value(series.get("value")?)?])).collect(),
        "matrix" => {
            let values = |series: &Value| {
                series.get("values")?.as_array().map(|values| values.iter().filter_map(value).collect())
            };
            list()?.iter().filter_map(|series| one(series, values(series)?)).collect()
        }
        _ => return Err(reply.unexpected("an unknown type of result")),
    };
    let warnings = warnings.iter().filter_map(Value::as_str).map(|text| text.chars().take(MAX_SENTENCE).collect());
    Ok(QueryResult { series, warnings: warnings.collect(), window })
}

fn one(series: &Value, values: Vec<(f64, String)>) -> Option<Series> {
    let labels = series.get("metric").and_then(Value::as_object).into_iter().flatten();
    let labels = labels.filter_map(|(name, value)| Some((name.clone(), value.as_str()?.to_owned())));
    Some(Series { labels: labels.collect(), values })
}

/// A pair of a time and a value; the value is a text.
fn value(pair: &Value) -> Option<(f64, String)> {
    let written = pair.get(1)?;
    let written = written
        .as_str()
        .map_or_else(|| written.as_f64().map(|number| number.to_string()), |text| Some(text.to_owned()));
    Some((pair.get(0)?.as_f64()?, written?))
}
