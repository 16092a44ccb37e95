//! Whether a request was caused by a page of another site (docs/spec/api.md 10).

use http::{HeaderMap, header, request::Parts};

/// Whether the request comes from a page of another site; another port or another name of the same domain counts as
/// such. Programs send neither of the two headers and pass.
pub fn is_cross_site(request: &Parts) -> bool {
    let headers = &request.headers;
    let site = headers.get("sec-fetch-site").map(|site| site.as_bytes().to_ascii_lowercase());
    match site.as_deref() {
        Some(b"cross-site" | b"same-site") => return true,
        // The browser says so itself; behind a proxy that rewrites `Host`, the comparison below would fail.
        Some(b"same-origin") => return false,
        _ => {}
    }
    let mut origins = headers.get_all(header::ORIGIN).iter().peekable();
    if origins.peek().is_none() {
        return false;
    }
    let own = own_hosts(request, headers);
    !origins.all(|origin| {
        let host = origin.to_str().ok().and_then(|origin| origin.split_once("://"));
        host.is_some_and(|(_, host)| own.iter().any(|own| same_host(own, host)))
    })
}

/// Whether the browser says that one of our own pages caused the request: by `Sec-Fetch-Site`, or over plain HTTP by
/// `Referer`, which no page can set to an address of another site. Programs say neither.
pub fn is_from_own_page(request: &Parts) -> bool {
    let headers = &request.headers;
    if let Some(site) = headers.get("sec-fetch-site") {
        return site.as_bytes().eq_ignore_ascii_case(b"same-origin");
    }
    let own = own_hosts(request, headers);
    let mut pages = headers.get_all(header::REFERER).iter().peekable();
    pages.peek().is_some()
        && pages.all(|page| {
            let page = page.to_str().ok().and_then(|page| url::Url::parse(page).ok());
            page.is_some_and(|page| own.iter().any(|own| same_host(own, page.authority())))
        })
}

/// The names under which this server was addressed. A page of another site can set none of them.
fn own_hosts(request: &Parts, headers: &HeaderMap) -> Vec<String> {
    let sent = [header::HOST.as_str(), "x-forwarded-host"].map(|name| headers.get(name)?.to_str().ok());
    let authority = request.uri.authority().map(|authority| authority.as_str());
    sent.into_iter().chain([authority]).flatten().map(|host| host.trim().to_owned()).collect()
}

fn same_host(one: &str, other: &str) -> bool {
    let bare = |host: &str| {
        let host = host.to_ascii_lowercase();
        let short = host.strip_suffix(":80").or_else(|| host.strip_suffix(":443")).map(str::to_owned);
        short.unwrap_or(host)
    };
    !one.is_empty() && bare(one) == bare(other)
}

#[cfg(test)]
mod tests {
    use http::Request;

    use super::{is_cross_site, is_from_own_page};

    #[test]
    fn other_sites_are_recognized_by_origin_and_fetch_metadata() {
        for (headers, expected) in [
            (vec![], false),
            (vec![("host", "dash.lan")], false),
            (vec![("host", "dash.lan"), ("origin", "http://dash.lan")], false),
            (vec![("host", "dash.lan:443"), ("origin", "https://dash.lan")], false),
            (vec![("host", "dash.lan:8080"), ("origin", "http://dash.lan:8080")], false),
            (vec![("host", "dash.lan:8080"), ("origin", "http://dash.lan")], true),
            (vec![("host", "dash.lan"), ("origin", "http://evil.example")], true),
            (vec![("host", "dash.lan"), ("origin", "null")], true),
            (vec![("origin", "http://evil.example")], true),
            (vec![("host", "dash.lan"), ("sec-fetch-site", "cross-site")], true),
            (vec![("host", "dash.lan"), ("sec-fetch-site", "same-site")], true),
            (vec![("host", "dash.lan"), ("sec-fetch-site", "none")], false),
            (vec![("host", "10.0.0.2"), ("origin", "http://dash.lan"), ("sec-fetch-site", "same-origin")], false),
            (vec![("host", "10.0.0.2"), ("origin", "http://dash.lan"), ("x-forwarded-host", "dash.lan")], false),
        ] {
            let mut request = Request::builder().uri("/api/config");
            for (name, value) in &headers {
                request = request.header(*name, *value);
            }
            let (parts, ()) = request.body(()).unwrap().into_parts();
            assert_eq!(is_cross_site(&parts), expected, "{headers:?}");
        }
    }

    #[test]
    fn our_own_page_is_recognized_by_fetch_metadata_and_referrer() {
        for (headers, expected) in [
            (vec![("host", "dash.lan")], false),
            (vec![("host", "dash.lan"), ("sec-fetch-site", "same-origin")], true),
            (vec![("host", "dash.lan"), ("sec-fetch-site", "none"), ("referer", "http://dash.lan/")], false),
            (vec![("host", "dash.lan"), ("sec-fetch-site", "same-site"), ("referer", "http://dash.lan/")], false),
            (vec![("host", "dash.lan:8080"), ("referer", "http://dash.lan:8080/home/x")], true),
            (vec![("host", "10.0.0.2"), ("x-forwarded-host", "dash.lan"), ("referer", "https://dash.lan/")], true),
            (vec![("host", "dash.lan:8080"), ("referer", "http://dash.lan:9000/")], false),
            (vec![("host", "dash.lan"), ("referer", "http://dash.lan@evil.example/")], false),
            (vec![("host", "dash.lan"), ("referer", "http://evil.example/http://dash.lan/")], false),
            (vec![("host", "dash.lan"), ("referer", "http://dash.lan/"), ("referer", "http://evil.example/")], false),
            (vec![("referer", "")], false),
        ] {
            let request = headers
                .iter()
                .fold(Request::builder().uri("/framed"), |request, (name, value)| request.header(*name, *value));
            let (parts, ()) = request.body(()).unwrap().into_parts();
            assert_eq!(is_from_own_page(&parts), expected, "{headers:?}");
        }
    }
}
