//! One way to run a program, behind one door.

use std::time::Duration;

use crate::blocks::{Blocks, Loaded, packed, parts, unpacked};
use crate::eval::{Sizes, Value, evaluate};
use crate::ground::writing::within;
use crate::ground::{Budget, Name, Trouble};
pub use crate::native::Often;
use crate::native::{Cache, Compiler, Native};
use crate::nest::{Form, Freedom};
use crate::term::Program;

/// How a program is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
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
}

impl Way {
    /// What it is called in a sentence.
    pub fn name(self) -> &'static str {
        match self {
            Way::Reference => "the evaluator",
            Way::Blocks => "blocks",
            Way::Native => "native code",
            Way::Fast => "native code with sums in another order",
            Way::AsWritten => "native code of loops as written",
        }
    }
}

/// A program made ready to run.
pub struct Runner {
    program: Program,
    by: By,
}

enum By {
    Evaluator,
    Blocks(Blocks),
    Native(Native),
}

/// What runs gave, and how long each took.
pub struct Timed {
    /// One for each run, of as many calls as were asked for.
    pub times: Vec<Duration>,
    /// The result as words of 8 bytes, an array for each number that its type comes to.
    pub words: Vec<Vec<u64>>,
}

impl Runner {
    /// Makes a program ready. The reason comes where there is no native code: no compiler, or one that failed.
    pub fn new(way: Way, name: &Name, program: &Program, budget: &Budget) -> Result<Result<Runner, String>, Trouble> {
        let program = program.clone();
        if let Way::Reference | Way::Blocks = way {
            let blocks = if way == Way::Blocks { Blocks::within(&program, budget)? } else { None };
            return Ok(Ok(Runner { program, by: blocks.map_or(By::Evaluator, By::Blocks) }));
        }
        let freedom = if way == Way::Fast { Freedom::Fast } else { Freedom::Exact };
        let (compiler, cache) = (Compiler::of_system().with(freedom), Cache::of_user());
        let make = || match way {
            Way::AsWritten => Native::in_form(name, &program, &Form::AsWritten, (&compiler, &cache), budget),
            _ => Native::new(name, &program, &compiler, &cache, budget),
        };
        let native = within(budget.clone(), make)??;
        Ok(native.map(|native| Runner { program, by: By::Native(native) }))
    }

    /// Runs it on inputs as words, an array for each number that the parameters' types come to.
    pub fn run(&self, given: Vec<Vec<u64>>, sizes: &Sizes, often: Often, budget: &Budget) -> Result<Timed, Trouble> {
        match &self.by {
            By::Native(native) => {
                let (times, held) = native.hold(given, sizes)?.run(often, budget)?;
                Ok(Timed { times, words: held.into_results() })
            }
            By::Blocks(blocks) => match in_blocks(blocks.load(given.clone(), sizes)?, often, budget)? {
                Some(timed) => Ok(timed),
                None => self.evaluated(&given, sizes, often, budget),
            },
            By::Evaluator => self.evaluated(&given, sizes, often, budget),
        }
    }

    fn evaluated(&self, given: &[Vec<u64>], sizes: &Sizes, often: Often, budget: &Budget) -> Result<Timed, Trouble> {
        let (parameters, body) = self.program.term.applied();
        let (mut rest, mut inputs) = (given, Vec::new());
        for (_, ty) in &parameters {
            let mine;
            (mine, rest) = rest.split_at(parts(ty).min(rest.len()));
            inputs.push(unpacked(ty, mine, sizes, budget)?);
        }
        let mut last = None;
        let times = often.timed(|| -> Result<bool, Trouble> {
            for _ in 0..often.calls() {
                last = Some(evaluate(&self.program, &inputs, sizes, budget)?.0);
            }
            Ok(true)
        })?;
        let words = last.map_or(Ok(Vec::new()), |value: Value| packed([(body.ty(), &value)], budget))?;
        Ok(Timed { times: times.unwrap_or_default(), words })
    }
}

/// Runs of blocks, unless one of them can't be.
fn in_blocks(loaded: Option<Loaded>, often: Often, budget: &Budget) -> Result<Option<Timed>, Trouble> {
    let Some(mut loaded) = loaded else { return Ok(None) };
    let times =
        often.timed(|| (0..often.calls()).try_fold(true, |ran, _| Ok::<bool, Trouble>(ran && loaded.run(budget)?)))?;
    Ok(times.map(|times| Timed { times, words: loaded.into_results() }))
}
