//! Temporaries and variables are dropped where Rust drops them. The oracle is the function itself: what is made and what is
//! dropped is written to a log, and both logs have to be the same.
#![allow(
    clippy::let_underscore_lock,
    clippy::significant_drop_tightening,
    clippy::unnecessary_operation,
    let_underscore_drop,
    unused_assignments,
    unused_must_use,
    unused_variables,
    reason = "what is tested is when something is dropped"
)]

use backsweep::adjoint;
use std::sync::Mutex;

/// What happened, in order.
#[derive(Default)]
struct Log(Mutex<Vec<u32>>);

impl Log {
    fn note(&self, event: u32) {
        self.0.lock().expect("nobody panics").push(event);
    }

    fn events(&self) -> Vec<u32> {
        self.0.lock().expect("nobody panics").clone()
    }

    /// How much has happened.
    fn get(&self) -> u32 {
        u32::try_from(self.events().len()).expect("a small number")
    }
}

/// Something that is seen to be made and dropped.
struct Guard<'l> {
    log: &'l Log,
    k: u32,
}

fn guard(log: &Log) -> Guard<'_> {
    let k = log.get();
    log.note(k);
    Guard { log, k }
}

impl Guard<'_> {
    fn read(&self) -> u32 {
        self.log.note(200 + self.k);
        self.k
    }

    fn spend(self) -> u32 {
        self.log.note(300 + self.k);
        self.k
    }

    fn both(&mut self, other: &Self) -> u32 {
        10 * self.read() + other.read()
    }
}

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        self.log.note(100 + self.k);
    }
}

fn number(guard: &Guard<'_>) -> u32 {
    guard.k
}

fn maybe(log: &Log) -> Option<Guard<'_>> {
    Some(guard(log))
}

/// The value, the events and the derivative, all linear in `x`.
fn agrees(
    name: &str,
    function: impl Fn(f64, &Log) -> f64,
    gradient: impl Fn(f64, &Log) -> (f64, f64),
) {
    let (plain, log) = (Log::default(), Log::default());
    let value = function(1.5, &plain);
    let (known, slope) = gradient(1.5, &log);
    assert_eq!(plain.events(), log.events(), "the events of {name}");
    assert_eq!(value.to_bits(), known.to_bits(), "the value of {name}");
    assert!((slope - value / 1.5).abs() < 1e-12, "the derivative of {name}: {slope}");
}

macro_rules! agree {
    ($test:ident: $($function:ident)*) => {
        #[test]
        fn $test() {
            $(agrees(stringify!($function), $function, $function::gradient);)*
        }
    };
}

#[adjoint(independents(x), passive(log))]
fn thrown_away(x: f64, log: &Log) -> f64 {
    let _ = guard(log);
    let n: u32 = log.get();
    x * n as f64
}

#[adjoint(independents(x), passive(log))]
fn field_of_a_temporary(x: f64, log: &Log) -> f64 {
    let k: u32 = guard(log).k;
    let n: u32 = log.get();
    x * (k + n) as f64
}

#[adjoint(independents(x), passive(log))]
fn lent_to_a_function(x: f64, log: &Log) -> f64 {
    let k: u32 = number(&guard(log));
    let n: u32 = log.get();
    x * (k + n) as f64
}

#[adjoint(independents(x), passive(log))]
fn alive_in_its_statement(x: f64, log: &Log) -> f64 {
    let k: u32 = guard(log).k + log.get();
    let n: u32 = log.get();
    x * (k * 10 + n) as f64
}

#[adjoint(independents(x), passive(log))]
fn in_a_condition(x: f64, log: &Log) -> f64 {
    if guard(log).k < 3 {
        let n: u32 = log.get();
        x * n as f64
    } else {
        x
    }
}

#[adjoint(independents(x), passive(log))]
fn in_a_match(x: f64, log: &Log) -> f64 {
    let r = match guard(log).k {
        0 => {
            let n: u32 = log.get();
            x * (1 + n) as f64
        }
        _ => x,
    };
    let n: u32 = log.get();
    r * (n + 1) as f64
}

#[adjoint(independents(x), passive(log))]
fn in_the_condition_of_a_loop(x: f64, log: &Log) -> f64 {
    let mut s = 0.0;
    while guard(log).k + log.get() < 8 {
        let n: u32 = log.get();
        s += x * n as f64;
    }
    s
}

#[adjoint(independents(x), passive(log))]
fn kept_by_a_reference(x: f64, log: &Log) -> f64 {
    let r = &guard(log).k;
    let n: u32 = log.get();
    let k: u32 = *r;
    x * (k + n) as f64
}

#[adjoint(independents(x), passive(log))]
fn statements_and_variables(x: f64, log: &Log) -> f64 {
    guard(log);
    let n: u32 = log.get();
    let g = guard(log);
    let k: u32 = log.get();
    let gk: u32 = g.k;
    x * (n * 10 + k + gk) as f64
}

#[adjoint(independents(x), passive(log))]
fn in_a_closure(x: f64, log: &Log) -> f64 {
    let h = |y: f64| {
        let g = guard(log);
        let k: u32 = g.k;
        y * k as f64
    };
    let y = h(x);
    let n: u32 = log.get();
    y * n as f64
}

#[adjoint(independents(x), passive(log))]
fn in_a_lazy_operand(x: f64, log: &Log) -> f64 {
    if guard(log).k < 3 && log.get() == 1 { x * 2.0 } else { x * 3.0 }
}

#[adjoint(independents(x), passive(log))]
fn matched(x: f64, log: &Log) -> f64 {
    let mut s = x;
    if let Some(g) = maybe(log) {
        let n: u32 = log.get();
        let k: u32 = g.k;
        s *= (n + k) as f64;
    }
    let n: u32 = log.get();
    s * (n + 1) as f64
}

#[adjoint(independents(x), passive(log))]
fn under_an_operand(x: f64, log: &Log) -> f64 {
    let k: u32 = guard(log).k * {
        let n: u32 = log.get();
        n + 1
    };
    let y = x * k as f64;
    let n: u32 = log.get();
    y * n as f64
}

#[adjoint(independents(x), passive(log))]
fn in_the_head_of_a_loop(x: f64, log: &Log) -> f64 {
    let mut s = 0.0;
    for i in 0..guard(log).k {
        let n: u32 = log.get();
        s += x * (n + i) as f64;
    }
    let n: u32 = log.get();
    s * n as f64
}

#[adjoint(independents(x), passive(log))]
fn in_assignments(x: f64, log: &Log) -> f64 {
    let mut k: u32 = 0;
    k += guard(log).k;
    let n: u32 = log.get();
    k = guard(log).k + k;
    let m: u32 = log.get();
    x * (n * 100 + m * 10 + k) as f64
}

#[adjoint(independents(x), passive(log))]
fn in_a_block(x: f64, log: &Log) -> f64 {
    {
        let g = guard(log);
        let h = guard(log);
        let n: u32 = log.get();
    }
    let n: u32 = log.get();
    x * n as f64
}

#[adjoint(independents(x), passive(log))]
fn in_the_last_statement(x: f64, log: &Log) -> f64 {
    let _g = guard(log);
    let k: u32 = guard(log).k;
    x * k as f64
}

#[adjoint(independents(x), passive(log))]
fn in_a_branch(x: f64, log: &Log) -> f64 {
    let k: u32 = if x > 0.0 { guard(log).k } else { 1 };
    let n: u32 = log.get();
    x * (n + k) as f64
}

#[adjoint(independents(x), passive(log))]
fn matched_or_else(x: f64, log: &Log) -> f64 {
    let Some(g) = maybe(log) else { return 0.0 };
    let n: u32 = log.get();
    let k: u32 = g.k;
    x * (n + k) as f64
}

#[adjoint(independents(x), passive(log))]
fn in_a_tuple(x: f64, log: &Log) -> f64 {
    let (k, n): (u32, u32) = (guard(log).k, log.get());
    let m: u32 = log.get();
    x * (k * 100 + n * 10 + m) as f64
}

#[adjoint(independents(x), passive(log))]
fn in_a_loop_that_goes_on(x: f64, log: &Log) -> f64 {
    let mut s = x;
    for i in 0..3 {
        let k: u32 = guard(log).k;
        if log.get() > 1 {
            continue;
        }
        s *= k as f64;
    }
    let n: u32 = log.get();
    s * n as f64
}

#[adjoint(independents(x), passive(log))]
fn two_in_a_statement(x: f64, log: &Log) -> f64 {
    let k: u32 = number(&guard(log)) + number(&guard(log));
    let n: u32 = log.get();
    x * (10 * k + n) as f64
}

#[adjoint(independents(x), passive(log))]
fn thrown_away_by_assignment(x: f64, log: &Log) -> f64 {
    _ = guard(log);
    let n: u32 = log.get();
    let g = guard(log);
    let _ = g;
    let m: u32 = log.get();
    x * (10 * n + m) as f64
}

#[adjoint(independents(x), passive(log))]
fn while_it_matches(x: f64, log: &Log) -> f64 {
    let mut s = x;
    let mut n: u32 = log.get();
    while let Some(g) = maybe(log) {
        n = log.get();
        if n > 6 {
            break;
        }
        s *= (n + 1) as f64;
    }
    s
}

#[adjoint(independents(x), passive(log))]
fn nested(x: f64, log: &Log) -> f64 {
    let k: u32 = {
        let g = guard(log);
        let h = guard(log);
        let k: u32 = number(&h);
        k + 1
    };
    let n: u32 = log.get();
    x * (10 * k + n) as f64
}

#[adjoint(independents(x), passive(log))]
fn an_option_in_a_variable(x: f64, log: &Log) -> f64 {
    let mut o: Option<Guard<'_>> = Some(guard(log));
    let k: u32 = o.as_ref().unwrap().k;
    o = None;
    let n: u32 = log.get();
    x * (n + k + 1) as f64
}

#[adjoint(independents(x), passive(log))]
fn only_if(x: f64, log: &Log) -> f64 {
    let mut k: u32 = 1;
    if let Some(g) = maybe(log) {
        k = log.get();
    }
    let n: u32 = log.get();
    x * (10 * k + n) as f64
}

#[adjoint(independents(x), passive(log))]
fn in_a_range(x: f64, log: &Log) -> f64 {
    let mut s = 0.0;
    for i in 0..number(&guard(log)) + 2 {
        let n: u32 = log.get();
        s += x * (n + i) as f64;
    }
    s
}

#[adjoint(independents(x), passive(log))]
fn returned_early(x: f64, log: &Log) -> f64 {
    let g = guard(log);
    if number(&guard(log)) > 0 {
        let n: u32 = log.get();
        return x * n as f64;
    }
    x
}

#[adjoint(independents(x), passive(log))]
fn in_both_operands(x: f64, log: &Log) -> f64 {
    if number(&guard(log)) == 0 || number(&guard(log)) == 7 {
        let n: u32 = log.get();
        x * n as f64
    } else {
        x
    }
}

#[adjoint(independents(x), passive(log))]
fn read_in_an_operand(x: f64, log: &Log) -> f64 {
    let k: u32 = guard(log).read() + 10 * (guard(log)).read() + log.get();
    let n: u32 = guard(log).spend() + 10 * guard(log).read();
    let m: u32 = guard(log).both(&guard(log)) + log.get();
    x * (1000 * k + 100 * n + m) as f64
}

#[adjoint(independents(x), passive(log))]
fn noting(x: f64, k: u32, log: &Log) -> f64 {
    log.note(400 + k);
    x * (k + 1) as f64
}

#[adjoint(independents(x), passive(log))]
fn read_for_a_call(x: f64, log: &Log) -> f64 {
    let y = noting(x, guard(log).read(), log);
    let n: u32 = log.get();
    y * n as f64
}

#[adjoint(independents(x), passive(log))]
fn read_for_a_loop(x: f64, log: &Log) -> f64 {
    let mut s = x;
    for i in 0..guard(log).read() + 2 {
        let n: u32 = log.get();
        s += x * (n + i) as f64;
    }
    let n: u32 = log.get();
    s * n as f64
}

#[adjoint(independents(x), passive(log))]
fn an_option_without_a_type(x: f64, log: &Log) -> f64 {
    let mut o = Some(guard(log));
    let k: u32 = o.as_ref().unwrap().k;
    o = None;
    let n: u32 = log.get();
    x * (n + k + 1) as f64
}

#[adjoint(independents(x), passive(log))]
fn an_option_that_is_taken(x: f64, log: &Log) -> f64 {
    let mut o = Some(guard(log));
    let _ = o.take();
    let n: u32 = log.get();
    x * (n + 1) as f64
}

#[adjoint(independents(x), passive(log))]
fn made_by_blocks(x: f64, log: &Log) -> f64 {
    let k: u32 = number(&{
        log.note(7);
        guard(log)
    });
    let y = noting(
        x,
        {
            log.note(8);
            guard(log)
        }
        .k,
        log,
    );
    let (_, g) = (
        {
            log.note(9);
            guard(log)
        },
        guard(log),
    );
    let n: u32 = log.get();
    let m: u32 = g.k;
    y * (10 * k + n + m) as f64
}

#[adjoint(independents(x), passive(log))]
fn moved_into_an_arm(x: f64, log: &Log) -> f64 {
    let k: u32 = match guard(log) {
        g if g.k > 2 => g.k,
        g => g.read() + 1,
    };
    let n: u32 = log.get();
    let m: u32 = match guard(log) {
        g if g.k > 2 => g.k,
        g => g.read() + 1,
    };
    let l: u32 = log.get();
    x * (1000 * k + 100 * n + 10 * m + l) as f64
}

#[adjoint(independents(x), passive(log))]
fn thrown_away_together(x: f64, log: &Log) -> f64 {
    _ = (guard(log), guard(log));
    let n: u32 = log.get();
    (guard(log), x, guard(log));
    let m: u32 = log.get();
    _ = [guard(log), guard(log)];
    x * (10 * n + m) as f64
}

agree!(temporaries_that_are_made_in_blocks_and_moved: made_by_blocks moved_into_an_arm thrown_away_together);
agree!(temporaries_in_kept_operands_and_options: read_in_an_operand read_for_a_call read_for_a_loop an_option_without_a_type an_option_that_is_taken);
agree!(temporaries_of_statements_die_with_them: thrown_away field_of_a_temporary lent_to_a_function alive_in_its_statement kept_by_a_reference statements_and_variables in_a_closure under_an_operand in_assignments in_a_block in_the_last_statement in_a_tuple two_in_a_statement thrown_away_by_assignment nested an_option_in_a_variable returned_early);
agree!(temporaries_of_conditions_matches_and_loops: in_a_condition in_a_match in_the_condition_of_a_loop in_a_lazy_operand matched in_the_head_of_a_loop in_a_branch matched_or_else in_a_loop_that_goes_on while_it_matches only_if in_a_range in_both_operands);

/// Two statements that lock the same mutex, and conditions that do.
#[adjoint(independents(x), passive(m))]
fn locked(x: f64, m: &Mutex<(Vec<f64>, f64)>) -> f64 {
    let a: f64 = m.lock().unwrap().0[0];
    m.lock().unwrap().1 += a;
    let b: f64 = m.lock().unwrap().0[1];
    if m.lock().unwrap().1 > 3.0 {
        let c: f64 = m.lock().unwrap().1;
        return x * x * a * b * c;
    }
    x * a * b
}

#[test]
fn guards_of_locks_are_dropped_before_the_next_lock() {
    let state = || Mutex::new((vec![2.0, 3.0], 2.0));
    let (plain, derived) = (state(), state());
    let value = locked(1.5, &plain);
    assert_eq!(locked::gradient(1.5, &derived), (value, 2.0 * 1.5 * 2.0 * 3.0 * 4.0));
    assert_eq!(plain.into_inner().unwrap(), derived.into_inner().unwrap());
}

/// What nobody reads in the backward sweep may be changed behind a shared reference.
#[adjoint(independents(x), passive(list))]
fn counted(x: f64, list: &std::cell::RefCell<Vec<f64>>) -> f64 {
    list.borrow_mut()[0] += 0.5;
    list.borrow_mut().push(0.25);
    let a: f64 = list.borrow()[0];
    let b: f64 = list.borrow_mut().pop().unwrap_or(1.0);
    *list.borrow_mut() = vec![a, b];
    x * x * a * b
}

#[test]
fn cells_that_the_backward_sweep_does_not_read() {
    let state = || std::cell::RefCell::new(vec![2.0, 3.0]);
    let (plain, derived) = (state(), state());
    let value = counted(1.5, &plain);
    assert_eq!(counted::gradient(1.5, &derived), (value, 2.0 * 1.5 * 2.5 * 0.25));
    assert_eq!(plain.into_inner(), derived.into_inner());
}

fn whole(x: &[u32]) -> u32 {
    x.iter().sum()
}

/// What has no destructor may be a temporary where its end depends on the edition, also if a block makes it.
#[adjoint(independents(x), passive(log))]
fn data_made_by_a_block(x: f64, log: &Log) -> f64 {
    let mut s = x;
    if let 0..4 = whole(&{
        log.note(1);
        [log.get(), 1]
    }) {
        s *= 2.0;
    } else {
        s *= 3.0;
    }
    s
}

/// An integer out of a block, of a type that is not seen, in a loop that is left before it is there.
#[adjoint(independents(x), passive(log))]
fn integers_of_blocks_in_loops(x: f64, log: &Log) -> f64 {
    let mut s = x;
    let mut n = 0;
    while {
        n += 1;
        n < 4 && {
            let g = guard(log);
            g.read() < 20
        }
    } {
        s += noting(
            x,
            {
                let g = guard(log);
                g.read()
            },
            log,
        );
    }
    s
}

agree!(values_of_blocks: data_made_by_a_block integers_of_blocks_in_loops);
