//! Closed programs that hold an instance of a law's left side, or just anything.

use super::given::{Given, choose_size};
use super::grow::Grower;
use super::scope::hint;
use super::surround::{Surroundings, observe, observed};
use crate::check::Law;
use crate::ground::Random;
use crate::rule::instance;
use crate::term::{Bounds, Path, Program, Size, Term, Type};

/// A program and the place where a rule should be tried.
pub(super) struct Instance {
    pub(super) program: Program,
    pub(super) path: Path,
    /// The sizes that it was grown with.
    pub(super) sizes: Vec<Size>,
}

fn grower(seed: u64, gentle: bool) -> Grower {
    let (locals, params, sizes) = (Vec::new(), Vec::new(), Vec::new());
    Grower { random: Random::new(seed), locals, params, sizes, bounds: Bounds::default(), gentle }
}

/// An instance of the law's left side in random surroundings. The same seed gives the same. `None` where it can't be
/// had, as when it needs an index below 0.
pub(super) fn of_law(law: &Law, seed: u64, gentle: bool) -> Option<Instance> {
    let mut grower = grower(seed, gentle);
    let extra = choose_size(0, &mut grower)?;
    grower.sizes.push(extra);
    let given = Given::choose(law, &mut grower)?;
    let ty = given.ty(law.left.ty())?;
    let surroundings = Surroundings::enter(&observed(&ty), &mut grower);
    let terms = given.terms(law, &mut grower, 4)?;
    let redex = instance(law, &given.0, &terms)?;
    finish(redex, surroundings, grower)
}

/// A small instance of the law's left side with nothing around it.
fn bare(law: &Law, seed: u64) -> Option<Instance> {
    let mut grower = grower(seed, true);
    let extra = choose_size(0, &mut grower)?;
    grower.sizes.push(extra);
    let given = Given::choose(law, &mut grower)?;
    let terms = given.terms(law, &mut grower, 1)?;
    let redex = instance(law, &given.0, &terms)?;
    finish(redex, Surroundings::default(), grower)
}

/// A program that holds an instance of the law's left side, and where: a small one with nothing around it, or any. The
/// same seed gives the same. `None` where it can't be had.
pub fn grown(law: &Law, seed: u64, small: bool) -> Option<(Program, Path)> {
    let instance = if small { bare(law, seed) } else { of_law(law, seed, false) }?;
    // A variable of the law that it uses without its arguments stays one.
    let closed = instance.program.term.free().len() == 0;
    closed.then_some((instance.program, instance.path))
}

/// A random program.
pub(super) fn of_nothing(seed: u64, gentle: bool) -> Option<Instance> {
    let mut grower = grower(seed, gentle);
    for _ in 0..2 {
        let size = choose_size(0, &mut grower)?;
        grower.sizes.push(size);
    }
    let ty = grower.ty(false);
    let surroundings = Surroundings::enter(&ty, &mut grower);
    let term = grower.term(&ty, 4)?;
    finish(term, surroundings, grower)
}

fn finish(redex: Term, surroundings: Surroundings, mut grower: Grower) -> Option<Instance> {
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
