//! `iframe`: another page in a frame. The browser loads it; the server only checks whether the page allows that.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Category, Entry, FetchError, Method, OptionProblems, Panel, Reach, Request, Widget, WidgetContext, address,
    framing::{Framing, FramingRule},
    option_types::{Size, Text},
    panel::{Datum, Details, Frame, Link, Notice, Phrase, SafeUrl},
};

const NO_ADDRESS: &str = "Set the option `url` to the address of the page to embed.";
const NO_SCHEME: &str =
    "url must begin with http:// or https://, or be a path of this server that begins with a slash.";
/// The allowed heights in pixels.
const HEIGHTS: std::ops::RangeInclusive<f64> = 50.0..=5000.0;
/// The timeout for checking whether the page allows embedding.
const PATIENCE: Duration = Duration::from_secs(5);
/// The statuses of servers that do not support a method.
const METHOD_UNKNOWN: [u16; 2] = [405, 501];

/// Shows a page of another website in a frame. The page decides whether it may be embedded; if it forbids that, a link
/// to it is shown. A page behind a login may show its login form, since browsers keep the cookies of other sites from
/// frames.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Iframe {
    /// Address of the page: a full address, or a path of this server, such as {example}. A dashboard with HTTPS
    /// can only embed pages with HTTPS.
    #[schemars(extend("x-required" = true, "x-example" = "/status"))]
    url: Text,
    /// Height in pixels, from 50 to 5000. Without it, 320.
    frame_height: Text,
    /// The rights of the page, in the form of the HTML attribute `sandbox`. `false` grants all of them, except to a page of
    /// this server. Without it: scripts, forms, pop-ups and downloads, but never replacing the dashboard.
    sandbox: Text,
    /// A description of the page for screen readers. Without it, the label.
    title: Text,
}

impl Widget for Iframe {
    const REACH: Reach = Reach::ViaServer;
    const CATEGORY: Category = Category::TextAndLinks;
    const USUAL_LINES: usize = 15;
    const SYNONYMS: &'static [(&'static str, &'static str)] =
        &[("src", "url"), ("source", "url"), ("height", "frameHeight")];

    fn check(&self, _entry: &Entry, problems: &mut OptionProblems) {
        problems.require_option(self.url.is_set(), "url", "the address of a page");
        if self.url.is_set()
            && let Err(sentence) = self.address()
        {
            problems.error(sentence);
        }
        match self.height() {
            Err(()) => problems.error(format!("frameHeight must be a number of pixels; {} is not.", self.frame_height)),
            Ok(Some((_, true))) => problems.note("frameHeight must be between 50 and 5000; the nearest is used."),
            Ok(_) => {}
        }
    }

    async fn fetch(&self, context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        let url = self.address().map_err(FetchError::message)?;
        let rule = if url.is_remote() { fetch_rule(context, &url).await } else { FramingRule::Allowed };
        let host = address::host(url.as_str()).to_owned();
        let link = |url| Some(Link { text: Phrase::from("Open in a new tab"), url });
        if rule == FramingRule::Forbidden {
            let sentence =
                Phrase::from("{host} does not allow its pages to be embedded.").with("host", Datum::text(&host));
            return Ok(Panel { credit: link(url), ..Panel::new(vec![Notice::empty(sentence).into()]) });
        }
        let frame = Frame {
            title: self.title.get().map(Phrase::foreign).unwrap_or_default(),
            embedded: None,
            height: self.height().unwrap_or_default().map(|(pixels, _)| Size::pixels(pixels)),
            sandbox: self.sandbox.get().map(str::to_owned),
            url: Some(url.clone()),
        };
        if rule == FramingRule::OwnSiteOnly {
            // Only the browser knows whether the dashboard is a part of that site; most are not, and get an empty frame.
            let sentence = "{host} allows only pages of its own site to embed it.";
            let sentence = Phrase::from(sentence).with("host", Datum::text(&host));
            let frame = Details { summary: "Show it anyway".into(), parts: vec![frame.into()], ..Details::default() };
            return Ok(Panel { credit: link(url), ..Panel::new(vec![Notice::empty(sentence).into(), frame.into()]) });
        }
        Ok(Panel::new(vec![frame.into()]))
    }
}

impl Iframe {
    fn address(&self) -> Result<SafeUrl, &'static str> {
        let written = self.url.get().ok_or(NO_ADDRESS)?;
        if address::has_user(written) {
            return Err("url must hold no user name or password, since every browser would see them.");
        }
        SafeUrl::parse(written).filter(|url| !url.as_str().starts_with("mailto:")).ok_or(NO_SCHEME)
    }

    /// The height in pixels, and whether it differs from the one in the options.
    fn height(&self) -> Result<Option<(u32, bool)>, ()> {
        let Some(written) = self.frame_height.get().filter(|written| !written.eq_ignore_ascii_case("auto")) else {
            return Ok(None);
        };
        let number: f64 = written.trim_end_matches("px").trim().parse().map_err(|_| ())?;
        let height = number.clamp(*HEIGHTS.start(), *HEIGHTS.end());
        if height.is_nan() { Err(()) } else { Ok(Some((height.round() as u32, height != number))) }
    }
}

/// Requests the headers of the page. A host that does not respond to the server may still respond to the browser.
async fn fetch_rule(context: &dyn WidgetContext, url: &SafeUrl) -> FramingRule {
    let request = |method| Request { timeout: Some(PATIENCE), ..Request::new(method, url.as_str()) };
    let response = match context.exchange(request(Method::Head)).await {
        // Some servers do not know this method, and answer without the headers of the page.
        Ok(response) if METHOD_UNKNOWN.contains(&response.status) => context.exchange(request(Method::Get)).await,
        response => response,
    };
    response.map_or(FramingRule::Allowed, |response| {
        Framing::of(response.headers_named("content-security-policy"), response.headers_named("x-frame-options")).rule()
    })
}
