//! Classifies loops by what they make: an array, a sum, or what a fold of another kind makes of its state.

use rustc_hash::FxHashSet;

use redexter_language::term::{Kind, Path, Prim, Term, View};

/// The kind of result that a loop makes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LoopShape {
    /// An array.
    Build,
    /// A sum: to its state it only adds.
    Sum,
    /// Something else of its state; where that is an operand of an operation other than such an addition, that.
    Fold(Option<Path>),
}

/// The kind of result of a loop that stands at a place.
pub(super) fn shape(term: &Term, at: &Path) -> LoopShape {
    if let Kind::Build(_) = term.kind() {
        return LoopShape::Build;
    }
    let below = |term: &Term| matches!(term.kind(), Kind::Lam(..)).then(|| term.kid(0));
    match below(&term.kid(0)).and_then(|inner| below(&inner)) {
        Some(body) if adds_only(&body, 1) => LoopShape::Sum,
        Some(body) => {
            let mut here = Path([&at.0[..], &[0, 0, 0]].concat());
            LoopShape::Fold(operand(&body, (1, true), &mut here, &mut FxHashSet::default()))
        }
        None => LoopShape::Fold(None),
    }
}

/// Whether a term is the state, the variable with this index, and what is added to it.
fn adds_only(term: &Term, state: u32) -> bool {
    let mentions = |term: &Term| term.occurrences(state) > 0;
    match term.view() {
        View::Var(index, ..) => index == state,
        View::Prim(Prim::Add, all) => match &all[..] {
            [a, b] if mentions(a) => !mentions(b) && adds_only(a, state),
            [_, b] => adds_only(b, state),
            _ => false,
        },
        View::Prim(Prim::Sub, all) => matches!(&all[..], [a, b] if !mentions(b) && adds_only(a, state)),
        View::If(c, a, b) => !mentions(&c) && adds_only(&a, state) && adds_only(&b, state),
        View::Guard(_, _, c, a, b) => !mentions(&c) && adds_only(&a, state + 1) && adds_only(&b, state),
        View::Let(_, value, body) => !mentions(&value) && adds_only(&body, state + 1),
        _ => false,
    }
}

/// Terms with the state in them, at this index and free or not, in which no such operation is.
type BarrenTerms = FxHashSet<(Term, u32, bool)>;

/// The first operation, other than a `free` addition, that has the state or a half of it as an operand.
fn operand(term: &Term, (state, free): (u32, bool), here: &mut Path, barren: &mut BarrenTerms) -> Option<Path> {
    if term.occurrences(state) == 0 || barren.contains(&(term.clone(), state, free)) {
        return None;
    }
    let is_state = |term: &Term| match term.kind() {
        Kind::Var => term.places()[0] == state,
        Kind::Fst | Kind::Snd => matches!(term.kid(0).kind(), Kind::Var) && term.kid(0).places()[0] == state,
        _ => false,
    };
    let adds = |k: usize| match term.kind() {
        Kind::Prim(Prim::Add) => true,
        Kind::Prim(Prim::Sub) => k == 0,
        _ => false,
    };
    let passes = |k: usize| match term.kind() {
        Kind::Pair => true,
        Kind::If | Kind::Guard(..) => k > 0,
        Kind::Let(_) => k == 1,
        _ => adds(k),
    };
    for k in 0..term.kid_count() {
        let (kid, free) = (term.kid(k), free && passes(k));
        if is_state(&kid) && matches!(term.kind(), Kind::Prim(_)) && !free {
            return Some(here.clone());
        }
        here.0.push(k as u32);
        let found = operand(&kid, (state + term.binders(k), free), here, barren);
        here.0.pop();
        if found.is_some() {
            return found;
        }
    }
    barren.insert((term.clone(), state, free));
    None
}
