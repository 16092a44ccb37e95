//! What running containers use of the processor and the memory.

use std::{collections::HashMap, time::Duration};

use futures_util::{StreamExt, stream};
use serde_json::json;

use super::{
    api_address::ApiAddress,
    container::Container,
    replies::{CpuTimes, StatsReply, Usage},
};
use crate::WidgetContext;

/// How many containers are queried at once.
const AT_ONCE: usize = 6;
/// Maximum number of bytes of the usage of one container.
const MAX_STATS: usize = 256 * 1024;
/// How long processor times are kept for comparison with the next refresh.
const LIFE_OF_TIMES: Duration = Duration::from_secs(600);

/// Queries the usage of running containers, a few at a time. Returns whether any of them responded, if there are any.
pub(super) async fn measure(containers: &mut [Container], api: &ApiAddress, context: &dyn WidgetContext) -> bool {
    let key = api.memory_key();
    let before: HashMap<String, CpuTimes> =
        context.recall(&key).and_then(|value| serde_json::from_value(value).ok()).unwrap_or_default();
    let running = containers.iter().filter(|container| container.is_running() && !container.id.is_empty());
    let queries: Vec<(String, Option<CpuTimes>)> =
        running.map(|container| (container.id.clone(), before.get(&container.id).copied())).collect();
    if queries.is_empty() {
        return true;
    }
    let replies = stream::iter(queries.into_iter().map(|(id, before)| async move {
        // If we have two times to compare, the service need not wait for a second one itself.
        let path = match before {
            Some(_) => "/containers/{}/stats?stream=false&one-shot=true",
            None => "/containers/{}/stats?stream=false",
        };
        let mut request = api.get(path, &[&id]);
        request.max_bytes = Some(MAX_STATS);
        let reply: Option<StatsReply> = context.exchange(request).await.ok().and_then(|reply| reply.json().ok());
        (id, before, reply)
    }));
    let mut replies = replies.buffer_unordered(AT_ONCE);
    let mut usages: HashMap<String, Usage> = HashMap::new();
    let mut times: HashMap<String, CpuTimes> = HashMap::new();
    while let Some((id, before, reply)) = replies.next().await {
        let Some(reply) = reply else { continue };
        usages.insert(id.clone(), reply.usage(before));
        times.extend(reply.cpu_times().map(|now| (id, now)));
    }
    let has_responded = !usages.is_empty();
    for container in containers {
        container.usage = usages.remove(&container.id).unwrap_or_default();
    }
    if !times.is_empty() {
        context.remember(&key, json!(times), LIFE_OF_TIMES);
    }
    has_responded
}
