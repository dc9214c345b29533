//! Runs the subcommands that do one thing and end: run, check, fmt, apply, validate, rules, help.

use std::cell::Cell;
use std::path::{Path, PathBuf};

use clap::Parser;
use clap::error::ErrorKind;

use super::input::{InputText, is_standard};
use super::options::{ApplyArgs, CheckArgs, CommandLine, FmtArgs, HelpArgs, RulesArgs, RunArgs, ValidateArgs};
use super::print_help;
use super::usage_errors::{is_target, quoted};
use crate::terminal::{Exit, Out, WIDTH};
use redexter_language::ground::{Diagnostic, Span, Trouble, code};
use redexter_language::syntax::{PrintStyle, print_term};
use redexter_rewriting::derivation::{Address, Derivation};
use redexter_rewriting::ends::{Ending, Endings};
use redexter_session::document::{self, DocumentCheck};
use redexter_session::reply;
use redexter_session::session::{self, DerivedProgram, Response, Session};
use redexter_telling::command::{Command, no_address};
use redexter_telling::questions::StrategyEndings;
use redexter_telling::render;
use redexter_telling::walk::{QuestionFinding, StepPosition};

impl ApplyArgs {
    /// Prints the term that the strategy gives of a target.
    pub fn run(&self, session: &mut Session, target: &str, out: &Out) -> Result<(), Trouble> {
        session::use_scripts(session, &self.uses)?;
        let program = session::target(session, target)?;
        let strategy = session.strategy(&self.strategy)?;
        let derived = session.during(|session| {
            let derived = match self.trace.is_some() || self.json_lines || self.validate {
                true => session::derive(session, &strategy, &program)?,
                false => session::derive_hollow(session, &strategy, &program)?,
            };
            if self.validate {
                session::validated(session, &derived, None).trouble.map_or(Ok(()), Err)?;
            }
            if derived.stopped.is_some() {
                return Ok(derived);
            }
            self.print(session, &derived, out)?;
            if !self.json && !self.json_lines {
                let discarded = match derived.trace.steps.is_empty() {
                    true => session::discarded(session, &strategy, &program),
                    false => None,
                };
                let how = session::transposition(session, &strategy, &program, &derived);
                let (trace, term) = (&derived.trace, &derived.program.term);
                let told = || render::summary(&self.strategy, trace, term, discarded.as_ref(), how.as_ref());
                out.note(session.writing(told)?);
            }
            Ok::<_, Trouble>(derived)
        })?;
        match &derived.stopped {
            None => Ok(()),
            Some(stop) => {
                session.afterwards(|session| self.print(session, &derived, out))?;
                Err(Trouble::from(&**stop).help(match derived.trace.steps.len() {
                    0 if stop.trace.steps.is_empty() => "what is printed is the term as it was",
                    0 => "what is printed is the term as it was: the term so far takes more work",
                    _ => "what is printed is the term so far, not in normal form",
                }))
            }
        }
    }

    fn print(&self, session: &mut Session, derived: &DerivedProgram, out: &Out) -> Result<(), Trouble> {
        let trace = &derived.trace;
        if self.json {
            let stop = derived.stopped.as_deref();
            out.line(session.writing(|| render::derivation(&derived.program, trace, stop, self.trace.is_some()))?);
            return Ok(());
        }
        if self.json_lines {
            let mut lines = render::json_steps(trace);
            while let Some(line) = session.writing(|| lines.next())? {
                out.line(line);
            }
            return Ok(());
        }
        match self.trace.as_deref() {
            None => {}
            Some("") => {
                let mut steps = render::each_step(trace, WIDTH);
                while let Some(step) = session.writing(|| steps.next())? {
                    out.result(step);
                }
            }
            Some(address) => self.part(session, derived, address, out)?,
        }
        let page = out.page("send it to a file or a pager to have all of it: `… | less`");
        let term = &derived.program.term;
        out.line(session.writing(|| match page.rest {
            Some(_) => render::paged(term, page),
            None if out.color => render::term(term, page.width),
            // Where nothing is coloured, a text is held without the roles of its pieces.
            None => print_term(term, &PrintStyle { width: page.width }).into(),
        })?);
        Ok(())
    }

    /// Prints a part of the derivation.
    fn part(&self, session: &mut Session, derived: &DerivedProgram, address: &str, out: &Out) -> Result<(), Trouble> {
        let derivation = Derivation::of_run(&self.strategy, derived.trace.clone().into());
        let address = match address {
            "/" => None,
            text => Some(Address::parse(text).ok_or_else(|| no_address(text))?),
        };
        let view =
            session.during(|session| session::view(session, &derivation, address.as_ref(), &derived.program.term))?;
        let count = derivation.steps().len();
        out.result(session.writing(|| render::view(&view, StepPosition { step: count, of: count }, WIDTH))?);
        Ok(())
    }
}

impl ValidateArgs {
    /// Prints what was gone through; what is wrong is an error.
    pub fn run(&self, session: &mut Session, out: &Out) -> Result<(), Trouble> {
        session::use_scripts(session, &self.asked.uses)?;
        let program = session::target(session, &self.target)?;
        let beside = |name: &String| match self.target.rsplit_once(':') {
            Some((model, _)) if !name.contains(':') => format!("{model}:{name}"),
            _ => name.clone(),
        };
        let primal = self.primal.as_ref().map(|name| session::target(session, &beside(name))).transpose()?;
        let strategy = session.strategy(&self.strategy)?;
        let found = session.during(|session| match self.precision {
            true => session::validate_precisely(session, &strategy, &program, primal.as_ref()),
            false => session::validate(session, &strategy, &program, primal.as_ref()),
        })?;
        match self.asked.json {
            true => out.line(session.writing(|| found.json().to_string())?),
            false => out.result(session.writing(|| found.text(WIDTH.into()))?),
        }
        found.trouble.map_or(Ok(()), Err)
    }
}

/// Does something with each file, and says of all of them what is wrong.
fn each(
    files: &[PathBuf],
    session: &mut Session,
    out: &Out,
    task: impl Fn(&mut Session, &Path) -> Result<(), Trouble>,
) -> Result<Exit, Trouble> {
    let mut exit = Exit::Done;
    for file in files {
        match task(session, file) {
            Ok(()) => {}
            Err(stopped @ Trouble::Stopped { .. }) => return Err(stopped),
            Err(wrong) => {
                out.note(render::trouble(&wrong, &session.sources()));
                exit = Exit::Wrong;
            }
        }
    }
    Ok(exit)
}

impl RunArgs {
    /// Runs the script.
    pub fn run(&self, session: &mut Session) -> Result<(), Trouble> {
        if !is_standard(&self.script) {
            let run = session::run_script(session, &self.script, &self.args);
            return run.map_err(|trouble| self.or_apply(trouble));
        }
        let input = InputText::read(session, &self.script)?;
        session::run_text(session, &input.name, &input.text, &self.args)
    }

    /// Trouble with a script, where a strategy and a definition may be meant.
    fn or_apply(&self, mut trouble: Trouble) -> Trouble {
        let strategy = self.script.to_str().filter(|_| self.script.extension().is_none());
        if let Trouble::Wrong(all) = &mut trouble
            && let (Some(wrong), Some(strategy)) = (all.first_mut(), strategy)
            && let Some(target) = self.args.iter().find(|word| is_target(word))
        {
            let line = format!("redexter apply {} {}", quoted(strategy), quoted(target));
            wrong.help.push(format!("`{line}` applies a strategy"));
        }
        trouble
    }
}

impl CheckArgs {
    /// Reads and checks files.
    pub fn run(&self, session: &mut Session, out: &Out) -> Result<Exit, Trouble> {
        if self.ends {
            return self.ends(session, out);
        }
        each(&self.files, session, out, |session, file| {
            let input = InputText::read(session, file)?;
            if file.extension().is_some_and(|e| e == "md" || e == "markdown") {
                return self.document(session, &input);
            }
            match input.is_script(session) {
                true if self.thorough => session::check_script_thoroughly(session, &input.name, &input.text),
                true => session::check_script(session, &input.name, &input.text),
                false => session::check_model(session, &input.name, &input.text),
            }
        })
    }

    /// Says of each strategy whether it ends.
    fn ends(&self, session: &mut Session, out: &Out) -> Result<Exit, Trouble> {
        let script = |session: &mut Session, file: &Path| {
            let input = InputText::read(session, file)?;
            if input.is_script(session) {
                return Ok(input);
            }
            let headline = format!("`{}` is no script", input.name.display());
            let wrong = Diagnostic::error(code::COMMAND, headline);
            Err(Trouble::from(wrong.help("`--ends` looks at the strategies that a script defines")))
        };
        let earlier = self.beside.as_deref().map(|file| script(session, file)).transpose()?;
        let loops = Cell::new(false);
        let exit = each(&self.files, session, out, |session, file| {
            let input = script(session, file)?;
            let beside = earlier.as_ref().map(|input| (&*input.name, &*input.text));
            let mut told = |session: &Session, one: &Endings| {
                if !self.json {
                    out.result(session.writing(|| StrategyEndings(vec![one.clone()]).text(WIDTH.into()))?);
                }
                Ok(())
            };
            let (found, trouble) = session
                .during(|session| session::endings_of_script(session, (&input.name, &input.text), beside, &mut told))?;
            loops.set(loops.get() || found.0.iter().any(|one| one.ending == Ending::Loops));
            if self.json {
                let mut line = found.json();
                line["file"] = input.name.display().to_string().into();
                line["wrong"] = matches!(trouble, Some(Trouble::Wrong(_))).into();
                out.line(session.writing(|| line.to_string())?);
            } else if found.0.is_empty() && trouble.is_none() {
                out.note(format!("{}: no strategy without parameters is defined", input.name.display()));
            }
            trouble.map_or(Ok(()), Err)
        })?;
        Ok(if loops.get() { Exit::Wrong } else { exit })
    }

    /// Checks a document. With `--update` an answer that differs is none that is wrong.
    fn document(&self, session: &mut Session, InputText { name, text, .. }: &InputText) -> Result<(), Trouble> {
        let DocumentCheck { text: now, mut findings } = document::check(session, name, text)?;
        if self.update {
            findings.retain(|finding| finding.code != code::DIFFERENT_ANSWER);
            if now != *text {
                session.rewrite_named(name, &now)?;
            }
        }
        if findings.is_empty() { Ok(()) } else { Err(Trouble::Wrong(findings)) }
    }
}

impl FmtArgs {
    /// Formats files, or finds those that aren't formatted.
    pub fn run(&self, session: &mut Session, out: &Out) -> Result<Exit, Trouble> {
        each(&self.files, session, out, |session, file| {
            let input = InputText::read(session, file)?;
            let script = input.is_script(session);
            let laid = session::formatted(session, &input.name.to_string_lossy(), &input.text, script)?;
            if self.check {
                let differs = || unformatted(session, &input, &laid).into();
                return if laid == input.text { Ok(()) } else { Err(differs()) };
            }
            match (input.standard, laid == input.text) {
                (true, _) => out.as_it_is(&laid),
                (false, true) => {}
                (false, false) => session.rewrite_named(file, &laid)?,
            }
            Ok(())
        })
    }
}

/// The first line that would change.
fn unformatted(session: &Session, input: &InputText, laid: &str) -> Diagnostic {
    let [text, laid] = [&input.text, laid].map(|text| text.trim_start_matches('\u{feff}'));
    let name = input.name.display();
    let source = session.add_source(&input.name, text);
    let whole = session.sources().whole(source);
    let same = |(a, b): &(&str, &str)| a == b;
    let before: usize =
        text.split_inclusive('\n').zip(laid.split_inclusive('\n')).take_while(same).map(|(line, _)| line.len()).sum();
    let line = text.get(before..).and_then(|rest| rest.lines().next()).unwrap_or("");
    let start = before.min(whole.end as usize);
    Diagnostic::error(code::NOT_FORMATTED, format!("`{name}` isn't formatted"))
        .at(Span::new(source, start, start + line.len()), "is the first line that changes")
        .help(match input.standard {
            true => "`redexter fmt -` prints it formatted".to_owned(),
            false => format!("`redexter fmt {name}` formats it"),
        })
}

impl RulesArgs {
    /// Prints one rule, or those of the book that are wanted.
    pub fn run(self, session: &mut Session, out: &Out) -> Result<(), Trouble> {
        let answer = match self.name {
            Some(name) => rule_or_search(session, name)?,
            None => session::rules_of(session, self.group.as_deref(), self.find)?,
        };
        out.result(reply::answer(&answer, WIDTH));
        Ok(())
    }
}

/// The rule of this name, or else the rules that contain the text.
fn rule_or_search(session: &mut Session, text: String) -> Result<Response, Trouble> {
    session::command(session, Command::Rule(text.clone())).or_else(|unknown| {
        match session::rules_of(session, None, Some(text))? {
            Response::Rules(found, _) if found.is_empty() => Err(unknown),
            found => Ok(found),
        }
    })
}

impl HelpArgs {
    /// Prints the options of a subcommand, or what the REPL says of a word.
    pub fn run(&self, session: &mut Session, out: &Out) -> Result<(), Trouble> {
        let line = [&["redexter".to_owned()][..], &self.words, &["--help".to_owned()]].concat();
        if let Err(help) = CommandLine::try_parse_from(line)
            && help.kind() == ErrorKind::DisplayHelp
        {
            print_help(&help);
            return Ok(());
        }
        let words = self.words.join(" ");
        let wanted = if words == "topics" { None } else { Some(words) };
        out.result(reply::answer(&session::command(session, Command::Help(wanted))?, WIDTH));
        Ok(())
    }
}
