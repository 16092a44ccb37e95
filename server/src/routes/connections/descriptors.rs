//! How many files and connections the process may have open.

/// Raises the limit of open files to what the administrator allows, and returns it. Many systems start programs with 1024
/// and allow more to those that ask; a server needs one for each connection.
#[cfg(unix)]
pub fn raise_descriptor_limit() -> usize {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

    let limit = getrlimit(Resource::Nofile);
    if limit.current != limit.maximum {
        // Some systems refuse an unlimited number; then the limit stays as it was.
        _ = setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit });
    }
    getrlimit(Resource::Nofile).current.and_then(|limit| usize::try_from(limit).ok()).unwrap_or(usize::MAX)
}

/// Other systems have no limit that a program needs to know.
#[cfg(not(unix))]
pub fn raise_descriptor_limit() -> usize {
    usize::MAX
}
