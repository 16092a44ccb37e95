//! The lowest layer, which knows nothing about dashboards: the log, threads, peers, encodings, the program's own files,
//! the time zone and system information.

pub mod assets;
pub mod blocking_pool;
pub mod encoding;
pub mod entity_tag;
pub mod io_error;
pub mod log;
pub mod metrics;
pub mod page_files;
pub mod peers;
pub mod process;
pub mod recent;
pub mod spans;
pub mod system_info;
pub mod time_zone;
pub mod trace;
