//! Makes one fold of the folds of all elements of an array: its state is the array of their states (loop interchange).

use smallvec::SmallVec;

use super::fold_parts::FoldParts;
use crate::rule::footprint::{BELOW, HeadFilter, Inspection};
use crate::rule::record::NativeStatement::Words;
use crate::rule::record::for_tests;
use crate::rule::{Exactness, NativeRule, Reason};
use redexter_language::ground::Name;
use redexter_language::term::{Head, Kind, Size, Term, Type, View};

pub(super) const RULES: &[NativeRule] = &[NativeRule {
    name: "ifoldBuild",
    params: &[],
    group: "Fusion",
    law: Words(
        "build m (fun j => e(j, ifold n (fun a i => f(a, i, j)) (z(j)))) --> \
         let sums := ifold n (fun a i => build m (fun j => f(a[j], i, j))) (build m (fun j => z(j))); \
         build m (fun j => e(j, sums[j])), and without the let where e is the fold",
    ),
    condition: "the fold depends on j; nothing is bound around it in e, and it isn't in a branch; the first such",
    doc: "Goes once over what each element's fold goes over: what these read at i alone can then be computed there, by \
          untabulate. The states of all folds are counted as stored in each round, which compiled code doesn't do.",
    exactness: Exactness::Exact,
    inspects: Inspection { heads: HeadFilter::Of(&[Head::Build]), ways: &[&[0]], scope: 2, ..BELOW },
    left_sides: &[
        "build m (fun j => ifold n (fun a i => f(a, i, j)) (z(j)))",
        "build m (fun j => c * ifold n (fun a i => a + f(i, j)) 0)",
        "build m (fun j => d(j) - sin (ifold n (fun a i => a * f(i, j)) 1))",
    ],
    examples: &[
        (
            "fun (v : array n (array m real)) => build m (fun j => ifold n (fun a i => a + v[i][j]) 0)",
            "fun (v : array n (array m real)) => ifold n (fun a i => build m (fun j => a[j] + v[i][j])) (build m (fun j => 0))",
        ),
        (
            "fun (v : array n (array m real)) (c : real) => build m (fun j => c * ifold n (fun a i => a * v[i][j]) c)",
            "fun (v : array n (array m real)) (c : real) => let sums := ifold n (fun a i => build m (fun j => a[j] * v[i][j])) \
             (build m (fun j => c)); build m (fun j => c * sums[j])",
        ),
    ],
    refused: for_tests(&[
        "fun (v : array n (array m real)) => build m (fun j => if j = 0 then ifold n (fun a i => a + v[i][j]) 0 else 0)",
        "fun (v : array n real) => build m (fun j => ifold n (fun a i => a + v[i]) 0)",
        "fun (v : array n (array m real)) => build m (fun j => build n (fun i => v[i][j]))",
    ]),
    function: |focus, _| {
        at_once(focus.term).ok_or(Reason::native("no element that is computed from a fold of its own"))
    },
}];

fn at_once(term: &Term) -> Option<Term> {
    let View::Build(m, f) = term.view() else { return None };
    let View::Lam(j, _, body) = f.view() else { return None };
    let path = first(&body)?;
    let fold = path.iter().fold(body.clone(), |term, k| term.kid(*k));
    let all = all_of(FoldParts::of(&fold)?, &m, &j)?;
    if path.is_empty() {
        return Some(all);
    }
    let sums = Term::var(1, all.ty());
    let own = Term::get(sums, Term::var(0, &Type::fin(m.clone()))).ok()?;
    // `sums` is bound between the element's index and what is further out, which has to make room for it.
    let elements = put(&body.shift_from(1, 1), &path, own)?;
    let elements = Term::build(m.clone(), Term::lam(&j, &Type::fin(m), elements).ok()?).ok()?;
    Term::let_in(&Name::new("sums"), all, elements).ok()
}

/// The way to the first fold that depends on variable 0, where nothing is bound on the way.
fn first(term: &Term) -> Option<SmallVec<[usize; 4]>> {
    term.free_at(0)?;
    if matches!(term.kind(), Kind::Ifold(_)) {
        return FoldParts::of(term).map(|_| SmallVec::new());
    }
    // A fold of a branch would be computed in any case.
    let last = if matches!(term.kind(), Kind::If | Kind::Guard(..)) { 1 } else { term.kid_count() };
    let free = (0..last).filter(|k| term.binders(*k) == 0 && !matches!(term.kid(*k).kind(), Kind::Lam(..)));
    free.filter_map(|k| first(&term.kid(k)).map(|path| (k, path))).next().map(|(k, mut path)| {
        path.insert(0, k);
        path
    })
}

/// The term with something else at the end of a way on which nothing is bound.
fn put(term: &Term, path: &[usize], other: Term) -> Option<Term> {
    let Some((k, rest)) = path.split_first() else { return Some(other) };
    term.with_kid(*k, put(&term.kid(*k), rest, other)?).ok()
}

/// The folds for each j below m, which is variable 0 around the one for some j.
fn all_of(fold: FoldParts, m: &Size, j: &Name) -> Option<Term> {
    let below = Type::fin(m.clone());
    let each = |body: Term| Term::build(m.clone(), Term::lam(j, &below, body).ok()?).ok();
    let start = each(fold.start.clone())?;
    // From i, a, j to a, j, i, all states: a is one of them then.
    let apart = fold.body.rename(|v| match v {
        0 => 2,
        1 => 0,
        2 => 1,
        outer => outer + 1,
    });
    let own = Term::get(Term::var(2, start.ty()), Term::var(0, &below)).ok()?;
    let body = each(apart.instantiate(&own).ok()?)?;
    FoldParts { body, start, ..fold }.term()
}
