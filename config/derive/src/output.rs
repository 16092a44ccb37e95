//! The code generated from a declaration.

use proc_macro2::TokenStream;
use quote::quote;
use syn::LitInt;

use crate::declaration::{Declaration, DeclaredField, OldKey, UnknownKeys, ValueSource};

/// The implementations for a block.
pub fn implementation(declaration: &Declaration) -> TokenStream {
    let Declaration { ident, about, title, name, .. } = declaration;
    let others = match &declaration.others {
        UnknownKeys::Refused => quote!(UnknownKeys::Refused),
        UnknownKeys::Allowed => quote!(UnknownKeys::Allowed),
        UnknownKeys::Prefixed(prefix) => quote!(UnknownKeys::Prefixed(#prefix)),
    };
    let demands = declaration.demands.clone().unwrap_or_else(|| quote!(&[]));
    let parts = parts(declaration);
    let idents = declaration.fields.iter().map(|field| &field.ident);
    let values = declaration.fields.iter().map(value);
    let finish = declaration.finish.as_ref().map(|finish| quote!((#finish)(&mut block);));
    let needs_something = declaration.fields.iter().any(|field| field.required);
    let unset = if needs_something { quote!(Unset::Nothing) } else { quote!(Unset::Like(Preset::EmptyMapping)) };
    let default = (!declaration.own_default).then(|| {
        quote! {
            impl ::core::default::Default for #ident {
                fn default() -> Self {
                    Block::read(&Cursor::NOTHING)
                }
            }
        }
    });
    quote! {
        const _: () = {
            #[allow(unused_imports)]
            use crate::model::{
                block::{Block, FieldType, count_fields, join_fields},
                cursor::Cursor,
                shape::{FieldSpec, ReadLimit, Need, UnknownKeys, Pattern, Preset, Rule, BlockShape, Unset},
            };

            const PARTS: &[&[FieldSpec]] = &[#parts];
            const FIELDS: [FieldSpec; count_fields(PARTS)] = join_fields(PARTS);
            const SHAPE: BlockShape = BlockShape {
                title: #title,
                name: #name,
                about: #about,
                fields: &FIELDS,
                others: #others,
                demands: #demands,
            };

            impl Block for #ident {
                const SHAPE: &'static BlockShape = &SHAPE;

                fn read(cursor: &Cursor<'_>) -> Self {
                    #[allow(unused_mut)]
                    let mut block = Self { #(#idents: #values,)* };
                    #finish
                    block
                }
            }

            impl FieldType for #ident {
                const RULE: Rule = Rule::Shape(&SHAPE);
                const UNSET: Unset = #unset;

                fn read(cursor: &Cursor<'_>) -> Option<Self> {
                    cursor.mapping().map(|_| Block::read(cursor))
                }
            }

            #default
        };
    }
}

/// The rows of the block as lists to be joined: its own rows, and those of flattened structs.
fn parts(declaration: &Declaration) -> TokenStream {
    let mut parts = TokenStream::new();
    for field in &declaration.fields {
        if field.has_key() {
            let row = row(field);
            parts.extend(quote!(&[#row],));
        } else if field.flatten {
            let ty = field.core();
            parts.extend(quote!(<#ty as Block>::SHAPE.fields,));
        }
    }
    let old = declaration.fields.iter().filter_map(|field| field.old_key.as_ref()).chain(&declaration.old);
    for OldKey { key, about, rule } in old {
        let rule = rule.clone().unwrap_or_else(|| quote!(Rule::Any));
        parts.extend(quote!(&[FieldSpec { need: Need::Legacy, ..FieldSpec::new(#key, #rule, #about) }],));
    }
    parts
}

/// What the schema says about a field.
fn row(field: &DeclaredField) -> TokenStream {
    let DeclaredField { key, about, ty, examples, old_forms, .. } = field;
    let need = match (field.required, field.nullable) {
        (true, _) => quote!(Need::Required),
        (false, true) => quote!(Need::Nullable),
        (false, false) => quote!(Need::Optional),
    };
    let value_type = field.optional().unwrap_or(ty);
    let mut rule = match (&field.rule, &field.range) {
        (Some(rule), _) => rule.clone(),
        (None, Some((min, max))) => quote!(Rule::Number(#min as f64, #max as f64)),
        (None, None) => quote!(<#value_type as FieldType>::RULE),
    };
    if let Some(max) = &field.max {
        rule = quote!((#rule).at_most(#max));
    }
    let unset = if let Some(words) = &field.unset {
        quote!(Unset::Means(#words))
    } else if let Some(preset) = &field.preset {
        quote!(Unset::Like(#preset))
    } else if let Some(default) = &field.default {
        let preset = preset_of(default);
        quote!(Unset::Like(#preset))
    } else if field.optional().is_some() || field.rule.is_some() || field.required {
        quote!(Unset::Nothing)
    } else {
        quote!(<#ty as FieldType>::UNSET)
    };
    let limit = match (&field.limit, &field.max_chars) {
        (Some(limit), _) => limit.clone(),
        (None, Some(max)) => quote!(ReadLimit::Characters(#max)),
        (None, None) => quote!(ReadLimit::None),
    };
    let in_effect = !field.no_effect_yet;
    quote! {
        FieldSpec {
            need: #need,
            unset: #unset,
            limit: #limit,
            examples: &[#(#examples),*],
            old_forms: &[#((#old_forms)),*],
            in_effect: #in_effect,
            ..FieldSpec::new(#key, #rule, #about)
        }
    }
}

/// The preset for a default: a number, true or false, or else a text.
fn preset_of(default: &TokenStream) -> TokenStream {
    if syn::parse2::<LitInt>(default.clone()).is_ok() {
        return quote!(Preset::Number(#default));
    }
    match default.to_string().as_str() {
        "true" | "false" => quote!(Preset::Flag(#default)),
        _ => quote!(Preset::Text(#default)),
    }
}

/// The expression that reads the value of a field from `cursor`, the block.
fn value(field: &DeclaredField) -> TokenStream {
    let DeclaredField { key, ty, .. } = field;
    let at_key = match &field.old_key {
        Some(OldKey { key: old, .. }) => quote!(cursor.first_key([#key, #old])),
        None => quote!(cursor.key(#key)),
    };
    match &field.source {
        ValueSource::Key if field.flatten => quote!(<#ty as Block>::read(cursor)),
        ValueSource::Key => {
            let read = read_value(field);
            quote!((#read)(&#at_key))
        }
        ValueSource::Read(read) => quote!({
            let read: fn(&Cursor<'_>) -> #ty = #read;
            read(&#at_key)
        }),
        ValueSource::ReadEntry(read) | ValueSource::Computed(read) => quote!({
            let read: fn(&Cursor<'_>) -> #ty = #read;
            read(cursor)
        }),
        ValueSource::Elsewhere | ValueSource::Skip => quote!(::core::default::Default::default()),
    }
}

/// A function that turns the cursor of the field's value into the field.
fn read_value(field: &DeclaredField) -> TokenStream {
    let ty = &field.ty;
    let value_type = field.optional().unwrap_or(ty);
    let read = match &field.range {
        Some((min, max)) => {
            quote!(cursor.clamped(#min, #max).and_then(|number| #value_type::try_from(number).ok()))
        }
        None => quote!(<#value_type as FieldType>::read(cursor)),
    };
    let read = match &field.max_chars {
        Some(max) => quote!(#read.map(|text| text.chars().take(#max).collect())),
        None => read,
    };
    let read = match (field.optional(), &field.default) {
        (Some(_), _) => read,
        (None, None) => quote!(#read.unwrap_or_default()),
        (None, Some(default)) => quote!(#read.unwrap_or_else(|| (#default).into())),
    };
    quote!(|cursor: &Cursor<'_>| -> #ty { #read })
}
