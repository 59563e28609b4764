//! What declarations of types of the crate say as a whole. Enums and structs of integers, truth values, texts, and lists and collections of
//! these hold no floats: generated code takes a value apart, and so proves that nothing else is in it. Types may have lifetimes that are written nowhere.

use super::meaning::{Found, Meaning, Unknown};
use super::names::{Names, Scope};
use super::resolve::Wanted;
use super::scan::Kind;
use super::spelling::{At, Speller, is_plain as is_of_type};
use super::written::Written;
use quote::ToTokens;
use std::collections::BTreeSet;
use syn::{
    Attribute, Expr, Field, Fields, GenericArgument, Item, ItemEnum, ItemStruct, Path,
    PathArguments, Type, TypeArray, TypeReference, Variant, Visibility,
};

const PLAIN: [&str; 14] = [
    "bool", "char", "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128",
    "isize",
];

const FLOATS: [&str; 2] = ["f64", "f32"];

/// Types of the standard library that own data, and where they stand.
const OWNERS: [(&str, &str); 10] = [
    ("String", "string"),
    ("Vec", "vec"),
    ("Option", "option"),
    ("Box", "boxed"),
    ("HashMap", "collections"),
    ("HashSet", "collections"),
    ("BTreeMap", "collections"),
    ("BTreeSet", "collections"),
    ("VecDeque", "collections"),
    ("BinaryHeap", "collections"),
];

/// Those that are imported.
const OF_COLLECTIONS: [&str; 6] =
    ["HashMap", "HashSet", "BTreeMap", "BTreeSet", "VecDeque", "BinaryHeap"];

/// What is declared of the variants of an enum that are mentioned: those that hold nothing are constants, and those that hold something by
/// its position functions.
pub(super) fn plain_variants(
    owner: &str,
    declaration: &str,
    words: &BTreeSet<String>,
) -> Vec<String> {
    let Ok(item) = syn::parse_str::<ItemEnum>(declaration) else { return Vec::new() };
    let mentioned = item.variants.iter().filter(|one| words.contains(&one.ident.to_string()));
    let told = mentioned.filter_map(|Variant { ident, fields, .. }| match fields {
        Fields::Unit => Some(format!("constant {owner}::{ident}")),
        Fields::Unnamed(_) => Some(format!("result {owner}, {ident}")),
        Fields::Named(_) => None,
    });
    told.collect()
}

impl Speller<'_> {
    /// The declaration of a type of the crate, if there is nothing but data of the language, of the standard library and of such types in its
    /// values, and if all of its fields are seen in the module of the item. The types of fields are spelled as that module may spell them.
    pub(super) fn declaration_of_data(&mut self, found: &Found) -> Option<Declaration> {
        let mut taken_apart = TakenApart { speller: self, types: Vec::new(), has_floats: false };
        let text = taken_apart.declaration(found)?;
        let TakenApart { types, has_floats, .. } = taken_apart;
        Some(Declaration { text, types, has_floats })
    }
}

/// The declaration of a type of data.
pub(super) struct Declaration {
    pub(super) text: String,
    /// The types of the crate in it, and in theirs.
    pub(super) types: Vec<String>,
    /// Whether there are floats in its values.
    pub(super) has_floats: bool,
}

/// Takes declarations apart as far as there are types of the crate in them.
struct TakenApart<'s, 'a> {
    speller: &'s mut Speller<'a>,
    /// The types that have been met: they may hold themselves, in a `Box`.
    types: Vec<String>,
    has_floats: bool,
}

impl TakenApart<'_, '_> {
    fn declaration(&mut self, found: &Found) -> Option<String> {
        // What has a derivative has a bar, if an empty one. There are no references to fields that are packed.
        let is_special = |what| found.attributes().contains(what);
        if found.item.kind != Kind::Other
            || ["Differentiable", "packed"].into_iter().any(is_special)
        {
            return None;
        }
        let scope = &found.scope;
        match syn::parse_str(found.text()).ok()? {
            Item::Enum(mut item)
                if item.generics.params.is_empty() && !item.variants.is_empty() =>
            {
                for Variant { attrs, fields, .. } in &mut item.variants {
                    are_harmless(attrs).then_some(())?;
                    attrs.clear();
                    self.spell(fields, scope)?;
                }
                Some(item.into_token_stream().to_string())
            }
            Item::Struct(mut item) if item.generics.params.is_empty() => {
                let is_hidden = |field: &Field| matches!(field.vis, Visibility::Inherited);
                let is_own = scope.place() == self.speller.own.place();
                (is_own || !item.fields.iter().any(is_hidden)).then_some(())?;
                self.spell(&mut item.fields, scope)?;
                Some(item.into_token_stream().to_string())
            }
            _ => None,
        }
    }

    fn spell(&mut self, fields: &mut Fields, scope: &Scope) -> Option<()> {
        for field in fields {
            are_harmless(&field.attrs).then_some(())?;
            field.attrs.clear();
            field.ty = syn::parse_str(&self.spelled(&field.ty, scope)?).ok()?;
        }
        Some(())
    }

    /// A type of data: those of the standard library by their paths.
    fn spelled(&mut self, ty: &Type, scope: &Scope) -> Option<String> {
        match ty {
            Type::Path(path) if path.qself.is_none() => self.spelled_path(&path.path, scope),
            Type::Tuple(tuple) => {
                let parts = tuple.elems.iter().map(|part| Some(self.spelled(part, scope)? + ", "));
                Some(format!("({})", parts.collect::<Option<String>>()?))
            }
            Type::Array(TypeArray { elem, len: len @ Expr::Lit(_), .. }) => {
                Some(format!("[{}; {}]", self.spelled(elem, scope)?, len.to_token_stream()))
            }
            Type::Reference(TypeReference {
                lifetime: Some(lifetime),
                mutability: None,
                elem,
                ..
            }) if lifetime.ident == "static" && elem.to_token_stream().to_string() == "str" => {
                Some("&'static str".to_owned())
            }
            _ => None,
        }
    }

    fn spelled_path(&mut self, path: &Path, scope: &Scope) -> Option<String> {
        let names: Vec<String> =
            path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        if let [name] = names.as_slice()
            && (PLAIN.contains(&name.as_str()) || FLOATS.contains(&name.as_str()))
        {
            self.has_floats |= FLOATS.contains(&name.as_str());
            return Some(name.clone());
        }
        let last = path.segments.last()?;
        let args = match &last.arguments {
            PathArguments::None => Vec::new(),
            PathArguments::AngleBracketed(args) => {
                let args = args.args.iter().map(|arg| match arg {
                    GenericArgument::Type(ty) => self.spelled(ty, scope),
                    _ => None,
                });
                args.collect::<Option<Vec<String>>>()?
            }
            PathArguments::Parenthesized(_) => return None,
        };
        if let Some(module) = module_of_library(&names, scope) {
            let name = format!("::std::{module}::{}", last.ident);
            return Some(match args.is_empty() {
                true => name,
                false => format!("{name}<{}>", args.join(", ")),
            });
        }
        args.is_empty().then_some(())?;
        self.of_crate(names, scope)
    }

    /// A type of the crate, if it is one of data.
    fn of_crate(&mut self, names: Vec<String>, scope: &Scope) -> Option<String> {
        let definitions = self.speller.definitions(scope, &names, Wanted::Type)?;
        if definitions.is_empty() || !definitions.iter().all(is_of_type) {
            return None;
        }
        let spelled = self.speller.spelled(&Written::Path(names), At::module(scope))?;
        if !self.types.contains(&spelled) {
            self.types.push(spelled.clone());
            for definition in definitions.iter() {
                self.declaration(definition)?;
            }
        }
        Some(spelled)
    }
}

/// Where a type of the standard library stands that owns data, if a path of a module leads to it.
fn module_of_library(path: &[String], scope: &Scope) -> Option<&'static str> {
    let name = path.last()?;
    let (_, module) = OWNERS.iter().find(|(known, _)| name == known)?;
    let is_meant = match scope.meaning(path, Wanted::Type) {
        Ok(Meaning::Foreign(found)) => found == ["std", module, name],
        // All modules have it by its name.
        Err(Unknown::Absent) => path.len() == 1 && !OF_COLLECTIONS.contains(&name.as_str()),
        Ok(Meaning::Item(_)) | Err(Unknown::Unclear) => false,
    };
    is_meant.then_some(module)
}

impl Names {
    /// Whether a type of the crate derives `Differentiable`.
    pub fn derives(&self, name: &str) -> bool {
        match self.meaning(&[name.to_owned()]) {
            Ok(Meaning::Item(found)) => {
                let mut derives = found.attributes().split("derive").skip(1);
                found.item.kind == Kind::Other
                    && derives.any(|list| {
                        list.split(')').next().is_some_and(|list| list.contains("Differentiable"))
                    })
            }
            Ok(_) | Err(_) => false,
        }
    }

    /// How many lifetimes a type of the crate has.
    pub fn lifetimes_of(&self, name: &str) -> usize {
        let Ok(Meaning::Item(found)) = self.meaning(&[name.to_owned()]) else { return 0 };
        let generics = match syn::parse_str::<ItemStruct>(found.text()) {
            Ok(item) => item.generics,
            Err(_) => match syn::parse_str::<ItemEnum>(found.text()) {
                Ok(item) => item.generics,
                Err(_) => return 0,
            },
        };
        generics.lifetimes().count()
    }
}

impl Found {
    /// The attributes in front of it.
    pub(super) fn attributes(&self) -> &str {
        let whole = self.scope.text_of(&self.item);
        &whole[..whole.len() - self.text().len()]
    }
}

/// The declaration of a type as `plain Name, { enum Name { … } };`, without its attributes, if it is there for sure and nothing but plain data is in it.
pub fn plain_item(item: &Item) -> Option<String> {
    let (name, attributes, declaration) = match item {
        Item::Enum(item) if is_plain_enum(item) => {
            let bare = ItemEnum { attrs: Vec::new(), ..item.clone() };
            (&item.ident, &item.attrs, bare.into_token_stream())
        }
        Item::Struct(item) if is_plain_struct(item) => {
            let bare = ItemStruct { attrs: Vec::new(), ..item.clone() };
            (&item.ident, &item.attrs, bare.into_token_stream())
        }
        _ => return None,
    };
    let is_there = attributes.iter().all(|attribute| {
        let is_conditional = ["cfg", "cfg_attr"].iter().any(|name| attribute.path().is_ident(name));
        let has_bar = attribute.meta.to_token_stream().to_string().contains("Differentiable");
        !is_conditional && !has_bar
    });
    is_there.then(|| format!("plain {name}, {{ {declaration} }};"))
}

fn is_plain_enum(item: &ItemEnum) -> bool {
    let mut variants = item.variants.iter();
    item.generics.params.is_empty()
        && !item.variants.is_empty()
        && variants.clone().all(|variant| are_harmless(&variant.attrs))
        && variants.all(|variant| variant.fields.iter().all(is_plain))
}

fn is_plain_struct(item: &ItemStruct) -> bool {
    item.generics.params.is_empty() && item.fields.iter().all(is_plain)
}

fn are_harmless(attributes: &[Attribute]) -> bool {
    let harmless = ["doc", "default"];
    attributes.iter().all(|attribute| harmless.iter().any(|name| attribute.path().is_ident(name)))
}

fn is_plain(field: &Field) -> bool {
    let Type::Path(path) = &field.ty else { return false };
    are_harmless(&field.attrs)
        && path.qself.is_none()
        && PLAIN.iter().any(|plain| path.path.is_ident(plain))
}
