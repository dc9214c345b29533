//! What nodes know about their free variables: types, which most nodes share, and numbers.

use std::cell::RefCell;
use std::rc::Rc;

use super::embedding::{Embedding, FEW};
use super::shape::GOLDEN;
use super::types::Type;

/// What a term knows about one of its free variables.
#[derive(Clone, Copy, Debug)]
pub struct Free<'a> {
    /// Its type.
    pub ty: &'a Type,
    /// How often it occurs; saturates at 2^31-1.
    pub count: u32,
    /// Whether an occurrence stands under a `build`, an `ifold` body or a λ.
    pub looped: bool,
}

/// Twice a number of occurrences; [`LOOPED`] says that one of them stands where it is repeated.
pub(super) type Uses = u32;

/// The bit for what [`Free::looped`] says.
pub(super) const LOOPED: Uses = 1;

/// Occurrences here and there.
#[inline]
pub(super) fn both(a: Uses, b: Uses) -> Uses {
    a.checked_add(b & !LOOPED).unwrap_or(!LOOPED | a) | b & LOOPED
}

/// The free variables of a node, in the order of the embedding, which knows how many they are.
#[derive(Clone)]
pub(super) struct Frees {
    pub(super) uses: Embedding,
    pub(super) types: Types,
}

impl Frees {
    pub(super) const NONE: Frees = Frees { uses: Embedding::EMPTY, types: Types(None) };

    pub(super) fn one(ty: &Type) -> Frees {
        Frees { uses: Embedding::one(2), types: Types::default().with(ty) }
    }

    /// Whether both know the same of as many variables, as far as that shows at once.
    #[inline]
    pub(super) fn are(&self, other: &Frees) -> bool {
        match (&self.uses, &other.uses) {
            (Embedding::Few { .. }, Embedding::Few { .. }) => self.types.is(&other.types) && self.uses == other.uses,
            (Embedding::Many(a), Embedding::Many(b)) => a == b && self.types.are_same(&other.types),
            _ => false,
        }
    }

    /// Number `p`, which the embedding has.
    pub(super) fn at(&self, p: usize) -> Free<'_> {
        let uses = self.uses[p];
        Free { ty: &self.types.list()[p], count: uses >> 1, looped: uses & LOOPED != 0 }
    }
}

/// The types of a node's free variables; mostly one object for equal lists.
#[derive(Clone, Default)]
pub(super) struct Types(Option<Rc<List>>);

struct List {
    all: Box<[Type]>,
    /// What this one was added to, at the end.
    last: Type,
    shorter: Types,
}

/// So many of the lists that were made last are kept.
const SLOTS: usize = 1 << 9;

thread_local! {
    static LATELY: RefCell<[Types; SLOTS]> = const { RefCell::new([const { Types(None) }; SLOTS]) };
}

impl Types {
    /// The types, first to last.
    pub(super) fn list(&self) -> &[Type] {
        self.0.as_ref().map_or(&[], |list| &list.all)
    }

    /// Whether both are the same object.
    pub(super) fn is(&self, other: &Types) -> bool {
        self.address() == other.address()
    }

    /// Whether both are made of the same objects; long ones are seldom one object.
    fn are_same(&self, other: &Types) -> bool {
        let (a, b) = (self.list(), other.list());
        self.is(other) || a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.address() == b.address())
    }

    fn address(&self) -> usize {
        self.0.as_ref().map_or(0, |list| Rc::as_ptr(list).addr())
    }

    /// With one more at the end: the same object as lately, if that was made lately. A list that is kept holds on to what
    /// it was made from, so that addresses tell.
    #[inline(always)]
    pub(super) fn with(&self, ty: &Type) -> Types {
        let mixed = (self.address() as u64 ^ (ty.address() as u64).rotate_left(20)).wrapping_mul(GOLDEN);
        let slot = (mixed >> 32) as usize % SLOTS;
        let found = LATELY.try_with(|lately| {
            let lately = lately.try_borrow().ok()?;
            let known = &lately[slot];
            known.is_extended(self, ty).then(|| known.clone())
        });
        match found {
            Ok(Some(found)) => found,
            _ => self.longer(ty, slot),
        }
    }

    /// Whether it was made from this list and this type.
    #[inline]
    fn is_extended(&self, shorter: &Types, ty: &Type) -> bool {
        self.0.as_ref().is_some_and(|list| list.shorter.is(shorter) && list.last.address() == ty.address())
    }

    #[cold]
    #[inline(never)]
    fn longer(&self, ty: &Type, slot: usize) -> Types {
        let all = self.list().iter().chain([ty]).cloned().collect();
        let longer = Types(Some(Rc::new(List { all, last: ty.clone(), shorter: self.clone() })));
        let _ = LATELY.try_with(|lately| Some(lately.try_borrow_mut().ok()?[slot].0.replace(longer.0.clone()?)));
        longer
    }
}

impl From<Vec<Type>> for Types {
    fn from(types: Vec<Type>) -> Types {
        match types.last().cloned() {
            Some(last) if types.len() > FEW => {
                Types(Some(Rc::new(List { all: types.into(), last, shorter: Types::default() })))
            }
            _ => types.iter().fold(Types::default(), |list, ty| list.with(ty)),
        }
    }
}
