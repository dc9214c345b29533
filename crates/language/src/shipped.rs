//! Holds the models, scripts and rules that redexter brings along, as one table of texts: whoever reads files finds them under
//! these paths where the machine has no such file.
//!
//! The texts lie at the top of the project, where people look for them; `shipped/` in this crate has links to them, which
//! packaging follows. This module knows no machine and no language.

use std::path::{Component, Path};

macro_rules! table {
    ($($(#[$unless:meta])? $path:literal)*) => {
        &[$($(#[$unless])? ($path, include_str!(concat!("../shipped/", $path)))),*]
    };
}

/// The library of every model.
pub const PRELUDE: &str = include_str!("../shipped/models/prelude.arr");

/// The pages of the reference, in Markdown, in the order in which one reads them.
pub const MANUAL: &[(&str, &str)] = table! {
    "docs/language.md"
    "docs/strategies.md"
    "docs/repl.md"
    "docs/cli.md"
    "docs/native.md"
    "docs/how-to.md"
};

/// Each path with its text. The rules stand in the order of the book. A page has no use for what measures all models, nor for
/// what teachers read.
pub const FILES: &[(&str, &str)] = table! {
    "lessons/00-reading.md"
    "lessons/01-fusion.md"
    "lessons/02-once.md"
    "lessons/03-sharing.md"
    "lessons/04-outside-in.md"
    "lessons/05-choice.md"
    "lessons/06-repeat.md"
    "lessons/07-one-hot.md"
    "lessons/08-stages.md"
    "lessons/09-gradient-of-a-sum.md"
    "lessons/10-gradient-of-a-product.md"
    "lessons/11-tables.md"
    "lessons/12-least-squares.md"
    "lessons/13-six-orders.md"
    "lessons/14-transposition.md"
    "lessons/15-livelock.md"
    #[cfg(not(target_family = "wasm"))]
    "lessons/README.md"
    "models/autoencoder.arr"
    "models/benchmark.arr"
    "models/bundle_adjustment.arr"
    "models/cholesky.arr"
    "models/convolution.arr"
    "models/cox.arr"
    "models/dot.arr"
    "models/elastic_net.arr"
    "models/embedding.arr"
    "models/gaussian_process.arr"
    "models/heat.arr"
    "models/hidden_markov.arr"
    "models/huber.arr"
    "models/kalman.arr"
    "models/kmeans.arr"
    "models/layer_norm.arr"
    "models/least_squares.arr"
    "models/lennard_jones.arr"
    "models/linear_regression.arr"
    "models/log_sum_exp.arr"
    "models/logistic.arr"
    "models/lstm.arr"
    "models/matrix_completion.arr"
    "models/matrix_factorisation.arr"
    "models/matrix_vector.arr"
    "models/mixture.arr"
    "models/nmf.arr"
    "models/perceptron.arr"
    "models/perceptron_deep.arr"
    "models/prelude.arr"
    "models/random_field.arr"
    "models/recurrent.arr"
    "models/recurrent_cell.arr"
    "models/residual.arr"
    "models/runge_kutta.arr"
    "models/springs.arr"
    "models/square.arr"
    "models/sum_of_squares.arr"
    "models/topics.arr"
    "models/transformer.arr"
    "models/vector_add.arr"
    "models/vector_max.arr"
    "models/vector_scale.arr"
    "models/vector_sum.arr"
    "models/word_vectors.arr"
    "strategies/dot.strat"
    #[cfg(not(target_family = "wasm"))]
    "strategies/evidence.strat"
    "strategies/fusion.strat"
    "strategies/gradient.strat"
    "strategies/least_squares.strat"
    "strategies/matrix_vector.strat"
    "strategies/paper.strat"
    "strategies/prelude.strat"
    "strategies/sum_of_squares.strat"
    "strategies/vector_sum.strat"
    "strategies/rules/lets.strat"
    "strategies/rules/arithmetic.strat"
    "strategies/rules/arrays.strat"
    "strategies/rules/conditionals.strat"
    "strategies/rules/folds.strat"
    "strategies/rules/scans.strat"
    "strategies/rules/sums.strat"
    "strategies/rules/fusion.strat"
    "strategies/rules/transposition.strat"
};

/// The texts of the rule book, by name.
pub fn rules() -> impl Iterator<Item = (&'static str, &'static str)> {
    let name =
        |path: &'static str| path.strip_prefix("strategies/")?.strip_suffix(".strat").filter(|n| n.contains('/'));
    FILES.iter().filter_map(move |(path, text)| Some((name(path)?, *text)))
}

/// The text with this path, which leads down from the current folder.
pub fn file(path: &Path) -> Option<&'static str> {
    let wanted = parts(path)?;
    FILES.iter().find(|(path, _)| path.split('/').eq(wanted.iter().copied())).map(|(_, text)| *text)
}

/// The names of what ships in a folder, a name once for each file below it.
pub fn names(folder: &Path) -> impl Iterator<Item = &'static str> {
    let folder = parts(folder);
    FILES.iter().filter_map(move |(path, _)| {
        let mut rest = path.split('/');
        let inside = folder.as_ref()?.iter().all(|part| rest.next() == Some(part));
        rest.next().filter(|_| inside)
    })
}

/// Whether something that ships lies in this folder.
pub fn is_folder(path: &Path) -> bool {
    file(path).is_none() && names(path).next().is_some()
}

/// The steps of a path down from the current folder; none of one that climbs or begins elsewhere.
fn parts(path: &Path) -> Option<Vec<&str>> {
    let steps = path.components().filter(|part| *part != Component::CurDir);
    steps.map(|part| if let Component::Normal(name) = part { name.to_str() } else { None }).collect()
}
