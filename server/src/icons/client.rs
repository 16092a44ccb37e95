//! Fetches pictures and style sheets of other sites through the guards.

use url::Url;

use crate::{
    http_client::{HttpClient, HttpClientError, HttpRequest, PrivateReach, Purpose},
    icons::{Fetch, FetchFuture, FetchProblem, Fetched, HostTrust},
};

impl Fetch for HttpClient {
    fn get<'a>(&'a self, url: &'a Url, max_bytes: usize, trust: HostTrust) -> FetchFuture<'a> {
        Box::pin(async move {
            let request = HttpRequest {
                max_bytes,
                private_reach: if trust.may_be_private() { PrivateReach::OwnHost } else { PrivateReach::Nowhere },
                accept_invalid_certs: trust == HostTrust::NamedInsecure,
                ..HttpRequest::get(Purpose::Lookup, url.as_str())
            };
            let reply = self.send(request).await.map_err(|error| match error {
                HttpClientError::Blocked { .. } | HttpClientError::BadAddress { .. } => FetchProblem::Forbidden,
                HttpClientError::TooManyRedirects { .. } => FetchProblem::Redirects,
                HttpClientError::TooLarge { .. } => FetchProblem::TooLarge,
                _ => FetchProblem::Unreachable,
            })?;
            let content_type = reply.headers.get(http::header::CONTENT_TYPE);
            Ok(Fetched {
                status: reply.status.as_u16(),
                content_type: content_type.and_then(|value| value.to_str().ok()).map(str::to_owned),
                body: reply.body,
                final_url: reply.final_url,
            })
        })
    }
}
