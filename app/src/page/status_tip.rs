//! The tooltip of a tile with a status: the result of the last check, and a small chart of the previous ones.

use std::fmt::Write as _;

use leptos::prelude::*;
use widgets::panel::{Decimals, Unit};

use crate::{
    parts::{number::plain_number, phrase::ours},
    words::{fill, t, t_for_script, t_for_script_with},
};

/// Width of a bar including the gap, and height of the chart, in units of the drawing.
const STEP: usize = 4;
const HEIGHT: u32 = 24;
/// Maximum number of bars. Fewer bars are aligned to the end, so the newest one is always in the same place.
const BARS: usize = 30;
/// Minimum height of a bar.
const LOWEST: u32 = 4;

/// The results of the checks of an item.
#[derive(Clone, Debug, Default)]
pub struct StatusTip {
    /// Whether the last one succeeded.
    pub is_up: bool,
    /// Its result, such as `200 - OK`.
    pub summary: String,
    /// What is wrong although it succeeded.
    pub warning: Option<String>,
    /// The response time; `None` if there was no response.
    pub millis: Option<u32>,
    /// When it was.
    pub seconds_ago: u64,
    /// The last response times in milliseconds, oldest first; `None` for failed checks.
    pub samples: Vec<Option<u32>>,
    /// The share of the checks of the last 24 hours that succeeded, 0 to 1, and their number.
    pub uptime: Option<f64>,
    /// How many checks there were in the last 24 hours.
    pub checks: u32,
    /// Whether there is a place for what its container uses, which the browser asks for.
    pub asks_usage: bool,
}

/// What a container uses.
#[derive(Clone, Debug, Default)]
pub struct UsageTip {
    /// The share of one processor.
    pub processor: Option<f64>,
    /// Memory in bytes.
    pub memory: Option<u64>,
    /// Bytes received since it started.
    pub received: Option<u64>,
    /// Bytes sent.
    pub sent: Option<u64>,
}

/// Processor and memory on one line of text, traffic on the next one; empty if nothing is known.
#[expect(clippy::cast_precision_loss, reason = "few digits are shown")]
pub fn usage_tip(usage: UsageTip) -> String {
    let number = |value: f64, unit: &Unit| plain_number(value, unit, Decimals::Usual, false);
    let bytes = |name: &str, bytes: Option<u64>| {
        bytes.map(|bytes| [ours(name), "\u{a0}", &number(bytes as f64, &Unit::Bytes)].concat())
    };
    let processor = usage.processor.map(|share| ["CPU\u{a0}", &number(share * 100.0, &Unit::Percent)].concat());
    let lines =
        [[processor, bytes("Memory", usage.memory)], [bytes("Received", usage.received), bytes("Sent", usage.sent)]];
    let lines = lines.map(|parts| parts.into_iter().flatten().collect::<Vec<_>>().join(" · "));
    lines.into_iter().filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
}

/// The markup; a sentence if there has been no check yet.
pub fn status_tip(tip: Option<StatusTip>) -> String {
    let Some(tip) = tip else {
        return view! { <p>{t("Status: not checked yet")}</p> }.to_html();
    };
    let result = match tip.millis {
        Some(millis) => fill("{result} in {count} ms", &[("result", &tip.summary), ("count", &millis.to_string())]),
        None => tip.summary.clone(),
    };
    let ago = ago(tip.seconds_ago);
    let uptime = tip.uptime.filter(|_| tip.checks > 1);
    let uptime = uptime.map(|uptime| [" · ", &t_for_script_with("{percent} in 24 h", &percent(uptime))].concat());
    let chart = (tip.samples.len() > 1).then(|| chart(&tip.samples));
    let (state, word) = if tip.is_up { ("up", t("Up")) } else { ("down", t("Down")) };
    view! {
        <p class="status-result" data-state=state>
            <strong>{word}</strong>
            ": "
            {result}
        </p>
        {tip.warning.map(|warning| view! { <p class="status-warning">{warning}</p> })}
        {chart}
        <p class="status-more">{ago}{uptime}</p>
        {tip.asks_usage.then(|| view! { <p class="status-more status-usage" hidden></p> })}
    }
    .to_html()
}

/// One bar for each check: its height is the response time; failed checks have the full height and another tone.
fn chart(samples: &[Option<u32>]) -> impl IntoView + use<> {
    let samples = &samples[samples.len().saturating_sub(BARS)..];
    let longest = samples.iter().flatten().copied().max().unwrap_or_default().max(1);
    let (mut up, mut down) = (String::new(), String::new());
    for (position, sample) in samples.iter().enumerate() {
        let x = (BARS - samples.len() + position) * STEP;
        let (path, height) = match sample {
            // The quotient is at most the height.
            Some(millis) => {
                let share = u64::from(*millis) * u64::from(HEIGHT - LOWEST) / u64::from(longest);
                (&mut up, LOWEST + u32::try_from(share).unwrap_or(HEIGHT - LOWEST))
            }
            None => (&mut down, HEIGHT),
        };
        _ = write!(path, "M{x} {HEIGHT}v-{height}h3v{height}z");
    }
    let failed = samples.iter().filter(|sample| sample.is_none()).count();
    let [count, failed, longest] = [samples.len().to_string(), failed.to_string(), longest.to_string()];
    let label = fill(
        "The last {count} checks: {failed} failed, the slowest answer took {longest} ms",
        &[("count", &count), ("failed", &failed), ("longest", &longest)],
    );
    let view_box = format!("0 0 {} {HEIGHT}", BARS * STEP - 1);
    view! {
        <svg class="status-chart" viewBox=view_box preserveAspectRatio="none" role="img" aria-label=label>
            <path class="up" d=up></path>
            <path class="down" d=down></path>
        </svg>
    }
}

fn ago(seconds: u64) -> String {
    match seconds {
        0..=1 => t_for_script("Checked just now"),
        2..=119 => t_for_script_with("Checked {count} s ago", &seconds.to_string()),
        120..=7199 => t_for_script_with("Checked {count} min ago", &(seconds / 60).to_string()),
        _ => t_for_script_with("Checked {count} h ago", &(seconds / 3600).to_string()),
    }
}

/// A share as text: never 100 % if anything failed.
fn percent(share: f64) -> String {
    let tenths = (share * 1000.0).floor() / 10.0;
    if share >= 1.0 { "100 %".to_owned() } else { format!("{tenths:.1} %") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_what_was_found() {
        let tip = StatusTip {
            is_up: false,
            summary: "connection <refused>".to_owned(),
            seconds_ago: 130,
            samples: vec![Some(40), Some(20), None],
            uptime: Some(0.9999),
            checks: 20_000,
            ..StatusTip::default()
        };
        let html = status_tip(Some(tip));
        assert!(html.contains("Down") && html.contains("connection &lt;refused&gt;"), "{html}");
        assert!(html.contains("Checked 2 min ago") && html.contains("99.9 % in 24 h"), "{html}");
        assert!(
            html.contains("d=\"M108 24v-24h3v24zM112 24v-14h3v14z\"") && html.contains("d=\"M116 24v-24h3v24z\""),
            "{html}"
        );
        assert!(status_tip(None).contains("not checked yet"));
    }

    #[test]
    fn a_container_has_a_line_with_what_it_uses() {
        let usage =
            UsageTip { processor: Some(0.0312), memory: Some(210 << 20), received: Some(1_288_490_189), sent: Some(0) };
        let text = usage_tip(usage).replace('\u{a0}', " ");
        assert_eq!(text, "CPU 3.12% · Memory 210 MB\nReceived 1.2 GB · Sent 0 B");
        assert_eq!(usage_tip(UsageTip::default()), "");
        let tip = StatusTip { asks_usage: true, ..StatusTip::default() };
        assert!(status_tip(Some(tip)).contains("status-usage"));
        assert!(!status_tip(Some(StatusTip::default())).contains("status-usage"));
    }
}
