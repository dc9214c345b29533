//! One walk: a program, and random rules of the book, or a random strategy of them, one after the other.

use std::rc::Rc;

use redexter::cost::cheaper_total;
use redexter::ground::Random;
use redexter::redex::{Finder, Redex, RuleFamily, families};
use redexter::rule::{Exactness, RuleInfo};
use redexter::strategy::{Outcome, Step, Strategy, run};
use redexter::term::{Program, Term};

use super::super::book::{World, at_one};
use super::super::strategies::{Maker, Parts};
use super::compare::{Compared, budget, same, shown};
use super::export::exported;
use super::grow::{LARGEST, is_data, program};
use super::tally::Tally;

/// Steps of a walk.
const STEPS: usize = 5;

/// Redexes among which one is chosen.
const REDEXES: usize = 300;

/// What a strategy may ask its budget's watch.
const ASKED: u64 = 40;

/// Walks, and counts.
pub struct Walker {
    world: World,
    families: Vec<RuleFamily>,
    parts: Parts,
    pub tally: Tally,
}

impl Walker {
    pub fn new() -> Walker {
        let world = World::new();
        let rules: Vec<Rc<RuleInfo>> = world.book.iter().cloned().collect();
        let each = rules.iter().map(|info| Strategy::rule(&at_one(info))).collect();
        let patterns = ["a + b", "let x := a; b(x)", "fst (a, b)"].map(|text| world.pattern(text)).into();
        let parts = Parts::new(each, world.pattern("a - b"), patterns);
        let fired = rules.iter().map(|info| (info.name.to_string(), 0)).collect();
        Walker { families: families(&rules), world, parts, tally: Tally { fired, ..Tally::default() } }
    }

    /// Walks from the program of this seed; a difference is noted.
    pub fn walk(&mut self, seed: u64) {
        if let Err(why) = self.walked(seed) {
            self.tally.differences.push(format!("seed {seed}: {why}"));
        }
    }

    fn walked(&mut self, seed: u64) -> Compared {
        let wanted = self.families[(seed % self.families.len() as u64) as usize].clone();
        let Some(start) = program(&self.world, &wanted, seed).filter(|start| is_data(&start.term)) else {
            return Ok(());
        };
        self.tally.programs += 1;
        let mut random = Random::new(seed ^ 0x5eed);
        let end = match random.below(6) {
            0 => self.by_strategy(&start, seed, &mut random)?,
            _ => self.by_rules(start, wanted.info(), &mut random)?,
        };
        if random.chance(50) { exported(&end, &mut random, &mut self.tally) } else { Ok(()) }
    }

    /// Step by step, where the rule that is wanted comes first.
    fn by_rules(&mut self, start: Program, wanted: &RuleInfo, random: &mut Random) -> Result<Program, String> {
        let mut now = start;
        for step in 0..STEPS {
            let mut finder = Finder::new(self.families.clone());
            let Ok(found) = finder.redexes(&now, REDEXES, &budget(u64::MAX)) else { break };
            let first = (step == 0).then(|| wanted.name.as_str());
            let Some(redex) = chosen(&found.found, first, random) else { break };
            let info = redex.rule.info();
            let told = |why: String| format!("{} at {}: {why}", redex.rule, redex.path.display(&now.term));
            let Some(term) = redex.rewrite(&now.term) else { return Err(told(shown(&now.term))) };
            self.count(&info.name.to_string(), 1);
            let after = now.with(term);
            let class = info.exactness;
            well_formed(&now.term, &after.term)
                .and_then(|()| same(&now, &after, class, random, &mut self.tally))
                .map_err(told)?;
            if after.term.size() > LARGEST {
                break;
            }
            now = after;
        }
        Ok(now)
    }

    /// The whole at once, in the loosest class of its steps.
    fn by_strategy(&mut self, start: &Program, seed: u64, random: &mut Random) -> Result<Program, String> {
        let mut maker = Maker::new(seed, &self.parts);
        let strategy = if random.chance(50) { maker.stage() } else { maker.repetition() };
        let (term, steps) = match run(&strategy, start, &budget(ASKED), cheaper_total) {
            Ok(run) => match run.outcome {
                Outcome::Success(term) => (term, run.trace.steps),
                Outcome::Failure(_) | Outcome::Looping(_) => return Ok(start.clone()),
            },
            Err(stop) => (stop.term, stop.trace.steps),
        };
        let class = steps.iter().map(|step| step.rule().info().exactness).max().unwrap_or(Exactness::Exact);
        steps.iter().for_each(|step: &Step| self.count(step.rule().info().name.as_str(), 1));
        let end = start.with(term);
        let told = |why| format!("{strategy}: {why}");
        well_formed(&start.term, &end.term)
            .and_then(|()| same(start, &end, class, random, &mut self.tally))
            .map_err(told)?;
        Ok(end)
    }

    fn count(&mut self, rule: &str, times: u64) {
        self.tally.steps += times;
        *self.tally.fired.entry(rule.to_owned()).or_default() += times;
    }
}

/// A redex of this rule, or of one that is drawn among those that have any.
fn chosen<'a>(all: &'a [Redex], wanted: Option<&str>, random: &mut Random) -> Option<&'a Redex> {
    let of = |name: &str| all.iter().filter(|redex| redex.rule.info().name.as_str() == name).collect::<Vec<_>>();
    let mut found = wanted.map(of).unwrap_or_default();
    if found.is_empty() {
        let mut names: Vec<&str> = all.iter().map(|redex| redex.rule.info().name.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        found = of(names.get(random.below(names.len().max(1)))?);
    }
    found.get(random.below(found.len().max(1))).copied()
}

/// A rewrite keeps the type and leaves no variable without its binder.
fn well_formed(before: &Term, after: &Term) -> Compared {
    match before.ty() == after.ty() && after.free().len() == 0 {
        true => Ok(()),
        false => Err(format!("the type or the scope changes\n{}\n{}", shown(before), shown(after))),
    }
}
