//! Information about the machine that this server runs on (widgets/system-info.md).
//!
//! In a container the kernel's files describe the host while the host name is the container's, and in a virtual machine
//! they describe no real machine. In those cases nothing is reported. Neither is it on other systems than Linux, which
//! have no such files.

mod parse;

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use widgets::Moment;

/// Maximum size of one of these files in bytes.
const MAX_BYTES: u64 = 256 * 1024;

/// The machine, read from its files. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Machine {
    /// The root of the file system; another folder in tests.
    root: PathBuf,
    /// What the environment says about a container.
    container: Option<String>,
    /// The operating system, as Rust calls it; another one in tests.
    system: &'static str,
}

impl Machine {
    /// The machine that this program runs on. `container` is the container type from the environment.
    pub fn new(container: Option<String>) -> Self {
        Self { root: PathBuf::from("/"), container, system: std::env::consts::OS }
    }

    /// A machine with Linux whose files lie in a folder.
    pub fn in_folder(root: &Path, container: Option<String>) -> Self {
        Self { root: root.to_owned(), container, system: "linux" }
    }

    fn text(&self, path: &str) -> Option<String> {
        use std::io::Read as _;
        let file = std::fs::File::open(self.root.join(path)).ok()?;
        let mut bytes = Vec::new();
        file.take(MAX_BYTES).read_to_end(&mut bytes).ok()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }

    fn has(&self, path: &str) -> bool {
        self.root.join(path).exists()
    }

    /// The container or virtual machine that this runs in, if any.
    fn surroundings(&self) -> Option<String> {
        if self.has(".dockerenv") {
            return Some("docker".to_owned());
        }
        if self.has("run/.containerenv") {
            return Some("podman".to_owned());
        }
        if let Some(kind) = &self.container {
            return Some(kind.clone());
        }
        if let Some(kind) = parse::container_of_groups(&self.text("proc/1/cgroup").unwrap_or_default()) {
            return Some(kind.to_owned());
        }
        let vendor = ["sys/class/dmi/id/sys_vendor", "sys/class/dmi/id/product_name"].map(|path| self.text(path));
        let vendor = vendor.into_iter().flatten().collect::<Vec<_>>().join(" ");
        let is_virtual = parse::is_virtual(&self.text("proc/cpuinfo").unwrap_or_default(), &vendor);
        is_virtual.then(|| "virtual machine".to_owned())
    }

    /// Whether there is any information. Reads a few small files, so it may block for a moment.
    pub fn has_facts(&self) -> bool {
        self.system == "linux" && self.surroundings().is_none()
    }

    /// The information. Reads a few small files, so it may block for a moment.
    pub fn facts(&self, now: Moment) -> Value {
        if self.system != "linux" {
            let error = "System information is available on Linux only";
            return json!({ "success": false, "error": error, "system": self.system });
        }
        if let Some(container) = self.surroundings() {
            let place = if container == "virtual machine" { "a virtual machine" } else { "a container" };
            let error = format!("System information is not available in {place}");
            return json!({ "success": false, "error": error, "container": container });
        }
        let line = |path: &str| self.text(path).map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
        let release = self.text("etc/os-release").or_else(|| self.text("usr/lib/os-release")).unwrap_or_default();
        let memory = parse::memory(&self.text("proc/meminfo").unwrap_or_default());
        let cpu_info = self.text("proc/cpuinfo").unwrap_or_default();
        let load = parse::load(&self.text("proc/loadavg").unwrap_or_default());
        let [one, five, fifteen] = load.map_or([None; 3], |load| load.map(Some));
        let user = self.text("proc/self/status").and_then(|status| parse::effective_user(&status));
        let user = user.map(|id| parse::user_name(&self.text("etc/passwd").unwrap_or_default(), id));
        let cpus = std::thread::available_parallelism().map(usize::from).ok();
        json!({
            "success": true,
            "meta": {
                "timestamp": timestamp(now),
                "uptime": parse::uptime(&self.text("proc/uptime").unwrap_or_default()),
                "hostname": line("proc/sys/kernel/hostname"),
                "username": user,
                "system": parse::system_name(&release).unwrap_or_else(|| "Linux".to_owned()),
                "kernel": line("proc/sys/kernel/osrelease"),
                "arch": std::env::consts::ARCH,
                "cpus": cpus.or_else(|| parse::cpu_count(&cpu_info)),
                "cpuName": parse::cpu_name(&cpu_info),
                "container": null,
            },
            "memory": memory.map(|memory| json!({
                "total": memory.total,
                "available": memory.available,
                "used": memory.total.saturating_sub(memory.available),
                "freePercent": memory.free_percent(),
            })),
            "load": { "one": one, "five": five, "fifteen": fifteen },
        })
    }
}

fn timestamp(now: Moment) -> Option<String> {
    let time = jiff::Timestamp::from_millisecond(now.millis()).ok()?;
    Some(time.strftime("%Y-%m-%dT%H:%M:%S%.3fZ").to_string())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn machine(files: &[(&str, &str)], container: Option<&str>) -> Value {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        Machine::in_folder(folder.path(), container.map(str::to_owned)).facts(Moment::from_seconds(1_770_804_000))
    }

    #[test]
    fn a_machine_of_its_own_tells_its_facts() {
        let facts = machine(
            &[
                ("proc/uptime", "86400.50 1.0\n"),
                ("proc/loadavg", "0.10 0.20 0.30 1/100 42"),
                ("proc/meminfo", "MemTotal: 1000 kB\nMemAvailable: 250 kB\n"),
                ("proc/sys/kernel/hostname", "attic\n"),
                ("proc/sys/kernel/osrelease", "6.1.0\n"),
                ("proc/self/status", "Name:\tportico\nUid:\t1000\t1000\t1000\t1000\n"),
                ("etc/passwd", "root:x:0:0::/:/bin/sh\nanna:x:1000:1000::/:/bin/sh\n"),
                ("etc/os-release", "PRETTY_NAME=\"Some Linux 1\"\n"),
                ("proc/cpuinfo", "processor : 0\nmodel name : Some CPU\n"),
            ],
            None,
        );
        assert_eq!(facts["success"], true);
        let meta = &facts["meta"];
        assert_eq!(
            (&meta["uptime"], &meta["hostname"], &meta["username"], &meta["system"], &meta["kernel"], &meta["cpuName"]),
            (
                &json!(86400.5),
                &json!("attic"),
                &json!("anna"),
                &json!("Some Linux 1"),
                &json!("6.1.0"),
                &json!("Some CPU")
            )
        );
        assert_eq!(meta["timestamp"], "2026-02-11T10:00:00.000Z");
        let memory = json!({ "total": 1_024_000, "available": 256_000, "used": 768_000, "freePercent": 25.0 });
        assert_eq!(facts["memory"], memory);
        assert_eq!(facts["load"], json!({ "one": 0.1, "five": 0.2, "fifteen": 0.3 }));
    }

    #[test]
    fn what_is_missing_is_null() {
        let facts = machine(&[], None);
        assert_eq!((&facts["success"], &facts["meta"]["system"]), (&json!(true), &json!("Linux")));
        for (part, fact) in [("meta", "uptime"), ("meta", "hostname"), ("meta", "username"), ("load", "one")] {
            assert_eq!(facts[part][fact], Value::Null, "{fact}");
        }
        assert_eq!(facts["memory"], Value::Null);
    }

    #[test]
    fn other_systems_have_no_such_files() {
        let machine = Machine { root: PathBuf::from("nowhere"), container: None, system: "macos" };
        let facts = machine.facts(Moment::default());
        assert_eq!((&facts["success"], &facts["system"]), (&json!(false), &json!("macos")));
        assert_eq!(facts["error"], "System information is available on Linux only");
        assert_eq!(facts.get("meta"), None);
    }

    #[test]
    fn containers_and_virtual_machines_say_nothing() {
        for (files, container, expected) in [
            (&[(".dockerenv", "")][..], None, "docker"),
            (&[("run/.containerenv", "")], None, "podman"),
            (&[], Some("kubernetes"), "kubernetes"),
            (&[("proc/1/cgroup", "1:name=systemd:/lxc/box\n")], None, "lxc"),
            (&[("proc/cpuinfo", "flags : fpu hypervisor lm\n")], None, "virtual machine"),
            (&[("sys/class/dmi/id/sys_vendor", "QEMU\n")], None, "virtual machine"),
        ] {
            let facts = machine(files, container);
            assert_eq!((&facts["success"], &facts["container"]), (&json!(false), &json!(expected)));
            assert_eq!(facts.get("meta"), None, "{expected}");
        }
        let nowhere = Machine::in_folder(Path::new("nowhere"), None);
        assert!(nowhere.has_facts() && !Machine { container: Some("docker".to_owned()), ..nowhere }.has_facts());
    }
}
