//! `portico store`: copies everything between a folder and a database.

use std::{path::PathBuf, process::ExitCode};

use clap::Subcommand;

use crate::{
    database::Database,
    settings::Settings,
    store::transfer::{self, Copied, Place, TransferError},
};

/// `portico store …`.
#[derive(Debug, Subcommand)]
pub enum StoreCommand {
    /// Copies a user-data folder into the database that `DATABASE_URL` names.
    Push {
        /// The folder.
        folder: PathBuf,
        /// Deletes what the database has.
        #[arg(long)]
        replace: bool,
    },
    /// Copies everything from the database that `DATABASE_URL` names into a folder.
    Pull {
        /// The folder; it is created if it does not exist.
        folder: PathBuf,
        /// Deletes what the folder has.
        #[arg(long)]
        replace: bool,
    },
    /// Copies everything from one place to another. Each is a folder, or the address of a database.
    Copy {
        /// What is copied.
        from: String,
        /// Where it goes.
        to: String,
        /// Deletes what the target has.
        #[arg(long)]
        replace: bool,
    },
}

/// Runs the command.
pub async fn run(command: StoreCommand, settings: &Settings) -> ExitCode {
    match command.run(settings).await {
        Ok(Copied { files, changes, backups }) => {
            println!("copied {files} files, {changes} changes in the history and {backups} backups");
            ExitCode::SUCCESS
        }
        Err(reason) => {
            eprintln!("portico: {reason}");
            ExitCode::FAILURE
        }
    }
}

impl StoreCommand {
    async fn run(self, settings: &Settings) -> Result<Copied, String> {
        let database = || {
            let address = settings.database.as_ref().ok_or("DATABASE_URL is not set")?;
            place(address.expose(), settings)
        };
        let (from, to, replace) = match self {
            Self::Push { folder, replace } => (Place::Folder(folder), database()?, replace),
            Self::Pull { folder, replace } => (database()?, Place::Folder(folder), replace),
            Self::Copy { from, to, replace } => (place(&from, settings)?, place(&to, settings)?, replace),
        };
        transfer::copy(&from, &to, replace).await.map_err(|error: TransferError| error.to_string())
    }
}

fn place(written: &str, settings: &Settings) -> Result<Place, String> {
    if !written.contains("://") {
        return Ok(Place::Folder(written.into()));
    }
    let database = Database::at(written, settings).map_err(|error| error.to_string())?;
    Ok(Place::Database(Box::new(database)))
}
