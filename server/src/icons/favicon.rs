//! Finds the icon of a web page on the server: the icons that the page names, `/favicon.ico`, then a service
//! (docs/spec/config.md 11.2). So the viewer's browser does not tell third parties which hosts exist, and the server
//! tells the service only about public ones.

use config::icon::FaviconService;
use data_url::DataUrl;
use url::{Host, Url};

use super::cache::{LookupOutcome, StoredMedia};
use super::fetch::{self, Fetch, FetchProblem, Fetched, HostTrust, MAX_PICTURE_BYTES};
use super::media::Media;
use super::page_links::icon_addresses;
use crate::platform::blocking_pool;

/// Nearly every page is smaller; for a larger one `/favicon.ico` is tried.
const MAX_PAGE_BYTES: usize = 1024 * 1024;
/// Pages name up to twenty sizes of one icon; if the best three cannot be loaded, the others cannot either.
const MAX_TRIES: usize = 3;

/// The address of a host's icon at a service; `None` if only the host itself is queried.
pub fn service_address(service: FaviconService, host: &str) -> Option<Url> {
    let address = match service {
        // `webmasterapi` requires a key. Portico has none, so only the host itself is queried.
        FaviconService::Local | FaviconService::Webmasterapi => return None,
        FaviconService::Allesedv => format!("https://f1.allesedv.com/128/{host}"),
        FaviconService::Iconhorse => format!("https://icon.horse/icon/{host}"),
        FaviconService::Faviconkit => format!("https://api.faviconkit.com/{host}/64"),
        FaviconService::Duckduckgo => format!("https://icons.duckduckgo.com/ip2/{host}.ico"),
        FaviconService::Yandex => format!("https://favicon.yandex.net/favicon/{host}"),
        FaviconService::Google => format!("https://www.google.com/s2/favicons?sz=128&domain_url={host}"),
        FaviconService::Besticon => format!("https://besticon-demo.herokuapp.com/icon?url={host}&size=80..120..200"),
        FaviconService::Mcapi => format!("https://eu.mc-api.net/v3/server/favicon/{host}"),
    };
    Url::parse(&address).ok()
}

/// The page whose icon an item's address stands for: http or https, without credentials, query and fragment. Items on
/// one host may be different applications behind one proxy, so the path stays.
pub fn page_of(address: &str) -> Option<Url> {
    let address = address.trim();
    let parsed = match Url::parse(address) {
        Ok(url) if matches!(url.scheme(), "http" | "https") => Some(url),
        // `nas.lan:8080` parses as an address of the scheme `nas.lan`; real schemes have no dot.
        Ok(url) if url.scheme() != "localhost" && !url.scheme().contains('.') => None,
        _ if address.contains("://") => None,
        _ => Url::parse(&format!("http://{address}")).ok(),
    };
    let mut page = parsed.filter(Url::has_host)?;
    page.set_query(None);
    page.set_fragment(None);
    page.set_username("").ok()?;
    page.set_password(None).ok()?;
    Some(page)
}

/// Whether a host is in the local network, so that no service can know it and none should learn about it.
pub fn is_local(url: &Url) -> bool {
    match url.host() {
        None => true,
        Some(Host::Ipv4(address)) => is_local_v4(address),
        Some(Host::Ipv6(address)) => {
            let first = address.segments()[0];
            address.is_loopback()
                || address.is_unspecified()
                || first & 0xfe00 == 0xfc00
                || first & 0xffc0 == 0xfe80
                || address.to_ipv4_mapped().is_some_and(is_local_v4)
        }
        Some(Host::Domain(name)) => {
            let name = name.trim_end_matches('.').to_ascii_lowercase();
            // A name without a dot cannot be public, and these suffixes are reserved or commonly used for local
            // networks.
            let ends = [
                "local",
                "localhost",
                "localdomain",
                "lan",
                "home",
                "internal",
                "intranet",
                "private",
                "corp",
                "box",
                "home.arpa",
                "test",
                "example",
                "invalid",
                "onion",
                "docker",
                "ts.net",
            ];
            !name.contains('.') || ends.iter().any(|end| name.strip_suffix(end).is_some_and(|rest| rest.ends_with('.')))
        }
    }
}

fn is_local_v4(address: std::net::Ipv4Addr) -> bool {
    let [a, b, ..] = address.octets();
    // 100.64.0.0/10 is shared address space, which overlay networks use.
    address.is_loopback()
        || address.is_private()
        || address.is_link_local()
        || address.is_unspecified()
        || (a == 100 && (64..128).contains(&b))
}

/// Looks for the icon of a page. Its host may be in the private network if the config itself names it; every other host
/// that the page or a redirect names must be public.
pub async fn look_up(fetch: &dyn Fetch, page: &Url, service: FaviconService, trust: HostTrust) -> LookupOutcome {
    let mut search = Search { fetch, page, trust, failed: false };
    if let Some(stored) = search.at_host(page).await {
        return LookupOutcome::Found(stored);
    }
    if !is_local(page)
        && let Some(host) = page.host_str()
        && let Some(address) = service_address(service, host)
        && let Some(stored) = search.picture(&address).await
    {
        return LookupOutcome::Found(stored);
    }
    if search.failed { LookupOutcome::Failed } else { LookupOutcome::Missing }
}

struct Search<'a> {
    fetch: &'a dyn Fetch,
    page: &'a Url,
    /// The trust in the host of the page.
    trust: HostTrust,
    /// Whether a source did not respond, so that "not found" is not certain.
    failed: bool,
}

impl Search<'_> {
    async fn at_host(&mut self, page: &Url) -> Option<StoredMedia> {
        let mut place = page.clone();
        match self.fetch.get(page, MAX_PAGE_BYTES, self.trust).await {
            // The status does not matter: login pages and error pages have the site's icon too.
            Ok(answer) => {
                place = answer.final_url.clone();
                if let Some(stored) = self.named_by(&answer).await {
                    return Some(stored);
                }
            }
            // A second connection to a host that does not respond would only take as long again.
            Err(FetchProblem::Unreachable) => {
                self.failed = true;
                return None;
            }
            // A page may redirect to where we must not follow, such as a sign-in elsewhere in the private network, or in a
            // circle. If the page's own host is forbidden, its `/favicon.ico` is too.
            Err(FetchProblem::Forbidden | FetchProblem::Redirects | FetchProblem::TooLarge) => {}
        }
        let at_page = page.join("/favicon.ico").ok()?;
        let at_place = place.join("/favicon.ico").ok().filter(|address| *address != at_page);
        if let Some(stored) = self.picture(&at_page).await {
            return Some(stored);
        }
        // The page may have redirected to another host, whose icon is then the one that users know.
        self.picture(&at_place.filter(|address| self.may_fetch(address))?).await
    }

    async fn named_by(&mut self, page: &Fetched) -> Option<StoredMedia> {
        if let Some(media) = Media::of_picture(&page.body) {
            // The item links to a picture, which is its own best icon.
            return (page.is_success() && page.body.len() <= MAX_PICTURE_BYTES)
                .then(|| StoredMedia { media, body: page.body.clone() });
        }
        let (body, place) = (page.body.clone(), page.final_url.clone());
        let addresses = blocking_pool::run(async move { icon_addresses(&body, &place) }).await;
        let allowed: Vec<Url> =
            addresses.into_iter().filter(|address| self.may_fetch(address)).take(MAX_TRIES).collect();
        for address in &allowed {
            let found = if address.scheme() == "data" { inline(address) } else { self.picture(address).await };
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// A page must not make the server contact other private hosts. Resolved addresses are checked when a connection is
    /// made.
    fn may_fetch(&self, address: &Url) -> bool {
        address.scheme() == "data" || self.is_at_page(address) || !is_local(address)
    }

    fn is_at_page(&self, address: &Url) -> bool {
        address.host() == self.page.host()
    }

    async fn picture(&mut self, address: &Url) -> Option<StoredMedia> {
        match fetch::picture(self.fetch, address, self.trust.only_if(self.is_at_page(address))).await {
            LookupOutcome::Found(stored) => Some(stored),
            LookupOutcome::Missing => None,
            LookupOutcome::Failed => {
                self.failed = true;
                None
            }
        }
    }
}

/// A picture embedded in the page itself.
fn inline(address: &Url) -> Option<StoredMedia> {
    let (body, _) = DataUrl::process(address.as_str()).ok()?.decode_to_vec().ok()?;
    let media = Media::of_picture(&body).filter(|_| body.len() <= MAX_PICTURE_BYTES)?;
    Some(StoredMedia { media, body: body.into() })
}
