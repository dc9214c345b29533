//! Holds registers and buffers: those of reals apart from those of integers.

use super::machine::Machine;

/// What holds reals, or integers.
pub(super) struct Bank<T> {
    pub(super) regs: Vec<T>,
    pub(super) buffers: Vec<Vec<T>>,
}

/// Numbers that have a bank.
pub(super) trait Held: Copy + Default {
    fn bank(machine: &Machine) -> &Bank<Self>;
    fn bank_mut(machine: &mut Machine) -> &mut Bank<Self>;
}

impl Held for f64 {
    fn bank(machine: &Machine) -> &Bank<f64> {
        &machine.reals
    }

    fn bank_mut(machine: &mut Machine) -> &mut Bank<f64> {
        &mut machine.reals
    }
}

impl Held for i64 {
    fn bank(machine: &Machine) -> &Bank<i64> {
        &machine.ints
    }

    fn bank_mut(machine: &mut Machine) -> &mut Bank<i64> {
        &mut machine.ints
    }
}
