//! Interprets terms abstractly: it is the evaluator's walk, with data left out and functions followed.
//!
//! What a node costs depends on the node and on the functions that its free variables hold; each such combination is
//! computed once, so that shared terms cost what their nodes do. Nothing else of the term around it matters, but for what is
//! left to follow: so what was computed for one term holds for others, as long as none of them comes to that limit.

use rustc_hash::FxHashMap;

use super::closures::{CostValue, CostValues, DATA, GIVEN, LOST, ValueId};
use super::reason::UnknownReason;
use super::sums::{self, KindCounts, ProductTable, WorkSum};
use super::{Poly, Work};
use crate::term::{Charge, Kind, Size, Term, Type, TypeView};

/// Iterations for which functions that a fold makes out of functions are followed; those that are others even then are lost.
const MAX_FOLD_ITERATIONS: u32 = 8;

/// Applications that are followed besides one for each node.
const EXTRA_APPLICATIONS: u64 = 200_000;

/// How deep followed applications may nest.
const MAX_APPLICATION_NESTING: u32 = 10_000;

/// More than this many products of sizes aren't remembered, but for those of a single term.
const MAX_REMEMBERED_PRODUCTS: usize = 100_000;

/// The room that something remembered takes besides its products, counted in products.
const ENTRY_COST: usize = 2;

/// The cost of running something, and the functions that its value holds.
type Cost = (WorkSum, ValueId);

/// A cost that was computed, with the applications that were followed for it, as if nothing were shared, and how deep they nest.
struct MemoisedCost {
    cost: Cost,
    applications: u64,
    nesting: u32,
}

/// The work of terms that have nodes in common: what was computed for one is remembered for the next.
pub struct WorkMeter {
    values: CostValues,
    products: ProductTable,
    memo: FxHashMap<(u128, Vec<ValueId>), MemoisedCost>,
    zero: WorkSum,
    /// Applications that may still be followed.
    left: u64,
    nesting: u32,
    /// Applications that would have been followed if nothing were shared, and how deep they nested.
    applications: u64,
    deepest: u32,
    visited: u64,
    /// How much is remembered, and when that is too much.
    held: usize,
    most: usize,
    /// Why the call that is being looked at isn't known, and the first one of the term that isn't.
    reason: Option<UnknownReason>,
    unknown: Option<(Term, UnknownReason)>,
    /// For terms whose formulas are too long: with sums that stay whole.
    factored: Option<Box<WorkMeter>>,
}

impl Default for WorkMeter {
    fn default() -> WorkMeter {
        WorkMeter::with(ProductTable::new(false))
    }
}

impl WorkMeter {
    fn with(products: ProductTable) -> WorkMeter {
        WorkMeter {
            values: CostValues::new(),
            products,
            memo: FxHashMap::default(),
            zero: sums::constant(KindCounts::default()),
            left: 0,
            nesting: 0,
            applications: 0,
            deepest: 0,
            visited: 0,
            held: 0,
            most: 0,
            reason: None,
            unknown: None,
            factored: None,
        }
    }

    /// The same as [`work`](super::work), at the cost of those nodes that the terms before didn't have.
    pub fn work(&mut self, term: &Term) -> Work {
        self.measure(term, ProductTable::work)
    }

    /// Its [total](Work::total), for less than all kinds.
    pub fn total(&mut self, term: &Term) -> Poly {
        self.measure(term, ProductTable::total)
    }

    fn measure<T>(&mut self, term: &Term, read: fn(&ProductTable, &WorkSum) -> T) -> T {
        if self.held > self.most {
            self.forget();
        }
        let fresh = self.memo.is_empty();
        let (sum, allowed) = self.run(term);
        let work = match sums::is_beyond(&sum) {
            true => self.factored().measure(term, read),
            false => read(&self.products, &sum),
        };
        if fresh {
            self.most = MAX_REMEMBERED_PRODUCTS.max(4 * self.held);
        }
        if self.applications <= allowed && self.deepest <= MAX_APPLICATION_NESTING {
            return work;
        }
        // Where a limit is near, what is shared decides whether it is met: that is asked without the terms before.
        self.forget();
        if fresh { work } else { WorkMeter::with(ProductTable::new(self.products.are_whole())).measure(term, read) }
    }

    fn factored(&mut self) -> &mut WorkMeter {
        self.factored.get_or_insert_with(|| Box::new(WorkMeter::with(ProductTable::new(true))))
    }

    /// The first call for which the work of a term isn't known. Only a meter that knows no terms yet sees all calls.
    pub(super) fn unknown_call(&mut self, term: &Term) -> Option<(Term, UnknownReason)> {
        let (sum, _) = self.run(term);
        self.unknown.take().filter(|_| sums::is_unknown(&sum))
    }

    /// How many nodes were visited, leaves aside, since it was made.
    pub fn visited(&self) -> u64 {
        self.visited + self.factored.as_ref().map_or(0, |factored| factored.visited())
    }

    /// How many products of sizes it knows.
    pub fn products(&self) -> usize {
        self.products.count() + self.factored.as_ref().map_or(0, |factored| factored.products())
    }

    fn forget(&mut self) {
        let (visited, factored) = (self.visited, self.factored.take());
        *self = WorkMeter { visited, factored, ..WorkMeter::with(ProductTable::new(self.products.are_whole())) };
    }

    /// The cost of running a term whose outermost λs are parameters, and how many applications may be followed for it.
    fn run(&mut self, term: &Term) -> (WorkSum, u64) {
        let (_, body) = term.applied();
        let allowed = body.size().saturating_add(EXTRA_APPLICATIONS);
        (self.left, self.applications, self.deepest) = (allowed, 0, 0);
        let scope: Vec<ValueId> =
            body.free().map(|(_, variable)| if variable.ty.has_function() { GIVEN } else { DATA }).collect();
        (self.node(&body, &scope).0, allowed)
    }

    /// A term whose free variables, in their order, hold `scope`.
    fn node(&mut self, term: &Term, scope: &[ValueId]) -> Cost {
        if term.kid_count() == 0 {
            return (self.zero.clone(), scope.first().copied().unwrap_or(DATA));
        }
        self.visited += 1;
        let key = (term.fingerprint(), scope.to_vec());
        if let Some(MemoisedCost { cost, applications, nesting }) = self.memo.get(&key) {
            self.applications = self.applications.saturating_add(*applications);
            self.deepest = self.deepest.max(self.nesting.saturating_add(*nesting));
            return cost.clone();
        }
        // Counted from nothing for this node, so that it can be remembered with it; what was counted before is added again below.
        let applications = std::mem::take(&mut self.applications);
        let deepest = std::mem::replace(&mut self.deepest, self.nesting);
        let cost = self.compute(term, scope);
        self.held += ENTRY_COST + cost.0.len();
        let (own, nesting) = (self.applications, self.deepest - self.nesting);
        self.memo.insert(key, MemoisedCost { cost: cost.clone(), applications: own, nesting });
        self.applications = applications.saturating_add(own);
        self.deepest = deepest.max(self.deepest);
        cost
    }

    /// Child `k`, in the scope that its parent gives it; `bound` is what the parent's binder holds.
    fn kid(&mut self, term: &Term, scope: &[ValueId], k: usize, bound: ValueId) -> Cost {
        let kid = term.kid(k);
        let inner = kid_scope(term, scope, &kid, k, bound);
        self.node(&kid, &inner)
    }

    fn compute(&mut self, term: &Term, scope: &[ValueId]) -> Cost {
        match term.kind() {
            Kind::Lam(..) => (self.zero.clone(), self.values.function(term, scope.to_vec())),
            Kind::App => {
                let (a, function) = self.kid(term, scope, 0, DATA);
                let (b, argument) = self.kid(term, scope, 1, DATA);
                let (c, value) = self.call(term, function, argument);
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
                let more = self.products.larger(&a, &b);
                (self.sum(&[&c, &more]), self.values.join(x, y))
            }
            Kind::Guard(..) => {
                let (c, _) = self.kid(term, scope, 0, DATA);
                let (a, x) = self.kid(term, scope, 1, DATA);
                let (b, y) = self.kid(term, scope, 2, DATA);
                let more = self.products.larger(&a, &b);
                (self.sum(&[&c, &more, &sums::constant(charge(term))]), self.values.join(x, y))
            }
            Kind::Ifold(n) | Kind::Scan(n) | Kind::Scanr(n) => self.fold(term, scope, n),
            Kind::Build(n) => {
                let (f, function) = self.kid(term, scope, 0, DATA);
                let (body, element) = self.call(term, function, DATA);
                let loops = self.rounds(term, &body, n);
                (self.sum(&[&f, &loops]), self.values.array(element))
            }
            Kind::Scatter(rounds, _) => self.scatter(term, scope, rounds),
            Kind::Pull | Kind::Plus => self.node(&term.meaning(), scope),
            Kind::Array(_) | Kind::Get | Kind::Pair | Kind::Fst | Kind::Snd | Kind::Prim(_) | Kind::Within(_) => {
                self.parts(term, scope)
            }
            Kind::Var | Kind::Real(_) | Kind::Int(_) | Kind::Fin(..) | Kind::SizeVar(_) => (self.zero.clone(), DATA),
        }
    }

    /// Constructors that run each child once, in this scope.
    fn parts(&mut self, term: &Term, scope: &[ValueId]) -> Cost {
        let parts: Vec<Cost> = (0..term.kid_count()).map(|k| self.kid(term, scope, k, DATA)).collect();
        let own = sums::constant(charge(term));
        let work = parts.iter().fold(own, |all, (work, _)| self.products.plus(&all, work));
        let value = match term.kind() {
            Kind::Pair => self.values.pair(parts[0].1, parts[1].1),
            Kind::Fst => self.values.half(parts[0].1, false),
            Kind::Snd => self.values.half(parts[0].1, true),
            Kind::Get => self.values.element(parts[0].1),
            Kind::Array(_) => {
                let element = parts.iter().fold(DATA, |all, (_, one)| self.values.join(all, *one));
                self.values.array(element)
            }
            Kind::Prim(_) | Kind::Within(_) => DATA,
            other => unreachable!("{other:?} runs its children otherwise"),
        };
        (work, value)
    }

    fn fold(&mut self, term: &Term, scope: &[ValueId], n: &Size) -> Cost {
        let (f, function) = self.kid(term, scope, 0, DATA);
        let (z, mut state) = self.kid(term, scope, 1, DATA);
        let is_scan = !matches!(term.kind(), Kind::Ifold(_));
        let mut rounds = 0;
        let (round, element) = loop {
            let (a, step) = self.call(term, function, state);
            let (b, stepped) = self.call(term, step, DATA);
            let next = if is_scan { self.values.half(stepped, false) } else { stepped };
            let joined = match rounds < MAX_FOLD_ITERATIONS {
                true => self.values.join(state, next),
                false => {
                    let joined = self.values.join(state, next);
                    self.values.widen(state, joined)
                }
            };
            rounds += 1;
            if joined == state {
                break (self.sum(&[&a, &b]), self.values.half(stepped, true));
            }
            state = joined;
        };
        let loops = self.rounds(term, &round, n);
        let value = match is_scan {
            true => {
                let elements = self.values.array(element);
                self.values.pair(state, elements)
            }
            false => state,
        };
        (self.sum(&[&f, &z, &loops]), value)
    }

    /// Zeros are built, and each round adds the numbers of its value: a flop each.
    fn scatter(&mut self, term: &Term, scope: &[ValueId], rounds: &Size) -> Cost {
        let (f, function) = self.kid(term, scope, 0, DATA);
        let (step, _) = self.call(term, function, DATA);
        let TypeView::Array(_, value) = term.ty().view() else { unreachable!("an array, by typing") };
        let added = self.numbers(value, flop(), KindCounts::default());
        let round = self.sum(&[&step, &added]);
        let loops = self.rounds(term, &round, rounds);
        let zeros = self.numbers(term.ty(), KindCounts::default(), [0, 0, 0, 1, 1]);
        (self.sum(&[&f, &zeros, &loops]), DATA)
    }

    /// This much for each number, and so much for each element of an array, of a value that is made of reals.
    fn numbers(&mut self, ty: &Type, number: KindCounts, element: KindCounts) -> WorkSum {
        match ty.view() {
            TypeView::Array(n, inner) => {
                let inner = self.numbers(inner, number, element);
                let each = self.products.plus(&inner, &sums::constant(element));
                self.products.times(&each, n)
            }
            TypeView::Pair(a, b) => {
                let (a, b) = (self.numbers(a, number, element), self.numbers(b, number, element));
                self.products.plus(&a, &b)
            }
            _ => sums::constant(number),
        }
    }

    /// A call where a term says so.
    fn call(&mut self, term: &Term, function: ValueId, argument: ValueId) -> Cost {
        let called = self.apply(function, argument);
        if let Some(reason) = self.reason.take() {
            self.unknown.get_or_insert_with(|| (term.clone(), reason));
        }
        called
    }

    fn lost(&mut self, reason: UnknownReason) -> Cost {
        self.reason = Some(reason);
        (sums::unknown(), LOST)
    }

    /// A call: the body of each function that this may be.
    fn apply(&mut self, function: ValueId, argument: ValueId) -> Cost {
        match self.values.get(function).clone() {
            CostValue::Function(print, captured) => self.enter(print, &captured, argument),
            CostValue::Any(each) => {
                let mut all = (self.zero.clone(), DATA);
                for one in each {
                    let (work, value) = self.apply(one, argument);
                    all = (self.products.larger(&all.0, &work), self.values.join(all.1, value));
                }
                all
            }
            CostValue::Given if argument == DATA || argument == GIVEN => (self.products.call(), GIVEN),
            CostValue::Given => self.lost(UnknownReason::GivenFunction),
            _ => self.lost(UnknownReason::MadeByFold),
        }
    }

    fn enter(&mut self, print: u128, captured: &[ValueId], argument: ValueId) -> Cost {
        if self.left == 0 || self.nesting == MAX_APPLICATION_NESTING {
            self.applications = u64::MAX;
            return self.lost(UnknownReason::TooFar);
        }
        self.left -= 1;
        self.applications = self.applications.saturating_add(1);
        self.nesting += 1;
        self.deepest = self.deepest.max(self.nesting);
        let lambda = self.values.lambda(print).clone();
        let cost = self.kid(&lambda, captured, 0, argument);
        self.nesting -= 1;
        cost
    }

    /// The cost of n iterations of a loop, each of them with what the loop itself does.
    fn rounds(&mut self, term: &Term, round: &WorkSum, n: &Size) -> WorkSum {
        let each = self.products.plus(round, &sums::constant(charge(term)));
        self.products.times(&each, n)
    }

    fn sum(&mut self, works: &[&WorkSum]) -> WorkSum {
        works[1..].iter().fold(works[0].clone(), |all, work| self.products.plus(&all, work))
    }
}

/// The functions that a child's free variables hold.
fn kid_scope(term: &Term, scope: &[ValueId], kid: &Term, k: usize, bound: ValueId) -> Vec<ValueId> {
    let binders = term.binders(k);
    let data = scope.iter().all(|id| *id == DATA);
    let hold = |index: u32| match index.checked_sub(binders) {
        None => bound,
        Some(_) if data => DATA,
        Some(outer) => term.free().position(|(i, _)| i == outer).map_or(DATA, |p| scope[p]),
    };
    kid.free().map(|(index, _)| hold(index)).collect()
}

/// The cost of running the constructor itself; of a loop, that of each iteration.
fn charge(term: &Term) -> KindCounts {
    match term.kind().charge() {
        Charge::Compare => [0, 1, 0, 0, 0],
        Charge::Read => [0, 0, 1, 0, 0],
        Charge::Rounds { writes } => [0, 0, 0, writes, 1],
        Charge::FlopIfReal if matches!(term.ty().view(), TypeView::Real) => flop(),
        Charge::FlopIfReal | Charge::Call | Charge::Free => KindCounts::default(),
    }
}

/// One operation on reals.
fn flop() -> KindCounts {
    [1, 0, 0, 0, 0]
}
