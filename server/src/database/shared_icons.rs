//! Icons that servers have fetched, so that another one need not fetch them again. This is a cache: it is bounded, and a crash of
//! the database may empty it.

use std::time::Duration;

use bytes::Bytes;
use tokio_postgres::types::Type;

use super::{Database, DatabaseError};

/// An icon that a server has fetched.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct SharedIcon {
    /// The word for its type, and its content; `None` if there is no icon.
    pub found: Option<(String, Bytes)>,
    /// How long this counts from now on.
    pub lifetime: Duration,
}

impl Database {
    /// What another server knows of an icon.
    ///
    /// # Errors
    ///
    /// The database cannot be reached.
    pub async fn icon(&self, key: &str) -> Result<Option<SharedIcon>, DatabaseError> {
        let select = "select media, content, (extract(epoch from expires - clock_timestamp()) * 1000)::int8
            from portico.icons where key = $1 and expires > clock_timestamp()";
        let rows = self.query(select, &[(&key, Type::TEXT)]).await?;
        Ok(rows.first().map(|row| {
            let found = row.get::<_, Option<String>>(0).zip(row.get::<_, Option<Vec<u8>>>(1));
            let lifetime = Duration::from_millis(u64::try_from(row.get::<_, i64>(2)).unwrap_or_default());
            SharedIcon { found: found.map(|(media, content)| (media, content.into())), lifetime }
        }))
    }

    /// Tells the other servers of an icon.
    ///
    /// # Errors
    ///
    /// The database cannot be reached, or its disk is full.
    pub async fn put_icon(&self, key: &str, icon: &SharedIcon) -> Result<(), DatabaseError> {
        let put = "insert into portico.icons (key, media, content, at, expires)
            values ($1, $2, $3, clock_timestamp(), clock_timestamp() + $4 * interval '1 ms')
            on conflict (key) do update
            set media = excluded.media, content = excluded.content, at = excluded.at, expires = excluded.expires";
        let media = icon.found.as_ref().map(|(media, _)| media.as_str());
        let content = icon.found.as_ref().map(|(_, content)| &**content);
        let lifetime = i64::try_from(icon.lifetime.as_millis()).unwrap_or(i64::MAX);
        let parameters = [
            (&key as _, Type::TEXT),
            (&media as _, Type::TEXT),
            (&content as _, Type::BYTEA),
            (&lifetime as _, Type::INT8),
        ];
        self.query(put, &parameters).await.map(|_| ())
    }

    /// Deletes icons whose time is over, and the oldest ones above these limits.
    ///
    /// # Errors
    ///
    /// The database cannot be reached.
    pub async fn trim_icons(&self, count: i64, bytes: i64) -> Result<(), DatabaseError> {
        // The size of a content is known without reading it.
        let trim = "delete from portico.icons where expires <= clock_timestamp() or key in (
            select key from (
                select key, row_number() over newest as number, sum(coalesce(octet_length(content), 0)) over newest as bytes
                from portico.icons window newest as (order by at desc, key)
            ) as icons where number > $1 or bytes > $2)";
        self.query(trim, &[(&count, Type::INT8), (&bytes, Type::INT8)]).await.map(|_| ())
    }
}
