//! Drawings: a chart of numbers as text for a terminal and as SVG, a graph as SVG and as dot.
//!
//! It gets plain data and gives text, the same for the same data; it knows no terms, no sessions and no colours of a
//! terminal.

mod dot;
mod graph;
mod scale;
mod svg;
mod text;

pub use dot::dot;
pub use graph::{Diagram, Link, Vertex, diagram};
pub use svg::svg;
pub use text::text;

/// A curve over steps.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chart {
    /// What it shows.
    pub title: String,
    /// What is counted to the right.
    pub across: String,
    /// What is counted upwards.
    pub up: String,
    /// The points of the curve, from left to right.
    pub points: Vec<(u64, u128)>,
    /// Parts of the way to the right that have names, in order; they don't overlap.
    pub bands: Vec<Band>,
}

/// A part with a name, from one step to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Band {
    /// Its name.
    pub name: String,
    /// Where it begins.
    pub from: u64,
    /// Where it ends.
    pub to: u64,
}

impl Chart {
    fn across(&self) -> scale::Scale {
        let x = || self.points.iter().map(|(x, _)| *x);
        scale::Scale::between(x().min().unwrap_or(0), x().max().unwrap_or(0))
    }

    fn up(&self) -> scale::Scale {
        scale::Scale::of(self.points.iter().map(|(_, y)| *y))
    }
}
