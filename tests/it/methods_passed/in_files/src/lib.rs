mod rules;

use backsweep::adjoint;
use rules::{Generic, Rule, Wrapper, shifted};

mod others {
    pub struct Rule {
        pub shift: f64,
    }

    impl Rule {
        pub fn shifted(&self, _: impl Fn(f64) -> f64) -> f64 {
            1.0
        }
    }

    pub fn shifted(_: &crate::rules::Rule, _: impl Fn(f64) -> f64) -> f64 {
        1.0
    }
}

fn of_a_hidden_field(rule: &Rule, p: f64) -> f64 {
    rule.hidden_field(|x| x * p)
}

fn of_a_hidden_constant(rule: &Rule, p: f64) -> f64 {
    rule.hidden_constant(|x| x * p)
}

fn of_a_hidden_method(rule: &Rule, p: f64) -> f64 {
    rule.hidden_method(|x| x * p)
}

fn on_a_reference(rule: &Rule, p: f64) -> f64 {
    rule.by_value(|x| x * p)
}

fn of_one_that_calls_itself(rule: &Rule, p: f64) -> f64 {
    rule.again(|x| x * p)
}

fn of_one_that_is_not_annotated(rule: &Rule, p: f64) -> f64 {
    rule.not_annotated(|x| x * p)
}

fn of_one_of_two(rule: &Rule, p: f64) -> f64 {
    rule.conditional(|x| x * p)
}

fn of_a_trait(rule: &Rule, p: f64) -> f64 {
    rule.of_trait(|x| x * p)
}

fn of_a_generic_type(rule: &Generic<f64>, p: f64) -> f64 {
    rule.shifted(|x| x * p)
}

fn of_a_type_that_is_not_declared(p: f64) -> f64 {
    let rule = elsewhere::some();
    rule.shifted(|x| x * p)
}

fn behind_two_references(rule: &&Rule, p: f64) -> f64 {
    rule.shifted(|x| x * p)
}

fn behind_a_pointer(rule: &Box<Rule>, p: f64) -> f64 {
    rule.shifted(|x| x * p)
}

fn of_a_parameter<Rule: others::Quadrature>(rule: &Rule, p: f64) -> f64 {
    rule.shifted(|x| x * p)
}

fn by_a_coercion(wrapper: &Wrapper, p: f64) -> f64 {
    Rule::shifted(wrapper, |x| x * p)
}

fn function_by_a_coercion(wrapper: &Wrapper, p: f64) -> f64 {
    shifted(wrapper, |x| x * p)
}

fn by_an_import_inside(rule: &Rule, p: f64) -> f64 {
    use others::shifted;
    shifted(rule, |x| x * p)
}

fn by_imports_of_all_names(rule: &Rule, p: f64) -> f64 {
    use others::*;
    shifted(rule, |x| x * p)
}

fn of_a_type_imported_inside(p: f64) -> f64 {
    use others::Rule;
    let rule = Rule { shift: 1.0 };
    Rule::shifted(&rule, |x| x * p)
}

fn on_a_type_imported_inside(p: f64) -> f64 {
    use others::Rule;
    let rule: Rule = Rule { shift: 1.0 };
    rule.shifted(|x| x * p)
}

fn of_an_item_inside(p: f64) -> f64 {
    struct Rule {
        shift: f64,
    }
    impl Rule {
        fn shifted(&self, _: impl Fn(f64) -> f64) -> f64 {
            1.0
        }
    }
    Rule::shifted(&Rule { shift: 1.0 }, |x| x * p)
}

fn by_its_name(rule: &Rule, p: f64) -> f64 {
    rule.shifted(|x| x * p)
}

fn with_an_import_inside(rule: &Rule, p: f64) -> f64 {
    use others::Trait as _;
    rule.shifted(|x| x * p)
}

fn changed(rule: &mut Rule, p: f64) {
    rule.shift(|x| x * p)
}
