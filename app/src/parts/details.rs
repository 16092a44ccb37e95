//! Parts that can be collapsed.

use leptos::{either::Either, prelude::*};
use widgets::panel;

use super::{
    PanelContext,
    fold::MoreAndLess,
    symbols::{self, Symbol},
    value::Words,
};
use crate::any_view::AnyView;

/// Parts that can be collapsed.
#[component]
pub fn Details<'a>(details: &'a panel::Details, parts: AnyView, context: &'a PanelContext) -> impl IntoView {
    let summary = &details.summary;
    let words = if summary.is_empty() {
        Either::Left(view! { <MoreAndLess rows=details.rows/> })
    } else {
        Either::Right(view! { <span><Words phrase=summary context/></span> })
    };
    view! {
        <details class="part part-details" open=details.open>
            <summary><Symbol shape=symbols::CHEVRON/>{words}</summary>
            <div class="details-parts">{parts}</div>
        </details>
    }
}

#[cfg(all(test, feature = "ssr"))]
mod tests {
    use super::*;
    use crate::{any_view::IntoAny, parts::markup::markup};

    #[test]
    fn the_rest_of_a_list_says_how_many_rows_it_has() {
        let summary = |details: panel::Details| {
            let context = &PanelContext::default();
            markup(view! { <Details details=&details parts=().into_any() context/> })
        };
        assert!(summary(panel::Details::rest(4, vec![])).contains("Show 4 more"));
        assert!(summary(panel::Details::default()).contains("Show more"));
        let named = panel::Details { summary: "Queue".into(), ..panel::Details::rest(4, vec![]) };
        assert!(!summary(named).contains("Show"));
    }
}
