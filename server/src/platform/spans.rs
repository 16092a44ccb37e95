//! Spans for OpenTelemetry: one for each request, and one for each request to a service that it causes. They are sent to a collector
//! by OTLP over HTTP while `OTEL_EXPORTER_OTLP_ENDPOINT` is set. The SDK reads the other variables of its specification
//! (`OTEL_SERVICE_NAME`, `OTEL_RESOURCE_ATTRIBUTES`, `OTEL_TRACES_SAMPLER`, `OTEL_EXPORTER_OTLP_HEADERS` and so on).
//!
//! No span has a query, a name of a person or an address of a visitor.

use std::{borrow::Cow, sync::OnceLock, time::Duration};

use async_trait::async_trait;
use bytes::Bytes;
use http::Method;
pub use opentelemetry::trace::SpanKind;
use opentelemetry::{
    Context, KeyValue, Value,
    trace::{
        Span as _, SpanContext, SpanId, Status, TraceContextExt as _, TraceFlags, TraceId, TraceState, Tracer as _,
        TracerProvider as _,
    },
};
use opentelemetry_http::{HttpClient, HttpError};
use opentelemetry_otlp::{SpanExporter, WithExportConfig as _, WithHttpConfig as _};
use opentelemetry_sdk::{
    Resource,
    trace::{SdkTracer, SdkTracerProvider},
};
use tokio::runtime::Handle;

use super::trace::TraceParent;

/// The path of traces below the address of a collector (OTLP 1.0, "OTLP/HTTP Request").
const PATH: &str = "/v1/traces";
/// How long one request to the collector may take.
const TIMEOUT: Duration = Duration::from_secs(10);

/// The spans of this process, once they are on.
static SPANS: OnceLock<Spans> = OnceLock::new();

#[derive(Debug)]
struct Spans {
    provider: SdkTracerProvider,
    tracer: SdkTracer,
}

/// A span that ends when it is dropped.
#[derive(Debug)]
pub struct Span(opentelemetry_sdk::trace::Span);

/// Starts to send spans to the collector at this address. Called within the runtime that sends them.
///
/// # Errors
///
/// Why they cannot be sent.
pub fn turn_on(endpoint: &str) -> Result<(), String> {
    let client = reqwest::Client::builder().timeout(TIMEOUT).build().map_err(|error| error.to_string())?;
    let exporter = SpanExporter::builder()
        .with_http()
        .with_http_client(Sender { client, runtime: Handle::current() })
        .with_endpoint(format!("{}{PATH}", endpoint.trim_end_matches('/')))
        .build()
        .map_err(|error| error.to_string())?;
    let resource = Resource::builder();
    let resource = match std::env::var_os("OTEL_SERVICE_NAME") {
        Some(_) => resource.build(),
        None => resource.with_service_name("portico").build(),
    };
    let provider = SdkTracerProvider::builder().with_batch_exporter(exporter).with_resource(resource).build();
    let tracer = provider.tracer("portico");
    // Only tests start more than one server in a process.
    _ = SPANS.set(Spans { provider, tracer });
    Ok(())
}

/// Whether spans are sent.
pub fn are_on() -> bool {
    SPANS.get().is_some()
}

/// Sends what has not been sent yet; waits for it. To be called at the end of the program, outside of its runtime's threads.
pub fn turn_off() {
    if let Some(spans) = SPANS.get()
        && let Err(error) = spans.provider.shutdown()
    {
        tracing::debug!("the last spans could not be sent: {error}");
    }
}

/// Begins the span of an HTTP request within a trace, or a new trace; `None` while spans are not sent.
pub fn begin(kind: SpanKind, method: &Method, parent: Option<TraceParent>) -> Option<Span> {
    let Spans { tracer, .. } = SPANS.get()?;
    let context = match parent {
        None => Context::new(),
        Some(TraceParent { trace, parent, flags }) => Context::new().with_remote_span_context(SpanContext::new(
            TraceId::from_bytes(trace),
            SpanId::from_bytes(parent),
            TraceFlags::new(flags),
            true,
            TraceState::NONE,
        )),
    };
    let mut span = tracer.span_builder(method.to_string()).with_kind(kind).start_with_context(tracer, &context);
    span.set_attribute(KeyValue::new("http.request.method", method.to_string()));
    Some(Span(span))
}

impl Span {
    /// The place in the trace of what happens within this span.
    pub fn place(&self) -> TraceParent {
        let context = self.0.span_context();
        TraceParent {
            trace: context.trace_id().to_bytes(),
            parent: context.span_id().to_bytes(),
            flags: context.trace_flags().to_u8(),
        }
    }

    /// Gives it another name, once more is known.
    pub fn rename(&mut self, name: String) {
        self.0.update_name(name);
    }

    /// Adds an attribute with a name of the semantic conventions.
    pub fn set(&mut self, key: &'static str, value: impl Into<Value>) {
        self.0.set_attribute(KeyValue::new(key, value));
    }

    /// Marks it as failed.
    pub fn fail(&mut self, reason: impl Into<Cow<'static, str>>) {
        self.0.set_status(Status::error(reason));
    }
}

/// Sends spans. The SDK has a thread of its own without a runtime, so requests run on ours.
#[derive(Debug)]
struct Sender {
    client: reqwest::Client,
    runtime: Handle,
}

#[async_trait]
impl HttpClient for Sender {
    async fn send_bytes(&self, request: http::Request<Bytes>) -> Result<http::Response<Bytes>, HttpError> {
        let request = reqwest::Request::try_from(request)?;
        let client = self.client.clone();
        let received = self.runtime.spawn(async move {
            let response = client.execute(request).await?;
            Ok::<_, reqwest::Error>((response.status(), response.bytes().await?))
        });
        let (status, body) = received.await??;
        let mut response = http::Response::new(body);
        *response.status_mut() = status;
        Ok(response)
    }
}
