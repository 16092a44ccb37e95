//! Every widget: options in, panel out. Nothing is here yet; the crate keeps its place in the workspace.
