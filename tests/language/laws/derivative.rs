//! D keeps its promise on types for generated terms.

use redexter::ad::{AdError, dual, dual_type};
use redexter::term::Prim;

use crate::laws::generate::Generator;
use crate::laws::subterms;

#[test]
fn d_of_a_term_has_d_of_its_type() {
    let mut seen = 0;
    for seed in 0..150 {
        let whole = Generator::new(seed, true).program(5).term;
        for term in subterms(&whole) {
            match dual(&term) {
                Ok(done) => {
                    assert_eq!(*done.ty(), dual_type(term.ty()).expect("a type without variables"), "{term:?}");
                    assert!(done.free().all(|(i, f)| term.free_at(i).is_some_and(|g| g.ty == f.ty)), "{term:?}");
                    seen += 1;
                }
                Err(AdError::NotDifferentiable(Prim::Trigamma)) => {}
                Err(AdError::FreeFunction { index, .. }) => {
                    assert!(term.free_at(index).is_some_and(|f| f.ty.has_function()));
                }
                Err(other) => panic!("{other}: {term:?}"),
            }
        }
    }
    assert!(seen > 2000, "{seen} terms");
}
