//! Draws charts of numbers, as text for a terminal and as SVG, and graphs, as SVG and as dot.
//!
//! It gets plain data and gives text, the same for the same data; it knows no terms, no sessions and no colours of a
//! terminal.

mod dot;
mod graph;
mod scale;
mod svg;
mod text;

pub use dot::dot;
pub use graph::{Diagram, DiagramEdge, Vertex, diagram};
pub use svg::svg;
pub use text::text;

/// Curves over what is counted.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chart {
    /// What it shows.
    pub title: String,
    /// What is counted to the right.
    pub across: String,
    /// What is counted upwards.
    pub up: String,
    /// What is drawn.
    pub curves: Vec<ChartCurve>,
    /// Parts of the way to the right that have names, in order; they don't overlap.
    pub bands: Vec<Band>,
}

/// Points, from left to right.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChartCurve {
    /// What tells it from others; a curve alone needs none.
    pub name: String,
    /// How far to the right, and how high.
    pub points: Vec<(u64, u128)>,
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
    fn across(&self) -> scale::AxisScale {
        let x = || self.points().map(|(x, _)| *x);
        scale::AxisScale::between(x().min().unwrap_or(0), x().max().unwrap_or(0))
    }

    fn up(&self) -> scale::AxisScale {
        scale::AxisScale::of(self.points().map(|(_, y)| *y))
    }

    fn points(&self) -> impl Iterator<Item = &(u64, u128)> + Clone {
        self.curves.iter().flat_map(|curve| &curve.points)
    }
}
