//! Defines rules that a function of the script computes: `rule name = |t| …;` and
//! `rule name(k) = computed(|t| …, "real_exact");`.
//!
//! The function gets the term where the rule is tried and gives the one that takes its place, or `fail`. Whatever else it
//! gives, and whatever goes wrong in it, is a reason for which the rule fails there.

use std::rc::Rc;

use rhai::{Dynamic, Engine, EvalContext, FnPtr, ImmutableString};

use super::definitions::DefinitionStatement;
use super::errors::{RhaiResult, fail, stop};
use super::read::{ParsedDefinition, RightSide};
use super::script_functions::{ScriptFunctions, part};
use super::terms::TermValue;
use super::world::ScriptWorld;
use super::{soundness, words};
use redexter_language::ground::{Diagnostic, Name, code, text::on_one_line};
use redexter_language::term::Term;
use redexter_rewriting::rule::{
    ComputedRule, Exactness, FailureCause, Focus, LazyFootprint, Reason, RuleBody, RuleInfo, RuleOrigin, SoundnessState,
};
use redexter_rewriting::sound::TestEffort;
use redexter_rewriting::strategy::{Strategy, StrategyForm};

/// The function of a rule, and how exactly its results equal the terms that they replace.
#[derive(Clone)]
struct RuleFunction {
    pointer: FnPtr,
    exactness: Exactness,
}

pub(crate) fn register(engine: &mut Engine) {
    engine.register_type_with_name::<RuleFunction>("computed rule");
    engine.register_fn("computed", |pointer: FnPtr| RuleFunction { pointer, exactness: Exactness::Exact });
    engine.register_fn("computed", |pointer: FnPtr, exactness: ImmutableString| -> RhaiResult<RuleFunction> {
        let found = Exactness::ALL.iter().find(|(word, _)| *word == exactness.as_str());
        let exactness = found.map(|(_, exactness)| *exactness).ok_or_else(|| {
            let headline = format!("there is no exactness `{exactness}`");
            let help = "write \"exact\", \"real_exact\" or \"reassociating\"";
            fail(Diagnostic::error(code::BAD_RULE, headline).help(help))
        })?;
        Ok(RuleFunction { pointer, exactness })
    });
}

/// Makes a rule of a function.
pub(super) fn define(
    world: &Rc<ScriptWorld>,
    context: &mut EvalContext,
    statement: DefinitionStatement,
) -> RhaiResult<()> {
    let RightSide::Function { body, unchecked } = statement.definition().right.clone() else { return Ok(()) };
    let ParsedDefinition { name, params, .. } = statement.definition().clone();
    let (source, at) = (statement.written.source, statement.written.name());
    let law = on_one_line(&world.sources.borrow().get(source).text[body]);
    // The right side is evaluated once for the exactness, with 1 for each parameter.
    let exactness = function(&statement, context.engine(), &vec![1; params.len()])?.exactness;
    let library = ScriptFunctions::new(world, statement.library.clone());
    let info = Rc::new(RuleInfo {
        name: Name::new(&name),
        group: String::new(),
        params: params.iter().map(|p| Name::new(p)).collect(),
        laws: vec![law],
        conditions: Vec::new(),
        doc: String::new(),
        exactness,
        origin: RuleOrigin::User,
        unchecked,
        state: SoundnessState::at_first(RuleOrigin::User),
        footprint: LazyFootprint::default(),
        body: RuleBody::Computed(ComputedRule::new(move |focus, arguments| {
            apply(&statement, &library, focus, arguments)
        })),
    });
    // Of a text that is only looked at functions run where its rules are tested thoroughly.
    if !world.meter.dry.get() || world.testing.get().effort != TestEffort::QUICK {
        soundness::guard(world, std::slice::from_ref(&info), at).map_err(stop)?;
    }
    world.named.borrow_mut().definitions.remove(&name);
    world.named.borrow_mut().rules.insert(info);
    Ok(())
}

/// The function for these values of the parameters.
fn function(statement: &DefinitionStatement, engine: &Engine, arguments: &[u64]) -> RhaiResult<RuleFunction> {
    let mut scope = statement.scope();
    for (name, value) in statement.definition().params.iter().zip(arguments) {
        scope.push_dynamic(name.as_str(), words::number(*value));
    }
    let value = statement.evaluate(engine, &mut scope)?;
    if let Some(pointer) = value.read_lock::<FnPtr>() {
        return Ok(RuleFunction { pointer: pointer.clone(), exactness: Exactness::Exact });
    }
    value.read_lock::<RuleFunction>().map(|function| function.clone()).ok_or_else(|| {
        let what = words::what(&value);
        let headline = format!("a rule is a law or a function from term to term, but this is {what}");
        let help = "write rule name = `left --> right`; or rule name = |t| …;";
        statement.wrong(Diagnostic::error(code::BAD_RULE, headline).help(help))
    })
}

fn apply(
    statement: &DefinitionStatement,
    library: &ScriptFunctions,
    focus: &Focus,
    arguments: &[u64],
) -> Result<Term, Reason> {
    let subject = part(focus.term, focus.context, focus.bounds);
    let depth = subject.scope.len();
    let function = library.with_engine(|engine| function(statement, engine, arguments));
    let value = function.and_then(|f| library.call(&f.pointer, vec![Dynamic::from(subject)]));
    contractum(&value.map_err(wrong)?, depth)
}

fn wrong(why: FailureCause) -> Reason {
    match why {
        FailureCause::Computed(words) => reason(format!("its function goes wrong{words}")),
        limit => Reason::new(limit),
    }
}

/// The term that a function gave.
fn contractum(value: &Dynamic, depth: usize) -> Result<Term, Reason> {
    if let Some(subject) = value.read_lock::<TermValue>() {
        return match subject.scope.len() == depth || subject.program.term.free().len() == 0 {
            true => Ok(subject.program.term.clone()),
            false => Err(reason("its function gives a term from another scope".to_owned())),
        };
    }
    let fails = value.read_lock::<Strategy>().is_some_and(|s| matches!(s.form(), StrategyForm::Fail));
    Err(reason(match fails || value.is_unit() {
        true => "its function gives no term here".to_owned(),
        false => format!("its function gives {}, not a term", words::what(value)),
    }))
}

fn reason(words: String) -> Reason {
    Reason::new(FailureCause::Computed(words.into()))
}
