//! What large terms cost. Reading and checking a model grows with its text; making a node costs the same however large
//! its children are. Moving and substituting costs as much as is free on the way to the variable, not as much as the body
//! has nodes. Beside each case stands the same work done naively, node by node; at 2^16 leaves it takes thousands of times
//! as long.

#[path = "../tests/support/large.rs"]
mod large;

use std::cell::RefCell;
use std::hint::black_box;
use std::path::Path;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, criterion_group};
use redexter::check::{self, Loader};
use redexter::ground::{Budget, Limits, Name, Sources, with_stack};
use redexter::syntax::{PrintStyle, print_term};
use redexter::term::{Kind, Prim, Term, Type};

/// A balanced sum of 2^`height` leaves: a parameter of the definition around it, but for the leftmost, which is the
/// innermost variable.
fn body(height: u32) -> Term {
    let (mut sum, mut rest) = (Term::var(0, &Type::real()), Term::var(1, &Type::real()));
    for _ in 0..height {
        let add = |a: &Term, b: &Term| Term::prim(Prim::Add, vec![a.clone(), b.clone()]).expect("a sum");
        (sum, rest) = (add(&sum, &rest), add(&rest, &rest));
    }
    sum
}

/// The innermost variable replaced, by rebuilding every node of the tree.
fn naive_instantiate(term: &Term, value: &Term, under: u32) -> Term {
    if let Kind::Var = term.kind() {
        let index = term.free().next().expect("a variable").0;
        return match index.checked_sub(under) {
            None => term.clone(),
            Some(0) => value.shift(under),
            Some(_) => Term::var(index - 1, term.ty()),
        };
    }
    let kid = |k| naive_instantiate(&term.kid(k), value, under + term.kind().binders(k));
    let kids = (0..term.kid_count()).map(kid).collect();
    term.with_kids(kids).expect("a value of the variable's type")
}

/// Every variable moved up by one, by rebuilding every node of the tree.
fn naive_shift(term: &Term) -> Term {
    if let Kind::Var = term.kind() {
        return Term::var(term.free().next().expect("a variable").0 + 1, term.ty());
    }
    term.with_kids(term.kids().iter().map(naive_shift).collect()).expect("the same types")
}

/// `main` of a model with this text.
fn loaded(text: &str) -> Term {
    let limits = Limits { max_depth: 800_000, ..Limits::default() };
    let (sources, budget) = (RefCell::new(Sources::default()), Budget::new(limits, None));
    let prelude = check::prelude(&sources);
    let read = |_: &Path| Ok(text.to_owned());
    let model = Loader::new(&sources, &read, &budget, prelude).load(Path::new("large.arr")).expect("a model");
    model.program("main", &budget).expect("a term").term
}

/// Models of about so many nodes: read, checked and made into a term; and printed.
fn models(c: &mut Criterion) {
    for nodes in [10_000, 100_000, 1_000_000] {
        let texts = [
            ("map chain", large::map_chain(nodes / 6)),
            ("wide tree", large::wide_tree((nodes / 2).ilog2())),
            ("let chain", large::let_chain(nodes / 6)),
            ("polynomial", large::polynomial(nodes / 4)),
        ];
        for (name, text) in texts {
            let mut group = c.benchmark_group(format!("a model: {name}"));
            group.bench_function(BenchmarkId::new("load", nodes), |b| b.iter(|| loaded(black_box(&text))));
            let term = loaded(&text);
            group.bench_function(BenchmarkId::new("print", nodes), |b| {
                b.iter(|| print_term(black_box(&term), &PrintStyle::default()));
            });
            group.finish();
        }
    }
}

/// Nodes around children that are large.
fn nodes(c: &mut Criterion) {
    let mut group = c.benchmark_group("make a node");
    for height in [2, 16] {
        let body = body(height);
        let (value, hint) = (body.shift(3), Name::new("x"));
        group.bench_function(BenchmarkId::new("sum", height), |b| {
            b.iter(|| Term::binary(Prim::Add, black_box(&body).clone(), value.clone()));
        });
        group.bench_function(BenchmarkId::new("let", height), |b| {
            b.iter(|| Term::let_in(&hint, black_box(&value).clone(), body.clone()));
        });
        let sum = Term::binary(Prim::Add, body.clone(), value.clone()).expect("a sum");
        group.bench_function(BenchmarkId::new("with_kid", height), |b| {
            b.iter(|| black_box(&sum).with_kid(1, body.clone()));
        });
    }
    group.finish();
}

fn terms(c: &mut Criterion) {
    let value = Term::real(2.0);
    let mut group = c.benchmark_group("substitute one variable under a definition's parameters");
    for height in [8, 12, 16] {
        let body = body(height);
        assert_eq!(body.instantiate(&value).expect("a real"), naive_instantiate(&body, &value, 0));
        group.bench_with_input(BenchmarkId::new("shared", height), &body, |b, body| {
            b.iter(|| black_box(body).instantiate(&value));
        });
        group.bench_with_input(BenchmarkId::new("naive", height), &body, |b, body| {
            b.iter(|| naive_instantiate(black_box(body), &value, 0));
        });
    }
    group.finish();
    let mut group = c.benchmark_group("move a term under a binder");
    for height in [8, 12, 16] {
        let body = body(height);
        assert_eq!(body.shift(1), naive_shift(&body));
        group
            .bench_with_input(BenchmarkId::new("shared", height), &body, |b, body| b.iter(|| black_box(body).shift(1)));
        group.bench_with_input(BenchmarkId::new("naive", height), &body, |b, body| {
            b.iter(|| naive_shift(black_box(body)));
        });
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10).measurement_time(Duration::from_secs(1));
    targets = nodes, terms, models
}
fn main() {
    let run = || {
        benches();
        Criterion::default().configure_from_args().final_summary();
    };
    with_stack(800_000, run).expect("a thread");
}
