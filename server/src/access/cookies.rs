//! The sign-in cookies: their names, how long values are split over several cookies, and how they are read back.

use http::{HeaderMap, HeaderValue, header};

use super::{
    public_address::BrowserLocation,
    seal::{MARK_LENGTH, Sealer},
};

/// Maximum bytes of one part. Browsers accept 4096 for name and value together.
const PART: usize = 3800;

/// Maximum number of parts: browsers, proxies and servers do not pass on more by default.
const MAX_PARTS: usize = 8;

/// Maximum number of sign-ins that one browser has in progress.
const MAX_ATTEMPTS: usize = 4;

/// Maximum number of abandoned sign-ins whose cookies one response removes. If somebody made up more, the next responses
/// remove them.
const MAX_REMOVED: usize = 4;

/// The purpose of a cookie. A value sealed for one purpose cannot be opened for another.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum CookiePurpose<'a> {
    /// Who is signed in.
    Session,
    /// A sign-in in progress at the provider, named by a mark of its state: two tabs have one each.
    Attempt(&'a str),
    /// How often the browser has returned from the provider without having a session afterwards.
    Returns,
}

/// A value is too large for the browser to store; the number of bytes it would need.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct SessionTooLarge(pub usize);

/// Reads and writes the cookies of one server on one path prefix.
#[derive(Debug)]
pub(crate) struct Cookies {
    sealer: Sealer,
    base: String,
    /// Distinguishes the cookies of this server from those of another port on the same host, because browsers do not.
    mark: String,
}

impl Cookies {
    pub(crate) fn new(sealer: Sealer, base: &str) -> Self {
        let mark = sealer.mark(base);
        Self { sealer, base: base.to_owned(), mark }
    }

    /// The value of a cookie; `None` if it is missing, incomplete, or not ours.
    pub(crate) fn read(
        &self,
        headers: &HeaderMap,
        place: &BrowserLocation,
        purpose: CookiePurpose<'_>,
    ) -> Option<Vec<u8>> {
        self.open(&self.sealed(headers, place, purpose)?, purpose)
    }

    /// A sealed cookie, put together from its parts; `None` if it is incomplete.
    pub(crate) fn sealed(
        &self,
        headers: &HeaderMap,
        place: &BrowserLocation,
        purpose: CookiePurpose<'_>,
    ) -> Option<String> {
        let [first, rest @ ..] = self.parts(headers, place, purpose);
        let (count, first) = first?.split_once('~')?;
        let further = rest.get(..count.parse::<usize>().ok()?.checked_sub(1)?)?;
        let mut sealed = first.to_owned();
        for part in further {
            sealed.push_str((*part)?);
        }
        Some(sealed)
    }

    /// The value of a sealed cookie; `None` if it is not ours.
    pub(crate) fn open(&self, sealed: &str, purpose: CookiePurpose<'_>) -> Option<Vec<u8>> {
        self.sealer.open(&seal_purpose(purpose), sealed)
    }

    /// Whether the browser sent the cookie, whatever its value.
    pub(crate) fn is_present(&self, headers: &HeaderMap, place: &BrowserLocation, purpose: CookiePurpose<'_>) -> bool {
        self.parts(headers, place, purpose)[0].is_some()
    }

    /// The `Set-Cookie` headers that store a value for `max_age` seconds, or until the browser is closed. Old parts in
    /// the browser that are no longer needed are removed.
    pub(crate) fn write(
        &self,
        headers: &HeaderMap,
        place: &BrowserLocation,
        purpose: CookiePurpose<'_>,
        plain: &[u8],
        max_age: Option<u64>,
    ) -> Result<Vec<HeaderValue>, SessionTooLarge> {
        let sealed = self.sealer.seal(&seal_purpose(purpose), plain);
        let count = sealed.len().div_ceil(PART);
        if count > MAX_PARTS {
            return Err(SessionTooLarge(sealed.len()));
        }
        let mut set = Vec::with_capacity(count);
        for part in 0..count {
            let chunk = sealed.get(part * PART..sealed.len().min((part + 1) * PART)).unwrap_or_default();
            let lead = if part == 0 { format!("{count}~") } else { String::new() };
            set.push(self.header(place, &self.name(place, purpose, part), &format!("{lead}{chunk}"), max_age));
        }
        set.extend(self.remove_from(headers, place, purpose, count));
        Ok(set)
    }

    /// The `Set-Cookie` headers that remove a cookie, if the browser has it.
    pub(crate) fn remove(
        &self,
        headers: &HeaderMap,
        place: &BrowserLocation,
        purpose: CookiePurpose<'_>,
    ) -> Vec<HeaderValue> {
        self.remove_from(headers, place, purpose, 0)
    }

    fn remove_from(
        &self,
        headers: &HeaderMap,
        place: &BrowserLocation,
        purpose: CookiePurpose<'_>,
        first: usize,
    ) -> Vec<HeaderValue> {
        let parts = self.parts(headers, place, purpose).into_iter().enumerate().skip(first);
        parts
            .filter(|(_, value)| value.is_some())
            .map(|(part, _)| self.header(place, &self.name(place, purpose, part), "", Some(0)))
            .collect()
    }

    /// The values of the parts of a cookie. However many cookies a request has, they are looked at once.
    fn parts<'a>(
        &self,
        headers: &'a HeaderMap,
        place: &BrowserLocation,
        purpose: CookiePurpose<'_>,
    ) -> [Option<&'a str>; MAX_PARTS] {
        let stem = self.stem(place, purpose);
        let mut parts = [None; MAX_PARTS];
        for (name, value) in all(headers) {
            let Some([digit]) = name.strip_prefix(&stem).map(str::as_bytes) else { continue };
            if let Some(part) = parts.get_mut(usize::from(digit.wrapping_sub(b'0'))) {
                part.get_or_insert(value);
            }
        }
        parts
    }

    /// The `Set-Cookie` headers that make room for one more sign-in in progress. The oldest ones are removed unread: nobody
    /// signs in in that many tabs at once. Browsers send the oldest cookies first (RFC 6265, section 5.4).
    pub(crate) fn make_room_for_attempt(&self, headers: &HeaderMap, place: &BrowserLocation) -> Vec<HeaderValue> {
        let start = self.prefix(place) + "-attempt-";
        let is_mark = |mark: &str| mark.len() == MARK_LENGTH && mark.bytes().all(|byte| byte.is_ascii_hexdigit());
        let marks = || {
            let marks = all(headers).filter_map(|(name, _)| name.strip_prefix(&start)?.strip_suffix("-0"));
            marks.filter(|mark| is_mark(mark))
        };
        let abandoned = (marks().count() + 1).saturating_sub(MAX_ATTEMPTS).min(MAX_REMOVED);
        marks().take(abandoned).flat_map(|mark| self.remove(headers, place, CookiePurpose::Attempt(mark))).collect()
    }

    /// A short mark of a text, for use in a cookie's name.
    pub(crate) fn mac_of(&self, text: &str) -> String {
        self.sealer.mark(text)
    }

    fn prefix(&self, place: &BrowserLocation) -> String {
        // `__Host-` cookies cannot be set by other hosts of the domain, nor over plain HTTP.
        let guard = if place.secure { "__Host-" } else { "" };
        format!("{guard}portico-{}", self.mark)
    }

    /// What the names of all parts of a cookie begin with.
    fn stem(&self, place: &BrowserLocation, purpose: CookiePurpose<'_>) -> String {
        let prefix = self.prefix(place);
        match purpose {
            CookiePurpose::Session => format!("{prefix}-session-"),
            CookiePurpose::Attempt(mark) => format!("{prefix}-attempt-{mark}-"),
            CookiePurpose::Returns => format!("{prefix}-returns-"),
        }
    }

    fn name(&self, place: &BrowserLocation, purpose: CookiePurpose<'_>, part: usize) -> String {
        format!("{}{part}", self.stem(place, purpose))
    }

    fn header(&self, place: &BrowserLocation, name: &str, value: &str, max_age: Option<u64>) -> HeaderValue {
        // `__Host-` requires the whole host as path. The path prefix has no trailing slash, because providers redirect
        // to the prefix itself, and `/start` is not below `/start/` (RFC 6265, section 5.1.4).
        let (path, secure) = match self.base.as_str() {
            _ if place.secure => ("/", "; Secure"),
            "" => ("/", ""),
            base => (base, ""),
        };
        let age = max_age.map(|seconds| format!("; Max-Age={seconds}")).unwrap_or_default();
        let text = format!("{name}={value}; Path={path}; HttpOnly; SameSite=Lax{secure}{age}");
        HeaderValue::from_str(&text).expect("names and values are plain ASCII")
    }
}

fn seal_purpose(purpose: CookiePurpose<'_>) -> String {
    match purpose {
        CookiePurpose::Session => "session".to_owned(),
        CookiePurpose::Attempt(mark) => format!("attempt {mark}"),
        CookiePurpose::Returns => "returns".to_owned(),
    }
}

fn all(headers: &HeaderMap) -> impl Iterator<Item = (&str, &str)> {
    let lines = headers.get_all(header::COOKIE).iter().filter_map(|line| line.to_str().ok());
    lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='))
}

#[cfg(test)]
mod tests {
    use http::{HeaderMap, HeaderValue, header};
    use proptest::prelude::*;

    use super::{BrowserLocation, CookiePurpose, Cookies, Sealer, SessionTooLarge};

    fn cookies(base: &str) -> Cookies {
        Cookies::new(
            Sealer::new(Some(&"a secret of thirty-two characters".to_owned().into()), "/nowhere".as_ref()),
            base,
        )
    }

    fn place(secure: bool) -> BrowserLocation {
        BrowserLocation { secure, origin: "http://dash.lan".to_owned() }
    }

    /// What a browser sends after these responses.
    fn sent(set: &[HeaderValue]) -> HeaderMap {
        let pairs = set.iter().map(|value| value.to_str().unwrap().split(';').next().unwrap().to_owned());
        let line = pairs.filter(|pair| !pair.ends_with('=')).collect::<Vec<_>>().join("; ");
        HeaderMap::from_iter([(header::COOKIE, HeaderValue::from_str(&line).unwrap())])
    }

    #[test]
    fn what_is_written_is_read_back_whatever_its_length() {
        let cookies = cookies("");
        for length in [0, 1, 2000, 2900, 20_000] {
            let plain = vec![7; length];
            let set = cookies.write(&HeaderMap::new(), &place(true), CookiePurpose::Session, &plain, None).unwrap();
            assert!(set.iter().all(|header| header.len() < 4096));
            let back = sent(&set);
            assert_eq!(cookies.read(&back, &place(true), CookiePurpose::Session), Some(plain), "{length}");
            assert_eq!(cookies.read(&back, &place(false), CookiePurpose::Session), None);
            assert_eq!(cookies.read(&back, &place(true), CookiePurpose::Returns), None);
        }
        let too_large = cookies.write(&HeaderMap::new(), &place(true), CookiePurpose::Session, &[7; 40_000], None);
        assert!(matches!(too_large, Err(SessionTooLarge(53_000..54_000))), "{too_large:?}");
    }

    #[test]
    fn parts_that_are_no_longer_needed_are_removed() {
        let cookies = cookies("");
        let long = cookies.write(&HeaderMap::new(), &place(false), CookiePurpose::Session, &[7; 9000], None).unwrap();
        let short = cookies.write(&sent(&long), &place(false), CookiePurpose::Session, b"x", None).unwrap();
        assert_eq!(short.len(), long.len());
        assert!(short[1].to_str().unwrap().contains("=; ") && short[1].to_str().unwrap().ends_with("Max-Age=0"));
        assert_eq!(cookies.remove(&sent(&long), &place(false), CookiePurpose::Session).len(), long.len());
        assert!(cookies.remove(&HeaderMap::new(), &place(false), CookiePurpose::Session).is_empty());
    }

    #[test]
    fn the_oldest_sign_ins_in_progress_make_room_for_a_new_one() {
        let cookies = cookies("");
        let mark = |number: usize| format!("00000{number}");
        let name = |number: usize| cookies.name(&place(false), CookiePurpose::Attempt(&mark(number)), 0);
        let removed = |count: usize| {
            let pairs: Vec<_> = (0..count).map(|number| format!("{}=1~x", name(number))).collect();
            let line = HeaderValue::from_str(&format!("other=1; {}", pairs.join("; "))).unwrap();
            let set = cookies.make_room_for_attempt(&HeaderMap::from_iter([(header::COOKIE, line)]), &place(false));
            set.iter().map(|line| line.to_str().unwrap().split_once('=').unwrap().0.to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(removed(3), [""; 0]);
        assert_eq!(removed(4), [name(0)]);
        assert_eq!(removed(6), [name(0), name(1), name(2)]);
        assert_eq!(removed(9), [name(0), name(1), name(2), name(3)]);
    }

    #[test]
    fn attributes_fit_the_connection() {
        let header = |base: &str, secure: bool, age: Option<u64>| {
            let set =
                cookies(base).write(&HeaderMap::new(), &place(secure), CookiePurpose::Session, b"x", age).unwrap();
            set[0].to_str().unwrap().to_owned()
        };
        let plain = header("/start", false, Some(60));
        assert!(plain.starts_with("portico-"), "{plain}");
        assert!(plain.ends_with("; Path=/start; HttpOnly; SameSite=Lax; Max-Age=60"), "{plain}");
        let secure = header("/start", true, None);
        assert!(secure.starts_with("__Host-portico-"), "{secure}");
        assert!(secure.ends_with("; Path=/; HttpOnly; SameSite=Lax; Secure"), "{secure}");
        let name = |text: &str| text.split('=').next().unwrap().to_owned();
        assert_ne!(name(&header("", true, None)), name(&secure));
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
        #[test]
        fn no_line_of_cookies_opens_or_breaks_anything(bytes in prop::collection::vec(32..=255_u8, 0..300), part in "[0-9]{1,3}~[A-Za-z0-9_=-]{0,200}") {
            let cookies = cookies("");
            let place = place(false);
            let name = cookies.name(&place, CookiePurpose::Session, 0);
            let mut headers = HeaderMap::new();
            if let Ok(value) = HeaderValue::from_bytes(&bytes) {
                headers.append(header::COOKIE, value);
            }
            headers.append(header::COOKIE, HeaderValue::from_str(&format!("{name}={part}")).unwrap());
            prop_assert_eq!(cookies.read(&headers, &place, CookiePurpose::Session), None);
            cookies.make_room_for_attempt(&headers, &place);
        }
    }
}
