//! Where something that is dragged would go.

use app::browser::{all, element, is_rtl};
use leptos::prelude::document;
use web_sys::{DomRect, Element};

use super::draggable::Draggable;
use crate::{
    dom::{closest, matches, number},
    edits::{List, Spot},
};

/// A position in the window, in pixels.
#[derive(Clone, Copy)]
pub struct Point {
    /// From the left.
    pub x: f64,
    /// From the top.
    pub y: f64,
}

/// Where a dragged element would go.
pub struct DropTarget {
    /// The list.
    pub list: List,
    /// The position of the next element in its list; `None` for the end.
    pub before: Option<usize>,
    /// The column of the page, counted from 1, if a section gets another one.
    pub column: Option<usize>,
    /// The box that the line is drawn at.
    pub bounds: DomRect,
    /// Where at the box.
    pub edge: Edge,
}

/// An edge of a box, or all of it.
#[derive(Clone, Copy, Eq, PartialEq)]
pub enum Edge {
    /// Where a line of text begins.
    Start,
    /// Where a line of text ends.
    End,
    /// The upper edge.
    Top,
    /// The lower edge.
    Bottom,
    /// The whole box.
    All,
}

impl DropTarget {
    /// Where something would go if it were dropped at a point.
    pub fn at(source: &Draggable, point: Point) -> Option<Self> {
        let under = document().element_from_point(point.x as f32, point.y as f32);
        let content = element("content")?;
        let around = |selector: &str| under.as_ref().and_then(|under| closest(under, selector));
        if around("#editor").is_some() {
            return None;
        }
        match source.spot.list {
            List::Pages => None,
            List::Sections => {
                let columns = all(&content, ":scope > .page-column");
                if columns.is_empty() {
                    Self::beside_nearest(&all(&content, ".collapsable"), List::Sections, point)
                } else {
                    Self::in_column(&columns, &source.element, point)
                }
            }
            List::SubItems(..) => {
                let groups: Vec<_> = all(&content, ".sub-items-group").into_iter().filter(is_visible).collect();
                let group = nearest(&groups, point)?;
                let Spot { list: List::Items(section), index } = Spot::parse(&group.id())? else { return None };
                let list = List::SubItems(section, index);
                if under.is_some_and(|under| matches(&under, ".group-title")) {
                    return Some(Self::whole(list, group));
                }
                Self::beside_nearest(&all(group, ".sub-item"), list, point)
            }
            list => {
                let sections = all(&content, ".collapsable");
                let section = around("#content .collapsable").or_else(|| nearest(&sections, point).cloned())?;
                let entries = if matches!(list, List::Items(_)) { ".items > *" } else { ".widgets > *" };
                let entries: Vec<_> = all(&section, entries).into_iter().filter(is_visible).collect();
                let list = list.in_section(number(&section))?;
                if entries.is_empty() || around(".section-heading, [data-edit^=section]").is_some() {
                    return Some(Self::whole(list, &section));
                }
                Self::beside_nearest(&entries, list, point)
            }
        }
    }

    /// At the end of a list, shown at the whole of its element.
    fn whole(list: List, element: &Element) -> Self {
        let bounds = element.get_bounding_client_rect();
        Self { list, before: None, column: None, bounds, edge: Edge::All }
    }

    /// The place of a section in the nearest column of the page.
    fn in_column(columns: &[Element], section: &Element, point: Point) -> Option<Self> {
        let near = nearest(columns, point)?;
        // A section that stays in its column keeps what the file says about it.
        let is_own = section.parent_element().as_ref() == Some(near);
        let column = columns.iter().position(|column| column == near).filter(|_| !is_own).map(|index| index + 1);
        let list = all(near, ":scope > *");
        let target = match list.last() {
            None => Self::whole(List::Sections, near),
            Some(last) => {
                let target = Self::beside_nearest(&list, List::Sections, point)?;
                Self { before: target.before.or(Some(number(last) + 1)), ..target }
            }
        };
        Some(Self { column, ..target })
    }

    /// Before or after the nearest element of a list.
    fn beside_nearest(elements: &[Element], list: List, point: Point) -> Option<Self> {
        let near = nearest(elements, point)?;
        let bounds = near.get_bounding_client_rect();
        let in_row = elements.iter().filter(|other| *other != near).any(|other| {
            let other = other.get_bounding_client_rect();
            other.top() < bounds.bottom() - 1.0 && other.bottom() > bounds.top() + 1.0
        });
        let is_first_half = if in_row {
            (point.x <= bounds.left() + bounds.width() / 2.0) != is_rtl()
        } else {
            point.y <= bounds.top() + bounds.height() / 2.0
        };
        let next = if is_first_half {
            Some(near)
        } else {
            let at = elements.iter().position(|other| other == near)?;
            elements.get(at + 1)
        };
        let edge = match (in_row, is_first_half) {
            (true, true) => Edge::Start,
            (true, false) => Edge::End,
            (false, true) => Edge::Top,
            (false, false) => Edge::Bottom,
        };
        let before = next.and_then(|next| position_in(list, next));
        Some(Self { list, before, column: None, bounds, edge })
    }
}

/// The position of an element in its list in the file.
fn position_in(list: List, element: &Element) -> Option<usize> {
    match list {
        List::Widgets(_) => element.get_attribute("data-widget")?.split('-').nth(1)?.parse().ok(),
        _ => Some(number(element)),
    }
}

fn is_visible(element: &Element) -> bool {
    let bounds = element.get_bounding_client_rect();
    bounds.width() > 0.0 || bounds.height() > 0.0
}

fn nearest(elements: &[Element], Point { x, y }: Point) -> Option<&Element> {
    let distance = |element: &Element| {
        let bounds = element.get_bounding_client_rect();
        let beside = (bounds.left() - x).max(x - bounds.right()).max(0.0);
        let above = (bounds.top() - y).max(y - bounds.bottom()).max(0.0);
        beside.hypot(above)
    };
    let distances = elements.iter().map(|element| (element, distance(element)));
    distances.min_by(|(_, one), (_, other)| one.total_cmp(other)).map(|(element, _)| element)
}
