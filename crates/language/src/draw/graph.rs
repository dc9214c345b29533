//! Draws a graph as SVG, in columns from left to right: vertices of one layer share a column.

use std::collections::BTreeMap;

use super::svg::{escaped, file, text};
use crate::ground::order::InOrder;
use crate::ground::text::shortened;

/// Things and the links between them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diagram {
    /// What it shows.
    pub title: String,
    /// The things; links name them by their place here.
    pub vertices: Vec<Vertex>,
    /// The links.
    pub links: Vec<DiagramEdge>,
}

/// One thing, drawn as a box.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Vertex {
    /// What it is called.
    pub name: String,
    /// What is said of it below its name.
    pub note: String,
    /// What is shown where one points at it.
    pub hint: String,
    /// Its column.
    pub layer: usize,
    /// Whether it is drawn as the one from which all others are reached.
    pub is_first: bool,
    /// Whether it is drawn as the best.
    pub is_best: bool,
    /// Whether it is drawn as an end.
    pub is_end: bool,
}

/// A link from one thing to another.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DiagramEdge {
    /// Where it begins.
    pub from: usize,
    /// Where it ends.
    pub to: usize,
    /// What it is called.
    pub name: String,
    /// What is shown where one points at it.
    pub hint: String,
}

/// The size of a box, and the room between boxes, to the right and down.
const BOX: [f64; 2] = [190.0, 44.0];
const GAP: [f64; 2] = [170.0, 18.0];

/// The room around all, and for the title.
const MARGIN: f64 = 24.0;
const HEAD: f64 = 36.0;

/// So many characters fit into a box, and between boxes.
const MAX_BOX_CHARACTERS: usize = 26;
const MAX_LINK_CHARACTERS: usize = 24;

const STYLE: &str = "\
  <style>
    svg { background: #ffffff; color: #24292f; font: 12px system-ui, sans-serif; }
    text { fill: currentColor; }
    .title { font-size: 15px; font-weight: 600; }
    .name { font-weight: 600; }
    .note { fill-opacity: 0.75; font-size: 11px; }
    .box { fill: #f6f8fa; stroke: currentColor; stroke-opacity: 0.5; }
    .first { stroke-width: 2.5; stroke-opacity: 1; }
    .best { fill: #dafbe1; stroke: #1a7f37; stroke-opacity: 1; }
    .link { stroke: currentColor; stroke-opacity: 0.4; fill: none; }
    .back { stroke-dasharray: 4 3; }
    .arrow { fill: currentColor; fill-opacity: 0.6; }
    .rule { font-size: 10px; stroke: #ffffff; stroke-width: 3; paint-order: stroke; }
    @media (prefers-color-scheme: dark) {
      svg { background: #0d1117; color: #e6edf3; }
      .box { fill: #161b22; }
      .best { fill: #12261e; stroke: #3fb950; }
      .rule { stroke: #0d1117; }
    }
  </style>
  <defs><marker id=\"arrow\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\"><path class=\"arrow\" d=\"M0 0L8 4L0 8z\"/></marker></defs>
";

/// The graph as a file of its own.
pub fn diagram(diagram: &Diagram) -> String {
    let places = places(diagram);
    let right = places.iter().map(|(x, _)| x + BOX[0]).fold(BOX[0], f64::max) + MARGIN;
    let bottom = places.iter().map(|(_, y)| y + BOX[1]).fold(HEAD + BOX[1], f64::max) + MARGIN;
    // A title may be wider than a graph of few boxes.
    let right = right.max(diagram.title.chars().count() as f64 * 9.0 + 2.0 * MARGIN);
    let mut lines = Vec::new();
    let mut line = |text: String| lines.push(text);
    line(text(MARGIN, 24.0, "start\" class=\"title", &diagram.title));
    let mut names = Vec::new();
    for link in &diagram.links {
        let (way, middle, is_back) = way(diagram, link, &places);
        let back = if is_back { " back" } else { "" };
        let hint = escaped(&link.hint);
        line(format!("<path class=\"link{back}\" marker-end=\"url(#arrow)\" d=\"{way}\"><title>{hint}</title></path>"));
        names.push(text(middle.0, middle.1, "middle\" class=\"rule", &shortened(&link.name, MAX_LINK_CHARACTERS)));
    }
    for (vertex, (x, y)) in diagram.vertices.iter().zip(&places) {
        let flags = [(vertex.is_first, " first"), (vertex.is_best, " best"), (vertex.is_end, " end")];
        let class: String = flags.iter().filter(|(is, _)| *is).map(|(_, name)| *name).collect();
        let round = if vertex.is_end { 0 } else { 8 };
        line(format!(
            "<g><title>{}</title><rect class=\"box{class}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{}\" height=\"{}\" rx=\"{round}\"/>",
            escaped(&vertex.hint),
            BOX[0],
            BOX[1]
        ));
        let middle = x + BOX[0] / 2.0;
        let name_at = if vertex.note.is_empty() { 27.0 } else { 19.0 };
        line(text(middle, y + name_at, "middle\" class=\"name", &shortened(&vertex.name, MAX_BOX_CHARACTERS)));
        if !vertex.note.is_empty() {
            line(text(middle, y + 35.0, "middle\" class=\"note", &shortened(&vertex.note, MAX_BOX_CHARACTERS)));
        }
        line("</g>".to_owned());
    }
    names.into_iter().for_each(line);
    let frame = format!("width=\"{right:.0}\" height=\"{bottom:.0}\" viewBox=\"0 0 {right:.0} {bottom:.0}\"");
    file(&frame, &diagram.title, STYLE, &lines)
}

/// The way of a link, the middle of it, and whether it leads back.
fn way(diagram: &Diagram, link: &DiagramEdge, places: &[(f64, f64)]) -> (String, (f64, f64), bool) {
    let layer = |k: usize| diagram.vertices[k].layer;
    let ((x1, y1), (x2, y2)) = (places[link.from], places[link.to]);
    let (y1, y2) = (y1 + BOX[1] / 2.0, y2 + BOX[1] / 2.0);
    let is_back = layer(link.from) >= layer(link.to);
    let (begin, end, out, into) = match layer(link.from).cmp(&layer(link.to)) {
        std::cmp::Ordering::Less => (x1 + BOX[0], x2, GAP[0] / 2.0, -GAP[0] / 2.0),
        std::cmp::Ordering::Equal => (x1 + BOX[0], x2 + BOX[0], GAP[0] / 2.0, GAP[0] / 2.0),
        std::cmp::Ordering::Greater => (x1, x2 + BOX[0], -GAP[0] / 2.0, GAP[0] / 2.0),
    };
    let (c1, c2) = (begin + out, end + into);
    // A cubic curve at its half.
    let middle = ((begin + 3.0 * c1 + 3.0 * c2 + end) / 8.0, (y1 + y2) / 2.0 + 3.0);
    (format!("M{begin:.1} {y1:.1}C{c1:.1} {y1:.1} {c2:.1} {y2:.1} {end:.1} {y2:.1}"), middle, is_back)
}

/// Where the boxes stand: in the column of their layer, in the order of the middle of those from which they are reached.
fn places(diagram: &Diagram) -> Vec<(f64, f64)> {
    let mut layers: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (k, vertex) in diagram.vertices.iter().enumerate() {
        layers.entry(vertex.layer).or_default().push(k);
    }
    let tallest = layers.values().map(Vec::len).max().unwrap_or(0) as f64;
    let mut found = vec![(0.0, 0.0); diagram.vertices.len()];
    for (column, (layer, members)) in layers.iter().enumerate() {
        let height = |k: usize| {
            let from = diagram.links.iter().filter(|link| link.to == k && diagram.vertices[link.from].layer < *layer);
            let heights: Vec<f64> = from.map(|link| found[link.from].1).collect();
            heights.iter().sum::<f64>() / (heights.len().max(1) as f64)
        };
        let mut order: Vec<(f64, usize)> = members.iter().map(|k| (height(*k), *k)).collect();
        order.order_by(|(a, _), (b, _)| a.total_cmp(b));
        let top = MARGIN + HEAD + (tallest - order.len() as f64) / 2.0 * (BOX[1] + GAP[1]);
        for (row, (_, k)) in order.into_iter().enumerate() {
            found[k] = (MARGIN + column as f64 * (BOX[0] + GAP[0]), top + row as f64 * (BOX[1] + GAP[1]));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{Diagram, DiagramEdge, Vertex, diagram};
    use crate::draw::dot;

    fn sample() -> Diagram {
        let vertex = |name: &str, layer| Vertex { name: name.to_owned(), layer, ..Vertex::default() };
        let link = |from, to| DiagramEdge { from, to, name: "a <+ \"b\"".to_owned(), hint: String::new() };
        Diagram {
            title: "two ways".to_owned(),
            vertices: vec![vertex("1", 0), vertex("2", 1), vertex("3", 1), vertex("4", 2)],
            links: vec![link(0, 1), link(0, 2), link(1, 3), link(2, 3), link(3, 0), link(1, 2)],
        }
    }

    #[test]
    fn boxes_of_one_layer_share_a_column_and_none_overlap() {
        let places = super::places(&sample());
        assert_eq!(places[1].0, places[2].0);
        assert!(places[0].0 < places[1].0 && places[1].0 < places[3].0);
        assert!(places[1].1 + super::BOX[1] < places[2].1);
        assert_eq!(places[0].1, (places[1].1 + places[2].1) / 2.0);
    }

    #[test]
    fn all_is_drawn_and_nothing_breaks_out_of_its_quotes() {
        let (svg, dot) = (diagram(&sample()), dot(&sample()));
        assert_eq!((svg.matches("<rect").count(), svg.matches("class=\"link").count()), (4, 6));
        assert_eq!(svg.matches(" back\"").count(), 2);
        assert!(svg.contains("a &lt;+ &quot;b&quot;") && svg.starts_with("<svg") && svg.ends_with("</svg>\n"));
        assert_eq!((dot.matches(" -> ").count(), dot.matches("a <+ \\\"b\\\"").count()), (6, 6));
        assert_eq!(diagram(&Diagram::default()).matches("<rect").count(), 0);
    }
}
