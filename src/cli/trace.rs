//! Runs the subcommand that writes derivations to be handed out: trace.

use super::options::TraceArgs;
use redexter_language::ground::Trouble;
use redexter_rewriting::derivation::Address;
use redexter_session::session::{self, HandoutRequest, Session};
use redexter_telling::command::{addresses, no_address};
use redexter_telling::handout::HandoutFormat;

impl TraceArgs {
    /// Writes what the strategy does to a target.
    pub fn run(&self, session: &mut Session) -> Result<(), Trouble> {
        session::use_scripts(session, &self.uses)?;
        let (strategy, compare) = (&self.strategy, self.compare.as_deref());
        let listed = |text: &String| addresses(text).filter(|all| !all.is_empty()).ok_or_else(|| no_address(text));
        let parts: Vec<Vec<Address>> = self.parts.iter().map(listed).collect::<Result<_, _>>()?;
        let parts = parts.concat();
        let of = HandoutRequest { target: &self.target, strategy, compare, parts: &parts, scripts: &self.uses };
        let files = [
            (HandoutFormat::Page, &self.html),
            (HandoutFormat::Markdown, &self.md),
            (HandoutFormat::Latex, &self.latex),
            (HandoutFormat::Json, &self.json),
        ];
        let files: Vec<_> = files.into_iter().filter_map(|(form, path)| Some((form, path.as_ref()?))).collect();
        let forms: Vec<HandoutFormat> = files.iter().map(|(form, _)| *form).collect();
        let (texts, ended) = session::handout(session, &of, &forms)?;
        let written = files.iter().zip(&texts);
        written.clone().try_for_each(|((_, path), text)| session.check_place(path, text))?;
        written.clone().try_for_each(|((_, path), text)| session.write_named(path, text))?;
        match ended {
            None => Ok(()),
            Some(stop) => Err(Trouble::from(stop).help("what was written has the steps until then")),
        }
    }
}
