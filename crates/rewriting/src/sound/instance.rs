//! Grows closed programs that hold an instance of a law's left side, or just anything.

use super::grow::{Grower, MOST_AGAIN};
use super::hints::Hints;
use super::law_bindings::{LawBindings, choose_size};
use super::scope::hint;
use super::smaller::put;
use super::surround::{RedexSurroundings, observe, observed};
use super::trial::paths;
use crate::rule::instance;
use redexter_language::check::Law;
use redexter_language::ground::{Name, Random};
use redexter_language::term::{Path, Prim, Program, Size, SizeBounds, Term, Type, TypeView};

/// A program and the place where a rule should be tried.
pub(super) struct Instance {
    pub(super) program: Program,
    pub(super) path: Path,
    /// The sizes that it was grown with.
    pub(super) sizes: Vec<Size>,
}

/// The manner in which instances are grown.
#[derive(Clone, Copy)]
pub(super) struct GrowthStyle<'a> {
    /// Only what rounds well, hides no NaN or infinity, and has no jumps where rounding could decide.
    pub(super) gentle: bool,
    /// Below a parameter index, now and then.
    pub(super) placed: bool,
    /// The rule has no law of its own: programs are any, with numbers of the rule's text in the place of some leaves.
    pub(super) lawless: bool,
    /// What to try.
    pub(super) hints: &'a Hints,
    /// The rule's parameters, which stand as sizes in its laws.
    pub(super) parameters: &'a [(Name, u64)],
}

/// So many instances of a hundred have little in them, so that the inputs decide what stands for the law's variables.
const SMALL_PERCENT: usize = 35;

/// The most places that are looked at for leaves.
const MAX_LEAVES: usize = 300;

/// Terms of as many nodes as the rule's text names are tried so many times of a hundred.
pub(super) const SIZED_PERCENT: usize = 40;

fn grower(seed: u64, style: GrowthStyle) -> Grower {
    let (locals, params, sizes) = (Vec::new(), Vec::new(), Vec::new());
    let (gentle, hints) = (style.gentle, style.hints.clone());
    let (random, bounds, again) = (Random::new(seed), SizeBounds::default(), MOST_AGAIN);
    Grower { random, locals, params, sizes, bounds, gentle, hints, again }
}

/// An instance of the law's left side in random surroundings. The same seed gives the same. `None` where it can't be
/// had, as when it needs an index below 0.
pub(super) fn of_law(law: &Law, seed: u64, style: GrowthStyle) -> Option<Instance> {
    let mut grower = grower(seed, style);
    // The grower must have a size to choose from, even if the law has none.
    let extra = choose_size(0, &mut grower)?;
    grower.sizes.push(extra);
    let given = LawBindings::choose(law, style.parameters, &mut grower)?;
    let ty = given.ty(law.left.ty())?;
    let placed = style.placed && grower.random.chance(75);
    let small = !placed && grower.random.chance(SMALL_PERCENT);
    let surroundings = match (placed, small) {
        (true, _) => RedexSurroundings::below_a_parameter(&observed(&ty), &mut grower),
        (_, true) => RedexSurroundings::default(),
        _ => RedexSurroundings::enter(&observed(&ty), &mut grower),
    };
    let mut terms = given.terms(law, &mut grower, if small { 2 } else { 4 })?;
    let redex = instance(law, &given.0, &terms)?;
    let redex =
        match grower.hints.nodes(SIZED_PERCENT, &mut grower.random).and_then(|nodes| nodes.checked_sub(redex.size())) {
            Some(more) if !terms.is_empty() => {
                let k = grower.random.below(terms.len());
                terms[k] = padded(&terms[k], more, &mut grower.random);
                instance(law, &given.0, &terms)?
            }
            _ => redex,
        };
    finish(redex, surroundings, grower).map(|instance| seeded(instance, seed, style))
}

/// The instance with numbers of the rule's text in the place of some of its leaves.
fn seeded(mut instance: Instance, seed: u64, style: GrowthStyle) -> Instance {
    let (hints, mut random) = (style.hints, Random::new(seed));
    if !style.lawless || random.chance(40) {
        return instance;
    }
    let number = |leaf: &Term, random: &mut Random| match (leaf.kid_count(), leaf.ty().view()) {
        (0, TypeView::Real) => hints.of_text(random).map(Term::real),
        (0, TypeView::Int) => hints.of_text(random).filter(|x| x.fract() == 0.0).map(|x| Term::int(x as i64)),
        _ => None,
    };
    let whole = instance.program.term.clone();
    for place in paths(&whole).take(MAX_LEAVES) {
        let leaf = place.0.iter().fold(whole.clone(), |here, k| here.kid(*k as usize));
        if let Some(new) = number(&leaf, &mut random).filter(|_| random.chance(50))
            && let Some(term) = put(&instance.program.term, &place.0, new)
        {
            instance.program.term = term;
        }
    }
    instance
}

/// A number with so many more nodes; the same term where it is none.
pub(super) fn padded(term: &Term, more: u64, random: &mut Random) -> Term {
    let leaf = match term.ty().view() {
        TypeView::Real => Term::real(0.5),
        TypeView::Int => Term::int(1),
        _ => return term.clone(),
    };
    let once = |term: &Term, prim, operands: [Term; 2]| Term::prim(prim, operands.into()).unwrap_or(term.clone());
    let mut term = term.clone();
    for _ in 0..more / 2 {
        let operands = if random.chance(50) { [term.clone(), leaf.clone()] } else { [leaf.clone(), term.clone()] };
        let prim = *random.pick(&[Prim::Add, Prim::Add, Prim::Mul, Prim::Sub]);
        term = once(&term, prim, operands);
    }
    match more % 2 {
        1 => Term::prim(Prim::Neg, vec![term.clone()]).unwrap_or(term),
        _ => term,
    }
}

/// A small instance of the law's left side with nothing around it.
fn bare(law: &Law, seed: u64) -> Option<Instance> {
    let mut grower = grower(
        seed,
        GrowthStyle { gentle: true, placed: false, lawless: false, hints: &Hints::default(), parameters: &[] },
    );
    let extra = choose_size(0, &mut grower)?;
    grower.sizes.push(extra);
    let given = LawBindings::choose(law, &[], &mut grower)?;
    let terms = given.terms(law, &mut grower, 1)?;
    let redex = instance(law, &given.0, &terms)?;
    finish(redex, RedexSurroundings::default(), grower)
}

/// A program that holds an instance of the law's left side, and where: a small one with nothing around it, or any. The
/// same seed gives the same. `None` where it can't be had.
pub fn grown(law: &Law, seed: u64, small: bool) -> Option<(Program, Path)> {
    let style = GrowthStyle { gentle: false, placed: false, lawless: false, hints: &Hints::default(), parameters: &[] };
    let instance = if small { bare(law, seed) } else { of_law(law, seed, style) }?;
    // A variable of the law that it uses without its arguments stays one.
    let closed = instance.program.term.free().len() == 0;
    closed.then_some((instance.program, instance.path))
}

/// A random program.
pub(super) fn of_nothing(seed: u64, style: GrowthStyle) -> Option<Instance> {
    let mut grower = grower(seed, style);
    for _ in 0..2 {
        let size = choose_size(0, &mut grower)?;
        grower.sizes.push(size);
    }
    let ty = grower.ty(false);
    let placed = grower.random.chance(30);
    let surroundings = match placed {
        true => RedexSurroundings::below_a_parameter(&ty, &mut grower),
        false => RedexSurroundings::enter(&ty, &mut grower),
    };
    let term = grower.term(&ty, 4)?;
    let more = grower.hints.nodes(SIZED_PERCENT, &mut grower.random).and_then(|nodes| nodes.checked_sub(term.size()));
    let term = more.map_or(term.clone(), |more| padded(&term, more, &mut grower.random));
    finish(term, surroundings, grower).map(|instance| seeded(instance, seed, style))
}

fn finish(redex: Term, surroundings: RedexSurroundings, mut grower: Grower) -> Option<Instance> {
    let mut path = Vec::new();
    let ty = redex.ty().clone();
    let shown = if ty.has_function() { named(redex, &ty, &mut path, &mut grower)? } else { redex };
    let mut term = surroundings.around(shown, &mut path, &mut grower)?;
    for (k, ty) in grower.params.iter().enumerate() {
        term = Term::lam(&hint(ty, k), ty, term).ok()?;
        path.insert(0, 0);
    }
    let program = Program { term, bounds: grower.bounds };
    Some(Instance { program, path: Path(path), sizes: grower.sizes })
}

/// `let f := redex; …` with what f is, for a redex that isn't data.
fn named(redex: Term, ty: &Type, path: &mut Vec<u32>, grower: &mut Grower) -> Option<Term> {
    let name = grower.hint(ty);
    grower.locals.push(ty.clone());
    let seen = observe(Term::var(0, ty), grower);
    grower.locals.pop();
    path.push(0);
    Term::let_in(&name, redex, seen?).ok()
}
