//! The SVG paths of values above an axis, in whole units of the grid of a chart. The server draws all of them; the
//! browser redraws a stack when one of its series is removed.

/// The width of the drawing's grid.
pub const WIDTH: i64 = 4000;
/// The height of the grid; y counts from the top.
pub const HEIGHT: i64 = 1000;

/// One value as drawn: its x position, and from which y to which; `None` is a gap.
#[derive(Clone, Copy)]
pub struct Mark {
    /// The x position.
    pub x: i64,
    /// The y where it starts, and the y that it reaches.
    pub range: Option<(i64, i64)>,
}

/// The y of a value, on an axis of length `span` that begins at `low`.
pub fn line_of(value: f64, low: f64, span: f64) -> i64 {
    let share = (value - low) / span;
    // Clamped; a base below the axis ends at its edge.
    let up = (share.clamp(0.0, 1.0) * 1000.0 + 0.5) as i64;
    HEIGHT - up
}

/// A line along the values, with gaps where there are none, and the area between it and the base.
pub fn lines(marks: &[Mark]) -> (String, String) {
    let (mut line, mut area) = (String::new(), String::new());
    for run in marks.split(|mark| mark.range.is_none()) {
        for (index, mark) in run.iter().enumerate() {
            let top = mark.range.map_or(HEIGHT, |(_, top)| top);
            let letter = if index == 0 { 'M' } else { 'L' };
            push(&mut line, letter, mark.x, top);
            push(&mut area, letter, mark.x, top);
        }
        // A value between two gaps is a dot, because lines have round ends.
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

/// A bar for each value, shifted from its x position, with this width.
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
