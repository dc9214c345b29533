//! Putting a node together from any number of children with any number of variables.

use smallvec::SmallVec;

use super::assemble::node;
use super::embedding::Embedding;
use super::form::{Form, Key};
use super::kind::Kind;
use super::node::Term;
use super::shape::GOLDEN;
use super::types::Type;
use super::typing::{IllTyped, binders, result, same};
use super::uses::{LOOPED, Uses, both};

/// A node with any number of children and variables; where that can be known again, its form is kept under a key.
#[inline(never)]
pub(super) fn many(kind: &Kind, kids: &[Term], key: Option<Key>) -> Result<Term, IllTyped> {
    let of: SmallVec<[&Type; 4]> = kids.iter().map(|kid| kid.ty()).collect();
    let (ty, metas) = result(kind, &of)?;
    let mut gathered = Gathered::with_room_for(kids.iter().map(|kid| kid.env.len()).sum());
    let mut links = Vec::with_capacity(kids.len());
    for (k, kid) in kids.iter().enumerate() {
        let around = kind.binders(k);
        if around > 0 {
            binders(kind, k, kid, &metas)?;
        }
        links.push(gathered.take(kind.noun(), kid, around, kind.repeats(k))?);
    }
    let form = Form::new(kind.clone(), ty, gathered.types, links.into(), key);
    let nodes = kids.iter().map(|kid| kid.node.clone()).collect();
    let node = node(form, kind.head().number(), nodes, gathered.uses[..].into());
    Ok(Term { node, env: gathered.env[..].into() })
}

/// Among more variables than these, one is looked up by hashing.
const SCANNED: usize = 16;

/// The free variables of a node as its children are added.
struct Gathered {
    env: Vec<u32>,
    uses: Vec<Uses>,
    types: Vec<Type>,
    places: Places,
}

impl Gathered {
    fn with_room_for(count: usize) -> Gathered {
        let (env, uses) = (Vec::with_capacity(count), Vec::with_capacity(count));
        Gathered { env, uses, types: Vec::with_capacity(count), places: Places::default() }
    }

    /// Adds a child's free variables and gives its embedding into the node.
    fn take(&mut self, what: &'static str, kid: &Term, binders: u32, repeats: bool) -> Result<Embedding, IllTyped> {
        let (uses, types) = (&kid.node.uses, &kid.node.form.types);
        let looped = if repeats { LOOPED } else { 0 };
        // A term's own indices differ, so that only those of earlier children can recur.
        let before = self.env.len();
        let hashed = before > SCANNED && kid.env.len() > 2;
        if hashed {
            self.places.learn(&self.env);
        }
        let mut inner = Vec::with_capacity(kid.env.len());
        for ((index, uses), ty) in kid.env.iter().zip(&**uses).zip(&**types) {
            let Some(outer) = index.checked_sub(binders) else {
                inner.push(*index);
                continue;
            };
            let known = match hashed {
                true => self.places.of(outer),
                false => self.env[..before].iter().position(|i| *i == outer),
            };
            let p = known.unwrap_or(self.env.len());
            inner.push(binders + p as u32);
            if p < before {
                same(what, &self.types[p], ty)?;
                self.uses[p] = both(self.uses[p], uses | looped);
            } else {
                self.env.push(outer);
                self.uses.push(uses | looped);
                self.types.push(ty.clone());
            }
        }
        Ok(inner[..].into())
    }
}

/// The place of each variable of a list: a table with room to spare, searched from where an index falls.
#[derive(Default)]
struct Places {
    /// An index with the number of its place, counted from 1; 0 where nothing is.
    slots: Vec<(u32, u32)>,
    known: usize,
}

impl Places {
    fn learn(&mut self, all: &[u32]) {
        if self.slots.len() < 2 * all.len() {
            let room = (2 * all.len()).next_power_of_two();
            (self.slots, self.known) = (vec![(0, 0); room], 0);
        }
        for (p, index) in all.iter().enumerate().skip(self.known) {
            let free = self.search(|slot| slot.1 == 0, *index);
            self.slots[free] = (*index, p as u32 + 1);
        }
        self.known = all.len();
    }

    fn of(&self, index: u32) -> Option<usize> {
        let (_, number) = self.slots[self.search(|slot| slot.0 == index || slot.1 == 0, index)];
        (number as usize).checked_sub(1)
    }

    /// The first slot from where the index falls that is as it should be; there is one.
    fn search(&self, fits: impl Fn((u32, u32)) -> bool, index: u32) -> usize {
        let last = self.slots.len() - 1;
        let mut at = (u64::from(index).wrapping_mul(GOLDEN) >> 32) as usize & last;
        while !fits(self.slots[at]) {
            at = (at + 1) & last;
        }
        at
    }
}
