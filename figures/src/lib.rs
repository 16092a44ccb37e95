//! Live figures of services, such as how many downloads are running: which there are, how to ask for them, and how to find
//! them in the answers. Each service is one data file in `services/`; docs/figures.md describes the format.
//!
//! Nothing here does I/O: the crate `widgets` sends the requests.

#![cfg_attr(test, allow(clippy::unwrap_used))]

mod catalogue;
mod expression;
mod service;
mod template;

pub use catalogue::{find, nearest_names, own_names, set_shared};
pub use expression::{Expression, ExpressionError};
pub use service::{
    Figure, FigureUnit, Hints, Interval, Login, LoginCall, Logout, MAX_LABEL, OneOrMany, Request, Service,
    ServiceError, ServiceOption, SignIn, Verb,
};
pub use template::fill;
