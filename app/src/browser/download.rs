//! Files that a page makes itself.

use js_sys::Array;
use leptos::prelude::document;
use wasm_bindgen::{JsCast as _, JsValue};
use web_sys::{Blob, HtmlAnchorElement, Url};

/// Downloads a text as a file.
pub fn download_text(name: &str, text: &str) {
    let Ok(blob) = Blob::new_with_str_sequence(&Array::of1(&JsValue::from_str(text))) else { return };
    let (Ok(address), Ok(link)) = (Url::create_object_url_with_blob(&blob), document().create_element("a")) else {
        return;
    };
    let link: HtmlAnchorElement = link.unchecked_into();
    link.set_href(&address);
    link.set_download(name);
    link.click();
    _ = Url::revoke_object_url(&address);
}
