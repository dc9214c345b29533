//! Runs the subcommands that evaluate or export a definition: eval, export.

use std::fmt;
use std::path::Path;
use std::time::{Duration, Instant};

use super::inputs::GivenInputs;
use super::options::{CArgs, EvalArgs, ExportedArgs, FutharkArgs, JaxArgs, NestsArgs};
use super::threads::asked;
use crate::terminal::{Out, WIDTH};
use redexter_language::eval::{Counts, Sizes, Value, check_held, check_room, evaluate, numbers, value_to_json};
use redexter_language::ground::writing::within;
use redexter_language::ground::{Budget, Name, Trouble};
use redexter_language::term::Program;
use redexter_loops::blocks::{Blocks, MAX_NUMBERS, evaluated};
use redexter_loops::export::c::{CTarget, Caller};
use redexter_loops::export::jax::DerivativeOf;
use redexter_loops::export::{FutharkOptions, JaxEntry, JaxOptions, c, futhark, jax, nest_of};
use redexter_loops::nest::{Freedom, NestForm, NestStyle, nest_text, verify_text};
use redexter_rewriting::strategy::has_opposites;
use redexter_running::arrays::ResultFile as Written;
use redexter_running::native::{CCompiler, CodeCache, Native};
use redexter_session::session::{self, Session};
use redexter_telling::render;
use redexter_telling::walk::QuestionFinding;

impl EvalArgs {
    /// Prints the value, or what was executed.
    pub fn run(&self, session: &mut Session, out: &Out) -> Result<(), Trouble> {
        session::use_scripts(session, &self.uses)?;
        let program = session::target_after(session, &self.target, self.apply.as_deref())?;
        let ty = program.term.applied().1.ty().clone();
        let written =
            self.output.as_deref().map(|file| Ok::<_, Trouble>((file, Written::of(file, &ty)?))).transpose()?;
        let mut took = RunTiming::default();
        session.during(|session| {
            let (inputs, sizes, budget) = self.inputs(session, &program)?;
            if self.count {
                out.line(render::counts(&counts(&program, &inputs, &sizes, &budget)?));
                return Ok(());
            }
            if self.why_nan {
                let definition = match self.apply {
                    None => Some(session::definition(session, &self.target)?),
                    Some(_) => None,
                };
                let found = session::why_nan(session, &program, definition.as_deref(), (&inputs, &sizes))?;
                out.result(session.writing(|| found.text(WIDTH.into()))?);
                return Ok(());
            }
            check_room(numbers(&ty, &sizes), 0, MAX_NUMBERS)?;
            let value = self.value(&program, (&inputs, &sizes), &budget, out, &mut took)?;
            match &written {
                Some((file, form)) => session.write_named(file, form.bytes(&value, &sizes, &budget)?)?,
                None => out.line(session.writing(|| value_to_json(&value))?),
            }
            session::explain_nan(session, &program, (&inputs, &sizes), &value);
            Ok::<_, Trouble>(())
        })?;
        if self.time {
            out.note(format!("{took}\n"));
        }
        Ok(())
    }

    /// The inputs and the sizes, and the limits that hold from then on.
    fn inputs(&self, session: &Session, program: &Program) -> Result<(Vec<Value>, Sizes, Budget), Trouble> {
        let budget = session.budget();
        let sizes: Vec<(Name, u64)> = self.sizes.iter().map(|(name, size)| (Name::new(name), *size)).collect();
        let GivenInputs { json, arrays } = GivenInputs::read(session, program, &self.input, &budget)?;
        let (inputs, sizes) = arrays.inputs(program, &json, &sizes, &budget)?;
        Ok((inputs, sizes, budget))
    }

    /// The value by what was asked for, or by what does it in its place.
    fn value(
        &self,
        program: &Program,
        (inputs, sizes): (&[Value], &Sizes),
        budget: &Budget,
        out: &Out,
        took: &mut RunTiming,
    ) -> Result<Value, Trouble> {
        if self.native {
            let name = Name::new(self.target.rsplit(':').next().unwrap_or(&self.target));
            let threads = asked(self.threads, out);
            let (compiler, cache) = (
                CCompiler::of_system().with(freedom(self.fast, [program].into_iter(), out)).on(threads),
                CodeCache::of_user(),
            );
            let made = took.ready(|| within(budget.clone(), || Native::new(&name, program, &compiler, &cache, budget)));
            match made?? {
                Ok(native) => {
                    native.warning().into_iter().for_each(|warning| out.note(format!("{warning}\n")));
                    return took.run("native code", || native.run(inputs, sizes, budget));
                }
                Err(reason) => out.note(format!("without a compiler: {reason}\n")),
            }
        }
        if !self.reference
            && let Some(blocks) = took.ready(|| Blocks::within(program, budget))?
            && let Some(value) = took.run("blocks", || blocks.run(inputs, sizes, budget))?
        {
            return Ok(value);
        }
        took.run("the evaluator", || evaluated(program, inputs, sizes, budget))
    }
}

/// Counts what the evaluator executes.
fn counts(program: &Program, inputs: &[Value], sizes: &Sizes, budget: &Budget) -> Result<Counts, Trouble> {
    check_held(program.term.applied().1.ty(), sizes)?;
    Ok(evaluate(program, inputs, sizes, budget)?.1)
}

/// The way in which a program was run, and the times that it took to make it ready and to run it.
#[derive(Default)]
struct RunTiming {
    by: &'static str,
    ready: Duration,
    run: Duration,
}

impl RunTiming {
    fn ready<T>(&mut self, work: impl FnOnce() -> T) -> T {
        let begun = Instant::now();
        let made = work();
        self.ready += begun.elapsed();
        made
    }

    fn run<T>(&mut self, by: &'static str, work: impl FnOnce() -> T) -> T {
        let begun = Instant::now();
        let done = work();
        (self.by, self.run) = (by, begun.elapsed());
        done
    }
}

impl fmt::Display for RunTiming {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
        let (ready, run) = (milliseconds(self.ready), milliseconds(self.run));
        write!(f, "{run:.3} ms in {}, made ready in {ready:.3} ms", self.by)
    }
}

impl ExportedArgs {
    /// The programs by their names, after the strategy.
    fn programs(&self, session: &mut Session) -> Result<Vec<(Name, Program)>, Trouble> {
        session::use_scripts(session, &self.uses)?;
        let program = |target: &String| {
            let name = target.rsplit(':').next().unwrap_or(target);
            Ok((Name::new(name), session::target_after(session, target, self.apply.as_deref())?))
        };
        self.targets.iter().map(program).collect()
    }
}

impl FutharkArgs {
    /// Prints or writes the program.
    pub fn run(&self, session: &mut Session, out: &Out) -> Result<(), Trouble> {
        let entries = self.what.programs(session)?;
        let text = session.writing(|| futhark(&entries, &FutharkOptions { sequential: self.sequential }))??;
        match &self.output {
            Some(path) => session.write_named(path, &text)?,
            None => out.as_it_is(&text),
        }
        Ok(())
    }
}

impl JaxArgs {
    /// Prints or writes the module.
    pub fn run(&self, session: &mut Session, out: &Out) -> Result<(), Trouble> {
        session::use_scripts(session, &self.what.uses)?;
        let own = self.derivative.iter().cloned().map(|target| (target, self.what.apply.clone()));
        let applied = if self.derivative.is_some() { None } else { self.what.apply.clone() };
        let all = self.what.targets.iter().cloned().map(|target| (target, applied.clone())).chain(own);
        let mut entries = Vec::new();
        for (target, strategy) in all {
            let program = session::target_after(session, &target, strategy.as_deref())?;
            let name = Name::new(target.rsplit(':').next().unwrap_or(&target));
            let after = strategy.map(|strategy| format!(", after {strategy}")).unwrap_or_default();
            entries.push(JaxEntry { name, what: format!("{target}{after}"), program, derivative: None });
        }
        if self.derivative.is_some()
            && let Some(last) = entries.last_mut()
        {
            let by = (!self.by.is_empty()).then(|| self.by.iter().map(|name| Name::new(name)).collect());
            last.derivative = Some(DerivativeOf { primal: 0, by });
        }
        let shard = self.shard.iter().map(|name| Name::new(name)).collect();
        let text =
            session.writing(|| jax(&entries, &JaxOptions { artifact: self.artifact, shard, main: self.main }))??;
        match &self.output {
            Some(path) => session.write_named(path, &text)?,
            None => out.as_it_is(&text),
        }
        Ok(())
    }
}

/// The freedom that `--fast` gives these programs, with a word on what it does to sums that may count on rounding.
fn freedom<'a>(fast: bool, mut programs: impl Iterator<Item = &'a Program> + Clone, out: &Out) -> Freedom {
    if !fast {
        return Freedom::Exact;
    }
    if programs.clone().any(|program| program.term.keeps_arithmetic()) {
        out.note("--fast leaves what the program keeps as it is written, and takes the evaluator's functions\n");
    }
    if programs.any(|program| has_opposites(&program.term)) {
        out.note(
            "--fast adds in another order, and a sum here has opposite terms: `keep` it where its rounding counts\n",
        );
    }
    Freedom::Fast
}

impl CArgs {
    /// Prints or writes header and source; functions are called after the file that they stand in.
    pub fn run(&self, session: &mut Session, out: &Out) -> Result<(), Trouble> {
        let entries = self.what.programs(session)?;
        let model = self.what.targets.first().and_then(|target| target.rsplit_once(':')).map_or("", |(model, _)| model);
        let file = self.output.as_deref().unwrap_or(Path::new(model));
        let prefix = file.file_stem().map(|stem| stem.to_string_lossy()).unwrap_or_default();
        let freedom = freedom(self.fast, entries.iter().map(|(_, program)| program), out);
        let target = CTarget { caller: Caller::C, freedom, vectors: self.vectors, checked: self.checked };
        let files = session.writing(|| c(&prefix, &entries, &target))??;
        match &self.output {
            Some(path) => {
                let written =
                    [("h", &files.header), ("c", &files.source)].map(|(end, text)| (path.with_extension(end), text));
                // Both or none.
                written.iter().try_for_each(|(path, text)| session.check_place(path, text))?;
                written.iter().try_for_each(|(path, text)| session.write_named(path, text))?;
            }
            None => out.as_it_is(&(files.header + "\n" + files.source.as_str())),
        }
        Ok(())
    }
}

impl NestsArgs {
    /// Prints the loop nests.
    pub fn run(&self, session: &mut Session, out: &Out) -> Result<(), Trouble> {
        let entries = self.what.programs(session)?;
        let freedom = freedom(self.fast, entries.iter().map(|(_, program)| program), out);
        for (name, program) in entries {
            let form = match self.as_written {
                true => NestForm::AsWritten,
                false => NestForm::Fused(NestStyle::compiled(freedom.within(&program))),
            };
            let text = session.writing(|| {
                let nest = nest_of(&name, &program, &form)?;
                let mut text = nest_text(name.as_str(), &nest);
                if self.checked {
                    text += &verify_text(&nest);
                }
                Ok::<_, Trouble>(text)
            })??;
            out.as_it_is(&text);
        }
        Ok(())
    }
}
