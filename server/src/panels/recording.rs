//! Recorded responses in place of services, for the demo.

use std::{io, sync::Arc};

use widgets::{Case, CaseError, Moment, Recorded};

/// A case that replaces services. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Recording {
    case: Arc<Case>,
    load: fn(&str, &str) -> io::Result<Vec<u8>>,
    folder: Arc<str>,
}

impl Recording {
    /// A recording of a case. `load` reads a body file from the case folder.
    ///
    /// # Errors
    ///
    /// The case cannot be replayed.
    pub fn new(case: Case, folder: &str, load: fn(&str, &str) -> io::Result<Vec<u8>>) -> Result<Self, CaseError> {
        let recording = Self { case: Arc::new(case), load, folder: folder.into() };
        recording.context()?;
        Ok(recording)
    }

    fn context(&self) -> Result<Recorded, CaseError> {
        self.case.recorded(|name| (self.load)(&self.folder, name))
    }

    /// The services in their initial state.
    pub fn replay(&self) -> Recorded {
        // It could be replayed when it was created, and nothing has changed since.
        self.context().unwrap_or_else(|_| Recorded::new(Vec::new(), Moment::default()))
    }
}
