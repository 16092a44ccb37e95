//! `/api/config/{filename}/sections/{sid}/items`: the items of a section.

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

pub(super) async fn list(reader: Reader, call: Call) -> Result<ApiSuccess, ApiError> {
    let file = call.file()?;
    let section = call.section()?;
    let document = load(&call, &reader, &file).await?;
    ApiSuccess::value(document.items(&section)?)
}

pub(super) async fn get(reader: Reader, call: Call) -> Result<ApiSuccess, ApiError> {
    let file = call.file()?;
    let (section, address) = (call.section()?, call.item()?);
    let document = load(&call, &reader, &file).await?;
    let (_, item) = document.item(&section, &address)?;
    ApiSuccess::value(item)
}

pub(super) async fn post(admin: Admin, call: Call, JsonBody(body): JsonBody) -> Result<ApiSuccess, ApiError> {
    let file = call.file()?;
    let section = call.section()?;
    let message = format!("an item was added to section `{section}` of `{file}`");
    let changed = change::edit(&call, &admin, &file, move |document| {
        let index = document.add_item(&section, object(body)?)?;
        let (section_index, _) = document.section(&section)?;
        Ok((section_index, index, document.items(&section)?[index].clone()))
    })
    .await?;
    let (section_index, index, item) = changed.outcome.clone();
    let location = call.location(&file, &format!("sections/{section_index}/items/{index}"));
    let body = changed.into_body(message, [("index", index.into()), ("item", item)]);
    ApiSuccess::created(&body, &location)
}

pub(super) async fn patch(admin: Admin, call: Call, JsonBody(body): JsonBody) -> Result<ApiSuccess, ApiError> {
    let file = call.file()?;
    let (section, address) = (call.section()?, call.item()?);
    let message = format!("item `{address}` of section `{section}` of `{file}` was changed");
    let changed = change::edit(&call, &admin, &file, move |document| {
        let index = document.patch_item(&section, &address, object(body)?)?;
        Ok(document.items(&section)?[index].clone())
    })
    .await?;
    let item = changed.outcome.clone();
    ApiSuccess::value(&changed.into_body(message, [("item", item)]))
}

pub(super) async fn delete(admin: Admin, call: Call) -> Result<ApiSuccess, ApiError> {
    let file = call.file()?;
    let (section, address) = (call.section()?, call.item()?);
    let message = format!("item `{address}` of section `{section}` of `{file}` was deleted");
    let changed =
        change::edit(&call, &admin, &file, move |document| Ok(document.delete_item(&section, &address).map(drop)?))
            .await?;
    ApiSuccess::value(&changed.into_body(message, []))
}
