//! Resolves precedence: a flat list of operators, operands and open forms becomes one term, without recursion.
//!
//! Two stacks: finished operands, and what still waits for an operand on its right. An open form (`fun`, `let`, `if`)
//! waits until the end of the list, because it reaches as far right as it can.

use super::build::{Builder, WithHeight};
use super::tuples::TakenName;
use crate::ground::{Diagnostic, Span, Trouble, code};
use crate::syntax::raw::{RawIdent, RawParam, RawTerm, RawTermKind};
use crate::term::{COMPARISON, Fixity, POWER, Prim};

/// An open form without the term that it ends with.
pub(super) enum OpenTermForm {
    /// `fun x =>`, with the names for parts of parameters.
    Fun(Vec<RawParam>, Vec<TakenName>),
    /// `let x := e;`, with the names for parts of x.
    Let(RawParam, Box<RawTerm>, Vec<TakenName>),
    /// `if c then a else`
    If(Box<RawTerm>, Box<RawTerm>),
    /// `if k : t := e then a else`
    Guard(RawParam, Box<RawTerm>, Box<RawTerm>),
}

/// An operator or an open form that waits for the operand on its right.
enum PendingOperator {
    /// A function and the argument behind it.
    Apply,
    Dual(Span),
    Infix(Prim, RawIdent),
    Prefix(Prim, Span),
    Open(WithHeight<OpenTermForm>, Span),
}

/// How tightly a function holds its argument: tighter than any operator its operands.
const APPLICATION: u8 = POWER + 1;

impl PendingOperator {
    /// How tightly it holds the operand on its right.
    fn strength(&self) -> u8 {
        match self {
            PendingOperator::Dual(_) => APPLICATION + 1,
            PendingOperator::Apply => APPLICATION,
            PendingOperator::Infix(prim, _) | PendingOperator::Prefix(prim, _) => strength(*prim),
            PendingOperator::Open(..) => 0,
        }
    }
}

fn strength(prim: Prim) -> u8 {
    match prim.fixity() {
        Fixity::Infix(s) | Fixity::Prefix(s) => s,
        Fixity::Reserved | Fixity::Open => u8::MAX,
    }
}

/// A term under construction.
pub(super) struct PrecedenceClimb<'b> {
    builder: &'b Builder,
    operands: Vec<WithHeight<RawTerm>>,
    pending: Vec<PendingOperator>,
    /// Whether the next operand is an argument of the last one.
    applies: bool,
}

// Not inlined into the loop over what stands in a pair of brackets, whose frame is on the stack once for each level.
impl<'b> PrecedenceClimb<'b> {
    pub fn new(builder: &'b Builder) -> PrecedenceClimb<'b> {
        PrecedenceClimb { builder, operands: Vec::new(), pending: Vec::new(), applies: false }
    }

    /// An operand; behind another one it is an argument.
    #[inline(never)]
    pub fn operand(&mut self, operand: WithHeight<RawTerm>) -> Result<(), Trouble> {
        self.apply()?;
        self.operands.push(operand);
        self.applies = true;
        Ok(())
    }

    /// `D`, on the next operand.
    pub fn dual(&mut self, span: Span) -> Result<(), Trouble> {
        self.apply()?;
        self.pending.push(PendingOperator::Dual(span));
        Ok(())
    }

    /// An open form; behind an operand it is the last argument.
    #[inline(never)]
    pub fn open(&mut self, form: WithHeight<OpenTermForm>, span: Span) -> Result<(), Trouble> {
        self.apply()?;
        self.pending.push(PendingOperator::Open(form, span));
        Ok(())
    }

    /// Applies the operand before this place, if there is one, to what begins here.
    fn apply(&mut self) -> Result<(), Trouble> {
        if std::mem::take(&mut self.applies) {
            self.reduce(APPLICATION)?;
            self.pending.push(PendingOperator::Apply);
        }
        Ok(())
    }

    /// An operator before its operand.
    #[inline(never)]
    pub fn prefix(&mut self, prim: Prim, span: Span) -> Result<(), Trouble> {
        let outer = match self.pending.last() {
            Some(PendingOperator::Dual(at)) => Some((*at, "`D` takes what stands directly behind it")),
            // As in mathematics, an exponent may have a sign: nothing else can be meant.
            Some(PendingOperator::Infix(Prim::RealPow, _)) if prim.unrounded() == Prim::Neg => None,
            Some(PendingOperator::Infix(outer, ident)) if strength(*outer) >= strength(prim) => {
                Some((ident.span, "binds tighter"))
            }
            Some(PendingOperator::Prefix(outer, at)) if strength(*outer) > strength(prim) => {
                Some((*at, "binds tighter"))
            }
            _ => None,
        };
        if let Some((outer, why)) = outer {
            let text = prim.text();
            return Err(Diagnostic::error(code::SYNTAX, format!("`{text}` needs parentheses here"))
                .at(span, "can't begin an operand here")
                .because(outer, why)
                .help(format!("put `{text}` and its operand in parentheses"))
                .into());
        }
        self.pending.push(PendingOperator::Prefix(prim, span));
        Ok(())
    }

    /// An operator between two operands.
    #[inline(never)]
    pub fn infix(&mut self, prim: Prim, ident: RawIdent) -> Result<(), Trouble> {
        let strength = strength(prim);
        let comparison = strength == COMPARISON;
        // Powers are taken from the right.
        self.reduce(strength + u8::from(comparison || strength == POWER))?;
        if comparison
            && let Some(PendingOperator::Infix(first, at)) = self.pending.last()
            && self::strength(*first) == COMPARISON
        {
            let (first, second) = (first.text(), prim.text());
            return Err(Diagnostic::error(code::SYNTAX, "comparisons don't chain")
                .at(ident.span, "a second comparison")
                .because(at.span, "the first one")
                .help(format!("write `a {first} b && b {second} c`, or parentheses"))
                .into());
        }
        self.pending.push(PendingOperator::Infix(prim, ident));
        self.applies = false;
        Ok(())
    }

    #[inline(never)]
    pub fn finish(mut self) -> Result<WithHeight<RawTerm>, Trouble> {
        self.reduce(0)?;
        Ok(self.pop())
    }

    /// Gives what waits, and holds at least this tightly, its operand.
    fn reduce(&mut self, strength: u8) -> Result<(), Trouble> {
        while let Some(top) = self.pending.pop_if(|top| top.strength() >= strength) {
            let WithHeight { node: right, height } = self.pop();
            let end = right.span;
            let (kind, start, below) = match top {
                PendingOperator::Apply => {
                    let function = self.pop();
                    let start = function.node.span;
                    (RawTermKind::App(Box::new(function.node), Box::new(right)), start, function.height.max(height))
                }
                PendingOperator::Infix(prim, ident) => {
                    let left = self.pop();
                    let start = left.node.span;
                    let kind = RawTermKind::Binary(prim, ident, Box::new(left.node), Box::new(right));
                    (kind, start, left.height.max(height))
                }
                PendingOperator::Dual(at) => (RawTermKind::D(Box::new(right)), at, height),
                PendingOperator::Prefix(prim, at) => (RawTermKind::Unary(prim, Box::new(right)), at, height),
                PendingOperator::Open(form, at) => {
                    let right = form
                        .node
                        .taken()
                        .iter()
                        .rev()
                        .try_fold(WithHeight { node: right, height }, |body, taken| self.builder.taking(taken, body))?;
                    (form.node.around(right.node), at, form.height.max(right.height))
                }
            };
            self.operands.push(self.builder.tall(RawTerm { kind, span: start.to(end) }, below)?);
        }
        Ok(())
    }

    fn pop(&mut self) -> WithHeight<RawTerm> {
        self.operands.pop().expect("the grammar promises an operand here")
    }
}

impl OpenTermForm {
    fn taken(&self) -> &[TakenName] {
        match self {
            OpenTermForm::Fun(_, taken) | OpenTermForm::Let(_, _, taken) => taken,
            OpenTermForm::If(..) | OpenTermForm::Guard(..) => &[],
        }
    }

    /// The form with the term that it ends with.
    fn around(self, body: RawTerm) -> RawTermKind {
        let body = Box::new(body);
        match self {
            OpenTermForm::Fun(params, _) => RawTermKind::Fun(params, body),
            OpenTermForm::Let(param, value, _) => RawTermKind::Let(param, value, body),
            OpenTermForm::If(condition, then) => RawTermKind::If(condition, then, body),
            OpenTermForm::Guard(param, number, inside) => RawTermKind::Guard(param, number, inside, body),
        }
    }
}
