//! Implements the editor's server functions for icons, widget types and uploaded pictures (docs/editing.md). Uploads require
//! the same rights as saving the config.

use std::sync::Arc;

use app::{
    backend::PendingResponse,
    editing::EditorResponse,
    editor_files::{EditorFilesBackend, FoundIcons, MAX_PICTURE_BYTES, OfferedIcon, StoredPicture, WidgetType},
};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use http::{StatusCode, request::Parts};
use languages::{message, with_locale_async};
use widgets::Kind;

use crate::{
    icons::{
        Icons,
        choice::{FoundIcon, IconGroup, IconSearch},
        media::Media,
    },
    platform::{blocking_pool, io_error::reason},
    routes::{
        app_state::AppState,
        editing::{Editing, Translated, begin, respond},
        error::ApiError,
        language,
        save::with_user,
    },
    store::pictures::{self, ITEM_ICONS},
};

/// The app's [`EditorFilesBackend`].
pub struct ServerEditorFiles(pub Arc<AppState>);

impl EditorFilesBackend for ServerEditorFiles {
    fn icons(
        &self,
        request: Parts,
        words: String,
        group: Option<String>,
        skip: usize,
    ) -> PendingResponse<EditorResponse<FoundIcons>> {
        let portico = Arc::clone(&self.0);
        let locale = language::of(&portico.store.site(), &request.headers);
        Box::pin(with_locale_async(locale, async move { respond(icons(&portico, &request, words, group, skip).await) }))
    }

    fn widgets(&self, request: Parts) -> PendingResponse<EditorResponse<Vec<WidgetType>>> {
        let portico = Arc::clone(&self.0);
        let locale = language::of(&portico.store.site(), &request.headers);
        Box::pin(with_locale_async(locale, async move {
            respond(begin(&portico, &request, None).map(|_| widget_types(&portico.icons)))
        }))
    }

    fn upload(&self, request: Parts, name: String, data: String) -> PendingResponse<EditorResponse<StoredPicture>> {
        let portico = Arc::clone(&self.0);
        let locale = language::of(&portico.store.site(), &request.headers);
        Box::pin(with_locale_async(locale, async move { respond(upload(&portico, &request, &name, &data).await) }))
    }
}

impl Translated for FoundIcons {}
/// The editor translates them, so that people find them by their English names too.
impl Translated for Vec<WidgetType> {}
impl Translated for StoredPicture {
    fn translated(self) -> Self {
        Self { message: message(&self.message).into_owned(), ..self }
    }
}

async fn icons(
    portico: &AppState,
    request: &Parts,
    words: String,
    group: Option<String>,
    skip: usize,
) -> Result<FoundIcons, ApiError> {
    begin(portico, request, None)?;
    let group = match group.as_deref() {
        None => None,
        Some(word) => {
            let unknown = || ApiError::bad_request(format!("there is no icon group `{word}`"));
            Some(IconGroup::from_word(word).ok_or_else(unknown)?)
        }
    };
    let icons = portico.icons.clone();
    let search = move || icons.search(&words, group, skip);
    let IconSearch { icons, total } =
        blocking_pool::compute(search).await.map_err(|error| ApiError::internal(&error))?;
    let offered = |FoundIcon { value, name, group, picture }| {
        let group = group.word().to_owned();
        OfferedIcon { value, name, group, picture }
    };
    Ok(FoundIcons { icons: icons.into_iter().map(offered).collect(), total })
}

fn widget_types(icons: &Icons) -> Vec<WidgetType> {
    let mut kinds = Kind::ALL.to_vec();
    kinds.sort_by_key(|kind| (kind.category(), kind.name()));
    kinds.into_iter().map(|kind| widget_type(kind, icons)).collect()
}

fn widget_type(kind: Kind, icons: &Icons) -> WidgetType {
    let words = [kind.aliases(), kind.services(), kind.keywords()].concat().join(" ");
    let category = kind.category();
    WidgetType {
        name: kind.name().to_owned(),
        title: kind.title(),
        about: kind.description(),
        words,
        category: category.title().to_owned(),
        picture: icons.application_or_glyph(kind.services().first().copied(), category.glyph()),
    }
}

/// Checks that the user may write files, as for saving the main config.
fn begin_writing(portico: &AppState, request: &Parts) -> Result<Editing, ApiError> {
    let editing = begin(portico, request, None)?;
    if let Some(reason) = &editing.read_only {
        return Err(ApiError::new(StatusCode::FORBIDDEN, reason.as_str()));
    }
    Ok(editing)
}

async fn upload(portico: &Arc<AppState>, request: &Parts, name: &str, data: &str) -> Result<StoredPicture, ApiError> {
    let Editing { viewer, .. } = begin_writing(portico, request)?;
    let bytes = STANDARD.decode(data).map_err(|_| ApiError::bad_request("`data` must be the picture in Base64"))?;
    if bytes.len() > MAX_PICTURE_BYTES {
        let sentence =
            format!("The picture has {} KB; at most 1 MB can be stored. Make it smaller.", bytes.len() / 1024);
        return Err(ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, sentence));
    }
    let Some(extension) = extension(&bytes) else {
        let message = "Browsers cannot show this file: choose a PNG, JPEG, WebP, GIF, AVIF, ICO or SVG picture.";
        return Err(ApiError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, message));
    };
    let stem = pictures::safe_stem(name);
    let wanted = format!("{stem}.{extension}");
    let kept = portico.store.keep_picture(stem, extension, bytes.into()).await.map_err(|error| {
        tracing::error!("`{ITEM_ICONS}/{wanted}` cannot be written: {error}");
        let message = format!("`{ITEM_ICONS}/{wanted}` cannot be written: {}.", reason(&error));
        let is_away = error.kind() == std::io::ErrorKind::NotConnected;
        let status = if is_away { StatusCode::SERVICE_UNAVAILABLE } else { StatusCode::INTERNAL_SERVER_ERROR };
        with_user(ApiError::new(status, message))
    })?;
    let icons = portico.icons.clone();
    // Items may have named it before it existed.
    if tokio::task::spawn_blocking(move || icons.rescan()).await.map_err(|error| ApiError::internal(&error))? {
        portico.store.touch();
    }
    let name = kept.name;
    let by = viewer.name_for_log();
    let message = if kept.was_there {
        format!("This picture already exists as `{name}`.")
    } else if name == wanted {
        format!("`{name}` is stored.")
    } else {
        format!("Another picture is named `{wanted}`, so this one is stored as `{name}`.")
    };
    if !kept.was_there {
        tracing::info!("`{ITEM_ICONS}/{name}` was stored in the editor by {by}");
    }
    Ok(StoredPicture { value: name, message })
}

/// The file name extension for a picture, detected from its bytes; `None` if its format cannot be used for icons.
fn extension(bytes: &[u8]) -> Option<&'static str> {
    Some(match Media::of_picture(bytes)? {
        Media::Svg => "svg",
        Media::Png => "png",
        Media::Jpeg => "jpg",
        Media::Gif => "gif",
        Media::WebP => "webp",
        Media::Ico => "ico",
        Media::Avif => "avif",
        Media::Bmp | Media::Css | Media::Woff2 | Media::Woff | Media::Ttf | Media::Otf => return None,
    })
}
