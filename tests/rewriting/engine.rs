//! The engine takes the steps of the reference interpreter: on generated terms and strategies, rule by rule, place by
//! place, term by term.

use crate::support::{account, book, generate, workloads};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;

use account::{account, compare_within};
use book::{World, at_one};
use generate::Generator;
use redexter::cost::cheaper_total;
use redexter::ground::{Budget, Limits, Random, StopReason, with_stack};
use redexter::redex::replaced;
use redexter::rule::{Pattern, Rule};
use redexter::strategy::{Strategy, StrategyArgument, StrategyDefinition, Unary, run};
use redexter::term::{Path, Prim, Program, SizeBounds, Slot, Term};
use redexter_reference::{cases, interpret};
use workloads::WORKLOADS;

/// Rules that fire often and feed each other.
const BUSY: &[&str] = &[
    "beta",
    "getBuild",
    "letSubst",
    "letSubstSafe",
    "letDead",
    "letLet",
    "letPair",
    "fstPair",
    "sndPair",
    "addZero",
    "mulOne",
    "mulZero",
    "letFloat",
    "ifFloat",
    "letSwap",
    "distribute",
    "ifoldPeel",
    "buildGet",
    "ifSame",
    "cse",
    "constFoldArithmetic",
    "letSubstN",
    "fstLet",
    "sndLet",
    "getLet",
];

struct Pool {
    busy: Vec<Rule>,
    all: Vec<Rule>,
    definitions: Vec<Rc<StrategyDefinition>>,
    pattern: Pattern,
}

/// Makes strategies; the same seed gives the same ones.
struct Maker<'a> {
    pool: &'a Pool,
    random: Random,
    serial: u64,
    bound: Vec<u64>,
}

impl Maker<'_> {
    fn rule(&mut self) -> Strategy {
        let from = if self.random.below(3) > 0 { &self.pool.busy } else { &self.pool.all };
        let k = self.random.below(from.len());
        Strategy::rule(&from[k])
    }

    fn rules(&mut self) -> Strategy {
        let more = self.random.below(6);
        (0..more).fold(self.rule(), |all, _| all.or(&self.rule()))
    }

    /// Mostly such as get somewhere.
    fn whole(&mut self, fuel: u32) -> Strategy {
        let s = self.strategy(fuel);
        match self.random.below(6) {
            0 => s,
            1 => s.under(Unary::Normalize).then(&self.rules().under(Unary::Innermost)),
            2 => s.under(Unary::Try).then(&self.rules().under(Unary::Normalize)),
            3 => s.or(&self.rules()).under(Unary::Innermost),
            4 => s.under(Unary::TopDown).or(&self.rules().under(Unary::BottomUp)).under(Unary::Repeat),
            _ => s.or(&self.rules()).under(Unary::Outermost),
        }
    }

    fn strategy(&mut self, fuel: u32) -> Strategy {
        let Some(fuel) = fuel.checked_sub(1) else { return self.rules() };
        match self.random.below(14) {
            0 | 1 => self.rules(),
            2 => self.strategy(fuel).then(&self.strategy(fuel)),
            3 => self.strategy(fuel).or(&self.strategy(fuel)),
            4 | 5 => self.rules().under([Unary::Normalize, Unary::Innermost, Unary::Outermost][self.random.below(3)]),
            6 | 7 => {
                let k = self.random.below(Unary::ALL.len());
                self.strategy(fuel).under(Unary::ALL[k])
            }
            8 => self.fixed_point(fuel),
            9 if !self.bound.is_empty() => {
                let k = self.random.below(self.bound.len());
                let x = Strategy::free(self.bound[k]);
                [x.under(Unary::One), x.under(Unary::All), x.under(Unary::Some)][self.random.below(3)].clone()
            }
            10 => {
                let slots = [Slot::Body, Slot::Value, Slot::LetBody, Slot::BuildBody, Slot::Operand(0), Slot::Array];
                let k = self.random.below(slots.len());
                self.strategy(fuel).child(slots[k])
            }
            11 => {
                let k = self.random.below(self.pool.definitions.len());
                let definition = self.pool.definitions[k].clone();
                let arguments =
                    definition.params.iter().map(|_| StrategyArgument::Strategy(self.strategy(fuel))).collect();
                Strategy::named(&definition, arguments)
            }
            12 => match self.random.below(6) {
                2 => Strategy::pattern(&self.pool.pattern),
                3 => Strategy::pattern(&self.pool.pattern).then(&self.strategy(fuel)),
                4 => self.strategy(fuel).at_match(&self.pool.pattern),
                0 => self.strategy(fuel).at("body.body.0"),
                1 => self.strategy(fuel).repeat_n(2),
                _ => self.strategy(fuel).repeat_until(&self.pool.pattern),
            },
            _ => [Strategy::id(), Strategy::fail(), self.rules()][self.random.below(3)].clone(),
        }
    }

    /// A traversal as users write it.
    fn fixed_point(&mut self, fuel: u32) -> Strategy {
        self.serial += 1;
        let serial = self.serial;
        let x = Strategy::free(serial);
        self.bound.push(serial);
        let s = self.strategy(fuel);
        self.bound.pop();
        let body = match self.random.below(6) {
            0 => s.or(&x.under(Unary::One)),
            1 => x.under(Unary::One).or(&s),
            2 => s.then(&x).under(Unary::Try),
            3 => s.or(&x.child(Slot::Body)).or(&x.under(Unary::Some)),
            4 => s.under(Unary::TopDown).then(&x).or(&Strategy::id()),
            _ => s,
        };
        let whole = Strategy::mu("x", serial, &body);
        if self.random.below(2) == 0 { whole.under(Unary::Repeat) } else { whole }
    }
}

/// `strategy td(s) = s <+ one(td(s));`, `strategy tidy = letDead <+ fstPair;`, `strategy walk(s) = s <+ body(walk(s)) <+ …`
fn definitions(busy: &[Rule]) -> Vec<Rc<StrategyDefinition>> {
    let s = Strategy::free(0);
    let td = StrategyDefinition::new("td", &["s"]);
    assert!(td.set(&[0], &s.or(&Strategy::named(&td, vec![StrategyArgument::Strategy(s.clone())]).under(Unary::One))));
    let tidy = StrategyDefinition::new("tidy", &[]);
    assert!(tidy.set(&[], &Strategy::rule(&busy[4]).or(&Strategy::rule(&busy[7])).or(&Strategy::rule(&busy[8]))));
    let more = StrategyDefinition::new("more", &[]);
    assert!(more.set(&[], &Strategy::rule(&busy[1]).or(&Strategy::named(&tidy, Vec::new()))));
    let norm = StrategyDefinition::new("norm", &["s"]);
    let again = Strategy::named(&norm, vec![StrategyArgument::Strategy(s.clone())]);
    assert!(norm.set(&[0], &s.under(Unary::TopDown).then(&again).or(&Strategy::id())));
    vec![td, tidy, more, norm]
}

fn budget() -> Budget {
    Budget::new(Limits { max_steps: 60, max_size: 1_000, max_depth: 200 }, None)
}

/// The engine may go on where the interpreter, which goes every way again, meets a limit; else nothing differs.
fn compare(strategy: &Strategy, program: &Program, tally: &mut BTreeMap<&'static str, u64>) {
    compare_within(&budget, strategy, program, tally);
}

fn all_agree() {
    let world = World::new();
    let all = world.rules();
    let busy: Vec<Rule> = BUSY.iter().map(|name| world.rule(name)).collect();
    let pattern = world.pattern("a * b");
    let pool = Pool { definitions: definitions(&busy), busy, all, pattern };
    let mut tally = BTreeMap::new();
    let pairs = cases(8_000, 240_000);
    for seed in 0..pairs {
        let program = Generator::new(seed, seed % 3 != 0).program(3 + (seed % 2) as u32);
        let mut maker = Maker { pool: &pool, random: Random::new(seed), serial: 1, bound: Vec::new() };
        let strategy = maker.whole(1 + (seed % 3) as u32);
        compare(&strategy, &program, &mut tally);
    }
    let ended = pairs - tally["limit"];
    println!("{pairs} pairs, {ended} of them ended within the limits: {tally:?}");
    assert!(ended >= pairs * 5 / 6, "too few ended");
}

#[test]
fn the_engine_takes_the_steps_of_the_reference_interpreter() {
    with_stack(2_000, all_agree).expect("a thread");
}

/// What a generated pair seldom is: repetitions whose rounds end far apart, where what failed before is asked again.
fn directed(world: &World) -> Vec<Strategy> {
    let rule = |name: &str| Strategy::rule(&world.rule(name));
    let any = |names: &[&str]| names.iter().skip(1).fold(rule(names[0]), |all, name| all.or(&rule(name)));
    let (x, y) = (Strategy::free(1), Strategy::free(2));
    let tidy = any(&["letDead", "fstPair", "sndPair", "mulZero", "addZero"]);
    let uses = any(&["letSubstN", "letSubstSafe", "letDead"]);
    let place = any(&["letAdjoint", "beta", "letSubst"]);
    let deep = any(&["cse", "letSubst", "beta"]);
    let spine = |s: &Strategy| Strategy::mu("x", 1, &s.or(&x.child(Slot::LetBody)).or(&x.child(Slot::Body)));
    let by_hand = |s: &Strategy| Strategy::mu("y", 2, &s.then(&y).or(&Strategy::id()));
    let last = |s: &Strategy| Strategy::mu("x", 1, &tidy.or(&x.under(Unary::One)).or(s));
    vec![
        // What is asked again: by a way, by uses, for a reason that lies anywhere below, or each round from the top.
        tidy.or(&rule("getBuild")).under(Unary::Normalize),
        uses.or(&tidy).under(Unary::Normalize),
        deep.under(Unary::Normalize),
        place.or(&tidy).under(Unary::Outermost),
        last(&uses).under(Unary::Repeat),
        last(&deep).or(&rule("letFloat")).under(Unary::Repeat),
        // A guard that looks, or doesn't, before something below goes on.
        tidy.under(Unary::TopDown).under(Unary::Not).then(&uses).or(&tidy).under(Unary::Innermost),
        tidy.under(Unary::TopDown).under(Unary::Where).then(&deep).or(&tidy).under(Unary::Normalize),
        // Repetitions in repetitions, whose terms change between rounds.
        spine(&by_hand(&uses.under(Unary::TopDown)).then(&tidy.under(Unary::TopDown))).under(Unary::Repeat),
        by_hand(&spine(&tidy.under(Unary::Repeat1).or(&uses))).under(Unary::Repeat1),
        tidy.under(Unary::Normalize).then(&deep).under(Unary::TopDown).under(Unary::Repeat),
        // What takes steps back inside.
        deep.under(Unary::Cheaper).then(&tidy).under(Unary::TopDown).under(Unary::Repeat),
        uses.under(Unary::All).then(&tidy).or(&uses).under(Unary::Normalize),
        uses.under(Unary::TopDown).repeat_n(2).or(&tidy).under(Unary::Innermost),
        tidy.or(&uses).under(Unary::TopDown).repeat_until(&world.pattern("a * b")).under(Unary::Try).then(&place),
        deep.or(&tidy).under(Unary::TopDown).at("body.body").or(&uses.under(Unary::TopDown)).under(Unary::Repeat),
        // Loops, near ones and far ones, and such as only the term shows, since its shape stays.
        rule("letSwap").or(&tidy).under(Unary::Normalize),
        any(&["letSwap", "ifSame"]).under(Unary::TopDown).under(Unary::Repeat),
        rule("letSwap").under(Unary::TopDown).repeat_n(3).then(&tidy.under(Unary::Try)).under(Unary::Repeat),
    ]
}

fn directed_agree() {
    let world = World::new();
    let mut tally = BTreeMap::new();
    for strategy in directed(&world) {
        for seed in 0..400 {
            let program = Generator::new(seed, seed % 3 != 0).program(4 + (seed % 2) as u32);
            compare(&strategy, &program, &mut tally);
        }
    }
    println!("{tally:?}");
    assert!(tally["success"] > 1_000 && tally["loop"] > 20 && tally["steps"] > 5_000, "{tally:?}");
}

#[test]
fn repetitions_go_on_as_the_reference_interpreter_does() {
    with_stack(2_000, directed_agree).expect("a thread");
}

/// Notes in nodes say nothing to another run, to another strategy or about another term that shares them.
fn notes_agree() {
    let world = World::new();
    let mut tally = BTreeMap::new();
    let rules: Vec<Strategy> =
        BUSY.iter().map(|name| Strategy::rule(&world.rule(name)).under(Unary::TopDown)).collect();
    let many = rules.iter().chain(&rules).fold(Strategy::id(), |all, s| all.then(&s.under(Unary::Try)));
    for seed in 0..300 {
        let program = Generator::new(seed, true).program(4);
        let Ok(twice) = Term::pair(program.term.clone(), program.term.clone()) else { continue };
        let twice = Program { term: twice, bounds: program.bounds.clone() };
        for strategy in rules.iter().take(8).chain([&many, &many.under(Unary::Repeat)]) {
            compare(strategy, &twice, &mut tally);
            compare(&strategy.under(Unary::Some), &twice, &mut tally);
        }
    }
    println!("{tally:?}");
    assert!(tally["success"] > 1_000 && tally["failure"] > 500, "{tally:?}");
}

#[test]
fn notes_of_failures_hold_for_their_run_and_strategy() {
    with_stack(2_000, notes_agree).expect("a thread");
}

/// What two strategies have noted of one node, where its variable is a tangent and where it isn't.
fn notes_in_two_places_agree() {
    let world = World::new();
    let found = |text: &str| Strategy::rule(&at_one(&world.own(text))).under(Unary::TopDown);
    let never = found("never = `cos a --> a` where tangent(a)");
    let wanted = found("wanted = `sin a --> cos a` where tangent(a)");
    let program = world.term(
        "fun (v : array n real) => build n (fun p =>
           (let t := ifold n (fun a j => a + (if p = j then v[j] else 0)) 0; -(sin t), let t := exp 3; t))",
    );
    // Both bodies are one node.
    let (first, second) = ([0, 0, 0, 0, 1], [0, 0, 0, 1, 1]);
    let body = Path(first.into()).find(&program.term).expect("a body");
    let program = program.with(replaced(&program.term, &second, &body).expect("a real"));
    let mut tally = BTreeMap::new();
    let halves = ["body.buildBody.body.pairFirst", "body.buildBody.body.pairSecond"];
    for first in halves {
        for second in halves {
            let tried = never.at(first).under(Unary::Try).then(&never.at(second).under(Unary::Try));
            for third in halves {
                compare(&tried.then(&wanted.at(third).under(Unary::Try)).then(&wanted), &program, &mut tally);
            }
        }
    }
    println!("{tally:?}");
    assert_eq!((tally["success"], tally["failure"]), (4, 4));
}

#[test]
fn notes_of_failures_hold_for_their_place() {
    with_stack(2_000, notes_in_two_places_agree).expect("a thread");
}

/// What a rule has failed at is tried again where the value of an enclosing let has become another one, though neither the
/// node nor what is marked differs.
fn places_seen_wholly_agree() {
    let world = World::new();
    let found = |text: &str| Strategy::rule(&at_one(&world.own(text))).under(Unary::TopDown);
    let wanted = found("wanted = `a - (x : real) --> a` where depends(a, x)");
    let swap = found("swap = `(a, let w := (c : real); (b(w) : real)) --> (c, let w := a; b(w))`");
    let program = world.term("fun (y z : real) => (y, let w := z; w - y)");
    let twice = wanted.under(Unary::Try).then(&swap).then(&wanted);
    let mut tally = BTreeMap::new();
    for strategy in [&twice, &wanted.under(Unary::Try).then(&swap).under(Unary::Try), &swap.then(&wanted)] {
        compare(strategy, &program, &mut tally);
    }
    assert_eq!(tally["success"], 3, "{tally:?}");
}

#[test]
fn what_is_seen_of_a_place_is_seen_anew() {
    with_stack(2_000, places_seen_wholly_agree).expect("a thread");
}

/// What succeeds and rewrites nothing is run again on a shared term where its unfoldings count.
fn unfoldings_agree() {
    let everywhere = StrategyDefinition::new("everywhere", &[]);
    let again = Strategy::named(&everywhere, Vec::new());
    assert!(everywhere.set(&[], &again.under(Unary::All)));
    let negated = |term: Term, _| Term::unary(Prim::Neg, term).expect("a real");
    let shared = (0..5).fold(Term::real(1.0), negated);
    let program = Program { term: Term::pair(shared.clone(), shared).expect("a pair"), bounds: SizeBounds::default() };
    let ending = |max_steps: u64| {
        let budget = || Budget::new(Limits { max_steps, ..Limits::default() }, None);
        let found = account(&run(&again, &program, &budget(), cheaper_total));
        assert_eq!(found, account(&interpret(&again, &program, &budget(), cheaper_total)), "{max_steps}");
        found.0
    };
    assert_eq!([11, 12, 13, 14].map(ending), ["limit", "limit", "success", "success"]);
}

#[test]
fn unfoldings_are_counted_as_in_the_reference_interpreter() {
    with_stack(2_000, unfoldings_agree).expect("a thread");
}

/// What grows below several constructors until a limit is given up as a whole by the nearest `cheaper` around it, wherever it
/// had got to; what follows goes on.
fn outgrown_agree() {
    let world = World::new();
    let rule = |text: &str| Strategy::rule(&at_one(&world.own(text)));
    let grow = rule("grow = `sin (a : real) --> sin a + sin a`").under(Unary::BottomUp).under(Unary::Repeat);
    let wave = rule("wave = `cos (a : real) --> -(-(cos a))`").under(Unary::TopDown);
    let inner = wave.then(&grow).under(Unary::Cheaper).then(&wave);
    let negated = |term: Term, _| Term::unary(Prim::Neg, term).expect("a real");
    let leaves = [Prim::Cos, Prim::Sin].map(|prim| Term::unary(prim, Term::real(1.0)).expect("a real"));
    let [cosine, sine] = leaves;
    let start = Term::prim(Prim::Add, vec![cosine, sine]).expect("a sum");
    let program = Program { term: (0..5).fold(start, negated), bounds: SizeBounds::default() };
    for limits in [Limits { max_size: 60, ..Limits::default() }, Limits { max_depth: 20, ..Limits::default() }] {
        let budget = || Budget::new(limits, None);
        let found = account(&run(&inner, &program, &budget(), cheaper_total));
        assert_eq!(found, account(&interpret(&inner, &program, &budget(), cheaper_total)));
        assert_eq!(found.0, "success");
        let done = run(&inner, &program, &budget(), cheaper_total).expect("it ends");
        assert_eq!(done.trace.steps.len(), 1, "the step behind `cheaper`");
    }
}

#[test]
fn what_outgrows_a_limit_is_not_cheaper() {
    with_stack(2_000, outgrown_agree).expect("a thread");
}

/// What is compared is given up where it has grown a hundredfold, and only there: what `cheaper` has left behind may grow on.
fn growth_agrees() {
    let world = World::new();
    let grow = Strategy::rule(&at_one(&world.own("grow = `(a : real) + b --> (a + b) + (a + b)`")));
    let endless = grow.under(Unary::Repeat).under(Unary::Cheaper);
    let far = grow.repeat_n(18);
    let shrink = Strategy::rule(&at_one(&world.own("shrink = `(a : real) + b --> 0`")));
    let start = Term::prim(Prim::Add, vec![Term::real(1.0), Term::real(2.0)]).expect("a sum");
    let program = Program { term: start, bounds: SizeBounds::default() };
    for (strategy, steps) in [
        (endless.clone(), 0),
        (endless.then(&far), 18),
        (far.under(Unary::Cheaper), 0),
        // What comes back from beyond isn't waited for.
        (far.then(&shrink).under(Unary::Cheaper), 0),
        (shrink.under(Unary::Cheaper), 1),
        (endless.then(&far).under(Unary::Cheaper).then(&grow), 1),
        (far.or_cheaper(&Strategy::id()).then(&far), 18),
        (Strategy::id().or_cheaper(&far).then(&far), 18),
        (far.then(&Strategy::fail()).or_cheaper(&Strategy::fail()).then(&far), 18),
    ] {
        let found = account(&run(&strategy, &program, &Budget::default(), cheaper_total));
        assert_eq!(found, account(&interpret(&strategy, &program, &Budget::default(), cheaper_total)), "{strategy}");
        let done = run(&strategy, &program, &Budget::default(), cheaper_total).expect("it ends");
        assert_eq!(done.trace.steps.len(), steps, "{strategy}");
    }
}

#[test]
fn what_has_grown_a_hundredfold_is_not_cheaper() {
    with_stack(2_000, growth_agrees).expect("a thread");
}

/// The depth limit is one on the whole term, wherever in it something grows.
fn depths_agree() {
    let world = World::new();
    let grow =
        Strategy::rule(&at_one(&world.own("grow = `sin (a : real) --> sin (sin (sin a))`"))).under(Unary::TopDown);
    let negated = |term: Term, _| Term::unary(Prim::Neg, term).expect("a real");
    let term = (0..10).fold(Term::unary(Prim::Sin, Term::real(1.0)).expect("a real"), negated);
    let program = Program { term, bounds: SizeBounds::default() };
    let ending = |max_depth: u32| {
        let budget = || Budget::new(Limits { max_depth, ..Limits::default() }, None);
        let found = account(&run(&grow, &program, &budget(), cheaper_total));
        assert_eq!(found, account(&interpret(&grow, &program, &budget(), cheaper_total)), "{max_depth}");
        found.0
    };
    assert_eq!([12, 13, 14, 15].map(ending), ["limit", "limit", "success", "success"]);
}

#[test]
fn depths_are_limited_as_in_the_reference_interpreter() {
    with_stack(2_000, depths_agree).expect("a thread");
}

/// The size limit is one on the whole term, even while a part grows that is put back before anybody sees it.
fn sizes_agree() {
    let world = World::new();
    let rule = |name: &str| Strategy::rule(&world.rule(name));
    let grows = rule("distribute").or(&rule("ifoldPeel")).or(&rule("letSubst")).then(&Strategy::fail());
    let strategy = grows.or(&rule("letDead")).under(Unary::Normalize);
    let mut stopped = 0;
    for seed in 0..1_000 {
        let program = Generator::new(seed, seed % 3 != 0).program(4);
        let limits = Limits { max_steps: 1_000, max_size: program.term.size() + 1, max_depth: 200 };
        let budget = || Budget::new(limits, None);
        let expected = interpret(&strategy, &program, &budget(), cheaper_total);
        let found = run(&strategy, &program, &budget(), cheaper_total);
        assert_eq!(account(&found), account(&expected), "{strategy}\non {:?}", program.term);
        stopped += u32::from(expected.is_err());
    }
    assert!(stopped > 50, "{stopped} were stopped");
}

#[test]
fn sizes_are_limited_as_in_the_reference_interpreter() {
    with_stack(2_000, sizes_agree).expect("a thread");
}

/// What is measured is the reference interpreter's steps, too.
fn workloads_agree() {
    let world = World::new();
    for workload in WORKLOADS {
        let mut tally = BTreeMap::new();
        for size in [1, 2, 7, 30] {
            let program = (workload.program)(size);
            for (_, strategy) in workload.strategies(|rule| world.rule(rule)) {
                compare_within(&Budget::default, &strategy, &program, &mut tally);
            }
        }
        println!("{}: {tally:?}", workload.name);
        assert!(tally["success"] == 12 && tally["steps"] > 200, "{}: {tally:?}", workload.name);
    }
}

#[test]
fn workloads_take_the_steps_of_the_reference_interpreter() {
    with_stack(2_000, workloads_agree).expect("a thread");
}

/// Rounds that end inside a search and rounds that end where it began count alike for what is remembered of them.
fn rounds_at_both_ends_agree() {
    let world = World::new();
    let toggle = Strategy::rule(&at_one(&world.own("outer = `-sin a --> -cos a`")))
        .or(&Strategy::rule(&at_one(&world.own("inner = `cos a --> sin a`"))));
    let leaf = Term::unary(Prim::Neg, Term::unary(Prim::Sin, Term::real(1.0)).expect("a term")).expect("a term");
    let term = Term::pair(leaf, Term::int(0)).expect("a term");
    let program = Program { term, bounds: SizeBounds::default() };
    let mut tally = BTreeMap::new();
    for search in [Unary::TopDown, Unary::BottomUp] {
        let search = toggle.under(search);
        for strategy in [search.under(Unary::One), search.clone(), search.child(Slot::PairFirst)] {
            compare(&strategy.under(Unary::Repeat), &program, &mut tally);
        }
    }
    println!("{tally:?}");
    assert_eq!(tally["loop"], 6);
}

#[test]
fn loops_between_both_ends_of_a_search_are_found() {
    with_stack(2_000, rounds_at_both_ends_agree).expect("a thread");
}

/// `tabulate` looks at each product once for each loop around it: it asks while it does so, not only before and after.
#[test]
fn a_rule_that_looks_at_much_asks_whether_to_go_on() {
    with_stack(2_000, || {
        let world = World::new();
        let loops: String = (0..40).map(|k| format!("ifold n (fun a{k} i{k} => a{k} + ")).collect();
        let factors: Vec<String> = (0..40).map(|k| format!("(v[i{k}] + v[i{}])", (k + 1) % 40)).collect();
        let sums: Vec<String> = (0..20).map(|k| format!("{} * {k}", factors.join(" * "))).collect();
        let program = world.term(&format!("fun (v : array n real) => {loops}{}{}", sums.join(" + "), ") 0".repeat(40)));
        let tabulate = Strategy::rule(&world.rule("tabulate")).under(Unary::TopDown);
        let run = |most: u64| {
            let asked = Rc::new(Cell::new(0));
            let found = run(&tabulate, &program, &Budget::default().asked_at_most(most, asked.clone()), cheaper_total);
            (found.map_err(|stop| stop.reason.clone()).err(), asked.get())
        };
        let (ended, asked) = run(u64::MAX);
        assert!(ended.is_none() && asked > 10, "{ended:?} {asked}");
        assert_eq!(run(3), (Some(StopReason::Operations(3)), 4));
    })
    .expect("a thread");
}
