//! `test(x: …, …)`: arguments with which a test of the derivatives is generated.

use super::Lowerer;
use crate::interface::{Home, Interface, Parameter};
use crate::options::NamedValue;
use proc_macro2::{Ident, TokenStream};

impl Lowerer<'_> {
    /// The arguments of each test, in the order of the parameters.
    pub(super) fn examples(&self, interface: &Interface) -> Vec<Vec<TokenStream>> {
        let tests = self.options.tests.iter();
        tests
            .filter(|(name, _)| self.can_be_tested(interface, name))
            .filter_map(|(name, values)| self.arguments_of_test(interface, name, values))
            .collect()
    }

    fn can_be_tested(&self, interface: &Interface, test: &Ident) -> bool {
        let what = match interface.home {
            Home::Impl | Home::StandardTrait => "no tests are generated of methods and operators",
            Home::Struct | Home::Beside if !interface.generics.is_empty() => {
                "no tests are generated of generic functions, those with named lifetimes included"
            }
            Home::Struct | Home::Beside => return true,
        };
        self.errors.report(test.span(), what, "write a test that calls `backsweep::check`");
        false
    }

    fn arguments_of_test(
        &self,
        interface: &Interface,
        test: &Ident,
        values: &[NamedValue],
    ) -> Option<Vec<TokenStream>> {
        let is = |param: &Parameter, value: &NamedValue| param.names.contains(&value.name);
        let mut is_clear = true;
        for (position, value) in values.iter().enumerate() {
            let name = &value.name;
            if !interface.params.iter().any(|param| is(param, value)) {
                is_clear = false;
                let what = format!("there is no parameter `{name}`");
                self.errors.report(name.span(), what, "name the parameters of the function");
            } else if values[..position].iter().any(|other| other.name == *name) {
                is_clear = false;
                let what = format!("`{name}` is given twice");
                self.errors.report(name.span(), what, "give it once");
            }
        }
        let mut arguments = Vec::new();
        for param in &interface.params {
            match values.iter().find(|value| is(param, value)) {
                Some(value) => arguments.push(value.value.clone()),
                None => {
                    is_clear = false;
                    let name = &param.ident;
                    self.errors.report(
                        test.span(),
                        format!("the test does not say what `{name}` is"),
                        format!("add `{name}: …`, an expression as in a call of the function"),
                    );
                }
            }
        }
        is_clear.then_some(arguments)
    }
}
