//! GitHub: requests to its public API, its errors, and the colors of programming languages.

use crate::{FetchError, Moment, Request, Response, WidgetContext, option_types::Color};

const API: &str = "https://api.github.com";

/// The colors that GitHub uses for languages.
const COLORS: [(&str, &str); 32] = [
    ("Astro", "#ff5a03"),
    ("C", "#555555"),
    ("C#", "#178600"),
    ("C++", "#f34b7d"),
    ("CSS", "#663399"),
    ("Clojure", "#db5855"),
    ("Dart", "#00b4ab"),
    ("Dockerfile", "#384d54"),
    ("Elixir", "#6e4a7e"),
    ("Go", "#00add8"),
    ("HTML", "#e34c26"),
    ("Haskell", "#5e5086"),
    ("Java", "#b07219"),
    ("JavaScript", "#f1e05a"),
    ("Jupyter Notebook", "#da5b0b"),
    ("Kotlin", "#a97bff"),
    ("Lua", "#000080"),
    ("Makefile", "#427819"),
    ("Nix", "#7e7eff"),
    ("OCaml", "#ef7a08"),
    ("PHP", "#4f5d95"),
    ("Perl", "#0298c3"),
    ("Python", "#3572a5"),
    ("R", "#198ce7"),
    ("Ruby", "#701516"),
    ("Rust", "#dea584"),
    ("Scala", "#c22d40"),
    ("Shell", "#89e051"),
    ("Swift", "#f05138"),
    ("TypeScript", "#3178c6"),
    ("Vue", "#41b883"),
    ("Zig", "#ec915c"),
];

/// The color of a language, if it is one of the common ones.
pub(crate) fn color(language: &str) -> Option<Color> {
    let (_, color) = COLORS.iter().find(|(name, _)| name.eq_ignore_ascii_case(language))?;
    Color::parse(color)
}

/// A GET request for a path, which begins with a slash and is encoded.
pub(crate) fn request(path: &str) -> Request {
    Request::get(format!("{API}{path}"))
        .header("Accept", "application/vnd.github+json")
        .header("X-GitHub-Api-Version", "2022-11-28")
}

/// Sends a request. A response that something does not exist is not an error; every other failure is.
pub(crate) async fn send(context: &dyn WidgetContext, request: Request) -> Result<Response, FetchError> {
    let reply = context.exchange(request).await?;
    let is_used_up = reply.header("x-ratelimit-remaining").is_some_and(|left| left.trim() == "0");
    if matches!(reply.status, 403 | 429) && (is_used_up || reply.status == 429) {
        let reset = reply.header("x-ratelimit-reset").and_then(|at| at.trim().parse().ok()).map(Moment::from_seconds);
        return Err(FetchError::TooMany { host: reply.host.clone(), retry_at: reset.or_else(|| reply.retry_at()) });
    }
    if reply.status == 401 {
        let sentence = "GitHub refused the token, or it has expired: check the option token.";
        return Err(FetchError::login_refused(sentence));
    }
    if reply.status != 404 {
        reply.ok()?;
    }
    Ok(reply)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_color_is_one() {
        assert!(COLORS.iter().all(|(name, _)| color(name).is_some()));
        assert_eq!(color("rust"), color("Rust"));
        assert_eq!(color("No such language"), None);
    }
}
