//! Putting a node together from any number of children with any number of variables.

use std::rc::Rc;

use smallvec::SmallVec;

use super::assemble::node;
use super::form::{Form, Key, Made};
use super::kind::Kind;
use super::node::Term;
use super::shape::GOLDEN;
use super::types::Type;
use super::typing::{IllTyped, binders, result, same};
use super::uses::{LOOPED, Uses, both};

/// A node with any number of children and variables. Its form is kept, under a short key if that is given.
#[inline(never)]
pub(super) fn many(kind: &Kind, kids: &[Term], key: Option<Key>) -> Result<Term, IllTyped> {
    let mut gathered = Gathered::default();
    for (k, kid) in kids.iter().enumerate() {
        gathered.take(kid, kind.binders(k), kind.repeats(k));
    }
    let Gathered { env, uses, links, .. } = &gathered;
    let form = match key {
        Some(key) => gathered.form(kind, kids, Made::Short(key))?,
        // Of terms with many children each rewrite makes another form, which is as large as the term.
        None if kids.len() > WIDE => gathered.form(kind, kids, Made::Unknown)?,
        None => {
            let of: SmallVec<[u64; 4]> = kids.iter().map(|kid| kid.node.form.judgement).collect();
            let first = |k: usize| of.get(k).copied().unwrap_or(0);
            let mixed = links
                .iter()
                .chain([&(kids.len() as u32)])
                .fold(0u64, |mixed, index| (mixed ^ u64::from(*index)).wrapping_mul(GOLDEN).rotate_left(32));
            let key = Key::new(kind.head().number(), kind.words(), mixed as u32, [first(0), first(1)]);
            match Form::cached_long(&key, &of, links) {
                Some(form) => form,
                None => gathered.form(kind, kids, Made::Long(key, of[..].into()))?,
            }
        }
    };
    let nodes = kids.iter().map(|kid| kid.node.clone()).collect();
    Ok(Term { node: node(form, kind.head().number(), nodes, uses[..].into()), env: env[..].into() })
}

/// The form of a term with more children isn't looked for.
const WIDE: usize = 16;

/// Among more variables than these, one is looked up by hashing.
const SCANNED: usize = 16;

/// The free variables of a node as its children are added.
#[derive(Default)]
struct Gathered {
    env: SmallVec<[u32; 16]>,
    uses: SmallVec<[Uses; 16]>,
    /// The embeddings of the children, one behind the other.
    links: SmallVec<[u32; 32]>,
    places: Places,
}

impl Gathered {
    /// Adds a child's free variables.
    fn take(&mut self, kid: &Term, binders: u32, repeats: bool) {
        let looped = if repeats { LOOPED } else { 0 };
        // A term's own indices differ, so that only those of earlier children can recur.
        let before = self.env.len();
        let hashed = before > SCANNED && kid.env.len() > 2;
        if hashed {
            self.places.learn(&self.env);
        }
        for (index, uses) in kid.env.iter().zip(&*kid.node.uses) {
            let Some(outer) = index.checked_sub(binders) else {
                self.links.push(*index);
                continue;
            };
            let known = match hashed {
                true => self.places.of(outer),
                false => self.env[..before].iter().position(|i| *i == outer),
            };
            let p = known.unwrap_or(self.env.len());
            self.links.push(binders + p as u32);
            if p < before {
                self.uses[p] = both(self.uses[p], uses | looped);
            } else {
                self.env.push(outer);
                self.uses.push(uses | looped);
            }
        }
    }

    /// The form, made and checked.
    fn form(&self, kind: &Kind, kids: &[Term], made: Made) -> Result<Rc<Form>, IllTyped> {
        let of: SmallVec<[&Type; 4]> = kids.iter().map(|kid| kid.ty()).collect();
        let (ty, metas) = result(kind, &of)?;
        let mut types: Vec<Type> = Vec::with_capacity(self.env.len());
        let (mut links, mut left) = (Vec::with_capacity(kids.len()), &self.links[..]);
        for (k, kid) in kids.iter().enumerate() {
            let around = kind.binders(k);
            if around > 0 {
                binders(kind, k, kid, &metas)?;
            }
            let (own, others) = left.split_at(kid.env.len());
            for (index, ty) in own.iter().zip(&*kid.node.form.types) {
                match index.checked_sub(around).map(|p| types.get(p as usize)) {
                    None => {}
                    Some(Some(known)) => same(kind.noun(), known, ty)?,
                    Some(None) => types.push(ty.clone()),
                }
            }
            links.push(own.into());
            left = others;
        }
        Ok(Form::new(kind.clone(), ty, types, links.into(), made))
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
