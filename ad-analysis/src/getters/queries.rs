//! Queries: methods that compute integers and truth values of numbers in what they are called on, and do nothing else.
//!
//! ```text
//! fn offset(&self, i: usize, j: usize) -> usize { i * self.columns + j }
//! ```
//!
//! Such a method has no derivative, and may run again: what it tells need not be stored.

use super::repeatable::{is_discrete_name, is_number_type, makes_of_numbers, reads_numbers};
use super::stripped;
use crate::walk::visit::{self, Visit};
use proc_macro2::Ident;
use quote::ToTokens;
use std::collections::BTreeSet;
use syn::{Expr, FnArg, GenericParam, ImplItemFn, Member, Pat, ReceiverKind, ReturnType, Type};

/// A method that computes integers or truth values.
#[derive(Clone)]
pub struct Query {
    /// The function.
    pub function: ImplItemFn,
    /// The types of what it is given.
    pub given: Vec<Type>,
    /// The type of what it tells.
    pub told: Type,
    uses: BTreeSet<(String, FieldUse)>,
}

/// What a query does with a field of its receiver.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum FieldUse {
    /// It computes with the number.
    Number,
    /// It takes the number out of a tuple.
    Part,
    /// It takes the number out of a list.
    Element,
    /// It asks for the length of a list.
    Length,
}

impl Query {
    /// The query that a method is, if it is one.
    pub fn of(function: &ImplItemFn) -> Option<Self> {
        let signature = &function.sig;
        let receiver = signature.receiver()?;
        let is_shared = matches!(&receiver.kind, ReceiverKind::Reference(_, _, None));
        let are_lifetimes = |params: &syn::Generics| {
            params.params.iter().all(|param| matches!(param, GenericParam::Lifetime(_)))
        };
        let ReturnType::Type(_, told) = &signature.output else { return None };
        if !is_shared || !are_lifetimes(&signature.generics) || !may_be_told(told) {
            return None;
        }
        let given = signature.inputs.iter().skip(1).map(|input| match input {
            FnArg::Typed(param) => {
                let is_name = matches!(&*param.pat, Pat::Ident(name) if name.by_ref.is_none());
                (is_name && is_number_type(&param.ty)).then(|| (*param.ty).clone())
            }
            FnArg::Receiver(_) => None,
        });
        let given = given.collect::<Option<Vec<Type>>>()?;
        let Uses { uses, lists, is_whole: _ } = uses_of_fields(&function.block)?;
        let is_query = reads_numbers(&function.block, lists);
        let told = (**told).clone();
        is_query.then(|| Self { function: function.clone(), given, told, uses })
    }

    /// Whether the fields of its receiver are what it takes them for, by their types.
    pub fn fits(&self, type_of: impl Fn(&Member) -> Option<Type>) -> bool {
        self.uses.iter().all(|(field, used)| {
            let Some(ty) = syn::parse_str(field).ok().and_then(|field| type_of(&field)) else {
                return false;
            };
            match used {
                FieldUse::Number => is_number_type(&ty),
                FieldUse::Part => {
                    matches!(&ty, Type::Tuple(parts) if parts.elems.iter().all(is_number_type))
                }
                FieldUse::Element => {
                    element_of_list(&ty).is_some_and(|element| element.is_none_or(is_number_type))
                }
                FieldUse::Length => element_of_list(&ty).is_some(),
            }
        })
    }
}

/// A function of a type that makes a value of integers, and does nothing else: `fn zeros(n: usize) -> Self { Self { n, data: vec![0.0; n] } }`.
#[derive(Clone)]
pub struct Maker {
    /// The function.
    pub function: ImplItemFn,
    /// The types of what it is given.
    pub given: Vec<Type>,
}

impl Maker {
    /// The maker that a function of a type is, if it is one.
    pub fn of(function: &ImplItemFn) -> Option<Self> {
        let signature = &function.sig;
        let is_lifetime = |param: &GenericParam| matches!(param, GenericParam::Lifetime(_));
        let ReturnType::Type(_, made) = &signature.output else { return None };
        let is_own =
            matches!(&**made, Type::Path(path) if path.qself.is_none()) && !is_number_type(made);
        if signature.receiver().is_some()
            || !signature.generics.params.iter().all(is_lifetime)
            || !is_own
        {
            return None;
        }
        let given = signature.inputs.iter().map(|input| match input {
            FnArg::Typed(param) => {
                let is_name = matches!(&*param.pat, Pat::Ident(name) if name.by_ref.is_none());
                (is_name && is_discrete(&param.ty)).then(|| (*param.ty).clone())
            }
            FnArg::Receiver(_) => None,
        });
        let given = given.collect::<Option<Vec<Type>>>()?;
        makes_of_numbers(&function.block).then(|| Self { function: function.clone(), given })
    }
}

/// The name of the method that stands beside a query, and tells the same.
pub fn told_by(query: &Ident) -> Ident {
    let name = query.to_string();
    Ident::new(&format!("__told_by_{}", name.trim_start_matches("r#")), query.span())
}

/// Whether a type is one of integers and truth values: of one, of a tuple of them, of a range.
fn may_be_told(ty: &Type) -> bool {
    match ty {
        Type::Tuple(parts) => !parts.elems.is_empty() && parts.elems.iter().all(is_discrete),
        ty => is_discrete(ty) || range_of(ty).is_some(),
    }
}

/// The integers of a range that excludes its end.
pub fn range_of(ty: &Type) -> Option<&Type> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last().filter(|last| last.ident == "Range")?;
    let syn::PathArguments::AngleBracketed(args) = &last.arguments else { return None };
    match args.args.first()? {
        syn::GenericArgument::Type(ty) if is_discrete(ty) => Some(ty),
        _ => None,
    }
}

fn is_discrete(ty: &Type) -> bool {
    let Type::Path(path) = ty else { return false };
    path.qself.is_none()
        && path.path.get_ident().is_some_and(|name| is_discrete_name(&name.to_string()))
}

/// The type of the elements of a list of the standard library, by its name.
fn element_of_list(ty: &Type) -> Option<Option<&Type>> {
    match ty {
        Type::Array(array) => Some(Some(&array.elem)),
        Type::Slice(slice) => Some(Some(&slice.elem)),
        Type::Reference(reference) => match &*reference.elem {
            Type::Slice(slice) => Some(Some(&slice.elem)),
            _ => None,
        },
        Type::Path(path) if path.qself.is_none() => {
            let last = path.path.segments.last()?;
            let syn::PathArguments::AngleBracketed(args) = &last.arguments else { return None };
            let element = match args.args.first() {
                Some(syn::GenericArgument::Type(element)) if args.args.len() == 1 => element,
                _ => return None,
            };
            (last.ident == "Vec").then_some(Some(element))
        }
        _ => None,
    }
}

/// What is done with the fields of the receiver; nothing if the receiver is used in another way.
fn uses_of_fields(body: &syn::Block) -> Option<Uses> {
    let mut found = Uses::default();
    found.visit_block(body);
    (!found.is_whole).then_some(found)
}

#[derive(Default)]
struct Uses {
    uses: BTreeSet<(String, FieldUse)>,
    /// Those that are asked for their lengths, as they are written.
    lists: BTreeSet<String>,
    /// Whether the receiver is used as a whole.
    is_whole: bool,
}

impl Uses {
    fn note(&mut self, place: &Expr, used: FieldUse) -> bool {
        let Expr::Field(field) = stripped(place) else { return false };
        let is_own =
            matches!(stripped(&field.base), Expr::Path(path) if path.path.is_ident("self"));
        if is_own {
            self.uses.insert((field.member.to_token_stream().to_string(), used));
        }
        is_own
    }
}

impl<'ast> Visit<'ast> for Uses {
    fn visit_expr(&mut self, expr: &'ast Expr) {
        let is_noted = match expr {
            Expr::Index(index) if self.note(&index.expr, FieldUse::Element) => {
                self.visit_expr(&index.index);
                true
            }
            Expr::MethodCall(call) if call.method == "len" => {
                self.lists.insert(call.receiver.to_token_stream().to_string());
                self.note(&call.receiver, FieldUse::Length)
            }
            Expr::Field(part) if matches!(part.member, Member::Unnamed(_)) => {
                self.note(&part.base, FieldUse::Part) || self.note(expr, FieldUse::Number)
            }
            Expr::Field(_) => self.note(expr, FieldUse::Number),
            Expr::Path(path) if path.path.is_ident("self") => {
                self.is_whole = true;
                true
            }
            _ => false,
        };
        if !is_noted {
            visit::visit_expr(self, expr);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn query(text: &str) -> Option<Query> {
        Query::of(&syn::parse_str(text).expect("a method"))
    }

    #[test]
    fn what_makes_a_value_of_integers_is_a_maker() {
        let maker = |text: &str| Maker::of(&syn::parse_str(text).expect("a function"));
        for text in [
            "fn zeros(n: usize, m: usize) -> Self { Self { n, data: vec![0.0; n * m] } }",
            "fn new() -> Matrix { let rows = [[0.0; 3]; 3]; Matrix(rows) }",
            "fn of(n: usize) -> Self { assert!(n > 0); Self { n: n - 1, lists: vec![vec![1.0], vec![]] } }",
        ] {
            assert!(maker(text).is_some(), "{text}");
        }
        for text in [
            "fn scaled(x: f64) -> Self { Self { x } }",
            "fn drawn(n: usize) -> Self { Self { x: random(n) } }",
            "fn like(&self) -> Self { Self { x: 0.0 } }",
            "fn count(n: usize) -> usize { n }",
            "fn copied(n: usize) -> Self { Self { n, ..Self::zeros(n) } }",
        ] {
            assert!(maker(text).is_none(), "{text}");
        }
    }

    #[test]
    fn what_computes_with_numbers_is_a_query() {
        let types = |field: &Member| {
            let text = match field.to_token_stream().to_string().as_str() {
                "columns" => "usize",
                "shape" => "(usize, usize)",
                "strides" => "[usize; 3]",
                "data" => "Vec<f64>",
                "order" => "Order",
                _ => return None,
            };
            Some(syn::parse_str(text).expect("a type"))
        };
        for text in [
            "fn offset(&self, i: usize, j: usize) -> usize { i * self.columns + j }",
            "fn rows(&self) -> usize { self.data.len() / self.columns }",
            "fn at(&self, i: usize) -> usize { let k = i * self.shape.1; k + self.strides[0] }",
            "fn is_square(&self) -> bool { self.shape.0 == self.shape.1 }",
            "fn bin(&self, x: f64) -> usize { ((x / 0.5).floor() as usize).min(self.data.len() - 1) }",
            "fn columns(&self, i: usize) -> Range<usize> { i.saturating_sub(self.columns)..i + 1 }",
            "fn dim(&self) -> (usize, usize) { (self.columns, self.data.len() / self.columns) }",
            "fn clamped(&self, i: usize) -> usize { i.saturating_sub(1).min(self.columns - 1) }",
        ] {
            assert!(query(text).expect(text).fits(types), "{text}");
        }
        for text in [
            "fn first(&self) -> usize { self.order + 1 }",
            "fn at(&self, i: usize) -> usize { self.order[i] }",
            "fn unknown(&self) -> usize { self.other }",
        ] {
            assert!(!query(text).expect(text).fits(types), "{text}");
        }
        for text in [
            "fn width(&self) -> f64 { self.width }",
            "fn next(&mut self) -> usize { self.columns }",
            "fn other(&self) -> usize { self.offset(1, 2) }",
            "fn printed(&self) -> usize { println!(); self.columns }",
            "fn of(&self, i: Index) -> usize { i + self.columns }",
            "fn any<T>(&self) -> usize { self.columns }",
        ] {
            assert!(query(text).is_none(), "{text}");
        }
    }
}
