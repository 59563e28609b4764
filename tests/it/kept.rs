//! Code that is kept as it is may write and do whatever is not known to be a read; assignments that take values apart;
//! operators of user types that floats do not have. Gradients against differences of the plain functions, whose
//! passive state is made anew for each call.
#![allow(
    clippy::match_single_binding,
    clippy::toplevel_ref_arg,
    reason = "the attribute meets code as people write it"
)]

use backsweep::{Differentiable, adjoint};
use std::ops::{
    BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Neg, Not, Shl, ShlAssign, Shr,
    ShrAssign,
};

/// Differences of second order of a function of several numbers.
fn differences(f: impl Fn(&[f64]) -> f64, x: &[f64]) -> Vec<f64> {
    let at = |k: usize, h: f64| {
        let mut x = x.to_vec();
        x[k] += h;
        f(&x)
    };
    (0..x.len()).map(|k| (at(k, 1e-6) - at(k, -1e-6)) / 2e-6).collect()
}

#[track_caller]
fn assert_gradient(found: &[f64], f: impl Fn(&[f64]) -> f64, x: &[f64]) {
    let expected = differences(f, x);
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(&expected) {
        // Differences of second order with this step are good for nine digits or so.
        assert!((found - expected).abs() <= 1e-7 * (1.0 + expected.abs()), "{found} {expected}");
    }
}

/// What a kept statement does to `a`, which the loss multiplies before and after.
macro_rules! writing {
    ($($name:ident: |$a:ident, $b:ident, $t:ident| $kept:block)*) => {
        mod writing {
            use super::*;
            $(
                #[adjoint(independents(x), passive($t))]
                pub fn $name(x: f64, $t: &str) -> f64 {
                    let (mut $a, mut $b) = (1.0, 2.0);
                    $a += 0.0;
                    $b += 0.0;
                    let y = x * x * $a * $b;
                    for c in $t.chars() {
                        if c != ' ' $kept
                    }
                    y * x * $a * $b
                }
            )*
        }

        #[test]
        fn what_kept_code_writes_is_restored() {
            for text in ["", "a", "ab", "a b c"] {
                $(
                    let found = writing::$name::gradient(1.3, text).1;
                    assert_gradient(&[found], |x| writing::$name(x[0], text), &[1.3]);
                )*
            }
        }
    };
}

pub struct Pair {
    a: f64,
    b: f64,
}

pub struct Wrapper<'a> {
    y: &'a mut f64,
}

impl Wrapper<'_> {
    fn bump(self) -> usize {
        *self.y *= 2.0;
        1
    }
}

fn bump((y, by): (&mut f64, f64)) {
    *y *= by;
}

fn bump_first(y: [&mut f64; 2]) {
    for y in y {
        *y += 1.0;
    }
}

trait Doubled {
    fn min(&mut self);
}

impl Doubled for Option<&mut f64> {
    fn min(&mut self) {
        if let Some(y) = self {
            **y *= 2.0;
        }
    }
}

writing! {
    exchanged: |a, b, t| { (a, b) = (b, a + b); }
    nested: |a, b, t| { ((a, _), [b, ..]) = ((b, 0), [a + 1.0, 2.0, 3.0]); }
    of_an_array: |a, b, t| { [a, b] = [b, a * 1.5]; }
    of_a_struct: |a, b, t| { Pair { a, b } = Pair { a: b, b: a + 0.5 }; }
    of_a_renamed_field: |a, b, t| { Pair { a: b, b: a } = Pair { a: b, b: a + 0.5 }; }
    by_a_reference: |a, b, t| { let r = &mut a; *r += b; }
    by_a_pattern: |a, b, t| { let ref mut r = a; *r += b; }
    by_a_pair_of_patterns: |a, b, t| { let (r, s) = (&mut a, &mut b); (*r, *s) = (*s, *r + 1.0); }
    by_a_match: |a, b, t| { match a { ref mut r => *r += b } }
    by_a_guard: |a, b, t| { match Some(&mut a) { Some(r) if *r < 100.0 => *r += b, _ => {} } }
    by_if_let: |a, b, t| { if let Some(r) = Some(&mut a) { *r += b; } }
    by_a_tuple: |a, b, t| { bump((&mut a, 1.5)); b += 1.0; }
    by_an_array: |a, b, t| { bump_first([&mut a, &mut b]); }
    by_a_struct: |a, b, t| { Wrapper { y: &mut a }.bump(); b += 1.0; }
    by_a_closure: |a, b, t| { let mut f = |k: f64| a += k * b; f(1.0); f(0.5); }
    by_a_closure_that_returns: |a, b, t| { let f = |r| { let r: &mut f64 = r; r }; *f(&mut a) += b; }
    by_a_loop: |a, b, t| { for r in [&mut a, &mut b] { *r += 0.5; } }
    by_a_method_called_min: |a, b, t| { let mut o = Some(&mut a); Doubled::min(&mut o); b += 1.0; }
    by_an_option: |a, b, t| { let mut o = Some(&mut a); if let Some(r) = &mut o { **r += b; } }
    by_replace: |a, b, t| { a += std::mem::replace(&mut b, 3.0); }
    by_a_block: |a, b, t| { *{ &mut a } += b; }
    by_a_choice: |a, b, t| { *(if a < b { &mut a } else { &mut b }) += 1.0; }
    compound: |a, b, t| { a *= b; b -= 0.25; }
}

#[adjoint(independents(x), passive(t))]
fn ref_mut_of_a_pair(x: f64, t: &str) -> f64 {
    let mut p = (1.0, 2_usize);
    p.0 += 0.5;
    p.1 += 1;
    let y = x * x * p.0;
    for c in t.chars() {
        let (ref mut a, ref mut b) = p;
        *a += 1.0;
        *b += c.len_utf8();
    }
    let n: usize = p.1;
    y * x * p.0 * n as f64
}

#[adjoint(independents(x), passive(y, t))]
fn parameter_in_a_tuple(x: f64, y: &mut f64, t: &str) -> f64 {
    let a = x * x * *y;
    for _ in t.chars() {
        bump((y, 1.5));
    }
    a * x * *y
}

#[adjoint(independents(x), passive(y, t))]
fn parameter_taken_apart(x: f64, y: &mut (f64, f64), t: &str) -> f64 {
    let a = x * x * y.0 * y.1;
    for _ in t.chars() {
        let (r, s) = &mut *y;
        (*r, *s) = (*s, *r + 1.0);
    }
    a * x * y.0 * y.1
}

#[test]
fn references_in_patterns_and_tuples_write() {
    assert_eq!(ref_mut_of_a_pair::gradient(2.0, "abc"), (324.0, 486.0));
    assert_eq!(parameter_in_a_tuple::gradient(2.0, &mut 1.0, "abc"), (27.0, 40.5));
    let found = parameter_taken_apart::gradient(1.3, &mut (1.0, 2.0), "abc").1;
    assert_gradient(&[found], |x| parameter_taken_apart(x[0], &mut (1.0, 2.0), "abc"), &[1.3]);
}

struct Scale;

impl Scale {
    fn get(&self, y: &mut f64) -> usize {
        *y *= 2.0;
        3
    }

    fn first(&self, y: &mut f64) -> usize {
        *y += 1.0;
        2
    }
}

#[derive(Clone, Debug, PartialEq)]
struct Generator(u64);

impl Generator {
    /// A linear congruential generator: every call yields another number.
    fn get(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 40) as f64 / 16_777_216.0
    }

    fn as_str(&mut self) -> &'static str {
        self.0 += 1;
        if self.0.is_multiple_of(2) { "even" } else { "odd" }
    }
}

#[adjoint(independents(x), passive(y, u))]
fn a_method_called_get(x: f64, y: &mut f64, u: &Scale) -> f64 {
    let a = *y * x;
    let n: usize = u.get(y);
    let m: usize = u.first(y);
    a * x * *y * (n * m) as f64
}

#[adjoint(independents(x), passive(r))]
fn random_weights(x: f64, r: &mut Generator) -> f64 {
    let mut s = x;
    for _ in 0..4 {
        let k = r.get();
        s = (s * k + x).sin();
    }
    s
}

/// What is matched is computed once, however many patterns there are.
#[adjoint(independents(x), passive(r))]
fn matched_text(x: f64, r: &mut Generator) -> f64 {
    let mut s = x;
    for _ in 0..3 {
        match r.as_str() {
            "none" => s *= 5.0,
            "odd" => s *= x,
            "even" => s += x.sin(),
            _ => s = 0.0,
        }
    }
    s
}

#[test]
fn methods_with_the_names_of_the_standard_library_are_unknown() {
    let found = a_method_called_get::gradient(1.3, &mut 2.0, &Scale).1;
    assert_gradient(&[found], |x| a_method_called_get(x[0], &mut 2.0, &Scale), &[1.3]);
    let (mut plain, mut used) = (Generator(1), Generator(1));
    let (value, found) = random_weights::gradient(0.7, &mut used);
    assert_eq!(value, random_weights(0.7, &mut plain));
    assert_eq!(used, plain, "they are drawn as often as in the function itself");
    assert_gradient(&[found], |x| random_weights(x[0], &mut Generator(1)), &[0.7]);
    let (mut plain, mut used) = (Generator(1), Generator(1));
    let (value, found) = matched_text::gradient(0.7, &mut used);
    assert_eq!(value, matched_text(0.7, &mut plain));
    assert_eq!(used, plain);
    assert_gradient(&[found], |x| matched_text(x[0], &mut Generator(1)), &[0.7]);
}

mod taken_apart {
    use super::*;

    #[derive(Clone, Copy, Debug, Differentiable)]
    pub struct Two {
        pub a: f64,
        pub b: f64,
    }

    #[derive(Clone, Copy, Debug, Differentiable)]
    pub struct Both(pub f64, pub f64);

    #[adjoint]
    pub fn array(x: f64, y: f64) -> f64 {
        let (mut a, mut b) = (x, y);
        for _ in 0..3 {
            [a, b] = [b + x, a * y];
        }
        a * b
    }

    #[adjoint]
    pub fn by_references(a: &mut f64, b: &mut f64) {
        [*a, *b] = [*a + *b, *a * *b];
        (*a, *b) = (*b, *a * *a);
    }

    #[adjoint]
    pub fn through_references(x: f64, y: f64) -> f64 {
        let (mut a, mut b) = (x, y);
        by_references(&mut a, &mut b);
        a * b
    }

    #[adjoint]
    pub fn structure(x: f64, y: f64) -> f64 {
        let (mut a, mut b) = (x, y);
        Two { a, b } = Two { a: b * x, b: a + y };
        Two { a: b, b: a } = Two { a: b * x, b: a * y };
        a * b * b
    }

    #[adjoint]
    pub fn tuple_struct(x: f64, y: f64) -> f64 {
        let (mut a, mut b) = (x, y);
        Both(a, b) = Both(b.sin(), a * y);
        Both(b, _) = Both(b * a, a);
        a * b
    }

    #[adjoint]
    pub fn nested(x: f64, y: f64) -> f64 {
        let (mut a, mut b, mut c) = (x, y, 1.0);
        for _ in 0..2 {
            ((a, [b, _]), c) = ((b * c, [a + x, 0.0]), a * b);
        }
        a * b + c
    }

    #[adjoint]
    pub fn with_rest(x: f64, y: f64) -> f64 {
        let (mut a, mut b) = (x, y);
        [a, .., b] = [a * b, 7.0, 8.0, a + b];
        (b, ..) = (a * b, 1.0, 2.0);
        a * b
    }

    #[adjoint]
    pub fn elements(x: f64, y: f64) -> f64 {
        let mut v = [x, y, x * y];
        let mut i = 0;
        for _ in 0..3 {
            (i, v[i], v[2]) = ((i + 1) % 3, v[2] * x, v[i] + y);
        }
        v[0] * v[1] + v[2]
    }

    #[adjoint]
    pub fn fields(x: f64, y: f64) -> f64 {
        let mut p = Two { a: x, b: y };
        let mut q = (x, [y; 2]);
        (p.a, q.1[1]) = (p.b * q.0, p.a);
        [p.b, q.0] = [q.1[1] * x, p.a + p.b];
        p.a * p.b + q.0 * q.1[1]
    }

    #[adjoint]
    pub fn of_a_value(x: f64, y: f64) -> f64 {
        let (mut a, mut b) = (x, y);
        let pair = (a * b, a + b);
        (a, b) = pair;
        let array = [a * a, b * x];
        [b, a] = array;
        a * b
    }

    #[adjoint]
    pub fn of_a_choice(x: f64, y: f64) -> f64 {
        let (mut a, mut b) = (x, y);
        (a, b) = if a < b { (a * b, a) } else { (b, a * a) };
        [a, b] = match a < 0.5 {
            true => [b * x, a],
            false => [a, b * y],
        };
        a * b + a
    }

    #[allow(unused_assignments, reason = "the first value is overwritten by the second")]
    #[adjoint]
    pub fn one_place_twice(x: f64, y: f64) -> f64 {
        let mut a = x;
        (a, a) = (a * y, a * a * y);
        a
    }
}

#[test]
fn assignments_that_take_values_apart() {
    let x = [0.3, 0.7];
    macro_rules! check {
        ($($name:ident)*) => {$({
            use taken_apart::$name;
            let (value, (a, b)) = $name::gradient(x[0], x[1]);
            assert_eq!(value, $name(x[0], x[1]));
            assert_gradient(&[a, b], |x| $name(x[0], x[1]), &x);
        })*};
    }
    check! {
        array through_references structure tuple_struct nested with_rest elements fields of_a_value
        of_a_choice one_place_twice
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
pub struct V(f64, f64);

macro_rules! operators {
    ($($of_trait:ident $method:ident $with:ident $assign:ident: |$a:ident, $b:ident| $value:expr;)*) => {$(
        #[adjoint]
        impl $of_trait for V {
            type Output = V;
            fn $method(self, other: V) -> V {
                let ($a, $b) = (self, other);
                $value
            }
        }

        #[adjoint]
        impl $with for V {
            fn $assign(&mut self, other: V) {
                let ($a, $b) = (V(self.0, self.1), other);
                let value: V = $value;
                self.0 = value.0;
                self.1 = value.1;
            }
        }
    )*};
}

operators! {
    BitXor bitxor BitXorAssign bitxor_assign: |a, b| V(a.0 * b.1 - a.1 * b.0, a.0 + b.1);
    BitAnd bitand BitAndAssign bitand_assign: |a, b| V(a.0 * b.0, a.1 * b.1);
    BitOr bitor BitOrAssign bitor_assign: |a, b| V(a.0 * b.0 + a.1 * b.1, a.0 * a.0);
    Shl shl ShlAssign shl_assign: |a, b| V(a.0 * b.0.exp(), a.1 + b.1 * a.0);
    Shr shr ShrAssign shr_assign: |a, b| V(a.0 / (1.0 + b.0 * b.0), a.1 * b.1.sin());
}

#[adjoint]
impl Not for V {
    type Output = V;
    fn not(self) -> V {
        V(-self.1 * self.0, self.0)
    }
}

#[adjoint]
impl Neg for V {
    type Output = V;
    fn neg(self) -> V {
        V(-self.0, -self.1 * 2.0)
    }
}

mod operators {
    use super::*;

    macro_rules! binary {
        ($($name:ident $op:tt $assign_name:ident $assign:tt)*) => {$(
            #[adjoint(independents(a, b))]
            pub fn $name(a: V, b: V) -> f64 {
                let c: V = a $op b;
                let d: V = c $op a;
                c.0 * d.1 + d.0 + a.0
            }

            #[adjoint(independents(a, b))]
            pub fn $assign_name(a: V, b: V) -> f64 {
                let mut c: V = a;
                c $assign b;
                c $assign a;
                c.0 * b.1 + c.1
            }
        )*};
    }

    binary! {
        xor ^ xor_assign ^=
        and & and_assign &=
        or | or_assign |=
        shl << shl_assign <<=
        shr >> shr_assign >>=
    }

    #[adjoint(independents(a, b))]
    pub fn unary(a: V, b: V) -> f64 {
        let c: V = !a;
        let d: V = -b;
        c.0 * d.1 + c.1 * d.0
    }

    /// Integers and truth values have them, too.
    #[adjoint(independents(a, b))]
    pub fn of_integers(a: V, b: V) -> f64 {
        let (mut n, is_large) = (5_u32, a.0 > 100.0);
        n = (n << 2 | 3) & !8 ^ 1;
        n >>= 1;
        let k = n as f64;
        if !is_large & (b.0 < 100.0) { a.0 * b.1 * k } else { a.1 }
    }
}

#[test]
fn operators_that_floats_do_not_have() {
    let x = [0.7, -0.4, 0.3, 1.2];
    macro_rules! check {
        ($($name:ident)*) => {$({
            use operators::$name;
            let (value, (a, b)) = $name::gradient(V(x[0], x[1]), V(x[2], x[3]));
            assert_eq!(value, $name(V(x[0], x[1]), V(x[2], x[3])));
            let f = |x: &[f64]| $name(V(x[0], x[1]), V(x[2], x[3]));
            assert_gradient(&[a.0, a.1, b.0, b.1], f, &x);
        })*};
    }
    check! {
        xor xor_assign and and_assign or or_assign shl shl_assign shr shr_assign unary of_integers
    }
}

/// Checks of values whose types are known only later are reads: the function may run twice.
mod checked {
    use super::*;

    #[derive(Clone, Debug, Differentiable)]
    pub struct Rates {
        pub k: f64,
        pub list: Vec<f64>,
    }

    #[adjoint]
    pub fn half(x: f64) -> f64 {
        x * x / 2.0
    }

    #[adjoint(independents(x, p))]
    pub fn step(x: f64, p: &Rates) -> f64 {
        let y = half(x);
        assert!(y.is_finite() && p.k > 0.0, "{p:?}");
        debug_assert!(y < 1e9 && p.list.len() == 2);
        assert_ne!(y, -1.0);
        y * p.k * p.list[0] + p.list[1]
    }

    #[adjoint(independents(x, p))]
    pub fn steps(x: f64, p: &Rates) -> f64 {
        let mut y = x;
        #[checkpoint(snapshots = 2)]
        for _ in 0..5 {
            y = step(y, p).sin() + x;
        }
        y
    }
}

#[test]
fn checks_may_run_twice() {
    let rates = |x: &[f64]| checked::Rates { k: x[1], list: vec![x[2], x[3]] };
    let x = [0.4, 0.7, 0.3, 0.2];
    let (_, (x_b, p_b)) = checked::steps::gradient(x[0], &rates(&x));
    let found = [x_b, p_b.k, p_b.list[0], p_b.list[1]];
    assert_gradient(&found, |x| checked::steps(x[0], &rates(x)), &x);
}

#[adjoint(independents(x))]
fn written_behind_an_option(x: f64, n: usize) -> f64 {
    let mut l: Vec<f64> = vec![1.0, 0.5, 1.5];
    for _ in 0..n {
        if let Some(u) = l.iter_mut().max_by(|u, v| u.total_cmp(v)) {
            *u = 0.25;
        }
    }
    x * x * (l[0] + 2.0 * l[2])
}

#[test]
fn what_an_option_refers_to_is_written() {
    assert_eq!(written_behind_an_option::gradient(3.0, 0), (36.0, 24.0));
    assert_eq!(written_behind_an_option::gradient(3.0, 1), (13.5, 9.0));
    assert_eq!(written_behind_an_option::gradient(3.0, 2), (6.75, 4.5));
}

/// It tells how often it is compared.
struct Dial(std::cell::Cell<usize>);

impl PartialEq<usize> for Dial {
    fn eq(&self, other: &usize) -> bool {
        self.0.set(self.0.get() + 1);
        self.0.get() > *other
    }
}

#[adjoint(independents(x), passive(dial))]
fn options_in_kept_code(x: f64, dial: &Dial) -> f64 {
    let mut e: Option<f64> = Some(1.5);
    let mut none: Option<f64> = None;
    let mut taken: Option<f64> = Some(0.25);
    for g in &std::collections::BTreeMap::from([(1_usize, 0.5_f64), (4, 1.5)]) {
        if *dial == 1 {
            none.get_or_insert(0.5);
        }
        if let Some(ref mut u) = e {
            *u *= *g.1;
        }
        let _ = taken.take();
    }
    x * x * e.unwrap_or(0.25) + x * none.unwrap_or(4.0) + x * taken.unwrap_or(8.0)
}

#[test]
fn what_kept_code_makes_of_options_is_there_afterwards() {
    let dial = || Dial(std::cell::Cell::new(0));
    // 1.5 · 0.5 · 1.5
    let right = |x: f64| x * x * 1.125 + x * 0.5 + x * 8.0;
    assert_eq!(options_in_kept_code(2.0, &dial()), right(2.0));
    assert_eq!(options_in_kept_code::gradient(2.0, &dial()), (right(2.0), 4.5 + 8.5));
}

#[adjoint(independents(x))]
fn ends_change_places(x: &[f64], n: usize) -> f64 {
    let mut q = [x[0], x[1] * x[1], x[2] * x[0], 2.0];
    for _ in 0..n {
        let [first, .., before, last] = &mut q;
        *before += *last * *first;
        std::mem::swap(first, last);
    }
    q[0] + 2.0 * q[1] + 3.0 * q[2] * q[3]
}

#[test]
fn elements_from_both_ends_are_apart() {
    let x = [0.5, 1.5, 0.75];
    for n in 0..3 {
        let found = ends_change_places::gradient(&x, n);
        assert_eq!(found.0, ends_change_places(&x, n));
        assert_gradient(&found.1, |x| ends_change_places(x, n), &x);
    }
}

#[adjoint(independents(x))]
fn checked_by_patterns(x: f64, kinds: &[Option<usize>]) -> f64 {
    use std::cmp::Ordering::{Equal, Less};
    debug_assert!(matches!(x.partial_cmp(&8.0), Some(Less | Equal)));
    let mut total = 0;
    for (k, kind) in std::collections::BTreeMap::from([(1_usize, 0_usize), (2, 1)]) {
        total += usize::from(matches!(kinds[kind], Some(n) if n > k));
    }
    x * x * total as f64
}

#[test]
fn patterns_in_macros_that_are_kept_are_patterns() {
    let kinds = [Some(2), Some(3)];
    assert_eq!(checked_by_patterns::gradient(3.0, &kinds), (18.0, 12.0));
    assert_eq!(checked_by_patterns::gradient(3.0, &[Some(1), Some(3)]), (9.0, 6.0));
}

#[derive(Clone, Differentiable)]
struct Checked {
    k: f64,
    m: f64,
}

impl Checked {
    fn is_finite(&self) -> bool {
        self.k.is_finite() && self.m.is_finite()
    }

    fn parts(&self) -> usize {
        (self.m * 2.0) as usize
    }
}

#[adjoint(independents(p, x))]
fn asks_what_it_differentiates(p: &Checked, x: f64) -> f64 {
    debug_assert!(p.is_finite());
    let y = p.k * x * p.m;
    let n: usize = p.parts();
    if p.is_finite() { y * n as f64 } else { x }
}

#[test]
fn methods_may_look_at_what_is_differentiated() {
    let p = Checked { k: 2.0, m: 1.5 };
    let (value, (p_g, x_g)) = asks_what_it_differentiates::gradient(&p, 3.0);
    assert_eq!((value, p_g.k, p_g.m, x_g), (27.0, 13.5, 18.0, 9.0));
}

/// What closures and functions do that are handed to methods of `Option` happens once.
mod handed_to_options {
    use backsweep::adjoint;
    use std::cell::Cell;

    thread_local! { pub static COUNT: Cell<i32> = const { Cell::new(0) }; }

    fn record(v: i32) -> i32 {
        COUNT.with(|count| count.set(count.get() + 1));
        COUNT.with(|count| count.get()) + v
    }

    fn add(log: &Cell<i32>, step: i32) -> i32 {
        log.set(log.get() + step);
        log.get()
    }

    #[adjoint(independents(x), dependents(return))]
    pub fn by_closures(x: f64, n: Option<i32>, log: &Cell<i32>) -> f64 {
        let m: i32 = n.map_or(0, |v| add(log, 1) + v);
        let k: i32 = n.map_or_else(|| add(log, 2), |v| v * add(log, 3));
        let is_large: bool = n.is_some_and(|v| add(log, 5) > 0 && v > 1);
        let may_be_large: bool = n.is_none_or(|v| add(log, 7) > 0 && v > 1);
        let e: Result<i32, i32> = n.ok_or_else(|| add(log, 11));
        let e: i32 = e.unwrap_or_else(|e| e);
        let y = if is_large { x * x } else { x };
        let z = if may_be_large { y * x } else { y };
        z * f64::from(m + 10 * k + 100 * e)
    }

    #[adjoint(independents(x), dependents(return))]
    pub fn by_functions(x: f64, n: Option<i32>) -> f64 {
        let m: i32 = n.map_or(0, record);
        let k: i32 = n.map_or_else(|| 3, record);
        x * x * f64::from(m) + x * f64::from(k)
    }
}

#[test]
fn what_is_handed_to_options_runs_once() {
    use handed_to_options::{COUNT, by_closures, by_functions};
    use std::cell::Cell;
    for n in [None, Some(1), Some(2)] {
        let (plain, swept) = (Cell::new(1), Cell::new(1));
        let expected = by_closures(0.5, n, &plain);
        let (value, slope) = by_closures::gradient(0.5, n, &swept);
        assert_eq!((value, swept.get()), (expected, plain.get()));
        let of = |x: &[f64]| by_closures(x[0], n, &Cell::new(1));
        assert!((slope - differences(of, &[0.5])[0]).abs() < 1e-6);
        COUNT.with(|count| count.set(0));
        let expected = by_functions(0.5, n);
        let count = COUNT.with(|count| count.replace(0));
        assert_eq!((by_functions::gradient(0.5, n).0, COUNT.with(Cell::get)), (expected, count));
    }
}

/// What a value that is kept as it is may refer to is noted once: the text of these functions grows with their length, and so does the time.
#[test]
fn chains_of_kept_values_are_read_once() {
    use std::fmt::Write;
    let text = |length: usize| {
        let mut body = "let mut a0 = Pair::new(x, x);".to_owned();
        for step in 0..length {
            write!(body, "let a{} = Pair::step(a{step}, a0);", step + 1).expect("a string");
        }
        let function = format!("fn chain(x: f64) -> f64 {{ {body} a{length}.norm() }}");
        let function = syn::parse_str(&function).expect("a function");
        ad_analysis::differentiate(Default::default(), &function).expect("entries").to_string()
    };
    assert!(text(60).contains("a60"));
}

/// Types of users have capacities of their own, which are no ones of lists.
mod capacities {
    use backsweep::{Differentiable, adjoint};

    #[derive(Clone, Differentiable)]
    pub struct Battery {
        pub charge: f64,
    }

    impl Battery {
        fn capacity(&self) -> f64 {
            2.0 * self.charge
        }
    }

    #[derive(Clone, Differentiable)]
    pub struct Car {
        #[passive]
        pub battery: Battery,
        pub drag: f64,
    }

    #[adjoint(independents(x), test(battery: &Battery { charge: 2.0 }, x: 0.7))]
    fn charged(battery: &Battery, x: f64) -> f64 {
        x.sin() * battery.capacity()
    }

    #[adjoint]
    impl Car {
        pub fn range(&self, x: f64) -> f64 {
            if self.battery.capacity() > 1.0 { x * self.drag } else { x }
        }
    }

    #[test]
    fn fields_have_their_own() {
        let car = Car { battery: Battery { charge: 2.0 }, drag: 3.0 };
        let (value, (bar, slope)) = car.range_gradient(0.5);
        assert_eq!((value, bar.drag, slope), (1.5, 0.5, 3.0));
    }
}
