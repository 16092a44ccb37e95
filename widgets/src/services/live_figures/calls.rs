//! Calls of JSON-RPC 2.0 (https://www.jsonrpc.org/specification) over a WebSocket.

use std::{collections::BTreeMap, time::Duration};

use figures::Request as Question;
use serde_json::{Value, json};

use super::{Inquiry, Names};
use crate::{FetchError, Method, Response, WidgetContext};

/// Maximum number of bytes of all answers.
const MAX_BYTES: usize = 4 * 1024 * 1024;
/// Maximum time of all calls.
const PATIENCE: Duration = Duration::from_secs(20);

/// What calls have returned, by the names of the requests, or why there is nothing.
pub(super) type Results = Result<BTreeMap<String, Result<Value, FetchError>>, FetchError>;

impl Inquiry<'_> {
    /// Makes the calls among these requests, after that which signs in, over one connection.
    pub(super) async fn results<'a>(
        &self,
        questions: impl Iterator<Item = &'a Question>,
        context: &dyn WidgetContext,
    ) -> Results {
        let questions: Vec<_> = questions.filter_map(|question| Some((question, question.call.as_ref()?))).collect();
        let Some(path) = questions.first().and_then(|(first, _)| first.path.iter().next()) else {
            return Ok(BTreeMap::new());
        };
        let names = Names { inquiry: self, token: None, each: None, now: context.now() };
        let login = self.sign_in.and_then(|sign_in| sign_in.call.as_ref());
        let login = login.map(|login| (&login.method, names.in_json(&login.params)));
        let has_login = login.is_some();
        let others = questions.iter().map(|(_, method)| (*method, json!([])));
        let call = |((method, params), id)| json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        let calls: Value = login.into_iter().chain(others).zip(1..).map(call).collect();
        let mut request = self.request(Method::Post, path, &BTreeMap::new(), &names).json(&calls);
        request.web_socket = true;
        request.timeout = Some(PATIENCE);
        request.max_bytes = Some(MAX_BYTES);
        let response = context.exchange(request).await?;
        let mut answers = response.json::<Vec<Value>>()?.into_iter();
        if has_login && answers.next().is_none_or(|answer| answer["result"] != true) {
            return Err(FetchError::Refused { host: response.host });
        }
        let results = questions.iter().zip(answers);
        Ok(results.map(|((question, _), answer)| (question.name.clone(), read(question, answer, &response))).collect())
    }

    /// What the call of this request has returned.
    pub(super) fn result(&self, question: &Question, results: &Results) -> Result<Value, FetchError> {
        let results = results.as_ref().map_err(FetchError::clone)?;
        results.get(&question.name).cloned().unwrap_or_else(|| Err(self.unexpected()))
    }
}

fn read(question: &Question, mut answer: Value, response: &Response) -> Result<Value, FetchError> {
    if !answer["error"].is_null() {
        return Err(response.unexpected("an error in place of data"));
    }
    let result = answer["result"].take();
    match &question.has {
        Some(has) if !has.holds(&result) => Err(response.unexpected("data of another shape")),
        _ => Ok(result),
    }
}
