//! Follows a cluster: all its routes, and the services, gateways and pods of those that are shown.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use config::model::DiscoverySource;
use tokio::{
    sync::mpsc::{self, Receiver, Sender},
    task::{AbortHandle, JoinSet},
    time::{Instant, timeout_at},
};

use super::{
    client::{Cluster, ClusterError},
    kinds::{Kind, Listener, Topic},
    objects::Object,
    pods::{Pod, state_of},
    routes::{PodsBy, Route},
    selector::PodGroup,
    watch::{News, watch},
};
use crate::{
    MAX_RESOURCES,
    change::{Change, Listing},
    examine::is_wanted,
    http::LIST_TIMEOUT,
    resource::{ContainerState, Resource},
};

/// How long news are collected: the start of an application causes several.
const SETTLE: Duration = Duration::from_millis(100);
/// The longest time for which a steady flow of news delays a change.
const MAX_SETTLE: Duration = Duration::from_millis(500);
/// How long a change waits for what it needs besides: the pods of a new namespace.
const PATIENCE: Duration = Duration::from_millis(300);
/// With more namespaces than this, all are watched together, to spare connections.
const MAX_NAMESPACES: usize = 20;

/// Follows a cluster until `changed` returns `false`. It gets a list at first and after every change, and learns when the
/// connection is lost. While nothing happens, nothing is sent.
pub async fn follow(cluster: &Cluster, mut changed: impl FnMut(Change) -> bool) {
    let (sender, mut news) = mpsc::channel(64);
    let mut watches = Watches { cluster, tasks: JoinSet::new(), running: BTreeMap::new(), sender };
    let mut known = Known::default();
    watches.run_only(&known.topics(cluster.source()), &mut known);
    let mut patience = LIST_TIMEOUT;
    while let Some((topic, first)) = news.recv().await {
        known.apply(&topic, first);
        known.collect(&mut news).await;
        let end = Instant::now() + patience;
        loop {
            let topics = known.topics(cluster.source());
            watches.run_only(&topics, &mut known);
            if topics.iter().all(|topic| known.has_answered(topic)) {
                break;
            }
            match timeout_at(end, news.recv()).await {
                Ok(Some((topic, news))) => known.apply(&topic, news),
                _ => break,
            }
        }
        patience = PATIENCE;
        if !changed(known.change(cluster.source())) {
            return;
        }
    }
}

/// The tasks, each of which follows a topic.
struct Watches<'a> {
    cluster: &'a Cluster,
    tasks: JoinSet<()>,
    running: BTreeMap<Topic, AbortHandle>,
    sender: Sender<(Topic, News)>,
}

impl Watches<'_> {
    /// Ends what is not needed any more, and starts what is.
    fn run_only(&mut self, topics: &BTreeSet<Topic>, known: &mut Known) {
        self.running.retain(|topic, task| {
            let is_needed = topics.contains(topic);
            if !is_needed {
                task.abort();
                known.0.remove(topic);
            }
            is_needed
        });
        for topic in topics.iter().filter(|topic| !self.running.contains_key(topic)).cloned().collect::<Vec<_>>() {
            known.0.insert(topic.clone(), State::default());
            let task = self.tasks.spawn(watch(self.cluster.clone(), topic.clone(), self.sender.clone()));
            self.running.insert(topic, task);
        }
        // What has ended is dropped.
        while self.tasks.try_join_next().is_some() {}
    }
}

/// What is known of a topic.
#[derive(Default)]
struct State {
    objects: BTreeMap<String, Object>,
    has_answered: bool,
    failure: Option<(ClusterError, Duration)>,
    /// Whether the cluster had no such resources when it was last reached.
    is_absent: bool,
}

/// What is known of a cluster.
#[derive(Default)]
struct Known(BTreeMap<Topic, State>);

impl Known {
    fn apply(&mut self, topic: &Topic, news: News) {
        // The last news of a watch that has been ended may still arrive.
        let Some(state) = self.0.get_mut(topic) else { return };
        state.has_answered = true;
        match news {
            News::Listed(objects) => {
                state.objects = objects.into_iter().collect();
                (state.failure, state.is_absent) = (None, false);
            }
            News::Put(key, object) => {
                if state.objects.len() < MAX_RESOURCES || state.objects.contains_key(&key) {
                    state.objects.insert(key, object);
                }
            }
            News::Removed(key) => _ = state.objects.remove(&key),
            News::Failed(error, wait) => {
                state.is_absent |= matches!(error, ClusterError::NotInstalled(_));
                state.failure = Some((error, wait));
            }
        }
    }

    /// Applies news until there are none for a moment.
    async fn collect(&mut self, news: &mut Receiver<(Topic, News)>) {
        let latest = Instant::now() + MAX_SETTLE;
        while let Ok(Some((topic, news))) = timeout_at((Instant::now() + SETTLE).min(latest), news.recv()).await {
            self.apply(&topic, news);
        }
    }

    fn has_answered(&self, topic: &Topic) -> bool {
        self.0.get(topic).is_some_and(|state| state.has_answered)
    }

    /// What is to be watched.
    fn topics(&self, source: &DiscoverySource) -> BTreeSet<Topic> {
        let all: BTreeSet<String> = source.namespaces.iter().cloned().collect();
        let topics = |kind: Kind, namespaces: BTreeSet<String>| -> Vec<Topic> {
            let is_all = namespaces.is_empty() || (all.is_empty() && namespaces.len() > MAX_NAMESPACES);
            match is_all {
                true => vec![Topic { kind, namespace: None }],
                false => namespaces.into_iter().map(|name| Topic { kind, namespace: Some(name) }).collect(),
            }
        };
        let mut result: BTreeSet<Topic> = Kind::ROUTES.into_iter().flat_map(|kind| topics(kind, all.clone())).collect();
        result.retain(|topic| topic.kind != Kind::OldIngressRoute || self.is_absent(&topic.of(Kind::IngressRoute)));
        let mut needed: BTreeMap<Kind, BTreeSet<String>> = BTreeMap::new();
        for route in self.routes().filter(|route| is_wanted(&self.bare(route), source)) {
            needed.entry(Kind::Gateway).or_default().extend(route.gateway_namespaces());
            match &route.pods {
                PodsBy::Nothing => {}
                PodsBy::Selector(_) => _ = needed.entry(Kind::Pod).or_default().insert(route.namespace.clone()),
                PodsBy::Services => {
                    let mut namespaces: BTreeSet<String> = route.services().into_iter().map(|(name, _)| name).collect();
                    needed.entry(Kind::Service).or_default().extend(namespaces.iter().cloned());
                    // Without a service, the route's own name says which pods are meant.
                    namespaces.insert(route.namespace.clone());
                    needed.entry(Kind::Pod).or_default().extend(namespaces);
                }
            }
        }
        result.extend(
            needed.into_iter().filter(|(_, names)| !names.is_empty()).flat_map(|(kind, names)| topics(kind, names)),
        );
        result
    }

    fn is_absent(&self, topic: &Topic) -> bool {
        self.0.get(topic).is_some_and(|state| state.is_absent)
    }

    /// Whether it matters that a topic gives nothing. Traefik has only one of its groups.
    fn is_missed(&self, topic: &Topic) -> bool {
        let gives =
            |topic: &Topic| self.0.get(topic).is_some_and(|state| state.has_answered && state.failure.is_none());
        match topic.kind {
            Kind::IngressRoute => !self.is_absent(topic) || !gives(&topic.of(Kind::OldIngressRoute)),
            Kind::OldIngressRoute => !self.is_absent(topic),
            _ => true,
        }
    }

    fn routes(&self) -> impl Iterator<Item = &Route> {
        self.0.values().flat_map(|state| state.objects.values()).filter_map(|object| match object {
            Object::Route(route) => Some(&**route),
            _ => None,
        })
    }

    /// The objects of a kind in a namespace, by name; `None` if they are not known.
    fn objects(&self, kind: Kind, namespace: &str) -> Option<impl Iterator<Item = (&str, &Object)>> {
        let is_of =
            |topic: &Topic| topic.kind == kind && topic.namespace.as_deref().is_none_or(|name| name == namespace);
        let (_, state) = self.0.iter().find(|(topic, _)| is_of(topic))?;
        let is_known = state.has_answered && (state.failure.is_none() || !state.objects.is_empty());
        // A zero follows a slash.
        let range = format!("{namespace}/")..format!("{namespace}0");
        let bare = namespace.len() + 1;
        is_known.then(|| state.objects.range(range).map(move |(key, object)| (&key[bare..], object)))
    }

    fn listeners(&self, gateway: &str) -> Option<Vec<Listener>> {
        let (namespace, name) = gateway.split_once('/')?;
        self.objects(Kind::Gateway, namespace)?.find_map(|(key, object)| match object {
            Object::Gateway(listeners) if key == name => Some(listeners.clone()),
            _ => None,
        })
    }

    /// A route without the state of its pods.
    fn bare(&self, route: &Route) -> Resource {
        route.resource(&|gateway| self.listeners(gateway))
    }

    /// The pods of a route; empty if it has none of its own.
    fn pods(&self, route: &Route) -> Vec<PodGroup> {
        let by_name = || PodGroup { namespace: route.namespace.clone(), selector: route.by_name() };
        let mut groups = Vec::new();
        match &route.pods {
            PodsBy::Nothing => {}
            PodsBy::Selector(selector) => groups.push(PodGroup { selector: selector.clone(), ..by_name() }),
            PodsBy::Services => {
                let mut is_known = false;
                for (namespace, name) in route.services() {
                    let mut all = self.objects(Kind::Service, &namespace).into_iter().flatten();
                    let service = all.find(|(key, _)| **key == name).map(|(_, service)| service);
                    if let Some(Object::Service(selector)) = service {
                        is_known = true;
                        // Some services have no pods, such as `ExternalName`.
                        let group = |selector| PodGroup { namespace: namespace.clone(), selector };
                        groups.extend(selector.clone().map(group));
                    }
                }
                if !is_known {
                    groups.push(by_name());
                }
            }
        }
        groups
    }

    /// What pods do; `None` if nothing is known about them.
    fn state(&self, groups: &[PodGroup]) -> Option<(ContainerState, String)> {
        let mut pods: BTreeMap<(&str, &str), &Pod> = BTreeMap::new();
        for PodGroup { namespace, selector } in groups {
            for (name, object) in self.objects(Kind::Pod, namespace)? {
                if let Object::Pod(pod) = object
                    && selector.matches(&pod.labels)
                {
                    pods.insert((namespace, name), pod);
                }
            }
        }
        Some(state_of(&pods.into_values().collect::<Vec<_>>()))
    }

    /// What there is now; or why there is nothing, if no kind of routes can be read.
    fn change(&self, source: &DiscoverySource) -> Change {
        let routes = || self.0.iter().filter(|(topic, _)| Kind::ROUTES.contains(&topic.kind));
        let mut failures: Vec<&(ClusterError, Duration)> =
            routes().filter_map(|(_, state)| state.failure.as_ref()).collect();
        if failures.len() == routes().count() {
            // What may pass says more than what was never allowed.
            failures.sort_by_key(|(error, _)| error.is_refusal());
            if let Some((error, wait)) = failures.first() {
                return Change::Lost(error.to_string(), *wait);
            }
        }
        let mut resources = Vec::new();
        for object in self.0.values().flat_map(|state| state.objects.values()) {
            match object {
                Object::Route(route) => {
                    let mut resource = self.bare(route);
                    let pods = if is_wanted(&resource, source) { self.pods(route) } else { Vec::new() };
                    if !pods.is_empty()
                        && let Some((state, words)) = self.state(&pods)
                    {
                        (resource.container_state, resource.state, resource.pods) = (Some(state), words, pods);
                    }
                    resources.push(Ok(resource));
                }
                Object::Malformed(malformed) => resources.push(Err(malformed.clone())),
                _ => {}
            }
        }
        let missed = self.0.iter().filter(|(topic, _)| self.is_missed(topic));
        let failures = missed.filter_map(|(_, state)| state.failure.as_ref());
        let missing: BTreeSet<String> = failures.map(|(error, _)| error.to_string()).collect();
        Change::Listed(Listing { resources, missing: missing.into_iter().collect() })
    }
}
