//! Patterns that only rustc can match: variants of enums, strings. They are kept as they are, so that
//! what they bind must carry no derivative.
//!
//! ```text
//! match kind {                            let matches = match kind { Kind::Power { .. } => true, _ => false };
//!     Kind::Power { n } => x.powi(*n),    if matches {
//!     …                                       let n = match kind { Kind::Power { n } => n.clone(), _ => unreachable!() };
//! ```

use super::enums::variant_of;
use super::places::strip;
use super::{Lowerer, Operand};
use crate::index::Var;
use crate::ir::{Binding, Class, Ending, Expr, ExprKind, Opaque, Place, Projection, Refusal};
use crate::read::looks_like_variable;
use crate::rules;
use crate::types::Type;
use crate::walk::visit::{self, Visit};
use crate::walk::visit_mut::{self, VisitMut};
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use std::rc::Rc;
use syn::Pat;
use syn::spanned::Spanned;

impl Lowerer<'_> {
    /// Code that denotes what is matched and can be repeated: a place, or a variable that holds it.
    pub(super) fn verbatim_subject(&mut self, expr: &syn::Expr) -> Opaque {
        if let syn::Expr::Path(path) = strip(expr)
            && let Some(var) = path.path.get_ident().and_then(|i| self.find(&i.to_string()))
            && matches!(self.body.vars[var].binding, Binding::View(_))
        {
            let (place, mutable) = (Place::var(var), self.is_mutable_reference(var));
            let span = expr.span();
            return self.verbatim_operand(&Operand::Reference { place, mutable, span });
        }
        // A place is found each time anew.
        if is_place(expr) && !self.calls_users_method(expr) {
            let opaque = self.verbatim_cut(expr);
            let is_fixed = opaque.reads.iter().all(|&var| self.is_fixed(var));
            let class = if is_fixed { Class::Pure } else { Class::State };
            return Opaque { class, ..opaque };
        }
        let value = self.opaque_value(expr);
        self.verbatim_operand(&Operand::Value(value))
    }

    /// Whether a place is found by a method that may be one of a user's type.
    fn calls_users_method(&self, place: &syn::Expr) -> bool {
        match strip(place) {
            syn::Expr::MethodCall(call) => self.may_have_effects(call, []),
            syn::Expr::Field(field) => self.calls_users_method(&field.base),
            syn::Expr::Index(index) => self.calls_users_method(&index.expr),
            syn::Expr::Unary(unary) => self.calls_users_method(&unary.expr),
            syn::Expr::Reference(reference) => self.calls_users_method(&reference.expr),
            _ => false,
        }
    }

    /// A variable that holds an operand, as code.
    pub(super) fn verbatim_operand(&mut self, operand: &Operand) -> Opaque {
        if let Operand::Reference { place, mutable: false, span: _ } = operand
            && let Some(input) = self.input(place)
        {
            return input;
        }
        let var = match operand {
            Operand::Value(value) => match value.as_var() {
                Some(var) => var,
                None => self.name_value("subject", value.clone()),
            },
            Operand::Reference { place, mutable, span } => {
                let is_reference = place.is_whole() && self.is_reference(place.root);
                if is_reference {
                    place.root
                } else {
                    self.make_view("subject", place, *mutable, *span)
                }
            }
        };
        let name = Ident::new(&self.body.vars[var].name, Span::call_site());
        Opaque {
            tokens: name.to_token_stream(),
            reads: vec![var],
            writes: Vec::new(),
            declares: Vec::new(),
            class: Class::State,
            ending: Ending::Continues,
            calls_unknown: false,
            refusal: None,
        }
    }

    /// Whether the backward sweep has a variable under its name.
    fn is_fixed(&self, var: Var) -> bool {
        match self.body.vars[var].binding {
            Binding::Shared | Binding::Global(_) => true,
            Binding::Value => self.counters.contains(var),
            Binding::Exclusive | Binding::View(_) => false,
        }
    }

    /// A reference to a part of a parameter that is only read, as code that the backward sweep can
    /// repeat.
    fn input(&self, place: &Place) -> Option<Opaque> {
        let place = self.body.resolve(place);
        let name = |var: Var| Ident::new(&self.body.vars[var].name, Span::call_site());
        let is_shared = matches!(self.body.vars[place.root].binding, Binding::Shared);
        if !is_shared || place.is_whole() {
            return None;
        }
        let mut tokens = name(place.root).to_token_stream();
        let mut reads = vec![place.root];
        for step in &place.projections {
            match step {
                Projection::Field(field) => {
                    let member: syn::Member = syn::parse_str(field).ok()?;
                    tokens = quote!(#tokens.#member);
                }
                Projection::Boxed => tokens = quote!((*#tokens)),
                Projection::Index(index) => {
                    let index = match (index.as_literal(), index.as_var()) {
                        (Some(text), _) => text.parse().ok()?,
                        (None, Some(var)) if self.is_fixed(var) => {
                            reads.push(var);
                            name(var).to_token_stream()
                        }
                        _ => return None,
                    };
                    tokens = quote!(#tokens[#index]);
                }
                Projection::Slice { .. } | Projection::Got { .. } => return None,
            }
        }
        Some(Opaque {
            tokens: quote!((&#tokens)),
            reads,
            writes: Vec::new(),
            declares: Vec::new(),
            class: Class::Pure,
            ending: Ending::Continues,
            calls_unknown: false,
            refusal: None,
        })
    }

    /// Whether a value matches a pattern, as rustc finds out.
    pub(super) fn verbatim_test(&mut self, pat: &Pat, subject: &Opaque) -> Option<Expr> {
        let span = pat.span();
        if has_macro(pat) {
            // What it binds is not to be seen.
            self.unsupported_pattern(pat);
        }
        let mut bare = pat.clone();
        Unnamed { kept: None }.visit_pat_mut(&mut bare);
        let tokens = &subject.tokens;
        let test = Opaque {
            tokens: quote!(match #tokens { #bare => true, _ => false }),
            writes: Vec::new(),
            ..subject.clone()
        };
        let test = Expr::new(ExprKind::Opaque(Rc::new(test)), Type::Bool, span);
        let var = self.name_value("matches", test);
        Some(self.load(var, span))
    }

    /// Binds the names of a pattern that matches.
    pub(super) fn bind_verbatim(
        &mut self,
        pat: &Pat,
        subject: &Opaque,
        scope: Option<&dyn ToTokens>,
    ) {
        for ident in names_of(pat) {
            let uses = scope.map(|scope| Uses::of(&ident.ident, scope));
            if uses.as_ref().is_some_and(|uses| !uses.anywhere) {
                continue;
            }
            let is_number = uses.is_some_and(|uses| uses.as_number && !uses.otherwise);
            self.bind_verbatim_name(pat, &ident, subject, is_number);
        }
    }

    fn bind_verbatim_name(
        &mut self,
        pat: &Pat,
        ident: &syn::PatIdent,
        subject: &Opaque,
        is_number: bool,
    ) {
        let span = ident.ident.span();
        let name = ident.ident.to_string();
        let ty = self.types.fresh();
        let var = self.user_variable(&name, ty.clone(), Binding::Value, span);
        if ident.mutability.is_some() && ident.by_ref.is_none() {
            self.mutable.insert(var);
        }
        let new = Ident::new(&self.body.vars[var].name, span);
        let mut only = pat.clone();
        Unnamed { kept: Some((ident.ident.clone(), new.clone())) }.visit_pat_mut(&mut only);
        let tokens = &subject.tokens;
        // A number behind a reference is as good as the reference.
        let taken = if is_number { quote!(#new.clone()) } else { quote!(#new) };
        let writes = subject.reads.iter().copied();
        let refusal = Refusal {
            what: "a value out of this pattern".into(),
            help: "keep what has derivatives in variables, tuples, structs, lists and enums of the crate that derive \
                   `Differentiable`, whose variants are called by paths, `Shape::Disc`; if this is an integer, say so: \
                   `let n: usize = …;`"
                .into(),
            callee: None,
        };
        let opaque = Opaque {
            tokens: quote!(match #tokens { #only => #taken, _ => ::core::unreachable!() }),
            writes: writes.filter(|&var| self.gives_access(var)).collect(),
            refusal: Some(refusal),
            ..subject.clone()
        };
        let value = Expr::new(ExprKind::Opaque(Rc::new(opaque)), ty, span);
        if is_number {
            self.twofold.insert(var);
        }
        self.emit(crate::ir::StmtKind::Let { var, value: Some(value) }, span);
    }

    /// Whether what a variable holds may be changed by way of a reference that was made from it.
    fn gives_access(&self, var: Var) -> bool {
        match &self.body.vars[var].binding {
            Binding::Exclusive => true,
            Binding::View(view) => view.mutable,
            Binding::Value => self.mutable.contains(var) || !self.may_refer_to(var).is_empty(),
            Binding::Shared | Binding::Global(_) => false,
        }
    }

    /// Whether code mentions nothing that may have a derivative and control does not leave it, so that
    /// it can be kept as it is.
    pub(super) fn is_inert(&self, code: &impl ToTokens, leaves: bool) -> bool {
        !leaves && self.mentions_only_passive(code.to_token_stream())
    }

    fn mentions_only_passive(&self, tokens: TokenStream) -> bool {
        tokens.into_iter().all(|token| match token {
            TokenTree::Ident(ident) => self.is_passive_name(&ident.to_string()),
            TokenTree::Group(group) => self.mentions_only_passive(group.stream()),
            // Names can stand in format strings.
            TokenTree::Literal(literal) => {
                let text = literal.to_string();
                let mut words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
                words.all(|word| self.is_passive_name(word))
            }
            TokenTree::Punct(_) => true,
        })
    }

    fn is_passive_name(&self, name: &str) -> bool {
        self.find(name).is_none_or(|var| self.is_passive(var))
    }

    /// Whether a variable never has a derivative, as far as is known.
    pub(super) fn is_passive(&self, var: Var) -> bool {
        let variable = &self.body.vars[var];
        let with_bars = || self.body.independents.iter().chain(&self.body.dependents);
        let is_input = self.body.params.contains(&var)
            && !with_bars().any(|&known| known == var)
            && !self.mutable.contains(var)
            && !matches!(variable.binding, Binding::Exclusive);
        let ty = self.types.resolve(&variable.ty);
        let is_discrete = matches!(ty, Type::Int(_) | Type::Bool);
        let is_closure = self.closures.contains_key(&var);
        let is_global = matches!(variable.binding, Binding::Global(_));
        (is_input || is_discrete || is_global) && !is_closure && !self.optionals.contains_key(&var)
    }
}

/// Whether an expression is a variant of an enum or the like, made of constants.
pub(super) fn is_constant(expr: &syn::Expr) -> bool {
    match strip(expr) {
        syn::Expr::Lit(_) => true,
        syn::Expr::Path(path) => path
            .path
            .segments
            .last()
            .is_some_and(|last| last.ident.to_string().starts_with(char::is_uppercase)),
        syn::Expr::Unary(unary) => {
            matches!(unary.op, syn::UnOp::Neg(_)) && is_constant(&unary.expr)
        }
        syn::Expr::Reference(reference) => {
            reference.mutability.is_none() && is_constant(&reference.expr)
        }
        syn::Expr::Tuple(tuple) => tuple.elems.iter().all(is_constant),
        syn::Expr::Array(array) => array.elems.iter().all(is_constant),
        syn::Expr::Call(call) => {
            matches!(strip(&call.func), syn::Expr::Path(_))
                && is_constant(&call.func)
                && call.args.iter().all(is_constant)
        }
        syn::Expr::Struct(literal) => {
            variant_of(&literal.path).is_none()
                && literal.rest.is_none()
                && literal.fields.iter().all(|field| is_constant(&field.expr))
        }
        _ => false,
    }
}

/// Whether an expression denotes a place, or a reference to one, and can be evaluated again.
pub(super) fn is_place(expr: &syn::Expr) -> bool {
    match strip(expr) {
        syn::Expr::Path(_) | syn::Expr::Lit(_) => true,
        syn::Expr::Field(field) => is_place(&field.base),
        syn::Expr::Index(index) => is_place(&index.expr) && is_arithmetic(&index.index),
        syn::Expr::Unary(unary) => matches!(unary.op, syn::UnOp::Deref(_)) && is_place(&unary.expr),
        syn::Expr::Reference(reference) => is_place(&reference.expr),
        syn::Expr::MethodCall(call) => {
            let name = call.method.to_string();
            ["as_str", "as_ref", "as_slice", "as_deref"].contains(&name.as_str())
                && call.args.is_empty()
                && is_place(&call.receiver)
        }
        _ => false,
    }
}

/// Whether an expression is made of places and operators only.
fn is_arithmetic(expr: &syn::Expr) -> bool {
    match strip(expr) {
        syn::Expr::Binary(binary) => {
            super::expr::compound_op(&binary.op).is_none()
                && is_arithmetic(&binary.left)
                && is_arithmetic(&binary.right)
        }
        syn::Expr::Cast(cast) => is_arithmetic(&cast.expr),
        other => is_place(other),
    }
}

/// The names that a pattern binds, each once.
pub(super) fn names_of(pat: &Pat) -> Vec<syn::PatIdent> {
    struct Names(Vec<syn::PatIdent>);
    impl<'ast> Visit<'ast> for Names {
        fn visit_pat_ident(&mut self, pat: &'ast syn::PatIdent) {
            if looks_like_variable(&pat.ident)
                && self.0.iter().all(|known| known.ident != pat.ident)
            {
                self.0.push(pat.clone());
            }
            visit::visit_pat_ident(self, pat);
        }
        fn visit_expr(&mut self, _: &'ast syn::Expr) {}
    }
    let mut names = Names(Vec::new());
    names.visit_pat(pat);
    names.0
}

fn has_macro(pat: &Pat) -> bool {
    struct Search(bool);
    impl<'ast> Visit<'ast> for Search {
        fn visit_macro(&mut self, _: &'ast syn::Macro) {
            self.0 = true;
        }
    }
    let mut search = Search(false);
    search.visit_pat(pat);
    search.0
}

/// Takes the names out of a pattern, but for one, which gets another name.
struct Unnamed {
    kept: Option<(Ident, Ident)>,
}

impl VisitMut for Unnamed {
    fn visit_pat_mut(&mut self, pat: &mut Pat) {
        visit_mut::visit_pat_mut(self, pat);
        match pat {
            Pat::Guard(guarded) => *pat = (*guarded.pat).clone(),
            Pat::Ident(ident) if looks_like_variable(&ident.ident) => match &self.kept {
                Some((old, new)) if ident.ident == *old => {
                    ident.ident = new.clone();
                    if ident.by_ref.is_none() {
                        ident.mutability = None;
                    }
                }
                _ => {
                    *pat = match ident.subpat.take() {
                        Some((_, inner)) => *inner,
                        None => Pat::Wild(syn::PatWild {
                            attrs: Vec::new(),
                            underscore_token: syn::token::Underscore::default(),
                        }),
                    }
                }
            },
            _ => {}
        }
    }

    fn visit_field_pat_mut(&mut self, field: &mut syn::FieldPat) {
        // `Kind { n }` is `Kind { n: n }`.
        field.colon_token = Some(syn::token::Colon::default());
        visit_mut::visit_field_pat_mut(self, field);
    }
}

/// How a name is used.
#[derive(Default)]
struct Uses {
    name: String,
    anywhere: bool,
    /// In arithmetic, as an index, behind `*`: as only numbers and references to numbers are.
    as_number: bool,
    otherwise: bool,
}

impl Uses {
    fn of(name: &Ident, scope: &dyn ToTokens) -> Self {
        let mut uses = Uses { name: name.to_string(), ..Uses::default() };
        let tokens = scope.to_token_stream();
        uses.anywhere = mentions(tokens.clone(), &uses.name);
        match syn::parse2::<syn::Block>(quote!({ #tokens })) {
            Ok(block) => uses.visit_block(&block),
            Err(_) => uses.otherwise = true,
        }
        uses
    }

    fn is_it(&self, expr: &syn::Expr) -> bool {
        matches!(strip(expr), syn::Expr::Path(path) if path.path.is_ident(&self.name))
    }

    /// Notes an operand that is a number.
    fn number(&mut self, expr: &syn::Expr) {
        if self.is_it(expr) {
            self.as_number = true;
        } else {
            self.visit_expr(expr);
        }
    }

    /// Notes a place that is written: what is behind a reference must not become a copy.
    fn written(&mut self, place: &syn::Expr) {
        self.otherwise |= mentions(place.to_token_stream(), &self.name);
    }
}

impl<'ast> Visit<'ast> for Uses {
    fn visit_expr_unary(&mut self, unary: &'ast syn::ExprUnary) {
        self.number(&unary.expr);
    }

    fn visit_expr_binary(&mut self, binary: &'ast syn::ExprBinary) {
        if super::expr::compound_op(&binary.op).is_some() {
            self.written(&binary.left);
        } else {
            self.number(&binary.left);
        }
        self.number(&binary.right);
    }

    fn visit_expr_assign(&mut self, assign: &'ast syn::ExprAssign) {
        self.written(&assign.left);
        self.visit_expr(&assign.right);
    }

    fn visit_expr_reference(&mut self, reference: &'ast syn::ExprReference) {
        match reference.mutability {
            Some(_) => self.written(&reference.expr),
            None => self.visit_expr(&reference.expr),
        }
    }

    fn visit_expr_cast(&mut self, cast: &'ast syn::ExprCast) {
        self.number(&cast.expr);
    }

    fn visit_expr_index(&mut self, index: &'ast syn::ExprIndex) {
        self.visit_expr(&index.expr);
        self.number(&index.index);
    }

    fn visit_expr_range(&mut self, range: &'ast syn::ExprRange) {
        for bound in [&range.start, &range.end].into_iter().flatten() {
            self.number(bound);
        }
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        let name = call.method.to_string();
        let is_rule = rules::method(&name).is_some();
        if is_rule {
            self.number(&call.receiver);
            call.args.iter().for_each(|arg| self.number(arg));
        } else {
            self.visit_expr(&call.receiver);
            call.args.iter().for_each(|arg| self.visit_expr(arg));
        }
    }

    fn visit_expr_path(&mut self, path: &'ast syn::ExprPath) {
        self.otherwise |= path.path.is_ident(&self.name);
    }

    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        self.otherwise |= mentions(mac.tokens.clone(), &self.name);
    }
}

/// Whether a name occurs in code, also in strings.
fn mentions(tokens: TokenStream, name: &str) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident == name,
        TokenTree::Group(group) => mentions(group.stream(), name),
        TokenTree::Literal(literal) => {
            let text = literal.to_string();
            let mut words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
            words.any(|word| word == name)
        }
        TokenTree::Punct(_) => false,
    })
}
