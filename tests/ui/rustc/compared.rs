//! What compares values of users may count how often it does.
use backsweep::adjoint;
use std::cell::Cell;

struct Dial(Cell<usize>);

impl PartialEq<usize> for Dial {
    fn eq(&self, other: &usize) -> bool {
        self.0.set(self.0.get() + 1);
        self.0.get() > *other
    }
}

#[adjoint(independents(x), passive(dial))]
fn turned(x: f64, dial: &Dial) -> f64 {
    if *dial == 1 { x * x } else { x }
}

#[adjoint(independents(x), passive(dial))]
fn turned_in_kept_code(x: f64, dial: &Dial) -> f64 {
    let late: bool = [1, 2].iter().any(|k| *dial == *k);
    if late { x * x } else { x }
}

fn main() {
    let dial = Dial(Cell::new(0));
    turned(1.0, &dial);
    turned_in_kept_code(1.0, &dial);
}
