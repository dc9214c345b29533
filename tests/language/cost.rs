//! The symbolic work of every program that ships equals what running it counts, or bounds that where it has an `if`.

use crate::support::bits;
use std::cell::RefCell;
use std::path::{Path, PathBuf};

use redexter::check::{Loader, prelude};
use redexter::cost::{self, Poly, Work, memory, work};
use redexter::eval::{Counts, Sizes, evaluate, open_sizes, random_inputs};
use redexter::export::nest_of;
use redexter::ground::{Budget, Diagnostic, Name, Sources, code, with_stack};
use redexter::nest::NestForm;
use redexter::term::{Kind, OpenVariables, Program, SizeBounds, Term, Type, TypeView};

/// What is added to the lower bounds of sizes.
const EXTRA: [u64; 5] = [0, 1, 2, 3, 5];

fn has_if(term: &Term) -> bool {
    matches!(term.kind(), Kind::If | Kind::Guard(..)) || term.kids().iter().any(has_if)
}

fn at(work: &Work, sizes: &Sizes) -> [u128; 5] {
    let value = |name: &_| sizes.get(name).unwrap_or(0);
    [&work.flops, &work.compares, &work.reads, &work.writes, &work.iterations].map(|poly| poly.at(value))
}

fn counted(c: Counts) -> [u128; 5] {
    [c.flops, c.compares, c.reads, c.writes, c.iterations].map(u128::from)
}

/// How many sizes a program was compared at.
fn compare(name: &str, program: &Program) -> usize {
    let (work, bounded) = (work(&program.term), has_if(&program.term));
    let mut compared = 0;
    for extra in EXTRA {
        let size = |name| {
            let value = program.bounds.lower(&name) + extra;
            (name, value)
        };
        let sizes: Sizes = open_sizes(&program.term).into_iter().map(size).collect();
        let Some(inputs) = random_inputs(program, &sizes, 11 + extra) else { continue };
        let (_, counts) = evaluate(program, &inputs, &sizes, &Budget::default()).expect(name);
        let (formula, run) = (at(&work, &sizes), counted(counts));
        match bounded {
            true => {
                assert!(formula.iter().zip(&run).all(|(f, r)| f >= r), "{name} at {sizes:?}: {formula:?} < {run:?}")
            }
            false => assert_eq!(formula, run, "{name} at {sizes:?}"),
        }
        compared += 1;
    }
    compared
}

#[test]
fn every_shipped_program_costs_what_its_formula_says() {
    let all = || {
        let (sources, budget) = (RefCell::new(Sources::default()), Budget::default());
        let library = prelude(&sources);
        let read =
            |p: &Path| std::fs::read_to_string(p).map_err(|e| Diagnostic::error(code::UNREADABLE, e.to_string()));
        let files = std::fs::read_dir("models").expect("the models").map(|entry| entry.expect("a file").path());
        let mut files: Vec<PathBuf> = files.collect();
        files.sort();
        let mut exact = 0;
        for path in files {
            let mut loader = Loader::new(&sources, &read, &budget, library.clone());
            let model = loader.load(&path).expect("a right model");
            for definition in model.definitions().iter().filter(|d| !d.is_static()) {
                let program = definition.program(&budget).expect("a term");
                let (parameters, body) = program.term.applied();
                let function = body.ty().has_function() || parameters.iter().any(|(_, ty)| ty.has_function());
                if function || !OpenVariables::of(&program.term).types.is_empty() {
                    continue;
                }
                let compared = compare(&format!("{}:{}", path.display(), definition.name()), &program);
                exact += usize::from(compared == EXTRA.len() && !has_if(&program.term));
            }
        }
        assert!(exact >= 10, "only {exact} programs without if were compared at all five sizes");
    };
    with_stack(10_000, all).expect("a stack");
}

/// What a loop nest that fuses nothing keeps, besides single numbers and what it unpacks of parameters.
fn kept(name: &str, program: &Program) -> Option<Poly> {
    let nest = nest_of(&Name::new(name), program, &NestForm::AsWritten).ok()?;
    let arrays = nest.temporaries.iter().filter(|slot| !slot.array.dims.is_empty());
    Some(arrays.fold(Poly::default(), |sum, slot| sum.plus(&Poly::product(slot.array.dims.iter()))))
}

/// Nests of these copy arrays of dual numbers, or parts of them such as the weights of each gate, that a function is given:
/// values only refer to them.
const COPIES: &[&str] = &["models/lstm.arr:gradient", "models/random_field.arr:gradient"];

/// The states of folds and scans that are arrays: a nest that can't write them in place keeps the next ones, too.
fn states(term: &Term) -> Poly {
    fn numbers(ty: &Type, single: Poly) -> Poly {
        match ty.view() {
            TypeView::Array(n, inner) => Poly::size(n).times(&numbers(inner, Poly::constant(1))),
            TypeView::Pair(a, b) => numbers(a, single.clone()).plus(&numbers(b, single)),
            _ => single,
        }
    }
    let own = match (term.kind(), term.ty().view()) {
        (Kind::Ifold(_), _) => numbers(term.ty(), Poly::default()),
        (Kind::Scan(_) | Kind::Scanr(_), TypeView::Pair(state, _)) => numbers(state, Poly::default()),
        _ => Poly::default(),
    };
    term.kids().iter().fold(own, |sum, kid| sum.plus(&states(kid)))
}

#[test]
fn memory_and_next_states_bound_what_a_nest_as_written_keeps() {
    let all = || {
        let (mut same, mut all) = (0, 0);
        for (name, program) in bits::shipped_programs().into_iter().chain(bits::scheduled_programs()) {
            let Some(kept) = kept(&name, &program) else { continue };
            let (memory, next) = (memory(&program.term), states(&program.term));
            let most = memory.plus(&next);
            let at = |poly: &Poly, n: u64| poly.at(|_| n);
            let is_bound = [0, 1, 3, 10, 1_000].into_iter().all(|n| at(&kept, n) <= at(&most, n));
            assert_ne!(is_bound, COPIES.contains(&name.as_str()), "{name}: {kept} and {most}");
            same += usize::from(kept == memory);
            all += 1;
        }
        println!("{same} of {all} are the same");
        assert!(all > 60 && same * 2 > all, "{same} of {all} are the same");
    };
    with_stack(10_000, all).expect("a stack");
}

/// What is dearer anywhere by more than it is cheaper elsewhere is raised; what costs as much isn't.
#[test]
fn work_is_compared_at_all_combinations_of_small_and_large_sizes() {
    let compared = |before: &str, after: &str, bounds: &SizeBounds| {
        let (before, after) = (Poly::read(before).expect("a formula"), Poly::read(after).expect("a formula"));
        let found = cost::compare(&before, &after, bounds);
        let sizes: Vec<String> = found.sizes.iter().map(|(name, size)| format!("{name} = {size}")).collect();
        (sizes.join(", "), found.before, found.after, found.is_raised)
    };
    let open = SizeBounds::default();
    assert_eq!(compared("3*n", "3*n", &open), ("n = 10".to_owned(), 30, 30, false));
    assert_eq!(compared("3*n", "4*n", &open), ("n = 10".to_owned(), 30, 40, true));
    assert_eq!(compared("n^2", "9*n", &open), ("n = 10".to_owned(), 100, 90, false));
    // A hundred times dearer where m is small and n large, and as much cheaper the other way round: neither is better.
    assert_eq!(compared("m", "n", &open), ("m = 10, n = 1000".to_owned(), 10, 1_000, false));
    assert_eq!(compared("m", "2*n", &open), ("m = 10, n = 1000".to_owned(), 10, 2_000, true));
    let mut least = SizeBounds::default();
    least.require(&Name::new("n"), 50);
    assert_eq!(compared("n", "2*n", &least), ("n = 50".to_owned(), 50, 100, true));
}
