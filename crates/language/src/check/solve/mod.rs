//! Solves the constraints on the unknowns of one inference, and reports those that can't hold.
//!
//! What types don't decide yet waits in `pending`: overloaded operators (`arithmetic`), what D makes of a type (`dual`),
//! what has the shape of another (`filled`), numerals, equations between sizes, bounds; `settle` ends it, with defaults.
//! `clash` and `operands` say what is wrong.
//! This module knows types and sizes; it knows no trees, no names and no definitions.

mod arithmetic;
mod clash;
mod dual;
mod filled;
mod operands;
mod pending;
mod settle;

use rustc_hash::FxHashMap;

pub(super) use clash::MismatchReason;
pub(super) use operands::Operator;
pub(super) use pending::{DeferredConstraint, Operand};

use super::unify::TypeUnifier;
use crate::ad::DualTypes;
use crate::ground::{Diagnostic, DiagnosticCode, Span, code};
use crate::term::{Size, SizeBounds, Type};
use pending::AttemptOutcome;

/// The sort of text that is checked, which decides what a free name means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CheckMode {
    /// A definition: every size is declared.
    Definition,
    /// `term("…")`: a size name that nothing binds is an open size.
    Term,
    /// A line of the prompt: a size name that nothing binds is an open size where it is also written as a size.
    Prompt,
    /// A rule: sizes and types are pattern variables; undecided numbers default to real or to int.
    Rule { int: bool },
}

impl CheckMode {
    pub(super) fn sizes_are_open(self) -> bool {
        self != CheckMode::Definition
    }
}

/// The reason for which two types must be equal, for the diagnostic that says they aren't.
#[derive(Clone, Debug)]
pub(super) struct Requirement {
    /// The place of what was found.
    pub(super) span: Span,
    /// A place that explains what was expected.
    pub(super) because: Option<(Span, MismatchReason)>,
    /// The code of the finding.
    pub(super) code: DiagnosticCode,
}

impl Requirement {
    pub(super) fn at(span: Span) -> Requirement {
        Requirement { span, because: None, code: code::MISMATCH }
    }
    pub(super) fn because(self, span: Span, reason: MismatchReason) -> Requirement {
        Requirement { because: Some((span, reason)), ..self }
    }
}

/// The unknowns of one inference with what is known of them, and the constraints that are put off until more is.
pub(super) struct ConstraintSolver {
    pub(super) unifier: TypeUnifier,
    pub(super) pending: Vec<DeferredConstraint>,
    pub(super) mode: CheckMode,
    pub(super) bounds: SizeBounds,
    /// Why a numeral's type is expected, for messages.
    pub(super) reasons: FxHashMap<Span, (Span, MismatchReason)>,
    /// A number's type was decided by default.
    pub(super) defaulted: bool,
    /// How often D was followed into a type of which only a part is known.
    followed: u32,
    /// D of D of … of a type has as many parts as there are D: each is made once.
    duals: DualTypes,
}

impl ConstraintSolver {
    pub(super) fn new(mode: CheckMode) -> ConstraintSolver {
        ConstraintSolver {
            unifier: TypeUnifier::default(),
            pending: Vec::new(),
            mode,
            bounds: SizeBounds::default(),
            reasons: FxHashMap::default(),
            defaulted: false,
            followed: 0,
            duals: DualTypes::default(),
        }
    }

    /// An unknown type.
    pub(super) fn fresh(&mut self) -> Type {
        self.unifier.fresh()
    }

    /// An unknown size.
    pub(super) fn fresh_size(&mut self) -> Size {
        self.unifier.fresh_size()
    }

    /// The type with its outermost form known, as far as it is.
    pub(super) fn head(&self, ty: &Type) -> Type {
        self.unifier.head(ty)
    }

    /// The type as far as it is known, for a message.
    pub(super) fn shown(&self, ty: &Type) -> String {
        self.unifier.now(ty).map_or_else(|_| ty.to_string(), |t| t.to_string())
    }

    fn default_number(&mut self) -> Type {
        self.defaulted = true;
        if self.mode == (CheckMode::Rule { int: true }) { Type::int() } else { Type::real() }
    }

    /// Makes two types equal; equations between sizes that wait are kept.
    pub(super) fn same(&mut self, expected: &Type, found: &Type, want: &Requirement) -> Result<(), Diagnostic> {
        let mut waiting = Vec::new();
        let result = self.unifier.unify(expected, found, &mut waiting);
        self.pending.extend(waiting.into_iter().map(|(a, b)| DeferredConstraint::Sizes(a, b, want.clone())));
        result.map_err(|clash| clash::types(&self.unifier, expected, found, &clash, want))
    }

    /// Settles a constraint now or puts it off.
    pub(super) fn put(&mut self, p: DeferredConstraint) -> Result<(), Diagnostic> {
        if self.attempt(&p, false)? == AttemptOutcome::Wait {
            self.pending.push(p);
        }
        Ok(())
    }
}
