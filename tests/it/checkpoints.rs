//! Checkpointed blocks and loops: how often their bodies run, and that nothing else differs from ordinary code.

use backsweep::schedule::Binomial;
use backsweep::{Differentiable, Stack, adjoint};
use num_traits::Float;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

thread_local! {
    static RUNS: Cell<usize> = const { Cell::new(0) };
    /// The run that panics.
    static FATAL: Cell<usize> = const { Cell::new(usize::MAX) };
}

/// Counts how often it is compared: a check may run again, whatever it does.
struct Probe;

impl PartialEq for Probe {
    fn eq(&self, _: &Self) -> bool {
        RUNS.set(RUNS.get() + 1);
        RUNS.get() != FATAL.get()
    }
}

/// The result of a function, and how often the body of its loop ran.
fn counted<R>(function: impl FnOnce() -> R) -> (R, usize) {
    RUNS.set(0);
    let result = function();
    (result, RUNS.get())
}

/// What the loops below do.
#[adjoint]
fn advance(u: &mut [f64], sum: &mut f64, rate: f64, step: usize) {
    for k in 1..u.len() {
        u[k] += rate * u[k - 1] * u[k] * (step as f64).cos();
    }
    *sum += u[step % u.len()];
    u[0] = sum.sin();
}

#[adjoint(independents(start, rate), dependents(return))]
fn ordinary(start: &[f64], rate: f64, steps: usize, probe: &Probe) -> f64 {
    let mut u = start.to_vec();
    let mut sum = 0.0;
    for step in 0..steps {
        assert!(*probe == Probe, "as it should");
        advance(&mut u, &mut sum, rate, step);
    }
    sum * u[0]
}

#[adjoint(independents(start, rate), dependents(return))]
fn binomial(start: &[f64], rate: f64, steps: usize, snapshots: usize, probe: &Probe) -> f64 {
    let mut u = start.to_vec();
    let mut sum = 0.0;
    #[checkpoint(snapshots = snapshots)]
    for step in 0..steps {
        assert!(*probe == Probe, "as it should");
        advance(&mut u, &mut sum, rate, step);
    }
    sum * u[0]
}

#[adjoint(independents(start, rate), dependents(return))]
fn periodic(start: &[f64], rate: f64, steps: usize, every: usize, probe: &Probe) -> f64 {
    let mut u = start.to_vec();
    let mut sum = 0.0;
    #[checkpoint(every = every)]
    for step in 0..steps {
        assert!(*probe == Probe, "as it should");
        advance(&mut u, &mut sum, rate, step);
    }
    sum * u[0]
}

const START: [f64; 3] = [0.3, 0.5, -0.4];

#[test]
fn bodies_run_as_often_as_the_schedule_says() {
    for steps in (0..20).chain([57, 100]) {
        let (expected, runs) = counted(|| ordinary::gradient(&START, 0.2, steps, &Probe));
        assert_eq!(runs, steps);
        for number in [1, 2, 3, 5, 10, 200] {
            let (found, runs) = counted(|| binomial::gradient(&START, 0.2, steps, number, &Probe));
            let advances = Binomial::advances(steps, number) as usize;
            assert_eq!(runs, steps + advances, "{steps} steps, {number} snapshots");
            assert_eq!(found, expected, "{steps} steps, {number} snapshots");
            let (found, runs) = counted(|| periodic::gradient(&START, 0.2, steps, number, &Probe));
            assert!(runs <= 2 * steps, "{runs} of {steps} steps, every {number}");
            assert_eq!(found, expected, "{steps} steps, every {number}");
            let (_, runs) = counted(|| binomial(&START, 0.2, steps, number, &Probe));
            assert_eq!(runs, steps);
        }
    }
}

#[test]
fn forwards_are_reversed_in_the_opposite_order() {
    let mut stack = Stack::new();
    let first = binomial::forward(&mut stack, &START, 0.2, 30, 3, &Probe);
    let second = periodic::forward(&mut stack, &START, 0.7, 20, 6, &Probe);
    let (mut start_b, mut rate_b) = ([0.0; 3], 0.0);
    periodic::backward(&mut stack, &START, &mut start_b, 0.7, &mut rate_b, 20, 6, &Probe, 1.0);
    let (value, (start_g, rate_g)) = ordinary::gradient(&START, 0.7, 20, &Probe);
    assert_eq!((second, &start_b[..], rate_b), (value, &start_g[..], rate_g));
    let (mut start_b, mut rate_b) = ([0.0; 3], 0.0);
    binomial::backward(&mut stack, &START, &mut start_b, 0.2, &mut rate_b, 30, 3, &Probe, 1.0);
    let (value, (start_g, rate_g)) = ordinary::gradient(&START, 0.2, 30, &Probe);
    assert_eq!((first, &start_b[..], rate_b), (value, &start_g[..], rate_g));
    assert!(stack.is_empty());

    let (value, pullback) = binomial::pullback(&START, 0.2, 30, 3, &Probe);
    let (mut start_b, mut rate_b) = ([0.0; 3], 0.0);
    pullback.call(&mut start_b, &mut rate_b, 1.0);
    assert_eq!((value, &start_b[..], rate_b), (first, &start_g[..], rate_g));
}

#[test]
fn a_panic_in_a_body_leaves_nothing() {
    let mut stack = Stack::new();
    let expected = ordinary::gradient(&START, 0.2, 12, &Probe);
    for fatal in [1, 7, 12, 13, 20] {
        FATAL.set(fatal);
        let attempt =
            || counted(|| binomial::gradient_with(&mut stack, &START, 0.2, 12, 2, &Probe));
        assert!(catch_unwind(AssertUnwindSafe(attempt)).is_err(), "{fatal}");
        FATAL.set(usize::MAX);
        assert!(stack.is_empty());
        assert_eq!(binomial::gradient_with(&mut stack, &START, 0.2, 12, 2, &Probe), expected);
    }
}

#[test]
#[should_panic(expected = "checkpointing takes at least one snapshot")]
fn no_snapshot_is_too_few() {
    binomial::gradient(&START, 0.2, 3, 0, &Probe);
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Planet {
    place: [f64; 2],
    speed: Vec<f64>,
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Forces {
    drag: f64,
    #[passive]
    turns: usize,
}

#[adjoint(independents(planet, forces), dependents(planet))]
fn fly(planet: &mut Planet, forces: &Forces, time: f64) {
    let (x, y) = (planet.place[0], planet.place[1]);
    let pull = -1.0 / (x * x + y * y).powf(1.5);
    planet.speed[0] += time * (pull * x - forces.drag * planet.speed[0]);
    planet.speed[1] += time * (pull * y - forces.drag * planet.speed[1]);
    planet.place[0] += time * planet.speed[0];
    planet.place[1] += time * planet.speed[1];
}

#[adjoint(independents(planet, forces), dependents(planet))]
fn orbit(planet: &mut Planet, forces: &Forces, time: f64) {
    for _ in 0..forces.turns {
        fly(planet, forces, time);
    }
}

#[adjoint(independents(planet, forces), dependents(planet))]
fn checkpointed_orbit(planet: &mut Planet, forces: &Forces, time: f64) {
    let turns: usize = forces.turns;
    #[checkpoint(snapshots = 4)]
    for _ in 0..turns {
        fly(planet, forces, time);
    }
}

#[test]
fn a_struct_is_a_state() {
    let bars = |adjoint: fn(&mut Planet, &mut Planet, &Forces, &mut Forces, f64)| {
        let mut planet = Planet { place: [1.0, 0.0], speed: vec![0.1, 0.9] };
        let mut planet_b = Planet { place: [1.0, -0.5], speed: vec![0.2, 0.0] };
        let forces = Forces { drag: 0.03, turns: 50 };
        let mut forces_b = Forces { drag: 0.0, turns: 50 };
        adjoint(&mut planet, &mut planet_b, &forces, &mut forces_b, 0.02);
        (planet, planet_b, forces_b)
    };
    assert_eq!(bars(checkpointed_orbit::adjoint), bars(orbit::adjoint));
}

/// The loop is reached by some of the calls only, and the function may fail before.
#[adjoint(independents(x), dependents(return))]
fn perhaps(x: f64, bound: Option<usize>, twice: bool) -> Option<f64> {
    let steps: usize = bound?;
    let mut z = x;
    for round in 0..2 {
        if round == 0 || twice {
            #[checkpoint(snapshots = 2)]
            for _ in 0..steps {
                z = (z * x + 1.0).ln();
            }
        }
        z += x;
    }
    Some(z)
}

#[test]
fn loops_under_conditions() {
    let plain = |x: f64, steps: usize, twice: bool| {
        // The value and its tangent.
        let (mut z, mut d) = (x, 1.0);
        for round in 0..2 {
            if round == 0 || twice {
                for _ in 0..steps {
                    d = (d * x + z) / (z * x + 1.0);
                    z = (z * x + 1.0).ln();
                }
            }
            (z, d) = (z + x, d + 1.0);
        }
        (z, d)
    };
    assert_eq!(perhaps::gradient(0.8, None, true), None);
    for (steps, twice) in [(0, true), (9, true), (9, false)] {
        let (value, gradient) = perhaps::gradient(0.8, Some(steps), twice).expect("a value");
        let (expected, derivative) = plain(0.8, steps, twice);
        assert_eq!(value, expected);
        assert!((gradient - derivative).abs() < 1e-12, "{gradient} {derivative}");
    }
}

/// As `ordinary`, with a block instead of a loop.
#[adjoint(independents(start, rate), dependents(return))]
fn in_blocks(start: &[f64], rate: f64, steps: usize, probe: &Probe) -> f64 {
    let mut u = start.to_vec();
    let mut sum = 0.0;
    for step in 0..steps {
        #[checkpoint]
        {
            assert!(*probe == Probe, "as it should");
            advance(&mut u, &mut sum, rate, step);
        }
    }
    sum * u[0]
}

#[test]
fn blocks_run_twice() {
    for steps in [0, 1, 7] {
        let (expected, _) = counted(|| ordinary::gradient(&START, 0.2, steps, &Probe));
        let (found, runs) = counted(|| in_blocks::gradient(&START, 0.2, steps, &Probe));
        assert_eq!((found, runs), (expected, 2 * steps));
    }
}

#[adjoint(independents(x), dependents(return))]
fn stored(x: &[f64], rounds: usize) -> f64 {
    let mut z = 0.0;
    for k in 0..x.len() {
        for _ in 0..rounds {
            z = (z * x[k] + 1.0).sin();
        }
    }
    z
}

#[adjoint(independents(x), dependents(return))]
fn stored_in_blocks(x: &[f64], rounds: usize) -> f64 {
    let mut z = 0.0;
    for k in 0..x.len() {
        #[checkpoint]
        {
            for _ in 0..rounds {
                z = (z * x[k] + 1.0).sin();
            }
        }
    }
    z
}

#[test]
fn of_the_inside_of_a_block_nothing_is_stored() {
    let x = [0.3, 0.8, -0.4, 0.6];
    let (mut stack, rounds) = (Stack::recording(), 100);
    let expected = stored::gradient_with(&mut stack, &x, rounds);
    let all = stack.report().peak_bytes;
    let mut stack = Stack::recording();
    assert_eq!(stored_in_blocks::gradient_with(&mut stack, &x, rounds), expected);
    let least = stack.report().peak_bytes;
    // One block at a time, and its inputs.
    assert!(3 * least < all, "{least} bytes of {all}");
}

/// As `ordinary`, by a loop that finds out when it has ended.
#[adjoint(independents(start, rate), dependents(return))]
fn found_out(start: &[f64], rate: f64, steps: usize, snapshots: usize, probe: &Probe) -> f64 {
    let mut u = start.to_vec();
    let mut sum = 0.0;
    let mut step: usize = 0;
    #[checkpoint(snapshots = snapshots)]
    loop {
        if step == steps {
            break;
        }
        assert!(*probe == Probe, "as it should");
        advance(&mut u, &mut sum, rate, step);
        step += 1;
    }
    sum * u[0]
}

/// As `ordinary`, by a loop over a range that is left.
#[adjoint(independents(start, rate), dependents(return))]
fn left(start: &[f64], rate: f64, steps: usize, snapshots: usize, probe: &Probe) -> f64 {
    let mut u = start.to_vec();
    let mut sum = 0.0;
    #[checkpoint(snapshots = snapshots)]
    for step in 0..100 {
        if step == steps {
            break;
        }
        assert!(*probe == Probe, "as it should");
        advance(&mut u, &mut sum, rate, step);
    }
    sum * u[0]
}

#[test]
fn loops_that_are_left_run_little_more_often() {
    for steps in [0, 1, 2, 13, 57, 100] {
        let expected = ordinary::gradient(&START, 0.2, steps, &Probe);
        for number in [1, 3, 5, 200] {
            // The last step of a loop may do no more than find out that it is the last.
            let advances = Binomial::advances(steps + 1, number) as usize;
            let most = (steps + 1 + advances) * 13 / 10 + 3;
            let (found, runs) = counted(|| found_out::gradient(&START, 0.2, steps, number, &Probe));
            assert_eq!(found, expected, "{steps} steps, {number} snapshots");
            assert!(runs <= most, "{runs} of {most} runs, {steps} steps, {number} snapshots");
            let (found, runs) = counted(|| left::gradient(&START, 0.2, steps, number, &Probe));
            assert_eq!(found, expected, "{steps} steps, {number} snapshots");
            assert!(runs <= most, "{runs} of {most} runs, {steps} steps, {number} snapshots");
        }
    }
}

/// As `ordinary`, with as many snapshots as so many bytes are enough for.
#[adjoint(independents(start, rate), dependents(return))]
fn measured(start: &[f64], rate: f64, steps: usize, bytes: usize, probe: &Probe) -> f64 {
    let mut u = start.to_vec();
    let mut sum = 0.0;
    #[checkpoint(memory = bytes)]
    for step in 0..steps {
        assert!(*probe == Probe, "as it should");
        advance(&mut u, &mut sum, rate, step);
    }
    sum * u[0]
}

#[test]
fn memory_is_a_number_of_snapshots() {
    let expected = ordinary::gradient(&START, 0.2, 50, &Probe);
    let runs = |bytes: usize| {
        let (found, runs) = counted(|| measured::gradient(&START, 0.2, 50, bytes, &Probe));
        assert_eq!(found, expected, "{bytes} bytes");
        runs
    };
    let with = |snapshots: usize| 50 + Binomial::advances(50, snapshots) as usize;
    // A snapshot is of some hundred bytes.
    assert_eq!(runs(0), with(1));
    assert_eq!(runs(1_000_000), with(50));
    let few = runs(1_000);
    assert!(with(10) <= few && few <= with(3), "{few} runs");
}

/// As `ordinary`, with two snapshots in memory and others on disk.
#[adjoint(independents(start, rate), dependents(return))]
fn on_disk(start: &[f64], rate: f64, steps: usize, directory: &Path, probe: &Probe) -> f64 {
    let mut u = start.to_vec();
    let mut sum = 0.0;
    #[checkpoint(snapshots = 2, disk = directory, on_disk = 3)]
    for step in 0..steps {
        assert!(*probe == Probe, "as it should");
        advance(&mut u, &mut sum, rate, step);
    }
    sum * u[0]
}

/// The same, with as many of them as are enough.
#[adjoint(independents(start, rate), dependents(return))]
fn enough_on_disk(start: &[f64], rate: f64, steps: usize, directory: &Path, probe: &Probe) -> f64 {
    let mut u = start.to_vec();
    let mut sum = 0.0;
    #[checkpoint(memory = "200B", disk = format!("{}-{steps}", directory.display()))]
    for step in 0..steps {
        assert!(*probe == Probe, "as it should");
        advance(&mut u, &mut sum, rate, step);
    }
    sum * u[0]
}

/// A directory of its own for a test.
fn directory(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("backsweep-{name}-{}", std::process::id()))
}

#[test]
fn snapshots_on_disk() {
    let directory = directory("attribute");
    for steps in [0, 1, 50] {
        let expected = ordinary::gradient(&START, 0.2, steps, &Probe);
        let (found, runs) = counted(|| on_disk::gradient(&START, 0.2, steps, &directory, &Probe));
        assert_eq!(found, expected);
        assert_eq!(runs, steps + Binomial::advances(steps, 5) as usize);
        let (found, runs) =
            counted(|| enough_on_disk::gradient(&START, 0.2, steps, &directory, &Probe));
        assert_eq!(found, expected);
        assert!(runs <= 3 * steps, "{runs} runs");
        assert!(!directory.exists());
        assert!(!Path::new(&format!("{}-{steps}", directory.display())).exists());
    }
}

#[test]
fn a_directory_that_cannot_be_used_is_named_and_nothing_is_lost() {
    let file = directory("file");
    std::fs::write(&file, "no directory").expect("a file");
    let (mut start_b, mut rate_b) = ([1.0; 3], 2.0);
    let mut stack = Stack::new();
    let attempt = || {
        on_disk::adjoint_with(
            &mut stack,
            &START,
            &mut start_b,
            0.2,
            &mut rate_b,
            9,
            &file,
            &Probe,
            1.0,
        )
    };
    let panicked = catch_unwind(AssertUnwindSafe(attempt)).expect_err("there is no directory");
    let message = panicked.downcast_ref::<String>().expect("a message");
    assert!(message.contains("cannot make a file for snapshots"), "{message}");
    assert!(message.contains(&file.display().to_string()), "{message}");
    assert_eq!((start_b, rate_b), ([1.0; 3], 2.0));
    assert!(stack.is_empty());
    std::fs::remove_file(&file).expect("the file is still there");
}

#[test]
fn a_run_on_disk_that_was_killed_leaves_nothing() {
    // The test runs itself once more, as the process that is killed.
    const DIRECTORY: &str = "BACKSWEEP_KILLED_ON_DISK";
    if let Some(directory) = std::env::var_os(DIRECTORY) {
        on_disk::gradient(&START, 0.2, 1_000_000, Path::new(&directory), &Probe);
        unreachable!("it takes too long");
    }
    let directory = directory("killed");
    let mut run = Command::new(std::env::current_exe().expect("a test"))
        .args(["--exact", "checkpoints::a_run_on_disk_that_was_killed_leaves_nothing"])
        .env(DIRECTORY, &directory)
        .stdout(Stdio::null())
        .spawn()
        .expect("a process");
    while !directory.exists() {
        std::thread::yield_now();
    }
    std::thread::sleep(std::time::Duration::from_millis(50));
    run.kill().expect("it is running");
    run.wait().expect("it ends");
    assert_eq!(std::fs::read_dir(&directory).expect("a directory").count(), 0);
    let expected = ordinary::gradient(&START, 0.2, 20, &Probe);
    assert_eq!(on_disk::gradient(&START, 0.2, 20, &directory, &Probe), expected);
    std::fs::remove_dir(&directory).expect("nothing is in it");
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Network {
    rate: f64,
    weights: Vec<f64>,
    #[passive]
    rounds: usize,
}

#[adjoint]
impl Network {
    const HALF: f64 = 0.5;

    fn layer(&self, t: f64, k: usize) -> f64 {
        (t * self.rate + self.weights[k % self.weights.len()] * Self::HALF).sin()
    }

    fn run(&self, x: f64) -> f64 {
        let mut s = x;
        for k in 0..self.rounds {
            s = self.layer(s, k);
        }
        s *= self.rate * Self::HALF;
        s
    }

    fn run_again(&self, x: f64) -> f64 {
        let mut s = x;
        let rounds: usize = self.rounds;
        #[checkpoint(snapshots = 2)]
        for k in 0..rounds {
            s = self.layer(s, k);
        }
        #[checkpoint]
        {
            s *= self.rate * Self::HALF;
        }
        s
    }

    fn train(&mut self, x: f64) {
        for k in 0..self.rounds {
            self.weights[k % 2] += self.rate * x;
            self.rate = self.rate.sin();
        }
    }

    fn train_again(&mut self, x: f64) {
        let rounds: usize = self.rounds;
        #[checkpoint(every = 3)]
        for k in 0..rounds {
            self.weights[k % 2] += self.rate * x;
            self.rate = self.rate.sin();
        }
    }
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Table<const N: usize> {
    rows: [f64; N],
}

/// The functions of this block have the names of others above.
#[adjoint]
impl<const N: usize> Table<N> {
    fn run(&self, x: f64) -> f64 {
        let mut s = x;
        for k in 0..9 {
            s = s * self.rows[k % N] + x;
        }
        s
    }

    fn run_again(&self, x: f64) -> f64 {
        let mut s = x;
        #[checkpoint(snapshots = 2)]
        for k in 0..9 {
            s = s * self.rows[k % N] + x;
        }
        s
    }
}

#[test]
fn in_methods() {
    let network = Network { rate: 0.8, weights: vec![0.3, 0.5], rounds: 11 };
    assert_eq!(network.run_again_gradient(0.3), network.run_gradient(0.3));
    let bars = |adjoint: fn(&mut Network, &mut Network, f64, &mut f64)| {
        let mut value = network.clone();
        let mut bar = Network { rate: 0.5, weights: vec![1.0, -0.3], rounds: 11 };
        let mut x_b = 0.0;
        adjoint(&mut value, &mut bar, 0.7, &mut x_b);
        (value, bar, x_b)
    };
    assert_eq!(bars(Network::train_again_adjoint), bars(Network::train_adjoint));
    let table = Table { rows: [0.3, 0.9, 0.5] };
    assert_eq!(table.run_again_gradient(0.6), table.run_gradient(0.6));
}

#[adjoint]
fn generic<const N: usize>(x: [f64; N], t: f64) -> f64 {
    let mut u = x;
    let mut s: f64 = 1.0;
    for i in 0..2 * N {
        for k in 0..N {
            u[k] = (u[k] * t + 0.5 * i as f64).sin();
        }
        s *= u[i % N];
    }
    s += u[0] * u[0];
    s
}

/// The same, with items that the step mentions, too.
#[adjoint]
fn generic_again<const N: usize>(x: [f64; N], t: f64) -> f64 {
    const RATE: f64 = 0.5;
    fn twice(n: usize) -> usize {
        2 * n
    }
    let mut u = x;
    let mut s: f64 = 1.0;
    #[checkpoint(snapshots = 3)]
    for i in 0..twice(N) {
        for k in 0..N {
            u[k] = (u[k] * t + RATE * i as f64).sin();
        }
        s *= u[i % N];
    }
    #[checkpoint]
    {
        const FIRST: usize = 0;
        s += u[FIRST] * u[FIRST];
    }
    s
}

#[adjoint]
fn of_floats<T: Float>(x: &[T], t: T) -> T {
    let mut u = x.to_vec();
    let mut s = T::one();
    while s < t * t * t {
        for k in 0..u.len() {
            u[k] = (u[k] * t).sin();
            s = s + u[k];
        }
    }
    s
}

#[adjoint]
fn of_floats_again<T: Float>(x: &[T], t: T) -> T {
    let mut u: Vec<T> = x.to_vec();
    let mut s = T::one();
    #[checkpoint(snapshots = 3)]
    while s < t * t * t {
        for k in 0..u.len() {
            u[k] = (u[k] * t).sin();
            s = s + u[k];
        }
    }
    s
}

#[test]
fn in_generic_functions() {
    let x = [0.3, 0.4, 0.8];
    assert_eq!(generic_again::gradient(x, 0.7), generic::gradient(x, 0.7));
    assert_eq!(of_floats_again::gradient(&x, 1.7), of_floats::gradient(&x, 1.7));
    let x = [0.3_f32, 0.4, 0.8];
    assert_eq!(of_floats_again::gradient(&x, 1.7), of_floats::gradient(&x, 1.7));
}

/// Blocks on one line: without the attribute the braces are of no use, and the lint is not to be heard of that.
#[rustfmt::skip]
#[deny(warnings)]
mod on_one_line {
    use backsweep::adjoint;

    #[adjoint]
    pub fn in_between(x: f64, y: f64, n: usize) -> f64 {
        let mut s = x;
        #[checkpoint] { for _ in 0..n { s = (s * y).sin() + x; } }
        s * y
    }

    #[adjoint]
    pub fn at_the_end(x: &mut f64, n: usize) {
        #[checkpoint] { for _ in 0..n { *x = x.sin(); } }
    }

    #[adjoint]
    pub fn a_choice(x: f64) -> f64 {
        let mut y = x * x;
        if x > 0.0 { #[checkpoint] { if y > 1.0 { y = y.sin(); } } }
        let z = #[passive] { x };
        y * z
    }

    pub struct Oscillator;

    #[adjoint]
    impl Oscillator {
        pub fn run(&self, x: f64, n: usize) -> f64 {
            let mut s = x;
            #[checkpoint] { for _ in 0..n { s = s.cos(); } }
            s
        }
    }
}

#[test]
fn blocks_on_one_line() {
    let (x, y, h) = (0.3, 0.7, 1e-6);
    let (value, (x_b, y_b)) = on_one_line::in_between::gradient(x, y, 3);
    assert_eq!(value, on_one_line::in_between(x, y, 3));
    let f = |x, y| on_one_line::in_between(x, y, 3);
    assert!((x_b - (f(x + h, y) - f(x - h, y)) / (2.0 * h)).abs() < 1e-8);
    assert!((y_b - (f(x, y + h) - f(x, y - h)) / (2.0 * h)).abs() < 1e-8);
    let mut s = x;
    let mut s_b = 1.0;
    on_one_line::at_the_end::adjoint(&mut s, &mut s_b, 2);
    assert!((s_b - x.sin().cos() * x.cos()).abs() < 1e-15);
    let (value, slope) = on_one_line::a_choice::gradient(1.5);
    assert_eq!(value, on_one_line::a_choice(1.5));
    assert!((slope - 2.25_f64.cos() * 3.0 * 1.5).abs() < 1e-14);
    let oscillator = on_one_line::Oscillator;
    let (value, slope) = oscillator.run_gradient(x, 2);
    assert_eq!(value, oscillator.run(x, 2));
    assert!((slope - x.cos().sin() * x.sin()).abs() < 1e-15);
}
