//! Makes loops that go through the same states one: a fold and a scan, or two scans.

use rustc_hash::FxHashSet;

use super::parts::{PartStep, half, part_at};
use super::scan_parts::{LoopForm, LoopParts, LoopStates, inlined};
use super::scans::{NamedLoop, is_named_scan};
use crate::rule::footprint::{BELOW, HeadFilter, Inspection};
use crate::rule::record::NativeStatement::Words;
use crate::rule::record::for_tests;
use crate::rule::replace::{TermReplacement, replace};
use crate::rule::{Exactness, NativeRule, Reason};
use redexter_language::ground::Name;
use redexter_language::term::{Head, Kind, Term, View};

pub(super) const RULES: &[NativeRule] = &[NativeRule {
    name: "scanMerge",
    params: &[],
    group: "Scans",
    law: Words(
        "let t := scan n (fun s i => (f(s, i), g(s, i))) z; b(ifold n (fun s i => f(s, i)) z) --> let t := scan n (fun s i => (f(s, \
         i), g(s, i))) z; b(fst t); let x := ifold n (fun s i => f(s, i)) z; b(scan n (fun s i => (f(s, i), g(s, i))) z) --> let t := \
         scan n (fun s i => (f(s, i), g(s, i))) z; let x := fst t; b(t); let t := scan n (fun s i => (f(s, i), g(s, i))) z; b((snd t)[k], \
         scan n (fun s i => (f(s, i), h(s, i))) z) --> let t := scan n (fun s i => (f(s, i), (g(s, i), h(s, i)))) z; b(fst (snd t)[k], \
         (fst t, build n (fun k => snd (snd t)[k]))), and so of scanr and the fold that scanToFold makes of it",
    ),
    condition: "f is the same but for names that lets give; a scan that comes later stands in no branch",
    doc: "Loops that go through the same states are one, which keeps what each of them keeps: the states are computed once.",
    exactness: Exactness::Exact,
    inspects: Inspection {
        heads: HeadFilter::Of(&[Head::Let]),
        ways: &[&[0], &[0, 0]],
        guard: |binding| is_named_scan(binding) || matches!(binding.kid(0).kind(), Kind::Ifold(_)),
        ..BELOW
    },
    left_sides: &[
        "let t := scan n (fun s i => (f(s, i), g(s, i))) z; (t, ifold n (fun s i => f(s, i)) z)",
        "let t := scanr n (fun s i => (s * 2, s)) z; build m (fun k => (fst t, ifold n (fun s i => s * 2) z))",
        "let x := ifold n (fun s i => f(s, i)) z; let t := scan n (fun s i => let y := f(s, i); (y, (s, y))) z; b(x, t)",
        "let t := scan n (fun s i => (f(s, i), g(s, i))) z; (fst t, build n (fun k => (snd t)[k] * fst (scan n (fun s i => (f(s, i), h(s, i))) z)))",
        "let t := snd (scanr n (fun s i => (s * 2, s)) z); let u := snd (scanr n (fun s i => let y := s * 2; (y, y)) z); (t, u)",
        "let t := snd (scan n (fun s i => (f(s, i), g(s, i))) z); (t, ifold n (fun s i => f(s, i)) z)",
    ],
    examples: &[
        (
            "fun (v : array n real) => let t := scan n (fun s i => let y := s * v[i]; (y, (s, y))) 1; (snd t, ifold n (fun s i => s * v[i]) 1)",
            "fun (v : array n real) => let t := scan n (fun s i => let y := s * v[i]; (y, (s, y))) 1; (snd t, fst t)",
        ),
        (
            "fun (v : array n real) => let x := ifold n (fun s i => s * v[i]) 1; let t := scan n (fun s i => (s * v[i], s)) 1; (x, t)",
            "fun (v : array n real) => let t := scan n (fun s i => (s * v[i], s)) 1; let x := fst t; let t1 := t; (x, t1)",
        ),
        (
            "fun (v : array n real) (k : fin n) => let t := snd (scan n (fun s i => let y := s * v[i]; (y, s)) 1); \
             let u := scan n (fun s i => let x := s * v[i]; let z := exp x; let w := sin z; (x, z - w)) 1; (t[k], u)",
            "fun (v : array n real) (k : fin n) => let t := scan n (fun s i => let y := s * v[i]; let z := exp y; let w := sin z; (y, (s, z - w))) 1; \
             let u := (fst t, build n (fun i => snd (snd t)[i])); (fst (snd t)[k], u)",
        ),
        (
            "fun (v : array n real) => let t := snd (scan n (fun s i => (s * v[i], s)) 1); \
             (t, snd (scan n (fun s i => (s * v[i], s * 2)) 1))",
            "fun (v : array n real) => let t := scan n (fun s i => (s * v[i], (s, s * 2))) 1; \
             (build n (fun i => fst (snd t)[i]), snd (fst t, build n (fun i => snd (snd t)[i])))",
        ),
    ],
    refused: for_tests(&[
        "fun (v : array n real) => let t := scan n (fun s i => (s * v[i], s)) 1; (t, ifold n (fun s i => s * v[i]) 2)",
        "fun (v : array n real) (c : int) => let x := ifold n (fun s i => s * v[i]) 1; if c then snd (scan n (fun s i => (s * v[i], exp s)) 1) \
         else build n (fun i => x)",
        "fun (v : array n real) => let t := scan n (fun s i => (s * v[i], s)) 1; (t, ifold n (fun s i => s + v[i]) 1)",
        "fun (v : array n real) => let t := scan n (fun s i => (s * v[i], s)) 1; build n (fun j => ifold n (fun s i => s * v[j]) 1)",
        "fun (v : array n real) => let t := scan n (fun s i => (s * v[i], s)) 1; (t, scanr n (fun s i => (s * v[i], exp s)) 1)",
        "fun (x : real) => let t := scan n (fun s i => (s * x, s)) 1; (t, scanr n (fun s i => (s * x, exp s)) 1)",
        "fun (v : array n real) (c : int) => let t := scan n (fun s i => (s * v[i], s)) 1; \
         (t, if c then fst (scan n (fun s i => (s * v[i], exp s)) 1) else 0)",
    ]),
    function: |focus, _| {
        merge(focus.term).ok_or(Reason::native("no two loops, one of them a scan, with the same step and start"))
    },
}];

fn merge(term: &Term) -> Option<Term> {
    let named = NamedLoop::of(term)?;
    let value = term.kid(0);
    let own = if named.outputs { value.kid(0) } else { value };
    let other = LoopStates::of(&own)?.again(&named.body, 1, true, &mut FxHashSet::default())?;
    match (named.parts.form, LoopParts::of(&other)?.form) {
        (LoopForm::Fold, _) => within(&named, &other, |t| Term::fst(t).ok(), &other, Some),
        (_, LoopForm::Fold) if named.outputs => {
            within(&named, &own, |t| Term::snd(t).ok(), &other, |t| Term::fst(t).ok())
        }
        (_, LoopForm::Fold) => {
            let state = Term::fst(Term::var(0, own.ty())).ok()?;
            let body = replace(&named.body, &[TermReplacement { from: other.shift(1), to: state, asked: false }]);
            Term::let_in(&named.name, own, body).ok()
        }
        _ => both(&named, &other),
    }
}

/// A scan around the let of a loop, which is this of its result, as the other loop is that.
fn within(
    named: &NamedLoop,
    scan: &Term,
    first: impl Fn(Term) -> Option<Term>,
    other: &Term,
    second: impl Fn(Term) -> Option<Term>,
) -> Option<Term> {
    let t = |index: u32| Term::var(index, scan.ty());
    let replaced = TermReplacement { from: other.shift(2), to: second(t(1))?, asked: false };
    let body = replace(&named.body.shift_from(1, 1), &[replaced]);
    let inner = Term::let_in(&named.name, first(t(0))?, body).ok()?;
    Term::let_in(&Name::new("t"), scan.clone(), inner).ok()
}

/// Two scans become one, which keeps what both keep.
fn both(named: &NamedLoop, other: &Term) -> Option<Term> {
    let both = ScanOfBoth::of(&named.parts, &LoopParts::of_scan(other)?)?;
    // The old name is 0, the new one 1, until the old one is read nowhere.
    let t = |index: u32| Term::var(index, both.scan.ty());
    let replaced = TermReplacement { from: other.shift(2), to: both.second(t(1))?, asked: false };
    let body = replace(&named.body.shift_from(1, 1), &[replaced]);
    let body = named.watched().replaced(&body, &mut |found, old| {
        let own = t(old + 1);
        match &named.way(found)[..] {
            [] => both.first(own),
            [PartStep::Second] => both.kept(&own, PartStep::First),
            [PartStep::Second, PartStep::Element, rest @ ..] => {
                let way = [PartStep::Second, PartStep::Element, PartStep::First];
                part_at(part_at(own, &way, found.index.as_ref())?, rest, None)
            }
            way => part_at(own, way, None),
        }
    })?;
    Term::let_in(&named.name, both.scan, body.lower(1)?).ok()
}

/// A scan that keeps what two keep that go through the same states.
pub(super) struct ScanOfBoth {
    pub(super) scan: Term,
    parts: LoopParts,
}

impl ScanOfBoth {
    pub(super) fn of(first: &LoopParts, second: &LoopParts) -> Option<ScanOfBoth> {
        let step = step_of_both(&first.step, &second.step)?;
        Some(ScanOfBoth { scan: first.with(step, first.start.clone())?, parts: first.clone() })
    }

    /// What the first one gives, of what this gives.
    pub(super) fn first(&self, own: Term) -> Option<Term> {
        self.result(own, PartStep::First)
    }

    /// What the second one gives, of what this gives.
    pub(super) fn second(&self, own: Term) -> Option<Term> {
        self.result(own, PartStep::Second)
    }

    fn result(&self, own: Term, which: PartStep) -> Option<Term> {
        let kept = self.kept(&own, which)?;
        Term::pair(Term::fst(own).ok()?, kept).ok()
    }

    fn kept(&self, own: &Term, which: PartStep) -> Option<Term> {
        let (index, below) = (&self.parts.index, self.parts.below());
        let way = [PartStep::Second, PartStep::Element, which];
        let element = part_at(own.shift(1), &way, Some(&Term::var(0, &below)))?;
        Term::build(self.parts.n.clone(), Term::lam(index, &below, element).ok()?).ok()
    }
}

/// The step of two scans that go through the same states: the first one's, which keeps what the second one keeps, too. What both
/// name has the first one's name.
fn step_of_both(first: &Term, second: &Term) -> Option<Term> {
    /// What stands for a name of the second step: a let of the first one, or the so manieth of its own that are left.
    enum Stands {
        First(usize),
        Own(usize),
    }
    let (mut lets, mut values) = (Vec::new(), Vec::new());
    let mut here = first.clone();
    while let View::Let(x, value, body) = here.view() {
        values.push(inlined(&value, &values)?);
        lets.push((x, value));
        here = body;
    }
    if !matches!(here.kind(), Kind::Pair) {
        // A loop in the step, whose halves are read apart.
        values.push(inlined(&here, &values)?);
        let whole = Term::var(0, here.ty());
        lets.push((Name::new("p"), here));
        here = Term::pair(Term::fst(whole.clone()).ok()?, Term::snd(whole).ok()?).ok()?;
    }
    let firsts = lets.len();
    let (mut names, mut own_values) = (Vec::new(), Vec::new());
    // A term of the second step under all lets that there are so far.
    let moved = |term: &Term, names: &[Stands], count: usize| {
        term.rename(|v| match names.len().checked_sub(1 + v as usize) {
            Some(k) => {
                let at = match names[k] {
                    Stands::First(at) => at,
                    Stands::Own(at) => firsts + at,
                };
                (count - 1 - at) as u32
            }
            None => v - names.len() as u32 + count as u32,
        })
    };
    let mut there = second.clone();
    while let View::Let(x, value, body) = there.view() {
        let own = inlined(&value, &own_values)?;
        match values.iter().position(|first| *first == own) {
            Some(at) => names.push(Stands::First(at)),
            None => {
                let value = moved(&value, &names, lets.len());
                names.push(Stands::Own(lets.len() - firsts));
                lets.push((x, value));
            }
        }
        own_values.push(own);
        there = body;
    }
    let kept = moved(&half(&there, true)?, &names, lets.len());
    let here = here.shift((lets.len() - firsts) as u32);
    let kept = Term::pair(half(&here, true)?, kept).ok()?;
    let step = Term::pair(half(&here, false)?, kept).ok()?;
    lets.into_iter().rev().try_fold(step, |step, (x, value)| Term::let_in(&x, value, step).ok())
}

impl LoopStates {
    /// A loop that goes through the same states, as it is around the `t` binders that it stands under: of a fold a scan, of a
    /// scan a fold or a scan in the same direction. Scans only where they are computed in any case.
    fn again(&self, term: &Term, t: u32, any_case: bool, seen: &mut FxHashSet<(Term, u32, bool)>) -> Option<Term> {
        if !term.costs() || !seen.insert((term.clone(), t, any_case)) {
            return None;
        }
        if let Some(own) = self.alike(term, t, any_case) {
            return Some(own);
        }
        let is_choice = matches!(term.kind(), Kind::If | Kind::Guard(..));
        (0..term.kid_count()).find_map(|k| {
            let any_case = any_case && !(is_choice && k > 0);
            self.again(&term.kid(k), t + term.binders(k), any_case, seen)
        })
    }

    fn alike(&self, term: &Term, t: u32, any_case: bool) -> Option<Term> {
        let form = LoopForm::of(term)?;
        let may_be = match (self.parts.form, form) {
            (LoopForm::Fold, LoopForm::Fold) => false,
            (_, LoopForm::Fold) => true,
            (LoopForm::Fold, _) => any_case,
            (own, other) => any_case && own == other,
        };
        if !may_be {
            return None;
        }
        let own = term.lower(t)?;
        self.again_in(&own).map(|_| own)
    }
}
