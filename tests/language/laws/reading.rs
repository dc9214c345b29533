//! What is printed reads back as the same term, with the users' names, at every width.

use std::path::Path;

use redexter::eval::{self, Sizes, open_sizes};
use redexter::ground::{Budget, Name};
use redexter::syntax::{PrintStyle, print_term};
use redexter::term::{Kind, Program, Term, View};

use crate::laws::generate::Generator;
use crate::laws::host::{self, TestHost};

const WIDTHS: [usize; 3] = [20, 80, 200];

/// Prints and reads back; the result is the term that was read at the last width.
fn there_and_back(host: &TestHost, term: &Term) -> Term {
    let mut last = term.clone();
    for width in WIDTHS {
        let text = print_term(term, &PrintStyle { width });
        let again = host.term(&text).unwrap_or_else(|why| panic!("{why}\n{text}"));
        let shown = print_term(&again.term, &PrintStyle { width });
        assert_eq!(again.term, *term, "\n{text}\n\n{shown}");
        assert_eq!(shown, text, "printing what was read gives the same text");
        last = again.term;
    }
    last
}

#[test]
fn generated_terms_read_back() {
    let host = TestHost::new();
    for seed in 0..400 {
        let term = Generator::new(seed, seed % 2 == 0).program(6).term;
        let again = there_and_back(&host, &term);
        names_survive(&term, &again);
    }
}

#[test]
fn definitions_of_models_read_back() {
    let host = TestHost::new();
    let mut seen = 0;
    for folder in ["models", "tests/corpus/right"] {
        for entry in Path::new(folder).read_dir().expect("a folder") {
            let path = entry.expect("a file").path();
            if path.extension().is_none_or(|e| e != "arr") || path.ends_with("models/prelude.arr") {
                continue;
            }
            let model = host.file(&path, |text| text).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
            for definition in model.definitions().iter().filter(|d| !d.is_static()) {
                let program = definition.program(&host.budget).map_err(host::said).expect("a term");
                names_survive(&program.term, &there_and_back(&host, &program.term));
                seen += 1;
            }
        }
    }
    assert!(seen > 200, "{seen} definitions");
}

#[test]
fn definitions_of_the_prelude_read_back() {
    let host = TestHost::new();
    let mut seen = 0;
    for definition in host.prelude.library().filter(|d| !d.is_static()) {
        let program = definition.program(&host.budget).map_err(host::said).expect("a term");
        there_and_back(&host, &program.term);
        seen += 1;
    }
    assert!(seen > 20, "{seen} definitions");
}

#[test]
fn what_was_read_back_computes_the_same_bits() {
    let host = TestHost::new();
    for seed in 0..100 {
        let program = Generator::new(seed, true).program(5);
        let again = Program { term: there_and_back(&host, &program.term), bounds: program.bounds.clone() };
        for (n, m) in [(0, 1), (1, 0), (2, 3)] {
            let sizes: Sizes = [(Name::new("n"), n), (Name::new("m"), m)].into_iter().collect();
            let inputs = eval::random_inputs(&program, &sizes, seed).expect("data");
            let run = |p: &Program| eval::evaluate(p, &inputs, &sizes, &Budget::default()).expect("a value");
            let ((a, counts), (b, counts_again)) = (run(&program), run(&again));
            assert!(a.same(&b), "seed {seed}");
            assert_eq!(counts, counts_again);
        }
    }
}

/// Whether it is printed as `a[e else z]`, which has no name for its index.
fn is_guarded_read(term: &Term) -> bool {
    let View::Guard(_, _, _, inside, _) = term.view() else { return false };
    let View::Get(array, index) = inside.view() else { return false };
    matches!(index.view(), View::Var(0)) && array.free_at(0).is_none()
}

/// A binder keeps its hint unless this would hide a name in scope, and what it is printed under hides none: no binder
/// around it, no size of the whole term, no primitive. Inputs only hide no other input.
fn names_survive(term: &Term, read: &Term) {
    let sizes = open_sizes(term);
    let hides =
        |name: &Name, scope: &[Name]| scope.contains(name) || sizes.contains(name) || Kind::is_open_word(name.as_str());
    let mut rest = vec![(term.clone(), read.clone(), Vec::new(), true)];
    while let Some((term, read, scope, whole)) = rest.pop() {
        let binds_input = whole && matches!(term.view(), View::Lam(..));
        for k in 0..term.kid_count() {
            let mut scope = scope.clone();
            if term.kind().binders(k) > 0
                && let (Some(hint), Some(shown)) = (term.kind().hint(), read.kind().hint())
            {
                // The index of `v[e else z]` has no name that is written.
                let unused = term.kid(k).free_at(0).is_none() && shown.as_str() == "_" || is_guarded_read(&term);
                assert!(hint == shown || hides(hint, &scope) || unused, "`{hint}` became `{shown}` in {term:?}");
                let free = if binds_input { !scope.contains(shown) } else { !hides(shown, &scope) };
                assert!(free || unused, "`{shown}` hides a name in {term:?}");
                scope.push(if is_guarded_read(&term) { Name::new("_") } else { shown.clone() });
            }
            rest.push((term.kid(k), read.kid(k), scope, binds_input));
        }
    }
}
