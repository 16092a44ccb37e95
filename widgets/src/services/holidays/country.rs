//! Countries and regions by their ISO 3166 codes.

use std::fmt;

/// Three-letter codes with two-letter codes, for the countries that Enrico supports (ISO 3166-1).
const CODES: &str = "agoAO argAR ausAU autAT belBE bgrBG bihBA blrBY braBR canCA cheCH chlCL chnCN colCO cypCY czeCZ \
    deuDE dnkDK espES estEE finFI fraFR gbrGB grcGR hkgHK hrvHR hunHU imnIM irlIE islIS isrIL itaIT jpnJP korKR ltuLT \
    luxLU lvaLV mexMX mkdMK mneME nldNL norNO nzlNZ perPE phlPH polPL prtPT rouRO rusRU sgpSG slvSV srbRS svkSK svnSI \
    sweSE turTR ukrUA usaUS xkxXK zafZA";

/// A country, or one of its regions.
#[derive(Debug)]
pub(crate) struct Country {
    /// Two letters in upper case.
    pub(super) code: String,
    /// ISO 3166-2 code: `DE-BY`.
    pub(super) region: Option<String>,
}

impl Country {
    /// The country with a two- or three-letter code, and the second half of its region's code.
    pub(crate) fn new(written: &str, region: Option<&str>) -> Self {
        let lower = written.trim().to_lowercase();
        let long =
            CODES.split_whitespace().find_map(|pair| pair.strip_prefix(lower.as_str())).filter(|_| lower.len() == 3);
        let code = long.map_or_else(|| lower.to_uppercase(), str::to_owned);
        let region = region.map(|region| format!("{code}-{}", region.to_uppercase()));
        Self { code, region }
    }
}

impl fmt::Display for Country {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.region.as_deref().unwrap_or(&self.code))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn countries_and_regions_are_called_by_their_short_codes() {
        for (written, region, expected) in [
            ("gbr", Some("eng"), "GB-ENG"),
            ("DE", Some("by"), "DE-BY"),
            ("aut", None, "AT"),
            ("in", None, "IN"),
            ("", None, ""),
        ] {
            assert_eq!(Country::new(written, region).to_string(), expected);
        }
    }
}
