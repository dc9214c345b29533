//! Abstract interpretation: the evaluator's walk, with data left out and functions followed.
//!
//! What a node costs depends on the node and on the functions that its free variables hold; each such combination is
//! computed once, so that shared terms cost what their nodes do.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::closures::{Abstract, DATA, Id, Values};
use super::{Poly, Work};
use crate::term::{Charge, Kind, Size, Term, TypeView};

/// Rounds for which functions that a fold makes out of functions are followed.
const ROUNDS: u32 = 8;

/// Applications that are followed besides one for each node.
const APPLICATIONS: u64 = 200_000;

/// How deep followed applications may nest.
const NESTING: u32 = 10_000;

/// What running something costs, and which functions its value holds.
type Cost = (Rc<Work>, Id);

/// The work of running a term whose outermost λs are parameters.
pub(super) fn run(term: &Term) -> Work {
    let (_, body) = term.applied();
    let zero = Rc::new(Work::default());
    let left = body.size().saturating_add(APPLICATIONS);
    let mut walk = Walk { values: Values::new(), memo: FxHashMap::default(), zero, left, nesting: 0 };
    let scope = vec![DATA; body.free().len()];
    let (work, _) = walk.node(&body, &scope);
    Rc::unwrap_or_clone(work)
}

struct Walk {
    values: Values,
    memo: FxHashMap<(u128, Vec<Id>), Cost>,
    zero: Rc<Work>,
    left: u64,
    nesting: u32,
}

impl Walk {
    /// A term whose free variables, in their order, hold `scope`.
    fn node(&mut self, term: &Term, scope: &[Id]) -> Cost {
        if term.kid_count() == 0 {
            return (self.zero.clone(), scope.first().copied().unwrap_or(DATA));
        }
        let key = (term.fingerprint(), scope.to_vec());
        if let Some(done) = self.memo.get(&key) {
            return done.clone();
        }
        let done = self.compute(term, scope);
        self.memo.insert(key, done.clone());
        done
    }

    /// Child `k`, in the scope that its parent gives it; `bound` is what the parent's binder holds.
    fn kid(&mut self, term: &Term, scope: &[Id], k: usize, bound: Id) -> Cost {
        let kid = term.kid(k);
        let inner = kid_scope(term, scope, &kid, k, bound);
        self.node(&kid, &inner)
    }

    fn compute(&mut self, term: &Term, scope: &[Id]) -> Cost {
        match term.kind() {
            Kind::Lam(..) => (self.zero.clone(), self.values.function(term, scope.to_vec())),
            Kind::App => {
                let (a, function) = self.kid(term, scope, 0, DATA);
                let (b, argument) = self.kid(term, scope, 1, DATA);
                let (c, value) = self.apply(function, argument);
                (self.sum(&[&a, &b, &c]), value)
            }
            Kind::Let(_) => {
                let (a, value) = self.kid(term, scope, 0, DATA);
                let (b, result) = self.kid(term, scope, 1, value);
                (self.sum(&[&a, &b]), result)
            }
            Kind::If => {
                let (c, _) = self.kid(term, scope, 0, DATA);
                let (a, x) = self.kid(term, scope, 1, DATA);
                let (b, y) = self.kid(term, scope, 2, DATA);
                let more = self.larger(&a, &b);
                (self.sum(&[&c, &more]), self.values.join(x, y))
            }
            Kind::Ifold(n) => self.fold(term, scope, n),
            Kind::Build(n) => {
                let (f, function) = self.kid(term, scope, 0, DATA);
                let (body, element) = self.apply(function, DATA);
                let loops = rounds(term, &body, n);
                (self.sum(&[&f, &loops]), self.values.array(element))
            }
            Kind::Array(_) | Kind::Get | Kind::Pair | Kind::Fst | Kind::Snd | Kind::Prim(_) => self.parts(term, scope),
            Kind::Var | Kind::Real(_) | Kind::Int(_) | Kind::Fin(..) | Kind::SizeVar(_) => (self.zero.clone(), DATA),
        }
    }

    /// Constructors that run each child once, in this scope.
    fn parts(&mut self, term: &Term, scope: &[Id]) -> Cost {
        let parts: Vec<Cost> = (0..term.kid_count()).map(|k| self.kid(term, scope, k, DATA)).collect();
        let own = Rc::new(charge(term));
        let mut works: Vec<&Rc<Work>> = parts.iter().map(|(work, _)| work).collect();
        works.push(&own);
        let work = self.sum(&works);
        let value = match term.kind() {
            Kind::Pair => self.values.pair(parts[0].1, parts[1].1),
            Kind::Fst => self.values.half(parts[0].1, false),
            Kind::Snd => self.values.half(parts[0].1, true),
            Kind::Get => self.values.element(parts[0].1),
            Kind::Array(_) => {
                let element = parts.iter().fold(DATA, |all, (_, one)| self.values.join(all, *one));
                self.values.array(element)
            }
            Kind::Prim(_) => DATA,
            other => unreachable!("{other:?} runs its children otherwise"),
        };
        (work, value)
    }

    fn fold(&mut self, term: &Term, scope: &[Id], n: &Size) -> Cost {
        let (f, function) = self.kid(term, scope, 0, DATA);
        let (z, mut state) = self.kid(term, scope, 1, DATA);
        let mut round = self.zero.clone();
        for _ in 0..ROUNDS {
            let (a, step) = self.apply(function, state);
            let (b, next) = self.apply(step, DATA);
            round = self.sum(&[&a, &b]);
            let joined = self.values.join(state, next);
            if joined == state {
                break;
            }
            state = joined;
        }
        let loops = rounds(term, &round, n);
        (self.sum(&[&f, &z, &loops]), state)
    }

    /// A call: the body of each function that this may be.
    fn apply(&mut self, function: Id, argument: Id) -> Cost {
        match self.values.get(function).clone() {
            Abstract::Function(print, captured) => self.enter(print, &captured, argument),
            Abstract::Any(each) => {
                let mut all = (self.zero.clone(), DATA);
                for one in each {
                    let (work, value) = self.apply(one, argument);
                    all = (self.larger(&all.0, &work), self.values.join(all.1, value));
                }
                all
            }
            _ => (self.zero.clone(), DATA),
        }
    }

    fn enter(&mut self, print: u128, captured: &[Id], argument: Id) -> Cost {
        if self.left == 0 || self.nesting == NESTING {
            let most = Poly::constant(u128::MAX);
            return (Rc::new(Work { flops: most, ..Work::default() }), DATA);
        }
        self.left -= 1;
        self.nesting += 1;
        let lambda = self.values.lambda(print).clone();
        let cost = self.kid(&lambda, captured, 0, argument);
        self.nesting -= 1;
        cost
    }

    fn sum(&self, works: &[&Rc<Work>]) -> Rc<Work> {
        let mut sum = self.zero.clone();
        for work in works {
            if sum.is_zero() {
                sum = Rc::clone(work);
            } else if !work.is_zero() {
                sum = Rc::new(sum.each(work, Poly::plus));
            }
        }
        sum
    }

    fn larger(&self, a: &Rc<Work>, b: &Rc<Work>) -> Rc<Work> {
        if a == b { a.clone() } else { Rc::new(a.each(b, Poly::max)) }
    }
}

/// What a child's free variables hold.
fn kid_scope(term: &Term, scope: &[Id], kid: &Term, k: usize, bound: Id) -> Vec<Id> {
    let binders = term.binders(k);
    let data = scope.iter().all(|id| *id == DATA);
    let hold = |index: u32| match index.checked_sub(binders) {
        None => bound,
        Some(_) if data => DATA,
        Some(outer) => term.free().position(|(i, _)| i == outer).map_or(DATA, |p| scope[p]),
    };
    kid.free().map(|(index, _)| hold(index)).collect()
}

/// What the rounds of a loop to the size n cost, each of them beside what the loop itself does.
fn rounds(term: &Term, round: &Work, n: &Size) -> Rc<Work> {
    let n = Poly::size(n);
    Rc::new(round.each(&charge(term), |a, b| a.plus(b).times(&n)))
}

/// What running the constructor itself costs, of a loop each round.
fn charge(term: &Term) -> Work {
    let one = || Poly::constant(1);
    match term.kind().charge() {
        Charge::Read => Work { reads: one(), ..Work::default() },
        Charge::Rounds { writes } => Work { iterations: one(), writes: Poly::constant(writes), ..Work::default() },
        Charge::Compare => Work { compares: one(), ..Work::default() },
        Charge::FlopIfReal if matches!(term.ty().view(), TypeView::Real) => Work { flops: one(), ..Work::default() },
        Charge::FlopIfReal | Charge::Call | Charge::Free => Work::default(),
    }
}
