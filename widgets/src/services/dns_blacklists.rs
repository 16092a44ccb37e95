//! Public blacklists queried over DNS, through a resolver that speaks HTTPS and JSON.

use std::{net::IpAddr, time::Duration};

use futures_util::future::{join, join_all, try_join};
use serde::Deserialize;
use serde_json::json;

use crate::{FetchError, Request, WidgetContext, services::tolerant};

/// The default resolver.
pub(crate) const RESOLVER: &str = "https://cloudflare-dns.com/dns-query";
/// How long to remember whether a list responds to this resolver.
const PROBE_LIFE: Duration = Duration::from_secs(86_400);
/// No list may delay the others for longer.
const TIMEOUT: Duration = Duration::from_secs(5);
/// The types of records, with their numbers.
const A: (&str, u64) = ("A", 1);
const AAAA: (&str, u64) = ("AAAA", 28);
/// How many addresses of a host are checked.
const MAX_ADDRESSES: usize = 4;

/// A blacklist.
struct List {
    zone: &'static str,
    /// Whether it has IPv6 addresses too.
    has_ipv6: bool,
    /// The only answer that means that the address is blacklisted; on most lists, every answer does.
    bad: Option<&'static str>,
    /// A name that is on the list in any case, and one that never is.
    tests: (&'static str, &'static str),
}

/// A list of addresses. Every one contains 127.0.0.2, and none contains 127.0.0.1 (RFC 5782).
const fn list(zone: &'static str) -> List {
    List { zone, has_ipv6: false, bad: None, tests: ("2.0.0.127", "1.0.0.127") }
}

/// The lists of addresses. dnsbl.sorbs.net was closed in 2024, and b.barracudacentral.org answers only registered
/// resolvers.
const LISTS: [List; 11] = [
    List { has_ipv6: true, ..list("zen.spamhaus.org") },
    list("bl.spamcop.net"),
    list("psbl.surriel.com"),
    list("dnsbl-1.uceprotect.net"),
    List { has_ipv6: true, ..list("dnsbl.dronebl.org") },
    list("all.spamrats.com"),
    list("z.mailspike.net"),
    list("ix.dnsbl.manitu.net"),
    List { bad: Some("127.0.0.2"), ..list("hostkarma.junkemailfilter.com") },
    list("truncate.gbudb.net"),
    list("bl.blocklist.de"),
];

/// The lists of names.
const NAME_LISTS: [List; 1] = [List { tests: ("dbltest.com", "example.com"), ..list("dbl.spamhaus.org") }];

/// The verdict of one list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Listed,
    /// On a list of addresses that should not send mail, such as those of homes. This is not a problem.
    Policy,
    Clean,
    /// The list does not answer, or refuses this resolver.
    Unknown,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
struct DnsReply {
    #[serde(deserialize_with = "tolerant::number")]
    status: Option<f64>,
    #[serde(deserialize_with = "tolerant::entries")]
    answer: Vec<RecordReply>,
}

#[derive(Deserialize)]
struct RecordReply {
    #[serde(rename = "type")]
    kind: u64,
    data: String,
}

/// The verdicts of all lists on a host with these addresses, and with this name if it is known, each with the name of its
/// list.
pub(crate) async fn check(
    addresses: &[IpAddr],
    name: Option<&str>,
    resolver: &str,
    context: &dyn WidgetContext,
) -> Vec<(&'static str, Verdict)> {
    let of_addresses = LISTS.iter().map(|list| {
        let fitting = addresses.iter().filter(|address| address.is_ipv4() || list.has_ipv6);
        (list, fitting.map(|address| reversed(*address)).collect::<Vec<_>>())
    });
    let of_name = NAME_LISTS.iter().map(|list| (list, name.map(str::to_owned).into_iter().collect()));
    let queries = of_addresses.chain(of_name).filter(|(_, names)| !names.is_empty());
    join_all(queries.map(|(list, names)| async move { (list.zone, list.check(&names, resolver, context).await) })).await
}

/// The public addresses of a host name, at most four; IPv6 addresses only if there are no others.
///
/// # Errors
///
/// The resolver does not respond.
pub(crate) async fn resolve(
    host: &str,
    is_public: impl Fn(IpAddr) -> bool,
    resolver: &str,
    context: &dyn WidgetContext,
) -> Result<Vec<IpAddr>, FetchError> {
    for kind in [A, AAAA] {
        let found = query(host, kind, resolver, context).await?;
        let found = found.iter().filter_map(|address| address.parse().ok()).filter(|address| is_public(*address));
        let found: Vec<IpAddr> = found.take(MAX_ADDRESSES).collect();
        if !found.is_empty() {
            return Ok(found);
        }
    }
    Ok(Vec::new())
}

/// The records of a name that are of this type; empty if there are none.
async fn query(
    name: &str,
    kind: (&str, u64),
    resolver: &str,
    context: &dyn WidgetContext,
) -> Result<Vec<String>, FetchError> {
    let mut request =
        Request::get(resolver).query("name", name).query("type", kind.0).header("Accept", "application/dns-json");
    request.timeout = Some(TIMEOUT);
    let reply = context.exchange(request).await?;
    let message: DnsReply = reply.json()?;
    match message.status.map(|status| status as i64) {
        // Found, or no such name.
        Some(0 | 3) => {
            Ok(message.answer.into_iter().filter(|record| record.kind == kind.1).map(|record| record.data).collect())
        }
        _ => Err(reply.unexpected("an error of the resolver")),
    }
}

impl List {
    /// The worst verdict on these names.
    async fn check(&self, names: &[String], resolver: &str, context: &dyn WidgetContext) -> Verdict {
        let verdicts = join_all(names.iter().map(|name| async move {
            let name = format!("{name}.{}", self.zone);
            query(&name, A, resolver, context).await.map_or(Verdict::Unknown, |found| self.verdict(&found))
        }));
        let (works, verdicts) = join(self.works(resolver, context), verdicts).await;
        let worst = [Verdict::Listed, Verdict::Policy, Verdict::Unknown, Verdict::Clean];
        let verdict = worst.into_iter().find(|verdict| verdicts.contains(verdict));
        verdict.filter(|_| works).unwrap_or(Verdict::Unknown)
    }

    /// Whether the list responds to this resolver at all. Many lists refuse large resolvers, and some of them then look
    /// empty; a list that was closed may list everything.
    async fn works(&self, resolver: &str, context: &dyn WidgetContext) -> bool {
        let key = format!("dns-blacklists/{}/{resolver}", self.zone);
        let test = |name: &str| {
            let name = format!("{name}.{}", self.zone);
            async move { query(&name, A, resolver, context).await.map(|found| self.verdict(&found)) }
        };
        let probe = context.kept(&key, PROBE_LIFE, async {
            let (listed, clean) = try_join(test(self.tests.0), test(self.tests.1)).await?;
            Ok(json!(matches!(listed, Verdict::Listed | Verdict::Policy) && clean == Verdict::Clean))
        });
        probe.await.is_ok_and(|works| works == true)
    }

    fn verdict(&self, found: &[String]) -> Verdict {
        if found.is_empty() {
            return Verdict::Clean;
        }
        // 127.255.255.x means that the list refuses; an address outside 127.0.0.0/8 was made up by the resolver.
        let is_answer = |data: &String| data.starts_with("127.") && !data.starts_with("127.255.255.");
        if !found.iter().all(is_answer) {
            return Verdict::Unknown;
        }
        let is_policy =
            |data: &String| self.zone == "zen.spamhaus.org" && ["127.0.0.10", "127.0.0.11"].contains(&data.as_str());
        match self.bad {
            Some(bad) if !found.iter().any(|data| data == bad) => Verdict::Clean,
            _ if found.iter().all(is_policy) => Verdict::Policy,
            _ => Verdict::Listed,
        }
    }
}

/// An address as lists name it: its parts in reverse order.
fn reversed(address: IpAddr) -> String {
    match address {
        IpAddr::V4(address) => {
            let [a, b, c, d] = address.octets();
            format!("{d}.{c}.{b}.{a}")
        }
        IpAddr::V6(address) => {
            let digits: Vec<String> =
                address.octets().iter().rev().map(|byte| format!("{:x}.{:x}", byte & 15, byte >> 4)).collect();
            digits.join(".")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_written_backwards() {
        assert_eq!(reversed("203.0.113.99".parse().unwrap()), "99.113.0.203");
        let long = "1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2";
        assert_eq!(reversed("2001:db8::1".parse().unwrap()), long);
    }

    #[test]
    fn refusals_are_no_listings() {
        let verdict =
            |list: &List, found: &[&str]| list.verdict(&found.iter().map(|one| (*one).to_owned()).collect::<Vec<_>>());
        let (zen, karma) = (&LISTS[0], &LISTS[8]);
        for (list, found, expected) in [
            (zen, &[][..], Verdict::Clean),
            (zen, &["127.0.0.2", "127.0.0.10"], Verdict::Listed),
            (zen, &["127.0.0.11"], Verdict::Policy),
            (zen, &["127.255.255.254"], Verdict::Unknown),
            (zen, &["203.0.113.1"], Verdict::Unknown),
            (karma, &["127.0.0.1"], Verdict::Clean),
            (karma, &["127.0.0.2"], Verdict::Listed),
        ] {
            assert_eq!(verdict(list, found), expected, "{} {found:?}", list.zone);
        }
    }
}
