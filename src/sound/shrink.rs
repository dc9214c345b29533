//! Making a counterexample small: less around it, smaller parts, simpler inputs.

use super::compare::{Difference, Test, again, compare};
use super::inputs::simpler;
use super::trial::{Fired, anywhere, paths};
use crate::ground::{Budget, Name, StopReason, Trouble};
use crate::rule::{Exactness, Rule};
use crate::term::{Kind, Path, Program, Term, TypeView, View};

/// So many smaller programs are tried.
const TRIES: u32 = 600;

/// A program on which a rule goes wrong.
#[derive(Clone, Debug)]
pub(super) struct Case {
    pub(super) program: Program,
    pub(super) fired: Fired,
    /// Where both sides differ; `None` if the right side is no term at all.
    pub(super) difference: Option<Box<Difference>>,
}

/// What a rule has done to a program, if that is wrong.
fn wrong(program: Program, fired: Fired, test: &Test, budget: &Budget) -> Result<Option<Case>, StopReason> {
    let after = match &fired.after {
        Ok(after) => after,
        Err(_) => return Ok(Some(Case { program, fired, difference: None })),
    };
    match compare(&program, after, test, budget) {
        Ok(result) => Ok(result.difference.map(|d| Case { program, fired: fired.clone(), difference: Some(d) })),
        Err(Trouble::Wrong(_)) => Ok(None),
        Err(Trouble::Stopped(reason)) => Err(reason),
    }
}

/// The smallest case that was found to be as wrong.
pub(super) fn shrink(rule: &Rule, case: Case, seed: u64, budget: &Budget) -> Result<Case, StopReason> {
    let mut shrinker = Shrinker { rule, exactness: rule.info().exactness, seed, budget, left: TRIES };
    let mut best = case;
    while let Some(smaller) = shrinker.step(&best)? {
        best = smaller;
    }
    shrinker.inputs(best)
}

struct Shrinker<'a> {
    rule: &'a Rule,
    exactness: Exactness,
    seed: u64,
    budget: &'a Budget,
    left: u32,
}

impl Shrinker<'_> {
    /// The first candidate that is as wrong.
    fn step(&mut self, case: &Case) -> Result<Option<Case>, StopReason> {
        let bare = parts(&case.program, &case.fired.path);
        for (program, path) in bare.into_iter().chain(simplified(&case.program, &case.fired.path)) {
            if self.left == 0 {
                return Ok(None);
            }
            self.left -= 1;
            let Some(fired) = anywhere(self.rule, &program, &path) else { continue };
            let dual_runs = if case.difference.as_ref().is_some_and(|d| d.under_d) { 3 } else { 0 };
            let test = Test { exactness: self.exactness, sizes: &[0, 1, 2, 3, 2, 1], dual_runs, seed: self.seed };
            if let Some(smaller) = wrong(program, fired, &test, self.budget)?
                && smaller.difference.is_some() == case.difference.is_some()
            {
                return Ok(Some(smaller));
            }
        }
        Ok(None)
    }

    /// The same programs on simpler inputs.
    fn inputs(&mut self, mut case: Case) -> Result<Case, StopReason> {
        let (Ok(after), Some(mut known)) = (case.fired.after.clone(), case.difference.take()) else { return Ok(case) };
        let mut k = 0;
        'next: while k < known.inputs.len() && self.left > 0 {
            for value in simpler(&known.inputs[k]) {
                self.left = self.left.saturating_sub(1);
                let mut inputs = known.inputs.clone();
                inputs[k] = value;
                if let Some(found) = again(&case.program, &after, self.exactness, &known, inputs, self.budget)? {
                    known = found;
                    continue 'next;
                }
            }
            k += 1;
        }
        case.difference = Some(known);
        Ok(case)
    }
}

/// Parts of the program that hold the redex, from the redex outwards, each closed by parameters.
fn parts(program: &Program, redex: &Path) -> Vec<(Program, Path)> {
    let mut names: Vec<Name> = Vec::new();
    let mut here = program.term.clone();
    let mut all = Vec::new();
    let size = program.term.size();
    for (depth, k) in redex.0.iter().enumerate() {
        let k = *k as usize;
        if let (1, Kind::Lam(name, _) | Kind::Let(name)) = (here.kind().binders(k), here.kind()) {
            names.push(name.clone());
        }
        here = here.kid(k);
        let way = &redex.0[depth + 1..];
        if let Some((term, around)) = close(&here, &names)
            && term.size() < size
        {
            let mut path = vec![0; around];
            path.extend_from_slice(way);
            all.push((Program { term, bounds: program.bounds.clone() }, Path(path)));
        }
    }
    all.reverse();
    all
}

/// A λ for each free variable, and how many. `names`: of what is bound around the term, innermost last. `None` if it
/// then is no function from data to data.
fn close(term: &Term, names: &[Name]) -> Option<(Term, usize)> {
    let mut free: Vec<(u32, _)> = term.free().map(|(i, f)| (i, f.ty.clone())).collect();
    free.sort_by_key(|(i, _)| *i);
    if term.ty().has_function() || free.iter().any(|(_, ty)| ty.has_function()) {
        return None;
    }
    let place = |i: u32| free.iter().position(|(j, _)| *j == i).unwrap_or(0) as u32;
    let mut closed = term.rename(place);
    for (i, ty) in &free {
        let name = names.len().checked_sub(1 + *i as usize).map_or_else(|| Name::new("x"), |k| names[k].clone());
        closed = Term::lam(&name, ty, closed).ok()?;
    }
    Some((closed, free.len()))
}

/// The program with one part replaced by something smaller.
fn simplified(program: &Program, redex: &Path) -> Vec<(Program, Path)> {
    let mut places = Vec::new();
    paths(&program.term, &mut Path::default(), &mut places);
    let mut all = Vec::new();
    for place in &places {
        let Some(part) = place.find(&program.term) else { continue };
        for smaller in smaller(&part) {
            if let Some(term) = put(&program.term, &place.0, smaller) {
                all.push((Program { term, bounds: program.bounds.clone() }, redex.clone()));
            }
        }
    }
    all
}

fn put(whole: &Term, path: &[u32], part: Term) -> Option<Term> {
    match path.split_first() {
        None => Some(part),
        Some((k, rest)) => {
            let k = *k as usize;
            whole.with_kid(k, put(&whole.kid(k), rest, part)?).ok()
        }
    }
}

/// Terms of the same type that are smaller, the smallest first.
fn smaller(part: &Term) -> Vec<Term> {
    let mut all: Vec<Term> = match (part.ty().view(), part.kind()) {
        (TypeView::Real, Kind::Real(x)) if *x == 0.0 || *x == 1.0 => Vec::new(),
        (TypeView::Int, Kind::Int(0 | 1)) => Vec::new(),
        (_, Kind::Var) => Vec::new(),
        (TypeView::Real, _) => vec![Term::real(0.0), Term::real(1.0)],
        (TypeView::Int, _) => vec![Term::int(0), Term::int(1)],
        _ => Vec::new(),
    };
    if let View::Let(_, value, body) = part.view() {
        all.extend(body.instantiate(&value).ok().filter(|t| t.size() < part.size()));
    }
    inside(part, part, 0, 3, &mut all);
    all.sort_by_key(Term::size);
    all
}

/// The parts of the right type that mention nothing bound on the way to them.
fn inside(part: &Term, here: &Term, under: u32, depth: u32, all: &mut Vec<Term>) {
    for (k, kid) in here.kids().iter().enumerate() {
        let under = under + here.kind().binders(k);
        if kid.ty() == part.ty() {
            all.extend(kid.lower(under));
        }
        if depth > 1 {
            inside(part, kid, under, depth - 1, all);
        }
    }
}
