//! Finds the types and sizes that a law must ask for: those that don't follow from the term's being well-typed.
//!
//! A term of the left side's form has types of its own. Where nothing but the form is known they are unknowns, and the
//! constructors' typing relates them; the law's types are an instance of that. So a term fits the law if each unknown
//! stands for what the law says, and where the law says no more than "some type" there is nothing to ask. In
//! `(build n f)[i]` that is all of them; in `x + 0` there is nothing to ask either, as 0 has a type.

use rustc_hash::FxHashMap;

use redexter_language::check::TypeUnifier;
use redexter_language::term::{
    Kind, KindSignature, MetaBindings, MetaType, Overload, Prim, Size, SizeAtom, Type, TypeMemo, TypeView,
};

use super::compile::LawNode;
use super::locate::{LocationRoot, TypeEquation, TypeLocation, TypeStep};
use super::{NodeTest, VariableBinding};

/// What a law with these nodes must ask, in the order of its left side.
pub(super) fn equations(nodes: &[LawNode], vars: &[VariableBinding]) -> Vec<TypeEquation> {
    // To ask for more than is necessary takes longer, but is never wrong.
    FormTyping::new(nodes, vars).equations().unwrap_or_else(|_| everything(nodes, vars))
}

/// The typing of this form is more than is known here: ask for everything.
struct UnclearTyping;

struct FormTyping<'a> {
    nodes: &'a [LawNode],
    /// The children of each, in their order.
    kids: Vec<Vec<usize>>,
    vars: &'a [VariableBinding],
    unifier: TypeUnifier,
    /// The term's types by node.
    own: Vec<Type>,
    /// What the metavariables of each node's constructor stand for.
    metas: Vec<([Type; 2], [Size; 2])>,
}

impl<'a> FormTyping<'a> {
    fn new(nodes: &'a [LawNode], vars: &'a [VariableBinding]) -> FormTyping<'a> {
        let mut unifier = TypeUnifier::default();
        let own = nodes.iter().map(|_| unifier.fresh()).collect();
        let metas = nodes.iter().map(|_| fresh(&mut unifier)).collect();
        let mut kids = vec![Vec::new(); nodes.len()];
        for (at, node) in nodes.iter().enumerate().skip(1) {
            kids[node.node.parent].push(at);
        }
        kids.iter_mut().for_each(|kids| kids.sort_by_key(|at| nodes[*at].node.kid));
        FormTyping { nodes, kids, vars, unifier, own, metas }
    }

    fn equations(mut self) -> Result<Vec<TypeEquation>, UnclearTyping> {
        let mut open = Vec::new();
        for (at, node) in self.nodes.iter().enumerate() {
            match node.node.test {
                // All that stands for one variable is one term, so that it has one type.
                NodeTest::Variable(j) => self.is(at, &self.own[self.vars[j].node].clone())?,
                NodeTest::Bound(binder, index) => self.is(at, &self.bound(at, binder, index)?)?,
                _ => open.extend(self.constructor(at)?),
            }
        }
        let mut all = self.settle(open)?;
        all.extend(self.compare()?);
        Ok(all)
    }

    fn is(&mut self, at: usize, ty: &Type) -> Result<(), UnclearTyping> {
        let mut undecided = Vec::new();
        self.unifier.unify(&self.own[at], ty, &mut undecided).map_err(|_| UnclearTyping)?;
        if undecided.is_empty() { Ok(()) } else { Err(UnclearTyping) }
    }

    /// The type that a scheme of the node's constructor says.
    fn scheme(&self, at: usize, meta: &MetaType, literal: u64) -> Result<Type, UnclearTyping> {
        known(meta, &self.metas[at], literal)
    }

    /// The type of a variable at a node, by the one that binds it.
    fn bound(&self, at: usize, binder: usize, index: u32) -> Result<Type, UnclearTyping> {
        let mut below = at;
        while self.nodes[below].node.parent != binder {
            below = self.nodes[below].node.parent;
        }
        let KindSignature::Listed(kids, _) = self.nodes[binder].law.kind().signature() else {
            return Err(UnclearTyping);
        };
        let (meta, _) = kids[self.nodes[below].node.kid].binds.iter().rev().nth(index as usize).ok_or(UnclearTyping)?;
        self.scheme(binder, meta, 0)
    }

    /// What the constructor says about the types of a node and its children; of overloads, what they have in common.
    fn constructor(&mut self, at: usize) -> Result<Option<OverloadChoice>, UnclearTyping> {
        let kids = std::mem::take(&mut self.kids[at]);
        match self.nodes[at].law.kind().signature() {
            KindSignature::Listed(of, whole) => {
                for (kid, of) in kids.iter().zip(of.iter()) {
                    self.is(*kid, &self.scheme(at, &of.ty, 0)?)?;
                }
                self.is(at, &self.scheme(at, whole, 0)?)?;
            }
            KindSignature::Each(_, each, _, whole) => {
                let count = kids.len() as u64;
                for kid in kids {
                    self.is(kid, &self.scheme(at, each, count)?)?;
                }
                self.is(at, &self.scheme(at, whole, count)?)?;
            }
            KindSignature::Primitive => {
                let Kind::Prim(prim) = self.nodes[at].law.kind() else { return Err(UnclearTyping) };
                let choice = OverloadChoice::new(self, *prim, at, [kids, vec![at]].concat())?;
                choice.in_common(self)?;
                return Ok(Some(choice));
            }
        }
        Ok(None)
    }

    /// Decides overloads by what is known, and asks where nothing is.
    fn settle(&mut self, mut open: Vec<OverloadChoice>) -> Result<Vec<TypeEquation>, UnclearTyping> {
        let mut asked = Vec::new();
        while !open.is_empty() {
            let before = open.len();
            let mut rest = Vec::new();
            for choice in open {
                match choice.is_decided(self) {
                    true => choice.decide(self)?,
                    false => rest.push(choice),
                }
            }
            open = rest;
            // What is known decides no overload, so that a type has to be asked for; that may decide others.
            if open.len() == before {
                let choice = open.remove(0);
                let at = choice.telling(self)?;
                asked.push(TypeEquation::Type(
                    self.nodes[at].law.ty().clone(),
                    TypeLocation::at(at, LocationRoot::Type),
                ));
                choice.decide(self)?;
            }
        }
        Ok(asked)
    }

    /// Each unknown with what the law says of it. Nodes inside come first: types around hold theirs, further in, and what was
    /// compared nearer isn't compared again.
    fn compare(&self) -> Result<Vec<TypeEquation>, UnclearTyping> {
        let mut asked = UnknownEquations::default();
        let mut memo = TypeMemo::default();
        let mut now = |ty: &Type| self.unifier.now_by(ty, &mut memo).map_err(|_| UnclearTyping);
        for (at, node) in self.nodes.iter().enumerate().rev() {
            asked.types(&now(&self.own[at])?, node.law.ty(), &mut TypeLocation::at(at, LocationRoot::Type));
            // Such a node has no constructor of the law's that could hold a type or a size.
            if let NodeTest::Variable(_) | NodeTest::Bound(..) = node.node.test {
                continue;
            }
            let ([ty, _], sizes) = &self.metas[at];
            if let Some(law) = node.law.kind().held_type() {
                asked.types(&now(ty)?, law, &mut TypeLocation::at(at, LocationRoot::Held));
            }
            for (k, (law, size)) in node.law.kind().held_sizes().zip(sizes).enumerate() {
                let size = self.unifier.size_now(size).map_err(|_| UnclearTyping)?;
                asked.size(&size, law, &TypeLocation::at(at, LocationRoot::Size(k)));
            }
        }
        asked.all.sort_by_key(TypeEquation::node);
        let values = self.nodes.iter().enumerate().filter_map(|(at, node)| node.value(at));
        Ok(asked.all.into_iter().chain(values).collect())
    }
}

fn fresh(unifier: &mut TypeUnifier) -> ([Type; 2], [Size; 2]) {
    ([unifier.fresh(), unifier.fresh()], [unifier.fresh_size(), unifier.fresh_size()])
}

fn known(meta: &MetaType, (types, sizes): &([Type; 2], [Size; 2]), literal: u64) -> Result<Type, UnclearTyping> {
    let metas = MetaBindings { types: types.each_ref().map(Some), sizes: sizes.each_ref().map(Some), literal };
    meta.known(&metas).ok_or(UnclearTyping)
}

/// The equations for all types and sizes, for a matcher that draws no conclusions from typing.
fn everything(nodes: &[LawNode], vars: &[VariableBinding]) -> Vec<TypeEquation> {
    let mut all = Vec::new();
    for (at, node) in nodes.iter().enumerate() {
        match node.node.test {
            NodeTest::Bound(..) => {}
            NodeTest::Variable(j) if vars[j].node != at => {}
            NodeTest::Variable(_) => {
                all.push(TypeEquation::Type(node.law.ty().clone(), TypeLocation::at(at, LocationRoot::Type)))
            }
            _ => {
                let (ty, sizes) = (node.law.kind().held_type(), node.law.kind().held_sizes().enumerate());
                let at_size = |k| TypeLocation::at(at, LocationRoot::Size(k));
                all.extend(ty.map(|ty| TypeEquation::Type(ty.clone(), TypeLocation::at(at, LocationRoot::Held))));
                all.extend(sizes.map(|(k, n)| TypeEquation::Size(n.clone(), at_size(k))));
                all.extend(node.value(at));
            }
        }
    }
    all
}

impl LawNode {
    fn value(&self, at: usize) -> Option<TypeEquation> {
        match (&self.node.test, self.law.kind()) {
            (NodeTest::Size, Kind::SizeVar(name)) => Some(TypeEquation::Value(Size::var(name), at)),
            _ => None,
        }
    }
}

/// A primitive of the left side: the nodes of its operands, and its own last.
struct OverloadChoice {
    prim: Prim,
    /// The overload that the law takes.
    law: &'static Overload,
    at: usize,
    nodes: Vec<usize>,
}

impl OverloadChoice {
    fn new(typing: &FormTyping, prim: Prim, at: usize, nodes: Vec<usize>) -> Result<OverloadChoice, UnclearTyping> {
        let forms = |overload: &&Overload| {
            let mut of = overload.operands().iter().zip(&nodes);
            of.all(|(meta, at)| is_form(meta, typing.nodes[*at].law.ty()))
        };
        let law = prim.overloads().iter().find(forms).ok_or(UnclearTyping)?;
        Ok(OverloadChoice { prim, law, at, nodes })
    }

    /// What an overload says of the node at this position.
    fn says(&self, overload: &Overload, position: usize) -> MetaType {
        *overload.operands().get(position).unwrap_or(overload.result())
    }

    /// Types that don't depend on the overload, and those that are the same in each.
    fn in_common(&self, typing: &mut FormTyping) -> Result<(), UnclearTyping> {
        let overloads = self.prim.overloads();
        let same = |a: usize, b: usize| overloads.iter().all(|o| self.says(o, a) == self.says(o, b));
        for (position, at) in self.nodes.iter().enumerate() {
            let first = self.says(&overloads[0], position);
            if matches!(first, MetaType::Real | MetaType::Int)
                && overloads.iter().all(|o| self.says(o, position) == first)
            {
                typing.is(*at, &typing.scheme(self.at, &first, 0)?)?;
            } else if let Some(other) = (0..position).find(|other| same(*other, position)) {
                typing.is(*at, &typing.own[self.nodes[other]].clone())?;
            }
        }
        Ok(())
    }

    fn others(&self) -> impl Iterator<Item = &'static Overload> {
        self.prim.overloads().iter().filter(|other| !std::ptr::eq(*other, self.law))
    }

    /// Whether what is known of the nodes leaves the law's overload alone.
    fn is_decided(&self, typing: &FormTyping) -> bool {
        let excluded = |other: &Overload| {
            self.nodes.iter().enumerate().any(|(position, at)| {
                let ty = typing.unifier.head(&typing.own[*at]);
                !matches!(ty.view(), TypeView::Unknown(_)) && !is_form(&self.says(other, position), &ty)
            })
        };
        self.others().all(excluded)
    }

    /// The first node whose type tells the law's overload from all others.
    fn telling(&self, typing: &FormTyping) -> Result<usize, UnclearTyping> {
        let tells = |(position, at): (usize, &usize)| {
            let ty = typing.nodes[*at].law.ty();
            self.others().all(|other| !is_form(&self.says(other, position), ty)).then_some(*at)
        };
        self.nodes.iter().enumerate().find_map(tells).ok_or(UnclearTyping)
    }

    fn decide(&self, typing: &mut FormTyping) -> Result<(), UnclearTyping> {
        for (position, at) in self.nodes.iter().enumerate() {
            typing.is(*at, &typing.scheme(self.at, &self.says(self.law, position), self.prim.literal())?)?;
        }
        Ok(())
    }
}

/// Whether a type has the outermost form that a primitive asks for.
fn is_form(meta: &MetaType, ty: &Type) -> bool {
    matches!(
        (meta, ty.view()),
        (MetaType::Real, TypeView::Real) | (MetaType::Int, TypeView::Int) | (MetaType::Fin(_), TypeView::Fin(_))
    )
}

/// The equations by which the law says what each unknown is: one for each, read where it is nearest.
#[derive(Default)]
struct UnknownEquations {
    all: Vec<TypeEquation>,
    /// Which of them is that of an unknown.
    known: FxHashMap<UnknownId, usize>,
    /// By how few steps two types were compared.
    compared: FxHashMap<(u128, u128), usize>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum UnknownId {
    Type(u32),
    Size(u32),
}

impl UnknownEquations {
    /// `read` is the way to these types, and again behind it.
    fn types(&mut self, own: &Type, law: &Type, read: &mut TypeLocation) {
        let nearest = self.compared.entry((own.fingerprint(), law.fingerprint())).or_insert(usize::MAX);
        if *nearest < read.steps.len() {
            return;
        }
        *nearest = read.steps.len();
        match (own.view(), law.view()) {
            (TypeView::Unknown(k), _) => {
                self.add(UnknownId::Type(*k), read, |read| TypeEquation::Type(law.clone(), read));
            }
            (TypeView::Fin(n), TypeView::Fin(m)) => read.behind(TypeStep::Size, |read| self.size(n, m, read)),
            (TypeView::Array(n, a), TypeView::Array(m, b)) => {
                read.behind(TypeStep::Size, |read| self.size(n, m, read));
                read.behind(TypeStep::First, |read| self.types(a, b, read));
            }
            (TypeView::Pair(a, b), TypeView::Pair(c, d)) | (TypeView::Fun(a, b), TypeView::Fun(c, d)) => {
                read.behind(TypeStep::First, |read| self.types(a, c, read));
                read.behind(TypeStep::Second, |read| self.types(b, d, read));
            }
            _ => {}
        }
    }

    fn size(&mut self, own: &Size, law: &Size, read: &TypeLocation) {
        // A size that is made of unknowns follows from them, so that only a single one has to be asked for.
        if let Some(SizeAtom::Unknown(k)) = own.as_atom() {
            self.add(UnknownId::Size(*k), read, |read| TypeEquation::Size(law.clone(), read));
        }
    }

    /// Ways into types are as long as these are deep: they are copied for the equations that stay alone.
    fn add(&mut self, unknown: UnknownId, read: &TypeLocation, equation: impl FnOnce(TypeLocation) -> TypeEquation) {
        match self.known.get(&unknown).copied() {
            Some(k) if read.steps.len() <= self.all[k].steps() => self.all[k] = equation(read.clone()),
            Some(_) => {}
            None => {
                self.known.insert(unknown, self.all.len());
                self.all.push(equation(read.clone()));
            }
        }
    }
}

impl TypeEquation {
    fn node(&self) -> usize {
        match self {
            TypeEquation::Type(_, read) | TypeEquation::Size(_, read) => read.node,
            TypeEquation::Value(_, at) => *at,
        }
    }

    fn steps(&self) -> usize {
        match self {
            TypeEquation::Type(_, read) | TypeEquation::Size(_, read) => read.steps.len(),
            TypeEquation::Value(..) => 0,
        }
    }
}
