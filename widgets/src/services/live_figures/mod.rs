//! Live figures of a service, as its data file says (`figures::Service`): signs in, sends the requests that the chosen figures
//! need, and finds the values in the answers.

mod calls;
mod highlight;
mod inquiry;
mod session;
mod templates;
#[cfg(test)]
mod tests;
mod values;

use std::{collections::BTreeMap, time::Duration};

use figures::{Expression, Figure, Interval, Request as Question, Service, Verb};
use serde_json::{Map, Value, json};

pub(crate) use self::{highlight::Highlight, inquiry::Inquiry, values::label};
use self::{templates::Names, values::datum};
use super::account::Account;
use crate::{FetchError, Method, Request, Response, WidgetContext, option_types::Secret, panel::Stat};

/// How many figures are shown if the entry does not choose any.
pub(crate) const USUAL: usize = 4;
/// Maximum number of requests for the entries of an earlier answer.
const MAX_EACH: usize = 20;
/// Maximum number of bytes of one answer: lists of a large library have several megabytes.
const MAX_BYTES: usize = 10 * 1024 * 1024;
/// How many values the course of a rate has.
const COURSE: usize = 30;
/// How long the course of a rate is remembered without a new value.
const COURSE_LIFE: Duration = Duration::from_secs(600);
/// How long the version of a service is remembered.
const VERSION_LIFE: Duration = Duration::from_secs(3600);
/// How long the path that a version of a service knows is remembered.
const PATH_LIFE: Duration = Duration::from_secs(3600);
/// The pause after a rejected login: services lock out those who try too often.
const REFUSED_PAUSE: Duration = Duration::from_secs(300);
/// What is remembered is asked for a little earlier than it ends.
const SLACK: Duration = Duration::from_secs(2);

/// How a session or an answer came out.
enum Answer {
    Found(Value),
    /// The session has ended.
    SignedOut(FetchError),
}

/// The chosen figures with their values. Of several versions of a service, the first that answers as that version does.
///
/// # Errors
///
/// The service cannot be reached, refuses the credentials, or none of its answers has a figure.
pub(crate) async fn stats(
    versions: &[Inquiry<'_>],
    chosen: &[&Figure],
    highlight: &Highlight,
    context: &dyn WidgetContext,
) -> Result<Vec<Stat>, FetchError> {
    let key = versions.first().map(|first| first.account().key("version")).unwrap_or_default();
    let known = context.recall(&key).and_then(|known| known.as_u64()).and_then(|at| usize::try_from(at).ok());
    let known = known.filter(|at| *at < versions.len());
    let mut failures = Vec::new();
    for at in known.into_iter().chain((0..versions.len()).filter(|at| Some(*at) != known)) {
        let inquiry = &versions[at];
        match inquiry.stats(chosen, highlight, context).await {
            Err(error) if is_of_another_version(&error) => failures.push((inquiry, error)),
            Err(error) => return Err(inquiry.explained(error)),
            Ok(stats) => {
                if versions.len() > 1 {
                    context.remember(&key, json!(at), VERSION_LIFE);
                }
                return Ok(stats);
            }
        }
    }
    // A version that is there, but does not answer as expected, says more than one that is not.
    let telling = failures.iter().position(|(_, error)| !matches!(error, FetchError::UnknownAddress { .. }));
    match failures.into_iter().nth(telling.unwrap_or_default()) {
        Some((inquiry, error)) => Err(inquiry.explained(error)),
        None => Err(FetchError::message("There are no figures for this service.")),
    }
}

impl Inquiry<'_> {
    /// The chosen figures with their values, of this version. Errors have no hint yet.
    async fn stats(
        &self,
        chosen: &[&Figure],
        highlight: &Highlight,
        context: &dyn WidgetContext,
    ) -> Result<Vec<Stat>, FetchError> {
        let account = self.account();
        account.refused_before(context)?;
        let pace = pace(self.service, chosen);
        let mut values: Vec<Option<Value>> = chosen
            .iter()
            .map(|figure| {
                context.recall(&account.key(&figure.name)).filter(|_| self.service.interval_of(figure) > pace)
            })
            .collect();
        let missing = chosen.iter().zip(&values).filter(|(_, value)| value.is_none());
        let needed: Vec<&str> = missing.flat_map(|(figure, _)| self.service.needed_by(figure)).collect();
        let (answers, failure) = self.answers(&needed, &account, context).await?;
        for (figure, value) in chosen.iter().zip(&mut values).filter(|(_, value)| value.is_none()) {
            // The sum of what is in no answer would be 0.
            let is_answered = self.service.needed_by(figure).iter().all(|name| answers.get(*name).is_some());
            let Some(found) = figure.value.value(&answers).filter(|_| is_answered) else { continue };
            let whole = figure.of.as_ref().map(|of| of.value(&answers));
            let found = json!({ "value": found, "of": whole.unwrap_or_default() });
            let interval = self.service.interval_of(figure);
            if interval > pace {
                context.remember(&account.key(&figure.name), found.clone(), interval.time().saturating_sub(SLACK));
            }
            *value = Some(found);
        }
        if values.iter().all(Option::is_none) {
            return Err(failure.unwrap_or_else(|| self.unexpected()));
        }
        if let Some(error) = failure {
            let error = self.explained(error);
            context.log(&format!("some figures of {} are missing: {error}", self.service.name));
        }
        let stat = |(figure, value): (&&Figure, Option<Value>)| {
            let value = value.unwrap_or_default();
            let mut stat = Stat::new("", datum(figure, &value["value"], &value["of"], context.now()));
            stat.label = label(&figure.label);
            stat = stat.toned(highlight.tone(&figure.name, &value["value"]));
            if figure.course {
                stat.course = self.course(&account, figure, value["value"].as_f64(), context);
            }
            stat
        };
        Ok(chosen.iter().zip(values).map(stat).collect())
    }

    fn account(&self) -> Account {
        let option = |name: &str| self.options.get(name).map(String::as_str).unwrap_or_default();
        let secrets = self.options.iter().map(|(name, value)| format!("{name}={value}\n")).collect::<String>();
        Account::new(&format!("figures/{}", self.kind), &self.address, option("username"), &Secret::from(&*secrets))
    }

    /// The answers of these requests, by their names; and why one is missing, if the others are enough.
    async fn answers(
        &self,
        needed: &[&str],
        account: &Account,
        context: &dyn WidgetContext,
    ) -> Result<(Value, Option<FetchError>), FetchError> {
        let mut answers = Map::new();
        answers.insert("options".to_owned(), json!(self.options));
        answers.insert("time".to_owned(), templates::times(context.now()));
        let mut answers = Value::Object(answers);
        let mut failure = None;
        let questions = self.service.requests.iter().filter(|question| needed.contains(&&*question.name));
        // All at once, over one connection.
        let results = self.results(questions.clone(), context).await;
        for question in questions {
            let answer = match &question.call {
                Some(_) => self.result(question, &results),
                None => self.answer(question, &answers, account, context).await,
            };
            match answer {
                Ok(answer) => answers[question.name.as_str()] = answer,
                Err(_) if question.optional => {}
                // Others would fail too, and each attempt may count.
                Err(error) if is_fatal(&error) => {
                    // A new login has been rejected, which is remembered already.
                    let is_new = error.is_rejection() && self.sign_in.is_some() && error.retry_at().is_none();
                    return Err(if is_new {
                        account.refuse(context, self.explained(error).to_string(), REFUSED_PAUSE)
                    } else {
                        error
                    });
                }
                Err(error) => {
                    failure.get_or_insert(error);
                }
            }
        }
        Ok((answers, failure))
    }

    /// The answer to one request, or the list of answers for each value that it is sent for.
    async fn answer(
        &self,
        question: &Question,
        answers: &Value,
        account: &Account,
        context: &dyn WidgetContext,
    ) -> Result<Value, FetchError> {
        let Some(each) = &question.each else { return self.in_session(question, None, account, context).await };
        let mut all = Vec::new();
        for each in each.values(answers).into_iter().take(MAX_EACH) {
            let answer = self.in_session(question, Some(&each), account, context).await?;
            all.push(json!({ "each": each, "answer": answer }));
        }
        Ok(all.into())
    }

    /// The answer to one request; signs in again, once, if the session has ended.
    async fn in_session(
        &self,
        question: &Question,
        each: Option<&Value>,
        account: &Account,
        context: &dyn WidgetContext,
    ) -> Result<Value, FetchError> {
        for attempt in 0..2 {
            let token = self.token(account, context).await?;
            match self.ask(question, each, token.as_deref(), account, context).await? {
                Answer::Found(answer) => return Ok(answer),
                Answer::SignedOut(error) if token.is_none() || attempt == 1 => return Err(error),
                Answer::SignedOut(_) => self.forget_session(account, token.as_deref(), context),
            }
        }
        Err(self.unexpected())
    }

    async fn ask(
        &self,
        question: &Question,
        each: Option<&Value>,
        token: Option<&str>,
        account: &Account,
        context: &dyn WidgetContext,
    ) -> Result<Answer, FetchError> {
        let names = Names { inquiry: self, token, each, now: context.now() };
        let paths: Vec<&str> = question.path.iter().collect();
        let known_path = account.key(&format!("path of {}", question.name));
        let first =
            context.recall(&known_path).and_then(|known| known.as_u64()).and_then(|at| usize::try_from(at).ok());
        let mut order: Vec<usize> = first.filter(|at| *at < paths.len()).into_iter().collect();
        order.extend((0..paths.len()).filter(|at| Some(*at) != first));
        let mut last = None;
        for at in order {
            let method = match question.method {
                Some(verb) => method_of(verb),
                None if question.json.is_some() || !question.form.is_empty() => Method::Post,
                None => Method::Get,
            };
            let request = self.request(method, paths[at], &question.headers, &names);
            let request = with_body(request, question.json.as_ref(), &question.form, &names);
            let response = context.exchange(self.signed(request, &names)).await?;
            if matches!(response.status, 404 | 405) && paths.len() > 1 {
                last = Some(response);
                continue;
            }
            if paths.len() > 1 {
                context.remember(&known_path, json!(at), PATH_LIFE);
            }
            return self.read(question, &response);
        }
        let error = last.map(|response| response.ok().map(|_| ()));
        Err(error.and_then(Result::err).unwrap_or_else(|| self.unexpected()))
    }

    /// What a response says.
    fn read(&self, question: &Question, response: &Response) -> Result<Answer, FetchError> {
        let renews = self.sign_in.and_then(|sign_in| sign_in.session.as_ref());
        let refused = || Ok(Answer::SignedOut(FetchError::Refused { host: response.host.clone() }));
        if matches!(response.status, 401 | 403) || renews.is_some_and(|login| login.accepts == Some(response.status)) {
            return refused();
        }
        response.ok()?;
        let answer = match &question.header {
            Some(name) => response.header(name).map_or(Value::Null, |value| value.trim().into()),
            None if question.text => response.text().into_owned().into(),
            None if response.body.trim_ascii().is_empty() => Value::Null,
            None => response.any_json::<Value>()?,
        };
        if question.error.as_ref().is_some_and(|error| error.holds(&answer)) {
            let error = response.unexpected("an error in place of data");
            return Ok(if renews.is_some() { Answer::SignedOut(error) } else { return Err(error) });
        }
        if question.refused.as_ref().is_some_and(|is_refused| is_refused.holds(&answer)) {
            return refused();
        }
        match &question.has {
            Some(has) if !has.holds(&answer) => Err(response.unexpected("data of another shape")),
            _ => Ok(Answer::Found(answer)),
        }
    }

    /// A request to a path of the service.
    fn request(&self, method: Method, path: &str, headers: &BTreeMap<String, String>, names: &Names<'_>) -> Request {
        let is_plain = self.sign_in.is_none_or(|sign_in| !sign_in.https);
        let address = if is_plain { self.address.clone() } else { self.address.encrypted() };
        let mut request = Request::new(method, address.join(&names.in_address(path), &[]));
        request.max_bytes = Some(MAX_BYTES);
        request = request.header("Accept", "application/json, text/plain;q=0.9, */*;q=0.1");
        for (name, value) in self.headers {
            request = request.secret_header(name, value);
        }
        for (name, value) in headers {
            request = request.header(name, names.plain(value));
        }
        request
    }

    /// The same request with the credentials.
    fn signed(&self, mut request: Request, names: &Names<'_>) -> Request {
        let Some(sign_in) = self.sign_in else { return request };
        for (name, value) in &sign_in.headers {
            request = request.header(name, names.plain(value));
        }
        for (name, value) in &sign_in.query {
            request = request.secret_query(name, &Secret::from(&*names.plain(value)));
        }
        request
    }

    /// The course of a rate, with its newest value.
    fn course(&self, account: &Account, figure: &Figure, value: Option<f64>, context: &dyn WidgetContext) -> Vec<f64> {
        let key = account.key(&format!("course of {}", figure.name));
        let known = context.recall(&key).and_then(|known| serde_json::from_value(known).ok());
        let mut course: Vec<f64> = known.unwrap_or_default();
        course.extend(value);
        course.drain(..course.len().saturating_sub(COURSE));
        context.remember(&key, json!(course), COURSE_LIFE);
        course
    }

    fn host(&self) -> String {
        self.address.host().to_owned()
    }

    fn unexpected(&self) -> FetchError {
        FetchError::Unexpected { host: self.host(), what: "data of another shape".to_owned() }
    }

    /// The error with the hint of the service.
    fn explained(&self, error: FetchError) -> FetchError {
        let hints = &self.service.hints;
        let hint = match &error {
            FetchError::Refused { .. } => &hints.refused,
            FetchError::UnknownAddress { .. } => &hints.unknown_address,
            FetchError::Unreachable { .. } | FetchError::TimedOut { .. } => &hints.unreachable,
            FetchError::Unexpected { .. } => &hints.shape,
            _ => &None,
        };
        let Some(hint) = hint else { return error };
        let sentence = format!("{error} {hint}");
        if error.is_rejection() { FetchError::login_refused(sentence) } else { FetchError::message(sentence) }
    }
}

/// How often the quickest of these figures changes.
pub(crate) fn pace(service: &Service, chosen: &[&Figure]) -> Interval {
    chosen.iter().map(|figure| service.interval_of(figure)).min().unwrap_or_default()
}

/// Whether a service of another version would fail like this.
fn is_of_another_version(error: &FetchError) -> bool {
    matches!(error, FetchError::UnknownAddress { .. } | FetchError::Unexpected { .. })
}

/// Whether further requests would fail in the same way.
fn is_fatal(error: &FetchError) -> bool {
    matches!(
        error,
        FetchError::TimedOut { .. }
            | FetchError::Unreachable { .. }
            | FetchError::Untrusted { .. }
            | FetchError::TooMany { .. }
            | FetchError::Forbidden
    ) || error.is_rejection()
}

fn method_of(verb: Verb) -> Method {
    match verb {
        Verb::Get => Method::Get,
        Verb::Post => Method::Post,
        Verb::Delete => Method::Delete,
    }
}

/// The request with a body, if it has one.
fn with_body(request: Request, json: Option<&Value>, form: &BTreeMap<String, String>, names: &Names<'_>) -> Request {
    if let Some(json) = json {
        return request.json(&names.in_json(json));
    }
    if form.is_empty() {
        return request;
    }
    let filled: Vec<(&str, String)> = form.iter().map(|(name, value)| (name.as_str(), names.plain(value))).collect();
    let fields: Vec<(&str, &str)> = filled.iter().map(|(name, value)| (*name, value.as_str())).collect();
    request.form(&fields)
}

/// Whether an expression holds in the body of a response: as JSON, or as text.
fn document(response: &Response) -> Value {
    response.any_json::<Value>().unwrap_or_else(|_| response.text().into_owned().into())
}

/// The text of an expression in a document.
fn text_in(expression: &Expression, document: &Value) -> Option<String> {
    match expression.value(document)? {
        Value::String(text) => Some(text).filter(|text| !text.is_empty()),
        Value::Bool(_) => None,
        value => Some(value.to_string()),
    }
}
