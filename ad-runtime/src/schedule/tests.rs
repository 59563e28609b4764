//! Schedules on an abstract machine, which knows what is where and refuses what is not there.

use super::*;

/// What has happened, and what is there.
#[derive(Default)]
struct Machine {
    present: Option<usize>,
    slots: Vec<Option<usize>>,
    /// The steps whose tapes are there.
    tapes: Vec<usize>,
    /// Steps that have been reversed, from the last.
    reversed: Vec<usize>,
    runs: u128,
    stored: usize,
    most_stored: usize,
    most_taped: usize,
}

impl Machine {
    fn new() -> Self {
        Self { present: Some(0), ..Self::default() }
    }

    fn perform(&mut self, action: Action) {
        match action {
            Action::Advance { from, to } => {
                assert!(from < to, "{action:?}");
                assert_eq!(self.present, Some(from), "{action:?}");
                assert!(self.tapes.is_empty(), "{action:?} with tapes");
                self.present = Some(to);
                self.runs += (to - from) as u128;
            }
            Action::Store { slot, step } => {
                assert_eq!(self.present, Some(step), "{action:?}");
                if self.slots.len() <= slot {
                    self.slots.resize(slot + 1, None);
                }
                assert_eq!(self.slots[slot], None, "{action:?}");
                self.slots[slot] = Some(step);
                self.stored += 1;
                self.most_stored = self.most_stored.max(self.stored);
            }
            Action::Restore { slot, step } => {
                assert_eq!(self.slots[slot], Some(step), "{action:?}");
                self.present = Some(step);
            }
            Action::Release { slot, step } => {
                assert_eq!(self.slots[slot].take(), Some(step), "{action:?}");
                self.present = Some(step);
                self.stored -= 1;
            }
            Action::Discard { slot, step } => {
                assert_eq!(self.slots[slot].take(), Some(step), "{action:?}");
                self.stored -= 1;
            }
            Action::Forward { step } => {
                assert_eq!(self.present, Some(step), "{action:?}");
                self.present = Some(step + 1);
                self.tapes.push(step);
                self.most_taped = self.most_taped.max(self.tapes.len());
                self.runs += 1;
            }
            Action::Backward { step } => {
                assert_eq!(self.tapes.pop(), Some(step), "{action:?}");
                self.reversed.push(step);
            }
        }
    }

    /// Everything is reversed, nothing is left.
    fn finish(&self, steps: usize) {
        assert!(self.reversed.iter().copied().eq((0..steps).rev()), "{:?}", self.reversed);
        assert_eq!(self.stored, 0);
        assert!(self.tapes.is_empty());
    }

    fn run(schedule: impl Iterator<Item = Action>, steps: usize) -> Self {
        let mut machine = Self::new();
        schedule.for_each(|action| machine.perform(action));
        machine.finish(steps);
        machine
    }
}

/// The least number of advances, straight from the recurrence.
fn recurrence(steps: usize, snapshots: usize) -> Vec<Vec<u128>> {
    let mut table = vec![vec![0; steps + 1]; snapshots + 1];
    for (n, least) in table[1].iter_mut().enumerate().skip(1) {
        *least = (n * (n - 1) / 2) as u128;
    }
    for s in 2..=snapshots {
        for n in 2..=steps {
            let least = (1..n).map(|m| m as u128 + table[s][m] + table[s - 1][n - m]).min();
            table[s][n] = least.expect("there are at least two steps");
        }
    }
    table
}

#[test]
fn the_binomial_schedule_runs_as_few_steps_as_possible() {
    let least = recurrence(200, 12);
    for (s, least) in least.iter().enumerate().skip(1) {
        for (n, least) in least.iter().enumerate() {
            let machine = Machine::run(Binomial::new(n, s), n);
            assert_eq!(Binomial::advances(n, s), *least, "{n} steps, {s} snapshots");
            assert_eq!(machine.runs, n as u128 + least, "{n} steps, {s} snapshots");
            assert!(machine.most_stored <= s && machine.most_taped <= 1);
        }
    }
}

#[test]
fn the_binomial_schedule_has_the_known_counts() {
    let known = [
        (2, [(10, 20), (50, 285), (100, 845), (1000, 28820)].as_slice()),
        (3, &[(10, 15), (50, 180), (100, 490), (1000, 12155)]),
        (5, &[(10, 13), (50, 122), (64, 172), (100, 316), (1000, 6284)]),
        (9, &[(64, 126)]),
        (10, &[(50, 88), (100, 222), (1000, 3636)]),
        (usize::MAX, &[(1, 0), (2, 1), (1000, 999)]),
    ];
    for (snapshots, counts) in known {
        for &(steps, advances) in counts {
            assert_eq!(Binomial::advances(steps, snapshots), advances);
            let runs = Machine::run(Binomial::new(steps, snapshots), steps).runs;
            assert_eq!(runs, steps as u128 + advances);
        }
    }
    for snapshots in [1, 2, 3, 5, 10, 31, 100, 998, 999, 1000, 5000] {
        for steps in [251, 500, 715, 716, 999, 1000] {
            let machine = Machine::run(Binomial::new(steps, snapshots), steps);
            assert_eq!(machine.runs, steps as u128 + Binomial::advances(steps, snapshots));
            assert!(machine.most_stored <= snapshots);
        }
    }
    assert_eq!(Binomial::advances(1 << 40, 2), 1086983719266232369);
    assert!(Binomial::new(0, 0).next().is_none());
}

#[test]
fn the_periodic_schedule_runs_no_step_more_than_twice() {
    for steps in 0..=120 {
        for every in 1..=130 {
            let machine = Machine::run(Periodic::new(steps, every), steps);
            assert!(machine.runs <= 2 * steps as u128);
            assert!(machine.most_taped <= every && machine.most_stored <= steps / every);
        }
    }
}

fn online(steps: usize, snapshots: usize) -> Machine {
    let mut schedule = Online::new(snapshots);
    let mut machine = Machine::new();
    while machine.present != Some(steps) {
        machine.perform(schedule.next().expect("there are steps left"));
    }
    schedule.finish();
    schedule.for_each(|action| machine.perform(action));
    machine.finish(steps);
    assert!(machine.most_stored <= snapshots && machine.most_taped <= 1);
    machine
}

#[test]
fn the_online_schedule_runs_little_more() {
    let lengths = (0..=300).chain([400, 500, 715, 999, 1000, 2000]);
    for steps in lengths {
        for snapshots in (1..=16).chain([20, 25, 32, 50, 100, 400]) {
            let machine = online(steps, snapshots);
            let offline = steps as f64 + Binomial::advances(steps, snapshots) as f64;
            let bound = 1.3 * offline + 3.0;
            assert!(
                machine.runs as f64 <= bound,
                "{} runs instead of {offline}: {steps} steps, {snapshots} snapshots",
                machine.runs
            );
        }
    }
}

#[test]
fn on_disk_are_the_snapshots_that_are_used_least() {
    for (steps, in_memory, on_disk) in [(0, 2, 2), (1, 1, 1), (100, 2, 5), (100, 0, 3), (50, 4, 0)]
    {
        let schedule = Multistage::new(steps, in_memory, on_disk);
        let tiers = schedule.tiers().to_vec();
        let machine = Machine::run(schedule.clone(), steps);
        let advances = Binomial::advances(steps, in_memory + on_disk);
        assert_eq!(machine.runs, steps as u128 + advances);
        let accesses = |tier: Tier| {
            let mut counts = vec![0; tiers.len()];
            for action in schedule.clone() {
                if let Action::Store { slot, .. }
                | Action::Restore { slot, .. }
                | Action::Release { slot, .. } = action
                {
                    counts[slot] += 1;
                }
            }
            let of_tier = counts.into_iter().zip(&tiers).filter(move |(_, of)| **of == tier);
            of_tier.map(|(count, _)| count).collect::<Vec<usize>>()
        };
        let (memory, disk) = (accesses(Tier::Memory), accesses(Tier::Disk));
        assert!(memory.len() <= in_memory && disk.len() <= on_disk);
        assert!(disk.iter().max() <= memory.iter().min() || memory.is_empty());
    }
}

/// `x → x + h x (1 - x) y`, with a passive parameter that changes; the tape is the state before.
struct Growth {
    x_b: f64,
    runs: usize,
    panics_at: usize,
}

impl Growth {
    fn new() -> Self {
        Self { x_b: 1.0, runs: 0, panics_at: usize::MAX }
    }
}

impl Steps for Growth {
    type State = (f64, Vec<u64>);
    type Tape = f64;

    fn advance(&mut self, (x, seen): &mut Self::State, step: usize) {
        self.runs += 1;
        assert!(self.runs != self.panics_at, "as it should");
        *x += 0.1 * *x * (1.0 - *x) * (step as f64).cos();
        // The state knows which steps made it.
        assert_eq!(seen.len(), step);
        seen.push(step as u64);
    }

    fn forward(&mut self, state: &mut Self::State, step: usize) -> f64 {
        let before = state.0;
        self.advance(state, step);
        before
    }

    fn backward(&mut self, x: f64, step: usize) {
        self.x_b += self.x_b * 0.1 * (1.0 - 2.0 * x) * (step as f64).cos();
    }
}

const INITIAL: (f64, Vec<u64>) = (0.2, Vec::new());

/// The last state, the derivative and how often steps ran, with everything stored.
fn plain(steps: usize) -> (f64, f64) {
    let mut growth = Growth::new();
    let mut state = INITIAL;
    let tapes: Vec<f64> = (0..steps).map(|step| growth.forward(&mut state, step)).collect();
    tapes.iter().enumerate().rev().for_each(|(step, tape)| growth.backward(*tape, step));
    (state.0, growth.x_b)
}

/// A new name in the directory for temporary files.
fn directory(name: &str) -> std::path::PathBuf {
    std::env::temp_dir().join(format!("backsweep-{name}-{}", std::process::id()))
}

#[test]
fn all_schedules_give_bitwise_the_same() {
    for steps in [0, 1, 2, 7, 60] {
        let expected = plain(steps);
        let check = |growth: &Growth, x: (f64, Vec<u64>), work: Work| {
            assert_eq!((x.0.to_bits(), growth.x_b.to_bits()), {
                (expected.0.to_bits(), expected.1.to_bits())
            });
            assert_eq!(growth.runs, work.runs());
        };
        let (mut growth, mut run) = (Growth::new(), Checkpoints::new(Binomial::new(steps, 3)));
        let Ok(x) = run.forward(&mut growth, INITIAL);
        let Ok(work) = run.backward(&mut growth);
        assert_eq!(work.runs() as u128, steps as u128 + Binomial::advances(steps, 3));
        check(&growth, x, work);

        let (mut growth, mut run) = (Growth::new(), Checkpoints::new(Periodic::new(steps, 4)));
        let Ok(x) = run.forward(&mut growth, INITIAL);
        let Ok(work) = run.backward(&mut growth);
        check(&growth, x, work);

        let (mut growth, mut run) = (Growth::new(), Checkpoints::new(Online::new(3)));
        let Ok(x) = run.forward_while(&mut growth, INITIAL, |_, step| step < steps);
        let Ok(work) = run.backward(&mut growth);
        check(&growth, x, work);

        let directory = directory(&format!("same-{steps}"));
        let schedule = Multistage::new(steps, 1, 2);
        let store = Tiered::new(&schedule, &directory).unwrap();
        let (mut growth, mut run) = (Growth::new(), Checkpoints::with_store(schedule, store));
        let x = run.forward(&mut growth, INITIAL).unwrap();
        assert_eq!(std::fs::read_dir(&directory).unwrap().count(), 0);
        let work = run.backward(&mut growth).unwrap();
        assert_eq!(work.runs() as u128, steps as u128 + Binomial::advances(steps, 3));
        check(&growth, x, work);
        drop(run);
        assert!(!directory.exists());
    }
}

/// A store that fails every second time.
struct Unreliable {
    memory: Memory<(f64, Vec<u64>)>,
    fails: bool,
}

impl Unreliable {
    fn new() -> Self {
        Self { memory: Memory::new(), fails: false }
    }

    fn attempt(&mut self) -> Result<(), &'static str> {
        self.fails = !self.fails;
        if self.fails { Err("the disk is full") } else { Ok(()) }
    }
}

impl Store<(f64, Vec<u64>)> for Unreliable {
    type Error = &'static str;

    fn store(&mut self, slot: usize, state: &(f64, Vec<u64>)) -> Result<(), &'static str> {
        self.attempt()?;
        let Ok(()) = self.memory.store(slot, state);
        Ok(())
    }

    fn restore(
        &mut self,
        slot: usize,
        spare: Option<(f64, Vec<u64>)>,
    ) -> Result<(f64, Vec<u64>), &'static str> {
        self.attempt()?;
        let Ok(state) = self.memory.restore(slot, spare);
        Ok(state)
    }

    fn discard(&mut self, slot: usize) {
        Store::<(f64, Vec<u64>)>::discard(&mut self.memory, slot);
    }
}

#[test]
fn after_an_error_it_goes_on() {
    let expected = plain(40);
    let mut growth = Growth::new();
    let mut run = Checkpoints::with_store(Binomial::new(40, 3), Unreliable::new());
    let mut forward = run.forward(&mut growth, INITIAL);
    while forward.is_err() {
        forward = run.resume(&mut growth);
    }
    let mut errors = 0;
    while run.backward(&mut growth).is_err() {
        errors += 1;
    }
    assert_eq!((forward.unwrap().0, growth.x_b), expected);
    assert_eq!(growth.runs as u128, 40 + Binomial::advances(40, 3));
    assert!(errors > 10);

    let mut growth = Growth::new();
    let mut run = Checkpoints::with_store(Online::new(3), Unreliable::new());
    let mut asked = 0;
    let mut condition = |_: &_, step| {
        asked += 1;
        step < 40
    };
    let mut forward = run.forward_while(&mut growth, INITIAL, &mut condition);
    while forward.is_err() {
        forward = run.resume_while(&mut growth, &mut condition);
    }
    while run.backward(&mut growth).is_err() {}
    assert_eq!((forward.unwrap().0, growth.x_b), expected);
    assert_eq!(asked, 41);
}

#[test]
fn an_unwritable_directory_is_an_error_that_names_it() {
    let file = directory("file");
    std::fs::write(&file, "not a directory").unwrap();
    let error = Disk::new(file.join("below")).unwrap_err();
    assert_eq!(error.path(), file.join("below"));
    let text = error.to_string();
    assert!(text.starts_with("cannot make a file for snapshots in `"), "{text}");
    assert!(text.contains(&*error.path().to_string_lossy()), "{text}");
    std::fs::remove_file(&file).unwrap();
}

#[test]
fn nothing_is_left_on_disk_by_an_error_or_a_panic() {
    let directory = directory("left");
    std::fs::create_dir_all(&directory).unwrap();
    for panics_at in [1, 2, 10, 25, 50] {
        let directory = directory.clone();
        let panicked = std::panic::catch_unwind(move || {
            let schedule = Multistage::new(20, 1, 2);
            let store = Tiered::new(&schedule, &directory).unwrap();
            let mut growth = Growth { panics_at, ..Growth::new() };
            let mut run = Checkpoints::with_store(schedule, store);
            run.forward(&mut growth, INITIAL).unwrap();
            run.backward(&mut growth).unwrap();
        });
        assert!(panicked.is_err());
    }
    // It is not ours, so it stays, empty.
    assert_eq!(std::fs::read_dir(&directory).unwrap().count(), 0);
    std::fs::remove_dir(&directory).unwrap();
}

/// Writes snapshots until it is killed.
fn run_for_ever(directory: &std::path::Path) -> ! {
    let mut disk = Disk::new(directory).unwrap();
    loop {
        disk.store(0, &vec![1.0; 100_000]).unwrap();
        Store::<Vec<f64>>::discard(&mut disk, 0);
    }
}

#[test]
fn a_run_that_was_killed_leaves_nothing() {
    // The test runs itself once more, as the process that is killed.
    const DIRECTORY: &str = "BACKSWEEP_KILLED";
    if let Some(directory) = std::env::var_os(DIRECTORY) {
        run_for_ever(directory.as_ref());
    }
    let directory = directory("killed");
    let mut run = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "schedule::tests::a_run_that_was_killed_leaves_nothing"])
        .env(DIRECTORY, &directory)
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    while !directory.exists() {
        std::thread::yield_now();
    }
    std::thread::sleep(std::time::Duration::from_millis(50));
    run.kill().unwrap();
    run.wait().unwrap();
    assert_eq!(std::fs::read_dir(&directory).unwrap().count(), 0);
    let mut disk = Disk::new(&directory).unwrap();
    disk.store(0, &1.0).unwrap();
    assert_eq!(disk.release(0, None::<f64>).unwrap(), 1.0);
    drop(disk);
    std::fs::remove_dir(&directory).unwrap();
}

#[test]
fn what_a_panic_left_halfway_is_not_used() {
    let mut growth = Growth { panics_at: 15, ..Growth::new() };
    let mut run = Checkpoints::new(Binomial::new(10, 2));
    let Ok(_) = run.forward(&mut growth, INITIAL);
    let mut attempt = || {
        let attempt = std::panic::AssertUnwindSafe(|| run.backward(&mut growth).map(|_| ()));
        let panicked = std::panic::catch_unwind(attempt).expect_err("it panics");
        *panicked.downcast_ref::<&str>().expect("a message")
    };
    assert_eq!(attempt(), "as it should");
    assert_eq!(attempt(), "a step has panicked before");
}

#[test]
#[should_panic(expected = "backward without its forward")]
fn backward_needs_its_forward() {
    let mut run = Checkpoints::new(Binomial::new(10, 2));
    let Ok(_) = run.backward(&mut Growth::new());
}

#[test]
fn what_is_written_is_read_again() {
    let value = (vec![1.5, f64::NAN, -0.0], [1_u8, 2], Some((true, -7_i64)), None::<f32>);
    let mut bytes = Vec::new();
    value.write_to(&mut bytes).unwrap();
    type Value = (Vec<f64>, [u8; 2], Option<(bool, i64)>, Option<f32>);
    let read = Value::read_from(&mut &bytes[..]).unwrap();
    assert!(read.0.iter().map(|x| x.to_bits()).eq(value.0.iter().map(|x| x.to_bits())));
    assert_eq!((read.1, read.2, read.3), (value.1, value.2, value.3));
    assert!(Value::read_from(&mut &bytes[..bytes.len() - 1]).is_err());
}
