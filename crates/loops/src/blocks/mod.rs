//! Runs programs without a compiler: a nest becomes instructions, each of which works on a block of lanes.
//!
//! Results are the evaluator's to the bit: same operations, same order, its own functions. `compile` writes instructions for
//! certain sizes, `machine` runs them; the loops over lanes are `redexter-kernels`'. Where it can't, it says so, and the
//! evaluator does it.

mod bank;
mod compile;
mod machine;
mod op;
mod words;

use std::mem::take;
use std::rc::Rc;

use crate::nest::{Freedom, Nest, NestForm, NestStyle, Pass, ScalarKind, ShownSizes, nest};
use compile::{CompiledBlocks, SlotHome};
use machine::{BlockHalt, BlockMachine};
use op::BlockCode;
use redexter_language::eval::{Sizes, Value, check_program_room, check_result, evaluate, numbers, too_large};
use redexter_language::ground::writing::within;
use redexter_language::ground::{Budget, StopReason, Trouble};
use redexter_language::term::Program;

pub use words::{check_words, packed, parts, unpacked};

/// The most numbers that results and temporaries may have together (2^27, which is 1 GB).
pub const MAX_NUMBERS: u64 = 1 << 27;

/// A program made ready to run at any sizes.
pub struct Blocks {
    program: Program,
    nest: Nest,
    shown: ShownSizes,
}

/// How often at most is asked whether the making of blocks goes on, which is done once in some hundred parts; where it takes
/// more the evaluator computes.
const MAX_ASKS: u64 = 2_000;

/// The result of a program by blocks, or by the evaluator where they can't. Wrong is what is wrong for [`evaluate`].
pub fn value(program: &Program, inputs: &[Value], sizes: &Sizes, budget: &Budget) -> Result<Value, Trouble> {
    if let Some(blocks) = Blocks::within(program, budget)?
        && let Some(value) = blocks.run(inputs, sizes, budget)?
    {
        return Ok(value);
    }
    evaluated(program, inputs, sizes, budget)
}

/// The result of a program by the evaluator; wrong is, too, one that has more numbers than may be held.
pub fn evaluated(program: &Program, inputs: &[Value], sizes: &Sizes, budget: &Budget) -> Result<Value, Trouble> {
    check_result(program.term.applied().1.ty(), sizes)?;
    Ok(evaluate(program, inputs, sizes, budget)?.0)
}

impl Blocks {
    /// A program; none where it can't be written as loops over numbers.
    ///
    /// It asks whether the text [goes on](redexter_language::ground::writing). Recursion goes as deep as the term: run it where
    /// the stack fits it.
    pub fn new(program: &Program) -> Option<Blocks> {
        Blocks::without(program, None)
    }

    /// The same, with a pass left out.
    pub fn without(program: &Program, without: Option<Pass>) -> Option<Blocks> {
        const BLOCK: u32 = op::BLOCK as u32;
        let style = NestStyle { freedom: Freedom::Exact, lanes: BLOCK, long: BLOCK, short: BLOCK / 2, without };
        let nest = nest(program, &NestForm::Fused(style)).ok()?;
        let shown = ShownSizes::of(program, &nest);
        Some(Blocks { program: program.clone(), nest, shown })
    }

    /// The same; none, too, where making them takes long.
    pub fn within(program: &Program, budget: &Budget) -> Result<Option<Blocks>, StopReason> {
        match within(budget.asked_at_most(MAX_ASKS, Rc::default()), || Blocks::new(program)) {
            // It was asked too often, which is this function's own limit: that ends the attempt, not what the user asked for.
            Err(StopReason::Operations(_)) => Ok(None),
            made => made,
        }
    }

    /// Applies it to inputs; nothing comes back where it can't be done so: the nest has what there is no instruction for.
    /// Wrong are inputs that don't have its parameters' types at these sizes, and sizes that need too much memory.
    pub fn run(&self, inputs: &[Value], sizes: &Sizes, budget: &Budget) -> Result<Option<Value>, Trouble> {
        redexter_language::eval::check(&self.program, inputs, sizes)?;
        let (parameters, body) = self.program.term.applied();
        let given = packed(parameters.iter().map(|(_, ty)| ty).zip(inputs), budget)?;
        let Some(mut loaded) = self.loaded(given, sizes)? else { return Ok(None) };
        budget.ask()?;
        match loaded.run(budget)? {
            true => Ok(Some(unpacked(body.ty(), &loaded.into_results(), sizes, budget)?)),
            false => Ok(None),
        }
    }

    /// Makes it ready for inputs as words. Nothing comes back where it can't be done so; wrong is what is wrong for
    /// [`check_words`], and sizes that need too much memory.
    pub fn load(&self, given: Vec<Vec<u64>>, sizes: &Sizes) -> Result<Option<LoadedBlocks>, Trouble> {
        check_words(&self.program, &given, sizes)?;
        self.loaded(given, sizes)
    }

    fn loaded(&self, given: Vec<Vec<u64>>, sizes: &Sizes) -> Result<Option<LoadedBlocks>, Trouble> {
        let result = numbers(self.program.term.applied().1.ty(), sizes);
        let lengths = self.nest.temporaries.iter().map(|slot| sizes.elements(&slot.array.dims));
        let meanwhile = lengths.fold(0, u64::saturating_add);
        // It is asked before memory is taken for results and temporaries.
        check_program_room(&self.program, sizes, meanwhile, MAX_NUMBERS)?;
        // Beyond what is shown of loops indices may wrap.
        let Ok(()) = self.shown.check(sizes, "") else { return Ok(None) };
        let Ok(CompiledBlocks { code, parameters, results }) = compile::compile(&self.nest, sizes) else {
            return Ok(None);
        };
        let machine = loaded(code, &parameters, given).ok_or_else(|| too_large(result, meanwhile, MAX_NUMBERS))?;
        Ok(Some(LoadedBlocks { machine, results }))
    }
}

/// A program with inputs.
pub struct LoadedBlocks {
    machine: BlockMachine,
    results: Vec<SlotHome>,
}

impl LoadedBlocks {
    /// Runs it; false where it can't be done so.
    pub fn run(&mut self, budget: &Budget) -> Result<bool, Trouble> {
        match self.machine.run(budget) {
            Ok(()) => Ok(true),
            Err(BlockHalt::Stopped(reason)) => Err(reason.into()),
            Err(BlockHalt::Astray) => Ok(false),
        }
    }

    /// What the last run gave, as words, pairs in parts.
    pub fn into_results(self) -> Vec<Vec<u64>> {
        // The machine ends here, so that its buffers are given away and not copied.
        let LoadedBlocks { mut machine, results } = self;
        let words = |home: &SlotHome| match home {
            SlotHome::Buffer(ScalarKind::Real, buffer, _) => {
                take(&mut machine.reals.buffers[*buffer as usize]).into_iter().map(f64::to_bits).collect()
            }
            SlotHome::Buffer(ScalarKind::Int, buffer, _) => {
                take(&mut machine.ints.buffers[*buffer as usize]).into_iter().map(|k| k as u64).collect()
            }
            SlotHome::One(ScalarKind::Real, reg) => vec![machine.reals.regs[*reg as usize].to_bits()],
            SlotHome::One(ScalarKind::Int, reg) => vec![machine.ints.regs[*reg as usize] as u64],
            SlotHome::Lanes(..) | SlotHome::Index(_) => Vec::new(),
        };
        results.iter().map(words).collect()
    }
}

/// A machine with what is given in its registers and buffers; none where memory is short.
fn loaded(code: BlockCode, parameters: &[SlotHome], given: Vec<Vec<u64>>) -> Option<BlockMachine> {
    let mut reals: Vec<Vec<f64>> = code.real_buffers.iter().map(|_| Vec::new()).collect();
    let mut ints: Vec<Vec<i64>> = code.int_buffers.iter().map(|_| Vec::new()).collect();
    let mut numbers = Vec::new();
    for (home, words) in parameters.iter().zip(given) {
        match home {
            SlotHome::Buffer(ScalarKind::Real, buffer, _) => {
                reals[*buffer as usize] = words.into_iter().map(f64::from_bits).collect();
            }
            SlotHome::Buffer(ScalarKind::Int, buffer, _) => {
                ints[*buffer as usize] = words.into_iter().map(|word| word as i64).collect();
            }
            SlotHome::One(number, reg) => numbers.push((*number, *reg, words.first().copied().unwrap_or(0))),
            SlotHome::Lanes(..) | SlotHome::Index(_) => {}
        }
    }
    code.real_buffers.iter().zip(&mut reals).try_for_each(|(length, own)| grown(own, *length))?;
    code.int_buffers.iter().zip(&mut ints).try_for_each(|(length, own)| grown(own, *length))?;
    let mut machine = BlockMachine::new(code, reals, ints);
    for (number, reg, word) in numbers {
        match number {
            ScalarKind::Real => machine.reals.regs[reg as usize] = f64::from_bits(word),
            ScalarKind::Int => machine.ints.regs[reg as usize] = word as i64,
        }
    }
    Some(machine)
}

/// The buffer has this length.
fn grown<T: Copy + Default>(own: &mut Vec<T>, length: usize) -> Option<()> {
    // Where memory is short that is said, whereas growing otherwise would abort.
    own.try_reserve_exact(length.saturating_sub(own.len())).ok()?;
    own.resize(length, T::default());
    Some(())
}
