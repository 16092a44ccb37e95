//! A QR code, drawn as one path. Always dark on light, with the margin that cameras need.

use leptos::prelude::*;
use widgets::panel;

use super::value::plain;

/// The margin, in modules.
const MARGIN: usize = 4;

/// The code.
#[component]
pub fn QrCode<'a>(code: &'a panel::QrCode) -> impl IntoView {
    let size = (code.rows.len() + 2 * MARGIN).to_string();
    view! {
        <svg
            class="part part-qr-code"
            role="img"
            aria-label=plain(&code.label)
            viewBox=["0 0 ", &size, " ", &size].concat()
        >
            <rect width=size.clone() height=size.clone()></rect>
            <path d=path(&code.rows)></path>
        </svg>
    }
}

/// One rectangle for each run of dark modules.
fn path(rows: &[String]) -> String {
    let mut path = String::new();
    for (y, row) in rows.iter().enumerate() {
        let mut x = 0;
        while let Some(begin) = row.get(x..).and_then(|rest| rest.find('#')) {
            let begin = x + begin;
            let end = row[begin..].find('.').map_or(row.len(), |length| begin + length);
            let width = (end - begin).to_string();
            for piece in ["M", &(begin + MARGIN).to_string(), " ", &(y + MARGIN).to_string(), "h", &width] {
                path.push_str(piece);
            }
            path.push_str("v1h-");
            path.push_str(&width);
            path.push('z');
            x = end;
        }
    }
    path
}
