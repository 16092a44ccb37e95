//! `docker.yaml` and the containers that services name: a widget with the containers of each group.

use serde_json::{Map, Value};

use crate::{
    draft::{SectionDraft, WidgetDraft},
    fields::Fields,
    report::{Report, SourceLocation},
};

/// The connections to Docker, by their names.
#[derive(Debug, Default)]
pub struct Docker {
    /// Their addresses.
    connections: Map<String, Value>,
    /// Where each is in the files.
    places: Vec<(String, SourceLocation)>,
    /// Those with a container that a service names.
    used: Vec<String>,
}

/// The containers of one group: for each connection, the names of containers.
#[derive(Debug, Default)]
pub struct Containers(Vec<(Option<String>, Vec<String>)>);

impl Docker {
    /// The connections of files.
    pub fn read(files: Vec<(SourceLocation, Value)>, report: &mut Report) -> Self {
        let mut docker = Self::default();
        for (place, value) in files {
            let mut servers = Fields::of(value, place.clone(), report);
            for (name, content) in servers.take_rest() {
                let place = place.child(&name);
                let mut fields = Fields::of(content, place.clone(), report);
                if let Some(address) = address(&mut fields) {
                    docker.connections.insert(name.clone(), address.into());
                    docker.places.push((name, place));
                }
                fields.finish_with(report, |key| match key {
                    "swarm" => Some("services of a swarm are shown as their containers"),
                    "tls" | "username" | "password" => Some("use a socket proxy in the own network"),
                    _ => None,
                });
            }
        }
        docker
    }

    /// Puts the containers of a group into its section: a widget for each connection.
    pub fn show(
        &mut self,
        containers: Containers,
        section: &mut SectionDraft,
        place: &SourceLocation,
        report: &mut Report,
    ) {
        for (server, names) in containers.0 {
            let host = server.as_ref().and_then(|server| self.connections.get(server)).cloned();
            match (&server, &host) {
                (Some(server), None) => {
                    let text = format!(
                        "the address of the Docker server `{server}` is in `docker.yaml`; set `host` of the widget `containers`"
                    );
                    report.changed(place, text);
                }
                (Some(server), Some(_)) => self.used.push(server.clone()),
                (None, _) => {}
            }
            let widget = WidgetDraft::new("containers").labelled(Some("Containers".to_owned()));
            section.widgets.push(widget.with("host", host).with("names", Some(names)));
        }
    }

    /// Notes the connections that no service has used.
    pub fn finish(self, report: &mut Report) {
        for (name, place) in self.places.iter().filter(|(name, _)| !self.used.contains(name)) {
            let address = self.connections.get(name).and_then(Value::as_str).unwrap_or_default();
            let text = format!("no service names a container of it; a widget `containers` shows all of `{address}`");
            report.lost(place, text);
        }
    }
}

impl Containers {
    /// Takes the container of a service, and returns whether it names one.
    pub fn take(&mut self, fields: &mut Fields, report: &mut Report) -> bool {
        let Some(name) = fields.words("container") else { return false };
        let server = fields.words("server");
        // The widget shows them anyway.
        fields.skip(&["showStats"]);
        report.changed(&fields.place, "`container`: its state is in a widget `containers` at the end of the section");
        match self.0.iter_mut().find(|(known, _)| *known == server) {
            Some((_, names)) => names.push(name),
            None => self.0.push((server, vec![name])),
        }
        true
    }
}

/// The address of a connection, as the widget has it.
fn address(fields: &mut Fields) -> Option<String> {
    if let Some(socket) = fields.words("socket") {
        return Some(format!("unix://{socket}"));
    }
    let host = fields.words("host")?;
    let protocol = fields.words("protocol").unwrap_or_else(|| "http".to_owned());
    let port = fields.text("port").map(|port| format!(":{port}")).unwrap_or_default();
    Some(format!("{protocol}://{host}{port}"))
}
