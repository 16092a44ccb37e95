//! The addresses at which services that people run themselves usually respond.

/// Their ports, by what is left of their names without spaces and signs.
const PORTS: [(&str, u16); 70] = [
    ("adguardhome", 3000),
    ("audiobookshelf", 13378),
    ("bazarr", 6767),
    ("bitwarden", 8080),
    ("bookstack", 6875),
    ("calibreweb", 8083),
    ("changedetection", 5000),
    ("cockpit", 9090),
    ("deluge", 8112),
    ("dozzle", 8080),
    ("duplicati", 8200),
    ("emby", 8096),
    ("filebrowser", 8080),
    ("forgejo", 3000),
    ("freshrss", 8080),
    ("frigate", 5000),
    ("gitea", 3000),
    ("glances", 61208),
    ("gotify", 8080),
    ("grafana", 3000),
    ("healthchecks", 8000),
    ("homeassistant", 8123),
    ("immich", 2283),
    ("influxdb", 8086),
    ("jackett", 9117),
    ("jellyfin", 8096),
    ("jellyseerr", 5055),
    ("kavita", 5000),
    ("komga", 25600),
    ("lidarr", 8686),
    ("linkding", 9090),
    ("mealie", 9925),
    ("memos", 5230),
    ("miniflux", 8080),
    ("minio", 9001),
    ("n8n", 5678),
    ("navidrome", 4533),
    ("netdata", 19999),
    ("nextcloud", 443),
    ("nginxproxymanager", 81),
    ("nodered", 1880),
    ("ntfy", 80),
    ("octoprint", 5000),
    ("opnsense", 443),
    ("overseerr", 5055),
    ("paperlessngx", 8000),
    ("photoprism", 2342),
    ("pihole", 80),
    ("plex", 32400),
    ("portainer", 9443),
    ("prometheus", 9090),
    ("prowlarr", 9696),
    ("proxmox", 8006),
    ("qbittorrent", 8080),
    ("radarr", 7878),
    ("readarr", 8787),
    ("sabnzbd", 8080),
    ("scrutiny", 8080),
    ("sonarr", 8989),
    ("stirlingpdf", 8080),
    ("syncthing", 8384),
    ("tautulli", 8181),
    ("traefik", 8080),
    ("transmission", 9091),
    ("truenas", 443),
    ("unifi", 8443),
    ("uptimekuma", 3001),
    ("vaultwarden", 8080),
    ("wallabag", 80),
    ("zigbee2mqtt", 8080),
];
/// The ports of those that speak HTTPS.
const SECURE: [u16; 4] = [443, 8006, 8443, 9443];

/// The usual address of a service with this title on a host; `None` if it is not known.
#[must_use]
pub fn usual_address(title: &str, host: &str) -> Option<String> {
    let name: String = title.to_lowercase().chars().filter(char::is_ascii_alphanumeric).collect();
    let (_, port) = *PORTS.iter().find(|(known, _)| *known == name)?;
    let scheme = if SECURE.contains(&port) { "https" } else { "http" };
    let path = if port == 32400 { "/web" } else { "" };
    Some(match port {
        80 | 443 => format!("{scheme}://{host}{path}"),
        _ => format!("{scheme}://{host}:{port}{path}"),
    })
}

#[cfg(test)]
mod tests {
    use super::usual_address;

    #[test]
    fn a_known_service_has_its_usual_address_on_the_host_of_the_dashboard() {
        let on_nas = |title: &str| usual_address(title, "nas.lan");
        assert_eq!(on_nas("Jellyfin").as_deref(), Some("http://nas.lan:8096"));
        assert_eq!(on_nas("Home Assistant").as_deref(), Some("http://nas.lan:8123"));
        assert_eq!(on_nas("Proxmox").as_deref(), Some("https://nas.lan:8006"));
        assert_eq!(on_nas("Pi-hole").as_deref(), Some("http://nas.lan"));
        assert_eq!(on_nas("Plex").as_deref(), Some("http://nas.lan:32400/web"));
        assert_eq!(on_nas("Ferry"), None);
    }
}
