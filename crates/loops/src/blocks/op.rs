//! Defines the machine's instructions, as data.

use redexter_kernels::{Ints, Test, Two};
use smallvec::SmallVec;

/// How many lanes a block has at most.
pub(super) const BLOCK: usize = 256;

/// A register: a real or an integer, as the instruction says.
pub(super) type Reg = u32;

/// An address, by its number in the code.
pub(super) type At = u32;

/// A sum of registers and what differs between lanes, each so many times.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Sum {
    pub(super) constant: i64,
    pub(super) regs: SmallVec<[(i64, Reg); 3]>,
    /// How many times a lane's number is in it.
    pub(super) lane: i64,
    /// Integers of lanes.
    pub(super) ints: SmallVec<[(i64, At); 1]>,
}

/// A place in a buffer of reals or of integers; of lanes, that of the first.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Address {
    pub(super) buffer: u32,
    pub(super) sum: Sum,
}

/// What an operation of lanes is done with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operand {
    /// A register's number in each lane.
    One(Reg),
    /// Numbers that lie side by side.
    Many(At),
}

/// What a sum over iterations takes: where it stands in the first iteration and the first lane, and how far off it is in the
/// next.
#[derive(Clone, Copy, Debug)]
pub(super) enum Factor {
    /// A register.
    One(Reg),
    /// The same number in all lanes.
    Round(At, i64),
    /// A number for each lane, side by side.
    Lanes(At, i64),
}

/// What is added in each iteration.
#[derive(Clone, Copy, Debug)]
pub(super) enum Added {
    /// The product.
    Product,
    /// The square of the difference.
    Distance,
}

/// `acc[l] += Σ …` over the iterations from what register `k` holds to below register `to`, in their order.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dot {
    pub(super) acc: At,
    pub(super) k: Reg,
    pub(super) to: Reg,
    pub(super) added: Added,
    pub(super) a: Factor,
    pub(super) b: Factor,
}

/// An instruction. What is written comes first.
#[derive(Clone, Copy, Debug)]
pub(super) enum Op {
    Copy(Reg, Reg),
    One(fn(f64) -> f64, Reg, Reg),
    Two(Two, Reg, Reg, Reg),
    Power(fn(f64, i64) -> f64, Reg, Reg, Reg),
    ToReal(Reg, Reg),
    CopyInt(Reg, Reg),
    IntOne(fn(i64) -> i64, Reg, Reg),
    IntTwo(Ints, Reg, Reg, Reg),
    Shift(Reg, Reg, i64),
    Truth(Reg, Reg),
    Test(Test, Reg, Reg, Reg),
    TestInts(Test, Reg, Reg, Reg),
    Load(Reg, At),
    LoadInt(Reg, At),
    Store(At, Reg),
    StoreInt(At, Reg),

    Jump(u32),
    /// To there, where the register holds 0.
    Unless(Reg, u32),
    /// To there, where the first isn't below the second.
    NotBelow(Reg, Reg, u32),
    /// Adds to the first; to there, if it is below the second.
    Again(Reg, i64, Reg, u32),

    /// As many lanes as there are from the first to below the second, at most a block.
    Width(Reg, Reg),
    Fill(At, Operand),
    Each(fn(f64) -> f64, At, Operand),
    /// e^x; by the function where that is far.
    Exps(fn(f64) -> f64, At, At),
    Zip(Two, At, Operand, Operand),
    /// Adds a product.
    Accumulate(At, Operand, Operand),
    Powers(fn(f64, i64) -> f64, At, Operand, Operand),
    Choose(At, At, Operand, Operand),
    ToReals(At, Operand),
    FillInts(At, Operand),
    EachInt(fn(i64) -> i64, At, Operand),
    ZipInts(Ints, At, Operand, Operand),
    Truths(At, Operand),
    Tests(Test, At, Operand, Operand),
    TestsInts(Test, At, Operand, Operand),
    ChooseInts(At, At, Operand, Operand),
    /// The numbers from what the register holds.
    Count(At, Reg),
    Gather(At, At),
    GatherInts(At, At),
    Scatter(At, Operand),
    ScatterInts(At, Operand),
    /// Adds each lane where it belongs, one after another.
    AddAt(At, Operand),

    /// Adds the lanes to a register, one after another.
    SumLanes(Reg, At),
    /// A lane that is less takes the register's place, one after another.
    Least(Reg, At),
    /// The same where it is larger.
    Largest(Reg, At),
    /// Adds the products of lanes to a register, one after another.
    SumProducts(Reg, Operand, Operand),
    Dot(u32),
}

/// A program of such instructions, for certain sizes.
#[derive(Debug, Default)]
pub(super) struct Code {
    pub(super) ops: Vec<Op>,
    pub(super) addresses: Vec<Address>,
    pub(super) dots: Vec<Dot>,
    /// What registers hold at the beginning.
    pub(super) reals: Vec<f64>,
    pub(super) ints: Vec<i64>,
    /// How long the buffers of reals and of integers are.
    pub(super) real_buffers: Vec<usize>,
    pub(super) int_buffers: Vec<usize>,
}
