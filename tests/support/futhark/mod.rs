//! The part of Futhark 0.25 that the exporter writes: a lexer and parser after the language reference, a type checker
//! that knows sizes as names and literals only, and an interpreter. Stricter than the compiler: what it takes should
//! compile. It shares nothing with the exporter.

mod check;
pub mod compiled;
mod lex;
mod parse;
mod run;

pub use parse::File;
pub use run::{Datum, run};

/// A file that is legal: parsed and checked, or what is wrong with it.
pub fn compile(text: &str) -> Result<File, String> {
    let file = parse::file(&lex::tokens(text)?)?;
    check::check(&file)?;
    Ok(file)
}
