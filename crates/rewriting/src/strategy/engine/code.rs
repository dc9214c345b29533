//! Compiles strategies to an `OpGraph` of operations, in which definitions and fixed points are edges back.
//!
//! An operation is compiled when it is first run or looked at, since a definition that uses itself with ever new arguments has
//! no finite graph.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::rule::Pattern;
use redexter_language::term::Slot;

use super::super::data::{NamedUse, Strategy, StrategyDefinition, StrategyForm, StrategyNode};
use super::super::unary::Unary;
use super::choices::{RuleAlternatives, choices};
use super::names::Unfolding;

/// The number of an operation.
pub(super) type OpId = u32;

/// An operation; [`StrategyForm`] has the meanings. What doesn't fit into a few words stands in a table of [`OpGraph`].
#[derive(Clone, Copy)]
pub(super) enum StrategyOp {
    /// Not compiled yet: a row of `later`.
    Later(usize),
    Succeed,
    Fail,
    /// A pattern: a row of `patterns`.
    Match(usize),
    /// Rules, tried in order: a row of `choices`.
    Rules(usize),
    /// Rules, a row of `choices`, on the term or else the same on one of its children; the other way round where false.
    Search(usize, bool),
    Seq(OpId, OpId),
    Choice(OpId, OpId),
    /// What a bound name stands for.
    Call(OpId),
    One(OpId),
    All(OpId),
    Some(OpId),
    /// What is repeated, and the whole where loops are looked for: a row of `wholes`.
    Repeat(OpId, Option<usize>),
    /// `where`, or `not` where false.
    Test(bool, OpId),
    Child(Slot, OpId),
    /// A row of `paths`.
    At(usize, OpId),
    Times(u64, OpId),
    /// A row of `patterns`, and one of `wholes`.
    Until(usize, usize, OpId),
    Cheaper(OpId),
    /// The one with which the other is compared, under `cheaper`; the other.
    Cheapest(OpId, OpId),
    Force(OpId),
    /// A use of a definition, a row of `unfoldings`: its body under its name.
    Unfold(usize, OpId),
}

/// A strategy that is yet to be compiled, with what its variables stand for, innermost first, and whether rules that change bits
/// fail in it.
type PendingStrategy = (Strategy, Vec<OpId>, bool);

/// Compiled strategies. Parts and definitions are known by address, so that `later` and `unfoldings` hold each as long as the
/// graph is there: otherwise another one could come to stand at its address.
#[derive(Default)]
pub(super) struct OpGraph {
    ops: Vec<StrategyOp>,
    later: Vec<PendingStrategy>,
    /// What was compiled to an operation: a row of `later`.
    sources: FxHashMap<OpId, usize>,
    /// The operations of strategies, by their addresses, what their variables stand for, and whether rules that change bits fail.
    known: FxHashMap<(*const StrategyNode, Vec<OpId>, bool), OpId>,
    /// Definitions with what their parameters stand for, and their bodies, likewise.
    bodies: FxHashMap<(*const StrategyDefinition, Vec<OpId>, bool), OpId>,
    /// Whether rules that change bits fail in what is compiled now: it stands within `exactly`.
    pub(super) exact: bool,
    pub(super) choices: Vec<Rc<RuleAlternatives>>,
    pub(super) wholes: Vec<Strategy>,
    pub(super) paths: Vec<Rc<str>>,
    pub(super) patterns: Vec<Pattern>,
    pub(super) unfoldings: Vec<Unfolding>,
}

impl OpGraph {
    /// The operation for a strategy whose variables stand for these, innermost first.
    pub(super) fn id(&mut self, s: &Strategy, env: &[OpId]) -> OpId {
        // Cut to what the strategy reaches for, so that a closed one is compiled once, whatever is bound around it.
        let env = &env[..env.len().min(s.0.reach as usize)];
        let key = (Rc::as_ptr(&s.0), env.to_vec(), self.exact);
        if let Some(id) = self.known.get(&key) {
            return *id;
        }
        let row = push(&mut self.later, (s.clone(), env.to_vec(), self.exact));
        let id = self.done(StrategyOp::Later(row));
        self.sources.insert(id, row);
        self.known.insert(key, id);
        id
    }

    /// The strategy that an operation was compiled from, and what its variables stand for.
    pub(super) fn source(&self, id: OpId) -> Option<(Strategy, Vec<OpId>)> {
        self.sources.get(&id).map(|row| (self.later[*row].0.clone(), self.later[*row].1.clone()))
    }

    /// What a variable stands for, where rules that change bits fail as they do now.
    fn here(&mut self, id: OpId) -> OpId {
        match self.sources.get(&id) {
            Some(row) if self.later[*row].2 != self.exact => {
                let (s, env, _) = self.later[*row].clone();
                self.id(&s, &env)
            }
            _ => id,
        }
    }

    /// Compiles as it is to be within `exactly`, or within `inReals` where false.
    pub(super) fn exactly<T>(&mut self, exact: bool, compile: impl FnOnce(&mut OpGraph) -> T) -> T {
        let before = std::mem::replace(&mut self.exact, exact);
        let done = compile(self);
        self.exact = before;
        done
    }

    /// What an operation does.
    #[inline]
    pub(super) fn op(&mut self, id: OpId) -> StrategyOp {
        match self.ops[id as usize] {
            StrategyOp::Later(row) => self.now(id, row),
            op => op,
        }
    }

    fn now(&mut self, id: OpId, row: usize) -> StrategyOp {
        // Cloned, because compiling adds rows to the same table.
        let (s, env, exact) = self.later[row].clone();
        let op = self.exactly(exact, |code| code.compile(id, &s, &env));
        self.ops[id as usize] = op;
        op
    }

    fn done(&mut self, op: StrategyOp) -> OpId {
        push(&mut self.ops, op) as OpId
    }

    fn compile(&mut self, own: OpId, s: &Strategy, env: &[OpId]) -> StrategyOp {
        match s.form() {
            StrategyForm::Id => StrategyOp::Succeed,
            StrategyForm::Fail | StrategyForm::Free(_) => StrategyOp::Fail,
            StrategyForm::Rule(_) | StrategyForm::Choice(..) => self.choice(s, env),
            StrategyForm::Match(pattern) => StrategyOp::Match(push(&mut self.patterns, pattern.clone())),
            StrategyForm::Seq(a, b) => StrategyOp::Seq(self.id(a, env), self.id(b, env)),
            StrategyForm::Cheapest(a, b) => {
                let (a, b) = (self.id(a, env), self.id(b, env));
                StrategyOp::Cheapest(self.done(StrategyOp::Cheaper(a)), b)
            }
            StrategyForm::Mu(_, body) => match self.by_hand(body, env) {
                Some(op) => op,
                None => {
                    // The variable stands for the operation itself, so that the fixed point becomes an edge back.
                    let inner: Vec<OpId> = [own].iter().chain(env).copied().collect();
                    let body = self.id(body, &inner);
                    let op = self.op(body);
                    self.traversal(own, op)
                }
            },
            StrategyForm::Var(i) => {
                env.get(*i as usize).map_or(StrategyOp::Fail, |id| StrategyOp::Call(self.here(*id)))
            }
            StrategyForm::Unary(unary @ (Unary::Exactly | Unary::InReals), inner) => {
                let inner = self.exactly(*unary == Unary::Exactly, |code| code.id(inner, env));
                // The operation itself, because a call would count as an unfolding.
                self.op(inner)
            }
            StrategyForm::Unary(unary, inner) => {
                let inner = self.id(inner, env);
                self.unary(own, *unary, inner, s)
            }
            StrategyForm::Child(slot, inner) => StrategyOp::Child(*slot, self.id(inner, env)),
            StrategyForm::At(path, inner) => StrategyOp::At(push(&mut self.paths, path.clone()), self.id(inner, env)),
            StrategyForm::AtMatch(pattern, inner) => {
                let here = self.id(&Strategy::pattern(pattern).then(inner), env);
                self.unary(own, Unary::TopDown, here, s)
            }
            StrategyForm::RepeatN(n, inner) => StrategyOp::Times(*n, self.id(inner, env)),
            StrategyForm::RepeatUntil(pattern, inner) => {
                let (pattern, whole) = (push(&mut self.patterns, pattern.clone()), push(&mut self.wholes, s.clone()));
                StrategyOp::Until(pattern, whole, self.id(inner, env))
            }
            StrategyForm::Named(named) => match choices(s, self.exact).as_mut_slice() {
                // Nothing but rules: they become one operation, so that a node is looked at once for all of them.
                [Ok(_)] => self.choice(s, env),
                _ => self.named(named, env),
            },
        }
    }

    fn unary(&mut self, own: OpId, unary: Unary, s: OpId, whole: &Strategy) -> StrategyOp {
        match unary {
            Unary::One => StrategyOp::One(s),
            Unary::All => StrategyOp::All(s),
            Unary::Some => StrategyOp::Some(s),
            Unary::Repeat => StrategyOp::Repeat(s, Some(push(&mut self.wholes, whole.clone()))),
            Unary::Try => StrategyOp::Choice(s, self.done(StrategyOp::Succeed)),
            Unary::Not | Unary::Where => StrategyOp::Test(unary == Unary::Where, s),
            Unary::Repeat1 => {
                let StrategyForm::Unary(_, inner) = whole.form() else { return StrategyOp::Fail };
                // The whole is the `repeat` of its definition, since that is what would go round.
                let again = push(&mut self.wholes, inner.under(Unary::Repeat));
                StrategyOp::Seq(s, self.done(StrategyOp::Repeat(s, Some(again))))
            }
            Unary::TopDown | Unary::BottomUp => {
                let below = self.done(StrategyOp::One(own));
                let (a, b) = if unary == Unary::TopDown { (s, below) } else { (below, s) };
                self.traversal(own, StrategyOp::Choice(a, b))
            }
            Unary::AllTopDown => StrategyOp::Seq(s, self.done(StrategyOp::All(own))),
            Unary::AllBottomUp => StrategyOp::Seq(self.done(StrategyOp::All(own)), s),
            Unary::TryAll => {
                let stay = self.done(StrategyOp::Succeed);
                let here = self.done(StrategyOp::Choice(s, stay));
                StrategyOp::Seq(here, self.done(StrategyOp::All(own)))
            }
            Unary::Normalize | Unary::Outermost | Unary::Innermost => {
                // A number for now, because the traversal refers to itself; what it does is put there below.
                let once = self.done(StrategyOp::Fail);
                let traversal = if unary == Unary::Innermost { Unary::BottomUp } else { Unary::TopDown };
                let op = self.unary(once, traversal, s, whole);
                self.ops[once as usize] = op;
                StrategyOp::Repeat(once, Some(push(&mut self.wholes, whole.clone())))
            }
            Unary::Cheaper => StrategyOp::Cheaper(s),
            Unary::Force => StrategyOp::Force(s),
            Unary::Exactly | Unary::InReals => StrategyOp::Call(s),
        }
    }

    /// `mu(|x| (s ; x) <+ id)`, which is `repeat(s)` but for the look-out for loops.
    fn by_hand(&mut self, body: &Strategy, env: &[OpId]) -> Option<StrategyOp> {
        let again = match body.form() {
            StrategyForm::Choice(again, stay) if matches!(stay.form(), StrategyForm::Id) => again,
            StrategyForm::Unary(Unary::Try, again) => again,
            _ => return None,
        };
        let StrategyForm::Seq(s, x) = again.form() else { return None };
        // It repeats only where x comes last and nowhere within s: there it would be a recursion that no loop stands for.
        if !matches!(x.form(), StrategyForm::Var(0)) || s.mentions(0) {
            return None;
        }
        // Nothing in s is bound to x, so that any operation may stand for it.
        let inner: Vec<OpId> = [0].iter().chain(env).copied().collect();
        // No whole, since `mu` looks out for no loops by its definition.
        Some(StrategyOp::Repeat(self.id(s, &inner), None))
    }

    /// An operation of its own for rules on a term or this on one of its children, in either order.
    fn traversal(&mut self, own: OpId, op: StrategyOp) -> StrategyOp {
        let StrategyOp::Choice(a, b) = op else { return op };
        let (rules, below, outermost) = match (self.surface(a), self.surface(b)) {
            (StrategyOp::Rules(row), StrategyOp::One(s)) => (row, s, true),
            (StrategyOp::One(s), StrategyOp::Rules(row)) => (row, s, false),
            _ => return op,
        };
        // Users write it with a bound name, `mu(|x| rules <+ one(x))`, so that the edge back may lead through a call.
        let again = below == own || matches!(self.surface(below), StrategyOp::Call(s) if s == own);
        if again { StrategyOp::Search(rules, outermost) } else { op }
    }

    /// What an operation does, if compiling it goes no deeper.
    fn surface(&mut self, id: OpId) -> StrategyOp {
        let op = self.ops[id as usize];
        let StrategyOp::Later(row) = op else { return op };
        match self.later[row].0.form() {
            StrategyForm::Rule(_)
            | StrategyForm::Choice(..)
            | StrategyForm::Named(_)
            | StrategyForm::Var(_)
            | StrategyForm::Unary(Unary::One, _) => self.op(id),
            _ => op,
        }
    }

    /// A choice: neighbours that are rules become one operation.
    fn choice(&mut self, s: &Strategy, env: &[OpId]) -> StrategyOp {
        let mut ops: Vec<StrategyOp> = Vec::new();
        for part in choices(s, self.exact) {
            ops.push(match part {
                Ok(rules) => StrategyOp::Rules(push(&mut self.choices, Rc::new(rules))),
                Err(other) => StrategyOp::Call(self.id(&other, env)),
            });
        }
        let bare = |code: &mut OpGraph, op: StrategyOp| match op {
            // The operation itself, because a call would count an unfolding that the choice as written doesn't have.
            StrategyOp::Call(id) => id,
            rules => code.done(rules),
        };
        let Some(last) = ops.pop() else { return StrategyOp::Fail };
        let whole = ops.into_iter().rfold(last, |rest, first| {
            let (first, rest) = (bare(self, first), bare(self, rest));
            StrategyOp::Choice(first, rest)
        });
        match whole {
            StrategyOp::Call(id) => self.op(id),
            op => op,
        }
    }

    fn named(&mut self, named: &NamedUse, env: &[OpId]) -> StrategyOp {
        let Some((body, inner)) = self.body(named, env) else { return StrategyOp::Fail };
        let scope = push(&mut self.unfoldings, Unfolding::new(named));
        let key = (Rc::as_ptr(&named.definition), inner.clone(), self.exact);
        let id = match self.bodies.get(&key) {
            Some(id) => *id,
            None => {
                let id = self.id(&body, &inner);
                self.bodies.insert(key, id);
                id
            }
        };
        StrategyOp::Unfold(scope, id)
    }

    /// The body of a definition, and what its parameters stand for.
    pub(super) fn body(&mut self, named: &NamedUse, env: &[OpId]) -> Option<(Strategy, Vec<OpId>)> {
        let body = named.definition.body()?;
        let mut inner: Vec<OpId> = named.strategies().map(|s| self.bound(s, env)).collect();
        // Variable 0 is what the innermost binder binds: the last parameter.
        inner.reverse();
        Some((body.clone(), inner))
    }

    /// What an argument stands for; of a variable, what that does, so that a definition that hands a parameter on to itself gets
    /// the same operation again. Otherwise each use would add a call, and the graph would have no end.
    fn bound(&mut self, s: &Strategy, env: &[OpId]) -> OpId {
        match s.form() {
            StrategyForm::Var(i) if (*i as usize) < env.len() => self.here(env[*i as usize]),
            _ => self.id(s, env),
        }
    }
}

fn push<T>(table: &mut Vec<T>, row: T) -> usize {
    table.push(row);
    table.len() - 1
}
