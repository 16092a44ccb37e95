//! `cve-vulnerabilities`: the newest published vulnerabilities with their score.
//!
//! The score is a state with a mark and a word, `8.2 high`, not a number in a colored box: high and medium have the same
//! tone, and the word also tells those apart who cannot see colors.

use std::{cmp::Reverse, time::Duration};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    Category, Entry, FetchError, Moment, OptionProblems, Panel, Reach, Request, Response, Widget, WidgetContext,
    option_types::{Bounded, Lenient, Secret, Text},
    panel::{self, Datum, Entries, Link, Notice, Paragraph, Phrase, SafeUrl, Style, Tone, teaser},
    services::tolerant,
};

const SERVICE: &str = "https://services.nvd.nist.gov/rest/json/cves/2.0";
/// How many characters of a description are shown.
const TEASER: usize = 350;
/// The status with which the service rejects some requests when it has too much to do.
const OVERLOADED: u16 = 503;
/// Pause that the service requires after too many requests.
const PAUSE: Duration = Duration::from_secs(30);
/// The service allows 5 requests in 30 seconds, and 50 with a key. Each refresh takes two, so a page with several such
/// widgets would get errors without pauses.
const SPACING: Duration = Duration::from_secs(6);
const SPACING_WITH_KEY: Duration = Duration::from_millis(600);
/// The service asks for few requests, and each refresh takes two.
const SHORTEST_UPDATE: Duration = Duration::from_secs(600);

/// A timeout that is long enough for most searches.
const LONG_SEARCH: Duration = Duration::from_secs(30);

/// Lists the newest published security vulnerabilities of the National Vulnerability Database (NVD) with score and
/// description. The database may be slow, especially with `keywordSearch`: set `timeout` to 60000.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct CveVulnerabilities {
    /// Only records with this tag. Without it, all.
    cve_tag: Lenient<Tag>,
    /// How many are listed.
    limit: Bounded<5, 5, 30>,
    /// Only vulnerabilities of this severity in CVSS 2: `LOW`, `MEDIUM` or `HIGH`. Without it, all. Only one of the
    /// three severities can be set.
    #[serde(rename = "cvssV2Severity")]
    cvss_v2_severity: Lenient<CvssSeverity>,
    /// Only vulnerabilities of this severity in CVSS 3. Without it, all.
    #[serde(rename = "cvssV3Severity")]
    cvss_v3_severity: Lenient<CvssSeverity>,
    /// Only vulnerabilities of this severity in CVSS 4. Without it, all.
    #[serde(rename = "cvssV4Severity")]
    cvss_v4_severity: Lenient<CvssSeverity>,
    /// Words that the description must all contain. Optional.
    keyword_search: Text,
    /// Only vulnerabilities from this source, such as {example}. Optional.
    #[schemars(extend("x-example" = "security@debian.org"))]
    source_identifier: Text,
    /// Key for the NVD, which allows more requests, or the name of an environment variable. Optional.
    api_key: Secret,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum Tag {
    Disputed,
    UnsupportedWhenAssigned,
    ExclusivelyHostedService,
}

impl Tag {
    const fn word(self) -> &'static str {
        match self {
            Self::Disputed => "disputed",
            Self::UnsupportedWhenAssigned => "unsupported-when-assigned",
            Self::ExclusivelyHostedService => "exclusively-hosted-service",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
enum CvssSeverity {
    #[serde(alias = "low")]
    Low,
    #[serde(alias = "medium")]
    Medium,
    #[serde(alias = "high")]
    High,
    #[serde(alias = "critical")]
    Critical,
}

impl CvssSeverity {
    const fn word(self) -> &'static str {
        match self {
            Self::Low => "LOW",
            Self::Medium => "MEDIUM",
            Self::High => "HIGH",
            Self::Critical => "CRITICAL",
        }
    }
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct PageReply {
    #[serde(deserialize_with = "tolerant::number")]
    total_results: Option<f64>,
    #[serde(deserialize_with = "tolerant::entries")]
    vulnerabilities: Vec<RecordReply>,
}

#[derive(Deserialize)]
struct RecordReply {
    cve: CveReply,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct CveReply {
    id: String,
    #[serde(default)]
    published: String,
    #[serde(default)]
    last_modified: String,
    #[serde(default, deserialize_with = "tolerant::entries")]
    cve_tags: Vec<TagsReply>,
    #[serde(default, deserialize_with = "tolerant::entries")]
    descriptions: Vec<DescriptionReply>,
    #[serde(default)]
    metrics: Value,
    /// Since when it is known to be exploited.
    #[serde(default, deserialize_with = "tolerant::text")]
    cisa_exploit_add: Option<String>,
}

#[derive(Deserialize)]
struct TagsReply {
    #[serde(default, deserialize_with = "tolerant::entries")]
    tags: Vec<String>,
}

#[derive(Deserialize)]
struct DescriptionReply {
    lang: String,
    value: String,
}

impl Widget for CveVulnerabilities {
    const REACH: Reach = Reach::ViaServer;
    const CATEGORY: Category = Category::Development;
    const USUAL_LINES: usize = 12;

    fn check(&self, entry: &Entry, problems: &mut OptionProblems) {
        let severities = self.severities();
        for (name, severity) in &severities {
            if let Some(written) = severity.unknown() {
                problems.error(format!("{name} '{written}' is unknown. Use LOW, MEDIUM, HIGH or CRITICAL."));
            }
        }
        if self.cvss_v2_severity.get() == Some(&CvssSeverity::Critical) {
            problems.error("cvssV2Severity cannot be CRITICAL, which CVSS 2 does not know. Use HIGH.");
        }
        let set = severities.iter().filter(|(_, severity)| **severity != Lenient::Unset).count();
        problems.require(set <= 1, "Use only one of cvssV2Severity, cvssV3Severity and cvssV4Severity.");
        if let Some(written) = self.cve_tag.unknown() {
            problems.error(format!(
                "cveTag '{written}' is unknown. Use disputed, unsupported-when-assigned or exclusively-hosted-service."
            ));
        }
        self.limit.check("limit", problems);
        for former in ["sortBy", "order", "minScore", "hasExploit", "vendorId", "productId"] {
            if entry.options.contains_key(former) {
                problems.note(format!("{former} belongs to a service that was closed, and is ignored."));
            }
        }
        if self.keyword_search.is_set() && entry.timeout < LONG_SEARCH {
            problems.note("Keyword searches at the NVD often take over 20 s. Set `timeout` to 60000.");
        }
        if entry.refreshes_more_often_than(SHORTEST_UPDATE) {
            problems.note("The NVD allows few requests: an updateInterval below 600 is too short.");
        }
    }

    fn refresh(&self) -> Option<Duration> {
        Some(Duration::from_secs(7200))
    }

    async fn fetch(&self, context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        // The newest are on the last page; its position follows from the total.
        let total = self.page(1, 0, context).await?.total_results.unwrap_or_default().max(0.0);
        let mut records: Vec<CveReply> = Vec::new();
        if total >= 1.0 {
            let limit = self.limit.count();
            let start = (total as usize).saturating_sub(limit);
            let page = self.page(limit, start, context).await?;
            records = page.vulnerabilities.into_iter().map(|record| record.cve).collect();
        }
        records.sort_by_cached_key(|record| (Reverse(time(&record.published)), record.id.clone()));
        let part = if records.is_empty() {
            Notice::empty("No vulnerabilities match these filters").into()
        } else {
            Entries::new(records.into_iter().map(CveReply::entry).collect()).into()
        };
        let mut panel = Panel::new(vec![part]);
        if !self.api_key.is_set() {
            let text = "Without an apiKey, the NVD allows 5 requests in 30 seconds; a free one allows 50.";
            panel.parts.push(Paragraph { small: true, ..Paragraph::new(text) }.into());
        }
        let attribution = "This product uses the NVD API but is not endorsed or certified by the NVD.";
        Ok(Panel { credit: Link::parse(attribution, "https://nvd.nist.gov/"), ..panel })
    }
}

impl CveVulnerabilities {
    fn severities(&self) -> [(&'static str, &Lenient<CvssSeverity>); 3] {
        [
            ("cvssV2Severity", &self.cvss_v2_severity),
            ("cvssV3Severity", &self.cvss_v3_severity),
            ("cvssV4Severity", &self.cvss_v4_severity),
        ]
    }

    async fn page(&self, size: usize, start: usize, context: &dyn WidgetContext) -> Result<PageReply, FetchError> {
        let mut reply = context.exchange(self.request(size, start)).await?;
        if reply.status == OVERLOADED {
            // It often works some seconds later; requests to this service are spaced out.
            reply = context.exchange(self.request(size, start)).await?;
        }
        self.explained(&reply)?;
        reply.json()
    }

    fn request(&self, size: usize, start: usize) -> Request {
        let mut request = Request::get(SERVICE).query("resultsPerPage", size).query("startIndex", start);
        // The service requires the bare word.
        request.url.push_str("&noRejected");
        if let Some(tag) = self.cve_tag.get() {
            request = request.query("cveTag", tag.word());
        }
        for (name, severity) in self.severities() {
            if let Some(severity) = severity.get() {
                request = request.query(name, severity.word());
            }
        }
        for (name, text) in [("keywordSearch", &self.keyword_search), ("sourceIdentifier", &self.source_identifier)] {
            if let Some(text) = text.get() {
                request = request.query(name, text);
            }
        }
        if self.api_key.is_set() {
            return request.secret_header("apiKey", &self.api_key).spaced(SPACING_WITH_KEY);
        }
        request.spaced(SPACING)
    }

    /// Errors have an empty body; the reason is in a header.
    fn explained(&self, reply: &Response) -> Result<(), FetchError> {
        let message = reply.header("message").unwrap_or_default();
        match reply.status {
            404 if message.to_ascii_lowercase().contains("apikey") => Err(FetchError::login_refused(
                "services.nvd.nist.gov refused the key: check the option apiKey, or leave it out.",
            )),
            404 if !message.is_empty() => {
                Err(FetchError::message(teaser(&format!("services.nvd.nist.gov refused the filters: {message}"), 200)))
            }
            403 | 429 => {
                let help = if self.api_key.is_set() {
                    ""
                } else {
                    " A free key in the option apiKey allows ten times as many."
                };
                let sentence = format!("Too many requests to the NVD, next try at {{time}}.{help}");
                Err(FetchError::Message { sentence, retry_at: Some(reply.received.after(PAUSE)) })
            }
            _ => Ok(()),
        }
    }
}

fn time(written: &str) -> Option<Moment> {
    Moment::parse_local(written, 0)
}

impl CveReply {
    /// The relevant score: of the newest version, preferably by the database itself.
    fn score(&self) -> Option<f64> {
        ["cvssMetricV40", "cvssMetricV31", "cvssMetricV30", "cvssMetricV2"].iter().find_map(|version| {
            let entries = self.metrics.get(version)?.as_array()?;
            let primary = entries.iter().find(|entry| entry.get("type").is_some_and(|kind| kind == "Primary"));
            tolerant::as_number(primary.or(entries.first())?.pointer("/cvssData/baseScore")?)
        })
    }

    fn entry(self) -> panel::ListEntry {
        let score = self.score();
        let tone = match score {
            Some(score) if score >= 9.0 => Tone::Danger,
            Some(score) if score >= 4.0 => Tone::Warning,
            Some(score) if score > 0.0 => Tone::Success,
            _ => Tone::Neutral,
        };
        let state = match score {
            Some(score) => {
                let decimals = panel::Decimals::Exactly(1);
                let words: &'static str = match score {
                    score if score >= 9.0 => "{score} critical",
                    score if score >= 7.0 => "{score} high",
                    score if score >= 4.0 => "{score} medium",
                    _ => "{score} low",
                };
                Phrase::from(words).with("score", Datum::number(score, panel::Unit::None).decimals(decimals))
            }
            None => "not scored".into(),
        };
        let description = self.descriptions.iter().find(|text| text.lang == "en").or(self.descriptions.first());
        let text = description.map(|text| text.value.split_whitespace().collect::<Vec<_>>().join(" "));
        let is_long = text.as_ref().is_some_and(|text| text.chars().count() > TEASER);
        let mut tags: Vec<Phrase> = Vec::new();
        if self.cisa_exploit_add.is_some() {
            tags.push("known exploited".into());
        }
        tags.extend(self.cve_tags.iter().flat_map(|tags| &tags.tags).map(Phrase::foreign));
        let updated = time(&self.last_modified).filter(|at| Some(*at) != time(&self.published));
        let values = updated.map(|at| Phrase::from("updated {date}").with("date", Datum::time(at, Style::ShortDate)));
        panel::ListEntry {
            url: SafeUrl::parse(&format!("https://nvd.nist.gov/vuln/detail/{}", crate::address::encode(&self.id))),
            state: Some(state),
            tone,
            text: text.map(|text| Phrase::foreign(teaser(&text, TEASER))),
            goes_on: is_long,
            date: time(&self.published),
            date_style: Style::Date,
            values: values.map(Datum::from).into_iter().collect(),
            tags,
            ..panel::ListEntry::new(Phrase::foreign(self.id))
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn requests_keep_to_the_limits_of_the_service() {
        const WINDOW: Duration = Duration::from_secs(30);
        for (options, limit) in [(json!({}), 5), (json!({ "apiKey": "a" }), 50)] {
            let widget: CveVulnerabilities = serde_json::from_value(options).unwrap();
            assert!(widget.request(1, 0).spacing * limit >= WINDOW, "{limit}");
        }
    }
}
