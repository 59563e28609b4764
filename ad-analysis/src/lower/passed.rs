//! Functions that take functions: in a module whose bodies are known, they are lowered in place of their calls, as
//! closures are.

use super::closures::Function;
use super::contents::{Contents, Obstacle};
use super::items::{Item, takes};
use super::parameters::{Called, is_arbitrary, without_arbitrary};
use super::places::strip;
use super::{Lowerer, Operand, occurring};
use crate::bodies::{arguments_of, arguments_of_type, key_of_path};
use crate::index::Var;
use crate::ir::Binding;
use crate::signatures::Receiver;
use crate::walk::visit::{self, Visit};
use proc_macro2::Ident;
use quote::{ToTokens, format_ident};
use std::collections::{BTreeSet, HashMap};
use syn::spanned::Spanned;
use syn::{FnArg, GenericParam, ItemFn, Pat, PathArguments, Signature, Type};

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
    /// If it is a method, how it takes its receiver, which is a parameter like others in the function.
    pub receiver: Option<Receiver>,
    /// The function, or what is in the way, and what to do.
    pub function: Result<ItemFn, (String, String)>,
}

impl Neighbour {
    /// A function beside the one that is differentiated.
    pub fn beside(function: ItemFn) -> (String, Self) {
        let name = function.sig.ident.to_string();
        (name.clone(), Self { identity: name, receiver: None, function: Ok(function) })
    }
}

/// How deep functions are lowered inside of each other. Where the types are right there is an end to it: each closure is written in the
/// body of a function, and no function is called in its own. But the macro does not see whether they are.
const DEEPEST: usize = 16;

/// The functions that take functions whose bodies are being lowered.
#[derive(Clone, Debug, Default)]
pub(super) struct Open {
    /// Those in whose bodies the code is written that is being lowered.
    pub(super) around: Vec<String>,
    /// How many there are: the code may be that of a closure that one of them was given.
    depth: usize,
}

/// What of a function is in the way of lowering it in place of its calls, and what to do.
pub fn hindrance(callee: &ItemFn) -> Option<(&'static str, &'static str)> {
    let generics = &callee.sig.generics;
    let is_function = |ty: &Ident| arguments_of_type(&syn::parse_quote!(#ty), generics).is_some();
    let fits = |param: &GenericParam| match param {
        GenericParam::Lifetime(_) => true,
        GenericParam::Type(param) => is_function(&param.ident) || is_arbitrary(param, callee),
        GenericParam::Const(_) => true,
    };
    if !generics.params.iter().all(fits) {
        let help = "write the type; a parameter that stands for any type has no bounds but `Copy`, `Clone` and operators, is not \
                    mentioned in the body, and no methods are called on its values";
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
        let mut bare = path.path.clone();
        let stated = std::mem::take(&mut bare.segments.last_mut()?.arguments);
        let key = key_of_path(&bare.to_token_stream());
        let known = |key: &String| neighbours.passed_to.get(key);
        let callee = known(&key).or_else(|| known(&self.options.declared.name_of(&key)))?;
        let given = NamesInside::of(&self.annotated.function.block);
        let first = &path.path.segments.first()?.ident;
        if given.items.contains(&first.to_string()) {
            return None;
        }
        if let Some(obstacle) = given.import_that_hides(first, name) {
            return Some(self.refused_in_place(obstacle, &syn::Expr::Call(call.clone())));
        }
        let args: Vec<&syn::Expr> = call.args.iter().collect();
        let called = Called { name, stated: &stated };
        self.called_in_place(callee, &args, called, &syn::Expr::Call(call.clone()))
    }

    /// The value of a call of a method that takes functions, if its body is known: by the type of what it is called on.
    pub(super) fn method_with_functions(&mut self, call: &syn::ExprMethodCall) -> Option<Item> {
        let (neighbours, name) = (self.annotated.neighbours.clone(), &call.method);
        let is_called = |key: &String| key.rsplit("::").next().is_some_and(|last| name == last);
        let mut methods = neighbours.passed_to.iter().filter(|(_, of)| of.receiver.is_some());
        if !methods.any(|(key, _)| is_called(key)) || !self.names_are_unique {
            return None;
        }
        let owner = self.type_called_on(&call.receiver)?;
        let callee = neighbours.passed_to.get(&format!("{owner}::{name}"))?;
        let receiver = &*call.receiver;
        let receiver: syn::Expr = match callee.receiver? {
            Receiver::Value if self.is_lent(receiver) => {
                let help = "take the value of the reference first: `(*value).method(…)`";
                let what = "takes what it is called on by value, which is a reference here";
                let obstacle = Obstacle::of(name, what, help);
                return Some(self.refused_in_place(obstacle, &syn::Expr::MethodCall(call.clone())));
            }
            Receiver::Value => receiver.clone(),
            Receiver::Shared => syn::parse_quote!(&#receiver),
            Receiver::Exclusive if self.is_lent(receiver) => syn::parse_quote!(&mut *#receiver),
            Receiver::Exclusive => syn::parse_quote!(&mut #receiver),
        };
        let args: Vec<&syn::Expr> = std::iter::once(&receiver).chain(&call.args).collect();
        let turbofish = call.turbofish.clone();
        let stated = turbofish.map_or(PathArguments::None, PathArguments::AngleBracketed);
        let called = Called { name, stated: &stated };
        self.called_in_place(callee, &args, called, &syn::Expr::MethodCall(call.clone()))
    }

    /// The name of the type of the user's that a method is called on, or a reference to a value of it.
    fn type_called_on(&mut self, receiver: &syn::Expr) -> Option<String> {
        self.glimpse(|this| {
            let place = match this.operand(receiver)? {
                Operand::Reference { place, .. } => place,
                Operand::Value(value) => return this.declared_name(&value.ty),
            };
            // A reference to a reference is a step further from the method.
            let is_twofold = place.is_whole() && this.twofold.contains(place.root);
            let ty = this.type_of(&place);
            if is_twofold { None } else { this.declared_name(&ty) }
        })
    }

    /// Whether an expression is a variable that is a reference.
    pub(super) fn is_lent(&self, expr: &syn::Expr) -> bool {
        let syn::Expr::Path(path) = strip(expr) else { return false };
        let var = path.path.get_ident().and_then(|name| self.find(&name.to_string()));
        var.is_some_and(|var| self.is_reference(var))
    }

    fn called_in_place(
        &mut self,
        callee: &Neighbour,
        args: &[&syn::Expr],
        called: Called<'_>,
        call: &syn::Expr,
    ) -> Option<Item> {
        let name = called.name;
        let lowered = match &callee.function {
            Ok(function) if function.sig.inputs.len() != args.len() => return None,
            Ok(function) => match self.obstacle(function, &callee.identity, name) {
                Some(obstacle) => Err(obstacle),
                None => self.lower_in_place(function, &callee.identity, args, called),
            },
            Err((what, help)) => Err(Obstacle::of(name, what, help)),
        };
        Some(lowered.unwrap_or_else(|obstacle| self.refused_in_place(obstacle, call)))
    }

    fn refused_in_place(&mut self, obstacle: Obstacle, call: &syn::Expr) -> Item {
        let Obstacle { span, message, help } = obstacle;
        self.errors.report(span, message, help);
        Item::value(self.verbatim_value(call, None))
    }

    /// Whether a path is the name of a variable.
    fn is_local(&self, path: &syn::ExprPath) -> bool {
        path.path.get_ident().is_some_and(|name| self.find(&name.to_string()).is_some())
    }

    fn lower_in_place(
        &mut self,
        callee: &ItemFn,
        identity: &str,
        args: &[&syn::Expr],
        called: Called<'_>,
    ) -> Result<Item, Obstacle> {
        let (callee, name) = (&self.with_lengths(callee, args, called)?, called.name);
        self.scopes.push(super::Scope::default());
        let (mut functions, mut values, mut inputs) =
            (super::Scope::default(), Vec::new(), Vec::new());
        let mut wrong = None;
        let sig = without_arbitrary(callee);
        for (input, &arg) in sig.inputs.iter().zip(args) {
            match (arguments_of(input, &sig.generics), input) {
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
                occurring::reserve(callee.to_token_stream(), &mut self.body.names);
                let (output, block) = (&sig.output, &callee.block);
                let closure = syn::parse_quote!(|#(#inputs),*| #output #block);
                let mut callees = self.open_callees.around.clone();
                callees.push(identity.to_owned());
                let function = Function::known(closure, vec![functions], callees);
                self.open_callees.depth += 1;
                let item = self.inline(&function, items);
                self.open_callees.depth -= 1;
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
        if self.open_callees.around.iter().any(|open| open == identity) {
            return Some(Obstacle::of(name, "calls itself", "write the repetition as a loop"));
        }
        if self.open_callees.depth >= DEEPEST {
            let what =
                format!("is called more than {DEEPEST} deep in functions that take functions");
            return Some(Obstacle::of(name, &what, "write some of the calls as loops"));
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

/// What items inside of a function give names to: there they hide items of the module.
#[derive(Default)]
struct NamesInside {
    items: BTreeSet<String>,
    imports: BTreeSet<String>,
    imports_all: bool,
}

impl NamesInside {
    fn of(block: &syn::Block) -> Self {
        let mut names = Self::default();
        names.visit_block(block);
        names
    }

    /// An import that gives `first` another meaning than the module does, or may.
    fn import_that_hides(&self, first: &Ident, name: &Ident) -> Option<Obstacle> {
        let is_anchor = ["crate", "self", "super"].iter().any(|anchor| first == anchor);
        let is_named = self.imports.contains(&first.to_string());
        if is_anchor || !is_named && !self.imports_all {
            return None;
        }
        let what = match is_named {
            true => "is found by way of an import inside of this function",
            false => "may be another one by an import of all names inside of this function",
        };
        Some(Obstacle::of(name, what, "let the import stand outside of the function"))
    }

    fn import(&mut self, tree: &syn::UseTree, path: &mut Vec<String>) {
        match tree {
            syn::UseTree::Path(inner) => {
                path.push(inner.ident.to_string());
                self.import(&inner.tree, path);
                path.pop();
            }
            syn::UseTree::Name(name) => {
                self.imports.insert(name.ident.to_string());
            }
            syn::UseTree::Rename(rename) => {
                self.imports.insert(rename.rename.to_string());
            }
            // The modules of constants of the standard library have no functions.
            syn::UseTree::Glob(_) => {
                let path: Vec<&str> = path.iter().map(String::as_str).collect();
                self.imports_all |= !matches!(path.as_slice(), ["std" | "core", _, "consts"]);
            }
            syn::UseTree::Group(group) => {
                group.items.iter().for_each(|tree| self.import(tree, path));
            }
        }
    }
}

impl<'ast> Visit<'ast> for NamesInside {
    fn visit_item(&mut self, item: &'ast syn::Item) {
        let name = match item {
            syn::Item::Use(import) => return self.import(&import.tree, &mut Vec::new()),
            syn::Item::Const(item) => &item.ident,
            syn::Item::Enum(item) => &item.ident,
            syn::Item::ExternCrate(item) => {
                item.rename.as_ref().map_or(&item.ident, |(_, name)| name)
            }
            syn::Item::Fn(item) => &item.sig.ident,
            syn::Item::Mod(item) => &item.ident,
            syn::Item::Static(item) => &item.ident,
            syn::Item::Struct(item) => &item.ident,
            syn::Item::Trait(item) => &item.ident,
            syn::Item::Type(item) => &item.ident,
            syn::Item::Union(item) => &item.ident,
            // What a macro makes is not seen.
            syn::Item::Macro(item) => {
                self.imports_all |= !item.mac.path.is_ident("macro_rules");
                return;
            }
            _ => return,
        };
        self.items.insert(name.to_string());
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
