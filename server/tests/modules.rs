//! The modules of a crate, and which files use which, read from the source.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap, HashSet},
    fs,
    path::{Path, PathBuf},
};

use proc_macro2::{TokenStream, TokenTree};
use syn::{Attribute, Item, ItemMacro, ItemMod, ItemUse, Meta, UseTree, Visibility, visit::Visit};

/// The files of a crate, by their paths below `src`, each with the files that it uses, and by which paths in its code.
pub type Arrows = BTreeMap<String, BTreeMap<String, BTreeSet<String>>>;

/// How many imports may lead to each other before a path counts as unknown.
const MAX_DEPTH: usize = 16;

/// A module, in a file of its own or inside one.
#[derive(Default)]
struct Module {
    /// The index of its file.
    file: usize,
    parent: Option<usize>,
    children: HashMap<String, usize>,
    items: HashSet<String>,
    imports: Vec<Import>,
    /// The paths in its code, without those of imports.
    paths: Vec<Vec<String>>,
}

/// One name of a `use`.
#[derive(Debug, Eq, PartialEq)]
struct Import {
    /// `*` stands for all names.
    name: String,
    path: Vec<String>,
    /// A re-export alone uses nothing.
    is_public: bool,
}

/// Where a path leads.
#[derive(Clone, Copy)]
enum Target {
    Foreign,
    Module(usize),
    /// An item in the file of a module.
    Item(usize),
}

/// The modules of a crate, without those of tests.
#[derive(Default)]
pub struct Modules {
    files: Vec<PathBuf>,
    modules: Vec<Module>,
    /// The modules of macros, which have no path.
    macros: HashMap<String, usize>,
}

impl Modules {
    /// Reads all modules below a root, such as `src/lib.rs`.
    pub fn read(root: &Path) -> Self {
        let mut found = Self::default();
        found.read_file(root, root.parent().unwrap(), None);
        found
    }

    /// The path of each file, with the code's paths to other crates and to the crate's own modules.
    pub fn paths(&self) -> impl Iterator<Item = (&Path, &[String])> {
        self.modules.iter().flat_map(|module| {
            let imports = module.imports.iter().map(|import| &import.path);
            imports.chain(&module.paths).map(|path| (self.files[module.file].as_path(), path.as_slice()))
        })
    }

    /// Which files use which. Files are named by their paths below the folder.
    pub fn arrows(&self, folder: &Path) -> Arrows {
        let name = |file: usize| self.files[file].strip_prefix(folder).unwrap().display().to_string();
        let mut found = Arrows::new();
        for (index, module) in self.modules.iter().enumerate() {
            let arrows = found.entry(name(module.file)).or_default();
            let imports = module.imports.iter().filter(|import| !import.is_public).map(|import| &import.path);
            for path in imports.chain(&module.paths) {
                if let Some(Target::Item(target)) = self.resolve(index, path, 0) {
                    let target = self.modules[target].file;
                    if target != module.file {
                        arrows.entry(name(target)).or_default().insert(path.join("::"));
                    }
                }
            }
        }
        found
    }

    /// Where a path leads that is written in a module; `None` if nothing in the crate has its name.
    fn resolve(&self, module: usize, path: &[String], depth: usize) -> Option<Target> {
        let (first, rest) = path.split_first()?;
        match first.as_str() {
            "crate" => Some(self.walk(self.root(module), rest, depth)),
            "self" => Some(self.walk(module, rest, depth)),
            "super" => {
                let mut above = self.modules[module].parent?;
                let mut rest = rest;
                while rest.first().is_some_and(|name| name == "super") {
                    above = self.modules[above].parent?;
                    rest = &rest[1..];
                }
                Some(self.walk(above, rest, depth))
            }
            _ => match first.strip_suffix('!') {
                // A macro without a path comes from anywhere above.
                Some(name) => self.inside(module, &[name.to_owned()], depth).or_else(|| self.of_macro(name)),
                None => self.inside(module, path, depth),
            },
        }
    }

    /// Where a path leads that begins in a module. What the module does not show, such as the work of a macro, counts as its item.
    fn walk(&self, module: usize, path: &[String], depth: usize) -> Target {
        if path.is_empty() {
            return Target::Module(module);
        }
        self.inside(module, path, depth).unwrap_or_else(|| {
            let is_macro = self.modules[module].parent.is_none() && path.len() == 1;
            let of_macro = is_macro.then(|| self.of_macro(&path[0])).flatten();
            of_macro.unwrap_or(Target::Item(module))
        })
    }

    fn of_macro(&self, name: &str) -> Option<Target> {
        self.macros.get(name).map(|module| Target::Item(*module))
    }

    fn inside(&self, module: usize, path: &[String], depth: usize) -> Option<Target> {
        if depth > MAX_DEPTH {
            return None;
        }
        let here = &self.modules[module];
        let (first, rest) = path.split_first()?;
        let is_item = here.items.contains(first);
        if let Some(child) = here.children.get(first).filter(|_| !is_item || !rest.is_empty()) {
            return Some(self.walk(*child, rest, depth));
        }
        if is_item {
            return Some(Target::Item(module));
        }
        if let Some(import) = here.imports.iter().find(|import| import.name == *first) {
            // A name can be that of a module and of an item in it.
            return Some(match self.resolve(module, &import.path, depth + 1) {
                Some(Target::Module(found)) => self.walk(found, rest, depth + 1),
                found => found.unwrap_or(Target::Foreign),
            });
        }
        here.imports.iter().filter(|import| import.name == "*").find_map(|import| {
            match self.resolve(module, &import.path, depth + 1)? {
                Target::Module(found) => self.inside(found, path, depth + 1),
                Target::Item(_) | Target::Foreign => None,
            }
        })
    }

    fn root(&self, mut module: usize) -> usize {
        while let Some(parent) = self.modules[module].parent {
            module = parent;
        }
        module
    }

    fn read_file(&mut self, path: &Path, children: &Path, parent: Option<usize>) -> usize {
        let code = syn::parse_file(&fs::read_to_string(path).unwrap()).unwrap();
        self.files.push(path.to_owned());
        self.read_module(&code.items, self.files.len() - 1, children, parent)
    }

    /// Reads the items of a module; its children are files in the folder `children`.
    fn read_module(&mut self, items: &[Item], file: usize, children: &Path, parent: Option<usize>) -> usize {
        let index = self.modules.len();
        self.modules.push(Module { file, parent, ..Module::default() });
        let mut reader =
            Reader { module: Module { file, parent, ..Module::default() }, macros: Vec::new(), modules: Vec::new() };
        for item in items {
            reader.module.items.extend(name_of(item));
            reader.visit_item(item);
        }
        let Reader { module, macros, modules } = reader;
        self.macros.extend(macros.into_iter().map(|name| (name, index)));
        self.modules[index] = module;
        for module in modules {
            let name = module.ident.to_string();
            let folder = children.join(&name);
            let child = match &module.content {
                Some((_, items)) => self.read_module(items, file, &folder, Some(index)),
                None => {
                    let path = [children.join(format!("{name}.rs")), folder.join("mod.rs")]
                        .into_iter()
                        .find(|path| path.exists());
                    self.read_file(
                        &path.unwrap_or_else(|| panic!("{} has no file", folder.display())),
                        &folder,
                        Some(index),
                    )
                }
            };
            self.modules[index].children.insert(name, child);
        }
        index
    }
}

/// Collects what the code of one module names.
struct Reader<'a> {
    module: Module,
    macros: Vec<String>,
    modules: Vec<&'a ItemMod>,
}

impl<'a> Visit<'a> for Reader<'a> {
    fn visit_item(&mut self, item: &'a Item) {
        if !attributes(item).iter().any(is_of_tests) {
            syn::visit::visit_item(self, item);
        }
    }

    fn visit_item_mod(&mut self, module: &'a ItemMod) {
        self.modules.push(module);
    }

    fn visit_item_use(&mut self, item: &'a ItemUse) {
        if item.leading_colon.is_none() {
            let is_public = !matches!(item.vis, Visibility::Inherited);
            imports(&item.tree, &mut Vec::new(), is_public, &mut self.module.imports);
        }
    }

    fn visit_item_macro(&mut self, item: &'a ItemMacro) {
        self.macros.extend(item.ident.as_ref().map(ToString::to_string));
        syn::visit::visit_item_macro(self, item);
    }

    fn visit_path(&mut self, path: &'a syn::Path) {
        if path.leading_colon.is_none() {
            self.module.paths.push(path.segments.iter().map(|segment| segment.ident.to_string()).collect());
        }
        syn::visit::visit_path(self, path);
    }

    fn visit_visibility(&mut self, _: &'a Visibility) {}

    fn visit_macro(&mut self, call: &'a syn::Macro) {
        match call.path.get_ident() {
            Some(name) => self.module.paths.push(vec![format!("{name}!")]),
            None => self.visit_path(&call.path),
        }
        // What a derive writes belongs to another crate.
        if !call.path.is_ident("quote") && !call.path.is_ident("quote_spanned") {
            paths_of(call.tokens.clone(), &mut self.module.paths);
        }
    }

    fn visit_attribute(&mut self, attribute: &'a Attribute) {
        match &attribute.meta {
            Meta::List(list) => {
                paths_of(list.tokens.clone(), &mut self.module.paths);
                texts_of(list.tokens.clone(), &mut self.module.paths);
            }
            _ => syn::visit::visit_attribute(self, attribute),
        }
    }
}

/// The names that a `use` brings into its module.
fn imports(tree: &UseTree, before: &mut Vec<String>, is_public: bool, found: &mut Vec<Import>) {
    let mut add = |name: String, path: Vec<String>| found.push(Import { name, path, is_public });
    match tree {
        UseTree::Path(path) => {
            before.push(path.ident.to_string());
            imports(&path.tree, before, is_public, found);
            before.pop();
        }
        UseTree::Group(group) => {
            for tree in &group.items {
                imports(tree, before, is_public, found);
            }
        }
        UseTree::Glob(_) => add("*".to_owned(), before.clone()),
        UseTree::Name(name) if name.ident == "self" => add(before.last().cloned().unwrap_or_default(), before.clone()),
        UseTree::Name(name) => add(name.ident.to_string(), [before.as_slice(), &[name.ident.to_string()]].concat()),
        UseTree::Rename(rename) if rename.ident == "self" => add(rename.rename.to_string(), before.clone()),
        UseTree::Rename(rename) => {
            add(rename.rename.to_string(), [before.as_slice(), &[rename.ident.to_string()]].concat());
        }
    }
}

/// The paths in the arguments of a macro.
fn paths_of(tokens: TokenStream, found: &mut Vec<Vec<String>>) {
    let mut path: Vec<String> = Vec::new();
    let mut colons = 0;
    for token in tokens {
        match token {
            TokenTree::Ident(name) => {
                // Two colons go on with a path, and begin one in another crate.
                if colons != 2 {
                    found.extend((!path.is_empty()).then(|| std::mem::take(&mut path)));
                    path.push(name.to_string());
                } else if !path.is_empty() {
                    path.push(name.to_string());
                }
                colons = 0;
            }
            TokenTree::Punct(sign) if sign.as_char() == ':' => colons += 1,
            TokenTree::Punct(sign) if sign.as_char() == '!' && path.len() == 1 => path[0].push('!'),
            other => {
                found.extend((!path.is_empty()).then(|| std::mem::take(&mut path)));
                colons = 0;
                if let TokenTree::Group(group) = other {
                    paths_of(group.stream(), found);
                }
            }
        }
    }
    found.extend((!path.is_empty()).then_some(path));
}

/// The paths in texts, as in `#[serde(with = "crate::a")]`.
fn texts_of(tokens: TokenStream, found: &mut Vec<Vec<String>>) {
    for token in tokens {
        match token {
            TokenTree::Literal(text) => {
                let path = syn::parse_str::<syn::LitStr>(&text.to_string()).ok().map(|text| text.value());
                if let Some(path) = path.filter(|path| path.contains("::") && !path.contains(char::is_whitespace)) {
                    found.push(path.split("::").map(str::to_owned).collect());
                }
            }
            TokenTree::Group(group) => texts_of(group.stream(), found),
            _ => {}
        }
    }
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

/// Whether the attribute is a `cfg` that names `test`.
fn is_of_tests(attribute: &Attribute) -> bool {
    let Meta::List(list) = &attribute.meta else { return false };
    let mut names = Vec::new();
    paths_of(list.tokens.clone(), &mut names);
    list.path.is_ident("cfg")
        && names.iter().any(|name| *name == ["test"])
        && !names.iter().any(|name| *name == ["not"])
}

fn name_of(item: &Item) -> Option<String> {
    let name = match item {
        Item::Const(item) => &item.ident,
        Item::Enum(item) => &item.ident,
        Item::Fn(item) => &item.sig.ident,
        Item::Macro(item) => item.ident.as_ref()?,
        Item::Static(item) => &item.ident,
        Item::Struct(item) => &item.ident,
        Item::Trait(item) => &item.ident,
        Item::Type(item) => &item.ident,
        _ => return None,
    };
    Some(name.to_string())
}

/// Which files of a crate use which, as `a>b`; the crate is given as pairs of files and code.
fn uses(files: &[(&str, &str)]) -> String {
    let folder = tempfile::tempdir().unwrap();
    for (name, code) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, code).unwrap();
    }
    let arrows = Modules::read(&folder.path().join("lib.rs")).arrows(folder.path());
    let name = |file: &str| file.trim_end_matches(".rs").to_owned();
    let all =
        arrows.iter().flat_map(|(file, used)| used.keys().map(move |used| format!("{}>{}", name(file), name(used))));
    all.collect::<Vec<_>>().join(" ")
}

#[test]
fn uses_are_found_wherever_they_are() {
    for (code, expected) in [
        ("use crate::b::B;", "a>b"),
        ("use crate::{b::{self, B}, c as d};", "a>b"),
        ("use crate::b;", ""),
        ("use crate::b; fn f() { b::g() }", "a>b"),
        ("use super::b::B as C;", "a>b"),
        ("use super::*; fn f() -> b::B { b::B }", "a>b"),
        ("use crate::*; fn f() { let _ = A; }", "a>lib"),
        ("fn f() { crate::b::g::<u8>(); }", "a>b"),
        ("fn f<'a>(x: &'a str) -> &'a crate::c::C { x }", "a>c/mod"),
        ("use crate::c::D;", "a>c/d"),
        ("use crate::c::d::D;", "a>c/d"),
        ("pub use crate::b::B;", ""),
        ("pub use crate::b::B; fn f(b: B) {}", "a>b"),
        ("pub(in crate::b) fn f() {}", ""),
        ("fn f() { print!(\"{}\", crate::b::g()); }", "a>b"),
        ("fn f() { made!(1); }", "a>b"),
        ("#[serde(with = \"crate::b\")] struct S;", ""),
        ("#[serde(default = \"crate::b::g\")] struct S;", "a>b"),
        ("// crate::b::g\nconst A: &str = \"crate::b::g\";", ""),
        ("mod inner { use super::super::b::B; }", "a>b"),
        ("#[cfg(test)] mod tests { use crate::b::B; }", ""),
        ("#[cfg(not(test))] use crate::b::B;", "a>b"),
        ("use b::B;", ""),
        ("use std::b::B;", ""),
    ] {
        let lib = "pub mod a; pub mod b; pub mod c; pub struct A;";
        let b = "pub struct B; pub fn g() {} macro_rules! made { ($x:expr) => {} }";
        let c = "mod d; pub use self::d::D; pub struct C;";
        let found = uses(&[("lib.rs", lib), ("a.rs", code), ("b.rs", b), ("c/mod.rs", c), ("c/d.rs", "pub struct D;")]);
        assert_eq!(found, expected, "{code}");
    }
}
