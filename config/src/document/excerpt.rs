//! The lines around a position, for messages.

/// Maximum number of columns that an excerpt shows of a line.
const WIDTH: usize = 100;

/// Lines that an excerpt shows before and after the line in question.
const AROUND: usize = 2;

/// The lines around a position, numbered, with a mark below the column. Empty if there is no such line.
pub(super) fn excerpt(source: &str, line: usize, column: usize) -> String {
    let Some(middle) = line.checked_sub(1) else { return String::new() };
    let first = middle.saturating_sub(AROUND);
    let lines: Vec<&str> = source.lines().skip(first).take(middle - first + 1 + AROUND).collect();
    let digits = (first + lines.len()).to_string().len();
    // A very long line is shown from a little before the position; all lines are shifted by the same amount.
    let skip = if column > WIDTH { column - WIDTH / 2 } else { 0 };
    let mut excerpt = String::new();
    for (offset, text) in lines.iter().enumerate() {
        let number = first + offset + 1;
        let sign = if number == line { '>' } else { ' ' };
        let shown: String = text
            .chars()
            .skip(skip)
            .take(WIDTH)
            .map(|character| if character.is_control() { ' ' } else { character })
            .collect();
        excerpt.push_str(format!("{sign} {number:digits$} | {shown}").trim_end());
        excerpt.push('\n');
        if number == line {
            let blanks = column.saturating_sub(1).saturating_sub(skip);
            excerpt.push_str(&format!("  {:digits$} | {:blanks$}^\n", "", ""));
        }
    }
    if lines.len() <= middle - first {
        // The position is the end of the text, after its last line.
        excerpt.push_str(&format!("> {line:digits$} |\n  {:digits$} | ^\n", ""));
    }
    excerpt.truncate(excerpt.trim_end().len());
    excerpt
}
