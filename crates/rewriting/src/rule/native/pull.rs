//! Transposes linear programs where the notation of laws can't say it: chains of lets, loops with a state, what is written out.
//! The other laws of `pull` and `plus` are text.

use super::at_zero::at_zero;
use super::let_put::LET_PUT;
use super::pull_path::{GROUP, pulled, pulled_parts};
use super::scan_parts::{LoopForm, LoopParts};
use super::total::total;
use crate::rule::footprint::{BELOW, HeadFilter, Inspection};
use crate::rule::reason::NOT_LINEAR;
use crate::rule::record::NativeStatement::Words;
use crate::rule::record::for_tests;
use crate::rule::{Exactness, FailureCause, NativeRule, Reason};
use redexter_language::ground::Name;
use redexter_language::term::{Head, Kind, Path, Size, Term, Type, TypeView, View};

pub(super) const RULES: &[NativeRule] = &[
    NativeRule {
        name: "pullZero",
        params: &[],
        group: GROUP,
        law: Words("pull (fun d => 0) w --> 0; pull f 0 --> 0"),
        condition: "0 is of any type that is made of reals",
        doc: "Nothing is added where nothing reads the direction.",
        exactness: Exactness::RealExact,
        inspects: Inspection { heads: HeadFilter::Of(&[Head::Pull]), ..BELOW },
        left_sides: &[
            "pull (fun d => 0) w",
            "pull (fun d => (0, 0)) w",
            "pull (fun d => build n (fun i => 0)) w",
            "pull (fun d => d) 0",
        ],
        examples: &[
            ("fun (v : real) => pull (fun (d : array n real) => 0) v", "fun (v : real) => build n (fun i => 0)"),
            ("fun (x : real) => pull (fun (d : real * real) => fst d * x) 0", "fun (x : real) => (0, 0)"),
        ],
        refused: for_tests(&["fun (v : real) => pull (fun (d : array n real) => d) (build n (fun i => v))"]),
        function: |focus, _| {
            let is_such = pulls_zero(focus.term);
            let zero = is_such.then(|| Term::zero(focus.term.ty())).flatten();
            zero.ok_or(Reason::native("neither what is transposed nor the weight is 0"))
        },
    },
    NativeRule {
        name: "pullHalf",
        params: &[],
        group: GROUP,
        law: Words(
            "pull (fun d => fst a(d)) w --> pull (fun d => a(d)) (w, 0); pull (fun d => snd a(d)) w --> pull (fun d => a(d)) (0, w)",
        ),
        condition: "a gives reals in both halves",
        doc: "What weighs a half weighs the pair, with 0 for the other half.",
        exactness: Exactness::RealExact,
        inspects: Inspection {
            heads: HeadFilter::Of(&[Head::Pull]),
            ways: &[&[0, 0]],
            guard: |term| body_is(term, |kind| matches!(kind, Kind::Fst | Kind::Snd)),
            ..BELOW
        },
        left_sides: &["pull (fun d => fst a(d)) w", "pull (fun d => snd a(d)) w", "pull (fun d => snd (f(d), g(d))) w"],
        examples: &[(
            "fun (w : real) => pull (fun (d : real * real) => snd d) w",
            "fun (w : real) => pull (fun (d : real * real) => d) (0, w)",
        )],
        refused: for_tests(&["fun (w : real) => pull (fun (d : real) => d) w"]),
        function: |focus, _| pull_half(focus.term).ok_or(Reason::native("no half is transposed")),
    },
    NativeRule {
        name: "pullArray",
        params: &[],
        group: GROUP,
        law: Words(
            "pull (fun d => [a(d), b(d), ..]) w --> let v := w; plus (pull (fun d => a(d)) v[0]) (plus (pull (fun d => b(d)) v[1]) ..)",
        ),
        condition: "each element is linear in d",
        doc: "Each element that is written out has the weight that stands at its place.",
        exactness: Exactness::Reassociating,
        inspects: Inspection {
            heads: HeadFilter::Of(&[Head::Pull]),
            ways: &[&[0, 0]],
            guard: |term| body_is(term, |kind| matches!(kind, Kind::Array(_))),
            ..BELOW
        },
        left_sides: &["pull (fun d => [d * a, d, b * d]) w", "pull (fun d => [[d[0 else 0], 0], [0, d[1 else 0]]]) w"],
        examples: &[(
            "fun (x : real) (w : array 3 real) => pull (fun (d : real * real) => [fst d * x, 0, snd d]) w",
            "fun (x : real) (w : array 3 real) => let w := w; plus (pull (fun (d : real * real) => fst d * x) w[(0 : fin 3)]) (pull (fun (d : \
             real * real) => snd d) w[(2 : fin 3)])",
        )],
        refused: for_tests(&["fun (w : real) => pull (fun (d : real) => d) w"]),
        function: |focus, _| pull_array(focus.term).ok_or(Reason::native("no array that is written out is transposed")),
    },
    NativeRule {
        name: "getZero",
        params: &[],
        group: GROUP,
        law: Words("0[i] --> 0, where the array is of any type that is made of reals"),
        condition: "",
        doc: "An element of zeros is 0, also where they are written out.",
        exactness: Exactness::RealExact,
        inspects: Inspection { heads: HeadFilter::Of(&[Head::Get]), ways: &[&[0]], ..BELOW },
        left_sides: &["[0, 0, 0][i]", "[[0, 0], [0, 0]][i][j]", "(build n (fun i => (0, 0)))[i]"],
        examples: &[("fun (k : fin 2) => [(0, 0), (0, 0)][k]", "fun (k : fin 2) => (0, 0)")],
        refused: for_tests(&["fun (k : fin 2) (v : real) => [0, v][k]"]),
        function: |focus, _| {
            let is_such = matches!(focus.term.view(), View::Get(array, _) if array.is_zero());
            let zero = is_such.then(|| Term::zero(focus.term.ty())).flatten();
            zero.ok_or(Reason::native("the array isn't zeros"))
        },
    },
    NativeRule {
        name: "pullLets",
        params: &[],
        group: GROUP,
        law: Words(
            "pull (fun d => let x := a(d); ..; let y := b(d, x); c(d, x, y)) w --> let v := w; let wy := pull (fun y => c(0, 0, y)) v; \
             let wx := plus (pull (fun x => c(0, x, 0)) v) (pull (fun x => b(0, x)) wy); ..; plus (pull (fun d => c(d, 0, 0)) v) (plus \
             (pull (fun d => b(d, 0)) wy) (pull (fun d => a(d)) wx)), the whole chain at once",
        ),
        condition: "all of it is linear in d",
        doc: "Each let's adjoint is the sum over what uses it, from the last let to the first. One let at a time would double the work \
              with each. What the 0 of others makes 0 goes, and what pullPath would do at once is done.",
        exactness: Exactness::Reassociating,
        inspects: Inspection {
            heads: HeadFilter::Of(&[Head::Pull]),
            ways: &[&[0, 0]],
            guard: |term| body_is(term, |kind| matches!(kind, Kind::Let(_))),
            ..BELOW
        },
        left_sides: &[
            "pull (fun d => let x := d * a; x + b * d) w",
            "pull (fun d => let x := build n (fun i => d[i] * a(i)); ifold n (fun s i => s + x[i] * b(i) + d[i]) 0) w",
            "pull (fun d => let x := fst d; let y := x + snd d * a; let z := y * b + x; z - y) w",
        ],
        examples: &[(
            "fun (v : array n real) => pull (fun (d : array n real) => let x := build n (fun i => v[i] * d[i]); let y := build n (fun i \
             => x[i] + d[i]); ifold n (fun s i => s + y[i]) 0) 1",
            "fun (v : array n real) => let w := 1; let dy := pull (fun (y : array n real) => ifold n (fun s i => s + y[i]) 0) w; let dx := \
             pull (fun (x : array n real) => build n (fun i => x[i])) dy; plus (pull (fun (d : array n real) => build n (fun i => d[i])) \
             dy) (pull (fun (d : array n real) => build n (fun i => v[i] * d[i])) dx)",
        )],
        refused: for_tests(&[
            "fun (v : array n real) => pull (fun (d : array n real) => build n (fun i => v[i] * d[i])) v",
            "fun (v : real) => pull (fun (d : real) => let x := v * 2; d * x) v",
        ]),
        function: |focus, _| lets(focus.term),
    },
    NativeRule {
        name: "pullFold",
        params: &[],
        group: GROUP,
        law: Words(
            "pull (fun d => ifold n (fun s i => q(s, d, i)) z(d)) w --> let t := scanr n (fun l i => (pull (fun s => q(s, 0, i)) l, l)) w; \
             plus (pull (fun d => z(d)) (fst t)) (ifold n (fun s i => plus s (pull (fun d => q(0, d, i)) (snd t)[i])) 0); of a scan the \
             weight of what is kept stands beside l, and scan and scanr change places",
        ),
        condition: "q is linear in s and d together, z in d",
        doc: "The adjoint of the state runs through the loop backwards, and is kept for what else the steps use; what 0 makes 0 goes.",
        exactness: Exactness::Reassociating,
        inspects: Inspection {
            heads: HeadFilter::Of(&[Head::Pull]),
            ways: &[&[0, 0]],
            guard: |term| body_is(term, |kind| matches!(kind, Kind::Ifold(_) | Kind::Scan(_) | Kind::Scanr(_))),
            ..BELOW
        },
        left_sides: &[
            "pull (fun d => ifold n (fun s i => s * a(i) + d * b(i)) d) w",
            "pull (fun d => ifold n (fun s i => s * a(i) + d[i]) 0) w",
            "pull (fun d => scan n (fun s i => (s * a(i) + d[i], s * b(i))) 0) w",
            "pull (fun d => snd (scanr n (fun s i => (s * a(i), s + d * b(i))) d)) w",
        ],
        examples: &[(
            "fun (a : array n real) => pull (fun (d : array n real) => ifold n (fun s i => s * a[i] + d[i]) 0) 1",
            "fun (a : array n real) => let t := scanr n (fun l i => (pull (fun (s : real) => s * a[i]) l, l)) 1; ifold n (fun s i => \
             plus s (pull (fun (d : array n real) => d[i]) (snd t)[i])) (build n (fun _ => 0))",
        )],
        refused: for_tests(&[
            "fun (a : array n real) => pull (fun (d : array n real) => build n (fun i => a[i] * d[i])) a",
        ]),
        function: |focus, _| fold(focus.term),
    },
    LET_PUT,
    NativeRule {
        name: "letZero",
        params: &[],
        group: GROUP,
        law: Words("let x := 0; b(x) --> b(0), where 0 is of any type that is made of reals"),
        condition: "",
        doc: "What is known to be zeros is seen as such wherever it is used.",
        exactness: Exactness::Exact,
        inspects: Inspection { heads: HeadFilter::Of(&[Head::Let]), ways: &[&[0]], ..BELOW },
        left_sides: &["let x := build n (fun i => 0); plus x b", "let x := (0, build n (fun i => 0)); b(x)"],
        examples: &[(
            "fun (v : array n real) => let x := (build n (fun i => 0), 0); plus (fst x) v",
            "fun (v : array n real) => plus (fst (build n (fun i => 0), 0)) v",
        )],
        refused: for_tests(&["fun (v : array n real) => let x := (build n (fun i => 0), 1); plus (fst x) v"]),
        function: |focus, _| {
            let View::Let(_, value, body) = focus.term.view() else { return Err(Reason::native("no let")) };
            let put = value.is_zero().then(|| body.instantiate(&value).ok()).flatten();
            put.ok_or(Reason::native("no zeros are named"))
        },
    },
    NativeRule {
        name: "plusZero",
        params: &[],
        group: GROUP,
        law: Words("plus a 0 --> a; plus 0 a --> a"),
        condition: "0 is of any type that is made of reals",
        doc: "Nothing is added.",
        exactness: Exactness::RealExact,
        inspects: Inspection { heads: HeadFilter::Of(&[Head::Plus]), ..BELOW },
        left_sides: &["plus a (0, 0)", "plus (build n (fun i => 0)) v", "plus v (build n (fun i => 0))", "plus 0 x"],
        examples: &[(
            "fun (v : array n (real * real)) => plus v (build n (fun i => (0, 0)))",
            "fun (v : array n (real * real)) => v",
        )],
        refused: for_tests(&["fun (v : array n real) => plus v v"]),
        function: |focus, _| adds_zero(focus.term).ok_or(Reason::native("neither of both is 0")),
    },
];

fn body_is(term: &Term, is_such: impl Fn(&Kind) -> bool) -> bool {
    pulled_parts(term).is_some_and(|(_, _, body, _)| is_such(body.kind()))
}

fn pulls_zero(term: &Term) -> bool {
    let View::Pull(f, w) = term.view() else { return false };
    w.is_zero() || matches!(f.view(), View::Lam(_, _, body) if body.is_zero())
}

fn adds_zero(term: &Term) -> Option<Term> {
    let View::Plus(a, b) = term.view() else { return None };
    if b.is_zero() { Some(a) } else { a.is_zero().then_some(b) }
}

fn pull_half(term: &Term) -> Option<Term> {
    let (d, ty, body, w) = pulled_parts(term)?;
    let (pair, is_first) = match body.view() {
        View::Fst(pair) => (pair, true),
        View::Snd(pair) => (pair, false),
        _ => return None,
    };
    let TypeView::Pair(first, second) = pair.ty().view() else { return None };
    let w = match is_first {
        true => Term::pair(w, Term::zero(second)?),
        false => Term::pair(Term::zero(first)?, w),
    };
    Term::pull(Term::lam(&d, &ty, pair).ok()?, w.ok()?).ok()
}

fn pull_array(term: &Term) -> Option<Term> {
    let (d, ty, body, w) = pulled_parts(term)?;
    let View::Array(_, elements) = body.view() else { return None };
    let size = Size::literal(elements.len() as u64);
    // The weight is named around all of it.
    let weight = Term::var(0, w.ty());
    let mut sum = None;
    for (k, element) in elements.iter().enumerate().filter(|(_, element)| !element.is_zero()) {
        let own = Term::get(weight.clone(), Term::fin(k as u64, size.clone()).ok()?).ok()?;
        let function = Term::lam(&d, &ty, element.shift_from(1, 1)).ok()?;
        let pulled = Term::pull(function, own).ok()?;
        sum = Some(added(sum, pulled)?);
    }
    let sum = sum.or_else(|| Term::zero(&ty))?;
    Term::let_in(&Name::new("w"), w, sum).ok()
}

/// The reason for which what stands at a place isn't transposed: the way from there to what isn't linear.
pub(super) fn not_linear(place: &[u32], way: Path) -> Reason {
    let way: Vec<u32> = place.iter().copied().chain(way.0).collect();
    Reason::new(FailureCause::Within(NOT_LINEAR, way.into()))
}

/// What has been added up so far, and one more.
fn added(sum: Option<Term>, one: Term) -> Option<Term> {
    match sum {
        None => Some(one),
        Some(sum) => Term::plus(sum, one).ok(),
    }
}

/// A use of linear variables: a term under so many of them, the last bound first, and which weight it has.
struct LinearUse {
    term: Term,
    depth: u32,
    weight: u32,
}

fn lets(term: &Term) -> Result<Term, Reason> {
    let none = || Reason::native("no chain of linear lets is transposed");
    let (d, ty, body, w) = pulled_parts(term).ok_or_else(none)?;
    let mut chain = Vec::new();
    let mut rest = body.clone();
    while let View::Let(x, value, inner) = rest.view() {
        let depth = chain.len() as u32 + 1;
        if !value.places().iter().any(|index| *index < depth) {
            break;
        }
        chain.push((x, value));
        rest = inner;
    }
    if chain.is_empty() {
        return Err(none());
    }
    body.linear_in(0).map_err(|way| not_linear(&[0, 0], way))?;
    transposed_lets((d, ty), &chain, rest, w).ok_or_else(|| Reason::native("a let holds what can't be added up"))
}

fn transposed_lets((d, ty): (Name, Type), chain: &[(Name, Term)], rest: Term, w: Term) -> Option<Term> {
    let count = chain.len() as u32;
    // The weights are bound in this order: that of the whole, then those of the lets from the last to the first.
    let mut weights = vec![(Name::new("w"), w)];
    let mut uses = vec![LinearUse { term: rest, depth: count + 1, weight: 0 }];
    for (k, (x, value)) in chain.iter().enumerate().rev() {
        let level = k as u32 + 1;
        let adjoint = sum_of(&uses, x, value.ty(), level, weights.len() as u32)?;
        weights.push((Name::new(&format!("d{x}")), adjoint));
        uses.push(LinearUse { term: value.clone(), depth: level, weight: weights.len() as u32 - 1 });
    }
    let result = sum_of(&uses, &d, &ty, 0, weights.len() as u32)?;
    weights.into_iter().rev().try_fold(result, |body, (name, value)| Term::let_in(&name, value, body).ok())
}

/// The adjoint of the variable with this level from the outside: what each use pulls back to it, where so many weights are bound.
fn sum_of(uses: &[LinearUse], x: &Name, ty: &Type, level: u32, bound: u32) -> Option<Term> {
    let mut sum = None;
    for LinearUse { term, depth, weight } in uses {
        let Some(own) = depth.checked_sub(1 + level) else { continue };
        if term.free_at(own).is_none() {
            continue;
        }
        let zeros = |index: u32| term.free_at(index).and_then(|free| Term::zero(free.ty));
        let all_sum = term.places().iter().all(|index| index >= depth || *index == own || zeros(*index).is_some());
        if !all_sum {
            return None;
        }
        let alone = at_zero(term, &|index| index < *depth && index != own)?;
        if alone.free_at(own).is_none() {
            continue;
        }
        let alone = alone.rename(|index| if index == own { 0 } else { index - depth + bound + 1 });
        sum = Some(added(sum, pulled(x, ty, alone, Term::var(bound - 1 - weight, term.ty()))?)?);
    }
    sum.or_else(|| Term::zero(ty))
}

fn fold(term: &Term) -> Result<Term, Reason> {
    let none = || Reason::native("no loop with a state is transposed");
    let (d, ty, body, w) = pulled_parts(term).ok_or_else(none)?;
    let parts = LoopParts::of(&body).ok_or_else(none)?;
    body.linear_in(0).map_err(|way| not_linear(&[0, 0], way))?;
    transposed_loop((d, ty), &parts, w).ok_or_else(|| Reason::native("the state holds what can't be added up"))
}

fn transposed_loop((d, ty): (Name, Type), parts: &LoopParts, w: Term) -> Option<Term> {
    let (state, below) = (parts.state_type().clone(), parts.below());
    let is_scan = parts.form != LoopForm::Fold;
    // Of a scan the weight of what is kept stands in a let around all of it.
    let kept = is_scan.then(|| Term::var(0, w.ty()));
    let out = u32::from(is_scan);
    // The weight of a step: that of the state, and of a scan that of what is kept at the index, so many binders further in.
    let step_weight = |own: Term, index: Term, by: u32| match &kept {
        None => Some(own),
        Some(kept) => Term::pair(own, Term::get(Term::snd(kept.shift(by)).ok()?, index).ok()?).ok(),
    };
    // In the step variable 0 is the index, 1 the state, 2 the direction; in the new one they stand under l, the index and s.
    let backward = at_zero(&parts.step, &|index| index == 2)?.rename(|index| match index {
        0 => 1,
        1 => 0,
        index => index + out,
    });
    let (l, i) = (Term::var(1, &state), Term::var(0, &below));
    let function = Term::lam(&parts.state, &state, backward).ok()?;
    let weight = step_weight(l.clone(), i, 2)?;
    let stepped = Term::pair(Term::pull(function, weight).ok()?, l).ok()?;
    let reversed = LoopParts {
        form: if parts.form == LoopForm::Scanr { LoopForm::Scan } else { LoopForm::Scanr },
        state: Name::new("l"),
        ..parts.clone()
    };
    let start = match &kept {
        None => w.clone(),
        Some(kept) => Term::fst(kept.clone()).ok()?,
    };
    let adjoints = reversed.with(stepped, start)?;
    // Under the adjoints.
    let t = Term::var(0, adjoints.ty());
    let mut sum = None;
    if parts.start.free_at(0).is_some() {
        let start = parts.start.rename(|index| if index == 0 { 0 } else { index + 1 + out });
        let function = Term::lam(&d, &ty, start).ok()?;
        sum = Some(Term::pull(function, Term::fst(t.clone()).ok()?).ok()?);
    }
    if parts.step.free_at(2).is_some() {
        // Under the sum, the index and the direction.
        let direct = at_zero(&parts.step, &|index| index == 1)?.rename(|index| match index {
            0 => 1,
            2 => 0,
            index => index + 1 + out,
        });
        let function = Term::lam(&d, &ty, direct).ok()?;
        let index = Term::var(0, &below);
        let own = Term::get(Term::snd(t.shift(2)).ok()?, index.clone()).ok()?;
        let pulled = Term::pull(function, step_weight(own, index, 3)?).ok()?;
        let total = total((&parts.n, &parts.index), pulled, Term::zero(&ty)?)?;
        sum = Some(added(sum, total)?);
    }
    let sum = sum.or_else(|| Term::zero(&ty))?;
    let sum = Term::let_in(&Name::new("t"), adjoints, sum).ok()?;
    if is_scan { Term::let_in(&Name::new("w"), w, sum).ok() } else { Some(sum) }
}
