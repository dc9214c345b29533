//! Decides what is asked of a match's types and sizes, and where those of the right side are read.

use std::mem::{Discriminant, discriminant};

use redexter_language::term::{Size, Type, TypeView};

use super::NodeTest;
use super::compile::LawNode;
use super::locate::{LocationRoot, TypeEquation, TypeLocation, TypeStep};

/// The constraints on types and sizes of a match.
#[derive(Debug)]
pub(super) enum Constraints {
    /// These, read in the term.
    Plain(Vec<Constraint>),
    /// Equations to be solved.
    Solved(Vec<TypeEquation>),
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
    Type(Type, TypeLocation),
    /// A type of this form.
    Form(Discriminant<TypeView>, TypeLocation),
    /// One type.
    SameType(TypeLocation, TypeLocation),
    /// A size without variables.
    Size(Size, TypeLocation),
    /// One size.
    SameSize(TypeLocation, TypeLocation),
}

/// The way in which a type of the law is found in a match.
#[derive(Clone, Debug)]
pub(super) enum TypeOf {
    /// It has no variables.
    Closed(Type),
    Read(TypeLocation),
    /// By what its variables stand for.
    Solved(Type),
}

/// The way in which a size of the law is found in a match.
#[derive(Clone, Debug)]
pub(super) enum SizeOf {
    /// It has no variables.
    Closed(Size),
    Read(TypeLocation),
    /// By what its variables stand for.
    Solved(Size),
}

/// Finds types and sizes of the law in what matched.
pub(super) struct TypeLocator<'a> {
    pub(super) patterns: &'a [LawNode],
    /// Whether something stands nowhere as it is, so that equations must be solved.
    pub(super) solved: bool,
}

impl TypeLocator<'_> {
    pub(super) fn ty(&mut self, ty: &Type) -> TypeOf {
        if !ty.is_open() {
            return TypeOf::Closed(ty.clone());
        }
        let found = self.find(&|read, here| (here == TypeOrSize::Type(ty)).then(|| read.clone()));
        found.map(TypeOf::Read).unwrap_or_else(|| {
            self.solved = true;
            TypeOf::Solved(ty.clone())
        })
    }

    pub(super) fn size(&mut self, size: &Size) -> SizeOf {
        if size.as_literal().is_some() {
            return SizeOf::Closed(size.clone());
        }
        let found = self.find(&|read, here| (here == TypeOrSize::Size(size)).then(|| read.clone()));
        found.map(SizeOf::Read).unwrap_or_else(|| {
            self.solved = true;
            SizeOf::Solved(size.clone())
        })
    }

    /// The nearest place of the left side where something holds.
    fn find(&self, wanted: &dyn Fn(&TypeLocation, TypeOrSize) -> Option<TypeLocation>) -> Option<TypeLocation> {
        let mut all = Vec::new();
        for (at, node) in self.patterns.iter().enumerate() {
            visit(TypeOrSize::Type(node.law.ty()), &TypeLocation::at(at, LocationRoot::Type), &mut |read, here| {
                all.extend(wanted(read, here))
            });
            // For a variable of the law, or a size, any constructor may stand there, so that only its type can be read; a bound
            // variable has nothing but a type.
            if matches!(node.node.test, NodeTest::Variable(_) | NodeTest::Bound(..) | NodeTest::Size) {
                continue;
            }
            let kind = node.law.kind();
            let ty = kind.held_type().map(|ty| (TypeOrSize::Type(ty), LocationRoot::Held));
            let sizes = kind.held_sizes().enumerate().map(|(k, n)| (TypeOrSize::Size(n), LocationRoot::Size(k)));
            for (held, from) in ty.into_iter().chain(sizes) {
                visit(held, &TypeLocation::at(at, from), &mut |read, here| all.extend(wanted(read, here)));
            }
        }
        // The fewer steps the sooner it is read in each match; of several nearest ones the first is taken.
        all.into_iter().min_by_key(|read| read.steps.len())
    }
}

/// A type or a size of the law.
#[derive(Clone, Copy, PartialEq)]
enum TypeOrSize<'a> {
    Type(&'a Type),
    Size(&'a Size),
}

/// A type or size and all that it is made of.
fn visit(here: TypeOrSize, read: &TypeLocation, work: &mut dyn FnMut(&TypeLocation, TypeOrSize)) {
    work(read, here);
    let TypeOrSize::Type(ty) = here else { return };
    match ty.view() {
        TypeView::Fin(n) => visit(TypeOrSize::Size(n), &read.step(TypeStep::Size), work),
        TypeView::Array(n, a) => {
            visit(TypeOrSize::Size(n), &read.step(TypeStep::Size), work);
            visit(TypeOrSize::Type(a), &read.step(TypeStep::First), work);
        }
        TypeView::Pair(a, b) | TypeView::Fun(a, b) => {
            visit(TypeOrSize::Type(a), &read.step(TypeStep::First), work);
            visit(TypeOrSize::Type(b), &read.step(TypeStep::Second), work);
        }
        _ => {}
    }
}

/// What has to be compared. Equations are solved only where a size isn't simply a variable, or something is wanted that
/// stands nowhere.
pub(super) fn constraints(equations: Vec<TypeEquation>, solved: bool) -> Constraints {
    // One thing that has to be solved for needs all equations, since any of them may say what its variables are.
    let mut plain = PlainConstraints::default();
    let simple = !solved && equations.iter().all(|equation| plain.add(equation));
    if simple { Constraints::Plain(plain.all) } else { Constraints::Solved(equations) }
}

#[derive(Default)]
struct PlainConstraints {
    all: Vec<Constraint>,
    types: Vec<(Type, TypeLocation)>,
    sizes: Vec<(Size, TypeLocation)>,
}

impl PlainConstraints {
    /// False where it has to be solved.
    fn add(&mut self, equation: &TypeEquation) -> bool {
        match equation {
            TypeEquation::Type(ty, read) => self.ty(ty, read),
            TypeEquation::Size(size, read) => self.size(size, read),
            TypeEquation::Value(..) => false,
        }
    }

    fn ty(&mut self, ty: &Type, read: &TypeLocation) -> bool {
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
            TypeView::Fin(n) => self.size(n, &read.step(TypeStep::Size)),
            TypeView::Array(n, a) => {
                self.size(n, &read.step(TypeStep::Size)) && self.ty(a, &read.step(TypeStep::First))
            }
            TypeView::Pair(a, b) | TypeView::Fun(a, b) => {
                self.ty(a, &read.step(TypeStep::First)) && self.ty(b, &read.step(TypeStep::Second))
            }
            _ => false,
        }
    }

    fn size(&mut self, size: &Size, read: &TypeLocation) -> bool {
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
