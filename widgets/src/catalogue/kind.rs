//! The enum of all types of widgets.

use super::catalogue;

/// Generates the enum `Kind` from the list of widgets.
macro_rules! kind {
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
        }
    };
}

catalogue!(kind);
