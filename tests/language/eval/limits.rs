//! What ends an evaluation.

use redexter::cost;
use redexter::eval::{self, Sizes};
use redexter::ground::{Budget, Limits, StopReason, Trouble};
use redexter::term::{MAX_SIZE, Prim, Term, Type};

use crate::eval::{closed, lam, n, name, prim, real, run, taking};

#[test]
fn limits_stop_an_evaluation() {
    let rows = lam("i", &Type::fin(n()), Term::build(n(), lam("j", &Type::fin(n()), Term::int(1))).unwrap());
    let program = closed(Term::build(n(), rows).unwrap());
    let at = |n: u64, watch: bool| {
        let sizes: Sizes = [(name("n"), n)].into_iter().collect();
        let watch: Option<redexter::ground::budget::BudgetWatch> =
            if watch { Some(std::rc::Rc::new(|_| Some(StopReason::Interrupted))) } else { None };
        eval::evaluate(&program, &[], &sizes, &Budget::new(Limits::default(), watch)).map(|(_, counts)| counts.writes)
    };
    assert_eq!(at(30, false), Ok(930));
    assert_eq!(at(MAX_SIZE, false), Err(Trouble::from(StopReason::Elements(eval::MAX_ELEMENTS))));
    assert_eq!(at(1000, true), Err(Trouble::from(StopReason::Interrupted)));
}

#[test]
fn terms_as_deep_as_the_limit_run() {
    const DEPTH: u32 = 20_000;
    let deep = || {
        let mut term = Term::var(0, &real());
        for _ in 2..DEPTH {
            term = prim(Prim::Neg, &[term]);
        }
        let program = taking(&[("x", real())], term);
        let flops = cost::work(&program.term).flops;
        (run(&program, r#"{"x": 1}"#).0, flops.to_string())
    };
    let (value, flops) = redexter::ground::with_stack(DEPTH, deep).unwrap();
    assert_eq!((value.as_str(), flops.as_str()), ("1.0", "19998"));
}

/// What nests as deep as the limit runs, and nothing deeper.
#[test]
fn the_depth_limit_is_the_deepest_that_runs() {
    let negated = |times: u32| closed((0..times).fold(Term::real(1.0), |x, _| prim(Prim::Neg, &[x])));
    for depth in [1, 2, 17, 40] {
        let budget = Budget::new(Limits { max_depth: depth, ..Limits::default() }, None);
        let run =
            |times| eval::evaluate(&negated(times), &[], &Sizes::default(), &budget).map(|(_, counts)| counts.flops);
        assert_eq!(run(depth - 1), Ok(u64::from(depth) - 1));
        assert_eq!(run(depth), Err(Trouble::from(StopReason::Depth(depth))));
    }
}
