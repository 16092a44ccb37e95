//! A recorded case of one widget: its options, the time, and the responses of the services. The tests replay all cases,
//! and the demo shows some. The format is described in docs/widget-cases.md.

use std::io;

use serde::Deserialize;
use serde_json::{Map, Value};
use thiserror::Error;

use crate::{Action, Entry, Exchange, Moment, OptionProblems, Recorded, Side, ViewerHints};

/// One recorded case, as written in its file.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
pub struct Case {
    /// The options of the widget.
    pub options: Value,
    /// The other fields of the entry, such as `useProxy`.
    pub entry: Map<String, Value>,
    /// The time, in RFC 3339.
    pub now: String,
    /// The viewer's language.
    pub locale: Option<String>,
    /// The viewer's time zone.
    pub time_zone: Option<String>,
    /// Where the widget runs.
    pub side: Side,
    /// The recorded exchanges with the services.
    pub exchanges: Vec<Exchange>,
    /// A button that is pressed, instead of a refresh.
    pub action: Option<Action>,
}

/// Why a case cannot be replayed.
#[derive(Debug, Error)]
pub enum CaseError {
    /// The time is not valid RFC 3339.
    #[error("`now` is not an RFC 3339 time: `{0}`")]
    Now(String),
    /// A file with a body cannot be read.
    #[error("body file `{name}` cannot be read")]
    BodyFile {
        /// The file name as written.
        name: String,
        /// The reason.
        #[source]
        source: io::Error,
    },
}

impl Case {
    /// The entry of the widget, and what is wrong with its shared fields.
    #[must_use]
    pub fn entry(&self) -> (Entry, OptionProblems) {
        let mut written = self.entry.clone();
        written.insert("options".to_owned(), self.options.clone());
        let mut problems = OptionProblems::default();
        (Entry::read(&Value::Object(written), false, &mut problems), problems)
    }

    /// The `WidgetContext` that replays the case. `load` reads the files with bodies.
    ///
    /// # Errors
    ///
    /// The time is invalid, or a file cannot be read.
    pub fn recorded(&self, load: impl Fn(&str) -> io::Result<Vec<u8>>) -> Result<Recorded, CaseError> {
        let mut exchanges = self.exchanges.clone();
        for response in exchanges.iter_mut().map(|exchange| &mut exchange.response) {
            if let Some(name) = &response.body_file {
                response.bytes = load(name).map_err(|source| CaseError::BodyFile { name: name.clone(), source })?;
            }
        }
        let now = if self.now.is_empty() { Some(Moment::default()) } else { Moment::parse(&self.now) };
        let now = now.ok_or_else(|| CaseError::Now(self.now.clone()))?;
        let mut recorded = Recorded::new(exchanges, now);
        recorded.side = self.side;
        recorded.viewer = ViewerHints { locale: self.locale.clone(), time_zone: self.time_zone.clone() };
        Ok(recorded)
    }
}
