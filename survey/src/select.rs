//! Which functions, types and operators of a crate are annotated, and where.

use crate::classify::Outcome;
use crate::clones::{Declared, derive};
use crate::operands::{may_be_operand, right_of};
use crate::source::{Source, bytes, first_byte, only_in_tests};
use crate::traits::AnnotatedTraits;
use crate::types::{OPERATORS, Scope, Types};
use quote::ToTokens;
use std::ops::Range;
use syn::visit::{self, Visit};
use syn::{FnArg, ImplItem, Item, ReturnType, Type};

/// Something that gets an attribute.
pub struct Unit {
    pub kind: Kind,
    /// Its path in the crate.
    pub path: String,
    pub name: String,
    pub module: usize,
    /// Its bytes in the file of the module, attributes included.
    pub span: Range<usize>,
    pub insertion: Insertion,
    /// The `impl` block around it.
    pub block: Option<usize>,
    /// What is counted has arithmetic of its own; the others are there for their callers.
    pub counted: bool,
    /// Does it mention types of other crates?
    pub foreign: bool,
    /// Is it `const`, for instance, or does it take functions?
    pub traits: Traits,
    pub fields: Vec<FieldPlace>,
    pub signature: Option<Signature>,
}

impl Unit {
    /// Whether it is a method that returns a reference.
    pub fn is_getter(&self) -> bool {
        let output = self.signature.as_ref().map(|signature| &signature.output);
        matches!(output, Some(ReturnType::Type(_, ty)) if matches!(&**ty, Type::Reference(_)))
    }

    /// What it is if it compiles.
    pub fn compiled(&self) -> Outcome {
        match self.traits.takes_functions {
            true => Outcome::InPlace,
            false => Outcome::Compiled,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Function,
    Method,
    /// A method of a trait of the crate, in an `impl` of it, or with the body that the trait gives it.
    OfTrait,
    /// A method of a trait without a body.
    Declared,
    Operator,
    Type,
}

/// Text that is put into a file.
#[derive(Clone, Debug)]
pub struct Insertion {
    pub at: usize,
    pub text: String,
}

#[derive(Clone, Copy, Debug, Default)]
pub struct Traits {
    /// A parameter is a function: the derivatives are those of what calls it.
    pub takes_functions: bool,
}

/// A field of a struct, which may be marked `#[passive]`.
pub struct FieldPlace {
    pub span: Range<usize>,
    pub at: usize,
    pub ty: Type,
}

/// How a function is called.
pub struct Signature {
    pub self_type: Option<Type>,
    pub generics: Vec<syn::GenericParam>,
    pub inputs: Vec<FnArg>,
    pub output: ReturnType,
    pub scope: Scope,
}

/// An `impl` block with annotated methods.
pub struct Block {
    pub module: usize,
    pub insertion: Insertion,
    /// Its bytes up to the opening brace, attributes left out.
    pub head: Range<usize>,
    /// The trait that it is, or that it is of.
    pub of_trait: Option<String>,
}

/// Everything that is chosen, and how much is not.
pub struct Selection {
    pub units: Vec<Unit>,
    pub blocks: Vec<Block>,
    pub not_taken: NotTaken,
}

/// Functions with floats that are left as they are.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct NotTaken {
    /// Functions of traits and of their `impl` blocks that are not annotated.
    pub of_traits: usize,
    /// `unsafe`, `async` and `extern` functions.
    pub of_other_kinds: usize,
    /// Functions that take floats and return none, or the other way round.
    pub without_derivative: usize,
}

const FLOAT_METHODS: [&str; 40] = [
    "abs",
    "sqrt",
    "cbrt",
    "powi",
    "powf",
    "pow",
    "exp",
    "exp2",
    "exp_m1",
    "ln",
    "ln_1p",
    "log",
    "log10",
    "log2",
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "atan2",
    "sin_cos",
    "sinh",
    "cosh",
    "tanh",
    "asinh",
    "acosh",
    "atanh",
    "hypot",
    "recip",
    "mul_add",
    "max",
    "min",
    "clamp",
    "signum",
    "copysign",
    "to_radians",
    "to_degrees",
    "rem_euclid",
    "sum",
];

impl Selection {
    pub fn of(source: &Source, types: &Types) -> Self {
        let mut selection =
            Self { units: Vec::new(), blocks: Vec::new(), not_taken: NotTaken::default() };
        let traits = AnnotatedTraits::of(source, types);
        for (module, content) in source.modules.iter().enumerate() {
            for item in &content.items {
                selection.item(source, types, &traits, module, item);
            }
        }
        selection
    }

    fn item(
        &mut self,
        source: &Source,
        types: &Types,
        traits: &AnnotatedTraits,
        module: usize,
        item: &Item,
    ) {
        let place = Place { source, types, module };
        match item {
            Item::Fn(function) if !only_in_tests(&function.attrs) => {
                let bare = syn::ItemFn { attrs: Vec::new(), ..function.clone() };
                let found = Found {
                    signature: &function.sig,
                    body: &function.block,
                    span: bytes(function),
                    at: first_byte(&bare),
                };
                self.function(&place, &found, None);
            }
            Item::Impl(block) if !only_in_tests(&block.attrs) => self.block(&place, traits, block),
            Item::Struct(item) if !only_in_tests(&item.attrs) => {
                let bare = syn::ItemStruct { attrs: Vec::new(), ..item.clone() };
                let declared = Declared {
                    name: &item.ident,
                    generics: &item.generics,
                    attributes: &item.attrs,
                    fields: item.fields.iter().collect(),
                };
                self.derived(&place, &declared, bytes(item), first_byte(&bare));
            }
            Item::Enum(item) if !only_in_tests(&item.attrs) => {
                let bare = syn::ItemEnum { attrs: Vec::new(), ..item.clone() };
                let declared = Declared {
                    name: &item.ident,
                    generics: &item.generics,
                    attributes: &item.attrs,
                    fields: item.variants.iter().flat_map(|variant| &variant.fields).collect(),
                };
                self.derived(&place, &declared, bytes(item), first_byte(&bare));
            }
            Item::Trait(item) => self.of_trait(&place, traits, item),
            _ => {}
        }
    }

    fn derived(&mut self, place: &Place, item: &Declared<'_>, span: Range<usize>, at: usize) {
        let fields: Vec<FieldPlace> =
            item.fields.iter().map(|field| FieldPlace::of(field)).collect();
        // What its parameters are is said where it is used: they may be floats.
        let floats =
            item.generics.type_params().map(|parameter| parameter.ident.to_string()).collect();
        let scope = Scope { floats, self_type: None };
        if !fields.iter().any(|field| place.types.carries(&field.ty, &scope)) {
            return;
        }
        self.units.push(Unit {
            kind: Kind::Type,
            path: place.path(None, item.name),
            name: item.name.to_string(),
            module: place.module,
            span,
            insertion: Insertion { at, text: derive(item, place.source) },
            block: None,
            counted: true,
            foreign: fields
                .iter()
                .any(|field| place.types.mentions_foreign(field.ty.to_token_stream())),
            traits: Traits::default(),
            fields,
            signature: None,
        });
    }

    fn block(&mut self, place: &Place, traits: &AnnotatedTraits, block: &syn::ItemImpl) {
        let bare = syn::ItemImpl { attrs: Vec::new(), ..block.clone() };
        let attribute = "#[::backsweep::adjoint] ".to_string();
        let insertion = Insertion { at: first_byte(&bare), text: attribute };
        if let Some((name, _)) = &block.trait_ {
            self.trait_block(place, traits, block, name, insertion);
            return;
        }
        let id = self.blocks.len();
        let head = insertion.at..block.brace_token.span.open().byte_range().start;
        self.blocks.push(Block { module: place.module, insertion, head, of_trait: None });
        for item in &block.items {
            let ImplItem::Fn(method) = item else { continue };
            if only_in_tests(&method.attrs) {
                continue;
            }
            let bare = syn::ImplItemFn { attrs: Vec::new(), ..method.clone() };
            let found = Found {
                signature: &method.sig,
                body: &method.block,
                span: bytes(method),
                at: first_byte(&bare),
            };
            self.function(place, &found, Some((id, block)));
        }
    }

    /// Operators, indices and conversions of types of the crate are annotated, and traits of the crate.
    fn trait_block(
        &mut self,
        place: &Place,
        traits: &AnnotatedTraits,
        block: &syn::ItemImpl,
        name: &syn::Path,
        insertion: Insertion,
    ) {
        let name_of_trait = name.segments.last().map(|segment| segment.ident.to_string());
        let scope = Scope {
            floats: place.types.float_parameters(&block.generics),
            self_type: Some((*block.self_ty).clone()),
        };
        let of_floats = methods_of(block).any(|signature| {
            let floats = place.types.numbers(signature, Some(&block.generics)).floats;
            place.types.carries(&block.self_ty, &Scope { floats, ..scope.clone() })
        });
        let converts =
            methods_of(block).any(|method| place.floats_of(method, &scope) == (true, true));
        let operator = name_of_trait.filter(|name| match name.as_str() {
            "From" => converts,
            "Index" | "IndexMut" => of_floats,
            name => OPERATORS.contains(&name) && of_floats,
        });
        let right = right_of(name);
        let is_supported = |operator: &str| match operator {
            "From" | "Index" | "IndexMut" => {
                let is_reference = |ty: &Type| matches!(ty, Type::Reference(_));
                !right.is_some_and(is_reference) && !is_reference(&block.self_ty)
            }
            _ => [Some(&*block.self_ty), right].into_iter().flatten().all(may_be_operand),
        };
        if let Some(operator) = operator.filter(|operator| is_supported(operator)) {
            let of = block.self_ty.to_token_stream().to_string().replace(' ', "");
            // What an index finds it does not compute.
            let counted = !operator.starts_with("Index");
            self.units.push(Unit {
                kind: Kind::Operator,
                path: place.path(Some(&of), &syn::Ident::new(&operator, name_span())),
                name: operator,
                module: place.module,
                span: bytes(block),
                insertion,
                block: None,
                counted,
                foreign: place.types.mentions_foreign(block.to_token_stream()),
                traits: Traits::default(),
                fields: Vec::new(),
                signature: None,
            });
            return;
        }
        if let Some(known) = traits.of_path(name) {
            self.implemented(place, known, block, insertion);
            return;
        }
        let methods = block.items.iter().filter(|item| match item {
            ImplItem::Fn(method) => {
                let scope = scope.clone();
                let (takes, gives) = place.floats_of(&method.sig, &scope);
                takes && gives && computes(&method.block)
            }
            _ => false,
        });
        self.not_taken.of_traits += methods.count();
    }

    fn function(&mut self, place: &Place, found: &Found, block: Option<(usize, &syn::ItemImpl)>) {
        let types = place.types;
        let numbers = types.numbers(found.signature, block.map(|(_, block)| &block.generics));
        let self_type = block.map(|(_, block)| (*block.self_ty).clone());
        let scope = Scope { floats: numbers.counted, self_type };
        let is_of_floats = place.floats_of(found.signature, &scope) == (true, true);
        let scope = Scope { floats: numbers.floats, ..scope };
        let (takes, gives) = place.floats_of(found.signature, &scope);
        let computes = computes(found.body) && is_of_floats;
        // What it refers to is read by those that call it.
        let is_getter = takes && block.is_some() && leads_somewhere(found.signature);
        if !(takes && (gives || is_getter)) {
            self.not_taken.without_derivative += usize::from((takes || gives) && computes);
            return;
        }
        let signature = found.signature;
        let plain = signature.asyncness.is_none()
            && signature.abi.is_none()
            && matches!(signature.safety, syn::Safety::Default);
        if !plain {
            self.not_taken.of_other_kinds += usize::from(computes);
            return;
        }
        let self_type = scope.self_type.clone();
        let of = self_type.as_ref().map(|ty| ty.to_token_stream().to_string().replace(' ', ""));
        let mut generics: Vec<_> = signature.generics.params.iter().cloned().collect();
        generics.extend(block.iter().flat_map(|(_, block)| block.generics.params.iter().cloned()));
        let mut mentions = signature.to_token_stream();
        mentions.extend(found.body.to_token_stream());
        mentions.extend(self_type.iter().map(ToTokens::to_token_stream));
        self.units.push(Unit {
            kind: if block.is_some() { Kind::Method } else { Kind::Function },
            path: place.path(of.as_deref(), &signature.ident),
            name: signature.ident.to_string(),
            module: place.module,
            span: found.span.clone(),
            insertion: Insertion {
                at: found.at,
                text: match gives {
                    true => place.attribute(signature, &scope),
                    false => "#[::backsweep::adjoint] ".to_string(),
                },
            },
            block: block.map(|(id, _)| id),
            counted: computes,
            foreign: types.mentions_foreign(mentions),
            traits: Traits { takes_functions: types.takes_functions(signature) },
            fields: Vec::new(),
            signature: Some(Signature {
                self_type,
                generics,
                inputs: signature.inputs.iter().cloned().collect(),
                output: signature.output.clone(),
                scope,
            }),
        });
    }
}

fn name_span() -> proc_macro2::Span {
    proc_macro2::Span::call_site()
}

impl FieldPlace {
    fn of(field: &syn::Field) -> Self {
        let bare = syn::Field { attrs: Vec::new(), ..field.clone() };
        Self { span: bytes(field), at: first_byte(&bare), ty: field.ty.clone() }
    }
}

/// Where an item stands.
pub(crate) struct Place<'p> {
    pub(crate) source: &'p Source,
    pub(crate) types: &'p Types,
    pub(crate) module: usize,
}

/// A function as it is found.
struct Found<'f> {
    signature: &'f syn::Signature,
    body: &'f syn::Block,
    span: Range<usize>,
    at: usize,
}

impl Place<'_> {
    pub(crate) fn path(&self, of: Option<&str>, name: &syn::Ident) -> String {
        let module = self.source.modules[self.module].path.iter().map(String::as_str);
        let name = name.to_string();
        module.chain(of).chain([name.as_str()]).collect::<Vec<_>>().join("::")
    }

    /// Does a function take floats, and does it give some?
    fn floats_of(&self, signature: &syn::Signature, scope: &Scope) -> (bool, bool) {
        let of_self = scope.self_type.as_ref().is_some_and(|ty| self.types.carries(ty, scope));
        let (mut takes, mut gives) = (false, false);
        for input in &signature.inputs {
            match input {
                FnArg::Receiver(receiver) => {
                    takes |= of_self;
                    let text = receiver.to_token_stream().to_string();
                    gives |= of_self && text.starts_with('&') && text.contains("mut");
                }
                FnArg::Typed(input) if self.types.carries(&input.ty, scope) => {
                    takes = true;
                    gives |= is_exclusive(&input.ty);
                }
                FnArg::Typed(_) => {}
            }
        }
        if let ReturnType::Type(_, ty) = &signature.output {
            gives |= self.types.carries(ty, scope);
        }
        (takes, gives)
    }

    /// Parameters of types of the crate that hold floats have to be named, and all others with them; as dependents, too, where they are changed.
    pub(crate) fn attribute(&self, signature: &syn::Signature, scope: &Scope) -> String {
        let plain = "#[::backsweep::adjoint] ".to_string();
        let mut independents = Vec::new();
        let mut dependents = Vec::new();
        let mut needed = false;
        if let ReturnType::Type(_, ty) = &signature.output
            && self.types.carries(ty, scope)
        {
            dependents.push("return".to_string());
        }
        for input in &signature.inputs {
            let (name, changed) = match input {
                FnArg::Receiver(receiver) => {
                    let text = receiver.to_token_stream().to_string();
                    ("self".to_string(), text.starts_with('&') && text.contains("mut"))
                }
                FnArg::Typed(input) if self.types.carries(&input.ty, scope) => {
                    needed |= self.types.mentions_own(&input.ty, scope);
                    let syn::Pat::Ident(name) = &*input.pat else { return plain };
                    (name.ident.to_string(), is_exclusive(&input.ty))
                }
                FnArg::Typed(_) => continue,
            };
            if changed {
                dependents.push(name.clone());
            }
            independents.push(name);
        }
        if !needed {
            return plain;
        }
        format!(
            "#[::backsweep::adjoint(independents({}), dependents({}))] ",
            independents.join(", "),
            dependents.join(", ")
        )
    }
}

/// Whether a method is one that refers to something in what it is called on.
fn leads_somewhere(signature: &syn::Signature) -> bool {
    let is_shared = matches!(signature.inputs.first(), Some(FnArg::Receiver(receiver))
        if matches!(&receiver.kind, syn::ReceiverKind::Reference(_, _, None)));
    is_shared
        && signature.inputs.len() == 1
        && matches!(&signature.output, ReturnType::Type(_, ty) if matches!(&**ty, Type::Reference(_)))
}

pub(crate) fn is_exclusive(ty: &Type) -> bool {
    matches!(ty, Type::Reference(reference) if reference.mutability.is_some())
}

/// Is there arithmetic in it?
pub(crate) fn computes(body: &syn::Block) -> bool {
    struct Arithmetic(bool);
    impl<'a> Visit<'a> for Arithmetic {
        fn visit_bin_op(&mut self, op: &'a syn::BinOp) {
            use syn::BinOp as Op;
            self.0 |= matches!(
                op,
                Op::Add(_)
                    | Op::Sub(_)
                    | Op::Mul(_)
                    | Op::Div(_)
                    | Op::Rem(_)
                    | Op::AddAssign(_)
                    | Op::SubAssign(_)
                    | Op::MulAssign(_)
                    | Op::DivAssign(_)
                    | Op::RemAssign(_)
            );
        }
        fn visit_expr_unary(&mut self, unary: &'a syn::ExprUnary) {
            let of_literal = matches!(&*unary.expr, syn::Expr::Lit(_));
            self.0 |= matches!(unary.op, syn::UnOp::Neg(_)) && !of_literal;
            visit::visit_expr_unary(self, unary);
        }
        fn visit_expr_method_call(&mut self, call: &'a syn::ExprMethodCall) {
            self.0 |= FLOAT_METHODS.contains(&call.method.to_string().as_str());
            visit::visit_expr_method_call(self, call);
        }
        fn visit_item(&mut self, _: &'a Item) {}
    }
    let mut arithmetic = Arithmetic(false);
    arithmetic.visit_block(body);
    arithmetic.0
}

fn methods_of(block: &syn::ItemImpl) -> impl Iterator<Item = &syn::Signature> {
    block.items.iter().filter_map(|item| match item {
        ImplItem::Fn(method) => Some(&method.sig),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn selected(text: &str) -> Vec<(Kind, String, bool, String)> {
        let source = Source::of_text(text);
        let types = Types::of(&source, &HashSet::new(), &HashSet::new());
        let units = Selection::of(&source, &types).units;
        units
            .into_iter()
            .map(|unit| {
                (unit.kind, unit.path, unit.counted, unit.insertion.text.trim().to_string())
            })
            .collect()
    }

    #[test]
    fn functions_with_floats_on_both_sides() {
        let found = selected(
            "pub fn f(x: f64) -> f64 { x * x } fn helper(x: &[f32]) -> f32 { x[0] } fn size(x: f64) -> usize { x as usize }
             mod inner { fn update(x: &mut [f64]) { x[0] += 1.0; } } #[cfg(test)] fn t(x: f64) -> f64 { x * x }
             unsafe fn u(x: f64) -> f64 { x * x }",
        );
        let names: Vec<(&str, bool)> = found.iter().map(|unit| (unit.1.as_str(), unit.2)).collect();
        assert_eq!(names, [("f", true), ("helper", false), ("inner::update", true)]);
    }

    #[test]
    fn types_methods_and_operators() {
        let found = selected(
            "struct P { x: f64 } impl P { fn scaled(&self, k: f64, p: P) -> P { P { x: self.x * k } } fn n(&self) -> usize { 2 } }
             impl Add for P { type Output = P; fn add(self, p: P) -> P { P { x: self.x + p.x } } }
             impl<'a> Mul<&'a P> for &P { type Output = f64; fn mul(self, p: &P) -> f64 { self.x * p.x } }
             impl Sub for &mut P { type Output = P; fn sub(self, p: Self) -> P { P { x: self.x - p.x } } }
             impl Shape for P { fn area(&self) -> f64 { self.x * self.x } }",
        );
        let kinds: Vec<(Kind, &str)> = found.iter().map(|unit| (unit.0, unit.1.as_str())).collect();
        assert_eq!(
            kinds,
            [
                (Kind::Type, "P"),
                (Kind::Method, "P::scaled"),
                (Kind::Operator, "P::Add"),
                (Kind::Operator, "&P::Mul"),
            ]
        );
        assert_eq!(
            found[1].3,
            "#[::backsweep::adjoint(independents(self, k, p), dependents(return))]"
        );
    }
}
