//! Presents what the crates below it compute: it parses commands, walks through derivations, judges lessons, and renders findings
//! as text and as pages.
//!
//! Commands as data and findings of the crates below come in; texts with looks, JSON and pages go out. Nothing here reads a file,
//! prints, or keeps a session.
//!
//! Six types to know: [`Command`](command::Command), a line that begins with a colon; [`Walk`](walk::Walk), a derivation with a
//! place in it; [`Question`](questions::Question), which is asked of it; [`WalkAnswer`](walk::WalkAnswer), what a step of it or a
//! question gives; [`Lesson`](lesson::Lesson), a term with a goal; and [`Styled`](styled::Styled), text with looks, which a
//! terminal or a page paints.
//!
//! In reading order; each module names only modules that stand before it:
//!
//! * [`lesson`]: a term, a goal, the rules that may be used; and the diagnosis of a schedule for it.
//! * [`styled`]: text with looks.
//! * [`arguments`]: what a command takes, and how that is read.
//! * [`inputs`]: values for a program's parameters, as a line gives them.
//! * [`walk`]: a derivation that one walks, forth, back and elsewhere.
//! * [`render`]: terms, derivations and findings as text with looks.
//! * [`questions`]: what one may ask of a walk, each question with its answer as text and as JSON.
//! * [`handout`]: derivations to be handed out, as pages in one file that need nothing else; styles and scripts
//!   of pages are in `handout/assets`.
//! * [`command`]: lines that begin with a colon, as data.
#![forbid(unsafe_code)]

pub mod arguments;
pub mod command;
pub mod handout;
pub mod inputs;
pub mod lesson;
pub mod questions;
pub mod render;
pub mod styled;
pub mod walk;
