//! Finding a type by what it shows, its service, or one of its names.

use std::cmp::Reverse;

use nearest::nearest;

use super::Kind;

impl Kind {
    /// The types that match all of these words, ignoring case and hyphens. A word matches if a word in the type's
    /// names, services, keywords or description begins with it. Types whose names or services match come before the
    /// others; both groups are in alphabetical order.
    #[must_use]
    pub fn search(words: &[impl AsRef<str>]) -> Vec<Self> {
        let words = terms(words);
        let mut found: Vec<(Reverse<bool>, Self)> = Vec::new();
        for kind in Self::ALL.iter().copied() {
            let named: Vec<Text> = kind.names().chain(kind.services().iter().copied()).map(Text::new).collect();
            let description = kind.description();
            let about: Vec<Text> = kind.keywords().iter().copied().chain([&*description]).map(Text::new).collect();
            let by_name = |word: &str| named.iter().any(|text| text.has(word));
            let by_subject = |word: &str| about.iter().any(|text| text.has(word));
            if words.iter().all(|word| by_name(word) || by_subject(word)) {
                found.push((Reverse(words.iter().all(|word| by_name(word))), kind));
            }
        }
        found.sort_by_key(|(by_name, kind)| (*by_name, kind.name()));
        found.into_iter().map(|(_, kind)| kind).collect()
    }

    /// A suggestion for a search without results: the same words, with unknown ones corrected. `None` if a word does
    /// not resemble a known one, or if there is nothing to correct.
    #[must_use]
    pub fn corrected_search(words: &[impl AsRef<str>]) -> Option<String> {
        let mut known: Vec<String> = Vec::new();
        for kind in Self::ALL {
            let description = kind.description();
            known.extend(split(&description).map(str::to_lowercase));
            for text in kind.names().chain(kind.services().iter().chain(kind.keywords()).copied()) {
                known.extend(split(text).map(str::to_lowercase));
            }
            known.extend(kind.services().iter().map(|service| service.to_lowercase()));
        }
        let written = words.iter().flat_map(|word| word.as_ref().split_whitespace());
        let mut is_changed = false;
        let corrected = written.map(|word| {
            if Self::search(&[word]).is_empty() {
                is_changed = true;
                nearest(word, known.iter().map(String::as_str)).map(str::to_owned)
            } else {
                Some(word.to_owned())
            }
        });
        let corrected = corrected.collect::<Option<Vec<_>>>()?;
        (is_changed && !Self::search(&corrected).is_empty()).then(|| corrected.join(" "))
    }
}

/// The search terms: only letters and digits.
fn terms(words: &[impl AsRef<str>]) -> Vec<String> {
    let words = words.iter().flat_map(|word| word.as_ref().split_whitespace());
    words.map(|word| split(word).collect::<String>().to_lowercase()).filter(|word| !word.is_empty()).collect()
}

fn split(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty())
}

/// A text without the characters between its words, and the positions where words begin: `pihole` finds `Pi-hole`,
/// `kuma` finds `Uptime Kuma`.
struct Text {
    letters: String,
    starts: Vec<usize>,
}

impl Text {
    fn new(text: &str) -> Self {
        let mut letters = String::new();
        let mut starts = Vec::new();
        for word in split(text) {
            starts.push(letters.len());
            letters.push_str(&word.to_lowercase());
        }
        Self { letters, starts }
    }

    /// Whether a word begins with this one. A plural also finds its singular.
    fn has(&self, word: &str) -> bool {
        let begins = |word: &str| self.starts.iter().any(|start| self.letters[*start..].starts_with(word));
        let ends_at = |singular: &str| {
            let ends = self.starts.iter().copied().skip(1).chain([self.letters.len()]);
            self.starts.iter().zip(ends).any(|(start, end)| &self.letters[*start..end] == singular)
        };
        begins(word) || word.strip_suffix('s').is_some_and(|singular| singular.len() > 2 && ends_at(singular))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(words: &str) -> Vec<&'static str> {
        Kind::search(&[words]).into_iter().map(Kind::name).collect()
    }

    #[test]
    fn a_type_is_found_by_service_name_alias_and_description() {
        for (words, expected) in [
            ("Pi-hole", "dns-sinkhole-stats"),
            ("pihole", "dns-sinkhole-traffic-v6"),
            ("PI HOLE queries", "dns-sinkhole-top-queries"),
            ("AdGuard", "dns-filter-stats"),
            ("nextcloud notifications", "cloud-notifications"),
            ("glances", "system-disk-space"),
            ("proxmox", "virtualization-lists"),
            ("gl-alerts", "system-alerts"),
            ("GlAlerts", "system-alerts"),
            ("kuma", "uptime-status-page"),
            ("speedtest memory", ""),
            ("temperatures fans", "system-cpu-temperature"),
            ("bitcoin", "wallet-balance"),
            ("comics", "web-comic"),
            ("weather", "weather-forecast"),
            ("adblock", "dns-filter-stats"),
            ("agenda", "calendar"),
            ("bandwidth", "system-network-traffic"),
            ("bank holidays", "public-holidays"),
            ("battery", "system-cpu-temperature"),
            ("btc", "crypto-watch-list"),
            ("currencies", "exchange-rates"),
            ("docker", "containers"),
            ("email", "alias-mail"),
            ("eth", "wallet-balance"),
            ("football", "sports-scores"),
            ("hypervisor", "virtualization-lists"),
            ("json", "api-response"),
            ("lxc", "virtualization-lists"),
            ("mail", "alias-mail"),
            ("news", "rss-feed"),
            ("nzb", "usenet-downloads"),
            ("photo", "image"),
            ("ping", "service-status"),
            ("planes", "flight-data"),
            ("podman", "containers"),
            ("podcast", "rss-feed"),
            ("ram", "system-memory-speedometer"),
            ("s-bahn", "transit-departures"),
            ("shares", "stock-price-chart"),
            ("soccer", "sports-scores"),
            ("spam", "blacklist-check"),
            ("ssd", "system-disk-space"),
            ("subway", "tfl-status"),
            ("temperature", "weather"),
            ("to-do", "notes"),
            ("todo list", "notes"),
            ("trains", "transit-departures"),
            ("tube", "tfl-status"),
            ("vms", "virtualization-lists"),
            ("wan ip", "public-ip"),
            ("webcam", "image"),
            ("website", "iframe"),
            ("whois", "domain-monitor"),
            ("wifi", "system-network-interfaces"),
            ("wireguard", "vpn-gateway-info"),
        ] {
            assert_eq!(names(words).contains(&expected), !expected.is_empty(), "{words}: {:?}", names(words));
        }
    }

    #[test]
    fn every_type_is_found_by_each_of_its_names_services_and_keywords() {
        for kind in Kind::ALL.iter().copied() {
            for name in kind.names().chain(kind.services().iter().chain(kind.keywords()).copied()) {
                assert!(Kind::search(&[name]).contains(&kind), "{name}");
            }
        }
    }

    #[test]
    fn all_words_must_fit_and_names_come_first() {
        assert_eq!(names("glances memory dial"), ["system-memory-speedometer"]);
        assert!(names("weather nextcloud").is_empty());
        let found = names("cpu");
        let by_name = found.iter().position(|name| *name == "system-cpu-cores").unwrap();
        assert!(found[..by_name].iter().all(|name| name.contains("cpu")), "{found:?}");
        let found = names("ram");
        assert_eq!(found[0], "metrics-ram-history");
        assert!(
            !found.contains(&"coding-stats"),
            "words count from their beginnings, so no program has any: {found:?}"
        );
        assert_eq!(names(" - ").len(), Kind::ALL.len(), "nothing is looked for");
    }

    #[test]
    fn slips_are_put_right() {
        let corrected = |words: &str| Kind::corrected_search(&[words]);
        assert_eq!(corrected("adgaurd").as_deref(), Some("adguard"));
        assert_eq!(corrected("nextclod users").as_deref(), Some("nextcloud users"));
        assert_eq!(corrected("toaster"), None);
        assert_eq!(corrected("weather nextcloud"), None, "both are known, but not together");
        assert_eq!(corrected(&"x".repeat(10_000)), None);
    }
}
