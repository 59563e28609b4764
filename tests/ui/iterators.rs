//! Iterator chains and loops over iterators that are not understood.
use backsweep::adjoint;

#[adjoint]
fn collect_into_a_box(x: &[f64]) -> f64 {
    let squares: Box<[f64]> = x.iter().map(|t| t * t).collect();
    squares[0]
}

#[adjoint]
fn array_of_some_length(x: f64) -> f64 {
    let powers = std::array::from_fn(|k| x.powi(k as i32));
    powers.iter().sum()
}

#[adjoint]
fn squares(x: &[f64]) -> Vec<f64> {
    x.iter().map(|t| t * t).collect()
}

#[adjoint]
fn list_of_a_call(x: &[f64]) -> f64 {
    let mut list = squares(x);
    list.iter_mut().map(|t| *t).sum::<f64>()
}

#[adjoint]
fn zip_of_some(x: &[f64], y: &[f64]) -> f64 {
    let mut s = 0.0;
    for (a, b) in x.iter().filter(|t| **t > 0.0).zip(y) {
        s += a * b;
    }
    s
}

#[adjoint]
fn zip_of_effects(x: &[f64], y: &[f64]) -> f64 {
    let mut n = 0;
    x.iter().map(|t| { n += 1; t * t }).zip(y).map(|(a, b)| a * b).sum()
}

#[adjoint(independents(x), passive(f))]
fn unknown_function(x: &[f64], f: fn(&f64) -> f64) -> f64 {
    x.iter().map(f).sum()
}

#[adjoint]
fn failing(x: &[f64]) -> Option<f64> {
    let s: Option<f64> = x.iter().map(|t| { let u = (*t > 0.0).then_some(*t)?; Some(u * u) }).sum();
    Some(s.unwrap_or(0.0))
}

#[adjoint]
fn pattern(x: &[[f64; 3]]) -> f64 {
    x.iter().map(|[a, ..]| a * a).sum()
}

#[adjoint]
fn peeked(x: &[f64]) -> f64 {
    let mut elements = x.iter().peekable();
    let mut s = 0.0;
    while let Some(t) = elements.next() {
        if elements.peek().is_some() {
            s += t * t;
        }
    }
    s
}

#[adjoint]
fn filtered_by_hand(x: &[f64]) -> f64 {
    let mut positive = x.iter().filter(|t| **t > 0.0);
    let first = positive.next().unwrap();
    first * first
}

struct User;

impl User {
    fn first_of<'a>(&self, mut elements: impl Iterator<Item = &'a f64>) -> f64 {
        *elements.next().unwrap()
    }
}

#[adjoint(independents(x), passive(u))]
fn handed_over(x: &[f64], u: &User) -> f64 {
    let mut elements = x.iter();
    let first = elements.next().unwrap();
    u.first_of(elements) * first
}

#[adjoint]
fn chained_references(x: &mut [f64], y: &mut [f64]) {
    for t in x.iter_mut().chain(y.iter_mut()) {
        *t *= 2.0;
    }
}

fn halves(t: f64) -> std::array::IntoIter<f64, 2> {
    [0.5 * t, 0.5 * t].into_iter()
}

#[adjoint]
fn inner_iterator_of_unknown_code(x: &[f64]) -> f64 {
    x.iter().flat_map(|t| halves(t.exp())).sum()
}

fn main() {}
