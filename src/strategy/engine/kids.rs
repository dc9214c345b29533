//! From a term to its children: on one, on all, on some.

use crate::term::Node;

use super::code::Id;
use super::machine::{Engine, Halt, Next};
use super::stack::{Before, Waiting};

impl Engine {
    /// On child `k` and no other.
    pub(super) fn descend(&mut self, k: usize, s: Id) -> Result<Next, Halt> {
        self.cursor.down(k, self.stack.len());
        self.within(Waiting::Only(s, self.cursor.focus.clone()), s)
    }

    /// On the first child from number `from` on where it succeeds.
    pub(super) fn one(&mut self, s: Id, from: usize) -> Result<Next, Halt> {
        let count = self.cursor.focus.kid_count();
        if from >= count {
            return Ok(Next::No(count > 0));
        }
        let bit = self.failure_bit(s);
        let Some(k) = self.open_kid(from, |kid| !bit.is_in(kid.mark())) else { return Ok(Next::No(true)) };
        self.cursor.down(k, self.stack.len());
        self.within(Waiting::One(s, self.cursor.focus.clone()), s)
    }

    /// The first child from number `from` on that may be rewritten as far as its node says.
    #[inline]
    pub(super) fn open_kid(&self, from: usize, may: impl Fn(&Node) -> bool) -> Option<usize> {
        let kids = self.cursor.focus.nodes().get(from..)?;
        kids.iter().position(|kid| may(kid)).map(|k| from + k)
    }

    /// On every child from number `from` on; `before` them all.
    pub(super) fn all(&mut self, s: Id, from: usize, before: Before) -> Result<Next, Halt> {
        if from >= self.cursor.focus.kid_count() {
            return Ok(Next::Yes);
        }
        self.cursor.down(from, self.stack.len());
        self.within(Waiting::All(s, before), s)
    }

    /// On as many children from number `from` on as succeed; `any` has already.
    pub(super) fn some(&mut self, s: Id, from: usize, any: bool) -> Result<Next, Halt> {
        let count = self.cursor.focus.kid_count();
        if from >= count {
            return Ok(if any { Next::Yes } else { Next::No(count > 0) });
        }
        self.cursor.down(from, self.stack.len());
        self.within(Waiting::Some(s, any), s)
    }
}
