//! The shape of a term: linear in the shapes of its parts, equal for equal terms.

use std::collections::HashMap;

use redexter::ground::Name;
use redexter::term::{Prim, Size, Term, Type};

use crate::laws::generate::Generator;
use crate::laws::subterms;

fn whole(seed: u64) -> Term {
    Generator::new(seed, true).program(5).term
}

#[test]
fn equal_terms_have_equal_shapes_and_other_skeletons_have_others() {
    let mut skeletons: HashMap<u64, Term> = HashMap::new();
    for term in (0..60).flat_map(|seed| subterms(&whole(seed))) {
        let other = skeletons.entry(term.shape()).or_insert_with(|| term.clone());
        assert_eq!((other.size(), other.depth()), (term.size(), term.depth()), "{other:?}\n{term:?}");
        assert!(other.kind().weight(0) % 2 == 1);
        let kinds = |t: &Term| std::mem::discriminant(t.kind());
        assert!(subterms(other).iter().map(kinds).eq(subterms(&term).iter().map(kinds)), "{other:?}\n{term:?}");
        assert_eq!(term.shift(3).shape(), term.shape());
    }
    assert!(skeletons.len() > 1_000, "{} skeletons", skeletons.len());
    for seed in 0..60 {
        let (one, two) = (whole(seed), whole(seed));
        assert_eq!(one, two);
        assert_eq!(one.shape(), two.shape());
    }
    let (x, y) = (Term::var(0, &Type::real()), Term::var(1, &Type::real()));
    let sub = |a: &Term, b: &Term| Term::prim(Prim::Sub, vec![a.clone(), b.clone()]).expect("a difference");
    assert_eq!(sub(&x, &y).shape(), sub(&y, &x).shape());
    let two = Term::real(2.0);
    assert_ne!(sub(&x, &two).shape(), sub(&two, &x).shape());
    assert_ne!(sub(&x, &two).shape(), sub(&x, &Term::real(-2.0)).shape());
}

/// Every place below a term with the product of the weights on its path.
fn places(term: &Term, path: &mut Vec<usize>, weight: u64, found: &mut Vec<(Vec<usize>, Term, u64)>) {
    found.push((path.clone(), term.clone(), weight));
    for (k, kid) in term.kids().iter().enumerate() {
        path.push(k);
        places(kid, path, weight.wrapping_mul(term.kind().weight(k)), found);
        path.pop();
    }
}

fn replaced(term: &Term, path: &[usize], new: &Term) -> Term {
    match path.split_first() {
        None => new.clone(),
        Some((k, rest)) => term.with_kid(*k, replaced(&term.kid(*k), rest, new)).expect("the type of the old one"),
    }
}

/// The same, with every node on the way made by its constructor.
fn remade(term: &Term, path: &[usize], new: &Term) -> Term {
    let Some((k, rest)) = path.split_first() else { return new.clone() };
    let mut kids = term.kids();
    kids[*k] = remade(&kids[*k], rest, new);
    term.with_kids(kids).expect("the type of the old one")
}

/// What the nodes on a path know of themselves.
fn known(term: &Term, path: &[usize]) -> Vec<(u64, u32, bool, u64, String)> {
    let free = format!("{:?}", term.free().collect::<Vec<_>>());
    let own = (term.size(), term.depth(), term.is_open(), term.shape(), free);
    let below = path.split_first().map_or(Vec::new(), |(k, rest)| known(&term.kid(*k), rest));
    [own].into_iter().chain(below).collect()
}

#[test]
fn a_replacement_that_mentions_the_same_is_known_as_if_made_by_constructors() {
    let (closed, open) = (Term::real(1.0), Term::size_value(&Size::var(&Name::new("n"))));
    let mut opened = 0;
    for seed in 0..60 {
        let term = whole(seed);
        let mut found = Vec::new();
        places(&term, &mut Vec::new(), 1, &mut found);
        for (path, old, _) in found {
            for value in [&closed, &open] {
                let new = Term::let_in(&Name::new("x"), value.clone(), old.shift(1)).expect("a let");
                let (now, anew) = (replaced(&term, &path, &new), remade(&term, &path, &new));
                assert_eq!(known(&now, &path), known(&anew, &path), "{path:?} in {term:?}");
                assert_eq!(now, anew, "{path:?} in {term:?}");
                assert_eq!(known(&replaced(&now, &path, &old), &path), known(&term, &path), "{path:?} in {term:?}");
                opened += u32::from(new.is_open() && !old.is_open());
            }
        }
    }
    assert!(opened > 1_000, "{opened} were opened");
}

#[test]
fn what_a_replacement_changes_is_the_difference_times_the_weights() {
    let mut count = 0;
    for seed in 0..60 {
        let term = whole(seed);
        let mut found = Vec::new();
        places(&term, &mut Vec::new(), 1, &mut found);
        for (path, old, weight) in found {
            let new = Term::let_in(&Name::new("x"), Term::real(1.0), old.shift(1)).expect("a let");
            let expected = weight.wrapping_mul(new.shape().wrapping_sub(old.shape()));
            let now = replaced(&term, &path, &new);
            assert_eq!(now.shape(), term.shape().wrapping_add(expected), "{path:?} in {term:?}");
            assert_ne!(now.shape(), term.shape());
            count += 1;
        }
    }
    assert!(count > 1_000, "{count} places");
}

#[test]
fn a_mark_is_the_nodes_own() {
    let (x, ty) = (Term::var(0, &Type::real()), Type::real());
    let sum = Term::prim(Prim::Add, vec![x.clone(), x]).expect("a sum");
    assert_eq!(sum.mark(), 0);
    sum.shift(2).set_mark(7);
    assert_eq!(sum.mark(), 7);
    let whole = Term::lam(&Name::new("y"), &ty, sum.clone()).expect("a function");
    assert_eq!((whole.mark(), whole.kid(0).mark()), (0, 7));
    let again = Term::prim(Prim::Add, vec![Term::var(0, &ty), Term::var(0, &ty)]).expect("a sum");
    assert_eq!((again.mark(), again == sum), (0, true));
}
