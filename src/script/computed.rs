//! `rule name = |t| …;` and `rule name(k) = computed(|t| …, "real_exact");`: rules that a function of the script computes.
//!
//! The function gets the term where the rule is tried and gives the one that takes its place, or `fail`. Whatever else it
//! gives, and whatever goes wrong in it, is a reason for which the rule fails there.

use std::rc::Rc;

use rhai::{
    Dynamic, Engine, EvalAltResult, EvalContext, Expr, Expression, FnPtr, ImmutableString, ParseError, Position, Scope,
    Stmt,
};

use super::define::{captured, next_symbol};
use super::library::{Library, part};
use super::read::COMPUTED;
use super::subject::Subject;
use super::world::{Failing, World, fail, source_named, stop};
use super::{soundness, words};
use crate::ground::{Diagnostic, Name, Span, Trouble, code, text::on_one_line};
use crate::rule::{Body, Computed, Exactness, Focus, LazyFootprint, Origin, Reason, RuleInfo, State, Why};
use crate::strategy::{Form, Strategy};
use crate::term::Term;

/// The word behind a rule that stands whatever testing it finds.
const UNCHECKED: &str = "unchecked";

/// A function with what its results are to those that they replace.
#[derive(Clone)]
struct Function {
    pointer: FnPtr,
    exactness: Exactness,
}

/// The right side of a definition.
struct Definition {
    library: Library,
    params: Vec<String>,
    body: Expr,
    captured: Vec<(String, Dynamic)>,
}

/// Teaches the engine the statement.
pub(crate) fn register(engine: &mut Engine, world: &Rc<World>) {
    engine.register_type_with_name::<Function>("computed rule");
    engine.register_fn("computed", |pointer: FnPtr| Function { pointer, exactness: Exactness::Exact });
    engine.register_fn("computed", |pointer: FnPtr, exactness: ImmutableString| -> Failing<Function> {
        let found = Exactness::ALL.iter().find(|(word, _)| *word == exactness.as_str());
        let exactness = found.map(|(_, exactness)| *exactness).ok_or_else(|| {
            let headline = format!("there is no exactness `{exactness}`");
            let help = "write \"exact\", \"real_exact\" or \"reassociating\"";
            fail(Diagnostic::error(code::BAD_RULE, headline).help(help))
        })?;
        Ok(Function { pointer, exactness })
    });
    let world = world.clone();
    engine.register_custom_syntax_with_state_raw(COMPUTED, symbols, true, move |context, inputs, unchecked| {
        define(&world, context, inputs, unchecked.is::<bool>()).map(|()| Dynamic::UNIT)
    });
}

/// What may follow the symbols so far: as in the definition of a strategy, and then perhaps `unchecked`.
fn symbols(
    symbols: &[ImmutableString],
    ahead: &str,
    unchecked: &mut Dynamic,
) -> Result<Option<ImmutableString>, ParseError> {
    if symbols.last().is_some_and(|last| last == "$expr$") && ahead == UNCHECKED {
        *unchecked = Dynamic::from(true);
        return Ok(Some(UNCHECKED.into()));
    }
    match symbols.last() {
        Some(last) if last == UNCHECKED => Ok(None),
        _ => next_symbol(symbols, ahead, unchecked),
    }
}

/// Runs the statement.
fn define(world: &Rc<World>, context: &mut EvalContext, inputs: &[Expression], unchecked: bool) -> Failing<()> {
    let Some((body, names)) = inputs.split_last() else { return Ok(()) };
    let place = names.first().map_or(Position::NONE, |name| name.position());
    let mut names = names.iter().filter_map(|n| n.get_string_value()).map(str::to_owned);
    let name = names.next().unwrap_or_default();
    let body: Expr = AsRef::<Expr>::as_ref(body).clone();
    let source = source_named(context.source()).unwrap_or(world.current.get());
    let definition = Definition {
        library: Library::new(world, source, context.namespaces().last().cloned()),
        params: names.collect(),
        captured: captured(&body, context.scope()),
        body,
    };
    let example: Vec<u64> = definition.params.iter().map(|_| 1).collect();
    let exactness = definition.function(context.engine(), &example)?.exactness;
    let at = world.span(source, place).unwrap_or(Span::new(source, 0, 0));
    let info = Rc::new(RuleInfo {
        name: Name::new(&name),
        group: String::new(),
        params: definition.params.iter().map(|p| Name::new(p)).collect(),
        laws: vec![definition.text(world)],
        conditions: Vec::new(),
        doc: String::new(),
        exactness,
        origin: Origin::User,
        unchecked,
        state: State::at_first(Origin::User),
        footprint: LazyFootprint::default(),
        body: Body::Computed(Computed::new(move |focus, arguments| definition.apply(focus, arguments))),
    });
    // A text that is only looked at has its functions, but they don't run.
    if !world.dry.get() {
        soundness::guard(world, std::slice::from_ref(&info), at).map_err(stop)?;
    }
    world.definitions.borrow_mut().remove(&name);
    world.rules.borrow_mut().insert(name, info);
    Ok(())
}

impl Definition {
    /// The function for these values of the parameters.
    fn function(&self, engine: &Engine, arguments: &[u64]) -> Failing<Function> {
        let mut scope = Scope::new();
        for (name, value) in &self.captured {
            scope.push_dynamic(name.as_str(), value.clone());
        }
        for (name, value) in self.params.iter().zip(arguments) {
            scope.push(name.as_str(), i64::try_from(*value).unwrap_or(i64::MAX));
        }
        let body = Stmt::Expr(Box::new(self.body.clone()));
        let value = engine.eval_ast_with_scope::<Dynamic>(&mut scope, &self.library.ast(Some(body)))?;
        if let Some(pointer) = value.read_lock::<FnPtr>() {
            return Ok(Function { pointer: pointer.clone(), exactness: Exactness::Exact });
        }
        value.read_lock::<Function>().map(|function| function.clone()).ok_or_else(|| {
            let what = words::what(&value);
            let headline = format!("a rule is a law or a function from term to term, but this is {what}");
            let finding = Diagnostic::error(code::BAD_RULE, headline)
                .help("write rule name = `left --> right`; or rule name = |t| …;");
            let trouble = Dynamic::from(Trouble::from(finding));
            Box::new(EvalAltResult::ErrorRuntime(trouble, self.body.start_position()))
        })
    }

    /// The right side as it is written.
    fn text(&self, world: &World) -> String {
        let Some(start) = world.span(self.library.source, self.body.start_position()) else {
            return "a function".to_owned();
        };
        let sources = world.sources.borrow();
        let rest = &sources.get(self.library.source).text[start.start as usize..];
        let whole = rest[..statement_end(rest)].trim_end();
        on_one_line(whole.strip_suffix(UNCHECKED).unwrap_or(whole))
    }

    fn apply(&self, focus: &Focus, arguments: &[u64]) -> Result<Term, Reason> {
        let subject = part(focus.term, focus.context, focus.bounds);
        let depth = subject.scope.len();
        let function = self.library.with_engine(|engine| self.function(engine, arguments));
        let value = function.and_then(|f| self.library.call(&f.pointer, vec![Dynamic::from(subject)]));
        contractum(&value.map_err(wrong)?, depth)
    }
}

fn wrong(why: Why) -> Reason {
    match why {
        Why::Computed(words) => reason(format!("its function goes wrong{words}")),
        limit => Reason::new(limit),
    }
}

/// The term that a function gave.
fn contractum(value: &Dynamic, depth: usize) -> Result<Term, Reason> {
    if let Some(subject) = value.read_lock::<Subject>() {
        return match subject.scope.len() == depth || subject.program.term.free().len() == 0 {
            true => Ok(subject.program.term.clone()),
            false => Err(reason("its function gives a term from another scope".to_owned())),
        };
    }
    let fails = value.read_lock::<Strategy>().is_some_and(|s| matches!(s.form(), Form::Fail));
    Err(reason(match fails || value.is_unit() {
        true => "its function gives no term here".to_owned(),
        false => format!("its function gives {}, not a term", words::what(value)),
    }))
}

fn reason(words: String) -> Reason {
    Reason::new(Why::Computed(words.into()))
}

/// Where a statement ends: at the first semicolon outside all brackets.
fn statement_end(text: &str) -> usize {
    let mut open = 0_u32;
    for (k, c) in text.char_indices() {
        match c {
            '(' | '[' | '{' => open += 1,
            ')' | ']' | '}' => open = open.saturating_sub(1),
            ';' if open == 0 => return k,
            _ => {}
        }
    }
    text.len()
}
