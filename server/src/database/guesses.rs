//! Wrong passwords and tokens, which count at all servers.

use std::{collections::HashMap, net::IpAddr};

use tokio_postgres::types::Type;

use super::{Database, DatabaseError};

/// The key of the news that credentials were wrong at another server.
pub const GUESSES: &str = "guesses";

/// A wrong credential.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub struct Guess {
    /// Who sent it.
    pub peer: Option<IpAddr>,
    /// The lane of the account that it was for.
    pub lane: Option<u64>,
}

impl Guess {
    /// The guesses in an announcement, with their number.
    pub fn parse(announced: &str) -> Option<(Self, usize)> {
        let (count, rest) = announced.split_once(' ')?;
        let (peer, lane) = rest.split_once(' ')?;
        Some((Self { peer: peer.parse().ok(), lane: lane.parse().ok() }, count.parse().ok()?))
    }

    fn announced(&self, count: usize) -> String {
        let written = |value: Option<String>| value.unwrap_or_else(|| "-".to_owned());
        let (peer, lane) = (self.peer.map(|peer| peer.to_string()), self.lane.map(|lane| lane.to_string()));
        format!("{count} {} {}", written(peer), written(lane))
    }
}

impl Database {
    /// Tells the other servers of wrong credentials.
    ///
    /// # Errors
    ///
    /// The database cannot be reached: they count at this server only.
    pub async fn announce_guesses(&self, guesses: &[Guess]) -> Result<(), DatabaseError> {
        // A transaction announces equal messages once.
        let mut counts = HashMap::<_, usize>::new();
        for guess in guesses {
            *counts.entry(*guess).or_default() += 1;
        }
        let messages: Vec<String> =
            counts.into_iter().map(|(guess, count)| format!("guess {} {}", self.id, guess.announced(count))).collect();
        let announce = "select pg_notify('portico', message) from unnest($1) as message";
        self.query(announce, &[(&messages as _, Type::TEXT_ARRAY)]).await.map(|_| ())
    }
}

#[cfg(test)]
mod tests {
    use super::Guess;

    #[test]
    fn an_announcement_is_read_as_it_was_written() {
        for guess in [
            Guess { peer: Some("192.0.2.7".parse().unwrap()), lane: Some(12) },
            Guess { peer: Some("2001:db8::1".parse().unwrap()), lane: None },
            Guess { peer: None, lane: Some(1024) },
        ] {
            assert_eq!(Guess::parse(&guess.announced(3)), Some((guess, 3)));
        }
        assert_eq!(Guess::parse("many"), None);
    }
}
