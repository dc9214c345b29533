//! Holds registers and buffers: those of reals apart from those of integers.

use super::machine::BlockMachine;

/// What holds reals, or integers.
pub(super) struct Bank<T> {
    pub(super) regs: Vec<T>,
    pub(super) buffers: Vec<Vec<T>>,
}

/// Numbers that have a bank.
pub(super) trait Banked: Copy + Default {
    fn bank(machine: &BlockMachine) -> &Bank<Self>;
    fn bank_mut(machine: &mut BlockMachine) -> &mut Bank<Self>;
}

impl Banked for f64 {
    fn bank(machine: &BlockMachine) -> &Bank<f64> {
        &machine.reals
    }

    fn bank_mut(machine: &mut BlockMachine) -> &mut Bank<f64> {
        &mut machine.reals
    }
}

impl Banked for i64 {
    fn bank(machine: &BlockMachine) -> &Bank<i64> {
        &machine.ints
    }

    fn bank_mut(machine: &mut BlockMachine) -> &mut Bank<i64> {
        &mut machine.ints
    }
}
