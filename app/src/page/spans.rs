//! How many columns of the grid each section takes (docs/spec/behavior.md 3.2).
//!
//! The config may say so. For all other sections it is computed here, for the usual width of each class of screens: sections
//! get wider where that makes the page shorter. They stay in order, so the sections of a row become about equally high. The
//! heights are estimates, which only have to be good enough to compare them.

use std::fmt::Write as _;

use config::{
    Dashboard, View,
    dashboard::{SectionView, TileSize},
};

use super::{MAX_UNFOLDED, lanes::Lanes, tabs};

/// Space between sections, in pixels.
const GAP: usize = 20;
/// Height of a section's heading.
const HEADING: usize = 44;
/// Height of the button that shows all items.
const FOLD: usize = 68;
/// Minimum width of a widget where several are side by side, and the space between them.
const WIDGET: Extent = Extent { min_width: 352, height: 0, space: 12 };
/// How many pixels of height a section must save for each column more that it takes. That is almost a row of tiles; for less,
/// equal widths look calmer.
const MIN_SAVED: usize = 48;

/// The size of a tile or widget, in pixels.
#[derive(Clone, Copy)]
struct Extent {
    min_width: usize,
    height: usize,
    space: usize,
}

impl Extent {
    /// The tiles of a size, as in `style/_items.scss`.
    fn of(size: TileSize, medium: usize) -> Self {
        match size {
            TileSize::Small => Self { min_width: 224, height: 36, space: 4 },
            TileSize::Medium => Self { min_width: medium, height: 62, space: 8 },
            TileSize::Large => Self { min_width: 160, height: 96, space: 8 },
        }
    }

    /// How many are side by side.
    fn per_row(self, width: usize) -> usize {
        ((width + self.space) / (self.min_width + self.space)).max(1)
    }
}

/// Screens with the same number of columns, and about the same width (`style/_screens.scss`).
struct Screens {
    media: &'static str,
    columns: usize,
    /// The columns that a section may take.
    max_span: usize,
    /// The usual width of the content, in pixels.
    width: usize,
    /// The minimum width of a tile of medium size, in pixels.
    tile: usize,
}

const SCREENS: [Screens; 6] = [
    Screens { media: "(600px<=width<780px)", columns: 2, max_span: 2, width: 620, tile: 160 },
    Screens { media: "(780px<=width<1150px)", columns: 2, max_span: 6, width: 870, tile: 160 },
    Screens { media: "(1150px<=width<1780px)", columns: 3, max_span: 6, width: 1230, tile: 176 },
    Screens { media: "(1780px<=width<2240px)", columns: 4, max_span: 6, width: 1710, tile: 176 },
    Screens { media: "(2240px<=width<3400px)", columns: 5, max_span: 6, width: 2300, tile: 184 },
    Screens { media: "(width>=3400px)", columns: 6, max_span: 6, width: 3520, tile: 184 },
];

/// The rules for sections that take several columns although the config does not say so. They apply only in the layout `auto`.
/// A page that arranges its rows itself (`rows`) gets none.
pub(crate) fn rules(dashboard: &Dashboard) -> String {
    let sections = &dashboard.sections;
    let is_grid = dashboard.view == View::Home && !dashboard.single_section && dashboard.columns.is_none();
    if !is_grid || sections.len() < 2 || sections.iter().any(|section| section.rows > 1) {
        return String::new();
    }
    let forced = dashboard.look.col_count.map(usize::from);
    let mut css = String::new();
    for screens in &SCREENS {
        let grid = Grid { columns: forced.unwrap_or(screens.columns), ..Grid::of(screens) };
        let choices =
            sections.iter().map(|section| grid.choices(section, dashboard.look.icon_size)).collect::<Vec<_>>();
        let spans = Rows { columns: grid.columns, sections: &choices }.spans();
        let mut rules = String::new();
        for columns in 2..=grid.columns {
            let wide =
                sections.iter().zip(&spans).filter(|(section, span)| section.cols.is_none() && **span == columns);
            let ids = wide.map(|(section, _)| format!(".orientation-auto #s-{}", section.index)).collect::<Vec<_>>();
            if !ids.is_empty() {
                _ = write!(rules, "{}{{--cols:{columns}}}", ids.join(","));
            }
        }
        if !rules.is_empty() {
            _ = write!(css, "@media{}{{{rules}}}", screens.media);
        }
    }
    if css.is_empty() { css } else { format!("@layer portico{{{css}}}") }
}

/// The grid on some screens.
struct Grid {
    columns: usize,
    max_span: usize,
    width: usize,
    tile: usize,
}

impl Grid {
    fn of(screens: &Screens) -> Self {
        Self { columns: screens.columns, max_span: screens.max_span, width: screens.width, tile: screens.tile }
    }

    /// The widths that a section may have, in columns, and what each costs. The first is the one that it has for sure.
    fn choices(&self, section: &SectionView, usual_size: TileSize) -> Vec<Choice> {
        let max_span = self.max_span.min(self.columns);
        let height = |span| self.height(section, usual_size, span);
        if let Some(written) = section.cols {
            let span = usize::from(written).min(max_span);
            return vec![Choice { span, height: height(span), penalty: 0 }];
        }
        let mut choices = vec![Choice { span: 1, height: height(1), penalty: 0 }];
        for span in 2..=max_span {
            let height = height(span);
            if choices.last().is_none_or(|narrower| height < narrower.height) {
                choices.push(Choice { span, height, penalty: (span - 1) * MIN_SAVED });
            }
        }
        choices
    }

    /// About how high a section is if it takes `span` columns, in pixels.
    fn height(&self, section: &SectionView, usual_size: TileSize, span: usize) -> usize {
        if section.collapsed {
            return HEADING;
        }
        let column = ((self.width + GAP) / self.columns).saturating_sub(GAP);
        let width = span * column + (span - 1) * GAP;
        let mut tile = Extent::of(section.item_size.unwrap_or(usual_size), self.tile);
        let per_row = section.item_count_x.map_or_else(|| tile.per_row(width), usize::from);
        if per_row > 4 && section.item_count_x.is_some() {
            tile = Extent::of(TileSize::Large, self.tile);
        }
        let shown = section.shown_items().min(MAX_UNFOLDED);
        let fold = if section.shown_items() > MAX_UNFOLDED { FOLD } else { 0 };
        let widgets = Lanes::of(&tabs::heights(&section.widgets, false)).height(WIDGET.per_row(width));
        HEADING + shown.div_ceil(per_row) * (tile.height + tile.space) + fold + widgets
    }
}

/// A width that a section may have.
struct Choice {
    /// In columns.
    span: usize,
    /// About how high the section is then, in pixels.
    height: usize,
    /// What the width costs, in pixels of height that it has to save.
    penalty: usize,
}

/// Distributes sections among rows, as browsers do: a section that does not fit into a row begins the next one.
struct Rows<'a> {
    columns: usize,
    sections: &'a [Vec<Choice>],
}

/// The best first row for the sections from some position on.
#[derive(Clone, Default)]
struct Layout {
    /// The cost of this row and all below it; `None` if there is no such row.
    cost: Option<usize>,
    /// The spans of the sections in this row.
    spans: Vec<usize>,
}

impl Rows<'_> {
    /// The spans of all sections.
    fn spans(&self) -> Vec<usize> {
        let count = self.sections.len();
        // For each position, and each number of columns that the row before leaves free.
        let mut layouts = vec![vec![Layout::default(); self.columns]; count];
        layouts.push(vec![Layout { cost: Some(0), spans: Vec::new() }; self.columns]);
        for position in (0..count).rev() {
            for free in 0..self.columns {
                let mut best = Layout::default();
                self.extend(&mut Row { position, free, ..Row::default() }, &layouts, &mut best);
                layouts[position][free] = best;
            }
        }
        let (mut spans, mut free) = (Vec::with_capacity(count), 0);
        while spans.len() < count {
            let plan = &layouts[spans.len()][free];
            // There always is one: that in which each section has its first width.
            if plan.spans.is_empty() {
                break;
            }
            free = self.columns - plan.spans.iter().sum::<usize>();
            spans.extend(&plan.spans);
        }
        spans
    }

    /// Tries all rows that begin like this one.
    fn extend(&self, row: &mut Row, layouts: &[Vec<Layout>], best: &mut Layout) {
        let next = row.position + row.spans.len();
        let used = row.spans.iter().sum::<usize>();
        if used > 0 {
            let below = layouts[next][self.columns - used].cost;
            let cost = below.map(|below| row.height + GAP + row.penalty + below);
            if cost.is_some_and(|cost| best.cost.is_none_or(|best| cost < best)) {
                *best = Layout { cost, spans: row.spans.clone() };
            }
        }
        let Some(choices) = self.sections.get(next) else { return };
        for choice in choices {
            // The first one would be in the row before if there were room for it.
            if used + choice.span > self.columns || (used == 0 && choice.span <= row.free) {
                continue;
            }
            let (height, penalty) = (row.height, row.penalty);
            row.height = height.max(choice.height);
            row.penalty += choice.penalty;
            row.spans.push(choice.span);
            self.extend(row, layouts, best);
            row.spans.pop();
            (row.height, row.penalty) = (height, penalty);
        }
    }
}

/// A row in the making.
#[derive(Default)]
struct Row {
    /// The position of its first section.
    position: usize,
    /// The columns that the row before leaves free.
    free: usize,
    spans: Vec<usize>,
    height: usize,
    penalty: usize,
}

#[cfg(test)]
mod tests {
    use config::dashboard::{ItemView, WidgetView};

    use super::*;

    /// A page with so many items in each section.
    fn page(items: &[usize]) -> Dashboard {
        let section = |(index, count): (usize, &usize)| SectionView {
            index,
            rows: 1,
            items: vec![ItemView::default(); *count],
            ..SectionView::default()
        };
        Dashboard { sections: items.iter().enumerate().map(section).collect(), ..Dashboard::default() }
    }

    /// The rows of a page on screens with so many columns.
    fn rows(dashboard: &Dashboard, columns: usize) -> Vec<Vec<usize>> {
        let screens = SCREENS.iter().find(|screens| screens.columns == columns && screens.max_span > 2).unwrap();
        let grid = Grid::of(screens);
        let choices =
            dashboard.sections.iter().map(|section| grid.choices(section, TileSize::Medium)).collect::<Vec<_>>();
        let mut rows: Vec<Vec<usize>> = Vec::new();
        for span in (Rows { columns, sections: &choices }).spans() {
            match rows.last_mut().filter(|row| row.iter().sum::<usize>() + span <= columns) {
                Some(row) => row.push(span),
                None => rows.push(vec![span]),
            }
        }
        rows
    }

    #[test]
    fn large_sections_become_wide_where_that_shortens_the_page() {
        let homelab = page(&[12, 6, 30, 8, 4, 4, 20, 3]);
        assert_eq!(rows(&homelab, 3), [vec![2, 1], vec![3], vec![1, 1, 1], vec![2, 1]]);
        assert_eq!(rows(&homelab, 4), [vec![1, 1, 2], vec![2, 1, 1], vec![3, 1]]);
        assert_eq!(rows(&page(&[80, 120]), 3), [vec![3], vec![3]]);
        assert_eq!(rows(&page(&[80, 120]), 4), [vec![2, 2]]);
    }

    #[test]
    fn equal_sections_stay_equal() {
        for columns in [2, 3, 4] {
            assert_eq!(rows(&page(&vec![6; columns * 3]), columns), vec![vec![1; columns]; 3]);
        }
    }

    #[test]
    fn a_written_width_stays() {
        let mut dashboard = page(&[8, 14, 5, 40]);
        dashboard.sections[0].cols = Some(2);
        dashboard.sections[3].cols = Some(1);
        let rows = rows(&dashboard, 3);
        assert_eq!((rows[0][0], rows.last().and_then(|row| row.last())), (2, Some(&1)));
        assert!(!rules(&dashboard).contains("#s-3"));
        dashboard.sections[3].cols = None;
        assert!(rules(&dashboard).contains("#s-3"));
    }

    #[test]
    fn one_widget_stays_as_it_is_and_several_may_be_side_by_side() {
        let widget = WidgetView { kind: "rss-feed".to_owned(), ..WidgetView::default() };
        let mut dashboard = page(&[0, 4, 4]);
        dashboard.sections[0].widgets = vec![widget.clone()];
        assert_eq!(rows(&dashboard, 3), [[1, 1, 1]]);
        dashboard.sections[0].widgets = vec![widget; 4];
        assert_eq!(rows(&dashboard, 3)[0], [2, 1]);
    }

    #[test]
    fn pages_that_are_no_grid_have_no_rules() {
        let large = page(&[3, 60, 60]);
        assert!(rules(&large).starts_with("@layer portico{@media("));
        let mut arranged = large.clone();
        arranged.sections[0].rows = 2;
        assert_eq!(rules(&arranged), "");
        assert_eq!(rules(&Dashboard { single_section: true, ..large.clone() }), "");
        assert_eq!(rules(&Dashboard { view: View::Minimal, ..large }), "");
        assert_eq!(rules(&page(&[200])), "");
    }

    #[test]
    fn a_forced_number_of_columns_counts_on_all_screens() {
        let mut dashboard = page(&[3, 60, 60]);
        dashboard.look.col_count = Some(1);
        assert_eq!(rules(&dashboard), "");
        dashboard.look.col_count = Some(2);
        let rules = rules(&dashboard);
        assert!(rules.contains("@media(width>=3400px)") && !rules.contains("--cols:3"), "{rules}");
    }
}
