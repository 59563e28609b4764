pub fn helper(x: f64) -> f64 {
    x
}
