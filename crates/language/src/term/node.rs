//! Defines terms: immutable, shared, nameless nodes that know their type, size and free variables.
//!
//! A [`Term`] is a node and an *embedding*: for each of the node's free variables, in the order of their first
//! occurrence, the de Bruijn index that it has here. The node itself doesn't depend on where its free variables are
//! bound, so that moving a term under more binders costs as much as it has free variables, however big it is, and
//! `v[i] * w[i]` is one node wherever it stands. Names that users gave are kept as hints outside a term's identity.
//! Equality up to bound names compares fingerprints and embeddings. (Compare "co-de-Bruijn" syntax, McBride 2018.)

use std::cell::{Cell, OnceCell};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::rc::Rc;

use smallvec::SmallVec;

use super::compared::ComparedVariables;
use super::drops;
use super::embedding::{Embedding, IndexLookup};
use super::fingerprint::FingerprintHasher;
use super::form::{Holdings, NUMBER_BITS, NodeForm, OPEN_BIT, WORK_BIT};
use super::kind::{Kind, View};
use super::shape::weight;
use super::types::Type;
use super::uses::FreeVariable;

/// A typed term. Cheap to clone. What it doesn't say itself its [`Node`] says.
///
/// ```
/// use std::cell::RefCell;
/// use redexter_language::ground::{Budget, Sources, Span, Trouble};
/// use redexter_language::{check, syntax};
/// # fn main() -> Result<(), Trouble> {
/// let (sources, budget) = (RefCell::new(Sources::default()), Budget::default());
/// let (prelude, text) = (check::prelude(&sources), "fun (x : real) => x * 1 + x");
/// let id = sources.borrow_mut().add("it", text);
/// let raw = syntax::parse_term(&sources.borrow(), Span::new(id, 0, text.len()), &budget)?;
/// let program = check::term(&raw, &prelude, &budget)?;
/// assert_eq!(program.term.ty().to_string(), "real -> real");
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Term {
    pub(super) node: Rc<Node>,
    pub(super) env: Embedding,
}

/// A node: all of a term that doesn't depend on where its free variables are bound.
pub struct Node {
    pub(super) form: Rc<NodeForm>,
    /// The children, left to right; where their free variables are in the node says its form.
    pub(super) kids: SmallVec<[Rc<Node>; 2]>,
    /// How often the free variables occur, in the order of the embedding.
    pub(super) uses: Embedding,
    /// Apart, since of most nodes nobody asks for it, and a node that takes at most 128 bytes with the counts of its holders
    /// is put in its place without a call.
    pub(super) asked: OnceCell<Box<LazyFacts>>,
    pub(super) shape: u64,
    pub(super) mark: Cell<u64>,
    pub(super) signature: Cell<u64>,
    pub(super) size: u64,
    pub(super) depth: u32,
    pub(super) holds: Holdings,
}

/// Facts of a node that are worked out once somebody asks.
#[derive(Default)]
pub(super) struct LazyFacts {
    /// The fingerprint's halves; 0 while unknown.
    fingerprint: Cell<[u64; 2]>,
    pub(super) meets: OnceCell<Box<ComparedVariables>>,
}

impl Node {
    /// The constructor, without the children.
    pub fn kind(&self) -> &Kind {
        &self.form.kind
    }

    /// The constructor's number.
    pub fn number(&self) -> usize {
        (self.holds & NUMBER_BITS) as usize
    }

    /// What the shape of child `k` counts in the shape of the whole.
    pub fn weight(&self, k: usize) -> u64 {
        weight(self.number() as u8, k)
    }

    /// The type.
    pub fn ty(&self) -> &Type {
        &self.form.ty
    }

    /// The number of nodes, counted as a tree; saturates at 2^64-1.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// The nesting; 1 for a leaf.
    pub fn depth(&self) -> u32 {
        self.depth
    }

    /// Whether it mentions a size variable or a type variable.
    pub fn is_open(&self) -> bool {
        self.holds & OPEN_BIT != 0
    }

    /// Whether something in it costs flops, compares or iterations.
    pub fn costs(&self) -> bool {
        self.holds & WORK_BIT != 0
    }

    /// How many binders stand around child `k`.
    #[inline(always)]
    pub fn binders(&self, k: usize) -> u32 {
        self.form.binders(k)
    }

    /// The number of children.
    pub fn kid_count(&self) -> usize {
        self.kids.len()
    }

    /// The children, wherever their free variables are.
    pub fn nodes(&self) -> &[Rc<Node>] {
        &self.kids
    }

    /// A key by which equal nodes are equal wherever their free variables are bound; worked out from the leaves up when it
    /// is asked for first, without recursion.
    pub fn fingerprint(&self) -> u128 {
        match self.known_print() {
            0 => self.work_out(),
            fingerprint => fingerprint,
        }
    }

    /// Whether both are equal, wherever their free variables are bound. What differs in size or shape isn't worth a
    /// fingerprint.
    #[inline]
    pub fn equals(&self, other: &Node) -> bool {
        std::ptr::eq(self, other)
            || self.shape == other.shape && self.size == other.size && self.fingerprint() == other.fingerprint()
    }

    fn known_print(&self) -> u128 {
        let [low, high] = self.asked.get().map_or([0; 2], |asked| asked.fingerprint.get());
        u128::from(high) << 64 | u128::from(low)
    }

    /// The facts that are worked out once somebody asks, which is now.
    pub(super) fn asked(&self) -> &LazyFacts {
        self.asked.get_or_init(Box::default)
    }

    #[cold]
    fn work_out(&self) -> u128 {
        let mut waiting = vec![self];
        while let Some(node) = waiting.last().copied() {
            let known = waiting.len();
            waiting.extend(node.kids.iter().map(|kid| &**kid).filter(|kid| kid.known_print() == 0));
            if waiting.len() == known {
                let fingerprint = node.mixed();
                node.asked().fingerprint.set([fingerprint as u64, (fingerprint >> 64) as u64]);
                waiting.pop();
            }
        }
        self.known_print()
    }

    /// The fingerprint from those of the children.
    fn mixed(&self) -> u128 {
        let mut mix = FingerprintHasher::new();
        self.kind().mix(&mut mix);
        if let Kind::Var = self.kind() {
            mix.wide(self.ty().fingerprint());
        }
        mix.word(self.kids.len() as u64);
        for (kid, link) in self.kids.iter().zip(&self.form.links) {
            mix.wide(kid.known_print());
            link.iter().for_each(|index| mix.word(u64::from(*index)));
        }
        mix.finish()
    }
}

impl Drop for Node {
    #[inline]
    fn drop(&mut self) {
        if self.depth > drops::shallow() && self.kids.iter().any(|kid| Rc::strong_count(kid) == 1) {
            drops::unlink_all(&mut self.kids);
        }
    }
}

impl Deref for Term {
    type Target = Node;

    #[inline(always)]
    fn deref(&self) -> &Node {
        &self.node
    }
}

impl Term {
    /// The type of the variable that stands bound in child `k`; none where none does.
    pub fn bound_type(&self, k: usize) -> Option<Type> {
        let ty = match self.view() {
            View::Lam(_, ty, _) => ty,
            View::Let(_, value, _) => value.ty().clone(),
            View::Guard(_, n, ..) => Type::fin(n),
            _ => return None,
        };
        (self.binders(k) > 0).then_some(ty)
    }

    /// The free variables with their indices, in the order of their first occurrence.
    pub fn free(&self) -> impl ExactSizeIterator<Item = (u32, FreeVariable<'_>)> {
        self.env.iter().enumerate().map(|(p, index)| (*index, self.node.variable(p)))
    }

    /// What is known about the free variable with this index; `None` if it doesn't occur.
    pub fn free_at(&self, index: u32) -> Option<FreeVariable<'_>> {
        self.as_part().free_at(index)
    }

    /// How often the variable with this index occurs.
    pub fn occurrences(&self, index: u32) -> u32 {
        self.free_at(index).map_or(0, |f| f.count)
    }

    /// Whether both list the same variables in one order, and use each as often, and as often in loops.
    #[inline]
    pub fn lists_uses_alike(&self, other: &Term) -> bool {
        self.env == other.env && self.node.uses == other.node.uses
    }

    /// The indices of the variables that the other term doesn't use as often, or not as often in loops.
    pub fn used_otherwise(&self, other: &Term) -> impl Iterator<Item = u32> {
        let mut there = IndexLookup::new(&other.env);
        let otherwise = move |(p, index): (usize, &u32)| {
            let uses = there.place(*index).map(|place| other.node.uses[place]);
            (uses != Some(self.node.uses[p])).then_some(*index)
        };
        self.env.iter().enumerate().filter_map(otherwise)
    }

    /// Child `k`, in its own scope (a λ's body stands under one binder more).
    #[inline]
    pub fn kid(&self, k: usize) -> Term {
        let form = &*self.form;
        let env = match k < 8 && form.alike >> k & 1 == 1 {
            true => self.env.clone(),
            false => form.links[k].within(&self.env, form.binders(k)),
        };
        Term { node: self.kids[k].clone(), env }
    }

    /// All children, left to right, each in its own scope.
    pub fn kids(&self) -> SmallVec<[Term; 2]> {
        (0..self.kid_count()).map(|k| self.kid(k)).collect()
    }

    /// Whether both are the very same object: then nothing changed.
    pub fn same(&self, other: &Term) -> bool {
        Rc::ptr_eq(&self.node, &other.node) && self.env == other.env
    }

    /// The node, for who holds it longer than the term.
    #[inline]
    pub fn held(&self) -> &Rc<Node> {
        &self.node
    }

    /// Whether more terms hold this node than this one and the one that it was taken from.
    pub fn is_shared(&self) -> bool {
        Rc::strong_count(&self.node) > 2
    }
}

impl PartialEq for Term {
    /// Equality up to bound names.
    fn eq(&self, other: &Term) -> bool {
        self.env == other.env && self.node.equals(&other.node)
    }
}

impl Eq for Term {}

impl Hash for Term {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u128(self.node.fingerprint());
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

#[cfg(test)]
mod tests {
    use super::Node;

    #[test]
    fn a_node_and_its_counts_take_128_bytes() {
        assert!(size_of::<[usize; 2]>() + size_of::<Node>() <= 128);
    }
}
