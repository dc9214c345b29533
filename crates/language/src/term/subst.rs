//! Moves terms between scopes and substitutes: capture-safe, because variables have no names to be captured by.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::assemble::{one, two};
use super::embedding::Embedding;
use super::kind::Kind;
use super::node::Term;
use super::prim::Prim;
use super::size::Size;
use super::types::{Assignment, TooLarge, TypeMemo};
use super::typing::IllTyped;

impl Term {
    /// The term moved under `by` more binders. Costs as much as it has free variables.
    pub fn shift(&self, by: u32) -> Term {
        self.shift_from(0, by)
    }

    /// The term with `by` more binders put between its variables below `cutoff` and the others.
    pub fn shift_from(&self, cutoff: u32, by: u32) -> Term {
        if by == 0 || self.env.is_empty() {
            return self.clone();
        }
        let env = self.env.map(|i| if i >= cutoff { i + by } else { i });
        Term { node: self.node.clone(), env }
    }

    /// The term moved out of its `by` innermost binders; `None` if it mentions one of them.
    pub fn lower(&self, by: u32) -> Option<Term> {
        let env = self.env.try_map(|i| i.checked_sub(by))?;
        Some(Term { node: self.node.clone(), env })
    }

    /// The term with each free index replaced by `to(index)`. Two variables that become one must have one type.
    pub fn rename(&self, to: impl Fn(u32) -> u32) -> Term {
        let env = self.env.map(&to);
        let mut sorted: SmallVec<[u32; 16]> = env.iter().copied().collect();
        sorted.sort_unstable();
        if sorted.windows(2).all(|w| w[0] != w[1]) {
            return Term { node: self.node.clone(), env };
        }
        let find = |i: u32| match self.free_at(i) {
            Some(f) => Term::var(to(i), f.ty),
            None => Term::int(0),
        };
        self.substitute(&find).unwrap_or_else(|_| self.clone())
    }

    /// The body of a binder with its variable replaced: index 0 becomes `value` (a term of the outer scope), the
    /// others move down by one.
    pub fn instantiate(&self, value: &Term) -> Result<Term, IllTyped> {
        if let (Kind::Var, [to]) = (value.kind(), &*value.env)
            && !self.env.contains(&(to + 1))
            && self.free_at(0).is_none_or(|free| free.ty == value.ty())
        {
            // Another variable that doesn't occur yet: the same nodes.
            return Ok(Term { node: self.node.clone(), env: self.env.map(|i| if i == 0 { *to } else { i - 1 }) });
        }
        Substituter { to: &|_| value.clone(), only: Some(0), memo: FxHashMap::default() }.go(self, 0)
    }

    /// With a value in the place of free variable number `p`, which occurs once, under so many binders of what the value is
    /// put into. Where the variable itself stands doesn't matter.
    fn put_once(&self, p: usize, value: &Term, under: u32) -> Result<Term, IllTyped> {
        let (node, env) = (&*self.node, &self.env);
        let kid = |k: usize| {
            let (link, binders) = (&node.form.links[k], node.binders(k));
            let kid = Term { node: node.kids[k].clone(), env: link.within(env, binders) };
            match link.iter().position(|i| *i == p as u32 + binders) {
                Some(p) => kid.put_once(p, value, under + binders),
                None => Ok(kid),
            }
        };
        match node.kids.len() {
            0 => Ok(value.shift(under)),
            1 => one(node.kind(), kid(0)?),
            2 => two(node.kind(), kid(0)?, kid(1)?),
            count => self.with_kids((0..count).map(kid).collect::<Result<_, _>>()?),
        }
    }

    /// Replaces every free variable: index `i` becomes `to(i)`, a term of the new scope with the variable's type.
    pub fn substitute(&self, to: &dyn Fn(u32) -> Term) -> Result<Term, IllTyped> {
        Substituter { to, only: None, memo: FxHashMap::default() }.go(self, 0)
    }

    /// Indices above `at` move down by one; `at` itself must not occur.
    fn shift_down(&self, at: u32) -> Term {
        let env = self.env.map(|i| if i > at { i - 1 } else { i });
        Term { node: self.node.clone(), env }
    }

    /// Replaces size and type variables throughout.
    pub fn assign(&self, by: &dyn Assignment) -> Result<Term, TooLarge> {
        VariableAssigner { by, types: TypeMemo::default(), memo: FxHashMap::default() }.go(self)
    }
}

struct Substituter<'a> {
    to: &'a dyn Fn(u32) -> Term,
    /// Replace this index alone and close the gap that it leaves.
    only: Option<u32>,
    memo: FxHashMap<SubstitutedKey, Term>,
}

/// A node of the walked term, which stays where it is, how it is embedded, and the binders around it.
#[derive(PartialEq, Eq, Hash)]
struct SubstitutedKey {
    node: usize,
    env: Embedding,
    under: u32,
}

impl Substituter<'_> {
    /// `term` under `under` binders of the walked term.
    fn go(&mut self, term: &Term, under: u32) -> Result<Term, IllTyped> {
        if let Some(only) = self.only {
            let at = only + under;
            let Some(p) = term.env.iter().position(|i| *i == at) else { return Ok(term.shift_down(at)) };
            // What occurs once is met once, and needs no memory.
            if term.node.variable(p).count == 1 {
                return term.shift_down(at).put_once(p, &(self.to)(only), under);
            }
        } else if term.env.iter().all(|i| *i < under) {
            return Ok(term.clone());
        }
        if let Kind::Var = term.kind() {
            return Ok((self.to)(term.env[0] - under).shift(under));
        }
        let met = || SubstitutedKey { node: Rc::as_ptr(&term.node).addr(), env: term.env.clone(), under };
        let key = term.is_shared().then(met);
        if let Some(key) = &key
            && let Some(done) = self.memo.get(key)
        {
            return Ok(done.clone());
        }
        let mut kid = |k| self.go(&term.kid(k), under + term.binders(k));
        let done = match term.kid_count() {
            1 => one(term.kind(), kid(0)?)?,
            2 => two(term.kind(), kid(0)?, kid(1)?)?,
            count => term.with_kids((0..count).map(kid).collect::<Result<_, _>>()?)?,
        };
        if let Some(key) = key {
            self.memo.insert(key, done.clone());
        }
        Ok(done)
    }
}

struct VariableAssigner<'a> {
    by: &'a dyn Assignment,
    types: TypeMemo,
    memo: FxHashMap<Term, Term>,
}

impl VariableAssigner<'_> {
    fn size(&self, n: &Size) -> Result<Size, TooLarge> {
        n.replace(|a| self.by.size(a)).ok_or(TooLarge)
    }

    fn go(&mut self, term: &Term) -> Result<Term, TooLarge> {
        if !term.is_open() {
            return Ok(term.clone());
        }
        if let Some(done) = self.memo.get(term) {
            return Ok(done.clone());
        }
        if let Kind::Prim(Prim::ToReal) = term.kind()
            && let Kind::SizeVar(n) = term.kid(0).kind()
        {
            return Ok(Term::real_size(&self.size(&Size::var(n))?));
        }
        let mut kids = SmallVec::with_capacity(term.kid_count());
        for k in 0..term.kid_count() {
            kids.push(self.go(&term.kid(k))?);
        }
        let done = match term.kind() {
            Kind::Var => Term::var(term.env[0], &term.ty().assign(self.by, &mut self.types)?),
            Kind::SizeVar(n) => Term::size_value(&self.size(&Size::var(n))?),
            kind => {
                let types = &mut self.types;
                let kind =
                    kind.replaced(|ty| ty.assign(self.by, types), |n| n.replace(|a| self.by.size(a)).ok_or(TooLarge))?;
                Term::of(&kind, kids).map_err(|_| TooLarge)?
            }
        };
        self.memo.insert(term.clone(), done.clone());
        Ok(done)
    }
}
