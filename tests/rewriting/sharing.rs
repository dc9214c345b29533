//! What `cse` finds without putting terms together is what comparing all subterms finds: on every subterm of what the
//! general schedule makes of shipped models.

use crate::support::{book, shipped};
use std::collections::HashSet;
use std::path::Path;

use book::World;
use redexter::cost::cheaper_total;
use redexter::ground::{Budget, with_stack};
use redexter::rule::{Focus, Rule};
use redexter::strategy::Execution;
use redexter::term::{Charge, Kind, Program, Term, Type, View};
use shipped::Workbench;

/// The models, and every how many-th step of a derivation is looked at.
const DERIVATIONS: &[(&str, usize)] =
    &[("dot", 2), ("least_squares", 2), ("matrix_factorisation", 5), ("perceptron", 12), ("bundle_adjustment", 50)];

/// Larger terms take comparing all with all too long.
const LARGEST: u64 = 1_000;

fn costs(term: &Term) -> bool {
    let own = match term.kind().charge() {
        Charge::Free | Charge::Read => false,
        Charge::FlopIfReal => *term.ty() == Type::real(),
        _ => true,
    };
    own && term.kid_count() > 0 || term.kids().iter().any(costs)
}

/// The subterms with the binders around them.
fn subterms(term: &Term, under: u32, seen: &mut HashSet<(Term, u32)>) {
    if seen.insert((term.clone(), under)) {
        (0..term.kid_count()).for_each(|k| subterms(&term.kid(k), under + term.binders(k), seen));
    }
}

/// What of a child costs something, holds no function and mentions nothing that is bound around it.
fn outside(kid: &Term, under: u32) -> HashSet<Term> {
    let mut all = HashSet::new();
    subterms(kid, under, &mut all);
    let worth = all.into_iter().filter(|(term, _)| term.costs() && !term.ty().has_function());
    worth.filter_map(|(term, under)| term.lower(under)).collect()
}

/// The size of the largest term that two children share.
fn largest_shared(term: &Term) -> Option<u64> {
    let all: Vec<HashSet<Term>> = (0..term.kid_count()).map(|k| outside(&term.kid(k), term.binders(k))).collect();
    let later = |k: usize| all[k + 1..].iter().flatten();
    let shared = |k: usize| later(k).filter(|part| all[k].contains(*part)).map(|part| part.size()).max();
    (0..all.len()).filter_map(shared).max()
}

/// Whether a let's value stands in its body again.
fn stands_again(value: &Term, body: &Term) -> bool {
    let mut all = HashSet::new();
    subterms(body, 1, &mut all);
    value.costs() && all.iter().any(|(term, under)| *term == value.shift(*under))
}

/// Compares the rule with all that; whether it applies.
fn compare(cse: &Rule, term: &Term, program: &Program) -> bool {
    let found = cse.apply(&Focus::root(term, &program.bounds)).ok();
    if let View::Let(_, value, body) = term.view() {
        let again = stands_again(&value, &body);
        // Of a table any element may stand in the body.
        let may = matches!(value.kind(), Kind::Build(_)) || again || largest_shared(term).is_some();
        let must = again || largest_shared(term).is_some();
        assert!(found.is_some() || !must, "{term:?}");
        assert!(found.is_none() || may, "{term:?}");
        return found.is_some();
    }
    let bound = found.map(|new| new.kid(0).size());
    assert_eq!(bound, largest_shared(term), "{term:?}");
    bound.is_some()
}

#[test]
fn cse_finds_what_comparing_all_subterms_finds() {
    let test = || {
        let (world, bench) = (World::new(), Workbench::new());
        let cse = world.rule("cse");
        let schedules = bench.strategies(Path::new("strategies/gradient.strat"));
        let (_, strategy) = schedules.iter().find(|(name, _)| name.ends_with(" fastGradient")).expect("the schedule");
        let (mut applied, mut refused) = (0, 0);
        for (model, every) in DERIVATIONS {
            for (_, program) in bench.programs(Path::new(&format!("models/{model}.arr"))) {
                let mut execution = Execution::new(strategy, &program, cheaper_total);
                execution.advance(usize::MAX, &Budget::default()).expect("no limit");
                let mut all = HashSet::new();
                for step in execution.steps().iter().step_by(*every) {
                    subterms(&step.contractum, 0, &mut all);
                }
                let terms: HashSet<Term> = all.into_iter().map(|(term, _)| term).collect();
                for term in terms.iter().filter(|term| term.size() <= LARGEST) {
                    assert_eq!(term.costs(), costs(term), "{term:?}");
                    if compare(&cse, term, &program) {
                        applied += 1;
                    } else {
                        refused += 1;
                    }
                }
            }
        }
        assert!(applied > 100 && refused > 1_000, "{applied} applied, {refused} didn't");
    };
    with_stack(100_000, test).expect("a stack");
}
