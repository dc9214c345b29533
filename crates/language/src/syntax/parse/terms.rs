//! Builds the raw trees of terms: `climb` resolves the precedence of a flat expression, what stands in brackets is built here.

use pest::iterators::Pair;

use super::Rule;
use super::build::{Builder, WithHeight, part, parts};
use super::climb::{OpenTermForm, PrecedenceClimb};
use super::tuples::{is_tuple, without_shadowed};
use crate::ground::{Diagnostic, Name, Span, Trouble, code};
use crate::syntax::raw::{RawHead, RawIdent, RawParam, RawTerm, RawTermKind};
use crate::syntax::words::{UNNAMED_INDEX, applied};
use crate::term::Prim;

// What isn't on the way from one pair of brackets to the next isn't inlined: its locals would stand on the stack once for
// each level of nesting.
impl Builder {
    /// A whole expression.
    pub fn term(&self, pair: Pair<'_, Rule>) -> Result<WithHeight<RawTerm>, Trouble> {
        let mut climb = PrecedenceClimb::new(self);
        for item in parts(pair) {
            let span = self.span(&item);
            match item.as_rule() {
                Rule::postfix => self.postfix(item, &mut climb)?,
                Rule::minus => climb.prefix(minus(item.as_str()), span)?,
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
    #[inline(never)]
    fn form(&self, pair: Pair<'_, Rule>) -> Result<WithHeight<OpenTermForm>, Trouble> {
        let rule = pair.as_rule();
        let mut inner = parts(pair);
        if rule == Rule::local {
            let mut taken = Vec::new();
            let name = self.taken(part(&mut inner), 0, &mut taken)?;
            let mut next = part(&mut inner);
            let mut ty = None;
            if next.as_rule() == Rule::ty {
                ty = Some(self.ty(next)?.node);
                next = part(&mut inner);
            }
            let value = self.term(next)?;
            let form = OpenTermForm::Let(RawParam { name, ty }, Box::new(value.node), taken);
            return Ok(WithHeight { node: form, height: value.height });
        }
        if rule == Rule::choice {
            let mut next = part(&mut inner);
            let mut guard = None;
            if next.as_rule() == Rule::guard {
                guard = Some(self.guard(next)?);
                next = part(&mut inner);
            }
            let condition = self.term(next)?;
            let then = self.term(part(&mut inner))?;
            let height = condition.height.max(then.height);
            let (condition, then) = (Box::new(condition.node), Box::new(then.node));
            let node = match guard {
                Some(param) => OpenTermForm::Guard(param, condition, then),
                None => OpenTermForm::If(condition, then),
            };
            return Ok(WithHeight { node, height });
        }
        let (mut params, mut taken) = (Vec::new(), Vec::new());
        for pair in inner {
            match pair.as_rule() {
                Rule::fun_params if is_tuple(&pair) => {
                    let ty = pair.clone().into_inner().find(|inner| inner.as_rule() == Rule::ty);
                    let name = self.taken(pair, params.len(), &mut taken)?;
                    params.push(RawParam { name, ty: ty.map(|ty| self.ty(ty)).transpose()?.map(|ty| ty.node) });
                }
                Rule::fun_params => self.params(pair, &mut params)?,
                _ => params.push(RawParam { name: self.binder(&pair)?, ty: None }),
            }
        }
        let taken = without_shadowed(taken, &params);
        Ok(WithHeight { node: OpenTermForm::Fun(params, taken), height: 0 })
    }

    /// `k : type :=`
    fn guard(&self, pair: Pair<'_, Rule>) -> Result<RawParam, Trouble> {
        let mut inner = parts(pair);
        let name = self.binder(&part(&mut inner))?;
        let ty = inner.next().map(|ty| self.ty(ty)).transpose()?;
        Ok(RawParam { name, ty: ty.map(|ty| ty.node) })
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
            term = self.suffixed(term, suffix)?;
        }
        climb.operand(term)
    }

    /// A term with indices or a projection behind it.
    #[inline(never)]
    fn suffixed(&self, mut term: WithHeight<RawTerm>, suffix: Pair<'_, Rule>) -> Result<WithHeight<RawTerm>, Trouble> {
        let span = term.node.span.to(self.span(&suffix));
        if suffix.as_rule() == Rule::index {
            if suffix.clone().into_inner().any(|part| part.as_rule() == Rule::kw_else) {
                return self.guarded(term, suffix, span);
            }
            for index in parts(suffix) {
                let (index, below) = (self.term(index)?, term.height);
                let kind = RawTermKind::Get(Box::new(term.node), Box::new(index.node));
                term = self.tall(RawTerm { kind, span }, below.max(index.height))?;
            }
            return Ok(term);
        }
        // What is behind the k-th comma of a tuple, which is pairs to the right, is k times a second half.
        let seconds = suffix.as_str()[1..].parse::<usize>().map_or(0, |number| number - 1);
        for is_first in if seconds == 0 { vec![true] } else { vec![false; seconds] } {
            let kind = RawTermKind::Project(is_first, Box::new(term.node));
            term = self.tall(RawTerm { kind, span }, term.height)?;
        }
        Ok(term)
    }

    /// `a[e else z]`, as `if k := e then a[k] else z`. Each further index is asked for inside, with the same z, which is named
    /// first where it is more than a name or a number, so that the tree doesn't grow by copies.
    #[inline(never)]
    fn guarded(
        &self,
        array: WithHeight<RawTerm>,
        suffix: Pair<'_, Rule>,
        span: Span,
    ) -> Result<WithHeight<RawTerm>, Trouble> {
        let asked = self.span(&suffix);
        let mut numbers = parts(suffix.clone()).map(|number| self.term(number)).collect::<Result<Vec<_>, _>>()?;
        let Some(mut other) = numbers.pop() else { unreachable!("the grammar promises what stands behind else") };
        let unnamed = |more: usize| RawIdent { name: Name::new(&format!("{UNNAMED_INDEX}{:more$}", "")), span: asked };
        let indices: Vec<RawIdent> = (0..numbers.len()).map(unnamed).collect();
        let is_small = matches!(other.node.kind, RawTermKind::Name(_) | RawTermKind::Number(_));
        let named = (numbers.len() > 1 && !is_small).then(|| (unnamed(numbers.len()), other.node.clone()));
        if let Some((name, _)) = &named {
            other.node.kind = RawTermKind::Name(name.name.clone());
        }
        let mut read = array;
        for (name, number) in indices.iter().zip(&numbers) {
            let index = RawTerm { kind: RawTermKind::Name(name.name.clone()), span: number.node.span };
            let kind = RawTermKind::Get(Box::new(read.node), Box::new(index));
            read = self.tall(RawTerm { kind, span }, read.height.max(1))?;
        }
        for (name, number) in indices.into_iter().zip(numbers).rev() {
            let below = number.height.max(read.height).max(other.height);
            let (number, inside, other) = (Box::new(number.node), Box::new(read.node), Box::new(other.node.clone()));
            let kind = RawTermKind::Guard(RawParam { name, ty: None }, number, inside, other);
            read = self.tall(RawTerm { kind, span }, below)?;
        }
        let Some((name, value)) = named else { return Ok(read) };
        let kind = RawTermKind::Let(RawParam { name, ty: None }, Box::new(value), Box::new(read.node));
        self.tall(RawTerm { kind, span }, read.height.max(other.height))
    }

    /// `max(x, y)`, as `max x y`.
    #[inline(never)]
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
            Rule::sized => self.sized(pair, span),
            Rule::number => self.tall(RawTerm { kind: numeral(pair.as_str(), span)?, span }, 0),
            _ => self.tall(RawTerm { kind: word(pair.as_str()), span }, 0),
        }
    }

    /// `ifold n` or `build n`
    #[inline(never)]
    fn sized(&self, pair: Pair<'_, Rule>, span: Span) -> Result<WithHeight<RawTerm>, Trouble> {
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

    /// Every term in a bracket, and the height of the highest.
    #[inline(never)]
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

    #[inline(never)]
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
    #[inline(never)]
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

/// The prefix operator that is a sign.
fn minus(text: &str) -> Prim {
    if text == Prim::Neg.text() { Prim::Neg } else { Prim::RoundedNeg }
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
