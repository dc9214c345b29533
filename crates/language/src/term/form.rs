//! Shares what a node has in common with others that differ only further down: its constructor and type, the types of its
//! free variables, and where those of the children are among them. It is one object for nodes that were made from the same,
//! so that it is worked out, and checked, once.

use std::cell::Cell;
use std::rc::Rc;

use super::charge::Charge;
use super::embedding::Embedding;
use super::groups::ConstructorGroups;
use super::kind::{Kind, unpacked};
use super::shape::GOLDEN;
use super::types::Type;
use crate::ground::cache::{self, Cache};

/// Bits for what there is somewhere in a node, above the number of its own constructor.
pub(super) type Holdings = u32;

/// The bits of the number, which is below [`Head::COUNT`](super::Head::COUNT).
pub(super) const NUMBER_BITS: Holdings = 0xff;
/// A size variable or a type variable.
pub(super) const OPEN_BIT: Holdings = 1 << 8;
/// `=` or `!=`.
pub(super) const EQUATION_BIT: Holdings = 1 << 9;
/// Something that costs flops, compares or iterations.
pub(super) const WORK_BIT: Holdings = 1 << 10;

/// The form of a node.
pub(super) struct NodeForm {
    pub(super) kind: Kind,
    pub(super) ty: Type,
    /// Those of the free variables.
    pub(super) types: Rc<[Type]>,
    /// For each child: an index below the number of binders is bound here; `binders + p` is this node's free variable
    /// number `p`.
    pub(super) links: Box<[Embedding]>,
    /// Bits for the first children that mention all free variables, in their order, under no binder.
    pub(super) alike: u8,
    /// How many binders stand around each child, as the constructor packs them.
    pub(super) binders: u16,
    /// What the constructor, or the type, holds, with the number of the constructor.
    pub(super) holds: Holdings,
    /// Forms with the same number have the same type, and the same types of free variables.
    pub(super) judgement: u64,
    made: FormOrigin,
}

/// The parts that a form is made from, by which it is found in the cache.
#[derive(PartialEq, Eq)]
pub(super) enum FormOrigin {
    /// A form with a short key.
    Short(FormKey),
    /// One with more children or variables: the judgements of the children that the key doesn't hold. (The embeddings are
    /// the form's links.)
    Long(FormKey, Box<[u64]>),
    /// Nobody asks for it again.
    Unknown,
}

/// The key of a form of one child or two. Kinds are the same if they hold the same objects.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct FormKey {
    /// The constructor's.
    number: u32,
    /// The embedding of the last child, 4 bits for each index; of a long key what is mixed of all.
    link: u32,
    /// What the constructor holds.
    held: [u64; 2],
    /// The judgements of the children, or of the first of them; 0 for none.
    of: [u64; 2],
}

thread_local! {
    static FORMS: Cache<Rc<NodeForm>, 4096> = const { Cache::new() };
    static LONG: Cache<Rc<NodeForm>, 2048> = const { Cache::new() };
    static JUDGEMENTS: Cache<Judgement, 4096> = const { Cache::new() };
    static JUDGED: Cell<u64> = const { Cell::new(0) };
}

/// A type, the types of free variables, and the number of both.
#[derive(Clone)]
struct Judgement {
    ty: Type,
    types: Rc<[Type]>,
    number: u64,
}

impl FormKey {
    #[inline(always)]
    pub(super) fn new(number: usize, held: [u64; 2], link: u32, of: [u64; 2]) -> FormKey {
        FormKey { number: number as u32, link, held, of }
    }

    #[inline(always)]
    fn mixed(&self) -> u64 {
        let FormKey { number, link, held, of } = self;
        let made = u64::from(*number) << 32 | u64::from(*link);
        let words = [made, held[0] ^ held[1].rotate_left(32), of[0] ^ of[1].rotate_left(32)];
        words.into_iter().fold(0, |mixed, word| (mixed ^ word).wrapping_mul(GOLDEN).rotate_left(32))
    }
}

impl NodeForm {
    /// How many binders stand around child `k`.
    #[inline(always)]
    pub(super) fn binders(&self, k: usize) -> u32 {
        unpacked(self.binders, k)
    }

    /// The form of this key, if it is in the cache.
    #[inline(always)]
    pub(super) fn cached(key: &FormKey) -> Option<Rc<NodeForm>> {
        cache::find(&FORMS, key.mixed(), |form| matches!(&form.made, FormOrigin::Short(known) if known == key))
    }

    /// The form with this key, these judgements of the children, and their embeddings one behind the other, if it is in the
    /// cache.
    pub(super) fn cached_long(key: &FormKey, of: &[u64], links: &[u32]) -> Option<Rc<NodeForm>> {
        cache::find(&LONG, key.mixed(), |form| {
            let is_same =
                matches!(&form.made, FormOrigin::Long(known, others) if known == key && **others == *beyond(of));
            let mut rest = links;
            let mut is_next = |link: &Embedding| {
                let own = rest.split_off(..link.len());
                own.is_some_and(|own| own == &**link)
            };
            is_same && form.links.iter().all(&mut is_next) && rest.is_empty()
        })
    }

    /// A form that was checked; kept, if it may be asked for again.
    pub(super) fn new(
        kind: Kind,
        ty: Type,
        types: Vec<Type>,
        links: Box<[Embedding]>,
        made: FormOrigin,
    ) -> Rc<NodeForm> {
        let work = match kind.charge() {
            Charge::Free | Charge::Read => false,
            Charge::FlopIfReal => !links.is_empty() && ty == Type::real(),
            _ => !links.is_empty(),
        };
        let holds = [(OPEN_BIT, kind.is_open(&ty)), (EQUATION_BIT, kind.is_equation()), (WORK_BIT, work)];
        let own = kind.head().number() as Holdings | ConstructorGroups::of(kind.head()).holdings();
        let holds = holds.into_iter().filter(|(_, is)| *is).fold(own, |all, (bit, _)| all | bit);
        let Judgement { ty, types, number } = judged(ty, types);
        let is_alike = |k: usize| kind.binders(k) == 0 && links[k].is_all_of(types.len());
        let alike = (0..links.len().min(8)).filter(|k| is_alike(*k)).fold(0, |all, k| all | 1 << k);
        let form = Rc::new(NodeForm {
            binders: kind.packed().0,
            kind,
            ty,
            types,
            links,
            alike,
            holds,
            judgement: number,
            made,
        });
        match &form.made {
            FormOrigin::Short(key) => cache::kept(&FORMS, key.mixed(), form.clone()),
            FormOrigin::Long(key, _) => cache::kept(&LONG, key.mixed(), form.clone()),
            FormOrigin::Unknown => form,
        }
    }
}

/// The judgements of children that a key doesn't hold.
pub(super) fn beyond(of: &[u64]) -> &[u64] {
    of.get(2..).unwrap_or_default()
}

/// Gives a type and the types of free variables the number that they have in the cache, or a new one.
fn judged(ty: Type, types: Vec<Type>) -> Judgement {
    let add = |mixed: u64, ty: &Type| (mixed ^ ty.address() as u64).wrapping_mul(GOLDEN).rotate_left(32);
    let key = types.iter().fold(add(0, &ty), add);
    let same = |a: &Type, b: &Type| a.address() == b.address();
    let is_known = |known: &Judgement| {
        let mut both = known.types.iter().zip(&types);
        same(&known.ty, &ty) && known.types.len() == types.len() && both.all(|(a, b)| same(a, b))
    };
    if let Some(known) = cache::find(&JUDGEMENTS, key, is_known) {
        return known;
    }
    let number = JUDGED.with(|judged| {
        judged.set(judged.get() + 1);
        judged.get()
    });
    cache::kept(&JUDGEMENTS, key, Judgement { ty, types: types.into(), number })
}
