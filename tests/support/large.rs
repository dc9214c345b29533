//! Models whose size is a parameter, as text: `main` takes what it needs and has about so many nodes as each says.

/// A chain of `k` maps, `5k` nodes that nest: `(build n (fun j => c + …))[i]`.
pub fn map_chain(k: usize) -> String {
    let opening: String = (0..k).map(|level| format!("(build n (fun j{level} => c + ")).collect();
    let closing: String =
        (0..k).rev().map(|level| if level == 0 { "))[i]".to_owned() } else { format!("))[j{}]", level - 1) }).collect();
    format!("def main {{n}} (c : real) (i : fin n) : real :=\n  {opening}c{closing}\n")
}

/// A balanced tree of sums and products with 2^`height` leaves.
pub fn wide_tree(height: u32) -> String {
    let (mut level, mut other) = ("x".to_owned(), "1.5".to_owned());
    for k in 0..height {
        let operator = if k % 2 == 0 { "+" } else { "*" };
        let next = format!("({level} {operator} {other})");
        (level, other) = (next.clone(), next);
    }
    format!("def main (x : real) : real :=\n  {level}\n")
}

/// `k` lets, each of the last two: `5k` nodes that nest without brackets.
pub fn let_chain(k: usize) -> String {
    let lets: String = (1..k).map(|i| format!("  let x{i} := x{} * x + 1;\n", i - 1)).collect();
    format!("def main (x : real) : real :=\n  let x0 := x * 2;\n{lets}  x{}\n", k.max(1) - 1)
}

/// `x * (x + (x * (x + …)))` with `k` operators.
pub fn polynomial(k: usize) -> String {
    let opening: String = (0..k).map(|i| if i % 2 == 0 { "x * (" } else { "x + (" }).collect();
    format!("def main (x : real) : real :=\n  {opening}x{}\n", ")".repeat(k))
}
