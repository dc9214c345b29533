//! Adds up in a scan's state what a sum behind the scan adds up of what its steps keep, so that it needn't be kept.

use rustc_hash::FxHashSet;

use super::fold_parts::{FoldParts, without_state};
use super::halves::needed;
use super::parts::{PartStep, PartWay, STATE, Watched, leaf_ways, part_at};
use super::ring::{addends, is_real, is_zero, total};
use super::scan_parts::LoopForm;
use super::scans::{NamedLoop, is_named_scan};
use crate::rule::footprint::{BELOW, HeadFilter, Inspection};
use crate::rule::record::NativeStatement::Words;
use crate::rule::record::for_tests;
use crate::rule::{Exactness, NativeRule, Reason};
use redexter_language::ground::Name;
use redexter_language::term::{FreeVariable, Head, Prim, Size, Term, Type, TypeView, View};

pub(super) const RULES: &[NativeRule] = &[NativeRule {
    name: "scanSum",
    params: &[],
    group: "Scans",
    law: Words(
        "let t := scan n (fun s i => (f(s, i), g(s, i))) z; b(ifold n (fun a i => a + e(j, (snd t)[i], i)) 0) --> \
         let t := scan n (fun s i => ((f(fst s, i), build m (fun j => (snd s)[j] + e(j, g(fst s, i), i))), g(fst s, i))) \
         (z, build m (fun j => 0)); b((snd (fst t))[j]), with fst (fst t) where fst t stood; so of scanr, of no index and of several",
    ),
    condition: "a part of what is kept is read there alone; of what is bound behind the scan e mentions indices alone, and an element \
                at all of them of what it reads at i",
    doc: "Adds up while the scan runs, where each step adds to each sum what it computes or reads for that: nothing is kept for the \
          sum. A `scanr` adds from the last step to the first.",
    exactness: Exactness::Reassociating,
    inspects: Inspection { heads: HeadFilter::Of(&[Head::Let]), ways: &[&[0], &[0, 0]], guard: is_named_scan, ..BELOW },
    left_sides: &[
        "let t := scanr n (fun s i => (f(s, i), g(s, i))) z; h(fst t) * ifold n (fun a i => a + (snd t)[i] * c(i)) 0",
        "let t := snd (scan n (fun s i => (f(s, i), (s, g(i)))) z); (build n (fun i => fst t[i]), ifold n (fun a i => a + snd t[i]) 0)",
        "let t := scanr n (fun s i => let x := f(s, i); (x, x)) z; build m (fun j => ifold n (fun a i => a + (snd t)[i][j]) 0)",
        "let t := scan n (fun s i => (f(s, i), g(s, i))) z; \
         build m (fun j => build k (fun l => ifold n (fun a i => a + (snd t)[i][l][j] * c(j)) 0))",
    ],
    examples: &[
        (
            "fun (v : array n real) => let t := scanr n (fun s i => (s * v[i], s)) 1; \
             fst t * ifold n (fun a i => a + (snd t)[i] * v[i]) 0",
            "fun (v : array n real) => let t := scanr n (fun s i => ((fst s * v[i], snd s + fst s * v[i]), fst s)) (1, 0); \
             fst (fst t) * snd (fst t)",
        ),
        (
            "fun (v : array n real) (z : array m real) => \
             let t := scan n (fun s i => let x := build m (fun j => s[j] * v[i]); (x, x)) z; \
             (fst t, build m (fun j => ifold n (fun a i => a + (snd t)[i][j] * v[i]) 0))",
            "fun (v : array n real) (z : array m real) => \
             let t := scan n (fun s i => let x := build m (fun j => (fst s)[j] * v[i]); \
             ((x, build m (fun j => (snd s)[j] + x[j] * v[i])), x)) (z, build m (fun j => 0)); (fst (fst t), build m (fun j => (snd (fst t))[j]))",
        ),
        (
            "fun (v : array n (array m (array k real))) => \
             let t := snd (scan n (fun s i => (s * 2, s)) 1); \
             build k (fun l => build m (fun j => ifold n (fun a i => a + t[i] * v[i][j][l]) 0))",
            "fun (v : array n (array m (array k real))) => \
             let t := scan n (fun s i => ((fst s * 2, build m (fun j => build k (fun j1 => (snd s)[j][j1] + fst s * v[i][j][j1]))), fst s)) \
             (1, build m (fun j => build k (fun j1 => 0))); build k (fun l => build m (fun j => (snd (fst t))[j][l]))",
        ),
    ],
    refused: for_tests(&[
        // It is read elsewhere, so that it is kept in any case.
        "fun (v : array n real) => let t := scanr n (fun s i => (s * v[i], s)) 1; (snd t, ifold n (fun a i => a + (snd t)[i] * v[i]) 0)",
        // Each step would go through an array that no step has.
        "fun (v : array n real) (w : array m real) => let t := scanr n (fun s i => (s * v[i], s)) 1; \
         build m (fun j => ifold n (fun a i => a + (snd t)[i] * w[j]) 0)",
        "fun (v : array n real) => let t := scanr n (fun s i => (s * v[i], s)) 1; \
         let c := sin (fst t); ifold n (fun a i => a + (snd t)[i] * c) 0",
        "fun (v : array n real) (k : fin n) => let t := scanr n (fun s i => (s * v[i], s)) 1; ifold n (fun a i => a + (snd t)[k] * v[i]) 0",
    ]),
    function: |focus, _| {
        accumulated(focus.term).ok_or(Reason::native("no sum of what only it reads of what a scan keeps"))
    },
}];

fn accumulated(term: &Term) -> Option<Term> {
    let named = NamedLoop::of(term).filter(|named| named.parts.form != LoopForm::Fold)?;
    // The old name is 0, the new one 1, until the old one is read nowhere.
    let body = named.body.shift_from(1, 1);
    let mut refused = FxHashSet::default();
    let AddedUp { body, scan, .. } = loop {
        let found = first(&named, &body, 0, &mut refused.clone())?;
        if found.frees_a_part(&named)? {
            break found;
        }
        refused.insert(found.place);
    };
    let body = named.watched().replaced(&body, &mut |found, old| {
        let own = Term::var(old + 1, scan.ty());
        let state = part_at(own.clone(), &[PartStep::First, PartStep::First], None)?;
        match &named.way(found)[..] {
            [] => Term::pair(state, Term::snd(own).ok()?).ok(),
            [PartStep::First, rest @ ..] => part_at(state, rest, None),
            way => part_at(own, way, found.index.as_ref()),
        }
    })?;
    Term::let_in(&named.name, scan, body.lower(1)?).ok()
}

/// What stands behind a scan, with a sum read from the loop that adds it up.
struct AddedUp {
    body: Term,
    scan: Term,
    /// Which parts the sum reads of what is kept.
    reads: Vec<PartWay>,
    /// The sum, and what variable the scan is there.
    place: (Term, u32),
}

impl AddedUp {
    /// Whether a part that the sum read is read no more.
    fn frees_a_part(&self, named: &NamedLoop) -> Option<bool> {
        let mut others: Vec<PartWay> = Vec::new();
        named.watched().each(&self.body, &mut |found, _| match &named.way(found)[..] {
            [PartStep::First, ..] => {}
            [PartStep::Second, PartStep::Element, rest @ ..] => others.push(rest.iter().copied().collect()),
            _ => others.push(PartWay::new()),
        });
        let reads = |ways: &[PartWay], leaf: &PartWay| ways.iter().any(|way| leaf.starts_with(way));
        let kept = leaf_ways(&named.parts.kept_type()?);
        Some(kept.iter().any(|leaf| reads(&self.reads, leaf) && !reads(&others, leaf)))
    }
}

/// The first such sum in a term, in which the old loop's name is `t`, and the new one's the next.
fn first(named: &NamedLoop, term: &Term, t: u32, seen: &mut FxHashSet<(Term, u32)>) -> Option<AddedUp> {
    if term.free_at(t).is_none() || !seen.insert((term.clone(), t)) {
        return None;
    }
    if let Some(sum) = KeptSum::of(named, term, t)
        && let Some(scan) = sum.scan(named)
    {
        let sums = part_at(Term::var(t + 1, scan.ty()), &[PartStep::First, PartStep::Second], None)?;
        let body = sum.element(sums, |(variable, _)| *variable)?;
        return Some(AddedUp { body, scan, reads: sum.reads, place: (term.clone(), t) });
    }
    (0..term.kid_count()).find_map(|k| {
        let found = first(named, &term.kid(k), t + term.binders(k), seen)?;
        Some(AddedUp { body: term.with_kid(k, found.body.clone()).ok()?, ..found })
    })
}

/// A sum over a scan's steps, for each of the indices that it stands under.
struct KeptSum {
    /// The variables of these indices and their sizes, in the order in which a table over the steps is read at them.
    indices: Vec<(u32, Size)>,
    /// What a step adds, under the step's index, with a step of what is kept in the place of the scan.
    summand: Term,
    /// The scan's name there.
    t: u32,
    reads: Vec<PartWay>,
}

impl KeptSum {
    fn of(named: &NamedLoop, sum: &Term, t: u32) -> Option<KeptSum> {
        let fold = FoldParts::of(sum).filter(|fold| is_real(sum) && fold.n == named.parts.n && is_zero(&fold.start))?;
        let summand = added(&fold.body)?;
        let of_index = |(variable, free): (u32, FreeVariable)| match free.ty.view() {
            TypeView::Fin(n) => Some((variable, n.clone())),
            _ => None,
        };
        let indices: Vec<(u32, Size)> = sum.free().filter(|(v, _)| *v < t).map(of_index).collect::<Option<_>>()?;
        let indices = in_order(&summand, indices)?;
        let t = t + 1;
        let watched = Watched { variable: t, ..named.watched() };
        let kept = named.parts.kept_type()?;
        let mut reads = Vec::new();
        let summand = watched.replaced(&summand, &mut |found, there| {
            let way = named.way(found);
            let [PartStep::Second, PartStep::Element, rest @ ..] = &way[..] else { return None };
            found.index.as_ref().filter(|index| matches!(index.view(), View::Var(own) if own == there - t))?;
            reads.push(rest.iter().copied().collect::<PartWay>());
            part_at(Term::var(there, &kept), rest, None)
        })?;
        (!reads.is_empty()).then_some(KeptSum { indices, summand, t, reads })
    }

    /// The loop that adds this up, too.
    fn scan(&self, named: &NamedLoop) -> Option<Term> {
        let parts = &named.parts;
        let start = Term::pair(parts.start.clone(), self.built(Term::real(0.0))?).ok()?;
        let state = |s: u32| Term::fst(Term::var(s, start.ty())).ok();
        let step = STATE.replaced(&parts.step, &mut |found, s| part_at(state(s)?, &found.way, None))?;
        parts.with(self.step(&step, 0, &start)?, start)
    }

    /// An array of this at each of the indices, under which it stands.
    fn built(&self, element: Term) -> Option<Term> {
        self.indices.iter().rev().try_fold(element, |array, (_, n)| {
            Term::build(n.clone(), Term::lam(&Name::new("j"), &Type::fin(n.clone()), array).ok()?).ok()
        })
    }

    /// The element of such an array at the indices, whose variables are these.
    fn element(&self, array: Term, variable: impl Fn(&(u32, Size)) -> u32) -> Option<Term> {
        let index = |index: &(u32, Size)| Term::var(variable(index), &Type::fin(index.1.clone()));
        self.indices.iter().try_fold(array, |array, at| Term::get(array, index(at)).ok())
    }

    /// A step that adds up in the second half of its state, under so many of its lets.
    fn step(&self, step: &Term, lets: u32, start: &Term) -> Option<Term> {
        if let View::Let(x, value, body) = step.view() {
            return Term::let_in(&x, value, self.step(&body, lets + 1, start)?).ok();
        }
        // What is kept is read in each element of the sums: what costs something has a name first.
        let View::Pair(next, kept) = step.view() else {
            let (x, both) = (Name::new("p"), Term::var(0, step.ty()));
            let named = Term::pair(Term::fst(both.clone()).ok()?, Term::snd(both).ok()?).ok()?;
            return Term::let_in(&x, step.clone(), self.step(&named, lets + 1, start)?).ok();
        };
        if kept.costs() {
            let named = Term::pair(next.shift(1), Term::var(0, kept.ty())).ok()?;
            return Term::let_in(&Name::new("g"), kept, self.step(&named, lets + 1, start)?).ok();
        }
        // Under the state, the index, the step's lets, what is kept and the result's indices.
        let depth = self.indices.len() as u32;
        let place = |variable: u32| {
            let at = self.indices.iter().position(|(own, _)| *own == variable);
            at.map_or(0, |at| depth - 1 - at as u32)
        };
        let summand = self.summand.rename(|v| match v {
            0 => depth + 1 + lets,
            v if v < self.t => place(v - 1),
            v if v == self.t => depth,
            outer => outer - self.t - 2 + depth + lets + 3,
        });
        let sums = Term::snd(Term::var(depth + lets + 2, start.ty())).ok()?;
        let sum = Term::binary(Prim::Add, self.element(sums, |(variable, _)| place(*variable))?, summand).ok()?;
        let sums = needed(&self.built(sum)?.instantiate(&kept).ok()?);
        Term::pair(Term::pair(next, sums).ok()?, kept).ok()
    }
}

/// What a step of a sum adds to the state, under the index alone.
fn added(step: &Term) -> Option<Term> {
    let (state, rest): (Vec<_>, Vec<_>) =
        addends(step).into_iter().partition(|(minus, addend)| !minus && matches!(addend.view(), View::Var(1)));
    let summand = total(rest).filter(|rest| state.len() == 1 && rest.free_at(1).is_none())?;
    Some(without_state(&summand))
}

/// These indices in the order in which the summand reads a table over the steps, at all of them.
fn in_order(summand: &Term, indices: Vec<(u32, Size)>) -> Option<Vec<(u32, Size)>> {
    if indices.is_empty() {
        return Some(indices);
    }
    read_in_order(summand, 0, &indices, &mut FxHashSet::default())
}

fn read_in_order(
    term: &Term,
    step: u32,
    indices: &[(u32, Size)],
    seen: &mut FxHashSet<(Term, u32)>,
) -> Option<Vec<(u32, Size)>> {
    if term.free_at(step).is_none() || !seen.insert((term.clone(), step)) {
        return None;
    }
    let (mut here, mut order) = (term.clone(), Vec::new());
    loop {
        here = match here.view() {
            View::Fst(pair) | View::Snd(pair) => pair,
            View::Get(array, index) => {
                let View::Var(variable) = index.view() else { break };
                if variable == step && order.len() == indices.len() {
                    order.reverse();
                    return Some(order);
                }
                let own =
                    indices.iter().find(|(own, _)| own + step + 1 == variable && !order.iter().any(|(o, _)| o == own));
                order.push(own.cloned()?);
                array
            }
            _ => break,
        };
    }
    (0..term.kid_count()).find_map(|k| read_in_order(&term.kid(k), step + term.binders(k), indices, seen))
}
