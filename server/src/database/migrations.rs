//! Creates and extends the tables. Migrations only add, so servers of the version before go on beside those of this one.

use tokio_postgres::types::Type;

use super::{Connection, DatabaseError};

/// The migrations in order. One that has been released never changes.
const MIGRATIONS: [&str; 3] =
    [include_str!("migrations/1.sql"), include_str!("migrations/2.sql"), include_str!("migrations/3.sql")];

/// Only one server migrates at a time; the number is arbitrary.
const BEGIN: &str = "begin; select pg_advisory_xact_lock(7038129144213076);
    create schema if not exists portico;
    create table if not exists portico.migrations (number int primary key, applied timestamptz not null default now())";

/// Applies what is missing. A database that is newer than this program stays as it is.
pub(super) async fn run(connection: &Connection<'_>) -> Result<(), DatabaseError> {
    // Looking first needs no right to create anything.
    let exists = "select to_regclass('portico.migrations') is not null";
    let exists = connection.query(exists, &[]).await?.first().is_some_and(|row| row.get(0));
    if exists && applied(connection).await? >= MIGRATIONS.len() {
        return Ok(());
    }
    connection.run(BEGIN).await?;
    let applied = applied(connection).await?;
    for (number, migration) in (1_i32..).zip(MIGRATIONS).skip(applied) {
        connection.run(migration).await?;
        let add = "insert into portico.migrations (number) values ($1)";
        connection.query(add, &[(&number, Type::INT4)]).await?;
        tracing::info!("the tables of the database are now those of version {number}");
    }
    connection.run("commit").await
}

/// The number of the newest migration that was applied.
async fn applied(connection: &Connection<'_>) -> Result<usize, DatabaseError> {
    let rows = connection.query("select coalesce(max(number), 0) from portico.migrations", &[]).await?;
    Ok(rows.first().and_then(|row| usize::try_from(row.get::<_, i32>(0)).ok()).unwrap_or_default())
}
