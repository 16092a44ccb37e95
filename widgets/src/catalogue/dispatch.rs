//! What each type of widget does, by its implementation of `Widget`.

use super::{
    Kind,
    api_response::{ApiResponse, ResponseContent},
    catalogue, check, options, read,
};
use crate::{Entry, FetchError, OptionProblems, Panel, Widget, WidgetContext};

/// Generates the methods of `Kind` that need the widgets themselves.
macro_rules! dispatch {
    ($(
        $name:literal $(| $alias:literal)* $(, of $first_service:literal $(and $service:literal)*)?
            $(, also $first_word:literal $(and $word:literal)*)? => $module:ident :: $widget:ident,
    )*) => {
        impl Kind {
            /// Other names of its options that existing files use, each with the name of the option.
            #[must_use]
            pub const fn synonyms(self) -> &'static [(&'static str, &'static str)] {
                match self {
                    $( Self::$widget => <super::$module::$widget as $crate::Widget>::SYNONYMS, )*
                }
            }

            /// What it is about.
            #[must_use]
            pub const fn category(self) -> $crate::Category {
                match self {
                    $( Self::$widget => <super::$module::$widget as $crate::Widget>::CATEGORY, )*
                }
            }

            /// About how many lines its content has; see [`Widget::USUAL_LINES`].
            #[must_use]
            pub const fn usual_lines(self) -> usize {
                match self {
                    $( Self::$widget => <super::$module::$widget as $crate::Widget>::USUAL_LINES, )*
                }
            }

            /// Which side sends the requests, unless the entry says otherwise.
            #[must_use]
            pub const fn reach(self) -> $crate::Reach {
                match self {
                    $( Self::$widget => <super::$module::$widget as $crate::Widget>::REACH, )*
                }
            }

            /// Fetches the data and returns the panel. Environment variables in the options must already be resolved.
            ///
            /// # Errors
            ///
            /// The error that is shown instead of the panel.
            pub async fn fetch(
                self,
                entry: &$crate::Entry,
                context: &dyn $crate::WidgetContext,
            ) -> Result<$crate::Panel, $crate::FetchError> {
                match self {
                    // Boxed, so that the future is not as large as that of the largest widget.
                    $(
                        Self::$widget => Box::pin(fetch::<super::$module::$widget>(self, entry, context)).await,
                    )*
                }
            }

            /// Carries out the action of a button. The caller has checked the viewer's rights, and that this is the
            /// server.
            ///
            /// # Errors
            ///
            /// The error that the viewer sees.
            pub async fn act(
                self,
                entry: &$crate::Entry,
                action: &$crate::Action,
                context: &dyn $crate::WidgetContext,
            ) -> Result<$crate::ActionOutcome, $crate::FetchError> {
                match self {
                    $( Self::$widget => Box::pin(act::<super::$module::$widget>(self, entry, action, context)).await, )*
                }
            }

            /// The option that stores what people change with buttons of the panel, if there is one.
            #[must_use]
            pub const fn writable_option(self) -> Option<&'static str> {
                match self {
                    $( Self::$widget => <super::$module::$widget as $crate::Widget>::WRITABLE_OPTION, )*
                }
            }

            /// The new value of that option after a button was pressed; `written` is its value in the file.
            ///
            /// # Errors
            ///
            /// The error for the user who pressed it.
            pub fn rewrite(self, action: &$crate::Action, written: &str) -> Result<String, $crate::FetchError> {
                match self {
                    $( Self::$widget => <super::$module::$widget as $crate::Widget>::rewrite(action, written), )*
                }
            }

            /// Whether a line of the response to [`crate::FetchPlan::follow`] means that the panel is outdated.
            #[must_use]
            pub fn is_news(self, line: &str) -> bool {
                match self {
                    $( Self::$widget => <super::$module::$widget as $crate::Widget>::is_news(line), )*
                }
            }

            /// The plan for an entry of this type: where it is fetched, how often, and what is wrong with it.
            /// `as_written` is the entry as in the file; `resolved` is the same with environment variables resolved.
            #[must_use]
            pub fn plan(self, as_written: &$crate::Entry, resolved: &$crate::Entry) -> $crate::FetchPlan {
                match self {
                    $( Self::$widget => $crate::FetchPlan::make::<super::$module::$widget>(self, as_written, resolved), )*
                }
            }

            /// The refresh interval if neither the entry nor an option sets one.
            #[must_use]
            pub fn refresh(self) -> Option<std::time::Duration> {
                match self {
                    $( Self::$widget => $crate::Widget::refresh(&super::$module::$widget::default()), )*
                }
            }

            /// The JSON schema of the options.
            #[must_use]
            pub fn schema(self) -> schemars::Schema {
                options::published(self.declared_schema())
            }

            /// The schema of the options as the widget declares them.
            pub(super) fn declared_schema(self) -> schemars::Schema {
                match self {
                    $( Self::$widget => options::declared::<super::$module::$widget>(), )*
                }
            }

            /// The options as read by the widget, for tests.
            #[cfg(test)]
            pub(super) fn read_options(self, entry: &$crate::Entry) -> Result<(String, serde_json::Value), String> {
                match self {
                    $( Self::$widget => read::<super::$module::$widget>(self, entry, &mut $crate::OptionProblems::default())
                        .map(|widget| (format!("{widget:?}"), serde_json::json!(widget))), )*
                }
            }
        }

        /// One test for each type: `cargo test -p widgets clock`.
        #[cfg(test)]
        mod cases {
            $(
                #[test]
                fn $module() {
                    crate::catalogue::tests::replay(crate::Kind::$widget);
                }
            )*
        }
    };
}

catalogue!(dispatch);

/// What the service of an `api-response` responds, for someone who chooses values of it. Environment variables in the options
/// must already be resolved.
///
/// # Errors
///
/// The error that is shown instead.
pub async fn response_content(entry: &Entry, context: &dyn WidgetContext) -> Result<ResponseContent, FetchError> {
    checked::<ApiResponse>(Kind::ApiResponse, entry)?.content(context).await
}

/// Reads and checks the options, then fetches.
async fn fetch<W: Widget>(kind: Kind, entry: &Entry, context: &dyn WidgetContext) -> Result<Panel, FetchError> {
    checked::<W>(kind, entry)?.fetch(context).await
}

/// Reads and checks the options, then acts.
async fn act<W: Widget>(
    kind: Kind,
    entry: &Entry,
    action: &crate::Action,
    context: &dyn WidgetContext,
) -> Result<crate::ActionOutcome, FetchError> {
    checked::<W>(kind, entry)?.act(action, context).await
}

fn checked<W: Widget>(kind: Kind, entry: &Entry) -> Result<W, FetchError> {
    let mut problems = OptionProblems::default();
    let widget: W =
        read(kind, entry, &mut problems).map_err(|problem| FetchError::Config { problems: vec![problem] })?;
    check(kind, &widget, entry, &mut problems);
    let problems = problems.errors();
    if problems.is_empty() { Ok(widget) } else { Err(FetchError::Config { problems }) }
}
