//! What is known of tokens only as long as they are those that came in: groups around the fragments of a macro, who has
//! written a name, which of two attributes alike is which. All that is settled here, once, in the copy of the item that
//! the compiler works on; from then on a name and a number in the text say everything.

mod aliases;
mod attributes;
mod closures;
mod conditions;
mod constants;
mod declaring;
mod expander;
mod expansion;
mod format_strings;
mod imported;
mod inner_functions;
mod inside_macros;
mod library;
mod lifetimes;
mod lists_of_functions;
mod macro_rules;
mod methods;
mod names;
mod of_other_crates;
mod own_names;
mod precedence;
mod proofs;
mod receiver;
mod scopes;
mod values;

pub use crate::context::paths_of_import;
pub use attributes::{attributes_of, conditions_of, without_attributes};
pub use conditions::{
    Decided, HOLDS, Known, Said, Undecided, decided, is_method, text_of, with_told,
};
pub use constants::takes_all;
pub use declaring::hidden_by_macros;
pub use expansion::{Definition, Macros};
pub use format_strings::names_in;
pub(crate) use inside_macros::{choice_of_matches, tokens_of_matches};
pub use library::{is_known_function, is_library_macro, is_macro_of_library, trait_of_operator};
pub use lifetimes::{hides_lifetimes, name_without_lifetimes};
pub use lists_of_functions::calls_as_choices;
pub use names::looks_like_variable;
pub use of_other_crates::rules_of_other_crate;
pub(crate) use own_names::words_in;
pub use precedence::parenthesised;
pub use receiver::rename_receiver;

use crate::diag::Errors;
use crate::walk::visit_mut::{self, VisitMut};
use aliases::Aliases;
use imported::Imported;
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use std::collections::BTreeMap;
use syn::{Attribute, Block, Expr, FnArg, ImplItemFn, ItemFn, Macro, Meta, Signature, Type};

/// What `#[passive]` on an expression or a statement is called when it has been read: its argument says which one it is.
pub const PASSIVE: &str = "__passive";

/// The attributes that only this macro understands.
pub const REQUESTS: [&str; 7] =
    ["checkpoint", "split", "passive", PASSIVE, "fixed_point", "independent", "repeatable"];

/// What is told of the names in an item.
#[derive(Clone, Copy)]
pub struct Told<'o> {
    /// Methods that are those of operators if they are called on floats.
    pub operators: &'o [Ident],
    /// Functions of the standard library, by the names by which they are imported.
    pub library: &'o [(Ident, TokenStream)],
    /// Types with lifetimes, once for each.
    pub lifetimes: &'o [Ident],
    /// Other names of types, and these.
    pub aliases: &'o BTreeMap<String, String>,
}

/// Reads an item. What it had to assume of names is proved by the items returned, whose tokens must stay as they are.
pub fn read(
    facade: Option<&TokenStream>,
    told: Told<'_>,
    errors: &Errors,
    visit: impl FnOnce(&mut Reader<'_>),
) -> TokenStream {
    let facade = facade.cloned().unwrap_or_else(|| quote!(::backsweep));
    let aliases = Aliases::of(told.aliases);
    let proofs = TokenStream::new();
    let mut reader = Reader { facade, told, aliases, errors, proofs, marks: 0, depth: 0 };
    visit(&mut reader);
    reader.proofs
}

/// Proofs in an `impl` block: there they are in a constant, which has a name.
pub fn in_impl(proofs: TokenStream, function: &str) -> TokenStream {
    if proofs.is_empty() {
        return proofs;
    }
    let name = quote::format_ident!("__NAMES_IN_{}", function.trim_start_matches("r#"));
    quote! {
        #[doc(hidden)]
        #[allow(dead_code, non_upper_case_globals)]
        const #name: () = { #proofs };
    }
}

/// Proves, in an `impl` block, of what type that is.
pub fn proof_of_block(self_type: &Type, function: &str) -> TokenStream {
    let name = quote::format_ident!("__BLOCK_OF_{}", function.trim_start_matches("r#"));
    quote! {
        #[doc(hidden)]
        #[allow(dead_code, non_upper_case_globals)]
        const #name: fn(&Self) = |value| {
            let _: &#self_type = value;
        };
    }
}

/// Reads functions, wherever they stand.
pub struct Reader<'e> {
    facade: TokenStream,
    told: Told<'e>,
    aliases: Aliases,
    errors: &'e Errors,
    proofs: TokenStream,
    /// How many marks have been numbered.
    marks: usize,
    /// Functions around the present place.
    depth: usize,
}

impl Reader<'_> {
    /// What is in a function has been read. Those inside of others are kept as they are.
    fn function(&mut self, sig: &mut Signature, block: &mut Block) {
        let is_taken_apart = self.depth == 0;
        if is_taken_apart {
            let imported = Imported::in_function(sig, block, self.told.library);
            let operators = self.told.operators;
            self.proofs.extend(library::proof(sig, block, &imported, operators, &self.facade));
            imported.write_out(block, &self.facade);
            self.proofs.extend(constants::tell(block));
        }
        self.proofs.extend(names::resolve(sig, block, &self.facade, is_taken_apart, self.errors));
    }
}

impl VisitMut for Reader<'_> {
    fn visit_item_fn_mut(&mut self, function: &mut ItemFn) {
        if self.depth == 0 {
            lifetimes::name(&mut function.sig, self.told.lifetimes);
            inner_functions::as_closures(&function.sig, &mut function.block);
        }
        self.depth += 1;
        visit_mut::visit_item_fn_mut(self, function);
        self.depth -= 1;
        self.function(&mut function.sig, &mut function.block);
    }

    fn visit_impl_item_fn_mut(&mut self, function: &mut ImplItemFn) {
        if self.depth == 0 {
            lifetimes::name(&mut function.sig, self.told.lifetimes);
            inner_functions::as_closures(&function.sig, &mut function.block);
        }
        self.depth += 1;
        visit_mut::visit_impl_item_fn_mut(self, function);
        self.depth -= 1;
        self.function(&mut function.sig, &mut function.block);
    }

    /// Marks on parameters are told by the names of those.
    fn visit_signature_mut(&mut self, sig: &mut Signature) {
        self.visit_generics_mut(&mut sig.generics);
        for input in &mut sig.inputs {
            if let FnArg::Typed(param) = input {
                self.visit_type_mut(&mut param.ty);
            }
        }
        self.visit_return_type_mut(&mut sig.output);
    }

    fn visit_attribute_mut(&mut self, attr: &mut Attribute) {
        if let Meta::List(list) = &mut attr.meta {
            list.tokens = parenthesised(std::mem::take(&mut list.tokens));
        }
        if attr.path().is_ident("passive") && attr.meta.require_path_only().is_ok() {
            let name = proc_macro2::Ident::new(PASSIVE, attr.path().segments[0].ident.span());
            let number = self.marks;
            attr.meta = syn::parse_quote!(#name(#number));
            self.marks += 1;
        }
    }

    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        visit_mut::visit_expr_mut(self, expr);
        precedence::ungroup(expr);
        self.write_out_owner(expr);
    }

    fn visit_type_mut(&mut self, ty: &mut Type) {
        visit_mut::visit_type_mut(self, ty);
        if let Type::Group(group) = ty {
            *ty = (*group.elem).clone();
        }
        self.write_out_type(ty);
    }

    fn visit_macro_mut(&mut self, mac: &mut Macro) {
        mac.tokens = parenthesised(std::mem::take(&mut mac.tokens));
    }
}
