//! Colourings of rows and columns.

use super::{Order, Pattern};

/// Which rows or columns go together: those of one colour.
///
/// ```
/// use backsweep::sparse::{Colouring, Order, Pattern};
///
/// // An arrow: the first row and the first column are full.
/// let arrow = Pattern::from_rows(5, (0..5).map(|i| if i == 0 { (0..5).collect() } else { vec![0, i] }));
/// assert_eq!(Colouring::of_columns(&arrow, Order::Natural).count(), 5);
/// // That the matrix is symmetric saves sweeps.
/// let colouring = Colouring::star(&arrow, Order::Natural);
/// assert_eq!((colouring.count(), colouring.colours()), (2, &[0, 1, 1, 1, 1][..]));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Colouring {
    colours: Vec<usize>,
    count: usize,
}

/// No colour yet.
const NONE: usize = usize::MAX;

impl Colouring {
    /// Colours columns so that those with a row in common differ: a partial distance-2 colouring of the graph of rows and
    /// columns. In time in proportion to the sum of the squares of the lengths of the rows.
    pub fn of_columns(pattern: &Pattern, order: Order) -> Self {
        let by_column = pattern.transposed();
        let mut seen = Marks::new(pattern.cols());
        let order = order.of(pattern.cols(), |col, each| {
            seen.clear();
            seen.mark(col);
            for &row in by_column.row(col) {
                pattern.row(row).iter().filter(|&&other| seen.mark(other)).for_each(|&o| each(o));
            }
        });
        Self::greedy(pattern.cols(), order, |col, colours, forbidden| {
            for &row in by_column.row(col) {
                for &other in pattern.row(row) {
                    forbidden.forbid(colours[other]);
                }
            }
        })
    }

    /// Colours rows so that those with a column in common differ.
    pub fn of_rows(pattern: &Pattern, order: Order) -> Self {
        Self::of_columns(&pattern.transposed(), order)
    }

    /// Colours the vertices of a symmetric pattern so that neighbours differ, and no path of four vertices has two colours: a
    /// star colouring, from which a Hessian is recovered entry by entry. In time in proportion to the number of paths of
    /// two edges, if vertices have few neighbours.
    ///
    /// # Panics
    /// If the pattern is not symmetric.
    pub fn star(pattern: &Pattern, order: Order) -> Self {
        assert!(pattern.is_symmetric(), "star colourings are for symmetric patterns");
        let order = order.of(pattern.cols(), |vertex, each| {
            neighbours(pattern, vertex).for_each(each);
        });
        let mut around = Marks::new(0);
        let mut twice = Marks::new(0);
        Self::greedy(pattern.cols(), order, |v, colours, forbidden| {
            around.clear();
            twice.clear();
            for w in neighbours(pattern, v).filter(|&w| colours[w] != NONE) {
                forbidden.forbid(colours[w]);
                if !around.mark(colours[w]) {
                    twice.mark(colours[w]);
                }
            }
            for w in neighbours(pattern, v).filter(|&w| colours[w] != NONE) {
                for x in neighbours(pattern, w).filter(|&x| x != v && colours[x] != NONE) {
                    // The paths `u v w x`, where `u` and `w` have the same colour, and `v w x y`, where `w` and `y` have.
                    let ends = |y: usize| y != w && colours[y] == colours[w];
                    if twice.has(colours[w]) || neighbours(pattern, x).any(ends) {
                        forbidden.forbid(colours[x]);
                    }
                }
            }
        })
    }

    /// Gives each vertex the first colour that is not forbidden.
    fn greedy(
        len: usize,
        order: Vec<usize>,
        mut forbid: impl FnMut(usize, &[usize], &mut Forbidden),
    ) -> Self {
        let mut colours = vec![NONE; len];
        let mut forbidden = Forbidden(Marks::new(0));
        let mut count = 0;
        for vertex in order {
            forbidden.0.clear();
            forbid(vertex, &colours, &mut forbidden);
            let colour = (0..).find(|&colour| !forbidden.0.has(colour)).expect("one is free");
            colours[vertex] = colour;
            count = count.max(colour + 1);
        }
        Self { colours, count }
    }

    /// The colour of each row or column, from 0.
    pub fn colours(&self) -> &[usize] {
        &self.colours
    }

    /// How many colours there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The colouring with fewer colours.
    pub(super) fn or_better(self, other: Self) -> Self {
        if other.count < self.count { other } else { self }
    }
}

/// The vertices with an entry, other than itself.
fn neighbours(pattern: &Pattern, vertex: usize) -> impl Iterator<Item = usize> {
    pattern.row(vertex).iter().copied().filter(move |&other| other != vertex)
}

/// The colours a vertex may not have.
struct Forbidden(Marks);

impl Forbidden {
    fn forbid(&mut self, colour: usize) {
        if colour != NONE {
            self.0.mark(colour);
        }
    }
}

/// A set of small numbers that is cleared at once.
struct Marks {
    rounds: Vec<usize>,
    round: usize,
}

impl Marks {
    fn new(len: usize) -> Self {
        Self { rounds: vec![0; len], round: 1 }
    }

    fn clear(&mut self) {
        self.round += 1;
    }

    /// Adds a number; whether it is new.
    fn mark(&mut self, number: usize) -> bool {
        if number >= self.rounds.len() {
            self.rounds.resize(number + 1, 0);
        }
        std::mem::replace(&mut self.rounds[number], self.round) != self.round
    }

    fn has(&self, number: usize) -> bool {
        self.rounds.get(number) == Some(&self.round)
    }
}
