//! Compiles a law: its left side is taken apart into nodes that are inspected and leaves that are taken over as they are.

use redexter_language::check::{Law, PatternVar};
use redexter_language::ground::Name;
use redexter_language::term::{Kind, Size, Term};

use super::super::condition::Condition;
use super::super::footprint::is_deep;
use super::super::law::variable;
use super::constraint::{TypeLocator, constraints};
use super::heads::FirstKidHeads;
use super::implied_types::equations;
use super::locate::TypeEquation;
use super::template::TemplateWriter;
use super::{CompiledLaw, LeafPath, MovedTerm, NodeTest, PatternNode, VariableArguments, VariableBinding};

/// A node of the left side with what stands there in the law.
#[derive(Debug)]
pub(super) struct LawNode {
    pub(super) node: PatternNode,
    pub(super) law: Term,
}

impl CompiledLaw {
    /// A law with its conditions.
    pub fn new(law: &Law, conditions: Vec<Condition>) -> CompiledLaw {
        let mut left = LeftSide::new(&law.vars);
        left.node(&law.left, 0, 0, 0);
        let LeftSide { inner, leaves, first, again, .. } = left.numbered();
        let vars: Vec<VariableBinding> =
            first.into_iter().map(|b| b.expect("each variable stands on the left")).collect();
        let (count, patterns) = (inner.len(), inner.into_iter().chain(leaves).collect::<Vec<LawNode>>());
        let mut reader = TypeLocator { patterns: &patterns, solved: false };
        let bounds = law.bounds.iter().map(|(name, lower)| (name.clone(), reader.size(&Size::var(name)), lower));
        let bounds: Vec<_> = bounds.collect();
        let named = conditions.iter().flat_map(Condition::sizes).cloned().collect::<Vec<Name>>();
        let sizes = named.into_iter().map(|name| (name.clone(), reader.size(&Size::var(&name)))).collect();
        let right = TemplateWriter::new(law, &vars, &mut reader).right_side();
        // Last, because `solved` is set by any size or type above that stands nowhere on the left as it is.
        let constraints = constraints(equations(&patterns, &vars), reader.solved);
        // A variable of the law stands for any constructor, and a size may become a number, or a product, as a term.
        let head = match patterns[0].node.test {
            NodeTest::Variable(_) | NodeTest::Size | NodeTest::Bound(..) => None,
            _ => Some(law.left.kind().head()),
        };
        // An attempt begins with the root's constructor and its first children, so that these nodes need no second look.
        let known = match patterns[..count] {
            [LawNode { node: PatternNode { test: NodeTest::Head(_), .. }, .. }, ref second, ..] => match second.node {
                PatternNode { test: NodeTest::Head(_), kid: 0 | 1, .. } => 2,
                _ => 1,
            },
            [LawNode { node: PatternNode { test: NodeTest::Head(_), .. }, .. }] => 1,
            _ => 0,
        };
        let such = |wanted: fn(&VariableBinding) -> bool| {
            (0..vars.len()).filter(|j| wanted(&vars[*j])).collect::<Vec<usize>>()
        };
        let (restricted, projecting) = (such(VariableBinding::is_restricted), such(VariableBinding::is_projecting));
        let simple = restricted.is_empty() && projecting.is_empty() && again.is_empty();
        let deep = |condition: Condition| {
            let deep = is_deep(law, &condition);
            (condition, deep)
        };
        CompiledLaw {
            asks: !simple || !constraints.is_empty() || !conditions.is_empty() || !bounds.is_empty(),
            conditions: conditions.into_iter().map(deep).collect(),
            head,
            first_kids: FirstKidHeads::of(patterns[..count].iter().map(|pattern| &pattern.node)),
            second: if known == 2 { patterns[1].node.kid } else { 0 },
            nodes: patterns.iter().map(|pattern| pattern.node).collect(),
            words: patterns[..count].iter().map(LawNode::word).collect(),
            law: law.clone(),
            inner: count,
            known,
            vars,
            restricted,
            projecting,
            again,
            constraints,
            bounds,
            sizes,
            right,
        }
    }
}

/// What types and sizes must be, in the order of the left side.
pub(super) fn asked_types(law: &Law) -> Vec<TypeEquation> {
    let mut left = LeftSide::new(&law.vars);
    left.node(&law.left, 0, 0, 0);
    let LeftSide { inner, leaves, first, .. } = left.numbered();
    let vars: Vec<VariableBinding> = first.into_iter().flatten().collect();
    let patterns: Vec<LawNode> = inner.into_iter().chain(leaves).collect();
    equations(&patterns, &vars)
}

impl LawNode {
    /// What must stand there, in words.
    fn word(&self) -> &'static str {
        match self.law.kind() {
            Kind::Var => "bound variable",
            Kind::Lam(..) => "function",
            Kind::App => "application",
            Kind::Let(_) => "let",
            Kind::If => "if",
            Kind::Guard(..) => "guard",
            Kind::Ifold(_) => "ifold",
            Kind::Scan(_) => "scan",
            Kind::Scanr(_) => "scanr",
            Kind::Scatter(..) => "scatter",
            Kind::Pull => "pull",
            Kind::Plus => "plus",
            Kind::Build(_) => "build",
            Kind::Array(_) => "array literal",
            Kind::Get => "indexing",
            Kind::Within(_) => "index in range",
            Kind::Pair => "pair",
            Kind::Fst => "fst",
            Kind::Snd => "snd",
            Kind::Real(0.0) | Kind::Int(0) | Kind::Fin(0, _) => "0",
            Kind::Real(1.0) | Kind::Int(1) | Kind::Fin(1, _) => "1",
            Kind::Real(_) | Kind::Int(_) | Kind::Fin(..) => "such constant",
            Kind::SizeVar(_) => "size",
            Kind::Prim(prim) => prim.text(),
        }
    }
}

/// The left side while it is taken apart. Nodes that aren't inspected have numbers of their own meanwhile.
struct LeftSide<'a> {
    vars: &'a [PatternVar],
    inner: Vec<LawNode>,
    leaves: Vec<LawNode>,
    /// The nodes that bind the variables in scope, outermost first.
    bound: Vec<usize>,
    first: Vec<Option<VariableBinding>>,
    again: Vec<(usize, VariableBinding)>,
}

impl<'a> LeftSide<'a> {
    fn new(vars: &'a [PatternVar]) -> LeftSide<'a> {
        let first = vars.iter().map(|_| None).collect();
        LeftSide { vars, inner: Vec::new(), leaves: Vec::new(), bound: Vec::new(), first, again: Vec::new() }
    }

    /// The same with numbers behind those of the inspected nodes for the others.
    fn numbered(mut self) -> LeftSide<'a> {
        let again = self.again.iter_mut().map(|(_, binding)| binding);
        self.first.iter_mut().flatten().chain(again).for_each(|binding| binding.node += self.inner.len());
        self
    }

    fn node(&mut self, pattern: &Term, parent: usize, kid: usize, binders: u32) {
        let under = self.bound.len() as u32;
        let test = self.test(pattern, self.way(parent, kid, binders));
        let here = LawNode { node: PatternNode { parent, kid, binders, test }, law: pattern.clone() };
        if matches!(test, NodeTest::Variable(_) | NodeTest::Size) {
            // What stands below it is not inspected: `e(a, i)` is one leaf, though the law writes it as applications.
            return self.leaves.push(here);
        }
        let at = self.inner.len();
        self.inner.push(here);
        for k in 0..pattern.kid_count() {
            let binders = pattern.binders(k);
            self.bound.extend((0..binders).map(|_| at));
            self.node(&pattern.kid(k), at, k, binders);
            self.bound.truncate(under as usize);
        }
    }

    fn way(&self, parent: usize, kid: usize, binders: u32) -> LeafPath {
        let (mut between, mut at, mut under) = (Vec::new(), parent, binders);
        while at != 0 {
            let PatternNode { parent, kid, binders, .. } = self.inner[at].node;
            // A first child under no binder numbers its variables as its parent does, so that going through it changes nothing.
            if kid > 0 || binders > 0 {
                between.push((at, under));
                under = binders;
            }
            at = parent;
        }
        LeafPath { parent, kid, between: between.into(), binders: under }
    }

    fn test(&mut self, pattern: &Term, way: LeafPath) -> NodeTest {
        if let Some((j, arguments)) = variable(self.vars, pattern, self.bound.len() as u32) {
            self.variable(j, way, arguments);
            return NodeTest::Variable(j);
        }
        match pattern.kind() {
            Kind::Var => {
                let index = pattern.places()[0];
                NodeTest::Bound(self.bound[self.bound.len() - 1 - index as usize], index)
            }
            Kind::SizeVar(_) => NodeTest::Size,
            Kind::Array(_) => NodeTest::Array(pattern.kid_count()),
            Kind::Prim(prim) if prim.held().is_some() => NodeTest::Holding(*prim),
            Kind::Real(x) => NodeTest::Real(x.to_bits()),
            Kind::Int(x) => NodeTest::Int(*x),
            Kind::Fin(c, _) => NodeTest::Fin(*c),
            kind => NodeTest::Head(kind.head().number()),
        }
    }

    fn variable(&mut self, j: usize, way: LeafPath, arguments: Vec<Term>) {
        let (arity, under) = (arguments.len() as u32, self.bound.len() as u32);
        let plain = arguments.iter().all(|a| matches!(a.kind(), Kind::Var));
        let (arguments, moved) = match plain {
            true => {
                let place = |i: u32| arguments.iter().position(|a| a.places()[0] == i).map(|k| arity - 1 - k as u32);
                let places: Vec<Option<u32>> = (0..under).map(place).collect();
                // A binder without a place may have any index here, because no match mentions it (`Match::mentions`).
                let to = places.iter().map(|place| place.unwrap_or(0)).collect();
                (VariableArguments::Plain(places), MovedTerm { way, to, under: arity })
            }
            false => (VariableArguments::Projected(arguments), MovedTerm { way, to: (0..under).collect(), under }),
        };
        let binding = VariableBinding { node: self.leaves.len(), moved, under, arguments };
        match &self.first[j] {
            Some(_) => self.again.push((j, binding)),
            None => self.first[j] = Some(binding),
        }
    }
}
