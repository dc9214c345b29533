//! Turns the right side of a law into a template that is filled in: what matched is put in as it is, or with its variables moved.

use redexter_language::check::Law;
use redexter_language::ground::Name;
use redexter_language::term::{Kind, Prim, Term};

use super::super::law::variable;
use super::constraint::{SizeOf, TypeLocator, TypeOf};
use super::{MovedTerm, VariableArguments, VariableBinding};

/// A part of the right side. Its form is a byte of its own, so that it is read without decoding.
#[derive(Debug)]
#[repr(u8)]
pub(super) enum RightTemplate {
    /// A term without variables and open sizes.
    Constant(Term),
    /// A variable that the right side binds.
    Bound(u32, TypeOf),
    /// What stands on the left side.
    Put(MovedTerm),
    /// What stands for a variable of the law with projections for arguments, in the same way.
    PutProjected {
        var: usize,
        to: Vec<u32>,
        under: u32,
    },
    /// What stands for a variable of the law, with terms for its arguments.
    Applied {
        var: usize,
        arguments: Vec<RightTemplate>,
        under: u32,
    },
    /// A size as a term.
    Size(SizeOf),
    /// An index constant.
    Fin(u64, SizeOf),
    Lam(BinderName, TypeOf, Box<RightTemplate>),
    Build(SizeOf, Box<RightTemplate>),
    Within(SizeOf, Box<RightTemplate>),
    /// The places and the rounds.
    Scatter(SizeOf, SizeOf, Box<RightTemplate>),
    Array(TypeOf, Vec<RightTemplate>),
    If(Box<[RightTemplate; 3]>),
    Guard(BinderName, SizeOf, Box<[RightTemplate; 3]>),
    Fst(Box<RightTemplate>),
    Snd(Box<RightTemplate>),
    Unary(Prim, Box<RightTemplate>),
    Two(BinaryForm, Box<[RightTemplate; 2]>),
    /// The same where both are put in.
    Puts(BinaryForm, Box<[MovedTerm; 2]>),
}

/// A constructor of two children, as [`RightTemplate`] has its form.
#[derive(Debug)]
#[repr(u8)]
pub(super) enum BinaryForm {
    App,
    Let(BinderName),
    Ifold(SizeOf),
    /// The size, and whether it goes from the last index.
    Scan(SizeOf, bool),
    Get,
    Pair,
    Pull,
    Plus,
    Binary(Prim),
}

/// The name of a binder of the right side.
#[derive(Debug)]
pub(super) enum BinderName {
    /// The law's.
    Own(Name),
    /// The user's, at this node of the left side; the law's stands beside it.
    Of(usize, Name),
}

/// Turns a right side into a template.
pub(super) struct TemplateWriter<'a, 'b> {
    law: &'a Law,
    vars: &'a [VariableBinding],
    reader: &'a mut TypeLocator<'b>,
}

impl<'a, 'b> TemplateWriter<'a, 'b> {
    pub(super) fn new(
        law: &'a Law,
        vars: &'a [VariableBinding],
        reader: &'a mut TypeLocator<'b>,
    ) -> TemplateWriter<'a, 'b> {
        TemplateWriter { law, vars, reader }
    }

    pub(super) fn right_side(mut self) -> RightTemplate {
        self.template(&self.law.right, 0)
    }

    fn template(&mut self, right: &Term, under: u32) -> RightTemplate {
        if right.free().len() == 0 && !right.is_open() {
            // The same in each contractum, so that its nodes are shared by all of them.
            return RightTemplate::Constant(right.clone());
        }
        if let Some((j, arguments)) = variable(&self.law.vars, right, under) {
            return self.variable(j, &arguments, under);
        }
        let kid = |writer: &mut Self, k: usize| writer.kid(right, k, under);
        let all = |writer: &mut Self| (0..right.kid_count()).map(|k| kid(writer, k)).collect();
        match right.kind() {
            Kind::Var => RightTemplate::Bound(right.places()[0], self.reader.ty(right.ty())),
            Kind::Lam(name, ty) => {
                let ty = self.reader.ty(ty);
                RightTemplate::Lam(self.hint(name), ty, Box::new(kid(self, 0)))
            }
            Kind::Let(name) => {
                let hint = self.hint(name);
                self.two(BinaryForm::Let(hint), right, under)
            }
            Kind::App => self.two(BinaryForm::App, right, under),
            Kind::If => RightTemplate::If(Box::new([kid(self, 0), kid(self, 1), kid(self, 2)])),
            Kind::Guard(name, n) => {
                let (hint, n) = (self.hint(name), self.reader.size(n));
                RightTemplate::Guard(hint, n, Box::new([kid(self, 0), kid(self, 1), kid(self, 2)]))
            }
            Kind::Ifold(n) => {
                let n = self.reader.size(n);
                self.two(BinaryForm::Ifold(n), right, under)
            }
            Kind::Scan(n) | Kind::Scanr(n) => {
                let (n, is_reversed) = (self.reader.size(n), matches!(right.kind(), Kind::Scanr(_)));
                self.two(BinaryForm::Scan(n, is_reversed), right, under)
            }
            Kind::Scatter(rounds, places) => {
                let (rounds, places) = (self.reader.size(rounds), self.reader.size(places));
                RightTemplate::Scatter(places, rounds, Box::new(kid(self, 0)))
            }
            Kind::Build(n) => RightTemplate::Build(self.reader.size(n), Box::new(kid(self, 0))),
            Kind::Array(ty) => RightTemplate::Array(self.reader.ty(ty), all(self)),
            Kind::Get => self.two(BinaryForm::Get, right, under),
            Kind::Pair => self.two(BinaryForm::Pair, right, under),
            Kind::Pull => self.two(BinaryForm::Pull, right, under),
            Kind::Plus => self.two(BinaryForm::Plus, right, under),
            Kind::Within(n) => RightTemplate::Within(self.reader.size(n), Box::new(kid(self, 0))),
            Kind::Fst => RightTemplate::Fst(Box::new(kid(self, 0))),
            Kind::Snd => RightTemplate::Snd(Box::new(kid(self, 0))),
            Kind::Fin(c, n) => RightTemplate::Fin(*c, self.reader.size(n)),
            Kind::SizeVar(name) => RightTemplate::Size(self.reader.size(&redexter_language::term::Size::var(name))),
            Kind::Prim(prim) if right.kid_count() == 1 => RightTemplate::Unary(*prim, Box::new(kid(self, 0))),
            Kind::Prim(prim) => self.two(BinaryForm::Binary(*prim), right, under),
            Kind::Real(_) | Kind::Int(_) => RightTemplate::Constant(right.clone()),
        }
    }

    fn kid(&mut self, right: &Term, k: usize, under: u32) -> RightTemplate {
        self.template(&right.kid(k), under + right.binders(k))
    }

    fn two(&mut self, joint: BinaryForm, right: &Term, under: u32) -> RightTemplate {
        match (self.kid(right, 0, under), self.kid(right, 1, under)) {
            (RightTemplate::Put(a), RightTemplate::Put(b)) => RightTemplate::Puts(joint, Box::new([a, b])),
            (a, b) => RightTemplate::Two(joint, Box::new([a, b])),
        }
    }

    /// `e(…)`: where its arguments are different variables of the right side nothing has to be substituted.
    fn variable(&mut self, j: usize, arguments: &[Term], under: u32) -> RightTemplate {
        let bound = |a: &Term| (matches!(a.kind(), Kind::Var) && a.places()[0] < under).then(|| a.places()[0]);
        // The last argument is variable 0 of the body, so that indices are listed from the back.
        let to: Option<Vec<u32>> = arguments.iter().rev().map(bound).collect();
        // Moving variables must not bring two of them to one place; only a substitution can make one variable of two.
        let different = |to: &Vec<u32>| (1..to.len()).all(|k| !to[..k].contains(&to[k]));
        match to.filter(different) {
            Some(to) => match &self.vars[j].arguments {
                VariableArguments::Plain(places) => {
                    let to = places.iter().map(|place| place.map_or(0, |place| to[place as usize])).collect();
                    RightTemplate::Put(MovedTerm { way: self.vars[j].moved.way.clone(), to, under })
                }
                VariableArguments::Projected(_) => RightTemplate::PutProjected { var: j, to, under },
            },
            None => {
                let arguments = arguments.iter().map(|a| self.template(a, under)).collect();
                RightTemplate::Applied { var: j, arguments, under }
            }
        }
    }

    /// The user's name for the first binder of the left side with this name.
    fn hint(&self, name: &Name) -> BinderName {
        let named = |kind: &Kind| kind.hint() == Some(name);
        let of = self.reader.patterns.iter().position(|node| named(node.law.kind()));
        of.map_or_else(|| BinderName::Own(name.clone()), |node| BinderName::Of(node, name.clone()))
    }
}
