//! Writes programs as C11: a function each, for every size, that allocates nothing.
//!
//! The nest is written as it is: same operations, same order, so that results are the evaluator's to the bit where the
//! functions of `<math.h>` are its own; gcc and clang are told in the source to contract nothing and to leave signs of zeros
//! alone. `body` writes what is done, `value` what is computed at once, `lanes` what is done side by side in
//! vectors, `signature` what others call, `threads` the same for several threads, `prelude` what C lacks. Nothing here knows
//! where a nest comes from.

mod adjacent_sums;
mod body;
mod lanes;
mod loops;
mod names;
mod prelude;
mod reduce;
mod signature;
mod threads;
mod value;
mod vector;

pub use prelude::FUNCTIONS;
pub use signature::ENTRY;
pub use threads::SHARED;

use crate::nest::{Freedom, Nest, NestForm, NestStyle, Split, nest, verify};
use redexter_language::ground::{Diagnostic, Name, Trouble, code};
use redexter_language::term::Program;

/// Who calls the functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Caller {
    /// Programs in C: each size, number and array is an argument.
    C,
    /// A program that has the code loaded: arguments by pointers, [`FUNCTIONS`] and a flag that ends the run among them.
    Loaded,
}

/// The C that is written: for whom, how exact, with which vectors.
#[derive(Clone, Copy, Debug)]
pub struct CTarget {
    /// Who calls it.
    pub caller: Caller,
    /// What results may differ in.
    pub freedom: Freedom,
    /// How many doubles a vector has: 1, 2, 4 or 8. Code with vectors is for compilers that know those of GNU C.
    pub vectors: u32,
    /// Whether each index is compared with its dimension where it is used: what is outside ends the program.
    pub checked: bool,
}

impl CTarget {
    /// The form of nests for it.
    pub fn form(&self) -> NestForm {
        NestForm::Fused(NestStyle::compiled(self.freedom))
    }
}

/// A header and a source.
#[derive(Clone, Debug)]
pub struct CFiles {
    /// What others include.
    pub header: String,
    /// What is compiled; it includes nothing of its own.
    pub source: String,
}

/// The nest of a program, or [`NOT_EXPORTABLE`](redexter_language::ground::code::NOT_EXPORTABLE).
pub fn nest_of(name: &Name, program: &Program, form: &NestForm) -> Result<Nest, Trouble> {
    nest(program, form).map_err(|refusal| {
        let headline = format!("`{name}` can't be exported: {}", refusal.reason);
        Diagnostic::error(code::NOT_EXPORTABLE, headline).help(refusal.help).into()
    })
}

/// The same nest, if [`verify`] shows that it stays in its arrays; else that it is a bug
/// ([`INTERNAL`](redexter_language::ground::code::INTERNAL)), and no code is made of it.
pub fn verified_nest(name: &Name, program: &Program, form: &NestForm) -> Result<Nest, Trouble> {
    let nest = nest_of(name, program, form)?;
    match verify(&nest) {
        Ok(()) => Ok(nest),
        Err(wrong) => {
            let headline = format!("this is a bug in redexter: no code is made of `{name}`, since {wrong}");
            let help = "leave `--native` out, or export Futhark; `redexter export nests --checked` shows the loops: report them";
            Err(Diagnostic::error(code::INTERNAL, headline).help(help).into())
        }
    }
}

/// A header and a source with a function for each program, whose name begins with `prefix`.
///
/// It asks whether the text [goes on](redexter_language::ground::writing). Recursion goes as deep as the terms: run it where the
/// stack fits them.
pub fn c(prefix: &str, entries: &[(Name, Program)], target: &CTarget) -> Result<CFiles, Trouble> {
    let prefix = names::legal(prefix);
    let freedom = entries.iter().fold(target.freedom, |freedom, (_, program)| freedom.within(program));
    let target = &CTarget { freedom, ..*target };
    let mut source = prelude::prelude(target);
    let mut header = signature::header_top(&prefix);
    let functions = names::functions(&prefix, entries.iter().map(|(name, _)| name), &format!("{header}{source}"));
    for ((name, program), own) in entries.iter().zip(functions) {
        let nest = verified_nest(name, program, &target.form())?;
        let names = names::CNames::new(&nest);
        header += &signature::declaration((name, &own), &nest, &names);
        source += &signature::arena(&own, &nest, &names);
        source += &signature::definition(&own, &nest, &names, target);
    }
    header += signature::HEADER_END;
    source += prelude::end(target);
    Ok(CFiles { header, source })
}

/// A source with one function, [`ENTRY`], to be loaded.
pub fn loaded(nest: &Nest, target: &CTarget) -> String {
    format!("{}{}", prelude::prelude(target), signature::entry(nest, &names::CNames::new(nest), target))
}

/// The same with [`SHARED`], which shares these loops out among threads.
pub fn shared(nest: &Nest, splits: &[Split], target: &CTarget) -> String {
    format!("{}{}", prelude::prelude(target), threads::entry(nest, splits, &names::CNames::new(nest), target))
}
