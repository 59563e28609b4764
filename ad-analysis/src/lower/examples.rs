//! What is generated besides the sweeps: `test(x: …, …)`, arguments with which a test of the derivatives is generated; `first_nonfinite`, which
//! looks at derivatives at arguments that are found when the program runs; and the entries for users that are asked for.

use super::Lowerer;
use crate::interface::{Home, Interface, Parameter, Selection};
use crate::options::NamedValue;
use proc_macro2::{Ident, Span, TokenStream};

const CHECKS: &str = "write a test that calls `backsweep::check`";

/// The entries that `second_order` asks for.
const SECOND_ORDER: [&str; 6] = [
    "hessian",
    "hessian_vector",
    "hessian_diagonal",
    "hessian_pattern",
    "hessian_sparse",
    "hessian_values",
];

impl Lowerer<'_> {
    /// The arguments of each test, in the order of the parameters.
    pub(super) fn examples(&self, interface: &Interface) -> Vec<Vec<TokenStream>> {
        let tests = self.options.tests.iter();
        tests
            .filter(|(name, _)| {
                self.stands_alone(interface, name.span(), "no tests are generated of", CHECKS)
            })
            .filter_map(|(name, values)| self.arguments_of_test(interface, name, values))
            .collect()
    }

    /// Whether there is a search for what makes an infinity or a NaN.
    pub(super) fn is_searched(&self, interface: &Interface) -> bool {
        let Some(asked) = self.options.first_nonfinite else { return false };
        if interface.given_adjoint.is_some() || !interface.given_partials.is_empty() {
            let what = "`first_nonfinite` looks at statements, and the derivative of this function is given";
            self.errors.report(asked, what, "leave it out");
            return false;
        }
        let help = "make it a function of its own, and ask for the search there";
        self.stands_alone(interface, asked, "`first_nonfinite` is not supported on", help)
    }

    /// The entries for users, if not all.
    pub(super) fn asked_entries(&self, home: Home) -> Option<Selection> {
        let mut asked = self.options.entries.clone()?;
        if let (Home::StandardTrait, Some(first)) = (home, asked.first()) {
            let what = "operators and conversions have no entries";
            self.errors.report(first.span(), what, "ask for those of functions that use them");
            return None;
        }
        asked.retain(|name| {
            let is_second = SECOND_ORDER.contains(&name.to_string().as_str());
            if is_second && self.options.second_order.is_none() {
                let what = format!("`{name}` is an entry of functions with `second_order`");
                self.errors.report(name.span(), what, "write `second_order`");
            }
            !is_second
        });
        let mut needed = Vec::new();
        if self.options.second_order.is_some() {
            needed.extend(["gradient", "tangent"]);
        }
        if self.options.first_nonfinite.is_some() {
            needed.extend(["first_nonfinite", "adjoint"]);
        }
        if !self.options.tests.is_empty() {
            needed.extend(["adjoint", "tangent"]);
        }
        // Checks of given derivatives call it.
        if self.options.given.is_some() {
            needed.push("adjoint");
        }
        Some(Selection { asked, needed })
    }

    /// Whether all that a function needs to be called is its arguments.
    fn stands_alone(&self, interface: &Interface, asked: Span, none: &str, help: &str) -> bool {
        let what = match interface.home {
            Home::Impl | Home::StandardTrait => "methods and operators",
            Home::Struct | Home::Beside if !interface.generics.is_empty() => {
                "generic functions, those with named lifetimes included"
            }
            Home::Struct | Home::Beside => return true,
        };
        self.errors.report(asked, format!("{none} {what}"), help);
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
