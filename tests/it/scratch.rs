//! scratch
#[test]
fn show() {
    let Ok(path) = std::env::var("SHOW") else { return };
    let text = std::fs::read_to_string(path).unwrap();
    let none = std::env::var("NONE").is_ok();
    let body = ad_analysis::ir::parse(&text).unwrap();
    let e = if none { ad_analysis::analyses::Optimisations::NONE } else { ad_analysis::analyses::Optimisations::ALL };
    let f = testkit::program::Function::new(&body, e);
    println!("{}\n{}\n{}", ad_analysis::ir::print(&f.reified), ad_analysis::ir::print(&f.adjoint.forward), ad_analysis::ir::print(&f.adjoint.backward));
}
