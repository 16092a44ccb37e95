//! What to check when a service that people run themselves does not respond as it should.

use super::Kind;
use crate::FetchError;

impl Kind {
    /// What to do after this error, as [`FetchError::words`] has it: make sure that the service runs at the address in the
    /// options, or accept its certificate. `None` if the error says enough, or the options hold no such address.
    #[must_use]
    pub fn advice(self, error: &FetchError) -> Option<(&'static str, Vec<(&'static str, String)>)> {
        match error {
            FetchError::Untrusted { .. } => self.address_option().map(|_| {
                ("In your own network, give its authority in NODE_EXTRA_CA_CERTS, or set insecure: true.", Vec::new())
            }),
            FetchError::Unreachable { .. }
            | FetchError::UnknownAddress { .. }
            | FetchError::Failed { .. }
            | FetchError::Unexpected { .. } => {
                let option = self.address_option()?;
                let service = self.services().join(" / ");
                let words = "Check that {service} runs at the address in the option {option}.";
                (!service.is_empty()).then(|| (words, vec![("service", service), ("option", option)]))
            }
            _ => None,
        }
    }

    /// The required option with the address of a service; for a list of services, the list.
    fn address_option(self) -> Option<String> {
        let holds_address = |name: &String| self.example(name).is_some_and(|example| example.contains("http"));
        self.required_options().into_iter().find(holds_address)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn advice(kind: Kind, error: &FetchError) -> Option<(String, String)> {
        let (_, values) = kind.advice(error)?;
        let value =
            |name: &str| values.iter().find(|(other, _)| *other == name).map(|(_, value)| value.clone()).unwrap();
        Some((value("service"), value("option")))
    }

    #[test]
    fn a_service_at_home_is_named_with_its_option() {
        let away = FetchError::Unreachable { host: "nas.lan".to_owned(), reason: "connection refused".to_owned() };
        for (kind, expected) in [
            (Kind::SystemLoad, Some(("Glances", "hostname"))),
            (Kind::SystemCompactMetrics, Some(("Glances", "systems"))),
            (Kind::MetricsRamHistory, Some(("Netdata", "host"))),
            (Kind::VirtualizationLists, Some(("Proxmox VE", "cluster_url"))),
            (Kind::UsenetDownloads, Some(("SABnzbd", "sabnzbdUrl"))),
            // The public service is the default.
            (Kind::CronMonitor, None),
            (Kind::Weather, None),
            // No particular service.
            (Kind::ApiResponse, None),
        ] {
            let expected = expected.map(|(service, option)| (service.to_owned(), option.to_owned()));
            assert_eq!(advice(kind, &away), expected, "{}", kind.name());
        }
    }

    #[test]
    fn errors_that_say_what_to_do_need_no_advice() {
        let host = || "nas.lan".to_owned();
        for (error, is_advised) in [
            (FetchError::Unexpected { host: host(), what: "no JSON".to_owned() }, true),
            (FetchError::UnknownAddress { host: host() }, true),
            (FetchError::Failed { host: host(), status: 502, retry_at: None }, true),
            (FetchError::Untrusted { host: host() }, true),
            (FetchError::TimedOut { host: host(), after: std::time::Duration::from_secs(10) }, false),
            (FetchError::Config { problems: Vec::new() }, false),
            (FetchError::message("Set the option `source`."), false),
        ] {
            assert_eq!(Kind::SystemLoad.advice(&error).is_some(), is_advised, "{error:?}");
            assert_eq!(Kind::Weather.advice(&error), None, "{error:?}");
        }
    }
}
