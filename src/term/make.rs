//! The only ways to make a term. Each checks types and sizes, so that a term can't be ill-typed.

use std::fmt;
use std::rc::Rc;

use smallvec::{SmallVec, smallvec};

use super::assemble::{assemble_one, assemble_two, exchange};
use super::embedding::Embedding;
use super::gather::assemble_many;
use super::kids::Kids;
use super::kind::Kind;
use super::leaf::leaf;
use super::node::Term;
use super::prim::Prim;
use super::size::{Atom, Size};
use super::types::{Type, TypeView};
use crate::ground::Name;

/// Why a term can't be made: what was to be made, what its parts had to be, what they are. Made rarely, handed on often,
/// so that it is one word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IllTyped(Box<Clash>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Clash {
    what: &'static str,
    expected: String,
    found: String,
}

impl fmt::Display for IllTyped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: expected {}, found {}", self.0.what, self.0.expected, self.0.found)
    }
}

#[cold]
fn refuse<T>(what: &'static str, expected: impl ToString, found: impl ToString) -> Result<T, IllTyped> {
    Err(IllTyped(Box::new(Clash { what, expected: expected.to_string(), found: found.to_string() })))
}

pub(super) fn same(what: &'static str, expected: &Type, found: &Type) -> Result<(), IllTyped> {
    if expected == found { Ok(()) } else { refuse(what, expected, found) }
}

/// The type of variable 0 in `body`, if it occurs, must be `ty`.
pub(super) fn binder(what: &'static str, ty: &Type, body: &Term) -> Result<(), IllTyped> {
    match body.free_at(0) {
        Some(free) => same(what, ty, free.ty),
        None => Ok(()),
    }
}

impl Term {
    /// The variable that is bound `index` binders further out, of type `ty`.
    pub fn var(index: u32, ty: &Type) -> Term {
        Term { node: leaf(Kind::Var, ty), env: Embedding::one(index) }
    }

    /// `fun (name : ty) => body`, body under one binder.
    pub fn lam(name: &Name, ty: &Type, body: Term) -> Result<Term, IllTyped> {
        let whole = Type::fun(ty.clone(), body.ty().clone());
        assemble_one(Kind::Lam(name.clone(), ty.clone()), body, whole)
    }

    /// `function argument`
    pub fn app(function: Term, argument: Term) -> Result<Term, IllTyped> {
        let TypeView::Fun(from, to) = function.ty().view() else {
            return refuse("application", "a function", function.ty());
        };
        same("argument", from, argument.ty())?;
        let to = to.clone();
        assemble_two(Kind::App, function, argument, to)
    }

    /// `let name := value; body`, body under one binder.
    pub fn let_in(name: &Name, value: Term, body: Term) -> Result<Term, IllTyped> {
        let ty = body.ty().clone();
        assemble_two(Kind::Let(name.clone()), value, body, ty)
    }

    /// `if condition then a else b`
    pub fn if_else(condition: Term, a: Term, b: Term) -> Result<Term, IllTyped> {
        if *condition.ty().view() != TypeView::Int {
            return refuse("condition", Type::int(), condition.ty());
        }
        same("else branch", a.ty(), b.ty())?;
        let ty = a.ty().clone();
        assemble_many(Kind::If, Kids::Many(Box::new([condition, a, b])), ty)
    }

    /// `ifold n f z` with `f : a -> fin n -> a` and `z : a`.
    pub fn ifold(n: Size, f: Term, z: Term) -> Result<Term, IllTyped> {
        let a = z.ty().clone();
        if !is_step(f.ty(), &a, &n) {
            return refuse("ifold body", Type::fun(a.clone(), Type::fun(Type::fin(n), a)), f.ty());
        }
        assemble_two(Kind::Ifold(n), f, z, a)
    }

    /// `build n f` with `f : fin n -> a`.
    pub fn build(n: Size, f: Term) -> Result<Term, IllTyped> {
        let TypeView::Fun(from, to) = f.ty().view() else {
            return refuse("build", "a function", f.ty());
        };
        if !is_below(from, &n) {
            return refuse("build body's parameter", Type::fin(n), from);
        }
        let ty = Type::array(n.clone(), to.clone());
        assemble_one(Kind::Build(n), f, ty)
    }

    /// `[e1, …, ek]`, all of type `element`.
    pub fn array(element: &Type, elements: Vec<Term>) -> Result<Term, IllTyped> {
        for e in &elements {
            same("array element", element, e.ty())?;
        }
        let ty = Type::array(Size::literal(elements.len() as u64), element.clone());
        assemble_many(Kind::Array(element.clone()), elements.into(), ty)
    }

    /// `array[index]`
    pub fn get(array: Term, index: Term) -> Result<Term, IllTyped> {
        let TypeView::Array(n, a) = array.ty().view() else {
            return refuse("indexing", "an array", array.ty());
        };
        if !is_below(index.ty(), n) {
            return refuse("index", Type::fin(n.clone()), index.ty());
        }
        let a = a.clone();
        assemble_two(Kind::Get, array, index, a)
    }

    /// `(a, b)`
    pub fn pair(a: Term, b: Term) -> Result<Term, IllTyped> {
        let ty = Type::pair(a.ty().clone(), b.ty().clone());
        assemble_two(Kind::Pair, a, b, ty)
    }

    /// `fst p`
    pub fn fst(p: Term) -> Result<Term, IllTyped> {
        let TypeView::Pair(a, _) = p.ty().view() else { return refuse("fst", "a pair", p.ty()) };
        let a = a.clone();
        assemble_one(Kind::Fst, p, a)
    }

    /// `snd p`
    pub fn snd(p: Term) -> Result<Term, IllTyped> {
        let TypeView::Pair(_, b) = p.ty().view() else { return refuse("snd", "a pair", p.ty()) };
        let b = b.clone();
        assemble_one(Kind::Snd, p, b)
    }

    /// A real constant.
    pub fn real(value: f64) -> Term {
        constant(Kind::Real(value), &Type::real())
    }

    /// An integer constant.
    pub fn int(value: i64) -> Term {
        constant(Kind::Int(value), &Type::int())
    }

    /// An index constant. Where `below` is open, the caller has checked that its least value is above `value`.
    pub fn fin(value: u64, below: Size) -> Result<Term, IllTyped> {
        match below.as_literal() {
            Some(n) if value >= n => refuse("index constant", format!("a number below {n}"), value),
            _ => {
                let ty = Type::fin(below.clone());
                Ok(constant(Kind::Fin(value, below), &ty))
            }
        }
    }

    /// A size used as an `int`: a size variable, a constant, or their sums and products.
    pub fn size_value(n: &Size) -> Term {
        let int = |a, op: Prim, b| Term::binary(op, a, b).unwrap_or_else(|_| Term::int(0));
        let mut sum: Option<Term> = None;
        for (monomial, coefficient) in n.terms() {
            let mut product = (coefficient != 1 || monomial.is_empty()).then(|| Term::int(coefficient as i64));
            for (atom, power) in monomial {
                let Atom::Var(name) = atom else { continue };
                for _ in 0..*power {
                    let factor = constant(Kind::SizeVar(name.clone()), &Type::int());
                    product = Some(match product {
                        Some(p) => int(p, Prim::Mul, factor),
                        None => factor,
                    });
                }
            }
            let product = product.unwrap_or_else(|| Term::int(1));
            sum = Some(match sum {
                Some(s) => int(s, Prim::Add, product),
                None => product,
            });
        }
        sum.unwrap_or_else(|| Term::int(0))
    }

    /// A primitive applied in full.
    pub fn prim(prim: Prim, operands: Vec<Term>) -> Result<Term, IllTyped> {
        Term::primitive(prim, operands.into())
    }

    fn primitive(prim: Prim, operands: Kids) -> Result<Term, IllTyped> {
        match operands {
            Kids::One([a]) => Term::unary(prim, a),
            Kids::Two([a, b]) => Term::binary(prim, a, b),
            other => refuse_operands(prim, &other),
        }
    }

    /// A primitive of one operand.
    pub fn unary(prim: Prim, operand: Term) -> Result<Term, IllTyped> {
        match result_of(prim, operand.ty(), None) {
            Some(ty) => assemble_one(Kind::Prim(prim), operand, ty),
            None => refuse_operands(prim, &[operand]),
        }
    }

    /// A primitive of two operands.
    pub fn binary(prim: Prim, a: Term, b: Term) -> Result<Term, IllTyped> {
        match result_of(prim, a.ty(), Some(b.ty())) {
            Some(ty) => assemble_two(Kind::Prim(prim), a, b, ty),
            None => refuse_operands(prim, &[a, b]),
        }
    }

    /// The same constructor around other children. Hints stay.
    pub fn with_kids(&self, mut kids: SmallVec<[Term; 2]>) -> Result<Term, IllTyped> {
        if kids.len() != self.kid_count() {
            return refuse("children", self.kid_count(), kids.len());
        }
        let mut next = || kids.remove(0);
        match self.kind() {
            Kind::Lam(x, ty) => Term::lam(x, ty, next()),
            Kind::App => Term::app(next(), next()),
            Kind::Let(x) => Term::let_in(x, next(), next()),
            Kind::If => Term::if_else(next(), next(), next()),
            Kind::Ifold(n) => Term::ifold(n.clone(), next(), next()),
            Kind::Build(n) => Term::build(n.clone(), next()),
            Kind::Array(ty) => Term::array(ty, kids.into_vec()),
            Kind::Get => Term::get(next(), next()),
            Kind::Pair => Term::pair(next(), next()),
            Kind::Fst => Term::fst(next()),
            Kind::Snd => Term::snd(next()),
            Kind::Prim(p) => Term::primitive(*p, kids.into()),
            Kind::Var | Kind::Real(_) | Kind::Int(_) | Kind::Fin(..) | Kind::SizeVar(_) => Ok(self.clone()),
        }
    }

    /// The same term with child `k` replaced; the very same object where nothing changes.
    pub fn with_kid(&self, k: usize, new: Term) -> Result<Term, IllTyped> {
        let node = &*self.node;
        let old = &node.kids[k];
        let stays = |new: &Term| old.env.is_within(&self.env, node.kind.binders(k), &new.env);
        if Rc::ptr_eq(&old.node, &new.node) && stays(&new) {
            return Ok(self.clone());
        }
        if old.ty() != new.ty() {
            return self.with_another(k, new);
        }
        if old.node.free.are(&new.node.free) && stays(&new) {
            return Ok(exchange(self, k, new));
        }
        // A child of the old one's type fits, but for a variable that is bound here.
        match &node.kids {
            Kids::One(_) => assemble_one(node.kind.clone(), new, node.ty.clone()),
            Kids::Two([_, b]) if k == 0 => {
                let b = b.within(&self.env, node.kind.binders(1));
                assemble_two(node.kind.clone(), new, b, node.ty.clone())
            }
            Kids::Two([a, _]) => assemble_two(node.kind.clone(), a.within(&self.env, 0), new, node.ty.clone()),
            _ => {
                let mut kids = self.kids();
                kids[k] = new;
                assemble_many(node.kind.clone(), kids.into(), node.ty.clone())
            }
        }
    }

    #[cold]
    fn with_another(&self, k: usize, new: Term) -> Result<Term, IllTyped> {
        let mut kids = self.kids();
        kids[k] = new;
        self.with_kids(kids)
    }

    /// The same constructor around other children, which are mostly of the old ones' types.
    pub(super) fn with_one(&self, a: Term) -> Result<Term, IllTyped> {
        match &self.node.kids {
            Kids::One([old]) if old.ty() == a.ty() => assemble_one(self.node.kind.clone(), a, self.node.ty.clone()),
            _ => self.with_kids(smallvec![a]),
        }
    }

    /// As [`Term::with_one`].
    pub(super) fn with_two(&self, a: Term, b: Term) -> Result<Term, IllTyped> {
        match &self.node.kids {
            Kids::Two([first, second]) if first.ty() == a.ty() && second.ty() == b.ty() => {
                assemble_two(self.node.kind.clone(), a, b, self.node.ty.clone())
            }
            _ => self.with_kids(smallvec![a, b]),
        }
    }
}

fn constant(kind: Kind, ty: &Type) -> Term {
    Term { node: leaf(kind, ty), env: Embedding::EMPTY }
}

#[cold]
fn refuse_operands<T>(prim: Prim, operands: &[Term]) -> Result<T, IllTyped> {
    let found: Vec<String> = operands.iter().map(|o| o.ty().to_string()).collect();
    refuse("operands", format!("what `{}` takes", prim.text()), found.join(" and "))
}

/// Whether it is `fin n`.
fn is_below(ty: &Type, n: &Size) -> bool {
    matches!(ty.view(), TypeView::Fin(m) if m == n)
}

/// Whether it is `a -> fin n -> a`.
fn is_step(ty: &Type, a: &Type, n: &Size) -> bool {
    let TypeView::Fun(from, rest) = ty.view() else { return false };
    matches!(rest.view(), TypeView::Fun(index, to) if from == a && is_below(index, n) && to == a)
}

/// The type of a primitive's result, if it takes operands of these types.
pub fn result_type(prim: Prim, operands: &[Type]) -> Option<Type> {
    match operands {
        [a] => result_of(prim, a, None),
        [a, b] => result_of(prim, a, Some(b)),
        _ => None,
    }
}

fn result_of(prim: Prim, first: &Type, second: Option<&Type>) -> Option<Type> {
    use TypeView::{Fin, Int, Real};
    if prim.arity() != 1 + usize::from(second.is_some()) {
        return None;
    }
    match (prim, first.view(), second.map(Type::view)) {
        (Prim::Add, Fin(n), Some(Fin(m))) => n.plus(m).map(Type::fin),
        (Prim::Offset(c), Fin(n), None) => n.plus(&Size::literal(c)).map(Type::fin),
        (Prim::Add | Prim::Sub | Prim::Mul, Int, Some(Int)) | (Prim::Neg, Int, None) => Some(first.clone()),
        (Prim::Add | Prim::Sub | Prim::Mul | Prim::Div | Prim::Min | Prim::Max, Real, Some(Real)) => {
            Some(first.clone())
        }
        (
            Prim::Neg
            | Prim::Exp
            | Prim::Log
            | Prim::Sqrt
            | Prim::Sin
            | Prim::Cos
            | Prim::Tanh
            | Prim::Abs
            | Prim::Lgamma
            | Prim::Digamma,
            Real,
            None,
        ) => Some(first.clone()),
        (Prim::Pow, Real, Some(Int | Fin(_))) => Some(first.clone()),
        (Prim::Lt | Prim::Le | Prim::Gt | Prim::Ge | Prim::Eq | Prim::Ne, a, Some(b)) => {
            matches!((a, b), (Real, Real) | (Int, Int) | (Fin(_), Fin(_))).then(Type::int)
        }
        (Prim::And | Prim::Or, Int, Some(Int)) | (Prim::Not, Int, None) => Some(first.clone()),
        (Prim::ToReal, Int | Fin(_), None) => Some(Type::real()),
        (Prim::ToInt, Fin(_), None) => Some(Type::int()),
        _ => None,
    }
}
