use super::*;

const ORDERS: [Order; 4] =
    [Order::Natural, Order::LargestFirst, Order::SmallestLast, Order::IncidenceDegree];

/// SplitMix64: numbers below a bound.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ z >> 31) % bound as u64) as usize
    }

    fn pattern(&mut self) -> Pattern {
        let (rows, cols) = (1 + self.below(12), 1 + self.below(12));
        let entries: Vec<_> =
            (0..self.below(40)).map(|_| (self.below(rows), self.below(cols))).collect();
        Pattern::from_triplets(rows, cols, entries)
    }

    fn symmetric(&mut self) -> Pattern {
        let n = 1 + self.below(9);
        let entries: Vec<_> = (0..self.below(25)).map(|_| (self.below(n), self.below(n))).collect();
        Pattern::from_triplets(n, n, entries.iter().flat_map(|&(i, j)| [(i, j), (j, i)]))
    }

    fn value(&mut self) -> f64 {
        self.below(1000) as f64 - 500.5
    }
}

/// A matrix with a pattern, by rows.
fn dense(pattern: &Pattern, mut value: impl FnMut(usize, usize) -> f64) -> Vec<Vec<f64>> {
    let mut element = |i, j| if pattern.contains(i, j) { value(i, j) } else { 0.0 };
    (0..pattern.rows()).map(|i| (0..pattern.cols()).map(|j| element(i, j)).collect()).collect()
}

/// The product with directions, by definition.
fn product<const N: usize>(matrix: &[Vec<f64>], directions: &[[f64; N]]) -> Vec<[f64; N]> {
    let element = |row: &[f64], k: usize| row.iter().zip(directions).map(|(a, d)| a * d[k]).sum();
    matrix.iter().map(|row| std::array::from_fn(|k| element(row, k))).collect()
}

fn transposed(matrix: &[Vec<f64>], cols: usize) -> Vec<Vec<f64>> {
    (0..cols).map(|j| matrix.iter().map(|row| row[j]).collect()).collect()
}

/// What is recovered from compressed products is the matrix.
fn check_recovery<const N: usize>(
    compression: &Compression,
    by: &[Vec<f64>],
    expected: &[Vec<f64>],
) {
    let mut values = vec![f64::NAN; compression.pattern().len()];
    for sweep in 0..compression.sweeps::<N>() {
        compression.recover(sweep, &product(by, &compression.directions::<N>(sweep)), &mut values);
    }
    let (rows, cols) = compression.pattern().triplets();
    assert_eq!(values.len(), rows.len());
    for (k, value) in values.iter().enumerate() {
        assert_eq!(*value, expected[rows[k]][cols[k]], "{compression:?}");
    }
}

#[test]
fn patterns_are_what_they_are_made_of() {
    let mut random = Random(1);
    for _ in 0..300 {
        let pattern = random.pattern();
        let (rows, cols) = pattern.triplets();
        let again = rows.iter().copied().zip(cols.iter().copied());
        let again = Pattern::from_triplets(pattern.rows(), pattern.cols(), again);
        assert_eq!(again, pattern);
        let flipped = cols.into_iter().zip(rows).rev();
        let flipped = Pattern::from_triplets(pattern.cols(), pattern.rows(), flipped);
        assert_eq!(flipped, pattern.transposed());
        for i in 0..pattern.rows() {
            assert!(pattern.row(i).is_sorted_by(|a, b| a < b));
            for j in 0..pattern.cols() {
                assert_eq!(pattern.contains(i, j), flipped.row(j).contains(&i));
            }
        }
        let pairs = || (0..pattern.rows()).flat_map(|i| (0..pattern.cols()).map(move |j| (i, j)));
        let is_square = pattern.rows() == pattern.cols();
        let is_symmetric =
            is_square && pairs().all(|(i, j)| pattern.contains(i, j) == pattern.contains(j, i));
        assert_eq!(pattern.is_symmetric(), is_symmetric);
    }
}

#[test]
fn columns_of_a_colour_have_no_row_in_common() {
    let mut random = Random(2);
    let mut shared = 0;
    for _ in 0..500 {
        let pattern = random.pattern();
        for order in ORDERS {
            let colouring = Colouring::of_columns(&pattern, order);
            let colours = colouring.colours();
            assert_eq!(colours.len(), pattern.cols());
            assert_eq!(colours.iter().max().map(|&colour| colour + 1), Some(colouring.count()));
            for a in 0..pattern.cols() {
                for b in 0..a {
                    let meet = |i: usize| pattern.contains(i, a) && pattern.contains(i, b);
                    let differ = colours[a] != colours[b];
                    assert!(differ || !(0..pattern.rows()).any(meet), "{order:?} {pattern:?}");
                    shared += usize::from(!differ);
                }
            }
            let rows = Colouring::of_rows(&pattern, order);
            assert_eq!(rows, Colouring::of_columns(&pattern.transposed(), order));
        }
    }
    assert!(shared > 1000, "sweeps are shared");
}

/// Whether no path of four vertices has two colours, and no edge one: by trying all.
fn is_star_colouring(pattern: &Pattern, colours: &[usize]) -> bool {
    let n = pattern.rows();
    let edge = |a: usize, b: usize| a != b && pattern.contains(a, b);
    (0..n).all(|a| {
        (0..n).filter(|&b| edge(a, b)).all(|b| {
            let paths = (0..n).filter(|&c| c != a && edge(b, c)).flat_map(|c| {
                (0..n).filter(move |&d| d != a && d != b && edge(c, d)).map(move |d| (c, d))
            });
            let two = |(c, d): (usize, usize)| colours[a] == colours[c] && colours[b] == colours[d];
            colours[a] != colours[b] && !paths.into_iter().any(two)
        })
    })
}

#[test]
fn star_colourings_have_no_path_of_two_colours() {
    let path = Pattern::from_rows(4, [vec![1], vec![0, 2], vec![1, 3], vec![2]]);
    assert!(!is_star_colouring(&path, &[0, 1, 0, 1]) && is_star_colouring(&path, &[0, 1, 0, 2]));
    let mut random = Random(3);
    let mut fewer = 0;
    for _ in 0..1000 {
        let pattern = random.symmetric();
        for order in ORDERS {
            let colouring = Colouring::star(&pattern, order);
            assert!(is_star_colouring(&pattern, colouring.colours()), "{order:?} {pattern:?}");
            fewer +=
                usize::from(colouring.count() < Colouring::of_columns(&pattern, order).count());
        }
    }
    assert!(fewer > 500, "{fewer}: symmetry saves colours");
}

#[test]
fn orders_are_what_they_are_called() {
    let mut random = Random(4);
    for _ in 0..300 {
        let pattern = random.symmetric();
        let n = pattern.rows();
        let edge = |a: usize, b: usize| a != b && pattern.contains(a, b);
        let degree = |a: usize, among: &[usize]| among.iter().filter(|&&b| edge(a, b)).count();
        let all: Vec<usize> = (0..n).collect();
        for order in ORDERS {
            let found =
                order.of(n, |a, each| all.iter().filter(|&&b| edge(a, b)).for_each(|&b| each(b)));
            let mut sorted = found.clone();
            sorted.sort_unstable();
            assert_eq!(sorted, all);
            for k in 0..n {
                let (before, after) = found.split_at(k);
                let best = match order {
                    Order::Natural => found[k] == k,
                    Order::LargestFirst => {
                        after.iter().all(|&b| degree(b, &all) <= degree(found[k], &all))
                    }
                    // Among those up to it, it has the fewest neighbours.
                    Order::SmallestLast => {
                        let until = &found[..=k];
                        until.iter().all(|&b| degree(b, until) >= degree(found[k], until))
                    }
                    Order::IncidenceDegree => {
                        after.iter().all(|&b| degree(b, before) <= degree(found[k], before))
                    }
                };
                assert!(best, "{order:?} {found:?} {pattern:?}");
            }
        }
    }
}

#[test]
fn values_are_recovered_exactly() {
    let mut random = Random(5);
    for _ in 0..300 {
        let pattern = random.pattern();
        let matrix = dense(&pattern, |_, _| random.value());
        let weighted = transposed(&matrix, pattern.cols());
        let columns = Compression::by_columns(pattern.clone());
        let rows = Compression::by_rows(pattern.clone());
        check_recovery::<1>(&columns, &matrix, &matrix);
        check_recovery::<4>(&columns, &matrix, &matrix);
        check_recovery::<1>(&rows, &weighted, &matrix);
        check_recovery::<3>(&rows, &weighted, &matrix);
        let pattern = random.symmetric();
        let half = dense(&pattern, |_, _| random.value());
        let mut hessian = dense(&pattern, |i, j| half[i.max(j)][i.min(j)]);
        // The diagonal need not be in the pattern.
        (0..pattern.rows())
            .for_each(|i| hessian[i][i] = if pattern.contains(i, i) { hessian[i][i] } else { 7.0 });
        let symmetric = Compression::symmetric(pattern);
        check_recovery::<1>(&symmetric, &hessian, &hessian);
        check_recovery::<4>(&symmetric, &hessian, &hessian);
    }
}

/// A grid whose points are connected with those at most one line and one column away, or one of both.
fn stencil(side: usize, with_corners: bool) -> Pattern {
    let row = |point: usize| {
        let (i, j) = (point / side, point % side);
        let lines = i.saturating_sub(1)..(i + 2).min(side);
        let points =
            lines.flat_map(move |k| (j.saturating_sub(1)..(j + 2).min(side)).map(move |l| (k, l)));
        let points = points.filter(move |&(k, l)| with_corners || k == i || l == j);
        points.map(move |(k, l)| k * side + l).collect::<Vec<_>>()
    };
    Pattern::from_rows(side * side, (0..side * side).map(row))
}

#[test]
fn stencils_need_few_sweeps() {
    for side in [3, 10, 64, 317] {
        for (with_corners, columns, best, symmetric) in [(false, 7, 7, 6), (true, 12, 9, 9)] {
            let pattern = stencil(side, with_corners);
            for order in ORDERS {
                let colours = Colouring::of_columns(&pattern, order).count();
                assert!(colours <= columns, "{side}, {with_corners}, {order:?}: {colours}");
            }
            let colours = Compression::by_columns(pattern.clone()).colours();
            assert!(colours <= best, "{side}, {with_corners}: {colours}");
            let colours = Compression::by_rows(pattern.clone()).colours();
            assert!(colours <= best, "{side}, {with_corners}: {colours}");
            let colours = Compression::symmetric(pattern).colours();
            assert!(colours <= symmetric, "{side}, {with_corners}: {colours}");
        }
    }
}

#[test]
fn patterns_without_entries_need_no_or_one_sweep() {
    let compression = Compression::by_columns(Pattern::from_rows(0, [[]; 0] as [[usize; 0]; 0]));
    assert_eq!((compression.colours(), compression.sweeps::<4>()), (0, 0));
    assert!(compression.zeros().is_empty());
    let compression = Compression::by_rows(Pattern::from_triplets(3, 2, []));
    assert_eq!(compression.colours(), 1);
    assert!(compression.pattern().is_empty());
}

#[test]
#[should_panic(expected = "there is no column 3: there are 3")]
fn columns_are_there() {
    Pattern::from_triplets(2, 3, [(0, 3)]);
}

#[test]
#[should_panic(expected = "there is no row 2: there are 2")]
fn rows_are_there() {
    Pattern::from_triplets(2, 3, [(2, 0)]);
}

#[test]
#[should_panic(expected = "star colourings are for symmetric patterns")]
fn stars_are_symmetric() {
    Compression::symmetric(Pattern::from_triplets(2, 2, [(1, 0)]));
}

#[test]
#[should_panic(expected = "the product has 1 rows in place of 2")]
fn products_have_all_rows() {
    let compression = Compression::by_columns(Pattern::from_triplets(2, 2, [(1, 0)]));
    compression.recover(0, &[[1.0]], &mut [0.0]);
}
