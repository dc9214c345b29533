//! Takes from loops with a state what nobody reads, what doesn't change, and what each step of a scan keeps though it can be had
//! without.

use super::fold_parts::without_state;
use super::halves::needed;
use super::parts::{KnownParts, PartStep, PartUse, PartWay, STATE, Wanted, Watched, half, leaf_ways, part, part_at};
use super::scan_parts::{LoopForm, LoopParts, to_fold};
use crate::rule::footprint::{BELOW, HeadFilter, Inspection};
use crate::rule::record::NativeStatement::Words;
use crate::rule::record::for_tests;
use crate::rule::{Exactness, NativeRule, Reason};
use redexter_language::ground::Name;
use redexter_language::term::{Head, Kind, Term, TypeView, View};

pub(super) const RULES: &[NativeRule] = &[
    NativeRule {
        name: "scanToFold",
        params: &[],
        group: "Scans",
        law: Words(
            "fst (scan n (fun s i => (f(s, i), g(s, i))) z) --> ifold n (fun s i => f(s, i)) z; \
             fst (scanr n (fun s i => (f(s, i), g(s, i))) z) --> ifold n (fun s i => f(s, n - 1 - i)) z, and so below lets and choices",
        ),
        condition: "",
        doc: "Of a scan whose last state alone is read it is a fold, which the rules for folds and sums know.",
        exactness: Exactness::Exact,
        inspects: Inspection {
            heads: HeadFilter::Of(&[Head::Fst]),
            ways: &[&[0], &[0, 0, 0]],
            guard: has_scan,
            ..BELOW
        },
        left_sides: &[
            "fst (scan n (fun s i => (f(s, i), g(s, i))) z)",
            "fst (scanr n (fun s i => (f(s, i), g(s, i))) z)",
            "fst (scanr n (fun s i => let x := f(s, i); (x, x)) z)",
            "fst (scan n (fun s i => e(s, i)) z)",
        ],
        examples: &[
            (
                "fun (v : array n real) => fst (scan n (fun s i => let t := s * v[i]; (t, t)) 1)",
                "fun (v : array n real) => ifold n (fun s i => let t := s * v[i]; t) 1",
            ),
            (
                "fun (v : array n real) => fst (scanr n (fun s i => (s * 2 + v[i], s)) 1)",
                "fun (v : array n real) => ifold n (fun s i => s * 2 + v[n - 1 - i]) 1",
            ),
        ],
        refused: for_tests(&[
            "fun (v : array n real) => snd (scan n (fun s i => (s * v[i], s)) 1)",
            "fun (f : real -> fin n -> real * real) => fst (scan n f 1)",
        ]),
        function: |focus, _| to_fold(focus.term).ok_or(Reason::native("no state of a scan whose step is written out")),
    },
    NativeRule {
        name: "scanPrune",
        params: &[],
        group: "Scans",
        law: Words(
            "let t := scan n (fun s i => (f(fst s, i), (g(fst s, i), h(s, i)))) z; b(fst (fst t), fst (snd t)[k]) --> \
             let t := scan n (fun s i => (f(s, i), g(s, i))) (fst z); b(fst t, (snd t)[k]), and so by type; without anything \
             kept it is an ifold, without a state a build. The same of an ifold",
        ),
        condition: "a part of the state or of what is kept is read neither by the body nor, as far as it matters there, by the step",
        doc: "Drops what a loop computes for nobody: the adjoint of what isn't a parameter, what another rule reads elsewhere now.",
        exactness: Exactness::Exact,
        inspects: Inspection {
            heads: HeadFilter::Of(&[Head::Let, Head::Snd]),
            ways: &[&[0], &[0, 0]],
            guard: has_loop,
            ..BELOW
        },
        left_sides: &[
            "let t := scan n (fun s i => (f(s, i), (g(s, i), h(s, i)))) z; fst (snd t)[k] * c",
            "let t := scanr n (fun s i => ((f(fst s, i), g(s, i)), h(fst s, i))) z; (fst (fst t), snd t)",
            "let t := scan n (fun s i => (f(s, i), g(s, i))) z; b(fst t)",
            "let t := scanr n (fun s i => (f(s, i), g(s, i))) z; b(fst t)",
            "snd (scan n (fun s i => ((f(fst s, i), g(s, i)), h(fst s, i))) z)",
            "snd (scanr n (fun s i => (f(s, i), let y := g(i); h(i, y))) z)",
            "let t := snd (scan n (fun s i => (f(s, i), (g(s, i), h(s, i)))) z); build n (fun i => snd t[i])",
            "let t := ifold n (fun s i => (f(fst s, i), g(s, i))) z; b(fst t)",
        ],
        examples: &[
            (
                "fun (v : array n real) (k : fin n) => let t := scan n (fun s i => (s * v[i], (s, exp s))) 1; fst (snd t)[k] + fst t",
                "fun (v : array n real) (k : fin n) => let t := scan n (fun s i => (s * v[i], s)) 1; (snd t)[k] + fst t",
            ),
            (
                "fun (v : array n real) => snd (scan n (fun s i => ((fst s * v[i], snd s + fst s), fst s)) (1, 2))",
                "fun (v : array n real) => snd (scan n (fun s i => (s * v[i], s)) 1)",
            ),
            (
                "fun (v : array n real) => let t := scan n (fun s i => (s * v[i], s)) 1; fst t + fst t",
                "fun (v : array n real) => let t := ifold n (fun s i => s * v[i]) 1; t + t",
            ),
            (
                "fun (v : array n real) => snd (scanr n (fun s i => (s * v[i], v[i] + 1)) 1)",
                "fun (v : array n real) => build n (fun i => v[i] + 1)",
            ),
        ],
        refused: for_tests(&[
            "fun (v : array n real) => let t := scan n (fun s i => (s * v[i], s)) 1; (fst t, snd t)",
            "fun (v : array n real) => snd (scan n (fun s i => ((fst s * snd s, snd s + fst s), fst s)) (1, 2))",
            "fun (v : array n real) => let t := ifold n (fun s i => (fst s * snd s, snd s + v[i])) (1, 2); fst t",
        ]),
        function: |focus, _| prune(focus.term).ok_or(Reason::native("no loop of which a part isn't read")),
    },
    NativeRule {
        name: "scanInvariant",
        params: &[],
        group: "Scans",
        law: Words(
            "scan n (fun s i => ((f(fst s, snd s, i), snd s), g(fst s, snd s, i))) z --> let z := z; let t := scan n (fun s i => \
             (f(s, snd z, i), g(s, snd z, i))) (fst z); ((fst t, snd z), snd t), and so by type; of a whole state it is \
             (z, build n (fun i => g(z, i))). The same of an ifold",
        ),
        condition: "the step gives a part of the state as it was, or gives what it was at the start",
        doc: "A part of the state that never changes is its start: the adjoint of a loss that a loop adds up is 1.",
        exactness: Exactness::Exact,
        inspects: Inspection {
            heads: HeadFilter::Of(&[Head::Ifold, Head::Scan, Head::Scanr]),
            ways: &[&[0, 0]],
            guard: may_stay,
            ..BELOW
        },
        left_sides: &[
            "scan n (fun s i => ((f(s, i), snd s), g(s, i))) z",
            "scanr n (fun s i => (s, g(s, i))) z",
            "scan n (fun s i => ((fst s, f(s, i)), s)) (y, z)",
            "ifold n (fun s i => (f(s, i), snd s)) (y, z)",
            "scanr n (fun s i => let x := f(s, i); ((x, snd s), (x, s))) (y, z)",
            "scan n (fun s i => ((f(s, i), (3 : int)), g(s, i))) (z, 3)",
        ],
        examples: &[
            (
                "fun (v : array n real) (z : real * real) => scan n (fun s i => ((fst s * v[i], snd s), fst s * snd s)) z",
                "fun (v : array n real) (z : real * real) => let t := scan n (fun s i => (s * v[i], s * snd z)) (fst z); \
                 ((fst t, snd z), snd t)",
            ),
            (
                "fun (v : array n real) (z : real) => scanr n (fun s i => (s, s * v[i])) z",
                "fun (v : array n real) (z : real) => (z, build n (fun i => z * v[i]))",
            ),
            (
                "fun (v : array n real) (z : real * real) => ifold n (fun s i => (fst s * snd s, snd s)) z",
                "fun (v : array n real) (z : real * real) => let t := ifold n (fun s i => s * snd z) (fst z); (t, snd z)",
            ),
        ],
        refused: for_tests(&[
            "fun (v : array n real) => scan n (fun s i => ((snd s, fst s), v[i])) (1, 2)",
            "fun (v : array n real) => scan n (fun s i => (s * v[i], s)) 1",
        ]),
        function: |focus, _| {
            invariant(focus.term).ok_or(Reason::native("no loop whose step gives a part of its state as it was"))
        },
    },
    NativeRule {
        name: "scanConst",
        params: &[],
        group: "Scans",
        law: Words(
            "let t := scan n (fun s i => (f(s, i), (c, g(i)))) z; b(fst (snd t)[k], snd (snd t)[l]) --> \
             let x := c; let t := scan n (fun s i => (f(s, i), (c, g(i)))) z; b(x, g(l)), and so by type; where (g, g) is kept \
             the second is read from the first",
        ),
        condition: "c mentions neither the state nor the index; g(i) costs nothing; scanPrune takes away what nobody reads then",
        doc: "What a scan keeps that is the same at every step, or can be had at once, is that where it is read.",
        exactness: Exactness::Exact,
        inspects: Inspection {
            heads: HeadFilter::Of(&[Head::Let]),
            ways: &[&[0], &[0, 0]],
            guard: |binding| has_loop(binding) && !matches!(binding.kid(0).kind(), Kind::Ifold(_)),
            ..BELOW
        },
        left_sides: &[
            "let t := scan n (fun s i => (f(s, i), (c, g(s, i)))) z; fst (snd t)[k] + e",
            "let t := scanr n (fun s i => (f(s, i), v[i])) z; (fst t, build n (fun k => (snd t)[k]))",
            "let t := snd (scan n (fun s i => (f(s, i), (g(s, i), sin c))) z); build m (fun k => snd t[e(k)])",
            "let t := scan n (fun s i => (f(s, i), (s, (s, g(s, i))))) z; build n (fun k => fst (snd (snd t)[k]) * h(k))",
        ],
        examples: &[
            (
                "fun (v : array n real) (c : real) (k : fin n) => let t := scan n (fun s i => (s * v[i], (s, exp c))) 1; \
                 fst (snd t)[k] * snd (snd t)[k]",
                "fun (v : array n real) (c : real) (k : fin n) => let x := exp c; let t := scan n (fun s i => (s * v[i], \
                 (s, exp c))) 1; fst (snd t)[k] * x",
            ),
            (
                "fun (v : array n real) (k : fin n) => let t := scan n (fun s i => (s * v[i], v[i])) 1; fst t + (snd t)[k]",
                "fun (v : array n real) (k : fin n) => let t := scan n (fun s i => (s * v[i], v[i])) 1; fst t + v[k]",
            ),
            (
                "fun (v : array n real) (k : fin n) => let t := scan n (fun s i => (s * v[i], (s, s))) 1; (snd t, snd (snd t)[k])",
                "fun (v : array n real) (k : fin n) => let t := scan n (fun s i => (s * v[i], (s, s))) 1; (snd t, fst (snd t)[k])",
            ),
        ],
        refused: for_tests(&[
            "fun (v : array n real) (k : fin n) => let t := scan n (fun s i => (s * v[i], s)) 1; (snd t)[k]",
            "fun (v : array n real) (k : fin n) => let t := scan n (fun s i => (s * v[i], exp v[i])) 1; (snd t)[k]",
            "fun (v : array n real) => let t := scan n (fun s i => (s * v[i], 2)) 1; snd t",
        ]),
        function: |focus, _| {
            constant(focus.term).ok_or(Reason::native("no scan of which something is read that each step gives alike"))
        },
    },
];

/// The way to what steps keep, in a scan's result.
const KEPT: &[PartStep] = &[PartStep::Second];
/// The same in what `snd` of a scan gives.
const OUTPUTS: &[PartStep] = &[];

/// Whether a let binds a loop with a state, or what a scan keeps; or the second half of one is taken.
fn has_loop(term: &Term) -> bool {
    let value = term.kid(0);
    match (term.kind(), value.kind()) {
        (_, Kind::Scan(_) | Kind::Scanr(_)) => true,
        (Kind::Let(_), Kind::Ifold(_)) => matches!(value.ty().view(), TypeView::Pair(..)),
        (Kind::Let(_), Kind::Snd) => matches!(value.kid(0).kind(), Kind::Scan(_) | Kind::Scanr(_)),
        _ => false,
    }
}

/// Whether a let binds a scan, or what one keeps.
pub(super) fn is_named_scan(binding: &Term) -> bool {
    let value = binding.kid(0);
    let scan = if matches!(value.kind(), Kind::Snd) { value.kid(0) } else { value };
    matches!(scan.kind(), Kind::Scan(_) | Kind::Scanr(_))
}

fn may_stay(term: &Term) -> bool {
    !matches!(term.kind(), Kind::Ifold(_)) || matches!(term.ty().view(), TypeView::Pair(..))
}

/// A loop with a name, and how the name is read.
pub(super) struct NamedLoop {
    pub(super) name: Name,
    pub(super) parts: LoopParts,
    /// It names only what is kept.
    pub(super) outputs: bool,
    pub(super) body: Term,
}

impl NamedLoop {
    pub(super) fn of(term: &Term) -> Option<NamedLoop> {
        let View::Let(name, value, body) = term.view() else { return None };
        let outputs = matches!(value.kind(), Kind::Snd);
        let parts = LoopParts::of(&if outputs { value.kid(0) } else { value })?;
        (parts.form != LoopForm::Fold || !outputs).then_some(NamedLoop { name, parts, outputs, body })
    }

    /// The name, where the elements of what is kept are parts of it.
    pub(super) fn watched(&self) -> Watched<'static> {
        let array = if self.outputs { OUTPUTS } else { KEPT };
        Watched { variable: 0, array: (self.parts.form != LoopForm::Fold).then_some(array) }
    }

    /// The way in the loop's result.
    pub(super) fn way<'a>(&self, found: &'a PartUse) -> std::borrow::Cow<'a, [PartStep]> {
        match self.outputs {
            true => KEPT.iter().chain(&found.way).copied().collect::<Vec<_>>().into(),
            false => found.way[..].into(),
        }
    }
}

fn has_scan(term: &Term) -> bool {
    matches!(term.kid(0).kind(), Kind::Scan(_) | Kind::Scanr(_))
}

fn prune(term: &Term) -> Option<Term> {
    if !matches!(term.kind(), Kind::Let(_) | Kind::Snd) || !has_loop(term) {
        return None;
    }
    if let Kind::Snd = term.kind() {
        let parts = LoopParts::of_scan(&term.kid(0))?;
        let pruned = Pruned::of(&parts, Wanted::Nothing, Wanted::Everything)?;
        return if pruned.state == Wanted::Nothing { Some(pruned.value) } else { Term::snd(pruned.value).ok() };
    }
    let named = NamedLoop::of(term)?;
    let mut wanted = Wanted::Nothing;
    named.watched().each(&named.body, &mut |found, _| wanted.add(&named.way(found)));
    let is_fold = named.parts.form == LoopForm::Fold;
    let (state, kept) = match is_fold {
        true => (wanted, Wanted::Nothing),
        false => (wanted.half(false), wanted.half(true).element()),
    };
    if (&state, &kept) == (&Wanted::Nothing, &Wanted::Nothing) {
        return named.body.lower(1);
    }
    let pruned = Pruned::of(&named.parts, state, kept)?;
    let has_both = !is_fold && pruned.state != Wanted::Nothing && pruned.kept != Wanted::Nothing;
    let body = named.watched().replaced(&named.body, &mut |found, t| {
        let own = Term::var(t, pruned.value.ty());
        let way = named.way(found);
        // The way to the loop's state or to what is kept is one step shorter where that is all there is.
        let (side, rest) = match (is_fold, way.split_first()) {
            (false, Some((side, rest))) => (Some(*side), rest),
            // All of a scan's result is read, of which only parts were taken away that can't be: nothing was.
            (false, None) => return None,
            (true, _) => (None, &way[..]),
        };
        let own = match side.filter(|_| has_both) {
            Some(side) => part_at(own, &[side], None)?,
            None => own,
        };
        let left: PartWay = match side {
            Some(PartStep::Second) => match rest.split_first() {
                Some((_, inner)) => [PartStep::Element].into_iter().chain(pruned.kept.way(inner)).collect(),
                None => Default::default(),
            },
            _ => pruned.state.way(rest),
        };
        part_at(own, &left, found.index.as_ref())
    })?;
    Term::let_in(&named.name, pruned.value.clone(), body).ok()
}

/// What is left of a loop.
struct Pruned {
    value: Term,
    state: Wanted,
    kept: Wanted,
}

impl Pruned {
    /// A loop of whose result these parts are read. `None` where that is all of it.
    fn of(parts: &LoopParts, mut state: Wanted, kept: Wanted) -> Option<Pruned> {
        // The state that the step needs for what is wanted is wanted, too; each round adds a part or is the last.
        let step = loop {
            let step = match parts.wanted(state.clone(), kept.clone()) {
                Wanted::Nothing => return None,
                wanted => needed(&wanted.of(&parts.step)?),
            };
            let before = state.clone();
            STATE.each(&step, &mut |found, _| state.add(&found.way));
            if state == before {
                break step;
            }
        };
        let is_all = state == Wanted::Everything && (parts.form == LoopForm::Fold || kept == Wanted::Everything);
        if is_all {
            return None;
        }
        let value = if state == Wanted::Nothing {
            parts.table(&step)?
        } else {
            let start = state.of(&parts.start)?;
            let step = STATE
                .replaced(&step, &mut |found, s| part_at(Term::var(s, start.ty()), &state.way(&found.way), None))?;
            match kept {
                Wanted::Nothing => parts.fold(&step, start)?,
                _ => parts.with(step, start)?,
            }
        };
        Some(Pruned { value, state, kept })
    }
}

fn invariant(term: &Term) -> Option<Term> {
    let parts = LoopParts::of(term).filter(|_| may_stay(term))?;
    let is_fold = parts.form == LoopForm::Fold;
    let next = if is_fold { parts.step.clone() } else { half(&parts.step, false)? };
    let mut changing = Wanted::Nothing;
    for way in leaf_ways(parts.state_type()) {
        let own = part(&next, &way)?;
        let stays = STATE.used(&own).is_some_and(|found| found.way == way) || part(&parts.start, &way)?.shift(2) == own;
        if !stays {
            changing.add(&way);
        }
    }
    if changing == Wanted::Everything {
        return None;
    }
    // The start is named, since parts of it stand in several places; but for a name.
    let named = !matches!(parts.start.kind(), Kind::Var);
    let start = if named { Term::var(0, parts.start.ty()) } else { parts.start.clone() };
    let parts = match named {
        true => LoopParts { start: start.clone(), step: parts.step.shift_from(2, 1), ..parts.clone() },
        false => parts,
    };
    let result = left_of(&parts, &changing, &start)?;
    match named {
        true => Term::let_in(&Name::new("z"), term.kid(1), result).ok(),
        false => Some(result),
    }
}

/// What a loop gives of whose state only these parts change, while the others are those of this start.
fn left_of(parts: &LoopParts, changing: &Wanted, start: &Term) -> Option<Term> {
    let is_fold = parts.form == LoopForm::Fold;
    // Under the state and the index the start is two binders further out.
    let at_start = |s: u32| start.shift(s + 1);
    if *changing == Wanted::Nothing {
        if is_fold {
            return Some(start.clone());
        }
        let kept = half(&parts.step, true)?;
        let kept = STATE.replaced(&kept, &mut |found, s| part_at(at_start(s), &found.way, None))?;
        return Term::pair(start.clone(), parts.table(&needed(&kept))?).ok();
    }
    let step = needed(&parts.wanted(changing.clone(), Wanted::Everything).of(&parts.step)?);
    let own_start = changing.of(start)?;
    let step = STATE
        .replaced(&step, &mut |found, s| changing.whole(&Term::var(s, own_start.ty()), &at_start(s), &found.way))?;
    let value = parts.with(needed(&step), own_start)?;
    let (own, outer) = (Term::var(0, value.ty()), start.shift(1));
    let result = match is_fold {
        true => changing.whole(&own, &outer, &[])?,
        false => {
            let state = changing.whole(&Term::fst(own.clone()).ok()?, &outer, &[])?;
            Term::pair(state, Term::snd(own).ok()?).ok()?
        }
    };
    Term::let_in(&Name::new("t"), value, result).ok()
}

fn constant(term: &Term) -> Option<Term> {
    let named = NamedLoop::of(term).filter(|named| named.parts.form != LoopForm::Fold)?;
    let kept = KnownParts::of(half(&named.parts.step, true)?);
    let mut names: Vec<Term> = Vec::new();
    let leaves: Vec<(PartWay, Term)> = leaf_ways(&named.parts.kept_type()?)
        .into_iter()
        .filter_map(|way| kept.at(&way).map(|own| (way, own)))
        .collect();
    // Where the same is kept twice, the way to the first.
    let twice = |found: &PartUse| {
        let way = named.way(found);
        let [PartStep::Second, PartStep::Element, rest @ ..] = &way[..] else { return None };
        let own = &leaves.iter().find(|(way, _)| way[..] == *rest)?.1;
        let first = leaves.iter().find(|(_, other)| other == own).map(|(way, _)| way)?;
        (first[..] != *rest).then(|| {
            let before = found.way.len() - rest.len();
            PartUse { way: found.way[..before].iter().chain(first).copied().collect(), index: found.index.clone() }
        })
    };
    // What is read of what steps keep, as far as that can be had without: it stands under the state and the index.
    let known = |found: &PartUse| {
        let way = named.way(found);
        let [PartStep::Second, PartStep::Element, rest @ ..] = &way[..] else { return None };
        let own = kept.at(rest)?;
        (own.free_at(1).is_none() && (own.free_at(0).is_none() || !own.costs())).then_some(own)
    };
    let mut found_any = false;
    named.watched().each(&named.body, &mut |found, _| {
        let own = known(found);
        found_any |= own.is_some() || twice(found).is_some();
        let Some(own) = own else { return };
        if let Some(value) = own.lower(2).filter(|value| value.costs())
            && !names.contains(&value)
        {
            names.push(value);
        }
    });
    if !found_any {
        return None;
    }
    let count = names.len() as u32;
    // The names of what is the same at every step are bound around the scan's.
    let body = named.body.shift_from(1, count);
    let body = named.watched().replaced(&body, &mut |found, t| {
        let Some(own) = known(found) else {
            let ty = term.kid(0).ty().clone();
            let own = Term::var(t, &ty);
            return twice(found).as_ref().unwrap_or(found).of(own);
        };
        if let Some(k) = own.lower(2).and_then(|value| names.iter().position(|name| *name == value)) {
            return Some(Term::var(t + count - k as u32, own.ty()));
        }
        let index = found.index.clone()?;
        let own = without_state(&own).shift_from(1, t + 1 + count);
        match index.costs() && own.free_at(0).is_some() {
            true => Term::let_in(&named.parts.index, index, own).ok(),
            false => own.instantiate(&index).ok(),
        }
    })?;
    let inner = Term::let_in(&named.name, term.kid(0).shift(count), body).ok()?;
    let bind =
        |inner: Term, (k, value): (usize, &Term)| Term::let_in(&Name::new("x"), value.shift(k as u32), inner).ok();
    names.iter().enumerate().rev().try_fold(inner, bind)
}
