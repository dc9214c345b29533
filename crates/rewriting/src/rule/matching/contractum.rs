//! Makes the contractum: fills a law's right side in with what matched. It fails only where a size can't be represented, but for
//! bugs.

use redexter_language::ground::Name;
use redexter_language::term::{Assignment, Prim, Size, Term, Type, TypeMemo};

use super::super::law::applied;
use super::MovedTerm;
use super::attempt::Match;
use super::constraint::{SizeOf, TypeOf};
use super::obstacle::Obstacle;
use super::template::{BinaryForm, BinderName, RightTemplate};

impl Match<'_> {
    /// The contractum.
    #[inline(always)]
    pub(super) fn right_side(&self) -> Result<Term, Obstacle> {
        match &self.law.right {
            RightTemplate::Put(put) => Ok(self.put_alone(put)),
            RightTemplate::Puts(joint, both) => self.puts(joint, both),
            other => self.make(other),
        }
    }

    #[inline(never)]
    fn puts(&self, joint: &BinaryForm, both: &[MovedTerm; 2]) -> Result<Term, Obstacle> {
        let a = self.put(&both[0]);
        let b = self.put(&both[1]);
        self.join(joint, a, b)
    }

    #[inline(always)]
    fn join(&self, joint: &BinaryForm, a: Term, b: Term) -> Result<Term, Obstacle> {
        let made = match joint {
            BinaryForm::App => Term::app(a, b),
            BinaryForm::Let(hint) => Term::let_in(self.hint(hint), a, b),
            BinaryForm::Binary(prim) => Term::binary(*prim, a, b),
            BinaryForm::Ifold(n) => Term::ifold(self.filled(n)?, a, b),
            BinaryForm::Scan(n, is_reversed) => Term::scan(self.filled(n)?, *is_reversed, a, b),
            BinaryForm::Get => Term::get(a, b),
            BinaryForm::Pair => Term::pair(a, b),
            BinaryForm::Pull => Term::pull(a, b),
            BinaryForm::Plus => Term::plus(a, b),
        };
        made.map_err(|_| Obstacle::TooLarge)
    }

    fn make(&self, template: &RightTemplate) -> Result<Term, Obstacle> {
        let made = match template {
            RightTemplate::Put(put) => Ok(self.put_alone(put)),
            RightTemplate::Puts(joint, both) => return self.puts(joint, both),
            RightTemplate::Two(joint, both) => return self.join(joint, self.make(&both[0])?, self.make(&both[1])?),
            RightTemplate::Constant(term) => Ok(term.clone()),
            RightTemplate::PutProjected { var, to, under } => {
                // The body's own variables become the right side's; all others leave the body's scope for that of this place.
                let arity = to.len() as u32;
                let place = |index| if index < arity { to[index as usize] } else { index - arity + under };
                Ok(self.projected(*var).placed(place))
            }
            RightTemplate::Applied { var, arguments, under } => return self.applied(*var, arguments, *under),
            RightTemplate::Bound(index, ty) => Ok(Term::var(*index, &self.type_of(ty)?)),
            RightTemplate::Size(size) => Ok(Term::size_value(&self.filled(size)?)),
            RightTemplate::Fin(c, size) => Term::fin(*c, self.filled(size)?),
            RightTemplate::Lam(hint, ty, body) => Term::lam(self.hint(hint), &self.type_of(ty)?, self.make(body)?),
            RightTemplate::Build(n, f) => Term::build(self.filled(n)?, self.make(f)?),
            RightTemplate::Scatter(places, rounds, f) => {
                Term::scatter(self.filled(places)?, self.filled(rounds)?, self.make(f)?)
            }
            RightTemplate::Array(ty, elements) => Term::array(&self.type_of(ty)?, self.all(elements)?),
            RightTemplate::If(all) => Term::if_else(self.make(&all[0])?, self.make(&all[1])?, self.make(&all[2])?),
            RightTemplate::Guard(hint, n, all) => {
                let [number, inside, other] = &**all;
                let (n, number, inside) = (self.filled(n)?, self.make(number)?, self.make(inside)?);
                Term::guard(self.hint(hint), n, number, inside, self.make(other)?)
            }
            RightTemplate::Within(n, number) => Term::within(self.filled(n)?, self.make(number)?),
            RightTemplate::Fst(p) => Term::fst(self.make(p)?),
            RightTemplate::Snd(p) => Term::snd(self.make(p)?),
            RightTemplate::Unary(Prim::ToReal, operand) if let RightTemplate::Size(size) = operand.as_ref() => {
                Ok(Term::real_size(&self.filled(size)?))
            }
            RightTemplate::Unary(prim, operand) => Term::unary(*prim, self.make(operand)?),
        };
        made.map_err(|_| Obstacle::TooLarge)
    }

    fn all(&self, templates: &[RightTemplate]) -> Result<Vec<Term>, Obstacle> {
        templates.iter().map(|template| self.make(template)).collect()
    }

    /// `e(…)`: the body that e stands for, with the arguments in place of its variables.
    fn applied(&self, j: usize, arguments: &[RightTemplate], under: u32) -> Result<Term, Obstacle> {
        // The arguments stand under the right side's binders, so that the body's outer variables must pass those, too.
        let body = self.body(j).shift_from(arguments.len() as u32, under);
        match arguments {
            [only] => body.instantiate(&self.make(only)?),
            all => applied(&body, &self.all(all)?),
        }
        .map_err(|_| Obstacle::TooLarge)
    }

    #[inline(always)]
    fn hint<'b>(&'b self, hint: &'b BinderName) -> &'b Name {
        match hint {
            BinderName::Own(name) => name,
            BinderName::Of(node, law) => self.parts[*node].node().kind().hint().unwrap_or(law),
        }
    }

    fn type_of(&self, ty: &TypeOf) -> Result<Type, Obstacle> {
        let found = match ty {
            TypeOf::Closed(ty) => Some(ty.clone()),
            TypeOf::Read(read) => self.ty(read).cloned(),
            TypeOf::Solved(ty) => self.solved().and_then(|by| ty.assign(&by.bindings, &mut TypeMemo::default()).ok()),
        };
        found.ok_or(Obstacle::TooLarge)
    }

    fn filled(&self, size: &SizeOf) -> Result<Size, Obstacle> {
        self.size_of(size).ok_or(Obstacle::TooLarge)
    }

    pub(super) fn size_of(&self, size: &SizeOf) -> Option<Size> {
        match size {
            SizeOf::Closed(size) => Some(size.clone()),
            SizeOf::Read(read) => self.size(read).cloned(),
            SizeOf::Solved(size) => {
                let by = self.solved()?;
                size.replace(|atom| by.bindings.size(atom))
            }
        }
    }
}
