//! The schedule that an attribute asks for.

use crate::diag::Errors;
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Attribute, Expr, ExprAssign, Lit, Token};

/// How a loop is reversed.
pub struct Plan {
    /// What is kept of its states.
    pub kept: Kept,
    /// Where more of them are.
    pub disk: Option<Disk>,
}

/// Which states are kept in memory.
pub enum Kept {
    /// `snapshots = n`: so many.
    Snapshots(Expr),
    /// `memory = …`: as many as so many bytes are enough for.
    Memory(Expr),
    /// `every = k`: every `k`th.
    Every(Expr),
}

/// `disk = directory`: snapshots on disk.
pub struct Disk {
    /// Where.
    pub directory: Expr,
    /// `on_disk = m`: how many.
    pub number: Option<Expr>,
}

/// What is known of the number of iterations before the first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Length {
    /// The number.
    Known,
    /// Nothing: the iterations find out.
    FoundOut,
}

const HELP: &str = "write `#[checkpoint(snapshots = n)]`, `#[checkpoint(memory = \"64MB\")]` or \
                    `#[checkpoint(every = k)]`; to the first two `disk = \"directory\"` may be added";

impl Plan {
    /// What an attribute says. What is wrong with it is reported.
    pub(super) fn parse(attribute: &Attribute, length: Length, errors: &Errors) -> Option<Self> {
        let options = match options_of(attribute) {
            Ok(options) => options,
            Err(error) => {
                errors.report_syntax(&error, HELP);
                return None;
            }
        };
        let refuse = |span: Span, what: String| {
            errors.report(span, format!("{what} is not supported here yet"), HELP);
            None
        };
        let (mut kept, mut directory, mut number) = (None, None, None);
        for (name, value) in options {
            let span = name.span();
            let known = match name.to_string().as_str() {
                "snapshots" => kept.replace(Kept::Snapshots(value)).is_none(),
                "every" if length == Length::FoundOut => {
                    return refuse(span, "`every` on a loop whose length is found out".to_owned());
                }
                "every" => kept.replace(Kept::Every(value)).is_none(),
                "memory" => kept.replace(Kept::Memory(bytes(value, errors)?)).is_none(),
                "disk" if length == Length::FoundOut => {
                    return refuse(span, "`disk` on a loop whose length is found out".to_owned());
                }
                "disk" => directory.replace((span, value)).is_none(),
                "on_disk" => number.replace((span, value)).is_none(),
                other => return refuse(span, format!("`{other}`")),
            };
            if !known {
                return refuse(span, format!("`{name}` besides what stands before it"));
            }
        }
        let disk = match (directory, number) {
            (Some((span, _)), _) if !matches!(kept, Some(Kept::Snapshots(_) | Kept::Memory(_))) => {
                return refuse(span, "`disk` without `snapshots` or `memory`".to_owned());
            }
            (Some((_, directory)), number) => {
                Some(Disk { directory, number: number.map(|(_, number)| number) })
            }
            (None, Some((span, _))) => return refuse(span, "`on_disk` without `disk`".to_owned()),
            (None, None) => None,
        };
        let Some(kept) = kept else {
            return refuse(
                attribute.meta.span(),
                "a checkpointed loop without a schedule".to_owned(),
            );
        };
        if let Kept::Snapshots(number) | Kept::Every(number) = &kept
            && disk.is_none()
            && is_zero(number)
        {
            return refuse(number.span(), "a schedule without snapshots".to_owned());
        }
        Some(Self { kept, disk })
    }

    /// The numbers in it, with their names in generated code and their types.
    pub(super) fn numbers(&self) -> Vec<(&'static str, TokenStream, &Expr)> {
        let (Kept::Snapshots(number) | Kept::Memory(number) | Kept::Every(number)) = &self.kept;
        let on_disk = self.disk.as_ref().and_then(|disk| disk.number.as_ref());
        let numbers =
            [("number", number)].into_iter().chain(on_disk.map(|number| ("on_disk", number)));
        numbers.map(|(name, number)| (name, quote!(usize), number)).collect()
    }

    /// The type of the schedule.
    pub(super) fn schedule_type(&self, length: Length) -> Ident {
        let name = match (&self.kept, length) {
            _ if self.disk.is_some() => "Multistage",
            (Kept::Every(_), _) => "Periodic",
            (Kept::Snapshots(_) | Kept::Memory(_), Length::Known) => "Binomial",
            (Kept::Snapshots(_) | Kept::Memory(_), Length::FoundOut) => "Online",
        };
        Ident::new(name, Span::call_site())
    }

    /// The schedule, for `count` steps; the numbers and `initial`, a state, are at hand.
    pub(super) fn schedule(&self, rt: &TokenStream, length: Length) -> TokenStream {
        let ty = self.schedule_type(length);
        let number = match &self.kept {
            Kept::Memory(_) => quote!(#rt::schedule::affordable(number, &initial)),
            Kept::Snapshots(_) | Kept::Every(_) => quote!(number),
        };
        match (&self.disk, length) {
            (Some(Disk { number: Some(_), .. }), _) => {
                quote!(#rt::schedule::#ty::new(count, #number, on_disk))
            }
            (Some(Disk { number: None, .. }), _) => {
                quote!(#rt::schedule::#ty::repeating_twice(count, #number))
            }
            (None, Length::Known) => quote!(#rt::schedule::#ty::new(count, #number)),
            (None, Length::FoundOut) => quote!(#rt::schedule::#ty::new(#number)),
        }
    }
}

/// Whether a number is 0 for everybody to see.
fn is_zero(number: &Expr) -> bool {
    let Expr::Lit(literal) = number else { return false };
    matches!(&literal.lit, Lit::Int(int) if int.base10_digits() == "0")
}

pub(super) fn options_of(attribute: &Attribute) -> syn::Result<Vec<(Ident, Expr)>> {
    let tokens = attribute.meta.require_list()?.tokens.clone();
    let parse = Punctuated::<ExprAssign, Token![,]>::parse_terminated;
    let options = parse.parse2(tokens)?.into_iter().map(|option| match &*option.left {
        Expr::Path(path) => Ok((path.path.require_ident()?.clone(), *option.right)),
        other => Err(syn::Error::new(other.span(), "expected a name")),
    });
    options.collect()
}

/// The expressions in an attribute that rustc does not see without it.
pub(super) fn expressions_of(attribute: &Attribute) -> Vec<Expr> {
    options_of(attribute).into_iter().flatten().map(|(_, value)| value).collect()
}

/// A number of bytes, which a literal may give with a unit.
fn bytes(value: Expr, errors: &Errors) -> Option<Expr> {
    let Expr::Lit(literal) = &value else { return Some(value) };
    let Lit::Str(text) = &literal.lit else { return Some(value) };
    let found = parse_bytes(&text.value());
    if found.is_none() {
        errors.report(
            text.span(),
            "this is no amount of memory",
            "write a number and a unit: B, KB, MB, GB, TB, KiB, MiB, GiB or TiB",
        );
    }
    let bytes = syn::LitInt::new(&format!("{}usize", found?), text.span());
    Some(syn::parse_quote!(#bytes))
}

fn parse_bytes(text: &str) -> Option<u64> {
    const UNITS: [(&str, u64); 9] = [
        ("B", 1),
        ("KB", 1_000),
        ("MB", 1_000_000),
        ("GB", 1_000_000_000),
        ("TB", 1_000_000_000_000),
        ("KiB", 1 << 10),
        ("MiB", 1 << 20),
        ("GiB", 1 << 30),
        ("TiB", 1 << 40),
    ];
    let text = text.trim();
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '_').unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let (_, factor) = UNITS.iter().find(|(name, _)| *name == unit.trim())?;
    number.replace('_', "").parse::<u64>().ok()?.checked_mul(*factor)
}
