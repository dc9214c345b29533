//! Defines the machine's instructions, as data.

use redexter_kernels::{CompareOp, IntOp, RealOp};
use smallvec::SmallVec;

/// How many lanes a block has at most.
pub(super) const BLOCK: usize = 256;

/// A register: a real or an integer, as the instruction says.
pub(super) type Reg = u32;

/// An address, by its number in the code.
pub(super) type AddressId = u32;

/// A sum of registers and what differs between lanes, each so many times.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct AddressSum {
    pub(super) constant: i64,
    pub(super) regs: SmallVec<[(i64, Reg); 3]>,
    /// How many times a lane's number is in it.
    pub(super) lane: i64,
    /// Integers of lanes.
    pub(super) ints: SmallVec<[(i64, AddressId); 1]>,
}

/// A place in a buffer of reals or of integers; of lanes, that of the first.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct BlockAddress {
    pub(super) buffer: u32,
    pub(super) sum: AddressSum,
}

/// What an operation of lanes is done with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LaneOperand {
    /// A register's number in each lane.
    One(Reg),
    /// Numbers that lie side by side.
    Many(AddressId),
}

/// What a sum over iterations takes: where it stands in the first iteration and the first lane, and how far off it is in the
/// next.
#[derive(Clone, Copy, Debug)]
pub(super) enum DotFactor {
    /// A register.
    One(Reg),
    /// The same number in all lanes.
    Round(AddressId, i64),
    /// A number for each lane, side by side.
    Lanes(AddressId, i64),
}

/// What is added in each iteration.
#[derive(Clone, Copy, Debug)]
pub(super) enum DotTerm {
    /// The product.
    Product,
    /// The square of the difference.
    Distance,
}

/// `acc[l] += Σ …` over the iterations from what register `k` holds to below register `to`, in their order.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dot {
    pub(super) acc: AddressId,
    pub(super) k: Reg,
    pub(super) to: Reg,
    pub(super) added: DotTerm,
    pub(super) a: DotFactor,
    pub(super) b: DotFactor,
}

/// An instruction. What is written comes first.
#[derive(Clone, Copy, Debug)]
pub(super) enum BlockOp {
    Copy(Reg, Reg),
    One(fn(f64) -> f64, Reg, Reg),
    Two(RealOp, Reg, Reg, Reg),
    Power(fn(f64, i64) -> f64, Reg, Reg, Reg),
    ToReal(Reg, Reg),
    CopyInt(Reg, Reg),
    IntOne(fn(i64) -> i64, Reg, Reg),
    IntTwo(IntOp, Reg, Reg, Reg),
    Shift(Reg, Reg, i64),
    Truth(Reg, Reg),
    Test(CompareOp, Reg, Reg, Reg),
    TestInts(CompareOp, Reg, Reg, Reg),
    Load(Reg, AddressId),
    LoadInt(Reg, AddressId),
    Store(AddressId, Reg),
    StoreInt(AddressId, Reg),

    Jump(u32),
    /// To there, where the register holds 0.
    Unless(Reg, u32),
    /// To there, where the first isn't below the second.
    NotBelow(Reg, Reg, u32),
    /// Adds to the first; to there, if it is below the second.
    Again(Reg, i64, Reg, u32),

    /// As many lanes as there are from the first to below the second, at most a block.
    Width(Reg, Reg),
    Fill(AddressId, LaneOperand),
    Each(fn(f64) -> f64, AddressId, LaneOperand),
    /// e^x; by the function where that is far.
    Exps(fn(f64) -> f64, AddressId, AddressId),
    Zip(RealOp, AddressId, LaneOperand, LaneOperand),
    /// Adds a product.
    Accumulate(AddressId, LaneOperand, LaneOperand),
    Powers(fn(f64, i64) -> f64, AddressId, LaneOperand, LaneOperand),
    Choose(AddressId, AddressId, LaneOperand, LaneOperand),
    ToReals(AddressId, LaneOperand),
    FillInts(AddressId, LaneOperand),
    EachInt(fn(i64) -> i64, AddressId, LaneOperand),
    ZipInts(IntOp, AddressId, LaneOperand, LaneOperand),
    Truths(AddressId, LaneOperand),
    Tests(CompareOp, AddressId, LaneOperand, LaneOperand),
    TestsInts(CompareOp, AddressId, LaneOperand, LaneOperand),
    ChooseInts(AddressId, AddressId, LaneOperand, LaneOperand),
    /// The numbers from what the register holds.
    Count(AddressId, Reg),
    Gather(AddressId, AddressId),
    GatherInts(AddressId, AddressId),
    Scatter(AddressId, LaneOperand),
    ScatterInts(AddressId, LaneOperand),
    /// Adds each lane where it belongs, one after another.
    AddAt(AddressId, LaneOperand),

    /// Adds the lanes to a register, one after another.
    SumLanes(Reg, AddressId),
    /// A lane that is less takes the register's place, one after another.
    Least(Reg, AddressId),
    /// The same where it is larger.
    Largest(Reg, AddressId),
    /// Adds the products of lanes to a register, one after another.
    SumProducts(Reg, LaneOperand, LaneOperand),
    Dot(u32),
}

/// A program of such instructions, for certain sizes.
#[derive(Debug, Default)]
pub(super) struct BlockCode {
    pub(super) ops: Vec<BlockOp>,
    pub(super) addresses: Vec<BlockAddress>,
    pub(super) dots: Vec<Dot>,
    /// What registers hold at the beginning.
    pub(super) reals: Vec<f64>,
    pub(super) ints: Vec<i64>,
    /// How long the buffers of reals and of integers are.
    pub(super) real_buffers: Vec<usize>,
    pub(super) int_buffers: Vec<usize>,
}
