//! The SVG paths of values over an axis, in whole units of the grid that a chart is drawn on. The server draws all of them;
//! the browser draws a stack again when one of its series is taken out.

/// The grid of the drawing.
pub const WIDTH: i64 = 4000;
/// The highest line of the grid; the lines are counted from the top.
pub const HEIGHT: i64 = 1000;

/// One value as it is drawn: at which place of the grid, and from which line to which; nothing is a gap.
#[derive(Clone, Copy)]
pub struct Mark {
    /// The place from the left.
    pub x: i64,
    /// The line where it begins, and the one that it reaches.
    pub range: Option<(i64, i64)>,
}

/// The line of the grid at which a value is, on an axis of this length from its lowest value.
pub fn line_of(value: f64, low: f64, span: f64) -> i64 {
    let share = (value - low) / span;
    // Clamped; a base below the axis ends at its edge.
    #[allow(clippy::cast_possible_truncation)]
    let up = (share.clamp(0.0, 1.0) * 1000.0 + 0.5) as i64;
    HEIGHT - up
}

/// A line along the values, with gaps where there is none, and the area between it and where they begin.
pub fn lines(marks: &[Mark]) -> (String, String) {
    let (mut line, mut area) = (String::new(), String::new());
    for run in marks.split(|mark| mark.range.is_none()) {
        for (index, mark) in run.iter().enumerate() {
            let top = mark.range.map_or(HEIGHT, |(_, top)| top);
            let letter = if index == 0 { 'M' } else { 'L' };
            push(&mut line, letter, mark.x, top);
            push(&mut area, letter, mark.x, top);
        }
        // A value between two gaps is a dot, because the ends of lines are round.
        if run.len() == 1 {
            line.push_str("h0");
        }
        if !run.is_empty() {
            for mark in run.iter().rev() {
                push(&mut area, 'L', mark.x, mark.range.map_or(HEIGHT, |(base, _)| base));
            }
            area.push('Z');
        }
    }
    (line, area)
}

/// A bar for each value, which begins so far from its place and is so wide.
pub fn bars(marks: &[Mark], shift: i64, width: i64) -> String {
    let mut path = String::new();
    for mark in marks {
        let Some((base, top)) = mark.range else { continue };
        push(&mut path, 'M', mark.x + shift, base);
        path.push('V');
        path.push_str(&top.to_string());
        path.push('h');
        path.push_str(&width.to_string());
        path.push('V');
        path.push_str(&base.to_string());
        path.push('Z');
    }
    path
}

/// Adds a step of a path.
pub fn push(path: &mut String, letter: char, x: i64, y: i64) {
    path.push(letter);
    path.push_str(&x.to_string());
    path.push(' ');
    path.push_str(&y.to_string());
}
