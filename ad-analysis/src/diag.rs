//! Errors for the user: collected, each on its span, and reported all at once.

use proc_macro2::{Span, TokenStream};
use std::cell::RefCell;

/// An error: what is wrong, and what to do.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    /// Where.
    pub span: Span,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub help: String,
}

/// Collects errors. Dropping it without having looked at them is a bug of the caller.
#[derive(Debug, Default)]
pub struct Errors {
    found: RefCell<Option<Vec<Diagnostic>>>,
}

impl Errors {
    /// No errors yet.
    pub fn new() -> Self {
        Self { found: RefCell::new(Some(Vec::new())) }
    }

    /// Adds an error.
    pub fn report(&self, span: Span, message: impl Into<String>, help: impl Into<String>) {
        let diagnostic = Diagnostic { span, message: message.into(), help: help.into() };
        let mut found = self.found.borrow_mut();
        let list = found.as_mut().expect("errors are reported before they are taken");
        let known = |other: &Diagnostic| {
            other.message == diagnostic.message
                && format!("{:?}", other.span) == format!("{:?}", diagnostic.span)
        };
        if !list.iter().any(known) {
            list.push(diagnostic);
        }
    }

    /// Adds an error of the parser, and what would have been right.
    pub fn report_syntax(&self, error: &syn::Error, help: &str) {
        for error in error.clone() {
            self.report(error.span(), error.to_string(), help);
        }
    }

    /// Whether nothing has been reported.
    pub fn is_empty(&self) -> bool {
        self.found.borrow().as_ref().is_none_or(Vec::is_empty)
    }

    /// How many have been reported.
    pub fn count(&self) -> usize {
        self.found.borrow().as_ref().map_or(0, Vec::len)
    }

    /// Takes those back that were reported when there were `count` already.
    pub fn take_back(&self, count: usize) -> Vec<Diagnostic> {
        let mut found = self.found.borrow_mut();
        found.as_mut().map_or_else(Vec::new, |list| list.split_off(count))
    }

    /// Ends the collection.
    pub fn take(self) -> Vec<Diagnostic> {
        self.found.borrow_mut().take().unwrap_or_default()
    }
}

impl Drop for Errors {
    fn drop(&mut self) {
        if self.found.borrow().is_some() && !std::thread::panicking() {
            panic!("errors were collected and not looked at");
        }
    }
}

impl Diagnostic {
    /// The error as rustc will show it.
    pub fn to_compile_error(&self) -> TokenStream {
        let Self { span, message, help } = self;
        let text =
            if help.is_empty() { message.clone() } else { format!("{message}\nhelp: {help}") };
        syn::Error::new(*span, text).to_compile_error()
    }
}
