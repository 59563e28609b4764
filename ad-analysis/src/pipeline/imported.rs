//! Functions that others find by an import only: their entries are in a module that is hidden from these. A trait leads to them by a path
//! that function and callers both prove.

use crate::bodies::{from_root, item_of, names_proof, proven, takes_functions};
use crate::context::{Entries, Names};
use crate::options::{IMPORTED, IMPORTS, Options, key_of, path_of_key};
use proc_macro2::{Span, TokenStream};
use syn::Item;

/// `imports(path = a::f, …)`, if others find a function by these paths only.
pub(super) fn imports_of(names: &Names, function: &str) -> String {
    if names.entries(function) != Some(Entries::Beside) {
        return String::new();
    }
    let paths = names.imports_of_own(function).into_iter().enumerate();
    let paths: Vec<String> =
        paths.map(|(n, path)| format!("path_{n} = {}", path.join("::"))).collect();
    match paths.is_empty() {
        true => String::new(),
        false => format!("{IMPORTS}({}),", paths.join(", ")),
    }
}

/// `imported(g = a::g)`, of a callee of an item whose module is hidden from the item.
pub(super) fn imported(names: &Names, item: &Item, callee: &[String]) -> Option<String> {
    // The names in a module are not those around it.
    if matches!(item, Item::Mod(_)) {
        return None;
    }
    let path = names.import_of(callee)?;
    // Functions that take functions have no entries.
    let function = item_of(names.function(callee)?.text(), Span::call_site())?;
    if takes_functions(&function.sig) {
        return None;
    }
    Some(format!("{IMPORTED}({} = {}),", key_of(callee), path.join("::")))
}

/// Proves in the module of a caller that the paths of callees mean what they were found by.
pub(super) fn proof_of_callees(options: &Options) -> TokenStream {
    let named = options.imported.iter().map(|(key, path)| (path_of_key(&key.to_string()), path));
    let named: Vec<(String, &TokenStream)> = named.collect();
    let meant = named.iter().map(|(written, path)| (written.as_str(), vec![from_root(path)]));
    proven(names_proof(meant))
}

/// Proves in the module of a function that others have it by the paths of its imports.
pub(super) fn proof_of_function(options: &Options, function: &str) -> TokenStream {
    let paths: Vec<TokenStream> = options.imports.iter().map(|(_, path)| from_root(path)).collect();
    match paths.is_empty() {
        true => TokenStream::new(),
        false => proven(names_proof([(function, paths)])),
    }
}
