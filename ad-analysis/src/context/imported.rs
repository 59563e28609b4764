//! Functions in modules of their names, which others find by an import only: `mod area; pub use area::area;`. Their entries are in that
//! module, which is hidden from those who have the import from elsewhere.

use super::bodies::Function;
use super::meaning::Named;
use super::names::Names;

impl Names {
    /// The paths from the root of the crate by which others import the item, a function in a module of its name that is hidden.
    pub fn imports_of_own(&self, name: &str) -> Vec<Vec<String>> {
        let imports = self.own_function(name).map(|function| function.imports());
        imports.into_iter().flatten().map(|named| from_root(&named)).collect()
    }

    /// The one of these paths that leads to the function which the item calls by another path, if the module of the function is hidden from
    /// the item, and the function is annotated.
    pub fn import_of(&self, path: &[String]) -> Option<Vec<String>> {
        let is_raw = path.iter().any(|name| name.starts_with("r#"));
        let function = self.function(path).filter(|_| !is_raw)?;
        let is_seen = function.found.paths.first()?.may_be_used(self);
        let is_annotated = || function.attributes().into_iter().any(is_ours);
        if is_seen || !function.is_in_module_of_its_name() || !is_annotated() {
            return None;
        }
        function.imports().iter().find(|named| named.may_be_used(self)).map(from_root)
    }
}

impl Function {
    /// Paths that others may have it by, who do not see its module.
    fn imports(&self) -> Vec<Named> {
        self.own_paths().into_iter().skip(1).collect()
    }

    /// Whether its entries are in the module around it.
    fn is_in_module_of_its_name(&self) -> bool {
        let (scope, name) = (&self.found.scope, self.found.scope.name(&self.found.item));
        let is_of_its_name = scope.path.last().is_some_and(|own| own.name == name);
        is_of_its_name && scope.parent().is_some_and(|around| around.imports_from_its_module(name))
    }
}

/// Without `crate`.
fn from_root(named: &Named) -> Vec<String> {
    named.path.iter().skip(1).cloned().collect()
}

/// Whether an attribute is ours, perhaps under a condition.
fn is_ours(attribute: &str) -> bool {
    let name = attribute.split('(').next().unwrap_or_default().trim();
    match name.rsplit(':').next().unwrap_or_default().trim() {
        "adjoint" => true,
        "cfg_attr" => attribute.contains("adjoint"),
        _ => false,
    }
}
