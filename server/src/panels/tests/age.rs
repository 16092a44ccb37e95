//! The age of a panel is that of its data, also where widgets share a response.

use std::sync::Arc;

use config::{Config, Document};
use serde_json::json;
use widgets::{Moment, Recorded};

use super::super::{run::DataSource, *};
use crate::settings::variables::Variables;

#[tokio::test]
async fn a_panel_with_shared_data_is_as_old_as_they_are() {
    let text = "sections:\n  - name: A\n    widgets:\n      - { type: dns-filter-stats, options: { hostname: 'http://dns.lan' } }\n";
    let document = Document::parse(text.as_bytes()).unwrap();
    let plans = WidgetPlans::of(&Config::read(&document).unwrap(), &document, &Variables::default());
    let planned = Arc::clone(plans.get(0, 0).unwrap());
    let exchanges = json!([{
        "request": { "url": "http://dns.lan/control/stats" },
        "response": { "body": { "num_dns_queries": 7, "num_blocked_filtering": 1 } },
    }]);
    let context = Recorded::new(serde_json::from_value(exchanges).unwrap(), Moment::from_seconds(100));
    let kind = planned.kind.unwrap();
    let mut lookup = Lookup {
        kind,
        planned,
        source: DataSource::Recorded(Box::new(context), ExchangeLog::default()),
        pictures: Arc::default(),
    };
    // The response is shared for a few seconds.
    for now in [100, 104] {
        let DataSource::Recorded(context, _) = &mut lookup.source else { panic!("the source is recorded") };
        context.now = Moment::from_seconds(now);
        assert_eq!(lookup.run().await.ok().unwrap().at, Moment::from_seconds(100), "{now}");
    }
}
