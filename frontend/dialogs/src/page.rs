//! What the open page is, and addresses below the product.

use app::{JsJson, SETTINGS_ELEMENT, browser::element};
use config::json::Json as _;
use web_sys::UrlSearchParams;

/// The data of the page, which its server has put there.
pub fn page_data() -> Option<JsJson> {
    JsJson::parse(&element(SETTINGS_ELEMENT)?.text_content()?)
}

/// The path prefix of the product, without a trailing slash.
pub fn base() -> String {
    page_data().and_then(|data| data.member("base")?.text()).unwrap_or_default()
}

/// The address of a path of the product.
pub fn address(path: &str) -> String {
    [&base(), "/", path].concat()
}

/// The page as the server's functions name it; `None` for the root.
pub fn page() -> Option<String> {
    let address = element(SETTINGS_ELEMENT)?.get_attribute("data-address")?;
    UrlSearchParams::new_with_str(&address).ok()?.get("page")
}

/// The address of the file of a page, for downloads.
pub fn download_address(page: Option<&str>) -> String {
    address(&["download?page=", &String::from(js_sys::encode_uri_component(page.unwrap_or("main")))].concat())
}
