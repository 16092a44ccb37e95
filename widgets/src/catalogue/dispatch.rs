//! From the list of widgets to the enum `Kind` and its methods.

use serde_json::{Map, Value, json};

use crate::{Entry, FetchError, Outside, Panel, Problems, Widget};

/// Makes the enum `Kind` of the list of widgets. An attribute before a line decides whether the widget is compiled, and
/// its names with it: a widget that only the server looks up adds nothing to what browsers load.
macro_rules! catalogue {
    ($( $(#[$compiled:meta])* $name:literal $(| $alias:literal)* => $module:ident :: $widget:ident, )*) => {
        /// A type of widget.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Kind {
            $(
                #[doc = concat!("`", $name, "`")]
                $widget,
            )*
        }

        impl Kind {
            /// All types that are compiled, in the order of the list.
            pub const ALL: &'static [Self] = &[$( $(#[$compiled])* Self::$widget, )*];

            /// Our name, as in `widget-{name}`.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $( $(#[$compiled])* Self::$widget => $name, )*
                    #[allow(unreachable_patterns, reason = "on the server all widgets are compiled")]
                    _ => "",
                }
            }

            /// The names that existing files use.
            #[must_use]
            pub const fn aliases(self) -> &'static [&'static str] {
                match self {
                    $( $(#[$compiled])* Self::$widget => &[$($alias),*], )*
                    #[allow(unreachable_patterns, reason = "on the server all widgets are compiled")]
                    _ => &[],
                }
            }

            /// The type by one of its names, in any case, with white space around it.
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

            /// Looks, and says what to show. The options must have their environment variables filled in.
            ///
            /// # Errors
            ///
            /// What a viewer is told in place of the panel.
            pub async fn fetch<O: $crate::Outside>(
                self,
                entry: &$crate::Entry,
                outside: &O,
            ) -> Result<$crate::Panel, $crate::FetchError> {
                match self {
                    // In boxes, so that the future is not as large as that of the largest widget.
                    $(
                        $(#[$compiled])*
                        Self::$widget => Box::pin(dispatch::fetch::<$module::$widget, O>(entry, outside)).await,
                    )*
                    #[allow(unreachable_patterns, reason = "on the server all widgets are compiled")]
                    _ => Err($crate::FetchError::NeedsServer),
                }
            }

            /// Does what a button of the panel promises. The caller has checked who asks, and that it is the server.
            ///
            /// # Errors
            ///
            /// What a viewer is told.
            #[cfg(feature = "server")]
            pub async fn act<O: $crate::Outside>(
                self,
                entry: &$crate::Entry,
                action: &$crate::Action,
                outside: &O,
            ) -> Result<(), $crate::FetchError> {
                match self {
                    $( Self::$widget => Box::pin(dispatch::act::<$module::$widget, O>(entry, action, outside)).await, )*
                }
            }

            /// What is to be done for an entry of this type: who looks, how often, what is wrong with it. `as_written`
            /// is the entry as it stands in the file; `resolved` is the same with environment variables filled in.
            #[cfg(feature = "server")]
            #[must_use]
            pub fn plan(self, as_written: &$crate::Entry, resolved: &$crate::Entry) -> $crate::Plan {
                match self {
                    $( Self::$widget => $crate::Plan::make::<$module::$widget>(self, as_written, resolved), )*
                }
            }

            /// Who asks the service, unless the entry says otherwise.
            #[cfg(feature = "server")]
            #[must_use]
            pub const fn reach(self) -> $crate::Reach {
                match self {
                    $( Self::$widget => <$module::$widget as $crate::Widget>::REACH, )*
                }
            }

            /// How often it looks again when neither the entry nor an option says.
            #[cfg(feature = "server")]
            #[must_use]
            pub fn refresh(self) -> Option<std::time::Duration> {
                match self {
                    $( Self::$widget => $crate::Widget::refresh(&$module::$widget::default()), )*
                }
            }

            /// The JSON schema of the options.
            #[cfg(feature = "server")]
            #[must_use]
            pub fn schema(self) -> schemars::Schema {
                match self {
                    $( Self::$widget => options::schema::<$module::$widget>(), )*
                }
            }

            /// The options as the widget has read them, for tests.
            #[cfg(all(test, feature = "server"))]
            fn read_options(self, entry: &$crate::Entry) -> Result<(String, serde_json::Value), String> {
                match self {
                    $( Self::$widget => dispatch::read::<$module::$widget>(entry)
                        .map(|widget| (format!("{widget:?}"), serde_json::json!(widget))), )*
                }
            }
        }

        /// One test for each type: `cargo test -p widgets clock`.
        #[cfg(all(test, feature = "server"))]
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

/// The options of an entry as a widget. Blank texts count as not written, as null does: a form leaves them behind.
///
/// # Errors
///
/// A sentence that names the option that cannot be read.
pub(crate) fn read<W: Widget>(entry: &Entry) -> Result<W, String> {
    let is_written = |value: &Value| value.as_str().is_none_or(|text| !text.trim().is_empty());
    let written = entry.options.iter().filter(|(_, value)| is_written(value));
    let options: Map<String, Value> = written.map(|(name, value)| (name.clone(), value.clone())).collect();
    serde_path_to_error::deserialize(Value::Object(options.clone())).map_err(|error| {
        let path = error.path().to_string();
        let reason = error.into_inner().to_string();
        // The path to an option of a shared shape is lost, so each option is tried alone. In a browser the options have
        // been read before, by the server.
        let is_wrong = |name: &&String| W::deserialize(json!({ name.as_str(): options[name.as_str()] })).is_err();
        let culprit = match path.as_str() {
            "." | "?" if cfg!(feature = "server") => options.keys().find(is_wrong),
            "." | "?" => None,
            _ => Some(&path),
        };
        // Messages of our own shapes continue a sentence; others stand for themselves.
        match (culprit, reason.starts_with("must ")) {
            (None, _) => format!("The options cannot be read: {reason}."),
            (Some(name), true) => format!("{name} {reason}."),
            (Some(name), false) => format!("{name} cannot be read: {reason}."),
        }
    })
}

/// Reads and checks the options, then looks.
pub(super) async fn fetch<W: Widget, O: Outside>(entry: &Entry, outside: &O) -> Result<Panel, FetchError> {
    checked::<W>(entry)?.fetch(outside).await
}

/// Reads and checks the options, then acts.
#[cfg(feature = "server")]
pub(super) async fn act<W: Widget, O: Outside>(
    entry: &Entry,
    action: &crate::Action,
    outside: &O,
) -> Result<(), FetchError> {
    checked::<W>(entry)?.act(action, outside).await
}

fn checked<W: Widget>(entry: &Entry) -> Result<W, FetchError> {
    let widget: W = read(entry).map_err(|problem| FetchError::Config { problems: vec![problem] })?;
    let mut problems = Problems::default();
    widget.check(entry, &mut problems);
    let problems = problems.errors();
    if problems.is_empty() { Ok(widget) } else { Err(FetchError::Config { problems }) }
}
