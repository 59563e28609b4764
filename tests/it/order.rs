//! Operands are evaluated in the order of Rust, and a place is fixed where it is named. The oracle is the function itself, as
//! rustc compiles it, and differences of it.
#![allow(
    clippy::blocks_in_conditions,
    clippy::diverging_sub_expression,
    clippy::let_and_return,
    clippy::match_single_binding,
    clippy::mixed_read_write_in_expression,
    clippy::unnecessary_cast,
    clippy::unnecessary_literal_unwrap,
    clippy::useless_vec,
    unused_assignments,
    unused_mut,
    unused_variables,
    reason = "what is tested is code that changes what it reads"
)]

use backsweep::{Differentiable, adjoint};
use std::sync::atomic::{AtomicU32, Ordering};

/// Where all is compared.
const POINT: [f64; 3] = [0.3, 0.7, 1.9];

/// The value has to be that of the function, the gradient that of its differences.
fn agrees(name: &str, function: impl Fn(&[f64]) -> f64, (value, gradient): (f64, Vec<f64>)) {
    assert_eq!(function(&POINT).to_bits(), value.to_bits(), "the value of {name}");
    for (k, derivative) in gradient.iter().enumerate() {
        let at = |step: f64| {
            let mut point = POINT;
            point[k] += step;
            function(&point)
        };
        let difference = (at(1e-6) - at(-1e-6)) / 2e-6;
        assert!(
            (difference - derivative).abs() < 1e-6,
            "{name}, derivative {k}: {derivative}, not {difference}"
        );
    }
}

/// A test of functions of a slice.
macro_rules! agree {
    ($test:ident: $($function:ident)*) => {
        #[test]
        fn $test() {
            $(agrees(stringify!($function), $function, $function::gradient(&POINT));)*
        }
    };
}

#[adjoint]
fn product(a: &f64, b: f64) -> f64 {
    a * b
}

#[adjoint]
fn next(i: &mut usize, x: f64) -> f64 {
    *i += 1;
    x * 2.0
}

/// A call of a function of the user's changes the index in the place of another operand.
#[adjoint]
fn by_a_call(x: &[f64]) -> f64 {
    let (mut i, mut s) = (0, 0.0);
    while i < 2 {
        s += product(&x[i], next(&mut i, x[2]));
    }
    s
}

#[derive(Clone, Copy, Differentiable)]
struct P {
    a: f64,
    b: f64,
}

#[adjoint]
fn tuple_of_a_reference(x: &[f64]) -> f64 {
    let mut i = 0;
    let (r, k) = (&x[i], {
        i += 1;
        i
    });
    *r * k as usize as f64
}

#[adjoint]
fn replaced(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let mut i = 0;
    let o = std::mem::replace(&mut v[i], {
        i += 1;
        x[2]
    });
    o + 2.0 * v[1]
}

#[adjoint]
fn two_indices(x: &[f64]) -> f64 {
    let m = [[x[0], x[1]], [x[1], x[2]]];
    let mut i = 0;
    m[i][{
        i += 1;
        i
    }]
}

#[adjoint]
fn filled(x: &[f64]) -> f64 {
    let mut m = vec![vec![x[0]; 2], vec![x[1]; 2]];
    let mut i = 0;
    m[i].fill({
        i += 1;
        x[2]
    });
    m[0][0] * m[1][1]
}

#[adjoint]
fn reference_to_a_closure(x: &[f64]) -> f64 {
    let mut i = 0;
    let h = |r: &f64, k: f64| r * k;
    h(&x[i], {
        i += 1;
        x[i]
    })
}

#[adjoint]
fn bounds_of_a_slice(x: &[f64]) -> f64 {
    let mut i = 0;
    let p = &x[i..{
        i += 2;
        i
    }];
    p[0] * p[1]
}

#[adjoint]
fn mapped_or(x: &[f64]) -> f64 {
    let mut best: Option<f64> = Some(x[2]);
    let y = best.map_or(
        {
            best = None;
            x[1]
        },
        |b| b * b,
    );
    y * best.unwrap_or(x[0])
}

#[adjoint]
fn or_another(x: &[f64]) -> f64 {
    let mut best: Option<f64> = Some(x[2]);
    let y = best.or({
        best = Some(x[0]);
        None
    });
    y.unwrap() * best.unwrap_or(x[1])
}

#[adjoint]
fn mapped(x: &[f64]) -> f64 {
    let mut best: Option<f64> = Some(x[2]);
    let y = best.map(|b| {
        best = None;
        b * x[0]
    });
    y.unwrap_or(0.0) + best.unwrap_or(x[1])
}

#[adjoint]
fn filtered(x: &[f64]) -> f64 {
    let mut best: Option<f64> = Some(x[2]);
    let y = best.filter(|b| {
        best = None;
        *b > 0.0
    });
    y.unwrap_or(0.0) * x[0] + best.unwrap_or(x[1])
}

#[adjoint]
fn swapped(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let mut w = x.to_vec();
    let mut i = 0;
    std::mem::swap(
        &mut v[i],
        &mut w[{
            i += 1;
            i
        }],
    );
    v[0] * x[0] + v[1] * 2.0 + w[0] * 3.0 + i as f64
}

#[adjoint]
fn copied_from_a_slice(x: &[f64]) -> f64 {
    let mut m = [[x[0], x[1]], [x[1], x[2]]];
    let src = [x[2], x[0]];
    let mut i = 0;
    m[i].copy_from_slice(
        &src[..{
            i += 1;
            2
        }],
    );
    m[0][0] * 3.0 + m[0][1] * 5.0 + m[1][0] * 7.0
}

#[adjoint]
fn rotated(x: &[f64]) -> f64 {
    let mut m = [[x[0], x[1], x[2]], [x[1], x[2], x[0]]];
    let mut i = 0;
    m[i].rotate_left({
        i += 1;
        1
    });
    m[0][0] * 3.0 + m[1][0] * 5.0 + i as f64
}

#[adjoint]
fn elements_swapped(x: &[f64]) -> f64 {
    let mut m = [[x[0], x[1], x[2]], [x[1], x[2], x[0]]];
    let mut i = 0;
    m[i].swap(0, {
        i += 1;
        2
    });
    m[0][0] * 3.0 + m[1][0] * 5.0 + i as f64
}

#[adjoint]
fn pushed_to_a_row(x: &[f64]) -> f64 {
    let mut m = vec![vec![x[0]], vec![x[1]]];
    let mut i = 0;
    m[i].push({
        i += 1;
        x[2]
    });
    m[0].len() as f64 * m[0][1] + m[1][0]
}

#[adjoint]
fn matched(x: &[f64]) -> f64 {
    let mut i = 0;
    match (&x[i], {
        i += 1;
        x[i]
    }) {
        (a, b) => a * b * i as f64,
    }
}

#[adjoint]
fn folded(x: &[f64]) -> f64 {
    let mut n = 2;
    x[..n].iter().fold(
        {
            n = 3;
            x[2]
        },
        |a, t| a + t * n as f64,
    )
}

#[adjoint]
fn zipped(x: &[f64]) -> f64 {
    let mut n = 2;
    let mut s = 0.0;
    for (i, t) in (0..n).zip(
        &x[{
            n = 3;
            0
        }..],
    ) {
        s += t * (i + n) as f64;
    }
    s
}

#[adjoint]
fn added_to_a_number(x: &[f64]) -> f64 {
    let mut i = 0;
    let mut y = [x[0], x[1], x[2]];
    y[i] += {
        i += 1;
        x[2]
    };
    y[0] * 2.0 + y[1] * 3.0
}

#[adjoint]
fn assigned(x: &[f64]) -> f64 {
    let mut i = 0;
    let mut y = [x[0], x[1], x[2]];
    y[{
        i += 1;
        i
    }] = {
        i += 1;
        x[i]
    };
    y[0] * 2.0 + y[1] * 3.0 + y[2] * 4.0 + i as f64
}

#[adjoint]
fn element_by_get(x: &[f64]) -> f64 {
    let mut i = 0;
    let v = x.to_vec();
    v.get({
        i += 1;
        i
    })
    .unwrap()
        * x[i].max({
            i += 1;
            x[i]
        })
}

#[adjoint]
fn element_of_a_row_by_get(x: &[f64]) -> f64 {
    let mut m = [x.to_vec(), x.to_vec()];
    let mut i = 0;
    m[i].get({
        i += 1;
        i
    })
    .unwrap()
        * x[i].max({
            i += 1;
            x[i]
        })
}

#[adjoint]
fn fields_as_written(x: &[f64]) -> f64 {
    let mut i = 0;
    let p = P {
        b: x[i],
        a: {
            i += 2;
            x[i]
        },
    };
    p.a * 3.0 + p.b
}

#[adjoint]
fn elements_of_an_array(x: &[f64]) -> f64 {
    let mut i = 0;
    let p = [
        x[i],
        {
            i += 2;
            x[i]
        },
        x[i] * {
            i -= 1;
            x[i]
        },
    ];
    p[0] * 3.0 + p[1] * 5.0 + p[2]
}

#[adjoint]
fn compared(x: &[f64]) -> f64 {
    let mut i = 0;
    if x[i] < {
        i += 1;
        x[i]
    } {
        x[i] * x[2]
    } else {
        x[0]
    }
}

#[adjoint]
fn reference_assigned_again(x: &[f64]) -> f64 {
    let mut i = 0;
    let mut s = &x[1..];
    let h = |r: &f64, k: f64| r * k;
    h(&s[i], {
        s = &s[1..];
        s[0]
    })
}

#[adjoint]
fn slices(x: &[f64]) -> f64 {
    let mut i = 0;
    let g = |a: &[f64], b: f64| a[0] * b;
    g(&x[i..], {
        i += 1;
        x[i]
    }) + (x[i] as f64) * {
        i += 1;
        x[i]
    }
}

#[adjoint]
fn reduced_or(x: &[f64]) -> f64 {
    let mut i = 0;
    x.iter().copied().reduce(|a, b| a * b).unwrap_or({
        i += 1;
        0.0
    }) + x[i]
}

#[adjoint]
fn multiplied_by(x: &[f64]) -> f64 {
    let mut i = 0;
    let mut v = [x[0], x[1]];
    let k = 1;
    v[i] *= {
        i = k;
        x[2]
    };
    v[0] + 2.0 * v[1]
}

#[adjoint]
fn leaves_between(x: &[f64]) -> f64 {
    let scaled = |r: &f64, k: f64| r * k;
    let n = x.len();
    scaled(&x[n - 1], {
        if n > 2 {
            return x[0] * x[1];
        }
        x[1]
    })
}

#[adjoint]
fn method_of_a_float(x: &[f64]) -> f64 {
    let mut i = 0;
    x[i].powi({
        i += 2;
        i as i32
    }) * x[i]
}

#[adjoint]
fn nested_calls(x: &[f64]) -> f64 {
    let mut i = 0;
    product(
        &x[i],
        product(
            &x[{
                i += 1;
                i
            }],
            next(&mut i, x[1]),
        ),
    ) + x[i]
}

#[adjoint]
fn struct_update(x: &[f64]) -> f64 {
    let mut i = 0;
    let p = P {
        a: x[i],
        ..{
            i += 1;
            P { a: x[i], b: x[i] }
        }
    };
    p.a * 3.0 + p.b * x[i]
}

#[adjoint]
fn repeated_list(x: &[f64]) -> f64 {
    let mut n = 1;
    let v = vec![
        {
            n += 1;
            x[n]
        };
        n
    ];
    v[0] * v.len() as f64
}

#[adjoint]
fn tuple_struct_in_place(x: &[f64]) -> f64 {
    let mut i = 0;
    let mut p = [P { a: x[0], b: x[1] }, P { a: x[2], b: x[1] }];
    p[i].b = {
        i += 1;
        x[i] * p[i].a
    };
    p[0].b * 2.0 + p[1].b
}

#[adjoint]
fn short_circuit(x: &[f64]) -> f64 {
    let mut i = 0;
    if x[i] > 0.0
        && {
            i += 1;
            x[i] > 0.5
        }
        && x[i] < {
            i += 1;
            x[i]
        }
    {
        x[i] * x[0]
    } else {
        x[1]
    }
}

#[adjoint]
fn casts(x: &[f64]) -> f64 {
    let mut i = 0u8;
    (i as f64 + x[0]) * {
        i += 3;
        i as f64 * x[1]
    } + i as f64
}

#[adjoint]
fn two_phases(x: &[f64]) -> f64 {
    let mut v = vec![x[0]];
    v.push(v.len() as f64 * x[1]);
    v.push({
        let k = v.len();
        v[k - 1] * x[2]
    });
    v[1] * v[2]
}

#[adjoint]
fn length_in_the_index(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let n = v.len();
    v[n - 1] = {
        v.push(x[0]);
        v.len() as f64 * x[1]
    };
    v[2] * v[3]
}

#[adjoint]
fn inner_place(x: &[f64]) -> f64 {
    let mut m = [[[x[0], x[1]], [x[1], x[2]]], [[x[2], x[0]], [x[0], x[0]]]];
    let mut i = 0;
    m[i][{
        i -= 1;
        i
    }][{
        i += 1;
        i
    }] += {
        i += 1;
        x[i]
    };
    m[0][1][0] * 3.0 + m[1][0][1] * 5.0 + m[0][0][0]
}

#[adjoint]
fn destructuring(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let mut i = 0;
    (
        v[i],
        i,
        v[{
            i += 1;
            i
        }],
    ) = (x[1], 1, x[2] * x[2]);
    v[0] + 2.0 * v[1] + 4.0 * v[2]
}

#[adjoint]
fn range_that_grows(x: &[f64]) -> f64 {
    let mut n = 1;
    let mut s = 0.0;
    for k in n - 1..({
        n += 1;
        n
    }) {
        n = 7;
        s += x[k] * (k + n) as f64;
    }
    s
}

#[adjoint]
fn taken_and_skipped(x: &[f64]) -> f64 {
    let mut n = 1;
    x.iter()
        .skip(n)
        .take({
            n += 1;
            n
        })
        .map(|t| t * t)
        .sum::<f64>()
        * n as f64
}

#[adjoint]
fn returned_by_a_block(x: &[f64]) -> f64 {
    let mut i = 0;
    let y = {
        i += 1;
        x[i]
    } - {
        i += 1;
        x[i]
    } * x[i - 2];
    y
}

#[adjoint]
fn index_of_an_index(x: &[f64]) -> f64 {
    let mut order = [2, 0, 1];
    let h = |r: &f64, k: f64| r * k;
    h(&x[order[0]], {
        order[0] = 1;
        x[order[0]]
    })
}

#[adjoint]
fn option_of_an_element(x: &[f64]) -> f64 {
    let mut i = 0;
    let first = x.get(i).copied();
    let y = first.unwrap_or({
        i = 1;
        x[i]
    });
    y * x[i]
}

#[adjoint]
fn none_or(x: &[f64]) -> f64 {
    let mut best: Option<f64> = Some(x[2]);
    let none = best.is_none_or(|b| {
        best = None;
        b > 9.0
    });
    if none { x[0] } else { best.unwrap_or(x[1]) * x[2] }
}

#[adjoint]
fn lazily(x: &[f64]) -> f64 {
    let mut i = 0;
    let best: Option<f64> = None;
    best.unwrap_or_else(|| {
        i += 1;
        x[i]
    }) * x[i]
}

/// A matrix with an operator that changes it in place.
#[derive(Clone, Copy, Debug, Differentiable)]
struct Pair([f64; 2]);

#[adjoint]
impl std::ops::AddAssign for Pair {
    fn add_assign(&mut self, other: Pair) {
        self.0[0] += other.0[0];
        self.0[1] += other.0[1] * other.0[0];
    }
}

/// Where `+=` is an operator of the user's, the place comes first.
#[adjoint]
fn added_to_a_struct(x: &[f64]) -> f64 {
    let mut pairs: [Pair; 2] = [Pair([x[0], x[1]]), Pair([x[1], x[2]])];
    let mut i = 0;
    pairs[i] += {
        i += 1;
        Pair([x[2], x[i]])
    };
    pairs[0].0[0] * 2.0 + pairs[0].0[1] * 3.0 + pairs[1].0[0] * 5.0 + pairs[1].0[1]
}

agree!(operands_are_evaluated_in_order: by_a_call tuple_of_a_reference two_indices reference_to_a_closure bounds_of_a_slice matched added_to_a_number assigned fields_as_written elements_of_an_array compared reference_assigned_again slices multiplied_by leaves_between method_of_a_float nested_calls struct_update tuple_struct_in_place short_circuit casts inner_place returned_by_a_block index_of_an_index added_to_a_struct);
agree!(methods_of_lists_find_their_place_first: replaced filled swapped copied_from_a_slice rotated elements_swapped pushed_to_a_row folded zipped element_by_get element_of_a_row_by_get repeated_list two_phases length_in_the_index destructuring range_that_grows taken_and_skipped);
agree!(an_option_is_read_before_the_alternative: mapped_or or_another mapped filtered reduced_or option_of_an_element none_or lazily);

/// What somebody sees of an operand happens, or does not, as in Rust: the index of the one before may be out of bounds.
#[adjoint(independents(x), passive(log))]
fn seen(x: &[f64], i: usize, log: &AtomicU32) -> f64 {
    let scaled = |r: &f64, k: f64| r * k;
    scaled(&x[i], {
        log.fetch_add(1, Ordering::Relaxed);
        x[0]
    })
}

#[test]
fn an_index_out_of_bounds_panics_before_later_operands() {
    let log = AtomicU32::new(0);
    let run = |i| {
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| seen::gradient(&POINT, i, &log)))
    };
    assert!(run(3).is_err());
    assert_eq!(log.load(Ordering::Relaxed), 0, "the operand behind the index was not reached");
    let (value, gradient) = run(1).expect("it is in bounds");
    assert_eq!((value, gradient), (0.7 * 0.3, vec![0.7, 0.3, 0.0]));
    assert_eq!(log.load(Ordering::Relaxed), 1);
}

/// A range has its ends before the number that is looked for is read.
mod ranges {
    use backsweep::adjoint;

    #[adjoint]
    fn grow(a: &mut f64) -> f64 {
        *a += 1.0;
        *a
    }

    #[adjoint]
    pub fn ends(x: f64, start: f64) -> f64 {
        let mut a = start;
        if (a..grow(&mut a)).contains(&x) { x * x * a } else { 3.0 * x * a }
    }

    #[adjoint]
    pub fn subject(x: f64, start: f64) -> f64 {
        let mut a = start;
        if (a..=grow(&mut a)).contains(&(grow(&mut a) - 1.5)) { x * x * a } else { 3.0 * x * a }
    }
}

#[test]
fn ranges_have_their_ends_first() {
    for (x, start) in [(0.5, 0.0), (1.5, 1.0), (1.2, 0.0), (0.5, 0.4), (2.5, 0.0)] {
        for (function, gradient) in [
            (ranges::ends as fn(f64, f64) -> f64, ranges::ends::gradient as fn(f64, f64) -> _),
            (ranges::subject, ranges::subject::gradient),
        ] {
            let (value, (of_x, of_start)) = gradient(x, start);
            assert_eq!(value, function(x, start));
            let h = 1e-6;
            let slopes = [
                (function(x + h, start) - function(x - h, start)) / (2.0 * h),
                (function(x, start + h) - function(x, start - h)) / (2.0 * h),
            ];
            assert!((of_x - slopes[0]).abs() < 1e-8 && (of_start - slopes[1]).abs() < 1e-8);
        }
    }
}
