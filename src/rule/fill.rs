//! The right side of a law, filled in with what matched. Where it fails, a size can't be represented, but for bugs.

use crate::ground::Name;
use crate::term::{Assignment, Kind, Size, Term, Type, TypeMemo};

use super::fits::{SizeOf, TypeOf};
use super::look::Miss;
use super::plan::Way;
use super::scene::Scene;
use super::template::{Hint, Template};

/// What is put in most often goes where it is wanted without a call, and without a result on the way.
macro_rules! filled {
    ($scene:ident, $template:expr) => {
        match $template {
            Template::Put { way, to, under } => $scene.moved(way, *under, |index| to[index as usize]),
            other => $scene.make(other)?,
        }
    };
}

impl Scene<'_> {
    /// The contractum.
    #[inline(always)]
    pub(super) fn right_side(&self) -> Result<Term, Miss> {
        match &self.plan.right {
            Template::Put { way, to, under } => Ok(self.put(way, to, *under)),
            other => self.make(other),
        }
    }

    #[inline(never)]
    fn put(&self, way: &Way, to: &[u32], under: u32) -> Term {
        self.moved(way, under, |index| to[index as usize])
    }

    fn make(&self, template: &Template) -> Result<Term, Miss> {
        let (Template::App(both) | Template::Let(_, both) | Template::Binary(_, both)) = template else {
            return self.make_rarer(template);
        };
        let (a, b) = (filled!(self, &both[0]), filled!(self, &both[1]));
        let made = match template {
            Template::Let(hint, _) => Term::let_in(self.hint(hint), a, b),
            Template::Binary(prim, _) => Term::binary(*prim, a, b),
            _ => Term::app(a, b),
        };
        made.map_err(|_| Miss::Near)
    }

    #[inline(never)]
    fn make_rarer(&self, template: &Template) -> Result<Term, Miss> {
        let made = match template {
            Template::App(_) | Template::Let(..) | Template::Binary(..) => return self.make(template),
            Template::Put { way, to, under } => Ok(self.put(way, to, *under)),
            Template::Constant(term) => Ok(term.clone()),
            Template::PutProjected { var, to, under } => {
                let arity = to.len() as u32;
                let place = |index| if index < arity { to[index as usize] } else { index - arity + under };
                Ok(self.projected(*var).placed(place))
            }
            Template::Applied { var, arguments, under } => return self.applied(*var, arguments, *under),
            Template::Bound(index, ty) => Ok(Term::var(*index, &self.type_of(ty)?)),
            Template::Size(size) => Ok(Term::size_value(&self.filled(size)?)),
            Template::Fin(c, size) => Term::fin(*c, self.filled(size)?),
            Template::Lam(hint, ty, body) => Term::lam(self.hint(hint), &self.type_of(ty)?, self.make(body)?),
            Template::Ifold(n, both) => Term::ifold(self.filled(n)?, self.make(&both[0])?, self.make(&both[1])?),
            Template::Build(n, f) => Term::build(self.filled(n)?, self.make(f)?),
            Template::Array(ty, elements) => Term::array(&self.type_of(ty)?, self.all(elements)?),
            Template::Get(both) => Term::get(self.make(&both[0])?, self.make(&both[1])?),
            Template::Pair(both) => Term::pair(self.make(&both[0])?, self.make(&both[1])?),
            Template::If(all) => Term::if_else(self.make(&all[0])?, self.make(&all[1])?, self.make(&all[2])?),
            Template::Fst(p) => Term::fst(self.make(p)?),
            Template::Snd(p) => Term::snd(self.make(p)?),
            Template::Unary(prim, operand) => Term::unary(*prim, self.make(operand)?),
        };
        made.map_err(|_| Miss::Near)
    }

    fn all(&self, templates: &[Template]) -> Result<Vec<Term>, Miss> {
        templates.iter().map(|template| self.make(template)).collect()
    }

    /// `e(…)`: the body that e stands for, with the arguments in place of its variables.
    fn applied(&self, j: usize, arguments: &[Template], under: u32) -> Result<Term, Miss> {
        let mut done = self.body(j).shift_from(arguments.len() as u32, under);
        if let [only] = arguments {
            return done.instantiate(&self.make(only)?).map_err(|_| Miss::Near);
        }
        for (k, argument) in self.all(arguments)?.iter().enumerate().rev() {
            done = done.instantiate(&argument.shift(k as u32)).map_err(|_| Miss::Near)?;
        }
        Ok(done)
    }

    fn hint<'b>(&'b self, hint: &'b Hint) -> &'b Name {
        match hint {
            Hint::Own(name) => name,
            Hint::Of(node, law) => match self.part(*node).node().kind() {
                Kind::Lam(name, _) | Kind::Let(name) => name,
                _ => law,
            },
        }
    }

    fn type_of(&self, ty: &TypeOf) -> Result<Type, Miss> {
        let found = match ty {
            TypeOf::Closed(ty) => Some(ty.clone()),
            TypeOf::Read(read) => self.ty(read).cloned(),
            TypeOf::Solved(ty) => self.solved().and_then(|by| ty.assign(by, &mut TypeMemo::default()).ok()),
        };
        found.ok_or(Miss::Near)
    }

    fn filled(&self, size: &SizeOf) -> Result<Size, Miss> {
        self.size_of(size).ok_or(Miss::Near)
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
