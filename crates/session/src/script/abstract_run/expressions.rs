//! Evaluates expressions, as far as their parts are known without a run.

use rhai::{ASTFlags, ASTNode, Array, BinaryExpr, CustomExpr, Dynamic, Expr, Map, Position, Scope};

use super::super::meanings;
use super::super::models::ModelValue;
use super::super::read::ParsedDefinition;
use super::super::soundness;
use super::super::terms::TermValue;
use super::{AbstractValue, ScriptForesight};
use redexter_language::ground::code;
use redexter_rewriting::strategy::Strategy;

/// The script's arguments, which differ from run to run.
const ARGUMENTS: &str = "args";

impl ScriptForesight<'_> {
    pub(super) fn guess(&mut self, expression: &Expr) -> AbstractValue {
        match expression {
            Expr::Variable(variable, ..) if variable.2.is_empty() => self.variable(&variable.1),
            Expr::FnCall(call, at) => self.call(call, *at),
            Expr::Dot(..) | Expr::Index(..) => self.chain(expression),
            Expr::Array(items, _) => {
                let items: Vec<AbstractValue> = items.iter().map(|item| self.guess(item)).collect();
                let known: Option<Array> = items.into_iter().map(AbstractValue::known).collect();
                known.map_or(AbstractValue::Unknown, |all| AbstractValue::Known(Dynamic::from(all)))
            }
            Expr::Map(map, _) => {
                let fields = map.0.iter().map(|(key, value)| (key.name.as_str().into(), self.guess(value).known()));
                let known: Option<Map> = fields.collect::<Vec<_>>().into_iter().map(|(k, v)| Some((k, v?))).collect();
                known.map_or(AbstractValue::Unknown, |all| AbstractValue::Known(Dynamic::from(all)))
            }
            Expr::InterpolatedString(parts, _) => {
                parts.iter().for_each(|part| drop(self.guess(part)));
                AbstractValue::Unknown
            }
            Expr::And(parts, _) | Expr::Or(parts, _) | Expr::Coalesce(parts, _) => {
                self.perhaps(|inside| parts.iter().for_each(|part| drop(inside.guess(part))));
                AbstractValue::Unknown
            }
            Expr::Stmt(block) => {
                self.block(block.statements());
                AbstractValue::Unknown
            }
            Expr::Custom(custom, at) => self.custom(custom, *at),
            other => other.get_literal_value(None).map_or(AbstractValue::Unknown, AbstractValue::Known),
        }
    }

    /// A variable, or a name that stands for a strategy.
    fn variable(&self, name: &str) -> AbstractValue {
        if self.changed.contains(name) {
            return AbstractValue::Unknown;
        }
        if let Some((_, value)) = self.variables.iter().rev().find(|(known, _)| known == name) {
            return value.clone();
        }
        let value = if name == ARGUMENTS { None } else { meanings::value_of(self.world, name) };
        value.filter(|_| self.is_settled(name)).map_or(AbstractValue::Unknown, AbstractValue::Known)
    }

    /// `a.b`, `a.f(x)`, `a[k]`, and chains of these.
    fn chain(&mut self, expression: &Expr) -> AbstractValue {
        let Some((pair, flags, mut how)) = parts(expression) else { return AbstractValue::Unknown };
        let mut value = self.guess(&pair.lhs);
        let (mut rest, mut flags) = (&pair.rhs, flags);
        loop {
            let (link, next) = match parts(rest) {
                Some((pair, inner, next)) if !flags.contains(ASTFlags::BREAK) => {
                    (&pair.lhs, Some((&pair.rhs, inner, next)))
                }
                _ => (rest, None),
            };
            value = self.link(value, link, how);
            match next {
                Some(next) => (rest, flags, how) = next,
                None => return value,
            }
        }
    }

    fn link(&mut self, value: AbstractValue, link: &Expr, (dot, at): (bool, Position)) -> AbstractValue {
        let (link, is_known) = match link {
            Expr::MethodCall(call, place) if dot => {
                let arguments: Vec<AbstractValue> = call.args.iter().map(|a| self.guess(a)).collect();
                return self.method(value, call, *place, arguments);
            }
            Expr::Property(..) if dot => (link.clone(), true),
            other => match self.guess(other).known() {
                Some(index) => (constant(index, other.start_position()), true),
                None => (other.clone(), false),
            },
        };
        match value {
            AbstractValue::Known(value) if is_known && is_ours(&value) => {
                let pair = Box::new(BinaryExpr { lhs: constant(value, Position::NONE), rhs: link.clone() });
                let whole = match dot {
                    true => Expr::Dot(pair, ASTFlags::BREAK, at),
                    false => Expr::Index(pair, ASTFlags::BREAK, at),
                };
                self.evaluate(whole, &mut Scope::new())
            }
            _ => AbstractValue::Unknown,
        }
    }

    /// `strategy name(a, b) = expr`, as a number and a right side.
    fn custom(&mut self, custom: &CustomExpr, at: Position) -> AbstractValue {
        let [Expr::IntegerConstant(number, _), body] = &custom.inputs[..] else { return AbstractValue::Unknown };
        let Some(written) = self.world.written(*number) else { return AbstractValue::Unknown };
        let ParsedDefinition { name, params, .. } = &written.definition;
        let (outside, before) = (self.variables.len(), self.wrong.len());
        self.variables.extend(params.iter().map(|param| (param.clone(), AbstractValue::Unknown)));
        self.defining += 1;
        self.guess(body);
        self.defining -= 1;
        self.variables.truncate(outside);
        // One that can't end is a strategy all the same, of which more may be asked.
        if self.wrong[before..].iter().any(|finding| finding.code != code::NEVER_ENDS) {
            return AbstractValue::Unknown;
        }
        if !self.captures_known(body) {
            soundness::left_to_a_run(self.world, &written.definition);
            return AbstractValue::Unknown;
        }
        let mut scope = Scope::new();
        for (name, value) in &self.variables {
            if let (AbstractValue::Known(value), false) = (value, self.changed.contains(name)) {
                scope.push_dynamic(name.as_str(), value.clone());
            }
        }
        self.evaluate(Expr::Custom(Box::new(custom.clone()), at), &mut scope);
        // As in a run the definition takes the place of a variable of its name (`define::shadow`).
        if self.variables.iter().any(|(known, _)| known == name) {
            let value = meanings::value_of(self.world, name).map_or(AbstractValue::Unknown, AbstractValue::Known);
            self.variables.push((name.clone(), value));
        }
        AbstractValue::Unknown
    }

    /// Whether all variables that an expression mentions are known.
    fn captures_known(&self, body: &Expr) -> bool {
        let mut known = true;
        body.walk(&mut Vec::new(), &mut |path| {
            if let Some(ASTNode::Expr(Expr::Variable(variable, ..))) = path.last() {
                let found = self.variables.iter().rev().find(|(name, _)| *name == variable.1.as_str());
                let anything = self.changed.contains(variable.1.as_str()) || variable.1.as_str() == ARGUMENTS;
                known &= !anything && found.is_none_or(|(_, value)| matches!(value, AbstractValue::Known(_)));
                known &= !self.world.imports().is_open(&variable.1);
            }
            true
        });
        known
    }
}

impl AbstractValue {
    pub(super) fn known(self) -> Option<Dynamic> {
        match self {
            AbstractValue::Known(value) => Some(value),
            _ => None,
        }
    }
}

/// Values that nothing changes in place.
fn is_ours(value: &Dynamic) -> bool {
    value.is::<ModelValue>() || value.is::<TermValue>() || value.is::<Strategy>()
}

/// Both sides of a link, whether it ends the chain, whether it is a dot, and where it stands.
fn parts(expression: &Expr) -> Option<(&BinaryExpr, ASTFlags, (bool, Position))> {
    match expression {
        Expr::Dot(pair, flags, at) => Some((pair, *flags, (true, *at))),
        Expr::Index(pair, flags, at) => Some((pair, *flags, (false, *at))),
        _ => None,
    }
}

pub(super) fn constant(value: Dynamic, at: Position) -> Expr {
    Expr::DynamicConstant(Box::new(value), at)
}
