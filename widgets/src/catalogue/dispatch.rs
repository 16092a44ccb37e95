//! The macro that turns the list of widgets into the enum `Kind`.

use serde_json::{Map, Value, json};

use super::Kind;
use crate::{
    Entry, FetchError, OptionProblems, Panel, Widget, WidgetContext,
    deserialize::{self, ShapeError},
};

/// Generates the enum `Kind` from the list of widgets.
macro_rules! catalogue {
    ($(
        $name:literal $(| $alias:literal)* $(, of $first_service:literal $(and $service:literal)*)?
            $(, also $first_word:literal $(and $word:literal)*)? => $module:ident :: $widget:ident,
    )*) => {
        /// A type of widget.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Kind {
            $(
                #[doc = concat!("`", $name, "`")]
                $widget,
            )*
        }

        impl Kind {
            /// All types, in the order of the list.
            pub const ALL: &'static [Self] = &[$( Self::$widget, )*];

            /// Our name, as in `widget-{name}`.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $( Self::$widget => $name, )*
                }
            }

            /// The names that existing files use.
            #[must_use]
            pub const fn aliases(self) -> &'static [&'static str] {
                match self {
                    $( Self::$widget => &[$($alias),*], )*
                }
            }

            /// The services that it queries, by the names people know. Empty for a type without a particular service.
            #[must_use]
            pub const fn services(self) -> &'static [&'static str] {
                match self {
                    $( Self::$widget => &[$($first_service, $($service),*)?], )*
                }
            }

            /// Other words under which people look for it.
            #[must_use]
            pub const fn keywords(self) -> &'static [&'static str] {
                match self {
                    $( Self::$widget => &[$($first_word, $($word),*)?], )*
                }
            }

            /// Other names of its options that existing files use, each with the name of the option.
            #[must_use]
            pub const fn synonyms(self) -> &'static [(&'static str, &'static str)] {
                match self {
                    $( Self::$widget => <$module::$widget as $crate::Widget>::SYNONYMS, )*
                }
            }

            /// What it is about.
            #[must_use]
            pub const fn category(self) -> $crate::Category {
                match self {
                    $( Self::$widget => <$module::$widget as $crate::Widget>::CATEGORY, )*
                }
            }

            /// About how many lines its content has; see [`Widget::USUAL_LINES`].
            #[must_use]
            pub const fn usual_lines(self) -> usize {
                match self {
                    $( Self::$widget => <$module::$widget as $crate::Widget>::USUAL_LINES, )*
                }
            }

            /// Which side sends the requests, unless the entry says otherwise.
            #[must_use]
            pub const fn reach(self) -> $crate::Reach {
                match self {
                    $( Self::$widget => <$module::$widget as $crate::Widget>::REACH, )*
                }
            }

            /// The type with this name, ignoring case and surrounding white space.
            #[must_use]
            pub fn parse(written: &str) -> Option<Self> {
                let written = written.trim();
                let has_name = |kind: &&Self| kind.names().any(|name| name.eq_ignore_ascii_case(written));
                Self::ALL.iter().find(has_name).copied()
            }

            /// All names, ours first.
            pub fn names(self) -> impl Iterator<Item = &'static str> {
                std::iter::once(self.name()).chain(self.aliases().iter().copied())
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
                        Self::$widget => Box::pin(dispatch::fetch::<$module::$widget>(self, entry, context)).await,
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
                    $( Self::$widget => Box::pin(dispatch::act::<$module::$widget>(self, entry, action, context)).await, )*
                }
            }

            /// The option that stores what people change with buttons of the panel, if there is one.
            #[must_use]
            pub const fn writable_option(self) -> Option<&'static str> {
                match self {
                    $( Self::$widget => <$module::$widget as $crate::Widget>::WRITABLE_OPTION, )*
                }
            }

            /// The new value of that option after a button was pressed; `written` is its value in the file.
            ///
            /// # Errors
            ///
            /// The error for the user who pressed it.
            pub fn rewrite(self, action: &$crate::Action, written: &str) -> Result<String, $crate::FetchError> {
                match self {
                    $( Self::$widget => <$module::$widget as $crate::Widget>::rewrite(action, written), )*
                }
            }

            /// Whether a line of the response to [`crate::FetchPlan::follow`] means that the panel is outdated.
            #[must_use]
            pub fn is_news(self, line: &str) -> bool {
                match self {
                    $( Self::$widget => <$module::$widget as $crate::Widget>::is_news(line), )*
                }
            }

            /// The plan for an entry of this type: where it is fetched, how often, and what is wrong with it.
            /// `as_written` is the entry as in the file; `resolved` is the same with environment variables resolved.
            #[must_use]
            pub fn plan(self, as_written: &$crate::Entry, resolved: &$crate::Entry) -> $crate::FetchPlan {
                match self {
                    $( Self::$widget => $crate::FetchPlan::make::<$module::$widget>(self, as_written, resolved), )*
                }
            }

            /// The refresh interval if neither the entry nor an option sets one.
            #[must_use]
            pub fn refresh(self) -> Option<std::time::Duration> {
                match self {
                    $( Self::$widget => $crate::Widget::refresh(&$module::$widget::default()), )*
                }
            }

            /// The JSON schema of the options.
            #[must_use]
            pub fn schema(self) -> schemars::Schema {
                options::published(self.declared_schema())
            }

            /// The schema of the options as the widget declares them.
            fn declared_schema(self) -> schemars::Schema {
                match self {
                    $( Self::$widget => options::declared::<$module::$widget>(), )*
                }
            }

            /// The options as read by the widget, for tests.
            #[cfg(test)]
            fn read_options(self, entry: &$crate::Entry) -> Result<(String, serde_json::Value), String> {
                match self {
                    $( Self::$widget => dispatch::read::<$module::$widget>(self, entry, &mut $crate::OptionProblems::default())
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
                    super::tests::replay(super::Kind::$widget);
                }
            )*
        }
    };
}

pub(super) use catalogue;

/// The options of an entry as a widget. Blank texts count as not set, like null, because forms leave them behind. If an
/// option is given under several names, the first counts, and the others are noted.
///
/// # Errors
///
/// A sentence with the name of the option that cannot be read.
pub(crate) fn read<W: Widget>(kind: Kind, entry: &Entry, problems: &mut OptionProblems) -> Result<W, String> {
    let options = WrittenOptions::of(entry, W::SYNONYMS, problems);
    // Everything but these two lines is compiled once for all widgets.
    deserialize::from_value(&Value::Object(options.known.clone()))
        .map_err(|error| options.problem(kind, &error, &|alone| deserialize::from_value::<W>(&alone).is_err()))
}

/// The options of an entry under the names that its widget knows.
struct WrittenOptions {
    known: Map<String, Value>,
    /// The renamed ones, as written and as known.
    renamed: Vec<(&'static str, &'static str)>,
}

impl WrittenOptions {
    fn of(entry: &Entry, synonyms: &[(&'static str, &'static str)], problems: &mut OptionProblems) -> Self {
        let is_written = |value: &Value| value.as_str().is_none_or(|text| !text.trim().is_empty());
        let written = entry.options.iter().filter(|(_, value)| is_written(value));
        let mut known: Map<String, Value> = written.map(|(name, value)| (name.clone(), value.clone())).collect();
        let renamed = rename_synonyms(synonyms, &mut known, problems);
        Self { known, renamed }
    }

    /// What is wrong with them, as a sentence. `fails` says whether options cannot be read.
    fn problem(&self, kind: Kind, error: &ShapeError, fails: &dyn Fn(Value) -> bool) -> String {
        let path = error.path.to_string();
        let reason = &error.reason;
        // The error does not say which option of a flattened struct it is about, so try each option alone.
        let is_wrong = |name: &&String| fails(json!({ name.as_str(): self.known[name.as_str()] }));
        let culprit = match path.as_str() {
            "" => self.known.keys().find(is_wrong),
            _ => Some(&path),
        };
        let as_written = |name: &str| {
            self.renamed.iter().find(|(_, meant)| *meant == name).map_or(name, |(written, _)| written).to_owned()
        };
        // Messages of our own types continue a sentence; others are complete.
        match (culprit, reason.starts_with("must ")) {
            (None, _) => format!("The options cannot be read: {reason}."),
            (Some(name), true) => {
                let example = kind.example(name).map(|example| format!(", for example {example}")).unwrap_or_default();
                format!("{} {reason}{example}.", as_written(name))
            }
            (Some(name), false) => format!("{} cannot be read: {reason}.", as_written(name)),
        }
    }
}

/// Renames options to the names that the widget knows, and returns the renamed ones, as written and as known.
fn rename_synonyms(
    synonyms: &[(&'static str, &'static str)],
    options: &mut Map<String, Value>,
    problems: &mut OptionProblems,
) -> Vec<(&'static str, &'static str)> {
    let mut renamed: Vec<(&str, &str)> = Vec::new();
    for (synonym, name) in synonyms.iter().copied() {
        let Some(value) = options.remove(synonym) else { continue };
        if options.contains_key(name) {
            let counts = renamed.iter().find(|(_, known)| *known == name).map_or(name, |(written, _)| written);
            problems.note(format!("{synonym} means the same as {counts}, which is also set and takes precedence."));
        } else {
            options.insert(name.to_owned(), value);
            renamed.push((synonym, name));
        }
    }
    renamed
}

/// Reports what is wrong with the options of a widget, with an example for each that is missing.
pub(crate) fn check<W: Widget>(kind: Kind, widget: &W, entry: &Entry, problems: &mut OptionProblems) {
    widget.check(entry, problems);
    problems.add_examples(|option| kind.example_in_sentence(option));
}

/// Reads and checks the options, then fetches.
pub(super) async fn fetch<W: Widget>(
    kind: Kind,
    entry: &Entry,
    context: &dyn WidgetContext,
) -> Result<Panel, FetchError> {
    checked::<W>(kind, entry)?.fetch(context).await
}

/// Reads and checks the options, then acts.
pub(super) async fn act<W: Widget>(
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
