//! Says how a nest is to be: what results may differ in, how long strips are, which passes are done.

use super::equations::Freedom;

/// A step on the way from a program to its nest that changes no bit of a result, so that it can be left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pass {
    /// `v[best]` is what the loop that found `best` had.
    BestElements,
    /// Cheap tables are computed where they are read.
    Inline,
    /// Sums skip iterations that add 0.
    SkipZeros,
    /// What is asked for under a comparison alone is computed there.
    Guards,
    /// What is loop-invariant is computed before the loop.
    Invariants,
    /// Factors are turned (transposed), so that sums lie side by side.
    Turn,
    /// Rows are copied for a strip.
    Pack,
    /// Tables are computed right before what reads them.
    Sink,
    /// Tables of powers by doubling.
    Powers,
    /// Guards become ends of loops.
    Narrow,
    /// Loops run in pieces below, at and above an index around them (index-set splitting).
    SplitIndexSets,
    /// Sums of one element for each iteration are added where it belongs.
    Scatter,
    /// Two iterations at once (unroll and jam).
    UnrollAndJam,
    /// Loops that can't be fused stand between those that are (loop distribution).
    Distribute,
    /// A `build` of sums is one pass.
    Interchange,
    /// Short loops are written out.
    Unroll,
    /// Loops over the same lanes become one.
    FuseLanes,
    /// What is known before anything runs is put where it is read.
    Constants,
    /// Outermost iterations go side by side (outer-loop vectorisation).
    VectorizeOuter,
    /// Loops over products of sizes are loops in loops, where rounds ask for quotient and rest of their index.
    SplitProducts,
    /// In the middle of loops no guard is asked (index-set splitting).
    SplitGuards,
    /// What would be copied is stored where it goes (copy coalescing).
    Coalesce,
    /// Loops over the same indices become one, and what an iteration alone has becomes a number.
    FuseLoops,
    /// Independent iterations of loops in loops go side by side.
    VectorizeInner,
    /// What is expensive is computed once.
    Share,
    /// What nobody reads goes.
    Prune,
    /// Arrays have the space of those that nobody reads any more.
    ReuseSpace,
}

impl Pass {
    /// All of them, in the order in which they are done.
    pub const ALL: [Pass; 27] = [
        Pass::Distribute,
        Pass::Interchange,
        Pass::BestElements,
        Pass::Inline,
        Pass::SkipZeros,
        Pass::Guards,
        Pass::Invariants,
        Pass::Turn,
        Pass::Pack,
        Pass::Sink,
        Pass::Powers,
        Pass::Narrow,
        Pass::SplitIndexSets,
        Pass::Scatter,
        Pass::UnrollAndJam,
        Pass::Unroll,
        Pass::FuseLanes,
        Pass::Constants,
        Pass::VectorizeOuter,
        Pass::SplitProducts,
        Pass::SplitGuards,
        Pass::Coalesce,
        Pass::FuseLoops,
        Pass::VectorizeInner,
        Pass::Share,
        Pass::Prune,
        Pass::ReuseSpace,
    ];
}

/// The way in which a nest is made.
#[derive(Clone, Copy, Debug)]
pub struct NestStyle {
    /// What results may differ in.
    pub freedom: Freedom,
    /// How many iterations a strip has where numbers go through several loops in it.
    pub lanes: u32,
    /// How many it has where they go through none.
    pub long: u32,
    /// How many it has where it goes through rows of data, or through many numbers at once.
    pub short: u32,
    /// A pass that is left out. Results must be the same without it, which tests ask for each.
    pub without: Option<Pass>,
}

impl NestStyle {
    /// For compiled code.
    pub const fn compiled(freedom: Freedom) -> NestStyle {
        NestStyle { freedom, lanes: 32, long: 256, short: 8, without: None }
    }

    /// Whether a pass is done.
    pub fn does(&self, pass: Pass) -> bool {
        self.without != Some(pass)
    }
}
