//! The state that handlers take: the whole product, or the part that they need.

use std::{sync::Arc, time::Instant};

use axum::extract::FromRef;

use super::app_state::AppState;
use crate::{access::AccessControl, icons::Icons, panels::Panels, settings::Settings, store::Store};

/// The state of all routes.
#[derive(Clone)]
pub struct RouterState(pub Arc<AppState>);

/// When the program started.
#[derive(Clone, Copy, Debug)]
pub struct Started(pub Instant);

impl FromRef<RouterState> for Arc<AppState> {
    fn from_ref(state: &RouterState) -> Self {
        Arc::clone(&state.0)
    }
}

impl FromRef<RouterState> for Arc<Settings> {
    fn from_ref(state: &RouterState) -> Self {
        Arc::clone(&state.0.settings)
    }
}

impl FromRef<RouterState> for Arc<AccessControl> {
    fn from_ref(state: &RouterState) -> Self {
        Arc::clone(&state.0.access_control)
    }
}

impl FromRef<RouterState> for Arc<Panels> {
    fn from_ref(state: &RouterState) -> Self {
        Arc::clone(&state.0.panels)
    }
}

impl FromRef<RouterState> for Arc<Store> {
    fn from_ref(state: &RouterState) -> Self {
        Arc::clone(&state.0.store)
    }
}

impl FromRef<RouterState> for Icons {
    fn from_ref(state: &RouterState) -> Self {
        state.0.icons.clone()
    }
}

impl FromRef<RouterState> for Started {
    fn from_ref(state: &RouterState) -> Self {
        Self(state.0.started)
    }
}
