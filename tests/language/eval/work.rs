//! What programs cost: counted, and as a polynomial in their sizes.

use crate::eval::generate::Generator;
use redexter::cost::{self, Poly};
use redexter::eval::{self, Counts, Sizes};
use redexter::ground::{Budget, Name};
use redexter::term::{Prim, Program, Size, SizeBounds, Term, Type};

use crate::eval::{closed, lam, let_in, n, name, prim, real, run};

const SIZES: [(u64, u64); 6] = [(0, 0), (1, 1), (0, 2), (2, 3), (3, 0), (7, 2)];

fn counted(program: &Program, sizes: &Sizes, seed: u64) -> Counts {
    let inputs = eval::random_inputs(program, sizes, seed).unwrap();
    eval::evaluate(program, &inputs, sizes, &Budget::default()).unwrap().1
}

fn predicted(program: &Program, sizes: &Sizes) -> Counts {
    let work = cost::work(&program.term);
    let at = |p: &Poly| p.at(|x: &Name| sizes.get(x).unwrap()) as u64;
    Counts {
        flops: at(&work.flops),
        compares: at(&work.compares),
        reads: at(&work.reads),
        writes: at(&work.writes),
        iterations: at(&work.iterations),
    }
}

pub fn sizes(n: u64, m: u64) -> Sizes {
    [(name("n"), n), (name("m"), m)].into_iter().collect()
}

#[test]
fn symbolic_work_is_what_the_evaluator_counts() {
    for seed in 0..400 {
        let program = Generator::new(seed, false).program(7);
        for (n, m) in SIZES {
            let sizes = sizes(n, m);
            let counts = counted(&program, &sizes, seed);
            assert_eq!(counts, predicted(&program, &sizes), "seed {seed}, n = {n}, m = {m}: {:?}", program.term);
            assert_eq!(counts, counted(&program, &sizes, seed + 1), "seed {seed}");
        }
    }
}

#[test]
fn symbolic_work_bounds_programs_that_branch() {
    for seed in 0..300 {
        let program = Generator::new(seed, true).program(7);
        for (n, m) in SIZES {
            let sizes = sizes(n, m);
            let (less, more) = (counted(&program, &sizes, seed), predicted(&program, &sizes));
            let pairs = [
                (less.flops, more.flops),
                (less.compares, more.compares),
                (less.reads, more.reads),
                (less.writes, more.writes),
                (less.iterations, more.iterations),
            ];
            assert!(pairs.iter().all(|(a, b)| a <= b), "seed {seed}: {less:?} {more:?} {:?}", program.term);
        }
    }
}

#[test]
fn work_is_a_polynomial() {
    let n_plus_1 = n().plus(&Size::literal(1)).unwrap();
    let body = lam("j", &Type::fin(n_plus_1.clone()), prim(Prim::Exp, &[Term::real(1.0)]));
    let rows = lam("i", &Type::fin(n()), Term::build(n_plus_1, body).unwrap());
    let term = Term::build(n(), rows).unwrap();
    let work = cost::work(&term);
    assert_eq!(work.flops.to_string(), "n^2 + n");
    assert_eq!(work.writes.to_string(), "n^2 + 2*n");
    assert_eq!(work.total().to_string(), "2*n^2 + 3*n");
    assert_eq!(cost::WorkMeter::default().total(&term).to_string(), "2*n^2 + 3*n");
    assert_eq!(work.reads.to_string(), "0");
    let mut bounds = SizeBounds::default();
    assert_eq!(cost::typical(&work.total(), &bounds), 20_300);
    bounds.require(&name("n"), 1000);
    assert_eq!(cost::typical(&work.total(), &bounds), 2_003_000);
}

#[test]
fn shared_terms_cost_their_nodes() {
    let mut term = Term::var(0, &real());
    for _ in 0..60 {
        term = prim(Prim::Add, &[term.clone(), term]);
    }
    assert_eq!(cost::work(&term).flops, Poly::constant((1 << 60) - 1));
}

#[test]
fn work_follows_functions_through_lets_pairs_and_branches() {
    let cheap = lam("x", &real(), Term::var(0, &real()));
    let dear = lam("x", &real(), prim(Prim::Exp, &[prim(Prim::Exp, &[Term::var(0, &real())])]));
    let one = |f: Term| Term::app(f, Term::real(1.0)).unwrap();
    let pair = Term::pair(cheap.clone(), dear.clone()).unwrap();
    let p = Term::var(0, pair.ty());
    let flops = |t: &Term| cost::work(t).flops.to_string();
    assert_eq!(flops(&let_in("p", pair.clone(), one(Term::snd(p.clone()).unwrap()))), "2");
    assert_eq!(flops(&let_in("p", pair, one(Term::fst(p).unwrap()))), "0");
    assert_eq!(flops(&one(Term::if_else(Term::int(0), cheap.clone(), dear.clone()).unwrap())), "2");
    let both = Term::array(&cheap.ty().clone(), vec![dear, cheap]).unwrap();
    assert_eq!(flops(&one(Term::get(both, Term::fin(1, Size::literal(2)).unwrap()).unwrap())), "2");
    assert_eq!(flops(&lam("f", &Type::fun(real(), real()), one(Term::var(0, &Type::fun(real(), real()))))), cost::CALL);
}

/// One function that is given others costs what these do, and a choice what its dearer branch does.
#[test]
fn work_is_that_of_the_functions_in_scope_and_of_one_branch() {
    let f = Type::fun(real(), real());
    let x = || Term::var(0, &real());
    let once = || lam("f", &f, Term::app(Term::var(0, &f), Term::real(1.0)).unwrap());
    let given = |body: Term| Term::app(once(), lam("x", &real(), body)).unwrap();
    let flops = |t: &Term| cost::work(t).flops.to_string();
    let three = prim(Prim::Exp, &[prim(Prim::Exp, &[prim(Prim::Exp, &[x()])])]);
    assert_eq!(flops(&Term::pair(given(x()), given(three.clone())).unwrap()), "3");
    assert_eq!(flops(&Term::pair(given(three.clone()), given(x())).unwrap()), "3");
    let choice = Term::if_else(Term::int(1), three, prim(Prim::Exp, &[x()])).unwrap();
    assert_eq!(flops(&lam("x", &real(), choice)), "3");
}

/// Each kind of work has its own count, as run and as predicted.
#[test]
fn what_is_counted_is_told_apart() {
    let x = || Term::real(2.0);
    let index = || Term::fin(0, Size::literal(1)).unwrap();
    let rows = || Term::build(Size::literal(1), lam("i", &Type::fin(Size::literal(1)), x())).unwrap();
    let none = Counts::default();
    for (term, expected) in [
        (prim(Prim::Mul, &[x(), x()]), Counts { flops: 1, ..none }),
        (prim(Prim::Exp, &[x()]), Counts { flops: 1, ..none }),
        (prim(Prim::Max, &[x(), x()]), Counts { flops: 1, ..none }),
        (prim(Prim::Mul, &[Term::int(2), Term::int(3)]), none),
        (prim(Prim::Lt, &[x(), x()]), Counts { compares: 1, ..none }),
        (prim(Prim::Ne, &[Term::int(2), Term::int(3)]), Counts { compares: 1, ..none }),
        (prim(Prim::And, &[Term::int(2), Term::int(3)]), none),
        (rows(), Counts { writes: 1, iterations: 1, ..none }),
        (Term::get(rows(), index()).unwrap(), Counts { reads: 1, writes: 1, iterations: 1, ..none }),
    ] {
        let program = closed(term);
        assert_eq!(run(&program, "{}").1, expected, "{:?}", program.term);
        assert_eq!(predicted(&program, &Sizes::default()), expected, "{:?}", program.term);
    }
}
