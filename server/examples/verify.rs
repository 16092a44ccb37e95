//! What an ID token costs a request of the API, for the benchmark: the same request with an ID token and with the API
//! token, which is only compared. An identity provider on loopback signs; the first request fetches its keys and checks
//! the signature, all others find the token among those that were checked. It prints one line of JSON with the result.

use std::{
    path::Path,
    sync::Arc,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use axum::{Json, Router, body::Body, routing::get};
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use http::{Request, StatusCode, header};
use ring::{
    rand::SystemRandom,
    signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair as _},
};
use serde_json::json;
use server::{
    platform::assets::Assets,
    routes::{app_state::AppState, router},
    settings::Settings,
};
use tower::ServiceExt as _;

/// Requests that are measured.
const REQUESTS: u32 = 5000;

type BoxError = Box<dyn std::error::Error>;

#[tokio::main]
async fn main() -> Result<(), BoxError> {
    _ = rustls::crypto::ring::default_provider().install_default();
    let random = SystemRandom::new();
    let failed = |_| "the key cannot be made";
    let pair = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &random).map_err(failed)?;
    let pair = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, pair.as_ref(), &random)
        .map_err(|_| "the key cannot be read")?;
    let issuer = provide(pair.public_key().as_ref()).await?;
    let encode = |bytes: &[u8]| URL_SAFE_NO_PAD.encode(bytes);
    let now = SystemTime::now().duration_since(UNIX_EPOCH)?.as_secs();
    // As large as such tokens are: about 2 KB.
    let groups: Vec<String> = (0..40).map(|number| format!("department-{number}-readers")).collect();
    let claims = json!({
        "iss": issuer, "sub": "1", "aud": "bench", "exp": now + 3600, "iat": now, "groups": groups,
    });
    let message = format!("{}.{}", encode(b"{\"alg\":\"ES256\"}"), encode(claims.to_string().as_bytes()));
    let signature = pair.sign(&random, message.as_bytes()).map_err(failed)?;
    let token = format!("Bearer {message}.{}", encode(signature.as_ref()));

    let directory = tempfile::tempdir()?;
    let config = format!(
        "sections: []\nappConfig:\n  auth: {{ enableOidc: true, oidc: {{ clientId: bench, endpoint: '{issuer}' }} }}\n"
    );
    std::fs::write(directory.path().join("conf.yml"), config)?;
    let settings = Settings {
        user_data: directory.path().to_owned(),
        enable_api: true,
        api_token: Some("bench".to_owned().into()),
        ..Settings::default()
    };
    let assets = Assets::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../dist"), "")?;
    let portico = AppState::start(settings, assets, Instant::now()).await?;
    let routes = router(Arc::clone(&portico));
    let ask = async |token: &str| -> Result<(StatusCode, Duration), BoxError> {
        let request = Request::get("/api/config").header(header::AUTHORIZATION, token).body(Body::empty())?;
        let before = Instant::now();
        let status = routes.clone().oneshot(request).await?.status();
        Ok((status, before.elapsed()))
    };
    let (status, first) = ask(&token).await?;
    if status != StatusCode::OK {
        return Err(format!("the token is refused: {status}").into());
    }
    let (mut id_token, mut api_token) = (Vec::new(), Vec::new());
    for _ in 0..REQUESTS {
        id_token.push(ask(&token).await?.1);
        api_token.push(ask("Bearer bench").await?.1);
    }
    let figures = json!({
        "firstMicroseconds": first.as_secs_f64() * 1e6,
        "idTokenMicroseconds": median(&mut id_token).as_secs_f64() * 1e6,
        "apiTokenMicroseconds": median(&mut api_token).as_secs_f64() * 1e6,
    });
    println!("{figures}");
    Ok(())
}

fn median(times: &mut [Duration]) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

/// Starts a provider with one key, and gives its issuer.
async fn provide(point: &[u8]) -> Result<String, BoxError> {
    let (x, y) = point.get(1..).unwrap_or_default().split_at(32);
    let key = json!({ "kty": "EC", "crv": "P-256", "x": URL_SAFE_NO_PAD.encode(x), "y": URL_SAFE_NO_PAD.encode(y) });
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    let issuer = format!("http://{}", listener.local_addr()?);
    let description = json!({
        "issuer": issuer,
        "authorization_endpoint": format!("{issuer}/authorize"),
        "token_endpoint": format!("{issuer}/token"),
        "jwks_uri": format!("{issuer}/keys"),
    });
    let routes = Router::new()
        .route("/.well-known/openid-configuration", get(async move || Json(description)))
        .route("/keys", get(async move || Json(json!({ "keys": [key] }))));
    tokio::spawn(async move { axum::serve(listener, routes).await });
    Ok(issuer)
}
