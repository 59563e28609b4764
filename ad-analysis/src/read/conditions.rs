//! `#[cfg(…)]` and `#[cfg_attr(…)]` inside of functions. Only rustc knows whether a condition holds, and it tells derive
//! macros: their input has lost what is not there. So an item with conditions inside of functions becomes a struct with
//! a field for each condition, and the item in an attribute of that struct; the derive macro on it sees which fields are
//! left, and expands the item without what is not there. Definitions of macros that the item calls, which may be there under
//! conditions, come along. What these stand for may have conditions of its own, and which macro is called may depend on others: so
//! where there are conditions that were not asked for, the derive macro makes another struct.

use super::attributes_of;
use super::expansion::{Definition, Macros};
use crate::walk::visit_mut::{self, VisitMut};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use std::hash::{DefaultHasher, Hash, Hasher};
use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{
    Arm, Attribute, Block, Data, DeriveInput, Error, Expr, ExprArray, ExprCall, ExprMatch,
    ExprMethodCall, ExprStruct, ExprTuple, FieldPat, FieldValue, FnArg, ImplItem, ImplItemFn, Item,
    ItemFn, ItemImpl, ItemMod, ItemTrait, LitBool, LitStr, Meta, MetaList, PatStruct, Result,
    Signature, Stmt, Token, TraitItem,
};

/// The derive macro, and its attribute with what the item was annotated with, and the item.
const DERIVE: &str = "Conditions";
const ANNOTATED: &str = "annotated";

/// An option that only the macro writes: `holds("feature=\"f32\"")`, the conditions that rustc has found to hold, without spaces.
pub const HOLDS: &str = "holds";

/// An item with the macros that it calls, until its conditions are decided.
pub struct Undecided<'i> {
    /// The item as it was written.
    pub tokens: &'i TokenStream,
    /// The item as it was parsed.
    pub item: &'i Item,
    /// The macros of the crate that it calls.
    pub macros: &'i Macros,
}

impl Undecided<'_> {
    /// The item with its macros expanded, as if everything in it were there, and the conditions of all of that.
    pub fn with_all(&self) -> (Item, Vec<TokenStream>) {
        self.settled(Conditions::default())
    }

    /// The item without what is not there as far as is known, its macros expanded, and the conditions of which it is not known whether they hold.
    fn settled(&self, conditions: Conditions) -> (Item, Vec<TokenStream>) {
        let (mut item, mut conditions) = (self.item.clone(), conditions);
        conditions.visit_item_mut(&mut item);
        let conditions = self.macros.expand_deciding(&mut item, conditions);
        (item, conditions.found)
    }

    /// The struct that stands for the item until `open` is decided, too.
    pub fn to_struct(
        &self,
        facade: Option<&TokenStream>,
        arguments: &TokenStream,
        known: &Known,
        open: &[TokenStream],
    ) -> TokenStream {
        let facade = facade.cloned().unwrap_or_else(|| quote!(::backsweep));
        let fields = open.iter().enumerate().map(|(position, condition)| {
            let name = field(position);
            quote_spanned!(condition.span()=> #[cfg(#condition)] #name: ())
        });
        let definitions = self.macros.0.iter().flat_map(|(path, definitions)| {
            definitions.iter().map(move |Definition { conditions, rules }| {
                quote!(#path (#((#conditions))*) { #rules })
            })
        });
        let before = known.0.iter().map(|(condition, holds)| quote!(#condition #holds));
        let (derive, annotated) = (format_ident!("{DERIVE}"), format_ident!("{ANNOTATED}"));
        let round = match known.0.len() {
            0 => String::new(),
            count => format!("_after_{count}"),
        };
        let name = format_ident!("__ConditionsIn_{}{round}", name_of(self.item));
        let tokens = self.tokens;
        quote! {
            #[doc(hidden)]
            #[allow(dead_code, non_camel_case_types)]
            #[derive(#facade::__private::#derive)]
            #[#annotated((#arguments) (#(#definitions)*) (#(#before)*) #tokens)]
            struct #name { #(#fields),* }
        }
    }
}

/// Conditions of an item, and those of what the files of the crate tell of it, each once.
pub fn with_told(mut of_item: Vec<TokenStream>, told: Vec<TokenStream>) -> Vec<TokenStream> {
    for condition in told {
        if !of_item.iter().any(|known| text_of(known) == text_of(&condition)) {
            of_item.push(condition);
        }
    }
    of_item
}

/// What rustc has decided: the text of each condition, and whether it holds.
#[derive(Clone, Default)]
pub struct Known(Vec<(String, bool)>);

/// Whether an item is a method: no struct can stand in the `impl` block around it.
pub fn is_method(item: &Item) -> bool {
    matches!(item, Item::Fn(function) if function.sig.receiver().is_some())
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
pub fn text_of(condition: &TokenStream) -> String {
    condition.to_string().replace(char::is_whitespace, "")
}

fn field(position: usize) -> Ident {
    format_ident!("condition_{position}")
}

/// What is left of an item when rustc has decided conditions.
pub enum Decided {
    /// What the item was annotated with, the item as it was written, and the item without what is not there, its macros expanded.
    All(TokenStream, TokenStream, Box<Item>),
    /// There are others.
    Struct(TokenStream),
}

/// What the arguments of an item say.
pub struct Said {
    /// How generated code names the facade.
    pub facade: Option<TokenStream>,
    /// The conditions of what the files of the crate tell.
    pub conditions: Vec<TokenStream>,
}

/// Takes apart what [`Undecided::to_struct`] made, once rustc has decided the conditions. The arguments get those that hold, `holds((…), …)`.
pub fn decided(input: TokenStream, said: impl FnOnce(&TokenStream) -> Said) -> Result<Decided> {
    let input: DeriveInput = syn::parse2(input)?;
    let annotated = input.attrs.iter().find(|attr| attr.path().is_ident(ANNOTATED));
    let nothing = || Error::new(Span::call_site(), "this derive macro is for generated code");
    let Some(Meta::List(list)) = annotated.map(|attr| &attr.meta) else { return Err(nothing()) };
    let parts = |input: ParseStream<'_>| {
        let (arguments, definitions, before);
        syn::parenthesized!(arguments in input);
        syn::parenthesized!(definitions in input);
        syn::parenthesized!(before in input);
        let (macros, known) = (macros_in(&definitions)?, known_in(&before)?);
        Ok((arguments.parse::<TokenStream>()?, macros, known, input.parse::<TokenStream>()?))
    };
    let (arguments, macros, Known(mut known), tokens) = parts.parse2(list.tokens.clone())?;
    let Said { facade, conditions: mut told } = said(&arguments);
    let is_open =
        |condition: &TokenStream| !known.iter().any(|(text, _)| *text == text_of(condition));
    told.retain(is_open);
    let Data::Struct(fields) = &input.data else { return Err(nothing()) };
    let parsed: Item = syn::parse2(tokens.clone())?;
    let undecided = Undecided { tokens: &tokens, item: &parsed, macros: &macros };
    let settled = |known: &[(String, bool)]| {
        undecided.settled(Conditions { known: known.to_vec(), found: Vec::new() })
    };
    let asked = with_told(settled(&known).1, told);
    let decided = asked.iter().enumerate().map(|(position, condition)| {
        let name = field(position);
        let holds = fields.fields.iter().any(|field| field.ident.as_ref() == Some(&name));
        (text_of(condition), holds)
    });
    known.extend(decided);
    let (item, open) = settled(&known);
    Ok(match open.is_empty() {
        true => {
            let holds = known.iter().filter(|(_, holds)| *holds).map(|(text, _)| text);
            let name = format_ident!("{HOLDS}");
            let arguments = quote!(#name(#(#holds),*), #arguments);
            Decided::All(arguments, tokens, Box::new(item))
        }
        false => {
            let next = undecided.to_struct(facade.as_ref(), &arguments, &Known(known), &open);
            Decided::Struct(next)
        }
    })
}

/// `"condition" holds`, repeated.
fn known_in(input: ParseStream<'_>) -> Result<Known> {
    let mut known = Vec::new();
    while !input.is_empty() {
        let (condition, holds): (LitStr, LitBool) = (input.parse()?, input.parse()?);
        known.push((condition.value(), holds.value));
    }
    Ok(Known(known))
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

/// Finds conditions, and decides those that are known.
#[derive(Default)]
pub(super) struct Conditions {
    known: Vec<(String, bool)>,
    /// Those that are not known, each once.
    found: Vec<TokenStream>,
}

impl Conditions {
    /// Whether a condition holds, if that is known. If it is not, notes it.
    pub(super) fn decided(&mut self, condition: &TokenStream) -> Option<bool> {
        let text = text_of(condition);
        let known = self.known.iter().find(|(known, _)| *known == text);
        if known.is_none() && !self.found.iter().any(|found| text_of(found) == text) {
            self.found.push(condition.clone());
        }
        known.map(|(_, holds)| *holds)
    }

    /// Whether what has a condition is there as far as is known.
    fn holds(&mut self, condition: &TokenStream) -> bool {
        self.decided(condition).unwrap_or(true)
    }

    /// Leaves out what is not there.
    pub(super) fn statements(&mut self, stmts: &mut Vec<Stmt>) {
        stmts.retain(|stmt| self.is_there(attributes_of_stmt(stmt)));
        stmts.iter_mut().for_each(|stmt| self.visit_stmt_mut(stmt));
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
        // Behind the last field there is a comma if `..rest` follows.
        let has_trailing = list.trailing_punct();
        let items = std::mem::take(list).into_iter();
        *list = items.filter(|item| self.is_there(attributes(item))).collect();
        if has_trailing && !list.is_empty() {
            list.push_punct(P::default());
        }
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
        self.statements(&mut block.stmts);
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

    fn visit_item_trait_mut(&mut self, of_trait: &mut ItemTrait) {
        for item in &mut of_trait.items {
            if let TraitItem::Fn(function) = item {
                self.visit_signature_mut(&mut function.sig);
                function.default.iter_mut().for_each(|block| self.visit_block_mut(block));
            }
        }
    }

    fn visit_item_mod_mut(&mut self, module: &mut ItemMod) {
        for item in module.content.iter_mut().flat_map(|(_, items)| items) {
            if matches!(item, Item::Fn(_) | Item::Impl(_) | Item::Mod(_) | Item::Trait(_)) {
                self.visit_item_mut(item);
            }
        }
    }
}
