//! A list of titles with links, texts, dates and pictures.

use leptos::prelude::*;
use widgets::panel::{self, Datum, Phrase, Tone};

use super::{
    PanelContext,
    action::ActionControl,
    color::{DrawingColor, Swatch},
    copy::CopyButton,
    fold::{Fold, FoldButton, MoreAndLess},
    hint::{Hint, tab_index},
    image::Picture,
    markup::{classes, maybe_class},
    notice::Empty,
    phrase::ours,
    tone::{ToneSymbol, tone_class},
    value::{Linked, Value, Words, plain},
};
use crate::any_view::{AnyView, IntoAny};

/// The list.
#[component]
pub fn Entries<'a>(entries: &'a panel::Entries, context: &'a PanelContext) -> AnyView {
    if entries.entries.is_empty() {
        return view! { <Empty sentence="Nothing to show"/> }.into_any();
    }
    let fold = Fold::new(entries.folded_after, entries.entries.len());
    let row = |(position, entry): (usize, &'a panel::ListEntry)| {
        let highlight = if entry.highlighted { "highlighted" } else { "" };
        view! { <li {maybe_class(classes([fold.class(position), highlight]))}><Entry entry context/></li> }
    };
    view! {
        <div class="part part-entries">
            <ul data-fold=fold.attribute()>{entries.entries.iter().enumerate().map(row).collect_view()}</ul>
            <FoldButton fold/>
        </div>
    }
    .into_any()
}

#[component]
fn Entry<'a>(entry: &'a panel::ListEntry, context: &'a PanelContext) -> impl IntoView {
    // Author and date belong below the title; other values belong to the entry as a whole.
    let has_byline = entry.author.is_some() || entry.date.is_some();
    let pictures = entry.picture.iter().chain(&entry.opposite);
    let open = entry.url.as_ref().filter(|_| entry.goes_on).map(|url| {
        // Only for the pointer: keyboard and screen reader users have the title, which has the same link.
        view! {
            <a
                class="entry-open"
                href=context.href(url)
                target="_blank"
                rel="noopener noreferrer"
                tabindex="-1"
                aria-hidden="true"
            >
                {ours("Open")}
            </a>
        }
    });
    view! {
        {pictures.map(|picture| view! { <Picture picture class="entry-picture" context/> }).collect_view()}
        {entry.day.as_ref().map(|datum| view! { <p class="entry-day"><Value datum context/></p> })}
        <div class="entry-body">
            <EntryHead entry context/>
            {has_byline.then(|| view! { <EntryDetails entry context/> })}
            {entry.text.as_ref().map(|text| view! { <EntryText text opens=entry.opens context/> })}
            {open}
            {(!has_byline).then(|| view! { <EntryDetails entry context/> })}
        </div>
        {entry.action.as_ref().map(|button| view! { <ActionControl button context/> })}
    }
}

/// The title, with the state next to it if there is one.
#[component]
fn EntryHead<'a>(entry: &'a panel::ListEntry, context: &'a PanelContext) -> AnyView {
    let title = view! { <EntryTitle entry context/> };
    let hint = entry.hint.as_ref();
    match &entry.state {
        Some(state) => view! {
            <div class="entry-head">
                {title}
                <p
                    class=classes(["entry-state", tone_class(entry.tone)])
                    data-hinted=hint.is_some()
                    tabindex=tab_index(hint)
                >
                    <ToneSymbol tone=entry.tone/>
                    <Words phrase=state context/>
                    <Hint hint context/>
                </p>
            </div>
        }
        .into_any(),
        None => title.into_any(),
    }
}

#[component]
fn EntryTitle<'a>(entry: &'a panel::ListEntry, context: &'a PanelContext) -> impl IntoView {
    let has_dot = entry.tone != Tone::Plain && entry.state.is_none();
    let color = entry.color.as_ref().map(|color| DrawingColor::new(Some(color), Tone::Plain, 0));
    let title = view! { <Words phrase=&entry.title context/> };
    let content =
        if entry.copyable { view! { <span class="value">{title}</span> }.into_any() } else { title.into_any() };
    view! {
        <p class="entry-title">
            {has_dot.then(|| view! {
                <span class=classes(["dot", tone_class(entry.tone)])><ToneSymbol tone=entry.tone/></span>
            })}
            {color.map(|color| view! { <Swatch color/> })}
            <Linked url=entry.url.as_ref() context content/>
            {entry.copyable.then(|| view! { <CopyButton/> })}
            {entry.source.clone().map(|source| view! { " " <span class="entry-source">{source}</span> })}
        </p>
    }
}

/// The text; if it is long, only its first lines, with a switch for the rest if wanted.
#[component]
fn EntryText<'a>(text: &'a Phrase, opens: bool, context: &'a PanelContext) -> impl IntoView {
    let length = Length::of(&plain(text));
    let class = match length {
        Length::Short if opens => "entry-text whole",
        Length::Middle if opens => "entry-text middle",
        _ => "entry-text",
    };
    // The text precedes the switch, and screen readers always read all of it: the switch changes only what is visible.
    let rest = (opens && length != Length::Short)
        .then(|| view! { <details class="entry-rest"><summary><MoreAndLess/></summary></details> });
    view! {
        <p class=class><Words phrase=text context/></p>
        {rest}
    }
}

/// How much room a text needs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Length {
    /// Little more than its first lines, even in a narrow tile.
    Short,
    /// The same in a wide tile.
    Middle,
    Long,
}

impl Length {
    fn of(text: &str) -> Self {
        // A line of its own takes as much room as a few dozen letters.
        let letters = text.chars().count() + 30 * text.matches('\n').count();
        match letters {
            0..=150 => Self::Short,
            151..=300 => Self::Middle,
            _ => Self::Long,
        }
    }
}

#[component]
fn EntryDetails<'a>(entry: &'a panel::ListEntry, context: &'a PanelContext) -> impl IntoView {
    let date = entry.date.map(|at| Datum::time(at, entry.date_style));
    let author = entry.author.as_deref().map(|author| Phrase::from("by {author}").with("author", author).into());
    let data = date.iter().chain(&entry.values).chain(&author);
    let details = data.map(|datum| view! { <li><Value datum context/></li> }).collect_view();
    let step = |(position, step): (usize, &'a panel::Step)| {
        let color = step.color.as_ref().map(|color| DrawingColor::new(Some(color), Tone::Plain, 0));
        view! {
            {(position > 0).then(|| view! { <li aria-hidden="true">"›"</li> })}
            <li class="tag">{color.map(|color| view! { <Swatch color/> })}<Words phrase=&step.text context/></li>
        }
    };
    let steps = (!entry.steps.is_empty())
        .then(|| view! { <ul class="entry-tags">{entry.steps.iter().enumerate().map(step).collect_view()}</ul> });
    let tag = |phrase: &'a Phrase| match &entry.tag_action {
        Some(action) => view! {
            <li>
                <button class="tag" type="button" data-action=action.clone() data-target=plain(phrase)>
                    <Words phrase context/>
                </button>
            </li>
        }
        .into_any(),
        None => view! { <li class="tag"><Words phrase context/></li> }.into_any(),
    };
    let tags = (!entry.tags.is_empty())
        .then(|| view! { <ul class="entry-tags">{entry.tags.iter().map(tag).collect_view()}</ul> });
    let is_empty = details.is_empty() && steps.is_none() && tags.is_none();
    (!is_empty).then(|| view! { <div class="entry-foot"><ul class="entry-details">{details}</ul>{steps}{tags}</div> })
}
