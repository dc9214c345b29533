//! Defines rules of laws, `rule name = …;`: text of the array language becomes rules, with conditions that functions of the
//! script decide, `where small(e)` and `where holds(|e| …, e)`.
//!
//! `read` has left a call `Rule(7)` where the statement stands, with the number of the definition, or `Rule(7,[…])` with
//! the functions that stand in its conditions.

use std::rc::Rc;

use rhai::{Array, Dynamic, Engine, FnPtr, NativeCallContext};

use super::definitions::TextFunctions;
use super::errors::{RhaiResult, fail, stop};
use super::read::{LAWS, RightSide};
use super::script_functions::{ScriptFunctions, part};
use super::soundness::{self, checker};
use super::words;
use super::world::ScriptWorld;
use redexter_language::ground::{Diagnostic, Name, Span, Trouble, code};
use redexter_language::syntax::parse_rule;
use redexter_language::term::SizeBounds;
use redexter_rewriting::rule::{ConditionFunctions, Decision, FailureCause, QuestionSubject, define};

pub(crate) fn register(engine: &mut Engine, world: &Rc<ScriptWorld>) {
    let world = world.clone();
    let define = move |context: NativeCallContext, number: i64, written: Array| -> RhaiResult<()> {
        let Some(rule) = world.written(number).filter(|rule| rule.definition.right == RightSide::Laws) else {
            return Err(fail(Diagnostic::error(code::SYNTAX, "a rule is a statement of its own")));
        };
        let region = rule.span();
        let library = TextFunctions::new(region.source, context.namespaces().last().cloned());
        let written = written.into_iter().filter_map(|function| function.try_cast::<FnPtr>()).collect();
        define_at(&world, region, functions(&world, &library, written)).map_err(stop)
    };
    let plain = define.clone();
    engine.register_fn(LAWS, move |context: NativeCallContext, number: i64| plain(context, number, Array::new()));
    engine.register_fn(LAWS, define);
}

/// Defines the rule that stands there, its keyword included; its conditions may ask these functions.
fn define_at(world: &ScriptWorld, region: Span, functions: ConditionFunctions) -> Result<(), Trouble> {
    let body = Span { start: region.start + "rule".len() as u32, ..region };
    let budget = world.host.budget();
    let raw = parse_rule(&world.sources.borrow().get(body.source).text, body, &budget)?;
    let name = raw.name.span;
    let rules = define(raw, &world.sources.borrow().get(name.source).text, &checker(world), functions)?;
    soundness::guard(world, &rules, name)?;
    for info in rules {
        world.named.borrow_mut().definitions.remove(info.name.as_str());
        world.named.borrow_mut().rules.insert(info);
    }
    Ok(())
}

/// How Rhai's names for closures begin.
const ANONYMOUS: &str = "anon$";

/// The functions that a rule's conditions may ask: those with names, and those that stand in it.
fn functions(world: &Rc<ScriptWorld>, text: &TextFunctions, written: Vec<FnPtr>) -> ConditionFunctions {
    let (ast, library) = (text.ast(None), &ScriptFunctions::new(world, text.clone()));
    let named = ast.iter_functions().filter(|f| !f.name.starts_with(ANONYMOUS)).filter_map(|f| {
        let pointer = FnPtr::new(f.name).ok()?;
        Some((Name::new(f.name), decision(library, f.params.len(), pointer)))
    });
    let parameters = |pointer: &FnPtr| {
        let found = ast.iter_functions().find(|f| f.name == pointer.fn_name());
        found.map_or(0, |f| f.params.len().saturating_sub(pointer.curry().len()))
    };
    let written = written.into_iter().map(|pointer| decision(library, parameters(&pointer), settled(pointer)));
    ConditionFunctions { named: named.collect(), written: written.collect() }
}

/// A function whose captured variables keep the values that they have now.
fn settled(mut pointer: FnPtr) -> FnPtr {
    pointer.iter_curry_mut().for_each(|value| *value = value.flatten_clone());
    pointer
}

fn decision(library: &ScriptFunctions, parameters: usize, pointer: FnPtr) -> Rc<Decision> {
    let library = library.clone();
    Rc::new(Decision::new(parameters, move |subjects, bounds| {
        let arguments = subjects.iter().map(|subject| value(subject, bounds)).collect();
        let answer = library.call(&pointer, arguments)?;
        answer.as_bool().map_err(|_| {
            let what = words::what(&answer);
            FailureCause::Computed(format!(": its function gives {what}, not a truth value").into())
        })
    }))
}

fn value(subject: &QuestionSubject, bounds: &SizeBounds) -> Dynamic {
    match subject {
        QuestionSubject::Term(term, above) => Dynamic::from(part(term, above, bounds)),
        QuestionSubject::Number(n) => words::number(*n),
    }
}
