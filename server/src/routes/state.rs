//! The state that handlers take: the whole product, or the part that they need.

use std::{sync::Arc, time::Instant};

use axum::extract::FromRef;

use super::portico::Portico;
use crate::{access::AccessControl, icons::Icons, panels::Panels, settings::Settings, store::Store};

/// The state of all routes.
#[derive(Clone)]
pub struct AppState(pub Arc<Portico>);

/// When the program started.
#[derive(Clone, Copy, Debug)]
pub struct Started(pub Instant);

impl FromRef<AppState> for Arc<Portico> {
    fn from_ref(state: &AppState) -> Self {
        Arc::clone(&state.0)
    }
}

impl FromRef<AppState> for Arc<Settings> {
    fn from_ref(state: &AppState) -> Self {
        Arc::clone(&state.0.settings)
    }
}

impl FromRef<AppState> for Arc<AccessControl> {
    fn from_ref(state: &AppState) -> Self {
        Arc::clone(&state.0.access_control)
    }
}

impl FromRef<AppState> for Arc<Panels> {
    fn from_ref(state: &AppState) -> Self {
        Arc::clone(&state.0.panels)
    }
}

impl FromRef<AppState> for Arc<Store> {
    fn from_ref(state: &AppState) -> Self {
        Arc::clone(&state.0.store)
    }
}

impl FromRef<AppState> for Icons {
    fn from_ref(state: &AppState) -> Self {
        state.0.icons.clone()
    }
}

impl FromRef<AppState> for Started {
    fn from_ref(state: &AppState) -> Self {
        Self(state.0.started)
    }
}
