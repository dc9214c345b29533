//! Lowers typed trees to terms, constructor by constructor, and takes D on the way.

mod by_type;
mod unfold;
mod written;

pub use written::{WrittenPlace, WrittenProgram};

use std::cell::RefCell;
use std::rc::Rc;

use smallvec::SmallVec;

use crate::ad;
use crate::check::definition::{Numeral, TypedTree, TypedTreeKind};
use crate::check::diagnose;
use crate::ground::{Budget, Name, Span, Trouble};
use crate::term::{
    Assignment, Bindings, IllTyped, Kind, Prim, PrimClass, Size, Term, TooLarge, Type, TypeMemo, TypeView, View,
};

/// A variable of the tree, as it is in the term.
enum LocalBinding {
    /// The term's binder with number `at` from the outside, and whether the tree has mentioned it so far.
    Bound { at: u32, mentioned: bool },
    /// A static argument, as a term under so many binders.
    Static(Term, u32),
}

/// One lowering. `by` says what the sizes and types of the definition stand for.
pub(in super::super) struct Lowering<'a> {
    by: Bindings,
    memo: TypeMemo,
    bindings: Vec<LocalBinding>,
    /// For each binder of the term: its value, if that is a function known now.
    known: Vec<Option<Term>>,
    /// A law's side, whose variables stand for terms that are judged where they are put in.
    is_law: bool,
    /// Where operations are written, if that is wanted.
    marks: Option<Rc<RefCell<written::PlaceMarks>>>,
    budget: &'a Budget,
}

impl<'a> Lowering<'a> {
    pub(in super::super) fn new(by: Bindings, budget: &'a Budget) -> Lowering<'a> {
        Lowering {
            by,
            memo: TypeMemo::default(),
            bindings: Vec::new(),
            known: Vec::new(),
            is_law: false,
            marks: None,
            budget,
        }
    }

    /// Of a side of a law.
    pub(in super::super) fn of_law(budget: &'a Budget) -> Lowering<'a> {
        Lowering { is_law: true, ..Lowering::new(Bindings::default(), budget) }
    }

    pub(in super::super) fn budget(&self) -> &'a Budget {
        self.budget
    }

    fn depth(&self) -> u32 {
        self.known.len() as u32
    }

    fn ty(&mut self, ty: &Type, span: Span) -> Result<Type, Trouble> {
        ty.assign(&self.by, &mut self.memo).map_err(|_| diagnose::too_large(span).into())
    }

    fn size(&self, n: &Size, span: Span) -> Result<Size, Trouble> {
        n.replace(|a| self.by.size(a)).ok_or_else(|| diagnose::too_large(span).into())
    }

    /// Enters a binder of both the tree and the term.
    pub(in super::super) fn enter(&mut self, known: Option<Term>) {
        self.bindings.push(LocalBinding::Bound { at: self.depth(), mentioned: false });
        self.known.push(known);
    }

    pub(in super::super) fn leave(&mut self) {
        self.bindings.pop();
        self.known.pop();
    }

    pub(in super::super) fn term(&mut self, tree: &TypedTree) -> Result<Term, Trouble> {
        self.budget.tick()?;
        let span = tree.span;
        let made = match &tree.kind {
            TypedTreeKind::Local(level) => return self.local(*level, tree),
            TypedTreeKind::Size(n) => Ok(Term::size_value(&self.size(n, span)?)),
            TypedTreeKind::Global(..) | TypedTreeKind::App(..) => return self.application(tree),
            TypedTreeKind::Number(n) => return self.number(n, &tree.ty, span),
            TypedTreeKind::Lam(name, ty, body) => {
                let ty = self.ty(ty, span)?;
                self.enter(None);
                let body = self.term(body)?;
                self.leave();
                Term::lam(name, &ty, body)
            }
            TypedTreeKind::Let(name, value, body) => return self.let_in(name, value, body, span),
            TypedTreeKind::Guard(name, n, all) => {
                let [number, inside, other] = &**all;
                let n = self.size(n, span)?;
                let number = self.term(number)?;
                self.enter(None);
                let inside = self.term(inside)?;
                self.leave();
                Term::guard(name, n, number, inside, self.term(other)?)
            }
            TypedTreeKind::Node(kind, kids) => return self.node(kind, kids, &tree.ty, span),
            TypedTreeKind::D(e) => {
                let term = self.term(e)?;
                return self.dual(term, span);
            }
            TypedTreeKind::Keep(e) => return self.kept(e, span),
            TypedTreeKind::ByType(which, parameters) => return self.by_type(*which, parameters, span),
        };
        made.map_err(|e| diagnose::bug(span, e).into())
    }

    fn local(&mut self, level: usize, tree: &TypedTree) -> Result<Term, Trouble> {
        let depth = self.depth();
        match &mut self.bindings[level] {
            LocalBinding::Static(term, under) => Ok(term.shift(depth - *under)),
            LocalBinding::Bound { at, mentioned } => {
                *mentioned = true;
                let index = depth - 1 - *at;
                Ok(Term::var(index, &self.ty(&tree.ty, tree.span)?))
            }
        }
    }

    fn number(&mut self, n: &Numeral, ty: &Type, span: Span) -> Result<Term, Trouble> {
        let text = n.text.as_str();
        let ty = self.ty(ty, span)?;
        let whole = || text.parse::<u64>().map_err(|e| Trouble::from(diagnose::bug(span, e)));
        match ty.view() {
            TypeView::Real => {
                let value: f64 = text.parse().map_err(|e| diagnose::bug(span, e))?;
                Ok(Term::real(if n.negative { -value } else { value }))
            }
            TypeView::Int if n.negative => Ok(Term::int((whole()? as i64).wrapping_neg())),
            TypeView::Int => Ok(Term::int(whole()? as i64)),
            TypeView::Fin(m) => Term::fin(whole()?, m.clone()).map_err(|e| diagnose::bug(span, e).into()),
            _ => Err(diagnose::bug(span, "a numeral that is no number").into()),
        }
    }

    /// `+` of an index and a bare numeral is an offset; `/` of integers is their quotient.
    fn node(&mut self, kind: &Kind, kids: &[TypedTree], ty: &Type, span: Span) -> Result<Term, Trouble> {
        if let (Kind::Prim(Prim::Add), [l, r]) = (kind, kids)
            && matches!(ty.view(), TypeView::Fin(_))
        {
            let (index, amount) = if r.is_bare_number() { (l, r) } else { (r, l) };
            if let (true, TypedTreeKind::Number(n)) = (amount.is_bare_number(), &amount.kind) {
                let c = n.text.as_str().parse().map_err(|e| diagnose::bug(span, e))?;
                let index = self.term(index)?;
                return Term::prim(Prim::Offset(c), vec![index]).map_err(|e| diagnose::bug(span, e).into());
            }
        }
        let Lowering { by, memo, .. } = self;
        let kind = kind
            .replaced(|ty| ty.assign(&*by, memo), |n| n.replace(|a| by.size(a)).ok_or(TooLarge))
            .map_err(|_| diagnose::too_large(span))?;
        let mut made = SmallVec::with_capacity(kids.len());
        for kid in kids {
            made.push(self.term(kid)?);
        }
        if let Kind::Prim(op) = kind {
            as_numbers(op, &mut made, *ty == Type::int()).map_err(|e| diagnose::bug(span, e))?;
        }
        let of_integers = made.first().is_some_and(|operand: &Term| *operand.ty() == Type::int());
        let kind = match kind {
            Kind::Prim(op) if of_integers => Kind::Prim(op.on_integers()),
            kind => kind,
        };
        let term = Term::of(&kind, made).map_err(|e| diagnose::bug(span, e))?;
        if let (Kind::Pull, [f, _], false) = (term.kind(), kids, self.is_law) {
            self.judge(&term.kid(0), f)?;
        }
        match term.kind() {
            Kind::Prim(_) => self.marked(term, span, false).map_err(|e| diagnose::bug(span, e).into()),
            _ => Ok(term),
        }
    }

    /// Refuses to transpose a function that isn't linear in what it takes.
    fn judge(&self, function: &Term, tree: &TypedTree) -> Result<(), Trouble> {
        let View::Lam(x, _, body) = function.view() else { return Err(diagnose::not_linear(tree.span, None).into()) };
        match body.linear_in(0) {
            Ok(()) => Ok(()),
            Err(way) => {
                let holder = body.holding_together(&way).and_then(|at| at.find(&body));
                let mut place = tree;
                for k in std::iter::once(0).chain(way.0) {
                    match place.parts().into_iter().nth(k as usize) {
                        Some(part) if part.span.to(place.span) == place.span => place = part,
                        _ => break,
                    }
                }
                Err(diagnose::not_linear(place.span, Some((&x, holder.as_ref()))).into())
            }
        }
    }

    fn let_in(&mut self, name: &Name, value: &TypedTree, body: &TypedTree, span: Span) -> Result<Term, Trouble> {
        let value = self.term(value)?;
        let function = value.ty().has_function();
        self.enter((function && self.unfolds(&value)).then(|| value.clone()));
        let body = self.term(body)?;
        let mentioned = matches!(self.bindings.last(), Some(LocalBinding::Bound { mentioned: true, .. }));
        self.leave();
        match body.lower(1) {
            // A function that is mentioned under D alone was substituted there, so that nothing uses the `let` any more. One that
            // the text never mentions stays: the user wrote it.
            Some(body) if function && mentioned => Ok(body),
            _ => Term::let_in(name, value, body).map_err(|e| diagnose::bug(span, e).into()),
        }
    }

    /// Whether a term of function type is one that D may look into: a λ, a known variable, a partial application.
    fn unfolds(&self, term: &Term) -> bool {
        let mut inner = Vec::new();
        self.unfolds_below(term, &mut inner)
    }

    /// `inner` says of each binder entered inside the term whether its value unfolds.
    fn unfolds_below(&self, term: &Term, inner: &mut Vec<bool>) -> bool {
        match term.view() {
            View::Lam(..) => true,
            View::Let(_, value, body) => {
                let known = value.ty().has_function() && self.unfolds_below(&value, inner);
                inner.push(known);
                let result = self.unfolds_below(&body, inner);
                inner.pop();
                result
            }
            View::App(f, _) => self.unfolds_below(&f, inner),
            View::Var(index) => {
                let index = index as usize;
                match inner.len().checked_sub(1 + index) {
                    Some(k) => inner[k],
                    None => {
                        let outer = index - inner.len();
                        self.known.len().checked_sub(1 + outer).is_some_and(|at| self.known[at].is_some())
                    }
                }
            }
            _ => false,
        }
    }

    fn kept(&mut self, e: &TypedTree, span: Span) -> Result<Term, Trouble> {
        let term = self.term(e)?;
        if term.ty().has_function() {
            return Err(diagnose::kept_function(span, term.ty()).into());
        }
        let term = term.kept().map_err(|e| diagnose::bug(span, e))?;
        self.budget.measure(term.size(), term.depth())?;
        Ok(term)
    }

    /// D of a term, in which functions are put that are known here.
    fn dual(&self, mut term: Term, span: Span) -> Result<Term, Trouble> {
        loop {
            // A function that was substituted may mention others, but only such as are bound further out: so this ends.
            let functions: Vec<u32> = term.free().filter(|(_, f)| f.ty.has_function()).map(|(i, _)| i).collect();
            if functions.is_empty() {
                break;
            }
            let depth = self.depth();
            for index in &functions {
                if self.known[(depth - 1 - index) as usize].is_none() {
                    return Err(diagnose::unknown_static(span, "depends on a function that isn't known here").into());
                }
            }
            let types: Vec<(u32, Type)> = term.free().map(|(i, f)| (i, f.ty.clone())).collect();
            let find = |index: u32| {
                let at = depth - 1 - index;
                match &self.known[at as usize] {
                    Some(value) => value.shift(depth - at),
                    None => {
                        let ty = types.iter().find(|(i, _)| *i == index).map_or_else(Type::real, |(_, t)| t.clone());
                        Term::var(index, &ty)
                    }
                }
            };
            term = term.substitute(&find).map_err(|e| diagnose::bug(span, e))?;
            self.budget.measure(term.size(), term.depth())?;
        }
        ad::dual_within(&term, self.budget).map_err(|e| match e {
            ad::AdError::Stopped(reason) => reason.into(),
            wrong => diagnose::ad(span, &wrong).into(),
        })
    }
}

/// Makes numbers of the indices among operands that are computed with as numbers are, or are compared with one.
fn as_numbers(op: Prim, operands: &mut [Term], gives_number: bool) -> Result<(), IllTyped> {
    let is_index = |operand: &Term| matches!(operand.ty().view(), TypeView::Fin(_));
    let mixed = match op.class() {
        PrimClass::Arithmetic => gives_number,
        PrimClass::Comparison => !operands.iter().all(is_index),
        _ => false,
    };
    for operand in operands.iter_mut().filter(|operand| mixed && is_index(operand)) {
        *operand = Term::unary(Prim::ToInt, operand.clone())?;
    }
    Ok(())
}
