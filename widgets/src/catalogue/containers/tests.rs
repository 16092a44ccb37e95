use super::*;

#[test]
fn names_fit_patterns() {
    for (pattern, name, expected) in [
        ("web", "Web", true),
        ("web", "web-1", false),
        ("web*", "web-1", true),
        ("*db*", "shop-db-1", true),
        ("*-1", "web-1", true),
        ("a*b*c", "a-b-b-c", true),
        ("a*a", "a", false),
        ("*", "anything", true),
        ("/web", "web", true),
    ] {
        assert_eq!(fits(pattern, name), expected, "{pattern} {name}");
    }
}

#[test]
fn hosts_are_sockets_or_addresses() {
    let told = |written: &str| match ApiAddress::parse(written) {
        Ok(ApiAddress::Socket(path)) => format!("socket {path}"),
        Ok(ApiAddress::Http(address)) => address.join("/x", &[]),
        Err(problem) => problem.to_owned(),
    };
    for (written, expected) in [
        ("unix:///run/user/1000/podman/podman.sock", "socket /run/user/1000/podman/podman.sock"),
        ("/var/run/docker.sock", "socket /var/run/docker.sock"),
        ("tcp://socket-proxy:2375", "http://socket-proxy:2375/x"),
        ("TCP://proxy:2375/", "http://proxy:2375/x"),
        ("https://docker.example.org", "https://docker.example.org/x"),
        ("socket-proxy:2375", "http://socket-proxy:2375/x"),
        ("unix://docker.sock", "must name a socket by its full path"),
        ("npipe:////./pipe/docker", "must be a unix://, tcp://, http:// or https:// address"),
    ] {
        assert_eq!(told(written), expected, "{written}");
    }
}
