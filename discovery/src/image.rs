//! The name of an application, from the name of its image.

/// Words in names of images that say what part of an application it is.
const PARTS: [&str; 20] = [
    "server",
    "app",
    "web",
    "docker",
    "frontend",
    "backend",
    "api",
    "client",
    "core",
    "ui",
    "service",
    "ce",
    "oss",
    "ee",
    "rootless",
    "alpine",
    "image",
    "container",
    "nightly",
    "latest",
];

/// Names under which the icon of an image may be found, the best first: `ghcr.io/immich-app/immich-server:v1` gives
/// `immich-server`, then `immich`.
pub fn names_of(image: &str) -> Vec<String> {
    let image = image.split('@').next().unwrap_or_default();
    let mut steps: Vec<&str> = image.split('/').filter(|step| !step.is_empty()).collect();
    // Only the last step has a tag; a colon in the first is a port.
    let last = steps.pop().and_then(|last| last.split(':').next()).unwrap_or_default();
    let is_registry = |step: &&str| step.contains(['.', ':']) || *step == "localhost";
    let owner = steps.last().filter(|step| !is_registry(step) && **step != "library").copied();
    let mut names = Vec::new();
    for step in [Some(last), owner].into_iter().flatten() {
        add_names(&step.to_ascii_lowercase().replace(['_', '.'], "-"), &mut names);
    }
    names
}

/// Adds a name, and what remains of it without the words for parts.
fn add_names(name: &str, names: &mut Vec<String>) {
    let mut words: Vec<&str> = name.split('-').filter(|word| !word.is_empty()).collect();
    let mut add = |words: &[&str]| {
        let joined = words.join("-");
        if words.iter().any(|word| !PARTS.contains(word)) && !names.contains(&joined) {
            names.push(joined);
        }
    };
    add(&words);
    if words.first().is_some_and(|word| *word == "docker") {
        words.remove(0);
        add(&words);
    }
    while words.len() > 1 && words.last().is_some_and(|word| PARTS.contains(word)) {
        words.pop();
        add(&words);
    }
}
