//! Renders the terms that rules reach: as an indented list and as a drawing.

use crate::render::{brief, excerpt, polynomial, trend};
use crate::styled::{Look, MAX_WORK_CHARS, Styled};
use redexter_language::draw::{Diagram, DiagramEdge, Vertex};
use redexter_language::ground::text::{counted, listed};
use redexter_language::term::Term;
use redexter_rewriting::choice::{RewriteEdge, RewriteGraph, RewriteNode};

/// The most lines that are printed.
const MAX_LINES: usize = 200;

/// The most characters of a term that are shown where one points at it.
const MAX_HINT_CHARS: usize = 400;

const MAX_BOX_CHARS: usize = 20;

/// An indented list: below each term those that were reached from it first.
pub fn graph(graph: &RewriteGraph) -> Styled {
    let mut listing = GraphListing { graph, shown: vec![false; graph.nodes.len()], lines: Vec::new(), left: 0 };
    listing.node(0, 0, None);
    let mut out = Styled::aside(&format!("{}\n", title(graph)));
    for line in &listing.lines {
        out = out.then(line.clone()).then("\n");
    }
    if listing.left > 0 {
        let left = counted(listing.left, "line");
        out.push(Look::Aside, &format!("… and {left} more; `:graph {} FILE.svg` draws all of it\n", graph.steps));
    }
    if graph.limit.is_some() {
        out.push(Look::Aside, &format!("{}\n", NOT_ALL));
    }
    out
}

const NOT_ALL: &str = "these aren't all: fewer steps, fewer rules or a focus on a part make it smaller";

/// `7 terms within 2 steps by beta, getBuild`
fn title(graph: &RewriteGraph) -> String {
    let (terms, steps) = (counted(graph.nodes.len(), "term"), counted(graph.steps, "step"));
    let first = if graph.limit.is_some() { "the first " } else { "" };
    let rules = match graph.rules.len() {
        0..=8 => listed(&graph.rules),
        count => format!("{count} rules"),
    };
    format!("{first}{terms} within {steps} by {rules}")
}

/// A graph that is being listed.
struct GraphListing<'a> {
    graph: &'a RewriteGraph,
    shown: Vec<bool>,
    lines: Vec<Styled>,
    /// Lines that there is no room for.
    left: usize,
}

impl GraphListing<'_> {
    fn line(&mut self, line: impl FnOnce() -> Styled) {
        match self.lines.len() < MAX_LINES {
            true => self.lines.push(line()),
            false => self.left += 1,
        }
    }

    /// A term, how it was reached first, and what is reached from it.
    fn node(&mut self, number: usize, indent: usize, by: Option<(&RewriteNode, &RewriteEdge)>) {
        self.shown[number] = true;
        let graph = self.graph;
        let node = &graph.nodes[number];
        self.line(|| {
            let mut line = Styled::from(format!("{}{}. ", "  ".repeat(indent), number + 1));
            match by {
                Some((from, edge)) => line.append(&reached(&from.term, edge)),
                None => line.push(Look::Strong, "the current term"),
            }
            line.push(Look::Aside, "  ");
            line.push(trend(&graph.nodes[0].work, &node.work), &brief(&node.work, MAX_WORK_CHARS));
            line.and(Look::Note, &marks(graph, number).into_iter().map(|mark| format!("  {mark}")).collect::<String>())
        });
        for edge in &node.edges {
            // A term that is listed already, or that was reached in no more steps and is listed elsewhere, is only pointed at.
            match self.shown[edge.to] || graph.nodes[edge.to].depth <= node.depth {
                false => self.node(edge.to, indent + 1, Some((node, edge))),
                true => self.line(|| {
                    let arrow = format!("{}→ {}  ", "  ".repeat(indent + 1), edge.to + 1);
                    Styled::of(Look::Aside, &arrow).then(reached(&node.term, edge))
                }),
            }
        }
    }
}

/// `beta at .body.0`
fn reached(from: &Term, edge: &RewriteEdge) -> Styled {
    let place = edge.path.display(from);
    let rule = Styled::of(Look::Rule, &edge.rule.to_string());
    if place.is_empty() { rule } else { rule.and(Look::Aside, &format!(" at .{place}")) }
}

/// The remarks on a term besides its work.
fn marks(graph: &RewriteGraph, number: usize) -> Vec<&'static str> {
    let node = &graph.nodes[number];
    let all = [(graph.cheapest == number, "cheapest"), (node.is_normal(), "normal form"), (node.open, "leads on")];
    all.into_iter().filter(|(is, _)| *is).map(|(_, mark)| mark).collect()
}

/// The graph as it is drawn: rewrites between the same terms are one link.
pub fn drawing(graph: &RewriteGraph) -> Diagram {
    let vertex = |(k, node): (usize, &RewriteNode)| {
        let mut notes = marks(graph, k);
        if k == 0 {
            notes.insert(0, "current");
        }
        Vertex {
            name: format!("{}: {}", k + 1, brief(&node.work, MAX_BOX_CHARS)),
            note: listed(notes),
            hint: format!("work {}\n{}", polynomial(&node.work), excerpt(&node.term, &[], MAX_HINT_CHARS)),
            layer: node.depth,
            is_first: k == 0,
            is_best: k == graph.cheapest,
            is_end: node.is_normal(),
        }
    };
    let mut links: Vec<DiagramEdge> = Vec::new();
    for (from, node) in graph.nodes.iter().enumerate() {
        let first = links.len();
        for edge in &node.edges {
            let (rule, hint) = (edge.rule.to_string(), reached(&node.term, edge).into_text());
            match links[first..].iter_mut().find(|link| link.to == edge.to) {
                Some(link) => {
                    if !link.name.split(", ").any(|known| known == rule) {
                        link.name = format!("{}, {rule}", link.name);
                    }
                    link.hint = format!("{}\n{hint}", link.hint);
                }
                None => links.push(DiagramEdge { from, to: edge.to, name: rule, hint }),
            }
        }
    }
    let vertices = graph.nodes.iter().enumerate().map(vertex).collect();
    let not_all = if graph.limit.is_some() { "; these aren't all" } else { "" };
    Diagram { title: format!("{}{not_all}", title(graph)), vertices, links }
}
