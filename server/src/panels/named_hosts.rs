//! The hosts named in the options of an entry. A host that an administrator wrote may be contacted wherever it is; any
//! other host that a service names must not be in the private network (docs/spec/widgets.md 11).

use std::collections::HashSet;

use serde_json::Value;
use url::Url;
use widgets::Entry;

/// The hosts named in the options of one entry, in lower case.
#[derive(Debug, Default)]
pub struct NamedHosts(HashSet<String>);

impl NamedHosts {
    /// Hosts in full addresses, in host names, and in addresses within texts.
    pub fn of(entry: &Entry) -> Self {
        let mut hosts = Self::default();
        entry.options.values().for_each(|value| hosts.add(value));
        hosts
    }

    /// Whether the host of an address is one of them.
    pub fn have_host_of(&self, address: &str) -> bool {
        host(address).is_some_and(|host| self.0.contains(&host))
    }

    /// Whether an address may be in the private network: an option names its host, and the page with the options is
    /// ours or on that host.
    pub fn may_be_private(&self, address: &str, page_host: Option<&str>) -> bool {
        self.have_host_of(address) && page_host.is_none_or(|page| host(address).as_deref() == Some(page))
    }

    fn add(&mut self, value: &Value) {
        match value {
            Value::String(text) if text.contains("//") => {
                let is_end = |character: char| character.is_whitespace() || "/?#\\\"'<>()".contains(character);
                let authorities = text.split("//").skip(1).filter_map(|rest| rest.split(is_end).next());
                self.0.extend(authorities.filter_map(|authority| host(&format!("http://{authority}/"))));
            }
            Value::String(text) => self.0.extend(host(&format!("http://{}", text.trim()))),
            Value::Array(values) => values.iter().for_each(|value| self.add(value)),
            Value::Object(values) => values.values().for_each(|value| self.add(value)),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
}

fn host(address: &str) -> Option<String> {
    let url = Url::parse(address.trim()).ok()?;
    url.host_str().map(|host| host.trim_end_matches('.').to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use widgets::OptionProblems;

    use super::*;

    #[test]
    fn hosts_are_found_wherever_options_name_them() {
        let options = json!({ "options": {
            "url": "HTTP://Anna:pw@NAS.lan:5000/api?x=//deep.lan/",
            "feeds": ["https://blog.example/feed", { "more": "//cdn.example/x" }],
            "hostname": "plex.lan:32400",
            "address": "192.168.1.7",
            "html": "<p>See <img src='http://cam.lan/x.png'> and http://[fd00::7]:80/</p>",
            "limit": 10,
            "label": "what is at home",
        } });
        let hosts = NamedHosts::of(&Entry::read(&options, false, &mut OptionProblems::default()));
        for address in [
            "https://nas.lan./logo.png",
            "http://deep.lan",
            "http://blog.example:81/x",
            "http://cdn.example/y",
            "http://plex.lan/photo",
            "http://192.168.1.7/x",
            "http://3232235783/x",
            "http://CAM.lan/y.png",
            "http://[fd00:0::7]/",
        ] {
            assert!(hosts.may_be_private(address, None), "{address}: {hosts:?}");
            assert!(!hosts.may_be_private(address, Some("pages.example")), "{address}");
        }
        assert!(hosts.may_be_private("https://NAS.lan.:81/logo.png", Some("nas.lan")));
        for address in
            ["http://192.168.1.1/", "http://lan/", "http://example/", "http://evilnas.lan/", "/x", "http://home/"]
        {
            assert!(!hosts.have_host_of(address), "{address}: {hosts:?}");
        }
    }
}
