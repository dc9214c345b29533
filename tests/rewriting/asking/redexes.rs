//! The redexes that are found, against every rule tried at every path.

use std::path::Path as File;
use std::rc::Rc;

use redexter::ground::{Budget, Limits, Name, StopReason, with_stack};
use redexter::redex::{Finder, Redex, RuleFamily, families, replaced, site};
use redexter::rule::{Focus, RuleInfo};
use redexter::term::{Path, Prim, Program, SizeBounds, Term, Type};

use crate::asking::generate::Generator;
use crate::asking::shipped::Workbench;

/// Programs that were grown, and gradients of models.
pub fn programs(bench: &Workbench) -> Vec<Program> {
    let grown = (0..64).map(|seed| Generator::new(seed, seed % 2 == 0).program(4));
    let models = ["models/vector_sum.arr", "models/dot.arr", "models/log_sum_exp.arr"];
    let shipped = models.iter().flat_map(|model| bench.programs(File::new(model))).map(|(_, program)| program);
    grown.chain(shipped).collect()
}

/// Every path of a term, from the root down and from left to right.
pub fn paths(term: &Term) -> Vec<Path> {
    let mut found = vec![Path::default()];
    for k in 0..term.kid_count() {
        let below = paths(&term.kid(k)).into_iter();
        found.extend(below.map(|path| Path(std::iter::once(k as u32).chain(path.0).collect())));
    }
    found
}

/// The redexes by trying each rule at each path.
fn tried(program: &Program, families: &[RuleFamily]) -> Vec<(String, Path, Term, Term)> {
    let mut found = Vec::new();
    for path in paths(&program.term) {
        let (context, term) = site(&program.term, &path).expect("a place");
        let focus = Focus::new(&term, &context, &program.bounds);
        for family in families {
            let changes = |rule: &redexter::rule::Rule| rule.apply(&focus).ok().filter(|new| *new != term);
            if let Some((rule, new)) = family.rules().iter().find_map(|rule| Some((rule, changes(rule)?))) {
                found.push((rule.to_string(), path.clone(), term.clone(), new));
            }
        }
    }
    found
}

fn told(redexes: &[Redex]) -> Vec<(String, Path, Term, Term)> {
    let tell =
        |redex: &Redex| (redex.rule.to_string(), redex.path.clone(), redex.term.clone(), redex.contractum.clone());
    redexes.iter().map(tell).collect()
}

fn rules(bench: &Workbench) -> Vec<Rc<RuleInfo>> {
    bench.interpreter().rules()
}

#[test]
fn those_that_are_found_are_those_that_every_rule_finds_at_every_path() {
    with_stack(100_000, || {
        let bench = Workbench::new();
        let families = families(&rules(&bench));
        // One finder for all: what it remembers of one program holds for the next.
        let (mut finder, budget, mut count) = (Finder::new(families.clone()), Budget::default(), 0);
        for program in programs(&bench) {
            let all = tried(&program, &families);
            let found = finder.redexes(&program, usize::MAX, &budget).expect("no limit");
            assert!(found.all);
            assert_eq!(told(&found.found), all, "{:?}", program.term);
            count += all.len();
            let first = finder.redexes(&program, 3, &budget).expect("no limit");
            assert_eq!(told(&first.found), all[..all.len().min(3)]);
            assert_eq!(first.all, all.len() <= 3);
            for redex in &found.found {
                assert_eq!(redex.path.find(&program.term), Some(redex.term.clone()));
                let after = redex.rewrite(&program.term).expect("a place");
                assert_eq!(redex.path.find(&after), Some(redex.contractum.clone()));
            }
        }
        assert!(count > 800, "{count}");
    })
    .expect("a thread");
}

#[test]
fn those_below_a_path_are_those_of_the_whole_that_stand_there_and_families_are_theirs() {
    with_stack(100_000, || {
        let bench = Workbench::new();
        let (mut finder, budget) = (Finder::new(families(&rules(&bench))), Budget::default());
        for program in programs(&bench).into_iter().skip(50) {
            let all = finder.redexes(&program, usize::MAX, &budget).expect("no limit").found;
            for path in paths(&program.term) {
                let below = finder.below(&program, &path, usize::MAX, &budget).expect("no limit").found;
                let there: Vec<Redex> = all.iter().filter(|redex| redex.path.0.starts_with(&path.0)).cloned().collect();
                assert_eq!(told(&below), told(&there));
                let (context, term) = site(&program.term, &path).expect("a place");
                let focus = Focus::new(&term, &context, &program.bounds);
                let names: Vec<Name> =
                    finder.at(&focus).unwrap().iter().map(|(rule, _)| rule.info().name.clone()).collect();
                let numbers = finder.families_at(&focus).unwrap();
                let named: Vec<Name> = numbers.iter().map(|k| finder.families()[*k].info().name.clone()).collect();
                assert_eq!(named, names);
            }
        }
    })
    .expect("a thread");
}

/// `fun (x : real) => ((x * 1) + (x * 1)) + ((x * 1) + (x * 1))`, whose equal parts are one object.
#[test]
fn equal_parts_are_places_of_their_own() {
    let bench = Workbench::new();
    let x = Term::var(0, &Type::real());
    let double = |term: Term| Term::prim(Prim::Add, vec![term.clone(), term]).expect("a sum");
    let product = Term::prim(Prim::Mul, vec![x, Term::real(1.0)]).expect("a product");
    let term = Term::lam(&Name::new("x"), &Type::real(), double(double(product))).expect("a function");
    let program = Program { term, bounds: SizeBounds::default() };
    let one = rules(&bench).into_iter().filter(|info| info.name.as_str() == "mulOne");
    let mut finder = Finder::new(one.map(|info| RuleFamily::of(&info)).collect());
    let found = finder.redexes(&program, usize::MAX, &Budget::default()).expect("no limit");
    let places: Vec<String> = found.found.iter().map(|redex| redex.path.display(&program.term)).collect();
    assert_eq!(places, ["body.0.0", "body.0.1", "body.1.0", "body.1.1"]);
    // Each redex takes one attempt: what rewrites one of some equal parts is tried alone on the others.
    assert_eq!(finder.tried(), 4);
    let limited = Budget::new(Limits::default(), Some(Rc::new(|_| Some(StopReason::Interrupted))));
    assert!(finder.redexes(&program, 9, &limited).is_ok(), "the watch is asked now and then");
    assert_eq!(replaced(&program.term, &[0, 7], &found.found[0].term), None);
}
