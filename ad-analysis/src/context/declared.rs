//! The types of fields and of what methods return, of types that are declared in the module of an item. Generated code proves what is
//! used of them.

use super::names::{Names, Scope};
use super::scan::{Item, Kind};
use super::source::Source;
use std::collections::BTreeSet;
use std::ops::Range;
use syn::{Fields, ImplItemFn, ItemImpl, ItemStruct, ReturnType, Type};

/// Attributes that leave the fields of a struct as they are.
const HARMLESS: [&str; 10] = [
    "allow",
    "cfg_attr",
    "deny",
    "derive",
    "doc",
    "expect",
    "must_use",
    "non_exhaustive",
    "repr",
    "warn",
];

/// A field and the name of its type, or a function and that of what it returns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Declared {
    /// The field or function.
    pub name: String,
    /// The type.
    pub ty: String,
}

impl Names {
    /// The fields of a struct of the module whose types have plain names of their own, as those of types of the user's.
    pub fn fields(&self, of: &str) -> Vec<Declared> {
        let items = self.own.items_called(of).filter(|item| item.kind == Kind::Other);
        let items: Vec<&Item> = items.collect();
        let [item] = items.as_slice() else { return Vec::new() };
        let parsed = syn::parse_str::<ItemStruct>(self.own.text_of(item));
        parsed.map(|parsed| fields_of(&parsed)).unwrap_or_default()
    }

    /// What functions of a type return that stand in `impl` blocks of the module, where that is a float or a plain name of a
    /// type of the user's.
    pub fn results(&self, of: &str, functions: &BTreeSet<String>) -> Vec<Declared> {
        let mut results = Vec::new();
        for (source, body) in self.own.impl_blocks(of) {
            for item in source.items(body).iter().filter(|item| item.kind == Kind::Fn) {
                let name = &source.text[item.name.clone()];
                if functions.contains(name)
                    && let Some(ty) = result_of(&source.text, item, of)
                {
                    results.push(Declared { name: name.to_owned(), ty });
                }
            }
        }
        let is_unique = |result: &Declared| {
            results.iter().filter(|other| other.name == result.name).count() == 1
        };
        results.iter().filter(|result| is_unique(result)).cloned().collect()
    }
}

impl Scope {
    /// The `impl` blocks of a type without parameters that are for no trait: the file, and what is between their braces.
    fn impl_blocks(&self, of: &str) -> impl Iterator<Item = (&Source, Range<usize>)> {
        let blocks = self.items_of_kind(Kind::Impl);
        blocks.filter_map(move |(source, item)| {
            let body = item.body.clone()?;
            let head = &source.text[item.keyword..body.start - 1];
            // A syntax tree of each block would cost too much.
            if !head.contains(of) || head.contains(" for ") || is_conditional(&source.text, item) {
                return None;
            }
            let block = syn::parse_str::<ItemImpl>(&format!("{head} {{}}")).ok()?;
            let is_plain = block.trait_.is_none() && block.generics.params.is_empty();
            (is_plain && plain_name(&block.self_ty).is_some_and(|name| name == of))
                .then_some((source, body))
        })
    }
}

fn is_conditional(text: &str, item: &Item) -> bool {
    item.attributes.iter().any(|attribute| text[attribute.clone()].trim_start().starts_with("cfg"))
}

/// The name of the type of what a function returns, if it is a plain one.
fn result_of(text: &str, function: &Item, own: &str) -> Option<String> {
    let qualifiers = &text[function.whole.start..function.keyword];
    if is_conditional(text, function) || qualifiers.ends_with("async ") {
        return None;
    }
    let body = function.body.clone()?;
    let head = format!("fn {} {{}}", &text[function.name.start..body.start - 1]);
    let function = syn::parse_str::<ImplItemFn>(&head).ok()?;
    let ReturnType::Type(_, ty) = &function.sig.output else { return None };
    let name = plain_name(ty).or_else(|| float_name(ty))?;
    if !function.sig.generics.params.is_empty() {
        return None;
    }
    Some(if name == "Self" { own.to_owned() } else { name })
}

fn float_name(ty: &Type) -> Option<String> {
    let Type::Path(path) = ty else { return None };
    let name = path.path.get_ident().filter(|_| path.qself.is_none())?.to_string();
    matches!(name.as_str(), "f64" | "f32").then_some(name)
}

/// The name of a type, if it is one of the user's without a path and without arguments.
fn plain_name(ty: &Type) -> Option<String> {
    let Type::Path(path) = ty else { return None };
    let name = path.path.get_ident().filter(|_| path.qself.is_none())?.to_string();
    name.starts_with(char::is_uppercase).then_some(name)
}

fn fields_of(item: &ItemStruct) -> Vec<Declared> {
    let is_harmless = |attribute: &syn::Attribute| {
        HARMLESS.iter().any(|harmless| attribute.path().is_ident(harmless))
    };
    let Fields::Named(fields) = &item.fields else { return Vec::new() };
    if !item.generics.params.is_empty() || !item.attrs.iter().all(is_harmless) {
        return Vec::new();
    }
    let with_names = fields.named.iter().filter_map(|field| {
        let ty = plain_name(&field.ty)?;
        let is_conditional = field.attrs.iter().any(|attribute| attribute.path().is_ident("cfg"));
        let name = field.ident.as_ref()?.to_string();
        (!is_conditional).then_some(Declared { name, ty })
    });
    with_names.collect()
}

#[cfg(test)]
mod tests {
    use super::{Declared, fields_of};

    fn fields(text: &str) -> Vec<(String, String)> {
        let item = syn::parse_str(text).expect("a struct");
        fields_of(&item).into_iter().map(|Declared { name, ty }| (name, ty)).collect()
    }

    #[test]
    fn only_plain_names_are_told() {
        let text = "#[derive(Clone)] pub struct Body { pub at: Point, mass: f64, all: Vec<Point>, #[cfg(test)] b: Point }";
        assert_eq!(fields(text), [("at".to_owned(), "Point".to_owned())]);
        assert_eq!(fields("struct Pair(Point, Point);"), []);
        assert_eq!(fields("struct Body<T> { at: Point, other: T }"), []);
        assert_eq!(fields("#[rewritten] struct Body { at: Point }"), []);
    }
}
