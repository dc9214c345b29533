//! What nodes know about their free variables: types, which most nodes share, and numbers.

use std::cell::RefCell;
use std::rc::Rc;

use super::embedding::Embedding;
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

/// A number of occurrences; [`LOOPED`] says that one of them stands where it is repeated.
pub(super) type Uses = u32;

/// The bit for what [`Free::looped`] says.
pub(super) const LOOPED: Uses = 1 << 31;

/// Occurrences here and there.
pub(super) fn both(a: Uses, b: Uses) -> Uses {
    ((a & !LOOPED) + (b & !LOOPED)).min(!LOOPED) | (a | b) & LOOPED
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
        Frees { uses: Embedding::one(1), types: Types::of(&[ty]) }
    }

    /// Number `p`, which the embedding has.
    pub(super) fn at(&self, p: usize) -> Free<'_> {
        let uses = self.uses[p];
        Free { ty: &self.types.list()[p], count: uses & !LOOPED, looped: uses & LOOPED != 0 }
    }
}

/// The types of a node's free variables; mostly one object for equal lists.
#[derive(Clone, Default)]
pub(super) struct Types(Option<Rc<Box<[Type]>>>);

/// So many of the lists that were made last are kept.
const SLOTS: usize = 1 << 9;

thread_local! {
    static LATELY: RefCell<Vec<Types>> = const { RefCell::new(Vec::new()) };
}

impl Types {
    /// The types, first to last.
    pub(super) fn list(&self) -> &[Type] {
        self.0.as_ref().map_or(&[], |list| list)
    }

    /// Whether both are the same object.
    pub(super) fn is(&self, other: &Types) -> bool {
        match (&self.0, &other.0) {
            (Some(a), Some(b)) => Rc::ptr_eq(a, b),
            _ => false,
        }
    }

    /// The list of these types, which are few: the same object as lately, if it was made lately.
    pub(super) fn of(types: &[&Type]) -> Types {
        let made = || types.iter().map(|ty| (*ty).clone()).collect::<Vec<Type>>().into();
        let mixed = types.iter().fold(0, |mixed, ty| (mixed ^ ty.address() as u64).wrapping_mul(GOLDEN));
        let slot = (mixed >> 32) as usize % SLOTS;
        let found = LATELY.try_with(|lately| {
            let mut lately = lately.try_borrow_mut().ok()?;
            if lately.is_empty() {
                lately.resize(SLOTS, Types(None));
            }
            let place = lately.get_mut(slot)?;
            let known = place.list();
            let same = known.len() == types.len() && known.iter().zip(types).all(|(a, b)| a.address() == b.address());
            if !same {
                *place = made();
            }
            Some(place.clone())
        });
        found.ok().flatten().unwrap_or_else(made)
    }
}

impl From<Vec<Type>> for Types {
    fn from(types: Vec<Type>) -> Types {
        Types((!types.is_empty()).then(|| Rc::new(types.into())))
    }
}
