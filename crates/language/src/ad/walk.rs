//! Takes D of terms. It is homomorphic on everything but variables, their parts, constants and primitives, since no other
//! constructor speaks of `real`. The work of each case stands in a function of its own, so that the frames of the recursion
//! stay small.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::lift::lift;
use super::{AdError, DualTypes, prim};
use crate::ground::Budget;
use crate::term::{Kind, Node, Term};

/// A node by identity, not by equality: equal nodes may differ in the names that users gave. With it, which of its
/// free variables are bound in the walked term: those have the type D α, the others are constants.
type DualKey = (*const Node, SmallVec<[bool; 8]>);

/// The indices of a term's free variables, in the order of its node.
type FreeIndices = SmallVec<[u32; 8]>;

/// One run of D. Remembers the results for shared subterms.
pub(super) struct Differentiator<'a> {
    budget: &'a Budget,
    types: DualTypes,
    done: FxHashMap<DualKey, (FreeIndices, Term)>,
}

/// D of a term that may be a part of a constant.
enum Lifted {
    /// A free variable or a part of one, not lifted yet.
    Constant(Term),
    /// Anything else, with D taken.
    Dual(Term),
}

impl Differentiator<'_> {
    pub(super) fn new(budget: &Budget) -> Differentiator<'_> {
        Differentiator { budget, types: DualTypes::default(), done: FxHashMap::default() }
    }

    /// D of `term`, `depth` binders inside the walked term. The walked term keeps every visited node alive, which makes
    /// addresses good keys.
    pub(super) fn dual(&mut self, term: &Term, depth: u32) -> Result<Term, AdError> {
        if term.kid_count() == 0 {
            return self.leaf(term, depth);
        }
        // What stands in one place alone is met as often as what is around it, which is remembered.
        let shared = term.is_shared();
        if shared && let Some(done) = self.recall(term, depth) {
            return Ok(done);
        }
        self.budget.tick()?;
        let done = self.node(term, depth)?;
        self.budget.measure(done.size(), done.depth())?;
        if shared {
            self.done.insert(key(term, depth), (indices(term), done.clone()));
        }
        Ok(done)
    }

    fn recall(&self, term: &Term, depth: u32) -> Option<Term> {
        self.done.get(&key(term, depth)).map(|(there, done)| moved(done, there, &indices(term)))
    }

    fn leaf(&mut self, term: &Term, depth: u32) -> Result<Term, AdError> {
        match term.kind() {
            Kind::Var => self.taken(term, depth),
            Kind::Real(_) => Ok(Term::pair(term.clone(), Term::real(0.0))?),
            kind if kind.held_type().is_none() => Ok(term.clone()),
            kind => self.made(kind, SmallVec::new()),
        }
    }

    fn node(&mut self, term: &Term, depth: u32) -> Result<Term, AdError> {
        match term.kind() {
            Kind::Get | Kind::Fst | Kind::Snd => self.taken(term, depth),
            Kind::Prim(p) => {
                let operands = self.kids(term, depth)?;
                prim::dual(*p, term, operands.into_vec())
            }
            kind => {
                let kids = self.kids(term, depth)?;
                self.made(kind, kids)
            }
        }
    }

    fn taken(&mut self, term: &Term, depth: u32) -> Result<Term, AdError> {
        match self.part(term, depth)? {
            Lifted::Constant(path) => lift(&path, &mut self.types),
            Lifted::Dual(done) => Ok(done),
        }
    }

    /// The constructor around children of which D was taken.
    fn made(&mut self, kind: &Kind, kids: SmallVec<[Term; 2]>) -> Result<Term, AdError> {
        Ok(Term::of(&kind.replaced(|ty| self.types.of(ty), |n| Ok::<_, AdError>(n.clone()))?, kids)?)
    }

    fn kids(&mut self, term: &Term, depth: u32) -> Result<SmallVec<[Term; 2]>, AdError> {
        let mut kids = SmallVec::with_capacity(term.kid_count());
        for k in 0..term.kid_count() {
            let kid = self.dual(&term.kid(k), depth + term.binders(k))?;
            kids.push(kid);
        }
        Ok(kids)
    }

    /// Follows indexings and projections to the variable that they start from, if they do.
    fn part(&mut self, term: &Term, depth: u32) -> Result<Lifted, AdError> {
        let whole = match term.kind() {
            Kind::Var => return self.variable(term, depth),
            Kind::Get | Kind::Fst | Kind::Snd => self.part(&term.kid(0), depth)?,
            _ => return Ok(Lifted::Dual(self.dual(term, depth)?)),
        };
        let index = if let Kind::Get = term.kind() { Some(self.dual(&term.kid(1), depth)?) } else { None };
        let step = |from: Term| match (term.kind(), index) {
            (Kind::Fst, _) => Term::fst(from),
            (_, Some(index)) => Term::get(from, index),
            _ => Term::snd(from),
        };
        Ok(match whole {
            Lifted::Constant(path) => Lifted::Constant(step(path)?),
            Lifted::Dual(done) => Lifted::Dual(step(done)?),
        })
    }

    fn variable(&mut self, term: &Term, depth: u32) -> Result<Lifted, AdError> {
        let index = term.free().map(|(i, _)| i).next().unwrap_or(0);
        match index.checked_sub(depth) {
            None => Ok(Lifted::Dual(Term::var(index, &self.types.of(term.ty())?))),
            Some(index) if term.ty().has_function() => Err(AdError::FreeFunction { index, ty: term.ty().clone() }),
            Some(_) => Ok(Lifted::Constant(term.clone())),
        }
    }
}

fn indices(term: &Term) -> FreeIndices {
    term.free().map(|(i, _)| i).collect()
}

fn key(term: &Term, depth: u32) -> DualKey {
    (std::ptr::from_ref::<Node>(term), term.free().map(|(i, _)| i < depth).collect())
}

/// A result made where the free variables had the indices `there`, for a place where they have the indices `here`.
fn moved(done: &Term, there: &FreeIndices, here: &FreeIndices) -> Term {
    if there == here {
        return done.clone();
    }
    let to: FxHashMap<u32, u32> = there.iter().copied().zip(here.iter().copied()).collect();
    done.rename(|i| to.get(&i).copied().unwrap_or(i))
}
