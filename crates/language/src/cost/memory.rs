//! Counts the numbers that a term stores besides its result, as a polynomial in its open sizes.

use rustc_hash::FxHashMap;

use super::Poly;
use crate::term::{Kind, Term, Type, TypeView, View};

/// Counts the numbers in the arrays that a term computes besides its result: each array once, however often it is computed, and
/// a fold's state once, as a loop in place has them. Halves of pairs are numbers of their own. What functions compute that
/// aren't written out isn't counted; a choice counts as both branches. It is an upper bound of what a loop nest needs that fuses
/// nothing, but for the next states of folds that can't be written in place.
///
/// Computing a row or a choice of arrays writes where the whole stands. Shared nodes count where they stand.
pub fn memory(term: &Term) -> Poly {
    let (_, body) = term.applied();
    MemoryCounter::default().of(&body, true)
}

#[derive(Default)]
struct MemoryCounter(FxHashMap<(Term, bool), Poly>);

impl MemoryCounter {
    /// Of a term whose value has a place to go to, or none.
    fn of(&mut self, term: &Term, has_place: bool) -> Poly {
        if term.kid_count() == 0 {
            return Poly::default();
        }
        let key = (term.clone(), has_place);
        if let Some(known) = self.0.get(&key) {
            return known.clone();
        }
        let own = match term.kind() {
            kind if !has_place && (kind.is_loop() || matches!(kind, Kind::Array(_))) => numbers(term.ty()),
            _ => Poly::default(),
        };
        let kids = match term.view() {
            View::Let(_, value, body) => self.of(&value, false).plus(&self.of(&body, has_place)),
            View::App(f, value) => self.of(&value, false).plus(&self.round(&f, has_place)),
            View::Build(_, f) => self.round(&f, true),
            View::Scatter(_, _, f) => self.round(&f, false),
            View::Pull(..) | View::Plus(..) => self.of(&term.meaning(), has_place),
            View::Ifold(_, f, start) | View::Scan(_, f, start) | View::Scanr(_, f, start) => {
                self.of(&start, true).plus(&self.round(&f, true))
            }
            View::If(c, a, b) | View::Guard(_, _, c, a, b) => {
                self.of(&c, false).plus(&self.of(&a, has_place)).plus(&self.of(&b, has_place))
            }
            _ => {
                let has_place = match term.kind() {
                    Kind::Pair => has_place,
                    Kind::Array(_) => true,
                    _ => false,
                };
                let kids = (0..term.kid_count()).map(|k| term.kid(k));
                kids.fold(Poly::default(), |sum, kid| sum.plus(&self.of(&kid, has_place)))
            }
        };
        let all = own.plus(&kids);
        self.0.insert(key, all.clone());
        all
    }

    /// Of a function that is called.
    fn round(&mut self, f: &Term, has_place: bool) -> Poly {
        match f.view() {
            View::Lam(_, _, body) => self.round(&body, has_place),
            _ => self.of(f, has_place),
        }
    }
}

/// How many numbers a value of a type has in arrays.
fn numbers(ty: &Type) -> Poly {
    fn each(ty: &Type) -> Poly {
        match ty.view() {
            TypeView::Array(n, inner) => Poly::size(n).times(&each(inner)),
            TypeView::Pair(a, b) => each(a).plus(&each(b)),
            _ => Poly::constant(1),
        }
    }
    match ty.view() {
        TypeView::Array(..) => each(ty),
        TypeView::Pair(a, b) => numbers(a).plus(&numbers(b)),
        _ => Poly::default(),
    }
}
