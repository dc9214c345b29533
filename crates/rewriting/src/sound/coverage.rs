//! Records which branches of the conditionals in a rule's right sides were taken while it was tested.

use super::watch::RunWatch;
use crate::rule::variable;
use redexter_language::check::Law;
use redexter_language::term::{Kind, Path, Term};

/// The conditionals of right sides, each with its two branches.
#[derive(Default)]
pub(super) struct BranchCoverage(Vec<Conditional>);

struct Conditional {
    /// The number of its law.
    law: usize,
    /// Where it stands in the right side.
    path: Path,
    /// It as it is written, as far as its condition.
    text: String,
    /// Whether the second and the first branch ran.
    ran: [bool; 2],
}

impl BranchCoverage {
    /// Those of these laws.
    pub(super) fn of<'a>(laws: impl Iterator<Item = &'a Law>) -> BranchCoverage {
        let mut all = Vec::new();
        for (number, law) in laws.enumerate() {
            let mut paths = Vec::new();
            conditionals(law, &law.right, 0, &mut Vec::new(), &mut paths);
            let texts = written(&law.text);
            // The text may hold an `if` in a variable's argument, which has no place: then they are numbered, since it doesn't
            // show which is which.
            let text = |k: usize| if texts.len() == paths.len() { texts[k].clone() } else { format!("`if` {}", k + 1) };
            let of_law = paths.iter().enumerate();
            all.extend(of_law.map(|(k, path)| Conditional {
                law: number,
                path: Path(path.as_slice().into()),
                text: text(k),
                ran: [false; 2],
            }));
        }
        BranchCoverage(all)
    }

    /// Whether each branch ran.
    pub(super) fn is_complete(&self) -> bool {
        self.0.iter().all(|conditional| conditional.ran == [true; 2])
    }

    /// The conditionals as they stand in what a law gave: the one with this number, or else the first that fits.
    pub(super) fn sites(&self, law: Option<usize>, contractum: &Term) -> Vec<(usize, Term)> {
        let laws = self.0.iter().map(|conditional| conditional.law);
        let of = |law: usize| {
            let own = self.0.iter().enumerate().filter(|(_, conditional)| conditional.law == law);
            own.map(|(k, conditional)| Some((k, below(contractum, &conditional.path)?))).collect::<Option<Vec<_>>>()
        };
        law.into_iter().chain(laws).find_map(of).unwrap_or_default()
    }

    /// Notes what was seen of a run of a program that holds these.
    pub(super) fn note(&mut self, sites: &[(usize, Term)], watch: &RunWatch) {
        if sites.is_empty() {
            return;
        }
        for (term, first) in watch.taken() {
            for (k, _) in sites.iter().filter(|(_, site)| site == term) {
                self.0[*k].ran[usize::from(first)] = true;
            }
        }
    }

    /// The branches that didn't run, in words.
    pub(super) fn unreached(&self) -> Vec<String> {
        let branches = [(1, "first"), (0, "second")];
        let of = |conditional: &Conditional| {
            let not = branches.into_iter().filter(|(k, _)| !conditional.ran[*k]);
            not.map(|(_, word)| format!("the {word} branch of {}", conditional.text)).collect::<Vec<String>>()
        };
        self.0.iter().flat_map(of).collect()
    }
}

/// The places of the conditionals in a right side, but for those in what its variables are applied to.
fn conditionals(law: &Law, side: &Term, under: u32, way: &mut Vec<u32>, all: &mut Vec<Vec<u32>>) {
    // What stands for the variable may drop its arguments or repeat them, so that these have no certain place.
    if variable(&law.vars, side, under).is_some() {
        return;
    }
    if matches!(side.kind(), Kind::If) {
        all.push(way.clone());
    }
    for k in 0..side.kid_count() {
        way.push(k as u32);
        conditionals(law, &side.kid(k), under + side.binders(k), way, all);
        way.pop();
    }
}

fn below(term: &Term, path: &Path) -> Option<Term> {
    let step = |term: Term, k: &u32| ((*k as usize) < term.kid_count()).then(|| term.kid(*k as usize));
    let found = path.0.iter().try_fold(term.clone(), step)?;
    matches!(found.kind(), Kind::If).then_some(found)
}

/// `if c` for each `if` of the right side, as it is written.
fn written(text: &str) -> Vec<String> {
    let right = text.split_once("-->").map_or(text, |(_, right)| right);
    let mut all = Vec::new();
    for (start, _) in right.match_indices("if ") {
        let before = right[..start].chars().next_back();
        if before.is_some_and(|c| c.is_alphanumeric() || c == '_') {
            continue;
        }
        let end = right[start..].find(" then").unwrap_or(right.len() - start);
        all.push(format!("`{}`", &right[start..start + end]));
    }
    all
}
