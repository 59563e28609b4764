//! The order in which vertices get their colours.

/// The order in which rows or columns get their colours. Two are *neighbours* if they may not have the same
/// colour: columns if they have a row in common, and in symmetric patterns vertices with an entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// As they are. Often best on grids whose points are numbered line by line.
    Natural,
    /// Those with the most neighbours first (D. Welsh, M. Powell, 1967).
    LargestFirst,
    /// Last the one with the fewest neighbours, before it the one with the fewest among the others, and so on
    /// (D. Matula, L. Beck, 1983).
    SmallestLast,
    /// Next the one with the most neighbours that are ordered already (T. Coleman, J. Moré, 1983).
    IncidenceDegree,
}

impl Order {
    /// The vertices in this order. `neighbours` calls a function with each neighbour of a vertex, once.
    pub(super) fn of(
        self,
        count: usize,
        mut neighbours: impl FnMut(usize, &mut dyn FnMut(usize)),
    ) -> Vec<usize> {
        let mut degrees = |vertex: usize| {
            let mut degree = 0;
            neighbours(vertex, &mut |_| degree += 1);
            degree
        };
        match self {
            Self::Natural => (0..count).collect(),
            Self::LargestFirst => {
                let degrees: Vec<usize> = (0..count).map(degrees).collect();
                let mut order: Vec<usize> = (0..count).collect();
                order.sort_by_key(|&vertex| std::cmp::Reverse(degrees[vertex]));
                order
            }
            Self::SmallestLast => {
                let mut buckets = Buckets::new((0..count).map(&mut degrees).collect());
                let mut order = Vec::with_capacity(count);
                while let Some(vertex) = buckets.take_lowest() {
                    order.push(vertex);
                    neighbours(vertex, &mut |other| buckets.change(other, |degree| degree - 1));
                }
                order.reverse();
                order
            }
            Self::IncidenceDegree => {
                let mut buckets = Buckets::new(vec![0; count]);
                let mut order = Vec::with_capacity(count);
                while let Some(vertex) = buckets.take_highest() {
                    order.push(vertex);
                    neighbours(vertex, &mut |other| buckets.change(other, |degree| degree + 1));
                }
                order
            }
        }
    }
}

/// Vertices by a number that changes.
struct Buckets {
    /// The numbers of those that are there.
    keys: Vec<Option<usize>>,
    /// The vertices with each number, and some that had it before.
    lists: Vec<Vec<usize>>,
    /// No vertex has a lower number…
    lowest: usize,
    /// …and none a higher one.
    highest: usize,
}

impl Buckets {
    fn new(keys: Vec<usize>) -> Self {
        let highest = keys.iter().copied().max().unwrap_or(0);
        let mut lists = vec![Vec::new(); highest + 1];
        // Lists are taken from their ends: the first vertex first.
        for (vertex, &key) in keys.iter().enumerate().rev() {
            lists[key].push(vertex);
        }
        Self { keys: keys.into_iter().map(Some).collect(), lists, lowest: 0, highest }
    }

    /// Takes a vertex from a list, which may have none that is still of that number.
    fn take(&mut self, key: usize) -> Option<usize> {
        while let Some(vertex) = self.lists[key].pop() {
            if self.keys[vertex] == Some(key) {
                self.keys[vertex] = None;
                return Some(vertex);
            }
        }
        None
    }

    fn take_lowest(&mut self) -> Option<usize> {
        while self.lowest < self.lists.len() {
            if let Some(vertex) = self.take(self.lowest) {
                return Some(vertex);
            }
            self.lowest += 1;
        }
        None
    }

    fn take_highest(&mut self) -> Option<usize> {
        loop {
            if let Some(vertex) = self.take(self.highest) {
                return Some(vertex);
            }
            self.highest = self.highest.checked_sub(1)?;
        }
    }

    /// Changes the number of a vertex if it is still there.
    fn change(&mut self, vertex: usize, to: impl FnOnce(usize) -> usize) {
        let Some(key) = self.keys[vertex] else { return };
        let key = to(key);
        self.keys[vertex] = Some(key);
        if key >= self.lists.len() {
            self.lists.resize(key + 1, Vec::new());
        }
        self.lists[key].push(vertex);
        self.lowest = self.lowest.min(key);
        self.highest = self.highest.max(key);
    }
}
