//! Runs the subcommands that ask: compare, why-not, ask.

use super::options::{AskArgs, CompareArgs, QuestionArgs, WhyNotArgs};
use super::spelling;
use crate::terminal::{Out, WIDTH};
use redexter_language::ground::{Diagnostic, Trouble, code};
use redexter_rewriting::derivation::Address;
use redexter_session::reply;
use redexter_session::session::{self, Response, Session};
use redexter_telling::command::{Command, no_address};
use redexter_telling::questions::{self, Question, QuestionArguments, QuestionMatter};
use redexter_telling::render;
use redexter_telling::walk::{WalkAnswer, WalkCommand};

impl CompareArgs {
    /// Prints where two strategies part and meet.
    pub fn run(&self, session: &mut Session, out: &Out) -> Result<(), Trouble> {
        let asking = read(&format!(":compare {}", self.strategies))?;
        self.asked.answer(session, (&self.target, None), asking, out)
    }
}

impl WhyNotArgs {
    /// Prints what was in a rule's way.
    pub fn run(&self, session: &mut Session, out: &Out) -> Result<(), Trouble> {
        let address = |text: &String| Address::parse(text).ok_or_else(|| no_address(text));
        let address = self.at.as_ref().map(address).transpose()?;
        let question = questions::named("why-not").ok_or_else(|| no_question("why-not"))?;
        let asking = (question, questions::why_not(&self.rule, address));
        self.asked.answer(session, (&self.target, Some(&self.strategy)), asking, out)
    }
}

impl AskArgs {
    /// Prints what a question comes to.
    pub fn run(&self, session: &mut Session, out: &Out) -> Result<(), Trouble> {
        let asking = read(&self.question)?;
        self.asked.answer(session, (&self.target, self.after.as_deref()), asking, out)
    }
}

/// Adds help where a question is about steps, and there are none.
fn after_what(trouble: Trouble) -> Trouble {
    let Trouble::Wrong(all) = trouble else { return trouble };
    let help = "`--after STRATEGY` runs a strategy first: the question is then about its steps";
    Trouble::Wrong(all.into_iter().map(|wrong| wrong.help(help)).collect())
}

/// A question and its arguments.
type ReadQuestion = (&'static Question, QuestionArguments);

fn read(question: &str) -> Result<ReadQuestion, Diagnostic> {
    match Command::parse(question)? {
        Command::Walk(WalkCommand::Take(_)) => Err(Diagnostic::error(code::COMMAND, "`take` asks nothing")
            .help("a rewrite that `possible` lists is applied by `redexter apply 'at(\"path\", rule)'`")),
        Command::Ask(question, arguments) => Ok((question, arguments)),
        _ => Err(no_question(question)),
    }
}

fn no_question(text: &str) -> Diagnostic {
    Diagnostic::error(code::COMMAND, format!("`{text}` is no question"))
        .help(format!("ask for one of {}", questions::names()))
}

impl QuestionArgs {
    /// Asks about a definition, after a strategy that may have failed or come to a limit: that may be what is asked about.
    fn answer(
        &self,
        session: &mut Session,
        (target, after): (&str, Option<&str>),
        (question, arguments): ReadQuestion,
        out: &Out,
    ) -> Result<(), Trouble> {
        session::use_scripts(session, &self.uses)?;
        session::begin(session, target)?;
        if let Some(strategy) = after {
            let ran = session::apply(session, strategy)?;
            if let Response::Walk(WalkAnswer::Failed(_) | WalkAnswer::Stopped(_)) = ran {
                let (failure, trouble) = reply::reply(&Ok(ran), WIDTH, &session.sources());
                out.note(failure);
                out.note(trouble);
            }
        }
        let lacks_steps = after.is_none() && arguments.about == QuestionMatter::Steps;
        let answer =
            session::command(session, Command::Ask(question, arguments)).map_err(|trouble| match lacks_steps {
                true => after_what(trouble),
                false => trouble,
            })?;
        let json = session.writing(|| match &answer {
            Response::Walk(walked) if self.json => render::answer_json(walked),
            Response::Drawn(_, drawn) if self.json => render::answer_json(drawn),
            _ => None,
        })?;
        match json {
            Some(json) => out.line(json.to_string()),
            None => {
                let text = spelling::answer(&session.writing(|| reply::answer(&answer, WIDTH))?);
                let end = if text.text().ends_with('\n') { "" } else { "\n" };
                out.result(text.then(end));
            }
        }
        answer.trouble().cloned().map_or(Ok(()), Err)
    }
}
