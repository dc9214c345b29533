//! Perceptrons of any depth, as `models/perceptron_deep.arr` has them for two hidden layers.

/// A model of so many hidden layers; `gradient` is that by the weights and biases of each, in one program.
pub fn perceptron(hidden: usize) -> String {
    let size = |k: usize| match k {
        0 => "d".to_owned(),
        k if k <= hidden => format!("h{k}"),
        _ => "o".to_owned(),
    };
    let layers: Vec<usize> = (1..=hidden + 1).collect();
    let listed = |each: &dyn Fn(usize) -> String, between: &str| {
        layers.iter().map(|k| each(*k)).collect::<Vec<_>>().join(between)
    };
    let sizes = listed(&size, " ");
    let weights = listed(
        &|k| format!("(w{k} : array {} (array {} real)) (b{k} : array {} real)", size(k), size(k - 1), size(k)),
        " ",
    );
    let lets: String = (1..=hidden).map(|k| format!("    let x{k} := layer w{k} b{k} x{};\n", k - 1)).collect();
    // The names of all weights and biases, one of them replaced.
    let by = |one: &str| {
        let name = |name: String| if name == one { "p".to_owned() } else { name };
        listed(&|k| format!("{} {}", name(format!("w{k}")), name(format!("b{k}"))), " ")
    };
    let partial = |k: usize| {
        let (w, b) = (format!("w{k}"), format!("b{k}"));
        let [matrix, vector] = [(&w, "gradMatrix"), (&b, "grad")]
            .map(|(one, grad)| format!("{grad} (fun p => loss x y {}) {one}", by(one)));
        format!("{matrix}, {vector}")
    };
    let types = listed(&|k| format!("array {} (array {} real) * array {} real", size(k), size(k - 1), size(k)), " * ");
    let (last, open) =
        (hidden + 1, format!("{{n d {sizes}}} (x : array n (array d real)) (y : array n (array o real)) {weights}"));
    format!(
        "def layer {{m k}} (w : array k (array m real)) (b : array k real) (x : array m real) : array k real :=
  build k (fun i => tanh (ifold m (fun sum j => sum + w[i][j] * x[j]) 0 + b[i]))

def loss {open} : real :=
  ifold n (fun acc i =>
    let x0 := x[i];
{lets}    acc + ifold o (fun sum k =>
      let r := ifold {width} (fun sum j => sum + w{last}[k][j] * x{hidden}[j]) 0 + b{last}[k] - y[i][k];
      sum + r * r) 0) 0

def gradient {open} : {types} :=
  ({partials})
",
        width = size(hidden),
        partials = listed(&partial, ", "),
    )
}
