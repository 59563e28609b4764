//! `entries(…)`: of the entries for users those that are asked for, and those that these call.

use super::super::ident;
use super::{Entries, Entry};
use crate::diag::Diagnostic;
use crate::interface::Selection;
use proc_macro2::{Ident, Span, TokenStream, TokenTree};

impl Entries<'_> {
    pub(super) fn selected(&self, entries: Vec<Entry>) -> Vec<Entry> {
        let Some(Selection { asked, needed }) = &self.interface.selection else { return entries };
        let asked = asked.iter().map(ToString::to_string);
        let roots = asked.chain(needed.iter().map(|&name| name.to_owned()));
        let mut open: Vec<Ident> = roots.map(|name| self.entry_name(&name)).collect();
        let mut kept: Vec<Ident> = Vec::new();
        while let Some(name) = open.pop() {
            let Some(entry) = entries.iter().find(|entry| entry.name == name) else { continue };
            if !kept.contains(&name) {
                kept.push(name);
                own_functions_in(&entry.tokens, &mut open);
            }
        }
        entries.into_iter().filter(|entry| kept.contains(&entry.name)).collect()
    }

    /// Errors where an entry is asked for that the function does not have.
    pub(super) fn missing(&self) -> TokenStream {
        let Some(Selection { asked, .. }) = &self.interface.selection else {
            return TokenStream::new();
        };
        let entries = self.all_public();
        let has = |name: &Ident| entries.iter().any(|entry| entry.name == *name);
        let some = self.entry_name("of").to_string();
        let prefix = some.trim_end_matches("of");
        let missing = asked.iter().filter(|name| !has(&self.entry_name(&name.to_string())));
        let names = entries.iter().map(|entry| entry.name.to_string());
        let names: Vec<String> =
            names.map(|name| format!("`{}`", name.strip_prefix(prefix).unwrap_or(&name))).collect();
        let errors = missing.map(|name| {
            let message = format!("`{}` has no entry `{name}`", self.interface.name);
            let help = format!("it may have {}", names.join(", "));
            Diagnostic { span: name.span(), message, help }.to_compile_error()
        });
        errors.collect()
    }
}

/// The functions that code calls as `Self::name`.
fn own_functions_in(code: &TokenStream, names: &mut Vec<Ident>) {
    let tokens: Vec<TokenTree> = code.clone().into_iter().collect();
    for token in &tokens {
        if let TokenTree::Group(group) = token {
            own_functions_in(&group.stream(), names);
        }
    }
    for window in tokens.windows(4) {
        let [
            TokenTree::Ident(owner),
            TokenTree::Punct(_),
            TokenTree::Punct(colon),
            TokenTree::Ident(name),
        ] = window
        else {
            continue;
        };
        if owner == "Self" && colon.as_char() == ':' {
            names.push(ident(&name.to_string(), Span::call_site()));
        }
    }
}
