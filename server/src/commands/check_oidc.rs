//! `portico check-oidc`: finds out what prevents signing in through the identity provider.

use std::process::ExitCode;

use config::{Config, Document};

use super::output::print_findings;
use crate::{
    access::{self, Finding},
    http_client::HttpClient,
    settings::Settings,
};

/// Runs the command for the main config. `url` is the address at which users open the dashboard.
pub async fn run(url: Option<&str>, settings: &Settings) -> ExitCode {
    match findings(url, settings).await {
        Ok(findings) => print_findings(&findings),
        Err(reason) => {
            println!("problem: {reason}");
            ExitCode::FAILURE
        }
    }
}

/// The findings about the provider of the main config.
///
/// # Errors
///
/// Why there is nothing to check, as a sentence.
pub async fn findings(url: Option<&str>, settings: &Settings) -> Result<Vec<Finding>, String> {
    let name = &settings.main_config;
    let bytes = std::fs::read(settings.user_data.join(name))
        .map_err(|error| format!("`{name}`: {}", crate::platform::io_error::reason(&error)))?;
    let document = Document::parse(&bytes).map_err(|error| format!("`{name}` is not valid YAML: {error}"))?;
    let config = Config::read(&document).map_err(|error| format!("`{name}`: {error}"))?;
    let http_client = HttpClient::new(settings.http_client()).map_err(|error| error.to_string())?;
    access::diagnose_config(&document, &config, url, settings, &http_client).await
}
