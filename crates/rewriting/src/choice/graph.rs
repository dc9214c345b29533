//! Explores the terms that rules reach within some steps, as a `RewriteGraph` of rewrites.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::redex::Finder;
use crate::rule::Rule;
use redexter_language::cost::{Poly, WorkMeter, typical};
use redexter_language::ground::{Budget, Trouble};
use redexter_language::term::{Path, Program, Term};

/// The terms that some rules reach from one, each once, and the rewrites between them.
#[derive(Clone, Debug)]
pub struct RewriteGraph {
    /// The terms in the order in which they were reached; the first is where it begins.
    pub nodes: Vec<RewriteNode>,
    /// The number of the cheapest term, the first of these.
    pub cheapest: usize,
    /// So many steps were to be taken.
    pub steps: usize,
    /// The rules, as users write them.
    pub rules: Vec<String>,
    /// More terms than this aren't gathered; None where all were.
    pub limit: Option<usize>,
    /// The limit that ended the search.
    pub stopped: Option<Trouble>,
}

/// A term that is reached.
#[derive(Clone, Debug)]
pub struct RewriteNode {
    /// The term.
    pub term: Term,
    /// Its work.
    pub work: Rc<Poly>,
    /// The fewest steps that lead to it.
    pub depth: usize,
    /// What leads on from it, from the root down and from left to right.
    pub edges: Vec<RewriteEdge>,
    /// Whether rewrites lead on that aren't among its edges; a term without these and without edges is a normal form.
    pub open: bool,
}

/// A rewrite.
#[derive(Clone, Debug)]
pub struct RewriteEdge {
    /// The rule.
    pub rule: Rule,
    /// Where.
    pub path: Path,
    /// The number of the term that it leads to.
    pub to: usize,
}

impl RewriteNode {
    /// Whether no rewrite leads on from it.
    pub fn is_normal(&self) -> bool {
        self.edges.is_empty() && !self.open
    }
}

/// The terms that the finder's rules reach from a program within so many steps, at a path and below it: in order of
/// their distance, at most `most`. Each rewrite counts as a step of the budget; where that says stop, what was found so
/// far is the answer.
pub fn graph(
    program: &Program,
    within: &Path,
    (steps, most): (usize, usize),
    finder: &mut Finder,
    budget: &Budget,
) -> RewriteGraph {
    let mut search = RewriteSearch { meter: WorkMeter::default(), nodes: Vec::new(), known: FxHashMap::default() };
    search.add(&program.term, 0);
    let (mut next, mut stopped, mut is_full) = (0, None, false);
    while next < search.nodes.len() && stopped.is_none() {
        let from = program.with(search.nodes[next].term.clone());
        let depth = search.nodes[next].depth;
        let leads_on = depth < steps && !is_full;
        let mut edges = Vec::new();
        let all = finder.each(&from, within, budget, &mut |redex| {
            // Behind the last step one redex is enough, because it tells that rewrites lead on.
            let after = redex.rewrite(&from.term).filter(|_| leads_on);
            let Some(after) = after else { return Ok(false) };
            budget.step()?;
            let known = search.known.get(&after.fingerprint()).copied();
            is_full |= known.is_none() && search.nodes.len() >= most;
            if is_full {
                return Ok(false);
            }
            let to = known.unwrap_or_else(|| search.add(&after, depth + 1));
            edges.push(RewriteEdge { rule: redex.rule, path: redex.path, to });
            Ok(true)
        });
        let node = &mut search.nodes[next];
        (node.edges, node.open) = (edges, !matches!(all, Ok(true)));
        stopped = all.err().map(Trouble::from);
        next += 1;
    }
    let nodes = search.nodes;
    let size = |node: &RewriteNode| typical(&node.work, &program.bounds);
    let cheapest = (0..nodes.len()).min_by_key(|k| size(&nodes[*k])).unwrap_or(0);
    let rules = finder.families().iter().map(ToString::to_string);
    RewriteGraph { cheapest, steps, rules: rules.collect(), limit: is_full.then_some(most), stopped, nodes }
}

struct RewriteSearch {
    meter: WorkMeter,
    nodes: Vec<RewriteNode>,
    /// The number of each term, by its fingerprint.
    known: FxHashMap<u128, usize>,
}

impl RewriteSearch {
    fn add(&mut self, term: &Term, depth: usize) -> usize {
        let work = Rc::new(self.meter.total(term));
        self.known.insert(term.fingerprint(), self.nodes.len());
        // Until it was looked at, nobody knows what leads on, so that it counts as open.
        self.nodes.push(RewriteNode { term: term.clone(), work, depth, edges: Vec::new(), open: true });
        self.nodes.len() - 1
    }
}
