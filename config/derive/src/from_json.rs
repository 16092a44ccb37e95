//! `#[derive(FromJson)]`: reads what serde's derive has written, following the same attributes.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Attribute, Data, DeriveInput, Error, Fields, LitStr, Result, ext::IdentExt, meta::ParseNestedMeta};

use crate::declaration::camel_case;

/// How serde writes the names.
#[derive(Clone, Copy)]
enum RenameRule {
    AsWritten,
    Camel,
    Kebab,
    Lower,
}

impl RenameRule {
    fn of_field(self, name: &str) -> Option<String> {
        match self {
            Self::AsWritten => Some(name.to_owned()),
            Self::Camel => Some(camel_case(name)),
            Self::Kebab | Self::Lower => None,
        }
    }

    fn of_variant(self, name: &str) -> Option<String> {
        match self {
            Self::AsWritten => Some(name.to_owned()),
            Self::Lower => Some(name.to_ascii_lowercase()),
            Self::Kebab => {
                let mut word = String::new();
                for (position, letter) in name.chars().enumerate() {
                    if letter.is_ascii_uppercase() && position > 0 {
                        word.push('-');
                    }
                    word.push(letter.to_ascii_lowercase());
                }
                Some(word)
            }
            Self::Camel => None,
        }
    }
}

pub fn implementation(input: &DeriveInput) -> Result<TokenStream> {
    let case = case(&input.attrs)?;
    let body = match &input.data {
        Data::Struct(data) => {
            let Fields::Named(fields) = &data.fields else {
                return Err(Error::new_spanned(&input.ident, "the fields need names"));
            };
            let mut members = Vec::new();
            for field in &fields.named {
                leaves_the_name(&field.attrs)?;
                let Some(ident) = &field.ident else { continue };
                let name = case
                    .of_field(&ident.unraw().to_string())
                    .ok_or_else(|| Error::new_spanned(ident, "fields are written in `camelCase`"))?;
                members.push(quote!(#ident: ::config::json::member(json, #name)));
            }
            quote!(Some(Self { #(#members,)* }))
        }
        Data::Enum(data) => {
            let mut arms = Vec::new();
            for variant in &data.variants {
                leaves_the_name(&variant.attrs)?;
                let ident = &variant.ident;
                if !matches!(variant.fields, Fields::Unit) {
                    return Err(Error::new_spanned(ident, "a variant must be a word alone"));
                }
                let word = case
                    .of_variant(&ident.unraw().to_string())
                    .ok_or_else(|| Error::new_spanned(ident, "variants are written in `kebab-case` or `lowercase`"))?;
                arms.push(quote!(#word => Some(Self::#ident)));
            }
            quote! {
                match ::config::json::Json::text(json)?.as_str() {
                    #(#arms,)*
                    _ => None,
                }
            }
        }
        Data::Union(_) => return Err(Error::new_spanned(&input.ident, "unions have no form in JSON")),
    };
    let ident = &input.ident;
    Ok(quote! {
        #[automatically_derived]
        impl ::config::json::FromJson for #ident {
            fn from_json(json: &impl ::config::json::Json) -> Option<Self> {
                #body
            }
        }
    })
}

fn case(attributes: &[Attribute]) -> Result<RenameRule> {
    let mut case = RenameRule::AsWritten;
    for attribute in serde_attributes(attributes) {
        attribute.parse_nested_meta(|meta| {
            if meta.path.is_ident("rename_all") {
                case = match meta.value()?.parse::<LitStr>()?.value().as_str() {
                    "camelCase" => RenameRule::Camel,
                    "kebab-case" => RenameRule::Kebab,
                    "lowercase" => RenameRule::Lower,
                    _ => return Err(meta.error("this form of names is not known")),
                };
                return Ok(());
            }
            leaves_the_form(&meta)
        })?;
    }
    Ok(case)
}

fn leaves_the_name(attributes: &[Attribute]) -> Result<()> {
    serde_attributes(attributes).try_for_each(|attribute| attribute.parse_nested_meta(|meta| leaves_the_form(&meta)))
}

/// Accepts the serde attributes that a reader can ignore if it takes the default for whatever is missing.
fn leaves_the_form(meta: &ParseNestedMeta<'_>) -> Result<()> {
    if meta.path.is_ident("default") {
        return Ok(());
    }
    if meta.path.is_ident("skip_serializing_if") {
        meta.value()?.parse::<LitStr>()?;
        return Ok(());
    }
    Err(meta.error("`FromJson` does not know this attribute of serde"))
}

fn serde_attributes(attributes: &[Attribute]) -> impl Iterator<Item = &Attribute> {
    attributes.iter().filter(|attribute| attribute.path().is_ident("serde"))
}
