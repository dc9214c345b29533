//! Prints again only what a rewrite changed: the nearest subterm around the redex that has a block of its own, and around
//! which everything is written as before. So a step of a derivation costs its contractum, and not the way to it.

use super::descent::{Descent, RelativePath};
use super::emit::{Emitter, MAX_PARAMS, POSTFIX, is_guarded_read, is_written_as_if, strength};
use super::sheet::{BlockId, Sheet};
use crate::term::{COMPARISON, Fixity, Kind, MINUS, Path, Prim, Slot, Term, Type};

/// A subterm that was written anew.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RewrittenBlock {
    /// The way to it in the whole term.
    pub way: Vec<Slot>,
    /// Whether its block stands in one that has nothing but parentheses besides: then that is the new one.
    pub parenthesised: bool,
    /// The block that stands there now.
    pub block: BlockId,
}

/// A place that has a block of its own, and how a term is written there.
#[derive(Clone, Copy)]
struct BlockPlace {
    /// So many steps from the root.
    depth: usize,
    /// Of these so many binders.
    scope: usize,
    /// The last steps in the block around it: more than one below functions that are written as one.
    times: u32,
    need: u8,
    known: bool,
    /// It is what a `let` ends with.
    ends_let: bool,
}

impl Sheet {
    /// Writes again what changes where the closed term that was written last is rewritten at a path; None where any block may
    /// change, so that all of the term is to be written.
    pub fn rewritten(&mut self, before: &Term, after: &Term, path: &Path) -> Option<RewrittenBlock> {
        let (old, new) = (spine(before, path)?, spine(after, path)?);
        if !self.emit.goes_on_after(&old[path.0.len()], &new[path.0.len()]) {
            return None;
        }
        let depth = (1..new.len()).rev().find(|at| self.emit.stands_as(&old[*at], &new[*at]))?;
        let place = self.emit.place((&old, &new), &path.0[..depth])?;
        let term = &new[place.depth];
        let slots = |at: usize| new[at].kind().slot(path.0[at] as usize);
        let descent = Descent::at(RelativePath { slot: Some(slots(place.depth - 1)), times: place.times });
        let block = self.emit.block(|e| match place.ends_let {
            true => e.end_of_let(term, place.known, descent),
            false => e.term(term, place.need, place.known, descent),
        });
        self.emit.names.pop(place.scope);
        Some(RewrittenBlock {
            way: (0..place.depth).map(slots).collect(),
            parenthesised: strength(term) < place.need,
            block: self.numbered(block),
        })
    }
}

/// The terms on the way that a path is, from the root.
fn spine(root: &Term, path: &Path) -> Option<Vec<Term>> {
    let mut all = vec![root.clone()];
    for k in &path.0 {
        let here = &all[all.len() - 1];
        let kid = ((*k as usize) < here.kid_count()).then(|| here.kid(*k as usize))?;
        all.push(kid);
    }
    Some(all)
}

impl Emitter {
    /// Whether what is written elsewhere has no other words where one subterm stands for another.
    fn goes_on_after(&mut self, old: &Term, new: &Term) -> bool {
        !self.is_full() && self.survey.of(&[old]) == self.survey.of(&[new])
    }

    /// Whether everything around a subterm is written as it is around another one, but for names. What stands around a
    /// function asks what is in it, and of a leaf which one it is.
    fn stands_as(&mut self, old: &Term, new: &Term) -> bool {
        old.number() == new.number()
            && old.kid_count() > 0
            && !matches!(old.kind(), Kind::Lam(..))
            && strength(old) == strength(new)
            && self.known.settles(old) == self.known.settles(new)
            && self.known.computes_index(old) == self.known.computes_index(new)
    }

    /// The last place on a way that has a block of its own, in whose scope one is then; none where a name on the way may be
    /// another one than before.
    fn place(&mut self, (old, new): (&[Term], &[Term]), path: &[u32]) -> Option<BlockPlace> {
        let mut found: Option<BlockPlace> = None;
        let (mut known, mut params, mut binders) = (false, 0, 0);
        let mut are_inputs = true;
        for (at, k) in path.iter().enumerate() {
            let (term, inner, k) = (&new[at], &new[at + 1], *k as usize);
            if is_guarded_read(term) != is_guarded_read(&old[at]) {
                self.names.pop(binders);
                return None;
            }
            are_inputs &= matches!(term.kind(), Kind::Lam(..));
            params = if matches!(term.kind(), Kind::Lam(..)) { params % MAX_PARAMS as u32 + 1 } else { 0 };
            if term.binders(k) > 0 {
                let used = [&old[at + 1], inner].map(|body| body.free_at(0).is_some());
                if !self.enter_binder(term, used, are_inputs) {
                    self.names.pop(binders);
                    return None;
                }
                binders += 1;
            }
            let need;
            (need, known) = self.demand(term, k, known);
            if inner.kid_count() > 0 && has_own_block(term, k, inner) {
                let ends_let = matches!(term.kind(), Kind::Let(_)) && k == 1;
                found = Some(BlockPlace { depth: at + 1, scope: binders, times: params.max(1), need, known, ends_let });
            }
        }
        self.names.pop(binders - found.map_or(0, |place| place.scope));
        found
    }

    /// Enters the scope of a binder, if it is called as before.
    fn enter_binder(&mut self, term: &Term, used: [bool; 2], is_input: bool) -> bool {
        let (first, index);
        let (hint, ty) = match term.kind() {
            Kind::Guard(hint, n) => {
                index = Type::fin(n.clone());
                (hint, &index)
            }
            Kind::Lam(hint, ty) => (hint, ty),
            Kind::Let(hint) => {
                first = term.kid(0);
                (hint, first.ty())
            }
            _ => return false,
        };
        if hint.as_str() == "_" && used[0] != used[1] || is_input && !self.names.is_free(hint) {
            return false;
        }
        let name = self.names.choose(hint, ty, used[1]);
        self.names.push(name);
        true
    }

    /// How strong a child must be to stand without parentheses, and whether its type is known; of a function that is written
    /// with what it is an argument of, that of its result.
    fn demand(&mut self, term: &Term, k: usize, known: bool) -> (u8, bool) {
        match term.kind() {
            Kind::Lam(..) | Kind::Pair => (0, known),
            Kind::App if k == 1 => (POSTFIX, true),
            Kind::App => (POSTFIX, known && matches!(term.kid(0).kind(), Kind::Lam(..))),
            Kind::Let(_) if k == 1 => (0, known),
            Kind::Let(_) => (u8::from(matches!(term.kid(0).kind(), Kind::Let(_))), false),
            Kind::Guard(..) if k == 2 && is_guarded_read(term) => (0, true),
            Kind::If | Kind::Guard(..) if k == 0 => (0, true),
            Kind::If | Kind::Guard(..) => (0, self.known.among(&[term.kid(1), term.kid(2)], known)[k - 1]),
            Kind::Ifold(_) if k == 0 => (POSTFIX, true),
            Kind::Build(_) | Kind::Ifold(_) | Kind::Scan(_) | Kind::Scanr(_) | Kind::Scatter(..) => (POSTFIX, known),
            Kind::Array(_) => (0, self.known.among(&term.kids(), known)[k]),
            Kind::Plus => (POSTFIX, self.known.among(&term.kids(), known)[k]),
            Kind::Pull => (POSTFIX, false),
            Kind::Get if k == 1 => (0, true),
            Kind::Within(_) => (0, false),
            Kind::Get | Kind::Fst | Kind::Snd => (POSTFIX, false),
            Kind::Prim(prim) => (operand(*prim, term, k), self.operands(*prim, term, known)[k]),
            Kind::Var | Kind::Real(_) | Kind::Int(_) | Kind::Fin(..) | Kind::SizeVar(_) => (0, known),
        }
    }
}

/// How strong an operand must be to stand without parentheses.
fn operand(prim: Prim, term: &Term, k: usize) -> u8 {
    match prim.fixity() {
        Fixity::Infix(own) => own + u8::from(k == 1 || own == COMPARISON),
        Fixity::Prefix(MINUS) if strength(&term.kid(0)) == MINUS => 0,
        Fixity::Prefix(own) => own,
        Fixity::Reserved | Fixity::Open => POSTFIX,
    }
}

/// Whether a child, which is no leaf, isn't written as a piece of what is around it.
fn has_own_block(term: &Term, k: usize, inner: &Term) -> bool {
    match (term.kind(), inner.kind()) {
        (Kind::Lam(..) | Kind::App, Kind::Lam(..)) => k > 0,
        (outer, Kind::Lam(..)) if outer.is_loop() => k > 0,
        (Kind::App, Kind::App) => k > 0,
        (Kind::Guard(..), Kind::Get) if k == 1 => !is_guarded_read(term),
        (Kind::If | Kind::Guard(..), Kind::If | Kind::Guard(..)) => {
            k < 2 || !is_written_as_if(inner) || is_guarded_read(term)
        }
        (Kind::Get, Kind::Within(_)) | (Kind::Within(_), _) => false,
        (Kind::Pair, Kind::Pair) => k == 0,
        (Kind::Prim(outer), Kind::Prim(inner)) => k > 0 || outer.fixity() != inner.fixity() || !is_chained(*outer),
        _ => true,
    }
}

fn is_chained(prim: Prim) -> bool {
    matches!(prim.fixity(), Fixity::Infix(own) if own != COMPARISON)
}
