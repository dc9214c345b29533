//! Runs the subcommands that ask: compare, why-not, ask.

use super::options::{AskArgs, CompareArgs, QuestionArgs, WhyNotArgs};
use crate::terminal::{Out, WIDTH};
use redexter_language::ground::{Diagnostic, Trouble, code};
use redexter_rewriting::derivation::Address;
use redexter_session::reply;
use redexter_session::session::{Response, Session};
use redexter_telling::command::{Command, QueryCommand};
use redexter_telling::walk::WalkAnswer;
use redexter_telling::{command, render};

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
        let address = |text: &String| Address::parse(text).ok_or_else(|| command::no_address(text));
        let address = self.at.as_ref().map(address).transpose()?;
        let asking = QueryCommand::WhyNot { rule: self.rule.clone(), address };
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

fn read(question: &str) -> Result<QueryCommand, Diagnostic> {
    match Command::parse(question)? {
        Command::Ask(QueryCommand::Take(_)) => Err(Diagnostic::error(code::COMMAND, "`take` asks nothing")
            .help("a rewrite that `possible` lists is applied by `redexter apply 'at(\"path\", rule)'`")),
        Command::Ask(asking) => Ok(asking),
        _ => Err(Diagnostic::error(code::COMMAND, format!("`{question}` is no question"))
            .help("ask for one of possible, preview, graph, why, why-not, compare, ablate, orders, interact, search, validate")),
    }
}

impl QuestionArgs {
    /// Asks about a definition, after a strategy that may have failed or come to a limit: that may be what is asked about.
    fn answer(
        &self,
        session: &mut Session,
        (target, after): (&str, Option<&str>),
        asking: QueryCommand,
        out: &Out,
    ) -> Result<(), Trouble> {
        session.use_scripts(&self.uses)?;
        session.begin(target)?;
        if let Some(strategy) = after {
            let ran = session.apply(strategy)?;
            if let Response::Walk(WalkAnswer::Failed(_) | WalkAnswer::Stopped(_)) = ran {
                let (failure, trouble) = reply::reply(&Ok(ran), WIDTH, &session.sources());
                out.note(failure);
                out.note(trouble);
            }
        }
        let lacks_steps = after.is_none() && asking.is_about_steps();
        let answer = session.command(Command::Ask(asking)).map_err(|trouble| match lacks_steps {
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
                let text = session.writing(|| reply::answer(&answer, WIDTH))?;
                let end = if text.text().ends_with('\n') { "" } else { "\n" };
                out.result(text.then(end));
            }
        }
        answer.trouble().cloned().map_or(Ok(()), Err)
    }
}
