//! A view of any type, for the server. It is rendered at once, and holds only markup.
//!
//! The `AnyView` of Leptos, which the browser uses, keeps each view in a box, with functions for everything that a view can do:
//! streaming, waiting for data, building elements. They are compiled for every type of view, which took several megabytes of
//! the program. Pages are rendered in one go, so nothing but the markup is needed here.

use leptos::{
    attr::{Attribute, any_attribute::AnyAttribute},
    prelude::{AddAnyAttr, Render, RenderHtml},
    tachys::{
        hydration::Cursor,
        renderer::types::Placeholder,
        view::{Position, PositionState},
    },
};

/// A rendered view. Its markup is the same as that of the `AnyView` of Leptos.
#[derive(Debug)]
pub struct AnyView {
    markup: String,
    /// The kind of its last node, which matters to text that follows.
    end: Position,
}

/// Turns a view into an [`AnyView`].
pub trait IntoAny {
    /// Renders the view.
    fn into_any(self) -> AnyView;
}

impl<T: RenderHtml> IntoAny for T {
    fn into_any(self) -> AnyView {
        let mut markup = String::with_capacity(self.html_len());
        let mut end = Position::FirstChild;
        self.to_html_with_buf(&mut markup, &mut end, true, false, Vec::new());
        if !T::EXISTS {
            markup.push_str("<!--<() />-->");
        }
        AnyView { markup, end }
    }
}

impl RenderHtml for AnyView {
    type AsyncOutput = Self;
    type Owned = Self;

    const MIN_LENGTH: usize = 0;

    fn html_len(&self) -> usize {
        self.markup.len()
    }

    fn to_html_with_buf(
        self,
        buf: &mut String,
        position: &mut Position,
        _escape: bool,
        _mark_branches: bool,
        _extra_attrs: Vec<AnyAttribute>,
    ) {
        if self.markup.is_empty() {
            return;
        }
        // Two adjacent texts would be one node in the browser. Markup that does not begin with `<` begins with text.
        if *position == Position::NextChildAfterText && !self.markup.starts_with('<') {
            buf.push_str("<!>");
        }
        buf.push_str(&self.markup);
        *position = self.end;
    }

    fn dry_resolve(&mut self) {}

    async fn resolve(self) -> Self {
        self
    }

    fn hydrate<const FROM_SERVER: bool>(self, _cursor: &Cursor, _position: &PositionState) -> Placeholder {
        no_elements()
    }

    fn into_owned(self) -> Self {
        self
    }
}

impl AddAnyAttr for AnyView {
    type Output<NewAttr: Attribute> = Self;

    /// Does nothing, as for text: attributes are given to the elements of a component where it is declared.
    fn add_any_attr<NewAttr: Attribute>(self, _attr: NewAttr) -> Self {
        self
    }
}

impl Render for AnyView {
    type State = Placeholder;

    fn build(self) -> Placeholder {
        no_elements()
    }

    fn rebuild(self, _state: &mut Placeholder) {
        no_elements();
    }
}

fn no_elements() -> Placeholder {
    unreachable!("a server renders markup and builds no elements")
}
