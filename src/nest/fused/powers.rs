//! Tables of powers: `x^j` for all j at once, each from the one whose exponent lacks the highest bit. These are the factors of
//! repeated squaring in their order, so that each is what it gives, to the bit.

use super::level::Class;
use crate::nest::code::{Number, Place, Range, Slot, Stmt, Value};
use crate::nest::equation::value::load;
use crate::nest::equation::{Equation, System, Work};
use crate::term::Prim;

/// So many bits has an exponent.
const BITS: i64 = 62;

/// The exponent of an equation that is a table of powers in a pass over the streamed size.
pub(super) fn exponent(equation: &Equation, class: Class, streamed: bool) -> Option<u32> {
    let Work::Map(_, Value::Prim(Prim::Pow, _, operands)) = &equation.work else { return None };
    let [base, Value::Load(exponent)] = &operands[..] else { return None };
    let own = equation.dims.last()?.cell;
    let is_streamed = streamed && matches!(class, Class::Streamed(cell) if cell != own);
    (is_streamed && *exponent == plain(own) && !base.mentions(own)).then_some(own)
}

/// What a table of powers is computed with: the highest bit and the power that has it, and the indices of two loops.
pub(super) struct Cells {
    half: Slot,
    square: Slot,
    round: u32,
    exponent: u32,
}

impl Cells {
    pub(super) fn new(system: &mut System) -> Cells {
        let [half, square] =
            [("bit", Number::Int), ("square", Number::Real)].map(|(hint, kind)| system.number(hint, kind));
        Cells { half, square, round: system.cell(), exponent: system.cell() }
    }
}

/// Statements that fill `place(j)` with `base^j` for j from 0 to below `to`.
pub(super) fn powers(cells: &Cells, base: Value, to: &Value, place: &impl Fn(Value) -> Place) -> Vec<Stmt> {
    let Cells { half, square, round, exponent } = cells;
    let int = |prim: Prim, a: Value, b: Value| Value::Prim(prim, Number::Int, vec![a, b]);
    let times = |a: Value, b: Value| Value::Prim(Prim::Mul, Number::Real, vec![a, b]);
    let (bit, high) = (load(half.cell), load(square.cell));
    let double = int(Prim::Add, bit.clone(), bit.clone());
    let end = Value::Select(Box::new((int(Prim::Lt, double.clone(), to.clone()), double.clone(), to.clone())));
    let fill = Range { from: bit.clone(), ..Range::to(*exponent, "j", end) };
    let below = Value::Load(place(int(Prim::Sub, load(*exponent), bit.clone())));
    let step = vec![
        Stmt::For(fill, vec![Stmt::Set(place(load(*exponent)), times(below, high.clone()))]),
        Stmt::Set(plain(square.cell), times(high.clone(), high)),
        Stmt::Set(plain(half.cell), double),
    ];
    let rounds = Range::to(*round, "round", Value::Int(BITS));
    let more = Stmt::If(int(Prim::Lt, bit, to.clone()), step, Vec::new());
    let first = Stmt::Set(place(Value::Int(0)), Value::Real(1.0));
    vec![
        Stmt::Var(half.clone()),
        Stmt::Var(square.clone()),
        Stmt::Set(plain(half.cell), Value::Int(1)),
        Stmt::Set(plain(square.cell), base),
        Stmt::If(int(Prim::Lt, Value::Int(0), to.clone()), vec![first], Vec::new()),
        Stmt::For(rounds, vec![more]),
    ]
}

fn plain(cell: u32) -> Place {
    Place { cell, indices: Vec::new() }
}
