//! Every widget: options in, panel out.
//!
//! Nothing here does I/O. A widget's options are read from its [`Entry`], its requests go through [`WidgetContext`], and the
//! result is a [`Panel`], a small tree that the page renders. [`Kind`] is the list of all widgets.

#![cfg_attr(test, allow(clippy::unwrap_used))]

mod action;
mod address;
#[cfg(feature = "server")]
mod case;
#[cfg(feature = "server")]
mod catalogue;
mod category;
mod context;
#[cfg(feature = "server")]
mod deserialize;
mod entry;
#[cfg(feature = "server")]
mod framing;
#[cfg(feature = "server")]
mod language_tag;
mod moment;
mod option_problems;
pub mod option_types;
pub mod panel;
#[cfg(feature = "server")]
mod placeholder;
#[cfg(feature = "server")]
mod plan;
#[cfg(feature = "server")]
mod services;
mod widget;

pub use action::Action;
pub use category::Category;
pub use context::{Body, FetchError, Method, PendingValue, Request, Response, Side, ViewerHints, WidgetContext};
pub use entry::{Entry, Update};
pub use moment::Moment;
pub use option_problems::{OptionProblem, OptionProblems, OptionSeverity};
pub use panel::Panel;
pub use widget::{ActionOutcome, Audience, Reach, USUAL_LINES, Widget};

#[cfg(feature = "server")]
pub use {
    address::{AddressKeys, may_be_secret},
    case::{Case, CaseError},
    catalogue::{
        Kind, Manual, OptionManual, ResponseContent, ServiceFile, ValueNode, figure_labels, has_figures,
        response_content, title_of,
    },
    context::{Exchange, Recorded},
    framing::{Framing, FramingRule},
    placeholder::{is_variable, names_variable, resolve},
    plan::{FetchPlan, RunSide},
};
