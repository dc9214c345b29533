//! Makes leaves: nodes without children. They are cached, so that a variable of a type or a constant is mostly one
//! object, however often it occurs.

use std::cell::{Cell, OnceCell};
use std::rc::Rc;

use smallvec::SmallVec;

use super::embedding::Embedding;
use super::form::{FormOrigin, NodeForm};
use super::kind::Kind;
use super::node::Node;
use super::shape::GOLDEN;
use super::types::Type;
use super::uses::ONCE;
use crate::ground::cache::{self, Cache};

thread_local! {
    static LEAVES: Cache<Rc<Node>, 512> = const { Cache::new() };
}

/// A node without children; a variable's own index is its only free one.
pub(super) fn leaf(kind: Kind, ty: &Type) -> Rc<Node> {
    let held = match kind {
        Kind::Var => 0,
        Kind::Real(x) => x.to_bits(),
        Kind::Int(x) => x as u64,
        _ => return Rc::new(made(kind, ty)),
    };
    let key = (ty.address() as u64 ^ held.rotate_left(20)).wrapping_mul(GOLDEN) >> 32;
    let known = cache::find(&LEAVES, key, |node| fits(node, &kind, ty));
    known.unwrap_or_else(|| cache::kept(&LEAVES, key, Rc::new(made(kind, ty))))
}

fn fits(node: &Node, kind: &Kind, ty: &Type) -> bool {
    node.ty().address() == ty.address()
        && match (node.kind(), kind) {
            (Kind::Var, Kind::Var) => true,
            (Kind::Real(x), Kind::Real(y)) => x.to_bits() == y.to_bits(),
            (Kind::Int(x), Kind::Int(y)) => x == y,
            _ => false,
        }
}

fn made(kind: Kind, ty: &Type) -> Node {
    let number = kind.head().number();
    let shape = kind.shape_around(number, &[]);
    let (types, uses) = match kind {
        Kind::Var => (vec![ty.clone()], Embedding::one(ONCE)),
        _ => (Vec::new(), Embedding::EMPTY),
    };
    let form = NodeForm::new(kind, ty.clone(), types, Box::default(), FormOrigin::Unknown);
    Node {
        asked: OnceCell::new(),
        shape,
        mark: Cell::new(0),
        signature: Cell::new(0),
        size: 1,
        depth: 1,
        holds: form.holds,
        kids: SmallVec::new(),
        form,
        uses,
    }
}
