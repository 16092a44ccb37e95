//! What a page says about being shown in a frame: `frame-ancestors` (Content Security Policy Level 3, 6.4.2) and, where
//! there is none, `X-Frame-Options` (HTML, 7.4.1).

/// Scheme, host and port of an origin.
type Origin<'a> = (&'a str, &'a str, u16);

/// The headers of a page that say who may show it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Framing {
    /// The sources of each `frame-ancestors`.
    policies: Vec<String>,
    /// The words of `X-Frame-Options`.
    options: Vec<String>,
}

/// Which sites may show a page in a frame, as far as its headers say so without knowing the site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FramingRule {
    /// Anybody, or a list of sites.
    Allowed,
    /// Only pages of the same origin.
    OwnSiteOnly,
    /// No site.
    Forbidden,
}

impl Framing {
    /// Reads the values of all `Content-Security-Policy` headers and of all `X-Frame-Options` headers.
    pub fn of<'a>(policies: impl Iterator<Item = &'a str>, options: impl Iterator<Item = &'a str>) -> Self {
        let ancestors = |policy: &str| {
            policy.split(';').find_map(|directive| {
                let (name, sources) =
                    directive.trim().split_once(char::is_whitespace).unwrap_or((directive.trim(), ""));
                name.eq_ignore_ascii_case("frame-ancestors").then(|| sources.trim().to_owned())
            })
        };
        Self {
            policies: policies.flat_map(|value| value.split(',')).filter_map(ancestors).collect(),
            options: options.flat_map(|value| value.split(',')).map(|word| word.trim().to_ascii_lowercase()).collect(),
        }
    }

    /// Who may show the page. Each policy must allow it, so the strictest counts.
    pub fn rule(&self) -> FramingRule {
        if self.policies.is_empty() {
            return self.rule_of_options();
        }
        let rules = self.policies.iter().map(|sources| {
            let mut words = sources.split_ascii_whitespace();
            if sources.is_empty() || sources.eq_ignore_ascii_case("'none'") {
                FramingRule::Forbidden
            } else if words.all(|word| word.eq_ignore_ascii_case("'self'")) {
                FramingRule::OwnSiteOnly
            } else {
                FramingRule::Allowed
            }
        });
        rules.max_by_key(|rule| *rule as u8).unwrap_or(FramingRule::Allowed)
    }

    /// Whether a page of the origin `ancestor` may show this page, which has the origin `own`. Both are written as
    /// browsers write them, such as `https://start.example:8443`. What cannot be read counts as allowed.
    pub fn allows(&self, ancestor: &str, own: &str) -> bool {
        let (Some(ancestor), Some(own)) = (origin(ancestor), origin(own)) else { return true };
        if self.policies.is_empty() {
            return match self.rule_of_options() {
                FramingRule::Allowed => true,
                FramingRule::OwnSiteOnly => ancestor == own,
                FramingRule::Forbidden => false,
            };
        }
        self.policies
            .iter()
            .all(|sources| sources.split_ascii_whitespace().any(|source| matches(source, ancestor, own)))
    }

    fn rule_of_options(&self) -> FramingRule {
        let says = |wanted: &str| self.options.iter().any(|word| word == wanted);
        if says("deny") {
            FramingRule::Forbidden
        } else if says("sameorigin") {
            FramingRule::OwnSiteOnly
        } else {
            FramingRule::Allowed
        }
    }
}

fn origin(text: &str) -> Option<Origin<'_>> {
    let (scheme, rest) = text.split_once("://")?;
    let authority = rest.split('/').next()?;
    let has_port = authority.rsplit_once(':').filter(|(_, port)| port.bytes().all(|byte| byte.is_ascii_digit()));
    let (host, port) = match has_port {
        Some((host, port)) => (host, port.parse().ok()?),
        None => (authority, default_port(scheme)),
    };
    Some((scheme, host, port))
}

fn default_port(scheme: &str) -> u16 {
    if scheme.eq_ignore_ascii_case("https") { 443 } else { 80 }
}

/// Whether a source of `frame-ancestors` covers an origin. A source with http covers https too.
fn matches(source: &str, ancestor: Origin<'_>, own: Origin<'_>) -> bool {
    let covers = |scheme: &str| {
        scheme.eq_ignore_ascii_case(ancestor.0) || scheme.eq_ignore_ascii_case("http") && ancestor.0 == "https"
    };
    if source.eq_ignore_ascii_case("'self'") {
        return ancestor == own;
    }
    if source == "*" {
        return true;
    }
    if let Some(scheme) = source.strip_suffix(':') {
        return covers(scheme);
    }
    let (scheme, rest) = source.split_once("://").unwrap_or((own.0, source));
    let authority = rest.split('/').next().unwrap_or_default();
    let (host, port) = match authority.rsplit_once(':') {
        Some((host, port)) if !port.ends_with(']') => (host, Some(port)),
        _ => (authority, None),
    };
    let has_host = match host.strip_prefix('*') {
        Some("") => true,
        Some(end) => ancestor.1.len() > end.len() && ends_with_ignore_case(ancestor.1, end),
        None => host.eq_ignore_ascii_case(ancestor.1),
    };
    let has_port = match port {
        Some("*") => true,
        Some("80") => matches!(ancestor.2, 80 | 443),
        Some(port) => port.parse() == Ok(ancestor.2),
        None => ancestor.2 == default_port(ancestor.0),
    };
    covers(scheme) && has_host && has_port
}

fn ends_with_ignore_case(text: &str, end: &str) -> bool {
    text.len().checked_sub(end.len()).and_then(|at| text.get(at..)).is_some_and(|tail| tail.eq_ignore_ascii_case(end))
}

#[cfg(test)]
mod tests {
    use super::{Framing, FramingRule};

    fn framing(policies: &[&str], options: &[&str]) -> Framing {
        Framing::of(policies.iter().copied(), options.iter().copied())
    }

    #[test]
    fn pages_say_who_may_embed_them() {
        for (policies, options, expected) in [
            (&[][..], &[][..], FramingRule::Allowed),
            (&[], &["DENY"], FramingRule::Forbidden),
            (&[], &["SameOrigin"], FramingRule::OwnSiteOnly),
            (&[], &["ALLOW-FROM https://a.example"], FramingRule::Allowed),
            (&["default-src 'self'"], &[], FramingRule::Allowed),
            (&["frame-ancestors 'none'"], &[], FramingRule::Forbidden),
            (&["img-src *; FRAME-ANCESTORS 'self'"], &[], FramingRule::OwnSiteOnly),
            (&["frame-ancestors 'self' https://*.home.example"], &[], FramingRule::Allowed),
            (&["frame-ancestors"], &[], FramingRule::Forbidden),
            (&["frame-ancestors *, frame-ancestors 'self'"], &[], FramingRule::OwnSiteOnly),
            // The policy counts, and not the older header.
            (&["frame-ancestors *"], &["DENY"], FramingRule::Allowed),
        ] {
            assert_eq!(framing(policies, options).rule(), expected, "{policies:?} {options:?}");
        }
    }

    #[test]
    fn a_page_may_be_shown_where_its_headers_name_the_dashboard() {
        let service = "https://nas.home.example";
        for (policy, option, dashboard, expected) in [
            ("", "", "https://start.example", true),
            ("", "deny", service, false),
            ("", "sameorigin", service, true),
            ("", "sameorigin", "https://start.example", false),
            ("frame-ancestors 'self'", "", service, true),
            ("frame-ancestors 'self'", "", "https://nas.home.example:8443", false),
            ("frame-ancestors 'none'", "", service, false),
            ("frame-ancestors", "", service, false),
            ("frame-ancestors *", "deny", "http://10.0.0.2:8080", true),
            ("frame-ancestors https://start.example", "", "https://start.example", true),
            ("frame-ancestors https://start.example", "", "http://start.example", false),
            ("frame-ancestors http://start.example", "", "https://start.example", true),
            ("frame-ancestors start.example", "", "https://start.example", true),
            ("frame-ancestors start.example", "", "http://start.example", false),
            ("frame-ancestors start.example", "", "https://start.example:8443", false),
            ("frame-ancestors start.example:*", "", "https://start.example:8443", true),
            ("frame-ancestors start.example:8443/path", "", "https://start.example:8443", true),
            ("frame-ancestors *.home.example", "", "https://start.home.example", true),
            ("frame-ancestors *.home.example", "", "https://home.example", false),
            ("frame-ancestors *.HOME.example", "", "https://evilhome.example", false),
            ("frame-ancestors https:", "", "https://start.example", true),
            ("frame-ancestors https:", "", "http://start.example", false),
            ("frame-ancestors 'none', frame-ancestors *", "", service, false),
        ] {
            let framing = framing(&[policy], &[option]);
            assert_eq!(framing.allows(dashboard, service), expected, "{policy:?} {option:?} {dashboard}");
        }
        // Without a scheme in the source the service's own counts.
        assert!(framing(&["frame-ancestors start.lan"], &[]).allows("http://start.lan", "http://nas.lan"));
    }
}
