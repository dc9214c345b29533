//! Lets scripts walk derivations: behind `let w = term.walk();` the commands of the REPL are methods, each with the same answer.

use std::rc::Rc;

use rhai::{Dynamic, Engine, ImmutableString};

use super::errors::{RhaiResult, fail, stop};
use super::inline_rules;
use super::meanings;
use super::soundness;
use super::terms::{TermValue, TraceValue};
use super::words;
use super::world::{ScriptWorld, UnappliedStrategy};
use redexter_language::draw::svg;
use redexter_language::ground::order::InOrder;
use redexter_language::ground::{Budget, Diagnostic, Span, TextPlace, Trouble};
use redexter_rewriting::rule::{self, Pattern, RuleInfo};
use redexter_rewriting::sound::Templates;
use redexter_rewriting::strategy::{ProfileClock, Strategy};
use redexter_telling::command::{ArgumentKind, COMMANDS, Command, CommandInfo, is_about_a_derivation, misused};
use redexter_telling::questions::{AskedQuestion, drawn_in_file};
use redexter_telling::render::walk as text;
use redexter_telling::walk::{self, DefinitionOrigin, StepGoal, Walk, WalkAnswer, WalkOwner};

/// A derivation that a script walks; a copy goes its own way.
#[derive(Clone)]
pub(crate) struct WalkValue {
    walk: Walk,
    /// What it began with.
    first: TermValue,
}

/// Answers are laid out to this width.
const WIDTH: usize = 100;

const WALK_NEEDS_STRATEGY: &str = "a walk takes the rewrites of a strategy";

impl WalkOwner for ScriptWorld {
    fn budget(&self) -> Budget {
        self.host.budget()
    }

    fn clock(&self) -> ProfileClock {
        self.host.clock()
    }

    fn warn(&self, finding: &Diagnostic) {
        self.host.warn(finding);
    }

    fn place(&self, span: Span) -> TextPlace {
        self.sources.borrow().place(span)
    }

    fn pattern(&self, text: &str) -> Result<Pattern, Trouble> {
        inline_rules::pattern(self, text)
    }

    fn rules(&self) -> Vec<Rc<RuleInfo>> {
        let place = |info: &RuleInfo| self.book.iter().position(|other| other.name == info.name);
        let mut all: Vec<Rc<RuleInfo>> = self.rule_names().all();
        all.order_by_key(|info| (info.origin == rule::RuleOrigin::User, place(info)));
        for (_, info) in meanings::imported_rules(self) {
            if all.iter().all(|known| !Rc::ptr_eq(known, &info)) {
                all.push(info);
            }
        }
        all
    }

    fn strategies(&self) -> Vec<String> {
        [meanings::names(self), meanings::members(self)].concat()
    }

    fn imported(&self) -> Vec<(String, Rc<RuleInfo>)> {
        meanings::imported_rules(self)
    }

    fn templates(&self) -> &Templates {
        soundness::templates(self)
    }
}

pub(crate) fn register(engine: &mut Engine, world: &Rc<ScriptWorld>) {
    engine.register_type_with_name::<WalkValue>("walk");
    engine.register_fn("walk", |t: &mut TermValue| WalkValue::new(t).map_err(fail));
    engine.register_fn("walk", |t: &mut TraceValue| {
        let mut value = WalkValue::new(&t.first()).map_err(fail)?;
        value.walk.follow(&t.strategy, &t.trace);
        Ok::<_, Box<rhai::EvalAltResult>>(value)
    });
    engine.register_get("term", |w: &mut WalkValue| w.term().map_err(stop));
    engine.register_fn("to_string", |w: &mut WalkValue| w.shown());
    engine.register_fn("to_debug", |w: &mut WalkValue| w.shown());
    let of = world.clone();
    engine.register_fn("run", move |w: &mut WalkValue, s: Dynamic| {
        w.taking(&of, &s, |walk, strategy| walk::run(walk, strategy, StepGoal::All, &*of))
    });
    for info in COMMANDS.iter().filter(|info| is_about_a_derivation(info)) {
        let (name, of) = (info.method, world.clone());
        engine.register_fn(name, move |w: &mut WalkValue| w.answer(&of, info, &[]));
        let of = world.clone();
        engine.register_fn(name, move |w: &mut WalkValue, a: Dynamic| w.answer(&of, info, &[a]));
        let of = world.clone();
        engine.register_fn(name, move |w: &mut WalkValue, a: Dynamic, b: Dynamic| w.answer(&of, info, &[a, b]));
    }
}

impl WalkValue {
    fn new(first: &TermValue) -> Result<WalkValue, Diagnostic> {
        let origin = first.name.clone().map(|name| DefinitionOrigin { written: name.clone(), name });
        Ok(WalkValue { walk: Walk::new(first.closed()?.clone(), origin), first: first.clone() })
    }

    fn term(&self) -> Result<TermValue, Trouble> {
        Ok(self.first.with(self.walk.current()?.term.clone()))
    }

    fn shown(&self) -> String {
        let answer = WalkAnswer::Log(walk::log_entries(self.walk.history()));
        text(&answer, WIDTH.into()).text().trim_end().to_owned()
    }

    /// The answer to a command, as text. Where the command takes strategies they are the arguments' values, not read from text.
    fn answer(&mut self, world: &ScriptWorld, info: &CommandInfo, arguments: &[Dynamic]) -> RhaiResult<String> {
        let mut written: Vec<String> = arguments.iter().map(|argument| written(world, argument)).collect();
        if info.argument == ArgumentKind::Strategies {
            let numbers = arguments.iter().take_while(|argument| argument.is_int()).count();
            let strategies = written.split_off(numbers).join(" | ");
            written.push(strategies);
        }
        if info.name == "replay" && begins_with_address(arguments) {
            written.insert(0, "from".to_owned());
        }
        match (Command::of(info, &written.join(" ")).map_err(fail)?, arguments) {
            (Command::Replay(from, None), _) => {
                world.before_work()?;
                let last = walk::last_strategy(&self.walk).map_err(stop)?.clone();
                said(walk::replay(&mut self.walk, from.as_ref(), &last, true, world))
            }
            (Command::Replay(from, _), [.., strategy]) => {
                self.taking(world, strategy, |walk, strategy| walk::replay(walk, from.as_ref(), strategy, false, world))
            }
            (Command::Profile(None), _) => {
                world.before_work()?;
                said(walk::profile(&self.walk, None, world))
            }
            (Command::Profile(_), [only]) => {
                self.taking(world, only, |walk, strategy| walk::profile(walk, Some(strategy), world))
            }
            (Command::Walk(command), _) => {
                world.before_work()?;
                said(walk::answer(&mut self.walk, &command, world))
            }
            (Command::PlotTo(address, path), _) => {
                world.before_work()?;
                let chart = walk::plot(&self.walk, address.as_ref(), world).map_err(stop)?;
                let path = path.to_string_lossy();
                world.host.write(&path, &svg(&chart)).map_err(fail)?;
                Ok(format!("wrote {path}"))
            }
            (Command::Ask(question, asked), _) => {
                let strategies = strategies(world, asked.strategies.len(), arguments)?;
                world.before_work()?;
                let (walk, owner) = (&mut self.walk, world);
                let answer = question.answer(AskedQuestion { arguments: &asked, strategies: &strategies, walk, owner });
                if let Ok(found) = &answer
                    && let Some((path, text)) = drawn_in_file(&asked, found)
                {
                    let path = path.to_string_lossy();
                    world.host.write(&path, &text).map_err(fail)?;
                    return Ok(format!("wrote {path}"));
                }
                said(answer)
            }
            (Command::StepInto(_), [only]) => {
                self.taking(world, only, |walk, strategy| walk::run(walk, strategy, StepGoal::Steps(1), world))
            }
            _ => Err(fail(misused(info, format!("`{}` takes no such arguments", info.method)))),
        }
    }

    fn taking(
        &mut self,
        world: &ScriptWorld,
        strategy: &Dynamic,
        take: impl FnOnce(&mut Walk, &Strategy) -> Result<WalkAnswer, Trouble>,
    ) -> RhaiResult<String> {
        let strategy = words::strategy(world, strategy, WALK_NEEDS_STRATEGY).map_err(stop)?;
        world.before_work()?;
        said(take(&mut self.walk, &strategy))
    }
}

/// An answer as text; what ends a run is an error, as it is where a strategy is applied.
pub(super) fn said(answer: Result<WalkAnswer, Trouble>) -> RhaiResult<String> {
    let answer = answer.map_err(stop)?;
    if let Some(limit) = answer.trouble() {
        return Err(stop(limit.clone()));
    }
    match answer {
        WalkAnswer::Failed(failed) => {
            Err(fail(super::terms::failed(&failed.strategy, &failed.reason).help(failed.remedy)))
        }
        answer => Ok(text(&answer, WIDTH.into()).text().trim_end().to_owned()),
    }
}

/// The strategies among arguments; so many are asked for.
fn strategies(world: &ScriptWorld, count: usize, arguments: &[Dynamic]) -> RhaiResult<Vec<Strategy>> {
    let lists = arguments.iter().flat_map(|argument| match argument.read_lock::<rhai::Array>() {
        Some(list) => list.to_vec(),
        None => vec![argument.clone()],
    });
    let all: Vec<Dynamic> = lists.collect();
    let from = all.len().saturating_sub(count);
    all[from..].iter().map(|value| words::strategy(world, value, WALK_NEEDS_STRATEGY).map_err(stop)).collect()
}

/// An argument as the command's line has it.
fn written(world: &ScriptWorld, argument: &Dynamic) -> String {
    if let Some(list) = argument.read_lock::<rhai::Array>() {
        return list.iter().map(|one| written(world, one)).collect::<Vec<_>>().join(" | ");
    }
    if let Some(text) = argument.read_lock::<ImmutableString>() {
        return if inline_rules::is_written(world, &text) { format!("`{}`", text.as_str()) } else { text.to_string() };
    }
    let strategy = argument.read_lock::<Strategy>().map(|strategy| strategy.to_string());
    let unapplied = || argument.read_lock::<UnappliedStrategy>().map(|unapplied| unapplied.name.clone());
    strategy.or_else(unapplied).unwrap_or_else(|| argument.to_string())
}

/// Whether the first argument is an address to run from: there are two arguments, or one that is no strategy.
fn begins_with_address(arguments: &[Dynamic]) -> bool {
    match arguments {
        [only] => !only.is::<Strategy>() && !only.is::<UnappliedStrategy>(),
        arguments => arguments.len() > 1,
    }
}
