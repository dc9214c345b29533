//! Moving terms between scopes and substituting, against the naive reference.

use redexter::ground::Name;
use redexter::term::{Kind, Prim, Term, Type, TypeView, View};

use crate::laws::generate::Generator;
use crate::laws::named::{Fresh, Named};
use crate::laws::subterms;

/// An index that no generated term uses.
const UNUSED: u32 = 50;

fn terms() -> Vec<Term> {
    (0..60).flat_map(|seed| subterms(&Generator::new(seed, true).program(5).term)).collect()
}

fn agrees(found: &Term, expected: &Named, of: &Term) {
    assert!(Fresh::default().named(found).alpha(expected), "{of:?}\ngives {found:?}");
}

/// `free i` to the variable with index `to(i)`.
fn moved(term: &Term, to: impl Fn(u32) -> u32) -> Named {
    let index = |name: &str| name.strip_prefix("free ").and_then(|i| i.parse::<u32>().ok());
    Fresh::default().named(term).replace(&|name| Some(Named::Var(format!("free {}", to(index(name)?)))))
}

/// A term of a type that mentions the unused variables.
fn filler(ty: &Type) -> Term {
    match ty.view() {
        TypeView::Real => {
            let x = Term::var(UNUSED, ty);
            Term::prim(Prim::Mul, vec![x, Term::real(2.0)]).expect("a product")
        }
        TypeView::Fun(from, to) => {
            let hint = redexter::ground::Name::new("x");
            Term::lam(&hint, from, filler(to).shift(1)).expect("a function")
        }
        _ => Term::var(UNUSED + 1 + (ty.fingerprint() % 1000) as u32, ty),
    }
}

#[test]
fn shifting_moves_free_variables_only() {
    for term in terms() {
        for (cutoff, by) in [(0, 1), (0, 7), (1, 2), (3, 1)] {
            let expected = moved(&term, |i| if i >= cutoff { i + by } else { i });
            agrees(&term.shift_from(cutoff, by), &expected, &term);
        }
        assert_eq!(term.shift(3), term.shift(1).shift(2));
    }
}

#[test]
fn lowering_undoes_shifting_and_refuses_to_lose_a_variable() {
    for term in terms() {
        assert_eq!(term.shift(2).lower(2).as_ref(), Some(&term));
        let mentions = term.free().any(|(i, _)| i < 2);
        match term.lower(2) {
            Some(lower) => {
                assert!(!mentions, "{term:?}");
                agrees(&lower, &moved(&term, |i| i - 2), &term);
            }
            None => assert!(mentions, "{term:?}"),
        }
    }
}

#[test]
fn renaming_is_renaming_even_where_two_become_one() {
    for term in terms() {
        agrees(&term.rename(|i| 20 - i), &moved(&term, |i| 20 - i), &term);
        let apart = Term::pair(term.clone(), term.shift(10)).expect("a pair");
        let merged = apart.rename(|i| i % 10);
        agrees(&merged, &moved(&apart, |i| i % 10), &apart);
        assert_eq!(merged, Term::pair(term.clone(), term).expect("a pair"));
    }
}

#[test]
fn instantiating_is_substituting_for_the_innermost_variable() {
    let (mut lets, mut lambdas) = (0, 0);
    for term in terms() {
        let (value, body) = match term.view() {
            View::Let(_, value, body) => (value, body),
            View::Lam(_, ty, body) => (filler(&ty), body),
            _ => continue,
        };
        match term.kind() {
            Kind::Let(_) => lets += 1,
            _ => lambdas += 1,
        }
        let expected = substituted(&body, &|i| match i.checked_sub(1) {
            None => value.clone(),
            Some(outer) => Term::var(outer, body.free_at(i).expect("a free variable").ty),
        });
        let found = body.instantiate(&value).expect("a value of the variable's type");
        agrees(&found, &expected, &body);
        assert_eq!(found.ty(), body.ty());
    }
    assert!(lets > 50 && lambdas > 200, "{lets} lets, {lambdas} lambdas");
}

/// One node means another variable under one binder more.
#[test]
fn instantiating_tells_a_shared_node_apart_under_other_binders() {
    let var = |i: u32| Term::var(i, &Type::real());
    let twice = |i: u32| Term::binary(Prim::Mul, var(i), var(i)).expect("reals");
    let shared = Term::binary(Prim::Add, twice(0), twice(1)).expect("reals");
    let inner = Term::let_in(&Name::new("y"), Term::real(1.0), shared.clone()).expect("a let");
    for body in [(shared.clone(), inner.clone()), (inner, shared)].map(|(a, b)| Term::pair(a, b).expect("a pair")) {
        let value = Term::unary(Prim::Sin, var(7)).expect("a real");
        let expected = substituted(&body, &|i| if i == 0 { value.clone() } else { var(i - 1) });
        agrees(&body.instantiate(&value).expect("a real"), &expected, &body);
    }
}

#[test]
fn substituting_replaces_everything_at_once() {
    for term in terms() {
        let ty = |i: u32| term.free_at(i).expect("a free variable").ty.clone();
        let to = |i: u32| if i.is_multiple_of(2) { filler(&ty(i)) } else { Term::var(i + 1, &ty(i)) };
        let found = term.substitute(&to).expect("terms of the variables' types");
        agrees(&found, &substituted(&term, &to), &term);
        assert_eq!(found.ty(), term.ty());
        let same = term.substitute(&|i| Term::var(i, &ty(i))).expect("the variables themselves");
        assert_eq!(same, term);
    }
}

fn substituted(term: &Term, to: &dyn Fn(u32) -> Term) -> Named {
    let mut fresh = Fresh::default();
    let named = fresh.named(term);
    let fresh = std::cell::RefCell::new(fresh);
    named.replace(&|name| {
        let index = name.strip_prefix("free ")?.parse().ok()?;
        Some(fresh.borrow_mut().named(&to(index)))
    })
}
