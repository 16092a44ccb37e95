//! From the plans to the page: the data of each frame, and the panels that are inserted into it.

use std::sync::Arc;

use app::page::widget_frame;
use config::{
    Dashboard,
    dashboard::{WidgetState, WidgetView},
};
use languages::message;
use widgets::{Moment, RunSide, panel::Part};

use super::{
    CachedPanel, Panels, PlannedWidget, WidgetPlans, embedded,
    isolated::{FAILED, isolated},
    slot::{Slot, Slots},
    tiles,
};

/// Fills in the widgets of a page. Widgets without a plan are shown as broken; an admin sees the reason, and others see
/// it unless their errors are hidden.
pub fn fill(dashboard: &mut Dashboard, plans: &WidgetPlans, panels: &Panels, is_admin: bool) -> Slots {
    let mut slots = Slots::default();
    let is_alone = dashboard.single_widget.is_some();
    let page = dashboard.slug.clone();
    for (section, widget) in dashboard.widgets_mut() {
        let Some(planned) = plans.get(section, widget.index) else { continue };
        let entry = &planned.entry;
        widget.id.clone_from(&planned.id);
        widget.kind = if planned.kind.is_some() { planned.kind_name().to_owned() } else { "unknown".to_owned() };
        widget.label.clone_from(&entry.label);
        widget.classes.clone_from(&entry.classes);
        widget.controls = !entry.hide_controls && !planned.in_header;
        widget.ignore_errors = entry.ignore_errors;
        widget.refresh = planned.refresh.and_then(|refresh| u32::try_from(refresh.as_secs().max(1)).ok());
        let has_page = planned.place != RunSide::Broken && !is_alone && !planned.in_header;
        widget.address = has_page.then(|| planned.address.clone());
        widget.place = match &planned.place {
            RunSide::Server => {
                let marker = widget_frame::marker(section, widget.index);
                slots.looked_up.push(Slot { marker, planned: Arc::clone(planned) });
                WidgetState::Server
            }
            RunSide::Browser => {
                slots.origins.extend(planned.origins.iter().cloned());
                WidgetState::Browser
            }
            RunSide::Local(panel) => {
                let frame = embedded::address((&page, section, widget.index));
                match isolated(|| panels.local(panel, planned, &frame)) {
                    Some(html) => {
                        widget.html = html;
                        // Only pictures and frames can be reloaded without a lookup.
                        let can_reload = |part: &Part| matches!(part, Part::Image(_) | Part::Frame(_));
                        widget.controls &= panel.parts.iter().any(can_reload);
                        WidgetState::Local
                    }
                    None => broken(widget, planned, &[FAILED.to_owned()]),
                }
            }
            RunSide::Broken => broken(widget, planned, &planned.errors),
        };
        if is_admin {
            widget.hints.clone_from(&planned.hints);
        }
        if widget.place == WidgetState::Broken && entry.ignore_errors && !is_admin {
            widget.html = String::new();
        }
    }
    tiles::fill(dashboard, plans, is_admin, &mut slots);
    slots.origins.sort();
    slots.origins.dedup();
    slots
}

/// Allows the viewer to change the state that widgets keep in the config file.
pub fn allow_writing(dashboard: &mut Dashboard, plans: &WidgetPlans) {
    for (section, widget) in dashboard.widgets_mut() {
        let kind = plans.get(section, widget.index).and_then(|planned| planned.kind);
        widget.writable = kind.is_some_and(|kind| kind.writable_option().is_some());
    }
}

/// Reduces a page's only section to one widget: the one at this position, or with this id. Returns false if there is
/// none.
pub fn keep_one(dashboard: &mut Dashboard, plans: &WidgetPlans, name: &str) -> bool {
    let [section] = dashboard.sections.as_mut_slice() else { return false };
    let position = name.parse::<usize>().ok();
    let found = section.widgets.iter().find_map(|widget| {
        let planned = plans.get(section.index, widget.index)?;
        let is_wanted = position.map_or(planned.id == name, |position| position == widget.index);
        is_wanted.then_some((widget.index, planned))
    });
    let Some((index, planned)) = found else { return false };
    dashboard.single_widget = Some(planned.address.clone());
    section.widgets.retain(|widget| widget.index == index);
    section.items.clear();
    dashboard.facts.clear();
    true
}

/// A widget that says why it is empty.
fn broken(widget: &mut WidgetView, planned: &PlannedWidget, errors: &[String]) -> WidgetState {
    widget.controls = false;
    let errors: Vec<_> = errors.iter().map(|error| message(error).into_owned()).collect();
    widget.html = widget_frame::problem(planned.name_of_problem(), &errors, None, false);
    WidgetState::Broken
}

/// A rendered page in pieces: before the first slot, between slots, after the last.
#[derive(Debug)]
pub struct Pieces {
    texts: Vec<String>,
    /// In their order between the texts.
    slots: Vec<Arc<PlannedWidget>>,
}

impl Pieces {
    /// Splits a rendered page.
    pub fn of(html: &str, slots: &[Slot]) -> Self {
        let mut found: Vec<(usize, &Slot)> =
            slots.iter().filter_map(|slot| html.find(&slot.marker).map(|at| (at, slot))).collect();
        found.sort_by_key(|(at, _)| *at);
        let mut pieces = Self { texts: Vec::new(), slots: Vec::new() };
        let mut done = 0;
        for (at, slot) in found {
            pieces.texts.push(html[done..at].to_owned());
            pieces.slots.push(Arc::clone(&slot.planned));
            done = at + slot.marker.len();
        }
        pieces.texts.push(html[done..].to_owned());
        pieces
    }

    /// The slots in page order.
    pub fn slots(&self) -> &[Arc<PlannedWidget>] {
        &self.slots
    }

    /// The page with these panels inserted. `now` is in seconds since 1970.
    pub fn with(&self, panels: &[Option<CachedPanel>], now: u64) -> String {
        let now = Moment::from_seconds(i64::try_from(now).unwrap_or(i64::MAX));
        let body = |(planned, panel): (&Arc<PlannedWidget>, &Option<CachedPanel>)| {
            tiles::body(planned, panel.as_ref()).unwrap_or_else(|| {
                widget_frame::body(
                    panel.as_ref().map(CachedPanel::whole).as_ref(),
                    planned.kind_name(),
                    planned.name_of_problem(),
                    now,
                )
            })
        };
        let bodies: Vec<String> = self.slots.iter().zip(panels).map(body).collect();
        let length = self.texts.iter().chain(&bodies).map(String::len).sum();
        let mut html = String::with_capacity(length);
        let mut bodies = bodies.iter();
        for text in &self.texts {
            html.push_str(text);
            if let Some(body) = bodies.next() {
                html.push_str(body);
            }
        }
        html
    }
}
