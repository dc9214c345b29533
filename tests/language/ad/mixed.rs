//! Random terms in which constants and what is active go together through pairs, arrays, states of folds and functions.

use num_dual::Dual64;
use proptest::prelude::{
    BoxedStrategy, Just, ProptestConfig, Strategy, prop_assert, prop_assert_eq, prop_oneof, proptest,
};
use redexter::ad::{dual, dual_type};
use redexter::term::{Prim, Term, Type};

use crate::ad::build::{build, c, fst, get, ifold, lam, let_in, op, pair, real, size, snd, x};
use crate::ad::calculus::near;
use crate::support::machine::{Value, apply, bound, pair as both_of, run};

/// A real in the scope of an active variable, index 0, and of a constant, index 1.
fn term() -> BoxedStrategy<Term> {
    let leaf = prop_oneof![2 => Just(x(0)), 2 => Just(x(1)), 1 => (-2.0f64..2.0).prop_map(c)];
    leaf.prop_recursive(4, 24, 3, |inner| {
        let two = (inner.clone(), inner.clone());
        let three = (inner.clone(), inner.clone(), inner.clone());
        prop_oneof![
            two.clone().prop_map(|(a, b)| sine_of_sum(&a, &b)),
            two.clone().prop_map(|(a, b)| op(Prim::Mul, &[&op(Prim::Cos, &[&a]), &b])),
            three.clone().prop_map(|(a, b, d)| nested(&a, b, d)),
            three.clone().prop_map(|(a, b, d)| chosen(&a, b, d)),
            three.clone().prop_map(|(a, b, d)| built(&a, &b, &d)),
            three.clone().prop_map(|(a, b, d)| listed(a, b, d)),
            three.clone().prop_map(|(a, b, d)| folded(&a, b, d)),
            (three.clone(), proptest::bool::ANY).prop_map(|((a, b, d), reversed)| scanned(&a, b, &d, reversed)),
            three.clone().prop_map(|(a, b, d)| scattered(&a, &b, &d)),
            three.clone().prop_map(|(a, b, d)| applied_twice(&a, &b, &d)),
            three.prop_map(|(a, b, d)| mapped(&a, &b, &d)),
        ]
    })
    .boxed()
}

fn sine_of_sum(a: &Term, b: &Term) -> Term {
    op(Prim::Sin, &[&op(Prim::Add, &[a, b])])
}

fn halves() -> Type {
    Type::pair(real(), real())
}

/// `fst p * cos (snd p)`
fn product_of_halves(p: &Term) -> Term {
    op(Prim::Mul, &[&fst(p), &op(Prim::Cos, &[&snd(p)])])
}

/// `let p := (a, (b, d)); let q := snd p; sin (fst p + fst q * cos (snd q))`
fn nested(a: &Term, b: Term, d: Term) -> Term {
    let p = Term::var(0, &Type::pair(real(), halves()));
    let q = Term::var(0, &halves());
    let sum = sine_of_sum(&fst(&p.shift(1)), &product_of_halves(&q));
    let_in("p", pair(a.clone(), pair(b, d)), let_in("q", snd(&p), sum))
}

/// `let p := if a < 0.3 then (a, b) else (d, a); fst p * cos (snd p)`
fn chosen(a: &Term, b: Term, d: Term) -> Term {
    let below = op(Prim::Lt, &[a, &c(0.3)]);
    let p = Term::if_else(below, pair(a.clone(), b), pair(d, a.clone())).expect("an if");
    let_in("p", p, product_of_halves(&Term::var(0, &halves())))
}

/// `let t := build 3 (fun i => (a * real i, b)); fst t[1] * cos (snd t[2]) * d`
fn built(a: &Term, b: &Term, d: &Term) -> Term {
    let i = op(Prim::ToReal, &[&Term::var(0, &Type::fin(size(3)))]);
    let t = build(3, pair(op(Prim::Mul, &[&a.shift(1), &i]), b.shift(1)));
    let at = |k| get(Term::var(0, t.ty()), Term::fin(k, size(3)).expect("an index"));
    let product = op(Prim::Mul, &[&fst(&at(1)), &op(Prim::Cos, &[&snd(&at(2))])]);
    let_in("t", t.clone(), op(Prim::Mul, &[&product, &d.shift(1)]))
}

/// `let t := [(a, b), (b, d)]; fst t[1] * cos (snd t[1])`
fn listed(a: Term, b: Term, d: Term) -> Term {
    let t = Term::array(&halves(), vec![pair(a, b.clone()), pair(b, d)]).expect("an array");
    let p = get(Term::var(0, t.ty()), Term::fin(1, size(2)).expect("an index"));
    let_in("t", t, product_of_halves(&p))
}

/// `let s := ifold 3 (fun s i => (sin (snd s + a), cos (snd s))) (b, d); fst s * cos (snd s)`
fn folded(a: &Term, b: Term, d: Term) -> Term {
    let s = Term::var(1, &halves());
    let next = pair(sine_of_sum(&snd(&s), &a.shift(2)), op(Prim::Cos, &[&snd(&s)]));
    let_in("s", ifold(3, next, pair(b, d)), product_of_halves(&Term::var(0, &halves())))
}

/// `let t := scan 3 (fun s i => (sin (s + a), (cos s, d * real i))) b; fst t * cos (fst (snd t)[1]) + snd (snd t)[2]`, or with
/// `scanr`
fn scanned(a: &Term, b: Term, d: &Term, is_reversed: bool) -> Term {
    let (s, i) = (x(1), op(Prim::ToReal, &[&Term::var(0, &Type::fin(size(3)))]));
    let kept = pair(op(Prim::Cos, &[&s]), op(Prim::Mul, &[&d.shift(2), &i]));
    let body = pair(sine_of_sum(&s, &a.shift(2)), kept);
    let step = lam("s", &real(), lam("i", &Type::fin(size(3)), body));
    let scan = Term::scan(size(3), is_reversed, step, b).expect("a scan");
    let t = Term::var(0, scan.ty());
    let at = |k| get(snd(&t), Term::fin(k, size(3)).expect("an index"));
    let product = op(Prim::Mul, &[&fst(&t), &op(Prim::Cos, &[&fst(&at(1))])]);
    let_in("t", scan, op(Prim::Add, &[&product, &snd(&at(2))]))
}

/// `let t := scatter 2 4 (fun i => (int i - 1, (sin (a + real i), b))); fst t[0] * cos (snd t[1]) * d`
fn scattered(a: &Term, b: &Term, d: &Term) -> Term {
    let i = op(Prim::ToInt, &[&Term::var(0, &Type::fin(size(4)))]);
    let value = pair(sine_of_sum(&a.shift(1), &op(Prim::ToReal, &[&i])), b.shift(1));
    let entry = pair(op(Prim::Sub, &[&i, &Term::int(1)]), value);
    let step = lam("i", &Type::fin(size(4)), entry);
    let t = Term::scatter(size(2), size(4), step).expect("a scatter");
    let at = |k| get(Term::var(0, t.ty()), Term::fin(k, size(2)).expect("an index"));
    let product = op(Prim::Mul, &[&fst(&at(0)), &op(Prim::Cos, &[&snd(&at(1))])]);
    let_in("t", t.clone(), op(Prim::Mul, &[&product, &d.shift(1)]))
}

/// `let f := fun u v => sin (u + a) * cos v; let g := f; g b d + f d b`
fn applied_twice(a: &Term, b: &Term, d: &Term) -> Term {
    let body = op(Prim::Mul, &[&sine_of_sum(&x(1), &a.shift(2)), &op(Prim::Cos, &[&x(0)])]);
    let f = lam("u", &real(), lam("v", &real(), body));
    let applied = |index: u32, u: &Term, v: &Term| {
        let f = Term::app(Term::var(index, f.ty()), u.shift(2)).expect("an application");
        Term::app(f, v.shift(2)).expect("an application")
    };
    let sum = op(Prim::Add, &[&applied(0, b, d), &applied(1, d, b)]);
    let_in("f", f.clone(), let_in("g", Term::var(0, f.ty()), sum))
}

/// `(fun v f => f v[0] + f v[1]) [a, b] (fun e => sin (e + d))`
fn mapped(a: &Term, b: &Term, d: &Term) -> Term {
    let numbers = Term::array(&real(), vec![a.clone(), b.clone()]).expect("an array");
    let f = lam("e", &real(), sine_of_sum(&x(0), &d.shift(1)));
    let at = |k| {
        let element = get(Term::var(1, numbers.ty()), Term::fin(k, size(2)).expect("an index"));
        Term::app(Term::var(0, f.ty()), element).expect("an application")
    };
    let map = lam("v", numbers.ty(), lam("f", f.ty(), op(Prim::Add, &[&at(0), &at(1)])));
    Term::app(Term::app(map, numbers.clone()).expect("an application"), f).expect("an application")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn mixed_values_have_the_tangents_of_dual_numbers(
        body in term(), at in -2.0f64..2.0, fixed in -2.0f64..2.0
    ) {
        let f = lam("y", &real(), body);
        let df = dual(&f).expect("D");
        prop_assert_eq!(df.ty(), &dual_type(f.ty()).expect("D of a type"));
        let value = apply(run::<f64>(&f, &bound(Value::Real(fixed), None)), Value::Real(at)).real();
        let both = apply(run::<f64>(&df, &bound(Value::Real(fixed), None)), both_of(Value::Real(at), Value::Real(1.0)));
        let (primal, tangent) = both.halves();
        prop_assert_eq!(primal.real().to_bits(), value.to_bits());
        let duals = bound(Value::Real(Dual64::new(fixed, 0.0)), None);
        let known = apply(run::<Dual64>(&f, &duals), Value::Real(Dual64::new(at, 1.0))).real().eps;
        let tangent = tangent.real();
        prop_assert!(near(tangent, known, 1e-8), "{tangent}, num-dual says {known}: {f:?}");
        // D of D goes through what D has left mixed.
        let again = dual(&df).expect("D of D");
        prop_assert_eq!(again.ty(), &dual_type(df.ty()).expect("D of a type"));
    }
}
