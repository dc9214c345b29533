//! Asks where the first NaN of a result comes from, or else the first infinity, when the current term runs on inputs.

mod json;
mod text;

use std::rc::Rc;

use super::arguments::{AskedQuestion, QuestionArguments};
use crate::arguments::CommandInfo;
use crate::inputs;
use crate::walk::{WalkAnswer, WalkResult};
use redexter_language::ad::{DualPlace, dual_place};
use redexter_language::check::Definition;
use redexter_language::eval::{
    NonFiniteOrigin, NonFiniteReport, Sizes, TracedOperation, Value, check_held, inputs_from_json, non_finite,
    parameters,
};
use redexter_language::ground::{Budget, Diagnostic, Name, Span, TextPlace, Trouble};
use redexter_language::syntax::names_at;
use redexter_language::term::{Kind, Path, Prim, Program, Scalar};

/// What a program's result has of NaNs and infinities, and where the first came from.
#[derive(Clone, Debug)]
pub struct NonFinite {
    /// The program.
    pub program: Program,
    /// What was found.
    pub report: NonFiniteReport,
    /// Where the operation that is told of is written, where that is known.
    pub written: Option<WrittenOperation>,
}

/// Where an operation is written.
#[derive(Clone, Debug)]
pub struct WrittenOperation {
    /// The operation itself.
    pub at: TextPlace,
    /// If that is in another text than the definition that was run: where that definition comes to it.
    pub used: Option<TextPlace>,
}

pub(super) fn read(_: &CommandInfo, rest: &str) -> Result<QuestionArguments, Diagnostic> {
    // Of a map of a script's only the sign before it isn't JSON.
    let inputs = inputs::object(rest.strip_prefix('#').unwrap_or(rest))?;
    Ok(QuestionArguments { inputs: Some(inputs), ..QuestionArguments::default() })
}

pub(super) fn answer(AskedQuestion { arguments, walk, owner, .. }: AskedQuestion) -> WalkResult {
    let (program, budget) = (walk.current()?.clone(), owner.budget());
    let (inputs, sizes) = inputs_from_json(&program, arguments.inputs.as_deref().unwrap_or("{}"), &[], &budget)?;
    let definition = walk.history().current().and_then(|state| state.definition.clone());
    let found = why_nan(program, (&inputs, &sizes), definition.as_deref(), &|span| owner.place(span), &budget)?;
    Ok(WalkAnswer::Finding(Rc::new(found), None))
}

/// Where the first NaN or infinity comes from when a program runs on inputs. If a definition says what the program is, that is
/// told of its text.
pub fn why_nan(
    program: Program,
    (inputs, sizes): (&[Value], &Sizes),
    definition: Option<&Definition>,
    place: &dyn Fn(Span) -> TextPlace,
    budget: &Budget,
) -> Result<NonFinite, Trouble> {
    check_held(program.term.applied().1.ty(), sizes)?;
    let report = non_finite(&program, inputs, sizes, budget)?;
    let written = match (definition, operation(&report)) {
        (Some(definition), Some(operation)) => written(definition, operation, (inputs, sizes), place, budget),
        _ => None,
    };
    Ok(NonFinite { program, report, written })
}

/// The operation that is told of: the one that made it, or the first that used it.
fn operation(report: &NonFiniteReport) -> Option<&TracedOperation> {
    match report.origin.as_ref()? {
        NonFiniteOrigin::Operation(operation) => Some(operation),
        NonFiniteOrigin::Input { used, .. } => used.as_ref(),
    }
}

/// Where an operation is written: found by a run in the form that says it, unless a limit ends that run.
fn written(
    definition: &Definition,
    told: &TracedOperation,
    (inputs, sizes): (&[Value], &Sizes),
    place: &dyn Fn(Span) -> TextPlace,
    budget: &Budget,
) -> Option<WrittenOperation> {
    let written = definition.written(budget).ok()?;
    let report = non_finite(&written.program, inputs, sizes, budget).ok()?;
    let same = operation(&report).filter(|found| {
        let bits = |operands: &[Scalar]| operands.iter().map(|x| number(x).to_bits()).collect::<Vec<u64>>();
        found.prim == told.prim && bits(&found.operands) == bits(&told.operands)
    })?;
    let around = written.around(&same.path);
    let at = around.last()?;
    let own = definition.span().source;
    let used = around.iter().rev().find(|outer| outer.span.source == own);
    let used = used.filter(|_| at.span.source != own).map(|outer| place(outer.span));
    Some(WrittenOperation { at: place(at.span), used })
}

impl NonFinite {
    fn operation(&self) -> Option<&TracedOperation> {
        operation(&self.report)
    }

    /// Of which dual number an operation is a part, where D wrote one there.
    fn dual(&self, operation: &TracedOperation) -> Option<DualPlace> {
        dual_place(&self.program.term, &operation.path)
    }

    /// The name of the variable that has a loop's index, where the loop says one.
    fn index_name(&self, place: &Path) -> Option<Name> {
        let looped = place.find(&self.program.term)?;
        let lambdas = if let Kind::Build(_) | Kind::Scatter(..) = looped.kind() { 1 } else { 2 };
        let body = Path(place.0.iter().copied().chain((0..=lambdas).map(|_| 0)).collect());
        let mut here = looped.kid(0);
        for _ in 0..lambdas {
            if !matches!(here.kind(), Kind::Lam(..)) {
                return None;
            }
            here = here.kid(0);
        }
        names_at(&self.program.term, &body)?.last().cloned()
    }

    /// The name of a parameter by its number.
    fn parameter(&self, number: usize) -> Name {
        parameters(&self.program).into_iter().nth(number).map_or_else(|| Name::new("_"), |parameter| parameter.name)
    }

    /// Why an operation has no finite value, in words.
    fn reason(&self, operation: &TracedOperation) -> String {
        let TracedOperation { path, prim, operands, result, .. } = operation;
        let word = prim.text();
        let is_tangent = |k: usize| {
            let operand = Path(path.0.iter().copied().chain([k as u32]).collect()).find(&self.program.term);
            operand.is_some_and(|operand| matches!(operand.kind(), Kind::Snd))
        };
        let in_tangent = self.dual(operation).is_some_and(|dual| dual.is_tangent);
        let reals: Vec<f64> = operands.iter().map(number).collect();
        if operands.iter().any(|operand| matches!(operand, Scalar::Real(x) if x.is_nan())) {
            return format!("`{word}` is given NaN");
        }
        let zero = reals.iter().position(|x| *x == 0.0);
        let infinite = reals.iter().position(|x| x.is_infinite());
        match (prim.unrounded(), zero, infinite) {
            (Prim::Mul, Some(zero), Some(_)) if in_tangent && is_tangent(zero) => {
                "0 times an infinity is NaN: a zero tangent times an infinite slope".to_owned()
            }
            (Prim::Mul, Some(_), Some(infinite)) if in_tangent && is_tangent(infinite) => {
                "0 times an infinity is NaN: a zero slope times an infinite tangent".to_owned()
            }
            (Prim::Mul, Some(_), Some(_)) => "0 times an infinity is NaN".to_owned(),
            (Prim::Div, Some(0), None) if in_tangent && is_tangent(0) && reals[1] == 0.0 => {
                "0 / 0 is NaN: a zero tangent, where the slope is infinite".to_owned()
            }
            (Prim::Div, Some(_), None) if reals.iter().all(|x| *x == 0.0) => "0 / 0 is NaN".to_owned(),
            (Prim::Div, Some(1), _) => "a division by 0".to_owned(),
            (Prim::Div, _, Some(_)) if result.is_nan() => "an infinity divided by an infinity is NaN".to_owned(),
            (Prim::Add | Prim::Sub, _, Some(_)) if result.is_nan() => "an infinity less an infinity is NaN".to_owned(),
            _ if result.is_nan() => format!("`{word}` has no value there"),
            (_, None, None) => "the value is beyond the largest number, 1.8e308".to_owned(),
            _ => format!("`{word}` is infinite there"),
        }
    }
}

/// An operand as a real.
fn number(operand: &Scalar) -> f64 {
    match operand {
        Scalar::Real(x) => *x,
        Scalar::Int(k) => *k as f64,
        Scalar::Fin(k) => *k as f64,
    }
}

/// An operand as it is shown.
fn shown(operand: &Scalar) -> String {
    match operand {
        Scalar::Real(x) => shown_real(*x),
        Scalar::Int(k) => k.to_string(),
        Scalar::Fin(k) => k.to_string(),
    }
}

fn shown_real(x: f64) -> String {
    if x.is_nan() { "NaN".to_owned() } else { format!("{x:?}") }
}

presented!(NonFinite, "walk", text::non_finite, json::non_finite);
