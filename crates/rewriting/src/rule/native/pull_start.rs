//! Begins to transpose: finds what a derivative is by each parameter, and writes it as the transposed tangent program.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::pull::not_linear;
use super::pull_path::GROUP;
use crate::rule::footprint::{BELOW, HeadFilter, Inspection};
use crate::rule::record::NativeStatement::Words;
use crate::rule::record::for_tests;
use crate::rule::replace::{TermReplacement, replace};
use crate::rule::{Exactness, NativeRule, Reason};
use redexter_language::ground::Name;
use redexter_language::term::{Head, Prim, Size, Term, Type, TypeView, View};

pub(super) const RULES: &[NativeRule] = &[
    NativeRule {
        name: "pullStart",
        params: &[],
        group: GROUP,
        law: Words(
            "build n (fun j => c(build n (fun i => if i = j then 1 else 0))) --> pull (fun d => c(d)) 1, and so for arrays of arrays",
        ),
        condition: "c is linear, gives a real, and mentions j in one-hots alone",
        doc: "A gradient is the transposed tangent program at 1: each of its numbers is the tangent at the one-hot there. What was \
              read at an index is now read from the direction d.",
        exactness: Exactness::RealExact,
        inspects: Inspection { heads: HeadFilter::Of(&[Head::Build]), guard: |term| term.ty().is_of_reals(), ..BELOW },
        left_sides: &[
            "build n (fun j => ifold m (fun s e => s + r(e) * (if k(e) = j then 1 else 0)) 0)",
            "build n (fun j => (if k = j then 1 else 0) * r + (if j = l then 1 else 0))",
            "build n (fun j => build m (fun k => r * (if a = j && b = k then 1 else 0)))",
            "build n (fun j => build m (fun k => if a = j then (if b = k then 1 else 0) else 0))",
        ],
        examples: &[(
            "fun (x : array m real) (a : array m (fin n)) => build n (fun j => ifold m (fun s e => s + x[e] * (if a[e] = j then 1 \
                 else 0)) 0)",
            "fun (x : array m real) (a : array m (fin n)) => pull (fun d => ifold m (fun s e => s + x[e] * d[a[e]]) 0) 1",
        )],
        refused: for_tests(&[
            "fun (v : array n real) => build n (fun j => v[j])",
            "fun (v : array n real) => build n (fun j => ifold n (fun s i => s * (if i = j then 1 else 0)) 1)",
            "fun (v : array n real) => build n (fun j => ifold n (fun s i => s + v[j] * (if i = j then 1 else 0)) 0)",
        ]),
        function: |focus, _| start(focus.term),
    },
    NativeRule {
        name: "pullSeed",
        params: &[],
        group: GROUP,
        law: Words("c((scatter 1 1 (fun e => (0, 1)))[0]) --> pull (fun d => c(d)) 1"),
        condition: "c is linear and gives a real",
        doc: "A derivative by one number is the transposed tangent program at 1, as a gradient is; derivSeed marks the 1 that is its direction.",
        exactness: Exactness::RealExact,
        inspects: Inspection {
            heads: HeadFilter::Any,
            holds: &[Head::Scatter],
            guard: |term| matches!(term.ty().view(), TypeView::Real),
            ..BELOW
        },
        left_sides: &[
            "r * (scatter 1 1 (fun e => (int (0 : fin 1), 1)))[(0 : fin 1)]",
            "ifold n (fun s i => s + r(i) * (scatter 1 1 (fun e => (int (0 : fin 1), 1)))[(0 : fin 1)]) 0",
        ],
        examples: &[(
            "fun (v : array n real) => ifold n (fun s i => s + v[i] * (scatter 1 1 (fun e => (int (0 : fin 1), 1)))[(0 : fin 1)]) 0",
            "fun (v : array n real) => pull (fun (d : real) => ifold n (fun s i => s + v[i] * d) 0) 1",
        )],
        refused: for_tests(&[
            "fun (v : array n real) (k : fin n) => v[k]",
            "fun (v : real) => exp ((scatter 1 1 (fun e => (int (0 : fin 1), 1)))[(0 : fin 1)])",
        ]),
        function: |focus, _| seed(focus.term),
    },
];

pub(super) const NO_ONE_HOTS: &str = "no array of tangents at the one-hots of a parameter";

/// Arrays in arrays as their sizes and indices, from the outside, and what stands in the innermost.
pub fn nest(term: &Term) -> Option<(Vec<(Size, Name)>, Term)> {
    let (mut indices, mut body) = (Vec::new(), term.clone());
    while let View::Build(n, f) = body.view() {
        let View::Lam(index, _, inner) = f.view() else { return None };
        indices.push((n, index));
        body = inner;
    }
    Some((indices, body))
}

fn start(term: &Term) -> Result<Term, Reason> {
    let none = || Reason::native(NO_ONE_HOTS);
    let (indices, body) = nest(term).filter(|(_, body)| matches!(body.ty().view(), TypeView::Real)).ok_or_else(none)?;
    let body = by_direction(&body, term.ty(), indices.len() as u32).ok_or_else(none)?;
    body.linear_in(0).map_err(|way| not_linear(&[0, 0], way))?;
    let function = Term::lam(&Name::new("d"), term.ty(), body).map_err(|_| none())?;
    Term::pull(function, Term::real(1.0)).map_err(|_| none())
}

/// What stands under so many indices of a parameter, read from a direction of this type in place of them.
pub(super) fn by_direction(body: &Term, direction: &Type, depth: u32) -> Option<Term> {
    // The direction is bound outside of the indices, which are gone when each one-hot is read from it.
    let mut search = OneHotSearch { direction: direction.clone(), depth, done: FxHashMap::default() };
    let body = search.read(&body.shift_from(depth, 1), 0)?.lower(depth)?;
    body.free_at(0).is_some().then_some(body)
}

/// A real that reads the 1 of a derivative by one number, transposed.
fn seed(term: &Term) -> Result<Term, Reason> {
    let none = || Reason::native("no derivative by one number");
    let mark = mark().ok_or_else(none)?;
    if !matches!(term.ty().view(), TypeView::Real) || *term == mark {
        return Err(none());
    }
    let direction = TermReplacement { from: mark, to: Term::var(0, &Type::real()), asked: false };
    let body = replace(&term.shift(1), &[direction]);
    if body.free_at(0).is_none() {
        return Err(none());
    }
    body.linear_in(0).map_err(|way| not_linear(&[], way))?;
    let function = Term::lam(&Name::new("d"), &Type::real(), body).map_err(|_| none())?;
    Term::pull(function, Term::real(1.0)).map_err(|_| none())
}

/// The 1 by which derivSeed marks the direction of a derivative by one number: `(scatter 1 1 (fun e => (int 0, 1)))[0]`.
fn mark() -> Option<Term> {
    let one = Size::literal(1);
    let zero = Term::fin(0, one.clone()).ok()?;
    let entry = Term::pair(Term::unary(Prim::ToInt, zero.clone()).ok()?, Term::real(1.0)).ok()?;
    let function = Term::lam(&Name::new("e"), &Type::fin(one.clone()), entry).ok()?;
    Term::get(Term::scatter(one.clone(), one, function).ok()?, zero).ok()
}

/// Reads one-hots of a parameter's indices from the direction instead.
struct OneHotSearch {
    direction: Type,
    /// How many indices there are: the variables below that of the direction.
    depth: u32,
    /// What became of terms under so many more binders.
    done: FxHashMap<(Term, u32), Term>,
}

impl OneHotSearch {
    fn mentions(&self, term: &Term, under: u32) -> bool {
        term.places().iter().any(|index| (under..under + self.depth).contains(index))
    }

    fn read(&mut self, term: &Term, under: u32) -> Option<Term> {
        if !self.mentions(term, under) {
            return Some(term.clone());
        }
        let key = (term.clone(), under);
        if let Some(done) = self.done.get(&key) {
            return Some(done.clone());
        }
        let done = match self.one_hot(term, under) {
            Some(read) => read,
            None => {
                let kid = |search: &mut Self, k: usize| search.read(&term.kid(k), under + term.binders(k));
                let kids = (0..term.kid_count()).map(|k| kid(self, k)).collect::<Option<SmallVec<_>>>()?;
                term.with_kids(kids).ok()?
            }
        };
        self.done.insert(key, done.clone());
        Some(done)
    }

    /// The element of the direction that a one-hot is.
    fn one_hot(&self, term: &Term, under: u32) -> Option<Term> {
        let mut places: Vec<Option<Term>> = vec![None; self.depth as usize];
        let (mut here, mut conditions) = (term.clone(), Vec::new());
        while let View::If(condition, then, other) = here.view() {
            if !other.is_zero() {
                return None;
            }
            conditions.push(condition);
            here = then;
        }
        if !matches!(here.view(), View::Real(1.0)) {
            return None;
        }
        while let Some(condition) = conditions.pop() {
            let View::Prim(prim, sides) = condition.view() else { return None };
            match (prim, &sides[..]) {
                (Prim::And, _) => conditions.extend(sides),
                (Prim::Eq, [a, b]) => {
                    let (level, place) = self.asked(a, b, under).or_else(|| self.asked(b, a, under))?;
                    let known = &mut places[level as usize];
                    if known.is_some() {
                        return None;
                    }
                    *known = Some(place);
                }
                _ => return None,
            }
        }
        let direction = Term::var(under + self.depth, &self.direction);
        places.into_iter().try_fold(direction, |array, place| Term::get(array, place?).ok())
    }

    /// The number of the index that one side is, from the outside, and the other side, which mentions none.
    fn asked(&self, index: &Term, place: &Term, under: u32) -> Option<(u32, Term)> {
        let View::Var(index) = index.view() else { return None };
        let own = index.checked_sub(under).filter(|own| *own < self.depth)?;
        (!self.mentions(place, under)).then(|| (self.depth - 1 - own, place.clone()))
    }
}
