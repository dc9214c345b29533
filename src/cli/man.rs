//! Prints the manual page, which is made from the options.

use clap::CommandFactory;
use clap_mangen::Man;

use super::options::{CommandLine, ManualArgs};
use crate::terminal::Out;
use redexter_language::ground::{Diagnostic, Trouble, code};

impl ManualArgs {
    /// Prints the page of the program, or of a subcommand.
    pub fn run(&self, out: &Out) -> Result<(), Trouble> {
        let mut page = CommandLine::command();
        if let Some(name) = &self.command {
            let Some(found) = page.find_subcommand(name).filter(|found| !found.is_hide_set()) else {
                let unknown = format!("there is no subcommand `{name}`");
                return Err(Diagnostic::error(code::COMMAND, unknown).help("`redexter --help` lists them").into());
            };
            page = found.clone().display_name(format!("redexter-{name}")).bin_name(format!("redexter {name}"));
        }
        let mut text = Vec::new();
        out.written(Man::new(page).render(&mut text));
        out.as_it_is(&String::from_utf8_lossy(&text));
        Ok(())
    }
}
