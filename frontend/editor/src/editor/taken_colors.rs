//! Which colors of this browser became part of the draft.

/// Colors of a theme that became part of the draft.
#[derive(Clone, Debug)]
pub struct TakenColors {
    /// The theme.
    pub theme: String,
    /// The names of the colors.
    pub names: Vec<String>,
    /// Whether the draft still has them: the step can be undone.
    pub is_in_draft: bool,
}
