//! `portico token`: makes, lists and revokes tokens of the REST API.

use std::{
    process::ExitCode,
    time::{SystemTime, UNIX_EPOCH},
};

use bytes::Bytes;
use clap::Subcommand;

use crate::{
    access::{ApiTokenError, ApiTokens, NewToken, Rights},
    database::{Database, FileChange},
    settings::Settings,
    store::TOKENS_FILE,
};

const SECONDS_PER_DAY: u64 = 24 * 60 * 60;

/// What to do with tokens.
#[derive(Debug, Subcommand)]
pub enum TokenCommand {
    /// Makes a token, and prints it once; only its hash is stored.
    Create {
        /// A name by which you recognize it, such as that of the program that uses it.
        name: String,
        /// What it may do.
        #[arg(long, value_enum, default_value_t)]
        rights: Rights,
        /// After how many days it expires; never by default.
        #[arg(long)]
        days: Option<u32>,
        /// The only config file that it may use, such as `lab.yml`; all by default.
        #[arg(long)]
        file: Option<String>,
        /// The only section of that file that it may use, by its name; all by default.
        #[arg(long, requires = "file")]
        section: Option<String>,
    },
    /// Lists all tokens, without their values.
    List,
    /// Removes a token. It stops working at once.
    Revoke {
        /// Its name.
        name: String,
    },
}

/// Runs the command in the user-data folder of the settings.
pub async fn run(command: TokenCommand, settings: Settings) -> ExitCode {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    let result = match Database::new(&settings) {
        Ok(Some(database)) => command.run_in_database(&database, now).await,
        Ok(None) => {
            let tokens = ApiTokens::in_folder(&settings.settled().user_data);
            command.run(&tokens, now).map_err(|error| error.to_string())
        }
        Err(error) => Err(error.to_string()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("portico: {reason}");
            ExitCode::FAILURE
        }
    }
}

impl TokenCommand {
    /// Runs the command on the file in a database, which no other program changes in the meantime.
    async fn run_in_database(self, database: &Database, now: u64) -> Result<(), String> {
        database.prepare().await.map_err(|error| error.to_string())?;
        let (sender, result) = std::sync::mpsc::channel();
        let edit = move |old: Option<Bytes>| {
            let (result, new) = match self.run_on_copy(old.as_ref(), now) {
                Ok(new) => (Ok(()), new),
                Err(reason) => (Err(reason), None),
            };
            _ = sender.send(result);
            new.filter(|new| Some(new) != old.as_ref()).map(|new| FileChange { content: Some(new), revision: None })
        };
        database.change_file(TOKENS_FILE, edit).await.map_err(|error| error.to_string())?;
        result.try_recv().unwrap_or(Ok(()))
    }

    /// Runs the command on a copy of the file, and returns its new content.
    fn run_on_copy(self, old: Option<&Bytes>, now: u64) -> Result<Option<Bytes>, String> {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let path = folder.path().join(TOKENS_FILE);
        if let Some(old) = old {
            std::fs::write(&path, old).map_err(|error| error.to_string())?;
        }
        self.run(&ApiTokens::in_folder(folder.path()), now).map_err(|error| error.to_string())?;
        Ok(std::fs::read(&path).ok().map(Bytes::from))
    }

    fn run(self, tokens: &ApiTokens, now: u64) -> Result<(), ApiTokenError> {
        match self {
            Self::Create { name, rights, days, file, section } => {
                let expires = days.map(|days| now + u64::from(days) * SECONDS_PER_DAY);
                println!("{}", tokens.create(NewToken { name, rights, file, section, expires }, now)?);
                // Not part of the output, which may be redirected to a file.
                eprintln!(
                    "Keep it: it cannot be shown again. The API needs ENABLE_API=true, and now requires credentials."
                );
            }
            Self::List => {
                for token in tokens.all()? {
                    let rights = match token.rights {
                        Rights::Read => "read",
                        Rights::Write => "write",
                    };
                    let file = match (&token.file, &token.section) {
                        (None, _) => "all files".to_owned(),
                        (Some(file), None) => file.clone(),
                        (Some(file), Some(section)) => format!("{file}, {section}"),
                    };
                    let expiry = match token.expires {
                        _ if token.is_expired(now) => "expired".to_owned(),
                        Some(expires) => format!("expires {}", date(expires)),
                        None => "never expires".to_owned(),
                    };
                    println!("{}\t{rights}\t{file}\tmade {}\t{expiry}", token.name, date(token.created));
                }
            }
            Self::Revoke { name } => {
                tokens.revoke(&name)?;
                println!("`{name}` is revoked");
                if !tokens.are_used() {
                    eprintln!(
                        "That was the last one. Without API_TOKEN and without sign-in, the API is open to everybody."
                    );
                }
            }
        }
        Ok(())
    }
}

/// The day of a time in seconds since 1970, in UTC.
fn date(seconds: u64) -> String {
    let second = i64::try_from(seconds).unwrap_or(i64::MAX);
    jiff::Timestamp::from_second(second).map(|time| time.strftime("%Y-%m-%d").to_string()).unwrap_or_default()
}
