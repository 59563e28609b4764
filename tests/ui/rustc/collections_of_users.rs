//! What has the name of a collection of the standard library is taken for it.

use backsweep::adjoint;

pub struct HashMap<K, V> {
    pub key: K,
    pub other: V,
    pub value: f64,
}

#[adjoint]
fn scaled(x: f64, map: &HashMap<usize, bool>) -> f64 {
    x * map.value
}

#[adjoint]
fn found(x: &[f64], index: &std::collections::BTreeMap<&str, usize>) -> f64 {
    x[index["a"]]
}

fn main() {}
