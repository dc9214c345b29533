//! Steps as text, over derivations of shipped models and of grown programs: a step changes no name outside its redex.

#[path = "support/generate.rs"]
#[allow(dead_code, reason = "other tests need more of it")]
mod generate;
#[path = "support/shipped.rs"]
mod shipped;

use generate::Generator;
use redexter::cost::cheaper_total;
use redexter::ground::{Budget, Limits, with_stack};
use redexter::strategy::{Trace, run};
use redexter::syntax::{Piece, Role, Style, print_pieces};
use redexter::term::{Path, Program, Term};
use shipped::{Workbench, files, schedules};

/// The derivations of the shipped schedules on the models and on so many grown programs, each with what it is of. Of long
/// ones the first `most` rewrites.
fn derivations(grown: u64, most: u64) -> impl Iterator<Item = (String, Trace)> {
    let workbench = Workbench::new();
    let strategies: Vec<_> = schedules().iter().flat_map(|path| workbench.strategies(path)).collect();
    let models = files("models", "arr").into_iter().flat_map(|path| workbench.programs(&path));
    let grown = (0..grown).map(|seed| (format!("seed {seed}"), Generator::new(seed, true).program(6)));
    let programs: Vec<(String, Program)> = models.chain(grown).collect();
    programs.into_iter().flat_map(move |(name, program)| {
        let of = |(strategy, s): &(String, _)| {
            let budget = Budget::new(Limits { max_steps: most, ..Limits::default() }, None);
            let trace = run(s, &program, &budget, cheaper_total).ok()?.trace;
            Some((format!("{strategy} on {name}"), trace))
        };
        strategies.iter().filter_map(of).collect::<Vec<_>>()
    })
}

/// The names outside the mark, in order.
fn names_outside(term: &Term, mark: &Path) -> Vec<String> {
    let pieces = print_pieces(term, &[], Some(mark), &Style { width: usize::MAX });
    let named = |piece: &Piece| !piece.marked && matches!(piece.role, Role::Binder | Role::Variable);
    pieces.into_iter().filter(named).map(|piece| piece.text.into_owned()).collect()
}

#[test]
fn a_step_changes_no_name_outside_its_redex() {
    let steps = with_stack(10_000, || {
        let mut steps = 0;
        for (name, trace) in derivations(60, 300) {
            for (step, before, after) in trace.rewrites() {
                let path = step.path();
                let (old, new) = (names_outside(&before, &path), names_outside(&after, &path));
                assert_eq!(old, new, "{:?} of {name}", step.rule());
                steps += 1;
            }
        }
        steps
    });
    assert!(steps.expect("a thread") > 10_000);
}
