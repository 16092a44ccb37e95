//! The ids of elements, and other values that several parts of a page need.

/// The name of an unnamed section for screen readers and in the title of a tab, in English.
pub const UNNAMED_SECTION: &str = "Unnamed section";
/// Id of the element whose children are [`Toolbar`].
pub const TOOLBAR_ELEMENT: &str = "toolbar";
/// Sections with more items show only this many until the viewer wants to see all.
pub const MAX_UNFOLDED: usize = 60;
/// Id of the element whose children are [`Overlay`].
pub const OVERLAY_ELEMENT: &str = "overlay";
/// Id of the message that the page's scripts have failed; hidden until then.
pub const FAILED_ELEMENT: &str = "scripts-failed";
/// Id of the message for a session that ended while the page was open; hidden until then.
pub const SESSION_ENDED_ELEMENT: &str = "session-ended";
