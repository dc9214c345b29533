//! Decides what is asked of a match's types and sizes, and where those of the right side are read.

use std::mem::{Discriminant, discriminant};

use redexter_language::term::{Size, Type, TypeView};

use super::Test;
use super::compile::Pattern;
use super::locate::{Equation, From, Read, Step};

/// The constraints on types and sizes of a match.
#[derive(Debug)]
pub(super) enum Constraints {
    /// These, read in the term.
    Plain(Vec<Constraint>),
    /// Equations to be solved.
    Solved(Vec<Equation>),
}

impl Constraints {
    /// Whether there is nothing to ask or to solve.
    pub(super) fn is_empty(&self) -> bool {
        matches!(self, Constraints::Plain(all) if all.is_empty())
    }
}

/// A single constraint, read where the term has its types and sizes.
#[derive(Debug)]
pub(super) enum Constraint {
    /// A type without variables.
    Type(Type, Read),
    /// A type of this form.
    Form(Discriminant<TypeView>, Read),
    /// One type.
    SameType(Read, Read),
    /// A size without variables.
    Size(Size, Read),
    /// One size.
    SameSize(Read, Read),
}

/// The way in which a type of the law is found in a match.
#[derive(Clone, Debug)]
pub(super) enum TypeOf {
    /// It has no variables.
    Closed(Type),
    Read(Read),
    /// By what its variables stand for.
    Solved(Type),
}

/// The way in which a size of the law is found in a match.
#[derive(Clone, Debug)]
pub(super) enum SizeOf {
    /// It has no variables.
    Closed(Size),
    Read(Read),
    /// By what its variables stand for.
    Solved(Size),
}

/// Finds types and sizes of the law in what matched.
pub(super) struct Reader<'a> {
    pub(super) patterns: &'a [Pattern],
    /// Whether something stands nowhere as it is, so that equations must be solved.
    pub(super) solved: bool,
}

impl Reader<'_> {
    pub(super) fn ty(&mut self, ty: &Type) -> TypeOf {
        if !ty.is_open() {
            return TypeOf::Closed(ty.clone());
        }
        let found = self.find(&|read, here| (here == Held::Type(ty)).then(|| read.clone()));
        found.map(TypeOf::Read).unwrap_or_else(|| {
            self.solved = true;
            TypeOf::Solved(ty.clone())
        })
    }

    pub(super) fn size(&mut self, size: &Size) -> SizeOf {
        if size.as_literal().is_some() {
            return SizeOf::Closed(size.clone());
        }
        let found = self.find(&|read, here| (here == Held::Size(size)).then(|| read.clone()));
        found.map(SizeOf::Read).unwrap_or_else(|| {
            self.solved = true;
            SizeOf::Solved(size.clone())
        })
    }

    /// The nearest place of the left side where something holds.
    fn find(&self, wanted: &dyn Fn(&Read, Held) -> Option<Read>) -> Option<Read> {
        let mut all = Vec::new();
        for (at, node) in self.patterns.iter().enumerate() {
            visit(Held::Type(node.law.ty()), &Read::at(at, From::Type), &mut |read, here| {
                all.extend(wanted(read, here))
            });
            // Any constructor may stand there in a term, so that only its type can be read.
            if matches!(node.node.test, Test::Variable(_) | Test::Bound(..) | Test::Size) {
                continue;
            }
            let kind = node.law.kind();
            let ty = kind.held_type().map(|ty| (Held::Type(ty), From::Held));
            for (held, from) in ty.into_iter().chain(kind.held_size().map(|n| (Held::Size(n), From::Size))) {
                visit(held, &Read::at(at, from), &mut |read, here| all.extend(wanted(read, here)));
            }
        }
        // The fewer steps the sooner it is read in each match; of several nearest ones the first is taken.
        all.into_iter().min_by_key(|read| read.steps.len())
    }
}

/// A type or a size of the law.
#[derive(Clone, Copy, PartialEq)]
enum Held<'a> {
    Type(&'a Type),
    Size(&'a Size),
}

/// A type or size and all that it is made of.
fn visit(here: Held, read: &Read, work: &mut dyn FnMut(&Read, Held)) {
    work(read, here);
    let Held::Type(ty) = here else { return };
    match ty.view() {
        TypeView::Fin(n) => visit(Held::Size(n), &read.step(Step::Size), work),
        TypeView::Array(n, a) => {
            visit(Held::Size(n), &read.step(Step::Size), work);
            visit(Held::Type(a), &read.step(Step::First), work);
        }
        TypeView::Pair(a, b) | TypeView::Fun(a, b) => {
            visit(Held::Type(a), &read.step(Step::First), work);
            visit(Held::Type(b), &read.step(Step::Second), work);
        }
        _ => {}
    }
}

/// What has to be compared. Equations are solved only where a size isn't simply a variable, or something is wanted that
/// stands nowhere.
pub(super) fn constraints(equations: Vec<Equation>, solved: bool) -> Constraints {
    // One thing that has to be solved for needs all equations, since any of them may say what its variables are.
    let mut plain = Plain::default();
    let simple = !solved && equations.iter().all(|equation| plain.add(equation));
    if simple { Constraints::Plain(plain.all) } else { Constraints::Solved(equations) }
}

#[derive(Default)]
struct Plain {
    all: Vec<Constraint>,
    types: Vec<(Type, Read)>,
    sizes: Vec<(Size, Read)>,
}

impl Plain {
    /// False where it has to be solved.
    fn add(&mut self, equation: &Equation) -> bool {
        match equation {
            Equation::Type(ty, read) => self.ty(ty, read),
            Equation::Size(size, read) => self.size(size, read),
            Equation::Value(..) => false,
        }
    }

    fn ty(&mut self, ty: &Type, read: &Read) -> bool {
        if !ty.is_open() {
            self.all.push(Constraint::Type(ty.clone(), read.clone()));
            return true;
        }
        // Asked for even if nothing in it is compared, because variables in it fit anything.
        if !matches!(ty.view(), TypeView::Var(_)) {
            self.all.push(Constraint::Form(discriminant(ty.view()), read.clone()));
        }
        match ty.view() {
            TypeView::Var(_) => {
                match self.types.iter().find(|(known, _)| known == ty) {
                    Some((_, first)) => self.all.push(Constraint::SameType(first.clone(), read.clone())),
                    None => self.types.push((ty.clone(), read.clone())),
                }
                true
            }
            TypeView::Fin(n) => self.size(n, &read.step(Step::Size)),
            TypeView::Array(n, a) => self.size(n, &read.step(Step::Size)) && self.ty(a, &read.step(Step::First)),
            TypeView::Pair(a, b) | TypeView::Fun(a, b) => {
                self.ty(a, &read.step(Step::First)) && self.ty(b, &read.step(Step::Second))
            }
            _ => false,
        }
    }

    fn size(&mut self, size: &Size, read: &Read) -> bool {
        if size.as_literal().is_some() {
            self.all.push(Constraint::Size(size.clone(), read.clone()));
            return true;
        }
        // A sum or a product can't be compared as it stands: its variables have to be solved for.
        if size.as_atom().is_none() {
            return false;
        }
        match self.sizes.iter().find(|(known, _)| known == size) {
            Some((_, first)) => self.all.push(Constraint::SameSize(first.clone(), read.clone())),
            None => self.sizes.push((size.clone(), read.clone())),
        }
        true
    }
}
