//! Answers lines, and dispatches commands to what carries them out.

use std::path::Path;

use super::foreign_syntax::{advise_line, would_answer};
use super::response::{Response, SessionResult};
use super::state::Session;
use super::{
    cost_at, current_term, handouts, help, lessons, limits, line_value, load, models, programs, rule_pages, save,
    strategy_pages,
};
use crate::script::LineValue;
use redexter_language::check::Model;
use redexter_language::cost;
use redexter_language::draw::svg;
use redexter_language::ground::text::{listed, word};
use redexter_language::ground::{Diagnostic, Span, Trouble, code};
use redexter_language::syntax::option_words;
use redexter_rewriting::derivation::Address;
use redexter_rewriting::redex::named;
use redexter_telling::command::{Command, without_colon};
use redexter_telling::questions::{QuestionMatter, drawn_in_file, no_rule_but};
use redexter_telling::render::unknown_work;
use redexter_telling::walk::{self, StepGoal};

/// What a user writes behind a command so that its file is written over.
pub(super) const FORCE: &str = " --force";

/// Answers a line: a command, if it begins with a colon, else a line of the script language.
pub fn submit(session: &mut Session, line: &str) -> SessionResult {
    // Blanks may stand before a byte-order mark, and behind it.
    let line = line.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}').trim_end();
    let (bare, forced) = (insisting(line), session.host.files.forced.get());
    session.host.files.forced.set(forced || bare.is_some());
    let work = |session: &mut Session| answer(session, bare.unwrap_or(line));
    let answer = match line.starts_with(':') {
        true => session.doing(line, work),
        false => session.answering(line, work),
    };
    session.host.files.forced.set(forced);
    answer
}

/// What stands before `--force` in the line of a command that writes a file.
fn insisting(line: &str) -> Option<&str> {
    line.strip_suffix(FORCE).filter(|bare| bare.starts_with(':') && Command::parse(bare).is_ok_and(|c| c.writes()))
}

fn answer(session: &mut Session, line: &str) -> SessionResult {
    let was_there = lessons::is_there(session);
    let answer = match line.strip_prefix(':') {
        Some(_) => Command::parse(line).map_err(Trouble::from).and_then(|wanted| command(session, wanted)),
        None if line.is_empty() => Ok(Response::Silent),
        None => {
            let meant = lessons::as_meant(session, line);
            session.work.course.iter_mut().for_each(|course| course.typed = None);
            no_option_in(session, &meant).and_then(|()| value(session, &meant))
        }
    };
    let answer = answer.and_then(|response| lessons::arrived(session, response, was_there));
    answer.map_err(|trouble| advise_line(session, trouble, line))
}

/// An error where a comment such as `--trace` stands behind something: who types it may mean an option.
fn no_option_in(session: &Session, line: &str) -> Result<(), Trouble> {
    let behind = |at: usize| !line[..at].rsplit('\n').next().unwrap_or_default().trim().is_empty();
    let Some(word) = option_words(line).into_iter().find(|word| behind(word.start)) else { return Ok(()) };
    let text = &line[word.clone()];
    let source = session.sources.borrow_mut().add("<line>", line);
    let told = format!("this `--` begins a comment, where an option `{text}` may be meant");
    Err(Diagnostic::error(code::COMMENT_AS_OPERATION, told)
        .at(Span::new(source, word.start, word.end), "has no blank behind the sign")
        .help(format!("for a comment write `-- {}`; only commands have options, `:validate` for example", &text[2..]))
        .into())
}

fn value(session: &mut Session, text: &str) -> SessionResult {
    // A script would end there, silently.
    if text.trim_end_matches(';').trim() == "exit()" {
        return Err(Diagnostic::error(code::COMMAND, "`exit()` ends a script, and no session")
            .help("write `:quit`")
            .into());
    }
    match line_value::value_of(session, text, false).map_err(|trouble| with_colon(session, trouble, text))? {
        LineValue::Unit => {
            if word(text) != "print" {
                session.statements.push(current_term::spelled_out(session, text));
            }
            Ok(Response::Silent)
        }
        LineValue::Strategy(strategy) => match session.work.course.clone() {
            Some(course) => {
                let said = lessons::attempt(session, &strategy, &course);
                // Behind the goal nothing goes on.
                let typed = Some(text.to_owned()).filter(|_| !lessons::is_there(session));
                session.work.course.iter_mut().for_each(|course| course.typed = typed.clone());
                said
            }
            None => walk::run(&mut session.work.walk, &strategy, StepGoal::All, session.interpreter.owner())
                .map(Response::Walk),
        },
        LineValue::Program { program, .. } => {
            let (origin, definition) = models::origin(session, &program).unzip();
            session.work.walk.give_definition(program.clone(), origin, definition);
            Ok(Response::Term(program))
        }
        LineValue::Model(model) => Ok(Response::Value(describe(&model))),
        LineValue::Other(value) => Ok(Response::Value(match as_reals(session, text, &value) {
            Some(reals) => format!("{value}\nof whole numbers: write `{reals}` for reals"),
            None => value,
        })),
    }
}

/// A line of whole numbers, written with reals, if its value is another one then: scripts cut off what is behind a quotient's
/// point, and `^` isn't a power there.
fn as_reals(session: &mut Session, line: &str, value: &str) -> Option<String> {
    let is_whole = line.contains(['/', '^']) && line.chars().all(|c| c.is_ascii_digit() || " +-*/^()".contains(c));
    let ends = |(at, c): (usize, char)| c.is_ascii_digit() && !line[at + 1..].starts_with(|d: char| d.is_ascii_digit());
    let reals: String =
        line.char_indices().map(|(at, c)| if ends((at, c)) { format!("{c}.0") } else { c.to_string() }).collect();
    let other = is_whole.then(|| line_value::value_of(session, &reals, false).ok()).flatten()?;
    let number = |text: &str| text.parse::<f64>().ok();
    let is_same = matches!(other, LineValue::Other(other) if number(&other) == number(value));
    (!is_same).then_some(reals)
}

/// Carries out a command.
pub fn command(session: &mut Session, command: Command) -> SessionResult {
    match command {
        // As the command line names a definition.
        Command::Load(path) => match path.to_str().and_then(|text| text.rsplit_once(':')) {
            Some((file, definition)) if file.ends_with(".arr") => {
                load::load(session, Path::new(file))?;
                value(session, definition)
            }
            _ => load::load(session, &path),
        },
        Command::Show(Some(text)) => line_value::program_of(session, &text, "show").map(Response::Whole),
        Command::Show(None) => match session.work.walk.focus()? {
            Some(focus) => Ok(Response::Part(focus)),
            None => session.current().map(|p| Response::Whole(p.clone())),
        },
        Command::Type(None) => session.current().map(|p| Response::Type(p.clone())),
        Command::Type(Some(text)) => line_value::type_of(session, &text),
        Command::Walk(command) => {
            walk::answer(&mut session.work.walk, &command, session.interpreter.owner()).map(Response::Walk)
        }
        Command::StepInto(text) => {
            session.current()?;
            let strategy = session.interpreter.strategy(&text)?;
            walk::run(&mut session.work.walk, &strategy, StepGoal::Steps(1), session.interpreter.owner())
                .map(Response::Walk)
        }
        Command::Replay(from, strategy) => replay(session, from.as_ref(), strategy),
        Command::Profile(strategy) => {
            session.current()?;
            let strategy = strategy.map(|text| session.interpreter.strategy(&text)).transpose()?;
            walk::profile(&session.work.walk, strategy.as_ref(), session.interpreter.owner()).map(Response::Walk)
        }
        Command::Ask(question, arguments) => {
            if arguments.about != QuestionMatter::Rules {
                session.current()?;
            }
            if arguments.by_allowed_rules
                && let [rule] = &arguments.rules[..]
                && named(rule, &session.interpreter.owner().rules()).is_err()
                && session.interpreter.strategy(rule).is_ok()
            {
                return Err(no_rule_but(rule).into());
            }
            let strategies: Result<Vec<_>, _> =
                arguments.strategies.iter().map(|text| session.interpreter.strategy(text)).collect();
            let answer = lessons::asked(session, question, &arguments, &strategies?)?;
            let Some((path, text)) = drawn_in_file(&arguments, &answer) else { return Ok(Response::Walk(answer)) };
            session.host.files.write_named(path, text.as_bytes())?;
            match answer.trouble() {
                Some(limit) => Err(limit.clone().help(format!("`{}` has what was found so far", path.display()))),
                None => Ok(Response::Drawn(path.to_owned(), Box::new(answer))),
            }
        }
        Command::Reload => load::reload(session),
        Command::Rules(filter) => rule_pages::rules_of(session, None, filter),
        Command::Rule(name) => rule_pages::rule(session, &name),
        Command::Strategies => Ok(strategy_pages::strategies(session)),
        Command::Strategy(name) => strategy_pages::guide(session, &name),
        Command::Eval(text) => programs::evaluate(session, &text, false),
        Command::Count(text) => programs::evaluate(session, &text, true),
        Command::Cost(other) => {
            let text = other.unwrap_or_default();
            let (text, sizes) = cost_at::sizes_behind(&text);
            // In a page JAX isn't written, so that its devices cost nothing to say.
            if !cfg!(target_family = "wasm")
                && let Some(over) = text.strip_prefix("sharded").filter(|over| over.is_empty() || over.starts_with(' '))
            {
                return cost_at::sharded(session, over, &sizes);
            }
            let other = (!text.is_empty()).then(|| line_value::program_of(session, text, "cost")).transpose()?;
            let term = &other.as_ref().map_or_else(|| session.current(), Ok)?.term;
            let (work, memory) = cost_at::at(&sizes, term, cost::work(term), cost::memory(term))?;
            Ok(Response::Cost(work, memory, unknown_work(term)))
        }
        Command::PlotTo(address, path) => {
            let chart = walk::plot(&session.work.walk, address.as_ref(), session.interpreter.owner())?;
            session.host.files.write_named(&path, svg(&chart).as_bytes())?;
            Ok(Response::Written(path))
        }
        Command::Export(language, path) => handouts::export(session, language, &path),
        Command::Handout(form, parts, path) => handouts::export_derivation(session, form, &parts, &path),
        Command::Save(path) => save::save(session, &path),
        Command::Limits => Ok(limits::limits(session)),
        Command::Set(setting, value) => limits::set(session, setting, &value),
        Command::Lesson(wanted) => lessons::lecture(session, wanted.as_deref()),
        Command::Quit => Ok(Response::Quit),
        Command::Help(None) => Ok(Response::Help),
        Command::Help(Some(wanted)) => help::help_on(session, &wanted),
    }
}

/// Runs a strategy from an earlier term: the last one, with its definition now, unless another one is named.
fn replay(session: &mut Session, from: Option<&Address>, strategy: Option<String>) -> SessionResult {
    session.current()?;
    let (text, again) = match strategy {
        Some(text) => (text, false),
        None => (walk::last_strategy(&session.work.walk)?.to_string(), true),
    };
    let strategy = session.interpreter.strategy(&text)?;
    walk::replay(&mut session.work.walk, from, &strategy, again, session.interpreter.owner()).map(Response::Walk)
}

/// A hint for those who forgot the colon of a command. A line with a law in it is a statement.
fn with_colon(session: &mut Session, trouble: Trouble, line: &str) -> Trouble {
    match (trouble, without_colon(line)) {
        (Trouble::Wrong(mut all), Some(info)) if !all.is_empty() && !line.contains('`') => {
            // What was typed, where that is a command but for its colon: other advice would be about a line of a script.
            let call = line.trim_end_matches(';').strip_suffix("()");
            let typed = call.or(line.contains(' ').then_some(line)).map(|typed| format!(":{typed}"));
            let typed = typed.filter(|typed| would_answer(session, typed));
            if typed.is_some() {
                all[0].help.clear();
            }
            let hint = format!("commands begin with a colon: `{}`", typed.as_deref().unwrap_or(info.example));
            all[0].help.insert(0, hint);
            Trouble::Wrong(all)
        }
        (trouble, _) => trouble,
    }
}

/// A model's path and the names that it defines.
fn describe(model: &Model) -> String {
    format!("{}: {}", model.path, listed(model.names()))
}
