//! Which types and sizes a law has to ask for: not those that follow from a term's being well-typed.
//!
//! A term of the left side's form has types of its own. Where nothing but the form is known they are unknowns, and the
//! constructors' typing relates them; the law's types are an instance of that. So a term fits the law if each unknown
//! stands for what the law says, and where the law says no more than "some type" there is nothing to ask. In
//! `(build n f)[i]` that is all of them; in `x + 0` there is nothing to ask either, as 0 has a type.

use std::mem::discriminant;

use crate::term::{Assignment, Atom, Kind, Prim, Size, Type, TypeMemo, TypeView};

use super::compile::Pattern;
use super::locate::{Equation, From, Read, Step};
use super::{Binding, Test};

/// What a law with these nodes must ask, in the order of its left side.
pub(super) fn equations(nodes: &[Pattern], vars: &[Binding]) -> Vec<Equation> {
    let mut typing = Typing::default();
    typing.infer(nodes, vars).unwrap_or_else(|_| everything(nodes, vars))
}

/// The typing of this form is more than is known here: ask for everything.
struct Unclear;

#[derive(Default)]
struct Typing {
    types: Vec<Option<Type>>,
    sizes: Vec<Option<Size>>,
    /// The term's types by node.
    own: Vec<Type>,
    /// What a node holds: a λ's parameter type, a loop's size as an index type.
    held: Vec<Option<Type>>,
}

impl Assignment for Typing {
    fn size(&self, atom: &Atom) -> Option<Size> {
        match atom {
            Atom::Unknown(k) => {
                let known = self.sizes.get(*k as usize)?.clone()?;
                known.replace(|inner| self.size(inner))
            }
            Atom::Var(_) => None,
        }
    }

    fn ty(&self, leaf: &TypeView, memo: &mut TypeMemo) -> Option<Type> {
        match leaf {
            TypeView::Unknown(k) => self.types.get(*k as usize)?.clone()?.assign(self, memo).ok(),
            _ => None,
        }
    }
}

impl Typing {
    fn fresh(&mut self) -> Type {
        self.types.push(None);
        Type::unknown(self.types.len() as u32 - 1)
    }

    fn fresh_size(&mut self) -> Size {
        self.sizes.push(None);
        Size::unknown(self.sizes.len() as u32 - 1)
    }

    fn known(&self, ty: &Type) -> Result<Type, Unclear> {
        ty.assign(self, &mut TypeMemo::default()).map_err(|_| Unclear)
    }

    fn same(&mut self, a: &Type, b: &Type) -> Result<(), Unclear> {
        let (a, b) = (self.known(a)?, self.known(b)?);
        match (a.view(), b.view()) {
            _ if a == b => Ok(()),
            (TypeView::Unknown(k), _) => {
                self.types[*k as usize] = Some(b);
                Ok(())
            }
            (_, TypeView::Unknown(k)) => {
                self.types[*k as usize] = Some(a);
                Ok(())
            }
            (TypeView::Fin(n), TypeView::Fin(m)) => self.same_size(n, m),
            (TypeView::Array(n, x), TypeView::Array(m, y)) => {
                self.same_size(n, m)?;
                self.same(x, y)
            }
            (TypeView::Pair(w, x), TypeView::Pair(y, z)) | (TypeView::Fun(w, x), TypeView::Fun(y, z)) => {
                self.same(w, y)?;
                self.same(x, z)
            }
            _ => Err(Unclear),
        }
    }

    fn is(&mut self, at: usize, ty: &Type) -> Result<(), Unclear> {
        let own = self.own[at].clone();
        self.same(&own, ty)
    }

    fn same_at(&mut self, a: usize, b: usize) -> Result<(), Unclear> {
        let (a, b) = (self.own[a].clone(), self.own[b].clone());
        self.same(&a, &b)
    }

    fn same_size(&mut self, a: &Size, b: &Size) -> Result<(), Unclear> {
        let known = |n: &Size| n.replace(|atom| self.size(atom)).ok_or(Unclear);
        let (a, b) = (known(a)?, known(b)?);
        match (a.as_atom(), b.as_atom()) {
            _ if a == b => {}
            (Some(Atom::Unknown(k)), _) => self.sizes[*k as usize] = Some(b),
            (_, Some(Atom::Unknown(k))) => self.sizes[*k as usize] = Some(a),
            _ => return Err(Unclear),
        }
        Ok(())
    }

    fn infer(&mut self, nodes: &[Pattern], vars: &[Binding]) -> Result<Vec<Equation>, Unclear> {
        self.own = nodes.iter().map(|_| self.fresh()).collect();
        self.held = vec![None; nodes.len()];
        let mut overloaded = Vec::new();
        for (at, node) in nodes.iter().enumerate() {
            let mut kids: Vec<usize> = (at + 1..nodes.len()).filter(|k| nodes[*k].node.parent == at).collect();
            kids.sort_by_key(|k| nodes[*k].node.kid);
            match node.node.test {
                Test::Variable(j) => self.same_at(at, vars[j].node)?,
                _ => self.node(at, node, nodes, &kids)?,
            }
            overloaded.extend(Overload::of(at, node, &kids));
        }
        let mut all = self.settle(overloaded, nodes)?;
        all.extend(self.compare(nodes)?);
        Ok(all)
    }

    /// What the constructor says about the types of a node and its children.
    fn node(&mut self, at: usize, node: &Pattern, nodes: &[Pattern], kids: &[usize]) -> Result<(), Unclear> {
        let own = self.own[at].clone();
        let kid = |typing: &Typing, k: usize| typing.own[kids[k]].clone();
        match &node.node.test {
            Test::Bound(binder, _) => {
                let value = nodes.iter().position(|node| node.node.parent == *binder && node.node.kid == 0);
                return match (&self.held[*binder], value) {
                    (Some(parameter), _) => self.same(&own, &parameter.clone()),
                    (None, Some(value)) => self.same_at(at, value),
                    (None, None) => Err(Unclear),
                };
            }
            Test::Size => return self.same(&own, &Type::int()),
            _ => {}
        }
        match node.law.kind() {
            Kind::Lam(..) => {
                let parameter = self.fresh();
                self.held[at] = Some(parameter.clone());
                self.same(&own, &Type::fun(parameter, kid(self, 0)))
            }
            Kind::App => self.same(&kid(self, 0), &Type::fun(kid(self, 1), own)),
            Kind::Let(_) => self.same(&own, &kid(self, 1)),
            Kind::If => {
                self.same(&kid(self, 0), &Type::int())?;
                self.same(&own, &kid(self, 1))?;
                self.same(&own, &kid(self, 2))
            }
            Kind::Ifold(_) => {
                let index = self.hold_index(at);
                self.same(&own, &kid(self, 1))?;
                self.same(&kid(self, 0), &Type::fun(own.clone(), Type::fun(index, own)))
            }
            Kind::Build(_) => {
                let (index, element) = (self.hold_index(at), self.fresh());
                self.same(&kid(self, 0), &Type::fun(index.clone(), element.clone()))?;
                let TypeView::Fin(n) = index.view() else { return Err(Unclear) };
                self.same(&own, &Type::array(n.clone(), element))
            }
            Kind::Fin(..) => {
                let index = self.hold_index(at);
                self.same(&own, &index)
            }
            Kind::Array(_) => {
                let element = self.fresh();
                self.held[at] = Some(element.clone());
                (0..kids.len()).try_for_each(|k| self.same(&kid(self, k), &element))?;
                self.same(&own, &Type::array(Size::literal(kids.len() as u64), element))
            }
            Kind::Get => {
                let n = self.fresh_size();
                self.same(&kid(self, 0), &Type::array(n.clone(), own))?;
                self.same(&kid(self, 1), &Type::fin(n))
            }
            Kind::Pair => self.same(&own, &Type::pair(kid(self, 0), kid(self, 1))),
            Kind::Fst => {
                let other = self.fresh();
                self.same(&kid(self, 0), &Type::pair(own, other))
            }
            Kind::Snd => {
                let other = self.fresh();
                self.same(&kid(self, 0), &Type::pair(other, own))
            }
            Kind::Real(_) => self.same(&own, &Type::real()),
            Kind::Int(_) => self.same(&own, &Type::int()),
            Kind::Prim(prim) => self.primitive(*prim, &own, kids),
            Kind::Var | Kind::SizeVar(_) => Ok(()),
        }
    }

    /// What is so for all types that a primitive takes.
    fn primitive(&mut self, prim: Prim, own: &Type, kids: &[usize]) -> Result<(), Unclear> {
        let same = |typing: &mut Typing, ty: &Type| {
            kids.iter().try_for_each(|k| {
                let kid = typing.own[*k].clone();
                typing.same(&kid, ty)
            })
        };
        match prim {
            Prim::Sub | Prim::Mul | Prim::Neg => same(self, own),
            Prim::And | Prim::Or | Prim::Not => {
                self.same(own, &Type::int())?;
                same(self, &Type::int())
            }
            Prim::Lt | Prim::Le | Prim::Gt | Prim::Ge | Prim::Eq | Prim::Ne => self.same(own, &Type::int()),
            Prim::ToReal => self.same(own, &Type::real()),
            Prim::Pow => {
                let base = self.own[kids[0]].clone();
                self.same(own, &Type::real())?;
                self.same(&base, &Type::real())
            }
            Prim::Add => Ok(()),
            Prim::ToInt => {
                let index = Type::fin(self.fresh_size());
                self.same(own, &Type::int())?;
                same(self, &index)
            }
            Prim::Offset(c) => {
                let n = self.fresh_size();
                same(self, &Type::fin(n.clone()))?;
                self.same(own, &Type::fin(n.plus(&Size::literal(c)).ok_or(Unclear)?))
            }
            _ => {
                self.same(own, &Type::real())?;
                same(self, &Type::real())
            }
        }
    }

    fn hold_index(&mut self, at: usize) -> Type {
        let index = Type::fin(self.fresh_size());
        self.held[at] = Some(index.clone());
        index
    }

    /// Decides overloads by what is known, and asks where nothing is.
    fn settle(&mut self, mut open: Vec<Overload>, nodes: &[Pattern]) -> Result<Vec<Equation>, Unclear> {
        let mut asked = Vec::new();
        while !open.is_empty() {
            let before = open.len();
            let mut rest = Vec::new();
            for overload in open {
                match overload.is_decided(self)? {
                    true => overload.decide(self)?,
                    false => rest.push(overload),
                }
            }
            open = rest;
            if open.len() == before {
                let overload = open.remove(0);
                overload.decide(self)?;
                let at = overload.operands[0];
                asked.push(Equation::Type(nodes[at].law.ty().clone(), Read::at(at, From::Type)));
            }
        }
        Ok(asked)
    }

    /// Each unknown with what the law says of it.
    fn compare(&self, nodes: &[Pattern]) -> Result<Vec<Equation>, Unclear> {
        let mut asked = Asked::default();
        for (at, node) in nodes.iter().enumerate() {
            asked.types(&self.known(&self.own[at])?, node.law.ty(), Read::at(at, From::Type));
            let Some(held) = &self.held[at] else { continue };
            match (node.law.kind(), self.known(held)?.view()) {
                (Kind::Lam(_, law) | Kind::Array(law), _) => {
                    asked.types(&self.known(held)?, law, Read::at(at, From::Held));
                }
                (Kind::Ifold(law) | Kind::Build(law) | Kind::Fin(_, law), TypeView::Fin(n)) => {
                    asked.size(n, law, Read::at(at, From::Size));
                }
                _ => return Err(Unclear),
            }
        }
        let values = nodes.iter().enumerate().filter_map(|(at, node)| node.value(at));
        Ok(asked.all.into_iter().map(|(_, equation)| equation).chain(values).collect())
    }
}

/// What the reference matcher asks.
fn everything(nodes: &[Pattern], vars: &[Binding]) -> Vec<Equation> {
    let mut all = Vec::new();
    for (at, node) in nodes.iter().enumerate() {
        let ty = |ty: &Type, from| Equation::Type(ty.clone(), Read::at(at, from));
        match (&node.node.test, node.law.kind()) {
            (Test::Bound(..), _) => {}
            (Test::Variable(j), _) if vars[*j].node != at => {}
            (Test::Variable(_), _) => all.push(ty(node.law.ty(), From::Type)),
            (Test::Size, _) => all.extend(node.value(at)),
            (_, Kind::Lam(_, held) | Kind::Array(held)) => all.push(ty(held, From::Held)),
            (_, Kind::Ifold(n) | Kind::Build(n) | Kind::Fin(_, n)) => {
                all.push(Equation::Size(n.clone(), Read::at(at, From::Size)));
            }
            _ => {}
        }
    }
    all
}

impl Pattern {
    fn value(&self, at: usize) -> Option<Equation> {
        match (&self.node.test, self.law.kind()) {
            (Test::Size, Kind::SizeVar(name)) => Some(Equation::Value(Size::var(name), at)),
            _ => None,
        }
    }
}

/// A primitive that takes several types: all of these nodes have what the law says as soon as one of them has.
struct Overload {
    prim: Prim,
    at: usize,
    operands: Vec<usize>,
    ty: Type,
}

impl Overload {
    fn of(at: usize, node: &Pattern, kids: &[usize]) -> Option<Overload> {
        let Kind::Prim(prim @ (Prim::Add | Prim::Lt | Prim::Le | Prim::Gt | Prim::Ge | Prim::Eq | Prim::Ne)) =
            node.law.kind()
        else {
            return None;
        };
        Some(Overload { prim: *prim, at, operands: kids.to_vec(), ty: node.law.kid(0).ty().clone() })
    }

    fn is_decided(&self, typing: &Typing) -> Result<bool, Unclear> {
        let sum = (self.prim == Prim::Add).then_some(self.at);
        for at in self.operands.iter().copied().chain(sum) {
            if discriminant(typing.known(&typing.own[at])?.view()) == discriminant(self.ty.view()) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn decide(&self, typing: &mut Typing) -> Result<(), Unclear> {
        let mut sum = self.ty.clone();
        if let TypeView::Fin(_) = self.ty.view() {
            let mut size = Size::literal(0);
            for at in &self.operands {
                let n = typing.fresh_size();
                size = size.plus(&n).ok_or(Unclear)?;
                typing.is(*at, &Type::fin(n))?;
            }
            sum = Type::fin(size);
        } else {
            self.operands.iter().try_for_each(|at| typing.is(*at, &self.ty))?;
        }
        if self.prim == Prim::Add { typing.is(self.at, &sum) } else { Ok(()) }
    }
}

/// What the law says of each unknown, once, read where it is nearest.
#[derive(Default)]
struct Asked {
    all: Vec<(Unknown, Equation)>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Unknown {
    Type(u32),
    Size(u32),
}

impl Asked {
    fn types(&mut self, own: &Type, law: &Type, read: Read) {
        match (own.view(), law.view()) {
            (TypeView::Unknown(k), _) => self.add(Unknown::Type(*k), Equation::Type(law.clone(), read)),
            (TypeView::Fin(n), TypeView::Fin(m)) => self.size(n, m, read.step(Step::Size)),
            (TypeView::Array(n, a), TypeView::Array(m, b)) => {
                self.size(n, m, read.step(Step::Size));
                self.types(a, b, read.step(Step::First));
            }
            (TypeView::Pair(a, b), TypeView::Pair(c, d)) | (TypeView::Fun(a, b), TypeView::Fun(c, d)) => {
                self.types(a, c, read.step(Step::First));
                self.types(b, d, read.step(Step::Second));
            }
            _ => {}
        }
    }

    fn size(&mut self, own: &Size, law: &Size, read: Read) {
        if let Some(Atom::Unknown(k)) = own.as_atom() {
            self.add(Unknown::Size(*k), Equation::Size(law.clone(), read));
        }
    }

    fn add(&mut self, unknown: Unknown, equation: Equation) {
        match self.all.iter_mut().find(|(known, _)| *known == unknown) {
            Some((_, earlier)) if equation.steps() < earlier.steps() => *earlier = equation,
            Some(_) => {}
            None => self.all.push((unknown, equation)),
        }
    }
}

impl Equation {
    fn steps(&self) -> usize {
        match self {
            Equation::Type(_, read) | Equation::Size(_, read) => read.steps.len(),
            Equation::Value(..) => 0,
        }
    }
}
