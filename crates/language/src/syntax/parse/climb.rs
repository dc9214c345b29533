//! Resolves precedence: a flat list of operators, operands and open forms becomes one term, without recursion.
//!
//! Two stacks: finished operands, and what still waits for an operand on its right. An open form (`fun`, `let`, `if`)
//! waits until the end of the list, because it reaches as far right as it can.

use super::build::{Builder, Tall};
use crate::ground::{Diagnostic, Span, Trouble, code};
use crate::syntax::raw::{Ident, RawParam, RawTerm, RawTermKind};
use crate::term::{COMPARISON, Fixity, MINUS, Prim};

/// An open form without the term that it ends with.
pub(super) enum Form {
    /// `fun x =>`
    Fun(Vec<RawParam>),
    /// `let x := e;`
    Let(RawParam, Box<RawTerm>),
    /// `if c then a else`
    If(Box<RawTerm>, Box<RawTerm>),
}

/// An operator or an open form that waits for the operand on its right.
enum Pending {
    /// A function and the argument behind it.
    Apply,
    Dual(Span),
    Infix(Prim, Ident),
    Prefix(Prim, Span),
    Open(Tall<Form>, Span),
}

/// How tightly a function holds its argument: tighter than any operator its operands.
const APPLICATION: u8 = MINUS + 1;

impl Pending {
    /// How tightly it holds the operand on its right.
    fn strength(&self) -> u8 {
        match self {
            Pending::Dual(_) => APPLICATION + 1,
            Pending::Apply => APPLICATION,
            Pending::Infix(prim, _) | Pending::Prefix(prim, _) => strength(*prim),
            Pending::Open(..) => 0,
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
pub(super) struct Climb<'b> {
    builder: &'b Builder,
    operands: Vec<Tall<RawTerm>>,
    pending: Vec<Pending>,
    /// Whether the next operand is an argument of the last one.
    applies: bool,
}

impl<'b> Climb<'b> {
    pub fn new(builder: &'b Builder) -> Climb<'b> {
        Climb { builder, operands: Vec::new(), pending: Vec::new(), applies: false }
    }

    /// An operand; behind another one it is an argument.
    pub fn operand(&mut self, operand: Tall<RawTerm>) -> Result<(), Trouble> {
        self.apply()?;
        self.operands.push(operand);
        self.applies = true;
        Ok(())
    }

    /// `D`, on the next operand.
    pub fn dual(&mut self, span: Span) -> Result<(), Trouble> {
        self.apply()?;
        self.pending.push(Pending::Dual(span));
        Ok(())
    }

    /// An open form; behind an operand it is the last argument.
    pub fn open(&mut self, form: Tall<Form>, span: Span) -> Result<(), Trouble> {
        self.apply()?;
        self.pending.push(Pending::Open(form, span));
        Ok(())
    }

    /// Applies the operand before this place, if there is one, to what begins here.
    fn apply(&mut self) -> Result<(), Trouble> {
        if std::mem::take(&mut self.applies) {
            self.reduce(APPLICATION)?;
            self.pending.push(Pending::Apply);
        }
        Ok(())
    }

    /// An operator before its operand.
    pub fn prefix(&mut self, prim: Prim, span: Span) -> Result<(), Trouble> {
        let outer = match self.pending.last() {
            Some(Pending::Dual(at)) => Some((*at, "`D` takes what stands directly behind it")),
            Some(Pending::Infix(outer, ident)) if strength(*outer) >= strength(prim) => {
                Some((ident.span, "binds tighter"))
            }
            Some(Pending::Prefix(outer, at)) if strength(*outer) > strength(prim) => Some((*at, "binds tighter")),
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
        self.pending.push(Pending::Prefix(prim, span));
        Ok(())
    }

    /// An operator between two operands.
    pub fn infix(&mut self, prim: Prim, ident: Ident) -> Result<(), Trouble> {
        let strength = strength(prim);
        let comparison = strength == COMPARISON;
        self.reduce(strength + u8::from(comparison))?;
        if comparison
            && let Some(Pending::Infix(first, at)) = self.pending.last()
            && self::strength(*first) == COMPARISON
        {
            let (first, second) = (first.text(), prim.text());
            return Err(Diagnostic::error(code::SYNTAX, "comparisons don't chain")
                .at(ident.span, "a second comparison")
                .because(at.span, "the first one")
                .help(format!("write `a {first} b && b {second} c`, or parentheses"))
                .into());
        }
        self.pending.push(Pending::Infix(prim, ident));
        self.applies = false;
        Ok(())
    }

    pub fn finish(mut self) -> Result<Tall<RawTerm>, Trouble> {
        self.reduce(0)?;
        Ok(self.pop())
    }

    /// Gives what waits, and holds at least this tightly, its operand.
    fn reduce(&mut self, strength: u8) -> Result<(), Trouble> {
        while let Some(top) = self.pending.pop_if(|top| top.strength() >= strength) {
            let Tall { node: right, height } = self.pop();
            let end = right.span;
            let (kind, start, below) = match top {
                Pending::Apply => {
                    let function = self.pop();
                    let start = function.node.span;
                    (RawTermKind::App(Box::new(function.node), Box::new(right)), start, function.height.max(height))
                }
                Pending::Infix(prim, ident) => {
                    let left = self.pop();
                    let start = left.node.span;
                    let kind = RawTermKind::Binary(prim, ident, Box::new(left.node), Box::new(right));
                    (kind, start, left.height.max(height))
                }
                Pending::Dual(at) => (RawTermKind::D(Box::new(right)), at, height),
                Pending::Prefix(prim, at) => (RawTermKind::Unary(prim, Box::new(right)), at, height),
                Pending::Open(form, at) => (form.node.around(right), at, form.height.max(height)),
            };
            self.operands.push(self.builder.tall(RawTerm { kind, span: start.to(end) }, below)?);
        }
        Ok(())
    }

    fn pop(&mut self) -> Tall<RawTerm> {
        self.operands.pop().expect("the grammar promises an operand here")
    }
}

impl Form {
    /// The form with the term that it ends with.
    fn around(self, body: RawTerm) -> RawTermKind {
        let body = Box::new(body);
        match self {
            Form::Fun(params) => RawTermKind::Fun(params, body),
            Form::Let(param, value) => RawTermKind::Let(param, value, body),
            Form::If(condition, then) => RawTermKind::If(condition, then, body),
        }
    }
}
