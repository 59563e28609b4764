//! How numbers get the types that only rustc knows: see [`numbers`](crate::numbers).

use super::body::Emitter;
use super::located;
use super::types::known;
use super::witness::Shown;
use crate::index::{BitSet, Var};
use crate::ir::{BinaryOp, Binding, Ending, Expr, ExprKind, Op, Opaque, Range, UnaryOp};
use crate::numbers::{Example, Told, Use, comes_from_variable, is_value};
use crate::types::{FloatKind, IntKind, Number, Type};
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{format_ident, quote};

/// The type of an integer that nothing tells.
const FALLBACK: &str = "i32";

impl Emitter<'_> {
    /// A value of a type, in code that is never run, where the type is known but for what numbers in it are, or has a name.
    pub(super) fn example(&self, ty: &Type) -> Option<TokenStream> {
        let rt = &self.rt;
        if let Some(known) = known(ty) {
            return Some(match ty {
                Type::Slice(_) => quote!((*#rt::never::<&#known>())),
                _ => quote!(#rt::never::<#known>()),
            });
        }
        Some(match ty {
            Type::Int(IntKind::Open(number)) => self.example_of_number(*number, quote!(0)),
            Type::Float(FloatKind::Open(number)) => self.example_of_number(*number, quote!(0.0)),
            Type::Array(element, len) => {
                let (element, len) = (self.example(element)?, len.parse::<TokenStream>().ok()?);
                quote!(::core::array::from_fn::<_, { #len }, _>(|_| #element))
            }
            Type::Vec(element) => {
                let element = self.example(element)?;
                quote!(::std::vec![#element])
            }
            Type::Slice(element) => {
                let element = self.example(element)?;
                quote!((*#rt::lent(::std::vec![#element]))[..])
            }
            Type::Tuple(fields) => {
                let fields: Vec<TokenStream> =
                    fields.iter().map(|field| self.example(field)).collect::<Option<_>>()?;
                quote!((#(#fields,)*))
            }
            // There are references to texts only.
            Type::Named(name) if **name == *"str" => quote!(#rt::never::<&str>()),
            Type::Named(name) => {
                let name = located(closed_name(name).filter(|name| self.is_written(name))?);
                quote!(#rt::never::<#name>())
            }
            Type::Float(_) | Type::Int(_) | Type::Bool | Type::Unknown | Type::Infer(_) => {
                return None;
            }
        })
    }

    /// Whether the user has written a type as it is: a struct literal has no generic arguments.
    fn is_written(&self, name: &TokenStream) -> bool {
        let interface = self.product.interface;
        let params = interface.params.iter().map(|param| &param.pointee);
        let declared = self.primal.vars.iter().filter_map(|variable| variable.declared.as_ref());
        let mut written = params.chain(&interface.output).chain(declared);
        let name: Vec<String> = name.clone().into_iter().map(|token| token.to_string()).collect();
        written.any(|ty| occurs(ty.clone(), &name))
    }

    fn example_of_number(&self, number: Number, literal: TokenStream) -> TokenStream {
        // The value that tells the type may be made of the number itself.
        if self.shown_numbers.borrow().contains(&number) {
            return literal;
        }
        match self.numbers.get(number) {
            None => literal,
            Some(Told::By(example)) => {
                self.shown_numbers.borrow_mut().push(number);
                let tokens = match example {
                    Example::Value(value) => self.told_apart(|shown| self.witness_of(value, shown)),
                    Example::Result(call) => {
                        self.told_apart(|shown| self.witness_of_call(call, shown))
                    }
                };
                self.shown_numbers.borrow_mut().pop();
                tokens
            }
            Some(Told::ByUses(_)) if !self.names_numbers => literal,
            Some(Told::ByUses(_)) => {
                let name = name_of(number);
                self.typed_numbers.borrow_mut().insert(number, literal.to_string());
                quote!(#name)
            }
        }
    }

    /// A literal where a type is shown: of the type of the number that it is, if that has a name.
    pub(super) fn shown_literal(&self, text: &str, ty: &Type) -> TokenStream {
        match ty {
            Type::Int(IntKind::Open(number)) | Type::Float(FloatKind::Open(number))
                if matches!(self.numbers.get(*number), Some(Told::ByUses(_))) =>
            {
                self.example_of_number(*number, text.parse().expect("literals are tokens"))
            }
            _ => text.parse().expect("literals are tokens"),
        }
    }

    /// The value that a variable gets, of the type that the whole function gives the numbers in it.
    pub(super) fn typed(&self, var: Var, value: &Expr, tokens: TokenStream) -> TokenStream {
        let variable = &self.body.vars[var];
        let is_typed = variable.assumed
            || !is_value(self.primal, var, &value.ty)
            || comes_from_variable(value)
            || !self.is_untold_here(&value.ty);
        if is_typed { tokens } else { self.of_type(&value.ty, tokens) }
    }

    /// The start of a range, of the type that the whole function gives it.
    pub(super) fn typed_start(&self, range: &Range, ty: &Type, tokens: TokenStream) -> TokenStream {
        let ends = [&range.start, &range.end];
        // What has told the type in the function may not be in this sweep.
        if let Type::Int(IntKind::Named(name)) = ty
            && ends.into_iter().all(is_bare_number)
            && *name != FALLBACK
        {
            return match range.start.as_literal() {
                Some(text) => format!("{text}_{name}").parse().expect("literals are tokens"),
                None => self.of_type(ty, tokens),
            };
        }
        let is_typed = ends.into_iter().any(comes_from_variable);
        if is_typed || !self.is_untold_here(&range.start.ty) {
            return tokens;
        }
        self.of_type(&range.start.ty, tokens)
    }

    /// Whether something in the function tells what the numbers in a type are, and nothing in this sweep does.
    fn is_untold_here(&self, ty: &Type) -> bool {
        let is_told_here =
            |number: &Number| matches!(self.numbers_here.get(*number), Some(Told::By(_)));
        self.numbers.tell(ty) && !ty.numbers().iter().all(is_told_here)
    }

    fn of_type(&self, ty: &Type, tokens: TokenStream) -> TokenStream {
        let rt = &self.rt;
        match self.example(ty) {
            Some(example) => quote!(#rt::typed(|| #example, #tokens)),
            None => tokens,
        }
    }

    /// What the sweep mentions only for its type: the numbers and what they are used for, and what values of types are that only rustc
    /// knows. It comes before everything that mentions it, and is never run.
    pub(super) fn types(&self) -> TokenStream {
        let mut declared: Vec<Number> = Vec::new();
        let (mut names, mut uses) = (TokenStream::new(), TokenStream::new());
        let told = self.told_types();
        loop {
            let mentioned = self.typed_numbers.borrow().clone();
            let next = mentioned.into_iter().find(|(number, _)| !declared.contains(number));
            let Some((number, literal)) = next else { return quote!(#names #uses #told) };
            declared.push(number);
            let (name, literal) = (name_of(number), literal.parse::<TokenStream>());
            let literal = literal.expect("literals are tokens");
            names.extend(quote!(let #name = #literal;));
            if let Some(Told::ByUses(of_number)) = self.numbers.get(number) {
                let of_number = of_number.iter().map(|what| self.shown_use(what));
                uses.extend(of_number.map(|what| quote!(if false { let _ = #what; })));
            }
        }
    }

    fn shown_use(&self, what: &Use) -> TokenStream {
        match what {
            Use::Operand(expr) => {
                let value = self.shown_operation(expr);
                self.of_type(&expr.ty, value)
            }
            Use::Call(call) => {
                let value = self.told_apart(|shown| self.witness_of_call(call, shown));
                let result = call.result.map(|result| &self.primal.vars[result]);
                match result.filter(|result| !result.assumed) {
                    Some(result) => self.of_type(&result.ty, value),
                    None => value,
                }
            }
            Use::Stored(var, ty) => {
                let (target, value) = (&self.primal.vars[*var], self.example(ty));
                let named = match &target.ty {
                    Type::Named(name) => name.parse().ok().map(located),
                    ty => known(ty),
                };
                let ty = target.declared.clone().map(located).or(named);
                match (ty, value) {
                    (Some(ty), Some(value)) => quote!({ let value: #ty = #value; value }),
                    (None, _) | (_, None) => quote!(()),
                }
            }
            Use::Code(opaque) => self.shown_code(opaque),
        }
    }

    /// An operation on values of the types of its operands.
    fn shown_operation(&self, expr: &Expr) -> TokenStream {
        let shown = |arg: &Expr| self.told_apart(|shown| self.witness_of(arg, shown));
        match &expr.kind {
            ExprKind::Op(Op::Binary(op), args) => {
                let (left, right) = (shown(&args[0]), shown(&args[1]));
                let op: TokenStream = BinaryOp::token(*op).parse().expect("operators are tokens");
                quote!((#left) #op (#right))
            }
            ExprKind::Op(Op::Unary(op), args) => {
                let operand = shown(&args[0]);
                match op {
                    UnaryOp::Neg => quote!(-(#operand)),
                    UnaryOp::Not => quote!(!(#operand)),
                }
            }
            ExprKind::Op(Op::Method(name), args) => {
                let (receiver, name) = (shown(&args[0]), super::ident(name, expr.span));
                let args = args[1..].iter().map(shown);
                quote!((#receiver).#name(#(#args),*))
            }
            ExprKind::Op(..)
            | ExprKind::Load(_)
            | ExprKind::Opaque(_)
            | ExprKind::Literal(_)
            | ExprKind::Guard(_) => shown(expr),
        }
    }

    /// What is kept is left by no `break` or `return`: lowering refuses that. Its value may borrow from what it mentions.
    fn shown_code(&self, opaque: &Opaque) -> TokenStream {
        let tokens = located(opaque.tokens.clone());
        let code = match opaque.ending {
            Ending::Continues | Ending::Diverges => tokens,
            Ending::Fails => {
                let output = self.product.interface.output.clone().map_or(quote!(()), located);
                quote!((|| -> #output { #tokens })())
            }
        };
        self.told_apart(|shown| {
            let bindings = self.bindings_of(opaque, shown);
            quote!({ #bindings let _ = { #code }; })
        })
    }

    /// Variables of the types of those that verbatim code mentions.
    pub(super) fn bindings_of(&self, opaque: &Opaque, shown: &mut Shown) -> TokenStream {
        self.bindings_behind(opaque, &mut BitSet::new(), shown)
    }

    /// Variables of the types of those that verbatim code mentions, behind others that are bound. What code that is kept gave them may
    /// borrow from what that code mentions, which is bound beside them.
    fn bindings_behind(
        &self,
        opaque: &Opaque,
        bound: &mut BitSet<Var>,
        shown: &mut Shown,
    ) -> TokenStream {
        let mut bindings = TokenStream::new();
        for &var in &opaque.reads {
            if !bound.insert(var) {
                continue;
            }
            let name = self.primal_name(var);
            bindings.extend(match self.primal.vars[var].binding {
                Binding::Global(_) => TokenStream::new(),
                Binding::Value => match self.kept_definition(var, shown) {
                    Some(definition) => {
                        let inner = self.bindings_behind(definition, bound, shown);
                        let tokens = located(definition.tokens.clone());
                        quote!(#inner let mut #name = #tokens;)
                    }
                    None => {
                        let value = self.witness(var, shown);
                        quote!(let mut #name = #value;)
                    }
                },
                Binding::Shared | Binding::View(_) => {
                    let place = self.lasting_shared(var, shown);
                    quote!(let #name = &#place;)
                }
                Binding::Exclusive => {
                    let place = self.lasting_exclusive(var, shown);
                    quote!(let #name = &mut #place;)
                }
            });
        }
        bindings
    }
}

/// Whether an expression is made of literals that have no type of their own.
fn is_bare_number(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Literal(text) => {
            syn::parse_str::<syn::LitInt>(text).is_ok_and(|literal| literal.suffix().is_empty())
        }
        ExprKind::Op(Op::Binary(_) | Op::Unary(_), args) => args.iter().all(is_bare_number),
        ExprKind::Op(..) | ExprKind::Load(_) | ExprKind::Opaque(_) | ExprKind::Guard(_) => false,
    }
}

fn name_of(number: Number) -> Ident {
    format_ident!("__number_{}", number.0)
}

/// The tokens of a named type, if they mean the same wherever they stand: not if they mention a lifetime or an anonymous type. What
/// lowering has named has no such name.
fn closed_name(name: &str) -> Option<TokenStream> {
    let is_closed = |token: TokenTree| match token {
        TokenTree::Punct(punct) => !['\'', '&'].contains(&punct.as_char()),
        TokenTree::Ident(ident) => !["impl", "dyn", "Self", "_"].iter().any(|word| ident == word),
        TokenTree::Group(_) | TokenTree::Literal(_) => true,
    };
    let tokens: TokenStream = name.parse().ok()?;
    let is_own = name.strip_prefix('_').is_some_and(|rest| rest.parse::<u32>().is_ok());
    (!is_own && tokens.clone().into_iter().all(is_closed)).then_some(tokens)
}

/// Whether tokens occur in others, as the whole of a path.
fn occurs(tokens: TokenStream, name: &[String]) -> bool {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let texts: Vec<String> = tokens.iter().map(ToString::to_string).collect();
    let goes_on = |text: Option<&String>| text.is_some_and(|text| text == "<" || text == ":");
    let here = texts.windows(name.len()).enumerate().any(|(at, window)| {
        let before = at.checked_sub(1).and_then(|at| texts.get(at));
        let is_inner = before.is_some_and(|text| text == ":");
        window == name && !is_inner && !goes_on(texts.get(at + name.len()))
    });
    let mut groups = tokens.into_iter().filter_map(|token| match token {
        TokenTree::Group(group) => Some(group.stream()),
        TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => None,
    });
    here || groups.any(|inner| occurs(inner, name))
}
