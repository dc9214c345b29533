//! A law's left side as a list of nodes, so that matching is a loop without names.

use crate::check::PatternVar;
use crate::ground::Name;
use crate::term::{Head, Kind, Prim, Size, Term};

use super::condition::{Condition, Variable};
use super::fits::{Fits, Reader, SizeOf, fits};
use super::law::{CompiledLaw, apart};
use super::matching::variable;
use super::predicate::Predicate;
use super::quantity::{Measure, Quantity};
use super::seconds::Wanted;
use super::sight;
use super::template::{Template, Writer};
use super::typing::equations;

/// A law ready to be tried many times.
#[derive(Debug)]
pub(super) struct Plan {
    /// The constructor that its redexes have, if it must be one.
    pub(super) head: Option<Head>,
    /// The left side's nodes: first what is inspected, parents before children and left to right, then what isn't.
    pub(super) nodes: Box<[Node]>,
    /// How many nodes are inspected.
    pub(super) inner: usize,
    /// What the root's first children have to be.
    pub(super) wanted: Wanted,
    /// How many of them are known to fit when the root's constructor does, and its first children are as wanted.
    pub(super) known: usize,
    /// Which child of the root is the second one, if two are known to fit.
    pub(super) second: usize,
    /// Whether anything is asked beyond the constructors.
    pub(super) asks: bool,
    /// What stands for each variable of the law.
    pub(super) vars: Vec<Binding>,
    /// The variables that may not mention all binders around them.
    pub(super) restricted: Vec<usize>,
    /// The variables with projections for arguments.
    pub(super) projecting: Vec<usize>,
    /// Occurrences that must be as the first one is.
    pub(super) again: Vec<(usize, Binding)>,
    pub(super) fits: Fits,
    /// Least values.
    pub(super) bounds: Vec<(SizeOf, u64)>,
    pub(super) conditions: Vec<Asked>,
    /// The sizes that conditions speak of.
    pub(super) sizes: Vec<(Name, SizeOf)>,
    pub(super) right: Template,
}

/// A condition.
#[derive(Debug)]
pub(super) struct Asked {
    pub(super) condition: Condition,
    /// Whether it looks deep.
    pub(super) deep: bool,
    /// What it comes to, if it is among the most frequent ones.
    pub(super) shortcut: Option<Shortcut>,
}

/// A condition on the variable that the left side's root binds by `let`.
#[derive(Debug)]
pub(super) enum Shortcut {
    /// `safe(x)`
    Safe,
    /// `occurrences(x) <= k`, k a parameter of the rule.
    Occurs(usize),
}

/// A node of the left side.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// The number of the node above; the root's own.
    pub(super) parent: usize,
    /// Which child of that it is.
    pub(super) kid: usize,
    /// The binders between the node above and this one.
    pub(super) binders: u32,
    /// What a term's node must be.
    pub(super) test: Test,
}

/// A node of the left side with what stands there in the law.
#[derive(Debug)]
pub(super) struct Pattern {
    pub(super) node: Node,
    pub(super) law: Term,
}

/// What a node of a term must be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Test {
    /// A constructor whose sizes and types are another matter, by its number.
    Head(usize),
    /// An array literal of so many elements.
    Array(usize),
    Offset(u64),
    /// The bits of a number.
    Real(u64),
    Int(i64),
    Fin(u64),
    /// The variable that the node with this number binds, and its index there.
    Bound(usize, u32),
    /// Anything that fits this variable of the law.
    Variable(usize),
    /// Whatever a size becomes as a term.
    Size,
}

/// What stands for a variable of the law at a node.
#[derive(Debug)]
pub(super) struct Binding {
    pub(super) node: usize,
    /// It under binders of its own: the variable's, or where that has projections for arguments, the left side's.
    pub(super) put: Put,
    /// The binders of the left side around it.
    pub(super) under: u32,
    pub(super) arguments: Arguments,
}

/// What stands at a node that isn't inspected, with its variables moved.
#[derive(Debug)]
pub(super) struct Put {
    pub(super) way: Way,
    /// The new indices of the variables that the left side binds, by those that they have at the node.
    pub(super) to: Box<[u32]>,
    /// So many binders stand around it.
    pub(super) under: u32,
}

/// How a node that isn't inspected is reached: as a child of the last node that is.
#[derive(Clone, Debug)]
pub(super) struct Way {
    pub(super) parent: usize,
    pub(super) kid: usize,
    /// The inspected nodes between it and the root, the nearest first, with the binders between it, or the one before, and
    /// them. First children under no binder are left out: they have their parent's first variables in order.
    pub(super) between: Box<[(usize, u32)]>,
    /// The binders between the root and the last of these, or the node.
    pub(super) binders: u32,
}

/// Which of the left side's binders a variable's term may mention.
#[derive(Debug)]
pub(super) enum Arguments {
    /// Those with a place among the variable's own binders, by their index.
    Plain(Vec<Option<u32>>),
    /// Projections: these arguments, in the scope of the node.
    Projected(Vec<Term>),
}

impl Plan {
    pub(super) fn new(law: &CompiledLaw, bounds: Vec<(Size, u64)>) -> Plan {
        let mut left = Left::new(&law.vars);
        left.node(&law.left, 0, 0, 0);
        let Left { inner, leaves, first, again, .. } = left.numbered();
        let vars: Vec<Binding> = first.into_iter().map(|b| b.expect("each variable stands on the left")).collect();
        let (count, patterns) = (inner.len(), inner.into_iter().chain(leaves).collect::<Vec<Pattern>>());
        let mut reader = Reader { patterns: &patterns, solved: false };
        let bounds = bounds.iter().map(|(size, lower)| (reader.size(size), *lower)).collect();
        let named = law.conditions.iter().flat_map(Condition::sizes);
        let sizes = named.map(|name| (name.clone(), reader.size(&Size::var(&apart(name))))).collect();
        let asked = |c: &Condition| {
            let shortcut = if let Kind::Let(_) = law.left.kind() { Shortcut::of(c) } else { None };
            Asked { condition: c.clone(), deep: sight::is_deep(law, c), shortcut }
        };
        let conditions = law.conditions.iter().map(asked).collect();
        let right = Writer::new(law, &vars, &mut reader).right_side();
        let fits = fits(equations(&patterns, &vars), reader.solved);
        let head = match patterns[0].node.test {
            Test::Variable(_) | Test::Size | Test::Bound(..) => None,
            _ => Some(law.left.kind().head()),
        };
        let known = match patterns[..count] {
            [Pattern { node: Node { test: Test::Head(_), .. }, .. }, ref second, ..] => match second.node {
                Node { test: Test::Head(_), kid: 0 | 1, .. } => 2,
                _ => 1,
            },
            [Pattern { node: Node { test: Test::Head(_), .. }, .. }] => 1,
            _ => 0,
        };
        let wanted = Wanted::of(patterns[..count].iter().map(|pattern| &pattern.node));
        let second = if known == 2 { patterns[1].node.kid } else { 0 };
        let nodes = patterns.iter().map(|pattern| pattern.node).collect();
        let such = |wanted: fn(&Binding) -> bool| (0..vars.len()).filter(|j| wanted(&vars[*j])).collect::<Vec<usize>>();
        let (restricted, projecting) = (such(Binding::is_restricted), such(Binding::is_projecting));
        let simple = restricted.is_empty() && projecting.is_empty() && again.is_empty();
        let asks = !simple || !fits.is_empty() || !law.is_unconditional();
        let inner = count;
        Plan {
            head,
            nodes,
            inner,
            wanted,
            known,
            second,
            asks,
            vars,
            restricted,
            projecting,
            again,
            fits,
            bounds,
            conditions,
            sizes,
            right,
        }
    }

    /// Whether its redexes may have this constructor.
    pub(super) fn may_fit(&self, head: Head) -> bool {
        self.head.is_none_or(|own| own.number() == head.number())
    }
}

impl Shortcut {
    fn of(condition: &Condition) -> Option<Shortcut> {
        let of_root = |all: &[Variable]| matches!(all, [x] if x.of_law.is_none() && x.path.is_empty());
        match condition {
            Condition::Holds(Predicate::Safe, all) if of_root(all) => Some(Shortcut::Safe),
            Condition::Compare(Prim::Le, Quantity::Of(Measure::Occurrences, all), Quantity::Parameter(_, k))
                if of_root(all) =>
            {
                Some(Shortcut::Occurs(*k))
            }
            _ => None,
        }
    }
}

impl Binding {
    fn is_restricted(&self) -> bool {
        matches!(&self.arguments, Arguments::Plain(places) if !places.iter().all(Option::is_some))
    }

    fn is_projecting(&self) -> bool {
        matches!(self.arguments, Arguments::Projected(_))
    }
}

/// The left side while it is taken apart. Nodes that aren't inspected have numbers of their own meanwhile.
struct Left<'a> {
    vars: &'a [PatternVar],
    inner: Vec<Pattern>,
    leaves: Vec<Pattern>,
    /// The nodes that bind the variables in scope, outermost first.
    bound: Vec<usize>,
    first: Vec<Option<Binding>>,
    again: Vec<(usize, Binding)>,
}

impl<'a> Left<'a> {
    fn new(vars: &'a [PatternVar]) -> Left<'a> {
        let first = vars.iter().map(|_| None).collect();
        Left { vars, inner: Vec::new(), leaves: Vec::new(), bound: Vec::new(), first, again: Vec::new() }
    }

    /// The same with numbers behind those of the inspected nodes for the others.
    fn numbered(mut self) -> Left<'a> {
        let again = self.again.iter_mut().map(|(_, binding)| binding);
        self.first.iter_mut().flatten().chain(again).for_each(|binding| binding.node += self.inner.len());
        self
    }

    fn node(&mut self, pattern: &Term, parent: usize, kid: usize, binders: u32) {
        let under = self.bound.len() as u32;
        let test = self.test(pattern, self.way(parent, kid, binders));
        let here = Pattern { node: Node { parent, kid, binders, test }, law: pattern.clone() };
        if matches!(test, Test::Variable(_) | Test::Size) {
            return self.leaves.push(here);
        }
        let at = self.inner.len();
        self.inner.push(here);
        for k in 0..pattern.kid_count() {
            let binders = pattern.kind().binders(k);
            self.bound.extend((0..binders).map(|_| at));
            self.node(&pattern.kid(k), at, k, binders);
            self.bound.truncate(under as usize);
        }
    }

    fn way(&self, parent: usize, kid: usize, binders: u32) -> Way {
        let (mut between, mut at, mut under) = (Vec::new(), parent, binders);
        while at != 0 {
            let Node { parent, kid, binders, .. } = self.inner[at].node;
            if kid > 0 || binders > 0 {
                between.push((at, under));
                under = binders;
            }
            at = parent;
        }
        Way { parent, kid, between: between.into(), binders: under }
    }

    fn test(&mut self, pattern: &Term, way: Way) -> Test {
        if let Some((j, arguments)) = variable(self.vars, pattern, self.bound.len() as u32) {
            self.variable(j, way, arguments);
            return Test::Variable(j);
        }
        match pattern.kind() {
            Kind::Var => {
                let index = pattern.places()[0];
                Test::Bound(self.bound[self.bound.len() - 1 - index as usize], index)
            }
            Kind::SizeVar(_) => Test::Size,
            Kind::Array(_) => Test::Array(pattern.kid_count()),
            Kind::Prim(Prim::Offset(c)) => Test::Offset(*c),
            Kind::Real(x) => Test::Real(x.to_bits()),
            Kind::Int(x) => Test::Int(*x),
            Kind::Fin(c, _) => Test::Fin(*c),
            kind => Test::Head(kind.head().number()),
        }
    }

    fn variable(&mut self, j: usize, way: Way, arguments: Vec<Term>) {
        let (arity, under) = (arguments.len() as u32, self.bound.len() as u32);
        let plain = arguments.iter().all(|a| matches!(a.kind(), Kind::Var));
        let (arguments, put) = match plain {
            true => {
                let place = |i: u32| arguments.iter().position(|a| a.places()[0] == i).map(|k| arity - 1 - k as u32);
                let places: Vec<Option<u32>> = (0..under).map(place).collect();
                let to = places.iter().map(|place| place.unwrap_or(0)).collect();
                (Arguments::Plain(places), Put { way, to, under: arity })
            }
            false => (Arguments::Projected(arguments), Put { way, to: (0..under).collect(), under }),
        };
        let binding = Binding { node: self.leaves.len(), put, under, arguments };
        match &self.first[j] {
            Some(_) => self.again.push((j, binding)),
            None => self.first[j] = Some(binding),
        }
    }
}
