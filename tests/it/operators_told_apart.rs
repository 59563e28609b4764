//! Operators on values, on references, and on one of each, which do different things: derivatives are those of what rustc calls.

#![allow(clippy::all, reason = "the attribute meets code as people write it, in all forms")]

use backsweep::{Differentiable, adjoint};
use std::ops::{AddAssign, Mul, Neg};

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
struct Length {
    x: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
struct Pair {
    a: Length,
    b: Length,
}

#[adjoint]
impl Mul for Length {
    type Output = Length;
    fn mul(self, other: Length) -> Length {
        Length { x: self.x * other.x }
    }
}

#[adjoint]
impl Mul<&Length> for &Length {
    type Output = Length;
    fn mul(self, other: &Length) -> Length {
        Length { x: 3.0 * self.x * other.x }
    }
}

#[adjoint]
impl<'a> Mul<Length> for &'a Length {
    type Output = Length;
    fn mul(self, other: Length) -> Length {
        Length { x: 5.0 * self.x * other.x }
    }
}

#[adjoint]
impl Mul<&Length> for Length {
    type Output = Length;
    fn mul(self, other: &Length) -> Length {
        Length { x: 7.0 * self.x * other.x }
    }
}

#[adjoint]
impl Neg for Length {
    type Output = Length;
    fn neg(self) -> Length {
        Length { x: -self.x }
    }
}

#[adjoint]
impl Neg for &Length {
    type Output = Length;
    fn neg(self) -> Length {
        Length { x: -11.0 * self.x }
    }
}

#[adjoint]
impl AddAssign for Length {
    fn add_assign(&mut self, other: Length) {
        self.x += other.x;
    }
}

#[adjoint]
impl AddAssign<&Length> for Length {
    fn add_assign(&mut self, other: &Length) {
        self.x += 13.0 * other.x;
    }
}

type Gradient = (f64, (Length, Length, Vec<Length>));
type Tangent = (f64, f64);

/// The value is that of the function, the gradient that of differences, and the tangent fits the gradient.
fn check(
    name: &str,
    plain: fn(&Length, Length, &[Length]) -> f64,
    gradient: impl Fn(&Length, Length, &[Length]) -> Gradient,
    tangent: impl Fn([(Length, Length); 2], [&[Length]; 2]) -> Tangent,
) {
    const STEP: f64 = 1e-5;
    const AT: [f64; 4] = [1.3, 0.7, 0.9, 1.7];
    let at =
        |[a, b, v, w]: [f64; 4]| (Length { x: a }, Length { x: b }, [v, w].map(|x| Length { x }));
    let value_at = |at_point: [f64; 4]| {
        let (a, b, v) = at(at_point);
        plain(&a, b, &v)
    };
    let (a, b, v) = at(AT);
    let (value, (a_bar, b_bar, v_bar)) = gradient(&a, b, &v);
    assert_eq!(value.to_bits(), plain(&a, b, &v).to_bits(), "{name}");
    let found = [a_bar.x, b_bar.x, v_bar[0].x, v_bar[1].x];
    for k in 0..4 {
        let moved = |step: f64| {
            let mut moved = AT;
            moved[k] += step;
            value_at(moved)
        };
        let difference = (moved(STEP) - moved(-STEP)) / (2.0 * STEP);
        let error = (found[k] - difference).abs() / difference.abs().max(1.0);
        assert!(error < 1e-7, "{name}: {found:?}, and not {difference} with respect to {k}");
    }
    let (value, along) = tangent([(a, a_bar), (b, b_bar)], [&v, &v_bar]);
    assert_eq!(value.to_bits(), plain(&a, b, &v).to_bits(), "{name}");
    let square: f64 = found.iter().map(|x| x * x).sum();
    approx::assert_relative_eq!(along, square, max_relative = 1e-12);
}

macro_rules! told_apart {
    ($(fn $name:ident($a:ident, $b:ident, $v:ident) $body:expr;)*) => {
        $(
            #[adjoint(independents($a, $b, $v))]
            #[allow(unused_variables, clippy::op_ref, clippy::clone_on_copy, clippy::let_and_return)]
            fn $name($a: &Length, $b: Length, $v: &[Length]) -> f64 {
                let result: Length = $body;
                result.x
            }
        )*

        #[test]
        fn operators_are_those_that_rustc_calls() {
            $(check(
                stringify!($name),
                $name,
                |a, b, v| $name::gradient(a, b, v),
                |[(a, a_d), (b, b_d)], [v, v_d]| $name::tangent(&a, &a_d, b, b_d, v, v_d),
            );)*
        }
    };
}

told_apart! {
    fn case_vv(a, b, v) *a * b;
    fn case_rr(a, b, v) a * &b;
    fn case_rv(a, b, v) a * b;
    fn case_vr(a, b, v) b * a;
    fn case_same(a, b, v) a * a;
    fn case_same2(a, b, v) &b * &b;
    fn case_mixed(a, b, v) &b * b;
    fn case_neg(a, b, v) -a * -&b;
    fn case_neg2(a, b, v) -b * -*a;
    fn case_el(a, b, v) &v[0] * &v[1];
    fn case_el2(a, b, v) v[0] * v[1];
    fn case_el3(a, b, v) v[0] * &v[0];
    fn case_name(a, b, v) { let r = &b; r * r };
    fn case_name2(a, b, v) { let r = a; let s = r; s * b };
    fn case_typed(a, b, v) { let r: &Length = &b; r * a };
    fn case_deref(a, b, v) { let r = &b; *r * *r };
    fn case_pat(a, b, v) { let &r = a; r * b };
    fn case_iter(a, b, v) { let mut s = *a; for w in v { s = s * w; } s };
    fn case_iter2(a, b, v) { let mut s = *a; for w in v.iter() { s += w * w; } s };
    fn case_iter3(a, b, v) { let mut s = *a; for &w in v { s = s * w; } s };
    fn case_iter4(a, b, v) { let mut s = *a; for w in v.iter().copied() { s = s * w; s += w; } s };
    fn case_iter6(a, b, v) { let mut s = *a; for (w, u) in v.iter().zip(v.iter().rev()) { s += w * u; } s };
    fn case_owned3(a, b, v) { let mut s = *a; let o = [b, *a]; for w in &o { s += w * w; } s };
    fn case_fold(a, b, v) v.iter().fold(*a, |acc, w| acc * w);
    fn case_fold2(a, b, v) v.iter().copied().fold(*a, |acc, w| acc * w);
    fn case_fold3(a, b, v) v.iter().fold(*a, |acc, &w| acc * w);
    fn case_fold4(a, b, v) v.iter().fold(*a, |acc, w| &acc * w);
    fn case_map(a, b, v) { let o: Vec<Length> = v.iter().map(|w| w * w).collect(); o[0] };
    fn case_map2(a, b, v) { let o: Vec<Length> = v.iter().map(|w| *w * *w).collect(); o[0] };
    fn case_map3(a, b, v) { let o: Vec<Length> = v.iter().copied().map(|w| w * w).collect(); o[0] };
    fn case_map4(a, b, v) { let o: Vec<Length> = v.iter().map(|w| a * w).collect(); o[1] };
    fn case_closure(a, b, v) { let f = |p: &Length, q: Length| p * q; f(a, b) };
    fn case_closure2(a, b, v) { let f = |p: Length, q: Length| p * q; f(*a, b) };
    fn case_chain(a, b, v) &(a * b) * &(b * a);
    fn case_chain2(a, b, v) (a * b) * &(b * a);
    fn case_cl(a, b, v) a.clone() * b.clone();
    fn case_cl2(a, b, v) &a.clone() * b;
    fn case_some(a, b, v) { let o = Some(b); if let Some(w) = o { w * w } else { b } };
    fn case_some2(a, b, v) { let o = Some(b); if let Some(w) = &o { w * w } else { b } };
    fn case_some3(a, b, v) { let o = v.first(); if let Some(w) = o { w * w } else { b } };
    fn case_some4(a, b, v) match v.get(1) { Some(w) => a * w, None => b };
    fn case_some5(a, b, v) match v.get(1).copied() { Some(w) => a * w, None => b };
    fn case_tup(a, b, v) { let (p, q) = (b, *a); p * q };
    fn case_tup3(a, b, v) { let (p, q) = (&b, a); p * q };
    fn case_assign(a, b, v) { let mut s = b; s += a; s };
    fn case_assign2(a, b, v) { let mut s = b; s += *a; s };
    fn case_assign3(a, b, v) { let mut s = v.to_vec(); s[1] += &b; s[1] += b; s[1] };
    fn case_assign4(a, b, v) { let mut s = v.to_vec(); for w in s.iter_mut() { *w += a; } s[1] };
    fn case_assign5(a, b, v) { let mut s = v.to_vec(); for (w, u) in s.iter_mut().zip(v) { *w += u; *w += *u; } s[1] };
    fn case_reref(a, b, v) { let r = a; let s = &*r; s * r };
    fn case_en(a, b, v) { let mut s = b; for (i, w) in v.iter().enumerate() { if i > 0 { s = w * s; } } s };
    fn case_win(a, b, v) { let mut s = b; for w in v.windows(2) { s += &w[0] * &w[1]; } s };
    fn case_win2(a, b, v) { let mut s = b; for w in v.chunks(2) { s += w[0] * w[1]; } s };
    fn case_reassigned(a, b, v) { let mut r = &v[0]; if b.x > 0.0 { r = &v[1]; } r * r };
    fn case_consts(a, b, v) { const K: Length = Length { x: 2.0 }; a * &K * K };
    fn case_slicepat(a, b, v) { let mut s = b; if let [p, q] = v { s += p * q; } s };
    fn case_ref1(a, b, v) { let ref r = b; r * r };
    fn case_ref2(a, b, v) match b { ref r => r * r };
    fn case_ref4(a, b, v) { let o = Some(b); if let Some(ref w) = o { w * w } else { b } };
    fn case_opt1(a, b, v) v.first().map(|w| w * w).unwrap();
    fn case_opt2(a, b, v) v.first().copied().map(|w| w * w).unwrap();
    fn case_opt3(a, b, v) { let w = v.last().unwrap(); w * w };
    fn case_opt4(a, b, v) { let w = *v.last().unwrap(); w * w };
    fn case_wl(a, b, v) { let mut s = b; let mut it = v.iter(); while let Some(w) = it.next() { s = s * w; } s };
    fn case_filt(a, b, v) { let mut s = b; for w in v.iter().filter(|w| w.x > 0.5) { s = s * w; } s };
    fn case_tw(a, b, v) { let mut s = b; for w in v.iter().rev().take_while(|w| w.x > 1.0) { s += w * w; } s };
    fn case_f2(a, b, v) { let (p, _) = v.iter().fold((b, *a), |(p, q), w| (p * w, q * p)); p };
    fn case_f3(a, b, v) { let (_, p) = v.iter().fold((b, *a), |(p, q), w| (p * w, q * p)); p };
    fn case_cl3(a, b, v) { let f = |i: usize| v[i]; f(0) * f(1) };
    fn case_pos(a, b, v) { let mut s = b; for k in 0..v.len() { let w = &v[k]; s = w * &s; } s };
    fn case_getm(a, b, v) { let mut o = v.to_vec(); { let w = &mut o[0]; *w = *w * b; } o[0] };
    fn case_getm2(a, b, v) { let mut o = v.to_vec(); { let w = &mut o[0]; *w = &*w * b; } o[0] };
    fn case_getm3(a, b, v) { let mut o = v.to_vec(); o[0] += &v[1]; let (p, q) = o.split_at(1); &p[0] * &q[0] };
    fn case_nested(a, b, v) { let f = |w: &Length| { let u = w; u * u }; f(&b) };
    fn case_arr(a, b, v) { let o = [b, *a]; let [p, q] = &o; p * q };
    fn case_arr2(a, b, v) { let o = [b, *a]; let [p, q] = o; p * q };
    fn case_cond(a, b, v) { let w = if b.x > 0.0 { b } else { *a }; w * w };
    fn case_zip3(a, b, v) { let mut s = b; for ((i, w), u) in v.iter().enumerate().zip(v.iter().copied()) { s += w * u; if i > 5 { s += w; } } s };
    fn case_inl(a, b, v) { let mut s = b; v.iter().for_each(|w| s += w); s };
    fn case_inl2(a, b, v) { let mut s = b; v.iter().copied().for_each(|w| s += w); s };
    fn case_inl3(a, b, v) { let mut s = b; v.iter().for_each(|&w| s += w); s };
    fn case_tup4(a, b, v) { let t = (b, *a); let (p, q) = &t; p * q };
    fn case_tup5(a, b, v) { let t = (b, *a); t.0 * &t.1 };
    fn case_let_else(a, b, v) { let Some(w) = v.first() else { return 0.0 }; w * w };
    fn case_let_else2(a, b, v) { let Some(&w) = v.first() else { return 0.0 }; w * w };
    fn case_bind(a, b, v) { match b { w @ Length { .. } => w * w } };
    fn case_mm2(a, b, v) { let m = v.iter().map(|w| -w).collect::<Vec<Length>>(); &m[0] * m[1] };
    fn case_st1(a, b, v) { let p = Pair { a: b, b: *a }; let Pair { a: x, b: y } = p; x * y };
    fn case_st2(a, b, v) { let p = Pair { a: b, b: *a }; let Pair { a: x, b: y } = &p; x * y };
    fn case_st3(a, b, v) { let p = Pair { a: b, b: *a }; match p { Pair { a: x, b: y } => x * y } };
    fn case_st4(a, b, v) { let p = Pair { a: b, b: *a }; match &p { Pair { a: x, b: y } => x * y } };
    fn case_st5(a, b, v) { let p = Pair { a: b, b: *a }; let Pair { ref a, b: y } = p; a * y };
    fn case_st10(a, b, v) { let p = Pair { a: b, b: *a }; let r = &p; r.a * r.b };
    fn case_st11(a, b, v) { let p = Pair { a: b, b: *a }; let r = &p; &r.a * r.b };
    fn case_st12(a, b, v) { let p = Pair { a: b, b: *a }; let r = &p.a; r * &p.b };
    fn case_tp1(a, b, v) { let ps = [(b, *a)]; let mut s = b; for (x, y) in &ps { s += x * y; } s };
    fn case_tp2(a, b, v) { let ps = [(b, *a)]; let mut s = b; for &(x, y) in &ps { s += x * y; } s };
    fn case_tp3(a, b, v) { let ps = [(b, *a)]; let mut s = b; for (x, y) in ps.iter().copied() { s += x * y; } s };
    fn case_tp4(a, b, v) { let ps = [(b, *a)]; let mut s = b; for (x, y) in ps.iter() { s += x * y; } s };
    fn case_tp5(a, b, v) { let mut s = b; for (i, (x, y)) in v.iter().zip(v).enumerate() { if i < 9 { s += x * y; } } s };
    fn case_tp6(a, b, v) { let mut s = b; for (i, (x, &y)) in v.iter().zip(v).enumerate() { if i < 9 { s += x * y; } } s };
    fn case_op1(a, b, v) { let o = Some((b, *a)); if let Some((x, y)) = o { x * y } else { b } };
    fn case_op2(a, b, v) { let o = Some((b, *a)); if let Some((x, y)) = &o { x * y } else { b } };
    fn case_op3(a, b, v) { let o = Some(b); if let Some(x) = o.as_ref() { x * x } else { b } };
    fn case_op4(a, b, v) { let o = Some(b); o.map_or(b, |x| x * x) };
    fn case_op5(a, b, v) { let o = Some(b); o.as_ref().map_or(b, |x| x * x) };
    fn case_op9(a, b, v) { let x = v.first().copied().unwrap_or(b); x * b };
    fn case_op10(a, b, v) { if let [first, .., last] = v { first * last } else { b } };
    fn case_op11(a, b, v) { let (h, t) = v.split_first().unwrap(); h * &t[0] };
    fn case_op12(a, b, v) { let (&h, t) = v.split_first().unwrap(); h * t[0] };
    fn case_mp3(a, b, v) { let o: Vec<Length> = v.iter().zip(&[b, *a]).map(|(x, y)| x * y).collect(); o[0] };
    fn case_mp4(a, b, v) { let o: Vec<Length> = v.iter().filter(|x| x.x > 0.0).map(|x| x * x).collect(); o[0] };
    fn case_mp5(a, b, v) { let o: Vec<Length> = v.iter().copied().filter(|x| (-x).x < 1.0).map(|x| x * x).collect(); o[0] };
    fn case_mp7(a, b, v) { let o: Vec<Length> = v.iter().chain(v).map(|x| x * x).collect(); o[3] };
    fn case_mp8(a, b, v) { let o: Vec<Length> = v.iter().skip(1).step_by(1).map(|x| x * x).collect(); o[0] };
    fn case_mp9(a, b, v) { let o: Vec<Length> = (0..2).map(|i| &v[i]).map(|x| x * x).collect(); o[0] };
    fn case_mp10(a, b, v) { let o: Vec<Length> = (0..2).map(|i| v[i]).map(|x| x * x).collect(); o[0] };
    fn case_mp11(a, b, v) { let o: Vec<Length> = v.iter().map(|x| (x, b)).map(|(x, y)| x * y).collect(); o[0] };
    fn case_mp12(a, b, v) { let o: Vec<Length> = v.iter().map(|x| (x, &b)).map(|(x, y)| x * y).collect(); o[0] };
    fn case_mp13(a, b, v) { let o: Vec<Length> = v.iter().inspect(|_| ()).map(|x| x * x).collect(); o[0] };
    fn case_mp15(a, b, v) { let t = &(b, *a); let &(x, y) = t; x * y };
    fn case_q5(a, b, v) { let mut best = &v[0]; for w in v { if w.x > best.x { best = w; } } best * best };
    fn case_q6(a, b, v) { if let Some(x) = &Some(b) { x * x } else { b } };
    fn case_q7(a, b, v) { let o = Some(a); if let Some(x) = o { x * x } else { b } };
    fn case_q14(a, b, v) { let mut it = v.iter(); let x = it.next().unwrap(); let y = it.next().unwrap(); x * y };
    fn case_q17(a, b, v) { let mut s = b; for (x, y) in v.iter().map(|x| (x, b)) { s += x * y; } s };
    fn case_q18(a, b, v) { let mut s = b; for w in v.iter().map(|x| x) { s += w * w; } s };
    fn case_q23(a, b, v) { let f = |x: &Length| -> Length { x * x }; f(a) };
    fn case_q29(a, b, v) { let o = Some((b, *a)); if let Some((x, _)) = o.as_ref() { x * x } else { b } };
    fn case_q32(a, b, v) { let o = Some(v); if let Some([p, q]) = o { p * q } else { b } };
    fn case_w7(a, b, v) *v.last().unwrap() * *v.first().unwrap();
    fn case_w8(a, b, v) { let (x, y) = (v.first().unwrap(), b); x * y };
    fn case_w9(a, b, v) { let f = |x: &Length, y: &Length| -> Length { x * y }; f(v.first().unwrap(), a) };
    fn case_w10(a, b, v) { let mut it = v.iter(); let mut s = b; while let (Some(x), Some(y)) = (it.next(), it.next()) { s += x * y; } s };
}
