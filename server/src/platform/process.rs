//! What this process uses, from `/proc`.

/// Memory, time and files of this process.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Usage {
    /// Memory in RAM, in bytes.
    pub resident_bytes: u64,
    /// Address space, in bytes.
    pub virtual_bytes: u64,
    /// Time on all processors, in seconds.
    pub cpu_seconds: f64,
    /// Open file descriptors.
    pub open_files: u64,
    /// Maximum number of open file descriptors.
    pub max_files: u64,
}

/// The unit of times in `/proc`, `USER_HZ`: it is the same on all architectures for which Rust compiles for Linux.
#[cfg(target_os = "linux")]
const TICKS_PER_SECOND: f64 = 100.0;

/// What this process uses now; `None` where the system does not say.
#[cfg(target_os = "linux")]
pub fn usage() -> Option<Usage> {
    use rustix::process::{Resource, getrlimit};
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let bytes = |name: &str| -> Option<u64> {
        let line = status.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
        line.split_whitespace().next()?.parse::<u64>().ok()?.checked_mul(1024)
    };
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name of the program, in parentheses, may contain spaces; `utime` and `stime` are fields 14 and 15 (proc_pid_stat(5)).
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(11).map(|word| word.parse::<u32>().ok());
    let ticks = f64::from(fields.next()??) + f64::from(fields.next()??);
    let open_files = std::fs::read_dir("/proc/self/fd").ok()?.count();
    Some(Usage {
        resident_bytes: bytes("VmRSS")?,
        virtual_bytes: bytes("VmSize")?,
        cpu_seconds: ticks / TICKS_PER_SECOND,
        open_files: u64::try_from(open_files).ok()?,
        max_files: getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX),
    })
}

/// What this process uses now; `None` where the system does not say.
#[cfg(not(target_os = "linux"))]
pub fn usage() -> Option<Usage> {
    None
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    #[test]
    fn the_numbers_are_those_of_a_running_program() {
        let usage = super::usage().unwrap();
        assert!(usage.resident_bytes > 1_000_000 && usage.virtual_bytes >= usage.resident_bytes, "{usage:?}");
        assert!(usage.open_files >= 3 && usage.max_files >= usage.open_files, "{usage:?}");
        assert!((0.0..3600.0).contains(&usage.cpu_seconds), "{usage:?}");
    }
}
