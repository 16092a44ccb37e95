//! Public blacklists that are asked over DNS, by way of a resolver that speaks HTTPS and JSON.

use std::{net::IpAddr, time::Duration};

use futures_util::future::{join, join_all};
use serde::Deserialize;
use serde_json::json;

use crate::{FetchError, Outside, Request, services::tolerant};

/// The resolver that is asked unless the options name another.
pub(crate) const RESOLVER: &str = "https://cloudflare-dns.com/dns-query";
/// How long it is remembered whether a list answers this resolver.
const PROBE_LIFE: Duration = Duration::from_secs(86_400);
/// No list may keep the others waiting for longer.
const TIMEOUT: Duration = Duration::from_secs(5);
/// The types of records, by number.
const A: u64 = 1;

/// A list.
struct List {
    zone: &'static str,
    /// It knows IPv6 addresses as well.
    has_ipv6: bool,
    /// The only answer that means that an address is listed badly; on most lists every answer does.
    bad: Option<&'static str>,
}

const fn list(zone: &'static str) -> List {
    List { zone, has_ipv6: false, bad: None }
}

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

/// What one list says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Listed,
    /// It is on a list of addresses that should send no mail, as those of homes are. No fault of theirs.
    Policy,
    Clean,
    /// The list does not answer, or not this resolver.
    Unknown,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
struct AnswerReply {
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

/// What all lists say of an address, each with the name of its list.
pub(crate) async fn check(address: IpAddr, resolver: &str, outside: &dyn Outside) -> Vec<(&'static str, Verdict)> {
    let lists = LISTS.iter().filter(|list| address.is_ipv4() || list.has_ipv6);
    join_all(lists.map(|list| async move {
        let name = format!("{}.{}", reversed(address), list.zone);
        let (works, found) = join(works(list, resolver, outside), query(&name, resolver, outside)).await;
        (list.zone, if works { found.map_or(Verdict::Unknown, |found| list.verdict(&found)) } else { Verdict::Unknown })
    }))
    .await
}

/// The addresses of a host name.
///
/// # Errors
///
/// If the resolver does not answer.
pub(crate) async fn resolve(host: &str, resolver: &str, outside: &dyn Outside) -> Result<Vec<IpAddr>, FetchError> {
    let found = query(host, resolver, outside).await?;
    Ok(found.iter().filter_map(|address| address.parse().ok()).collect())
}

/// Whether a list answers this resolver at all: every list has the address 127.0.0.2. Many refuse large resolvers, and some
/// then seem to have nobody on them.
async fn works(list: &List, resolver: &str, outside: &dyn Outside) -> bool {
    let key = format!("dns-blacklists/{}/{resolver}", list.zone);
    let probe = outside.kept(&key, PROBE_LIFE, async {
        let found = query(&format!("2.0.0.127.{}", list.zone), resolver, outside).await?;
        Ok(json!(list.verdict(&found) != Verdict::Clean && list.verdict(&found) != Verdict::Unknown))
    });
    probe.await.is_ok_and(|works| works == true)
}

/// The IPv4 addresses of a name; none if there is no such name.
async fn query(name: &str, resolver: &str, outside: &dyn Outside) -> Result<Vec<String>, FetchError> {
    let mut request =
        Request::get(resolver).query("name", name).query("type", "A").header("Accept", "application/dns-json");
    request.timeout = Some(TIMEOUT);
    let reply = outside.exchange(request).await?;
    let answer: AnswerReply = reply.json()?;
    match answer.status.map(|status| status as i64) {
        // Found, and no such name.
        Some(0 | 3) => {
            Ok(answer.answer.into_iter().filter(|record| record.kind == A).map(|record| record.data).collect())
        }
        _ => Err(reply.unexpected("an error of the resolver")),
    }
}

impl List {
    fn verdict(&self, found: &[String]) -> Verdict {
        if found.is_empty() {
            return Verdict::Clean;
        }
        // These say that the list refuses, and what is outside of 127.0.0.0/8 comes from a resolver that makes answers up.
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

/// An address as lists name it: its parts from the last to the first.
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
