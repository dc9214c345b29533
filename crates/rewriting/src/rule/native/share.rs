//! Shares work that is done twice (common subexpressions), and fuses a table that is used once into its use.

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::naming::name_of;
use super::shared_subterms::{WantedNodes, may_share, stands_in};
use crate::rule::condition::{indexed, levels};
use crate::rule::footprint::{BELOW, HeadFilter, Inspection, SearchDepth};
use crate::rule::record::NativeStatement::Words;
use crate::rule::record::for_tests;
use crate::rule::replace::{TermReplacement, replace};
use crate::rule::{Exactness, NativeRule, Reason};
use redexter_language::ground::Name;
use redexter_language::term::{Head, Kind, Node, Prim, Size, Term, TermRef, Type, View};

pub(super) const RULES: &[NativeRule] = &[
    NativeRule {
        name: "letReuse",
        params: &[],
        group: "Sharing",
        law: Words(
            "let x := e; b(x, e) --> let x := e; b(x, x); let x := build n (fun i => e(i)); b(x, e(k)) --> \
              let x := build n (fun i => e(i)); b(x, x[k]), and so for several indices",
        ),
        condition: "e costs flops, compares or rounds, and so does e(k); k is a variable; where e is the value of another let, that goes",
        doc: "Uses a value that has a name already; its first half is part of cse.",
        exactness: Exactness::Exact,
        inspects: Inspection { heads: HeadFilter::Of(&[Head::Let]), deep: SearchDepth::Repeated, ..BELOW },
        left_sides: &[
            "let x := cos e; b(x) * cos e",
            "let x := sin e; build n (fun i => x * sin e)",
            "let x := build n (fun i => sin (e(i))); build n (fun k => x[k] + sin (e(k)))",
            "let x := build n (fun i => build m (fun j => e(i) * 2 + f(j))); build m (fun j => ifold n (fun a i \
             => a + x[i][j] * (e(i) * 2 + f(j))) 0)",
            "let x := sin e; let y := sin e; b(x, y)",
        ],
        examples: &[
            ("fun (v : real) => let x := exp v; let y := exp v; y * exp v", "fun (v : real) => let x := exp v; x * x"),
            (
                "fun (v : array n real) => let x := build n (fun i => exp v[i]); ifold n (fun a k => a * exp v[k] + \
             x[k]) 1",
                "fun (v : array n real) => let x := build n (fun i => exp v[i]); ifold n (fun a k => a * x[k] + x[k]) 1",
            ),
        ],
        refused: for_tests(&[
            "fun (v : real) => let x := exp v; x * exp x",
            "fun (v : array n real) (k : fin n) => let x := v[k]; x * v[k]",
            "fun (k : fin n) => let x := build n (fun i => i); x[k]",
            "fun (v w : array n real) => let x := build n (fun i => exp v[i]); ifold n (fun a k => a * exp w[k]) x[0]",
        ]),
        function: |focus, _| reuse(focus.term).ok_or(Reason::native("no let whose value stands in its body again")),
    },
    NativeRule {
        name: "cse",
        params: &[],
        group: "Sharing",
        law: Words("f(e, e) --> let x := e; f(x, x); let x := e; b(x, e) --> let x := e; b(x, x)"),
        condition: "e costs flops, compares or rounds, holds no function and stands in two children of f, be it \
                    deeper, where all its variables are bound outside of f; the largest such e",
        doc: "Common subexpressions. What stood in branches or loops only is now computed in any case, which can add \
              work.",
        exactness: Exactness::Exact,
        inspects: Inspection {
            heads: HeadFilter::Inner(&[]),
            guard: |term| term.kid_count() > 1,
            deep: SearchDepth::Repeated,
            ..BELOW
        },
        left_sides: &[
            "sin e + sin e * b",
            "let x := cos e; b(x) * cos e",
            "[exp e, a, exp e]",
            "build n (fun i => sin e * real i + sin e)",
            "((c : real) < d, c < d)",
            "(ifold n (fun a i => a + e(i)) 0, ifold n (fun a i => a + e(i)) 0)",
            "if c then exp e else exp e * b",
            "ifold n (fun a i => a * exp (e(i)) + exp (e(i))) z",
            "let x := sin e; build n (fun i => x * sin e)",
        ],
        examples: &[
            ("fun (v : real) => exp v + exp v * 2", "fun (v : real) => let s := exp v; s + s * 2"),
            ("fun (v : real) => let x := exp v; x * exp v", "fun (v : real) => let x := exp v; x * x"),
            (
                "fun (v : array n real) => build n (fun i => exp v[i] + exp v[i])",
                "fun (v : array n real) => build n (fun i => let s := exp v[i]; s + s)",
            ),
        ],
        refused: for_tests(&[
            "fun (v w : array n real) (i : fin n) => v[i] * v[i]",
            "fun (v : array n real) => (build n (fun i => exp v[i]), ifold n (fun a i => a * exp v[i]) 1)",
        ]),
        function: |focus, _| cse(focus.term).ok_or(Reason::native("no two children share a term that costs anything")),
    },
    NativeRule {
        name: "letBuild",
        params: &[],
        group: "Sharing",
        law: Words("let t := build n (fun i => e(i)); b(t) --> b with each t[k] as e(k)"),
        condition: "every use of t is an indexing, and no work is repeated: e costs nothing but builds that every use indexes, too, or \
                    t is used once, and every loop around the use counts to one of its indices, perhaps shifted by a \
                    guard, is asked for one round (`if i = k`) or has only one",
        doc: "Fusion: computes an element where it is used instead of the array.",
        exactness: Exactness::Exact,
        inspects: Inspection {
            heads: HeadFilter::Of(&[Head::Let]),
            ways: &[&[0, 0]],
            scope: 1,
            guard: binds_build,
            ..BELOW
        },
        left_sides: &[
            "let t := build n (fun i => e(i)); t[k]",
            "let t := build n (fun i => e(i)); build n (fun k => t[k] * f(k))",
            "let t := build n (fun i => e(i)); ifold n (fun a k => a * f(k) + t[k]) z",
            "let t := build n (fun i => e(i)); scan n (fun a k => (a * f(k) + t[k], a)) z",
            "let t := build n (fun i => e(i)); (t[k], c)",
            "let t := build n (fun i => v[i]); (t[k], t[j])",
            "let t := build n (fun i => build m (fun j => e(i, j))); t[k][l]",
            "let t := build (n + 1) (fun i => e(i)); build n (fun k => (t[k + 1], f(k)))",
            "let t := build n (fun i => e(i)); build m (fun k => if k = j then t[l] else f(k))",
            "let t := build n (fun i => e(i)); scatter m 1 (fun k => (j, t[l]))",
            "let t := build n (fun i => e(i)); build n (fun j => if k : fin n := int j - 1 then t[k] else z)",
        ],
        examples: &[
            (
                "fun (v : array n real) => let t := build n (fun i => exp v[i]); ifold n (fun a i => a + t[i]) 0",
                "fun (v : array n real) => ifold n (fun a i => a + exp v[i]) 0",
            ),
            (
                "fun (v : array n real) => let t := build n (fun i => exp v[i]); scan n (fun a i => (a * t[i], a)) 1",
                "fun (v : array n real) => scan n (fun a i => (a * exp v[i], a)) 1",
            ),
            (
                "fun (v : array n real) (k : fin n) => let t := build n (fun i => (v[i], 1)); fst t[k] + snd t[k]",
                "fun (v : array n real) (k : fin n) => fst (v[k], 1) + snd (v[k], 1)",
            ),
            (
                "fun (v : array n real) (k : fin n) => let t := build n (fun i => exp v[i]); t[k]",
                "fun (v : array n real) (k : fin n) => exp v[k]",
            ),
            (
                "fun (v : array n real) (k : fin m) (l : fin n) => let t := build n (fun i => exp v[i]); build m (fun j => \
             if j = k then t[l] else 0)",
                "fun (v : array n real) (k : fin m) (l : fin n) => build m (fun j => if j = k then exp v[l] else 0)",
            ),
            (
                "fun (v : array n real) => let t := build n (fun i => exp v[i]); build n (fun j => if k : fin n := n - int j then t[k] else 0)",
                "fun (v : array n real) => build n (fun j => if k : fin n := n - int j then exp v[k] else 0)",
            ),
            (
                "fun (k : fin n) (l : fin m) => let t := build n (fun i => build m (fun j => (0 : real))); t[k][l] + \
             t[k][l]",
                "fun (k : fin n) (l : fin m) => (build m (fun j => (0 : real)))[l] + (build m (fun j => (0 : real)))[l]",
            ),
        ],
        refused: for_tests(&[
            "fun (v : array n real) => let t := build n (fun i => exp v[i]); (t, 1)",
            "fun (k : fin n) => let t := build n (fun i => build m (fun j => (0 : real))); (t[k], t[k])",
            "fun (v : array n real) (k : fin n) => let t := build n (fun i => exp v[i]); t[k] + t[k]",
            "fun (v : array n real) (k : fin n) => let t := build n (fun i => exp v[i]); ifold m (fun a i => a + \
             t[k]) 0",
            "fun (v : array n real) (l : fin n) => let t := build n (fun i => exp v[i]); build 2 (fun j => t[l])",
            "fun (v : array n real) => let t := build n (fun i => build n (fun j => exp (v[i] + v[j]))); build n (fun i => build n \
             (fun j => if k : fin n := int i - int j then (if l : fin n := int j - int i then t[k][l] else 0) else 0))",
            "fun (v : array n real) (k : array m (fin m)) (l : fin n) => let t := build n (fun i => exp v[i]); build m (fun j => \
             if j = k[j] then t[l] else 0)",
            "fun (v : array n real) => let t := build n (fun i => exp v[i]); build m (fun j => if k : fin n := n - int j then t[k] else 0)",
            "fun (v : array n real) => let t := build n (fun i => exp v[i]); build m (fun j => build n (fun i => \
             if k : fin n := int i - int j then t[k] else 0))",
            "fun (k : array n (array m (fin l))) => let t := build n (fun i => scatter l m (fun e => (int k[i][e], 1))); \
             build n (fun i => build l (fun j => t[i][j]))",
        ]),
        function: |focus, _| {
            let_build(focus.term).ok_or(Reason::native("no let of a build that is only indexed, and once"))
        },
    },
];

fn reuse(term: &Term) -> Option<Term> {
    let View::Let(x, value, body) = term.view() else { return None };
    if !value.costs() {
        return None;
    }
    let table = BuildTable::of(&value);
    let (to, from) = (Term::var(0, value.ty()), value.shift(1));
    // Looked for before anything is put together, so that a let with nothing to reuse makes no term.
    if !stands_in(&from, 0, &body) && !table.as_ref().is_some_and(|table| table.may_stand_in(&body)) {
        return None;
    }
    let mut shared = replace(&body, &[TermReplacement { from, to, asked: false }]);
    if let Some(table) = &table {
        shared = elements(&shared, 0, table, &mut FxHashMap::default())?;
    }
    if shared == body {
        return None;
    }
    // A let whose value has become the variable only renames it, so that it goes.
    let own = shared.places().iter().position(|index| *index == 0);
    let renamed = own.is_some_and(|own| is_renamed(shared.as_part(), own as u32));
    Term::let_in(&x, value, if renamed { absorbed(&shared, 0)? } else { shared }).ok()
}

/// The term with what becomes of its children, in each of which variable `t` has its own number.
fn with_each(term: &Term, t: u32, mut become_of: impl FnMut(&Term, u32) -> Option<Term>) -> Option<Term> {
    let mut changed = false;
    let kid = |k: usize| {
        let kid = term.kid(k);
        let new = become_of(&kid, t + term.binders(k))?;
        changed |= !new.same(&kid);
        Some(new)
    };
    let kids = (0..term.kid_count()).map(kid).collect::<Option<_>>()?;
    if changed { term.with_kids(kids).ok() } else { Some(term.clone()) }
}

/// A table that nested builds make: its element, and how many builds these are.
struct BuildTable {
    ty: Type,
    depth: u32,
    element: Term,
    /// The variables of the element that are bound around the table.
    outer: Vec<u32>,
}

impl BuildTable {
    /// `None` if there is no build, or what stands in it costs nothing: an index is no better taken from a table of indices.
    fn of(value: &Term) -> Option<BuildTable> {
        let (mut element, mut depth) = (value.clone(), 0);
        while let View::Build(_, f) = element.view()
            && let View::Lam(_, _, inner) = f.view()
        {
            (element, depth) = (inner, depth + 1);
        }
        if depth == 0 || !element.costs() {
            return None;
        }
        let outer = element.free().filter_map(|(i, _)| i.checked_sub(depth)).collect();
        Some(BuildTable { ty: value.ty().clone(), depth, element, outer })
    }

    /// Whether an element may stand in the body of the let that binds the table.
    fn may_stand_in(&self, body: &Term) -> bool {
        stands_in(&self.element.shift_from(self.depth, 1), self.depth, body)
    }

    /// The variables at which the term under `t` more binders than the table is its element.
    fn indices(&self, term: &Term, t: u32) -> Option<Vec<(u32, Type)>> {
        if term.fingerprint() != self.element.fingerprint() {
            return None;
        }
        let mut indices = vec![None; self.depth as usize];
        for ((i, own), (j, other)) in self.element.free().zip(term.free()) {
            match i.checked_sub(self.depth) {
                // A variable from around the table must be the same one here, under t binders and the let more.
                Some(i) if i + t + 1 != j => return None,
                Some(_) => {}
                None if own.ty != other.ty => return None,
                None => indices[(self.depth - 1 - i) as usize] = Some((j, other.ty.clone())),
            }
        }
        indices.into_iter().collect()
    }
}

/// The term with elements of the table taken from it, which is variable `t`.
fn elements(term: &Term, t: u32, table: &BuildTable, memo: &mut FxHashMap<(Term, u32), Term>) -> Option<Term> {
    // No element stands in a term that is smaller, or lacks a variable that each element mentions.
    let mentions = |i: &u32| term.free_at(i + t + 1).is_some();
    if term.size() < table.element.size() || !table.outer.iter().all(mentions) {
        return Some(term.clone());
    }
    if let Some(indices) = table.indices(term, t) {
        let element = |array: Option<Term>, (i, ty): (u32, Type)| Term::get(array?, Term::var(i, &ty)).ok();
        return indices.into_iter().fold(Some(Term::var(t, &table.ty)), element);
    }
    let key = (term.clone(), t);
    if let Some(done) = memo.get(&key) {
        return Some(done.clone());
    }
    let done = with_each(term, t, |kid, t| elements(kid, t, table, memo))?;
    memo.insert(key, done.clone());
    Some(done)
}

/// Whether a let below only renames a node's free variable with this number.
fn is_renamed(node: TermRef, own: u32) -> bool {
    (0..node.kid_count()).any(|k| {
        let (kid, binders) = (node.part(k), node.binders(k));
        let Some(inner) = kid.places().iter().position(|place| *place == own + binders) else { return false };
        k == 0 && matches!((node.kind(), kid.kind()), (Kind::Let(_), Kind::Var)) || is_renamed(kid, inner as u32)
    })
}

/// The term without the lets that only rename variable `t`, or a variable of such a let.
fn absorbed(term: &Term, t: u32) -> Option<Term> {
    RenameAbsorber::default().go(term.as_part(), term.places().into(), t)
}

/// The indices that the free variables of a node have elsewhere, in their order.
type VariableIndices = SmallVec<[u32; 8]>;

#[derive(Default)]
struct RenameAbsorber {
    memo: FxHashMap<(*const Node, VariableIndices, u32), Term>,
}

impl RenameAbsorber {
    /// A part of the term as it is without these lets, in a scope in which the variable is `t` and the part's free ones are
    /// `places`: `t` several times where lets renamed it.
    fn go(&mut self, part: TermRef, places: VariableIndices, t: u32) -> Option<Term> {
        let times = places.iter().filter(|place| **place == t).count();
        if times == 0 || part.kid_count() == 0 {
            return Some(part.placed(&places));
        }
        let outer = |index: u32, binders: u32| index.checked_sub(binders).map(|p| places[p as usize]);
        if let (Kind::Let(_), Kind::Var) = (part.kind(), part.part(0).kind())
            && outer(part.part(0).places()[0], 0) == Some(t)
        {
            let body = part.part(1);
            let inside = body.places().iter().map(|index| outer(*index, 1).unwrap_or(t)).collect();
            return self.go(body, inside, t);
        }
        let key = part.is_shared().then(|| (part.node() as *const Node, places.clone(), t));
        if let Some(done) = key.as_ref().and_then(|key| self.memo.get(key)) {
            return Some(done.clone());
        }
        // Where several variables have become t the node is another one, even if each child stays as it is.
        let mut changed = times > 1;
        let mut kid = |k: usize| {
            let (kid, binders) = (part.part(k), part.binders(k));
            let inside = kid.places().iter().map(|i| outer(*i, binders).map_or(*i, |place| place + binders)).collect();
            let new = self.go(kid, inside, t + binders)?;
            changed |= !std::ptr::eq(&*new, kid.node());
            Some(new)
        };
        let kids = (0..part.kid_count()).map(&mut kid).collect::<Option<SmallVec<[Term; 2]>>>()?;
        let done = if changed { Term::of(part.kind(), kids).ok()? } else { part.placed(&places) };
        if let Some(key) = key {
            self.memo.insert(key, done.clone());
        }
        Some(done)
    }
}

fn cse(term: &Term) -> Option<Term> {
    // A value that has a name already must not get another one.
    if let Some(shared) = reuse(term) {
        return Some(shared);
    }
    if !may_share(term) {
        return None;
    }
    let wanted = WantedNodes::shared_by(term);
    if wanted.is_empty() {
        return None;
    }
    let mut seen: FxHashMap<Term, usize> = FxHashMap::default();
    let mut best: Option<Term> = None;
    for k in 0..term.kid_count() {
        let mut own = Vec::new();
        wanted.outside(&term.kid(k), term.binders(k), &mut FxHashSet::default(), &mut own);
        for part in own {
            if *seen.entry(part.clone()).or_insert(k) != k && best.as_ref().is_none_or(|b| b.size() < part.size()) {
                best = Some(part);
            }
        }
    }
    let from = best?.shift(1);
    let to = Term::var(0, from.ty());
    let body = replace(&term.shift(1), &[TermReplacement { from: from.clone(), to, asked: false }]);
    let value = from.lower(1)?;
    Term::let_in(&name_of(&value, "s"), value, body).ok()
}

fn binds_build(binding: &Term) -> bool {
    let (value, body) = (binding.kid(0), binding.kid(1));
    matches!(value.kind(), Kind::Build(_)) && matches!(value.kid(0).kind(), Kind::Lam(..)) && body.occurrences(0) > 0
}

fn let_build(term: &Term) -> Option<Term> {
    let View::Let(_, value, body) = term.view() else { return None };
    let View::Build(n, f) = value.view() else { return None };
    let View::Lam(i, _, element) = f.view() else { return None };
    let uses = body.free_at(0)?;
    let cheap = levels(&element).is_some_and(|deep| indexed(&body, 0, deep + 1));
    if !cheap && (uses.count > 1 || !once(&body, &n, apart(&value, 0))) {
        return None;
    }
    fuse(&body, 0, &i, &element)?.lower(1)
}

/// How many indices into a term, so many builds of which stand around it, name a part that is computed alone: what a loop or a
/// scatter makes is computed as a whole for each element of it.
fn apart(term: &Term, around: usize) -> usize {
    match term.view() {
        View::Build(_, f) if matches!(f.kind(), Kind::Lam(..)) => apart(&f.kid(0), around + 1),
        View::Let(_, _, body) => apart(&body, around),
        _ if matches!(term.kind(), Kind::Scatter(..) | Kind::Ifold(_)) => around,
        _ => usize::MAX,
    }
}

/// Whether the only use of variable 0, a build to the size n, computes no element more than once: each loop around it has one
/// round, or asks for one, or counts to one of the first so many indices of the use, as it is or shifted under a guard.
fn once(body: &Term, n: &Size, depth: usize) -> bool {
    let (mut here, mut t) = (body.clone(), 0);
    // The counters of the loops on the way, as variables here, each with what guards make of it; and the indices of the use,
    // outermost first.
    let (mut counters, mut indices): (Vec<Vec<u32>>, Vec<Term>) = (Vec::new(), Vec::new());
    loop {
        if let View::Var(_) = here.view() {
            let index = |counter: &Vec<u32>| {
                let of = |(k, index): (usize, &Term)| {
                    k < depth
                        && matches!(index.view(), View::Var(j) if counter.contains(&j))
                        && (k > 0 || *index.ty() == Type::fin(n.clone()))
                };
                indices.iter().enumerate().any(of)
            };
            return counters.iter().all(index);
        }
        let Some(k) = (0..here.kid_count()).find(|k| here.kid(*k).free_at(t + here.binders(*k)).is_some()) else {
            return false;
        };
        match here.view() {
            View::Get(_, index) if k == 0 => indices.insert(0, index),
            _ => indices.clear(),
        }
        if let View::If(condition, ..) = here.view()
            && k == 1
        {
            counters.retain(|counter| !asks_for_one(&condition, counter[0], t));
        }
        // What is so far from a counter is another index for each of its rounds; of a longer loop the formulas would count all.
        let shifted = match here.view() {
            View::Guard(_, size, number, ..) if k == 1 => {
                let mut inner = Vec::new();
                let is_sum = sums_inner(&number, t, &mut inner);
                counters.iter().position(|counter| is_sum && inner == [(counter[0], Type::fin(size.clone()))])
            }
            _ => None,
        };
        let binders = here.binders(k);
        let kid = here.kid(k);
        // How many variables the child's function binds, and whether the last one counts rounds.
        let (bound, counts, inner) = match (here.kind(), kid.kind()) {
            (Kind::Build(n) | Kind::Scatter(n, _), Kind::Lam(..)) if n.as_literal() == Some(1) => {
                (1, false, kid.kid(0))
            }
            (Kind::Build(_), Kind::Lam(..)) => (1, true, kid.kid(0)),
            (Kind::Ifold(_) | Kind::Scan(_) | Kind::Scanr(_), Kind::Lam(..))
                if k == 0 && matches!(kid.kid(0).kind(), Kind::Lam(..)) =>
            {
                (2, true, kid.kid(0).kid(0))
            }
            // What else repeats its child has no counter that could be an index of the use.
            (kind, _) if kind.repeats(k) => return false,
            _ => (0, false, kid),
        };
        counters.iter_mut().flatten().for_each(|i| *i += binders + bound);
        if let Some(at) = shifted {
            counters[at].push(0);
        }
        if counts {
            counters.push(vec![0]);
        }
        (t, here) = (t + binders + bound, inner);
    }
}

/// Whether a number is a sum of indices bound below variable t, each added or taken away once, and of what is from around t.
fn sums_inner(number: &Term, t: u32, inner: &mut Vec<(u32, Type)>) -> bool {
    match number.view() {
        View::Prim(Prim::Add | Prim::Sub | Prim::Neg, operands) => {
            operands.iter().all(|part| sums_inner(part, t, inner))
        }
        View::Prim(Prim::ToInt, operands) if matches!(operands[0].view(), View::Var(j) if j < t) => {
            inner.extend(operands[0].free().map(|(j, variable)| (j, variable.ty.clone())));
            true
        }
        _ => number.free().all(|(j, _)| j > t),
    }
}

/// Whether a condition holds for at most one value of the counter i, whatever else is bound below variable t: asks whether it is
/// what only variables from around t say.
fn asks_for_one(condition: &Term, i: u32, t: u32) -> bool {
    let is_counter = |side: &Term| match side.view() {
        View::Var(j) => j == i,
        View::Prim(Prim::ToInt, operands) => matches!(operands[0].view(), View::Var(j) if j == i),
        _ => false,
    };
    let around = |side: &Term| side.free().all(|(j, _)| j > t);
    match condition.view() {
        View::Prim(Prim::And, sides) => sides.iter().any(|side| asks_for_one(side, i, t)),
        View::Prim(Prim::Eq, sides) => {
            is_counter(&sides[0]) && around(&sides[1]) || is_counter(&sides[1]) && around(&sides[0])
        }
        _ => false,
    }
}

/// `term` with each `t[k]` as the element at k; `None` where t is used otherwise.
fn fuse(term: &Term, t: u32, i: &Name, element: &Term) -> Option<Term> {
    if term.free_at(t).is_none() {
        return Some(term.clone());
    }
    if let View::Get(array, k) = term.view()
        && matches!(array.view(), View::Var(x) if x == t)
    {
        let (k, element) = (fuse(&k, t, i, element)?, element.shift_from(1, t + 1));
        // An index that costs something is named, because the element may mention its own index several times.
        let costs = k.costs();
        return if costs { Term::let_in(i, k, element).ok() } else { element.instantiate(&k).ok() };
    }
    if let Kind::Var = term.kind() {
        return None;
    }
    with_each(term, t, |kid, t| fuse(kid, t, i, element))
}
