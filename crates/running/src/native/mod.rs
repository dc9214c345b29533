//! Runs programs as native code: a nest is written as C, compiled by the system's compiler, loaded and called.
//! `compile` compiles, `cache` keeps code (`CodeCache`), `call` holds inputs and results, `prepared` calls code on those that
//! others hold, `threads` decides which loops are shared out.
//!
//! Results are the evaluator's to the bit: same operations, same order, and its own functions, which the code is given; unless
//! [`Freedom::Fast`](redexter_loops::nest::Freedom) was asked for. The
//! code runs on a thread of its own, which is told to end and then left where a budget ends: the loops around others ask.

mod cache;
mod call;
mod compile;
mod functions;
mod prepared;
mod threads;

use std::sync::Arc;
use std::time::Duration;

use compile::CompiledCode;
use redexter_loader::{CallMemory, LoadedCode};
use threads::SharedLoops;

use redexter_language::eval::{Sizes, Value, check_program_room, numbers, too_large};
use redexter_language::ground::{Budget, Diagnostic, Name, Trouble, code, writing};
use redexter_language::term::Program;
use redexter_loops::blocks::{MAX_NUMBERS, packed, unpacked};
use redexter_loops::export::c::{loaded, shared, verified_nest};
use redexter_loops::nest::{Nest, NestForm, ShownSizes, splits};

pub use cache::CodeCache;
pub use call::{NativeCall, TimingPlan};
pub(crate) use compile::succeeds;
pub use compile::{CCompiler, widest};
pub use prepared::{CallFailure, PreparedCode, PreparedRoom};
pub use redexter_loader::{LentNumbers, LentRoom};
pub use threads::ThreadLimits;

/// How often is asked whether to go on.
const ASK_INTERVAL: Duration = Duration::from_millis(10);

/// A program made ready to run at any sizes.
pub struct Native {
    program: Program,
    nest: Nest,
    shown: ShownSizes,
    code: Arc<LoadedCode>,
    shares: SharedLoops,
    warning: Option<String>,
}

impl Native {
    /// A program as native code. Wrong is what can't be exported; a reason comes where there is no code for it, since no
    /// compiler is there or it failed.
    pub fn new(
        name: &Name,
        program: &Program,
        compiler: &CCompiler,
        cache: &CodeCache,
        budget: &Budget,
    ) -> Result<Result<Native, String>, Trouble> {
        let compiler = compiler.within(program);
        let form = compiler.target().form();
        Native::in_form(name, program, &form, (&compiler, cache), budget)
    }

    /// The same of another form, such as loops as they stand in the program.
    pub fn in_form(
        name: &Name,
        program: &Program,
        form: &NestForm,
        (compiler, cache): (&CCompiler, &CodeCache),
        budget: &Budget,
    ) -> Result<Result<Native, String>, Trouble> {
        let nest = writing::within(budget.clone(), || verified_nest(name, program, form))??;
        let compiler = &compiler.within(program);
        let target = compiler.target();
        let splits = if compiler.threads.count > 1 { splits(&nest, target.freedom) } else { Vec::new() };
        let source = if splits.is_empty() { loaded(&nest, &target) } else { shared(&nest, &splits, &target) };
        let code = compile::code(&source, compiler, cache, budget)?;
        let shares = SharedLoops::new(compiler.threads, splits);
        let shown = ShownSizes::of(program, &nest);
        Ok(code.map(|CompiledCode { code, warning }| Native {
            program: program.clone(),
            nest,
            shown,
            code: Arc::new(code),
            shares,
            warning,
        }))
    }

    /// What a user has to know of where the code is kept.
    pub fn warning(&self) -> Option<&str> {
        self.warning.as_deref()
    }

    /// How many loops may be shared out among threads.
    pub fn splits(&self) -> usize {
        self.shares.splits.len()
    }

    /// How many were, in all runs that ended.
    pub fn shared(&self) -> u64 {
        self.shares.done()
    }

    /// Applies it to inputs, which must have its parameters' types at these sizes.
    pub fn run(&self, inputs: &[Value], sizes: &Sizes, budget: &Budget) -> Result<Value, Trouble> {
        redexter_language::eval::check(&self.program, inputs, sizes)?;
        let (parameters, body) = self.program.term.applied();
        let given = packed(parameters.iter().map(|(_, ty)| ty).zip(inputs), budget)?;
        let held = NativeCall { native: self, memory: self.memory(given, sizes)? };
        let held = held.run(TimingPlan::ONCE, budget, &mut Vec::new())?;
        unpacked(body.ty(), &held.into_results(), sizes, budget)
    }

    /// All that the code reads and writes, at sizes for which it was shown that it stays there.
    fn memory(&self, given: Vec<Vec<u64>>, sizes: &Sizes) -> Result<CallMemory, Trouble> {
        let asked: Vec<u64> = self.nest.results.iter().map(|slot| sizes.elements(&slot.array.dims)).collect();
        let arena = self.nest.arena_words(sizes);
        let shares = self.shares.counts(&self.nest, sizes);
        let each = self.shares.each(&shares, sizes);
        let own = self.shares.own(each);
        let result = numbers(self.program.term.applied().1.ty(), sizes);
        let meanwhile = (arena - 8).saturating_add(own);
        check_program_room(&self.program, sizes, meanwhile, MAX_NUMBERS)?;
        // Beyond these nothing was shown of the code, so that it must not run.
        self.shown.check(sizes, "in native code ")?;
        let room = |n: u64| -> Result<Vec<u64>, Trouble> {
            let mut words = Vec::new();
            words.try_reserve_exact(n as usize).map_err(|_| too_large(result, meanwhile, MAX_NUMBERS))?;
            words.resize(n as usize, 0);
            Ok(words)
        };
        Ok(CallMemory {
            sizes: self.nest.sizes.iter().map(|n| sizes.get(n).unwrap_or(0) as i64).collect(),
            given,
            arena: room(arena)?,
            asked: asked.iter().map(|n| room(*n)).collect::<Result<_, Trouble>>()?,
            shares,
            each: each as usize,
            own: room(own)?,
        })
    }
}

fn no_answer() -> Trouble {
    Diagnostic::error(code::NOT_EXPORTABLE, "the native code gave no answer").help("leave `--native` out").into()
}
