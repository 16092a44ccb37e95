//! `notes`: the user's own text in Markdown, with tasks that admins can tick.

use std::ops::Range;

use pulldown_cmark::{Event, Parser};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Action, Category, Entry, FetchError, OptionProblems, Panel, Reach, Widget, WidgetContext, option_types::Text,
    panel::RichText,
};

/// The actions of an open task, and of a completed one.
const ACTIONS: [&str; 2] = ["tick", "untick"];
const CHANGED: &str = "The note has changed since it was shown. This is how it is now.";

/// Shows notes written in Markdown: headings, lists, links, code, and to-do lists, whose tasks have a box (`- [ ] Buy
/// milk`).
///
/// Viewers who may change the config on the page can tick the boxes. This changes the note in the config file, with a
/// backup as for every other change. Other viewers only see what is done. HTML in a note is shown as text. Everybody
/// who sees the widget can read its note.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Notes {
    /// The note, in Markdown of up to 16 KB, such as {example}.
    #[schemars(extend("x-required" = true, "x-example" = "- [ ] Water the plants"))]
    content: Text,
}

impl Widget for Notes {
    const REACH: Reach = Reach::Local;
    const CATEGORY: Category = Category::TextAndLinks;
    const USUAL_LINES: usize = 6;
    const SYNONYMS: &'static [(&'static str, &'static str)] = &[("text", "content"), ("markdown", "content")];
    const WRITABLE_OPTION: Option<&'static str> = Some("content");

    fn check(&self, _entry: &Entry, problems: &mut OptionProblems) {
        problems.require_option(self.content.is_set(), "content", "the text of the note");
        if self.content.len() > RichText::MAX_MARKDOWN {
            problems.note("content is longer than 16 KB; what comes behind is not shown.");
        }
    }

    async fn fetch(&self, _context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        let version = version(&self.content);
        let note = RichText::note(&self.content, |position, is_done| {
            (ACTIONS[usize::from(is_done)], format!("{position}-{version}"))
        });
        Ok(Panel::new(vec![note.into()]))
    }

    fn rewrite(action: &Action, written: &str) -> Result<String, FetchError> {
        let is_done = match ACTIONS.iter().position(|name| *name == action.name) {
            Some(position) => position == 1,
            None => return Err(FetchError::message(format!("There is no action {}.", action.name))),
        };
        // The note is shown without surrounding white space.
        let (note, before) = (written.trim(), written.len() - written.trim_start().len());
        let (position, shown) = action.target.split_once('-').unwrap_or_default();
        let task = position.parse().ok().and_then(|position| tasks(note).nth(position));
        let task = task.filter(|(_, was_done)| *was_done == is_done && shown == version(note));
        let Some((place, _)) = task else { return Err(FetchError::message(CHANGED)) };
        let mark = if is_done { "[ ]" } else { "[x]" };
        Ok([&written[..before + place.start], mark, &written[before + place.end..]].concat())
    }
}

/// The boxes of a note, and whether each is ticked.
fn tasks(note: &str) -> impl Iterator<Item = (Range<usize>, bool)> {
    Parser::new_ext(note, RichText::NOTE).into_offset_iter().filter_map(|(event, place)| match event {
        Event::TaskListMarker(is_done) => Some((place, is_done)),
        _ => None,
    })
}

/// A hash that distinguishes a note from its earlier versions, for pages that are older than it (FNV-1a, 64 bits).
fn version(note: &str) -> String {
    let mix = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    format!("{:x}", note.bytes().fold(0xcbf2_9ce4_8422_2325, mix))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOTE: &str = "\n- [ ] One\n  - [X] Two `[ ]`\n\n> 1. [ ] Thr\u{e9}e\n\n    - [ ] code\n";

    fn press(name: &str, target: &str) -> Result<String, String> {
        let action = Action { name: name.to_owned(), target: target.to_owned() };
        Notes::rewrite(&action, NOTE).map_err(|error| error.to_string())
    }

    #[test]
    fn a_tick_changes_one_box_and_nothing_else() {
        let version = version(NOTE.trim());
        let target = |position| format!("{position}-{version}");
        assert_eq!(press("tick", &target(0)).unwrap(), NOTE.replacen("[ ] One", "[x] One", 1));
        assert_eq!(press("untick", &target(1)).unwrap(), NOTE.replacen("[X] Two", "[ ] Two", 1));
        assert_eq!(press("tick", &target(2)).unwrap(), NOTE.replacen("[ ] Thr", "[x] Thr", 1));
        // The note is trimmed, so its indented first line is not a code block.
        let indented = "    - [ ] One\n- [ ] Two\n";
        let action = Action { name: "tick".to_owned(), target: format!("0-{}", super::version(indented.trim())) };
        assert_eq!(Notes::rewrite(&action, indented).unwrap(), "    - [x] One\n- [ ] Two\n");
    }

    #[test]
    fn every_box_belongs_to_its_task() {
        let note = "&#xfdd1; \u{fdd1}\n\n- [ ] a \u{fdd1} *b*\n  - [x] c\n\n    > - [ ] `d`\n- e\n";
        let html = RichText::note(note, |position, is_done| (ACTIONS[usize::from(is_done)], position.to_string()));
        let boxes: Vec<&str> = html.html().split("<label>").skip(1).collect();
        assert_eq!(boxes.len(), tasks(note).count());
        for (position, (html, words)) in
            boxes.iter().zip(["<span>a \u{fffd} <em>b</em></span>", "<span>c", "<span>"]).enumerate()
        {
            assert!(html.contains(&format!("data-target=\"{position}\"")) && html.contains(words), "{html}");
        }
    }

    #[test]
    fn headings_follow_that_of_the_section_without_a_gap() {
        let html = RichText::note("### a\n# b\n### c\n## d\n##### e\n###### f\n# g\n", |_, _| ("", String::new()));
        let levels: Vec<&str> = html.html().split("<h").skip(1).map(|rest| &rest[..4]).collect();
        assert_eq!(levels, ["3>a<", "3>b<", "4>c<", "4>d<", "5>e<", "6>f<", "3>g<"]);
    }

    #[test]
    fn what_is_not_as_it_was_shown_is_a_conflict() {
        let version = version(NOTE.trim());
        for (name, target) in [
            ("tick", format!("0-{}", "0")),
            ("tick", format!("9-{version}")),
            ("tick", format!("1-{version}")),
            ("untick", format!("0-{version}")),
            ("tick", "0".to_owned()),
            ("tick", String::new()),
        ] {
            assert_eq!(press(name, &target).unwrap_err(), CHANGED, "{name} {target}");
        }
        assert_eq!(press("erase", &format!("0-{version}")).unwrap_err(), "There is no action erase.");
    }
}
