//! Runs a script that another one names in an interpreter of its own, which then says what the script's names mean.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;

use rhai::{Dynamic, FnPtr};

use super::super::combinators;
use super::super::errors::{RhaiResult, stop};
use super::super::host::Host;
use super::super::libraries::text_number;
use super::super::loaded::{LoadedScript, LoadingScript, ScriptFile, ScriptInside};
use super::super::meanings;
use super::super::outline::{DefinitionKind, OutlineDefinition};
use super::super::trouble;
use super::super::world::ScriptWorld;
use super::Interpreter;
use redexter_language::ground::{Budget, Diagnostic, Limits, Nesting, Severity, Trouble, code};
use redexter_rewriting::rule::RuleInfo;
use redexter_rewriting::strategy::{Strategy, StrategyDefinition};

/// The world of a script that another one names: that one's, without its voice.
struct GuestHost {
    host: Rc<dyn Host>,
    /// It ships: the user's limits don't count for it, and it is written for the whole prelude.
    ships: bool,
}

impl Host for GuestHost {
    fn print(&self, _: &str) {}

    fn warn(&self, finding: &Diagnostic) {
        self.host.warn(finding);
    }

    fn read(&self, path: &str) -> Result<String, Diagnostic> {
        self.host.read(path)
    }

    fn find(&self, path: &str, script: &str) -> String {
        self.host.find(path, script)
    }

    fn write(&self, path: &str, _: &str) -> Result<(), Diagnostic> {
        let headline = format!("`{path}` isn't written: a script that is loaded writes nothing");
        self.host.warn(&Diagnostic { severity: Severity::Warning, ..Diagnostic::error(code::UNWRITABLE, headline) });
        Ok(())
    }

    fn budget(&self) -> Budget {
        if self.ships { Budget::new(Limits::default(), None) } else { self.host.budget() }
    }

    fn held(&self) -> Option<u64> {
        self.host.held()
    }

    fn nesting(&self) -> Nesting {
        self.host.nesting()
    }

    fn bare(&self) -> bool {
        !self.ships && self.host.bare()
    }
}

/// Runs the last of these scripts, which stands in this file, for what it defines, or only looks at it.
pub(super) fn run(
    world: &ScriptWorld,
    file: ScriptFile,
    chain: Vec<LoadingScript>,
    text: String,
    dry: bool,
) -> Result<Rc<LoadedScript>, Trouble> {
    let guest = GuestHost { host: world.host.clone(), ships: file.ships };
    let mut interpreter = Interpreter::guest(Rc::new(guest), world, chain);
    world.meter.apart(file.ships, || match dry {
        true => interpreter.look_at(&file.path, &text),
        false => interpreter.run_script(&file.path, &text, &[]),
    })?;
    let needs = interpreter.world.imports().scripts();
    let own = interpreter.outline.definitions.iter().map(|own| own.name.clone()).collect();
    let (offers, fresh) = (offers(&interpreter), Cell::new((text_number(world), true)));
    Ok(Rc::new(LoadedScript { file, text, own, offers, needs, fresh, inside: Box::new(interpreter) }))
}

/// What a script offers to those who import it, in the order of its text.
fn offers(interpreter: &Interpreter) -> Vec<OutlineDefinition> {
    let outline = &interpreter.outline;
    let Some(exports) = &outline.exports else { return outline.definitions.clone() };
    let imports = interpreter.world.imports();
    let offer = |name: &String| {
        let own = outline.definitions.iter().filter(|own| own.name == *name).cloned();
        let mut all: Vec<OutlineDefinition> = own.collect();
        if all.is_empty() {
            all.extend(imports.named(name).into_iter().flat_map(|import| import.definitions()));
        }
        all
    };
    exports.iter().flat_map(|(name, _)| offer(name)).collect()
}

impl ScriptInside for Interpreter {
    fn constants(&self) -> BTreeMap<String, Strategy> {
        Interpreter::constants(self)
    }

    fn constant(&self, name: &str) -> Option<Strategy> {
        meanings::value_of(&self.world, name)?.try_cast::<Strategy>()
    }

    fn is_settled(&self, name: &str) -> bool {
        meanings::usage(&self.world, name).is_some()
    }

    fn call(&self, defined: &OutlineDefinition, values: Vec<Dynamic>) -> RhaiResult<Dynamic> {
        let (world, engine) = (&self.world, &self.engine);
        let source = world.current.get();
        let own = defined.kind == DefinitionKind::Function && world.imports().named(&defined.name).is_none();
        let given = world.across(|| match own {
            true => FnPtr::new(&*defined.name)
                .and_then(|function| function.call::<Dynamic>(engine, &self.functions, values)),
            false => combinators::call(world, engine, &defined.name, &values),
        });
        given.map_err(|error| stop(trouble::of_run(world, source, &error, &[])))
    }

    fn rule(&self, rule: &RuleInfo) -> Option<(Rc<RuleInfo>, Option<Rc<RuleInfo>>)> {
        let rules = self.world.rule_names();
        let own = rules.get(rule.name.as_str()).filter(|own| std::ptr::eq(&***own, rule)).cloned();
        own.map(|own| (own, rules.get(&format!("{}.reverse", rule.name)).cloned()))
    }

    fn made(&self) -> (Vec<Rc<StrategyDefinition>>, Vec<Rc<RuleInfo>>) {
        let definitions = self.world.definitions().values().flat_map(|defined| defined.definitions()).collect();
        let rules = self.world.rule_names().own().map(|(_, info)| info.clone()).collect();
        (definitions, rules)
    }
}
