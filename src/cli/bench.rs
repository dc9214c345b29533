//! Runs the subcommand that times programs: bench.

use std::time::Duration;

use super::options::BenchArgs;
use super::threads::asked;
use crate::terminal::{Exit, Out};
use redexter_language::draw;
use redexter_language::eval::{Sizes, only_sizes_of};
use redexter_language::ground::{Diagnostic, Name, StopReason, Trouble, code};
use redexter_running::bench::{
    BenchReport, BenchSubject, COLUMNS, RunMethod, Runner, Series, compiler, duration, from_csv, futhark, machine,
};
use redexter_running::native::ThreadLimits;
use redexter_session::session::{self, Session};

impl BenchArgs {
    /// Prints a table and a chart, and writes files, of what was measured until the end or Ctrl-C.
    pub fn run(&self, session: &mut Session, out: &Out) -> Result<Exit, Trouble> {
        if self.threads > 1 && !matches!(self.wanted(), RunMethod::Native | RunMethod::Fast) {
            let headline = format!("{} runs on one thread", self.wanted().name());
            return Err(Diagnostic::error(code::COMMAND, headline).help("`--way native` or `--way fast`").into());
        }
        asked(self.threads, out);
        self.csv.iter().try_for_each(|path| session.check_place(path, COLUMNS))?;
        self.svg.iter().try_for_each(|path| session.check_place(path, "<svg "))?;
        session::use_scripts(session, &self.uses)?;
        let elsewhere = self.elsewhere(session)?;
        let mut named: Vec<Name> = self.others.iter().map(|(name, _)| Name::new(name)).collect();
        named.push(Name::new(&self.sizes.0));
        only_sizes_of(&session::target_after(session, &self.target, None)?, &named)?;
        let mut report = self.empty();
        let all = [String::from("id")];
        let strategies = if self.apply.is_empty() { &all[..] } else { &self.apply };
        let mut ended = Ok(());
        for strategy in strategies {
            report.series.push(Series { name: strategy.clone(), samples: Vec::new() });
            ended = self.measure(session, strategy, &mut report, out);
            if ended.is_err() {
                break;
            }
        }
        report.series.retain(|series| !series.samples.is_empty());
        let interrupted = match ended {
            Err(Trouble::Stopped { reason: StopReason::Interrupted, .. }) if !report.series.is_empty() => true,
            Err(trouble) if report.series.is_empty() => return Err(trouble),
            Err(trouble) => {
                self.show(session, &report, out)?;
                return Err(trouble);
            }
            Ok(()) => false,
        };
        report.series.extend(elsewhere);
        self.show(session, &report, out)?;
        if interrupted {
            out.note("interrupted: this is what was measured so far\n");
        }
        Ok(if interrupted { Exit::Interrupted } else { Exit::Done })
    }

    fn empty(&self) -> BenchReport {
        let built = match self.wanted() {
            RunMethod::Reference | RunMethod::Blocks => None,
            RunMethod::Futhark => futhark(),
            RunMethod::Native | RunMethod::Fast | RunMethod::AsWritten => compiler(),
        };
        let machine = format!(
            "by {}{} on {}{}",
            self.wanted().name(),
            if self.threads > 1 { format!(" in {} threads", self.threads) } else { String::new() },
            machine(),
            built.map_or(String::new(), |c| format!("; {c}"))
        );
        BenchReport { title: self.target.clone(), size: self.sizes.0.clone(), machine, series: Vec::new() }
    }

    /// All that are named, the one that grows at its first value.
    fn sizes(&self) -> Sizes {
        let first = self.sizes.1.first().map(|n| (&self.sizes.0, n));
        let others = self.others.iter().map(|(name, n)| (name, n));
        others.chain(first).map(|(name, n)| (Name::new(name), *n)).collect()
    }

    fn elsewhere(&self, session: &Session) -> Result<Vec<Series>, Trouble> {
        let mut all = Vec::new();
        for path in &self.with {
            let wrong = |wrong| {
                let headline = format!("`{}` can't be read: {wrong}", path.display());
                Diagnostic::error(code::COMMAND, headline).help("`--csv` writes such a file")
            };
            all.extend(from_csv(&session.read_named(path)?).map_err(wrong)?);
        }
        Ok(all)
    }

    /// Adds samples to the last series, and says so as it goes.
    fn measure(
        &self,
        session: &mut Session,
        strategy: &str,
        report: &mut BenchReport,
        out: &Out,
    ) -> Result<(), Trouble> {
        let program = session::target_after(session, &self.target, Some(strategy))?;
        let (name, budget) = (Name::new("measured"), session.budget());
        let runner = Runner::new(self.wanted(), ThreadLimits::of(self.threads), &name, &program, &budget)?.map_err(
            |reason| Diagnostic::error(code::NOT_EXPORTABLE, reason).help("`--way blocks` needs no compiler"),
        )?;
        runner.warning().into_iter().for_each(|warning| out.note(format!("{warning}\n")));
        let subject = BenchSubject::new(program, runner);
        for size in &self.sizes.1 {
            let mut sizes = self.sizes();
            sizes.set(&Name::new(&self.sizes.0), *size);
            let time = Duration::from_secs_f64(self.seconds);
            let mut sample = None;
            let ended = subject.sample(*size, &sizes, time, &session.budget(), &mut sample);
            if let (Some(sample), Some(series)) = (sample, report.series.last_mut()) {
                out.note(format!("{strategy}: {} = {size}: {}\n", self.sizes.0, duration(sample.median)));
                series.samples.push(sample);
            }
            ended?;
        }
        Ok(())
    }

    fn show(&self, session: &Session, report: &BenchReport, out: &Out) -> Result<(), Trouble> {
        let chart = report.chart();
        out.as_it_is(&format!("{}\n{}\n", report.table(), draw::text(&chart, out.width)));
        if let Some(path) = &self.csv {
            session.write_named(path, report.csv())?;
        }
        if let Some(path) = &self.svg {
            session.write_named(path, draw::svg(&chart))?;
        }
        Ok(())
    }
}
