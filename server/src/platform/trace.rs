//! The request that a task works for: its number, for the log, and its place in a distributed trace, for services
//! (W3C Trace Context).

use std::{
    hash::{BuildHasher as _, Hasher as _, RandomState},
    sync::Arc,
};

/// A request, as seen from outside.
#[derive(Clone, Debug, Default)]
pub struct RequestContext {
    /// Its number: that of the proxy, or one of our own.
    pub id: Arc<str>,
    /// The trace that it belongs to, if the proxy named one.
    pub trace: Option<TraceParent>,
}

/// A place in a trace: the header `traceparent`.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct TraceParent {
    /// The number of the trace.
    pub trace: [u8; 16],
    /// The number of the span, which each hop replaces by its own.
    pub parent: [u8; 8],
    /// The flags; only the first is defined.
    pub flags: u8,
}

/// The header with the place of a request in a trace.
pub const TRACEPARENT: &str = "traceparent";

tokio::task_local! {
    static CONTEXT: RequestContext;
}

/// Runs work for a request.
pub async fn within<F: Future>(context: RequestContext, work: F) -> F::Output {
    CONTEXT.scope(context, work).await
}

/// Runs work for the request of another task, if there is one.
pub async fn within_maybe<F: Future>(context: Option<RequestContext>, work: F) -> F::Output {
    match context {
        Some(context) => within(context, work).await,
        None => work.await,
    }
}

/// The same for work that does not wait.
pub fn within_now<T>(context: Option<RequestContext>, work: impl FnOnce() -> T) -> T {
    match context {
        Some(context) => CONTEXT.sync_scope(context, work),
        None => work(),
    }
}

/// The request that this task works for.
pub fn current() -> Option<RequestContext> {
    CONTEXT.try_with(Clone::clone).ok()
}

/// Maximum length of the number that a proxy gives a request, in bytes.
const MAX_ID: usize = 128;

/// The number of a request: that of a proxy if it is plain text, else a new one.
pub fn request_id(given: Option<&str>) -> Arc<str> {
    let is_plain = |id: &&str| {
        let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.:=+/".contains(&byte);
        (1..=MAX_ID).contains(&id.len()) && id.bytes().all(is_allowed)
    };
    match given.filter(is_plain) {
        Some(id) => id.into(),
        None => format!("{:016x}", random()).into(),
    }
}

/// Not a secret, only different from all others: `RandomState` has a new key each time.
fn random() -> u64 {
    RandomState::new().build_hasher().finish()
}

impl TraceParent {
    /// Reads the header (Trace Context, 3.2). A version of the future may add fields at the end; `ff` is invalid, and so are
    /// numbers of zeros.
    pub fn parse(value: &str) -> Option<Self> {
        let mut parts = value.trim().split('-');
        let (version, trace) = (bytes::<1>(parts.next()?)?[0], bytes::<16>(parts.next()?)?);
        let (parent, flags) = (bytes::<8>(parts.next()?)?, bytes::<1>(parts.next()?)?[0]);
        let is_valid = version != 0xff && trace != [0; 16] && parent != [0; 8];
        (is_valid && (version > 0 || parts.next().is_none())).then_some(Self { trace, parent, flags })
    }

    /// The place of a request of ours within the same trace.
    #[must_use]
    pub fn child(self) -> Self {
        // Only the flag for sampling is defined for this version.
        Self { parent: random().max(1).to_be_bytes(), flags: self.flags & 1, ..self }
    }

    /// The value of the header.
    pub fn header(self) -> String {
        format!("00-{}-{}-{:02x}", hex::encode(self.trace), hex::encode(self.parent), self.flags)
    }
}

/// Lower-case hexadecimal digits of exactly this many bytes.
fn bytes<const N: usize>(digits: &str) -> Option<[u8; N]> {
    if digits.bytes().any(|digit| digit.is_ascii_uppercase()) {
        return None;
    }
    let mut bytes = [0; N];
    hex::decode_to_slice(digits, &mut bytes).ok()?;
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::{TraceParent, request_id};

    #[test]
    fn a_trace_goes_on_with_a_new_parent() {
        let given = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
        let child = TraceParent::parse(given).unwrap().child().header();
        assert!(child.starts_with("00-4bf92f3577b34da6a3ce929d0e0e4736-") && child.ends_with("-01"), "{child}");
        assert!(!child.contains("00f067aa0ba902b7") && child.len() == given.len(), "{child}");
        assert!(TraceParent::parse("cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more").is_some());
    }

    #[test]
    fn what_is_no_trace_is_not_passed_on() {
        for wrong in [
            "",
            "00",
            "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
            "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more",
            "00-4bf92f3577b34da6a3ce929d0e0e473-00f067aa0ba902b7-01",
        ] {
            assert_eq!(TraceParent::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_number_is_plain_and_new_ones_differ() {
        assert_eq!(&*request_id(Some("4f1e-a.b")), "4f1e-a.b");
        for wrong in ["", "a b", "a\nb", &"x".repeat(129)] {
            assert_ne!(&*request_id(Some(wrong)), wrong);
        }
        assert_ne!(request_id(None), request_id(None));
    }
}
