//! `#[cfg(…)]` and `#[cfg_attr(…)]` inside of functions. Only rustc knows whether a condition holds, and it tells derive
//! macros: their input has lost what is not there. So an item with conditions inside of functions becomes a struct with
//! a field for each condition, and the item in an attribute of that struct; the derive macro on it sees which fields are
//! left, and expands the item without what is not there. Definitions of macros that the item calls, which may be there under
//! conditions, come along.

use super::attributes_of;
use super::expansion::{Definition, Macros};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use std::hash::{DefaultHasher, Hash, Hasher};
use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{
    Arm, Attribute, Block, Data, DeriveInput, Error, Expr, ExprArray, ExprCall, ExprMatch,
    ExprMethodCall, ExprStruct, ExprTuple, FieldPat, FieldValue, FnArg, ImplItem, ImplItemFn, Item,
    ItemFn, ItemImpl, ItemMod, LitStr, Meta, MetaList, PatStruct, Result, Signature, Stmt, Token,
};

/// The derive macro, and its attribute with what the item was annotated with, and the item.
const DERIVE: &str = "Conditions";
const ANNOTATED: &str = "annotated";

/// The struct that stands for an item until its conditions are decided, and those of the macros that it calls; nothing, if there
/// are none, and for a method: no struct can stand in an `impl` block.
pub fn undecided(
    facade: Option<&TokenStream>,
    arguments: &TokenStream,
    tokens: &TokenStream,
    item: &Item,
    macros: &Macros,
) -> Option<TokenStream> {
    let conditions = conditions_of(item.clone(), macros);
    let is_method = matches!(item, Item::Fn(function) if function.sig.receiver().is_some());
    if conditions.is_empty() || is_method {
        return None;
    }
    let facade = facade.cloned().unwrap_or_else(|| quote!(::backsweep));
    let fields = conditions.iter().enumerate().map(|(position, condition)| {
        let name = field(position);
        quote_spanned!(condition.span()=> #[cfg(#condition)] #name: ())
    });
    let definitions = macros.0.iter().flat_map(|(path, definitions)| {
        definitions.iter().map(
            move |Definition { conditions, rules }| quote!(#path (#((#conditions))*) { #rules }),
        )
    });
    let (derive, annotated) = (format_ident!("{DERIVE}"), format_ident!("{ANNOTATED}"));
    let name = format_ident!("__ConditionsIn_{}", name_of(item));
    Some(quote! {
        #[doc(hidden)]
        #[allow(dead_code, non_camel_case_types)]
        #[derive(#facade::__private::#derive)]
        #[#annotated((#arguments) (#(#definitions)*) #tokens)]
        struct #name { #(#fields),* }
    })
}

/// A name that no other item has: a module may have several `impl` blocks of one type.
fn name_of(item: &Item) -> String {
    match item {
        Item::Fn(function) => function.sig.ident.to_string().replace("r#", ""),
        Item::Mod(module) => module.ident.to_string().replace("r#", ""),
        other => {
            let mut hasher = DefaultHasher::new();
            other.to_token_stream().to_string().hash(&mut hasher);
            format!("{:x}", hasher.finish())
        }
    }
}

/// A condition as it is compared: tokens of a file and of an item may differ in their spaces.
fn text_of(condition: &TokenStream) -> String {
    condition.to_string().replace(char::is_whitespace, "")
}

fn field(position: usize) -> Ident {
    format_ident!("condition_{position}")
}

/// What [`undecided`] made a struct of, once rustc has decided the conditions: what the item was annotated with, the
/// item as it was written, and the item without what is not there, its macros expanded.
pub fn decided(input: TokenStream) -> Result<(TokenStream, TokenStream, Item)> {
    let input: DeriveInput = syn::parse2(input)?;
    let annotated = input.attrs.iter().find(|attr| attr.path().is_ident(ANNOTATED));
    let nothing = || Error::new(Span::call_site(), "this derive macro is for generated code");
    let Some(Meta::List(list)) = annotated.map(|attr| &attr.meta) else { return Err(nothing()) };
    let parts = |input: ParseStream<'_>| {
        let (arguments, definitions);
        syn::parenthesized!(arguments in input);
        syn::parenthesized!(definitions in input);
        let macros = macros_in(&definitions)?;
        Ok((arguments.parse::<TokenStream>()?, macros, input.parse::<TokenStream>()?))
    };
    let (arguments, macros, tokens) = parts.parse2(list.tokens.clone())?;
    let Data::Struct(fields) = &input.data else { return Err(nothing()) };
    let mut item: Item = syn::parse2(tokens.clone())?;
    let conditions = conditions_of(item.clone(), &macros).into_iter().enumerate();
    let holding = conditions.filter(|(position, _)| {
        let name = field(*position);
        fields.fields.iter().any(|field| field.ident.as_ref() == Some(&name))
    });
    let holding: Vec<String> = holding.map(|(_, condition)| text_of(&condition)).collect();
    let decide = |item: &mut Item| {
        let holding = Some(holding.clone());
        Conditions { holding, found: Vec::new() }.visit_item_mut(item);
    };
    decide(&mut item);
    macros.expand(&mut item, |condition| holding.contains(&text_of(condition)));
    Ok((arguments, tokens, item))
}

/// `"path" ((condition) …) { rules }`, repeated.
fn macros_in(input: ParseStream<'_>) -> Result<Macros> {
    let mut macros = Macros::default();
    while !input.is_empty() {
        let path: LitStr = input.parse()?;
        let (all, rules);
        syn::parenthesized!(all in input);
        syn::braced!(rules in input);
        let mut conditions = Vec::new();
        while !all.is_empty() {
            let condition;
            syn::parenthesized!(condition in all);
            conditions.push(condition.parse()?);
        }
        let definition = Definition { conditions, rules: rules.parse()? };
        macros.0.entry(path.value()).or_default().push(definition);
    }
    Ok(macros)
}

/// The conditions inside of the functions of an item, and of the macros that it calls, each once.
fn conditions_of(mut item: Item, macros: &Macros) -> Vec<TokenStream> {
    let mut conditions = Conditions { holding: None, found: Vec::new() };
    conditions.visit_item_mut(&mut item);
    macros.conditions().for_each(|condition| {
        conditions.holds(condition);
    });
    conditions.found
}

/// Finds conditions, or decides them.
struct Conditions {
    /// Those that hold, once that is known.
    holding: Option<Vec<String>>,
    found: Vec<TokenStream>,
}

impl Conditions {
    /// Notes a condition, and says whether what has it is there as far as is known.
    fn holds(&mut self, condition: &TokenStream) -> bool {
        let text = text_of(condition);
        match &self.holding {
            Some(holding) => holding.contains(&text),
            None => {
                if !self.found.iter().any(|known| text_of(known) == text) {
                    self.found.push(condition.clone());
                }
                true
            }
        }
    }

    /// Whether what has these attributes is there.
    fn is_there(&mut self, attributes: &[Attribute]) -> bool {
        let mut is_there = true;
        for attr in attributes {
            match &attr.meta {
                Meta::List(list) if list.path.is_ident("cfg") => {
                    is_there &= self.holds(&list.tokens);
                }
                Meta::List(list) if list.path.is_ident("cfg_attr") => {
                    for inner in self.conditional(list) {
                        is_there &= self.is_there(&[inner]);
                    }
                }
                Meta::List(_) | Meta::Path(_) | Meta::NameValue(_) => {}
            }
        }
        is_there
    }

    /// The attributes that a `cfg_attr` stands for.
    fn conditional(&mut self, list: &MetaList) -> Vec<Attribute> {
        let parser = Punctuated::<Meta, Token![,]>::parse_terminated;
        let Ok(metas) = parser.parse2(list.tokens.clone()) else { return Vec::new() };
        let mut metas = metas.into_iter();
        let Some(condition) = metas.next() else { return Vec::new() };
        if !self.holds(&quote!(#condition)) {
            return Vec::new();
        }
        metas.map(|meta| syn::parse_quote_spanned!(list.span()=> #[#meta])).collect()
    }

    fn retain<T, P>(&mut self, list: &mut Punctuated<T, P>, attributes: impl Fn(&T) -> &[Attribute])
    where
        P: Default,
    {
        let items = std::mem::take(list).into_iter();
        *list = items.filter(|item| self.is_there(attributes(item))).collect();
    }
}

fn attributes_of_stmt(stmt: &Stmt) -> &[Attribute] {
    match stmt {
        Stmt::Local(local) => &local.attrs,
        Stmt::Expr(expr, _) => attributes_of(expr),
        Stmt::Macro(mac) => &mac.attrs,
        // Items in functions are of the kinds that the match names.
        Stmt::Item(item) => match item {
            Item::Const(item) => &item.attrs,
            Item::Fn(item) => &item.attrs,
            Item::Use(item) => &item.attrs,
            Item::Type(item) => &item.attrs,
            Item::Static(item) => &item.attrs,
            Item::Struct(item) => &item.attrs,
            Item::Enum(item) => &item.attrs,
            Item::Impl(item) => &item.attrs,
            Item::Trait(item) => &item.attrs,
            Item::Mod(item) => &item.attrs,
            Item::Macro(item) => &item.attrs,
            _ => &[],
        },
    }
}

impl VisitMut for Conditions {
    fn visit_block_mut(&mut self, block: &mut Block) {
        block.stmts.retain(|stmt| self.is_there(attributes_of_stmt(stmt)));
        visit_mut::visit_block_mut(self, block);
    }

    fn visit_expr_match_mut(&mut self, choice: &mut ExprMatch) {
        choice.arms.retain(|arm: &Arm| self.is_there(&arm.attrs));
        visit_mut::visit_expr_match_mut(self, choice);
    }

    fn visit_expr_struct_mut(&mut self, value: &mut ExprStruct) {
        self.retain(&mut value.fields, |field: &FieldValue| &field.attrs);
        visit_mut::visit_expr_struct_mut(self, value);
    }

    fn visit_pat_struct_mut(&mut self, pat: &mut PatStruct) {
        self.retain(&mut pat.fields, |field: &FieldPat| &field.attrs);
        visit_mut::visit_pat_struct_mut(self, pat);
    }

    fn visit_expr_array_mut(&mut self, array: &mut ExprArray) {
        self.retain(&mut array.elems, |element: &Expr| attributes_of(element));
        visit_mut::visit_expr_array_mut(self, array);
    }

    fn visit_expr_tuple_mut(&mut self, tuple: &mut ExprTuple) {
        self.retain(&mut tuple.elems, |element: &Expr| attributes_of(element));
        visit_mut::visit_expr_tuple_mut(self, tuple);
    }

    fn visit_expr_call_mut(&mut self, call: &mut ExprCall) {
        self.retain(&mut call.args, |argument: &Expr| attributes_of(argument));
        visit_mut::visit_expr_call_mut(self, call);
    }

    fn visit_expr_method_call_mut(&mut self, call: &mut ExprMethodCall) {
        self.retain(&mut call.args, |argument: &Expr| attributes_of(argument));
        visit_mut::visit_expr_method_call_mut(self, call);
    }

    fn visit_signature_mut(&mut self, sig: &mut Signature) {
        self.retain(&mut sig.inputs, |input: &FnArg| match input {
            FnArg::Receiver(receiver) => &receiver.attrs,
            FnArg::Typed(param) => &param.attrs,
        });
        visit_mut::visit_signature_mut(self, sig);
    }

    /// What is there has its condition no more.
    fn visit_attributes_mut(&mut self, attributes: &mut Vec<Attribute>) {
        let mut settled = Vec::new();
        for attr in std::mem::take(attributes) {
            match &attr.meta {
                Meta::List(list) if list.path.is_ident("cfg") => {}
                Meta::List(list) if list.path.is_ident("cfg_attr") => {
                    settled.extend(self.conditional(&list.clone()));
                }
                Meta::List(_) | Meta::Path(_) | Meta::NameValue(_) => settled.push(attr),
            }
        }
        *attributes = settled;
    }

    /// Conditions of functions themselves are decided where these stand, not inside of them.
    fn visit_item_fn_mut(&mut self, function: &mut ItemFn) {
        self.visit_signature_mut(&mut function.sig);
        self.visit_block_mut(&mut function.block);
    }

    fn visit_impl_item_fn_mut(&mut self, function: &mut ImplItemFn) {
        self.visit_signature_mut(&mut function.sig);
        self.visit_block_mut(&mut function.block);
    }

    fn visit_item_impl_mut(&mut self, block: &mut ItemImpl) {
        for item in &mut block.items {
            if let ImplItem::Fn(function) = item {
                self.visit_impl_item_fn_mut(function);
            }
        }
    }

    fn visit_item_mod_mut(&mut self, module: &mut ItemMod) {
        for item in module.content.iter_mut().flat_map(|(_, items)| items) {
            if matches!(item, Item::Fn(_) | Item::Impl(_) | Item::Mod(_)) {
                self.visit_item_mut(item);
            }
        }
    }
}
