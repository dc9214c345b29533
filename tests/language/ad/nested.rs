//! Random nested terms: types, first and second derivatives.

use num_dual::{Dual2_64, Dual64};
use proptest::prelude::{
    BoxedStrategy, Just, ProptestConfig, Strategy, prop, prop_assert, prop_assert_eq, prop_oneof, proptest,
};
use redexter::ad::{dual, dual_type};
use redexter::term::{Prim, Term, Type};

use crate::ad::build::{build, c, fst, get, ifold, lam, let_in, op, pair, real, size, snd, x};
use crate::ad::calculus::{both, near};
use crate::support::machine::{Value, apply, pair as both_of, run};

/// A term of type real in the scope of one real variable, smooth where it is used and of moderate values.
fn term() -> BoxedStrategy<Term> {
    let leaf = prop_oneof![3 => Just(x(0)), 1 => (-2.0f64..2.0).prop_map(c)];
    leaf.prop_recursive(4, 24, 3, |inner| {
        let two = (inner.clone(), inner.clone());
        prop_oneof![
            inner.clone().prop_map(|a| op(Prim::Sin, &[&a])),
            inner.clone().prop_map(|a| op(Prim::Cos, &[&a])),
            inner.clone().prop_map(|a| op(Prim::Tanh, &[&a])),
            inner.clone().prop_map(|a| op(Prim::Neg, &[&a])),
            inner.clone().prop_map(|a| op(Prim::Abs, &[&a])),
            inner.clone().prop_map(|a| op(Prim::Exp, &[&op(Prim::Sin, &[&a])])),
            inner.clone().prop_map(|a| op(Prim::Log, &[&positive(&a)])),
            inner.clone().prop_map(|a| op(Prim::Sqrt, &[&positive(&a)])),
            (inner.clone(), 0i64..4).prop_map(|(a, k)| op(Prim::Pow, &[&op(Prim::Sin, &[&a]), &Term::int(k)])),
            (prop::sample::select(&[Prim::Add, Prim::Sub, Prim::Mul, Prim::Min, Prim::Max][..]), two.clone())
                .prop_map(|(prim, (a, b))| op(prim, &[&a, &b])),
            two.clone().prop_map(|(a, b)| op(Prim::Div, &[&a, &positive(&b)])),
            (two.clone(), inner.clone()).prop_map(|((a, b), t)| choice(&t, a, b)),
            two.clone().prop_map(|(a, b)| let_in("t", a, op(Prim::Add, &[&b, &b]).shift_from(0, 1))),
            two.clone().prop_map(|(a, b)| let_in("t", a, b)),
            two.clone().prop_map(|(a, b)| Term::app(lam("t", &real(), b), a).expect("an application")),
            two.clone().prop_map(|(a, b)| op(Prim::Sub, &[&fst(&pair(a.clone(), b.clone())), &snd(&pair(a, b))])),
            two.clone().prop_map(|(a, b)| element(a, b)),
            two.prop_map(|(a, b)| summed(&a, b)),
        ]
    })
    .boxed()
}

/// `1 + a * a`
fn positive(a: &Term) -> Term {
    op(Prim::Add, &[&c(1.0), &op(Prim::Mul, &[a, a])])
}

/// `if t < 0.3 then a else b`
fn choice(t: &Term, a: Term, b: Term) -> Term {
    Term::if_else(op(Prim::Lt, &[t, &c(0.3)]), a, b).expect("an if")
}

/// `[a, b, a][1] + (build 3 (fun i => real i * a))[2]`
fn element(a: Term, b: Term) -> Term {
    let index = |k| Term::fin(k, size(3)).expect("an index");
    let listed = Term::array(&real(), vec![a.clone(), b, a.clone()]).expect("an array");
    let i = Term::var(0, &Type::fin(size(3)));
    let built = build(3, op(Prim::Mul, &[&op(Prim::ToReal, &[&i]), &a.shift(1)]));
    op(Prim::Add, &[&get(listed, index(1)), &get(built, index(2))])
}

/// `ifold 3 (fun acc i => sin (acc + a) + pow (sin a) i) b`
fn summed(a: &Term, b: Term) -> Term {
    let i = Term::var(0, &Type::fin(size(3)));
    let a = a.shift(2);
    let power = op(Prim::Pow, &[&op(Prim::Sin, &[&a]), &i]);
    ifold(3, op(Prim::Add, &[&op(Prim::Sin, &[&op(Prim::Add, &[&x(1), &a])]), &power]), b)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn types_are_those_of_d(body in term()) {
        let f = lam("x", &real(), body);
        let df = dual(&f).expect("D");
        prop_assert_eq!(df.ty(), &dual_type(f.ty()).expect("D of a type"));
        let ddf = dual(&df).expect("D of D");
        prop_assert_eq!(ddf.ty(), &dual_type(df.ty()).expect("D of a type"));
        prop_assert_eq!(df.free().len(), 0);
    }

    #[test]
    fn first_derivatives(body in term(), at in -2.0f64..2.0) {
        let f = lam("x", &real(), body);
        let (primal, value, tangent) = both(&f, at);
        prop_assert_eq!(primal.to_bits(), value.to_bits());
        let known = apply(run::<Dual64>(&f, &None), Value::Real(Dual64::new(at, 1.0))).real().eps;
        prop_assert!(near(tangent, known, 1e-8), "{tangent}, num-dual says {known}: {f:?}");
    }

    #[test]
    fn second_derivatives(body in term(), at in -2.0f64..2.0) {
        let f = lam("x", &real(), body);
        let ddf = dual(&dual(&f).expect("D")).expect("D of D");
        let number = |a, b| both_of(Value::Real(a), Value::Real(b));
        let (first, second) = apply(run::<f64>(&ddf, &None), both_of(number(at, 1.0), number(1.0, 0.0))).halves();
        let ((_, slope), (again, curvature)) = (first.halves(), second.halves());
        let known = apply(run::<Dual2_64>(&f, &None), Value::Real(Dual2_64::new(at, 1.0, 0.0))).real();
        prop_assert!(near(slope.real(), known.v1, 1e-8));
        prop_assert!(near(again.real(), known.v1, 1e-8));
        let curvature = curvature.real();
        prop_assert!(near(curvature, known.v2, 1e-6), "{curvature}, num-dual says {}: {f:?}", known.v2);
    }

    #[test]
    fn a_free_variable_is_a_constant(body in term(), other in term(), at in -2.0f64..2.0, fixed in -2.0f64..2.0) {
        // In `fun x => body x * other y` with y free, only x changes.
        let y = other.shift(1);
        let f = lam("x", &real(), op(Prim::Mul, &[&body, &y]));
        let df = dual(&f).expect("D");
        let env = crate::support::machine::bound(Value::Real(fixed), None);
        let (_, tangent) = apply(run::<f64>(&df, &env), both_of(Value::Real(at), Value::Real(1.0))).halves();
        let tangent = tangent.real();
        let duals = crate::support::machine::bound(Value::Real(Dual64::new(fixed, 0.0)), None);
        let known = apply(run::<Dual64>(&f, &duals), Value::Real(Dual64::new(at, 1.0))).real().eps;
        prop_assert!(near(tangent, known, 1e-8), "{tangent}, num-dual says {known}: {f:?}");
    }
}
