//! Ids of posts that look like links and are none: the parser does not say what a feed says about them.

use std::collections::HashSet;

/// The ids that are marked with `isPermaLink="false"`.
pub(super) fn no_links(file: &[u8]) -> HashSet<String> {
    let text = String::from_utf8_lossy(file);
    let marked = text.split("<guid").skip(1).filter_map(|rest| {
        let (attributes, rest) = rest.split_once('>')?;
        let (_, value) = attributes.split_once("isPermaLink")?;
        let value = value.trim_start_matches(|character: char| character.is_whitespace() || "='\"".contains(character));
        let (id, _) = rest.split_once("</")?;
        let id = id.trim();
        let id = id.strip_prefix("<![CDATA[").and_then(|id| id.strip_suffix("]]>")).unwrap_or(id).trim();
        value.to_ascii_lowercase().starts_with("false").then(|| id.replace("&amp;", "&"))
    });
    marked.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_ids_that_say_so_are_no_links() {
        let file = "<rss><guid isPermaLink=\"false\">https://a.example/?a=1&amp;b=2</guid><guid>https://a.example/2</guid>\
            <guid isPermaLink='true'>https://a.example/3</guid><guid isPermaLink = 'FALSE' >\n<![CDATA[ x ]]> </guid><guid";
        let mut found: Vec<_> = no_links(file.as_bytes()).into_iter().collect();
        found.sort_unstable();
        assert_eq!(found, ["https://a.example/?a=1&b=2", "x"]);
    }
}
