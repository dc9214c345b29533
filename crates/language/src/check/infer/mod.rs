//! Infers types bidirectionally over one definition, term or law: raw tree in, typed tree out.
//!
//! Every expression is checked against an expected type, which may be an unknown; `solve` says what the unknowns are, and
//! `finish` puts that into the tree. Each file has some forms of terms: they need each other, as terms nest. This module
//! knows what is in scope; it knows no files, and doesn't unfold what it checks.

mod apply;
mod by_first;
mod data;
mod finish;
mod forms;
mod loops;
mod names;
mod operators;
mod pattern;
mod ranges;
mod written;

use rustc_hash::{FxHashMap, FxHashSet};

use super::definition::{TypedTree, TypedTreeKind};
use super::model::ModelScope;
use super::solve::{CheckMode, ConstraintSolver, MismatchReason, Operator, Requirement};
use crate::ground::{Budget, Diagnostic, DiagnosticCode, Name, Span, Trouble, code};
use crate::syntax::raw::{RawTerm, RawTermKind};
use crate::term::Type;

/// The reason for which a type is expected, and the code of the finding where another one is found.
#[derive(Clone, Debug)]
pub(super) struct Expectation {
    pub(super) because: Option<(Span, MismatchReason)>,
    code: DiagnosticCode,
}

impl Expectation {
    pub(super) const NONE: Expectation = Expectation { because: None, code: code::MISMATCH };
    pub(super) fn new(span: Span, reason: MismatchReason) -> Expectation {
        Expectation { because: Some((span, reason)), code: code::MISMATCH }
    }
    pub(super) fn want(&self, span: Span) -> Requirement {
        Requirement { span, because: self.because.clone(), code: self.code }
    }
}

/// A variable in scope.
pub(super) struct LocalVariable {
    pub(super) name: Name,
    pub(super) ty: Type,
    /// In a rule: the names of the arguments of a pattern variable such as `e(a, i)`.
    pub(super) arguments: Vec<Name>,
    /// The word of the loop whose index it is.
    pub(super) looping: Option<&'static str>,
}

/// The state of one inference.
pub(super) struct Inference<'a> {
    pub(super) solver: ConstraintSolver,
    pub(super) sizes: FxHashSet<Name>,
    /// Names that are taken for open sizes, though none of them is written as a size so far.
    pub(super) guessed: Vec<(Name, Span)>,
    pub(super) types: FxHashSet<Name>,
    pub(super) locals: Vec<LocalVariable>,
    by_name: FxHashMap<Name, Vec<usize>>,
    /// Computed indices, by where they stand, with what is said of one that can't be shown to be in range.
    claims: FxHashMap<Span, Diagnostic>,
    /// Arithmetic of numerals alone, by where it stands.
    numerals: FxHashSet<Span>,
    pub(super) scope: &'a ModelScope,
    pub(super) budget: &'a Budget,
    /// The loop whose function is checked next, and which of that function's parameters is the index.
    pub(super) looping: Option<(&'static str, usize)>,
}

impl<'a> Inference<'a> {
    pub(super) fn new(scope: &'a ModelScope, mode: CheckMode, budget: &'a Budget) -> Inference<'a> {
        Inference {
            solver: ConstraintSolver::new(mode),
            sizes: FxHashSet::default(),
            guessed: Vec::new(),
            types: FxHashSet::default(),
            locals: Vec::new(),
            by_name: FxHashMap::default(),
            claims: FxHashMap::default(),
            numerals: FxHashSet::default(),
            scope,
            budget,
            looping: None,
        }
    }

    /// Brings a variable into scope; every `push` has its `pop`.
    pub(super) fn push(&mut self, name: &Name, ty: &Type) -> usize {
        let level = self.locals.len();
        self.locals.push(LocalVariable { name: name.clone(), ty: ty.clone(), arguments: Vec::new(), looping: None });
        self.by_name.entry(name.clone()).or_default().push(level);
        level
    }

    pub(super) fn pop(&mut self) {
        if let Some(local) = self.locals.pop()
            && let Some(levels) = self.by_name.get_mut(&local.name)
        {
            levels.pop();
        }
    }

    /// Settles what was put off.
    pub(super) fn settle(&mut self) -> Result<(), Trouble> {
        self.solver.settle(self.budget)
    }

    /// Checks a term whose type nothing says.
    pub(super) fn infer(&mut self, raw: &RawTerm) -> Result<TypedTree, Trouble> {
        let ty = self.solver.fresh();
        self.check(raw, &ty, &Expectation::NONE)
    }

    /// Checks a term against a type.
    pub(super) fn check(&mut self, raw: &RawTerm, expected: &Type, why: &Expectation) -> Result<TypedTree, Trouble> {
        self.budget.tick()?;
        // Taken, so that it holds for this term alone, and for nothing in it.
        let looping = self.looping.take();
        match &raw.kind {
            RawTermKind::Name(name) if self.open_word(name, false, expected).is_some() => {
                self.application(raw, expected, why)
            }
            RawTermKind::Name(name) => self.name(name, raw.span, expected, why),
            RawTermKind::Number(text) => self.number(text, false, raw.span, expected, why),
            RawTermKind::Head(_) | RawTermKind::App(..) => self.application(raw, expected, why),
            RawTermKind::Binary(op, at, l, r) => {
                self.binary(Operator { prim: *op, at: at.span, span: raw.span }, l, r, expected, why)
            }
            RawTermKind::Unary(op, e) => {
                let at = Span { end: raw.span.start + op.text().len() as u32, ..raw.span };
                self.unary(Operator { prim: *op, at, span: raw.span }, e, expected, why)
            }
            RawTermKind::Fun(params, body) => self.function((params, body), looping, raw.span, expected, why),
            RawTermKind::Let(param, value, body) => self.let_in(param, value, body, raw.span, expected, why),
            RawTermKind::If(c, a, b) => self.if_else(raw.span, [c, a, b], expected, why),
            RawTermKind::Guard(param, number, a, b) => {
                self.guard((param, number), [a, b], raw.span, expected, why)
            }
            RawTermKind::Array(elements) => self.array(elements, raw.span, expected, why),
            RawTermKind::Get(a, i) => self.get(a, i, raw.span, expected, why),
            RawTermKind::Pair(a, b) => self.pair(a, b, raw.span, expected, why),
            RawTermKind::Project(first, p) => {
                let pair = self.infer(p)?;
                self.project(*first, pair, raw.span, expected, why)
            }
            RawTermKind::Ascribe(e, ty) => self.ascribe(e, ty, raw.span, expected, why),
            RawTermKind::D(e) => self.derivative(e, raw.span, expected),
            RawTermKind::Pattern(name, arguments) => self.pattern(name, arguments, raw.span, expected, why),
            RawTermKind::Hole if self.local(&raw.hole()).is_some() => self.name(&raw.hole(), raw.span, expected, why),
            RawTermKind::Hole => Err(Diagnostic::error(code::SYNTAX, "`_` is no term")
                .at(raw.span, "a term is needed here")
                .help("give what is meant a name, and write that: `_` is a binder that nothing uses, or a size that follows")
                .into()),
        }
    }

    pub(super) fn tree(&self, kind: TypedTreeKind, ty: &Type, span: Span) -> TypedTree {
        TypedTree { kind, ty: ty.clone(), span }
    }

    /// A tree of a known type where another is expected.
    pub(super) fn found(
        &mut self,
        kind: TypedTreeKind,
        ty: &Type,
        span: Span,
        expected: &Type,
        why: &Expectation,
    ) -> Result<TypedTree, Trouble> {
        let tree = self.tree(kind, ty, span);
        Ok(self.wanted(tree, expected, &why.want(span))?)
    }

    pub(super) fn local(&self, name: &Name) -> Option<usize> {
        self.by_name.get(name).and_then(|levels| levels.last().copied())
    }
}
