use super::{HostRule, RunAs, Settings};

fn read(variables: &[(&str, &str)]) -> Result<Settings, String> {
    let variable = |name: &str| variables.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned());
    Settings::read(variable).map_err(|error| error.to_string())
}

#[test]
fn prefixes_are_normalized() {
    for (value, expected) in [
        ("", ""),
        ("/", ""),
        ("/start", "/start"),
        ("start/", "/start"),
        ("/a//b/", "/a/b"),
        ("https://host.example/dash/", "/dash"),
        ("https://host.example", ""),
    ] {
        assert_eq!(read(&[("BASE_URL", value)]).unwrap().base, expected, "{value}");
    }
    assert!(read(&[("BASE_URL", "/a/../b")]).unwrap_err().contains("BASE_URL"));
    assert!(read(&[("BASE_URL", "/a b")]).unwrap_err().contains("/start"));
}

#[test]
fn wrong_values_name_their_variable() {
    assert!(read(&[("PORT", "http")]).unwrap_err().contains("PORT"));
    assert!(read(&[("HOST", "my-host")]).unwrap_err().contains("HOST"));
    assert!(read(&[("TRUSTED_PROXIES", "10.0.0.1,proxy.lan")]).unwrap_err().contains("proxy.lan"));
    assert!(read(&[("ALLOWED_HOSTS", "https://dash.example/")]).unwrap_err().contains("*.home.example"));
    assert!(read(&[("HSTS", "true")]).unwrap_err().contains("31536000"));
    for value in ["*", "home.example", "https://*", "javascript://x", "https://a.example https://a*.example"] {
        assert!(read(&[("FRAME_ANCESTORS", value)]).unwrap_err().contains("FRAME_ANCESTORS"), "{value}");
    }
}

#[test]
fn sites_that_may_frame_the_dashboard_are_origins() {
    let settings = read(&[("FRAME_ANCESTORS", "https://Home.example/start, http://*.lan.example:8443")]).unwrap();
    assert_eq!(settings.frame_ancestors, ["https://home.example", "http://*.lan.example:8443"]);
    assert!(read(&[]).unwrap().frame_ancestors.is_empty());
}

#[test]
fn the_api_needs_the_word_true() {
    for (value, expected) in
        [("true", true), (" TRUE ", true), ("1", false), ("yes", false), ("on", false), ("", false), ("false", false)]
    {
        let variables = [("ENABLE_API", value), ("DISABLE_CONFIG_BACKUPS", value)];
        let settings = read(&variables).unwrap();
        assert_eq!((settings.enable_api, settings.backups.disabled), (expected, expected), "{value}");
    }
    let warnings = Settings::warnings(|name| (name == "ENABLE_API").then(|| "yes".to_owned()));
    assert!(warnings.len() == 1 && warnings[0].contains("ENABLE_API=true"), "{warnings:?}");
}

#[test]
fn keys_without_effect_are_reported() {
    let warnings = Settings::warnings(|name| (name == "VITE_APP_TITLE").then(|| "Mine".to_owned()));
    assert!(warnings.len() == 1 && warnings[0].contains("pageInfo.title"), "{warnings:?}");
}

#[test]
fn what_protects_is_never_off_in_silence() {
    for variables in [
        &[("ENABLE_HTTP_AUTH", "enabled")][..],
        &[("ENABLE_HTTP_AUTH", "tru")],
        &[("OUTBOUND_FORBID_PRIVATE", "y")],
        &[("OFFLINE", "enabled")],
        &[("REDIRECT_HTTPS", "always")],
        &[("API_TOKEN", "")],
        &[("API_TOKEN", " \n")],
        &[("BASIC_AUTH_PASSWORD", ""), ("BASIC_AUTH_USERNAME", "admin")],
        &[("BASIC_AUTH_PASSWORD", "p")],
        &[("TRUSTED_PROXIES", "")],
        &[("TRUSTED_PROXIES", " , ")],
        &[("TRUSTED_PROXIES", "10.0.0.1,10.0.0.0/40")],
    ] {
        let error = read(variables).unwrap_err();
        assert!(error.starts_with("environment variable ") && !error.contains("``"), "{error}");
    }
    for (value, expected) in [("TRUE", true), ("1", true), ("yes", true), ("Off", false), ("0", false), ("", false)] {
        assert_eq!(read(&[("ENABLE_HTTP_AUTH", value)]).unwrap().enable_http_auth, expected, "{value}");
    }
}

#[test]
fn accounts_and_tokens() {
    assert!(read(&[("BASIC_AUTH_USERNAME", ""), ("BASIC_AUTH_PASSWORD", "")]).unwrap().static_account.is_none());
    let account = read(&[("BASIC_AUTH_USERNAME", "admin"), ("BASIC_AUTH_PASSWORD", " p:w ")]).unwrap().static_account;
    assert_eq!(account.unwrap().password.expose(), " p:w ");
    assert_eq!(read(&[("API_TOKEN", " t0k\n")]).unwrap().api_token.unwrap().expose(), "t0k");
    assert!(read(&[("CONFIG_BACKUP_LIMIT", "many")]).unwrap_err().contains("CONFIG_BACKUP_LIMIT"));
}

#[test]
fn requests_name_the_program() {
    let agent = read(&[]).unwrap().http_client().user_agent;
    assert!(agent.strip_prefix("Portico/").is_some_and(|version| version.contains('.')), "{agent}");
}

#[test]
fn the_administrator_says_which_hosts_are_called() {
    let http_client = read(&[]).unwrap().http_client();
    assert!(
        !http_client.forbid_private && http_client.allowed_hosts.is_empty() && http_client.forbidden_hosts.is_empty()
    );
    let variables = [
        ("OUTBOUND_FORBID_PRIVATE", "yes"),
        ("OUTBOUND_ALLOWED_HOSTS", "nas.lan, 192.168.1.0/24"),
        ("OUTBOUND_FORBIDDEN_HOSTS", "*.ads.example"),
    ];
    let http_client = read(&variables).unwrap().http_client();
    let rules = |texts: &[&str]| texts.iter().map(|text| text.parse().unwrap()).collect::<Vec<HostRule>>();
    assert!(http_client.forbid_private);
    assert_eq!(http_client.allowed_hosts, rules(&["nas.lan", "192.168.1.0/24"]));
    assert_eq!(http_client.forbidden_hosts, rules(&["*.ads.example"]));
    let error = read(&[("OUTBOUND_FORBIDDEN_HOSTS", "https://ads.example/")]).unwrap_err();
    assert!(error.contains("OUTBOUND_FORBIDDEN_HOSTS: `https://ads.example/`"), "{error}");
    let warnings = Settings::warnings(|name| (name == "OUTBOUND_ALLOWED_HOSTS").then(|| "nas.lan".to_owned()));
    assert!(warnings.len() == 1 && warnings[0].contains("OUTBOUND_FORBID_PRIVATE=true"), "{warnings:?}");
}

#[test]
fn booleans_and_containers() {
    assert!(!read(&[("REDIRECT_HTTPS", "false")]).unwrap().redirect_https);
    assert!(read(&[]).unwrap().redirect_https);
    assert!(read(&[("OFFLINE", "Yes")]).unwrap().offline);
    assert_eq!(read(&[("IS_DOCKER", "true")]).unwrap().ssl_port, 443);
    assert_eq!(read(&[("VITE_APP_CONFIG_PATH", "/other.yml")]).unwrap().main_config, "other.yml");
    assert_eq!(read(&[("HOST", "[::1]")]).unwrap().host.to_string(), "::1");
}

#[test]
fn secrets_may_be_in_files() {
    let folder = tempfile::tempdir().unwrap();
    let [token, empty, missing, address] =
        ["token", "empty", "missing", "address"].map(|name| folder.path().join(name).display().to_string());
    std::fs::write(&token, "from a file\n").unwrap();
    std::fs::write(&address, "postgres://anna:secret@db.example/portico\n").unwrap();
    std::fs::write(&empty, "\n").unwrap();
    let settings = read(&[
        ("API_TOKEN", ""),
        ("API_TOKEN_FILE", &token),
        ("BASIC_AUTH_USERNAME_FILE", &token),
        ("BASIC_AUTH_PASSWORD_FILE", &token),
        ("SESSION_SECRET_FILE", &token),
        ("DATABASE_URL_FILE", &address),
        ("OIDC_CLIENT_SECRET", "itself"),
        ("OIDC_CLIENT_SECRET_FILE", &missing),
    ])
    .unwrap();
    assert_eq!(settings.api_token.unwrap().expose(), "from a file");
    assert_eq!(settings.session_secret.unwrap().expose(), "from a file");
    assert_eq!(settings.database.unwrap().expose(), "postgres://anna:secret@db.example/portico");
    assert_eq!(settings.oidc_client_secret.unwrap().expose(), "itself");
    let account = settings.static_account.unwrap();
    assert_eq!((account.name.as_str(), account.password.expose()), ("from a file", "from a file"));
    for (path, reason) in [(&missing, "does not exist"), (&empty, "is empty")] {
        let error = read(&[("API_TOKEN_FILE", path)]).unwrap_err();
        assert!(error.contains("API_TOKEN_FILE") && error.contains(reason), "{error}");
    }
}

#[test]
fn a_container_may_name_the_user() {
    let run_as = |variables: &[(&str, &str)]| read(&[&[("IS_DOCKER", "true")][..], variables].concat()).unwrap().run_as;
    assert_eq!(run_as(&[("UID", "1001"), ("GID", "100")]), Some(RunAs { uid: 1001, gid: 100 }));
    assert_eq!(run_as(&[("UID", "1001")]), Some(RunAs { uid: 1001, gid: 1001 }));
    assert_eq!(run_as(&[("UID", "0"), ("GID", "0")]), None);
    assert_eq!(run_as(&[("UID", "anna")]), None);
    assert_eq!(read(&[("UID", "1001")]).unwrap().run_as, None);
}

#[test]
fn a_database_is_postgresql_and_its_password_is_in_no_message() {
    for (address, expected) in [
        ("mysql://anna:secret@db.example/portico", "only PostgreSQL is supported"),
        ("postgres://anna:secret@db.example:port/portico", "it cannot be read"),
    ] {
        let error = read(&[("DATABASE_URL", address)]).unwrap_err();
        assert!(error.contains(expected) && !error.contains("secret"), "{error}");
    }
}
