//! The difference between two texts, line by line: what restoring a backup would change.

/// The most pairs of lines that are compared. Beyond that, all lines count as different.
const MAX_PAIRS: usize = 4_000_000;
/// How many equal lines are shown around a change.
const CONTEXT: usize = 2;

/// A line of a diff.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Line {
    /// In both texts.
    Same(String),
    /// Only in the first text.
    Removed(String),
    /// Only in the second text.
    Added(String),
    /// A number of equal lines that are left out.
    Skipped(usize),
}

/// The changes from the first text to the second; empty if they are equal.
#[must_use]
pub fn line_diff(first: &str, second: &str) -> Vec<Line> {
    let (old, new): (Vec<&str>, Vec<&str>) = (first.lines().collect(), second.lines().collect());
    let start = old.iter().zip(&new).take_while(|(one, other)| one == other).count();
    let (old_rest, new_rest) = (&old[start..], &new[start..]);
    let end = old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(|(one, other)| one == other).count();
    let (old_middle, new_middle) = (&old_rest[..old_rest.len() - end], &new_rest[..new_rest.len() - end]);
    if old_middle.is_empty() && new_middle.is_empty() {
        return Vec::new();
    }
    let same = |line: &&str| Line::Same((*line).to_owned());
    let mut lines: Vec<Line> = old[..start].iter().map(same).collect();
    lines.extend(middle(old_middle, new_middle));
    lines.extend(old[old.len() - end..].iter().map(same));
    shortened(lines)
}

/// The diff of texts that begin and end differently.
fn middle(old: &[&str], new: &[&str]) -> Vec<Line> {
    let removed = |line: &str| Line::Removed(line.to_owned());
    let added = |line: &str| Line::Added(line.to_owned());
    if old.len().saturating_mul(new.len()) > MAX_PAIRS {
        return old.iter().map(|line| removed(line)).chain(new.iter().map(|line| added(line))).collect();
    }
    // The length of the longest common part of what comes from each pair of lines on.
    let width = new.len() + 1;
    let mut common = vec![0_u32; (old.len() + 1) * width];
    for one in (0..old.len()).rev() {
        for other in (0..new.len()).rev() {
            common[one * width + other] = if old[one] == new[other] {
                common[(one + 1) * width + other + 1] + 1
            } else {
                common[(one + 1) * width + other].max(common[one * width + other + 1])
            };
        }
    }
    let (mut one, mut other, mut lines) = (0, 0, Vec::new());
    while one < old.len() || other < new.len() {
        if one < old.len() && other < new.len() && old[one] == new[other] {
            lines.push(Line::Same(old[one].to_owned()));
            (one, other) = (one + 1, other + 1);
        } else if other == new.len()
            || one < old.len() && common[(one + 1) * width + other] >= common[one * width + other + 1]
        {
            lines.push(removed(old[one]));
            one += 1;
        } else {
            lines.push(added(new[other]));
            other += 1;
        }
    }
    lines
}

/// The lines without those that are far from a change.
fn shortened(lines: Vec<Line>) -> Vec<Line> {
    let is_change = |line: &Line| !matches!(line, Line::Same(_));
    let near = |at: usize| lines[at.saturating_sub(CONTEXT)..(at + CONTEXT + 1).min(lines.len())].iter().any(is_change);
    let kept: Vec<bool> = (0..lines.len()).map(near).collect();
    let mut shown = Vec::new();
    for (line, kept) in lines.into_iter().zip(kept) {
        match shown.last_mut() {
            _ if kept => shown.push(line),
            Some(Line::Skipped(count)) => *count += 1,
            _ => shown.push(Line::Skipped(1)),
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::{Line::*, *};

    fn diff_lines(first: &str, second: &str) -> Vec<String> {
        let line = |line: Line| match line {
            Same(text) => format!("  {text}"),
            Removed(text) => format!("- {text}"),
            Added(text) => format!("+ {text}"),
            Skipped(count) => format!("… {count}"),
        };
        line_diff(first, second).into_iter().map(line).collect()
    }

    #[test]
    fn what_differs_is_shown_with_what_is_around_it() {
        assert!(diff_lines("a\nb\n", "a\nb").is_empty());
        assert_eq!(diff_lines("a\nb\nc\n", "a\nx\nc\n"), ["  a", "- b", "+ x", "  c"]);
        assert_eq!(diff_lines("a\nb\nc\nd", "b\nc\ne\nd"), ["- a", "  b", "  c", "+ e", "  d"]);
        assert_eq!(diff_lines("", "a\nb"), ["+ a", "+ b"]);
        assert_eq!(
            diff_lines("1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nx\n6\n7\n8\n9\n"),
            ["… 2", "  3", "  4", "- 5", "+ x", "  6", "  7", "… 2"]
        );
    }

    #[test]
    fn what_is_new_and_old_gives_both_texts_again() {
        let (first, second) = ("a\nb\nc\nd\ne\nf", "c\nb\na\nd\nf\ng");
        let lines = middle(&first.lines().collect::<Vec<_>>(), &second.lines().collect::<Vec<_>>());
        let side = |skip: fn(&Line) -> bool| {
            let kept = lines.iter().filter(|line| !skip(line));
            kept.map(|line| match line {
                Same(text) | Removed(text) | Added(text) => text.clone(),
                Skipped(_) => unreachable!(),
            })
            .collect::<Vec<_>>()
            .join("\n")
        };
        assert_eq!(side(|line| matches!(line, Added(_))), first);
        assert_eq!(side(|line| matches!(line, Removed(_))), second);
    }
}
