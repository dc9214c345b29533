//! A [`RuleInfo`] holds all that is known of a rule, its documentation and its body; a [`Rule`] is one with its arguments.

use std::cell::{Cell, OnceCell};
use std::fmt;
use std::rc::Rc;

use redexter_language::ground::{Name, StopReason, text::call};
use redexter_language::term::{Path, Term};

use super::condition::way;
use super::exactness::Exactness;
use super::explanation::RuleExplanation;
use super::focus::Focus;
use super::footprint::{ANYTHING, Footprint, Miss, SearchDepth};
use super::laws::Laws;
use super::matching::CompiledLaw;
use super::reason::{FailureCause, NOT_LINEAR, Reason};
use super::record::NativeRule;
use super::restriction::Restriction;

/// The place that a rule comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RuleOrigin {
    /// The rule book that is built in.
    Book,
    /// A script or the REPL.
    User,
}

/// The outcome of testing a rule on generated instances.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SoundnessState {
    /// So many instances kept their meaning.
    Tested(u32),
    /// One didn't.
    Unsound,
    /// It applied to none of so many random terms.
    NeverFired(u32),
    /// It wasn't tested.
    Untested,
}

/// How many instances of each rule of the book keep their meaning in the tests that the book ships with.
pub const BOOK_INSTANCES: u32 = 500;

impl SoundnessState {
    /// The state before a rule is tested here: the rules of the book have been tested.
    pub fn at_first(origin: RuleOrigin) -> Cell<SoundnessState> {
        Cell::new(match origin {
            RuleOrigin::Book => SoundnessState::Tested(BOOK_INSTANCES),
            RuleOrigin::User => SoundnessState::Untested,
        })
    }
}

impl fmt::Display for SoundnessState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SoundnessState::Tested(instances) => write!(f, "tested on {instances} instances"),
            SoundnessState::Unsound => f.write_str("unsound: there is a counter-example"),
            SoundnessState::NeverFired(terms) => write!(f, "untested: it applies to none of {terms} random terms"),
            SoundnessState::Untested => f.write_str("untested"),
        }
    }
}

/// A function of a script, from term to term, whose result is checked at each use.
pub struct ComputedRule(Box<ComputedFn>);

type ComputedFn = dyn Fn(&Focus, &[u64]) -> Result<Term, Reason>;

impl ComputedRule {
    /// A rule's function; its arguments are the place and the values of the rule's parameters.
    pub fn new(function: impl Fn(&Focus, &[u64]) -> Result<Term, Reason> + 'static) -> ComputedRule {
        ComputedRule(Box::new(function))
    }

    /// The contractum, if it has the type of what it stands for.
    fn apply(&self, focus: &Focus, arguments: &[u64]) -> Result<Term, Reason> {
        let term = (self.0)(focus, arguments)?;
        // A script's function may return any term; one of another type would make the term around it ill-typed.
        if term.ty() == focus.term.ty() {
            return Ok(term);
        }
        let why = format!("its function gives a term of type {}, not {}", term.ty(), focus.term.ty());
        Err(Reason::new(FailureCause::Computed(why.into())))
    }
}

impl fmt::Debug for ComputedRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Computed")
    }
}

/// The body of a rule: laws, or a function.
#[derive(Debug)]
pub enum RuleBody {
    /// Laws, tried in order.
    Laws(Laws),
    /// A function of the book's.
    Native(&'static NativeRule),
    /// A function of a script.
    Computed(ComputedRule),
}

/// The footprint of a rule, worked out when it is first asked for.
#[derive(Debug, Default)]
pub struct LazyFootprint(OnceCell<Footprint>);

/// Everything that is known about a rule.
#[derive(Debug)]
pub struct RuleInfo {
    /// Its name, `distribute.reverse` for the other direction.
    pub name: Name,
    /// The heading that it stands under in the book; empty for a user's rule.
    pub group: String,
    /// Its parameters, such as `k`.
    pub params: Vec<Name>,
    /// The laws as written.
    pub laws: Vec<String>,
    /// The conditions as written.
    pub conditions: Vec<String>,
    /// When it helps and what blocks it.
    pub doc: String,
    /// In which sense its laws are equalities.
    pub exactness: Exactness,
    /// Where it comes from.
    pub origin: RuleOrigin,
    /// It stands whatever the check of soundness finds.
    pub unchecked: bool,
    /// What testing it has come to.
    pub state: Cell<SoundnessState>,
    /// What it inspects.
    pub footprint: LazyFootprint,
    /// What makes it work.
    pub body: RuleBody,
}

impl RuleInfo {
    /// What it is for: the first sentence of its documentation.
    pub fn purpose(&self) -> &str {
        self.doc.split_inclusive(['.', '\n']).next().unwrap_or("").trim()
    }

    /// The name with its parameters: `letSubstN(k)`.
    pub fn usage(&self) -> String {
        call(&self.name, &self.params)
    }

    /// What each of its conditions says; nothing of one that is a sentence as it is written.
    pub fn meanings(&self) -> Vec<Option<String>> {
        let laws = match &self.body {
            RuleBody::Laws(laws) => laws.typed().unwrap_or_default(),
            RuleBody::Native(_) | RuleBody::Computed(_) => &[],
        };
        // A parameter that names a size or a variable of the law is a condition that nobody wrote; those come first, so that as
        // many are skipped as there are more than written.
        let read = laws.first().map_or(&[][..], |law| &law.conditions);
        let written = read.len().saturating_sub(self.conditions.len());
        let all = read.iter().skip(written).map(|(condition, _)| Some(condition.meaning()));
        all.chain(std::iter::repeat(None)).take(self.conditions.len()).collect()
    }

    /// Whether trying it runs a function of a script.
    pub fn asks_functions(&self) -> bool {
        match &self.body {
            RuleBody::Laws(laws) => laws.typed().unwrap_or_default().iter().any(|law| law.asks_functions()),
            RuleBody::Native(_) => false,
            RuleBody::Computed(_) => true,
        }
    }

    /// Whether it has no name but its law in backticks.
    pub fn is_in_place(&self) -> bool {
        self.name.as_str().starts_with('`')
    }

    /// Its name in backticks.
    pub fn quoted(&self) -> String {
        if self.is_in_place() { self.name.to_string() } else { format!("`{}`", self.name) }
    }

    /// What is known of it in one word: `tested`, `unsound`, `unchecked` or `untested`.
    pub fn standing(&self) -> &'static str {
        match self.state.get() {
            SoundnessState::Tested(_) => "tested",
            SoundnessState::Unsound => "unsound",
            SoundnessState::NeverFired(_) | SoundnessState::Untested if self.unchecked => "unchecked",
            SoundnessState::NeverFired(_) | SoundnessState::Untested => "untested",
        }
    }
}

/// A rule with the values of its parameters. Cheap to clone.
#[derive(Clone)]
pub struct Rule {
    info: Rc<RuleInfo>,
    arguments: Rc<[u64]>,
}

impl Rule {
    /// A rule; as many `arguments` as it has parameters.
    pub fn new(info: Rc<RuleInfo>, arguments: &[u64]) -> Rule {
        Rule { info, arguments: arguments.into() }
    }

    /// What is known about it.
    pub fn info(&self) -> &RuleInfo {
        &self.info
    }

    /// The same, to be kept.
    pub fn shared(&self) -> Rc<RuleInfo> {
        self.info.clone()
    }

    /// The values of its parameters.
    pub fn arguments(&self) -> &[u64] {
        &self.arguments
    }

    /// What traces say behind it: nothing, if it was tested.
    pub fn mark(&self) -> String {
        match self.info.state.get() {
            SoundnessState::Tested(_) => String::new(),
            _ => format!(" ({})", self.info.standing()),
        }
    }

    /// Why the rule fails within `exactly`, wherever it stands: it isn't exact.
    pub fn refusal_of_bits(&self) -> Option<Reason> {
        let why = FailureCause::ChangesBits;
        (self.info.exactness != Exactness::Exact)
            .then(|| Reason { rule: Some(self.to_string().into()), ..Reason::new(why) })
    }

    /// The same rule with one more condition, if it has laws and all of them have the variable that it speaks of.
    pub fn restricted(&self, by: &Restriction) -> Option<Rule> {
        let RuleBody::Laws(laws) = &self.info.body else { return None };
        let info = &self.info;
        let restricted = RuleInfo {
            name: info.name.clone(),
            group: info.group.clone(),
            params: info.params.clone(),
            laws: info.laws.clone(),
            conditions: info.conditions.iter().cloned().chain([by.to_string()]).collect(),
            doc: info.doc.clone(),
            exactness: info.exactness,
            origin: info.origin,
            unchecked: info.unchecked,
            state: info.state.clone(),
            footprint: LazyFootprint::default(),
            body: RuleBody::Laws(laws.restricted(by)?),
        };
        Some(Rule::new(Rc::new(restricted), &self.arguments))
    }

    /// Whether it is written as laws whose conditions, if any, ask only for the form of terms: not for places, sizes or numbers.
    pub fn asks_only_for_forms(&self) -> bool {
        let RuleBody::Laws(laws) = &self.info.body else { return false };
        laws.typed().is_ok_and(|laws| laws.iter().all(|law| law.asks_only_for_forms()))
    }

    /// The laws of a rule that is written as laws, with their conditions.
    pub(crate) fn compiled_laws(&self) -> impl Iterator<Item = &CompiledLaw> {
        let all = if let RuleBody::Laws(laws) = &self.info.body { laws.typed().ok() } else { None };
        all.into_iter().flatten().map(|law| &**law)
    }

    /// Tries the rule at the root of a term.
    pub fn apply(&self, focus: &Focus) -> Result<Term, Reason> {
        self.run(focus).map_err(|reason| Reason { rule: Some(self.to_string().into()), ..reason })
    }

    /// The same, the reason without the rule's name.
    fn run(&self, focus: &Focus) -> Result<Term, Reason> {
        match &self.info.body {
            RuleBody::Native(record) => (record.function)(focus, &self.arguments),
            RuleBody::Computed(function) => function.apply(focus, &self.arguments),
            RuleBody::Laws(laws) => laws.apply(focus, &self.arguments),
        }
    }

    /// What the rule inspects, whatever its arguments are.
    pub fn footprint(&self) -> &Footprint {
        self.info.footprint.0.get_or_init(|| match &self.info.body {
            RuleBody::Laws(laws) => laws.footprint(),
            RuleBody::Native(record) => record.inspects.footprint(),
            RuleBody::Computed(_) => ANYTHING.footprint(),
        })
    }

    /// Tries the rule at the root of a term, as [`Rule::apply`] does, without a word on why it fails.
    pub fn attempt(&self, focus: &Focus) -> Result<Term, Miss> {
        // Laws compare constructors themselves before all else, so that the footprint needn't be asked for them.
        let declared = match &self.info.body {
            RuleBody::Laws(laws) => return laws.attempt(focus, &self.arguments),
            RuleBody::Native(record) => &record.inspects,
            RuleBody::Computed(_) => &ANYTHING,
        };
        if !self.footprint().may_apply_to(focus.term) || !(declared.guard)(focus.term) {
            return Err(Miss::Near);
        }
        // A function doesn't say how deep it looked before it failed, so that it counts as having looked as deep as it may.
        self.run(focus).map_err(|reason| match reason.stopped() {
            Some(stop) => Miss::Stopped(stop.clone()),
            None => Miss::when(declared.deep != SearchDepth::Nowhere),
        })
    }

    /// Why the rule doesn't apply to the root of a term; none where it does, and makes another term.
    pub fn explain(&self, focus: &Focus) -> Result<Option<RuleExplanation>, StopReason> {
        let reason = match self.apply(focus) {
            Ok(contractum) if contractum != *focus.term => return Ok(None),
            // A rewrite to the same term is no step, so that the rule counts as not applying.
            Ok(_) => return Ok(Some(RuleExplanation::unchanged())),
            Err(reason) => reason,
        };
        if let Some(stop) = reason.stopped() {
            return Err(stop.clone());
        }
        let may_apply = match &self.info.body {
            RuleBody::Laws(laws) => return Ok(laws.explain(focus, &self.arguments)),
            RuleBody::Native(record) => {
                self.footprint().may_apply_to(focus.term) && (record.inspects.guard)(focus.term)
            }
            RuleBody::Computed(_) => true,
        };
        if let FailureCause::Within(words, within) = &reason.why
            && let Some(found) = Path(within.to_vec()).find(focus.term)
        {
            let mut path = way(focus.context);
            path.0.extend(within.iter());
            return Ok(Some(RuleExplanation::within(words, path, found)));
        }
        Ok(Some(RuleExplanation::words(reason.why.to_string(), may_apply)))
    }

    /// Where the rule is refused since a subterm isn't linear in what would be transposed: the way to that.
    pub fn not_linear(&self, focus: &Focus) -> Option<Vec<u32>> {
        let RuleBody::Native(record) = &self.info.body else { return None };
        match (record.function)(focus, &self.arguments).err()?.why {
            FailureCause::Within(NOT_LINEAR, way) => Some(way.to_vec()),
            _ => None,
        }
    }

    /// Its laws, if it is written as text.
    pub(super) fn laws(&self) -> Option<&[Rc<CompiledLaw>]> {
        match &self.info.body {
            RuleBody::Laws(laws) => Some(laws.sure()),
            RuleBody::Native(_) | RuleBody::Computed(_) => None,
        }
    }

    /// The law by which the rule rewrites this redex, as written; nothing where that is its name.
    pub fn law_for(&self, redex: &Term) -> String {
        if self.info.is_in_place() {
            return String::new();
        }
        let matching = match &self.info.body {
            RuleBody::Laws(laws) => laws.matching(redex),
            RuleBody::Native(_) | RuleBody::Computed(_) => None,
        };
        matching.map_or_else(|| self.info.laws.join(", "), str::to_owned)
    }
}

impl fmt::Display for Rule {
    /// As users write it: `getBuild`, `letSubstN(1)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&call(&self.info.name, &*self.arguments))
    }
}

impl Rule {
    /// It in backticks.
    pub fn quoted(&self) -> String {
        if self.info.is_in_place() { self.info.quoted() } else { format!("`{self}`") }
    }
}

impl fmt::Debug for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl PartialEq for Rule {
    /// The same definition with the same arguments, or the same law in place.
    fn eq(&self, other: &Rule) -> bool {
        let in_place = || self.info.is_in_place() && self.info.name == other.info.name;
        (Rc::ptr_eq(&self.info, &other.info) || in_place()) && self.arguments == other.arguments
    }
}

impl Eq for Rule {}
