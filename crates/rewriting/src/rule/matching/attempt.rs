//! Tries a law on a term: the term's nodes are compared where they stand, and none is moved into a scope of its own.

use std::mem::discriminant;

use redexter_language::ground::Name;
use redexter_language::term::{Kind, Node as TermNode, Size, SizeAtom, SizeBounds, Term, TermRef, Type};

use super::super::condition::Substitution;
use super::super::focus::Focus;
use super::super::reason::{FailureCause, Reason};
use super::abstraction::abstract_over;
use super::constraint::{Constraint, Constraints, SizeOf};
use super::heads::KidHeads;
use super::locate::{TypeEquation, TypeLocation};
use super::obstacle::Obstacle;
use super::unknowns::Unknowns;
use super::{CompiledLaw, MovedTerm, NodeTest, VariableArguments, VariableBinding};

/// The most inspected nodes that need no allocation.
const MAX_INLINE_NODES: usize = 12;

/// A match of a law with a term: the nodes that its left side inspects.
#[derive(Clone, Copy)]
pub(super) struct Match<'a> {
    pub(super) law: &'a CompiledLaw,
    root: &'a Term,
    /// The term's nodes where the left side inspects them, as their parents hold them.
    pub(super) parts: &'a [TermRef<'a>],
    more: Option<&'a MatchExtras>,
}

/// The rest of a match, which few laws need.
struct MatchExtras {
    /// What stands for variables with projections for arguments.
    projected: Vec<(usize, Term)>,
    /// What the law's sizes and types are, where that has to be solved.
    solved: Option<Unknowns>,
}

/// The binder of a variable in a part.
#[derive(Clone, Copy, PartialEq, Eq)]
enum BindingSite {
    /// By the left side: the index, seen from the part.
    Inner(u32),
    /// Around the term: the index, seen from its root.
    Outer(u32),
}

impl CompiledLaw {
    /// The contractum, or what is in the way; the arguments are those of the law's rule.
    pub(in super::super) fn attempt(&self, focus: &Focus, arguments: &[u64]) -> Result<Term, Obstacle> {
        let fits = self.may_fit(focus.term.kind().head()) && self.first_kids.admit(KidHeads::of(focus.term));
        if fits { self.attempt_admitted(focus, arguments) } else { Err(Obstacle::Form) }
    }

    /// The same where the constructor and the first children are as wanted.
    #[inline(always)]
    pub(in super::super) fn attempt_admitted(&self, focus: &Focus, arguments: &[u64]) -> Result<Term, Obstacle> {
        let root = focus.term.as_part();
        // Where fewer are known this is a placeholder: `mismatch` overwrites it, or there is no second node to be read.
        let second = if self.known == 2 { root.part(self.second) } else { root };
        match self.inner <= self.known {
            true => self.rewrite(&[root, second], focus, arguments),
            false => self.attempt_deeper(second, focus, arguments),
        }
    }

    #[inline(never)]
    fn attempt_deeper(&self, second: TermRef, focus: &Focus, arguments: &[u64]) -> Result<Term, Obstacle> {
        let mut few = [focus.term.as_part(); MAX_INLINE_NODES];
        let mut many = Vec::new();
        let parts: &mut [TermRef] = if self.inner <= MAX_INLINE_NODES {
            &mut few
        } else {
            many.resize(self.inner, focus.term.as_part());
            &mut many
        };
        parts[1] = second;
        match self.mismatch(parts, self.known) {
            None => self.rewrite(parts, focus, arguments),
            Some(_) => Err(Obstacle::Form),
        }
    }

    /// Whether the left side matches the term, conditions apart.
    pub(in super::super) fn matches(&self, term: &Term) -> bool {
        self.test(term, |_| Ok(())).is_ok()
    }

    /// That the law applies, or what is in the way.
    pub(in super::super) fn applies(&self, focus: &Focus, arguments: &[u64]) -> Result<(), Obstacle> {
        match self.first_kids.admit(KidHeads::of(focus.term)) {
            true => self.test(focus.term, |found| found.conditions(focus, arguments)),
            false => Err(Obstacle::Form),
        }
    }

    /// That the left side matches the term, and what is asked of a match holds.
    fn test(&self, term: &Term, ask: impl FnOnce(&Match) -> Result<(), Obstacle>) -> Result<(), Obstacle> {
        let mut parts = vec![term.as_part(); self.inner.max(1)];
        if self.mismatch(&mut parts, 0).is_some() {
            return Err(Obstacle::Form);
        }
        let found = Match { law: self, root: term, parts: &parts, more: None };
        let more = found.gathered()?;
        ask(&Match { more: Some(&more), ..found })
    }

    /// What is in the way, with what matched, where the left side's form is that of the term.
    pub(super) fn examined<T>(
        &self,
        focus: &Focus,
        arguments: &[u64],
        look: impl FnOnce(&Match, Obstacle) -> T,
    ) -> Option<T> {
        let mut parts = vec![focus.term.as_part(); self.inner.max(1)];
        if self.mismatch(&mut parts, 0).is_some() {
            return None;
        }
        let found = Match { law: self, root: focus.term, parts: &parts, more: None };
        let more = match found.gathered() {
            Ok(more) => more,
            Err(obstacle) => return Some(look(&found, obstacle)),
        };
        let found = Match { more: Some(&more), ..found };
        let tried = found.conditions(focus, arguments).and_then(|()| found.right_side());
        tried.err().map(|obstacle| look(&found, obstacle))
    }

    /// The first inspected node from number `from` on, if there is one, whose constructor isn't that of the left side or
    /// which isn't the bound variable that it has to be. The nodes before it are those of these parts.
    #[inline]
    fn mismatch(&self, parts: &mut [TermRef], from: usize) -> Option<usize> {
        for at in from..self.inner {
            let node = &self.nodes[at];
            if at > 0 {
                parts[at] = parts[node.parent].part(node.kid);
            }
            // Lazy, because only a variable is sure to have a place: whether it is one has to be asked first.
            let bound = |index| self.binder(parts, at, parts[at].places()[0]) == BindingSite::Inner(index);
            let fits = node.test.admits(&parts[at]) && !matches!(node.test, NodeTest::Bound(_, index) if !bound(index));
            if !fits {
                return Some(at);
            }
        }
        None
    }

    /// Why the left side's form isn't that of the term.
    pub(super) fn misfit(&self, term: &Term) -> Reason {
        let mut parts = vec![term.as_part(); self.inner.max(1)];
        let at = self.mismatch(&mut parts, 0).unwrap_or(0);
        let under = (at > 0).then(|| self.words[self.nodes[at].parent]);
        Reason { progress: at as u32, ..Reason::new(FailureCause::Missing(self.words[at], under)) }
    }

    /// Where a variable with this index in the part at a node is bound.
    #[inline]
    fn binder(&self, parts: &[TermRef], at: usize, index: u32) -> BindingSite {
        let (mut at, mut index, mut passed) = (at, index, 0);
        while at != 0 {
            let node = &self.nodes[at];
            // A part numbers its variables by their places in its parent, so that each step outwards looks one up there.
            let Some(outer) = index.checked_sub(node.binders) else { return BindingSite::Inner(index + passed) };
            at = node.parent;
            index = parts[at].places()[outer as usize];
            passed += node.binders;
        }
        BindingSite::Outer(index)
    }

    #[inline(always)]
    fn rewrite(&self, parts: &[TermRef], focus: &Focus, arguments: &[u64]) -> Result<Term, Obstacle> {
        let found = Match { law: self, root: focus.term, parts, more: None };
        if self.asks { found.rewrite_asked(focus, arguments) } else { found.right_side() }
    }
}

impl NodeTest {
    /// Whether a node's constructor, or constant, is that of the left side.
    #[inline(always)]
    pub(super) fn admits(self, part: &TermNode) -> bool {
        match self {
            NodeTest::Head(head) => part.number() == head,
            _ => self.admits_leaf(part),
        }
    }

    fn admits_leaf(self, part: &TermNode) -> bool {
        match (self, part.kind()) {
            (NodeTest::Bound(..), Kind::Var) | (NodeTest::Variable(_) | NodeTest::Size, _) => true,
            // The number of elements is no part of a constructor's number, so that it is compared here.
            (NodeTest::Array(elements), Kind::Array(_)) => part.kid_count() == elements,
            (NodeTest::Holding(prim), Kind::Prim(other)) => prim == *other,
            // By bits, because 0 and -0 are two constants, and a NaN must match itself.
            (NodeTest::Real(bits), Kind::Real(x)) => x.to_bits() == bits,
            (NodeTest::Int(k), Kind::Int(l)) => k == *l,
            (NodeTest::Fin(k), Kind::Fin(l, _)) => k == *l,
            _ => false,
        }
    }
}

impl<'a> Match<'a> {
    /// The contractum, if all is as the law asks beyond the constructors.
    #[inline(never)]
    fn rewrite_asked(&self, focus: &Focus, arguments: &[u64]) -> Result<Term, Obstacle> {
        match &self.law.constraints {
            Constraints::Plain(all) if self.law.projecting.is_empty() => {
                // Conditions come last: they are only defined for what matches, and may run a script's function.
                self.free()?;
                self.again()?;
                self.hold_all(all)?;
                self.conditions(focus, arguments)?;
                self.right_side()
            }
            _ => {
                let more = self.gathered()?;
                let found = Match { more: Some(&more), ..*self };
                found.conditions(focus, arguments)?;
                found.right_side()
            }
        }
    }

    /// The same where something has to be worked out for it, conditions apart.
    #[inline(never)]
    fn gathered(&self) -> Result<MatchExtras, Obstacle> {
        self.free()?;
        // Bodies of variables with projections are looked up in `more` from here on, so that they must be there before `again`.
        let mut more = MatchExtras { projected: self.projected_all()?, solved: None };
        Match { more: Some(&more), ..*self }.again()?;
        more.solved = self.types()?;
        Ok(more)
    }

    /// That variables without such arguments mention none of the binders around them.
    #[inline]
    fn free(&self) -> Result<(), Obstacle> {
        for j in &self.law.restricted {
            let binding = &self.law.vars[*j];
            if let VariableArguments::Plain(places) = &binding.arguments {
                self.mentions(*j, binding, places)?;
            }
        }
        Ok(())
    }

    /// What stands for variables with projections for arguments.
    fn projected_all(&self) -> Result<Vec<(usize, Term)>, Obstacle> {
        let one = |j: &usize| {
            let body = self.projection(&self.law.vars[*j]).ok_or(Obstacle::Projects(*j))?;
            Ok((*j, body))
        };
        self.law.projecting.iter().map(one).collect()
    }

    /// That sizes are large enough, and conditions hold.
    fn conditions(&self, focus: &Focus, arguments: &[u64]) -> Result<(), Obstacle> {
        // Below its least sizes a law is ill-typed, so that they are asked for before anything that reads sizes.
        if let Some(k) = self.law.bounds.iter().position(|(_, size, lower)| !self.reaches(size, *lower, focus.bounds)) {
            return Err(Obstacle::Bound(k));
        }
        for (k, (condition, _)) in self.law.conditions.iter().enumerate() {
            if !condition.holds(self, focus, arguments).map_err(Obstacle::Wrong)? {
                return Err(Obstacle::Condition(k));
            }
        }
        Ok(())
    }

    /// The part at a node.
    #[inline]
    pub(super) fn part(&self, at: usize) -> TermRef<'a> {
        match self.parts.get(at) {
            // There may be more parts than inspected nodes: those behind them are placeholders.
            Some(part) if at < self.law.inner => *part,
            _ if at == 0 => self.root.as_part(),
            _ => {
                let node = &self.law.nodes[at];
                self.parts[node.parent].part(node.kid)
            }
        }
    }

    /// What stands at a node, with its variables moved.
    #[inline(always)]
    pub(super) fn put(&self, moved: &MovedTerm) -> Term {
        let way = &moved.way;
        let part = self.parts[way.parent].part(way.kid);
        if way.between.is_empty()
            && let Some(term) = part.raised_few((self.root, way.binders), moved.under, &moved.to)
        {
            return term;
        }
        self.put_far(part, moved)
    }

    #[inline(never)]
    pub(super) fn put_alone(&self, moved: &MovedTerm) -> Term {
        self.put(moved)
    }

    #[inline(never)]
    fn put_far(&self, part: TermRef, moved: &MovedTerm) -> Term {
        let between = moved.way.between.iter().map(|(at, binders)| (self.parts[*at], *binders));
        part.raised(between, (self.root, moved.way.binders), moved.under, &moved.to)
    }

    /// What stands for a variable is the same wherever one stands.
    #[inline]
    fn again(&self) -> Result<(), Obstacle> {
        for (j, again) in &self.law.again {
            if let VariableArguments::Plain(places) = &again.arguments {
                self.mentions(*j, again, places)?;
            }
            if !self.same(*j, again) {
                return Err(Obstacle::Differs(*j));
            }
        }
        Ok(())
    }

    /// That what stands for variable `j` mentions only binders that have a place.
    #[inline]
    fn mentions(&self, j: usize, binding: &VariableBinding, places: &[Option<u32>]) -> Result<(), Obstacle> {
        let way = &binding.moved.way;
        let placed = |index: u32| places[index as usize].is_some();
        let mut mentioned = self.parts[way.parent].part(way.kid).places().iter();
        // With nothing in between, an index below the way's binders is the left side's own; otherwise it has to be followed.
        let fits = if way.between.is_empty() {
            mentioned.all(|index| *index >= way.binders || placed(*index))
        } else {
            mentioned.all(|index| match self.law.binder(self.parts, binding.node, *index) {
                BindingSite::Inner(index) => placed(index),
                BindingSite::Outer(_) => true,
            })
        };
        if fits { Ok(()) } else { Err(Obstacle::Captures(j)) }
    }

    /// What stands for a variable with projections for arguments.
    fn projection(&self, binding: &VariableBinding) -> Option<Term> {
        let VariableArguments::Projected(arguments) = &binding.arguments else { return None };
        abstract_over(&self.put_alone(&binding.moved), binding.under, arguments)
    }

    /// What stands for a variable of the law there.
    pub(super) fn standing(&self, binding: &VariableBinding) -> Option<Term> {
        match &binding.arguments {
            VariableArguments::Plain(_) => Some(self.put_alone(&binding.moved)),
            VariableArguments::Projected(_) => self.projection(binding),
        }
    }

    /// Whether the variable stands for the same here as where it first stood.
    fn same(&self, j: usize, again: &VariableBinding) -> bool {
        let first = &self.law.vars[j];
        match (&first.arguments, &again.arguments) {
            (VariableArguments::Plain(mine), VariableArguments::Plain(theirs)) => {
                // Compared where both stand, so that nothing is made: equal nodes whose variables are the same binders, in order.
                let (a, b) = (self.part(first.node), self.part(again.node));
                let place = |node, index, places| own(self.law.binder(self.parts, node, index), places);
                let mut both = a.places().iter().zip(b.places());
                a.equals_in_form(b) && both.all(|(i, k)| place(first.node, *i, mine) == place(again.node, *k, theirs))
            }
            (_, VariableArguments::Projected(_)) => self.projection(again).is_some_and(|other| self.body(j) == other),
            (_, VariableArguments::Plain(_)) => self.body(j) == self.put_alone(&again.moved),
        }
    }

    /// What stands for a variable of the law, under as many binders as that takes arguments.
    pub(super) fn body(&self, j: usize) -> Term {
        match &self.law.vars[j].arguments {
            VariableArguments::Plain(_) => self.put_alone(&self.law.vars[j].moved),
            VariableArguments::Projected(_) => self.projected(j).clone(),
        }
    }

    /// What stands for a variable with projections for arguments.
    pub(super) fn projected(&self, j: usize) -> &Term {
        // Found wherever it is asked for: each such variable was worked out by `gathered`, so that the root is never given.
        let all = self.more.iter().flat_map(|more| &more.projected);
        all.into_iter().find(|(k, _)| *k == j).map_or(self.root, |(_, body)| body)
    }

    /// What the law's sizes and types are, where that was solved.
    pub(super) fn solved(&self) -> Option<&Unknowns> {
        self.more?.solved.as_ref()
    }

    /// That types and sizes fit; what the law's are, where that has to be solved.
    fn types(&self) -> Result<Option<Unknowns>, Obstacle> {
        match &self.law.constraints {
            Constraints::Plain(all) => self.hold_all(all).map(|()| None),
            Constraints::Solved(equations) => {
                // A size that stands as a term is compared with a whole subterm, so that a change deep in that may help.
                let deep = equations.iter().any(|equation| matches!(equation, TypeEquation::Value(..)));
                self.solve(equations).map(Some).ok_or(Obstacle::Types(deep))
            }
        }
    }

    #[inline]
    fn hold_all(&self, all: &[Constraint]) -> Result<(), Obstacle> {
        if all.iter().all(|one| self.fits(one)) { Ok(()) } else { Err(Obstacle::Types(false)) }
    }

    fn fits(&self, constraint: &Constraint) -> bool {
        match constraint {
            Constraint::Type(ty, read) => self.ty(read) == Some(ty),
            Constraint::Form(form, read) => self.ty(read).is_some_and(|ty| discriminant(ty.view()) == *form),
            Constraint::SameType(a, b) => self.ty(a).is_some_and(|ty| Some(ty) == self.ty(b)),
            Constraint::Size(size, read) => self.size(read) == Some(size),
            Constraint::SameSize(a, b) => self.size(a).is_some_and(|size| Some(size) == self.size(b)),
        }
    }

    pub(super) fn solve(&self, equations: &[TypeEquation]) -> Option<Unknowns> {
        let mut unknowns = Unknowns::default();
        for equation in equations {
            match equation {
                TypeEquation::Type(ty, read) => unknowns.types(ty, self.ty(read)?)?,
                TypeEquation::Size(size, read) => unknowns.equation(size, self.size(read)?)?,
                TypeEquation::Value(size, at) => {
                    let Some(SizeAtom::Var(name)) = size.as_atom() else { return None };
                    unknowns.value(name, &self.part(*at).to_term());
                }
            }
        }
        unknowns.solve()?;
        Some(unknowns)
    }

    /// Whether a size is at least what the law needs, whatever the open sizes are.
    fn reaches(&self, size: &SizeOf, lower: u64, bounds: &SizeBounds) -> bool {
        self.known(size).is_none_or(|size| size.least(bounds) >= lower)
    }

    /// A size of the law, if the left side says what it is.
    pub(super) fn known(&self, size: &SizeOf) -> Option<Size> {
        match (size, self.solved()) {
            (SizeOf::Solved(size), Some(unknowns)) => unknowns.known(size),
            _ => self.size_of(size),
        }
    }

    /// The type that stands there.
    pub(super) fn ty(&self, read: &TypeLocation) -> Option<&'a Type> {
        read.ty(self.part(read.node).node())
    }

    /// The size that stands there.
    pub(super) fn size(&self, read: &TypeLocation) -> Option<&'a Size> {
        read.size(self.part(read.node).node())
    }
}

/// A binder of the left side as one of a variable's own.
fn own(binder: BindingSite, places: &[Option<u32>]) -> BindingSite {
    match binder {
        BindingSite::Inner(index) => BindingSite::Inner(places[index as usize].unwrap_or(0)),
        outer => outer,
    }
}

impl Substitution for Match<'_> {
    fn term(&self, j: usize) -> Option<Term> {
        Some(self.body(j))
    }

    fn size(&self, name: &Name) -> Option<Size> {
        let (_, size) = self.law.sizes.iter().find(|(known, _)| known == name)?;
        self.known(size)
    }
}
