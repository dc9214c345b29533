//! The only ways to make a term. Each checks types and sizes, so that a term can't be ill-typed.

use std::cell::Cell;
use std::collections::HashMap;
use std::fmt;

use smallvec::{SmallVec, smallvec};

use super::node::{Free, Kind, Node, Term};
use super::prim::Prim;
use super::print::Mix;
use super::size::{Atom, Size};
use super::types::{Type, TypeView};
use crate::ground::Name;

/// Why a term can't be made: what was to be made, what its parts had to be, what they are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IllTyped {
    /// The construct.
    pub what: &'static str,
    /// What is needed.
    pub expected: String,
    /// What is there.
    pub found: String,
}

impl fmt::Display for IllTyped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: expected {}, found {}", self.what, self.expected, self.found)
    }
}

fn refuse<T>(what: &'static str, expected: impl ToString, found: impl ToString) -> Result<T, IllTyped> {
    Err(IllTyped { what, expected: expected.to_string(), found: found.to_string() })
}

fn same(what: &'static str, expected: &Type, found: &Type) -> Result<(), IllTyped> {
    if expected == found { Ok(()) } else { refuse(what, expected, found) }
}

/// The type of variable 0 in `body`, if it occurs, must be `ty`.
fn binder(what: &'static str, ty: &Type, body: &Term) -> Result<(), IllTyped> {
    match body.free_at(0) {
        Some(free) => same(what, ty, &free.ty),
        None => Ok(()),
    }
}

/// One variable must have one type in all children.
fn make(what: &'static str, kind: Kind, kids: SmallVec<[Term; 2]>, ty: Type) -> Result<Term, IllTyped> {
    if kids.len() > 2 || kids.iter().any(|kid| kid.free().len() > 8) {
        let mut seen: HashMap<u32, Type> = HashMap::new();
        for (k, kid) in kids.iter().enumerate() {
            for (index, free) in kid.free() {
                if let Some(outer) = index.checked_sub(kind.binders(k)) {
                    same(what, seen.entry(outer).or_insert_with(|| free.ty.clone()), &free.ty)?;
                }
            }
        }
    } else if let [first, second] = &kids[..] {
        for (index, free) in second.free() {
            if let Some(outer) = index.checked_sub(kind.binders(1))
                && let Some(other) = first.free_at(outer)
            {
                same(what, &other.ty, &free.ty)?;
            }
        }
    }
    Ok(Node::assemble(kind, kids, ty))
}

impl Term {
    /// The variable that is bound `index` binders further out, of type `ty`.
    pub fn var(index: u32, ty: &Type) -> Term {
        let mut mix = Mix::new();
        mix.tag(1);
        mix.wide(ty.print());
        let free = smallvec![Free { ty: ty.clone(), count: 1, looped: false }];
        let node = Node {
            kind: Kind::Var,
            kids: SmallVec::new(),
            free,
            open: ty.is_open(),
            ty: ty.clone(),
            print: mix.finish(),
            shape: Kind::Var.own_shape(),
            mark: Cell::new(0),
            size: 1,
            depth: 1,
        };
        Term { node: std::rc::Rc::new(node), env: smallvec![index] }
    }

    /// `fun (name : ty) => body`, body under one binder.
    pub fn lam(name: &Name, ty: &Type, body: Term) -> Result<Term, IllTyped> {
        binder("the parameter of fun", ty, &body)?;
        let whole = Type::fun(ty.clone(), body.ty().clone());
        Ok(Node::assemble(Kind::Lam(name.clone(), ty.clone()), smallvec![body], whole))
    }

    /// `function argument`
    pub fn app(function: Term, argument: Term) -> Result<Term, IllTyped> {
        let TypeView::Fun(from, to) = function.ty().view().clone() else {
            return refuse("application", "a function", function.ty());
        };
        same("argument", &from, argument.ty())?;
        make("application", Kind::App, smallvec![function, argument], to)
    }

    /// `let name := value; body`, body under one binder.
    pub fn let_in(name: &Name, value: Term, body: Term) -> Result<Term, IllTyped> {
        binder("the variable of let", value.ty(), &body)?;
        let ty = body.ty().clone();
        make("let", Kind::Let(name.clone()), smallvec![value, body], ty)
    }

    /// `if condition then a else b`
    pub fn if_else(condition: Term, a: Term, b: Term) -> Result<Term, IllTyped> {
        same("condition", &Type::int(), condition.ty())?;
        same("else branch", a.ty(), b.ty())?;
        let ty = a.ty().clone();
        make("if", Kind::If, smallvec![condition, a, b], ty)
    }

    /// `ifold n f z` with `f : a -> fin n -> a` and `z : a`.
    pub fn ifold(n: Size, f: Term, z: Term) -> Result<Term, IllTyped> {
        let a = z.ty().clone();
        let step = Type::fun(a.clone(), Type::fun(Type::fin(n.clone()), a.clone()));
        same("ifold body", &step, f.ty())?;
        make("ifold", Kind::Ifold(n), smallvec![f, z], a)
    }

    /// `build n f` with `f : fin n -> a`.
    pub fn build(n: Size, f: Term) -> Result<Term, IllTyped> {
        let TypeView::Fun(from, to) = f.ty().view().clone() else {
            return refuse("build", "a function", f.ty());
        };
        same("build body's parameter", &Type::fin(n.clone()), &from)?;
        let ty = Type::array(n.clone(), to);
        make("build", Kind::Build(n), smallvec![f], ty)
    }

    /// `[e1, …, ek]`, all of type `element`.
    pub fn array(element: &Type, elements: Vec<Term>) -> Result<Term, IllTyped> {
        for e in &elements {
            same("array element", element, e.ty())?;
        }
        let ty = Type::array(Size::literal(elements.len() as u64), element.clone());
        make("array", Kind::Array(element.clone()), elements.into(), ty)
    }

    /// `array[index]`
    pub fn get(array: Term, index: Term) -> Result<Term, IllTyped> {
        let TypeView::Array(n, a) = array.ty().view().clone() else {
            return refuse("indexing", "an array", array.ty());
        };
        same("index", &Type::fin(n), index.ty())?;
        make("indexing", Kind::Get, smallvec![array, index], a)
    }

    /// `(a, b)`
    pub fn pair(a: Term, b: Term) -> Result<Term, IllTyped> {
        let ty = Type::pair(a.ty().clone(), b.ty().clone());
        make("pair", Kind::Pair, smallvec![a, b], ty)
    }

    /// `fst p`
    pub fn fst(p: Term) -> Result<Term, IllTyped> {
        match p.ty().view().clone() {
            TypeView::Pair(a, _) => make("fst", Kind::Fst, smallvec![p], a),
            _ => refuse("fst", "a pair", p.ty()),
        }
    }

    /// `snd p`
    pub fn snd(p: Term) -> Result<Term, IllTyped> {
        match p.ty().view().clone() {
            TypeView::Pair(_, b) => make("snd", Kind::Snd, smallvec![p], b),
            _ => refuse("snd", "a pair", p.ty()),
        }
    }

    /// A real constant.
    pub fn real(value: f64) -> Term {
        Node::assemble(Kind::Real(value), SmallVec::new(), Type::real())
    }

    /// An integer constant.
    pub fn int(value: i64) -> Term {
        Node::assemble(Kind::Int(value), SmallVec::new(), Type::int())
    }

    /// An index constant. Where `below` is open, the caller has checked that its least value is above `value`.
    pub fn fin(value: u64, below: Size) -> Result<Term, IllTyped> {
        match below.as_literal() {
            Some(n) if value >= n => refuse("index constant", format!("a number below {n}"), value),
            _ => {
                let ty = Type::fin(below.clone());
                Ok(Node::assemble(Kind::Fin(value, below), SmallVec::new(), ty))
            }
        }
    }

    /// A size used as an `int`: a size variable, a constant, or their sums and products.
    pub fn size_value(n: &Size) -> Term {
        let int = |a, op: Prim, b| Term::prim(op, vec![a, b]).unwrap_or_else(|_| Term::int(0));
        let mut sum: Option<Term> = None;
        for (monomial, coefficient) in n.terms() {
            let mut product = (coefficient != 1 || monomial.is_empty()).then(|| Term::int(coefficient as i64));
            for (atom, power) in monomial {
                let Atom::Var(name) = atom else { continue };
                for _ in 0..*power {
                    let factor = Node::assemble(Kind::SizeVar(name.clone()), SmallVec::new(), Type::int());
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
        let types: SmallVec<[Type; 2]> = operands.iter().map(|o| o.ty().clone()).collect();
        match result_type(prim, &types) {
            Some(ty) => make("operands", Kind::Prim(prim), operands.into(), ty),
            None => {
                let found: Vec<String> = types.iter().map(Type::to_string).collect();
                refuse("operands", format!("what `{}` takes", prim.text()), found.join(" and "))
            }
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
            Kind::Prim(p) => Term::prim(*p, kids.into_vec()),
            Kind::Var | Kind::Real(_) | Kind::Int(_) | Kind::Fin(..) | Kind::SizeVar(_) => Ok(self.clone()),
        }
    }

    /// The same term with child `k` replaced; the very same object where nothing changes.
    pub fn with_kid(&self, k: usize, new: Term) -> Result<Term, IllTyped> {
        let mut kids = self.kids();
        if kids[k].same(&new) {
            return Ok(self.clone());
        }
        kids[k] = new;
        self.with_kids(kids)
    }
}

/// The type of a primitive's result, if it takes operands of these types.
pub fn result_type(prim: Prim, operands: &[Type]) -> Option<Type> {
    use TypeView::{Fin, Int, Real};
    if operands.len() != prim.arity() {
        return None;
    }
    let first = operands[0].view();
    let second = operands.get(1).map(Type::view);
    match (prim, first, second) {
        (Prim::Add, Fin(n), Some(Fin(m))) => n.plus(m).map(Type::fin),
        (Prim::Offset(c), Fin(n), None) => n.plus(&Size::literal(c)).map(Type::fin),
        (Prim::Add | Prim::Sub | Prim::Mul, Int, Some(Int)) | (Prim::Neg, Int, None) => Some(Type::int()),
        (Prim::Add | Prim::Sub | Prim::Mul | Prim::Div | Prim::Min | Prim::Max, Real, Some(Real)) => Some(Type::real()),
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
        ) => Some(Type::real()),
        (Prim::Pow, Real, Some(Int | Fin(_))) => Some(Type::real()),
        (Prim::Lt | Prim::Le | Prim::Gt | Prim::Ge | Prim::Eq | Prim::Ne, a, Some(b)) => {
            matches!((a, b), (Real, Real) | (Int, Int) | (Fin(_), Fin(_))).then(Type::int)
        }
        (Prim::And | Prim::Or, Int, Some(Int)) | (Prim::Not, Int, None) => Some(Type::int()),
        (Prim::ToReal, Int | Fin(_), None) => Some(Type::real()),
        (Prim::ToInt, Fin(_), None) => Some(Type::int()),
        _ => None,
    }
}
