//! Maps, sets, queues and texts as data, and loops over iterators of which nothing is known.

use crate::differences::assert_derivatives;
use backsweep::adjoint;
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};

const AT: [f64; 4] = [1.2, 0.7, 1.9, 0.4];
const ALONG: [f64; 4] = [0.3, -0.2, 0.5, 0.9];

#[adjoint]
fn by_names(x: &[f64]) -> f64 {
    let mut index: HashMap<&str, usize> = HashMap::new();
    index.insert("a", 1);
    index.insert("b", 2);
    x[index["a"]] * x[index["b"]] + x[*index.get("b").unwrap_or(&0)]
}
#[adjoint]
fn by_listed_names(x: &[f64]) -> f64 {
    let mut index: HashMap<&str, usize> = HashMap::new();
    index.insert("a", 1);
    index.insert("b", 2);
    let names = ["a", "b", "a"];
    names.iter().map(|n| x[index[n]]).product::<f64>()
}
#[adjoint]
fn counted(x: &[f64]) -> f64 {
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    for i in 0..10 {
        *counts.entry(i % 3).or_insert(0) += 1;
    }
    let mut s = 0.0;
    for (k, n) in &counts {
        s += x[*k] * x[*k] * *n as f64;
    }
    s
}
#[adjoint]
fn of_a_map(x: &[f64], names: &HashMap<String, usize>) -> f64 {
    let i = names["p"];
    let j = names.get("q").copied().unwrap_or(0);
    x[i] * x[j].sin()
}
#[adjoint]
fn with_a_map(x: &[f64]) -> f64 {
    let m: HashMap<String, usize> = [("p".to_string(), 2)].into_iter().collect();
    of_a_map(x, &m)
}
#[adjoint]
fn of_lists_in_a_map(x: &[f64], groups: &BTreeMap<String, Vec<usize>>) -> f64 {
    let mut s = 0.0;
    for group in groups.values() {
        for &i in group {
            s += x[i] * x[i];
        }
    }
    let group = groups["b"].clone();
    s * x[group[0]] - x[group[1]].cos()
}
#[adjoint]
fn with_lists_in_a_map(x: &[f64]) -> f64 {
    let mut groups: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    groups.insert("a".to_string(), vec![0, 2]);
    groups.insert("b".to_string(), vec![1, 3, 3]);
    of_lists_in_a_map(x, &groups)
}
#[adjoint]
fn of_a_set(x: &[f64]) -> f64 {
    let mut seen = HashSet::new();
    let mut s = 0.0;
    for i in [0usize, 1, 1, 2, 0] {
        if seen.insert(i) {
            s += x[i] * x[3];
        }
    }
    s
}
#[adjoint]
fn by_a_queue(x: &[f64]) -> f64 {
    let mut queue = VecDeque::from([0usize]);
    let mut s = 1.0;
    while let Some(k) = queue.pop_front() {
        s *= x[k].cos();
        for n in [2 * k + 1, 2 * k + 2] {
            if n < x.len() {
                queue.push_back(n);
            }
        }
    }
    s
}
#[adjoint]
fn by_a_text(x: &[f64]) -> f64 {
    let kind = if x.len() > 2 { "long" } else { "short" };
    match kind {
        "long" => x[0] * x[1],
        "short" => x[0],
        _ => 0.0,
    }
}
#[adjoint]
fn through_a_map(x: &[f64]) -> f64 {
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    for i in 0..10 {
        *counts.entry(i % 3).or_insert(0) += 1;
    }
    let mut s = 0.0;
    for (k, n) in counts.iter() {
        s += x[*k] * x[*k] * *n as f64;
    }
    for (&k, n) in &counts {
        if k == 1 {
            continue;
        }
        s *= x[k] * *n as f64;
    }
    for k in counts.keys() {
        s += x[*k];
    }
    for n in counts.values().copied() {
        s += x[0] * n as f64;
        if n > 100 {
            break;
        }
    }
    s
}
#[adjoint]
fn through_texts(x: &[f64]) -> f64 {
    let mut s = 0.0;
    let text = "abca";
    for c in text.chars() {
        s += match c {
            'a' => x[0] * x[1],
            'b' => x[1] * s,
            _ => x[2].sin(),
        };
    }
    for (i, word) in "1 2 3".split(' ').enumerate() {
        let k: usize = word.parse().unwrap();
        s = s * 0.5 + x[k] * i as f64;
    }
    for b in text.bytes().rev() {
        s *= 1.0 + x[(b - b'a') as usize] * 0.1;
    }
    s
}
#[adjoint]
fn of_weights(x: &[f64], #[passive] table: &BTreeMap<String, f64>) -> f64 {
    let mut s = 1.0;
    for (name, w) in table {
        s *= w * x[name.len()];
    }
    s
}
#[adjoint]
fn with_weights(x: &[f64]) -> f64 {
    let t: BTreeMap<String, f64> =
        [("a".to_string(), 2.0), ("bb".to_string(), 0.3)].into_iter().collect();
    of_weights(x, &t)
}
struct Count(usize);
impl Iterator for Count {
    type Item = usize;
    fn next(&mut self) -> Option<usize> {
        if self.0 == 0 {
            None
        } else {
            self.0 -= 1;
            Some(self.0)
        }
    }
}
#[adjoint]
fn through_iterators_of_users(x: &[f64]) -> f64 {
    let mut s = 1.0;
    for k in Count(3) {
        s = s * x[k] + x[0];
    }
    for k in Count(4).filter(|k| k % 2 == 0) {
        s *= x[k];
    }
    s
}

#[test]
fn derivatives_beside_collections() {
    assert_derivatives!(AT, ALONG; by_names by_listed_names counted with_a_map with_lists_in_a_map of_a_set by_a_queue by_a_text);
}

#[test]
fn loops_through_collections() {
    assert_derivatives!(AT, ALONG; through_a_map through_texts with_weights through_iterators_of_users);
}
