//! What the types of a crate hold: floats, and values of other crates.

use crate::source::{Source, only_in_tests};
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use syn::{GenericArgument, GenericParam, Item, PathArguments, Type, TypeParamBound};

/// The names by which the macro knows that a type parameter stands for `f64` or `f32`.
const FLOAT_TRAITS: [&str; 6] =
    ["Float", "FloatCore", "Real", "RealField", "FloatNumber", "RealNumber"];

/// Traits of operators that floats have.
pub const OPERATORS: [&str; 11] = [
    "Add",
    "Sub",
    "Mul",
    "Div",
    "Rem",
    "Neg",
    "AddAssign",
    "SubAssign",
    "MulAssign",
    "DivAssign",
    "RemAssign",
];

/// Traits of numbers. By these and by operators the macro takes a type parameter for a float where the signature names none.
const NUMBERS: [&str; 5] = ["Num", "NumOps", "Signed", "Zero", "One"];

/// Traits that say no more than that a value is data.
const OF_DATA: [&str; 9] =
    ["Copy", "Clone", "Debug", "Display", "Default", "PartialEq", "PartialOrd", "Send", "Sync"];

/// Types of the standard library that hold what their arguments say.
const HOLDERS: [&str; 9] =
    ["Vec", "Option", "Box", "Rc", "Arc", "Cow", "VecDeque", "Result", "Wrapping"];

/// Parts of the names of those types of other crates that hold floats without saying so.
const FLOAT_LIKE: [&str; 14] = [
    "Vec", "Mat", "Quat", "Complex", "Affine", "Point", "Isometry", "Rot", "Pose", "Array", "Aabb",
    "Real", "Inertia", "Vector",
];

pub struct Types {
    own: HashMap<String, Vec<Definition>>,
    float_traits: HashSet<String>,
    /// Names of types that are imported from other crates, and of those that hold such.
    foreign: HashSet<String>,
    /// Whether types of the crate hold floats, by which of their arguments do.
    known: RefCell<HashMap<(String, Vec<bool>), bool>>,
}

/// A struct, an enum or an alias of the crate.
struct Definition {
    parameters: Vec<String>,
    parts: Vec<Type>,
    /// All names that the definition mentions: types of other crates are found among them.
    mentions: HashSet<String>,
}

/// Which names stand for floats, and what `Self` is, where a type is written.
#[derive(Clone, Default)]
pub struct Scope {
    pub floats: HashSet<String>,
    pub self_type: Option<Type>,
}

/// The type parameters that stand for floats.
pub struct Numbers {
    /// Those that their bounds call numbers.
    pub counted: HashSet<String>,
    /// Those, and the ones of which nothing is said but that they are data: constructors have such.
    pub floats: HashSet<String>,
}

impl Types {
    pub fn of(source: &Source, dependencies: &HashSet<String>, exported: &HashSet<String>) -> Self {
        let mut own: HashMap<String, Vec<Definition>> = HashMap::new();
        let mut supertraits: Vec<(String, HashSet<String>)> = Vec::new();
        let mut foreign = HashSet::new();
        for item in source.modules.iter().flat_map(|module| &module.items) {
            match item {
                Item::Struct(item) if !only_in_tests(&item.attrs) => {
                    let parts = item.fields.iter().map(|field| field.ty.clone()).collect();
                    let definition = Definition::new(&item.generics, parts);
                    own.entry(item.ident.to_string()).or_default().push(definition);
                }
                Item::Enum(item) if !only_in_tests(&item.attrs) => {
                    let fields = item.variants.iter().flat_map(|variant| &variant.fields);
                    let parts = fields.map(|field| field.ty.clone()).collect();
                    let definition = Definition::new(&item.generics, parts);
                    own.entry(item.ident.to_string()).or_default().push(definition);
                }
                Item::Type(item) => {
                    let definition = Definition::new(&item.generics, vec![(*item.ty).clone()]);
                    own.entry(item.ident.to_string()).or_default().push(definition);
                }
                Item::Trait(item) => {
                    let bounds = item.supertraits.iter().filter_map(bound_name).collect();
                    supertraits.push((item.ident.to_string(), bounds));
                }
                Item::Use(item) => imports(&item.tree, None, dependencies, exported, &mut foreign),
                _ => {}
            }
        }
        foreign.retain(|name| !own.contains_key(name));
        add_holders(&own, &mut foreign);
        Self { own, float_traits: float_traits(&supertraits), foreign, known: RefCell::default() }
    }

    /// Which of these generic parameters stand for floats?
    pub fn float_parameters(&self, generics: &syn::Generics) -> HashSet<String> {
        let is_float =
            |bounds: &[String]| bounds.iter().any(|bound| self.float_traits.contains(bound));
        parameters(generics).filter(|(_, bounds)| is_float(bounds)).map(|(name, _)| name).collect()
    }

    /// Which of the generic parameters of a function, and of the block around it, stand for floats? Where there are no others, those with
    /// arithmetic do, too.
    pub fn numbers(&self, signature: &syn::Signature, around: Option<&syn::Generics>) -> Numbers {
        let all: Vec<&syn::Generics> = [&signature.generics].into_iter().chain(around).collect();
        let floats = all.iter().flat_map(|generics| self.float_parameters(generics));
        let floats: HashSet<String> = floats.collect();
        let mut tokens = signature.to_token_stream();
        tokens.extend(around.map(ToTokens::to_token_stream));
        let named = identifiers(tokens);
        if !floats.is_empty() || ["f64", "f32"].iter().any(|float| named.contains(*float)) {
            return Numbers { counted: floats.clone(), floats };
        }
        let mut bounds: HashMap<String, Vec<String>> = HashMap::new();
        for (name, more) in all.iter().flat_map(|generics| parameters(generics)) {
            bounds.entry(name).or_default().extend(more);
        }
        let names = |is_meant: &dyn Fn(&[String]) -> bool| -> HashSet<String> {
            let meant = bounds.iter().filter(|(_, bounds)| is_meant(bounds));
            meant.map(|(name, _)| name.clone()).collect()
        };
        let is_of = |traits: &[&str], bound: &String| traits.iter().any(|name| name == bound);
        let is_arithmetic = |bound: &String| is_of(&OPERATORS, bound) || is_of(&NUMBERS, bound);
        let counted = names(&|bounds| bounds.iter().any(is_arithmetic));
        let mut floats = names(&|bounds| bounds.iter().all(|bound| is_of(&OF_DATA, bound)));
        floats.extend(counted.iter().cloned());
        Numbers { counted, floats }
    }

    /// Is one of the parameters a function, by its type, its bounds, or an alias?
    pub fn takes_functions(&self, signature: &syn::Signature) -> bool {
        let is_function =
            |text: &str| ["Fn (", "FnMut (", "FnOnce (", "fn ("].iter().any(|of| text.contains(of));
        let is_alias = |name: &String| {
            let definitions = self.own.get(name).into_iter().flatten();
            definitions.flat_map(|definition| &definition.parts).any(|part| {
                matches!(part, Type::FnPtr(_) | Type::TraitObject(_))
                    && is_function(&part.to_token_stream().to_string())
            })
        };
        let inputs = signature.inputs.to_token_stream();
        let generics = &signature.generics;
        let bounds = [generics.params.to_token_stream(), generics.where_clause.to_token_stream()];
        let mut texts = [inputs.clone()].into_iter().chain(bounds).map(|tokens| tokens.to_string());
        texts.any(|text| is_function(&text)) || identifiers(inputs).iter().any(is_alias)
    }

    /// Does a value of this type hold floats?
    pub fn carries(&self, ty: &Type, scope: &Scope) -> bool {
        self.carries_within(ty, scope, 12)
    }

    fn carries_within(&self, ty: &Type, scope: &Scope, depth: usize) -> bool {
        if depth == 0 {
            return false;
        }
        match ty {
            Type::Array(array) => self.carries_within(&array.elem, scope, depth),
            Type::Slice(slice) => self.carries_within(&slice.elem, scope, depth),
            Type::Reference(reference) => self.carries_within(&reference.elem, scope, depth),
            Type::Paren(paren) => self.carries_within(&paren.elem, scope, depth),
            Type::Group(group) => self.carries_within(&group.elem, scope, depth),
            Type::Tuple(tuple) => {
                tuple.elems.iter().any(|part| self.carries_within(part, scope, depth))
            }
            Type::Path(path) if path.qself.is_none() => self.path_carries(path, scope, depth),
            _ => false,
        }
    }

    fn path_carries(&self, path: &syn::TypePath, scope: &Scope, depth: usize) -> bool {
        let Some(last) = path.path.segments.last() else { return false };
        let name = last.ident.to_string();
        let arguments = type_arguments(&last.arguments);
        let carried = |ty: &Type| self.carries_within(ty, scope, depth);
        match name.as_str() {
            "f64" | "f32" => true,
            "Self" if path.path.segments.len() == 1 => match &scope.self_type {
                Some(Type::Path(inner)) if inner.path.is_ident("Self") => false,
                Some(ty) => self.carries_within(ty, scope, depth - 1),
                None => false,
            },
            "Result" => arguments.first().is_some_and(carried),
            _ if path.path.segments.len() == 1 && scope.floats.contains(&name) => true,
            _ if HOLDERS.contains(&name.as_str()) => arguments.iter().any(carried),
            _ => match self.own.get(&name) {
                Some(definitions) => {
                    let floats = arguments.iter().map(carried).collect();
                    self.own_carries((name, floats), definitions, depth)
                }
                None => {
                    self.foreign.contains(&name)
                        && (arguments.iter().any(carried)
                            || FLOAT_LIKE.iter().any(|part| name.contains(part)))
                }
            },
        }
    }

    /// Does a type of the crate hold floats, of which these arguments are or hold floats?
    fn own_carries(
        &self,
        of: (String, Vec<bool>),
        definitions: &[Definition],
        depth: usize,
    ) -> bool {
        if let Some(known) = self.known.borrow().get(&of) {
            return *known;
        }
        // Where it is found in itself it holds nothing more.
        self.known.borrow_mut().insert(of.clone(), false);
        let carries = definitions.iter().any(|definition| {
            let floats = definition.parameters.iter().zip(&of.1).filter(|(_, float)| **float);
            let floats = floats.map(|(name, _)| name.clone()).collect();
            let inner = Scope { floats, self_type: None };
            definition.parts.iter().any(|ty| self.carries_within(ty, &inner, depth - 1))
        });
        self.known.borrow_mut().insert(of, carries);
        carries
    }

    /// Is a type of the crate itself that holds floats mentioned, an alias of a float among them?
    pub fn mentions_own(&self, ty: &Type, scope: &Scope) -> bool {
        self.carries(ty, scope)
            && identifiers(ty.to_token_stream())
                .iter()
                .any(|name| name == "Self" || self.own.contains_key(name))
    }

    /// Do these tokens mention a type of another crate, or a type of this one that holds such?
    pub fn mentions_foreign(&self, tokens: TokenStream) -> bool {
        identifiers(tokens).iter().any(|name| self.foreign.contains(name))
    }
}

/// Adds the types that hold types of other crates.
fn add_holders(own: &HashMap<String, Vec<Definition>>, foreign: &mut HashSet<String>) {
    loop {
        let holds = |definitions: &[Definition]| {
            let mut mentions = definitions.iter().flat_map(|definition| &definition.mentions);
            mentions.any(|name| foreign.contains(name))
        };
        let holders = own.iter().filter(|(_, definitions)| holds(definitions));
        let holders: Vec<String> = holders.map(|(name, _)| name.clone()).collect();
        let before = foreign.len();
        foreign.extend(holders);
        if foreign.len() == before {
            return;
        }
    }
}

impl Definition {
    fn new(generics: &syn::Generics, parts: Vec<Type>) -> Self {
        let parameters = generics.type_params().map(|parameter| parameter.ident.to_string());
        let mentions = parts.iter().flat_map(|ty| identifiers(ty.to_token_stream())).collect();
        Self { parameters: parameters.collect(), parts, mentions }
    }
}

/// The traits that say that a type is a float: those that the macro knows, and those of the crate of which they are supertraits.
fn float_traits(supertraits: &[(String, HashSet<String>)]) -> HashSet<String> {
    let mut traits: HashSet<String> = FLOAT_TRAITS.iter().map(ToString::to_string).collect();
    loop {
        let before = traits.len();
        for (name, bounds) in supertraits {
            if bounds.iter().any(|bound| traits.contains(bound)) {
                traits.insert(name.clone());
            }
        }
        if traits.len() == before {
            return traits;
        }
    }
}

/// Type parameters and the names of their bounds, one by one.
fn parameters(generics: &syn::Generics) -> impl Iterator<Item = (String, Vec<String>)> + '_ {
    let own = generics.params.iter().filter_map(|parameter| match parameter {
        GenericParam::Type(parameter) => {
            let bounds = parameter.bounds.iter().filter_map(bound_name).collect();
            Some((parameter.ident.to_string(), bounds))
        }
        _ => None,
    });
    let clauses = generics.where_clause.iter().flat_map(|clause| &clause.predicates);
    own.chain(clauses.filter_map(|predicate| match predicate {
        syn::WherePredicate::Type(predicate) => {
            let Type::Path(path) = &predicate.bounded_ty else { return None };
            let name = path.path.get_ident()?.to_string();
            Some((name, predicate.bounds.iter().filter_map(bound_name).collect()))
        }
        _ => None,
    }))
}

fn bound_name(bound: &TypeParamBound) -> Option<String> {
    match bound {
        TypeParamBound::Trait(bound) => {
            bound.path.segments.last().map(|segment| segment.ident.to_string())
        }
        _ => None,
    }
}

fn type_arguments(arguments: &PathArguments) -> Vec<Type> {
    match arguments {
        PathArguments::AngleBracketed(list) => list
            .args
            .iter()
            .filter_map(|argument| match argument {
                GenericArgument::Type(ty) => Some(ty.clone()),
                _ => None,
            })
            .collect(),
        _ => Vec::new(),
    }
}

/// All identifiers in a piece of code.
pub fn identifiers(tokens: TokenStream) -> HashSet<String> {
    let mut found = HashSet::new();
    let mut waiting = vec![tokens];
    while let Some(tokens) = waiting.pop() {
        for token in tokens {
            match token {
                TokenTree::Ident(name) => {
                    found.insert(name.to_string());
                }
                TokenTree::Group(group) => waiting.push(group.stream()),
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
        }
    }
    found
}

/// Adds the types that a `use` brings from other crates.
fn imports(
    tree: &syn::UseTree,
    from: Option<&str>,
    dependencies: &HashSet<String>,
    exported: &HashSet<String>,
    found: &mut HashSet<String>,
) {
    let foreign = from.is_some_and(|root| dependencies.contains(root));
    match tree {
        syn::UseTree::Path(path) => {
            let root = path.ident.to_string();
            imports(&path.tree, Some(from.unwrap_or(&root)), dependencies, exported, found);
        }
        syn::UseTree::Group(group) => {
            for tree in &group.items {
                imports(tree, from, dependencies, exported, found);
            }
        }
        syn::UseTree::Name(name) if foreign && exported.contains(&name.ident.to_string()) => {
            found.insert(name.ident.to_string());
        }
        syn::UseTree::Rename(name) if foreign && exported.contains(&name.ident.to_string()) => {
            found.insert(name.rename.to_string());
        }
        syn::UseTree::Glob(_) if foreign => found.extend(exported.iter().cloned()),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use syn::parse_quote;

    fn sample() -> Types {
        let source = Source::of_text(
            "use nalgebra::Vector3; pub struct P { a: Q, n: usize } struct Q(f64); struct G<T>(T); type Real = f64;
             enum E { A(f32), B } struct N { n: usize } struct V { at: Vector3<f64> } trait Scalar: Float {}",
        );
        let dependencies = HashSet::from(["nalgebra".to_string()]);
        let exported = HashSet::from(["Vector3".to_string(), "DMatrix".to_string()]);
        Types::of(&source, &dependencies, &exported)
    }

    #[test]
    fn types_that_hold_floats() {
        let types = sample();
        let carries = |ty: Type| types.carries(&ty, &Scope::default());
        assert!(carries(parse_quote!(&mut [f64])));
        assert!(carries(parse_quote!((usize, Option<P>))));
        assert!(carries(parse_quote!(G<f32>)));
        assert!(carries(parse_quote!(Real)));
        assert!(carries(parse_quote!(E)));
        assert!(carries(parse_quote!(Vector3<f64>)));
        assert!(!carries(parse_quote!(N)));
        assert!(!carries(parse_quote!(G<usize>)));
        assert!(!carries(parse_quote!(impl Fn(f64) -> f64)));
        assert!(!carries(parse_quote!(Result<usize, f64>)));
    }

    #[test]
    fn parameters_that_stand_for_floats() {
        let types = sample();
        let function: syn::ItemFn = parse_quote!(
            fn f<S: Scalar, T, U: Copy>(s: S)
            where
                T: num_traits::Float,
            {
            }
        );
        let floats = types.float_parameters(&function.sig.generics);
        assert_eq!(floats, HashSet::from(["S".to_string(), "T".to_string()]));
    }

    #[test]
    fn types_of_other_crates_are_found_in_structs_too() {
        let types = sample();
        assert!(types.mentions_foreign(parse_quote!(fn f(v: &V) -> f64)));
        assert!(!types.mentions_foreign(parse_quote!(fn f(v: &P) -> f64)));
    }
}
