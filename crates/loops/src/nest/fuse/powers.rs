//! Computes tables of powers by doubling: `x^j` for all j at once, each as the one whose exponent lacks the highest bit, times
//! the square for that bit. Repeated squaring multiplies the same factors in the same order, so that it gives the same bits.

use super::level::StreamClass;
use crate::nest::equations::{Equation, EquationBody, EquationSystem};
use crate::nest::ir::value::load;
use crate::nest::ir::{LoopRange, NestPlace, NestSlot, NestValue, ScalarKind, Stmt};
use redexter_language::term::Prim;

/// The exponent of an equation that is a table of powers in a pass over the streamed size.
pub(super) fn exponent(equation: &Equation, class: StreamClass, streamed: bool) -> Option<u32> {
    let EquationBody::Map(_, NestValue::Prim(Prim::Pow, _, operands)) = &equation.work else { return None };
    let [base, NestValue::Load(exponent)] = &operands[..] else { return None };
    let own = equation.dims.last()?.cell;
    let is_streamed = streamed && matches!(class, StreamClass::Streamed(cell) if cell != own);
    (is_streamed && *exponent == plain(own) && !base.mentions(own)).then_some(own)
}

/// What a table of powers is computed with: the highest bit of the exponent and the power that has it alone, and the exponent.
pub(super) struct PowerCells {
    bit: NestSlot,
    square: NestSlot,
    exponent: u32,
}

impl PowerCells {
    pub(super) fn new(system: &mut EquationSystem) -> PowerCells {
        let [bit, square] =
            [("bit", ScalarKind::Int), ("square", ScalarKind::Real)].map(|(hint, kind)| system.number(hint, kind));
        PowerCells { bit, square, exponent: system.cell() }
    }
}

/// Statements that fill `place(j)` with `base^j` for j from 0 to below `to`.
pub(super) fn powers(
    cells: &PowerCells,
    base: NestValue,
    to: &NestValue,
    place: &impl Fn(NestValue) -> NestPlace,
) -> Vec<Stmt> {
    let PowerCells { bit, square, exponent } = cells;
    let int = |prim: Prim, a: NestValue, b: NestValue| NestValue::Prim(prim, ScalarKind::Int, vec![a, b]);
    let times = |a: NestValue, b: NestValue| NestValue::Prim(Prim::Mul, ScalarKind::Real, vec![a, b]);
    let (high, power, j) = (load(bit.cell), load(square.cell), load(*exponent));
    let double = int(Prim::Add, high.clone(), high.clone());
    let squared = vec![
        Stmt::Set(plain(square.cell), times(power.clone(), power.clone())),
        Stmt::Set(plain(bit.cell), double.clone()),
    ];
    let below = NestValue::Load(place(int(Prim::Sub, j.clone(), high)));
    // Where the exponent reaches twice the highest bit, that bit moves up before the power is used.
    let round =
        vec![Stmt::If(int(Prim::Eq, j.clone(), double), squared, Vec::new()), Stmt::Set(place(j), times(below, power))];
    let first = Stmt::Set(place(NestValue::Int(0)), NestValue::Real(1.0));
    let rounds = LoopRange { from: NestValue::Int(1), ..LoopRange::to(*exponent, "j", to.clone()) };
    vec![
        Stmt::Var(bit.clone()),
        Stmt::Var(square.clone()),
        Stmt::Set(plain(bit.cell), NestValue::Int(1)),
        Stmt::Set(plain(square.cell), base),
        // An empty table has no element 0 to store.
        Stmt::If(int(Prim::Lt, NestValue::Int(0), to.clone()), vec![first], Vec::new()),
        Stmt::For(rounds, round),
    ]
}

fn plain(cell: u32) -> NestPlace {
    NestPlace { cell, indices: Vec::new() }
}
