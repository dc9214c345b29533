//! Explains in full why a law doesn't apply: how much of its left side is there, and the first thing that differs. Nothing here
//! is made while rules are tried.

use redexter_language::ground::Name;
use redexter_language::term::{Kind, Path, Size, Term, Type, TypeView};

use super::super::condition::way;
use super::super::explanation::{CaptureMismatch, FormMismatch, NonlinearMismatch, RuleExplanation, RuleMismatch};
use super::super::focus::Focus;
use super::super::occurrence::{NodeVerdict, places};
use super::attempt::Match;
use super::behind::behind;
use super::compile::asked_types;
use super::locate::TypeEquation;
use super::obstacle::Obstacle;
use super::pattern_text::piece;
use super::unknowns::Unknowns;
use super::{CompiledLaw, NodeTest, VariableArguments, VariableBinding};

/// The most occurrences of a variable that are told by their places.
const MAX_TOLD_PLACES: usize = 12;

impl CompiledLaw {
    /// Why the law, number `number` of its rule, doesn't apply; none where it does.
    pub(in super::super) fn explain(&self, focus: &Focus, arguments: &[u64], number: usize) -> Option<RuleExplanation> {
        let law = Some((number, self.law.text.clone()));
        let nodes = self.there(focus.term);
        let (matched, of) = (nodes.iter().filter(|node| node.fits).count(), nodes.len());
        let mismatch = match nodes.iter().position(|node| !node.fits) {
            Some(at) => self.form(at, nodes[at].term.as_ref()?, focus),
            None => self.examined(focus, arguments, |found, obstacle| {
                ObstacleSeeker { found, focus, arguments, base: way(focus.context) }.mismatch(obstacle)
            })?,
        };
        Some(RuleExplanation { law, matched, of, mismatch })
    }

    /// What stands where the left side is inspected, as far as what is above fits.
    fn there(&self, term: &Term) -> Vec<InspectedNode> {
        let mut nodes: Vec<InspectedNode> = Vec::with_capacity(self.inner);
        for (at, node) in self.nodes[..self.inner].iter().enumerate() {
            let term = match at {
                0 => Some(term.clone()),
                // Below what doesn't fit nothing counts, since the children of another constructor mean something else.
                _ => Some(&nodes[node.parent]).filter(|above| above.fits).and_then(|above| above.kid(node.kid)),
            };
            let fits = term.as_ref().is_some_and(|term| match node.test {
                // All above it fits, so that the term has as many binders there as the left side, and the index is the same.
                NodeTest::Bound(_, index) => matches!(term.kind(), Kind::Var) && term.places()[0] == index,
                test => test.admits(term),
            });
            nodes.push(InspectedNode { term, fits });
        }
        nodes
    }

    fn form(&self, at: usize, found: &Term, focus: &Focus) -> RuleMismatch {
        let (within, mut path) = (self.way_to(at), way(focus.context));
        let test = self.nodes[at].test;
        // A bound variable can't be looked for by its constructor, since any variable has that.
        let behind = match test {
            NodeTest::Bound(..) => None,
            _ => behind(&|term| test.admits(term), found, focus, &within),
        };
        path.0.extend(&within);
        RuleMismatch::Form(Box::new(FormMismatch {
            piece: piece(&self.law, &within),
            noun: self.words[at],
            under: (at > 0).then(|| self.words[self.nodes[at].parent]),
            within: Path(within),
            path,
            found: found.clone(),
            behind,
        }))
    }

    /// The way through the left side, and the term, to a node.
    fn way_to(&self, at: usize) -> Vec<u32> {
        let (mut at, mut way) = (at, Vec::new());
        while at != 0 {
            way.push(self.nodes[at].kid as u32);
            at = self.nodes[at].parent;
        }
        way.reverse();
        way
    }

    /// The node that binds the variable with this index at a node.
    fn binder_of(&self, at: usize, index: u32) -> usize {
        let (mut at, mut index) = (at, index);
        while at != 0 {
            let node = &self.nodes[at];
            let Some(outer) = index.checked_sub(node.binders) else { return node.parent };
            (at, index) = (node.parent, outer);
        }
        at
    }
}

/// A subterm where the left side is inspected.
struct InspectedNode {
    term: Option<Term>,
    fits: bool,
}

impl InspectedNode {
    fn kid(&self, k: usize) -> Option<Term> {
        self.term.as_ref().filter(|term| k < term.kid_count()).map(|term| term.kid(k))
    }
}

/// A law whose left side's form is that of the term.
struct ObstacleSeeker<'a> {
    found: &'a Match<'a>,
    focus: &'a Focus<'a>,
    arguments: &'a [u64],
    /// The way to the term.
    base: Path,
}

impl ObstacleSeeker<'_> {
    fn mismatch(&self, obstacle: Obstacle) -> RuleMismatch {
        let law = self.found.law;
        match obstacle {
            Obstacle::Captures(j) | Obstacle::Projects(j) => self.captures(j),
            Obstacle::Differs(j) => self.differs(j),
            Obstacle::Types(_) => self.types(),
            Obstacle::Bound(k) => self.bound(k),
            Obstacle::Condition(k) => {
                let (condition, _) = &law.conditions[k];
                RuleMismatch::Condition(Box::new(condition.facts(k, self.found, self.focus, self.arguments)))
            }
            Obstacle::Wrong(why) => RuleMismatch::Words(why.to_string()),
            Obstacle::TooLarge => RuleMismatch::TooLarge,
            Obstacle::Form => RuleMismatch::Words("the left side's form isn't that of the term".to_owned()),
        }
    }

    fn variable(&self, j: usize) -> Name {
        self.found.law.law.vars[j].name.clone()
    }

    /// Where a variable of the law stands: first, and again.
    fn bindings(&self, j: usize) -> impl Iterator<Item = &VariableBinding> {
        let law = self.found.law;
        let again = law.again.iter().filter(move |(k, _)| *k == j).map(|(_, binding)| binding);
        std::iter::once(&law.vars[j]).chain(again)
    }

    fn absolute(&self, within: &[u32]) -> Path {
        Path([&self.base.0[..], within].concat())
    }

    fn captures(&self, j: usize) -> RuleMismatch {
        let captures = self.bindings(j).find_map(|binding| self.captured(j, binding));
        captures.map_or_else(unclear, |captures| RuleMismatch::Captures(Box::new(captures)))
    }

    fn captured(&self, j: usize, binding: &VariableBinding) -> Option<CaptureMismatch> {
        let law = self.found.law;
        let within = law.way_to(binding.node);
        let term = Path(within.clone()).find(self.focus.term)?;
        let path = self.absolute(&within);
        (0..binding.under).find_map(|index| {
            let occurrences = forbidden(&term, index, &binding.arguments, &path);
            (!occurrences.is_empty()).then_some(())?;
            let binder = law.way_to(law.binder_of(binding.node, index));
            let hint = |term: &Term| Path(binder.clone()).find(term).and_then(|term| term.kind().hint().cloned());
            Some(CaptureMismatch {
                variable: self.variable(j),
                path: path.clone(),
                binder: (hint(&law.law.left)?, hint(self.focus.term)?),
                bound: self.absolute(&binder),
                occurrences,
            })
        })
    }

    fn differs(&self, j: usize) -> RuleMismatch {
        let first = &self.found.law.vars[j];
        let differing = self.bindings(j).skip(1).find_map(|again| {
            let (a, b) = (self.found.standing(first)?, self.found.standing(again)?);
            (a != b).then(|| (again, apart(&a, &b)))
        });
        let Some((again, below)) = differing else { return unclear() };
        let ways = [first, again].map(|binding| self.found.law.way_to(binding.node));
        let at = ways.clone().map(|way| [&way[..], &below].concat());
        let [Some(a), Some(b)] = at.clone().map(|at| Path(at).find(self.focus.term)) else { return unclear() };
        RuleMismatch::Differs(Box::new(NonlinearMismatch {
            variable: self.variable(j),
            paths: ways.map(|way| self.absolute(&way)),
            at: at.map(|at| self.absolute(&at)),
            terms: [a, b],
        }))
    }

    fn bound(&self, k: usize) -> RuleMismatch {
        let (name, size, wanted) = &self.found.law.bounds[k];
        let Some(value) = self.found.known(size) else { return unclear() };
        let least = value.least(self.focus.bounds);
        RuleMismatch::Bound { size: name.clone(), value, least, wanted: *wanted }
    }

    /// The last type or size that isn't what all others say; where there are several, the first that isn't what those before
    /// it say.
    fn types(&self) -> RuleMismatch {
        let all = asked_types(&self.found.law.law);
        let without = |k: usize| -> Vec<TypeEquation> { [&all[..k], &all[k + 1..]].concat() };
        let odd = (0..all.len()).rev().find_map(|k| Some((k, self.found.solve(&without(k))?)));
        let first = || (0..all.len()).find(|k| self.found.solve(&all[..=*k]).is_none());
        let odd = odd.or_else(|| first().and_then(|k| Some((k, self.found.solve(&all[..k])?))));
        let mismatch = odd.and_then(|(k, others)| self.odd(&all[k], &others));
        mismatch.unwrap_or_else(unclear)
    }

    fn odd(&self, equation: &TypeEquation, others: &Unknowns) -> Option<RuleMismatch> {
        let path = |node: usize| self.absolute(&self.found.law.way_to(node));
        match equation {
            TypeEquation::Size(law, read) => Some(size(law, self.found.size(read)?, others, path(read.node))),
            TypeEquation::Type(law, read) => Some(ty(law, self.found.ty(read)?, others, path(read.node))),
            TypeEquation::Value(law, at) => {
                let within = self.found.law.way_to(*at);
                let found = Path(within.clone()).find(self.focus.term)?;
                let piece = others.known(law).unwrap_or_else(|| law.clone()).to_string();
                let (noun, path) = ("size", path(*at));
                let form = FormMismatch { piece, noun, under: None, within: Path(within), path, found, behind: None };
                Some(RuleMismatch::Form(Box::new(form)))
            }
        }
    }
}

/// What can't be told apart further.
fn unclear() -> RuleMismatch {
    RuleMismatch::Words("the types or sizes differ from the law's".to_owned())
}

fn size(law: &Size, found: &Size, others: &Unknowns, path: Path) -> RuleMismatch {
    RuleMismatch::Size { law: law.clone(), wanted: others.known(law), found: found.clone(), path }
}

/// The first part of a type that isn't what the law says.
fn ty(law: &Type, found: &Type, others: &Unknowns, path: Path) -> RuleMismatch {
    let said = |law: &Type| law.assign(&others.bindings, &mut Default::default()).ok();
    let fits = |law: &Type, found: &Type| said(law).as_ref() == Some(found);
    match (law.view(), found.view()) {
        (TypeView::Fin(n), TypeView::Fin(m)) => size(n, m, others, path),
        (TypeView::Array(n, _), TypeView::Array(m, _)) if others.known(n).is_some_and(|known| known != *m) => {
            size(n, m, others, path)
        }
        (TypeView::Array(_, a), TypeView::Array(_, b)) if !fits(a, b) => ty(a, b, others, path),
        (TypeView::Array(n, _), TypeView::Array(m, _)) => size(n, m, others, path),
        (TypeView::Pair(a, b), TypeView::Pair(c, d)) | (TypeView::Fun(a, b), TypeView::Fun(c, d)) => {
            if fits(a, c) {
                ty(b, d, others, path)
            } else {
                ty(a, c, others, path)
            }
        }
        _ => RuleMismatch::Type {
            wanted: said(law).filter(|ty| ty != law),
            law: law.clone(),
            found: found.clone(),
            path,
        },
    }
}

/// Where a term, which stands at `there`, mentions a variable that the left side binds, and isn't one of the arguments.
fn forbidden(term: &Term, index: u32, arguments: &VariableArguments, there: &Path) -> Vec<Path> {
    let is_argument = |term: &Term, under: u32| match arguments {
        VariableArguments::Plain(places) => {
            matches!(term.kind(), Kind::Var)
                && term.places()[0] == index + under
                && places.get(index as usize).is_some_and(Option::is_some)
        }
        VariableArguments::Projected(all) => all.iter().any(|argument| is_projection(argument, term, under)),
    };
    places(term, there, MAX_TOLD_PLACES, &|term, under| match term.kind() {
        _ if term.free_at(index + under).is_none() || is_argument(term, under) => NodeVerdict::Apart,
        Kind::Var => NodeVerdict::Wanted,
        _ => NodeVerdict::Above,
    })
}

/// Whether a term under so many binders is this argument: a variable, or a half of it.
fn is_projection(argument: &Term, term: &Term, under: u32) -> bool {
    match (argument.kind(), term.kind()) {
        (Kind::Var, Kind::Var) => argument.places()[0] + under == term.places()[0],
        (Kind::Fst, Kind::Fst) | (Kind::Snd, Kind::Snd) => is_projection(&argument.kid(0), &term.kid(0), under),
        _ => false,
    }
}

/// The way to the first subterms by which two terms differ.
fn apart(a: &Term, b: &Term) -> Vec<u32> {
    let (mut a, mut b, mut way) = (a.clone(), b.clone(), Vec::new());
    while a.number() == b.number() && a.kid_count() == b.kid_count() {
        let Some(k) = (0..a.kid_count()).find(|k| a.kid(*k) != b.kid(*k)) else { break };
        // What the constructors hold comes before the children.
        if b.with_kids(a.kids()).is_ok_and(|other| other != a) {
            break;
        }
        (a, b) = (a.kid(k), b.kid(k));
        way.push(k as u32);
    }
    way
}
