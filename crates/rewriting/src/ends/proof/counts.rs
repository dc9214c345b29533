//! Finds what each rewrite lowers: the number of nodes, or of some constructors, each with a weight.

use super::encoded::{EncodedLaw, Form};

/// A measure: the number of all nodes, or the sum of the numbers of some constructors times their weights.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Weights {
    Nodes,
    Of(Vec<(usize, i64)>),
}

/// So much each of two constructors may weigh.
const PAIRS: [(i64, i64); 3] = [(1, 1), (2, 1), (1, 2)];

/// A law's differences: by how much its left side has more.
struct CountDifference {
    nodes: i64,
    symbols: Vec<i64>,
}

/// Measures one after another, each with the laws, by their numbers among those that are left, that lower it while no other
/// raises it; and the laws that no measure takes. Those of which a law repeats a variable can't be counted.
pub(super) fn counted(laws: Vec<EncodedLaw>, symbols: usize) -> (Vec<(Weights, Vec<EncodedLaw>)>, Vec<EncodedLaw>) {
    let (mut left, mut steps) = (laws, Vec::new());
    while !left.is_empty() {
        let Some(all) = left.iter().map(|law| difference(law, symbols)).collect::<Option<Vec<CountDifference>>>()
        else {
            break;
        };
        let mut measures = std::iter::once(Weights::Nodes)
            .chain((0..symbols).map(|f| Weights::Of(vec![(f, 1)])))
            .chain((0..symbols).flat_map(|f| {
                let pairs =
                    (f + 1..symbols).flat_map(move |g| PAIRS.map(move |(a, b)| Weights::Of(vec![(f, a), (g, b)])));
                pairs.collect::<Vec<Weights>>()
            }));
        let helps = |weights: &Weights| {
            let lowered = || all.iter().map(|one| one.by(weights));
            lowered().all(|by| by >= 0) && lowered().any(|by| by > 0)
        };
        let Some(weights) = measures.find(helps) else { break };
        let (mut taken, mut rest) = (Vec::new(), Vec::new());
        for (law, one) in left.into_iter().zip(&all) {
            if one.by(&weights) > 0 { taken.push(law) } else { rest.push(law) }
        }
        steps.push((weights, taken));
        left = rest;
    }
    (steps, left)
}

impl CountDifference {
    /// By how much a step lowers a measure, at least.
    fn by(&self, weights: &Weights) -> i64 {
        match weights {
            Weights::Nodes => self.nodes,
            Weights::Of(all) => all.iter().map(|(symbol, weight)| weight * self.symbols[*symbol]).sum(),
        }
    }
}

/// None where the right side repeats a variable more often.
fn difference(law: &EncodedLaw, symbols: usize) -> Option<CountDifference> {
    let mut all = CountDifference { nodes: 0, symbols: vec![0; symbols] };
    let mut vars: Vec<i64> = Vec::new();
    count(&law.left, 1, &mut all, &mut vars);
    count(&law.right, -1, &mut all, &mut vars);
    vars.iter().all(|times| *times >= 0).then_some(all)
}

fn count(form: &Form, sign: i64, all: &mut CountDifference, vars: &mut Vec<i64>) {
    // What a variable stands for has a node at least.
    all.nodes += sign;
    match form {
        Form::Zero | Form::Number | Form::Numeral(_) | Form::Bound => {}
        Form::Var(j) => {
            vars.resize(vars.len().max(j + 1), 0);
            vars[*j] += sign;
        }
        Form::Node(symbol, kids) => {
            all.symbols[*symbol] += sign;
            kids.iter().for_each(|kid| count(kid, sign, all, vars));
        }
    }
}
