//! Generated tests that fail name the first statement whose derivative is wrong, and no other.
//!
//! The functions here are right until [`is_mistaken`] says otherwise, so that their generated tests pass with the others.

use backsweep::__private::check::bisection::of_tests;
use backsweep::__private::{Along, Callers, Directions, Marker, Seed, Slot};
use backsweep::{Differentiable, Stack, adjoint};
use std::cell::Cell;
use std::marker::PhantomData;
use std::panic::catch_unwind;

thread_local! {
    static MISTAKEN: Cell<bool> = const { Cell::new(false) };
    static HIDDEN: Cell<f64> = const { Cell::new(1.0) };
}

fn is_mistaken() -> bool {
    MISTAKEN.get()
}

/// A constant, or if there is to be a mistake something that depends on the argument.
fn passive(x: f64) -> f64 {
    if is_mistaken() { x } else { 1.5 }
}

/// What a generated test says when there is a mistake.
fn said(test: fn()) -> String {
    MISTAKEN.set(true);
    let result = catch_unwind(test);
    MISTAKEN.set(false);
    let message = result.expect_err("the test fails");
    message.downcast_ref::<String>().expect("a message").clone()
}

/// Of which line the report says that it is wrong, and what else it says of it.
#[track_caller]
fn assert_named(test: fn(), line: u32, words: &str) {
    let said = said(test);
    let expected =
        format!("the first statement whose derivative is wrong: {}:{line}{words}", file!());
    assert!(said.contains(&expected), "{expected}\n{said}");
}

const IN_THE_MIDDLE: u32 = line!() + 6;
#[adjoint(test(x: &[1.0, 2.0, -3.0]))]
fn in_the_middle(x: &[f64]) -> f64 {
    let a = x[0] * x[1];
    let b = a.sin() + x[2];
    #[passive]
    let c = passive(b).abs();
    let d = b * c;
    d / a
}

#[test]
fn a_passive_value_in_the_middle() {
    assert_named(derivatives_of_in_the_middle, IN_THE_MIDDLE, ": given");
}

const IN_A_LOOP: u32 = line!() + 7;
#[adjoint(test(x: &[1.0, -2.0, 3.0, 4.0, -5.0]))]
fn in_a_loop(x: &[f64]) -> f64 {
    let mut total = 0.0;
    for k in 0..x.len() {
        if x[k] < 0.0 {
            #[passive]
            let factor = factor(x[k]);
            total += factor * x[0];
        } else {
            total += x[k] * x[k];
        }
    }
    total
}

/// From some size on there is a mistake.
fn factor(x: f64) -> f64 {
    if x < -4.0 { passive(x) } else { 2.0 }
}

#[test]
fn the_second_time_in_a_branch() {
    let words = ", the value of `factor`, the 2nd of 2 times that it runs: given";
    assert_named(derivatives_of_in_a_loop, IN_A_LOOP, words);
}

#[adjoint(partials(x: if is_mistaken() { x.sin() } else { -x.sin() }))]
fn cosine(x: f64) -> f64 {
    x.cos()
}

const CALLS: u32 = line!() + 5;
#[adjoint(test(x: 0.5))]
fn calls(x: f64) -> f64 {
    let mut y = x * x;
    for _ in 0..3 {
        y = 0.5 * y + cosine(y);
    }
    y * y
}

#[test]
fn a_call_of_what_has_wrong_partials() {
    let words = ", the call of `cosine`, the 1st of 3 times that it runs: given";
    assert_named(derivatives_of_calls, CALLS, words);
}

#[adjoint]
fn scaled(x: f64, out: &mut [f64]) {
    for element in out.iter_mut() {
        *element *= x
            * (#[passive]
            passive(x));
    }
}

const WRITES: u32 = line!() + 6;
#[adjoint(dependents(out), test(x: 0.5, out: &mut [1.0, -2.0, 3.0]))]
fn writes(x: f64, out: &mut [f64]) {
    let y = x.exp();
    out[0] += y;
    out.swap(0, 2);
    scaled(y, &mut out[1..]);
    out[0] *= y;
}

#[test]
fn a_call_that_writes_to_a_part_of_a_list() {
    let words = ", the call of `scaled`, at position 0 of 2: given";
    assert_named(derivatives_of_writes, WRITES, words);
}

const AROUND: u32 = line!() + 8;
#[adjoint(test(x: 0.3))]
fn around(x: f64) -> f64 {
    let y = x.sin();
    #[passive]
    HIDDEN.set(passive(y));
    let mut z = x * x;
    z += #[passive]
    HIDDEN.get();
    y * z
}

#[test]
fn what_goes_around_the_analyses() {
    assert_named(derivatives_of_around, AROUND, ": given");
}

/// A passive value that leads to no result is not to blame.
const NOT_TO_BLAME: u32 = line!() + 8;
#[adjoint(test(x: 0.3))]
fn not_to_blame(x: f64) -> f64 {
    #[passive]
    let logged = x * 3.0;
    let y = x.sin();
    let z = y
        * (#[passive]
        passive(y));
    assert!(logged < 1e9);
    z
}

#[test]
fn what_leads_to_no_result_is_not_to_blame() {
    assert_named(derivatives_of_not_to_blame, NOT_TO_BLAME, ": given");
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Spring {
    stiffness: f64,
    length: f64,
    #[passive]
    log: f64,
}

const IN_A_STRUCT: u32 = line!() + 8;
#[adjoint(independents(x), test(x: &[0.4, 1.2]))]
fn in_a_struct(x: &[f64]) -> f64 {
    let mut spring = Spring { stiffness: x[0], length: 1.0, log: 0.0 };
    spring.length = x[1] * x[0];
    spring.log = spring.length;
    spring.stiffness = spring.stiffness
        * (#[passive]
        passive(x[0]));
    0.5 * spring.stiffness * (spring.length - 2.0).powi(2)
}

#[test]
fn a_field_of_a_struct() {
    assert_named(derivatives_of_in_a_struct, IN_A_STRUCT, ": given");
}

const IN_A_LIST: u32 = line!() + 8;
#[adjoint(independents(x), test(x: &[0.9, 0.2, 0.4], least: 0.1))]
fn in_a_list(x: &[f64], least: f64) -> Result<f64, String> {
    let mut list = vec![1.0];
    let mut rest = x[0];
    // As often as the size of an argument says, with an exit.
    while rest > least {
        rest *= 0.6;
        list.push(passive_after(list.len(), rest) * x[1]);
        if list.len() > 2000 {
            return Err("too many".to_owned());
        }
    }
    let (first, last) = (list[0], list[list.len() - 1]);
    Ok(first + last * x[2] + list.iter().sum::<f64>())
}

/// What the fourth use is makes the mistake.
#[adjoint]
fn passive_after(uses: usize, x: f64) -> f64 {
    if uses == 3 {
        x * (#[passive]
        passive(x))
    } else {
        x
    }
}

#[test]
fn a_list_that_grows_in_a_loop_with_an_exit() {
    let words = ", the call of `passive_after`, the 3rd of 5 times that it runs: given";
    assert_named(derivatives_of_in_a_list, IN_A_LIST, words);
}

#[adjoint]
mod inner {
    #[adjoint]
    pub(super) fn helper(x: f64) -> f64 {
        x * (#[passive]
        super::passive(x))
    }

    pub const IN_A_MODULE: u32 = line!() + 4;
    #[adjoint(test(x: 0.4))]
    pub fn in_a_module(x: f64) -> f64 {
        let y = x.exp();
        helper(y) + y
    }

    pub const TEST: fn() = derivatives_of_in_a_module;
}

#[test]
fn a_call_in_a_module() {
    assert_named(inner::TEST, inner::IN_A_MODULE, ", the call of `helper`: given");
}

const CHECKPOINTED: u32 = line!() + 7;
#[adjoint(test(x: 0.4, n: 5))]
fn checkpointed(x: f64, n: usize) -> f64 {
    let mut y = x;
    #[checkpoint(every = 2)]
    for _ in 0..n {
        y = 1.1 * y.sin();
        y += 0.1 * cosine(y);
    }
    y
}

#[test]
fn an_iteration_of_a_checkpointed_loop() {
    let words = ", the call of `cosine`, the 1st of 5 times that it runs: given";
    assert_named(derivatives_of_checkpointed, CHECKPOINTED, words);
}

/// The error of a parameter that is not differentiated is none.
#[adjoint(independents(x), test(x: 0.4, t: 0.3))]
fn of_an_argument(x: f64, t: f64) -> Option<f64> {
    let (sin, cos) = (x * t).sin_cos();
    let both = (sin * x, [cos, x]);
    let y = if both.0 > 2.0 { return None } else { both.1[0] * both.0 };
    Some(y * both.1[1])
}

fn wrong_adjoint(x: f64, x_b: &mut f64, ret_b: f64) -> f64 {
    *x_b += ret_b * 2.0 * if is_mistaken() { 1.0 } else { x };
    x * x
}

/// There is no tangent, and nothing to trace.
#[adjoint(with = wrong_adjoint, test(x: 3.0))]
fn given(x: f64) -> f64 {
    x * x
}

#[test]
fn without_a_tangent_there_is_the_report() {
    let said = said(derivatives_of_given);
    assert!(said.starts_with("gradient failed"), "{said}");
    assert!(!said.contains("statement"), "{said}");
}

/// Single precision has not the digits.
#[adjoint(independents(x), test(x: 0.25))]
fn single(x: f64) -> f64 {
    let y = x as f32;
    f64::from(y) * 0.0
        + x * (#[passive]
        passive(x))
}

#[test]
fn single_precision_is_not_traced() {
    assert!(!said(derivatives_of_single).contains("statement"));
}

/// Half of a number, by sweeps that are written by hand: with a mistake the adjoint is wrong, and the tangent is right.
fn halved(x: f64) -> f64 {
    0.5 * x
}

#[allow(non_camel_case_types, reason = "it has the name of the function")]
struct halved {}

impl halved {
    const fn __entries<Callee>(callee: Callee) -> Self {
        std::mem::forget(callee);
        Self {}
    }

    const fn __is_repeatable(&self, _: &Callers<'_>) -> bool {
        true
    }

    const fn __says(&self, _: &backsweep::__private::Question<'_>) -> bool {
        true
    }

    const fn __is_exclusive(&self, _: usize) -> bool {
        false
    }

    fn __forward<P: Marker, A: Marker>(self, _: &mut Stack, _: P, x: f64, _: A) -> (f64, ()) {
        (halved(x), ())
    }

    fn __backward<P: Marker, A: Slot<f64>>(
        self,
        _: &mut Stack,
        _: P,
        (): (),
        &x: &f64,
        mut bar: A,
        seed: impl Seed<f64>,
    ) {
        let seed: f64 = seed.weight();
        if let Some(bar) = bar.bar() {
            *bar += if is_mistaken() && (0.36..0.4).contains(&x) { 0.6 * seed } else { 0.5 * seed };
        }
    }

    fn __tangent<A: Along<f64>>(self, x: f64, direction: A) -> (f64, f64) {
        (halved(x), 0.5 * direction.direction().copied().unwrap_or_default())
    }

    #[allow(clippy::too_many_arguments, reason = "the signature of all backward sweeps")]
    fn __backwards<P: Marker, A: Slot<D>, D: Directions>(
        self,
        _: &mut Stack,
        _: P,
        _: PhantomData<D>,
        (): (),
        _: &f64,
        mut bar: A,
        seed: impl Seed<D>,
    ) {
        let seed: D = seed.weight();
        if let Some(bar) = bar.bar() {
            *bar = bar.plus(seed.times(0.5));
        }
    }

    fn __tangents<A: Along<D>, D: Directions>(
        self,
        _: PhantomData<D>,
        x: f64,
        direction: A,
    ) -> (f64, D) {
        (halved(x), direction.direction().map_or(D::ZERO, |direction| direction.times(0.5)))
    }
}

const BY_HAND: u32 = line!() + 6;
#[adjoint(test(x: &[0.4, 1.2]))]
fn by_hand(x: &[f64]) -> f64 {
    let mut last = x[0] * x[1];
    let mut total = 0.0;
    for k in 0..5 {
        let half = halved(last);
        last = half * x[1] + 0.1 * k as f64;
        total += last * last;
    }
    total
}

#[test]
fn an_adjoint_that_disagrees_with_its_tangent() {
    let said = said(derivatives_of_by_hand);
    let expected = format!(
        "the first statement whose adjoint disagrees with its tangent: {}:{BY_HAND}, the call of `halved`, the 4th of 5 times that it runs: ",
        file!()
    );
    assert!(said.contains(&expected), "{expected}\n{said}");
}

/// A parameter and its function may have one name.
#[adjoint(independents(x), dependents(forces), test(x: 0.3, forces: &mut [1.0, 2.0]))]
fn forces(x: f64, forces: &mut [f64]) {
    forces[1] *= x;
}

/// Without mistakes nothing is found, and all that has been assigned has been compared, with differences and with the adjoint.
#[test]
fn right_functions_are_left_alone() {
    let tests: [(fn(), usize, usize); 12] = [
        (derivatives_of_in_the_middle, 5, 4),
        (derivatives_of_in_a_loop, 8, 6),
        (derivatives_of_calls, 7, 11),
        (derivatives_of_writes, 5, 6),
        (derivatives_of_around, 4, 4),
        (derivatives_of_not_to_blame, 3, 4),
        (derivatives_of_in_a_struct, 4, 2),
        (derivatives_of_in_a_list, 18, 26),
        (inner::TEST, 3, 3),
        // Checkpointed blocks and loops have no tangents of their own to be compared with.
        (derivatives_of_checkpointed, 16, 0),
        (derivatives_of_of_an_argument, 4, 6),
        (derivatives_of_forces, 1, 1),
    ];
    for (test, least, least_summed) in tests {
        test();
        let found = of_tests(test);
        let [found] = found.as_slice() else { panic!("one test: {found:?}") };
        let (found, sums) = found.split_once("; ").unwrap_or((found, ""));
        let summed = sums.strip_prefix("the adjoint and the tangent of a sum of all ");
        let summed = summed.and_then(|rest| rest.strip_suffix(" assignments agree"));
        let summed = summed.map_or(0, |summed| summed.parse().expect(sums));
        assert!(summed >= least_summed, "{summed} of {least_summed}: {sums}");
        let told = found.strip_prefix("no statement was found whose tangent is wrong: those of ");
        let told = told.and_then(|rest| rest.strip_suffix(" assignments agree with differences"));
        let (compared, told) = told.and_then(|told| told.split_once(" of ")).expect(found);
        assert_eq!(compared, told, "{found}");
        let told: usize = told.parse().expect("a number");
        assert!(told >= least, "{told} of {least}");
    }
}
