//! Each primitive by itself, at random points: against `num-dual` and against finite differences.

use num_dual::Dual64;
use proptest::prelude::{ProptestConfig, Strategy, prop, prop_assert, prop_assert_eq, proptest};
use redexter::ad::dual;
use redexter::term::{Prim, Term, Type};

use crate::ad::build::{c, fst, ifold, lam, op, real, size, x};
use crate::support::machine::{Value, apply, pair, run};

/// The value of `f : real -> real`, then value and tangent of D of it.
pub fn both(f: &Term, at: f64) -> (f64, f64, f64) {
    let primal = apply(run::<f64>(f, &None), Value::Real(at)).real();
    let df = dual(f).expect("D");
    let (value, tangent) = apply(run::<f64>(&df, &None), pair(Value::Real(at), Value::Real(1.0))).halves();
    (primal, value.real(), tangent.real())
}

pub fn near(a: f64, b: f64, tolerance: f64) -> bool {
    (a - b).abs() <= tolerance * (1.0 + a.abs().max(b.abs()))
}

fn difference(f: &Term, at: f64) -> f64 {
    let h = 1e-6 * (1.0 + at.abs());
    let value = |at| apply(run::<f64>(f, &None), Value::Real(at)).real();
    (value(at + h) - value(at - h)) / (2.0 * h)
}

fn unary() -> impl Strategy<Value = Prim> {
    let all: Vec<Prim> = Prim::of_one_real().filter(|p| !matches!(p, Prim::Lgamma | Prim::Digamma)).collect();
    assert!(all.len() >= 22, "{all:?}");
    prop::sample::select(all)
}

fn binary() -> impl Strategy<Value = Prim> {
    prop::sample::select(&[Prim::Add, Prim::Sub, Prim::Mul, Prim::Div, Prim::Min, Prim::Max, Prim::Atan2][..])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn functions_of_one_number(prim in unary(), at in 0.1f64..4.0, negative: bool) {
        let at = if negative && !matches!(prim, Prim::Log | Prim::Sqrt | Prim::Log1p) { -at } else { at };
        // Within the domain, and off where the tangent has poles.
        let at = if matches!(prim, Prim::Asin | Prim::Acos | Prim::Tan) { at / 4.1 } else { at };
        // Off the jumps.
        let jumps = matches!(prim, Prim::Floor | Prim::Ceil | Prim::Round);
        let at = if jumps && (2.0 * at - (2.0 * at).round()).abs() < 1e-3 { at + 0.1 } else { at };
        let f = lam("x", &real(), op(prim, &[&x(0)]));
        let (primal, value, tangent) = both(&f, at);
        prop_assert_eq!(primal.to_bits(), value.to_bits());
        let known = apply(run::<Dual64>(&f, &None), Value::Real(Dual64::new(at, 1.0))).real();
        prop_assert!(near(tangent, known.eps, 1e-12), "{prim:?} at {at}: {tangent}, num-dual says {}", known.eps);
        prop_assert!(near(tangent, difference(&f, at), 1e-6), "{prim:?} at {at}: {tangent}");
    }

    #[test]
    fn functions_of_two_numbers(prim in binary(), at in -4.0f64..4.0, a in 0.2f64..2.0, b in -2.0f64..2.0) {
        // Both operands change: a*x + b and sin x + 2.
        let left = op(Prim::Add, &[&op(Prim::Mul, &[&c(a), &x(0)]), &c(b)]);
        let right = op(Prim::Add, &[&op(Prim::Sin, &[&x(0)]), &c(2.0)]);
        let f = lam("x", &real(), op(prim, &[&left, &right]));
        let (primal, value, tangent) = both(&f, at);
        prop_assert_eq!(primal.to_bits(), value.to_bits());
        let known = apply(run::<Dual64>(&f, &None), Value::Real(Dual64::new(at, 1.0))).real();
        prop_assert!(near(tangent, known.eps, 1e-12), "{prim:?} at {at}: {tangent}, num-dual says {}", known.eps);
    }

    #[test]
    fn powers(k in -4i64..6, at in -3.0f64..3.0) {
        let constant = lam("x", &real(), op(Prim::Pow, &[&x(0), &Term::int(k)]));
        let computed = lam("x", &real(), op(Prim::Pow, &[&x(0), &op(Prim::Add, &[&Term::int(k - 1), &Term::int(1)])]));
        let known = k as f64 * at.powi(k as i32 - 1);
        for f in [constant, computed] {
            let (primal, value, tangent) = both(&f, at);
            prop_assert_eq!(primal.to_bits(), value.to_bits());
            prop_assert!(near(tangent, known, 1e-12), "k = {k} at {at}: {tangent}");
        }
    }

    #[test]
    fn real_powers(at in 0.1f64..4.0, a in 0.2f64..2.0, b in -2.0f64..2.0) {
        // Base and exponent change: x and a*x + b; then the base alone, by a number, and the exponent alone.
        let exponent = op(Prim::Add, &[&op(Prim::Mul, &[&c(a), &x(0)]), &c(b)]);
        for f in [
            op(Prim::RealPow, &[&x(0), &exponent]),
            op(Prim::RealPow, &[&x(0), &c(b)]),
            op(Prim::RealPow, &[&c(a), &x(0)]),
        ] {
            let f = lam("x", &real(), f);
            let (primal, value, tangent) = both(&f, at);
            prop_assert_eq!(primal.to_bits(), value.to_bits());
            let known = apply(run::<Dual64>(&f, &None), Value::Real(Dual64::new(at, 1.0))).real();
            prop_assert!(near(tangent, known.eps, 1e-11), "at {at}: {tangent}, num-dual says {}", known.eps);
            prop_assert!(near(tangent, difference(&f, at), 1e-5), "at {at}: {tangent}");
        }
    }

    #[test]
    fn negative_bases_have_slopes_where_the_exponent_is_whole(k in -3i32..5, at in 0.2f64..3.0) {
        let by_number = lam("x", &real(), op(Prim::RealPow, &[&x(0), &c(f64::from(k))]));
        let sum = op(Prim::Add, &[&c(f64::from(k) - 1.0), &c(1.0)]);
        let computed = lam("x", &real(), op(Prim::RealPow, &[&x(0), &sum]));
        for f in [by_number, computed] {
            let expected = f64::from(k) * (-at).powi(k - 1);
            prop_assert!(near(both(&f, -at).2, expected, 1e-12), "{k} at {at}");
        }
    }

    #[test]
    fn digamma_has_the_derivative_trigamma(at in 0.3f64..20.0) {
        let f = lam("x", &real(), op(Prim::Digamma, &[&x(0)]));
        let (primal, value, tangent) = both(&f, at);
        prop_assert_eq!(primal.to_bits(), value.to_bits());
        prop_assert!(near(tangent, difference(&f, at), 1e-6));
    }

    #[test]
    fn lgamma_has_the_derivative_digamma(at in 0.3f64..20.0) {
        let f = lam("x", &real(), op(Prim::Lgamma, &[&x(0)]));
        let (primal, value, tangent) = both(&f, at);
        prop_assert_eq!(primal.to_bits(), value.to_bits());
        prop_assert!(near(tangent, difference(&f, at), 1e-6));
    }
}

#[test]
fn powers_at_zero_have_no_nan() {
    // Σ_i x^i over i : fin 3, whose derivative at 0 is 1.
    let index = Term::var(0, &Type::fin(size(3)));
    let f = lam("x", &real(), ifold(3, op(Prim::Add, &[&x(1), &op(Prim::Pow, &[&x(2), &index])]), c(0.0)));
    assert_eq!(both(&f, 0.0), (1.0, 1.0, 1.0));
    assert_eq!(both(&f, 2.0), (7.0, 7.0, 5.0));
    let constant = lam("x", &real(), op(Prim::Pow, &[&x(0), &Term::int(0)]));
    assert_eq!(both(&constant, 0.0), (1.0, 1.0, 0.0));
}

#[test]
fn kinks_and_ties_are_as_documented() {
    let abs = lam("x", &real(), op(Prim::Abs, &[&x(0)]));
    assert_eq!(both(&abs, 0.0).2, 1.0);
    for prim in [Prim::Min, Prim::Max] {
        // x against 2 x, equal at 0: the left operand's tangent.
        let f = lam("x", &real(), op(prim, &[&x(0), &op(Prim::Mul, &[&c(2.0), &x(0)])]));
        assert_eq!(both(&f, 0.0).2, 1.0);
    }
}

#[test]
fn comparisons_look_at_primals() {
    let test = op(Prim::Lt, &[&x(0), &c(1.0)]);
    let square = op(Prim::Mul, &[&x(0), &x(0)]);
    let f = lam("x", &real(), Term::if_else(test, square, c(3.0)).expect("an if"));
    assert_eq!(both(&f, 0.5), (0.25, 0.25, 1.0));
    assert_eq!(both(&f, 2.0), (3.0, 3.0, 0.0));
}

#[test]
fn conversions_have_the_tangent_zero() {
    let f = lam("i", &Type::int(), op(Prim::ToReal, &[&Term::var(0, &Type::int())]));
    let (value, tangent) = apply(run::<f64>(&dual(&f).expect("D"), &None), Value::Int(7)).halves();
    assert_eq!((value.real(), tangent.real()), (7.0, 0.0));
}

#[test]
fn directions_add_up_over_pairs() {
    let p = Term::var(0, &Type::pair(real(), real()));
    let f = lam("p", p.ty(), op(Prim::Mul, &[&fst(&p), &crate::ad::build::snd(&p)]));
    let real_pair = |a, b| pair(Value::Real(a), Value::Real(b));
    let at = pair(real_pair(3.0, 1.0), real_pair(5.0, 10.0));
    let (value, tangent) = apply(run::<f64>(&dual(&f).expect("D"), &None), at).halves();
    assert_eq!((value.real(), tangent.real()), (15.0, 35.0));
}
