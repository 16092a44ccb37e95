//! Parsers for the text files of the kernel and the system. Pure functions over text; unknown lines are skipped.

/// Memory in bytes.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct MemoryUsage {
    pub(super) total: u64,
    pub(super) available: u64,
}

impl MemoryUsage {
    /// The free share, in percent with one decimal; `None` if the total is zero.
    pub(super) fn free_percent(self) -> Option<f64> {
        let percent = |part: u64, whole: u64| (part as f64 / whole as f64 * 1000.0).round() / 10.0;
        (self.total > 0).then(|| percent(self.available, self.total))
    }
}

/// Seconds since boot, from `/proc/uptime`.
pub(super) fn uptime(text: &str) -> Option<f64> {
    text.split_whitespace().next()?.parse().ok().filter(|seconds: &f64| seconds.is_finite() && *seconds >= 0.0)
}

/// The three averages of `/proc/loadavg`.
pub(super) fn load(text: &str) -> Option<[f64; 3]> {
    let mut numbers = text.split_whitespace().map(|word| word.parse().ok().filter(|number: &f64| number.is_finite()));
    Some([numbers.next()??, numbers.next()??, numbers.next()??])
}

/// `/proc/meminfo`. Kernels before 3.14 do not report available memory.
pub(super) fn memory(text: &str) -> Option<MemoryUsage> {
    let value = |name: &str| -> Option<u64> {
        let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
        line.split_whitespace().next()?.parse::<u64>().ok()?.checked_mul(1024)
    };
    let total = value("MemTotal")?;
    let available = value("MemAvailable").or_else(|| {
        let caches = ["Buffers", "Cached", "SReclaimable"].iter().filter_map(|name| value(name)).sum::<u64>();
        Some((value("MemFree")? + caches).saturating_sub(value("Shmem").unwrap_or_default()))
    })?;
    Some(MemoryUsage { total, available: available.min(total) })
}

/// `PRETTY_NAME` from an os-release file, which uses shell assignment syntax.
pub(super) fn system_name(text: &str) -> Option<String> {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.starts_with('#'));
    let written = lines.find_map(|line| line.strip_prefix("PRETTY_NAME="))?.trim();
    let (inner, has_escapes) = match written.chars().next()? {
        '"' => (written.strip_prefix('"')?.trim_end_matches('"'), true),
        '\'' => (written.strip_prefix('\'')?.trim_end_matches('\''), false),
        _ => (written, true),
    };
    let mut name = String::new();
    let mut characters = inner.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' if has_escapes => name.extend(characters.next()),
            other => name.push(other),
        }
    }
    Some(name).filter(|name| !name.trim().is_empty())
}

/// The effective user in `/proc/self/status`.
pub(super) fn effective_user(status: &str) -> Option<u32> {
    let line = status.lines().find_map(|line| line.strip_prefix("Uid:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

/// The name of a user in `/etc/passwd`, else the number.
pub(super) fn user_name(passwd: &str, id: u32) -> String {
    let named = passwd.lines().find_map(|line| {
        let mut fields = line.split(':');
        let name = fields.next()?;
        (fields.nth(1)?.parse() == Ok(id)).then(|| name.to_owned())
    });
    named.unwrap_or_else(|| id.to_string())
}

/// The processor name in `/proc/cpuinfo`; some architectures have none.
pub(super) fn cpu_name(text: &str) -> Option<String> {
    cpu_lines(text, "model name").next().map(str::to_owned).filter(|name| !name.is_empty())
}

/// The processors in `/proc/cpuinfo`.
pub(super) fn cpu_count(text: &str) -> Option<usize> {
    Some(cpu_lines(text, "processor").count()).filter(|count| *count > 0)
}

fn cpu_lines<'a>(text: &'a str, name: &'a str) -> impl Iterator<Item = &'a str> {
    let fields = text.lines().filter_map(|line| line.split_once(':'));
    fields.filter(move |(known, _)| known.trim() == name).map(|(_, value)| value.trim())
}

/// The kind of container that the control groups of the first process name.
pub(super) fn container_of_groups(text: &str) -> Option<&'static str> {
    let kinds = [
        ("kubepods", "kubernetes"),
        ("docker", "docker"),
        ("libpod", "podman"),
        ("containerd", "containerd"),
        ("lxc", "lxc"),
    ];
    kinds.into_iter().find(|(mark, _)| text.contains(mark)).map(|(_, kind)| kind)
}

/// Whether the processor or the manufacturer is that of a virtual machine.
pub(super) fn is_virtual(cpu_info: &str, maker: &str) -> bool {
    let maker = maker.to_ascii_lowercase();
    let makers = ["qemu", "kvm", "vmware", "virtualbox", "innotek", "xen", "amazon ec2", "google compute engine"];
    cpu_lines(cpu_info, "flags").next().is_some_and(|flags| flags.split_whitespace().any(|flag| flag == "hypervisor"))
        || makers.iter().any(|known| maker.contains(known))
        || (maker.contains("microsoft corporation") && maker.contains("virtual machine"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_with_or_without_a_line_end() {
        assert_eq!(uptime("350735.47 234388.90\n"), Some(350_735.47));
        assert_eq!((uptime(""), uptime("soon")), (None, None));
        assert_eq!(load("1.50 0.75 0.25 3/412 9\n"), Some([1.5, 0.75, 0.25]));
        assert_eq!(load("1.50 0.75"), None);
    }

    #[test]
    fn memory_that_serves_as_a_cache_is_available() {
        let new = "MemTotal:  8000 kB\nMemFree:  100 kB\nMemAvailable:  6000 kB\nCached: 5000 kB";
        assert_eq!(memory(new), Some(MemoryUsage { total: 8_192_000, available: 6_144_000 }));
        let old =
            "MemTotal: 1000 kB\nMemFree: 100 kB\nBuffers: 50 kB\nCached: 300 kB\nSReclaimable: 20 kB\nShmem: 70 kB\n";
        assert_eq!(memory(old), Some(MemoryUsage { total: 1_024_000, available: 400 * 1024 }));
        assert_eq!(memory("MemFree: 100 kB"), None);
        assert_eq!(MemoryUsage { total: 0, available: 0 }.free_percent(), None);
        assert_eq!(MemoryUsage { total: 3, available: 1 }.free_percent(), Some(33.3));
    }

    #[test]
    fn names_may_be_quoted() {
        for (text, expected) in [
            ("NAME=x\nPRETTY_NAME=\"Debian GNU/Linux 13 (trixie)\"\n", Some("Debian GNU/Linux 13 (trixie)")),
            ("PRETTY_NAME='Alpine Linux v3.20'", Some("Alpine Linux v3.20")),
            ("PRETTY_NAME=Void", Some("Void")),
            ("PRETTY_NAME=\"A \\\"B\\\" \\$C\"", Some("A \"B\" $C")),
            ("# PRETTY_NAME=no\nID=x", None),
            ("PRETTY_NAME=", None),
        ] {
            assert_eq!(system_name(text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn users_without_a_name_are_numbers() {
        let passwd = "root:x:0:0:root:/root:/bin/sh\nbroken\nanna:x:1000:1000::/home/anna:/bin/sh";
        assert_eq!((user_name(passwd, 1000), user_name(passwd, 7)), ("anna".to_owned(), "7".to_owned()));
        assert_eq!(effective_user("Name:\tx\nUid:\t5\t1000\t6\t7\n"), Some(1000));
    }

    #[test]
    fn control_groups_of_the_second_version_say_nothing() {
        for (text, expected) in [
            ("0::/", None),
            ("0::/init.scope\n", None),
            ("12:pids:/docker/0123\n", Some("docker")),
            ("1:cpu:/kubepods/besteffort/pod1/docker-1\n", Some("kubernetes")),
            ("0::/machine.slice/libpod-1.scope\n", Some("podman")),
        ] {
            assert_eq!(container_of_groups(text), expected, "{text}");
        }
    }

    #[test]
    fn virtual_machines_are_recognized_by_processor_or_vendor() {
        for (cpu, maker, expected) in [
            ("flags\t\t: fpu vme hypervisor lahf_lm\n", "", true),
            ("flags\t\t: fpu vme lahf_lm\n", "Dell Inc. OptiPlex", false),
            ("", "innotek GmbH VirtualBox", true),
            ("", "Microsoft Corporation Virtual Machine", true),
            ("", "Microsoft Corporation Surface Pro", false),
            ("", "Amazon EC2 t3.micro", true),
            ("", "Google Google Compute Engine", true),
        ] {
            assert_eq!(is_virtual(cpu, maker), expected, "{cpu} {maker}");
        }
    }
}
