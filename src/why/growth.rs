//! Where the work of a term comes from: the loops of the highest order, and why the first of them stands.

use super::case::Case;
use super::rule::{RuleAnswer, rule_at};
use super::schedule::{Schedule, is_of};
use super::shape::{Shape, shape};
use crate::cost::{Meter, Poly, TYPICAL};
use crate::ground::{Budget, StopReason};
use crate::redex::{Family, replaced};
use crate::rule::Body;
use crate::term::{Kind, Path, Program, Size, Term};

/// So many loops are told.
const TOLD: usize = 5;

/// Of so many rules it is told why they leave a loop standing.
const RULES: usize = 3;

/// Where work comes from.
#[derive(Clone, Debug)]
pub struct Growth {
    /// The whole term.
    pub program: Program,
    /// The subterm that is asked about.
    pub at: Path,
    /// Its work, as often as the loops around it run it.
    pub work: Poly,
    /// Its order: the highest degree of its products of sizes.
    pub order: u32,
    /// The innermost loops that have this order, the one with the most work first.
    pub loops: Vec<Loop>,
    /// How many more there are.
    pub more: usize,
    /// Why the first of them stands, of those that don't make the result itself: the rules that remove loops of its kind,
    /// the nearest first.
    pub standing: Vec<Standing>,
    /// The limit that ended the looking, if one did.
    pub stopped: Option<StopReason>,
}

/// A loop with those around it.
#[derive(Clone, Debug)]
pub struct Loop {
    /// Where it stands.
    pub path: Path,
    /// It.
    pub term: Term,
    /// The loops that run it, outermost first, itself included: where, `build` or `ifold`, and to which size.
    pub nest: Vec<(Path, &'static str, Size)>,
    /// What it makes.
    pub shape: Shape,
    /// Whether all of them make the result itself, an element in each round.
    pub is_result: bool,
    /// What it contributes.
    pub work: Poly,
}

impl Loop {
    /// How often its body runs.
    pub fn rounds(&self) -> Poly {
        self.nest.iter().fold(Poly::constant(1), |rounds, (_, _, size)| rounds.times(&Poly::size(size)))
    }
}

/// A rule that removes loops of a kind, and why it leaves one.
#[derive(Clone, Debug)]
pub struct Standing {
    /// What there is to be said of it at the place where it would take the loop.
    pub there: RuleAnswer,
    /// The work of the whole term after it, where it applies.
    pub after: Option<Poly>,
    /// Whether it is in the strategy that ran last; None where none did.
    pub in_strategy: Option<bool>,
    /// How many steps of the derivation are by it.
    pub fired: usize,
}

/// Where the work of the current term, or of the subterm at a path, comes from.
pub fn growth(case: &Case, at: &Path) -> Growth {
    let program = case.now.0;
    let mut search = Search {
        whole: program.term.clone(),
        meter: Meter::default(),
        degree: 0,
        path: at.clone(),
        nest: Vec::new(),
        found: Vec::new(),
        budget: case.budget,
    };
    let mut growth = Growth {
        program: program.clone(),
        at: at.clone(),
        work: Poly::default(),
        order: 0,
        loops: Vec::new(),
        more: 0,
        standing: Vec::new(),
        stopped: None,
    };
    let looked = search.all(&program.term, at, &mut growth.work);
    growth.order = search.degree;
    let bounds = &program.bounds;
    let mut loops = search.found;
    loops.sort_by_key(|found| std::cmp::Reverse(found.work.at(|name| bounds.lower(name).max(TYPICAL))));
    growth.more = loops.len().saturating_sub(TOLD);
    loops.truncate(TOLD);
    growth.loops = loops;
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

impl Growth {
    /// The first loop that may be removed: the order of one that makes the result itself can't be lowered.
    pub fn reducible(&self) -> Option<&Loop> {
        self.loops.iter().find(|found| !found.is_result)
    }
}

/// The highest degree of the products of sizes.
pub fn degree(work: &Poly) -> u32 {
    work.terms().iter().map(|(product, _)| product.iter().map(|(_, power)| *power).sum()).max().unwrap_or(0)
}

struct Search<'a> {
    whole: Term,
    meter: Meter,
    degree: u32,
    path: Path,
    nest: Vec<(Path, &'static str, Size)>,
    found: Vec<Loop>,
    budget: &'a Budget,
}

impl Search<'_> {
    fn all(&mut self, whole: &Term, at: &Path, work: &mut Poly) -> Result<(), StopReason> {
        let (mut here, mut around) = (whole.clone(), Poly::constant(1));
        self.path = Path::default();
        for k in &at.0 {
            let k = *k as usize;
            if k >= here.kid_count() {
                return Ok(());
            }
            if let Some((word, size)) = loop_of(&here).filter(|_| k == 0) {
                around = around.times(&Poly::size(&size));
                self.nest.push((self.path.clone(), word, size));
            }
            here = here.kid(k);
            self.path.0.push(k as u32);
        }
        let depth = self.path.0.len();
        while let Kind::Lam(..) = here.kind() {
            here = here.kid(0);
            self.path.0.push(0);
        }
        *work = around.times(&self.meter.work(&here).total());
        self.degree = degree(work);
        if self.degree > 0 {
            self.visit(&here, &around)?;
        }
        self.path.0.truncate(depth);
        Ok(())
    }

    /// Whether a loop of the highest order is in a term that runs so often.
    fn visit(&mut self, term: &Term, times: &Poly) -> Result<bool, StopReason> {
        self.budget.tick()?;
        let work = times.times(&self.meter.work(term).total());
        if term.kid_count() == 0 || degree(&work) < self.degree {
            return Ok(false);
        }
        let own = loop_of(term);
        let mut within = false;
        for (k, kid) in term.kids().into_iter().enumerate() {
            let looped = own.as_ref().filter(|_| k == 0);
            let inner = looped.map(|(_, size)| times.times(&Poly::size(size)));
            if let Some((word, size)) = looped {
                self.nest.push((self.path.clone(), word, size.clone()));
            }
            let depth = self.path.0.len();
            self.path.0.push(k as u32);
            let mut kid = kid;
            // Only what is run here: the body of a loop, and that of a function that is applied where it is written.
            while let (Kind::Lam(..), true) =
                (kid.kind(), k == 0 && (own.is_some() || matches!(term.kind(), Kind::App)))
            {
                kid = kid.kid(0);
                self.path.0.push(0);
            }
            within |= self.visit(&kid, inner.as_ref().unwrap_or(times))?;
            self.path.0.truncate(depth);
            if looped.is_some() {
                self.nest.pop();
            }
        }
        if let (Some((word, size)), false) = (own, within) {
            let mut nest = self.nest.clone();
            nest.push((self.path.clone(), word, size));
            let shape = shape(term, &self.path);
            let is_result = shape == Shape::Build && is_result(&self.whole, &self.path);
            self.found.push(Loop { path: self.path.clone(), term: term.clone(), nest, shape, is_result, work });
            return Ok(true);
        }
        Ok(within)
    }
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
        _ => None,
    }
}

/// Why the rules that remove loops of its kind leave a loop.
fn standing(case: &Case, found: &Loop) -> Result<Vec<Standing>, StopReason> {
    let (program, word) = (case.now.0, loop_of(&found.term).map_or("", |(word, _)| word));
    let mut meter = Meter::default();
    let before = meter.work(&program.term).total();
    let strategy = case.runs.last().map(|run| Schedule::of(&run.strategy));
    let is_open = loop_of(&found.term).is_some_and(|(_, size)| size.as_literal().is_none());
    let mut all: Vec<(Standing, &Family, Path)> = Vec::new();
    for family in case.all {
        let Some(depth) = removes(family, word).filter(|depth| *depth <= found.path.0.len()) else { continue };
        case.budget.tick()?;
        let place = Path(found.path.0[..found.path.0.len() - depth].to_vec());
        let there = rule_at(family, program, Some(&place), &[], case.budget);
        let own = there.applies.iter().find(|redex| redex.path == place);
        let whole = own.and_then(|redex| replaced(&program.term, &place.0, &redex.contractum));
        let after = whole.map(|whole| meter.work(&whole).total());
        let is_by = |step: &&crate::strategy::Step| is_of(family, step.rule());
        let fired = case.derivation.steps().iter().filter(is_by).count();
        let in_strategy = strategy.as_ref().map(|schedule| !schedule.rules(0, family).is_empty());
        all.push((Standing { there, after, in_strategy, fired }, family, place));
    }
    // Those that would lower the order, then those that were of use before, then the nearest.
    let rank = |standing: &Standing| {
        let lowers = standing.after.as_ref().is_some_and(|after| degree(after) < degree(&before));
        let cheapens = standing.after.as_ref().is_some_and(|after| after.is_below(&before));
        let near = standing.there.nearest.first().map(|near| near.explanation.nearness());
        std::cmp::Reverse((lowers, cheapens, near, standing.fired))
    };
    all.sort_by_key(|(standing, ..)| rank(standing));
    if is_open && all.iter().any(|(_, family, _)| !wants_number(family, word)) {
        all.retain(|(_, family, _)| !wants_number(family, word));
    }
    all.truncate(RULES);
    let told = all.into_iter().map(|(standing, family, place)| {
        let there = rule_at(family, program, Some(&place), case.all, case.budget);
        Standing { there, ..standing }
    });
    Ok(told.collect())
}

/// How deep in a rule's left side a loop of this kind stands that its right side hasn't; None where it removes none.
fn removes(family: &Family, word: &str) -> Option<usize> {
    match &family.info().body {
        Body::Laws(laws) => laws.iter().ok()?.find_map(|law| {
            let [left, right] = [&law.left, &law.right].map(|side| count(side, word));
            (left > right).then(|| depth(&law.left, word)).flatten()
        }),
        Body::Native(_) | Body::Computed(_) => family.info().laws.iter().find_map(|law| {
            let (left, right) = law.split_once("-->")?;
            let has = |side: &str| side.split(|c: char| !c.is_alphanumeric()).filter(|part| *part == word).count();
            (has(left) > has(right)).then_some(0)
        }),
    }
}

/// Whether a rule takes only loops of this kind whose size is a number.
fn wants_number(family: &Family, word: &str) -> bool {
    match &family.info().body {
        Body::Laws(laws) => laws.iter().is_ok_and(|mut laws| {
            laws.all(|law| size_of(&law.left, word).is_none_or(|size| size.as_literal().is_some()))
        }),
        Body::Native(record) => record.left_sides.iter().all(|left| {
            let behind = left.split_once(word).map(|(_, behind)| behind.trim_start());
            behind.is_none_or(|behind| behind.starts_with(|c: char| c.is_ascii_digit()))
        }),
        Body::Computed(_) => false,
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
