//! One of several machines: which data is requested from its monitor, and how often.

use std::{collections::HashSet, time::Duration};

use futures_util::future::{join, join3};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{
    FetchError, Moment, WidgetContext,
    option_types::BaseAddress,
    services::system_monitor::{Access, Readings, uptime},
};

/// How long data that rarely changes is remembered.
const LIFE: Duration = Duration::from_secs(600);
/// How long a part that could not be read is not requested again.
const REST: Duration = Duration::from_secs(300);

/// Why a value is missing.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Absence {
    /// The part is switched off in the monitor.
    SwitchedOff,
    /// The part could not be read.
    Failed(FetchError),
    /// The part has no such value.
    NoValue,
}

/// The data of one machine.
pub(super) struct MonitoredMachine {
    /// CPU usage in percent.
    pub cpu: Result<f64, Absence>,
    /// Memory usage in percent.
    pub memory: Result<f64, Absence>,
    /// Why there are no file systems, if there are none.
    pub without_disks: Absence,
    /// Its file systems.
    pub disks: Vec<FileSystem>,
    /// Data that rarely changes.
    pub about: About,
    /// How long it has been running.
    pub uptime: Option<Duration>,
}

/// One file system with its sizes in bytes, which are above zero.
pub(super) struct FileSystem {
    /// Its displayed name.
    pub label: String,
    /// The used size.
    pub used: f64,
    /// The total size.
    pub size: f64,
}

/// Data about a machine that rarely changes.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct About {
    /// Its own name.
    pub host_name: Option<String>,
    /// Its operating system.
    pub system: Option<String>,
    /// The size of its memory in bytes.
    pub memory: Option<f64>,
    /// When it was booted.
    started: Option<Moment>,
    /// The names of the parts that are switched off.
    pub switched_off: Vec<String>,
}

impl MonitoredMachine {
    /// Fetches the data that changes all the time, and occasionally the rest.
    ///
    /// # Errors
    ///
    /// Neither its load nor its disks can be read.
    pub(super) async fn fetch(
        access: &Access,
        address: &BaseAddress,
        context: &dyn WidgetContext,
    ) -> Result<Self, FetchError> {
        // Fetch the load first: it finds out the version, so that the following requests need not try versions.
        let load = load(access, address, context).await?;
        let disks = access.read_if_offered::<Vec<Value>>(address, "fs", context);
        let (disks, about) = join(disks, About::kept(access, address, context)).await;
        let uptime = about.started.map(|started| context.now().since(started));
        // A machine without visible disks still has a load.
        let (disks, without_disks) = match disks {
            Ok(Some(list)) => (read_disks(list), Absence::NoValue),
            Ok(None) => (Vec::new(), Absence::SwitchedOff),
            Err(error) => (Vec::new(), Absence::Failed(error)),
        };
        let [cpu, memory] = load;
        Ok(Self { cpu, memory, without_disks, disks, about, uptime })
    }

    /// The usage of all file systems together, in percent.
    pub(super) fn disk(&self) -> Result<f64, Absence> {
        self.sizes().map(|(used, size)| used / size * 100.0).ok_or_else(|| self.without_disks.clone())
    }

    /// The used and the total size of all file systems, in bytes.
    pub(super) fn sizes(&self) -> Option<(f64, f64)> {
        let sum = |size: fn(&FileSystem) -> f64| self.disks.iter().map(size).sum::<f64>();
        (!self.disks.is_empty()).then(|| (sum(|disk| disk.used), sum(|disk| disk.size)))
    }
}

/// CPU and memory usage in percent.
async fn load(
    access: &Access,
    address: &BaseAddress,
    context: &dyn WidgetContext,
) -> Result<[Result<f64, Absence>; 2], FetchError> {
    let number = |readings: Option<Readings>, name: &str| match readings {
        Some(readings) => readings.number(name).ok_or(Absence::NoValue),
        None => Err(Absence::SwitchedOff),
    };
    if let Some(quick_look) = access.read_if_offered::<Readings>(address, "quicklook", context).await? {
        return Ok([number(Some(quick_look.clone()), "cpu"), number(Some(quick_look), "mem")]);
    }
    let cpu = access.read_if_offered::<Readings>(address, "cpu", context);
    let memory = access.read_if_offered::<Readings>(address, "mem", context);
    let (cpu, memory) = join(cpu, memory).await;
    Ok([number(cpu?, "total"), number(memory?, "percent")])
}

/// The file systems, each device once: a device may be mounted in several places.
fn read_disks(list: Vec<Value>) -> Vec<FileSystem> {
    let mut devices = HashSet::new();
    let disks = list.into_iter().filter_map(Readings::of).filter_map(|disk| {
        let (size, used) = (disk.above_zero("size")?, disk.above_zero("used")?);
        let device = disk.text("device_name").or(disk.text("mnt_point"))?;
        let label = disk.text("alias").unwrap_or(disk.text("mnt_point").unwrap_or(device));
        devices.insert(device.to_owned()).then(|| FileSystem { label: label.to_owned(), used, size })
    });
    disks.collect()
}

impl About {
    /// The remembered data of a machine, or else fetched. Parts of it may be switched off.
    async fn kept(access: &Access, address: &BaseAddress, context: &dyn WidgetContext) -> Self {
        let key = access.key(address, "about");
        if let Some(known) = context.recall(&key) {
            return serde_json::from_value(known).unwrap_or_default();
        }
        let read = |path: &'static str| access.read_if_offered::<Value>(address, path, context);
        let results = join3(read("system"), read("mem"), read("uptime")).await;
        let is_complete = results.0.is_ok() && results.1.is_ok() && results.2.is_ok();
        let names = ["system", "mem", "uptime"].into_iter().zip([&results.0, &results.1, &results.2]);
        let switched_off = names.filter(|(_, result)| matches!(result, Ok(None))).map(|(name, _)| name.to_owned());
        let switched_off = switched_off.collect();
        let [system, memory, uptime] = [results.0, results.1, results.2].map(|result| result.ok().flatten());
        let system = system.and_then(Readings::of).unwrap_or_default();
        let text = |names: &[&str]| names.iter().find_map(|name| system.text(name)).map(str::to_owned);
        let about = Self {
            host_name: text(&["hostname"]),
            system: text(&["hr_name", "linux_distro", "os_name"]),
            memory: memory.and_then(Readings::of).and_then(|memory| memory.above_zero("total")),
            started: uptime.as_ref().and_then(uptime::read).map(|running| context.now().before(running)),
            switched_off,
        };
        context.remember(&key, json!(about), if is_complete { LIFE } else { REST });
        about
    }
}
