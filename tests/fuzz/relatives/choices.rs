//! The choices of which a generated function is made. A list of smaller choices makes a smaller function, which is as well
//! formed as the first: so nothing else has to be known to make a finding smaller.

use fastrand::Rng;

/// Choices, made by chance and noted, or taken from a list.
pub struct Choices {
    rng: Option<Rng>,
    given: Vec<usize>,
    noted: Vec<usize>,
}

impl Choices {
    /// By chance.
    pub fn random(seed: u64) -> Self {
        Self { rng: Some(Rng::with_seed(seed)), given: Vec::new(), noted: Vec::new() }
    }

    /// From a list; behind its end all are 0.
    pub fn given(list: &[usize]) -> Self {
        Self { rng: None, given: list.to_vec(), noted: Vec::new() }
    }

    /// A number below a limit; 0 stands for what is simplest.
    pub fn below(&mut self, limit: usize) -> usize {
        let chosen = match &mut self.rng {
            Some(rng) => rng.usize(..limit),
            None => self.given.get(self.noted.len()).copied().unwrap_or(0).min(limit - 1),
        };
        self.noted.push(chosen);
        chosen
    }

    /// One of some.
    pub fn of<'a, T: ?Sized>(&mut self, list: &[&'a T]) -> &'a T {
        list[self.below(list.len())]
    }

    /// Whether something that happens once in so many times does.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == times - 1
    }

    /// The choices so far.
    pub fn noted(&self) -> &[usize] {
        &self.noted
    }
}

/// Lists of choices that are smaller by one step, the shortest first.
pub fn smaller(list: &[usize]) -> Vec<Vec<usize>> {
    let mut found = Vec::new();
    for length in [32, 16, 8, 4, 3, 2, 1] {
        for at in 0..(list.len() + 1).saturating_sub(length) {
            let mut without = list.to_vec();
            without.drain(at..at + length);
            found.push(without);
        }
    }
    for (at, choice) in list.iter().enumerate() {
        for less in [0, choice / 2, choice.saturating_sub(1)] {
            if less < *choice {
                let mut lower = list.to_vec();
                lower[at] = less;
                found.push(lower);
            }
        }
    }
    found.sort_by_key(|list| (list.len(), list.iter().sum::<usize>()));
    found.dedup();
    found
}
