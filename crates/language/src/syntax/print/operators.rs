//! Writes primitives: operators with as few parentheses as they need, the others as functions.

use super::PrintRole;
use super::descent::Descent;
use super::emit::{Emitter, strength};
use crate::ground::layout::Indent;
use crate::term::{COMPARISON, Fixity, Kind, MINUS, POWER, Prim, Term};

impl Emitter {
    pub(super) fn prim(&mut self, prim: Prim, term: &Term, known: bool, descent: Descent) {
        match prim.fixity() {
            Fixity::Infix(_) => self.group(Indent::Align, |e| e.chain(prim, term, known, descent)),
            Fixity::Prefix(own) => self.prefix(prim, own, term, known, descent),
            Fixity::Reserved | Fixity::Open => {
                let known = self.operands(prim, term, known);
                self.call(prim.text(), PrintRole::Primitive, term, &known, descent);
            }
        }
    }

    pub(super) fn operands(&mut self, prim: Prim, term: &Term, known: bool) -> Vec<bool> {
        let bounds_a_size = self.bounds_a_size();
        self.known.operands(prim, term, known, bounds_a_size)
    }

    /// `a + b - c`: operators of one strength, each before its right operand.
    fn chain(&mut self, prim: Prim, term: &Term, known: bool, descent: Descent) {
        let Fixity::Infix(own) = prim.fixity() else { return };
        let known = self.operands(prim, term, known);
        let (left, inner) = (term.kid(0), descent.below(term, 0));
        // Which operand may be such an operator without parentheses: comparisons don't chain, and powers do on the right.
        let (on_left, on_right) = (own != COMPARISON && own != POWER, own == POWER);
        match left.kind() {
            Kind::Prim(p) if p.fixity() == Fixity::Infix(own) && on_left && !inner.is_marked() && !self.is_spent() => {
                self.marking(inner, |e| e.chain(*p, &left, known[0], inner));
            }
            _ => self.term(&left, own + u8::from(!on_left), known[0], inner),
        }
        self.line();
        self.text(prim.text(), PrintRole::Operator);
        self.text(" ", PrintRole::Plain);
        match prim {
            Prim::Offset(c) => self.text(c.to_string(), PrintRole::Number),
            _ => self.term(&term.kid(1), own + u8::from(!on_right), known[1], descent.below(term, 1)),
        }
    }

    /// `-x` and `not x`. A minus directly before a numeral is part of the numeral, and two of them start a comment.
    fn prefix(&mut self, prim: Prim, own: u8, term: &Term, known: bool, descent: Descent) {
        let known = self.operands(prim, term, known);
        let operand = term.kid(0);
        self.text(prim.text(), PrintRole::Operator);
        if own != MINUS {
            self.text(" ", PrintRole::Plain);
            return self.term(&operand, own, known[0], descent.below(term, 0));
        }
        let apart = strength(&operand) == MINUS || matches!(operand.kind(), Kind::Real(_) | Kind::Int(_));
        let apart = apart && (known[0] || !matches!(operand.kind(), Kind::Int(_)));
        self.parenthesised(apart, |e| e.term(&operand, if apart { 0 } else { own }, known[0], descent.below(term, 0)));
    }
}
