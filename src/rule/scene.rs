//! A law tried on a term: nodes are compared where they are, and nothing is copied before the right side is made.

use std::mem::discriminant;

use crate::ground::Name;
use crate::term::{Atom, Bounds, Kind, Node, Part, Prim, Size, Term, Type};

use super::abstraction::abstract_over;
use super::condition::{Condition, Found};
use super::fits::{Fit, Fits, SizeOf};
use super::info::Rule;
use super::look::{Below, Miss};
use super::plan::{Arguments, Asked, Binding, Plan, Put, Shortcut, Test};
use super::predicate::{Predicate, safe};
use super::read::{Equation, Read};
use super::reason::Why;
use super::seconds::Seconds;
use super::site::Site;
use super::sizes::Sizes;

/// So many inspected nodes need no allocation.
const FEW: usize = 12;

/// What matched.
#[derive(Clone, Copy)]
pub(super) struct Scene<'a> {
    pub(super) plan: &'a Plan,
    root: &'a Term,
    /// The term's nodes where the left side inspects them, as their parents hold them.
    pub(super) parts: &'a [Part<'a>],
    more: Option<&'a More>,
}

/// What few laws need.
struct More {
    /// What stands for variables with projections for arguments.
    projected: Vec<(usize, Term)>,
    /// What the law's sizes and types are, where that has to be solved.
    solved: Option<Sizes>,
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
    /// Tries the law on a term with a constructor that may fit.
    pub(super) fn attempt(&self, site: &Site, rule: &Rule) -> Result<Term, Miss> {
        let admitted = self.wanted.admit(Seconds::of(site.term));
        if admitted { self.attempt_admitted(site, rule) } else { Err(Miss::Near) }
    }

    /// The same where the first children are as wanted.
    #[inline(always)]
    pub(super) fn attempt_admitted(&self, site: &Site, rule: &Rule) -> Result<Term, Miss> {
        let root = site.term.as_part();
        let second = if self.known == 2 { root.part(self.second) } else { root };
        match self.inner <= self.known {
            true => self.rewrite(&[root, second], site, rule),
            false => self.attempt_deeper(second, site, rule),
        }
    }

    #[inline(never)]
    fn attempt_deeper(&self, second: Part, site: &Site, rule: &Rule) -> Result<Term, Miss> {
        let mut few = [site.term.as_part(); FEW];
        let mut many = Vec::new();
        let parts: &mut [Part] = if self.inner <= FEW {
            &mut few
        } else {
            many.resize(self.inner, site.term.as_part());
            &mut many
        };
        parts[1] = second;
        if self.form(parts) { self.rewrite(parts, site, rule) } else { Err(Miss::Near) }
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
    fn rewrite(&self, parts: &[Part], site: &Site, rule: &Rule) -> Result<Term, Miss> {
        let scene = Scene { plan: self, root: site.term, parts, more: None };
        if self.asks { scene.rewrite_asked(site, rule.arguments()) } else { scene.right_side() }
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
    /// The contractum, if all is as the law asks beyond the constructors.
    #[inline(never)]
    fn rewrite_asked(&self, site: &Site, arguments: &[u64]) -> Result<Term, Miss> {
        for j in &self.plan.restricted {
            let binding = &self.plan.vars[*j];
            if let Arguments::Plain(places) = &binding.arguments {
                self.mentions(binding, places)?;
            }
        }
        match &self.plan.fits {
            Fits::Plain(fits) if self.plan.projecting.is_empty() => {
                self.again()?;
                self.fit_all(fits)?;
                self.holds(site, arguments)?;
                self.right_side()
            }
            _ => self.rewrite_gathered(site, arguments),
        }
    }

    /// The same where something has to be worked out before.
    #[inline(never)]
    fn rewrite_gathered(&self, site: &Site, arguments: &[u64]) -> Result<Term, Miss> {
        let mut more = More { projected: self.projected_all()?, solved: None };
        Scene { more: Some(&more), ..*self }.again()?;
        more.solved = self.types()?;
        let scene = Scene { more: Some(&more), ..*self };
        scene.holds(site, arguments)?;
        scene.right_side()
    }

    /// What stands for variables with projections for arguments.
    fn projected_all(&self) -> Result<Vec<(usize, Term)>, Miss> {
        let one = |j: &usize| Some((*j, self.projection(&self.plan.vars[*j])?));
        self.plan.projecting.iter().map(one).collect::<Option<_>>().ok_or(Miss::when(true))
    }

    /// That sizes are large enough, and conditions hold.
    fn holds(&self, site: &Site, arguments: &[u64]) -> Result<(), Miss> {
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

    /// What stands at a node, with its variables moved.
    #[inline(always)]
    pub(super) fn put(&self, put: &Put) -> Term {
        let way = &put.way;
        let part = self.parts[way.parent].part(way.kid);
        if way.between.is_empty()
            && let Some(term) = part.raised_few((self.root, way.binders), put.under, &put.to)
        {
            return term;
        }
        self.put_far(part, put)
    }

    #[inline(never)]
    pub(super) fn put_alone(&self, put: &Put) -> Term {
        self.put(put)
    }

    #[inline(never)]
    fn put_far(&self, part: Part, put: &Put) -> Term {
        let between = put.way.between.iter().map(|(at, binders)| (self.parts[*at], *binders));
        part.raised(between, (self.root, put.way.binders), put.under, &put.to)
    }

    /// What stands for a variable is the same wherever one stands.
    #[inline]
    fn again(&self) -> Result<(), Miss> {
        for (j, again) in &self.plan.again {
            if let Arguments::Plain(places) = &again.arguments {
                self.mentions(again, places)?;
            }
            if !self.same(*j, again) {
                return Err(Miss::when(true));
            }
        }
        Ok(())
    }

    /// That the part mentions only binders that have a place.
    #[inline]
    fn mentions(&self, binding: &Binding, places: &[Option<u32>]) -> Result<(), Miss> {
        let way = &binding.put.way;
        let placed = |index: u32| places[index as usize].is_some();
        let mut mentioned = self.parts[way.parent].part(way.kid).places().iter();
        let fits = if way.between.is_empty() {
            mentioned.all(|index| *index >= way.binders || placed(*index))
        } else {
            mentioned.all(|index| match self.plan.place(self.parts, binding.node, *index) {
                Place::Inner(index) => placed(index),
                Place::Outer(_) => true,
            })
        };
        if fits { Ok(()) } else { Err(Miss::Near) }
    }

    /// What stands for a variable with projections for arguments.
    fn projection(&self, binding: &Binding) -> Option<Term> {
        let Arguments::Projected(arguments) = &binding.arguments else { return None };
        abstract_over(&self.put_alone(&binding.put), binding.under, arguments)
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
            (_, Arguments::Projected(_)) => self.projection(again).is_some_and(|other| self.body(j) == other),
            (_, Arguments::Plain(_)) => self.body(j) == self.put_alone(&again.put),
        }
    }

    /// What stands for a variable of the law, under as many binders as that takes arguments.
    pub(super) fn body(&self, j: usize) -> Term {
        match &self.plan.vars[j].arguments {
            Arguments::Plain(_) => self.put_alone(&self.plan.vars[j].put),
            Arguments::Projected(_) => self.projected(j).clone(),
        }
    }

    /// What stands for a variable with projections for arguments.
    pub(super) fn projected(&self, j: usize) -> &Term {
        let all = self.more.iter().flat_map(|more| &more.projected);
        all.into_iter().find(|(k, _)| *k == j).map_or(self.root, |(_, body)| body)
    }

    /// What the law's sizes and types are, where that was solved.
    pub(super) fn solved(&self) -> Option<&Sizes> {
        self.more?.solved.as_ref()
    }

    /// That types and sizes fit; what the law's are, where that has to be solved.
    fn types(&self) -> Result<Option<Sizes>, Miss> {
        match &self.plan.fits {
            Fits::Plain(all) => self.fit_all(all).map(|()| None),
            Fits::Solved(equations) => {
                let deep = equations.iter().any(|equation| matches!(equation, Equation::Value(..)));
                self.solve(equations).map(Some).ok_or(Miss::when(deep))
            }
        }
    }

    #[inline]
    fn fit_all(&self, all: &[Fit]) -> Result<(), Miss> {
        if all.iter().all(|fit| self.fit(fit)) { Ok(()) } else { Err(Miss::Near) }
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
