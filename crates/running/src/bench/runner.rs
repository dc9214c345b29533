//! Runs a program in one of several ways, behind one interface.

use std::time::Duration;

use super::futhark::{FutharkProgram, GRAIN};
pub use crate::native::TimingPlan;
use crate::native::{CCompiler, CodeCache, Native, ThreadLimits};
use redexter_language::eval::{Sizes, Value, evaluate};
use redexter_language::ground::writing::within;
use redexter_language::ground::{Budget, Name, Trouble};
use redexter_language::term::Program;
use redexter_loops::blocks::{Blocks, LoadedBlocks, check_words, packed, parts, unpacked};
use redexter_loops::nest::{Freedom, NestForm};

/// A way to run a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunMethod {
    /// By the evaluator.
    Reference,
    /// In blocks, without a compiler; by the evaluator where that can't be.
    Blocks,
    /// Compiled by the system's compiler.
    Native,
    /// The same, with sums in another order.
    Fast,
    /// The same from loops as they stand in the program: nothing fused, no loop's bounds or sums moved.
    AsWritten,
    /// Exported and compiled by `futhark c`.
    Futhark,
}

impl RunMethod {
    /// What it is called in a sentence.
    pub fn name(self) -> &'static str {
        match self {
            RunMethod::Reference => "the evaluator",
            RunMethod::Blocks => "blocks",
            RunMethod::Native => "native code",
            RunMethod::Fast => "native code with sums in another order",
            RunMethod::AsWritten => "native code of loops as written",
            RunMethod::Futhark => "Futhark",
        }
    }
}

/// A program made ready to run.
pub struct Runner {
    program: Program,
    by: Backend,
}

enum Backend {
    Evaluator,
    Blocks(Blocks),
    Native(Native),
    Futhark(FutharkProgram),
}

impl Runner {
    /// Makes a program ready. The reason comes where there is no code: no compiler, or one that failed. Native code runs on
    /// these threads, unless its loops are as written.
    pub fn new(
        way: RunMethod,
        threads: ThreadLimits,
        name: &Name,
        program: &Program,
        budget: &Budget,
    ) -> Result<Result<Runner, String>, Trouble> {
        let program = program.clone();
        if let RunMethod::Reference | RunMethod::Blocks = way {
            let blocks = if way == RunMethod::Blocks { Blocks::within(&program, budget)? } else { None };
            return Ok(Ok(Runner { program, by: blocks.map_or(Backend::Evaluator, Backend::Blocks) }));
        }
        if way == RunMethod::Futhark {
            let futhark = within(budget.clone(), || FutharkProgram::new(name, &program, budget))??;
            return Ok(futhark.map(|futhark| Runner { program, by: Backend::Futhark(futhark) }));
        }
        let freedom = if way == RunMethod::Fast { Freedom::Fast } else { Freedom::Exact };
        let (compiler, cache) = (CCompiler::of_system().with(freedom), CodeCache::of_user());
        let make = || match way {
            RunMethod::AsWritten => Native::in_form(name, &program, &NestForm::AsWritten, (&compiler, &cache), budget),
            _ => Native::new(name, &program, &compiler.clone().on(threads), &cache, budget),
        };
        let native = within(budget.clone(), make)??;
        Ok(native.map(|native| Runner { program, by: Backend::Native(native) }))
    }

    /// What a user has to know of where its code is kept.
    pub fn warning(&self) -> Option<&str> {
        match &self.by {
            Backend::Native(native) => native.warning(),
            _ => None,
        }
    }

    /// The steps of a clock of its own, if it has one: then calls that are short can't be timed together.
    pub fn own_grain(&self) -> Option<Duration> {
        matches!(self.by, Backend::Futhark(_)).then_some(GRAIN)
    }

    /// Runs it on inputs as words, an array for each number that the parameters' types come to, and gives the last result
    /// likewise; Futhark's isn't read. Times are added, one for each run of as many calls as are asked for, also where the
    /// budget ends.
    pub fn run(
        &self,
        given: Vec<Vec<u64>>,
        sizes: &Sizes,
        often: TimingPlan,
        budget: &Budget,
        times: &mut Vec<Duration>,
    ) -> Result<Vec<Vec<u64>>, Trouble> {
        match &self.by {
            Backend::Native(native) => Ok(native.hold(given, sizes)?.run(often, budget, times)?.into_results()),
            Backend::Blocks(blocks) => {
                if let Some(mut loaded) = blocks.load(given.clone(), sizes)?
                    && in_blocks(&mut loaded, often, budget, times)?
                {
                    return Ok(loaded.into_results());
                }
                self.evaluated(&given, sizes, often, budget, times)
            }
            Backend::Futhark(futhark) => {
                check_words(&self.program, &given, sizes)?;
                futhark.run(&given, sizes, often, budget, times).map(|()| Vec::new())
            }
            Backend::Evaluator => self.evaluated(&given, sizes, often, budget, times),
        }
    }

    fn evaluated(
        &self,
        given: &[Vec<u64>],
        sizes: &Sizes,
        often: TimingPlan,
        budget: &Budget,
        times: &mut Vec<Duration>,
    ) -> Result<Vec<Vec<u64>>, Trouble> {
        let (parameters, body) = self.program.term.applied();
        let (mut rest, mut inputs) = (given, Vec::new());
        for (_, ty) in &parameters {
            let mine;
            (mine, rest) = rest.split_at(parts(ty).min(rest.len()));
            inputs.push(unpacked(ty, mine, sizes, budget)?);
        }
        let mut last = None;
        let run = || -> Result<bool, Trouble> {
            for _ in 0..often.calls() {
                last = Some(evaluate(&self.program, &inputs, sizes, budget)?.0);
            }
            Ok(true)
        };
        often.timed(run, |time| times.push(time))?;
        last.map_or(Ok(Vec::new()), |value: Value| packed([(body.ty(), &value)], budget))
    }
}

/// Whether blocks could be run so often.
fn in_blocks(
    loaded: &mut LoadedBlocks,
    often: TimingPlan,
    budget: &Budget,
    times: &mut Vec<Duration>,
) -> Result<bool, Trouble> {
    let run = || (0..often.calls()).try_fold(true, |ran, _| Ok::<bool, Trouble>(ran && loaded.run(budget)?));
    let before = times.len();
    let ran = often.timed(run, |time| times.push(time));
    // The evaluator runs it again then, so that these times mustn't count.
    if let Ok(false) = ran {
        times.truncate(before);
    }
    ran
}
