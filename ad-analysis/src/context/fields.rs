//! The types of the fields of structs that are declared in the module of an item. Generated code proves what is used of them.

use super::names::Names;
use super::scan::{Item, Kind};
use syn::{Fields, ItemStruct, Type};

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

/// A field, and the name of its type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Field {
    pub name: String,
    pub ty: String,
}

impl Names {
    /// The fields of a struct of the module whose types have plain names of their own, as those of types of the user's.
    pub fn fields(&self, of: &str) -> Vec<Field> {
        if !self.is_in_module() {
            return Vec::new();
        }
        let items = self.own.items_called(of).filter(|item| item.kind == Kind::Other);
        let items: Vec<&Item> = items.collect();
        let [item] = items.as_slice() else { return Vec::new() };
        let parsed = syn::parse_str::<ItemStruct>(self.own.text_of(item));
        parsed.map(|parsed| fields_of(&parsed)).unwrap_or_default()
    }
}

fn fields_of(item: &ItemStruct) -> Vec<Field> {
    let is_harmless = |attribute: &syn::Attribute| {
        HARMLESS.iter().any(|harmless| attribute.path().is_ident(harmless))
    };
    let Fields::Named(fields) = &item.fields else { return Vec::new() };
    if !item.generics.params.is_empty() || !item.attrs.iter().all(is_harmless) {
        return Vec::new();
    }
    let with_names = fields.named.iter().filter_map(|field| {
        let Type::Path(path) = &field.ty else { return None };
        let ty = path.path.get_ident().filter(|_| path.qself.is_none())?.to_string();
        let is_conditional = field.attrs.iter().any(|attribute| attribute.path().is_ident("cfg"));
        let name = field.ident.as_ref()?.to_string();
        (ty.starts_with(char::is_uppercase) && !is_conditional).then_some(Field { name, ty })
    });
    with_names.collect()
}

#[cfg(test)]
mod tests {
    use super::{Field, fields_of};

    fn fields(text: &str) -> Vec<(String, String)> {
        let item = syn::parse_str(text).expect("a struct");
        fields_of(&item).into_iter().map(|Field { name, ty }| (name, ty)).collect()
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
