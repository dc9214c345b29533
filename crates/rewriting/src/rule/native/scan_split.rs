//! Stores fewer states of a scan: a loop that reads them in order, or backwards, has those of a block of rounds computed again.

use super::parts::{PartStep, PartUse, Watched, half, part_at};
use super::scan_parts::{LoopForm, LoopParts, turned};
use crate::rule::footprint::{BELOW, HeadFilter, Inspection};
use crate::rule::record::NativeStatement::Words;
use crate::rule::record::for_tests;
use crate::rule::{Exactness, NativeRule, Reason};
use redexter_language::ground::Name;
use redexter_language::term::{Head, Kind, Prim, Size, Term, Type, View};
use smallvec::SmallVec;

pub(super) const RULES: &[NativeRule] = &[NativeRule {
    name: "scanSplit",
    params: &[],
    group: "Scans",
    law: Words(
        "let t := scan (a * b) (fun s i => (f(s, i), g(s, i))) z; c(fst t, scanr (a * b) (fun l i => h(l, (snd t)[i], i)) w) --> \
         let t := scan a (fun s k => (ifold b (fun s j => f(s, k * b + j)) s, s)) z; c(fst t, let r := scanr a (fun l k => \
         let u := snd (scan b (fun s j => (f(s, k * b + j), g(s, k * b + j))) (snd t)[k]); scanr b (fun l j => \
         h(l, u[j], k * b + j)) l) w; (fst r, build (a * b) (fun i => (snd r)[i / b][i % b]))), and so where a scan or an ifold \
         reads what is kept, an ifold also from the last to the first",
    ),
    condition: "what is kept is read in loops of that size alone, by each round at its own index; a is the first factor of the size, by its name",
    doc: "Stores every b-th state, and computes those between again where they are read: a + b for a * b, for one more run of the loop.",
    exactness: Exactness::Exact,
    inspects: Inspection { heads: HeadFilter::Of(&[Head::Let]), ways: &[&[0], &[0, 0]], guard: is_long_scan, ..BELOW },
    left_sides: &[
        "let t := scan (a * b) (fun s i => (f(s, i), g(s, i))) z; ifold (a * b) (fun l i => h(l, i) * (snd t)[i]) (fst t)",
        "let t := scan (a * b) (fun s i => (f(s, i), s)) z; scanr (a * b) (fun l i => (h(l, i) * (snd t)[i], l * (snd t)[i])) (fst t)",
        "let t := scan (a * b) (fun s i => (f(s, i), s)) z; ifold (a * b) (fun l i => h(l, i) * (snd t)[a * b - 1 - int i]) y",
        "let t := scan (a * b) (fun s i => let x := f(s, i); (x, (x, s))) z; snd (scan (a * b) (fun l i => (h(l, i) + fst (snd t)[i], l * snd (snd t)[i])) y)",
    ],
    examples: &[
        (
            "fun (v : array (a * b) real) => let t := scan (a * b) (fun s i => (sin (s * v[i]), s)) 1; \
             ifold (a * b) (fun l i => l * (snd t)[i]) (fst t)",
            "fun (v : array (a * b) real) => let t := scan a (fun s k => (ifold b (fun s j => sin (s * v[int k * b + int j])) s, s)) 1; \
             ifold a (fun l k => let u := snd (scan b (fun s j => (sin (s * v[int k * b + int j]), s)) (snd t)[k]); \
             ifold b (fun l j => l * u[j]) l) (fst t)",
        ),
        (
            "fun (v : array (a * b) real) => let t := scan (a * b) (fun s i => (sin (s * v[i]), s)) 1; \
             scanr (a * b) (fun l i => (l * (snd t)[i], l)) (fst t)",
            "fun (v : array (a * b) real) => let t := scan a (fun s k => (ifold b (fun s j => sin (s * v[int k * b + int j])) s, s)) 1; \
             let r := scanr a (fun l k => let u := snd (scan b (fun s j => (sin (s * v[int k * b + int j]), s)) (snd t)[k]); \
             scanr b (fun l j => (l * u[j], l)) l) (fst t); \
             (fst r, build (a * b) (fun i => (snd r)[int i / b][int i % b]))",
        ),
    ],
    refused: for_tests(&[
        "fun (v : array n real) => let t := scan n (fun s i => (sin (s * v[i]), s)) 1; ifold n (fun l i => l * (snd t)[i]) (fst t)",
        "fun (v : array (a * b) real) (k : fin (a * b)) => let t := scan (a * b) (fun s i => (sin (s * v[i]), s)) 1; \
         ifold (a * b) (fun l i => l * (snd t)[k]) (fst t)",
        "fun (v : array (a * b) real) => let t := scan (a * b) (fun s i => (sin (s * v[i]), s)) 1; fst t",
    ]),
    function: |focus, _| {
        split(focus.term)
            .ok_or(Reason::native("no scan over a product of which a loop of its size reads in order what is kept"))
    },
}];

fn is_long_scan(binding: &Term) -> bool {
    matches!(binding.kid(0).kind(), Kind::Scan(n) if blocks(n).is_some())
}

/// A product of sizes as the first of its factors, which is no number, and the rest.
fn blocks(n: &Size) -> Option<(Size, Size)> {
    let first = Size::atom(n.atoms().next()?.clone());
    let rest = n.divide(&first)?;
    (rest.as_literal() != Some(1)).then_some((first, rest))
}

fn split(term: &Term) -> Option<Term> {
    let View::Let(name, value, body) = term.view() else { return None };
    let scan = LoopParts::of(&value).filter(|parts| parts.form == LoopForm::Scan)?;
    let (n, m) = blocks(&scan.n)?;
    // Under the state and the number of the block.
    let state = half(&scan.step, false)?;
    let block = SizeBlocks { whole: scan.n.clone(), n: n.clone(), m: m.clone() };
    let inner = LoopParts { form: LoopForm::Fold, n: m, index: Name::new("j"), ..scan.clone() };
    let number = block.number(2)?;
    let rounds = inner.with(block.round(&state, 2, &number)?, Term::var(1, scan.state_type()))?;
    let step = Term::pair(rounds, Term::var(1, scan.state_type())).ok()?;
    let outer = LoopParts { n, index: Name::new("k"), ..scan.clone() }.with(step, scan.start.clone())?;
    let mut readers = Readers { stored: outer.ty().clone(), scan, block, found: false };
    let body = readers.split(&body, 0)?;
    readers.found.then(|| Term::let_in(&name, outer, body).ok())?
}

/// A size as so many blocks of so many rounds.
struct SizeBlocks {
    whole: Size,
    n: Size,
    m: Size,
}

impl SizeBlocks {
    /// The number of the block, a variable.
    fn number(&self, k: u32) -> Option<Term> {
        Term::unary(Prim::ToInt, Term::var(k, &Type::fin(self.n.clone()))).ok()
    }

    /// The index of round j of a block, where j is the innermost variable.
    fn place(&self, block: &Term) -> Option<Term> {
        let before = Term::binary(Prim::Mul, block.clone(), Term::size_value(&self.m)).ok()?;
        let own = Term::unary(Prim::ToInt, Term::var(0, &Type::fin(self.m.clone()))).ok()?;
        Term::within(self.whole.clone(), Term::binary(Prim::Add, before, own).ok()?).ok()
    }

    /// A step of the whole loop, under its state and index, as one of a block, under its state and j. So many binders have come
    /// between, and the block's number is as it is there.
    fn round(&self, step: &Term, between: u32, block: &Term) -> Option<Term> {
        step.shift_from(2, between).shift_from(1, 1).instantiate(&self.place(block)?).ok()
    }
}

/// Splits the loops that read what a scan keeps.
struct Readers {
    scan: LoopParts,
    block: SizeBlocks,
    /// The type of what is stored now.
    stored: Type,
    found: bool,
}

impl Readers {
    /// A term under the scan's name, which is this variable, with all such loops split; `None` where what is kept is read
    /// otherwise.
    fn split(&mut self, term: &Term, variable: u32) -> Option<Term> {
        if term.free_at(variable).is_none() {
            return Some(term.clone());
        }
        if let Some(done) = self.reader(term, variable) {
            self.found = true;
            return Some(done);
        }
        if let Some(used) = (Watched { variable, array: None }).used(term) {
            return self.last_state(&used, variable);
        }
        let kids = (0..term.kid_count()).map(|k| self.split(&term.kid(k), variable + term.binders(k)));
        term.with_kids(kids.collect::<Option<SmallVec<_>>>()?).ok()
    }

    fn last_state(&self, used: &PartUse, variable: u32) -> Option<Term> {
        (used.way.first() == Some(&PartStep::First)).then(|| used.of(Term::var(variable, &self.stored)))?
    }

    /// A loop of the scan's size whose rounds read at their own index.
    fn reader(&mut self, term: &Term, variable: u32) -> Option<Term> {
        let reader = LoopParts::of(term).filter(|parts| parts.n == self.scan.n)?;
        let forwards = self.blockwise(&reader, variable, false);
        let split =
            forwards.or_else(|| self.blockwise(&reader, variable, true).filter(|_| reader.form == LoopForm::Fold))?;
        let start = self.split(&reader.start, variable)?;
        let outer =
            LoopParts { n: self.block.n.clone(), index: Name::new("k"), ..reader.clone() }.with(split, start)?;
        if reader.form == LoopForm::Fold { Some(outer) } else { self.flat(outer) }
    }

    /// What a round does for a block, under its state and the block's number; from the last to the first of what is kept, if so.
    fn blockwise(&self, reader: &LoopParts, variable: u32, backwards: bool) -> Option<Term> {
        let SizeBlocks { n, m, .. } = &self.block;
        let turn = |n: &Size, i: Term| if backwards { turned(n, i) } else { Term::unary(Prim::ToInt, i).ok() };
        // What the scan keeps of a block, under the round's state and the block's number, and then under its own.
        let number = turn(n, Term::var(2, &Type::fin(n.clone())))?;
        let scan = LoopParts { n: m.clone(), index: Name::new("j"), ..self.scan.clone() };
        let step = self.block.round(&self.scan.step.shift_from(2, variable + 1), 2, &number)?;
        let block = turn(n, Term::var(0, &Type::fin(n.clone())))?;
        let block = if backwards { Term::within(n.clone(), block).ok()? } else { Term::var(0, &Type::fin(n.clone())) };
        let states = Term::snd(Term::var(variable + 2, &self.stored)).ok()?;
        let kept = Term::snd(scan.with(step, Term::get(states, block).ok()?)?).ok()?;
        // The rounds of a block, under what is kept of it, and then under their own.
        let own = self.block.number(3)?;
        let step = self.block.round(&reader.step, 3, &own)?;
        let step = self.reads(&step, variable + 5, &own, kept.ty(), backwards)?;
        let rounds = LoopParts { n: m.clone(), index: Name::new("j"), ..reader.clone() };
        let rounds = rounds.with(step, Term::var(2, reader.state_type()))?;
        Term::let_in(&Name::new("u"), kept, rounds).ok()
    }

    /// A round that reads from what is kept of its block, which stands right outside of its state and j.
    fn reads(&self, step: &Term, variable: u32, own: &Term, kept: &Type, backwards: bool) -> Option<Term> {
        let m = &self.block.m;
        let place = self.block.place(own)?;
        let whole = &self.block.whole;
        let place = if backwards { Term::within(whole.clone(), turned(whole, place)?).ok()? } else { place };
        let mut reads = false;
        let watched = Watched { variable, array: Some(&[PartStep::Second]) };
        let done = watched.replaced(step, &mut |used, at| match &used.way[..] {
            [PartStep::First, ..] => self.last_state(used, at),
            [PartStep::Second, PartStep::Element, rest @ ..] => {
                let under = at - variable;
                if used.index.as_ref() != Some(&place.shift(under)) {
                    return None;
                }
                reads = true;
                let j = Term::var(under, &Type::fin(m.clone()));
                let j = if backwards { Term::within(m.clone(), turned(m, j)?).ok()? } else { j };
                part_at(Term::get(Term::var(under + 2, kept), j).ok()?, rest, None)
            }
            _ => None,
        })?;
        reads.then_some(done)
    }

    /// What a scan of scans keeps, in one array as before.
    fn flat(&self, outer: Term) -> Option<Term> {
        let SizeBlocks { whole, n, m } = &self.block;
        let named = Term::var(0, outer.ty());
        let index = Term::unary(Prim::ToInt, Term::var(0, &Type::fin(whole.clone()))).ok()?;
        let at = |prim, below: &Size| {
            Term::within(below.clone(), Term::binary(prim, index.clone(), Term::size_value(m)).ok()?).ok()
        };
        let row = Term::get(Term::snd(named.shift(1)).ok()?, at(Prim::Quot, n)?).ok()?;
        let element = Term::get(row, at(Prim::Rem, m)?).ok()?;
        let kept =
            Term::build(whole.clone(), Term::lam(&Name::new("i"), &Type::fin(whole.clone()), element).ok()?).ok()?;
        Term::let_in(&Name::new("r"), outer, Term::pair(Term::fst(named).ok()?, kept).ok()?).ok()
    }
}
