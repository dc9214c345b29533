//! What the terms that D makes look like, what it refuses, and what it costs.

use redexter::ad::{AdError, dual, dual_type};
use redexter::ground::{Name, with_stack};
use redexter::term::{Prim, Size, Term, Type, View};

use crate::ad::build::{build, c, fst, get, ifold, lam, let_in, op, pair, real, size, snd, x};
use crate::support::machine;

fn number() -> Type {
    Type::pair(real(), real())
}

/// The dual variable with this index.
fn dx(index: u32) -> Term {
    Term::var(index, &number())
}

#[test]
fn types_go_part_by_part() {
    let n = Size::var(&Name::new("n"));
    let f = Type::fun(Type::array(n.clone(), real()), Type::pair(Type::int(), Type::fin(n.clone())));
    let df = Type::fun(Type::array(n.clone(), number()), Type::pair(Type::int(), Type::fin(n)));
    assert_eq!(dual_type(&f), Ok(df));
}

#[test]
fn a_shared_type_costs_what_is_different_in_it() {
    let deep = (0..60).fold(real(), |t, _| Type::pair(t.clone(), t));
    let dual = dual_type(&deep).expect("D of a type");
    assert_eq!(dual, (0..61).fold(real(), |t, _| Type::pair(t.clone(), t)));
}

#[test]
fn a_product_binds_its_operands() {
    let sines = op(Prim::Mul, &[&op(Prim::Sin, &[&x(0)]), &x(0)]);
    let sine = pair(op(Prim::Sin, &[&fst(&dx(0))]), op(Prim::Mul, &[&op(Prim::Cos, &[&fst(&dx(0))]), &snd(&dx(0))]));
    // Under the binder of the sine, index 0 is the sine and index 1 the variable.
    let tangent =
        op(Prim::Add, &[&op(Prim::Mul, &[&fst(&dx(0)), &snd(&dx(1))]), &op(Prim::Mul, &[&snd(&dx(0)), &fst(&dx(1))])]);
    let product = let_in("x", sine, pair(op(Prim::Mul, &[&fst(&dx(0)), &fst(&dx(1))]), tangent));
    assert_eq!(dual(&lam("x", &real(), sines)), Ok(lam("x", &number(), product)));
}

#[test]
fn a_shared_result_is_bound() {
    let exponential = lam("x", &real(), op(Prim::Exp, &[&x(0)]));
    let body = let_in("r", op(Prim::Exp, &[&fst(&dx(0))]), pair(x(0), op(Prim::Mul, &[&x(0), &snd(&dx(1))])));
    assert_eq!(dual(&exponential), Ok(lam("x", &number(), body)));
}

#[test]
fn names_stay() {
    let f = lam("weight", &real(), let_in("score", op(Prim::Sin, &[&x(0)]), x(0)));
    let View::Lam(outer, _, body) = dual(&f).expect("D").view() else { panic!("no λ") };
    let View::Let(inner, _, _) = body.view() else { panic!("no let") };
    assert_eq!((outer.as_str(), inner.as_str()), ("weight", "score"));
    // Equal nodes with other names keep their own.
    let named = |n: &str| lam(n, &real(), op(Prim::Sin, &[&x(0)]));
    let View::Pair(a, b) = dual(&pair(named("a"), named("b"))).expect("D").view() else { panic!("no pair") };
    let (View::Lam(a, ..), View::Lam(b, ..)) = (a.view(), b.view()) else { panic!("no λ") };
    assert_eq!((a.as_str(), b.as_str()), ("a", "b"));
}

#[test]
fn constants_are_lifted() {
    assert_eq!(dual(&x(3)), Ok(pair(x(3), c(0.0))));
    let v = Term::var(0, &Type::array(size(4), real()));
    let i = Term::var(0, &Type::fin(size(4)));
    let lifted = build(4, pair(get(v.shift(1), i.clone()), c(0.0)));
    assert_eq!(dual(&v), Ok(lifted));
    let p = Term::var(2, &Type::pair(Type::int(), real()));
    assert_eq!(dual(&p), Ok(pair(fst(&p), pair(snd(&p), c(0.0)))));
    let ints = Term::var(1, &Type::array(size(4), Type::int()));
    assert_eq!(dual(&ints), Ok(ints));
}

#[test]
fn a_part_of_a_constant_is_lifted_where_it_is_taken() {
    // fun i => fst v[i], with v free: no copy of v.
    let v = Term::var(1, &Type::array(size(4), number()));
    let i = Term::var(0, &Type::fin(size(4)));
    let part = fst(&get(v, i));
    let f = lam("i", &Type::fin(size(4)), part.clone());
    assert_eq!(dual(&f), Ok(lam("i", &Type::fin(size(4)), pair(part, c(0.0)))));
}

/// The paper's D would make `let x := (c, 0); …` of each of these.
#[test]
fn what_no_active_variable_reaches_stays_as_it_is() {
    let root = op(Prim::Sqrt, &[&x(0)]);
    let zero = |e: Term| pair(e, c(0.0));
    // Below the λ the constant has the index 1.
    assert_eq!(dual(&lam("y", &real(), root.shift(1))), Ok(lam("y", &number(), zero(root.shift(1)))));
    // A name for a constant is one, too.
    let named = let_in("k", root.clone(), op(Prim::Sqrt, &[&x(0)]));
    assert_eq!(dual(&named), Ok(let_in("k", root.clone(), zero(op(Prim::Sqrt, &[&x(0)])))));
    let beside = lam("y", &real(), let_in("k", root.shift(1), pair(op(Prim::Sqrt, &[&x(0)]), x(1))));
    let kept = let_in("k", root.shift(1), pair(zero(op(Prim::Sqrt, &[&x(0)])), dx(1)));
    assert_eq!(dual(&beside), Ok(lam("y", &number(), kept)));
    // An index has no tangent, and neither has what is computed of it.
    let of_index = build(3, op(Prim::Sqrt, &[&op(Prim::ToReal, &[&Term::var(0, &Type::fin(size(3)))])]));
    let View::Build(_, element) = of_index.view() else { panic!("no build") };
    let lifted = lam("i", &Type::fin(size(3)), zero(element.kid(0)));
    assert_eq!(dual(&of_index), Ok(Term::build(size(3), lifted).expect("a build")));
}

/// `(let a := y; let b := k; sin a * b) + (let a := k; let b := y; sin a * b)` with one body, in which another name is active.
#[test]
fn a_body_that_stands_in_two_places_is_active_where_what_it_names_is() {
    let body = op(Prim::Mul, &[&op(Prim::Sin, &[&x(1)]), &x(0)]);
    let by_first = let_in("a", x(0), let_in("b", x(2), body.clone()));
    let by_second = let_in("a", x(1), let_in("b", x(1), body));
    let f = dual(&lam("y", &real(), op(Prim::Add, &[&by_first, &by_second]))).expect("D");
    let f = Term::app(lam("k", &real(), f), c(0.5)).expect("an application");
    let slope = snd(&Term::app(f, pair(c(2.0), c(1.0))).expect("an application"));
    let slope = machine::run::<f64>(&slope, &None).real();
    assert!((slope - (2.0f64.cos() * 0.5 + 0.5f64.sin())).abs() < 1e-12, "{slope}");
}

#[test]
fn zeros_are_put_beside_what_is_computed_once() {
    let numbers = Term::array(&real(), vec![c(2.0), x(0)]).expect("an array");
    let lifted = Term::array(&number(), vec![pair(c(2.0), c(0.0)), pair(x(0), c(0.0))]).expect("an array");
    assert_eq!(dual(&numbers), Ok(lifted));
    // `ifold 2 (fun v i => build 3 (fun j => v[j] + v[j])) w`, for a free w.
    let w = Term::var(0, &Type::array(size(3), real()));
    let j = Term::var(0, &Type::fin(size(3)));
    let element = get(Term::var(2, w.ty()), j.clone());
    let fold = ifold(2, build(3, op(Prim::Add, &[&element, &element])), w);
    let zeros = build(3, pair(get(Term::var(1, fold.ty()), j), c(0.0)));
    assert_eq!(dual(&fold), Ok(let_in("constant", fold, zeros)));
}

#[test]
fn the_slope_of_a_choice_asks_for_the_value() {
    let larger = lam("p", &Type::pair(real(), real()), {
        let p = Term::var(0, &Type::pair(real(), real()));
        op(Prim::Max, &[&fst(&p), &snd(&p)])
    });
    let p = |under: u32| Term::var(under, &Type::pair(number(), number()));
    let inner = {
        // Under the names of both operands and of the result.
        let chosen = op(Prim::Eq, &[&x(0), &fst(&dx(2))]);
        pair(x(0), Term::if_else(chosen, snd(&dx(2)), snd(&dx(1))).expect("an if"))
    };
    let value = op(Prim::Max, &[&fst(&dx(1)), &fst(&dx(0))]);
    let body = let_in("x", fst(&p(0)), let_in("y", snd(&p(1)), let_in("r", value, inner)));
    assert_eq!(dual(&larger), Ok(lam("p", p(0).ty(), body)));
}

#[test]
fn what_has_no_derivative_is_refused() {
    let trigamma = lam("x", &real(), op(Prim::Trigamma, &[&x(0)]));
    assert_eq!(dual(&trigamma), Err(AdError::NotDifferentiable(Prim::Trigamma)));
    let lgamma = lam("x", &real(), op(Prim::Lgamma, &[&x(0)]));
    let thrice = dual(&lgamma).and_then(|d| dual(&d)).and_then(|d| dual(&d));
    assert_eq!(thrice, Err(AdError::NotDifferentiable(Prim::Trigamma)));
    let ty = Type::fun(real(), real());
    let applied = lam("x", &real(), Term::app(Term::var(3, &ty), x(0)).expect("an application"));
    assert_eq!(dual(&applied), Err(AdError::FreeFunction { index: 2, ty }));
    let unknown = Type::var(&Name::new("a"));
    assert_eq!(dual(&lam("x", &unknown, c(1.0))), Err(AdError::TypeVariable(unknown)));
    let deep = (0..60).fold(real(), |t, _| Type::pair(t.clone(), t));
    assert_eq!(dual(&Term::var(0, &deep)), Err(AdError::TooManyParts(deep)));
}

#[test]
fn shared_subterms_are_done_once() {
    let mut e = op(Prim::Sin, &[&x(0)]);
    for _ in 0..200 {
        e = op(Prim::Add, &[&e, &e]);
    }
    let df = dual(&lam("x", &real(), e)).expect("D");
    assert_eq!(df.ty(), &Type::fun(number(), number()));
}

#[test]
fn shared_subterms_are_done_once_under_binders() {
    // The variable has another index at each use.
    let done = with_stack(1_000, || {
        let mut e = op(Prim::Sin, &[&x(0)]);
        for _ in 0..200 {
            e = ifold(2, op(Prim::Add, &[&x(1), &e.shift(2)]), e);
        }
        dual(&lam("x", &real(), e)).is_ok()
    });
    assert!(done.expect("a stack"));
}

/// One subterm with a constant in one place and with a bound variable in another.
#[test]
fn what_is_shared_is_a_constant_in_one_place_and_dual_in_another() {
    let sine = op(Prim::Mul, &[&op(Prim::Sin, &[&x(0)]), &op(Prim::Sin, &[&x(0)])]);
    let function = lam("x", &real(), sine.clone());
    let alone = |term: &Term| dual(term).expect("D");
    let constant_first = dual(&pair(sine.clone(), function.clone())).expect("D");
    assert_eq!(constant_first, pair(alone(&sine), alone(&function)));
    assert_eq!(dual(&pair(function.clone(), sine.clone())), Ok(pair(alone(&function), alone(&sine))));
}

#[test]
fn the_stack_that_depth_is_given_suffices() {
    let done = with_stack(20_000, || {
        let e = (0..19_000).fold(x(0), |e, _| op(Prim::Sin, &[&e]));
        dual(&lam("x", &real(), e)).is_ok()
    });
    assert!(done.expect("a stack"));
}
