//! `virtualization-lists`: the nodes of a virtualization cluster, or the guests of one node.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, de};
use serde_json::Value;

use crate::{
    Category, Entry, FetchError, OptionProblems, Panel, Reach, Request, Response, Widget, WidgetContext,
    option_types::{BaseAddress, Lenient, Secret, Text},
    panel::{self, Datum, Decimals, Entries, Heading, Link, Notice, Paragraph, Part, Phrase, Tone, Unit},
    services::tolerant,
};

/// Lists the nodes of a Proxmox cluster, or the virtual machines or containers in it, with their state and their load.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct VirtualizationLists {
    /// Address of the cluster, such as {example}.
    #[schemars(extend("x-required" = true, "x-example" = "https://pve.example.org:8006"))]
    #[serde(deserialize_with = "cluster")]
    cluster_url: Lenient<BaseAddress>,
    /// The user of the token with its realm, such as {example}.
    #[schemars(extend("x-required" = true, "x-example" = "dashy@pve"))]
    user_name: Text,
    /// The name of the token, such as {example}.
    #[schemars(extend("x-required" = true, "x-example" = "portico"))]
    token_name: Text,
    /// The secret that was shown when the token was created, or the name of an environment variable.
    #[schemars(extend("x-required" = true))]
    token_uuid: Secret,
    /// The node whose guests are listed. Without it, all nodes are, or with `node_data` the guests of all nodes.
    node: Text,
    /// Which guests, such as {example} for virtual machines; `lxc` is for containers. Without it, nodes are listed.
    #[schemars(extend("x-example" = "qemu"))]
    node_data: Lenient<GuestKind>,
    /// Title above the list. Without it, there is none.
    title: Text,
    /// Whether the title links to the cluster. Without it, it does not.
    #[schemars(extend("type" = ["boolean", "string", "number"]))]
    title_as_link: Lenient<Value>,
    /// Text below the list. Without it, there is none.
    footer: Text,
    /// Whether the footer links to the cluster. Without it, it does not.
    #[schemars(extend("type" = ["boolean", "string", "number"]))]
    footer_as_link: Lenient<Value>,
    /// Hides templates. Without it, they are marked.
    #[schemars(extend("type" = ["boolean", "string", "number"]))]
    hide_templates: Lenient<Value>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum GuestKind {
    Qemu,
    Lxc,
}

impl GuestKind {
    const fn word(self) -> &'static str {
        match self {
            Self::Qemu => "qemu",
            Self::Lxc => "lxc",
        }
    }
}

impl Widget for VirtualizationLists {
    const SYNONYMS: &'static [(&'static str, &'static str)] = &[
        ("clusterUrl", "cluster_url"),
        ("userName", "user_name"),
        ("tokenName", "token_name"),
        ("tokenUuid", "token_uuid"),
        ("nodeData", "node_data"),
        ("titleAsLink", "title_as_link"),
        ("footerAsLink", "footer_as_link"),
        ("hideTemplates", "hide_templates"),
    ];
    const REACH: Reach = Reach::ViaServer;
    const CATEGORY: Category = Category::Servers;
    const USUAL_LINES: usize = 13;

    fn check(&self, _entry: &Entry, problems: &mut OptionProblems) {
        let has_address = self.cluster_url.get().is_some_and(BaseAddress::is_set);
        problems.require_option(has_address, "cluster_url", "the address of Proxmox VE");
        problems.require_option(self.user_name.is_set(), "user_name", "the user of the API token with its realm");
        problems.require_option(self.token_name.is_set(), "token_name", "the name of the API token");
        let purpose = "the secret that Proxmox VE showed when the token was created";
        problems.require_option(self.token_uuid.is_set(), "token_uuid", purpose);
        let is_missing = self.node.is_set() && self.node_data.get().is_none();
        let is_wrong = self.node_data.unknown().is_some();
        problems.require_option(!is_missing && !is_wrong, "node_data", "what is listed of the node, qemu or lxc");
    }

    fn refresh(&self) -> Option<Duration> {
        Some(Duration::from_secs(30))
    }

    async fn fetch(&self, context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        let address = self.cluster_url.get().cloned().unwrap_or_default().without(&["/api2/json"]);
        let kind = self.node_data.get().copied();
        let url = match (self.node.get(), kind) {
            (Some(node), Some(kind)) => address.join("/api2/json/nodes/{}/{}", &[node, kind.word()]),
            (None, Some(_)) => address.join("/api2/json/cluster/resources?type=vm", &[]),
            _ => address.join("/api2/json/nodes", &[]),
        };
        let token = format!("PVEAPIToken={}!{}={}", self.user_name, self.token_name, self.token_uuid.reveal());
        let request = Request::get(url).header("Authorization", token).header("Accept", "application/json");
        let list = self.read(&context.exchange(request).await?)?;
        let mut things: Vec<Resource> = list
            .into_iter()
            .filter_map(tolerant::as_entry::<ResourceReply>)
            .filter(|thing| kind.is_none() || self.node.is_set() || thing.kind.as_deref() == kind.map(GuestKind::word))
            .filter(|thing| thing.is_known(kind))
            .map(|thing| thing.read(kind))
            .filter(|thing| !(thing.is_template && is_on(&self.hide_templates)))
            .collect();
        things.sort_by_cached_key(|thing| (thing.number, thing.name.to_lowercase()));
        let link = |words: &str, is_link: &Lenient<Value>| {
            is_on(is_link).then(|| Link::parse(Phrase::foreign(words), &address.public())).flatten()
        };
        let mut parts: Vec<Part> = vec![if things.is_empty() {
            Notice::empty("No machines visible. If there should be some, give the token the role PVEAuditor.").into()
        } else {
            Entries::new(things.iter().map(Resource::entry).collect()).into()
        }];
        if let Some(footer) = self.footer.get() {
            let text = match link(footer, &self.footer_as_link) {
                Some(link) => Phrase::from("{footer}").with("footer", link),
                None => Phrase::foreign(footer),
            };
            parts.push(Paragraph { small: true, ..Paragraph::new(text) }.into());
        }
        let panel = Panel::new(parts);
        Ok(match self.title.get() {
            Some(title) => {
                let heading = Heading::new(Phrase::foreign(title));
                panel.titled(if is_on(&self.title_as_link) { heading.linked(&address.public()) } else { heading })
            }
            None => panel,
        })
    }
}

impl VirtualizationLists {
    fn read(&self, reply: &Response) -> Result<Vec<Value>, FetchError> {
        let host = &reply.host;
        match (reply.status, self.node.get()) {
            (401, _) => Err(FetchError::login_refused(format!(
                "{host} refused the token: check the options user_name, token_name and token_uuid."
            ))),
            (403, _) => Err(FetchError::login_refused(format!(
                "{host} does not let the token see this: give it the role PVEAuditor."
            ))),
            (500, Some(node)) => {
                Err(FetchError::message(format!("{host} has a problem (500): check that there is a node {node}.")))
            }
            (status @ 595..=599, Some(node)) => {
                Err(FetchError::message(format!("{host} cannot reach the node {node} ({status}).")))
            }
            (status @ 595..=599, None) => {
                Err(FetchError::message(format!("{host} cannot reach one of its nodes ({status}).")))
            }
            _ => Ok(reply.json::<ListReply>()?.data),
        }
    }
}

/// Reads the address of a cluster. Clusters only speak HTTPS, so that is the scheme if none is written.
fn cluster<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Lenient<BaseAddress>, D::Error> {
    let written = match Value::deserialize(deserializer)? {
        Value::String(text) if !text.trim().is_empty() && !text.contains("://") => {
            Value::String(format!("https://{}", text.trim().trim_start_matches('/')))
        }
        written => written,
    };
    Lenient::deserialize(written).map_err(de::Error::custom)
}

/// Whether an option is on, which is anything but a word for off.
fn is_on(option: &Lenient<Value>) -> bool {
    match option.get() {
        None => option.unknown().is_some(),
        Some(Value::Bool(on)) => *on,
        Some(Value::Number(number)) => number.as_f64() != Some(0.0),
        Some(Value::String(text)) => !["0", "false"].contains(&text.to_ascii_lowercase().as_str()),
        Some(_) => true,
    }
}

#[derive(Deserialize)]
struct ListReply {
    data: Vec<Value>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct ResourceReply {
    #[serde(deserialize_with = "tolerant::text")]
    node: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    name: Option<String>,
    /// A number, which old releases write as text.
    vmid: Option<Value>,
    #[serde(deserialize_with = "tolerant::text")]
    status: Option<String>,
    #[serde(rename = "type", deserialize_with = "tolerant::text")]
    kind: Option<String>,
    #[serde(deserialize_with = "tolerant::number")]
    cpu: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    mem: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    maxmem: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    uptime: Option<f64>,
    #[serde(deserialize_with = "tolerant::text")]
    lock: Option<String>,
    template: Option<Value>,
}

/// A node or a guest.
struct Resource {
    name: String,
    number: Option<u64>,
    status: String,
    /// Whether it runs: only then it has a load.
    is_on: bool,
    /// The load of its own cores, in percent.
    cpu: Option<f64>,
    /// The used and the total size of its memory, in bytes.
    memory: [Option<f64>; 2],
    uptime: Option<f64>,
    lock: Option<String>,
    is_template: bool,
}

impl ResourceReply {
    /// Whether it can be identified: a guest by its name or number, a node by its name.
    fn is_known(&self, kind: Option<GuestKind>) -> bool {
        if kind.is_some() { self.name.is_some() || self.vmid.is_some() } else { self.node.is_some() }
    }

    fn read(self, kind: Option<GuestKind>) -> Resource {
        let number =
            self.vmid.as_ref().and_then(|written| written.as_u64().or_else(|| written.as_str()?.trim().parse().ok()));
        let name = match kind {
            None => self.node.unwrap_or_default(),
            Some(kind) => self.name.unwrap_or_else(|| {
                let word = if kind == GuestKind::Qemu { "VM" } else { "CT" };
                format!("{word} {}", number.map(|number| number.to_string()).unwrap_or_default())
            }),
        };
        let is_template = self
            .template
            .as_ref()
            .is_some_and(|template| template.as_f64() == Some(1.0) || template == "1" || template == true);
        let status = self.status.unwrap_or_default();
        let is_on = ["online", "running"].contains(&status.as_str());
        Resource {
            name,
            number,
            is_on,
            cpu: self.cpu.map(|cpu| (cpu.max(0.0) * 1000.0).round() / 10.0),
            memory: [self.mem, self.maxmem.filter(|size| *size > 0.0)],
            uptime: self.uptime.filter(|uptime| *uptime > 0.0),
            status,
            lock: self.lock,
            is_template,
        }
    }
}

impl Resource {
    fn entry(&self) -> panel::ListEntry {
        let (state, tone) = match self.status.as_str() {
            "online" => ("Online".into(), Tone::Success),
            "running" => ("Running".into(), Tone::Success),
            "offline" => ("Offline".into(), Tone::Danger),
            // Templates never run.
            "stopped" if self.is_template => ("Stopped".into(), Tone::Neutral),
            "stopped" => ("Stopped".into(), Tone::Danger),
            "" | "unknown" => ("Unknown".into(), Tone::Neutral),
            other => (Phrase::foreign(other), Tone::Neutral),
        };
        let size = |bytes: f64| Datum::bytes(bytes.max(0.0)).decimals(Decimals::Exactly(1));
        let number = self.number.map(|number| Phrase::foreign(number.to_string()).into());
        // A guest that is off has no load, even if the service reports zero.
        let cpu = self.is_on.then(|| {
            let cpu = self.cpu.map(|cpu| Datum::number(cpu, Unit::Percent).decimals(Decimals::Exactly(1)));
            Phrase::from("CPU {share}").with("share", cpu).into()
        });
        let memory = self.is_on.then(|| {
            let [used, all] = self.memory.map(|bytes| bytes.map(size));
            Phrase::from("{used} of {total}").with("used", used).with("total", all).into()
        });
        let uptime = self.uptime.map(|uptime| Phrase::from("up {time}").with("time", Datum::seconds(uptime)).into());
        let template = self.is_template.then(|| Phrase::from("Template"));
        panel::ListEntry {
            state: Some(state),
            tone,
            values: [number, cpu, memory, uptime].into_iter().flatten().collect(),
            tags: template.into_iter().chain(self.lock.as_deref().map(Phrase::foreign)).collect(),
            ..panel::ListEntry::new(Phrase::foreign(&*self.name))
        }
    }
}
