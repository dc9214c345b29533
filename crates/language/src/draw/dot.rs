//! Writes a graph in the language of Graphviz.

use super::graph::Diagram;
use crate::ground::text::visible;

/// The graph as a file of its own.
pub fn dot(diagram: &Diagram) -> String {
    let mut out = format!(
        "digraph {} {{\n  rankdir=LR;\n  node [shape=box, style=rounded, fontname=\"sans-serif\"];\n  edge [fontname=\"sans-serif\", fontsize=10];\n",
        quoted(&diagram.title)
    );
    for (k, vertex) in diagram.vertices.iter().enumerate() {
        let label = match vertex.note.is_empty() {
            true => vertex.name.clone(),
            false => format!("{}\n{}", vertex.name, vertex.note),
        };
        let flags = [
            (vertex.is_first, ", penwidth=2.5"),
            (vertex.is_best, ", color=\"#1a7f37\""),
            (vertex.is_end, ", style=solid"),
        ];
        let looks: String = flags.iter().filter(|(is, _)| *is).map(|(_, look)| *look).collect();
        out += &format!("  {} [label={}, tooltip={}{looks}];\n", k + 1, quoted(&label), quoted(&vertex.hint));
    }
    for link in &diagram.links {
        let (from, to) = (link.from + 1, link.to + 1);
        out += &format!("  {from} -> {to} [label={}, tooltip={}];\n", quoted(&link.name), quoted(&link.hint));
    }
    out + "}\n"
}

fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in visible(text).chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '"' | '\\' => out.extend(['\\', c]),
            c if c.is_control() => {}
            c => out.push(c),
        }
    }
    out + "\""
}
