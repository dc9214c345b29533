//! A law's left side as a list of nodes, so that matching is a loop without names.

use std::mem::{Discriminant, discriminant};

use crate::check::PatternVar;
use crate::ground::Name;
use crate::term::{Head, Kind, Prim, Size, Term, Type, TypeView};

use super::condition::Condition;
use super::law::{CompiledLaw, apart};
use super::matching::{spine, variable};
use super::sight;
use super::template::{Template, Writer};
use super::typing::{Equation, From, Read, Step, equations};

/// A law ready to be tried many times.
#[derive(Debug)]
pub(super) struct Plan {
    /// The constructor that its redexes have, if it must be one.
    pub(super) head: Option<Head>,
    /// The left side, parents before children, left to right.
    pub(super) nodes: Vec<Node>,
    /// What stands for each variable of the law.
    pub(super) vars: Vec<Binding>,
    /// Occurrences that must be as the first one is.
    pub(super) again: Vec<(usize, Binding)>,
    pub(super) fits: Fits,
    /// Least values.
    pub(super) bounds: Vec<(SizeOf, u64)>,
    /// The sizes that conditions speak of.
    pub(super) sizes: Vec<(Name, SizeOf)>,
    /// Which conditions look deep.
    pub(super) deep: Vec<bool>,
    pub(super) right: Template,
}

/// A node of the left side.
#[derive(Debug)]
pub(super) struct Node {
    /// The number of the node above; the root's own.
    pub(super) parent: usize,
    /// Which child of that it is.
    pub(super) kid: usize,
    /// The binders between the node above and this one.
    pub(super) binders: u32,
    /// The binders from the root.
    pub(super) under: u32,
    /// What a term's node must be.
    pub(super) test: Test,
    /// The pattern itself.
    pub(super) law: Term,
}

/// What a node of a term must be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Test {
    /// A constructor whose sizes and types are another matter.
    Head(Head),
    /// An array literal of so many elements.
    Array(usize),
    Offset(u64),
    /// The bits of a number.
    Real(u64),
    Int(i64),
    Fin(u64),
    /// The variable that the node with this number binds.
    Bound(usize),
    /// Anything that fits a variable of the law; the first node where that occurs.
    Variable(usize),
    /// Whatever a size becomes as a term.
    Size,
}

/// What stands for a variable of the law at a node.
#[derive(Debug)]
pub(super) struct Binding {
    pub(super) node: usize,
    pub(super) arity: u32,
    pub(super) arguments: Arguments,
}

/// Which of the left side's binders a variable's term may mention.
#[derive(Debug)]
pub(super) enum Arguments {
    /// Those with a place among the variable's own binders, by their index.
    Plain(Vec<Option<u32>>),
    /// Projections: these arguments, in the scope of the node.
    Projected(Vec<Term>),
}

/// What types and sizes must be.
#[derive(Debug)]
pub(super) enum Fits {
    /// These, read in the term.
    Plain(Vec<Fit>),
    /// Equations to be solved.
    Solved(Vec<Equation>),
}

/// One thing that types and sizes must be.
#[derive(Debug)]
pub(super) enum Fit {
    /// A type without variables.
    Type(Type, Read),
    /// A type of this form.
    Form(Discriminant<TypeView>, Read),
    /// One type.
    SameType(Read, Read),
    /// A size without variables.
    Size(Size, Read),
    /// One size.
    SameSize(Read, Read),
}

/// How a type of the law is found in a match.
#[derive(Clone, Debug)]
pub(super) enum TypeOf {
    /// It has no variables.
    Closed(Type),
    Read(Read),
    /// By what its variables stand for.
    Solved(Type),
}

/// How a size of the law is found in a match.
#[derive(Clone, Debug)]
pub(super) enum SizeOf {
    /// It has no variables.
    Closed(Size),
    Read(Read),
    /// By what its variables stand for.
    Solved(Size),
}

impl Plan {
    pub(super) fn new(law: &CompiledLaw, bounds: Vec<(Size, u64)>) -> Plan {
        let mut left =
            Left { vars: &law.vars, nodes: Vec::new(), bound: Vec::new(), first: Vec::new(), again: Vec::new() };
        left.first.resize_with(law.vars.len(), || None);
        left.node(&law.left, 0, 0, 0);
        let Left { nodes, first, again, .. } = left;
        let vars: Vec<Binding> = first.into_iter().flatten().collect();
        let mut reader = Reader { nodes: &nodes, solved: false };
        let bounds = bounds.iter().map(|(size, lower)| (reader.size(size), *lower)).collect();
        let named = law.conditions.iter().flat_map(Condition::sizes);
        let sizes = named.map(|name| (name.clone(), reader.size(&Size::var(&apart(name))))).collect();
        let deep = law.conditions.iter().map(|condition| sight::is_deep(law, condition)).collect();
        let right = Writer::new(law, &mut reader).right_side();
        let fits = fits(equations(&nodes), reader.solved);
        let head = match nodes[0].test {
            Test::Variable(_) | Test::Size | Test::Bound(_) => None,
            _ => Some(law.left.kind().head()),
        };
        Plan { head, nodes, vars, again, fits, bounds, sizes, deep, right }
    }
}

impl Plan {
    /// Whether its redexes may have this constructor.
    pub(super) fn fits(&self, head: Head) -> bool {
        self.head.is_none_or(|own| own.number() == head.number())
    }
}

/// The left side while it is taken apart.
struct Left<'a> {
    vars: &'a [PatternVar],
    nodes: Vec<Node>,
    /// The nodes that bind the variables in scope, outermost first.
    bound: Vec<usize>,
    first: Vec<Option<Binding>>,
    again: Vec<(usize, Binding)>,
}

impl Left<'_> {
    fn node(&mut self, pattern: &Term, parent: usize, kid: usize, binders: u32) {
        let (at, under) = (self.nodes.len(), self.bound.len() as u32);
        let test = self.test(pattern, at);
        self.nodes.push(Node { parent, kid, binders, under, test, law: pattern.clone() });
        if matches!(test, Test::Variable(_) | Test::Bound(_) | Test::Size) {
            return;
        }
        for k in 0..pattern.kid_count() {
            let binders = pattern.kind().binders(k);
            self.bound.extend((0..binders).map(|_| at));
            self.node(&pattern.kid(k), at, k, binders);
            self.bound.truncate(under as usize);
        }
    }

    fn test(&mut self, pattern: &Term, at: usize) -> Test {
        let under = self.bound.len() as u32;
        let (head, arguments) = spine(pattern);
        if let Some(j) = variable(self.vars.len(), &head, under)
            && (self.vars[j].arity > 0 || arguments.is_empty())
        {
            return Test::Variable(self.variable(j, at, arguments));
        }
        match pattern.kind() {
            Kind::Var => {
                let index = pattern.places()[0] as usize;
                Test::Bound(self.bound[self.bound.len() - 1 - index])
            }
            Kind::SizeVar(_) => Test::Size,
            Kind::Array(_) => Test::Array(pattern.kid_count()),
            Kind::Prim(Prim::Offset(c)) => Test::Offset(*c),
            Kind::Real(x) => Test::Real(x.to_bits()),
            Kind::Int(x) => Test::Int(*x),
            Kind::Fin(c, _) => Test::Fin(*c),
            kind => Test::Head(kind.head()),
        }
    }

    fn variable(&mut self, j: usize, at: usize, arguments: Vec<Term>) -> usize {
        let arity = arguments.len() as u32;
        let plain = arguments.iter().all(|a| matches!(a.kind(), Kind::Var));
        let arguments = match plain {
            true => {
                let place = |i: u32| arguments.iter().position(|a| a.places()[0] == i).map(|k| arity - 1 - k as u32);
                Arguments::Plain((0..self.bound.len() as u32).map(place).collect())
            }
            false => Arguments::Projected(arguments),
        };
        let binding = Binding { node: at, arity, arguments };
        match &self.first[j] {
            Some(first) => {
                let first = first.node;
                self.again.push((j, binding));
                first
            }
            None => {
                self.first[j] = Some(binding);
                at
            }
        }
    }
}

/// Finds types and sizes of the law in what matched.
pub(super) struct Reader<'a> {
    pub(super) nodes: &'a [Node],
    /// Whether something stands nowhere as it is, so that equations must be solved.
    pub(super) solved: bool,
}

impl Reader<'_> {
    pub(super) fn ty(&mut self, ty: &Type) -> TypeOf {
        if !ty.is_open() {
            return TypeOf::Closed(ty.clone());
        }
        let found = self.find(&|read, here| (here == Held::Type(ty)).then(|| read.clone()));
        found.map(TypeOf::Read).unwrap_or_else(|| {
            self.solved = true;
            TypeOf::Solved(ty.clone())
        })
    }

    pub(super) fn size(&mut self, size: &Size) -> SizeOf {
        if size.as_literal().is_some() {
            return SizeOf::Closed(size.clone());
        }
        let found = self.find(&|read, here| (here == Held::Size(size)).then(|| read.clone()));
        found.map(SizeOf::Read).unwrap_or_else(|| {
            self.solved = true;
            SizeOf::Solved(size.clone())
        })
    }

    /// The nearest place of the left side where something holds.
    fn find(&self, wanted: &dyn Fn(&Read, Held) -> Option<Read>) -> Option<Read> {
        let mut all = Vec::new();
        for (at, node) in self.nodes.iter().enumerate() {
            visit(Held::Type(node.law.ty()), &Read::at(at, From::Type), &mut |read, here| {
                all.extend(wanted(read, here))
            });
            if matches!(node.test, Test::Variable(_) | Test::Bound(_) | Test::Size) {
                continue;
            }
            let held = match node.law.kind() {
                Kind::Lam(_, ty) | Kind::Array(ty) => (Held::Type(ty), From::Held),
                Kind::Ifold(n) | Kind::Build(n) | Kind::Fin(_, n) => (Held::Size(n), From::Size),
                _ => continue,
            };
            visit(held.0, &Read::at(at, held.1), &mut |read, here| all.extend(wanted(read, here)));
        }
        all.into_iter().min_by_key(|read| read.steps.len())
    }
}

/// A type or a size of the law.
#[derive(Clone, Copy, PartialEq)]
enum Held<'a> {
    Type(&'a Type),
    Size(&'a Size),
}

/// A type or size and all that it is made of.
fn visit(here: Held, read: &Read, work: &mut dyn FnMut(&Read, Held)) {
    work(read, here);
    let Held::Type(ty) = here else { return };
    match ty.view() {
        TypeView::Fin(n) => visit(Held::Size(n), &read.step(Step::Size), work),
        TypeView::Array(n, a) => {
            visit(Held::Size(n), &read.step(Step::Size), work);
            visit(Held::Type(a), &read.step(Step::First), work);
        }
        TypeView::Pair(a, b) | TypeView::Fun(a, b) => {
            visit(Held::Type(a), &read.step(Step::First), work);
            visit(Held::Type(b), &read.step(Step::Second), work);
        }
        _ => {}
    }
}

/// What has to be compared. Equations are solved only where a size isn't simply a variable, or something is wanted that
/// stands nowhere.
fn fits(equations: Vec<Equation>, solved: bool) -> Fits {
    let mut plain = Plain::default();
    let simple = !solved && equations.iter().all(|equation| plain.add(equation));
    if simple { Fits::Plain(plain.fits) } else { Fits::Solved(equations) }
}

#[derive(Default)]
struct Plain {
    fits: Vec<Fit>,
    types: Vec<(Type, Read)>,
    sizes: Vec<(Size, Read)>,
}

impl Plain {
    /// False where it has to be solved.
    fn add(&mut self, equation: &Equation) -> bool {
        match equation {
            Equation::Type(ty, read) => self.ty(ty, read),
            Equation::Size(size, read) => self.size(size, read),
            Equation::Value(..) => false,
        }
    }

    fn ty(&mut self, ty: &Type, read: &Read) -> bool {
        if !ty.is_open() {
            self.fits.push(Fit::Type(ty.clone(), read.clone()));
            return true;
        }
        if !matches!(ty.view(), TypeView::Var(_)) {
            self.fits.push(Fit::Form(discriminant(ty.view()), read.clone()));
        }
        match ty.view() {
            TypeView::Var(_) => {
                match self.types.iter().find(|(known, _)| known == ty) {
                    Some((_, first)) => self.fits.push(Fit::SameType(first.clone(), read.clone())),
                    None => self.types.push((ty.clone(), read.clone())),
                }
                true
            }
            TypeView::Fin(n) => self.size(n, &read.step(Step::Size)),
            TypeView::Array(n, a) => self.size(n, &read.step(Step::Size)) && self.ty(a, &read.step(Step::First)),
            TypeView::Pair(a, b) | TypeView::Fun(a, b) => {
                self.ty(a, &read.step(Step::First)) && self.ty(b, &read.step(Step::Second))
            }
            _ => false,
        }
    }

    fn size(&mut self, size: &Size, read: &Read) -> bool {
        if size.as_literal().is_some() {
            self.fits.push(Fit::Size(size.clone(), read.clone()));
            return true;
        }
        if size.as_atom().is_none() {
            return false;
        }
        match self.sizes.iter().find(|(known, _)| known == size) {
            Some((_, first)) => self.fits.push(Fit::SameSize(first.clone(), read.clone())),
            None => self.sizes.push((size.clone(), read.clone())),
        }
        true
    }
}
