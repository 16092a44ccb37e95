//! What a struct and its attributes declare.

use proc_macro2::{TokenStream, TokenTree};
use syn::{
    Attribute, Data, DeriveInput, Error, Expr, Field, Fields, GenericArgument, Ident, Lit, LitInt, LitStr, Meta,
    PathArguments, Result, Token, Type, ext::IdentExt, meta::ParseNestedMeta, parenthesized, parse::ParseStream,
};

/// A struct that is a block.
pub struct Declaration {
    pub ident: Ident,
    pub about: String,
    pub title: String,
    pub name: String,
    pub others: UnknownKeys,
    pub old: Vec<OldKey>,
    pub demands: Option<TokenStream>,
    pub finish: Option<TokenStream>,
    pub own_default: bool,
    pub fields: Vec<DeclaredField>,
}

/// Which unknown keys a block may have.
#[derive(Default)]
pub enum UnknownKeys {
    #[default]
    Refused,
    Allowed,
    Prefixed(LitStr),
}

/// A key that is still accepted: its name, what became of it, and its rule if it has one.
pub struct OldKey {
    pub key: LitStr,
    pub about: LitStr,
    pub rule: Option<TokenStream>,
}

/// A field of a block.
pub struct DeclaredField {
    pub ident: Ident,
    pub ty: Type,
    pub about: String,
    pub key: String,
    pub source: ValueSource,
    pub flatten: bool,
    pub required: bool,
    pub nullable: bool,
    pub range: Option<(LitInt, LitInt)>,
    pub limit: Option<TokenStream>,
    pub max: Option<TokenStream>,
    pub max_chars: Option<TokenStream>,
    pub default: Option<TokenStream>,
    pub preset: Option<TokenStream>,
    pub unset: Option<LitStr>,
    pub examples: Vec<LitStr>,
    pub no_effect_yet: bool,
    pub old_key: Option<OldKey>,
    pub old_forms: Vec<TokenStream>,
    pub rule: Option<TokenStream>,
}

/// Where a field's value comes from.
pub enum ValueSource {
    /// The value of its key.
    Key,
    /// The value of its key, read by a function.
    Read(TokenStream),
    /// The whole block, read by a function.
    ReadEntry(TokenStream),
    /// Other code.
    Elsewhere,
    /// No key; a function of the block.
    Computed(TokenStream),
    /// No key; the type's default.
    Skip,
}

impl Declaration {
    pub fn parse(input: &DeriveInput) -> Result<Self> {
        let Data::Struct(data) = &input.data else {
            return Err(Error::new_spanned(&input.ident, "a block is a struct"));
        };
        let Fields::Named(fields) = &data.fields else {
            return Err(Error::new_spanned(&input.ident, "a block has named fields"));
        };
        let mut declaration = Self {
            ident: input.ident.clone(),
            about: description(&input.attrs),
            title: input.ident.to_string(),
            name: String::new(),
            others: UnknownKeys::default(),
            old: Vec::new(),
            demands: None,
            finish: None,
            own_default: false,
            fields: fields.named.iter().map(DeclaredField::parse).collect::<Result<_>>()?,
        };
        for attribute in config_attributes(&input.attrs) {
            attribute.parse_nested_meta(|meta| declaration.take(&meta))?;
        }
        Ok(declaration)
    }

    fn take(&mut self, meta: &ParseNestedMeta<'_>) -> Result<()> {
        match word(meta)?.as_str() {
            "title" => self.title = text(meta)?.value(),
            "name" => self.name = text(meta)?.value(),
            "other_keys" if meta.input.peek(Token![=]) => self.others = UnknownKeys::Prefixed(text(meta)?),
            "other_keys" => self.others = UnknownKeys::Allowed,
            "old" => self.old.push(old_key(meta)?),
            "demands" => self.demands = Some(tokens(meta)?),
            "finish" => self.finish = Some(tokens(meta)?),
            "own_default" => self.own_default = true,
            _ => return Err(meta.error("unknown attribute of a block")),
        }
        Ok(())
    }
}

impl DeclaredField {
    fn parse(field: &Field) -> Result<Self> {
        let Some(ident) = field.ident.clone() else { return Err(Error::new_spanned(field, "a field has a name")) };
        let mut declared = Self {
            key: camel_case(&ident.unraw().to_string()),
            ident,
            ty: field.ty.clone(),
            about: description(&field.attrs),
            source: ValueSource::Key,
            flatten: false,
            required: false,
            nullable: false,
            range: None,
            limit: None,
            max: None,
            max_chars: None,
            default: None,
            preset: None,
            unset: None,
            examples: Vec::new(),
            no_effect_yet: false,
            old_key: None,
            old_forms: Vec::new(),
            rule: None,
        };
        for attribute in config_attributes(&field.attrs) {
            attribute.parse_nested_meta(|meta| declared.take(&meta))?;
        }
        if declared.has_key() && declared.about.is_empty() {
            return Err(Error::new_spanned(field, "a key of the config needs a doc comment: it is what people read"));
        }
        Ok(declared)
    }

    fn take(&mut self, meta: &ParseNestedMeta<'_>) -> Result<()> {
        match word(meta)?.as_str() {
            "key" => self.key = text(meta)?.value(),
            "required" => self.required = true,
            "nullable" => self.nullable = true,
            "range" => self.range = Some(range(meta)?),
            "limit" => self.limit = Some(tokens(meta)?),
            "max" => self.max = Some(tokens(meta)?),
            "max_chars" => self.max_chars = Some(tokens(meta)?),
            "default" => self.default = Some(tokens(meta)?),
            "preset" => self.preset = Some(tokens(meta)?),
            "unset" => self.unset = Some(text(meta)?),
            "examples" => self.examples = examples(meta)?,
            "no_effect_yet" => self.no_effect_yet = true,
            "old_key" => self.old_key = Some(old_key(meta)?),
            "old_form" => self.old_forms.push(group(meta)?),
            "rule" => self.rule = Some(tokens(meta)?),
            "read" => self.source = ValueSource::Read(tokens(meta)?),
            "read_entry" => self.source = ValueSource::ReadEntry(tokens(meta)?),
            "elsewhere" => self.source = ValueSource::Elsewhere,
            "flatten" => self.flatten = true,
            "computed" => self.source = ValueSource::Computed(tokens(meta)?),
            "skip" => self.source = ValueSource::Skip,
            _ => return Err(meta.error("unknown attribute of a field")),
        }
        Ok(())
    }

    /// Whether the field is a key of the block: not a field of a flattened struct, and not computed or skipped.
    pub fn has_key(&self) -> bool {
        !self.flatten && !matches!(self.source, ValueSource::Computed(_) | ValueSource::Skip)
    }

    /// The `T` of an `Option<T>`.
    pub fn optional(&self) -> Option<&Type> {
        inner(&self.ty, "Option")
    }

    /// The type without `Option` and `Box` around it.
    pub fn core(&self) -> &Type {
        let ty = self.optional().unwrap_or(&self.ty);
        inner(ty, "Box").unwrap_or(ty)
    }
}

/// The `T` of a `Wrapper<T>`.
fn inner<'a>(ty: &'a Type, wrapper: &str) -> Option<&'a Type> {
    let Type::Path(path) = ty else { return None };
    let segment = path.path.segments.last().filter(|segment| segment.ident == wrapper)?;
    let PathArguments::AngleBracketed(arguments) = &segment.arguments else { return None };
    match arguments.args.first()? {
        GenericArgument::Type(inner) => Some(inner),
        _ => None,
    }
}

fn config_attributes(attributes: &[Attribute]) -> impl Iterator<Item = &Attribute> {
    attributes.iter().filter(|attribute| attribute.path().is_ident("config"))
}

/// The doc comment up to its first empty line, on one line.
fn description(attributes: &[Attribute]) -> String {
    let lines = attributes.iter().filter_map(|attribute| match &attribute.meta {
        Meta::NameValue(pair) if pair.path.is_ident("doc") => match &pair.value {
            Expr::Lit(literal) => match &literal.lit {
                Lit::Str(line) => Some(line.value().trim().to_owned()),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    });
    lines.take_while(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
}

pub fn camel_case(name: &str) -> String {
    let mut words = name.split('_');
    let mut key = words.next().unwrap_or_default().to_owned();
    for word in words {
        let mut letters = word.chars();
        key.extend(letters.next().map(|first| first.to_ascii_uppercase()));
        key.push_str(letters.as_str());
    }
    key
}

fn word(meta: &ParseNestedMeta<'_>) -> Result<String> {
    meta.path.get_ident().map(ToString::to_string).ok_or_else(|| meta.error("a single word is expected"))
}

fn text(meta: &ParseNestedMeta<'_>) -> Result<LitStr> {
    meta.value()?.parse()
}

/// The tokens after `=`, up to the next comma.
fn tokens(meta: &ParseNestedMeta<'_>) -> Result<TokenStream> {
    until_comma(meta.value()?)
}

fn until_comma(input: ParseStream<'_>) -> Result<TokenStream> {
    let mut tokens = TokenStream::new();
    while !input.is_empty() && !input.peek(Token![,]) {
        tokens.extend([input.parse::<TokenTree>()?]);
    }
    if tokens.is_empty() { Err(input.error("a value is missing")) } else { Ok(tokens) }
}

/// The tokens in parentheses.
fn group(meta: &ParseNestedMeta<'_>) -> Result<TokenStream> {
    let content;
    parenthesized!(content in meta.input);
    content.parse()
}

fn range(meta: &ParseNestedMeta<'_>) -> Result<(LitInt, LitInt)> {
    let content;
    parenthesized!(content in meta.input);
    let min = content.parse()?;
    content.parse::<Token![,]>()?;
    Ok((min, content.parse()?))
}

fn examples(meta: &ParseNestedMeta<'_>) -> Result<Vec<LitStr>> {
    let content;
    parenthesized!(content in meta.input);
    Ok(content.parse_terminated(<LitStr as syn::parse::Parse>::parse, Token![,])?.into_iter().collect())
}

fn old_key(meta: &ParseNestedMeta<'_>) -> Result<OldKey> {
    let content;
    parenthesized!(content in meta.input);
    let key = content.parse()?;
    content.parse::<Token![,]>()?;
    let about = content.parse()?;
    let mut rule = None;
    if content.parse::<Option<Token![,]>>()?.is_some() && !content.is_empty() {
        rule = Some(content.parse()?);
    }
    Ok(OldKey { key, about, rule })
}
