//! One machine of several: what is asked of its monitor, and how often.

use std::{collections::HashSet, time::Duration};

use futures_util::future::{join, join3};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{
    FetchError, Moment, Outside,
    option_types::BaseAddress,
    services::system_monitor::{Access, Readings, uptime},
};

/// How long is remembered what hardly ever changes.
const LIFE: Duration = Duration::from_secs(600);
/// How long a part that could not be read is left alone.
const REST: Duration = Duration::from_secs(300);

/// What is known of one machine.
pub(super) struct Machine {
    /// How busy it is, in percent.
    pub cpu: Option<f64>,
    /// How full its memory is, in percent.
    pub memory: Option<f64>,
    /// Its file systems.
    pub disks: Vec<Disk>,
    /// What hardly ever changes.
    pub about: About,
    /// For how long it has been running.
    pub uptime: Option<Duration>,
}

/// One file system with its sizes in bytes, which are above zero.
pub(super) struct Disk {
    /// Its name for people.
    pub label: String,
    /// How much of it is used.
    pub used: f64,
    /// How large it is.
    pub size: f64,
}

/// What hardly ever changes about a machine.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct About {
    /// Its own name.
    pub host_name: Option<String>,
    /// Its operating system.
    pub system: Option<String>,
    /// The size of its memory in bytes.
    pub memory: Option<f64>,
    /// When it was started.
    started: Option<Moment>,
}

impl Machine {
    /// Asks a machine for what changes all the time, and now and then for the rest.
    ///
    /// # Errors
    ///
    /// If neither its load nor its disks can be read.
    pub(super) async fn fetch(
        access: &Access,
        address: &BaseAddress,
        outside: &dyn Outside,
    ) -> Result<Self, FetchError> {
        // What is remembered needs no request, and what is asked for the first time must not ask for versions thrice.
        let load = load(access, address, outside).await?;
        let disks = access.read_if_offered::<Vec<Value>>(address, "fs", outside);
        let (disks, about) = join(disks, About::kept(access, address, outside)).await;
        let uptime = about.started.map(|started| outside.now().since(started));
        // A machine without disks to see is still one with a load.
        let disks = disks.ok().flatten().map(read_disks).unwrap_or_default();
        Ok(Self { cpu: load[0], memory: load[1], disks, about, uptime })
    }

    /// How full all file systems are together, in percent.
    pub(super) fn disk(&self) -> Option<f64> {
        self.sizes().map(|(used, size)| used / size * 100.0)
    }

    /// How much of all file systems is used, and how large they are, in bytes.
    pub(super) fn sizes(&self) -> Option<(f64, f64)> {
        let sum = |size: fn(&Disk) -> f64| self.disks.iter().map(size).sum::<f64>();
        (!self.disks.is_empty()).then(|| (sum(|disk| disk.used), sum(|disk| disk.size)))
    }
}

/// How busy the processor and how full the memory is, in percent.
async fn load(access: &Access, address: &BaseAddress, outside: &dyn Outside) -> Result<[Option<f64>; 2], FetchError> {
    if let Some(look) = access.read_if_offered::<Readings>(address, "quicklook", outside).await? {
        return Ok([look.number("cpu"), look.number("mem")]);
    }
    let cpu = access.read_if_offered::<Readings>(address, "cpu", outside);
    let memory = access.read_if_offered::<Readings>(address, "mem", outside);
    let (cpu, memory) = join(cpu, memory).await;
    let number = |readings: Option<Readings>, name: &str| readings.and_then(|readings| readings.number(name));
    Ok([number(cpu?, "total"), number(memory?, "percent")])
}

/// The file systems, each device once: the same one may be mounted in several places.
fn read_disks(list: Vec<Value>) -> Vec<Disk> {
    let mut devices = HashSet::new();
    let disks = list.into_iter().filter_map(Readings::of).filter_map(|disk| {
        let (size, used) = (disk.above_zero("size")?, disk.above_zero("used")?);
        let device = disk.text("device_name").or(disk.text("mnt_point"))?;
        let label = disk.text("alias").unwrap_or(disk.text("mnt_point").unwrap_or(device));
        devices.insert(device.to_owned()).then(|| Disk { label: label.to_owned(), used, size })
    });
    disks.collect()
}

impl About {
    /// What is remembered of a machine, else what it says. Its parts may be switched off.
    async fn kept(access: &Access, address: &BaseAddress, outside: &dyn Outside) -> Self {
        let key = access.key(address, "about");
        if let Some(known) = outside.recall(&key) {
            return serde_json::from_value(known).unwrap_or_default();
        }
        let read = |path: &'static str| access.read_if_offered::<Value>(address, path, outside);
        let answers = join3(read("system"), read("mem"), read("uptime")).await;
        let is_complete = answers.0.is_ok() && answers.1.is_ok() && answers.2.is_ok();
        let [system, memory, uptime] = [answers.0, answers.1, answers.2].map(|answer| answer.ok().flatten());
        let system = system.and_then(Readings::of).unwrap_or_default();
        let text = |names: &[&str]| names.iter().find_map(|name| system.text(name)).map(str::to_owned);
        let about = Self {
            host_name: text(&["hostname"]),
            system: text(&["hr_name", "linux_distro", "os_name"]),
            memory: memory.and_then(Readings::of).and_then(|memory| memory.above_zero("total")),
            started: uptime.as_ref().and_then(uptime::read).map(|running| outside.now().before(running)),
        };
        outside.remember(&key, json!(about), if is_complete { LIFE } else { REST });
        about
    }
}
