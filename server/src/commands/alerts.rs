//! `portico alerts test`: sends a test message to each target in `appConfig.alerts`.

use std::process::ExitCode;

use clap::Subcommand;
use config::{Config, Document};

use crate::{alerts, http_client::HttpClient, platform::io_error::reason, settings::Settings};

/// What to do with the targets of alerts.
#[derive(Debug, Subcommand)]
pub enum AlertsCommand {
    /// Sends a test message to each target of the main config; exits with 1 if one does not arrive.
    Test,
}

/// Runs the command in the user-data folder of the settings.
pub async fn run(command: AlertsCommand, settings: &Settings) -> ExitCode {
    let AlertsCommand::Test = command;
    match test(settings).await {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(problem) => {
            println!("problem: {problem}");
            ExitCode::FAILURE
        }
    }
}

/// Whether all messages have arrived.
async fn test(settings: &Settings) -> Result<bool, String> {
    let file = settings.user_data.join(&settings.main_config);
    let name = file.display();
    let bytes = std::fs::read(&file).map_err(|error| format!("`{name}`: {}", reason(&error)))?;
    let document = Document::parse(&bytes).map_err(|error| format!("`{name}` is not valid YAML: {error}"))?;
    let config = Config::read(&document).map_err(|error| format!("`{name}`: {error}"))?;
    if config.app.alerts.is_empty() {
        return Err(format!("`{name}` has no targets in `appConfig.alerts`"));
    }
    let http_client = HttpClient::new(settings.http_client()).map_err(|error| error.to_string())?;
    let mut is_good = true;
    for (target, result) in alerts::test_all(&config, &settings.variables, &http_client).await {
        match result {
            Ok(()) => println!("ok: {target}: sent"),
            Err(problem) => {
                is_good = false;
                println!("problem: {target}: {problem}");
            }
        }
    }
    Ok(is_good)
}
