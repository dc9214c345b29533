//! Puts a node together from any number of children with any number of variables.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::assemble::node;
use super::form::{FormKey, FormOrigin, NodeForm, beyond};
use super::kind::Kind;
use super::node::Term;
use super::shape::GOLDEN;
use super::types::Type;
use super::typing::{IllTyped, binders, result, same};
use super::uses::{LOOPED, UseCount, both};

/// A node with any number of children and variables. Its form is kept, under a short key if that is given.
#[inline(never)]
pub(super) fn many(kind: &Kind, kids: &[Term], key: Option<FormKey>) -> Result<Term, IllTyped> {
    let mut gathered = GatheredVariables::default();
    for (k, kid) in kids.iter().enumerate() {
        gathered.take(kid, kind.binders(k), kind.repeats(k));
    }
    let GatheredVariables { env, uses, links, .. } = &gathered;
    let form = match key {
        Some(key) => gathered.form(kind, kids, FormOrigin::Short(key))?,
        // Of terms with many children each rewrite makes another form, which is as large as the term.
        None if kids.len() > MAX_CACHED_CHILDREN => gathered.form(kind, kids, FormOrigin::Unknown)?,
        None => {
            let of: SmallVec<[u64; 4]> = kids.iter().map(|kid| kid.node.form.judgement).collect();
            let first = |k: usize| of.get(k).copied().unwrap_or(0);
            let mixed = links
                .iter()
                .chain([&(kids.len() as u32)])
                .fold(0u64, |mixed, index| (mixed ^ u64::from(*index)).wrapping_mul(GOLDEN).rotate_left(32));
            let key = FormKey::new(kind.head().number(), kind.words(), mixed as u32, [first(0), first(1)]);
            match NodeForm::cached_long(&key, &of, links) {
                Some(form) => form,
                None => gathered.form(kind, kids, FormOrigin::Long(key, beyond(&of).into()))?,
            }
        }
    };
    let nodes = kids.iter().map(|kid| kid.node.clone()).collect();
    Ok(Term { node: node(form, kind.head().number(), nodes, uses[..].into()), env: env[..].into() })
}

/// The form of a term with more children isn't looked for.
const MAX_CACHED_CHILDREN: usize = 16;

/// Among more variables than these, one is looked up.
const MAX_SCANNED_VARIABLES: usize = 8;

/// The free variables of a node as its children are added.
#[derive(Default)]
struct GatheredVariables {
    env: SmallVec<[u32; INLINE_VARIABLES]>,
    uses: SmallVec<[UseCount; INLINE_VARIABLES]>,
    /// The embeddings of the children, one behind the other.
    links: SmallVec<[u32; 2 * INLINE_VARIABLES]>,
    places: IndexTable,
}

/// So many variables take no memory of their own.
const INLINE_VARIABLES: usize = 64;

impl GatheredVariables {
    /// Adds a child's free variables.
    fn take(&mut self, kid: &Term, binders: u32, repeats: bool) {
        let looped = if repeats { LOOPED } else { 0 };
        // A term's own indices differ, so that only those of earlier children can recur.
        let before = self.env.len();
        let table = before > MAX_SCANNED_VARIABLES && kid.env.len() > 2;
        if table {
            self.places.learn(&self.env);
        }
        for (index, uses) in kid.env.iter().zip(&*kid.node.uses) {
            let Some(outer) = index.checked_sub(binders) else {
                self.links.push(*index);
                continue;
            };
            let known = match table {
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
    fn form(&self, kind: &Kind, kids: &[Term], made: FormOrigin) -> Result<Rc<NodeForm>, IllTyped> {
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
        Ok(NodeForm::new(kind.clone(), ty, types, links.into(), made))
    }
}

/// The place of each variable of a list.
struct IndexTable {
    /// Of indices below [`TABLE_INDICES`], the number of the place, counted from 1; 0 for none.
    near: [u16; TABLE_INDICES],
    far: FxHashMap<u32, usize>,
    known: usize,
}

/// Indices below this are looked up in a table, the others by hashing.
const TABLE_INDICES: usize = 128;

impl Default for IndexTable {
    fn default() -> IndexTable {
        IndexTable { near: [0; TABLE_INDICES], far: FxHashMap::default(), known: 0 }
    }
}

impl IndexTable {
    fn learn(&mut self, all: &[u32]) {
        for (p, index) in all.iter().enumerate().skip(self.known) {
            match self.near.get_mut(*index as usize) {
                Some(place) if p < usize::from(u16::MAX) => *place = p as u16 + 1,
                _ => drop(self.far.insert(*index, p)),
            }
        }
        self.known = all.len();
    }

    fn of(&self, index: u32) -> Option<usize> {
        match self.near.get(index as usize) {
            Some(0) | None => self.far.get(&index).copied(),
            Some(place) => Some(usize::from(*place) - 1),
        }
    }
}
