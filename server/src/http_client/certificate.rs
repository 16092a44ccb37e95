//! When a certificate ends.

use jiff::{Timestamp, civil::DateTime, tz::TimeZone};

/// The end of a certificate in DER (RFC 5280 4.1).
pub fn end(certificate: &[u8]) -> Option<Timestamp> {
    let (certificate, _) = element(certificate)?;
    let (signed, _) = element(certificate)?;
    // The version is optional. Serial number, algorithm and issuer follow.
    let mut rest = if signed.first() == Some(&0xa0) { element(signed)?.1 } else { signed };
    for _ in 0..3 {
        rest = element(rest)?.1;
    }
    let (validity, _) = element(rest)?;
    let (_, until) = element(validity)?;
    let text = std::str::from_utf8(element(until)?.0).ok()?;
    // A UTCTime has a year of two digits.
    let is_short = until.first() == Some(&0x17);
    let century = if !is_short {
        ""
    } else if text < "50" {
        "20"
    } else {
        "19"
    };
    let time = DateTime::strptime("%Y%m%d%H%M%SZ", format!("{century}{text}")).ok()?;
    Some(time.to_zoned(TimeZone::UTC).ok()?.timestamp())
}

/// The content of the first element, and what follows it.
fn element(der: &[u8]) -> Option<(&[u8], &[u8])> {
    let (_, rest) = der.split_first()?;
    let (&first, rest) = rest.split_first()?;
    if first < 0x80 {
        return rest.split_at_checked(usize::from(first));
    }
    let (digits, rest) = rest.split_at_checked(usize::from(first & 0x7f))?;
    let length =
        digits.iter().try_fold(0_usize, |sum, digit| sum.checked_mul(256)?.checked_add(usize::from(*digit)))?;
    rest.split_at_checked(length)
}

#[cfg(test)]
mod tests {
    use super::end;

    #[test]
    fn both_forms_of_time_are_read() {
        for year in [2049, 2050, 2100] {
            let mut parameters = rcgen::CertificateParams::new(["dash.example".to_owned()]).unwrap();
            parameters.not_after = rcgen::date_time_ymd(year, 3, 1);
            let certificate = parameters.self_signed(&rcgen::KeyPair::generate().unwrap()).unwrap();
            assert_eq!(end(certificate.der()).unwrap().to_string(), format!("{year}-03-01T00:00:00Z"));
            for length in 0..certificate.der().len() {
                // What is cut off is read only if the time is there.
                _ = end(&certificate.der()[..length]);
            }
        }
        assert_eq!(end(b"no certificate"), None);
    }
}
