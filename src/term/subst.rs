//! Moving terms between scopes and substituting: capture-safe, because variables have no names to be captured by.

use std::collections::HashMap;

use smallvec::SmallVec;

use super::kind::Kind;
use super::make::IllTyped;
use super::node::Term;
use super::size::Size;
use super::types::{Assignment, TooLarge, TypeMemo};

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
        if self.free_at(0).is_none() {
            return Ok(self.shift_down(0));
        }
        Walk { to: &|_| value.clone(), only: Some(0), memo: HashMap::new() }.go(self, 0)
    }

    /// Replaces every free variable: index `i` becomes `to(i)`, a term of the new scope with the variable's type.
    pub fn substitute(&self, to: &dyn Fn(u32) -> Term) -> Result<Term, IllTyped> {
        Walk { to, only: None, memo: HashMap::new() }.go(self, 0)
    }

    /// Indices above `at` move down by one; `at` itself must not occur.
    fn shift_down(&self, at: u32) -> Term {
        let env = self.env.map(|i| if i > at { i - 1 } else { i });
        Term { node: self.node.clone(), env }
    }

    /// Replaces size and type variables throughout.
    pub fn assign(&self, by: &dyn Assignment) -> Result<Term, TooLarge> {
        Assign { by, types: TypeMemo::default(), memo: HashMap::new() }.go(self)
    }
}

struct Walk<'a> {
    to: &'a dyn Fn(u32) -> Term,
    /// Replace this index alone and close the gap that it leaves.
    only: Option<u32>,
    memo: HashMap<(Term, u32), Term>,
}

impl Walk<'_> {
    /// `term` under `under` binders of the walked term.
    fn go(&mut self, term: &Term, under: u32) -> Result<Term, IllTyped> {
        // What occurs once is met once, and needs no memory.
        let many = match self.only.map(|at| (at + under, term.free_at(at + under))) {
            Some((at, None)) => return Ok(term.shift_down(at)),
            Some((_, Some(free))) => free.count > 1,
            None if term.env.iter().all(|i| *i < under) => return Ok(term.clone()),
            None => true,
        };
        if let Kind::Var = term.kind() {
            return Ok((self.to)(term.env[0] - under).shift(under));
        }
        let key = (many && term.is_shared()).then(|| (term.clone(), under));
        if let Some(key) = &key
            && let Some(done) = self.memo.get(key)
        {
            return Ok(done.clone());
        }
        let mut kids = SmallVec::with_capacity(term.kid_count());
        for k in 0..term.kid_count() {
            kids.push(self.go(&term.kid(k), under + term.kind().binders(k))?);
        }
        let done = term.with_kids(kids)?;
        if let Some(key) = key {
            self.memo.insert(key, done.clone());
        }
        Ok(done)
    }
}

struct Assign<'a> {
    by: &'a dyn Assignment,
    types: TypeMemo,
    memo: HashMap<Term, Term>,
}

impl Assign<'_> {
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
        let mut kids = SmallVec::with_capacity(term.kid_count());
        for k in 0..term.kid_count() {
            kids.push(self.go(&term.kid(k))?);
        }
        let done = self.rebuild(term, kids)?;
        self.memo.insert(term.clone(), done.clone());
        Ok(done)
    }

    fn rebuild(&mut self, term: &Term, mut kids: SmallVec<[Term; 2]>) -> Result<Term, TooLarge> {
        let made = match term.kind() {
            Kind::Var => Ok(Term::var(term.env[0], &term.ty().assign(self.by, &mut self.types)?)),
            Kind::Lam(x, ty) => Term::lam(x, &ty.assign(self.by, &mut self.types)?, kids.remove(0)),
            Kind::Array(ty) => Term::array(&ty.assign(self.by, &mut self.types)?, kids.into_vec()),
            Kind::Ifold(n) => {
                let f = kids.remove(0);
                Term::ifold(self.size(n)?, f, kids.remove(0))
            }
            Kind::Build(n) => Term::build(self.size(n)?, kids.remove(0)),
            Kind::Fin(c, n) => Term::fin(*c, self.size(n)?),
            Kind::SizeVar(n) => Ok(Term::size_value(&self.size(&Size::var(n))?)),
            _ => term.with_kids(kids),
        };
        made.map_err(|_| TooLarge)
    }
}
