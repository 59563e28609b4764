//! The signature of a function, as emission repeats it.

use crate::index::Var;
use crate::ir::Carrier;
use proc_macro2::{Ident, TokenStream};

/// How an argument gets to a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Passing {
    /// By value.
    Value,
    /// As a `&`.
    Shared,
    /// As a `&mut`.
    Exclusive,
}

/// A parameter.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// The variable in the IR.
    pub var: Var,
    /// The name in generated signatures.
    pub ident: Ident,
    /// The names the user gave it: one, or those its pattern binds.
    pub names: Vec<Ident>,
    /// The type, references included.
    pub ty: TokenStream,
    /// The type behind the reference, or the type itself.
    pub pointee: TokenStream,
    /// How it is passed.
    pub passing: Passing,
    /// Whether it is among the independents.
    pub independent: bool,
    /// Whether it is among the dependents.
    pub dependent: bool,
}

impl Parameter {
    /// Whether the entries have a bar for it.
    pub fn has_bar(&self) -> bool {
        self.independent || self.dependent
    }
}

/// The signature of a function.
#[derive(Clone, Debug)]
pub struct Interface {
    /// The name of the function.
    pub name: Ident,
    /// The name of the struct that carries the entries.
    pub entries: Ident,
    /// Whether the entries are free functions beside the function.
    pub beside: bool,
    /// The visibility.
    pub visibility: TokenStream,
    /// The generic parameters in angle brackets, without the brackets: as they are.
    pub generics: TokenStream,
    /// The names of the generic parameters that can be given explicitly.
    pub generic_args: Vec<TokenStream>,
    /// The where clause.
    pub bounds: TokenStream,
    /// What the derivatives ask of type parameters besides.
    pub demands: Vec<TokenStream>,
    /// The parameters.
    pub params: Vec<Parameter>,
    /// The type that is returned; `None` for `()`.
    pub output: Option<TokenStream>,
    /// What that carries the result in, if the function may fail.
    pub carrier: Option<Carrier>,
    /// The type of the result; `None` for `()`.
    pub payload: Option<TokenStream>,
    /// Whether the result is a dependent.
    pub output_dependent: bool,
    /// The path of the facade.
    pub facade: TokenStream,
}
