//! `/api/config/{filename}/{key}`: top-level keys.

use config::TopLevelKey;

use super::{
    change,
    extract::{Call, JsonBody},
    files::hide_passwords,
    load::load,
    response::ApiSuccess,
};
use crate::{
    access::{Admin, Reader},
    routes::error::ApiError,
};

pub(super) async fn get(reader: Reader, call: Call) -> Result<ApiSuccess, ApiError> {
    let file = call.file()?;
    let key = call.key()?;
    let document = load(&call, &reader, &file).await?;
    let value = document.key(key)?;
    if key != TopLevelKey::AppConfig || reader.is_admin() {
        return ApiSuccess::value(value);
    }
    let mut value = value.clone();
    hide_passwords(Some(&mut value));
    ApiSuccess::value(&value)
}

pub(super) async fn put(admin: Admin, call: Call, JsonBody(body): JsonBody) -> Result<ApiSuccess, ApiError> {
    let file = call.file()?;
    let key = call.key()?;
    let changed = change::edit(&call, &admin, &file, move |document| Ok(document.set_key(key, body)?)).await?;
    ApiSuccess::value(&changed.into_body(format!("`{}` was saved to `{file}`", key.word()), []))
}
