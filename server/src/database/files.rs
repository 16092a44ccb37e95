//! Files, what they contained before, and who changed them.

use std::collections::BTreeMap;

use bytes::Bytes;
use tokio_postgres::{Row, types::Type};

use super::{Connection, Database, DatabaseError};

/// How many changes the history holds.
const HISTORY_LIMIT: i64 = 10_000;

/// A new content of a file.
#[derive(Debug, Default)]
pub struct FileChange {
    /// The content; `None` deletes the file.
    pub content: Option<Bytes>,
    /// What the history says about the change; without it, the change has no place there.
    pub revision: Option<NewRevision>,
}

/// A change for the history.
#[derive(Debug)]
pub struct NewRevision {
    /// When, in milliseconds since 1970.
    pub at: u64,
    /// The line of the history, in JSON.
    pub line: String,
    /// The name of the backup, without time and ending; without it, the content before is not stored.
    pub backup_base: Option<String>,
    /// How many backups of the file remain; 0 means all.
    pub backup_limit: usize,
}

/// A file that was written.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct WrittenFile {
    /// The new content.
    pub content: Option<Bytes>,
    /// The number of this version.
    pub revision: i64,
    /// The name of the backup of the content before.
    pub backup: Option<String>,
}

/// A file with its content, unless it is deleted.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct StoredFile {
    /// Its content; `None` if it is deleted.
    pub content: Option<Bytes>,
    /// The number of this version.
    pub revision: i64,
}

/// A change in the past.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct StoredRevision {
    /// The file.
    pub file: String,
    /// When, in milliseconds since 1970.
    pub at: i64,
    /// The line of the history.
    pub line: Option<String>,
    /// The name of its backup.
    pub backup: Option<String>,
    /// The content before, if it is asked for.
    pub before: Option<Bytes>,
}

/// Everything that a store holds.
#[derive(Debug, Default)]
pub struct Contents {
    /// The files by their names, with `/` between folders.
    pub files: BTreeMap<String, Bytes>,
    /// The history and the backups, the oldest first.
    pub revisions: Vec<StoredRevision>,
}

impl Database {
    /// Whether there is neither a file nor a revision.
    ///
    /// # Errors
    ///
    /// The database cannot be reached.
    pub async fn is_empty(&self) -> Result<bool, DatabaseError> {
        let select = "select not exists (select from portico.files where content is not null)
            and not exists (select from portico.revisions)";
        Ok(self.query(select, &[]).await?.first().is_some_and(|row| row.get(0)))
    }

    /// Everything that is stored, as it is at one moment.
    ///
    /// # Errors
    ///
    /// The database cannot be reached.
    pub async fn contents(&self) -> Result<Contents, DatabaseError> {
        let connection = self.connection().await?;
        connection.run("begin isolation level repeatable read, read only").await?;
        let mut contents = Contents::default();
        let names = "select name from portico.files where content is not null";
        for row in connection.query(names, &[]).await? {
            let name: String = row.get(0);
            let select = "select content from portico.files where name = $1";
            let rows = connection.query(select, &[(&name, Type::TEXT)]).await?;
            contents.files.insert(name, rows.first().and_then(content).unwrap_or_default());
        }
        let select = "select before, file, at, change, backup from portico.revisions order by revision";
        let revision = |row: &Row| StoredRevision {
            before: content(row),
            file: row.get(1),
            at: row.get(2),
            line: row.get(3),
            backup: row.get(4),
        };
        contents.revisions = connection.query(select, &[]).await?.iter().map(revision).collect();
        connection.run("commit").await?;
        connection.done();
        Ok(contents)
    }

    /// Replaces everything that is stored, at once.
    ///
    /// # Errors
    ///
    /// Nothing is changed.
    pub async fn replace_contents(&self, contents: Contents) -> Result<(), DatabaseError> {
        let connection = self.connection().await?;
        connection.run("begin; lock table portico.files, portico.revisions in exclusive mode").await?;
        connection.run("delete from portico.revisions").await?;
        for revision in contents.revisions {
            let insert = "insert into portico.revisions (revision, file, at, change, backup, before)
                values (nextval('portico.revision'), $1, $2, $3, $4, $5)";
            let before = revision.before.as_deref();
            let parameters = [
                (&revision.file as _, Type::TEXT),
                (&revision.at as _, Type::INT8),
                (&revision.line as _, Type::TEXT),
                (&revision.backup as _, Type::TEXT),
                (&before as _, Type::BYTEA),
            ];
            connection.query(insert, &parameters).await?;
        }
        for row in connection.query("select name from portico.files where content is not null", &[]).await? {
            let name: String = row.get(0);
            if !contents.files.contains_key(&name) {
                self.store(&connection, &name, &FileChange::default(), None).await?;
            }
        }
        for (name, content) in contents.files {
            let change = FileChange { content: Some(content), revision: None };
            self.store(&connection, &name, &change, None).await?;
        }
        connection.run("commit").await?;
        connection.done();
        Ok(())
    }

    /// Changes a file. No other server changes it while `edit` runs, which gets the content (`None` if there is no file), and
    /// may decline. `edit` may block.
    ///
    /// # Errors
    ///
    /// The file is unchanged; if the database went away in between, that is unknown.
    pub async fn change_file(
        &self,
        name: &str,
        edit: impl FnOnce(Option<Bytes>) -> Option<FileChange> + Send + 'static,
    ) -> Result<Option<WrittenFile>, DatabaseError> {
        let connection = self.connection().await?;
        // These three are sent together, so they cost the time of one.
        let insert = "insert into portico.files (name, revision) values ($1, 0) on conflict do nothing";
        let select = "select content from portico.files where name = $1 for update";
        let name_parameter = [(&name as _, Type::TEXT)];
        let (begun, inserted, selected) = tokio::join!(
            connection.run("begin"),
            connection.query(insert, &name_parameter),
            connection.query(select, &name_parameter),
        );
        begun?;
        inserted?;
        let old = selected?.first().and_then(content);
        let before = old.clone();
        let edited = tokio::task::spawn_blocking(move || edit(old)).await;
        let edited = edited.map_err(|error| DatabaseError::Failed(error.to_string()))?;
        let Some(change) = edited else {
            connection.run("rollback").await?;
            connection.done();
            return Ok(None);
        };
        let (stored, committed) =
            tokio::join!(self.store(&connection, name, &change, before.as_deref()), connection.run("commit"));
        let (revision, backup) = stored?;
        committed?;
        connection.done();
        Ok(Some(WrittenFile { content: change.content, revision, backup }))
    }

    /// Stores a file in the current transaction. Returns its revision, and the name of the backup.
    async fn store(
        &self,
        connection: &Connection<'_>,
        name: &str,
        change: &FileChange,
        before: Option<&[u8]>,
    ) -> Result<(i64, Option<String>), DatabaseError> {
        let store = "select new_revision, backup_name from portico.store_file($1, $2, $3, $4, $5, $6, $7, $8, $9)";
        let content = change.content.as_deref();
        let revision = change.revision.as_ref();
        let at = revision.map(|revision| i64::try_from(revision.at).unwrap_or(i64::MAX));
        let line = revision.map(|revision| revision.line.as_str());
        let base = revision.and_then(|revision| revision.backup_base.as_deref()).filter(|_| before.is_some());
        let limit = revision.map_or(0, |revision| i64::try_from(revision.backup_limit).unwrap_or(i64::MAX));
        let parameters = [
            (&name as _, Type::TEXT),
            (&content as _, Type::BYTEA),
            (&self.id as _, Type::TEXT),
            (&at as _, Type::INT8),
            (&line as _, Type::TEXT),
            (&base as _, Type::TEXT),
            (&before as _, Type::BYTEA),
            (&limit as _, Type::INT8),
            (&HISTORY_LIMIT as _, Type::INT8),
        ];
        let rows = connection.query(store, &parameters).await?;
        let row = rows.first().ok_or_else(|| DatabaseError::Failed("it did not store the file".to_owned()))?;
        Ok((row.get(0), row.get(1)))
    }

    /// The names and versions of all files, those that are deleted too.
    ///
    /// # Errors
    ///
    /// The database cannot be reached.
    pub async fn files(&self) -> Result<Vec<(String, i64)>, DatabaseError> {
        let rows = self.query("select name, revision from portico.files order by name", &[]).await?;
        Ok(rows.iter().map(|row| (row.get(0), row.get(1))).collect())
    }

    /// A file; `None` if there was never one of that name.
    ///
    /// # Errors
    ///
    /// The database cannot be reached.
    pub async fn file(&self, name: &str) -> Result<Option<StoredFile>, DatabaseError> {
        let select = "select content, revision from portico.files where name = $1";
        let rows = self.query(select, &[(&name, Type::TEXT)]).await?;
        Ok(rows.first().map(|row| StoredFile { content: content(row), revision: row.get(1) }))
    }

    /// The backups of all files whose names begin with a text: name, time in milliseconds since 1970, and size.
    ///
    /// # Errors
    ///
    /// The database cannot be reached.
    pub async fn backups(&self, prefix: &str) -> Result<Vec<(String, i64, i64)>, DatabaseError> {
        let select = "select backup, at, length(before)::int8 from portico.revisions
            where backup is not null and starts_with(backup, $1) order by revision desc";
        let rows = self.query(select, &[(&prefix, Type::TEXT)]).await?;
        Ok(rows.iter().map(|row| (row.get(0), row.get(1), row.get(2))).collect())
    }

    /// The content of a backup; `None` if there is none of that name.
    ///
    /// # Errors
    ///
    /// The database cannot be reached.
    pub async fn backup(&self, name: &str) -> Result<Option<Bytes>, DatabaseError> {
        let select = "select before from portico.revisions where backup = $1";
        let rows = self.query(select, &[(&name, Type::TEXT)]).await?;
        Ok(rows.first().and_then(content))
    }

    /// The latest changes before a time in milliseconds since 1970, the newest first, without what the files contained.
    ///
    /// # Errors
    ///
    /// The database cannot be reached.
    pub async fn changes(&self, before: u64, count: usize) -> Result<Vec<StoredRevision>, DatabaseError> {
        let select = "select file, at, change, backup from portico.revisions where at < $1 and change is not null
            order by at desc, revision desc limit $2";
        let (before, count) = (i64::try_from(before).unwrap_or(i64::MAX), i64::try_from(count).unwrap_or(i64::MAX));
        let rows = self.query(select, &[(&before, Type::INT8), (&count, Type::INT8)]).await?;
        let revision = |row: &Row| StoredRevision {
            file: row.get(0),
            at: row.get(1),
            line: row.get(2),
            backup: row.get(3),
            before: None,
        };
        Ok(rows.iter().map(revision).collect())
    }
}

fn content(row: &Row) -> Option<Bytes> {
    row.get::<_, Option<Vec<u8>>>(0).map(Bytes::from)
}
