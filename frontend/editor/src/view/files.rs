//! Files that a user has chosen in a field.

use app::{importing::ImportedFile, property};
use js_sys::Array;
use wasm_bindgen::JsCast as _;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, HtmlInputElement};

/// The chosen files, without those that cannot be read.
pub async fn chosen(input: &HtmlInputElement) -> Vec<ImportedFile> {
    let mut files = Vec::new();
    let Ok(list) = property(input, "files").dyn_into::<js_sys::Object>() else { return files };
    for file in Array::from(&list) {
        let name = property(&file, "name").as_string().unwrap_or_default();
        let blob: Blob = file.unchecked_into();
        if let Some(text) = JsFuture::from(blob.text()).await.ok().and_then(|text| text.as_string()) {
            files.push(ImportedFile { name, text });
        }
    }
    files
}
