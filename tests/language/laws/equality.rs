//! Equality, fingerprints and what a node knows of itself, against naive counterparts.

use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};

use redexter::term::{Kind, Term};

use crate::laws::generate::Generator;
use crate::laws::named::{Fresh, Named};
use crate::laws::subterms;

#[test]
fn equality_is_equality_up_to_bound_names() {
    let (mut equal, hasher) = (0, RandomState::new());
    for seed in 0..40 {
        let mut terms = subterms(&Generator::new(seed, true).program(4).term);
        terms.truncate(40);
        let named: Vec<Named> = terms.iter().map(|t| Fresh::default().named(t)).collect();
        for (a, x) in terms.iter().zip(&named) {
            for (b, y) in terms.iter().zip(&named) {
                let same = x.alpha(y) && a.ty() == b.ty() && types_agree(a, b);
                assert_eq!(a == b, same, "{a:?}\n{b:?}");
                if same {
                    equal += 1;
                    assert_eq!(a.fingerprint(), b.fingerprint());
                    assert_eq!(hasher.hash_one(a), hasher.hash_one(b));
                }
            }
        }
    }
    assert!(equal > 1000, "{equal} equal pairs");
}

/// Terms of different scopes may call variables of different types by one index.
fn types_agree(a: &Term, b: &Term) -> bool {
    a.free().all(|(i, f)| b.free_at(i).is_none_or(|g| f.ty == g.ty))
}

#[test]
fn a_fingerprint_ignores_where_free_variables_are_bound_and_nothing_else() {
    for seed in 0..40 {
        for term in subterms(&Generator::new(seed, true).program(4).term) {
            assert_eq!(term.shift(3).fingerprint(), term.fingerprint());
            let moved = term.shift(3);
            assert_eq!(moved == term, term.free().len() == 0, "{term:?}");
        }
    }
}

#[test]
fn a_node_knows_its_size_depth_and_variables() {
    for seed in 0..60 {
        for term in subterms(&Generator::new(seed, true).program(5).term) {
            assert_eq!(term.size(), term.kids().iter().map(|kid| kid.size()).sum::<u64>() + 1);
            assert_eq!(term.depth(), term.kids().iter().map(|kid| kid.depth()).max().unwrap_or(0) + 1);
            let known: HashSet<(u32, u32)> = term.free().map(|(i, f)| (i, f.count)).collect();
            let mut counted = std::collections::HashMap::new();
            count(&term, 0, &mut counted);
            assert_eq!(known, counted.into_iter().collect(), "{term:?}");
        }
    }
}

pub fn count(term: &Term, under: u32, found: &mut std::collections::HashMap<u32, u32>) {
    if let Kind::Var = term.kind() {
        let index = term.free().next().expect("a variable").0;
        if let Some(free) = index.checked_sub(under) {
            *found.entry(free).or_default() += 1;
        }
    }
    for k in 0..term.kid_count() {
        count(&term.kid(k), under + term.kind().binders(k), found);
    }
}
