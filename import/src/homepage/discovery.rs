//! `docker.yaml` and `kubernetes.yaml`: the sources of discovery. A container that a service names gives its tile a state.

use serde_json::{Map, Value, json};

use crate::{
    draft::{Put, SectionDraft, WidgetDraft},
    fields::Fields,
    report::{Report, SourceLocation},
};

/// Where Homepage finds services by itself.
#[derive(Debug, Default)]
pub struct Discovery {
    /// The sources, as in `appConfig.discovery`.
    sources: Vec<Value>,
    /// The Docker servers, by their names.
    servers: Map<String, Value>,
}

/// The containers of one group whose load is shown: for each server, their names.
#[derive(Debug, Default)]
pub struct Containers(Vec<(Option<String>, Vec<String>)>);

impl Discovery {
    /// Reads the servers of `docker.yaml`. `instance` is the name of the dashboard in labels.
    pub fn docker(&mut self, value: Value, place: &SourceLocation, instance: Option<&str>, report: &mut Report) {
        let mut servers = Fields::of(value, place.clone(), report);
        for (name, content) in servers.take_rest() {
            let mut fields = Fields::of(content, place.child(&name), report);
            if let Some(address) = address(&mut fields) {
                let mut source = Map::new();
                source.put("name", Some(name.clone()));
                source.put("url", Some(address.clone()));
                source.put("tls", tls(&mut fields, report));
                let is_swarm = fields.flag("swarm") == Some(true);
                source.put("swarm", is_swarm.then_some(true));
                self.add(source, instance);
                self.servers.insert(name, json!({ "address": address, "swarm": is_swarm }));
            }
            fields.finish_with(report, |key| match key {
                "username" | "password" => Some("use a socket proxy in the own network"),
                _ => None,
            });
        }
    }

    /// Reads `kubernetes.yaml`.
    pub fn kubernetes(&mut self, value: Value, place: &SourceLocation, instance: Option<&str>, report: &mut Report) {
        let mut fields = Fields::of(value, place.clone(), report);
        // Routes of all kinds are found.
        fields.skip(&["ingress", "gateway", "traefik"]);
        let access = match fields.words("mode").as_deref() {
            Some("cluster") => Some("cluster"),
            Some("default") => {
                report.changed(place, "copy the kubeconfig file to `kubeconfig.yml` beside the config");
                Some("kubeconfig.yml")
            }
            _ => None,
        };
        if let Some(access) = access {
            let mut source = Map::new();
            source.put("kubernetes", Some(access));
            self.add(source, instance);
        }
        fields.finish(report);
    }

    fn add(&mut self, mut source: Map<String, Value>, instance: Option<&str>) {
        source.put("labels", Some(vec!["homepage"]));
        source.put("instance", instance);
        source.put("add", Some("live"));
        self.sources.push(source.into());
    }

    /// Puts the containers whose load is shown into the section of their group: a widget for each server.
    pub fn show(
        &self,
        containers: Containers,
        section: &mut SectionDraft,
        place: &SourceLocation,
        report: &mut Report,
    ) {
        for (server, names) in containers.0 {
            let address = server.as_ref().and_then(|server| self.servers.get(server)?.get("address")).cloned();
            if let (Some(server), None) = (&server, &address) {
                let text = format!(
                    "the address of the Docker server `{server}` is in `docker.yaml`; set `host` of the widget `containers`"
                );
                report.changed(place, text);
            }
            let widget = WidgetDraft::new("containers").labelled(Some("Containers".to_owned()));
            section.widgets.push(widget.with("host", address).with("names", Some(names)));
        }
    }

    /// Takes the container of a service into its item, or into a widget: with `showStats`, and if the state of the container is
    /// not known. Returns whether the service names one.
    pub fn take_container(
        &self,
        fields: &mut Fields,
        item: &mut Map<String, Value>,
        containers: &mut Containers,
        report: &mut Report,
    ) -> bool {
        let Some(name) = fields.words("container") else { return false };
        let server = fields.words("server");
        let shows_load = fields.flag("showStats") == Some(true);
        let known =
            server.as_deref().filter(|server| self.servers.get(*server).is_some_and(|one| one["swarm"] == false));
        if let Some(server) = known {
            item.put("container", Some(format!("{server}/{name}")));
        }
        if shows_load || known.is_none() {
            report
                .changed(&fields.place, "`container`: its state is in a widget `containers` at the end of the section");
            match containers.0.iter_mut().find(|(known, _)| *known == server) {
                Some((_, names)) => names.push(name),
                None => containers.0.push((server, vec![name])),
            }
        }
        true
    }

    /// The sources, as in `appConfig.discovery`; `None` if there are none.
    pub fn into_sources(self) -> Option<Vec<Value>> {
        Some(self.sources).filter(|sources| !sources.is_empty())
    }
}

/// The address of a server, as sources and widgets have it.
fn address(fields: &mut Fields) -> Option<String> {
    if let Some(socket) = fields.words("socket") {
        return Some(format!("unix://{socket}"));
    }
    let host = fields.words("host")?;
    let protocol = fields.words("protocol").unwrap_or_else(|| "http".to_owned());
    let port = fields.text("port").map(|port| format!(":{port}")).unwrap_or_default();
    Some(format!("{protocol}://{host}{port}"))
}

/// The certificates of a server. Their files stay where they are, in the folder of the config.
fn tls(fields: &mut Fields, report: &mut Report) -> Option<Map<String, Value>> {
    let mut files = fields.mapping("tls", report)?;
    let mut tls = Map::new();
    for key in ["caFile", "certFile", "keyFile"] {
        tls.put(key, files.words(key));
    }
    files.finish(report);
    Some(tls).filter(|tls| !tls.is_empty())
}
