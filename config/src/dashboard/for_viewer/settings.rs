//! What the settings of the app mean for a page: its look, and its search of the web.

use crate::{
    dashboard::{Appearance, WebSearchView},
    icon::IconLookup,
    model::{
        AppConfig,
        app_config::Density,
        style::DEFAULT_THEME,
        web_search::{self, BUILT_IN_BANGS, CUSTOM_ENGINE, DEFAULT_ENGINE, engine_address, engine_name},
    },
};

pub(super) fn appearance(app: &AppConfig, icons: &dyn IconLookup) -> Appearance {
    let theme = |name: &Option<String>| name.clone().unwrap_or_else(|| DEFAULT_THEME.to_owned());
    Appearance {
        day_theme: theme(&app.style.day_theme),
        night_theme: theme(&app.style.night_theme),
        layout: app.layout,
        icon_size: app.tile_size(),
        grows: app.density == Some(Density::Auto),
        col_count: app.col_count,
        language: app.language.clone(),
        themes: app.style.own_themes(),
        style_sheets: app.style.style_sheets.iter().filter_map(|sheet| icons.style_sheet(sheet)).collect(),
    }
}

pub(super) fn web_search(search: &web_search::WebSearch) -> WebSearchView {
    let written = search.engine.as_deref().unwrap_or(DEFAULT_ENGINE);
    let (engine, engine_name) = if written.eq_ignore_ascii_case(CUSTOM_ENGINE) {
        let name = search.custom_engine.as_deref().and_then(crate::address::host).unwrap_or(written);
        (search.custom_engine.clone(), name)
    } else {
        (engine_address(written).map(str::to_owned), engine_name(written).unwrap_or(written))
    };
    let own = search.bangs.iter().cloned();
    let built_in = BUILT_IN_BANGS
        .iter()
        .filter(|(bang, _)| !search.bangs.iter().any(|(own, _)| own == bang))
        .filter_map(|(bang, engine)| Some(((*bang).to_owned(), engine_address(engine)?.to_owned())));
    let mut bangs: Vec<_> = own.chain(built_in).collect();
    bangs.sort_by_key(|(bang, _)| std::cmp::Reverse(bang.chars().count()));
    WebSearchView {
        disabled: search.disabled,
        engine,
        engine_name: engine_name.to_owned(),
        opening_method: search.opening_method.into(),
        open_urls_directly: search.open_urls_directly,
        bangs,
    }
}
