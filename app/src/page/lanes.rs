//! Which widgets of a section begin a column where several columns fit (docs/spec/behavior.md 3.3).
//!
//! The order of the file goes down the columns. Each number of columns has the division whose highest column is lowest, by the
//! estimated heights of the widgets. The style sheet only follows it, so a widget stays in its column, however high it gets.

/// The most columns of widgets in a section; `style/_widget-frame.scss` has the same number.
pub(super) const MAX_LANES: usize = 8;

/// The best division of the widgets from some position on.
#[derive(Clone, Copy)]
struct Division {
    /// Of its highest column.
    height: usize,
    /// The widget that begins its second column.
    second: usize,
}

/// The divisions of the widgets of a section into columns.
pub(super) struct Lanes {
    /// By the number of columns, from one, and then by the first widget.
    divisions: Vec<Vec<Division>>,
    count: usize,
}

impl Lanes {
    /// Given the heights of the widgets.
    pub(super) fn of(heights: &[usize]) -> Self {
        let count = heights.len();
        let from = |first: usize| Division { height: heights[first..].iter().sum(), second: count };
        let mut divisions = vec![(0..=count).map(from).collect::<Vec<_>>()];
        for lanes in 1..MAX_LANES.min(count) {
            let fewer = &divisions[lanes - 1];
            let best = |first: usize| {
                let mut height = 0;
                let mut best = fewer[first];
                // Each column has at least one widget.
                for second in first + 1..(count + 1).saturating_sub(lanes) {
                    height += heights[second - 1];
                    let highest = height.max(fewer[second].height);
                    if second == first + 1 || highest <= best.height {
                        best = Division { height: highest, second };
                    }
                }
                best
            };
            divisions.push((0..=count).map(best).collect());
        }
        Self { divisions, count }
    }

    /// How high the highest column is if there is room for so many.
    #[cfg(feature = "ssr")]
    pub(super) fn height(&self, lanes: usize) -> usize {
        self.divisions[lanes.min(self.divisions.len()) - 1][0].height
    }

    /// How many columns there are at most.
    pub(super) fn most(&self) -> usize {
        self.divisions.len()
    }

    /// For each widget, the numbers of columns of which it begins one, but not the first: one digit each.
    pub(super) fn breaks(&self) -> Vec<String> {
        let mut breaks = vec![String::new(); self.count];
        for lanes in 2..=MAX_LANES {
            let mut first = 0;
            for left in (1..lanes.min(self.most())).rev() {
                first = self.divisions[left][first].second;
                breaks[first].push_str(&lanes.to_string());
            }
        }
        breaks
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_about_equally_high_in_the_order_of_the_file() {
        let lanes = Lanes::of(&[1, 8, 3, 3, 2, 1]);
        assert_eq!((lanes.height(1), lanes.height(2), lanes.height(3), lanes.height(9)), (18, 9, 9, 8));
        assert_eq!(lanes.breaks(), ["", "45678", "2345678", "5678", "345678", "678"].map(str::to_owned));
    }

    #[test]
    fn there_are_no_more_columns_than_widgets() {
        assert_eq!(Lanes::of(&[5, 5]).breaks(), ["", "2345678"]);
        assert_eq!(Lanes::of(&[5]).breaks(), [""]);
        assert_eq!((Lanes::of(&[]).most(), Lanes::of(&[]).height(3)), (1, 0));
        assert_eq!(Lanes::of(&[1; 20]).most(), MAX_LANES);
    }
}
