//! Functions that take functions: in a module whose bodies are known, they are lowered in place of their calls, as
//! closures are.

use super::closures::Function;
use super::items::{Item, takes};
use super::places::strip;
use super::{Lowerer, names};
use crate::bodies::{arguments_of, arguments_of_type, key_of_path};
use crate::index::Var;
use crate::ir::Binding;
use crate::read::PASSIVE;
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident};
use std::collections::{BTreeSet, HashMap};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{FnArg, GenericParam, ItemFn, Pat, Signature, Type};

/// What is known of the functions beside the one that is differentiated, and of others in the crate.
#[derive(Clone, Default)]
pub struct Neighbours {
    /// Those that take functions, by the paths by which they are called, without spaces.
    pub passed_to: HashMap<String, Neighbour>,
}

/// A function that takes functions.
#[derive(Clone)]
pub struct Neighbour {
    /// What tells it from others, whatever it is called.
    pub identity: String,
    /// The function, or what is in the way, and what to do.
    pub function: Result<ItemFn, (String, String)>,
}

impl Neighbour {
    /// A function beside the one that is differentiated.
    pub fn beside(function: ItemFn) -> (String, Self) {
        let name = function.sig.ident.to_string();
        (name.clone(), Self { identity: name, function: Ok(function) })
    }
}

/// Why a function cannot be lowered in place of a call.
struct Obstacle {
    span: Span,
    message: String,
    help: String,
}

impl Obstacle {
    /// Something about the function that is called.
    fn of(name: &Ident, what: &str, help: &str) -> Self {
        let message = format!("`{name}`, which takes a function, {what}");
        Self { span: name.span(), message, help: help.to_owned() }
    }
}

/// What of a function is in the way of lowering it in place of its calls, and what to do.
pub fn hindrance(callee: &ItemFn) -> Option<(&'static str, &'static str)> {
    let generics = &callee.sig.generics;
    let is_function = |ty: &Ident| arguments_of_type(&syn::parse_quote!(#ty), generics).is_some();
    let fits = |param: &GenericParam| match param {
        GenericParam::Lifetime(_) => true,
        GenericParam::Type(param) => is_function(&param.ident),
        GenericParam::Const(_) => false,
    };
    if !generics.params.iter().all(fits) {
        let help = "write the type, and the length of a list as a slice";
        return Some(("has other generic parameters", help));
    }
    let plain = |input: &FnArg| match input {
        FnArg::Receiver(_) => false,
        FnArg::Typed(param) => {
            let is_function = arguments_of(input, generics).is_some();
            let fits = if is_function { name_of(&param.pat).is_some() } else { takes(&param.pat) };
            param.attrs.is_empty() && fits
        }
    };
    if !callee.sig.inputs.iter().all(plain) {
        return Some(("has an unusual parameter", "give the parameters names"));
    }
    let mut contents = Contents::default();
    contents.visit_block(&callee.block);
    if contents.has_items {
        return Some(("has items inside of it", "move the items out of the function"));
    }
    if contents.fails || returns_outcome(&callee.sig) {
        let help = "return a number, or write the computation where it is used";
        return Some(("may fail", help));
    }
    if contents.is_marked {
        return Some(("has attributes inside of it", "only `#[passive]` is supported in it"));
    }
    None
}

impl Lowerer<'_> {
    /// The value of a call of a function that takes functions, if its body is known.
    pub(super) fn call_with_functions(&mut self, call: &syn::ExprCall) -> Option<Item> {
        let syn::Expr::Path(path) = strip(&call.func) else { return None };
        let name = &path.path.segments.last()?.ident;
        if path.qself.is_some() || self.is_local(path) {
            return None;
        }
        let neighbours = self.annotated.neighbours.clone();
        let callee = neighbours.passed_to.get(&key_of_path(&path.path.to_token_stream()))?;
        let lowered = match &callee.function {
            Ok(function) if function.sig.inputs.len() != call.args.len() => return None,
            Ok(function) => match self.obstacle(function, &callee.identity, name) {
                Some(obstacle) => Err(obstacle),
                None => self.lower_in_place(function, &callee.identity, call, name),
            },
            Err((what, help)) => Err(Obstacle::of(name, what, help)),
        };
        Some(lowered.unwrap_or_else(|Obstacle { span, message, help }| {
            self.errors.report(span, message, help);
            Item::value(self.verbatim_value(&syn::Expr::Call(call.clone()), None))
        }))
    }

    /// Whether a path is the name of a variable.
    fn is_local(&self, path: &syn::ExprPath) -> bool {
        path.path.get_ident().is_some_and(|name| self.find(&name.to_string()).is_some())
    }

    fn lower_in_place(
        &mut self,
        callee: &ItemFn,
        identity: &str,
        call: &syn::ExprCall,
        name: &Ident,
    ) -> Result<Item, Obstacle> {
        self.scopes.push(super::Scope::default());
        let (mut functions, mut values, mut inputs) =
            (super::Scope::default(), Vec::new(), Vec::new());
        let mut wrong = None;
        for (input, arg) in callee.sig.inputs.iter().zip(&call.args) {
            match (arguments_of(input, &callee.sig.generics), input) {
                (Some(types), FnArg::Typed(param)) => match self.passed(arg, &types) {
                    Some(var) => {
                        functions.insert(name_of(&param.pat).unwrap_or_default(), var);
                    }
                    None => wrong = wrong.or(Some(arg)),
                },
                _ => {
                    values.push(arg);
                    inputs.push(input.clone());
                }
            }
        }
        let lowered = match wrong {
            Some(arg) => Err(Obstacle {
                span: arg.span(),
                message: format!("this cannot be passed to `{name}` here"),
                help: "pass a closure without `?`, the name of one, or that of a function"
                    .to_owned(),
            }),
            None => {
                let items = self.items_of(&values);
                names::reserve(callee.to_token_stream(), &mut self.body.names);
                let (output, block) = (&callee.sig.output, &callee.block);
                let closure = syn::parse_quote!(|#(#inputs),*| #output #block);
                let function = Function::known(closure, vec![functions]);
                self.open_callees.push(identity.to_owned());
                let item = self.inline(&function, items);
                self.open_callees.pop();
                self.refuse_overlooked_marks(block);
                Ok(item)
            }
        };
        self.scopes.pop();
        lowered
    }

    /// The closure that stands for a function that is passed.
    fn passed(&mut self, arg: &syn::Expr, types: &[Type]) -> Option<Var> {
        let mut closure = match strip(arg) {
            syn::Expr::Reference(reference) => return self.passed(&reference.expr, types),
            syn::Expr::Closure(closure) => closure.clone(),
            syn::Expr::Path(path) => {
                if let Some(var) = self.closure_named(path) {
                    return Some(var);
                }
                if self.is_local(path) || path.qself.is_some() {
                    return None;
                }
                let items = (0..types.len()).map(|n| format_ident!("item_{n}"));
                let items: Vec<Ident> = items.collect();
                items.iter().for_each(|item| self.body.names.reserve(&item.to_string()));
                syn::parse_quote!(|#(#items),*| #path(#(#items),*))
            }
            _ => return None,
        };
        if closure.inputs.len() != types.len() {
            return None;
        }
        // Where other code uses it, too, nothing else tells what it takes.
        for (pat, ty) in closure.inputs.iter_mut().zip(types) {
            if !matches!(pat, Pat::Type(_)) {
                *pat = Pat::Type(syn::PatType {
                    attrs: Vec::new(),
                    pat: Box::new(pat.clone()),
                    colon_token: Default::default(),
                    ty: Box::new(ty.clone()),
                });
            }
        }
        let name = Ident::new(&self.body.names.fresh("function"), arg.span());
        self.local_closure(&name, &closure).then(|| self.find(&name.to_string()))?
    }

    /// Why a function cannot be lowered in place of a call, whatever is passed to it.
    fn obstacle(&self, callee: &ItemFn, identity: &str, name: &Ident) -> Option<Obstacle> {
        if self.open_callees.iter().any(|open| open == identity) {
            return Some(Obstacle::of(name, "calls itself", "write the repetition as a loop"));
        }
        if let Some((what, help)) = hindrance(callee) {
            return Some(Obstacle::of(name, what, help));
        }
        let mut contents = Contents::default();
        contents.visit_block(&callee.block);
        let hidden = self.hidden_from(&contents, callee)?;
        Some(Obstacle {
            span: name.span(),
            message: format!("`{hidden}` means something else in `{name}`"),
            help: "give the variable or item of that name here another one".to_owned(),
        })
    }

    /// A name of an item in the body of a callee that is one of something else here.
    fn hidden_from(&self, contents: &Contents, callee: &ItemFn) -> Option<String> {
        let mut own = Bound::default();
        own.visit_signature(&callee.sig);
        own.visit_block(&callee.block);
        let mut here = Bound::default();
        here.visit_item_fn(&self.annotated.function);
        let outer = self.annotated.outer_params().unwrap_or_default();
        here.names.extend(outer.iter().map(ToString::to_string));
        let variables = self.body.vars.iter();
        let variables =
            variables.filter(|variable| !matches!(variable.binding, Binding::Global(_)));
        here.names.extend(variables.map(|variable| variable.name.clone()));
        let mut free = contents.mentioned.iter().filter(|name| !own.names.contains(*name));
        free.find(|name| here.names.contains(*name)).cloned()
    }
}

fn name_of(pat: &Pat) -> Option<String> {
    match pat {
        Pat::Ident(pat) if pat.by_ref.is_none() && pat.subpat.is_none() => {
            Some(pat.ident.to_string())
        }
        _ => None,
    }
}

fn returns_outcome(sig: &Signature) -> bool {
    let syn::ReturnType::Type(_, ty) = &sig.output else { return false };
    let Type::Path(path) = &**ty else { return false };
    let last = path.path.segments.last().map(|last| last.ident.to_string());
    matches!(last.as_deref(), Some("Option" | "Result"))
}

/// What is in a body.
#[derive(Default)]
struct Contents {
    /// The names with which paths begin, and all in macros.
    mentioned: BTreeSet<String>,
    has_items: bool,
    fails: bool,
    is_marked: bool,
}

impl Contents {
    fn tokens(&mut self, tokens: TokenStream) {
        for token in tokens {
            match token {
                TokenTree::Ident(ident) => {
                    self.mentioned.insert(ident.to_string());
                }
                TokenTree::Group(group) => self.tokens(group.stream()),
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
        }
    }
}

impl<'ast> Visit<'ast> for Contents {
    fn visit_path(&mut self, path: &'ast syn::Path) {
        if let Some(first) = path.segments.first() {
            self.mentioned.insert(first.ident.to_string());
        }
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        self.tokens(mac.tokens.clone());
        visit::visit_macro(self, mac);
    }

    fn visit_expr_try(&mut self, _: &'ast syn::ExprTry) {
        self.fails = true;
    }

    fn visit_item(&mut self, _: &'ast syn::Item) {
        self.has_items = true;
    }

    fn visit_attribute(&mut self, attr: &'ast syn::Attribute) {
        const UNDERSTOOD: [&str; 5] = [PASSIVE, "allow", "expect", "warn", "doc"];
        let name = attr.path().segments.last().map(|last| last.ident.to_string());
        self.is_marked |= !name.is_some_and(|name| UNDERSTOOD.contains(&name.as_str()));
    }
}

/// The names that are given to something.
#[derive(Default)]
struct Bound {
    names: BTreeSet<String>,
}

impl<'ast> Visit<'ast> for Bound {
    fn visit_pat_ident(&mut self, pat: &'ast syn::PatIdent) {
        self.names.insert(pat.ident.to_string());
        visit::visit_pat_ident(self, pat);
    }

    fn visit_type_param(&mut self, param: &'ast syn::TypeParam) {
        self.names.insert(param.ident.to_string());
    }

    fn visit_const_param(&mut self, param: &'ast syn::ConstParam) {
        self.names.insert(param.ident.to_string());
    }

    fn visit_item_const(&mut self, item: &'ast syn::ItemConst) {
        self.names.insert(item.ident.to_string());
    }

    fn visit_item_type(&mut self, item: &'ast syn::ItemType) {
        self.names.insert(item.ident.to_string());
    }

    fn visit_use_name(&mut self, name: &'ast syn::UseName) {
        self.names.insert(name.ident.to_string());
    }

    fn visit_use_rename(&mut self, name: &'ast syn::UseRename) {
        self.names.insert(name.rename.to_string());
    }
}
