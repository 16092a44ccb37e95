//! `system-disk-space`: the disk usage of a machine.
//!
//! A bar has the color of its state, not red for used and green for free: then a full disk stands out among others.

use std::{collections::HashSet, time::Duration};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Category, Entry, FetchError, OptionProblems, Panel, Reach, Widget, WidgetContext,
    panel::{Datum, Decimals, Fact, Facts, Meter, Part, Phrase, Tone, rows},
    services::system_monitor::{Monitor, Readings},
};

/// Longer names are cut in the middle.
const MAX_NAME: usize = 32;

/// Lists the mounted file systems of a machine with their used and free space, from its system monitor (Glances).
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct SystemDiskSpace {
    #[serde(flatten)]
    monitor: Monitor,
}

impl Widget for SystemDiskSpace {
    const SYNONYMS: &'static [(&'static str, &'static str)] = Monitor::SYNONYMS;
    const REACH: Reach = Reach::ViaServer;
    const CATEGORY: Category = Category::Servers;
    const USUAL_LINES: usize = 9;

    fn check(&self, _entry: &Entry, problems: &mut OptionProblems) {
        self.monitor.check(problems);
    }

    fn refresh(&self) -> Option<Duration> {
        Some(Duration::from_secs(60))
    }

    async fn fetch(&self, context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        let mut mounts = self.monitor.list("fs", context).await?;
        let mut seen = HashSet::new();
        mounts.retain(|mount| is_shown(mount) && seen.insert(identity(mount)));
        if mounts.is_empty() {
            return Ok(Panel::empty("No file systems are visible to the metrics server"));
        }
        Ok(Panel::new(rows(mounts.iter().map(|mount| [part(mount)]))))
    }
}

/// Inside a container, single files below `/etc` are separate mounts.
fn is_shown(mount: &Readings) -> bool {
    !mount.text("mnt_point").unwrap_or_default().starts_with("/etc/")
}

/// Identifies duplicate entries.
fn identity(mount: &Readings) -> String {
    let text = |name: &str| mount.text(name).unwrap_or_default();
    format!("{}\n{}\n{:?}", text("device_name"), text("mnt_point"), mount.number("size"))
}

fn part(mount: &Readings) -> Part {
    let (whole, label) = label(mount);
    let hint = (whole != label).then(|| Phrase::foreign(whole));
    let label = Phrase::foreign(label);
    let Some(size) = mount.above_zero("size") else {
        // A network share that does not respond.
        return Facts { facts: vec![Fact { hint, ..Fact::new(label, Phrase::from("unknown")) }] }.into();
    };
    let used = mount.number("used").map(|used| used / size * 100.0);
    let percent = mount.number("percent").or(used);
    let bytes = |bytes: f64| Datum::bytes(bytes.max(0.0).round()).decimals(Decimals::Exactly(1));
    let text = Phrase::from("{free} free of {size}").with("free", mount.number("free").map(bytes));
    Meter {
        label,
        share: percent.unwrap_or_default() / 100.0,
        text: Some(text.with("size", bytes(size))),
        tone: percent.map_or(Tone::Neutral, tone),
        hint,
        ..Meter::default()
    }
    .into()
}

/// The name, the mount point, and the type: whole, and shortened.
fn label(mount: &Readings) -> (String, String) {
    let device = mount.text("device_name").map(|device| {
        ["/dev/mapper/", "/dev/"].iter().find_map(|folder| device.strip_prefix(folder)).unwrap_or(device)
    });
    let name = mount.text("alias").or(device);
    let point = mount.text("mnt_point").filter(|point| Some(*point) != name);
    let kind = mount.text("fs_type");
    let pieces: Vec<&str> = [name, point, kind].into_iter().flatten().collect();
    let short: Vec<String> = pieces.iter().map(|piece| shortened(piece)).collect();
    (pieces.join(" · "), short.join(" · "))
}

fn tone(percent: f64) -> Tone {
    match percent {
        percent if percent < 70.0 => Tone::Plain,
        percent if percent < 90.0 => Tone::Warning,
        _ => Tone::Danger,
    }
}

/// A long name without its middle, since both ends distinguish it from others.
fn shortened(name: &str) -> String {
    let letters: Vec<char> = name.chars().collect();
    if letters.len() <= MAX_NAME {
        return name.to_owned();
    }
    let (first, last) = (MAX_NAME / 2, MAX_NAME / 2 - 1);
    letters[..first].iter().chain(&['…']).chain(&letters[letters.len() - last..]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_lose_their_middle() {
        assert_eq!(shortened("/mnt/data"), "/mnt/data");
        let cut = shortened("/var/lib/docker/overlay2/8c7d6e5f4a3b2c1d/merged");
        assert_eq!((cut.as_str(), cut.chars().count()), ("/var/lib/docker/…4a3b2c1d/merged", 32));
    }
}
