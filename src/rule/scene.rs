//! A term that has the form of a law's left side, and what is made of it. Nothing is copied before the right side is.

use std::mem::discriminant;

use smallvec::SmallVec;

use crate::ground::Name;
use crate::term::{Assignment, Atom, Bounds, Kind, Size, Term, Type, TypeMemo, TypeView};

use super::abstraction::abstract_over;
use super::condition::Found;
use super::look::Miss;
use super::plan::{Arguments, Binding, Fit, Fits, Plan, SizeOf, Test, TypeOf};
use super::sizes::Sizes;
use super::template::{Hint, Template};
use super::typing::{Equation, From, Read, Step};

/// What matched.
pub(super) struct Scene<'a> {
    plan: &'a Plan,
    root: &'a Term,
    /// For each node of the left side the term's, as its parent holds it.
    parts: SmallVec<[&'a Term; 16]>,
    /// What stands for variables with projections for arguments.
    projected: SmallVec<[(usize, Term); 1]>,
    /// What the law's sizes and types are, where that had to be solved.
    solved: Option<Box<Sizes>>,
}

/// Where a variable of a part is bound.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// By the left side: the index, seen from the part.
    Inner(u32),
    /// Around the term: the index, seen from its root.
    Outer(u32),
}

/// A size of the right side is too large.
struct TooLarge;

impl<'a> Scene<'a> {
    /// The term as the left side sees it, if it matches; conditions apart.
    pub(super) fn new(plan: &'a Plan, root: &'a Term) -> Result<Scene<'a>, Miss> {
        let mut scene = Scene { plan, root, parts: SmallVec::new(), projected: SmallVec::new(), solved: None };
        scene.form().ok_or(Miss::Near)?;
        scene.variables()?;
        scene.types()?;
        Ok(scene)
    }

    /// The constructors and bound variables.
    fn form(&mut self) -> Option<()> {
        for (at, node) in self.plan.nodes.iter().enumerate() {
            let part = if at == 0 { self.root } else { self.parts[node.parent].part(node.kid) };
            self.parts.push(part);
            let fits = match (&node.test, part.kind()) {
                (Test::Variable(_) | Test::Size, _) => true,
                (Test::Head(head), kind) => kind.head() == *head,
                (Test::Array(elements), Kind::Array(_)) => part.kid_count() == *elements,
                (Test::Offset(c), Kind::Prim(crate::term::Prim::Offset(d))) => c == d,
                (Test::Real(bits), Kind::Real(x)) => x.to_bits() == *bits,
                (Test::Int(k), Kind::Int(l)) => k == l,
                (Test::Fin(k), Kind::Fin(l, _)) => k == l,
                (Test::Bound(binder), Kind::Var) => {
                    let under = node.under - self.plan.nodes[*binder].under - 1;
                    self.place(at, 0) == Place::Inner(under)
                }
                _ => false,
            };
            if !fits {
                return None;
            }
        }
        Some(())
    }

    /// Where free variable number `p` of the part at a node is bound.
    fn place(&self, at: usize, p: usize) -> Place {
        let (mut at, mut p, mut passed) = (at, p, 0);
        while at != 0 {
            let node = &self.plan.nodes[at];
            let index = self.parts[at].places()[p];
            let Some(outer) = index.checked_sub(node.binders) else { return Place::Inner(index + passed) };
            (at, p, passed) = (node.parent, outer as usize, passed + node.binders);
        }
        Place::Outer(self.root.places()[p])
    }

    /// What stands for variables: that it mentions what it may, and is the same wherever one stands.
    fn variables(&mut self) -> Result<(), Miss> {
        for (j, binding) in self.plan.vars.iter().enumerate() {
            match &binding.arguments {
                Arguments::Plain(places) => self.mentions(binding.node, places)?,
                Arguments::Projected(arguments) => {
                    let body = self.projected(binding.node, arguments).ok_or(Miss::Deep)?;
                    self.projected.push((j, body));
                }
            }
        }
        for (j, again) in &self.plan.again {
            if let Arguments::Plain(places) = &again.arguments {
                self.mentions(again.node, places)?;
            }
            self.same(*j, again)?;
        }
        Ok(())
    }

    /// That the part mentions only binders that have a place.
    fn mentions(&self, at: usize, places: &[Option<u32>]) -> Result<(), Miss> {
        if places.iter().all(Option::is_some) {
            return Ok(());
        }
        let allowed = |p| match self.place(at, p) {
            Place::Inner(index) => places[index as usize].is_some(),
            Place::Outer(_) => true,
        };
        if (0..self.parts[at].places().len()).all(allowed) { Ok(()) } else { Err(Miss::Near) }
    }

    fn projected(&self, at: usize, arguments: &[Term]) -> Option<Term> {
        let under = self.plan.nodes[at].under;
        let mut p = 0;
        let here = self.parts[at].placed(|_| {
            p += 1;
            match self.place(at, p - 1) {
                Place::Inner(index) => index,
                Place::Outer(index) => index + under,
            }
        });
        abstract_over(&here, under, arguments)
    }

    /// That the variable stands for the same here as where it first stood.
    fn same(&self, j: usize, again: &Binding) -> Result<(), Miss> {
        let first = &self.plan.vars[j];
        let both = [first, again].map(|binding| match &binding.arguments {
            Arguments::Plain(_) => None,
            Arguments::Projected(arguments) => Some(arguments),
        });
        if let [None, None] = both {
            let (a, b) = (self.parts[first.node], self.parts[again.node]);
            let index = |binding: &Binding, p: usize| self.index(binding, p);
            let same = a.equals_in_form(b) && (0..a.places().len()).all(|p| index(first, p) == index(again, p));
            return if same { Ok(()) } else { Err(Miss::Deep) };
        }
        let other = match both[1] {
            Some(arguments) => self.projected(again.node, arguments).ok_or(Miss::Deep)?,
            None => self.moved(again, |index| index),
        };
        if self.body(j, |index| index) == other { Ok(()) } else { Err(Miss::Deep) }
    }

    /// The index of free variable number `p` of what stands for a variable, under as many binders as that takes
    /// arguments.
    fn index(&self, binding: &Binding, p: usize) -> u32 {
        match (self.place(binding.node, p), &binding.arguments) {
            (Place::Outer(index), _) => index + binding.arity,
            (Place::Inner(index), Arguments::Plain(places)) => places[index as usize].unwrap_or(0),
            (Place::Inner(index), Arguments::Projected(_)) => index,
        }
    }

    fn moved(&self, binding: &Binding, to: impl Fn(u32) -> u32) -> Term {
        let mut p = 0;
        self.parts[binding.node].placed(|_| {
            p += 1;
            to(self.index(binding, p - 1))
        })
    }

    /// What stands for a variable of the law, its indices moved.
    fn body(&self, j: usize, to: impl Fn(u32) -> u32) -> Term {
        match self.projected.iter().find(|(k, _)| *k == j) {
            Some((_, body)) => body.placed(to),
            None => self.moved(&self.plan.vars[j], to),
        }
    }

    fn types(&mut self) -> Result<(), Miss> {
        match &self.plan.fits {
            Fits::Plain(all) => {
                if all.iter().all(|fit| self.fit(fit)) {
                    Ok(())
                } else {
                    Err(Miss::Near)
                }
            }
            Fits::Solved(equations) => {
                let (solved, near) = (self.solve(equations), |e: &Equation| !matches!(e, Equation::Value(..)));
                self.solved = Some(Box::new(solved.ok_or_else(|| Miss::when(!equations.iter().all(near)))?));
                Ok(())
            }
        }
    }

    fn fit(&self, fit: &Fit) -> bool {
        match fit {
            Fit::Type(ty, read) => self.ty(read) == Some(ty),
            Fit::Form(form, read) => self.ty(read).is_some_and(|ty| discriminant(ty.view()) == *form),
            Fit::SameType(a, b) => self.ty(a).is_some_and(|ty| Some(ty) == self.ty(b)),
            Fit::Size(size, read) => self.size(read) == Some(size),
            Fit::SameSize(a, b) => self.size(a).is_some_and(|size| Some(size) == self.size(b)),
        }
    }

    fn solve(&self, equations: &[Equation]) -> Option<Sizes> {
        let mut sizes = Sizes::default();
        for equation in equations {
            match equation {
                Equation::Type(ty, read) => sizes.types(ty, self.ty(read)?).ok()?,
                Equation::Size(size, read) => sizes.equation(size, self.size(read)?).ok()?,
                Equation::Value(size, at) => {
                    let Some(Atom::Var(name)) = size.as_atom() else { return None };
                    sizes.value(name, self.parts[*at]).ok()?;
                }
            }
        }
        sizes.solve().ok()?;
        Some(sizes)
    }

    /// Whether sizes are at least what the law needs, whatever the open sizes are.
    pub(super) fn within(&self, bounds: &Bounds) -> bool {
        self.plan.bounds.iter().all(|(size, lower)| self.known(size).is_none_or(|size| size.least(bounds) >= *lower))
    }

    /// A size of the law, if the left side says what it is.
    fn known(&self, size: &SizeOf) -> Option<Size> {
        match (size, &self.solved) {
            (SizeOf::Solved(size), Some(sizes)) => sizes.known(size),
            _ => self.size_of(size).ok(),
        }
    }

    /// The type that stands there.
    fn ty(&self, read: &Read) -> Option<&'a Type> {
        let part = self.parts[read.node];
        let held = match (read.from, part.kind()) {
            (From::Type, _) => part.ty(),
            (_, Kind::Lam(_, ty) | Kind::Array(ty)) => ty,
            _ => return None,
        };
        into(held, &read.steps)
    }

    /// The size that stands there.
    fn size(&self, read: &Read) -> Option<&'a Size> {
        let part = self.parts[read.node];
        let held = match (read.from, part.kind()) {
            (From::Size, Kind::Ifold(n) | Kind::Build(n) | Kind::Fin(_, n)) => return Some(n),
            (From::Held, Kind::Lam(_, ty) | Kind::Array(ty)) => ty,
            (From::Type, _) => part.ty(),
            _ => return None,
        };
        let (_, steps) = read.steps.split_last()?;
        match into(held, steps)?.view() {
            TypeView::Fin(n) | TypeView::Array(n, _) => Some(n),
            _ => None,
        }
    }
}

impl Found for Scene<'_> {
    fn term(&self, j: usize) -> Option<Term> {
        Some(self.body(j, |index| index))
    }

    fn size(&self, name: &Name) -> Option<Size> {
        let (_, size) = self.plan.sizes.iter().find(|(known, _)| known == name)?;
        self.known(size)
    }
}

fn into<'a>(ty: &'a Type, steps: &[Step]) -> Option<&'a Type> {
    steps.iter().try_fold(ty, |ty, step| match (ty.view(), step) {
        (TypeView::Array(_, a), Step::First) => Some(a),
        (TypeView::Pair(a, _) | TypeView::Fun(a, _), Step::First) => Some(a),
        (TypeView::Pair(_, b) | TypeView::Fun(_, b), Step::Second) => Some(b),
        _ => None,
    })
}

/// The right side.
impl Scene<'_> {
    /// The contractum. It fails where a size can't be represented, and otherwise only by a bug.
    pub(super) fn right_side(&self) -> Option<Term> {
        self.make(&self.plan.right).ok()
    }

    fn make(&self, template: &Template) -> Result<Term, TooLarge> {
        let two = |both: &[Template; 2]| Ok((self.make(&both[0])?, self.make(&both[1])?));
        let made = match template {
            Template::Constant(term) => return Ok(term.clone()),
            Template::Put { var, to, under } => return Ok(self.put(*var, to, *under)),
            Template::Applied { var, arguments, under } => return self.applied(*var, arguments, *under),
            Template::Bound(index, ty) => return Ok(Term::var(*index, &self.type_of(ty)?)),
            Template::Size(size) => return Ok(Term::size_value(&self.size_of(size)?)),
            Template::Fin(c, size) => Term::fin(*c, self.size_of(size)?),
            Template::Lam(hint, ty, body) => Term::lam(self.hint(hint), &self.type_of(ty)?, self.make(body)?),
            Template::Let(hint, both) => {
                let (value, body) = two(both)?;
                Term::let_in(self.hint(hint), value, body)
            }
            Template::Ifold(n, both) => {
                let (f, z) = two(both)?;
                Term::ifold(self.size_of(n)?, f, z)
            }
            Template::Build(n, f) => Term::build(self.size_of(n)?, self.make(f)?),
            Template::Array(ty, elements) => Term::array(&self.type_of(ty)?, self.all(elements)?),
            Template::App(both) => {
                let (f, a) = two(both)?;
                Term::app(f, a)
            }
            Template::Get(both) => {
                let (array, index) = two(both)?;
                Term::get(array, index)
            }
            Template::Pair(both) => {
                let (a, b) = two(both)?;
                Term::pair(a, b)
            }
            Template::If(all) => Term::if_else(self.make(&all[0])?, self.make(&all[1])?, self.make(&all[2])?),
            Template::Fst(p) => Term::fst(self.make(p)?),
            Template::Snd(p) => Term::snd(self.make(p)?),
            Template::Prim(prim, operands) => Term::prim(*prim, self.all(operands)?),
        };
        made.map_err(|_| TooLarge)
    }

    fn all(&self, templates: &[Template]) -> Result<Vec<Term>, TooLarge> {
        templates.iter().map(|template| self.make(template)).collect()
    }

    /// What stands for a variable, its own variables made those of the right side.
    fn put(&self, j: usize, to: &[u32], under: u32) -> Term {
        let arity = to.len() as u32;
        self.body(j, |index| if index < arity { to[index as usize] } else { index - arity + under })
    }

    fn applied(&self, j: usize, arguments: &[Template], under: u32) -> Result<Term, TooLarge> {
        let arity = arguments.len() as u32;
        let mut done = self.body(j, |index| if index < arity { index } else { index + under });
        for (k, argument) in self.all(arguments)?.iter().enumerate().rev() {
            done = done.instantiate(&argument.shift(k as u32)).map_err(|_| TooLarge)?;
        }
        Ok(done)
    }

    fn hint<'b>(&'b self, hint: &'b Hint) -> &'b Name {
        match hint {
            Hint::Own(name) => name,
            Hint::Of(node) => match (self.parts[*node].kind(), self.plan.nodes[*node].law.kind()) {
                (Kind::Lam(name, _) | Kind::Let(name), _) | (_, Kind::Lam(name, _) | Kind::Let(name)) => name,
                _ => unreachable!("only binders have names"),
            },
        }
    }

    fn type_of(&self, ty: &TypeOf) -> Result<Type, TooLarge> {
        match ty {
            TypeOf::Closed(ty) => Ok(ty.clone()),
            TypeOf::Read(read) => self.ty(read).cloned().ok_or(TooLarge),
            TypeOf::Solved(ty) => {
                let sizes = self.solved.as_deref().ok_or(TooLarge)?;
                ty.assign(sizes, &mut TypeMemo::default()).map_err(|_| TooLarge)
            }
        }
    }

    fn size_of(&self, size: &SizeOf) -> Result<Size, TooLarge> {
        match size {
            SizeOf::Closed(size) => Ok(size.clone()),
            SizeOf::Read(read) => self.size(read).cloned().ok_or(TooLarge),
            SizeOf::Solved(size) => {
                let sizes = self.solved.as_deref().ok_or(TooLarge)?;
                size.replace(|atom| sizes.size(atom)).ok_or(TooLarge)
            }
        }
    }
}
