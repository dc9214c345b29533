//! The laws of strategies, and the interpreter against the literal definitions of the combinators.

use crate::support::{computed, script};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use computed::computed;
use proptest::prelude::{Just, Strategy as Generator, any, prop, prop_assert, prop_assert_eq, prop_oneof, proptest};
use redexter::cost::WorkChange;
use redexter::ground::{Budget, Limits, StopReason, code, with_stack};
use redexter::rule::{Focus, Reason, Rule};
use redexter::script::{Interpreter, LineValue};
use redexter::strategy::{
    Execution, Outcome, Strategy, StrategyArgument, StrategyDefinition, StrategyForm, StrategyRun, Unary, WorkTest,
    check_ends, replay, run,
};
use redexter::term::{Kind, Path, Prim, Program, SizeBounds, Slot, Term, View};
use redexter_reference::interpret;

fn rule(name: &str, function: impl Fn(&Focus) -> Result<Term, Reason> + 'static) -> Rule {
    Rule::new(computed(name, move |focus, _| function(focus)), &[])
}

/// Counts a constant up to 3.
fn up() -> Rule {
    rule("up", |site| match site.term.kind() {
        Kind::Int(k) if *k < 3 => Ok(Term::int(k + 1)),
        _ => Err(Reason::native("no constant below 3")),
    })
}

#[test]
fn counted_rounds_are_all_taken() {
    let up = Strategy::rule(&up());
    for n in 0..=3 {
        let ran = go(&up.repeat_n(n), &Term::int(0)).expect("it ends");
        assert_eq!(ran.trace.steps.len() as u64, n);
        assert!(matches!(&ran.outcome, Outcome::Success(term) if *term == Term::int(n as i64)), "{n} rounds");
    }
}

/// Adds two constants.
fn add() -> Rule {
    rule("add", |site| match site.term.view() {
        View::Prim(Prim::Add, kids) => match (kids[0].kind(), kids[1].kind()) {
            (Kind::Int(a), Kind::Int(b)) => Ok(Term::int(a + b)),
            _ => Err(Reason::native("operands that are no constants")),
        },
        _ => Err(Reason::native("no sum")),
    })
}

/// Puts the smaller operand of a product first.
fn turn() -> Rule {
    rule("turn", |site| match site.term.view() {
        View::Prim(Prim::Mul, kids) if kids[1].size() < kids[0].size() => {
            Term::prim(Prim::Mul, vec![kids[1].clone(), kids[0].clone()]).map_err(|_| Reason::native("types"))
        }
        _ => Err(Reason::native("no product in the wrong order")),
    })
}

fn prim(op: Prim, a: Term, b: Term) -> Term {
    Term::prim(op, vec![a, b]).expect("ints")
}

fn terms() -> impl Generator<Value = Term> {
    let leaf = (0i64..5).prop_map(Term::int);
    leaf.prop_recursive(4, 24, 2, |inner| {
        prop_oneof![
            (inner.clone(), inner.clone()).prop_map(|(a, b)| prim(Prim::Add, a, b)),
            (inner.clone(), inner).prop_map(|(a, b)| prim(Prim::Mul, a, b)),
        ]
    })
}

thread_local! {
    static RULES: [Rule; 3] = [up(), add(), turn()];
}

fn strategies() -> impl Generator<Value = Strategy> {
    let leaf = prop_oneof![
        1 => Just(()).prop_map(|()| Strategy::id()),
        1 => Just(()).prop_map(|()| Strategy::fail()),
        6 => (0usize..3).prop_map(|k| RULES.with(|r| Strategy::rule(&r[k]))),
    ];
    leaf.prop_recursive(4, 12, 2, |inner| {
        prop_oneof![
            (inner.clone(), inner.clone()).prop_map(|(a, b)| a.then(&b)),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| a.or(&b)),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| a.or_cheaper(&b)),
            (inner.clone(), 0..Unary::ALL.len()).prop_map(|(s, k)| s.under(Unary::ALL[k])),
            (inner.clone(), 0u64..4).prop_map(|(s, n)| s.repeat_n(n)),
            (inner.clone(), 0u32..2).prop_map(|(s, k)| s.child(Slot::Operand(k))),
            inner.prop_map(|s| s.at("1.0")),
        ]
    })
}

fn program(term: &Term) -> Program {
    Program { term: term.clone(), bounds: SizeBounds::default() }
}

fn small() -> Budget {
    Budget::new(Limits { max_steps: 400, max_size: 10_000, max_depth: 120 }, None)
}

fn go(s: &Strategy, term: &Term) -> Result<StrategyRun, StopReason> {
    Ok(run(s, &program(term), &small(), || Box::new(|before, after, _| WorkChange::of(before.size(), after.size())))?)
}

/// The result and the steps; nothing where a limit ended it.
fn seen(s: &Strategy, term: &Term) -> Option<(Option<Term>, Vec<redexter::strategy::Step>)> {
    let run = go(s, term).ok()?;
    let result = match run.outcome {
        Outcome::Success(term) => Some(term),
        Outcome::Failure(_) => None,
        Outcome::Looping(_) => return None,
    };
    Some((result, run.trace.steps))
}

/// The definitions of the prelude, as a script's own: nothing in them is native but what is primitive.
struct Defined {
    interpreter: Interpreter,
    known: BTreeMap<String, Rc<StrategyDefinition>>,
}

thread_local! {
    static DEFINED: RefCell<Defined> = RefCell::new(Defined {
        interpreter: {
            let (mut interpreter, _) = script::interpreter();
            interpreter.run_script("own.strat", include_str!("../../strategies/prelude.strat"), &[]).expect("the prelude runs");
            interpreter
        },
        known: BTreeMap::new(),
    });
}

impl Defined {
    /// What the use of a combinator on `id` is a use of.
    fn definition(&mut self, used: &str) -> Rc<StrategyDefinition> {
        if let Some(known) = self.known.get(used) {
            return known.clone();
        }
        let Ok(LineValue::Strategy(strategy)) = self.interpreter.eval_line(used) else { panic!("{used}") };
        let StrategyForm::Named(named) = strategy.form() else { panic!("{used} isn't defined") };
        self.known.insert(used.to_owned(), named.definition.clone());
        named.definition.clone()
    }
}

/// Every derived combinator replaced by its definition, down to the primitive ones.
fn expanded(s: &Strategy) -> Strategy {
    let defined = |used: String, arguments: Vec<StrategyArgument>| {
        Strategy::named(&DEFINED.with(|defined| defined.borrow_mut().definition(&used)), arguments)
    };
    use Unary::{All, Cheaper, Exactly, Force, InReals, Not, One, Some};
    Strategy::new(match s.form() {
        StrategyForm::Unary(u @ (One | All | Some | Not | Cheaper | Force | Exactly | InReals), s) => {
            StrategyForm::Unary(*u, expanded(s))
        }
        StrategyForm::Unary(u, s) => {
            return defined(format!("{}(id)", u.text()), vec![StrategyArgument::Strategy(expanded(s))]);
        }
        StrategyForm::RepeatN(n, s) => {
            let arguments = vec![StrategyArgument::Text(n.to_string()), StrategyArgument::Strategy(expanded(s))];
            return defined(format!("repeatN({n}, id)"), arguments);
        }
        StrategyForm::Seq(a, b) => StrategyForm::Seq(expanded(a), expanded(b)),
        StrategyForm::Choice(a, b) => StrategyForm::Choice(expanded(a), expanded(b)),
        StrategyForm::Cheapest(a, b) => StrategyForm::Cheapest(expanded(a), expanded(b)),
        StrategyForm::Mu(x, body) => StrategyForm::Mu(x.clone(), expanded(body)),
        StrategyForm::Child(slot, s) => StrategyForm::Child(*slot, expanded(s)),
        StrategyForm::At(path, s) => StrategyForm::At(path.clone(), expanded(s)),
        other => other.clone(),
    })
}

/// The same as [`seen`] for definitions, whose unfolding counts as steps, too.
fn seen_long(s: &Strategy, term: &Term) -> Option<(Option<Term>, Vec<redexter::strategy::Step>)> {
    let limits = Limits { max_steps: 40_000, max_size: 10_000, max_depth: 2_000 };
    let run = run(s, &program(term), &Budget::new(limits, None), || {
        Box::new(|before, after, _| WorkChange::of(before.size(), after.size()))
    })
    .ok()?;
    match run.outcome {
        Outcome::Success(term) => Some((Some(term), run.trace.steps)),
        Outcome::Failure(_) => Some((None, run.trace.steps)),
        Outcome::Looping(_) => None,
    }
}

proptest! {
    #[test]
    fn native_combinators_do_what_their_definitions_say(s in strategies(), term in terms()) {
        if let (Some(native), Some(literal)) = (seen(&s, &term), seen_long(&expanded(&s), &term)) {
            prop_assert_eq!(native, literal, "{}", s);
        }
    }

    #[test]
    fn units_and_zero(s in strategies(), term in terms()) {
        let (id, fail) = (Strategy::id(), Strategy::fail());
        let plain = seen(&s, &term);
        for same in [id.then(&s), s.then(&id), fail.or(&s), s.or(&fail)] {
            prop_assert_eq!(&seen(&same, &term), &plain, "{}", same);
        }
        if plain.is_some() {
            prop_assert_eq!(seen(&s.then(&fail), &term), Some((None, Vec::new())));
        }
        prop_assert_eq!(seen(&id.or(&s), &term), Some((Some(term.clone()), Vec::new())));
    }

    #[test]
    fn sequence_and_choice_associate(a in strategies(), b in strategies(), c in strategies(), term in terms()) {
        prop_assert_eq!(seen(&a.then(&b).then(&c), &term), seen(&a.then(&b.then(&c)), &term));
        prop_assert_eq!(seen(&a.or(&b).or(&c), &term), seen(&a.or(&b.or(&c)), &term));
    }

    #[test]
    fn what_never_fails_never_fails(s in strategies(), term in terms(), k in 0usize..7) {
        let safe = [
            Unary::Try, Unary::Repeat, Unary::Normalize, Unary::Innermost, Unary::Outermost, Unary::TryAll,
            Unary::Cheaper,
        ];
        if let Some((result, _)) = seen(&s.under(safe[k]), &term) {
            prop_assert!(result.is_some());
        }
    }

    #[test]
    fn cheapest_is_the_cheapest(s in strategies(), t in strategies(), term in terms()) {
        let Some((kept, _)) = seen(&s.or_cheaper(&t), &term) else { return Ok(()) };
        if let (Some((first, _)), Some((None, _))) = (seen(&s.under(Unary::Cheaper), &term), seen(&t, &term)) {
            prop_assert_eq!(&kept, &first, "{}, where {} fails", s, t);
        }
        let Some(kept) = kept else { return Ok(()) };
        // The second strategy stands under nothing, but where it leads to more than there was the first is no worse.
        if let (Some((Some(first), steps)), Some((Some(second), others))) = (seen(&s.under(Unary::Cheaper), &term), seen(&t, &term)) {
            let change = WorkChange::of(first.size(), second.size());
            let wanted = if change.is_better(steps.len(), others.len()) { second } else { first };
            prop_assert_eq!(kept, wanted, "{} {}", s, t);
        }
        prop_assert_eq!(seen(&s.or_cheaper(&Strategy::id()), &term), seen(&s.under(Unary::Cheaper), &term));
    }

    #[test]
    fn traces_replay(s in strategies(), term in terms()) {
        if let Ok(run) = go(&s, &term) {
            let last = replay(&run.trace).expect("every step fits");
            match run.outcome {
                Outcome::Success(result) => prop_assert_eq!(result, last),
                Outcome::Looping(cycle) => prop_assert_eq!(replay(&cycle.trace), Ok(cycle.trace.start)),
                _ => prop_assert!(run.trace.steps.is_empty()),
            }
            prop_assert_eq!(run.trace.terms().count(), run.trace.steps.len());
        }
    }

    #[test]
    fn a_limit_leaves_a_derivation_of_the_term_so_far(s in strategies(), term in terms(), limit in 0u64..12) {
        let limits = Limits { max_steps: limit, ..small().limits };
        let (program, size) = (program(&term), || -> WorkTest { Box::new(|before, after, _| WorkChange::of(before.size(), after.size())) });
        let runs = [
            run(&s, &program, &Budget::new(limits, None), size),
            interpret(&s, &program, &Budget::new(limits, None), size),
        ];
        for stop in runs.into_iter().filter_map(Result::err) {
            prop_assert_eq!(replay(&stop.trace), Ok(stop.term));
        }
    }

    #[test]
    fn pauses_change_nothing(s in strategies(), term in terms(), pauses in prop::collection::vec(1usize..4, 0..8)) {
        if let Ok(whole) = go(&s, &term) {
            let mut execution = Execution::new(&s, &program(&term), || Box::new(|before, after, _| WorkChange::of(before.size(), after.size())));
            let mut wanted = 0;
            for more in pauses {
                wanted += more;
                execution.advance(wanted, &small()).expect("no limit");
                prop_assert!(whole.trace.steps.starts_with(execution.steps()));
                prop_assert!(execution.outcome().is_some() || execution.steps().len() >= wanted);
            }
            execution.advance(usize::MAX, &small()).expect("no limit");
            prop_assert_eq!(format!("{:?}", execution.outcome()), format!("{:?}", Some(&whole.outcome)));
            if let Outcome::Success(_) = whole.outcome {
                prop_assert_eq!(execution.steps(), whole.trace.steps);
            }
        }
    }

    #[test]
    fn accepted_repetitions_are_no_empty_ones(s in strategies(), term in terms(), again in any::<bool>()) {
        let s = if again { s.under(Unary::Repeat) } else { s };
        if check_ends(&s).is_ok() {
            prop_assert!(!repeats_id(&s));
            prop_assert!(check_ends(&s.under(Unary::Force)).is_ok());
        }
        prop_assert!(check_ends(&s.under(Unary::Try).under(Unary::Normalize)).is_err());
        prop_assert!(seen(&Strategy::id(), &term).is_some());
    }
}

/// Whether `repeat(id)` stands in a strategy outside of `force`, which allows any repetition.
fn repeats_id(s: &Strategy) -> bool {
    match s.form() {
        StrategyForm::Unary(Unary::Force, _) => false,
        _ => s.to_string().starts_with("repeat(id)") || s.form().parts().into_iter().any(repeats_id),
    }
}

#[test]
fn repetitions_are_found_outside_of_force() {
    let repeated = Strategy::id().under(Unary::Repeat);
    let forced = repeated.under(Unary::Force);
    for (s, found) in
        [(repeated.under(Unary::Try), true), (forced.under(Unary::Try), false), (forced.then(&repeated), true)]
    {
        assert_eq!(repeats_id(&s), found, "{s}");
    }
}

fn sum() -> Term {
    prim(Prim::Add, prim(Prim::Add, Term::int(0), Term::int(1)), prim(Prim::Mul, Term::int(0), Term::int(4)))
}

fn result(s: &Strategy, term: &Term) -> Option<Term> {
    seen(s, term).expect("within the limits").0
}

#[test]
fn one_rewrites_one_child_once_even_among_equal_ones() {
    let twins = prim(Prim::Add, Term::int(0), Term::int(0));
    let s = Strategy::rule(&up()).under(Unary::One);
    assert_eq!(result(&s, &twins), Some(prim(Prim::Add, Term::int(1), Term::int(0))));
    assert_eq!(go(&s, &twins).expect("short").trace.steps.len(), 1);
    assert_eq!(result(&s, &Term::int(0)), None);
}

#[test]
fn traversals_visit_in_their_order() {
    let s = Strategy::rule(&up());
    let path = |unary| {
        let run = go(&s.under(unary), &sum()).expect("short");
        run.trace.steps.iter().map(|step| step.path().0).collect::<Vec<_>>()
    };
    assert_eq!(path(Unary::TopDown), [vec![0, 0]]);
    assert_eq!(path(Unary::TryAll), [vec![0, 0], vec![0, 1], vec![1, 0]]);
    assert_eq!(
        go(&Strategy::rule(&add()).under(Unary::BottomUp), &sum()).expect("short").trace.steps[0].path(),
        Path(vec![0])
    );
}

#[test]
fn printing_knows_precedence() {
    let (up, add) = (Strategy::rule(&up()), Strategy::rule(&add()));
    let either = up.or(&add);
    assert_eq!(up.then(&add).or(&up).to_string(), "up ;; add <+ up");
    assert_eq!(either.then(&up).to_string(), "(up <+ add) ;; up");
    assert_eq!(either.then(&up).under(Unary::Normalize).to_string(), "normalize((up <+ add) ; up)");
    assert_eq!(up.then(&up.then(&add)).to_string(), "up ;; (up ; add)");
    assert_eq!(up.child(Slot::Operand(1)).to_string(), "operand(1, up)");
    assert_eq!(up.at("body.0").to_string(), "at(\"body.0\", up)");
    let inner = Strategy::mu("x", 1, &Strategy::free(0).or(&Strategy::free(1)));
    let outer = Strategy::mu("x", 0, &inner.under(Unary::One));
    assert_eq!(outer.to_string(), "mu(|x| one(mu(|x1| x <+ x1)))");
}

#[test]
fn fixed_points_see_the_right_binder() {
    let up = Strategy::rule(&up());
    let own = Strategy::mu("x", 7, &up.or(&Strategy::free(7).under(Unary::One)));
    assert_eq!(result(&own, &sum()), result(&up.under(Unary::TopDown), &sum()));
}

/// `strategy td(s) = s <+ one(td(s));`
fn td() -> Rc<StrategyDefinition> {
    let td = StrategyDefinition::new("td", &["s"]);
    let s = Strategy::free(0);
    let again = Strategy::named(&td, vec![StrategyArgument::Strategy(s.clone())]);
    assert!(td.set(&[0], &s.or(&again.under(Unary::One))));
    td
}

#[test]
fn definitions_recur_and_leave_their_name() {
    let used = Strategy::named(&td(), vec![StrategyArgument::Strategy(Strategy::rule(&add()))]);
    assert_eq!(used.to_string(), "td(add)");
    let run = go(&used, &sum()).expect("short");
    assert_eq!(run.trace.steps.len(), 1);
    let names: Vec<&str> = run.trace.steps[0].within().iter().map(|n| &**n).collect();
    assert_eq!(names, ["td(add)"]);
    let same = Strategy::named(&td(), vec![StrategyArgument::Strategy(Strategy::id())]);
    assert_eq!(same, Strategy::named(&td(), vec![StrategyArgument::Strategy(Strategy::id())]));
    assert_ne!(same, used);
}

#[test]
fn arguments_keep_what_their_names_meant() {
    let td = td();
    let outer = Strategy::mu(
        "s",
        3,
        &Strategy::rule(&add()).or(&Strategy::named(
            &td,
            vec![StrategyArgument::Strategy(Strategy::rule(&up()).then(&Strategy::free(3)).or(&Strategy::rule(&up())))],
        )),
    );
    assert_eq!(result(&outer, &Term::int(2)), Some(Term::int(3)));
    assert_eq!(result(&outer, &prim(Prim::Add, Term::int(2), Term::int(9))), Some(Term::int(11)));
}

#[test]
fn endless_strategies_meet_a_limit() {
    let forever = StrategyDefinition::new("forever", &[]);
    let again = Strategy::named(&forever, Vec::new());
    assert!(forever.set(&[], &again));
    assert!(matches!(go(&again, &sum()), Err(StopReason::Steps(_) | StopReason::Depth(_))));
    let idle = Strategy::id().under(Unary::Repeat).under(Unary::Force);
    assert_eq!(go(&idle, &sum()).map(|_| ()), Err(StopReason::Steps(400)));
    let deep = Budget::new(Limits { max_depth: 20, ..Limits::default() }, None);
    let stopped = run(&again, &program(&sum()), &deep, || Box::new(|_, _, _| WorkChange::of(1, 1))).map(|_| ());
    assert_eq!(stopped.map_err(StopReason::from), Err(StopReason::Depth(20)));
}

/// Where nothing around it can fail any more, a step is settled as soon as it is taken.
#[test]
fn what_can_not_be_taken_back_is_settled_at_once() {
    let choice = RULES.with(|rules| rules.iter().fold(Strategy::fail(), |all, rule| all.or(&Strategy::rule(rule))));
    let sum = |a, b| prim(Prim::Add, a, b);
    let term = sum(sum(Term::int(0), Term::int(1)), prim(Prim::Mul, sum(Term::int(2), Term::int(2)), Term::int(0)));
    let repeated = choice.under(Unary::TopDown).under(Unary::Repeat);
    let own = StrategyDefinition::new("own", &[]);
    assert!(own.set(&[], &repeated));
    let all = [
        choice.under(Unary::Normalize),
        choice.under(Unary::Innermost),
        repeated.child(Slot::Operand(1)),
        repeated.under(Unary::All).then(&Strategy::id()).or(&Strategy::fail()),
        Strategy::named(&own, Vec::new()).then(&choice.under(Unary::TryAll)),
    ];
    for strategy in all {
        let whole = go(&strategy, &term).expect("no limit").trace.steps.len();
        assert!(whole > 2, "{strategy}: {whole}");
        let mut execution = Execution::new(&strategy, &program(&term), || Box::new(|_, _, _| WorkChange::of(1, 1)));
        for wanted in 1..whole {
            execution.advance(wanted, &small()).expect("no limit");
            assert_eq!(execution.steps().len(), wanted, "{strategy}");
        }
    }
}

#[test]
fn a_run_that_stops_names_the_stage_and_the_rule() {
    let flip = |s: &Strategy| s.under(Unary::Normalize).under(Unary::Force);
    let count = rule("count", |site| match site.term.kind() {
        Kind::Int(k) => Ok(Term::int(k + 1)),
        _ => Err(Reason::native("no constant")),
    });
    let stages: Vec<_> =
        ["outer", "a", "b", "c", "inner"].into_iter().map(|n| StrategyDefinition::new(n, &[])).collect();
    let body = Strategy::rule(&count);
    let nested = stages.iter().rev().fold(flip(&body), |inner, stage| {
        assert!(stage.set(&[], &inner));
        Strategy::named(stage, Vec::new())
    });
    let budget = |max_steps| Budget::new(Limits { max_steps, ..Limits::default() }, None);
    let helped = |s: &Strategy, steps| {
        let runs = [
            run(s, &program(&Term::int(0)), &budget(steps), || Box::new(|_, _, _| WorkChange::of(1, 1))),
            interpret(s, &program(&Term::int(0)), &budget(steps), || Box::new(|_, _, _| WorkChange::of(1, 1))),
        ];
        let [engine, reference] = runs.map(|run| run.expect_err("it has no end").help());
        assert_eq!(engine, reference);
        engine
    };
    assert_eq!(helped(&flip(&body), 3), ["`count` rewrote 3 of 3 times"]);
    assert_eq!(helped(&flip(&body), 1), ["`count` rewrote once"]);
    assert_eq!(helped(&flip(&Strategy::id()), 1), ["no rule rewrote anything"]);
    let within = "it was in `inner` of `c` of `b` of … of `outer`";
    let round = "at the end it went round: count; each round leaves as many nodes, and `:ends` looks for why";
    assert_eq!(helped(&nested, 1_500), [within, "`count` rewrote 1000 of the last 1000 times", round]);
}

#[test]
fn long_repetitions_need_no_stack() {
    let flip = rule("flip", |site| match site.term.kind() {
        Kind::Int(k) if *k < 200_000 => Ok(Term::int(k + 1)),
        _ => Err(Reason::native("done")),
    });
    let s = Strategy::rule(&flip).under(Unary::Repeat);
    let run = run(&s, &program(&Term::int(0)), &Budget::default(), || Box::new(|_, _, _| WorkChange::of(1, 1)))
        .expect("below a million");
    assert_eq!(run.trace.steps.len(), 200_000);
}

#[test]
fn what_cannot_end_is_refused_before_it_runs() {
    let up = Strategy::rule(&up());
    let named = Strategy::named(&td(), vec![StrategyArgument::Strategy(up.under(Unary::Try))]);
    let endless = [
        Strategy::id().under(Unary::Repeat),
        up.under(Unary::Try).under(Unary::Normalize),
        up.under(Unary::Repeat).then(&up.under(Unary::Cheaper)).under(Unary::Repeat),
        named.under(Unary::Innermost),
        up.or(&Strategy::id().under(Unary::Repeat1)),
    ];
    for s in &endless {
        let diagnostic = check_ends(s).expect_err("never ends");
        assert_eq!(diagnostic.code, code::NEVER_ENDS);
        assert!(!diagnostic.help.is_empty());
        assert!(check_ends(&s.under(Unary::Force)).is_ok());
    }
    for s in [up.under(Unary::Normalize), up.under(Unary::Repeat).then(&up).under(Unary::Repeat)] {
        assert!(check_ends(&s).is_ok(), "{s}");
    }
    let message = check_ends(&endless[1]).expect_err("never ends");
    assert_eq!(message.headline, "`normalize(try(up))` never ends: `try(up)` can't fail");
}

#[test]
fn cheaper_keeps_what_is_cheaper() {
    let grow = rule("grow", |site| Ok(prim(Prim::Add, site.term.clone(), Term::int(0))));
    let kept = Strategy::rule(&grow).under(Unary::Cheaper);
    assert_eq!(seen(&kept, &sum()), Some((Some(sum()), Vec::new())));
    let three = prim(Prim::Add, Term::int(1), Term::int(2));
    assert_eq!(result(&Strategy::rule(&add()).under(Unary::Cheaper), &three), Some(Term::int(3)));
    let both = Strategy::rule(&grow).or_cheaper(&Strategy::rule(&add()));
    assert_eq!(both.to_string(), "cheapest(grow, add)");
    assert_eq!(result(&both, &three), Some(Term::int(3)));
}

#[test]
fn of_what_takes_the_same_work_cheapest_keeps_what_was_reached_in_less_than_half_the_steps() {
    let swap = rule("swap", |site| Ok(prim(Prim::Add, site.term.kid(1), site.term.kid(0))));
    let (once, three) = (Strategy::rule(&swap), Strategy::rule(&swap).repeat_n(3));
    let steps = |s: &Strategy| seen(s, &sum()).map(|(_, steps)| steps.len());
    assert_eq!(steps(&three.or_cheaper(&once)), Some(1));
    assert_eq!(steps(&once.or_cheaper(&three)), Some(1));
    assert_eq!(steps(&Strategy::rule(&swap).repeat_n(2).or_cheaper(&once)), Some(2));
    // What does nothing isn't preferred to what does something.
    assert_eq!(steps(&three.or_cheaper(&Strategy::id())), Some(3));
}

#[test]
fn failures_say_why() {
    let s = Strategy::rule(&add()).under(Unary::TopDown);
    let Outcome::Failure(reason) = go(&s, &Term::int(1)).expect("short").outcome else { panic!("it succeeded") };
    assert_eq!(reason.to_string(), "add does not match: no sum");
}

/// Each part of a term is looked at once, however many strategies around it fail because of it.
#[test]
fn reasons_cost_what_a_run_costs() {
    let ticks = |strategy: &Strategy, depth: u32| {
        let term = (1..depth).fold(Term::int(7), |inner, _| prim(Prim::Add, inner, Term::int(7)));
        let count = Rc::new(Cell::new(0_u64));
        let counted = count.clone();
        let watch = move |_: &Budget| {
            counted.set(counted.get() + 1);
            None
        };
        let run = run(strategy, &program(&term), &Budget::new(Limits::default(), Some(Rc::new(watch))), || {
            Box::new(|_, _, _| WorkChange::of(1, 1))
        });
        let Outcome::Failure(reason) = run.expect("within the limits").outcome else { panic!("it succeeded") };
        assert_eq!(reason.to_string(), "up does not match: no constant below 3");
        count.get()
    };
    let work = move || {
        let s = Strategy::rule(&up());
        let all = Strategy::mu("x", 1, &Strategy::free(1).under(Unary::All).then(&s));
        for strategy in [s.under(Unary::AllBottomUp), all] {
            let (short, long) = (ticks(&strategy, 5_000), ticks(&strategy, 10_000));
            assert!(short > 0 && long <= 3 * short, "{strategy}: {short} looks at 5,000, {long} at 10,000");
        }
    };
    with_stack(10_000, work).expect("memory for the stack");
}

#[test]
fn terms_as_deep_as_the_limit_fit_the_stack() {
    const DEPTH: u32 = 5_000;
    let work = || {
        let mut term = Term::int(0);
        for _ in 1..DEPTH {
            term = prim(Prim::Add, term, Term::int(7));
        }
        let s = Strategy::rule(&up());
        let own = Strategy::named(&td(), vec![StrategyArgument::Strategy(s.clone())]);
        for strategy in [s.under(Unary::TopDown), s.under(Unary::Innermost), s.under(Unary::TryAll), own] {
            let budget = Budget::new(Limits { max_depth: DEPTH, ..Limits::default() }, None);
            let run = run(&strategy, &program(&term), &budget, || Box::new(|_, _, _| WorkChange::of(1, 1)))
                .expect("within the limits");
            assert!(matches!(run.outcome, Outcome::Success(_)));
        }
    };
    with_stack(DEPTH, work).expect("memory for the stack");
}
