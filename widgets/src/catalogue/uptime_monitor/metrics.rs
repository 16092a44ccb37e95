//! The Prometheus metrics page: lines with a name, labels and a number; several lines make up one monitor.

use std::collections::BTreeMap;

/// The state of a monitor, worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum State {
    Down,
    Pending,
    Maintenance,
    Unknown,
    Up,
    /// Currently not monitored.
    Paused,
}

/// One monitor.
#[derive(Clone, Debug)]
pub(super) struct Monitor {
    pub name: String,
    /// What it monitors, such as `http` or `ping`.
    pub kind: String,
    pub state: State,
    /// The page that it monitors.
    pub url: Option<String>,
    /// The host and the port, if it does not monitor a page.
    host: Option<String>,
    port: Option<String>,
    /// In milliseconds.
    pub response: Option<f64>,
    pub certificate_days: Option<f64>,
    pub certificate_is_valid: Option<bool>,
    /// The uptime in the last day and in the last 30 days, from 0 to 1.
    pub uptime: [Option<f64>; 2],
}

impl Monitor {
    fn new(labels: &BTreeMap<String, String>) -> Self {
        let label = |name: &str| {
            let value = labels.get(name).map(|value| value.trim())?;
            // Labels that are not set are written in one of these ways.
            (!["", "null", "https://", "http://"].contains(&value)).then(|| value.to_owned())
        };
        Self {
            name: labels.get("monitor_name").cloned().unwrap_or_default(),
            kind: label("monitor_type").unwrap_or_default(),
            state: State::Paused,
            url: label("monitor_url").filter(|url| url.starts_with("http://") || url.starts_with("https://")),
            host: label("monitor_hostname"),
            port: label("monitor_port"),
            response: None,
            certificate_days: None,
            certificate_is_valid: None,
            uptime: [None; 2],
        }
    }

    /// Whether it is a group of others.
    pub(super) fn is_group(&self) -> bool {
        self.kind == "group"
    }

    /// The address that it monitors, for display.
    pub(super) fn address(&self) -> String {
        match (&self.host, &self.port) {
            (Some(host), Some(port)) => format!("{host}:{port}"),
            (Some(host), None) => host.clone(),
            (None, _) => self.url.as_deref().map(crate::address::without_user).unwrap_or_default(),
        }
    }

    fn add(&mut self, family: &str, labels: &BTreeMap<String, String>, number: Option<f64>) {
        match family {
            "monitor_status" => {
                self.state = match number {
                    Some(0.0) => State::Down,
                    Some(1.0) => State::Up,
                    Some(2.0) => State::Pending,
                    Some(3.0) => State::Maintenance,
                    _ => State::Unknown,
                }
            }
            "monitor_response_time" => self.response = number.filter(|time| *time >= 0.0),
            "monitor_cert_days_remaining" => self.certificate_days = number,
            "monitor_cert_is_valid" => self.certificate_is_valid = number.map(|number| number == 1.0),
            "monitor_uptime_ratio" => match labels.get("window").map(String::as_str) {
                Some("1d") => self.uptime[0] = number,
                Some("30d") => self.uptime[1] = number,
                _ => {}
            },
            _ => {}
        }
    }
}

/// The monitors of a page, in its order. Lines that cannot be read are left out.
pub(super) fn read(page: &str) -> Vec<Monitor> {
    let mut monitors: Vec<(String, Monitor)> = Vec::new();
    for (family, labels, number) in page.lines().filter_map(line) {
        if !labels.contains_key("monitor_name") {
            continue;
        }
        let label = |name: &str| labels.get(name).map(String::as_str).unwrap_or_default();
        let key = match labels.get("monitor_id") {
            Some(id) => id.clone(),
            None => ["monitor_name", "monitor_url", "monitor_hostname", "monitor_port"].map(label).join("\n"),
        };
        let place = monitors.iter().position(|(other, _)| *other == key).unwrap_or_else(|| {
            monitors.push((key, Monitor::new(&labels)));
            monitors.len() - 1
        });
        monitors[place].1.add(family, &labels, number);
    }
    monitors.into_iter().map(|(_, monitor)| monitor).collect()
}

/// Parses `name{label="value",...} number`, for the metrics about monitors.
fn line(line: &str) -> Option<(&str, BTreeMap<String, String>, Option<f64>)> {
    let line = line.trim_start();
    let (family, rest) = line.split_once('{')?;
    if !family.starts_with("monitor_") {
        return None;
    }
    let mut labels = BTreeMap::new();
    let mut rest = rest.trim_start();
    loop {
        if let Some(end) = rest.strip_prefix('}') {
            let number = end.split_whitespace().next()?.parse::<f64>().ok().filter(|number| number.is_finite());
            return Some((family, labels, number));
        }
        let (name, value) = rest.split_once("=\"")?;
        let (value, after) = quoted(value)?;
        labels.insert(name.trim().to_owned(), value);
        rest = after.trim_start().trim_start_matches(',').trim_start();
    }
}

/// The text up to the closing quotation mark, and the text after it.
fn quoted(text: &str) -> Option<(String, &str)> {
    let mut value = String::new();
    let mut letters = text.char_indices();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '"' => return Some((value, &text[at + 1..])),
            '\\' => match letters.next()?.1 {
                'n' => value.push('\n'),
                other => value.push(other),
            },
            other => value.push(other),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_may_hold_anything() {
        let read = |text: &'static str| line(text);
        let (family, labels, number) =
            read(r#"monitor_status{monitor_name="a \"b\", {c}\\",x=""} 1.5e+09 17"#).unwrap();
        assert_eq!((family, number), ("monitor_status", Some(1.5e9)));
        assert_eq!(labels["monitor_name"], r#"a "b", {c}\"#);
        assert_eq!(read(r#"monitor_status{monitor_name="a"} Nan"#).unwrap().2, None);
        for other in
            ["# HELP monitor_status x", "app_version{version=\"2\"} 1", "monitor_status{a=\"b", "monitor_status 1"]
        {
            assert!(line(other).is_none(), "{other}");
        }
    }
}
