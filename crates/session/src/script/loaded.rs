//! Declares [`LoadedScript`]: a script that was run for what it defines, which others name.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use rhai::Dynamic;

use super::errors::RhaiResult;
use super::outline::OutlineDefinition;
use redexter_language::ground::{Diagnostic, Span, code, name::did_you_mean};
use redexter_rewriting::rule::RuleInfo;
use redexter_rewriting::strategy::{Strategy, StrategyDefinition};

/// The scripts of a session that others import.
#[derive(Default)]
pub(crate) struct ScriptCache {
    pub known: RefCell<BTreeMap<ScriptKey, Rc<LoadedScript>>>,
    /// The number of texts that were read, without those of scripts that others import or load.
    pub texts: Cell<u64>,
}

/// A script's file, and whether the script was only looked at.
pub(crate) type ScriptKey = (ScriptFile, bool);

/// A script's file: its path, and whether it is built in.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ScriptFile {
    pub path: String,
    pub ships: bool,
}

/// A script that is being run for its definitions, and where it is named.
#[derive(Clone, Debug)]
pub(crate) struct LoadingScript {
    pub file: ScriptFile,
    pub from: Option<Span>,
}

/// A script that was run for what it defines.
pub(crate) struct LoadedScript {
    pub file: ScriptFile,
    /// The text in which it defines what it offers.
    pub text: String,
    /// The names that it defines.
    pub own: Vec<String>,
    /// What it offers to those who import it, in the order of its text.
    pub offers: Vec<OutlineDefinition>,
    /// What it imports, each once.
    pub needs: Vec<Rc<LoadedScript>>,
    /// Whether it was fresh when a text last asked, and the number of that text.
    pub fresh: Cell<(u64, bool)>,
    pub inside: Box<dyn ScriptInside>,
}

/// What the names of a script mean, which the interpreter says that ran it.
pub(crate) trait ScriptInside {
    /// The strategies and rules that take no arguments.
    fn constants(&self) -> BTreeMap<String, Strategy>;

    /// What this name stands for where it takes no arguments; `None` where that isn't known.
    fn constant(&self, name: &str) -> Option<Strategy>;

    /// Whether what is offered under this name is known: of a script that was only looked at some isn't.
    fn is_settled(&self, name: &str) -> bool;

    /// Applies a function, strategy or rule of it to arguments.
    fn call(&self, defined: &OutlineDefinition, values: Vec<Dynamic>) -> RhaiResult<Dynamic>;

    /// This rule, if it is one of its own, and the one that undoes it.
    fn rule(&self, rule: &RuleInfo) -> Option<(Rc<RuleInfo>, Option<Rc<RuleInfo>>)>;

    /// The definitions that the uses of its strategies so far refer to, and its rules.
    fn made(&self) -> (Vec<Rc<StrategyDefinition>>, Vec<Rc<RuleInfo>>);
}

impl LoadedScript {
    /// The finding for a name that it doesn't offer.
    pub fn unknown(&self, name: &str) -> Diagnostic {
        let names = || self.offers.iter().map(|offer| offer.name.as_str());
        let finding = Diagnostic::error(code::UNKNOWN_STRATEGY, format!("`{}` offers no `{name}`", self.file.path));
        match self.own.iter().any(|own| own == name) {
            true => finding.help(format!("it defines one: add it to its `export`, `export {name};`")),
            false => finding.help(did_you_mean(name, names()).unwrap_or_else(|| {
                let all: Vec<&str> = names().collect();
                format!("it offers {}", if all.is_empty() { "nothing".to_owned() } else { all.join(", ") })
            })),
        }
    }
}
