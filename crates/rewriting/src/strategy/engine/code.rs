//! Compiles strategies to a `Graph` of operations, in which definitions and fixed points are edges back.
//!
//! An operation is compiled when it is run first, since a definition that uses itself with ever new arguments has no
//! finite graph.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::rule::Pattern;
use redexter_language::term::Slot;

use super::super::data::{Form, Node, Strategy, Unary};
use super::super::scope::{Definition, Named};
use super::choices::{Choices, choices};

/// The number of an operation.
pub(super) type Id = u32;

/// An operation; [`Form`] has the meanings. What doesn't fit into a few words stands in a table of [`Graph`].
#[derive(Clone, Copy)]
pub(super) enum Op {
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
    Seq(Id, Id),
    Choice(Id, Id),
    /// What a bound name stands for.
    Call(Id),
    One(Id),
    All(Id),
    Some(Id),
    /// What is repeated, and the whole where loops are looked for: a row of `wholes`.
    Repeat(Id, Option<usize>),
    /// `where`, or `not` where false.
    Test(bool, Id),
    Child(Slot, Id),
    /// A row of `paths`.
    At(usize, Id),
    Times(u64, Id),
    /// A row of `patterns`, and one of `wholes`.
    Until(usize, usize, Id),
    Cheaper(Id),
    Force(Id),
    /// A use of a definition, a row of `unfoldings`: its body under its name.
    Unfold(usize, Id),
}

/// A use of a definition, as traces name it.
#[derive(Clone)]
pub(super) struct Unfolding {
    pub(super) definition: Rc<Definition>,
    pub(super) name: Rc<str>,
}

impl Unfolding {
    pub(super) fn new(named: &Named) -> Unfolding {
        let name = Strategy::new(Form::Named(named.clone())).to_string().into();
        Unfolding { definition: named.definition.clone(), name }
    }
}

/// A strategy that is yet to be compiled, with what its variables stand for, innermost first.
type Later = (Strategy, Vec<Id>);

/// Compiled strategies. Parts and definitions are known by address, so that `later` and `unfoldings` hold each as long as the
/// graph is there: otherwise another one could come to stand at its address.
#[derive(Default)]
pub(super) struct Graph {
    ops: Vec<Op>,
    later: Vec<Later>,
    /// What was compiled to an operation: a row of `later`.
    sources: FxHashMap<Id, usize>,
    /// The operations of strategies, by their addresses and what their variables stand for.
    known: FxHashMap<(*const Node, Vec<Id>), Id>,
    /// Definitions with what their parameters stand for, and their bodies.
    bodies: FxHashMap<(*const Definition, Vec<Id>), Id>,
    pub(super) choices: Vec<Rc<Choices>>,
    pub(super) wholes: Vec<Strategy>,
    pub(super) paths: Vec<Rc<str>>,
    pub(super) patterns: Vec<Pattern>,
    pub(super) unfoldings: Vec<Unfolding>,
}

impl Graph {
    /// The operation for a strategy whose variables stand for these, innermost first.
    pub(super) fn id(&mut self, s: &Strategy, env: &[Id]) -> Id {
        // Cut to what the strategy reaches for, so that a closed one is compiled once, whatever is bound around it.
        let env = &env[..env.len().min(s.0.reach as usize)];
        let key = (Rc::as_ptr(&s.0), env.to_vec());
        if let Some(id) = self.known.get(&key) {
            return *id;
        }
        let row = push(&mut self.later, (s.clone(), env.to_vec()));
        let id = self.done(Op::Later(row));
        self.sources.insert(id, row);
        self.known.insert(key, id);
        id
    }

    /// The strategy that an operation was compiled from, and what its variables stand for.
    pub(super) fn source(&self, id: Id) -> Option<(Strategy, Vec<Id>)> {
        self.sources.get(&id).map(|row| self.later[*row].clone())
    }

    /// What an operation does.
    #[inline]
    pub(super) fn op(&mut self, id: Id) -> Op {
        match self.ops[id as usize] {
            Op::Later(row) => self.now(id, row),
            op => op,
        }
    }

    fn now(&mut self, id: Id, row: usize) -> Op {
        // Cloned, because compiling adds rows to the same table.
        let (s, env) = self.later[row].clone();
        let op = self.compile(id, &s, &env);
        self.ops[id as usize] = op;
        op
    }

    fn done(&mut self, op: Op) -> Id {
        push(&mut self.ops, op) as Id
    }

    fn compile(&mut self, own: Id, s: &Strategy, env: &[Id]) -> Op {
        match s.form() {
            Form::Id => Op::Succeed,
            Form::Fail | Form::Free(_) => Op::Fail,
            Form::Rule(_) | Form::Choice(..) => self.choice(s, env),
            Form::Match(pattern) => Op::Match(push(&mut self.patterns, pattern.clone())),
            Form::Seq(a, b) => Op::Seq(self.id(a, env), self.id(b, env)),
            Form::Mu(_, body) => match self.by_hand(body, env) {
                Some(op) => op,
                None => {
                    // The variable stands for the operation itself, so that the fixed point becomes an edge back.
                    let inner: Vec<Id> = [own].iter().chain(env).copied().collect();
                    let body = self.id(body, &inner);
                    let op = self.op(body);
                    self.traversal(own, op)
                }
            },
            Form::Var(i) => env.get(*i as usize).map_or(Op::Fail, |id| Op::Call(*id)),
            Form::Unary(unary, inner) => {
                let inner = self.id(inner, env);
                self.unary(own, *unary, inner, s)
            }
            Form::Child(slot, inner) => Op::Child(*slot, self.id(inner, env)),
            Form::At(path, inner) => Op::At(push(&mut self.paths, path.clone()), self.id(inner, env)),
            Form::AtMatch(pattern, inner) => {
                let here = self.id(&Strategy::pattern(pattern).then(inner), env);
                self.unary(own, Unary::TopDown, here, s)
            }
            Form::RepeatN(n, inner) => Op::Times(*n, self.id(inner, env)),
            Form::RepeatUntil(pattern, inner) => {
                let (pattern, whole) = (push(&mut self.patterns, pattern.clone()), push(&mut self.wholes, s.clone()));
                Op::Until(pattern, whole, self.id(inner, env))
            }
            Form::Named(named) => match choices(s).as_mut_slice() {
                // Nothing but rules: they become one operation, so that a node is looked at once for all of them.
                [Ok(_)] => self.choice(s, env),
                _ => self.named(named, env),
            },
        }
    }

    fn unary(&mut self, own: Id, unary: Unary, s: Id, whole: &Strategy) -> Op {
        match unary {
            Unary::One => Op::One(s),
            Unary::All => Op::All(s),
            Unary::Some => Op::Some(s),
            Unary::Repeat => Op::Repeat(s, Some(push(&mut self.wholes, whole.clone()))),
            Unary::Try => Op::Choice(s, self.done(Op::Succeed)),
            Unary::Not | Unary::Where => Op::Test(unary == Unary::Where, s),
            Unary::Repeat1 => {
                let Form::Unary(_, inner) = whole.form() else { return Op::Fail };
                // The whole is the `repeat` of its definition, since that is what would go round.
                let again = push(&mut self.wholes, inner.under(Unary::Repeat));
                Op::Seq(s, self.done(Op::Repeat(s, Some(again))))
            }
            Unary::TopDown | Unary::BottomUp => {
                let below = self.done(Op::One(own));
                let (a, b) = if unary == Unary::TopDown { (s, below) } else { (below, s) };
                self.traversal(own, Op::Choice(a, b))
            }
            Unary::AllTopDown => Op::Seq(s, self.done(Op::All(own))),
            Unary::AllBottomUp => Op::Seq(self.done(Op::All(own)), s),
            Unary::TryAll => {
                let stay = self.done(Op::Succeed);
                let here = self.done(Op::Choice(s, stay));
                Op::Seq(here, self.done(Op::All(own)))
            }
            Unary::Normalize | Unary::Outermost | Unary::Innermost => {
                // A number for now, because the traversal refers to itself; what it does is put there below.
                let once = self.done(Op::Fail);
                let traversal = if unary == Unary::Innermost { Unary::BottomUp } else { Unary::TopDown };
                let op = self.unary(once, traversal, s, whole);
                self.ops[once as usize] = op;
                Op::Repeat(once, Some(push(&mut self.wholes, whole.clone())))
            }
            Unary::Cheaper => Op::Cheaper(s),
            Unary::Force => Op::Force(s),
        }
    }

    /// `mu(|x| (s ; x) <+ id)`, which is `repeat(s)` but for the look-out for loops.
    fn by_hand(&mut self, body: &Strategy, env: &[Id]) -> Option<Op> {
        let again = match body.form() {
            Form::Choice(again, stay) if matches!(stay.form(), Form::Id) => again,
            Form::Unary(Unary::Try, again) => again,
            _ => return None,
        };
        let Form::Seq(s, x) = again.form() else { return None };
        // It repeats only where x comes last and nowhere within s: there it would be a recursion that no loop stands for.
        if !matches!(x.form(), Form::Var(0)) || s.mentions(0) {
            return None;
        }
        // Nothing in s is bound to x, so that any operation may stand for it.
        let inner: Vec<Id> = [0].iter().chain(env).copied().collect();
        // No whole, since `mu` looks out for no loops by its definition.
        Some(Op::Repeat(self.id(s, &inner), None))
    }

    /// An operation of its own for rules on a term or this on one of its children, in either order.
    fn traversal(&mut self, own: Id, op: Op) -> Op {
        let Op::Choice(a, b) = op else { return op };
        let (rules, below, outermost) = match (self.surface(a), self.surface(b)) {
            (Op::Rules(row), Op::One(s)) => (row, s, true),
            (Op::One(s), Op::Rules(row)) => (row, s, false),
            _ => return op,
        };
        // Users write it with a bound name, `mu(|x| rules <+ one(x))`, so that the edge back may lead through a call.
        let again = below == own || matches!(self.surface(below), Op::Call(s) if s == own);
        if again { Op::Search(rules, outermost) } else { op }
    }

    /// What an operation does, if compiling it goes no deeper.
    fn surface(&mut self, id: Id) -> Op {
        let op = self.ops[id as usize];
        let Op::Later(row) = op else { return op };
        match self.later[row].0.form() {
            Form::Rule(_) | Form::Choice(..) | Form::Named(_) | Form::Var(_) | Form::Unary(Unary::One, _) => {
                self.op(id)
            }
            _ => op,
        }
    }

    /// A choice: neighbours that are rules become one operation.
    fn choice(&mut self, s: &Strategy, env: &[Id]) -> Op {
        let mut ops: Vec<Op> = Vec::new();
        for part in choices(s) {
            ops.push(match part {
                Ok(rules) => Op::Rules(push(&mut self.choices, Rc::new(rules))),
                Err(other) => Op::Call(self.id(&other, env)),
            });
        }
        let bare = |code: &mut Graph, op: Op| match op {
            // The operation itself, because a call would count an unfolding that the choice as written doesn't have.
            Op::Call(id) => id,
            rules => code.done(rules),
        };
        let Some(last) = ops.pop() else { return Op::Fail };
        let whole = ops.into_iter().rfold(last, |rest, first| {
            let (first, rest) = (bare(self, first), bare(self, rest));
            Op::Choice(first, rest)
        });
        match whole {
            Op::Call(id) => self.op(id),
            op => op,
        }
    }

    fn named(&mut self, named: &Named, env: &[Id]) -> Op {
        let Some((body, inner)) = self.body(named, env) else { return Op::Fail };
        let scope = push(&mut self.unfoldings, Unfolding::new(named));
        let key = (Rc::as_ptr(&named.definition), inner.clone());
        let id = match self.bodies.get(&key) {
            Some(id) => *id,
            None => {
                let id = self.id(&body, &inner);
                self.bodies.insert(key, id);
                id
            }
        };
        Op::Unfold(scope, id)
    }

    /// The body of a definition, and what its parameters stand for.
    pub(super) fn body(&mut self, named: &Named, env: &[Id]) -> Option<(Strategy, Vec<Id>)> {
        let body = named.definition.body()?;
        let mut inner: Vec<Id> = named.strategies().map(|s| self.bound(s, env)).collect();
        // Variable 0 is what the innermost binder binds: the last parameter.
        inner.reverse();
        Some((body.clone(), inner))
    }

    /// What an argument stands for; of a variable, what that does, so that a definition that hands a parameter on to itself gets
    /// the same operation again. Otherwise each use would add a call, and the graph would have no end.
    fn bound(&mut self, s: &Strategy, env: &[Id]) -> Id {
        match s.form() {
            Form::Var(i) if (*i as usize) < env.len() => env[*i as usize],
            _ => self.id(s, env),
        }
    }
}

fn push<T>(table: &mut Vec<T>, row: T) -> usize {
    table.push(row);
    table.len() - 1
}
