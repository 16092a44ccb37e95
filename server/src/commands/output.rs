//! What several commands print.

use std::process::ExitCode;

use crate::access::{Finding, FindingSeverity};

/// A number with the thing that it counts, such as `1 error` or `2 errors`.
pub(super) fn counted(number: usize, thing: &str) -> String {
    format!("{number} {thing}{}", if number == 1 { "" } else { "s" })
}

/// Prints findings, one per line. The exit status is 1 if one is a problem.
pub(super) fn print_findings(findings: &[Finding]) -> ExitCode {
    for Finding { severity, text } in findings {
        let mark = match severity {
            FindingSeverity::Good => "ok",
            FindingSeverity::Note => "note",
            FindingSeverity::Problem => "problem",
        };
        println!("{mark}: {text}");
    }
    let has_problem = findings.iter().any(|finding| finding.severity == FindingSeverity::Problem);
    if has_problem { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
