//! The API of a system monitor that people run on the machine to be watched: address, login, versions, histories.

use std::{collections::BTreeMap, time::Duration};

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Value, json};

use crate::{
    FetchError, Moment, Outside, Problems, Reply, Request,
    option_types::{BaseAddress, Lenient, Number, Secret, Text},
};

/// The versions of the API that are tried, one after the other, when the options name none.
const VERSIONS: [u32; 3] = [4, 3, 2];
/// How long the version that answered is remembered.
const DAY: Duration = Duration::from_secs(86_400);
/// Clocks that differ by more than this are in another time zone.
const MOST_DRIFT: i64 = 10 * 60 * 1000;
/// Time zones differ by whole quarters of an hour.
const QUARTER: i64 = 15 * 60 * 1000;

/// The options that all widgets of a system monitor have. Flattened into theirs.
#[derive(Debug, Default, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Monitor {
    /// Address of the system monitor, such as `http://192.168.1.10:61208`. Required.
    hostname: Lenient<BaseAddress>,
    /// Name of its user, if it has a password. Without it, `glances`.
    username: Text,
    /// Its password, or the name of an environment variable. Without it, no login is sent.
    password: Secret,
    /// Version of its API: 2, 3 or 4. Without it, the one that answers.
    api_version: Lenient<Number>,
}

impl Monitor {
    /// The names that people write for its options.
    pub(crate) const SYNONYMS: &'static [(&'static str, &'static str)] = &[("host", "hostname"), ("url", "hostname")];

    /// Says what is wrong with these options.
    pub(crate) fn check(&self, problems: &mut Problems) {
        problems.require(
            self.hostname.get().is_some_and(BaseAddress::is_set),
            "Set the option hostname to the address of the metrics server, for example http://192.168.1.10:61208.",
        );
        let is_version = |number: &Number| number.get() >= 2.0 && number.get() <= 1000.0 && number.get().fract() == 0.0;
        let is_wrong = self.api_version.unknown().is_some() || !self.api_version.get().is_none_or(is_version);
        problems.require(!is_wrong, "apiVersion must be 2, 3 or 4.");
    }

    /// Reads a part such as `network/history/100`. `part` is its name for messages.
    ///
    /// # Errors
    ///
    /// If the monitor refuses, does not have this part, or answers something else.
    pub(crate) async fn read<T: DeserializeOwned>(
        &self,
        part: &str,
        path: &str,
        outside: &impl Outside,
    ) -> Result<T, FetchError> {
        let reply = self.ask(path, outside).await?;
        if reply.status == 400 {
            let host = &reply.host;
            return Err(FetchError::told(if reply.text().contains("Invalid host header") {
                format!("{host} only accepts other host names: allow this one in its settings.")
            } else {
                format!("{host} does not offer {part}: this part is switched off on the machine.")
            }));
        }
        reply.json()
    }

    /// Asks the version that the options name, else the one that is known to answer, else all of them.
    async fn ask(&self, path: &str, outside: &impl Outside) -> Result<Reply, FetchError> {
        let address = self.hostname.get().cloned().unwrap_or_default();
        if let Some(version) = self.api_version.get() {
            // The check has found a whole number within the range.
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
            return self.ask_version(&address, version.get() as u32, path, outside).await;
        }
        let key = format!("system-monitor/{}/version", address.public());
        let known =
            outside.recall(&key).as_ref().and_then(Value::as_u64).and_then(|version| u32::try_from(version).ok());
        let mut reply = self.ask_version(&address, known.unwrap_or(VERSIONS[0]), path, outside).await?;
        for version in VERSIONS {
            if reply.status != 404 {
                break;
            }
            if version == known.unwrap_or(VERSIONS[0]) {
                continue;
            }
            reply = self.ask_version(&address, version, path, outside).await?;
            if reply.status != 404 {
                outside.remember(&key, json!(version), DAY);
            }
        }
        Ok(reply)
    }

    async fn ask_version(
        &self,
        address: &BaseAddress,
        version: u32,
        path: &str,
        outside: &impl Outside,
    ) -> Result<Reply, FetchError> {
        // People copy addresses with the version that they saw, which may be none that we know.
        let written = address.public();
        let version_in_it = &written[written.trim_end_matches(|digit: char| digit.is_ascii_digit()).len()..];
        let address = address.without(&[&format!("/api/{version_in_it}"), "/api"]);
        let url = address.join(&format!("/api/{version}/{path}"), &[]);
        let request = Request::get(url).header("Accept", "application/json");
        let request = if self.password.is_set() {
            request.basic(self.username.get().unwrap_or("glances"), &self.password)
        } else {
            request
        };
        outside.exchange(request).await
    }
}

/// What a monitor remembers, by the name of the series.
pub(crate) type HistoryReply = BTreeMap<String, Vec<(String, Option<f64>)>>;

/// The points of one series with their times, the oldest first. Times without zone are those of the watched machine,
/// whose zone is not known; but a point is added whenever somebody asks, so the newest is about now.
pub(crate) fn timed(points: &[(String, Option<f64>)], now: Moment) -> Vec<(Moment, Option<f64>)> {
    let mut has_zone = false;
    let read = |(written, value): &(String, Option<f64>)| {
        let exact = Moment::parse(written);
        has_zone |= exact.is_some();
        exact.or_else(|| Moment::parse_local(written, 0)).map(|at| (at, *value))
    };
    let mut points: Vec<_> = points.iter().filter_map(read).collect();
    let drift = points.last().map_or(0, |(newest, _)| now.millis().saturating_sub(newest.millis()));
    if !has_zone && drift.abs() > MOST_DRIFT {
        let quarters = (drift + QUARTER.div_euclid(2)).div_euclid(QUARTER);
        for (at, _) in &mut points {
            *at = Moment::from_millis(at.millis().saturating_add(quarters * QUARTER));
        }
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_without_zone_end_about_now() {
        let now = Moment::from_seconds(1_795_251_600);
        for (newest, expected) in [
            ("2026-11-21T08:59:58", -2),
            ("2026-11-21T10:00:02.5", 2),
            ("2026-11-21T14:29:50", -10),
            ("2026-11-21T03:15:00", 0),
            ("2026-11-21T05:00:00+00:00", -4 * 3600),
        ] {
            let points = timed(&[(newest.to_owned(), Some(1.0))], now);
            assert_eq!(points[0].0.seconds() - now.seconds(), expected, "{newest}");
        }
        assert_eq!(timed(&[("soon".to_owned(), None)], now), []);
    }
}
