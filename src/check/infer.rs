//! Bidirectional inference over one definition, term or law: raw tree in, typed tree out.
//!
//! Every expression is checked against an expected type, which may be an unknown. What types don't decide yet is put
//! off (`pending`) and settled at the end; a numeral that nothing decides is a real.

use rustc_hash::{FxHashMap, FxHashSet};

use super::diagnose::{self, Operator, Reason};
use super::model::Scope;
use super::pending::{Fate, Pending, Want};
use super::tree::{Tree, TreeKind};
use super::unify::{Clash, Solver};
use crate::ground::{Budget, Code, Diagnostic, Name, Span, Trouble, code};
use crate::syntax::raw::{RawTerm, RawTermKind};
use crate::term::{Bounds, Type};

/// What is checked, and so what a free name means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// A definition: every size is declared.
    Definition,
    /// `term("…")`: a size name that nothing binds is an open size.
    Term,
    /// A rule: sizes and types are pattern variables; undecided numbers default to real or to int.
    Rule { int: bool },
}

impl Mode {
    pub(super) fn sizes_are_open(self) -> bool {
        self != Mode::Definition
    }
}

/// Why a type is expected.
#[derive(Clone, Debug)]
pub(super) struct Why {
    pub(super) because: Option<(Span, Reason)>,
    code: Code,
}

impl Why {
    pub(super) const NONE: Why = Why { because: None, code: code::MISMATCH };
    pub(super) fn new(span: Span, reason: Reason) -> Why {
        Why { because: Some((span, reason)), code: code::MISMATCH }
    }
    pub(super) fn want(&self, span: Span) -> Want {
        Want { span, because: self.because.clone(), code: self.code }
    }
}

pub(super) struct Local {
    pub(super) name: Name,
    pub(super) ty: Type,
    /// In a rule: the names of the arguments of a pattern variable such as `e(a, i)`.
    pub(super) arguments: Vec<Name>,
    /// The word of the loop whose index it is.
    pub(super) looping: Option<&'static str>,
}

/// The state of one inference.
pub(super) struct Infer<'a> {
    pub(super) solver: Solver,
    pub(super) pending: Vec<Pending>,
    pub(super) mode: Mode,
    pub(super) bounds: Bounds,
    pub(super) sizes: FxHashSet<Name>,
    pub(super) types: FxHashSet<Name>,
    pub(super) locals: Vec<Local>,
    by_name: FxHashMap<Name, Vec<usize>>,
    pub(super) scope: &'a Scope,
    pub(super) budget: &'a Budget,
    /// The loop whose function is checked next, and which of that function's parameters is the index.
    pub(super) looping: Option<(&'static str, usize)>,
    /// Why a numeral's type is expected, for messages.
    pub(super) reasons: FxHashMap<Span, (Span, Reason)>,
    /// A number's type was decided by default.
    pub(super) defaulted: bool,
}

impl<'a> Infer<'a> {
    pub(super) fn new(scope: &'a Scope, mode: Mode, budget: &'a Budget) -> Infer<'a> {
        Infer {
            solver: Solver::default(),
            pending: Vec::new(),
            mode,
            bounds: Bounds::default(),
            sizes: FxHashSet::default(),
            types: FxHashSet::default(),
            locals: Vec::new(),
            by_name: FxHashMap::default(),
            scope,
            budget,
            looping: None,
            reasons: FxHashMap::default(),
            defaulted: false,
        }
    }

    /// Brings a variable into scope; every `push` has its `pop`.
    pub(super) fn push(&mut self, name: &Name, ty: &Type) -> usize {
        let level = self.locals.len();
        self.locals.push(Local { name: name.clone(), ty: ty.clone(), arguments: Vec::new(), looping: None });
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

    /// The type as far as it is known, for a message.
    pub(super) fn shown(&self, ty: &Type) -> String {
        self.solver.now(ty).map_or_else(|_| ty.to_string(), |t| t.to_string())
    }

    pub(super) fn default_number(&mut self) -> Type {
        self.defaulted = true;
        if self.mode == (Mode::Rule { int: true }) { Type::int() } else { Type::real() }
    }

    /// Makes two types equal; equations between sizes that wait are kept.
    pub(super) fn same(&mut self, expected: &Type, found: &Type, want: &Want) -> Result<(), Diagnostic> {
        let mut waiting = Vec::new();
        let result = self.solver.unify(expected, found, &mut waiting);
        self.pending.extend(waiting.into_iter().map(|(a, b)| Pending::Sizes(a, b, want.clone())));
        result.map_err(|clash: Clash| diagnose::types(&self.solver, expected, found, &clash, want))
    }

    /// Settles a constraint now or puts it off.
    pub(super) fn put(&mut self, p: Pending) -> Result<(), Diagnostic> {
        if self.attempt(&p, false)? == Fate::Wait {
            self.pending.push(p);
        }
        Ok(())
    }

    /// Checks a term whose type nothing says.
    pub(super) fn infer(&mut self, raw: &RawTerm) -> Result<Tree, Trouble> {
        let ty = self.solver.fresh();
        self.check(raw, &ty, &Why::NONE)
    }

    /// Checks a term against a type.
    pub(super) fn check(&mut self, raw: &RawTerm, expected: &Type, why: &Why) -> Result<Tree, Trouble> {
        self.budget.tick()?;
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
            RawTermKind::Hole => Err(Diagnostic::error(code::SYNTAX, "`_` is no term")
                .at(raw.span, "a term is needed here")
                .help("write a term; `_` stands for sizes and unused binders")
                .into()),
        }
    }

    pub(super) fn tree(&self, kind: TreeKind, ty: &Type, span: Span) -> Tree {
        Tree { kind, ty: ty.clone(), span }
    }

    /// A tree of a known type where another is expected.
    pub(super) fn found(
        &mut self,
        kind: TreeKind,
        ty: &Type,
        span: Span,
        expected: &Type,
        why: &Why,
    ) -> Result<Tree, Trouble> {
        self.same(expected, ty, &why.want(span))?;
        Ok(self.tree(kind, ty, span))
    }

    pub(super) fn local(&self, name: &Name) -> Option<usize> {
        self.by_name.get(name).and_then(|levels| levels.last().copied())
    }
}
