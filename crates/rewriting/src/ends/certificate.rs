//! Shows a way round on a closed term: the real matcher goes round three times, with conditions and at the place; then the
//! strategy is run there under a small limit, and whether it goes round, too, decides what is said of it.

use std::collections::BTreeMap;

use super::chain::{Chain, LoopingChain};
use super::{Ending, WayRound};
use crate::redex::{replaced, site};
use crate::rule::{Focus, Rule, instance};
use crate::strategy::{Outcome, Step, Strategy, may_give_up, period, run};
use redexter_language::check::Law;
use redexter_language::cost::cheaper_total;
use redexter_language::ground::{Budget, Limits, Name, StopReason};
use redexter_language::term::{
    Bindings, OpenVariables, Path, Prim, Program, Size, SizeBounds, Term, Type, TypeMemo, TypeView,
};

/// A way round is gone so often.
const ROUNDS: usize = 3;

/// The strategy is run for so many steps, and on terms of no more nodes.
const MAX_STEPS: u64 = 200;
const MAX_NODES: u64 = 20_000;

/// A way round is tried on so many terms.
const MAX_TERMS: usize = 24;

/// What a variable of a chain stands for in a closed term.
#[derive(Clone, Copy, Debug)]
enum Witness {
    /// A parameter, of as many arguments.
    Parameter,
    /// A number.
    Number(u64),
    /// A parameter that is combined with itself so often: it occurs more often, costs operations, and has a form.
    Doubled(Prim, usize),
    /// A function of a parameter.
    Function(Prim),
    /// A parameter without the arguments, which doesn't mention what is bound.
    Constant,
}

/// The way round on the first closed term on which the rules go it, and what the strategy does there; none where there is no
/// such term.
pub(super) fn shown(
    strategy: &Strategy,
    rules: &[Rule],
    looping: &LoopingChain,
    budget: &Budget,
) -> Result<Option<(Ending, WayRound)>, StopReason> {
    // What variables stand for meets the conditions of each round.
    let chain = &looping.rounds(ROUNDS);
    let forms = looping.chain.steps.iter().all(|(k, _)| rules[*k].asks_only_for_forms());
    let mut best = None;
    for (program, at) in instances(chain, forms) {
        budget.tick()?;
        if let Some(way) = replayed(&program, &at, rules, looping) {
            let shown = tried(strategy, way, budget)?;
            if shown.0 == Ending::Loops {
                return Ok(Some(shown));
            }
            best = best.or(Some(shown));
        }
    }
    Ok(best)
}

/// Closed instances of a chain's left side, with the place where each stands.
fn instances(chain: &Chain, forms: bool) -> impl Iterator<Item = (Program, Path)> {
    let all: Vec<Vec<Witness>> = (0..chain.law.vars.len()).map(|j| witnesses(chain, j, forms)).collect();
    let chosen: Vec<Vec<Witness>> = choices(&all).collect();
    chosen.into_iter().filter_map(|chosen| closed(&chain.law, &chosen))
}

/// What all variables may stand for together, so often as is tried: alike first, since a way round often asks the same of each;
/// then counted up as a number is, the first variable first.
fn choices(all: &[Vec<Witness>]) -> impl Iterator<Item = Vec<Witness>> {
    let next = |choice: &Vec<usize>| {
        let mut choice = choice.clone();
        let next = (0..all.len()).find(|j| choice[*j] + 1 < all[*j].len())?;
        choice[next] += 1;
        choice[..next].fill(0);
        Some(choice)
    };
    // Without variables there is one choice, too.
    let most = all.iter().map(Vec::len).max().unwrap_or(1);
    let alike = (0..most).map(|k| all.iter().map(|of| k.min(of.len() - 1)).collect::<Vec<usize>>());
    let others = std::iter::successors(Some(vec![0; all.len()]), next).skip(1).take(MAX_TERMS);
    alike.chain(others).map(move |choice| choice.iter().zip(all).map(|(k, of)| of[*k]).collect())
}

/// What a variable may stand for, as far as the conditions on it allow; parameters first. Where conditions ask for more than
/// forms, also what costs more, and occurs more or less often.
fn witnesses(chain: &Chain, j: usize, forms: bool) -> Vec<Witness> {
    let var = &chain.law.vars[j];
    let asked: Vec<_> = chain.asked.iter().filter(|asked| asked.of_variable(&chain.law.vars) == Some(j)).collect();
    let mut all = vec![Witness::Parameter];
    if var.arity == 0 {
        all.push(Witness::Number(j as u64 + 2));
        let compared = asked.iter().flat_map(|asked| asked.condition.numbers());
        all.extend(compared.flat_map(|n| [n.saturating_sub(1), n, n.saturating_add(1)]).map(Witness::Number));
        if !asked.is_empty() {
            all.extend([0, 1].map(Witness::Number));
        }
    } else if !forms {
        all.push(Witness::Constant);
    }
    if !forms || !asked.is_empty() {
        all.extend([1, 3].map(|times| Witness::Doubled(Prim::Add, times)));
        all.extend([Witness::Doubled(Prim::Mul, 1), Witness::Doubled(Prim::Add, 5), Witness::Function(Prim::Exp)]);
    }
    let mut ty = var.ty.clone();
    while let TypeView::Fun(_, to) = ty.view() {
        let to = to.clone();
        ty = to;
    }
    if let TypeView::Var(_) = ty.view() {
        ty = Type::real();
    }
    let sample = |witness: &Witness| match witness {
        Witness::Number(value) => number(*value, &ty),
        Witness::Parameter | Witness::Constant => Some(Term::var(0, &ty)),
        made => made.around(Term::var(0, &ty)),
    };
    all.retain(|witness| {
        let term = sample(witness);
        term.is_some_and(|term| asked.iter().all(|asked| asked.condition.decided(&term, true) != Some(false)))
    });
    if all.is_empty() { vec![Witness::Parameter] } else { all }
}

/// Closed terms to which a rule applies: of each law's left side the first that is found.
pub(super) fn examples(rule: &Rule) -> Vec<Program> {
    let forms = rule.asks_only_for_forms();
    let applies = |(program, at): (Program, Path)| {
        let (context, here) = site(&program.term, &at)?;
        rule.apply(&Focus::new(&here, &context, &program.bounds)).is_ok().then_some(program)
    };
    let example = |chain: Chain| instances(&chain, forms).find_map(applies);
    Chain::of_rule(0, rule).into_iter().filter_map(example).collect()
}

fn number(value: u64, ty: &Type) -> Option<Term> {
    match ty.view() {
        TypeView::Real => Some(Term::real(value as f64)),
        TypeView::Int => Some(Term::int(i64::try_from(value).ok()?)),
        // As an open type is chosen.
        TypeView::Var(_) => Some(Term::real(value as f64)),
        _ => None,
    }
}

impl Witness {
    /// What it makes of a parameter.
    fn around(self, parameter: Term) -> Option<Term> {
        match self {
            Witness::Doubled(prim, times) => {
                (0..times).try_fold(parameter, |term, _| Term::prim(prim, vec![term.clone(), term]).ok())
            }
            Witness::Function(prim) => Term::unary(prim, parameter).ok(),
            Witness::Parameter | Witness::Number(_) | Witness::Constant => Some(parameter),
        }
    }
}

/// A closed program whose body is an instance of the law's left side, with these terms for its variables.
fn closed(law: &Law, chosen: &[Witness]) -> Option<(Program, Path)> {
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
    // Numbers need no parameters.
    let is_parameter = |j: &usize| !matches!(chosen[*j], Witness::Number(_));
    let parameters: Vec<usize> = (0..types.len()).filter(is_parameter).collect();
    let (mut terms, mut own) = (Vec::new(), types.clone());
    for (j, (var, ty)) in law.vars.iter().zip(&types).enumerate() {
        if let Witness::Number(value) = chosen[j] {
            terms.push(number(value, ty)?);
            continue;
        }
        let arity = var.arity as u32;
        let behind = parameters.iter().filter(|k| **k > j).count() as u32;
        let (mut arguments, mut rest) = (Vec::new(), ty.clone());
        for k in 0..arity {
            let TypeView::Fun(from, to) = rest.view().clone() else { return None };
            arguments.push(Term::var(arity - 1 - k, &from));
            rest = to;
        }
        let term = match chosen[j] {
            Witness::Constant => {
                own[j] = rest.clone();
                Term::var(behind + arity, &rest)
            }
            _ => arguments.into_iter().try_fold(Term::var(behind + arity, ty), |f, x| Term::app(f, x).ok())?,
        };
        terms.push(chosen[j].around(term)?);
    }
    let mut term = instance(law, &by, &terms)?;
    for j in parameters.iter().rev() {
        term = Term::lam(&law.vars[*j].name, &own[*j], term).ok()?;
    }
    let is_closed = term.free().len() == 0;
    is_closed.then(|| (Program { term, bounds }, Path(vec![0; parameters.len()])))
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
/// ask for forms, since others may fail once the term is large enough, and where nothing in the strategy ends it in time.
pub(super) fn goes_round(strategy: &Strategy, program: &Program) -> (bool, Vec<Step>) {
    // The limits of the run are of its own, so that the caller's say only when to give up.
    let limits = Limits { max_steps: MAX_STEPS, max_size: MAX_NODES, ..Limits::default() };
    match run(strategy, program, &Budget::new(limits, None), cheaper_total) {
        Ok(done) => (matches!(done.outcome, Outcome::Looping(_)), done.trace.steps),
        Err(stopped) => {
            let steps = stopped.trace.steps;
            let last = period(&steps).map_or(&[][..], |period| &steps[steps.len() - period..]);
            let grows = !last.is_empty() && last.iter().all(|step| step.rule().asks_only_for_forms());
            (grows && !may_give_up(strategy, MAX_STEPS), steps)
        }
    }
}
