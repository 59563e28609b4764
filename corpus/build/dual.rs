//! The corpus in dual numbers.

use crate::source::{self, Source, has_floats};
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::visit_mut::{self, VisitMut};
use syn::{BinOp, Expr, ExprPath, Ident, Item, Lit, Macro, Path, Token, Type};

/// The functions with dual numbers for floats.
pub fn modules(sources: &[Source]) -> TokenStream {
    source::modules("dual", sources, items)
}

/// A file with dual numbers for floats.
pub fn items(source: &Source) -> Vec<Item> {
    let mut source = source.without_attributes();
    let mut dualise = Dualise { file: &source.name };
    source.items.iter_mut().for_each(|item| dualise.visit_item_mut(item));
    source.items
}

struct Dualise<'a> {
    file: &'a Ident,
}

/// Whether a path is `f64` or `f32`, or something in it.
fn is_of_floats(path: &Path) -> bool {
    path.segments.first().is_some_and(|first| first.ident == "f64" || first.ident == "f32")
}

/// The name of a constant of `std::f64::consts`, if the path is one.
fn constant_of_std(path: &Path) -> Option<&Ident> {
    let names: Vec<String> = path.segments.iter().map(|part| part.ident.to_string()).collect();
    let at = names.iter().position(|name| name == "consts")?;
    let is_float = at > 0 && ["f64", "f32"].contains(&names[at - 1].as_str());
    is_float.then(|| path.segments.last().map(|last| &last.ident))?
}

fn is_compound(op: &BinOp) -> bool {
    matches!(
        op,
        BinOp::AddAssign(_)
            | BinOp::SubAssign(_)
            | BinOp::MulAssign(_)
            | BinOp::DivAssign(_)
            | BinOp::RemAssign(_)
    )
}

impl Dualise<'_> {
    /// The arguments of `matches!`, which are those of a `match`.
    fn matches(&mut self, tokens: TokenStream) -> TokenStream {
        let parser = |input: syn::parse::ParseStream<'_>| {
            let value: Expr = input.parse()?;
            input.parse::<Token![,]>()?;
            let rest: TokenStream = input.parse()?;
            Ok((value, rest))
        };
        let (value, rest) = parser.parse2(tokens).expect("arguments of `matches!`");
        let mut choice: syn::ExprMatch = syn::parse_quote!(match #value { #rest => true });
        self.visit_expr_match_mut(&mut choice);
        let (value, pat) = (&choice.expr, &choice.arms[0].pat);
        quote!(#value, #pat)
    }

    /// An initialiser as a constant expression: operators of dual numbers are not constant, so it
    /// is computed in floats, with the plain constants it mentions, and converted.
    fn constant(&self, ty: &Type, init: &Expr) -> TokenStream {
        let file = self.file;
        let plain = |init: &dyn ToTokens| quote!({ use crate::plain::#file::*; #init });
        match ty {
            Type::Array(array) => {
                let (mut depth, mut element) = (1, &*array.elem);
                while let Type::Array(inner) = element {
                    (depth, element) = (depth + 1, &*inner.elem);
                }
                let init = plain(init);
                match depth {
                    1 => quote!(testkit::dual::list(#init)),
                    2 => quote!(testkit::dual::table(#init)),
                    _ => panic!("constants of {depth} dimensions are not converted yet"),
                }
            }
            Type::Reference(reference) => match (&*reference.elem, init) {
                (Type::Slice(slice), Expr::Reference(init)) => {
                    let element = &slice.elem;
                    let list = self.constant(&syn::parse_quote!([#element; 0]), &init.expr);
                    quote!(&#list)
                }
                _ => panic!("the constant `{}` is not converted yet", init.to_token_stream()),
            },
            _ => {
                let init = plain(init);
                quote!(testkit::dual::Dual::constant(#init as f64))
            }
        }
    }
}

impl VisitMut for Dualise<'_> {
    fn visit_item_mut(&mut self, item: &mut Item) {
        match item {
            Item::Const(item) if has_floats(&item.ty) => {
                let init = self.constant(&item.ty, &item.expr);
                *item.expr = Expr::Verbatim(init);
                self.visit_type_mut(&mut item.ty);
            }
            Item::Static(item) if has_floats(&item.ty) => {
                let init = self.constant(&item.ty, &item.expr);
                *item.expr = Expr::Verbatim(init);
                self.visit_type_mut(&mut item.ty);
            }
            Item::Use(import) => {
                let text = import.to_token_stream().to_string().replace(' ', "");
                for path in ["std::f64::consts", "core::f64::consts", "std::f32::consts"] {
                    if let Some(rest) = text.strip_prefix(&format!("use{path}")) {
                        let text = format!("use testkit::dual::consts{rest}");
                        *item = syn::parse_str(&text).expect("an import");
                        return;
                    }
                }
            }
            item => visit_mut::visit_item_mut(self, item),
        }
    }

    fn visit_type_mut(&mut self, ty: &mut Type) {
        visit_mut::visit_type_mut(self, ty);
        if matches!(ty, Type::Path(path) if path.path.is_ident("f64") || path.path.is_ident("f32"))
        {
            *ty = syn::parse_quote!(testkit::dual::Dual);
        }
    }

    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        if let Expr::Cast(cast) = expr {
            self.visit_expr_mut(&mut cast.expr);
            let is_single = cast.ty.to_token_stream().to_string() == "f32";
            self.visit_type_mut(&mut cast.ty);
            let (value, ty) = (&cast.expr, &cast.ty);
            *expr = if is_single {
                syn::parse_quote!(testkit::dual::narrow(#value))
            } else {
                syn::parse_quote!(testkit::dual::cast::<#ty, _>(#value))
            };
            return;
        }
        visit_mut::visit_expr_mut(self, expr);
        match expr {
            // Floats evaluate the operand first; overloaded operators evaluate the place first.
            Expr::Binary(binary) if is_compound(&binary.op) => {
                let operand = std::mem::replace(&mut *binary.right, syn::parse_quote!(__operand));
                *expr = syn::parse_quote!({ let __operand = #operand; #binary });
            }
            Expr::Lit(literal) => {
                if let Lit::Float(float) = &literal.lit {
                    let digits: Lit =
                        syn::parse_str(&format!("{}_f64", float.base10_digits())).expect("a float");
                    *expr = syn::parse_quote!(testkit::dual::Dual::constant(#digits));
                }
            }
            Expr::Path(ExprPath { path, .. }) => {
                if let Some(name) = constant_of_std(path) {
                    *expr = syn::parse_quote!(testkit::dual::consts::#name);
                } else if is_of_floats(path) {
                    let rest = path.segments.iter().skip(1);
                    *expr = syn::parse_quote!(testkit::dual::Dual #(::#rest)*);
                }
            }
            _ => {}
        }
    }

    fn visit_macro_mut(&mut self, mac: &mut Macro) {
        if mac.path.is_ident("matches") {
            mac.tokens = self.matches(mac.tokens.clone());
            return;
        }
        let list = Punctuated::<Expr, Token![,]>::parse_terminated.parse2(mac.tokens.clone());
        if let Ok(mut list) = list {
            list.iter_mut().for_each(|expr| self.visit_expr_mut(expr));
            mac.tokens = list.into_token_stream();
            return;
        }
        let array = syn::parse2::<syn::ExprRepeat>({
            let tokens = &mac.tokens;
            quote!([#tokens])
        });
        match array {
            Ok(mut repeat) => {
                self.visit_expr_mut(&mut repeat.expr);
                self.visit_expr_mut(&mut repeat.len);
                let (value, len) = (&repeat.expr, &repeat.len);
                mac.tokens = quote!(#value; #len);
            }
            Err(_) => panic!("the macro `{}` is not understood", mac.to_token_stream()),
        }
    }
}
