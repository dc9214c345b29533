//! A law tried on a term: nodes are compared where they are, and nothing is copied before the right side is made.

use std::mem::discriminant;

use crate::ground::Name;
use crate::term::{Atom, Bounds, Kind, Node, Part, Prim, Size, Term, Type};

use super::abstraction::abstract_over;
use super::condition::{Condition, Found};
use super::fits::{Fit, Fits, SizeOf};
use super::look::{Below, Miss};
use super::plan::{Arguments, Asked, Binding, Plan, Shortcut, Test, Way};
use super::predicate::{Predicate, safe};
use super::read::{Equation, Read};
use super::reason::Why;
use super::site::Site;
use super::sizes::Sizes;

/// So many inspected nodes need no allocation.
const FEW: usize = 12;

/// What matched.
pub(super) struct Scene<'a> {
    pub(super) plan: &'a Plan,
    root: &'a Term,
    /// The term's nodes where the left side inspects them, as their parents hold them.
    parts: &'a [Part<'a>],
    more: Option<Box<More>>,
}

/// What few laws need.
#[derive(Default)]
struct More {
    /// What stands for variables with projections for arguments.
    projected: Vec<(usize, Term)>,
    /// What the law's sizes and types are, where that has to be solved.
    solved: Sizes,
}

/// Where a variable of a part is bound.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// By the left side: the index, seen from the part.
    Inner(u32),
    /// Around the term: the index, seen from its root.
    Outer(u32),
}

impl Plan {
    /// Tries the law on a term with a constructor that may fit. Most attempts fail at the second node.
    #[inline(always)]
    pub(super) fn attempt(&self, site: &Site, arguments: &[u64]) -> Result<Term, Miss> {
        match self.second(site.term) {
            Some(second) => self.attempt_from(second, site, arguments),
            None => Err(Miss::Near),
        }
    }

    /// The part at the second inspected node, if it fits as far as its own constructor says; something, if there is none.
    #[inline(always)]
    fn second<'a>(&self, term: &'a Term) -> Option<Part<'a>> {
        let Some(node) = self.nodes[..self.inner].get(1) else { return Some(term.as_part()) };
        let part = (node.kid < term.kid_count()).then(|| term.part(node.kid))?;
        node.test.admits(&part).then_some(part)
    }

    /// Where the second node fits, and with it everything that many laws inspect.
    #[inline(never)]
    fn attempt_from(&self, second: Part, site: &Site, arguments: &[u64]) -> Result<Term, Miss> {
        match self.inner <= self.known {
            true => self.rewrite(&[site.term.as_part(), second], site, arguments),
            false => self.attempt_deeper(second, site, arguments),
        }
    }

    #[inline(never)]
    fn attempt_deeper(&self, second: Part, site: &Site, arguments: &[u64]) -> Result<Term, Miss> {
        let mut few = [site.term.as_part(); FEW];
        let mut many = Vec::new();
        let parts: &mut [Part] = if self.inner <= FEW {
            &mut few
        } else {
            many.resize(self.inner, site.term.as_part());
            &mut many
        };
        parts[1] = second;
        if self.form(parts) { self.rewrite(parts, site, arguments) } else { Err(Miss::Near) }
    }

    /// Whether the constructors are those of the left side, and bound variables are where they have to be; the root is
    /// the first part.
    #[inline]
    fn form(&self, parts: &mut [Part]) -> bool {
        for at in self.known..self.inner {
            let node = &self.nodes[at];
            if at > 0 {
                parts[at] = parts[node.parent].part(node.kid);
            }
            let bound = |index| self.place(parts, at, parts[at].places()[0]) == Place::Inner(index);
            let fits = node.test.admits(&parts[at]) && !matches!(node.test, Test::Bound(_, index) if !bound(index));
            if !fits {
                return false;
            }
        }
        true
    }

    /// Where a variable with this index in the part at a node is bound.
    #[inline]
    fn place(&self, parts: &[Part], at: usize, index: u32) -> Place {
        let (mut at, mut index, mut passed) = (at, index, 0);
        while at != 0 {
            let node = &self.nodes[at];
            let Some(outer) = index.checked_sub(node.binders) else { return Place::Inner(index + passed) };
            at = node.parent;
            index = parts[at].places()[outer as usize];
            passed += node.binders;
        }
        Place::Outer(index)
    }

    #[inline(always)]
    fn rewrite(&self, parts: &[Part], site: &Site, arguments: &[u64]) -> Result<Term, Miss> {
        let mut scene = Scene { plan: self, root: site.term, parts, more: None };
        if self.asks {
            scene.holds(site, arguments)?;
        }
        let contractum = scene.right_side();
        if let Ok(contractum) = &contractum {
            assert_eq!(contractum.ty(), site.term.ty(), "a law changed the type of {:?}", site.term);
        }
        contractum
    }
}

impl Test {
    /// Whether a node's constructor, or constant, is that of the left side.
    #[inline(always)]
    fn admits(self, part: &Node) -> bool {
        match self {
            Test::Head(head) => part.number() == head,
            _ => self.admits_leaf(part),
        }
    }

    fn admits_leaf(self, part: &Node) -> bool {
        match (self, part.kind()) {
            (Test::Bound(..), Kind::Var) | (Test::Variable(_) | Test::Size, _) => true,
            (Test::Array(elements), Kind::Array(_)) => part.kid_count() == elements,
            (Test::Offset(c), Kind::Prim(Prim::Offset(d))) => c == *d,
            (Test::Real(bits), Kind::Real(x)) => x.to_bits() == bits,
            (Test::Int(k), Kind::Int(l)) => k == *l,
            (Test::Fin(k), Kind::Fin(l, _)) => k == *l,
            _ => false,
        }
    }
}

/// Below which children of the matched term it hangs on more than constructors that a condition doesn't hold; `deep`
/// says that it may be so. Whether the value of a let is safe or cheap shows in the value, but for an array's uses.
fn below(condition: &Condition, deep: bool, matched: &Term) -> Below {
    let (Condition::Holds(predicate, all) | Condition::HoldsNot(predicate, all)) = condition else {
        return if deep { Below::ANYWHERE } else { Below::NOWHERE };
    };
    let value = all.first().and_then(|x| x.bound(matched)?.1).map(|value| value.node().kind());
    let outermost = all.first().is_some_and(|x| x.path.is_empty());
    match (predicate, value) {
        (Predicate::Safe, Some(Kind::Fst | Kind::Snd)) if outermost => Below::FIRST,
        (Predicate::Safe, Some(Kind::Fst | Kind::Snd)) => Below::ANYWHERE,
        (Predicate::Cheap, Some(kind)) if outermost && !matches!(kind, Kind::Build(_)) => Below::FIRST,
        _ if deep => Below::ANYWHERE,
        _ => Below::NOWHERE,
    }
}

impl<'a> Scene<'a> {
    /// That all is as the law asks beyond the constructors.
    fn holds(&mut self, site: &Site, arguments: &[u64]) -> Result<(), Miss> {
        self.variables()?;
        self.types()?;
        if !self.within(site.bounds) {
            return Err(Miss::Near);
        }
        for Asked { condition, deep, shortcut } in &self.plan.conditions {
            let holds = match shortcut {
                Some(Shortcut::Safe) => Ok(safe(&site.term.part(0), site.term.part(1))),
                Some(Shortcut::Occurs(k)) => {
                    let most = arguments.get(*k);
                    Ok(most.is_some_and(|most| u64::from(site.term.part(1).occurrences(0)) <= *most))
                }
                None => condition.holds(self, site, arguments),
            };
            match holds {
                Ok(true) => {}
                Err(Why::Stopped(reason)) => return Err(Miss::Stopped(reason)),
                _ => return Err(Miss::of(below(condition, *deep, site.term))),
            }
        }
        Ok(())
    }

    /// The part at a node.
    #[inline]
    pub(super) fn part(&self, at: usize) -> Part<'a> {
        match self.parts.get(at) {
            Some(part) if at < self.plan.inner => *part,
            _ if at == 0 => self.root.as_part(),
            _ => {
                let node = &self.plan.nodes[at];
                self.parts[node.parent].part(node.kid)
            }
        }
    }

    /// The part at a node, under `under` binders, the variables that the left side binds moved.
    #[inline(always)]
    pub(super) fn moved(&self, way: &Way, under: u32, inner: impl Fn(u32) -> u32) -> Term {
        let part = self.parts[way.parent].part(way.kid);
        if let [(_, binders)] = way.above[..] {
            return part.raised_once(self.root, binders, under, inner);
        }
        let above = way.above.iter().map(|(at, binders)| (self.parts[*at], *binders));
        part.raised(above, under, inner)
    }

    /// What stands for variables: that it mentions what it may, and is the same wherever one stands.
    #[inline]
    fn variables(&mut self) -> Result<(), Miss> {
        for j in &self.plan.restricted {
            let binding = &self.plan.vars[*j];
            match &binding.arguments {
                Arguments::Plain(places) => self.mentions(binding.node, places)?,
                Arguments::Projected(arguments) => {
                    let body = self.projection(binding, arguments).ok_or(Miss::when(true))?;
                    self.more.get_or_insert_default().projected.push((*j, body));
                }
            }
        }
        for (j, again) in &self.plan.again {
            if let Arguments::Plain(places) = &again.arguments {
                self.mentions(again.node, places)?;
            }
            if !self.same(*j, again) {
                return Err(Miss::when(true));
            }
        }
        Ok(())
    }

    /// That the part mentions only binders that have a place.
    fn mentions(&self, at: usize, places: &[Option<u32>]) -> Result<(), Miss> {
        let allowed = |index: &u32| match self.plan.place(self.parts, at, *index) {
            Place::Inner(index) => places[index as usize].is_some(),
            Place::Outer(_) => true,
        };
        if self.part(at).places().iter().all(allowed) { Ok(()) } else { Err(Miss::Near) }
    }

    /// What stands for a variable with projections for arguments.
    fn projection(&self, binding: &Binding, arguments: &[Term]) -> Option<Term> {
        let here = self.moved(&binding.way, binding.under, |index| index);
        abstract_over(&here, binding.under, arguments)
    }

    /// Whether the variable stands for the same here as where it first stood.
    fn same(&self, j: usize, again: &Binding) -> bool {
        let first = &self.plan.vars[j];
        match (&first.arguments, &again.arguments) {
            (Arguments::Plain(mine), Arguments::Plain(theirs)) => {
                let (a, b) = (self.part(first.node), self.part(again.node));
                let place = |node, index, places| own(self.plan.place(self.parts, node, index), places);
                let mut both = a.places().iter().zip(b.places());
                a.equals_in_form(b) && both.all(|(i, k)| place(first.node, *i, mine) == place(again.node, *k, theirs))
            }
            (_, Arguments::Projected(arguments)) => {
                self.projection(again, arguments).is_some_and(|other| self.body(j) == other)
            }
            (_, Arguments::Plain(places)) => self.body(j) == self.plainly(again, places),
        }
    }

    /// What stands for a variable of the law, under as many binders as that takes arguments.
    pub(super) fn body(&self, j: usize) -> Term {
        match &self.plan.vars[j].arguments {
            Arguments::Plain(places) => self.plainly(&self.plan.vars[j], places),
            Arguments::Projected(_) => self.projected(j).clone(),
        }
    }

    /// What stands for a variable with projections for arguments.
    pub(super) fn projected(&self, j: usize) -> &Term {
        let all = self.more.iter().flat_map(|more| &more.projected);
        all.into_iter().find(|(k, _)| *k == j).map_or(self.root, |(_, body)| body)
    }

    fn plainly(&self, binding: &Binding, places: &[Option<u32>]) -> Term {
        self.moved(&binding.way, binding.arity, |index| places[index as usize].unwrap_or(0))
    }

    /// What the law's sizes and types are, where that was solved.
    pub(super) fn solved(&self) -> Option<&Sizes> {
        self.more.as_ref().map(|more| &more.solved)
    }

    #[inline]
    fn types(&mut self) -> Result<(), Miss> {
        match &self.plan.fits {
            Fits::Plain(all) => {
                if all.iter().all(|fit| self.fit(fit)) {
                    Ok(())
                } else {
                    Err(Miss::Near)
                }
            }
            Fits::Solved(equations) => {
                let deep = equations.iter().any(|equation| matches!(equation, Equation::Value(..)));
                let solved = self.solve(equations).ok_or(Miss::when(deep))?;
                self.more.get_or_insert_default().solved = solved;
                Ok(())
            }
        }
    }

    fn fit(&self, fit: &Fit) -> bool {
        match fit {
            Fit::Type(ty, read) => self.ty(read) == Some(ty),
            Fit::Form(form, read) => self.ty(read).is_some_and(|ty| discriminant(ty.view()) == *form),
            Fit::SameType(a, b) => self.ty(a).is_some_and(|ty| Some(ty) == self.ty(b)),
            Fit::Size(size, read) => self.size(read) == Some(size),
            Fit::SameSize(a, b) => self.size(a).is_some_and(|size| Some(size) == self.size(b)),
        }
    }

    fn solve(&self, equations: &[Equation]) -> Option<Sizes> {
        let mut sizes = Sizes::default();
        for equation in equations {
            match equation {
                Equation::Type(ty, read) => sizes.types(ty, self.ty(read)?).ok()?,
                Equation::Size(size, read) => sizes.equation(size, self.size(read)?).ok()?,
                Equation::Value(size, at) => {
                    let Some(Atom::Var(name)) = size.as_atom() else { return None };
                    sizes.value(name, &self.part(*at).to_term()).ok()?;
                }
            }
        }
        sizes.solve().ok()?;
        Some(sizes)
    }

    /// Whether sizes are at least what the law needs, whatever the open sizes are.
    fn within(&self, bounds: &Bounds) -> bool {
        self.plan.bounds.iter().all(|(size, lower)| self.known(size).is_none_or(|size| size.least(bounds) >= *lower))
    }

    /// A size of the law, if the left side says what it is.
    fn known(&self, size: &SizeOf) -> Option<Size> {
        match (size, self.solved()) {
            (SizeOf::Solved(size), Some(sizes)) => sizes.known(size),
            _ => self.size_of(size),
        }
    }

    /// The type that stands there.
    pub(super) fn ty(&self, read: &Read) -> Option<&'a Type> {
        read.ty(self.part(read.node).node())
    }

    /// The size that stands there.
    pub(super) fn size(&self, read: &Read) -> Option<&'a Size> {
        read.size(self.part(read.node).node())
    }
}

/// A binder of the left side as one of a variable's own.
fn own(place: Place, places: &[Option<u32>]) -> Place {
    match place {
        Place::Inner(index) => Place::Inner(places[index as usize].unwrap_or(0)),
        outer => outer,
    }
}

impl Found for Scene<'_> {
    fn term(&self, j: usize) -> Option<Term> {
        Some(self.body(j))
    }

    fn size(&self, name: &Name) -> Option<Size> {
        let (_, size) = self.plan.sizes.iter().find(|(known, _)| known == name)?;
        self.known(size)
    }
}
