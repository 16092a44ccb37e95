//! Changes that buttons of widgets make in the config file: ticking the tasks of `notes`.

use std::sync::Arc;

use app::backend::WidgetAddress;
use bytes::Bytes;
use config::{Config, Document};
use http::{StatusCode, request::Parts};
use serde_json::Value;
use widgets::{Action, Kind};

use super::{app_state::AppState, error::ApiError, known_hosts, pages, save};
use crate::{
    access,
    store::{Author, Edited, Via},
};

/// Maximum number of boxes in the file that are tried.
const MAX_TRIES: usize = 4;

/// Changes the option in which a widget stores its state.
///
/// # Errors
///
/// 403 if the viewer may not change the config here, 404 if the widget no longer exists, 409 if its content differs from
/// what was shown, and the errors of a write. The file is unchanged then.
pub async fn write(
    portico: &Arc<AppState>,
    request: &Parts,
    slot: &WidgetAddress,
    action: Action,
) -> Result<(), ApiError> {
    let viewer = access::viewer(&request.extensions)?;
    if !viewer.is_admin() {
        return Err(ApiError::admin_required());
    }
    known_hosts::check(&request.extensions)?;
    let gone = || ApiError::not_found("This page has changed since it was loaded. Reload it.");
    let kind = Kind::parse(&slot.kind).filter(|kind| kind.writable_option().is_some()).ok_or_else(gone)?;
    let file = pages::file_of_widget(portico, &viewer, slot).ok_or_else(gone)?;
    if file.host.is_some() {
        return Err(ApiError::new(StatusCode::FORBIDDEN, "A page of another host can only be changed there."));
    }
    if portico.panels.is_demo() {
        return Err(ApiError::new(StatusCode::FORBIDDEN, "The demo has no config file to change."));
    }
    let store = &portico.store;
    save::forbid_locked(store, &viewer).await?;
    let is_main = file.name == store.main();
    let (name, place) = (file.name.clone(), (slot.section, slot.widget));
    let author = Author::new(viewer.name_for_log(), Via::Widget);
    let written = store.change(author, &file.name, move |bytes| {
        let bytes = bytes.ok_or_else(|| ApiError::not_found(format!("config file `{name}` not found")))?;
        let before = Document::parse_shared(bytes).map_err(|error| ApiError::broken_file(&name, &error))?;
        edited(bytes, &before, is_main, kind, place, &action)
    });
    let written = written.await?;
    let person = viewer.name_for_log();
    tracing::info!(backup = written.backup, "`{}` was changed through a widget by {person}", file.name);
    Ok(())
}

/// The changed file.
fn edited(
    bytes: &Bytes,
    before: &Document,
    is_main: bool,
    kind: Kind,
    (section, widget): (usize, usize),
    action: &Action,
) -> Result<Edited<()>, ApiError> {
    let conflict = |reason: String| ApiError::new(StatusCode::CONFLICT, reason);
    let path = format!("/sections/{section}/widgets/{widget}");
    let mut value = before.to_json();
    let entry = value.pointer_mut(&path);
    let is_kind = |entry: &Value| entry["type"].as_str().and_then(Kind::parse) == Some(kind);
    let options = entry.filter(|entry| is_kind(entry)).and_then(|entry| entry.get_mut("options"));
    let kept = options.and_then(|options| {
        let names =
            kind.synonyms().iter().filter(|(_, meant)| Some(*meant) == kind.writable_option()).map(|(other, _)| *other);
        let mut names = kind.writable_option().into_iter().chain(names);
        let name = names.find(|name| options[*name].as_str().is_some_and(|text| !text.trim().is_empty()))?;
        Some((name, options.get_mut(name)?))
    });
    let gone = || conflict("The widget is not where it was. Reload the page.".to_owned());
    let (name, kept) = kept.ok_or_else(gone)?;
    let old = kept.as_str().unwrap_or_default().to_owned();
    let new = kind.rewrite(action, &old).map_err(|error| conflict(error.to_string()))?;
    *kept = Value::String(new.clone());
    let after = Document::from_json(value).spelled_like(before);
    if let Some((bytes, document)) = in_place(bytes, before, &after, &format!("{path}/options/{name}"), (&old, &new)) {
        let config = is_main.then(|| Config::read(&document)).transpose()?;
        return Ok(Edited { bytes, document, config, outcome: () });
    }
    let config = is_main.then(|| Config::read(&after)).transpose()?;
    let (bytes, document) = after.into_stored().map_err(|error| ApiError::bad_request(error.to_string()))?;
    Ok(Edited { bytes, document, config, outcome: () })
}

/// The file with one box changed and everything else unchanged, including comments; `None` if the text of the note is
/// not literally in the file, for example because of an alias.
fn in_place(
    bytes: &Bytes,
    before: &Document,
    after: &Document,
    path: &str,
    (old, new): (&str, &str),
) -> Option<(Bytes, Document)> {
    let source = std::str::from_utf8(bytes).ok()?;
    let (line, _) = before.locate(path)?;
    let start: usize = source.split_inclusive('\n').take(line - 1).map(str::len).sum();
    let changed = old.bytes().zip(new.bytes()).position(|(old, new)| old != new)?;
    // Finds out which box it is, since other text may look like one.
    let number = boxes(&old[..changed + 2]).count().checked_sub(1)?;
    let mark = new.get(changed - 1..changed + 2)?;
    // Comments after the key may contain boxes too.
    boxes(&source[start..]).skip(number).take(MAX_TRIES).find_map(|place| {
        let place = start + place;
        let text = Bytes::from([&source[..place], mark, &source[place + mark.len()..]].concat());
        let document = Document::parse_shared(&text).ok()?;
        (document.value() == after.value()).then_some((text, document))
    })
}

/// The positions of everything that may be the box of a task.
fn boxes(text: &str) -> impl Iterator<Item = usize> {
    let is_box = |three: &[u8]| matches!(three, [b'[', b' ' | b'x' | b'X', b']']);
    text.as_bytes().windows(3).enumerate().filter(move |(_, three)| is_box(three)).map(|(at, _)| at)
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use widgets::{Entry, OptionProblems, RunSide};

    use super::*;

    /// The file after the last box of the note was ticked.
    fn ticked(text: &str) -> String {
        let bytes = Bytes::from(text.to_owned());
        let document = Document::parse_shared(&bytes).unwrap();
        let written = &document.value()["sections"][0]["widgets"][0];
        let entry = Entry::read(written, false, &mut OptionProblems::default());
        let RunSide::Local(panel) = Kind::Notes.plan(&entry, &entry).place else { panic!("{written}") };
        let panel = json!(panel);
        let html = panel["parts"][0]["richText"]["html"].as_str().unwrap();
        let target = html.rsplit("data-target=\"").next().and_then(|rest| rest.split('"').next()).unwrap();
        let action = Action { name: "tick".to_owned(), target: target.to_owned() };
        let edited = edited(&bytes, &document, true, Kind::Notes, (0, 0), &action).unwrap();
        assert_eq!(edited.document.value(), Document::parse(&edited.bytes).unwrap().value());
        String::from_utf8(edited.bytes.to_vec()).unwrap()
    }

    #[test]
    fn one_letter_of_the_file_changes_and_comments_stay() {
        let options = |options: &str| {
            format!(
                "# [ ]\nsections: # all\n  - name: A [ ]\n    widgets:\n      - type: notes # [x]\n        options:{options}"
            )
        };
        for before in [
            options(" # [ ]\n          content: | # [x] [ ]\n            `[ ]` and\n            - [ ] one\n"),
            options("\n          text: \"`[ ]` and\\n- [ ] one\" # [ ]\n"),
            options(" { content: '- [ ] one' }\r\n"),
            format!(
                "\u{feff}{}",
                options("\n          content: >-\n            - [X] done\n\n            - [ ] one\n")
            ),
        ] {
            assert_eq!(ticked(&before), before.replace("- [ ] one", "- [x] one"), "{before}");
        }
    }

    #[test]
    fn a_text_that_others_share_is_changed_for_the_note_alone() {
        let text = "a: &note \"- [ ] one\"\nsections: [{ name: A, widgets: [{ type: notes, options: { content: *note } }] }]\n";
        let after = Document::parse(ticked(text).as_bytes()).unwrap();
        assert_eq!(after.value()["a"], "- [ ] one");
        assert_eq!(after.value()["sections"][0]["widgets"][0]["options"]["content"], "- [x] one");
    }
}
