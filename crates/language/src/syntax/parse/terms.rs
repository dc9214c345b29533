//! Builds the raw trees of terms: `climb` resolves the precedence of a flat expression, what stands in brackets is built here.

use pest::iterators::Pair;

use super::Rule;
use super::build::{Builder, WithHeight, first, part, parts};
use super::climb::{OpenTermForm, PrecedenceClimb};
use crate::ground::{Diagnostic, Name, Span, Trouble, code};
use crate::syntax::raw::{RawHead, RawParam, RawTerm, RawTermKind};
use crate::syntax::words::applied;
use crate::term::Prim;

impl Builder {
    /// A whole expression.
    pub fn term(&self, pair: Pair<'_, Rule>) -> Result<WithHeight<RawTerm>, Trouble> {
        let mut climb = PrecedenceClimb::new(self);
        for item in parts(pair) {
            let span = self.span(&item);
            match item.as_rule() {
                Rule::postfix => self.postfix(item, &mut climb)?,
                Rule::minus => climb.prefix(Prim::Neg, span)?,
                Rule::kw_not => climb.prefix(Prim::Not, span)?,
                Rule::kw_d => climb.dual(span)?,
                Rule::infix => climb.infix(self.operator(&item), self.ident(&item))?,
                _ => climb.open(self.form(item)?, span)?,
            }
        }
        climb.finish()
    }

    fn operator(&self, item: &Pair<'_, Rule>) -> Prim {
        Prim::infix(item.as_str()).expect("the grammar lists the operators of the table")
    }

    /// An open form up to the term that it ends with.
    fn form(&self, pair: Pair<'_, Rule>) -> Result<WithHeight<OpenTermForm>, Trouble> {
        let rule = pair.as_rule();
        let mut inner = parts(pair);
        if rule == Rule::local {
            let name = self.binder(&part(&mut inner))?;
            let mut next = part(&mut inner);
            let mut ty = None;
            if next.as_rule() == Rule::ty {
                ty = Some(self.ty(next)?.node);
                next = part(&mut inner);
            }
            let value = self.term(next)?;
            let form = OpenTermForm::Let(RawParam { name, ty }, Box::new(value.node));
            return Ok(WithHeight { node: form, height: value.height });
        }
        if rule == Rule::choice {
            let condition = self.term(part(&mut inner))?;
            let then = self.term(part(&mut inner))?;
            let height = condition.height.max(then.height);
            return Ok(WithHeight { node: OpenTermForm::If(Box::new(condition.node), Box::new(then.node)), height });
        }
        let mut params = Vec::new();
        for pair in inner {
            match pair.as_rule() {
                Rule::fun_params => self.params(pair, &mut params)?,
                _ => params.push(RawParam { name: self.binder(&pair)?, ty: None }),
            }
        }
        Ok(WithHeight { node: OpenTermForm::Fun(params), height: 0 })
    }

    /// `(x y : type)`, or under `fun` also `(x y)`: one parameter per name.
    pub fn params(&self, pair: Pair<'_, Rule>, out: &mut Vec<RawParam>) -> Result<(), Trouble> {
        let from = out.len();
        for inner in parts(pair) {
            if inner.as_rule() == Rule::ty {
                let ty = self.ty(inner)?.node;
                out[from..].iter_mut().for_each(|param| param.ty = Some(ty.clone()));
            } else {
                out.push(RawParam { name: self.binder(&inner)?, ty: None });
            }
        }
        Ok(())
    }

    /// An atom with its indices and projections. In a model `f(x)` is `f` and a further operand `(x)`.
    fn postfix(&self, pair: Pair<'_, Rule>, climb: &mut PrecedenceClimb<'_>) -> Result<(), Trouble> {
        let mut inner = parts(pair).peekable();
        let atom = part(&mut inner);
        let mut term = match inner.next_if(|next| next.as_rule() == Rule::call) {
            Some(call) if self.patterns && atom.as_str() != "_" && !applied(atom.as_str()) => {
                self.pattern(&atom, call)?
            }
            Some(call) if takes_all(&atom, &call) => self.applied(atom, call)?,
            Some(call) => {
                climb.operand(self.atom(atom)?)?;
                self.paren(call)?
            }
            None => self.atom(atom)?,
        };
        for suffix in inner {
            let span = term.node.span.to(self.span(&suffix));
            let below = term.height;
            let base = Box::new(term.node);
            term = if suffix.as_rule() == Rule::index {
                let index = self.term(first(suffix))?;
                let kind = RawTermKind::Get(base, Box::new(index.node));
                self.tall(RawTerm { kind, span }, below.max(index.height))?
            } else {
                let kind = RawTermKind::Project(suffix.as_str() == ".1", base);
                self.tall(RawTerm { kind, span }, below)?
            };
        }
        climb.operand(term)
    }

    /// `max(x, y)`, as `max x y`.
    fn applied(&self, atom: Pair<'_, Rule>, call: Pair<'_, Rule>) -> Result<WithHeight<RawTerm>, Trouble> {
        let span = self.span(&atom).to(self.span(&call));
        let first = self.atom(atom)?;
        parts(call).try_fold(first, |function, argument| {
            let argument = self.term(argument)?;
            let below = function.height.max(argument.height);
            self.tall(RawTerm { kind: RawTermKind::App(Box::new(function.node), Box::new(argument.node)), span }, below)
        })
    }

    fn atom(&self, pair: Pair<'_, Rule>) -> Result<WithHeight<RawTerm>, Trouble> {
        let span = self.span(&pair);
        match pair.as_rule() {
            Rule::paren => self.paren(pair),
            Rule::array => {
                let (items, below) = self.terms(pair)?;
                self.tall(RawTerm { kind: RawTermKind::Array(items), span }, below)
            }
            Rule::sized => {
                let mut inner = parts(pair);
                let opener = part(&mut inner).as_rule();
                let size = self.size_atom(part(&mut inner))?;
                let head = match opener {
                    Rule::kw_ifold => RawHead::Ifold(size.node),
                    Rule::kw_build => RawHead::Build(size.node),
                    other => unreachable!("the grammar has no loop {other:?}"),
                };
                self.tall(RawTerm { kind: RawTermKind::Head(head), span }, size.height)
            }
            Rule::number => self.tall(RawTerm { kind: numeral(pair.as_str(), span)?, span }, 0),
            _ => self.tall(RawTerm { kind: word(pair.as_str()), span }, 0),
        }
    }

    /// Every term in a bracket, and the height of the highest.
    fn terms(&self, pair: Pair<'_, Rule>) -> Result<(Vec<RawTerm>, u32), Trouble> {
        let mut height = 0;
        let mut terms = Vec::new();
        for inner in parts(pair) {
            let term = self.term(inner)?;
            height = term.height.max(height);
            terms.push(term.node);
        }
        Ok((terms, height))
    }

    fn pattern(&self, name: &Pair<'_, Rule>, call: Pair<'_, Rule>) -> Result<WithHeight<RawTerm>, Trouble> {
        let span = self.span(name).to(self.span(&call));
        if let Some(ty) = call.clone().into_inner().find(|p| p.as_rule() == Rule::ty) {
            return Err(Diagnostic::error(code::SYNTAX, "an argument of a pattern variable has no type")
                .at(self.span(&ty), "a type here")
                .help("leave the type out, or put it where the variable is bound: `fun (x : real) => …`")
                .into());
        }
        let (arguments, below) = self.terms(call)?;
        self.tall(RawTerm { kind: RawTermKind::Pattern(Name::new(name.as_str()), arguments), span }, below)
    }

    /// Parentheses: around one term, a term and its type, or a tuple, which is pairs to the right.
    fn paren(&self, pair: Pair<'_, Rule>) -> Result<WithHeight<RawTerm>, Trouble> {
        let span = self.span(&pair);
        let mut items = Vec::new();
        for inner in parts(pair) {
            if inner.as_rule() == Rule::ty {
                let ty = self.ty(inner)?;
                let term: WithHeight<RawTerm> = items.pop().expect("the grammar promises a term before `:`");
                let kind = RawTermKind::Ascribe(Box::new(term.node), ty.node);
                return self.tall(RawTerm { kind, span }, term.height.max(ty.height));
            }
            items.push(self.term(inner)?);
        }
        let mut whole = self.joined(items.into_iter().rev(), |right, left| RawTerm {
            span: left.span.to(right.span),
            kind: RawTermKind::Pair(Box::new(left), Box::new(right)),
        })?;
        whole.node.span = span;
        Ok(whole)
    }
}

/// Whether a call gives a primitive all of its operands, of which it takes several.
fn takes_all(atom: &Pair<'_, Rule>, call: &Pair<'_, Rule>) -> bool {
    let several = Prim::reserved(atom.as_str()).map(Prim::arity).filter(|arity| *arity > 1);
    several == Some(parts(call.clone()).filter(|part| part.as_rule() == Rule::expr).count())
}

/// What a word means that the grammar doesn't read itself.
fn word(text: &str) -> RawTermKind {
    match text {
        "_" => RawTermKind::Hole,
        "fst" => RawTermKind::Head(RawHead::Fst),
        "snd" => RawTermKind::Head(RawHead::Snd),
        _ => match Prim::reserved(text) {
            Some(prim) => RawTermKind::Head(RawHead::Prim(prim)),
            None => RawTermKind::Name(Name::new(text)),
        },
    }
}

/// A numeral that is at least a real; whether it fits its type is known only by use.
fn numeral(text: &str, span: Span) -> Result<RawTermKind, Trouble> {
    if text.parse::<f64>().is_ok_and(f64::is_finite) {
        return Ok(RawTermKind::Number(Name::new(text)));
    }
    Err(Diagnostic::error(code::BAD_NUMBER, "this numeral is too large")
        .at(span, "beyond the largest real")
        .help("the largest real is about 1.8e308")
        .into())
}
