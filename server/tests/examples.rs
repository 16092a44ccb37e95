//! Runs the examples of docs/api.md.

use std::{net::SocketAddr, path::Path, process::Command};

use crate::world::Setup;

const TOKEN: &str = "a-long-random-value";

/// The commands in the blocks marked `sh` that call `curl`.
fn examples(text: &str) -> Vec<String> {
    let blocks = text.split("```sh\n").skip(1).filter_map(|rest| rest.split("```").next());
    blocks.filter(|block| block.contains("curl ")).map(str::to_owned).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_example_works() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/api.md");
    let text = std::fs::read_to_string(path).unwrap();
    let examples = examples(&text);
    let world = Setup::new()
        .env("API_TOKEN", TOKEN)
        .file("conf.yml", "pageInfo: { title: Home }\nsections:\n  - name: Media\n    items: [ { title: Films } ]\n")
        .start()
        .await;
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let service = world.router().into_make_service_with_connect_info::<SocketAddr>();
    tokio::spawn(async move { axum::serve(listener, service).await });

    let mut used = Vec::new();
    for example in examples {
        // With `--fail`, a rejected request is a failed command; only loopback is contacted.
        let script = format!(
            "set -eu\ncurl() {{ command curl --noproxy '*' --silent --show-error --fail-with-body \"$@\"; }}\n{example}"
        );
        let run = move || {
            Command::new("sh")
                .args(["-c", &script])
                .env("PORTICO", format!("http://{address}"))
                .env("API_TOKEN", TOKEN)
                .output()
                .expect("sh and curl are needed to run the examples")
        };
        let output = tokio::task::spawn_blocking(run).await.unwrap();
        let printed = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{example}\n{printed}\n{}", String::from_utf8_lossy(&output.stderr));
        assert!(serde_json::from_str::<serde_json::Value>(&printed).is_ok(), "{example}\n{printed}");
        used.push(example);
    }
    assert_eq!(used.len(), 15, "one example for each endpoint");
    assert_eq!(world.value_with_token("/api/config/conf.yml/sections", TOKEN).await[0]["name"], "Media");
}
