//! The constructors: what a node is and holds besides its children, which of them stand under binders, and what each
//! child's place is called.

use super::node::Term;
use super::path::Slot;
use super::prim::Prim;
use super::print::Mix;
use super::size::Size;
use super::types::Type;
use crate::ground::Name;

/// The constructor of a node with what it holds besides its children.
#[derive(Clone, Debug)]
pub enum Kind {
    /// A bound variable.
    Var,
    /// `fun x => body`: the hint and the type of x.
    Lam(Name, Type),
    /// `function argument`
    App,
    /// `let x := value; body`: the hint for x.
    Let(Name),
    /// `if condition then a else b`
    If,
    /// `ifold n f z`
    Ifold(Size),
    /// `build n f`
    Build(Size),
    /// `[e1, …, ek]`: the type of the elements.
    Array(Type),
    /// `array[index]`
    Get,
    /// `(a, b)`
    Pair,
    /// `fst p`
    Fst,
    /// `snd p`
    Snd,
    /// A real constant; compared by its bits.
    Real(f64),
    /// An integer constant.
    Int(i64),
    /// A constant index below a size.
    Fin(u64, Size),
    /// A size variable used as an `int`.
    SizeVar(Name),
    /// A primitive applied in full.
    Prim(Prim),
}

/// A term's constructor with its children, for matching on.
pub enum View {
    /// A variable's index and nothing else.
    Var(u32),
    /// Hint, parameter type, body (under one binder).
    Lam(Name, Type, Term),
    /// Function, argument.
    App(Term, Term),
    /// Hint, value, body (under one binder).
    Let(Name, Term, Term),
    /// Condition, then, else.
    If(Term, Term, Term),
    /// Size, body function, start.
    Ifold(Size, Term, Term),
    /// Size, element function.
    Build(Size, Term),
    /// Element type, elements.
    Array(Type, Vec<Term>),
    /// Array, index.
    Get(Term, Term),
    /// Both halves.
    Pair(Term, Term),
    /// A pair.
    Fst(Term),
    /// A pair.
    Snd(Term),
    /// A real constant.
    Real(f64),
    /// An integer constant.
    Int(i64),
    /// An index constant and the size it is below.
    Fin(u64, Size),
    /// A size variable as an `int`.
    SizeVar(Name),
    /// A primitive and its operands.
    Prim(Prim, Vec<Term>),
}

impl Kind {
    /// How many binders stand around child `k`: 1 for a λ's body and a let's body, else 0.
    pub fn binders(&self, k: usize) -> u32 {
        match self {
            Kind::Lam(..) => 1,
            Kind::Let(_) => u32::from(k == 1),
            _ => 0,
        }
    }

    /// Whether child `k` may be evaluated more than once: under a `build`, an `ifold` body or a λ.
    pub fn repeats(&self, k: usize) -> bool {
        matches!(self, Kind::Lam(..) | Kind::Build(_)) || matches!(self, Kind::Ifold(_) if k == 0)
    }

    /// The name of child `k`'s place.
    pub fn slot(&self, k: usize) -> Slot {
        match (self, k) {
            (Kind::Lam(..), _) => Slot::Body,
            (Kind::App, 0) => Slot::Function,
            (Kind::App, _) => Slot::Argument,
            (Kind::Let(_), 0) => Slot::Value,
            (Kind::Let(_), _) => Slot::LetBody,
            (Kind::If, 0) => Slot::Condition,
            (Kind::If, 1) => Slot::ThenBranch,
            (Kind::If, _) => Slot::ElseBranch,
            (Kind::Ifold(_), 0) => Slot::FoldBody,
            (Kind::Ifold(_), _) => Slot::FoldInit,
            (Kind::Build(_), _) => Slot::BuildBody,
            (Kind::Get, 0) => Slot::Array,
            (Kind::Get, _) => Slot::Index,
            (Kind::Pair, 0) => Slot::PairFirst,
            (Kind::Pair, _) => Slot::PairSecond,
            (Kind::Fst | Kind::Snd, _) => Slot::Projected,
            (Kind::Array(_), k) => Slot::Element(k as u32),
            (_, k) => Slot::Operand(k as u32),
        }
    }

    pub(super) fn mix(&self, mix: &mut Mix) {
        match self {
            Kind::Var => mix.tag(1),
            Kind::Lam(_, ty) => {
                mix.tag(2);
                mix.wide(ty.print());
            }
            Kind::App => mix.tag(3),
            Kind::Let(_) => mix.tag(4),
            Kind::If => mix.tag(5),
            Kind::Ifold(n) => {
                mix.tag(6);
                mix.size(n);
            }
            Kind::Build(n) => {
                mix.tag(7);
                mix.size(n);
            }
            Kind::Array(ty) => {
                mix.tag(8);
                mix.wide(ty.print());
            }
            Kind::Get => mix.tag(9),
            Kind::Pair => mix.tag(10),
            Kind::Fst => mix.tag(11),
            Kind::Snd => mix.tag(12),
            Kind::Real(x) => {
                mix.tag(13);
                mix.word(x.to_bits());
            }
            Kind::Int(x) => {
                mix.tag(14);
                mix.word(*x as u64);
            }
            Kind::Fin(c, n) => {
                mix.tag(15);
                mix.word(*c);
                mix.size(n);
            }
            Kind::SizeVar(n) => {
                mix.tag(16);
                mix.text(n.as_str());
            }
            Kind::Prim(p) => {
                mix.tag(17);
                mix.text(p.text());
                mix.word(p.arity() as u64);
                if let Prim::Offset(c) = p {
                    mix.word(*c);
                }
            }
        }
    }

    pub(super) fn is_open(&self, ty: &Type) -> bool {
        let size = |n: &Size| n.as_literal().is_none();
        ty.is_open()
            || match self {
                Kind::Lam(_, t) | Kind::Array(t) => t.is_open(),
                Kind::Ifold(n) | Kind::Build(n) | Kind::Fin(_, n) => size(n),
                Kind::SizeVar(_) => true,
                _ => false,
            }
    }
}
