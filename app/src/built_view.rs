//! A view of any type, for what the browser builds itself and never hydrates, such as the editor. It is built at once.
//!
//! The `AnyView` of Leptos also compiles how each type of view is hydrated, updated in place and streamed. That made the editor
//! a tenth larger. This one is replaced where that one is updated.

use leptos::{
    attr::{Attribute, any_attribute::AnyAttribute},
    children::ToChildren,
    prelude::{AddAnyAttr, Mountable, Render, RenderHtml},
    tachys::{
        hydration::Cursor,
        view::{Position, PositionState},
    },
};
use send_wrapper::SendWrapper;
use web_sys::{Element, Node};

/// A view that was built.
pub struct AnyView(Built);

/// The children of a component, which builds them once. The `Children` of Leptos turn them into its `AnyView`.
pub struct Children(Box<dyn FnOnce() -> AnyView>);

impl Children {
    /// Builds them.
    #[must_use]
    pub fn build(self) -> AnyView {
        (self.0)()
    }
}

impl<F, V> ToChildren<F> for Children
where
    F: FnOnce() -> V + 'static,
    V: Render,
    V::State: 'static,
{
    fn to_children(build: F) -> Self {
        Self(Box::new(move || build().into_any()))
    }
}

/// The elements and effects of a view that was built.
pub struct Built(SendWrapper<Box<dyn Mountable>>);

/// Turns a view into an [`AnyView`].
pub trait IntoAny {
    /// Builds the view.
    fn into_any(self) -> AnyView;
}

impl<T: Render> IntoAny for T
where
    T::State: 'static,
{
    fn into_any(self) -> AnyView {
        AnyView(Built(SendWrapper::new(Box::new(self.build()))))
    }
}

impl Mountable for Built {
    fn unmount(&mut self) {
        self.0.unmount();
    }

    fn mount(&mut self, parent: &Element, marker: Option<&Node>) {
        self.0.mount(parent, marker);
    }

    fn insert_before_this(&self, child: &mut dyn Mountable) -> bool {
        self.0.insert_before_this(child)
    }

    fn elements(&self) -> Vec<Element> {
        self.0.elements()
    }
}

impl Render for AnyView {
    type State = Built;

    fn build(self) -> Built {
        self.0
    }

    fn rebuild(self, state: &mut Built) {
        let mut new = self.0;
        state.insert_before_this(&mut new);
        state.unmount();
        *state = new;
    }
}

impl RenderHtml for AnyView {
    type AsyncOutput = Self;
    type Owned = Self;

    const MIN_LENGTH: usize = 0;

    fn to_html_with_buf(
        self,
        _buf: &mut String,
        _position: &mut Position,
        _escape: bool,
        _mark_branches: bool,
        _extra_attrs: Vec<AnyAttribute>,
    ) {
        only_in_the_browser();
    }

    fn dry_resolve(&mut self) {}

    async fn resolve(self) -> Self {
        self
    }

    fn hydrate<const FROM_SERVER: bool>(self, _cursor: &Cursor, _position: &PositionState) -> Built {
        only_in_the_browser()
    }

    fn into_owned(self) -> Self {
        self
    }
}

impl AddAnyAttr for AnyView {
    type Output<NewAttr: Attribute> = Self;

    /// Does nothing, as on the server.
    fn add_any_attr<NewAttr: Attribute>(self, _attr: NewAttr) -> Self {
        self
    }
}

fn only_in_the_browser() -> Built {
    unreachable!("this view is only built, not rendered to markup or hydrated")
}
