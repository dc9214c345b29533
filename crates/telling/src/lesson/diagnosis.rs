//! Defines the [`Diagnosis`] of a schedule, as data.

use std::rc::Rc;

use super::detour::Detour;
use super::failure::ScheduleFailure;
use super::kind::DiagnosisKind;
use super::wrong_turn::{SolutionStep, WrongTurn};
use redexter_language::cost::Poly;
use redexter_language::ground::{Diagnostic, Name, StopReason};
use redexter_rewriting::rule::Rule;
use redexter_rewriting::sound::Difference;
use redexter_rewriting::strategy::Trace;

/// The diagnosis of a schedule.
#[derive(Clone, Debug)]
pub struct Diagnosis {
    /// The finding that helps most.
    pub says: DiagnosisDetail,
    /// The steps that the schedule took; none where it came to no term.
    pub trace: Rc<Trace>,
    /// The work of the first term and of the last one.
    pub work: [Rc<Poly>; 2],
    /// The work that is enough.
    pub enough: Option<Poly>,
    /// The lesson's own remark, where the schedule is one of its mistakes, or ends as one whose remark fits all of these does.
    pub remark: Option<String>,
    /// After so many steps the goal was reached last, where it isn't at the end; with the rule that left it, if one did.
    pub passed: Option<(usize, Option<Rule>)>,
}

/// The findings about a schedule, of which a diagnosis has one.
#[derive(Clone, Debug)]
pub enum DiagnosisDetail {
    /// The goal is reached, perhaps in a roundabout way.
    Reached(Option<Detour>),
    /// Rules may not be used here.
    Forbidden {
        /// Those that it uses.
        rules: Vec<Name>,
        /// Those that may be.
        allowed: Vec<Name>,
    },
    /// It would go on for ever; the finding shows the loop.
    Endless(Diagnostic),
    /// A limit ended it that is far above what a solution takes; with the number of steps of the longest solution.
    Long(StopReason, usize),
    /// It failed.
    Failed(Box<ScheduleFailure>),
    /// A step of it changes what the term means.
    Changed {
        /// Its number.
        step: usize,
        /// The rule.
        rule: Rule,
        /// Inputs on which the terms before and after it differ.
        difference: Box<Difference>,
    },
    /// A stage takes no step that is kept, and what the solution does next is in it.
    Idle {
        /// The stage, as it prints.
        stage: String,
        /// The next step of a solution.
        next: SolutionStep,
    },
    /// It stops on the way.
    Stuck(SolutionStep),
    /// It left the way for a term with too much work.
    Costly(WrongTurn),
    /// It left the way for another form.
    Astray(WrongTurn),
}

impl DiagnosisDetail {
    /// Its kind.
    pub fn kind(&self) -> DiagnosisKind {
        match self {
            DiagnosisDetail::Reached(None) => DiagnosisKind::Reached,
            DiagnosisDetail::Reached(Some(_)) => DiagnosisKind::Detour,
            DiagnosisDetail::Forbidden { .. } => DiagnosisKind::Forbidden,
            DiagnosisDetail::Endless(_) | DiagnosisDetail::Long(..) => DiagnosisKind::Endless,
            DiagnosisDetail::Failed(..) => DiagnosisKind::Failed,
            DiagnosisDetail::Changed { .. } => DiagnosisKind::Changed,
            DiagnosisDetail::Idle { .. } => DiagnosisKind::Idle,
            DiagnosisDetail::Stuck(_) => DiagnosisKind::Stuck,
            DiagnosisDetail::Costly(_) => DiagnosisKind::Costly,
            DiagnosisDetail::Astray(_) => DiagnosisKind::Astray,
        }
    }
}

impl Diagnosis {
    /// Its kind.
    pub fn kind(&self) -> DiagnosisKind {
        self.says.kind()
    }
}
