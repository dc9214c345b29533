//! Terms: immutable, shared, nameless nodes that know their type, size and free variables.
//!
//! A [`Term`] is a node and an *embedding*: for each of the node's free variables, in the order of their first
//! occurrence, the de Bruijn index that it has here. The node itself doesn't depend on where its free variables are
//! bound, so that moving a term under more binders costs as much as it has free variables, however big it is, and
//! `v[i] * w[i]` is one node wherever it stands. Names that users gave are kept as hints outside a term's identity.
//! Equality up to bound names compares fingerprints and embeddings. (Compare "co-de-Bruijn" syntax, McBride 2018.)

use std::cell::Cell;
use std::collections::HashMap;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use smallvec::SmallVec;

use super::path::Slot;
use super::prim::Prim;
use super::print::Mix;
use super::size::Size;
use super::types::Type;
use crate::ground::Name;

/// The de Bruijn indices of a node's free variables; 0 is the innermost binder.
pub(super) type Embedding = SmallVec<[u32; 4]>;

/// A typed term. Cheap to clone.
#[derive(Clone)]
pub struct Term {
    pub(super) node: Rc<Node>,
    pub(super) env: Embedding,
}

/// One node. In a child's embedding an index below the number of binders is bound here; `binders + p` is this node's
/// free variable number `p`.
pub(super) struct Node {
    pub(super) kind: Kind,
    pub(super) kids: SmallVec<[Term; 2]>,
    pub(super) free: SmallVec<[Free; 4]>,
    pub(super) ty: Type,
    pub(super) print: u128,
    pub(super) shape: u64,
    pub(super) mark: Cell<u64>,
    pub(super) size: u64,
    pub(super) depth: u32,
    pub(super) open: bool,
}

/// What a node knows about one of its free variables.
#[derive(Clone, Debug)]
pub struct Free {
    /// Its type.
    pub ty: Type,
    /// How often it occurs; saturates.
    pub count: u32,
    /// Whether an occurrence stands under a `build`, an `ifold` body or a λ.
    pub looped: bool,
}

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

    fn mix(&self, mix: &mut Mix) {
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

    fn is_open(&self, ty: &Type) -> bool {
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

impl Node {
    /// A node from its constructor and children, each child in its own scope. The caller has checked the types.
    pub(super) fn assemble(kind: Kind, kids: SmallVec<[Term; 2]>, ty: Type) -> Term {
        let mut gathered = Gathered { many: kids.len() > 2, ..Gathered::default() };
        let (mut size, mut depth, mut open) = (1u64, 0u32, kind.is_open(&ty));
        let mut shape = kind.own_shape();
        let mut mix = Mix::new();
        kind.mix(&mut mix);
        mix.word(kids.len() as u64);
        let mut own: SmallVec<[Term; 2]> = SmallVec::with_capacity(kids.len());
        for (k, kid) in kids.into_iter().enumerate() {
            let inner = gathered.take(&kid, kind.binders(k), kind.repeats(k));
            mix.wide(kid.node.print);
            for index in &inner {
                mix.word(u64::from(*index));
            }
            shape = shape.wrapping_add(kind.weight(k).wrapping_mul(kid.node.shape));
            size = size.saturating_add(kid.node.size);
            depth = depth.max(kid.node.depth);
            open |= kid.node.open;
            own.push(Term { node: kid.node, env: inner });
        }
        let print = mix.finish();
        let Gathered { env, free, .. } = gathered;
        let (mark, depth) = (Cell::new(0), depth + 1);
        Term { node: Rc::new(Node { kind, kids: own, free, ty, print, shape, mark, size, depth, open }), env }
    }
}

/// The free variables of a node as its children are added.
#[derive(Default)]
struct Gathered {
    env: Embedding,
    free: SmallVec<[Free; 4]>,
    /// Whether there are many children.
    many: bool,
    /// The place of each variable of `env`, up to date only while it is of use.
    places: HashMap<u32, u32>,
}

impl Gathered {
    /// Adds a child's free variables and gives its embedding into the node.
    fn take(&mut self, kid: &Term, binders: u32, repeats: bool) -> Embedding {
        // A term's own indices differ, so that only those of earlier children can recur.
        let before = self.env.len();
        let hashed = before > 16 && (self.many || kid.env.len() > 8);
        if hashed {
            let known = self.places.len();
            self.places.extend(self.env.iter().enumerate().skip(known).map(|(p, i)| (*i, p as u32)));
        }
        let mut inner = Embedding::with_capacity(kid.env.len());
        for (index, from) in kid.env.iter().zip(&kid.node.free) {
            let Some(outer) = index.checked_sub(binders) else {
                inner.push(*index);
                continue;
            };
            let known = match hashed {
                true => self.places.get(&outer).copied(),
                false => self.env[..before].iter().position(|i| *i == outer).map(|p| p as u32),
            };
            let p = known.unwrap_or(self.env.len() as u32);
            match self.free.get_mut(p as usize) {
                Some(free) => {
                    free.count = free.count.saturating_add(from.count);
                    free.looped |= from.looped || repeats;
                }
                None => {
                    self.env.push(outer);
                    self.free.push(Free { looped: from.looped || repeats, ..from.clone() });
                }
            }
            inner.push(binders + p);
        }
        inner
    }
}

impl Term {
    /// The constructor, without the children.
    pub fn kind(&self) -> &Kind {
        &self.node.kind
    }

    /// The type.
    pub fn ty(&self) -> &Type {
        &self.node.ty
    }

    /// The number of nodes, counted as a tree; saturates at 2^64-1.
    pub fn size(&self) -> u64 {
        self.node.size
    }

    /// The nesting; 1 for a leaf.
    pub fn depth(&self) -> u32 {
        self.node.depth
    }

    /// A key by which equal nodes are equal wherever their free variables are bound.
    pub fn print(&self) -> u128 {
        self.node.print
    }

    /// Whether it mentions a size variable or a type variable.
    pub fn is_open(&self) -> bool {
        self.node.open
    }

    /// The free variables with their indices, in the order of their first occurrence.
    pub fn free(&self) -> impl ExactSizeIterator<Item = (u32, &Free)> {
        self.env.iter().copied().zip(self.node.free.iter())
    }

    /// What is known about the free variable with this index; `None` if it doesn't occur.
    pub fn free_at(&self, index: u32) -> Option<&Free> {
        self.env.iter().position(|i| *i == index).map(|p| &self.node.free[p])
    }

    /// How often the variable with this index occurs.
    pub fn occurrences(&self, index: u32) -> u32 {
        self.free_at(index).map_or(0, |f| f.count)
    }

    /// The number of children.
    pub fn kid_count(&self) -> usize {
        self.node.kids.len()
    }

    /// Child `k`, in its own scope (a λ's body stands under one binder more).
    pub fn kid(&self, k: usize) -> Term {
        let kid = &self.node.kids[k];
        let binders = self.node.kind.binders(k);
        let env = kid
            .env
            .iter()
            .map(|i| if *i < binders { *i } else { self.env[(*i - binders) as usize] + binders })
            .collect();
        Term { node: kid.node.clone(), env }
    }

    /// All children, left to right, each in its own scope.
    pub fn kids(&self) -> SmallVec<[Term; 2]> {
        (0..self.kid_count()).map(|k| self.kid(k)).collect()
    }

    /// The constructor with its children.
    pub fn view(&self) -> View {
        let kid = |k| self.kid(k);
        match self.kind() {
            Kind::Var => View::Var(self.env[0]),
            Kind::Lam(x, ty) => View::Lam(x.clone(), ty.clone(), kid(0)),
            Kind::App => View::App(kid(0), kid(1)),
            Kind::Let(x) => View::Let(x.clone(), kid(0), kid(1)),
            Kind::If => View::If(kid(0), kid(1), kid(2)),
            Kind::Ifold(n) => View::Ifold(n.clone(), kid(0), kid(1)),
            Kind::Build(n) => View::Build(n.clone(), kid(0)),
            Kind::Array(ty) => View::Array(ty.clone(), self.kids().into_vec()),
            Kind::Get => View::Get(kid(0), kid(1)),
            Kind::Pair => View::Pair(kid(0), kid(1)),
            Kind::Fst => View::Fst(kid(0)),
            Kind::Snd => View::Snd(kid(0)),
            Kind::Real(x) => View::Real(*x),
            Kind::Int(x) => View::Int(*x),
            Kind::Fin(c, n) => View::Fin(*c, n.clone()),
            Kind::SizeVar(n) => View::SizeVar(n.clone()),
            Kind::Prim(p) => View::Prim(*p, self.kids().into_vec()),
        }
    }

    /// Whether both are the very same object: then nothing changed.
    pub fn same(&self, other: &Term) -> bool {
        Rc::ptr_eq(&self.node, &other.node) && self.env == other.env
    }

    /// Whether other terms hold this node, too.
    pub(super) fn is_shared(&self) -> bool {
        Rc::strong_count(&self.node) > 1
    }
}

impl PartialEq for Term {
    /// Equality up to bound names.
    fn eq(&self, other: &Term) -> bool {
        (Rc::ptr_eq(&self.node, &other.node) || self.node.print == other.node.print) && self.env == other.env
    }
}

impl Eq for Term {}

impl Hash for Term {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u128(self.node.print);
        self.env.hash(state);
    }
}

impl fmt::Debug for Term {
    /// A nameless form for failing tests; `syntax` has the printer for people.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind() {
            Kind::Var => write!(f, "#{}", self.env[0]),
            kind => {
                write!(f, "({kind:?}")?;
                for kid in self.kids() {
                    write!(f, " {kid:?}")?;
                }
                f.write_str(")")
            }
        }
    }
}
