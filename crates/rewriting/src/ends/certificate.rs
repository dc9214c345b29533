//! Shows a way round on a closed term: the real matcher goes round three times, with conditions and at the place; then the
//! strategy is run there under a small limit, and whether it goes round, too, decides what is said of it.

use std::collections::BTreeMap;

use super::chain::LoopingChain;
use super::{Ending, WayRound};
use crate::redex::{replaced, site};
use crate::rule::{Focus, Rule, instance};
use crate::strategy::{Outcome, Step, Strategy, period, run};
use redexter_language::check::Law;
use redexter_language::cost::cheaper_total;
use redexter_language::ground::{Budget, Limits, Name, StopReason};
use redexter_language::term::{
    Bindings, OpenVariables, Path, Program, Size, SizeBounds, Term, Type, TypeMemo, TypeView,
};

/// A way round is gone so often.
const ROUNDS: usize = 3;

/// The strategy is run for so many steps, and on terms of no more nodes.
const MAX_STEPS: u64 = 200;
const MAX_NODES: u64 = 20_000;

/// So many variables of a law stand for numbers in one term and for what isn't known in another.
const MAX_VARIED: usize = 4;

/// The way round on the first closed term on which the rules go it, and what the strategy does there; none where there is no
/// such term.
pub(super) fn shown(
    strategy: &Strategy,
    rules: &[Rule],
    looping: &LoopingChain,
    budget: &Budget,
) -> Result<Option<(Ending, WayRound)>, StopReason> {
    let law = &looping.chain.law;
    let numbers: Vec<usize> = (0..law.vars.len()).filter(|j| law.vars[*j].arity == 0).take(MAX_VARIED).collect();
    let mut best = None;
    for choice in 0..1_u32 << numbers.len() {
        budget.tick()?;
        let literal = |j: usize| numbers.iter().position(|k| *k == j).is_some_and(|bit| choice >> bit & 1 == 1);
        let Some((program, at)) = closed(law, &literal) else { continue };
        let Some(way) = replayed(&program, &at, rules, looping) else { continue };
        let shown = tried(strategy, way, budget)?;
        if shown.0 == Ending::Loops {
            return Ok(Some(shown));
        }
        best = best.or(Some(shown));
    }
    Ok(best)
}

/// A closed program whose body is an instance of the law's left side: its variables are parameters, or numbers.
fn closed(law: &Law, literal: &dyn Fn(usize) -> bool) -> Option<(Program, Path)> {
    let mut opens = OpenVariables::of(&law.left);
    law.vars.iter().for_each(|var| opens.ty(&var.ty));
    let mut bounds = SizeBounds::default();
    let named: BTreeMap<Name, Name> =
        opens.vars.iter().zip(["n", "m", "k", "p", "q", "r"]).map(|(old, new)| (old.clone(), Name::new(new))).collect();
    if named.len() < opens.vars.len() {
        return None;
    }
    named.iter().for_each(|(old, new)| bounds.require(new, law.bounds.lower(old)));
    let by = Bindings {
        sizes: named.iter().map(|(old, new)| (old.clone(), Size::var(new))).collect(),
        types: opens.types.iter().map(|name| (name.clone(), Type::real())).collect(),
    };
    let mut memo = TypeMemo::default();
    let types: Option<Vec<Type>> = law.vars.iter().map(|var| var.ty.assign(&by, &mut memo).ok()).collect();
    let types = types?;
    let count = types.len() as u32;
    let mut terms = Vec::new();
    for (j, (var, ty)) in law.vars.iter().zip(&types).enumerate() {
        let number = match ty.view() {
            TypeView::Real => Some(Term::real(j as f64 + 2.0)),
            TypeView::Int => Some(Term::int(j as i64 + 2)),
            _ => None,
        };
        if literal(j) {
            terms.push(number?);
            continue;
        }
        let (arity, mut term, mut rest) =
            (var.arity as u32, Term::var(count - 1 - j as u32 + var.arity as u32, ty), ty.clone());
        for k in 0..arity {
            let TypeView::Fun(from, to) = rest.view().clone() else { return None };
            term = Term::app(term, Term::var(arity - 1 - k, &from)).ok()?;
            rest = to;
        }
        terms.push(term);
    }
    let mut term = instance(law, &by, &terms)?;
    for (var, ty) in law.vars.iter().zip(&types).rev() {
        term = Term::lam(&var.name, ty, term).ok()?;
    }
    let is_closed = term.free().len() == 0;
    is_closed.then(|| (Program { term, bounds }, Path(vec![0; types.len()])))
}

/// The way round with the real matcher, as often as [`ROUNDS`] says.
fn replayed(program: &Program, at: &Path, rules: &[Rule], looping: &LoopingChain) -> Option<WayRound> {
    let (mut term, mut place) = (program.term.clone(), at.0.clone());
    let (mut steps, mut terms) = (Vec::new(), vec![term.clone()]);
    for round in 0..ROUNDS {
        for (rule, path) in &looping.chain.steps {
            let path = Path(place.iter().chain(&path.0).copied().collect());
            let (context, here) = site(&term, &path)?;
            let contractum = rules[*rule].apply(&Focus::new(&here, &context, &program.bounds)).ok()?;
            term = replaced(&term, &path.0, &contractum)?;
            if round == 0 {
                steps.push((rules[*rule].clone(), path));
                terms.push(term.clone());
            }
        }
        place.extend(&looping.back.0);
    }
    let growth = terms.last()?.size() as i64 - program.term.size() as i64;
    Some(WayRound { program: program.clone(), steps, terms, growth, saved_by: None })
}

/// What the strategy does on the term: it comes back to one that it had, goes on with the same rules until the limit, or ends.
fn tried(strategy: &Strategy, mut way: WayRound, budget: &Budget) -> Result<(Ending, WayRound), StopReason> {
    budget.ask()?;
    let (goes_round, steps) = goes_round(strategy, &way.program);
    if goes_round {
        return Ok((Ending::Loops, way));
    }
    let leaves = steps.iter().zip(&way.steps).find(|(step, (rule, path))| step.rule() != rule || step.path() != *path);
    way.saved_by = leaves.map(|(step, _)| step.rule().clone());
    Ok((Ending::MayLoop, way))
}

/// Whether the strategy ends on this program, within the limits that a run has here.
pub(super) fn at_rest(strategy: &Strategy, program: &Program) -> bool {
    let limits = Limits { max_steps: MAX_STEPS, max_size: MAX_NODES, ..Limits::default() };
    let ran = run(strategy, program, &Budget::new(limits, None), cheaper_total);
    ran.is_ok_and(|done| !matches!(done.outcome, Outcome::Looping(_)))
}

/// Whether the strategy was seen to go round on this program, and its steps there. A run that grows counts where conditions only
/// ask for forms, since others may fail once the term is large enough.
pub(super) fn goes_round(strategy: &Strategy, program: &Program) -> (bool, Vec<Step>) {
    // The limits of the run are of its own, so that the caller's say only when to give up.
    let limits = Limits { max_steps: MAX_STEPS, max_size: MAX_NODES, ..Limits::default() };
    match run(strategy, program, &Budget::new(limits, None), cheaper_total) {
        Ok(done) => (matches!(done.outcome, Outcome::Looping(_)), done.trace.steps),
        Err(stopped) => {
            let steps = stopped.trace.steps;
            let last = period(&steps).map_or(&[][..], |period| &steps[steps.len() - period..]);
            let sure = !last.is_empty() && last.iter().all(|step| step.rule().asks_only_for_forms());
            (sure, steps)
        }
    }
}
