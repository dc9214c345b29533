//! Evaluates calls of functions, operators and methods, as far as their arguments are known.

use rhai::{ASTFlags, BinaryExpr, Dynamic, Expr, FnCallExpr, Position, Scope};

use super::super::Builtin;
use super::super::meanings;
use super::super::read::{CHOICE, LAWS, ParsedDefinition, SEQUENCE, THEN, TRY};
use super::super::terms::TermValue;
use super::super::world::UnappliedStrategy;
use super::expressions::constant;
use super::{AbstractValue, ScriptForesight};
use redexter_language::ground::text::begins_name;
use redexter_language::ground::{Diagnostic, code};
use redexter_rewriting::strategy::{Strategy, Unary, check_ends, repetition};

/// Functions without effects whose arguments decide what they give.
const PURE_FUNCTIONS: &[&str] = &["load", "term"];

/// Operators that say which of two is less.
const ORDERS: [&str; 4] = ["<", "<=", ">", ">="];

/// Methods of terms that check their arguments before they work.
const CHECKED_METHODS: &[&str] = &["apply", "try_apply", "trace"];

impl ScriptForesight<'_> {
    /// A call of a function or an operator.
    pub(super) fn call(&mut self, call: &FnCallExpr, at: Position) -> AbstractValue {
        let name = if call.name == TRY { "try" } else { call.name.as_str() };
        let forces = Builtin::named(name) == Some(Builtin::Unary(Unary::Force));
        let before = self.wrong.len();
        self.forced += u32::from(forces);
        let arguments: Vec<AbstractValue> = call.args.iter().map(|a| self.guess(a)).collect();
        self.forced -= u32::from(forces);
        if !call.namespace.is_empty() || self.wrong.len() > before {
            return AbstractValue::Unknown;
        }
        self.warn_of_letters(call, &arguments, at);
        let known: Option<Vec<Dynamic>> = arguments.iter().cloned().map(AbstractValue::known).collect();
        let value = match known {
            Some(values) if self.is_evaluated(call) => self.evaluate(filled(call, values, at), &mut Scope::new()),
            None if self.is_strategic(call) => self.with_open_parts(call, name, &arguments, at),
            _ => AbstractValue::Unknown,
        };
        self.check_end(&value, name, at);
        value
    }

    /// Warns of texts that are compared by their letters: of numbers and formulas that says nothing.
    fn warn_of_letters(&self, call: &FnCallExpr, arguments: &[AbstractValue], at: Position) {
        let is_text = |(argument, value): (&Expr, &AbstractValue)| {
            let is_known = matches!(value, AbstractValue::Known(known) if known.is_string());
            is_known || matches!(argument, Expr::InterpolatedString(..))
        };
        if ORDERS.contains(&call.name.as_str()) && call.args.iter().zip(arguments).all(is_text) {
            let finding = Diagnostic::warning(code::SCRIPT, format!("`{}` compares texts by their letters", call.name))
                .help("\"12\" is less than \"2\" so; numbers and amounts such as `t.work` compare as what they are");
            self.world.warn(&self.world.placed(finding, self.source, at, "both are texts"));
        }
    }

    /// Whether a call with known arguments is evaluated.
    fn is_evaluated(&self, call: &FnCallExpr) -> bool {
        let name = call.name.as_str();
        let scripted = self.scripted.contains(&(name.to_owned(), call.args.len()));
        let rule = name == LAWS && call.args.len() <= 2;
        !begins_name(name) || scripted || rule || PURE_FUNCTIONS.contains(&name) || self.is_strategic(call)
    }

    fn is_strategic(&self, call: &FnCallExpr) -> bool {
        let name = if call.name == TRY { "try" } else { call.name.as_str() };
        let known = [CHOICE, SEQUENCE, THEN].contains(&name) || meanings::usage(self.world, name).is_some();
        known && !self.scripted.contains(&(name.to_owned(), call.args.len())) && self.is_settled(name)
    }

    /// Whether the meaning of a name is known by now: it is neither left open by an import nor defined only further below.
    pub(super) fn is_settled(&self, name: &str) -> bool {
        if self.world.imports().is_open(name) {
            return false;
        }
        let later = self.defined.iter().any(|defined| defined.name == name);
        !later || self.world.definitions().contains_key(name) || self.world.rule_names().contains(name)
    }

    /// A call with arguments that may be anything: what is wrong with the others is wrong whatever these are.
    fn with_open_parts(
        &mut self,
        call: &FnCallExpr,
        name: &str,
        arguments: &[AbstractValue],
        at: Position,
    ) -> AbstractValue {
        // `(print(x); 3)` drops what isn't there.
        let drops = name == THEN && matches!(arguments.first(), Some(AbstractValue::Unknown));
        let builtin = Builtin::named(name).filter(|_| !self.world.definitions().contains_key(name));
        let operator = [CHOICE, SEQUENCE, THEN].contains(&name);
        let right_number = operator || self.arities(name).contains(&arguments.len());
        if drops || (right_number && !operator && builtin.is_none()) || builtin == Some(Builtin::Mu) {
            return AbstractValue::Unknown;
        }
        let number =
            |k: usize| k == 0 && matches!(builtin, Some(Builtin::Operand | Builtin::Element | Builtin::RepeatN));
        let text = |k: usize| k == 0 && matches!(builtin, Some(Builtin::At | Builtin::RepeatUntil));
        let mut values = Vec::new();
        for (k, argument) in arguments.iter().enumerate() {
            values.push(match argument {
                AbstractValue::Known(value) | AbstractValue::Like(value) => value.clone(),
                AbstractValue::Unknown if number(k) => Dynamic::from(1_i64),
                AbstractValue::Unknown if text(k) => return AbstractValue::Unknown,
                AbstractValue::Unknown => Dynamic::from(Strategy::free(self.world.meter.serial())),
            });
        }
        match self.evaluate(filled(call, values, at), &mut Scope::new()) {
            AbstractValue::Known(value) => AbstractValue::Like(value),
            other => other,
        }
    }

    /// The numbers of arguments that a name takes.
    fn arities(&self, name: &str) -> Vec<usize> {
        let defined = self.world.definitions().get(name).map(|d| d.arity());
        let rule = self.world.rule_names().params(name);
        let later = self.defined.iter().filter(|other| other.name == name).map(ParsedDefinition::arity);
        let imports = self.world.imports();
        let imported = imports.named(name).into_iter().flat_map(|imported| imported.arities());
        let builtin = Builtin::named(name).map(Builtin::arity);
        defined.into_iter().chain(imported).chain(rule).chain(builtin).chain(later).collect()
    }

    /// A strategy that is defined must be able to end.
    fn check_end(&mut self, value: &AbstractValue, name: &str, at: Position) {
        let (AbstractValue::Known(value) | AbstractValue::Like(value)) = value else { return };
        if self.defining == 0 || self.forced > 0 {
            return;
        }
        let Some(strategy) = value.read_lock::<Strategy>() else { return };
        let Err(finding) = check_ends(&strategy) else {
            if repeats(name) {
                for finding in repetition(&strategy) {
                    self.world.warn(&self.world.placed(finding, self.source, at, "here"));
                }
            }
            return;
        };
        // Around it, it is the same finding.
        if self.wrong.iter().any(|d| d.headline == finding.headline) && !repeats(name) {
            return;
        }
        self.tell(self.world.placed(finding, self.source, at, "here"));
    }

    /// A method of a term: its arguments are checked where all are known, and `apply` gives a term like the one that it has.
    pub(super) fn method(
        &mut self,
        value: AbstractValue,
        call: &FnCallExpr,
        at: Position,
        arguments: Vec<AbstractValue>,
    ) -> AbstractValue {
        let (AbstractValue::Known(subject) | AbstractValue::Like(subject)) = value else {
            return AbstractValue::Unknown;
        };
        let known: Option<Vec<Dynamic>> = arguments.into_iter().map(AbstractValue::known).collect();
        // Strategies, texts and lists have no such methods.
        let checked = subject.is::<TermValue>()
            || subject.is::<Strategy>()
            || subject.is::<UnappliedStrategy>()
            || subject.is_string()
            || subject.is_array();
        let (Some(values), true) = (known, checked && CHECKED_METHODS.contains(&call.name.as_str())) else {
            return AbstractValue::Unknown;
        };
        let before = self.wrong.len();
        let arguments = values.into_iter().map(|value| constant(value, at)).collect();
        let method = Expr::MethodCall(Box::new(FnCallExpr { args: arguments, ..call.clone() }), at);
        let pair = Box::new(BinaryExpr { lhs: constant(subject.clone(), at), rhs: method });
        self.evaluate(Expr::Dot(pair, ASTFlags::BREAK, at), &mut Scope::new());
        match call.name.as_str() {
            "apply" if self.wrong.len() == before => AbstractValue::Like(subject),
            _ => AbstractValue::Unknown,
        }
    }
}

fn repeats(name: &str) -> bool {
    matches!(Builtin::named(name), Some(Builtin::Unary(unary)) if unary.repeats())
}

/// The call with these arguments.
fn filled(call: &FnCallExpr, values: Vec<Dynamic>, at: Position) -> Expr {
    let positions: Vec<Position> = call.args.iter().map(Expr::start_position).collect();
    let arguments = values.into_iter().zip(positions).map(|(value, at)| constant(value, at)).collect();
    Expr::FnCall(Box::new(FnCallExpr { args: arguments, ..call.clone() }), at)
}
