//! Renders the terms that rules reach as JSON.

use serde_json::{Value, json};

use crate::render::stopped_json;
use redexter_language::syntax::{PrintStyle, print_term};
use redexter_rewriting::choice::{RewriteEdge, RewriteGraph, RewriteNode};

/// The graph as JSON: terms, each with its number, what leads on from it, and what is said of it.
pub fn graph(graph: &RewriteGraph) -> Value {
    let node = |(k, node): (usize, &RewriteNode)| {
        let edge = |edge: &RewriteEdge| {
            json!({
                "rule": edge.rule.to_string(),
                "path": edge.path.address(&node.term),
                "to": edge.to + 1,
            })
        };
        json!({
            "number": k + 1,
            "term": print_term(&node.term, &PrintStyle { width: usize::MAX }),
            "work": node.work.to_string(),
            "steps": node.depth,
            "normal": node.is_normal(),
            "open": node.open,
            "edges": node.edges.iter().map(edge).collect::<Vec<Value>>(),
        })
    };
    json!({
        "steps": graph.steps,
        "rules": graph.rules,
        "cheapest": graph.cheapest + 1,
        "all": graph.limit.is_none() && graph.stopped.is_none(),
        "stopped": stopped_json(graph.stopped.as_ref()),
        "terms": graph.nodes.iter().enumerate().map(node).collect::<Vec<Value>>(),
    })
}
