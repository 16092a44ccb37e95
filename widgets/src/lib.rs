//! Every widget: options in, panel out.
//!
//! Nothing here does I/O. A widget's options are read from its [`Entry`], its requests go through [`Outside`], and the
//! result is a [`Panel`], a small tree that the page renders. [`Kind`] is the list of all widgets.

#![cfg_attr(test, allow(clippy::unwrap_used))]

mod address;
#[cfg(feature = "server")]
mod case;
#[cfg(feature = "server")]
mod catalogue;
#[cfg(feature = "server")]
mod deserialize;
mod entry;
#[cfg(feature = "server")]
mod framing;
#[cfg(feature = "server")]
mod language_tag;
mod moment;
pub mod option_types;
mod outside;
pub mod panel;
#[cfg(feature = "server")]
mod placeholder;
#[cfg(feature = "server")]
mod plan;
#[cfg(feature = "server")]
mod services;
mod widget;

pub use entry::{Entry, Update};
pub use moment::Moment;
pub use outside::{Body, FetchError, Method, Outside, PendingValue, Request, Response, Side, ViewerHints};
pub use panel::Panel;
pub use widget::{Action, ActionOutcome, Audience, OptionProblem, OptionProblems, OptionSeverity, Reach, Widget};

#[cfg(feature = "server")]
pub use {
    address::{AddressKeys, may_be_secret},
    case::{Case, CaseError},
    catalogue::{Category, Kind, Manual, OptionManual, nearest},
    framing::{Framing, FramingRule},
    outside::{Exchange, Recorded},
    placeholder::{is_variable, names_variable, resolve},
    plan::{Place, Plan},
};
