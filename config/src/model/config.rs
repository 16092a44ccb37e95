//! The typed form of a config file.

use super::{
    app_config::AppConfig,
    block::{Block, Described},
    page::Page,
    page_info::PageInfo,
    section::Section,
};
use crate::problem::Problem;

/// Name of the file that holds the root config.
pub const MAIN_FILE: &str = "conf.yml";

/// The main config file, `conf.yml`.
///
/// The typed form of a config file: of the root, or of a page on top of the root's values.
#[derive(Clone, Debug, PartialEq, Block)]
#[config(name = "the config", other_keys = "x-")]
pub struct Config {
    /// Address of a JSON Schema, for editors. Keys that begin with `x-` may hold anything, such as anchors.
    #[config(key = "$schema", rule = Rule::Any, elsewhere)]
    pub schema: Described<String>,
    /// Title, header links, footer and logo of the page.
    pub page_info: PageInfo,
    /// How the dashboard behaves and looks, and who may sign in.
    #[config(key = "appConfig")]
    pub app: AppConfig,
    /// What the page shows: groups of items and widgets, in this order. If the list is empty, the page shows a note
    /// instead.
    #[config(required)]
    pub sections: Vec<Section>,
    /// Additional pages, each with its own file. Only the list in the main file counts.
    #[config(elsewhere)]
    pub pages: Vec<Page>,
    /// Name of the file that holds the root config.
    #[config(skip)]
    pub main_file: String,
    /// The problems of this file, as warnings.
    #[config(skip)]
    pub problems: Vec<Problem>,
}
