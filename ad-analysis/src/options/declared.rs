//! What declarations in the files of the crate say of types, as the macro writes it into the arguments of the attribute.

use super::statements::Statement;
use crate::getters::part_of_getter;
use crate::signatures::Receiver;
use crate::walk::visit_mut::{self, VisitMut};
use proc_macro2::TokenStream;
use quote::ToTokens;
use std::collections::{BTreeMap, BTreeSet};
use syn::parse::{Parser, Result};
use syn::punctuated::Punctuated;
use syn::{Path, Token, Type, TypeFnPtr};

/// What has a type.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Subject {
    /// A field of a type.
    Field(String, String),
    /// What a function of a type returns.
    Result(String, String),
    /// What a getter of a type returns, with the reference.
    Getter(String, String),
    /// The same, of one that runs as often as it is called.
    GetterOnce(String, String),
    /// A list of integers or truth values to which a method of a type returns a reference.
    Lends(String, String),
    /// A query of a type: a pointer to a function that is given and tells the same.
    Query(String, String),
    /// A constant, by its path.
    Constant(String),
    /// What a function returns, by its path.
    Function(String),
    /// What a generic function returns, by its path: the type of the first argument is called `A0` there, that of its elements `E0`.
    Generic(String),
    /// What the operator of a trait makes of values of two types.
    Operator(String, String, String),
    /// A parameter of a function, by its path, behind the receiver.
    Parameter(String, usize),
    /// The same, of one that is a `&`: of what it refers to nothing is said but whether it is a slice.
    Shared(String, usize),
}

/// A subject has a type.
#[derive(Clone)]
pub struct Declaration {
    /// What has the type.
    pub subject: Subject,
    /// The type that it belongs to, or its path.
    pub of: TokenStream,
    /// The type.
    pub ty: Type,
}

impl std::fmt::Debug for Declaration {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}: {}", self.subject, self.ty.to_token_stream())
    }
}

/// What a variant of an enum holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Payloads {
    /// Nothing.
    None,
    /// So many, by their positions.
    Numbered(usize),
    /// The same in an enum with type parameters: code that proves how many would have to say what these are.
    NumberedOfGeneric(usize),
    /// Some with names.
    Named,
}

/// What a type has for another name if a condition holds.
#[derive(Clone, Debug)]
struct ConditionalAlias {
    name: String,
    ty: String,
    condition: TokenStream,
}

/// What is declared.
#[derive(Clone, Debug, Default)]
pub struct Declarations {
    /// Other names of types.
    aliases: BTreeMap<String, String>,
    /// Other names of types that these have under conditions.
    conditional: Vec<ConditionalAlias>,
    known: BTreeMap<Subject, Declaration>,
    /// The variants of enums with derivatives, by the enum and the name.
    variants: BTreeMap<(String, String), Payloads>,
    /// The paths of variants of such enums that are called by their names, since these are imported.
    imported: BTreeMap<String, TokenStream>,
    /// Types that derive `Differentiable`.
    derived: BTreeSet<String>,
    /// Types that neither derive nor implement it.
    bare: BTreeSet<String>,
    /// Types whose values differ in shape by the variants of enums.
    varied: BTreeSet<String>,
    /// The fields that are marked `#[passive]`, and the getters of what belongs to these, by the struct and the name.
    passive: BTreeSet<(String, String)>,
    /// How methods take what they are called on, by the type and the name.
    receivers: BTreeMap<(String, String), Receiver>,
    /// The declarations of types that hold no floats.
    plain: BTreeMap<String, TokenStream>,
    /// The declarations of types of data with floats that have no derivative.
    data: BTreeMap<String, TokenStream>,
}

impl Declarations {
    /// Reads `field Owner, name, Type; result Owner, name, Type; …`.
    pub fn parse(tokens: TokenStream) -> Result<Self> {
        let mut found = Self::default();
        found.read(tokens)?;
        Ok(found)
    }

    /// Adds what is declared besides.
    pub fn read(&mut self, tokens: TokenStream) -> Result<()> {
        let statements = Punctuated::<Statement, Token![;]>::parse_terminated.parse2(tokens)?;
        for statement in statements {
            match statement {
                Statement::Alias(name, ty, None) => {
                    self.aliases.insert(key(&name), key(&ty));
                }
                Statement::Alias(name, ty, Some(condition)) => {
                    let (name, ty) = (key(&name), key(&ty));
                    self.conditional.push(ConditionalAlias { name, ty, condition });
                }
                Statement::Variant(of, name, payloads) => {
                    self.variants.insert((of, name), payloads);
                }
                Statement::Imported(name, path) => {
                    self.imported.insert(name, path.into_token_stream());
                }
                Statement::Derived(of) => {
                    self.derived.insert(of);
                }
                Statement::Bare(of) => {
                    self.bare.insert(of);
                }
                Statement::Varies(of) => {
                    self.varied.insert(of);
                }
                Statement::Passive(of, name) => {
                    self.passive.insert((of, name));
                }
                Statement::Receiver(of, name, receiver) => {
                    self.receivers.insert((of, name), receiver);
                }
                Statement::Plain(of, declaration) => {
                    self.plain.insert(of, declaration);
                }
                Statement::Data(of, declaration) => {
                    self.data.insert(of, declaration);
                }
                Statement::Has(declaration) => {
                    self.known.insert(declaration.subject.clone(), *declaration);
                }
            }
        }
        Ok(())
    }

    /// The conditions that rustc has to decide.
    pub fn conditions(&self) -> impl Iterator<Item = &TokenStream> {
        self.conditional.iter().map(|alias| &alias.condition)
    }

    /// Makes one of what conditions choose from, if one of these is known to hold. What has a type that is not known then is not declared.
    pub fn decide(&mut self, holds: impl Fn(&TokenStream) -> bool) {
        let conditional = std::mem::take(&mut self.conditional);
        let mut held: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for ConditionalAlias { name, ty, condition } in conditional {
            held.entry(name).or_default().extend(holds(&condition).then_some(ty));
        }
        let only = |mut all: Vec<String>| all.pop().filter(|_| all.is_empty());
        let chosen: BTreeMap<String, Option<String>> =
            held.into_iter().map(|(name, all)| (name, only(all))).collect();
        self.known.retain(|_, declared| {
            let mut aliases = Chosen { types: &chosen, is_known: true };
            aliases.visit_type_mut(&mut declared.ty);
            aliases.is_known
        });
        for target in self.aliases.values_mut() {
            if let Some(Some(ty)) = chosen.get(target) {
                target.clone_from(ty);
            }
        }
        self.aliases.extend(chosen.into_iter().filter_map(|(name, ty)| Some((name, ty?))));
    }

    /// Adds another name of a type.
    pub fn add_alias(&mut self, name: &str, ty: &Type) {
        let ty = self.name_of(&ty.to_token_stream().to_string());
        self.aliases.insert(name.to_owned(), ty);
    }

    /// Other names of types, and these.
    pub fn aliases(&self) -> &BTreeMap<String, String> {
        &self.aliases
    }

    /// The name that the declarations have for a type, or for what belongs to one.
    pub fn name_of(&self, spelling: &str) -> String {
        let spelling = key(&spelling);
        if let Some(name) = self.aliases.get(&spelling) {
            return name.clone();
        }
        match spelling.rsplit_once("::").map(|(of, last)| (self.aliases.get(of), last)) {
            Some((Some(name), last)) => format!("{name}::{last}"),
            Some((None, _)) | None => spelling,
        }
    }

    /// The same without arguments: what is known of an enum does not depend on them.
    pub fn generic_name_of(&self, spelling: &str) -> String {
        let name = self.name_of(spelling);
        name.split_once('<').map_or(name.clone(), |(of, _)| self.name_of(of))
    }

    /// What is declared of a subject whose types have the names of the declarations.
    pub fn get(&self, subject: &Subject) -> Option<&Declaration> {
        self.known.get(subject)
    }

    /// What a function of a type returns. Of a type with parameters `Self` is the type with its arguments.
    pub fn result_of(&self, of: &str, name: &str) -> Option<&Declaration> {
        let declared = |of: String| self.known.get(&Subject::Result(of, name.to_owned()));
        declared(self.name_of(of)).or_else(|| declared(self.generic_name_of(of)))
    }

    /// What a variant of an enum with a derivative holds, if there is one of that name.
    pub fn variant(&self, of: &str, name: &str) -> Option<Payloads> {
        self.variants.get(&(self.generic_name_of(of), name.to_owned())).copied()
    }

    /// The path of a variant that is imported by its name.
    pub fn imported_variant(&self, name: &str) -> Option<Path> {
        let path = self.imported.get(name)?;
        syn::parse2(path.clone()).ok()
    }

    /// Whether a type is one of the crate that holds data: it derives `Differentiable`, or the type of one of its fields is known.
    pub fn is_of_data(&self, ty: &str) -> bool {
        if self.derived.contains(ty) {
            return true;
        }
        let first = Subject::Field(ty.to_owned(), String::new());
        let next = self.known.range(first..).next();
        matches!(next, Some((Subject::Field(of, _), _)) if of == ty)
    }

    /// Whether a type derives `Differentiable`.
    pub fn is_derived(&self, ty: &str) -> bool {
        self.derived.contains(&self.name_of(ty))
    }

    /// Whether a type is one of the crate that has no derivative.
    pub fn is_bare(&self, ty: &str) -> bool {
        self.bare.contains(&self.name_of(ty)) || self.bare.contains(&self.generic_name_of(ty))
    }

    /// Whether any variants are known.
    pub fn has_variants(&self) -> bool {
        !self.variants.is_empty()
    }

    /// Whether any type of the crate has a function of that name, as far as is declared.
    pub fn has_method(&self, name: &str) -> bool {
        let has = |subject: &Subject| matches!(subject, Subject::Result(_, known) if known == name);
        self.known.keys().any(has)
    }

    /// The getter of a type, and whether it may run again. Of a type with parameters the arguments are called `A0`, `A1`, … in what it returns.
    pub fn getter(&self, of: &str, name: &str) -> Option<(&Declaration, bool)> {
        let names = [self.name_of(of), self.generic_name_of(of)];
        names.into_iter().find_map(|of| {
            let again = self.known.get(&Subject::Getter(of.clone(), name.to_owned()));
            let once = || self.known.get(&Subject::GetterOnce(of, name.to_owned()));
            again.map(|found| (found, true)).or_else(|| Some((once()?, false)))
        })
    }

    /// Whether any type of the crate has a getter of that name.
    pub fn has_getter(&self, name: &str) -> bool {
        let has = |subject: &Subject| matches!(subject, Subject::Getter(_, known) | Subject::GetterOnce(_, known) if known == name);
        self.known.keys().any(has)
    }

    /// The query of a type: the types of what it is given and of what it tells.
    pub fn query(&self, of: &str, name: &str) -> Option<&TypeFnPtr> {
        let names = [self.name_of(of), self.generic_name_of(of)];
        let declared = names
            .into_iter()
            .find_map(|of| self.known.get(&Subject::Query(of, name.to_owned())))?;
        match &declared.ty {
            Type::FnPtr(types) => Some(types),
            _ => None,
        }
    }

    /// Whether any type of the crate has a query of that name.
    pub fn has_query(&self, name: &str) -> bool {
        self.known
            .keys()
            .any(|subject| matches!(subject, Subject::Query(_, known) if known == name))
    }

    /// Whether values of a type differ in shape by the variants of enums.
    pub fn varies(&self, ty: &str) -> bool {
        self.varied.contains(&self.generic_name_of(ty))
    }

    /// Whether what a getter of a type returns a reference to belongs to fields that are marked `#[passive]`.
    pub fn is_passive_getter(&self, of: &str, name: &str) -> bool {
        self.passive.contains(&(self.generic_name_of(of), part_of_getter(name)))
    }

    /// Whether any type of the crate has such a getter of that name.
    pub fn has_passive_getter(&self, name: &str) -> bool {
        let part = part_of_getter(name);
        self.passive.iter().any(|(_, known)| *known == part)
    }

    /// How a method of a type takes what it is called on, if it takes it by reference.
    pub fn receiver_of(&self, of: &str, name: &str) -> Option<Receiver> {
        self.receivers.get(&(self.generic_name_of(of), name.to_owned())).copied()
    }

    /// Whether any type of the crate has such a method of that name.
    pub fn has_receiver(&self, name: &str) -> bool {
        self.receivers.keys().any(|(_, known)| known == name)
    }

    /// The fields of a struct that are marked `#[passive]`, and the getters of what belongs to these.
    pub fn passive_fields(&self, ty: &str) -> impl Iterator<Item = &str> {
        let ty = self.generic_name_of(ty);
        self.passive.iter().filter(move |(of, _)| *of == ty).map(|(_, name)| name.as_str())
    }

    /// The declaration of a type that holds no floats.
    pub fn plain(&self, ty: &str) -> Option<&TokenStream> {
        self.plain.get(&self.name_of(ty))
    }

    /// The declaration of a type that holds data, and may hold floats, though it has no derivative.
    pub fn data(&self, ty: &str) -> Option<&TokenStream> {
        self.plain(ty).or_else(|| self.data.get(&self.name_of(ty)))
    }

    /// Whether there are conversions to a type, `impl From<…> for Type`.
    pub fn converts_to(&self, ty: &str) -> bool {
        self.conversions().any(|(target, _, _)| target == ty)
    }

    /// What there are conversions to from a type, `impl From<Type> for …`.
    pub fn conversions_from(&self, ty: &str) -> impl Iterator<Item = &Type> {
        let found = self.conversions().filter(move |(_, source, _)| *source == ty);
        found.map(|(_, _, target)| target)
    }

    /// The names of what is converted to and from, and the type of the former.
    fn conversions(&self) -> impl Iterator<Item = (&str, &str, &Type)> {
        self.known.iter().filter_map(|(subject, declared)| match subject {
            Subject::Operator(of_trait, target, source) if of_trait == "From" => {
                Some((target.as_str(), source.as_str(), &declared.ty))
            }
            Subject::Operator(..)
            | Subject::Field(..)
            | Subject::Result(..)
            | Subject::Getter(..)
            | Subject::GetterOnce(..)
            | Subject::Query(..)
            | Subject::Lends(..)
            | Subject::Constant(_)
            | Subject::Function(_)
            | Subject::Generic(_)
            | Subject::Parameter(..)
            | Subject::Shared(..) => None,
        })
    }

    /// The types that there is an index for, and what it finds: `impl Index<…> for Type`.
    pub fn indices_of<'d>(
        &'d self,
        ty: &'d str,
        of_trait: &'d str,
    ) -> impl Iterator<Item = (&'d str, &'d Type)> {
        let generic = self.generic_name_of(ty);
        self.known.iter().filter_map(move |(subject, declared)| match subject {
            Subject::Operator(name, of, index)
                if name == of_trait && (of == ty || *of == generic) =>
            {
                Some((index.as_str(), &declared.ty))
            }
            Subject::Operator(..)
            | Subject::Field(..)
            | Subject::Result(..)
            | Subject::Getter(..)
            | Subject::GetterOnce(..)
            | Subject::Query(..)
            | Subject::Lends(..)
            | Subject::Constant(_)
            | Subject::Function(_)
            | Subject::Generic(_)
            | Subject::Parameter(..)
            | Subject::Shared(..) => None,
        })
    }

    /// The list of integers or truth values that a method of a type lends.
    pub fn lent_by(&self, of: &str, name: &str) -> Option<&Type> {
        let lent = |of: String| self.known.get(&Subject::Lends(of, name.to_owned()));
        let declared = lent(self.name_of(of)).or_else(|| lent(self.generic_name_of(of)))?;
        Some(&declared.ty)
    }

    /// Whether any type has a method of that name that lends such a list.
    pub fn lends_by_name(&self, name: &str) -> bool {
        self.known
            .keys()
            .any(|subject| matches!(subject, Subject::Lends(_, known) if known == name))
    }

    /// Whether anything is known.
    pub fn is_empty(&self) -> bool {
        self.known.is_empty() && self.plain.is_empty()
    }
}

/// Puts what was chosen in the place of aliases.
struct Chosen<'c> {
    types: &'c BTreeMap<String, Option<String>>,
    is_known: bool,
}

impl VisitMut for Chosen<'_> {
    fn visit_type_mut(&mut self, ty: &mut Type) {
        match self.types.get(&key(&ty.to_token_stream())) {
            Some(chosen) => {
                let chosen = chosen.as_ref().and_then(|chosen| syn::parse_str(chosen).ok());
                self.is_known &= chosen.is_some();
                *ty = chosen.unwrap_or_else(|| ty.clone());
            }
            None => visit_mut::visit_type_mut(self, ty),
        }
    }
}

/// The text of tokens without spaces, which depend on where tokens come from.
pub(super) fn key(tokens: &impl ToString) -> String {
    tokens.to_string().replace(char::is_whitespace, "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_of_what_conditions_choose_from_is_declared() {
        let text = "alias Real, f64, if (a); alias Real, f32, if (b); alias math::Real, Real;
            field Point, x, Real; field Point, n, usize;";
        let decided = |conditions: &[&str]| {
            let mut found = Declarations::parse(text.parse().unwrap()).unwrap();
            found.decide(|condition| conditions.contains(&condition.to_string().as_str()));
            let field = |name: &str| Subject::Field("Point".to_owned(), name.to_owned());
            let ty = |name| found.get(&field(name)).map(|found| key(&found.ty.to_token_stream()));
            (found.name_of("math::Real"), ty("x"), ty("n"))
        };
        let usize = Some("usize".to_owned());
        let of = |ty: &str| (ty.to_owned(), Some(ty.to_owned()), usize.clone());
        assert_eq!(decided(&["a"]), of("f64"));
        assert_eq!(decided(&["b"]), of("f32"));
        let unknown = ("Real".to_owned(), None, usize.clone());
        assert_eq!((decided(&[]), decided(&["a", "b"])), (unknown.clone(), unknown));
    }

    #[test]
    fn receivers_are_told_of_types_with_and_without_arguments() {
        let text =
            "alias Self, Filter; receiver Filter, update, &mut Self; receiver Filter, peek, &Self;";
        let found = Declarations::parse(text.parse().unwrap()).unwrap();
        assert_eq!(found.receiver_of("Filter < f64 >", "update"), Some(Receiver::Exclusive));
        assert_eq!(found.receiver_of("Self", "peek"), Some(Receiver::Shared));
        assert_eq!(found.receiver_of("Filter", "other"), None);
        assert!(found.has_receiver("peek") && !found.has_receiver("other"));
    }

    #[test]
    fn declarations_are_found_by_the_names_of_types() {
        let text =
            "alias Self, crate::a::Point; field crate::a::Point, x, f64; field Pair, 0, [Point; 3];
            constant crate::a::Point::ZERO, Point; operator Add, Point, f64, (Point, u8);";
        let found = Declarations::parse(text.parse().unwrap()).unwrap();
        let ty = |subject| found.get(&subject).map(|found| key(&found.ty.to_token_stream()));
        let field = |of: &str, name: &str| Subject::Field(found.name_of(of), name.to_owned());
        assert_eq!(ty(field("Self", "x")), Some("f64".to_owned()));
        assert_eq!(ty(field("crate :: a :: Point", "x")), Some("f64".to_owned()));
        assert_eq!(ty(field("Pair", "0")), Some("[Point;3]".to_owned()));
        assert_eq!(ty(field("Point", "x")), None);
        let zero = Subject::Constant(found.name_of("Self :: ZERO"));
        assert_eq!(ty(zero), Some("Point".to_owned()));
        let sum = Subject::Operator("Add".to_owned(), "Point".to_owned(), "f64".to_owned());
        assert_eq!(ty(sum), Some("(Point,u8)".to_owned()));
    }
}
