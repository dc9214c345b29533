//! Separates the primal part of a scan from its tangent part: two scans, the second of which reads what the first has stored.

use super::halves::{each, halves, joined, needed, second_name, zipped};
use super::parts::half;
use super::scan_parts::LoopParts;
use crate::rule::footprint::{BELOW, HeadFilter, Inspection};
use crate::rule::record::NativeStatement::Words;
use crate::rule::{Exactness, NativeRule, Reason};
use redexter_language::ground::Name;
use redexter_language::term::{Head, Term, Type, TypeView};

pub(super) const RULES: &[NativeRule] = &[NativeRule {
    name: "scanUnzip",
    params: &[],
    group: "Scans",
    law: Words(
        "scan n (fun s i => ((f(fst s, i), g(fst s, snd s, i)), (p(fst s, i), q(fst s, snd s, i)))) z --> \
         let t := scan n (fun a i => (f(a, i), (p(a, i), a))) (fst z); let dt := scan n (fun d i => \
         (g(snd (snd t)[i], d, i), q(snd (snd t)[i], d, i))) (snd z); \
         ((fst t, fst dt), build n (fun i => (fst (snd t)[i], (snd dt)[i]))), and so by type for arrays of pairs, below lets and \
         choices; without storing a where neither g nor q needs it",
    ),
    condition: "the first half of the new state, and of what is kept, don't need the second half of the old one",
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
    ],
    refused: &[
        "fun (v : array n real) => scan n (fun s i => ((fst s * snd s, snd s), (v[i], v[i]))) (1, 2)",
        "fun (v : array n real) => scan n (fun s i => ((fst s * v[i], snd s), v[i])) (1, 2)",
        "fun (v : array n real) => scan n (fun s i => (s * v[i], (v[i], s))) 1",
    ],
    function: |focus, _| {
        unzip(focus.term).ok_or(Reason::native("no scan over pairs whose first halves need no second one"))
    },
}];

fn is_zipped(term: &Term) -> bool {
    let TypeView::Pair(state, kept) = term.ty().view() else { return false };
    zipped(state) && zipped(kept)
}

fn unzip(term: &Term) -> Option<Term> {
    let parts = LoopParts::of_scan(term)?;
    let below = parts.below();
    let kept_type = parts.kept_type()?;
    let (y, z) = halves(&needed(&parts.start))?;
    // The states of both halves stand where the state stood: variable 2 is the first, 1 the second, 0 the index.
    let both = joined(&Term::var(2, y.ty()), &Term::var(1, z.ty()), parts.start.ty())?;
    let step = parts.step.substitute(&|i| match i {
        0 => Term::var(0, &below),
        1 => both.clone(),
        _ => Term::var(i + 1, &parts.step.free_at(i).map_or_else(Type::int, |free| free.ty.clone())),
    });
    let step = needed(&step.ok()?);
    let (f, g) = halves(&needed(&half(&step, false)?))?;
    let (p, q) = halves(&needed(&half(&step, true)?))?;
    // Taking halves leaves projections behind, which must go before it shows what each half needs.
    let [f, g, p, q] = [f, g, p, q].map(|part| needed(&part));
    let without = |part: &Term, other: u32| {
        part.free_at(other).is_none().then(|| part.rename(|i| if i > other { i - 1 } else { i }))
    };
    let (f, p) = (without(&f, 1)?, without(&p, 1)?);
    let second = Term::pair(g, q).ok()?;
    let stores = second.free_at(2).is_some();
    let kept = if stores { Term::pair(p, Term::var(1, y.ty())).ok()? } else { p };
    let first = LoopParts { state: Name::new("a"), ..parts.clone() }.with(Term::pair(f, kept).ok()?, y.clone())?;
    let second = match stores {
        false => without(&second, 2)?.shift_from(2, 1),
        true => {
            // Under the state, the index and a; the first scan is variable 3 there, and a is read from it.
            let stored = Term::get(Term::snd(Term::var(2, first.ty())).ok()?, Term::var(0, &below)).ok()?;
            let body = second.rename(|i| match i {
                0 => 1,
                1 => 2,
                2 => 0,
                outer => outer + 1,
            });
            Term::let_in(&Name::new("a"), Term::snd(stored).ok()?, body).ok()?
        }
    };
    let second = LoopParts { state: second_name(&parts.state), ..parts.clone() }.with(second, z.shift(1))?;
    let (t, dt) = (Term::var(1, first.ty()), Term::var(0, second.ty()));
    let state = joined(&Term::fst(t.clone()).ok()?, &Term::fst(dt.clone()).ok()?, parts.start.ty())?;
    let kept = each(&parts.n, |i| {
        let own = Term::get(Term::snd(t.shift(1)).ok()?, i.clone()).ok()?;
        let own = if stores { Term::fst(own).ok()? } else { own };
        joined(&own, &Term::get(Term::snd(dt.shift(1)).ok()?, i).ok()?, &kept_type)
    })?;
    let inner = Term::let_in(&Name::new("dt"), second, Term::pair(state, kept).ok()?).ok()?;
    Term::let_in(&Name::new("t"), first, inner).ok()
}
