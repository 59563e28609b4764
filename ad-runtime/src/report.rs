//! What a stack was used for.

use crate::Convergence;
use std::collections::BTreeMap;
use std::fmt;
use std::panic::Location;

/// What has been pushed onto a [`Stack`](crate::Stack), as its
/// [`report`](crate::Stack::report) tells.
///
/// `Display` makes a table of it, the largest consumers first.
#[derive(Clone, Debug)]
pub struct Report {
    /// The bytes that the stack holds.
    pub bytes: usize,
    /// The largest number of bytes that it has held at once; see [`Stack::peak_bytes`](crate::Stack::peak_bytes).
    pub peak_bytes: usize,
    /// The bytes of snapshots on disk, which are no memory.
    pub bytes_on_disk: u64,
    /// The largest number of bytes on disk at once.
    pub peak_bytes_on_disk: u64,
    /// Everything that was pushed, if that is recorded.
    pub pushed: Option<Traffic>,
    /// The same by the type of what was pushed. What is not on the stack but belongs to a sweep is of the kinds `snapshot`, of a
    /// checkpointed loop, and `kept by value`.
    pub by_kind: Vec<(&'static str, Traffic)>,
    /// The same by the place in the sources that pushed it: `file:line:column`.
    pub by_site: Vec<(String, Traffic)>,
    /// How often the adjoints of fixed-point loops have been iterated, by loop and function.
    pub fixed_points: Vec<(String, Convergence)>,
}

/// How much was pushed, or kept beside the stack.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Traffic {
    /// How many values.
    pub values: u64,
    /// How many bytes. Truth values take none of their own: eight of them share a byte.
    pub bytes: u64,
}

impl Traffic {
    fn add(&mut self, bytes: usize) {
        self.values += 1;
        self.bytes += bytes as u64;
    }
}

/// Counts what is pushed onto a stack.
#[derive(Default)]
pub(crate) struct Recorder {
    by_kind: BTreeMap<&'static str, Traffic>,
    by_site: BTreeMap<&'static Location<'static>, Traffic>,
    /// The words of the stack, which has no room for any.
    pub(crate) words: Vec<u64>,
    /// The words of its bits, for which there is no room either.
    pub(crate) bits: Vec<u64>,
}

impl Recorder {
    /// Notes that something has been pushed.
    pub(crate) fn note(
        &mut self,
        kind: &'static str,
        bytes: usize,
        site: &'static Location<'static>,
    ) {
        self.by_kind.entry(kind).or_default().add(bytes);
        self.by_site.entry(site).or_default().add(bytes);
    }

    pub(crate) fn add_to(&self, report: &mut Report) {
        let mut all = Traffic::default();
        for traffic in self.by_kind.values() {
            all.values += traffic.values;
            all.bytes += traffic.bytes;
        }
        report.pushed = Some(all);
        report.by_kind = sorted(self.by_kind.iter().map(|(kind, traffic)| (*kind, *traffic)));
        let sites = self.by_site.iter().map(|(site, traffic)| (site.to_string(), *traffic));
        report.by_site = sorted(sites);
    }
}

fn sorted<K>(items: impl Iterator<Item = (K, Traffic)>) -> Vec<(K, Traffic)> {
    let mut items: Vec<(K, Traffic)> = items.collect();
    items.sort_by_key(|(_, traffic)| std::cmp::Reverse((traffic.bytes, traffic.values)));
    items
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at_least = if self.pushed.is_none() { " at least" } else { "" };
        writeln!(f, "{} bytes held, at the peak{at_least} {}", self.bytes, self.peak_bytes)?;
        if self.peak_bytes_on_disk > 0 {
            let (now, peak) = (self.bytes_on_disk, self.peak_bytes_on_disk);
            writeln!(f, "{now} bytes on disk, at the peak {peak}")?;
        }
        for (site, Convergence { loops, passes }) in &self.fixed_points {
            writeln!(f, "{passes} passes for {loops} fixed-point loops  {site}")?;
        }
        let Some(Traffic { values, bytes }) = self.pushed else {
            return write!(f, "what is pushed is not recorded: use `Stack::recording()`");
        };
        write!(f, "pushed {values} values, {bytes} bytes")?;
        let mut line = |Traffic { values, bytes }: &Traffic, name: &dyn fmt::Display| {
            write!(f, "\n{bytes:>14} bytes {values:>12} values  {name}")
        };
        self.by_kind.iter().try_for_each(|(kind, traffic)| line(traffic, kind))?;
        self.by_site.iter().try_for_each(|(site, traffic)| line(traffic, site))
    }
}

#[cfg(test)]
mod tests {
    use crate::Stack;

    #[test]
    fn a_recording_stack_says_what_it_was_used_for() {
        let mut stack = Stack::recording();
        for round in 0..100 {
            stack.push(f64::from(round));
            stack.push(round % 2 == 0);
            stack.push((round, 0.5_f32));
        }
        stack.push(vec![1.0_f64; 10]);
        let full = stack.report();
        assert_eq!(full.peak_bytes, full.bytes);
        // A list is its elements, its pointer, capacity and length, and the place on the stack that says where these are.
        let of_list = 80 + 24 + 24;
        assert_eq!(full.bytes, 100 * 3 * 8 + 13 + of_list);
        for round in (0..100).rev() {
            if round == 99 {
                assert_eq!(stack.pop::<Vec<f64>>(), vec![1.0; 10]);
            }
            assert_eq!(stack.pop::<(i32, f32)>(), (round, 0.5));
            assert_eq!(stack.pop::<bool>(), round % 2 == 0);
            assert_eq!(stack.pop::<f64>(), f64::from(round));
        }
        let report = stack.report();
        assert!(stack.is_empty());
        assert_eq!((report.bytes, report.peak_bytes), (0, full.bytes));
        let pushed = report.pushed.expect("it is recorded");
        assert_eq!((pushed.values, pushed.bytes), (401, 2400 + of_list as u64));
        let kinds: Vec<&str> = report.by_kind.iter().map(|(kind, _)| *kind).collect();
        assert_eq!(kinds, ["f32", "f64", "i32", "alloc::vec::Vec<f64>", "bool"]);
        assert_eq!(report.by_site.len(), 4);
        assert!(report.by_site.iter().all(|(site, _)| site.contains("report.rs:")));
        assert!(report.to_string().contains("pushed 401 values, 2528 bytes"));
    }

    #[test]
    fn up_to_its_limit_a_stack_is_like_others() {
        for count in [1, 300, 1000] {
            let mut stack = Stack::with_limit(8 * count);
            for _ in 0..2 {
                (0..count).for_each(|value| stack.push(value));
                (0..count).rev().for_each(|value| assert_eq!(stack.pop::<usize>(), value));
            }
            (0..count).for_each(|value| stack.push(value));
            let one_more = std::panic::AssertUnwindSafe(|| stack.push(0.5));
            let panic = std::panic::catch_unwind(one_more).expect_err("the limit is reached");
            let text = panic.downcast_ref::<String>().expect("it says why");
            assert!(text.contains(&format!("its limit of {} bytes", 8 * count)), "{text}");
            assert!(text.contains("report.rs:"), "{text}");
        }
    }

    #[test]
    #[should_panic(expected = "the stack has reached its limit of 148 bytes")]
    fn lists_and_truth_values_count() {
        let mut stack = Stack::with_limit(100 + 48);
        stack.push(vec![0_u8; 91]);
        (0..72).for_each(|_| stack.push(true));
        (0..72).for_each(|_| assert!(stack.pop::<bool>()));
        stack.push(vec![0_u8; 10]);
    }

    #[test]
    fn other_stacks_know_their_height() {
        let mut stack = Stack::new();
        (0..1000).for_each(|value| stack.push(value));
        (0..1000).for_each(|_| assert!(stack.pop::<i32>() < 1000));
        let report = stack.report();
        assert_eq!((report.bytes, report.peak_bytes, report.pushed), (0, 6144, None));
        assert!(report.to_string().contains("use `Stack::recording()`"));
    }
}
