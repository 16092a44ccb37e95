//! `/api/config/{filename}/sections`: single sections.

use super::{
    change::{self, object},
    extract::{Call, JsonBody},
    load::load,
    response::ApiSuccess,
};
use crate::{
    access::{Admin, Reader},
    routes::error::ApiError,
};

pub(super) async fn get(reader: Reader, call: Call) -> Result<ApiSuccess, ApiError> {
    let file = call.file()?;
    let address = call.section()?;
    let document = load(&call, &reader, &file).await?;
    let (_, section) = document.section(&address)?;
    ApiSuccess::value(section)
}

pub(super) async fn post(admin: Admin, call: Call, JsonBody(body): JsonBody) -> Result<ApiSuccess, ApiError> {
    let file = call.file()?;
    let changed = change::edit(&call, &admin, &file, move |document| {
        let index = document.add_section(object(body)?)?;
        Ok((index, document.sections()?[index].clone()))
    })
    .await?;
    let (index, section) = changed.outcome.clone();
    let location = call.location(&file, &format!("sections/{index}"));
    let body = changed
        .into_body(format!("section {index} was added to `{file}`"), [("index", index.into()), ("section", section)]);
    ApiSuccess::created(&body, &location)
}

pub(super) async fn patch(admin: Admin, call: Call, JsonBody(body): JsonBody) -> Result<ApiSuccess, ApiError> {
    let file = call.file()?;
    let address = call.section()?;
    let message = format!("section `{address}` of `{file}` was changed");
    let changed = change::edit(&call, &admin, &file, move |document| {
        let index = document.patch_section(&address, object(body)?)?;
        Ok(document.sections()?[index].clone())
    })
    .await?;
    let section = changed.outcome.clone();
    ApiSuccess::value(&changed.into_body(message, [("section", section)]))
}

pub(super) async fn delete(admin: Admin, call: Call) -> Result<ApiSuccess, ApiError> {
    let file = call.file()?;
    let address = call.section()?;
    let message = format!("section `{address}` of `{file}` was deleted");
    let changed =
        change::edit(&call, &admin, &file, move |document| Ok(document.delete_section(&address).map(drop)?)).await?;
    ApiSuccess::value(&changed.into_body(message, []))
}
