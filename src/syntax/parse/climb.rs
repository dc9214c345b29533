//! Precedence: a flat list of operators, operands and open forms becomes one term, without recursion.
//!
//! Two stacks: finished operands, and what still waits for an operand on its right. An open form (`fun`, `let`, `if`)
//! waits until the end of the list, because it reaches as far right as it can.

use super::build::{Builder, Tall};
use crate::ground::{Diagnostic, Span, Trouble, code};
use crate::syntax::raw::{Ident, RawParam, RawTerm, RawTermKind};

use crate::term::{COMPARISON, Fixity, Prim};

/// An open form without the term that it ends with.
pub(super) enum Form {
    /// `fun x =>`
    Fun(Vec<RawParam>),
    /// `let x := e;`
    Let(RawParam, Box<RawTerm>),
    /// `if c then a else`
    If(Box<RawTerm>, Box<RawTerm>),
}

/// What waits for the operand on its right.
enum Pending {
    Infix(Prim, Ident),
    Prefix(Prim, Span),
    Open { form: Tall<Form>, span: Span, duals: Vec<Span>, argument: bool },
}

impl Pending {
    /// How tightly it holds the operand on its right.
    fn strength(&self) -> u8 {
        match self {
            Pending::Infix(prim, _) | Pending::Prefix(prim, _) => strength(*prim),
            Pending::Open { .. } => 0,
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
    /// The `D`s that wait for the next operand.
    duals: Vec<Span>,
    /// Whether the next operand is an argument of the last one.
    applies: bool,
}

impl<'b> Climb<'b> {
    /// Nothing yet.
    pub fn new(builder: &'b Builder) -> Climb<'b> {
        Climb { builder, operands: Vec::new(), pending: Vec::new(), duals: Vec::new(), applies: false }
    }

    /// `D`, on the next operand.
    pub fn dual(&mut self, span: Span) {
        self.duals.push(span);
    }

    /// An operand; behind another one it is an argument.
    pub fn operand(&mut self, operand: Tall<RawTerm>) -> Result<(), Trouble> {
        let duals = std::mem::take(&mut self.duals);
        let applies = std::mem::replace(&mut self.applies, true);
        self.place(operand, duals, applies)
    }

    /// An operator before its operand.
    pub fn prefix(&mut self, prim: Prim, span: Span) -> Result<(), Trouble> {
        if let Some(dual) = self.duals.last() {
            return Err(needs_parentheses(prim, span, *dual, "`D` takes what stands directly behind it"));
        }
        match self.pending.last() {
            Some(Pending::Infix(outer, ident)) if strength(*outer) >= strength(prim) => {
                return Err(needs_parentheses(prim, span, ident.span, "binds tighter"));
            }
            Some(Pending::Prefix(outer, at)) if strength(*outer) > strength(prim) => {
                return Err(needs_parentheses(prim, span, *at, "binds tighter"));
            }
            _ => {}
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

    /// An open form; behind an operand it is the last argument.
    pub fn open(&mut self, form: Tall<Form>, span: Span) {
        let duals = std::mem::take(&mut self.duals);
        let argument = std::mem::replace(&mut self.applies, false);
        self.pending.push(Pending::Open { form, span, duals, argument });
    }

    /// The whole term.
    pub fn finish(mut self) -> Result<Tall<RawTerm>, Trouble> {
        self.reduce(0)?;
        Ok(self.pop())
    }

    /// Gives what waits, and holds at least this tightly, its operand.
    fn reduce(&mut self, strength: u8) -> Result<(), Trouble> {
        while let Some(top) = self.pending.pop_if(|top| top.strength() >= strength) {
            let right = self.pop();
            match top {
                Pending::Infix(prim, ident) => {
                    let left = self.pop();
                    let span = left.node.span.to(right.node.span);
                    let below = left.height.max(right.height);
                    let kind = RawTermKind::Binary(prim, ident, Box::new(left.node), Box::new(right.node));
                    self.push(kind, span, below)?;
                }
                Pending::Prefix(prim, at) => {
                    let span = at.to(right.node.span);
                    self.push(RawTermKind::Unary(prim, Box::new(right.node)), span, right.height)?;
                }
                Pending::Open { form, span, duals, argument } => {
                    let span = span.to(right.node.span);
                    let below = form.height.max(right.height);
                    let node = RawTerm { kind: form.node.around(right.node), span };
                    let term = self.builder.tall(node, below)?;
                    self.place(term, duals, argument)?;
                }
            }
        }
        Ok(())
    }

    /// Puts an operand on its stack, under its `D`s and behind the function that it is an argument of.
    fn place(&mut self, mut operand: Tall<RawTerm>, duals: Vec<Span>, argument: bool) -> Result<(), Trouble> {
        for dual in duals.into_iter().rev() {
            let span = dual.to(operand.node.span);
            let node = RawTerm { kind: RawTermKind::D(Box::new(operand.node)), span };
            operand = self.builder.tall(node, operand.height)?;
        }
        if !argument {
            self.operands.push(operand);
            return Ok(());
        }
        let function = self.pop();
        let span = function.node.span.to(operand.node.span);
        let below = function.height.max(operand.height);
        self.push(RawTermKind::App(Box::new(function.node), Box::new(operand.node)), span, below)
    }

    fn push(&mut self, kind: RawTermKind, span: Span, below: u32) -> Result<(), Trouble> {
        self.operands.push(self.builder.tall(RawTerm { kind, span }, below)?);
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

fn needs_parentheses(prim: Prim, span: Span, outer: Span, why: &str) -> Trouble {
    let text = prim.text();
    Diagnostic::error(code::SYNTAX, format!("`{text}` needs parentheses here"))
        .at(span, "can't begin an operand here")
        .because(outer, why)
        .help(format!("put `{text}` and its operand in parentheses"))
        .into()
}
