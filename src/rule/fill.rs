//! The right side of a law, filled in with what matched. Where it fails, a size can't be represented, but for bugs.

use crate::ground::Name;
use crate::term::{Assignment, Kind, Size, Term, Type, TypeMemo};

use super::fits::{SizeOf, TypeOf};
use super::scene::Scene;
use super::template::{Hint, Template};

impl Scene<'_> {
    /// The contractum.
    #[inline]
    pub(super) fn right_side(&self) -> Option<Term> {
        self.fill(&self.plan.right)
    }

    /// What is put in most often, without a call.
    #[inline]
    fn fill(&self, template: &Template) -> Option<Term> {
        match template {
            Template::Put { way, to, under } => Some(self.moved(way, *under, |index| to[index as usize])),
            _ => self.make(template),
        }
    }

    fn make(&self, template: &Template) -> Option<Term> {
        match template {
            Template::Put { .. } => self.fill(template),
            Template::Constant(term) => Some(term.clone()),
            Template::PutProjected { var, to, under } => {
                let arity = to.len() as u32;
                let place = |index| if index < arity { to[index as usize] } else { index - arity + under };
                Some(self.projected(*var).placed(place))
            }
            Template::Applied { var, arguments, under } => self.applied(*var, arguments, *under),
            Template::Bound(index, ty) => Some(Term::var(*index, &self.type_of(ty)?)),
            Template::Size(size) => Some(Term::size_value(&self.size_of(size)?)),
            Template::Fin(c, size) => Term::fin(*c, self.size_of(size)?).ok(),
            Template::Lam(hint, ty, body) => Term::lam(self.hint(hint), &self.type_of(ty)?, self.fill(body)?).ok(),
            Template::Let(hint, both) => Term::let_in(self.hint(hint), self.fill(&both[0])?, self.fill(&both[1])?).ok(),
            Template::Ifold(n, both) => Term::ifold(self.size_of(n)?, self.fill(&both[0])?, self.fill(&both[1])?).ok(),
            Template::Build(n, f) => Term::build(self.size_of(n)?, self.fill(f)?).ok(),
            Template::Array(ty, elements) => Term::array(&self.type_of(ty)?, self.all(elements)?).ok(),
            Template::App(both) => Term::app(self.fill(&both[0])?, self.fill(&both[1])?).ok(),
            Template::Get(both) => Term::get(self.fill(&both[0])?, self.fill(&both[1])?).ok(),
            Template::Pair(both) => Term::pair(self.fill(&both[0])?, self.fill(&both[1])?).ok(),
            Template::If(all) => Term::if_else(self.fill(&all[0])?, self.fill(&all[1])?, self.fill(&all[2])?).ok(),
            Template::Fst(p) => Term::fst(self.fill(p)?).ok(),
            Template::Snd(p) => Term::snd(self.fill(p)?).ok(),
            Template::Unary(prim, operand) => Term::unary(*prim, self.fill(operand)?).ok(),
            Template::Binary(prim, both) => Term::binary(*prim, self.fill(&both[0])?, self.fill(&both[1])?).ok(),
        }
    }

    fn all(&self, templates: &[Template]) -> Option<Vec<Term>> {
        templates.iter().map(|template| self.fill(template)).collect()
    }

    /// `e(…)`: the body that e stands for, with the arguments in place of its variables.
    fn applied(&self, j: usize, arguments: &[Template], under: u32) -> Option<Term> {
        let mut done = self.body(j).shift_from(arguments.len() as u32, under);
        if let [only] = arguments {
            return done.instantiate(&self.fill(only)?).ok();
        }
        for (k, argument) in self.all(arguments)?.iter().enumerate().rev() {
            done = done.instantiate(&argument.shift(k as u32)).ok()?;
        }
        Some(done)
    }

    fn hint<'b>(&'b self, hint: &'b Hint) -> &'b Name {
        match hint {
            Hint::Own(name) => name,
            Hint::Of(node, law) => match self.part(*node).kind() {
                Kind::Lam(name, _) | Kind::Let(name) => name,
                _ => law,
            },
        }
    }

    fn type_of(&self, ty: &TypeOf) -> Option<Type> {
        match ty {
            TypeOf::Closed(ty) => Some(ty.clone()),
            TypeOf::Read(read) => self.ty(read).cloned(),
            TypeOf::Solved(ty) => ty.assign(self.solved()?, &mut TypeMemo::default()).ok(),
        }
    }

    pub(super) fn size_of(&self, size: &SizeOf) -> Option<Size> {
        match size {
            SizeOf::Closed(size) => Some(size.clone()),
            SizeOf::Read(read) => self.size(read).cloned(),
            SizeOf::Solved(size) => {
                let sizes = self.solved()?;
                size.replace(|atom| sizes.size(atom))
            }
        }
    }
}
