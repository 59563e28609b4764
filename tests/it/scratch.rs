//! scratch
#[test]
fn show() {
    let Ok(path) = std::env::var("SHOW") else { return };
    let text = std::fs::read_to_string(path).unwrap();
    if text.contains("| ") && text.contains("'l") || text.contains("ret: f64 |") {
    let none = std::env::var("NONE").is_ok();
    let body = ad_analysis::ir::parse(&text).unwrap();
    let e = if none { ad_analysis::analyses::Optimisations::NONE } else { ad_analysis::analyses::Optimisations::ALL };
    let f = testkit::program::Function::new(&body, e);
    println!("{}\n{}\n{}", ad_analysis::ir::print(&f.reified), ad_analysis::ir::print(&f.adjoint.forward), ad_analysis::ir::print(&f.adjoint.backward));
    return;
    }
    let mut lines = text.lines();
    let attr = if text.starts_with("//") { lines.next().unwrap()[2..].to_owned() } else { String::new() };
    let out = ad_analysis::expand(attr.parse().unwrap(), text.parse().unwrap());
    match syn::parse2::<syn::File>(out.clone()) {
        Ok(f) => println!("{}", prettyplease::unparse(&f)),
        Err(e) => println!("{e}\n{out}"),
    }
}
