//! Separates the primal part of a loop with a state from its tangent part: two loops, the second of which reads what the first
//! has stored.

use super::duals::{is_dual, joined_duals, split, tangents};
use super::fold_parts::is_written_out;
use super::halves::{each, halves, joined, needed, second_name, zipped};
use super::parts::half;
use super::scan_parts::{LoopForm, LoopParts};
use crate::rule::footprint::{BELOW, HeadFilter, Inspection};
use crate::rule::record::NativeStatement::Words;
use crate::rule::record::for_tests;
use crate::rule::{Exactness, NativeRule, Reason};
use redexter_language::ground::Name;
use redexter_language::term::{Head, IllTyped, Term, Type, TypeView};

pub(super) const RULES: &[NativeRule] = &[SCAN_UNZIP, IFOLD_SCAN];

const SCAN_UNZIP: NativeRule = NativeRule {
    name: "scanUnzip",
    params: &[],
    group: "Scans",
    law: Words(
        "scan n (fun s i => ((f(fst s, i), g(fst s, snd s, i)), (p(fst s, i), q(fst s, snd s, i)))) z --> \
         let t := scan n (fun a i => (f(a, i), (p(a, i), a))) (fst z); let dt := scan n (fun d i => \
         (g(snd (snd t)[i], d, i), q(snd (snd t)[i], d, i))) (snd z); \
         ((fst t, fst dt), build n (fun i => (fst (snd t)[i], (snd dt)[i]))), and so by type for arrays of pairs, below lets and \
         choices; without storing a where neither g nor q needs it, or twice where it is kept anyway",
    ),
    condition: "the first half of the new state, and of what is kept, don't need the second half of the old one; of a state without \
                tangents those of what is kept depend on what nothing else in it does",
    doc: "The primal part of a scan is computed once, and its states are stored for the tangent part.",
    exactness: Exactness::Exact,
    inspects: Inspection {
        heads: HeadFilter::Of(&[Head::Scan, Head::Scanr]),
        ways: &[&[0, 0]],
        guard: is_zipped,
        ..BELOW
    },
    left_sides: &[
        "scan n (fun s i => ((f(fst s, i), g(fst s, snd s, i)), (p(fst s, i), q(fst s, snd s, i)))) z",
        "scanr n (fun s i => ((f(fst s, i), g(fst s, snd s, i)), (p(fst s, i), q(fst s, snd s, i)))) (y, z)",
        "scan n (fun s i => let x := h(i); ((f(fst s, i, x), g(snd s, i)), (p(i), q(snd s, i, x)))) (y, z)",
        "scanr n (fun s i => (build m (fun j => (fst s[j] + f(i, j), snd s[j] * fst s[j] + g(i, j))), (c, p(i)))) \
         (build m (fun j => (y(j), z(j))))",
        "scan n (fun s i => (f(s, i), (p(s, i), if i = k then s else 0))) z",
        "scan n (fun s i => (((f(fst (fst s), i), snd (fst s)), (fst (fst s), snd (fst s))), (0, 0))) ((w, x), (y, z))",
    ],
    examples: &[
        (
            "fun (v w : array n real) => scan n (fun s i => ((fst s * v[i], snd s * v[i] + fst s * w[i]), (v[i], snd s))) (1, 0)",
            "fun (v w : array n real) => let t := scan n (fun a i => (a * v[i], (v[i], a))) 1; \
             let dt := scan n (fun d i => let a := snd (snd t)[i]; (d * v[i] + a * w[i], d)) 0; \
             ((fst t, fst dt), build n (fun i => (fst (snd t)[i], (snd dt)[i])))",
        ),
        (
            "fun (v w : array n real) => scanr n (fun s i => ((fst s * v[i], snd s * v[i]), (fst s, w[i]))) (1, 2)",
            "fun (v w : array n real) => let t := scanr n (fun a i => (a * v[i], a)) 1; \
             let dt := scanr n (fun d i => (d * v[i], w[i])) 2; \
             ((fst t, fst dt), build n (fun i => ((snd t)[i], (snd dt)[i])))",
        ),
        (
            "fun (v w : array n real) => scan n (fun s i => (((fst (fst s) * v[i], snd (fst s) * v[i] + fst (fst s) * w[i]), fst s), \
             (v[i], w[i]))) ((1, 0), (2, 0))",
            "fun (v w : array n real) => let t := scan n (fun a i => ((fst a * v[i], fst a), (v[i], a))) (1, 2); \
             let dt := scan n (fun ds i => let a := snd (snd t)[i]; ((fst ds * v[i] + fst a * w[i], fst ds), w[i])) (0, 0); \
             (((fst (fst t), fst (fst dt)), (snd (fst t), snd (fst dt))), build n (fun i => (fst (snd t)[i], (snd dt)[i])))",
        ),
        (
            "fun (v : array n real) (k : fin n) => scan n (fun s i => (sin s, (s * v[i], if i = k then s else 0))) 1",
            "fun (v : array n real) (k : fin n) => let t := scan n (fun a i => (sin a, (a * v[i], a))) 1; \
             (fst t, build n (fun i => (fst (snd t)[i], let a := snd (snd t)[i]; if i = k then a else 0)))",
        ),
    ],
    refused: for_tests(&[
        "fun (v : array n real) => scan n (fun s i => ((fst s * snd s, snd s), (v[i], v[i]))) (1, 2)",
        "fun (v : array n real) => scan n (fun s i => ((snd s * v[i], fst s), v[i])) (1, 2)",
        "fun (v : array n real) => scan n (fun s i => (s * v[i], (v[i], s))) 1",
    ]),
    function: |focus, _| {
        let parts = LoopParts::of_scan(focus.term);
        let by = |halving| parts.as_ref().and_then(|parts| unzip(parts, halving, true));
        // Halves that are pairs of dual numbers would come apart with their tangents in them.
        let unzipped = by(Halving::Duals).or_else(|| by(Halving::Pairs));
        unzipped
            .or_else(|| kept_apart(parts.as_ref()?))
            .ok_or(Reason::native("no scan over pairs whose first halves need no second one"))
    },
};

const IFOLD_SCAN: NativeRule = NativeRule {
    name: "ifoldScan",
    params: &[],
    group: "Scans",
    law: Words(
        "ifold n (fun s i => (f(fst s, i), g(fst s, snd s, i))) z --> let t := scan n (fun a i => (f(a, i), a)) (fst z); \
         (fst t, ifold n (fun d i => g((snd t)[i], d, i)) (snd z)), and so for all dual numbers that the state is made of, below lets \
         and choices",
    ),
    condition: "the numbers of the new state don't need the tangents of the old one, and the tangents need the numbers",
    doc: "The primal loop is computed once, and its states are stored for the tangent's, which is linear then. Where the tangents \
          don't need the state ifoldUnzip does without storing it.",
    exactness: Exactness::Exact,
    inspects: Inspection {
        heads: HeadFilter::Of(&[Head::Ifold]),
        ways: &[&[0, 0]],
        guard: |term| is_dual(term.ty()) && is_written_out(term),
        ..BELOW
    },
    left_sides: &[
        "ifold n (fun s i => (fst s * f(i), snd s * f(i) + fst s * g(i))) (y, z)",
        "ifold n (fun s i => let x := exp (fst s); (x, snd s * x)) (y, z)",
        "ifold n (fun s i => ((fst (snd s), snd (snd s) * c), (fst (fst s) * fst (snd s), snd (fst s) * fst (snd s)))) ((a, b), (d, e))",
        "ifold n (fun s i => build m (fun j => (sin (fst s[j]), snd s[j] * cos (fst s[j])))) (build m (fun j => (y(j), z(j))))",
    ],
    examples: &[
        (
            "fun (v w : array n real) => ifold n (fun s i => (fst s * v[i], snd s * v[i] + fst s * w[i])) (1, 0)",
            "fun (v w : array n real) => let t := scan n (fun a i => (a * v[i], a)) 1; \
             let dt := ifold n (fun ds i => let a := (snd t)[i]; ds * v[i] + a * w[i]) 0; (fst t, dt)",
        ),
        (
            "fun (v : array n real) => ifold n (fun s i => ((fst (snd s), snd (snd s)), (sin (fst (fst s)), snd (fst s) * cos (fst \
             (fst s))))) ((1, 0), (2, 1))",
            "fun (v : array n real) => let t := scan n (fun a i => ((snd a, sin (fst a)), a)) (1, 2); let dt := ifold n (fun ds i => \
             let a := (snd t)[i]; (snd ds, fst ds * cos (fst a))) (0, 1); ((fst (fst t), fst dt), (snd (fst t), snd dt))",
        ),
    ],
    refused: for_tests(&[
        "fun (v : array n real) => ifold n (fun s i => (fst s * snd s, snd s)) (1, 2)",
        "fun (v : array n real) => ifold n (fun s i => s * v[i]) 1",
        "fun (v : array n real) => ifold n (fun s i => (fst s * v[i], snd s + v[i])) (1, 2)",
    ]),
    function: |focus, _| {
        let parts = LoopParts::of(focus.term);
        let unzipped = parts.and_then(|parts| unzip(&parts, Halving::Duals, true));
        unzipped
            .ok_or(Reason::native("no fold over dual numbers whose tangents need the state, which doesn't need them"))
    },
};

fn is_zipped(term: &Term) -> bool {
    let TypeView::Pair(state, kept) = term.ty().view() else { return false };
    zipped(state) && zipped(kept) || is_dual(state) || is_dual(kept)
}

/// The way in which a value is taken apart.
#[derive(Clone, Copy)]
enum Halving {
    /// Into both halves of pairs, be they in arrays.
    Pairs,
    /// Into the numbers and the tangents of dual numbers, wherever they stand.
    Duals,
}

impl Halving {
    fn of(self, term: &Term) -> Option<(Term, Option<Term>)> {
        match self {
            Halving::Pairs => halves(term).map(|(a, b)| (a, Some(b))),
            Halving::Duals => split(term),
        }
    }

    fn join(self, first: &Term, second: Option<&Term>, ty: &Type) -> Option<Term> {
        match self {
            Halving::Pairs => joined(first, second?, ty),
            Halving::Duals => joined_duals(first, second, ty),
        }
    }
}

/// A fold over dual numbers as two, where neither needs what the other one's state is made of. Where two numbers that the state
/// has left would look like a dual number, only where the tangents depend on what nothing else in it does, such as a direction.
pub(super) fn duals_apart(fold: &Term) -> Option<Term> {
    let parts = LoopParts::of(fold).filter(|parts| parts.form == LoopForm::Fold && is_dual(fold.ty()))?;
    let apart = unzip(&parts, Halving::Duals, false)?;
    let (first, second) = (apart.kid(0), apart.kid(1).kid(0));
    let looks_dual = tangents(fold.ty()).is_some_and(|left| is_dual(&left));
    (!looks_dual || has_direction(&second, 1, &first)).then_some(apart)
}

/// Whether a term under so many binders depends on what another outside of them doesn't, such as a direction.
fn has_direction(tangents: &Term, under: u32, first: &Term) -> bool {
    tangents.free().any(|(i, _)| i >= under && first.free_at(i - under).is_none())
}

/// A loop as two. If `storing`, a fold comes apart only where the second loop needs its states, which are stored; else only where
/// it doesn't.
fn unzip(parts: &LoopParts, by: Halving, storing: bool) -> Option<Term> {
    let below = parts.below();
    let (y, z) = by.of(&needed(&parts.start))?;
    let z = z?;
    // The states of both halves stand where the state stood: variable 2 is the first, 1 the second, 0 the index.
    let both = by.join(&Term::var(2, y.ty()), Some(&Term::var(1, z.ty())), parts.start.ty())?;
    let step = parts.step.substitute(&|i| match i {
        0 => Term::var(0, &below),
        1 => both.clone(),
        _ => Term::var(i + 1, &parts.step.free_at(i).map_or_else(Type::int, |free| free.ty.clone())),
    });
    let step = needed(&step.ok()?);
    // What a step gives: the next state, and of a scan what it keeps.
    let given = match parts.form {
        LoopForm::Fold => vec![step],
        _ => vec![needed(&half(&step, false)?), needed(&half(&step, true)?)],
    };
    let mut firsts = Vec::new();
    let mut seconds = Vec::new();
    for part in &given {
        let (first, second) = by.of(part)?;
        // Taking halves leaves projections behind, which must go before it shows what each half needs.
        firsts.push(without(&needed(&first), 1)?);
        seconds.push(second.map(|second| needed(&second)));
    }
    let kept_type = parts.kept_type();
    let paired = |a: Term, b: Option<Term>| match b {
        Some(b) => Term::pair(a, b).ok(),
        None => Some(a),
    };
    let second = paired(seconds.first_mut()?.take()?, seconds.get_mut(1).and_then(Option::take))?;
    let keeps = kept_type.as_ref().is_some_and(|_| second.ty() != z.ty());
    let stores = second.free_at(2).is_some();
    let is_fold = parts.form == LoopForm::Fold;
    if is_fold && stores != storing {
        return None;
    }
    let stored = stores.then(|| Term::var(1, y.ty()));
    let (state, kept) = (firsts[0].clone(), firsts.get(1).cloned());
    // The state that is kept anyway isn't stored twice.
    let is_kept = stores && kept == stored;
    let kept = kept.filter(|_| !is_kept);
    let first = LoopParts {
        form: if is_fold && stores { LoopForm::Scan } else { parts.form },
        state: Name::new("a"),
        ..parts.clone()
    };
    let kept = match kept {
        Some(kept) => Some(paired(kept, stored)?),
        None => stored,
    };
    let stepped = match kept {
        Some(kept) => Term::pair(state, kept).ok()?,
        None => state,
    };
    let first = first.with(stepped, y.clone())?;
    let second = match stores {
        false => without(&second, 2)?.shift_from(2, 1),
        true => {
            // Under the state, the index and a; the first scan is variable 3 there, and a is read from it.
            let stored = Term::get(Term::snd(Term::var(2, first.ty())).ok()?, Term::var(0, &below)).ok()?;
            let stored = if kept_type.is_some() && !is_kept { Term::snd(stored).ok()? } else { stored };
            let body = second.rename(|i| match i {
                0 => 1,
                1 => 2,
                2 => 0,
                outer => outer + 1,
            });
            Term::let_in(&Name::new("a"), stored, body).ok()?
        }
    };
    let tangents = LoopParts { state: second_name(&parts.state), ..parts.clone() };
    let second = match keeps {
        true => tangents.with(second, z.shift(1))?,
        false => tangents.fold(&second, z.shift(1))?,
    };
    let (t, dt) = (Term::var(1, first.ty()), Term::var(0, second.ty()));
    let last = if keeps { Term::fst(dt.clone()).ok()? } else { dt.clone() };
    let end = if is_fold && !stores { t.clone() } else { Term::fst(t.clone()).ok()? };
    let state = by.join(&end, Some(&last), parts.start.ty())?;
    let result = match kept_type {
        None => state,
        Some(ty) => {
            let kept = each(&parts.n, |i| {
                let own = Term::get(Term::snd(t.shift(1)).ok()?, i.clone()).ok()?;
                let own = if stores && !is_kept { Term::fst(own).ok()? } else { own };
                let tangent = match keeps {
                    true => Some(Term::get(Term::snd(dt.shift(1)).ok()?, i).ok()?),
                    false => None,
                };
                by.join(&own, tangent.as_ref(), &ty)
            })?;
            Term::pair(state, kept).ok()?
        }
    };
    let inner = Term::let_in(&Name::new("dt"), second, result).ok()?;
    Term::let_in(&Name::new("t"), first, inner).ok()
}

/// A scan whose state has no tangent, but what it keeps: the tangents are computed from the states, which are stored. Only where
/// they depend on what nothing else in it does, such as a direction; a pair of numbers is no dual number otherwise.
fn kept_apart(parts: &LoopParts) -> Option<Term> {
    let kept_element = parts.kept_type()?;
    let step = needed(&parts.step);
    let (state, kept) = (needed(&half(&step, false)?), needed(&half(&step, true)?));
    let (own, tangents) = split(&kept)?;
    let (own, tangents) = (needed(&own), needed(&tangents?));
    let state_before = Term::var(1, parts.start.ty());
    let is_kept = own == state_before;
    let stored = if is_kept { own } else { Term::pair(own, state_before).ok()? };
    let of = |at: &Term, half: fn(Term) -> Result<Term, IllTyped>| match is_kept {
        true => Some(at.clone()),
        false => half(at.clone()).ok(),
    };
    let first = LoopParts { state: Name::new("a"), ..parts.clone() };
    let first = first.with(Term::pair(state, stored).ok()?, parts.start.clone())?;
    if !has_direction(&tangents, 2, &first) {
        return None;
    }
    let kept = each(&parts.n, |i| {
        let at = Term::get(Term::snd(Term::var(1, first.ty())).ok()?, i).ok()?;
        // The index and the first scan stand where the index and the state stood; the state is bound last.
        let tangents = tangents.rename(|i| match i {
            0 => 1,
            1 => 0,
            outer => outer + 1,
        });
        let tangents = Term::let_in(&Name::new("a"), of(&at, Term::snd)?, tangents).ok()?;
        joined_duals(&of(&at, Term::fst)?, Some(&tangents), &kept_element)
    })?;
    let end = Term::fst(Term::var(0, first.ty())).ok()?;
    Term::let_in(&Name::new("t"), first, Term::pair(end, kept).ok()?).ok()
}

fn without(part: &Term, other: u32) -> Option<Term> {
    part.free_at(other).is_none().then(|| part.rename(|i| if i > other { i - 1 } else { i }))
}
