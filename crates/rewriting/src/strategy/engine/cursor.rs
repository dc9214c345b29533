//! Keeps a place in a term that is being rewritten: a `Cursor` has the subterm there and the terms around it.
//!
//! What stands around is put together again only when the cursor goes up, or when somebody has to see it. That happens
//! once for all that was rewritten below, however often.

use std::mem;

use crate::rule::{BinderKinds, Frame, KidSet, Marks, order, order_below};
use redexter_language::term::Term;

use super::super::trace::StepPathTrie;

/// There is room for a way as long as the term is deep, up to this, because growing the vectors would move the frames.
const PRESIZED_DEPTH: u32 = 1 << 19;

/// A subterm, and the way to it.
pub(super) struct Cursor {
    pub(super) focus: Term,
    /// The terms around it, outermost first. Where a child is stale, so are the terms around it.
    above: Vec<Frame>,
    /// For each of these what the cursor said when it was the focus.
    beside: Vec<FrameState>,
    /// What the [shape](Term::shape) of the focus counts for in that of the whole.
    weight: u64,
    /// The innermost term around doesn't hold the focus as it is now.
    stale: bool,
    shape: u64,
    /// The places in `above` of the terms that bind a variable around the focus, each with the constructors of those
    /// around it.
    binders: Vec<(u32, BinderKinds)>,
    /// The constructors of all these.
    bound_by: BinderKinds,
    /// How many terms of `above` have a stale child.
    all_stale: usize,
    /// The outermost term that a search went through to the focus where it failed for a reason that may lie on this way: its
    /// depth, counted from 1; 0 for none.
    doubtful: u32,
    /// Below which children the reason may lie why it failed on the focus.
    doubt: KidSet,
    /// What the terms around say about the variables that they bind, once somebody has asked; and how often a rewrite has
    /// changed that.
    marks: Option<Box<Marks>>,
    turns: u64,
    trie: StepPathTrie,
    /// So far the way to the focus is one of them.
    known: usize,
}

/// The cursor's own state beside each frame of the way.
#[derive(Clone, Copy)]
struct FrameState {
    /// The cursor's own, at the frame's term.
    weight: u64,
    stale: bool,
    doubtful: u32,
    doubt: KidSet,
    /// The number of the child, and whether a variable is bound around it.
    kid: u32,
    binds: bool,
    /// The place in the stack of what waits for the child.
    place: u32,
    /// The turn to the child in the trie, once a step was taken there.
    turn: u32,
}

impl Cursor {
    pub(super) fn new(term: &Term) -> Cursor {
        let depth = term.depth().min(PRESIZED_DEPTH) as usize;
        Cursor {
            focus: term.clone(),
            above: Vec::with_capacity(depth),
            beside: Vec::with_capacity(depth),
            weight: 1,
            stale: false,
            shape: term.shape(),
            binders: Vec::new(),
            bound_by: BinderKinds::NONE,
            all_stale: 0,
            doubtful: 0,
            doubt: KidSet::NONE,
            marks: None,
            turns: 0,
            trie: StepPathTrie::with_room_for(depth),
            known: 0,
        }
    }

    /// One without room for a way, since none is gone.
    pub(super) fn at_rest(term: &Term) -> Cursor {
        Cursor { above: Vec::new(), beside: Vec::new(), trie: StepPathTrie::default(), ..Cursor::new(term) }
    }

    #[inline]
    pub(super) fn depth(&self) -> usize {
        self.above.len()
    }

    /// The [shape](Term::shape) of the whole term.
    #[inline]
    pub(super) fn shape(&self) -> u64 {
        self.shape
    }

    /// The frame at this depth; its child may be stale.
    #[inline]
    pub(super) fn frame(&self, depth: usize) -> &Frame {
        &self.above[depth]
    }

    /// The place in the stack of what waits for the child of the term at this depth.
    pub(super) fn place(&self, depth: usize) -> usize {
        self.beside[depth].place as usize
    }

    /// The focus, and the terms around it; their children may be stale.
    pub(super) fn site(&self) -> (&Term, &[Frame]) {
        (&self.focus, &self.above)
    }

    pub(super) fn term_at(&mut self, depth: usize) -> Term {
        self.mend();
        self.above.get(depth).map_or_else(|| self.focus.clone(), |frame| frame.term.clone())
    }

    /// What constructors bind the variables around the focus.
    #[inline]
    pub(super) fn bound_by(&self) -> BinderKinds {
        self.bound_by
    }

    /// The depth of the term that binds the variable with this index.
    #[inline]
    pub(super) fn binder(&self, index: u32) -> Option<usize> {
        let place = self.binders.len().checked_sub(index as usize + 1)?;
        Some(self.binders[place].0 as usize)
    }

    /// A search that began at this depth is about to try the focus, be it for the first time or again.
    #[inline]
    pub(super) fn trying(&mut self, base: usize) {
        self.doubt = KidSet::NONE;
        // Doubts about terms further out belong to the search that went through them.
        if self.depth() <= base {
            self.doubtful = 0;
        }
    }

    /// The search has failed on the focus itself for a reason that may lie anywhere below these children.
    #[inline]
    pub(super) fn doubt(&mut self, below: KidSet) {
        self.doubt = below;
    }

    /// Whether the last search that tried the focus has failed so.
    pub(super) fn is_doubtful(&self) -> bool {
        self.doubt != KidSet::NONE
    }

    /// The depth of the outermost term on the way of the search where that was so.
    #[inline]
    pub(super) fn doubtful(&self) -> Option<usize> {
        (self.doubtful as usize).checked_sub(1)
    }

    /// Puts another term in the place of the focus, and gives that.
    #[inline]
    pub(super) fn set(&mut self, term: Term) -> Term {
        // The whole's shape is linear in those of its subterms, so that it is kept up here without going up.
        let by = term.shape().wrapping_sub(self.focus.shape());
        self.shape = self.shape.wrapping_add(by.wrapping_mul(self.weight));
        self.touch();
        // Asked before the exchange, because it compares both terms.
        let stay = self.marks.as_ref().is_none_or(|marks| marks.stay(&self.focus, &term));
        let then = mem::replace(&mut self.focus, term);
        if !stay {
            self.mark_again();
        }
        then
    }

    /// Puts a term back that was rewritten: it may mention variables that its contractum doesn't.
    pub(super) fn put_back(&mut self, term: Term) {
        self.set(term);
        if self.marks.is_some() {
            self.mark_again();
        }
    }

    /// Sees to it that it is known, from here on and wherever the cursor goes, what stands around says about variables.
    #[inline]
    pub(super) fn follow_marks(&mut self) {
        if self.marks.is_none() {
            self.mark_again();
        }
    }

    #[inline(never)]
    fn mark_again(&mut self) {
        // The marks are read off the terms around, which must be current for that.
        self.mend();
        let now = Marks::of(self.above.iter().map(|frame| (&frame.term, frame.kid)));
        match &mut self.marks {
            // No turn, otherwise rounds would begin anew although the marks say the same.
            Some(then) if **then == now => {}
            Some(then) => {
                **then = now;
                self.turns += 1;
            }
            none => *none = Some(Box::new(now)),
        }
    }

    /// What the terms around say about the variables that they bind, if that is followed.
    #[inline]
    pub(super) fn marks(&self) -> Option<&Marks> {
        self.marks.as_deref()
    }

    /// How often a rewrite has changed that, about whatever variables.
    pub(super) fn turns(&self) -> u64 {
        self.turns
    }

    /// What of it a rule may see that inspects no more of the context, tried on the focus; and in which order variables are
    /// bound, for one that is `ordered`.
    pub(super) fn signature(&self, ordered: bool) -> u64 {
        let order = if ordered { order(&self.focus) } else { 0 };
        self.marks.as_ref().map_or(order, |marks| marks.signature(&self.focus) ^ order)
    }

    /// The same, tried on child `k`.
    pub(super) fn signature_below(&self, k: usize, ordered: bool) -> u64 {
        let order = if ordered { order_below(&self.focus, k) } else { 0 };
        self.marks.as_ref().map_or(order, |marks| marks.signature_below(&self.focus, k) ^ order)
    }

    #[inline]
    fn touch(&mut self) {
        if !self.stale && self.depth() > 0 {
            self.stale = true;
            self.all_stale += 1;
        }
    }

    /// To child `k`, for what will wait at this place of the stack.
    #[inline]
    pub(super) fn down(&mut self, k: usize, place: usize) {
        let Cursor { weight, stale, doubtful, doubt, .. } = *self;
        // The focus becomes a frame: what the cursor says of it now goes beside that, so that `up` can say it again.
        let (depth, binds) = (self.depth() as u32, self.focus.binders(k) > 0);
        self.beside.push(FrameState {
            weight,
            stale,
            doubtful,
            doubt,
            kid: k as u32,
            binds,
            place: place as u32,
            turn: 0,
        });
        if binds {
            self.binders.push((depth, self.bound_by));
            self.bound_by = self.bound_by.and(BinderKinds::one(self.focus.kind()));
        }
        // The outermost counts, because from there all further in are asked again, too; and only a reason below child `k` can go
        // away while the search is below child `k`.
        if doubt != KidSet::NONE && doubtful == 0 && doubt.has(k) {
            self.doubtful = depth + 1;
        }
        self.doubt = KidSet::NONE;
        if let Some(marks) = &mut self.marks {
            marks.enter(&self.focus, k);
        }
        self.weight = weight.wrapping_mul(self.focus.weight(k));
        self.stale = false;
        let kid = self.focus.kid(k);
        let term = mem::replace(&mut self.focus, kid);
        self.above.push(Frame { term, kid: k });
    }

    /// To the parent; gives the number of the child.
    #[inline]
    pub(super) fn up(&mut self) -> usize {
        let Some(Frame { term, kid: k }) = self.above.pop() else { return 0 };
        let kid = mem::replace(&mut self.focus, term);
        let depth = self.above.len();
        let beside = self.beside[depth];
        self.beside.truncate(depth);
        if beside.binds
            && let Some((_, bound_by)) = self.binders.pop()
        {
            self.bound_by = bound_by;
        }
        if let Some(marks) = &mut self.marks {
            marks.leave();
        }
        // The turns beyond belong to the child that is left.
        self.known = self.known.min(depth);
        // From here on `stale` is about the parent, so that `touch` below marks the parent in the term around it.
        let stale = mem::replace(&mut self.stale, beside.stale);
        (self.weight, self.doubtful, self.doubt) = (beside.weight, beside.doubtful, beside.doubt);
        if stale {
            self.all_stale -= 1;
            let whole = with_kid(&self.focus, k, kid);
            // The very same object where the rewrites came to the same term: then nothing further out is stale for it.
            if !whole.same(&self.focus) {
                self.touch();
                self.focus = whole;
            }
        }
        k
    }

    /// Puts together again what stands around the focus.
    pub(super) fn mend(&mut self) {
        let mut depth = self.above.len();
        // From the inside out, because each term that is put together makes the one around it stale; it ends as soon as none is.
        while self.all_stale > 0 && depth > 0 {
            depth -= 1;
            let stale = self.beside.get_mut(depth + 1).map_or(&mut self.stale, |inner| &mut inner.stale);
            if !mem::take(stale) {
                continue;
            }
            self.all_stale -= 1;
            let kid = self.above.get(depth + 1).map_or(&self.focus, |inner| &inner.term);
            let whole = with_kid(&self.above[depth].term, self.above[depth].kid, kid.clone());
            let changed = !whole.same(&self.above[depth].term);
            self.above[depth].term = whole;
            if changed && depth > 0 && !mem::replace(&mut self.beside[depth].stale, true) {
                self.all_stale += 1;
            }
        }
    }

    pub(super) fn trie(&self) -> &StepPathTrie {
        &self.trie
    }

    /// The last turn on the way to the focus.
    #[inline]
    pub(super) fn turn(&mut self) -> u32 {
        let last = self.known.checked_sub(1).map_or(0, |k| self.beside[k].turn);
        if self.known == self.depth() { last } else { self.turn_from(last) }
    }

    #[inline(never)]
    fn turn_from(&mut self, mut last: u32) -> u32 {
        // Turns are made for ways on which a step is taken only, so that looking for redexes makes none; and the part of the way
        // that the last step had, too, keeps its own.
        for beside in &mut self.beside[self.known..] {
            last = self.trie.turn(last, beside.kid);
            beside.turn = last;
        }
        self.known = self.depth();
        last
    }
}

#[inline]
fn with_kid(term: &Term, k: usize, kid: Term) -> Term {
    // Rules keep types: a choice of rules asserts that of each contractum.
    term.with_kid(k, kid).expect("a rewritten child has the type of the old one")
}
