//! The addresses of the search engines that other configs name with a word.

/// The address to which a query is appended; `None` for an unknown word.
pub fn address_of(name: &str) -> Option<&'static str> {
    Some(match name {
        "google" => "https://www.google.com/search?q=",
        "duckduckgo" => "https://duckduckgo.com/?q=",
        "bing" => "https://www.bing.com/search?q=",
        "baidu" => "https://www.baidu.com/s?wd=",
        "brave" => "https://search.brave.com/search?q=",
        "perplexity" => "https://www.perplexity.ai/search?q=",
        "kagi" => "https://kagi.com/search?q=",
        "startpage" => "https://www.startpage.com/do/search?q=",
        _ => return None,
    })
}

/// The word with a capital letter, for a button.
pub fn title_of(name: &str) -> String {
    match name {
        "duckduckgo" => "DuckDuckGo".to_owned(),
        _ => {
            let mut letters = name.chars();
            letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect()
        }
    }
}
