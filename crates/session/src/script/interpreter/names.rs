//! Lists what an interpreter knows by name: strategies, rules, functions and variables of all texts so far.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use rhai::Dynamic;

use super::super::meanings;
use super::super::models::ModelValue;
use super::super::read;
use super::super::schedules::ScheduleValue;
use super::super::soundness;
use super::super::terms::{TermValue, TraceValue};
use super::Interpreter;
use redexter_language::ground::text::begins_name;
use redexter_language::ground::{SourceId, Sources, Span, Trouble};
use redexter_rewriting::rule::{Rule, RuleInfo};
use redexter_rewriting::sound::RuleRelations;
use redexter_rewriting::strategy::Strategy;

/// A strategy of a script or of the REPL.
#[derive(Clone, Debug)]
pub struct StrategySummary {
    /// Its name.
    pub name: String,
    /// How it is used, such as `td(s)`.
    pub usage: String,
    /// What it stands for, as far as that is known without its arguments.
    pub body: Option<String>,
}

/// Functions that completion offers at the beginning of a line.
const COMMON_FUNCTIONS: &[&str] = &["args", "ends", "equivalent", "growth", "load", "print", "search", "term"];

impl Interpreter {
    /// The strategies of scripts and of the REPL, by name.
    pub fn strategies(&self) -> Vec<StrategySummary> {
        let all = self.world.definitions();
        let defined =
            all.iter().map(|(name, d)| StrategySummary { name: name.clone(), usage: d.usage(), body: d.body() });
        defined.collect()
    }

    /// The user's strategies and rules that take no arguments, by name.
    pub(in super::super) fn constants(&self) -> BTreeMap<String, Strategy> {
        let rules = self.world.rule_names();
        let own = rules.own().filter(|(_, info)| info.params.is_empty());
        let rules = own.map(|(name, info)| (name.clone(), Strategy::rule(&Rule::new(info.clone(), &[]))));
        let definitions = self.world.definitions();
        let strategies = definitions.iter().filter_map(|(name, d)| Some((name.clone(), d.constant()?)));
        rules.chain(strategies).collect()
    }

    /// What the last text defined, by kind: how each is used.
    pub fn defined_last(&self) -> Vec<(&'static str, Vec<String>)> {
        let names: BTreeSet<&String> = self.defined.iter().map(|definition| &definition.name).collect();
        let rules = self.world.rule_names();
        let strategies = self.world.definitions();
        let source = self.world.current.get();
        let own = |name: &str| self.world.named.borrow().functions_of.get(name) == Some(&source);
        // Rhai gives them in no order.
        let functions = self.functions.iter_functions().filter(|f| own(f.name) && is_plain(f.name));
        let functions: BTreeSet<String> = functions.map(|f| format!("{}({})", f.name, f.params.join(", "))).collect();
        let count = self.variables.len().saturating_sub(self.known);
        let mut newest: Vec<String> = self.variables.newest().take(count).map(|(name, _)| name.to_owned()).collect();
        newest.reverse();
        let all = [
            (
                "rules",
                names
                    .iter()
                    .filter(|n| !strategies.contains_key(**n))
                    .filter_map(|n| rules.get(n))
                    .map(|r| r.usage())
                    .collect(),
            ),
            ("strategies", names.iter().filter_map(|n| strategies.get(*n)).map(|d| d.usage()).collect()),
            ("functions", functions.into_iter().collect()),
            ("variables", newest),
        ];
        all.into_iter().filter(|(_, names): &(_, Vec<String>)| !names.is_empty()).collect()
    }

    /// The rules, strategies and functions that the last text defines, each with its text.
    pub fn texts_of_last(&self) -> BTreeMap<String, String> {
        let source = self.world.current.get();
        let sources = self.world.sources.borrow();
        let text = &sources.get(source).text;
        let written = self.defined.iter().map(|definition| (definition.name.clone(), &text[definition.range.clone()]));
        let functions = read::functions(text).into_iter().map(|(name, text)| (name.to_owned(), text));
        written.chain(functions).map(|(name, text)| (name, text.to_owned())).collect()
    }

    /// Forgets a rule, a strategy or a function, if this is its text.
    pub fn forget(&mut self, name: &str, text: &str) {
        let sources = self.world.sources.borrow();
        let text_of = |span: Span| sources.get(span.source).text[span.start as usize..span.end as usize].to_owned();
        let mut written = self.world.texts.borrow().written.clone().into_iter().rev();
        let newest = written.find(|written| text_of(written.name()) == name).map(|written| text_of(written.span()));
        drop(sources);
        if newest.as_deref() == Some(text) {
            self.world.named.borrow_mut().definitions.remove(name);
            self.world.named.borrow_mut().rules.remove(name);
        } else if self.functions().get(name).is_some_and(|known| known == text) {
            self.functions.retain_functions(|_, _, known, _| known != name);
            self.world.named.borrow_mut().functions_of.remove(name);
        }
    }

    /// The functions of all texts so far with their definitions.
    pub fn functions(&self) -> BTreeMap<String, String> {
        let (sources, named) = (self.world.sources.borrow(), self.world.named.borrow());
        let known = &named.functions_of;
        let texts: BTreeSet<SourceId> = known.iter().filter(|(name, _)| is_plain(name)).map(|(_, id)| *id).collect();
        let all = texts.into_iter().flat_map(|id| {
            let own = move |name: &str| known.get(name) == Some(&id);
            read::functions(&sources.get(id).text).into_iter().filter(move |(name, _)| own(name))
        });
        all.map(|(name, definition)| (name.to_owned(), definition.to_owned())).collect()
    }

    /// Variables, and the names that scripts in variables have behind a dot.
    pub(super) fn candidates(&self) -> Vec<String> {
        self.variables().into_iter().chain(self.of_scripts()).collect()
    }

    /// The names that stand behind a dot, with what stands before it.
    pub fn members(&self) -> Vec<String> {
        meanings::members(&self.world).into_iter().chain(self.of_scripts()).collect()
    }

    fn of_scripts(&self) -> Vec<String> {
        let names = |(name, value): (&str, &Dynamic)| {
            let script = value.clone().flatten().try_cast::<ScheduleValue>()?;
            Some(script.names().into_iter().map(|member| format!("{name}.{member}")).collect::<Vec<String>>())
        };
        self.variables.newest().filter_map(names).flatten().collect()
    }

    /// Whether a variable has this name.
    pub(super) fn has_variable(&self, name: &str) -> bool {
        self.variables.contains(name)
    }

    /// Whether a variable of this name is a term or a model.
    pub fn is_of_terms(&self, name: &str) -> bool {
        self.variables.get(name).is_some_and(|value| value.is::<TermValue>() || value.is::<ModelValue>())
    }

    /// The variables, the newest first.
    pub fn variables(&self) -> Vec<String> {
        self.variables.newest().map(|(name, _)| name.to_owned()).collect()
    }

    /// The variables that hold the trace of a run.
    pub fn traces(&self) -> Vec<String> {
        let held = self.variables.newest().filter(|(_, value)| value.is::<TraceValue>());
        held.map(|(name, _)| name.to_owned()).collect()
    }

    /// The rules of the book and the user's, by name, and imported ones.
    pub fn rules(&self) -> Vec<Rc<RuleInfo>> {
        let imported = self.imported_rules();
        self.world.rule_names().all().into_iter().chain(imported).collect()
    }

    /// The rule that an import gives under this name, such as `lib.squash`.
    pub fn imported_rule(&self, name: &str) -> Option<Rc<RuleInfo>> {
        meanings::imported_rules(&self.world).into_iter().find(|(shown, _)| shown == name).map(|(_, info)| info)
    }

    /// What a rule has to do with these others.
    pub fn relations(&self, info: &Rc<RuleInfo>, all: &[Rc<RuleInfo>]) -> Result<RuleRelations, Trouble> {
        soundness::relations(&self.world, info, all)
    }

    /// Every name that a line may begin with: strategies, rules, variables and the most used functions, in order.
    pub fn names(&self) -> Vec<String> {
        let mut names = meanings::names(&self.world);
        names.extend(self.variables());
        names.extend(COMMON_FUNCTIONS.iter().map(|name| (*name).to_owned()));
        names.sort();
        names.dedup();
        names
    }

    /// The texts that spans point into.
    pub fn sources(&self) -> Rc<RefCell<Sources>> {
        self.world.sources.clone()
    }
}

/// Whether a function has a name of its own.
fn is_plain(name: &str) -> bool {
    begins_name(name) && !name.contains('$')
}
