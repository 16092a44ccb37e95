//! `/api/config` and `/api/config/{filename}`: the list of files, and whole files.

use config::Document;
use http::StatusCode;
use serde_json::{Value, json};

use super::{
    change::{self, object},
    extract::{Call, JsonBody},
    load::load,
    response::ApiSuccess,
};
use crate::{
    access::{Admin, Reader},
    platform::io_error::reason,
    routes::error::ApiError,
};

pub(super) async fn list(_: Reader, call: Call) -> Result<ApiSuccess, ApiError> {
    let files = call.store.list().await.map_err(|error| {
        let message = format!("the config files cannot be listed: {}", reason(&error));
        ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, message)
    })?;
    ApiSuccess::value(&json!({ "success": true, "files": files }))
}

pub(super) async fn get(reader: Reader, call: Call) -> Result<ApiSuccess, ApiError> {
    let document = load(&call, &reader, &call.file()?).await?;
    if reader.is_admin() {
        return ApiSuccess::value(document.value());
    }
    let mut value = document.to_json();
    hide_passwords(value.get_mut("appConfig"));
    ApiSuccess::value(&value)
}

pub(super) async fn put(admin: Admin, call: Call, JsonBody(body): JsonBody) -> Result<ApiSuccess, ApiError> {
    let file = call.file()?;
    let document = Document::from_json(object(body)?.into());
    let changed = change::replace(&call, &admin, &file, document).await?;
    ApiSuccess::value(&changed.into_body(format!("`{file}` was saved"), []))
}

/// Removes the credentials of users from `appConfig` (docs/spec/api.md 3.3).
pub(super) fn hide_passwords(app: Option<&mut Value>) {
    let auth = app.and_then(|app| app.get_mut("auth"));
    let users = auth.and_then(|auth| if auth.is_array() { Some(auth) } else { auth.get_mut("users") });
    let users = users.and_then(Value::as_array_mut).into_iter().flatten();
    for user in users.filter_map(Value::as_object_mut) {
        user.shift_remove("hash");
        user.shift_remove("password");
    }
}
