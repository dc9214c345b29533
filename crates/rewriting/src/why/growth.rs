//! Finds where the work of a term comes from: the loops of the highest order, and why the first of them stands.

use super::case::{PastRunEnd, WhyCase};
use super::rule::{RuleAnswer, rule_at};
use super::schedule::{Schedule, is_of};
use super::shape::{LoopShape, shape};
use crate::redex::{RuleFamily, replaced};
use crate::rule::RuleBody;
use redexter_language::cost::{self, Poly, WorkMeter};
use redexter_language::ground::order::InOrder;
use redexter_language::ground::{Budget, StopReason};
use redexter_language::term::{Kind, Path, Program, Size, Term};

/// So many loops are told.
const MAX_LOOPS: usize = 5;

/// Of so many rules it is told why they leave a loop standing.
const MAX_RULES: usize = 3;

/// The loops that the work of a term comes from.
#[derive(Clone, Debug)]
pub struct WorkGrowth {
    /// The whole term.
    pub program: Program,
    /// The subterm that is asked about.
    pub at: Path,
    /// What it adds to the work of the whole term, as often as it is run.
    pub work: Poly,
    /// Its order of growth.
    pub order: Poly,
    /// The innermost loops that have a product of sizes of this order, the one with the most work first. Of functions
    /// that are called in several ways there may be none.
    pub loops: Vec<CostlyLoop>,
    /// How many more there are.
    pub more: usize,
    /// Why the first of them stands, of those that don't make the result itself: the rules that remove loops of its kind,
    /// the nearest first.
    pub standing: Vec<LoopRemover>,
    /// The limit that ended the looking, if one did.
    pub stopped: Option<StopReason>,
}

/// A loop with those around it.
#[derive(Clone, Debug)]
pub struct CostlyLoop {
    /// Where it stands.
    pub path: Path,
    /// It.
    pub term: Term,
    /// The loops that run it, outermost first, itself included: where, `build` or `ifold`, and to which size. Those
    /// outside a function that isn't run where it stands aren't among them.
    pub nest: Vec<(Path, &'static str, Size)>,
    /// The function that it is in, where that isn't run where it stands.
    pub called: Option<Path>,
    /// What it makes.
    pub shape: LoopShape,
    /// Whether all of them make the result itself, an element in each iteration.
    pub is_result: bool,
    /// What it contributes, wherever that function is called.
    pub work: Poly,
}

impl CostlyLoop {
    /// How often its body runs.
    pub fn rounds(&self) -> Poly {
        Poly::product(self.nest.iter().map(|(_, _, size)| size))
    }
}

/// A rule that removes loops of a kind, and why it leaves one.
#[derive(Clone, Debug)]
pub struct LoopRemover {
    /// What there is to be said of it at the place where it would take the loop.
    pub there: RuleAnswer,
    /// The work of the whole term after it, where it applies.
    pub after: Option<Poly>,
    /// Whether it is in the strategy that ran last; None where none did.
    pub in_strategy: Option<bool>,
    /// How many steps of the derivation are by it.
    pub fired: usize,
}

/// Finds where the work of the current term, or of the subterm at a path, comes from.
pub fn growth(case: &WhyCase, at: &Path) -> WorkGrowth {
    let program = case.now.0;
    let mut search = LoopSearch {
        root: program.term.clone(),
        meter: WorkMeter::default(),
        work: Poly::default(),
        order: Poly::default(),
        path: Path::default(),
        nest: Vec::new(),
        called: None,
        found: Vec::new(),
        removed: 0,
        budget: case.budget,
    };
    let looked = search.all(&program.term, at);
    let mut loops = search.found;
    loops.order_by_key(|found| std::cmp::Reverse(cost::typical(&found.work, &program.bounds)));
    let more = loops.len().saturating_sub(MAX_LOOPS);
    loops.truncate(MAX_LOOPS);
    let mut growth = WorkGrowth {
        program: program.clone(),
        at: at.clone(),
        work: search.work,
        order: search.order,
        loops,
        more,
        standing: Vec::new(),
        stopped: None,
    };
    let told = looked.and_then(|()| match growth.reducible() {
        Some(first) => standing(case, first),
        None => Ok(Vec::new()),
    });
    match told {
        Ok(standing) => growth.standing = standing,
        Err(reason) => growth.stopped = Some(reason),
    }
    growth
}

impl WorkGrowth {
    /// The first loop that may be removed: the order of one that makes the result itself can't be lowered.
    pub fn reducible(&self) -> Option<&CostlyLoop> {
        self.loops.iter().find(|found| !found.is_result)
    }
}

struct LoopSearch<'a> {
    root: Term,
    meter: WorkMeter,
    work: Poly,
    order: Poly,
    path: Path,
    nest: Vec<(Path, &'static str, Size)>,
    called: Option<Path>,
    found: Vec<CostlyLoop>,
    removed: u32,
    budget: &'a Budget,
}

impl LoopSearch<'_> {
    /// Looks at the subterm at a path.
    fn all(&mut self, whole: &Term, at: &Path) -> Result<(), StopReason> {
        let (mut whole, mut here, mut runs) = (whole.clone(), whole.clone(), usize::MAX);
        for k in at.0.iter().map(|k| *k as usize) {
            if k >= here.kid_count() {
                return Ok(());
            }
            (whole, here, runs) = self.enter(&whole, &here, k, runs);
        }
        let work = self.share(&whole);
        (self.order, self.work) = (work.order(), work.clone());
        if grows(&self.order) {
            self.visit(&whole, &here, &work, runs)?;
        }
        Ok(())
    }

    /// Whether a loop of the order is in the subterm at the path, which adds so much to the work of the whole; it runs
    /// the bodies of so many of its λs where it stands.
    fn visit(&mut self, whole: &Term, here: &Term, work: &Poly, runs: usize) -> Result<bool, StopReason> {
        let mut within = false;
        for k in 0..here.kid_count() {
            self.budget.tick()?;
            let (depth, nest, called) = (self.path.0.len(), self.nest.clone(), self.called.clone());
            let (whole, kid, runs) = self.enter(whole, here, k, runs);
            if kid.kid_count() > 0 {
                let share = self.share(&whole);
                if self.order.iter().any(|(product, _)| share.coefficient(product) > 0) {
                    within |= self.visit(&whole, &kid, &share, runs)?;
                }
            }
            self.path.0.truncate(depth);
            (self.nest, self.called) = (nest, called);
        }
        let Some((word, size)) = loop_of(here).filter(|_| !within) else { return Ok(within) };
        let (path, mut nest) = (self.path.clone(), self.nest.clone());
        nest.push((path.clone(), word, size));
        let shape = shape(here, &path);
        let is_result = shape == LoopShape::Build && is_result(&self.root, &path);
        let (term, called, work) = (here.clone(), self.called.clone(), work.clone());
        self.found.push(CostlyLoop { path, term, nest, called, shape, is_result, work });
        Ok(true)
    }

    /// Goes on to a child: the whole term without the other branch of an `if`, the child, and how many of its λs are run
    /// where it stands.
    fn enter(&mut self, whole: &Term, here: &Term, k: usize, runs: usize) -> (Term, Term, usize) {
        let mut whole = whole.clone();
        if let (Kind::If | Kind::Guard(..), 1 | 2) = (here.kind(), k) {
            self.path.0.push(3 - k as u32);
            whole = self.without(&whole).unwrap_or(whole);
            self.path.0.pop();
        }
        if let Some((word, size)) = loop_of(here).filter(|_| k == 0) {
            self.nest.push((self.path.clone(), word, size));
        }
        let runs = match (here.kind(), k) {
            (Kind::Build(_) | Kind::Scatter(..), 0) => 1,
            (Kind::Ifold(_) | Kind::Scan(_) | Kind::Scanr(_), 0) => 2,
            (Kind::App, 0) => runs.saturating_add(1),
            (Kind::Lam(..), 0) => runs.saturating_sub(1),
            (Kind::Let(_), 1) | (Kind::If | Kind::Guard(..), 1 | 2) => runs,
            _ => 0,
        };
        self.path.0.push(k as u32);
        let kid = here.kid(k);
        if let (Kind::Lam(..), 0) = (kid.kind(), runs) {
            self.nest.clear();
            self.called = Some(self.path.clone());
        }
        (whole, kid, runs)
    }

    /// What the subterm at the path adds to the work of the whole, wherever its functions are called.
    fn share(&mut self, whole: &Term) -> Poly {
        let Some(rest) = self.without(whole) else { return Poly::default() };
        let [all, rest] = [whole, &rest].map(|term| self.meter.total(term));
        all.cancel(&rest).0
    }

    /// The whole with a variable, which costs nothing, in place of the subterm at the path.
    fn without(&mut self, whole: &Term) -> Option<Term> {
        let (mut here, mut bound) = (whole.clone(), 0);
        for k in self.path.0.iter().map(|k| *k as usize) {
            if k >= here.kid_count() {
                return None;
            }
            bound += here.binders(k);
            here = here.kid(k);
        }
        // Another one each time, because a variable must have one type.
        self.removed += 1;
        replaced(whole, &self.path.0, &Term::var(bound + self.removed, here.ty()))
    }
}

/// Whether an order of growth has a size in it.
fn grows(order: &Poly) -> bool {
    order.iter().any(|(product, _)| !product.is_empty())
}

/// Whether a subterm is the result of the whole, or an element of it.
fn is_result(whole: &Term, path: &Path) -> bool {
    let mut here = whole.clone();
    path.0.iter().all(|k| {
        let passes = match (here.kind(), k) {
            (Kind::Lam(..) | Kind::Pair, _) | (Kind::Let(_), 1) => true,
            (Kind::Build(_), 0) => matches!(here.kid(0).kind(), Kind::Lam(..)),
            _ => false,
        };
        here = here.kid(*k as usize);
        passes
    })
}

fn loop_of(term: &Term) -> Option<(&'static str, Size)> {
    match term.kind() {
        Kind::Build(n) => Some(("build", n.clone())),
        Kind::Ifold(n) => Some(("ifold", n.clone())),
        Kind::Scan(n) => Some(("scan", n.clone())),
        Kind::Scanr(n) => Some(("scanr", n.clone())),
        Kind::Scatter(n, _) => Some(("scatter", n.clone())),
        _ => None,
    }
}

/// Why the rules that remove loops of its kind leave a loop.
fn standing(case: &WhyCase, found: &CostlyLoop) -> Result<Vec<LoopRemover>, StopReason> {
    let (program, word) = (case.now.0, loop_of(&found.term).map_or("", |(word, _)| word));
    let mut meter = WorkMeter::default();
    let before = meter.total(&program.term);
    let is_open = loop_of(&found.term).is_some_and(|(_, size)| size.as_literal().is_none());
    let strategy =
        case.runs.iter().rev().find(|run| run.end != PastRunEnd::Failed).map(|run| Schedule::of(&run.strategy));
    let mut all: Vec<(LoopRemover, &RuleFamily, Path)> = Vec::new();
    for family in case.all {
        let Some(depth) = removes(family, word).filter(|depth| *depth <= found.path.0.len()) else { continue };
        case.budget.tick()?;
        let place = Path(found.path.0[..found.path.0.len() - depth].to_vec());
        let there = rule_at(family, program, Some(&place), &[], case.budget);
        let own = there.applies.iter().find(|redex| redex.path == place);
        let whole = own.and_then(|redex| replaced(&program.term, &place.0, &redex.contractum));
        let after = whole.map(|whole| meter.total(&whole));
        let is_by = |step: &&crate::strategy::Step| is_of(family, step.rule());
        let fired = case.derivation.steps().iter().filter(is_by).count();
        let in_strategy = strategy.as_ref().map(|schedule| !schedule.rules(0, family).is_empty());
        all.push((LoopRemover { there, after, in_strategy, fired }, family, place));
    }
    // Those that would lower the order, then those that were of use before, then the nearest.
    let rank = |standing: &LoopRemover| {
        let lowers =
            standing.after.as_ref().is_some_and(|after| !before.grows_within(after) && after.grows_within(&before));
        let cheapens = standing.after.as_ref().is_some_and(|after| after.is_below(&before));
        let near = standing.there.nearest.first().map(|near| near.explanation.nearness());
        std::cmp::Reverse((lowers, cheapens, near, standing.fired))
    };
    all.order_by_key(|(standing, ..)| rank(standing));
    if is_open && all.iter().any(|(_, family, _)| !wants_number(family, word)) {
        all.retain(|(_, family, _)| !wants_number(family, word));
    }
    all.truncate(MAX_RULES);
    let told = all.into_iter().map(|(standing, family, place)| {
        let there = rule_at(family, program, Some(&place), case.all, case.budget);
        LoopRemover { there, ..standing }
    });
    Ok(told.collect())
}

/// How deep in a rule's left side a loop of this kind stands that its right side hasn't; None where it removes none.
fn removes(family: &RuleFamily, word: &str) -> Option<usize> {
    match &family.info().body {
        RuleBody::Laws(laws) => laws.iter().ok()?.find_map(|law| {
            let [left, right] = [&law.left, &law.right].map(|side| count(side, word));
            (left > right).then(|| depth(&law.left, word)).flatten()
        }),
        RuleBody::Native(_) | RuleBody::Computed(_) => family.info().laws.iter().find_map(|law| {
            let (left, right) = law.split_once("-->")?;
            let has = |side: &str| side.split(|c: char| !c.is_alphanumeric()).filter(|part| *part == word).count();
            (has(left) > has(right)).then_some(0)
        }),
    }
}

/// Whether a rule takes only loops of this kind whose size is a number.
fn wants_number(family: &RuleFamily, word: &str) -> bool {
    match &family.info().body {
        RuleBody::Laws(laws) => laws.iter().is_ok_and(|mut laws| {
            laws.all(|law| size_of(&law.left, word).is_none_or(|size| size.as_literal().is_some()))
        }),
        RuleBody::Native(record) => record.left_sides.iter().all(|left| {
            let behind = left.split_once(word).map(|(_, behind)| behind.trim_start());
            behind.is_none_or(|behind| behind.starts_with(|c: char| c.is_ascii_digit()))
        }),
        RuleBody::Computed(_) => false,
    }
}

/// The size of the first loop of a kind.
fn size_of(term: &Term, word: &str) -> Option<Size> {
    match loop_of(term) {
        Some((own, size)) if own == word => Some(size),
        _ => term.kids().iter().find_map(|kid| size_of(kid, word)),
    }
}

fn is_loop(term: &Term, word: &str) -> bool {
    loop_of(term).is_some_and(|(own, _)| own == word)
}

fn count(term: &Term, word: &str) -> usize {
    let below: usize = term.kids().iter().map(|kid| count(kid, word)).sum();
    below + usize::from(is_loop(term, word))
}

fn depth(term: &Term, word: &str) -> Option<usize> {
    match is_loop(term, word) {
        true => Some(0),
        false => term.kids().iter().filter_map(|kid| depth(kid, word)).min().map(|depth| depth + 1),
    }
}
