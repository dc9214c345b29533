//! Presents what the crates below it compute: it parses commands, walks through derivations, judges lessons, and renders findings
//! as text and as pages.
//!
//! Commands as data and findings of the crates below come in; texts with looks, JSON and pages go out. Nothing here reads a file,
//! prints, or keeps a session.
//!
//! Five types to know: [`Command`](command::Command), a line that begins with a colon; [`Walk`](walk::Walk), a derivation with a
//! place in it; [`WalkAnswer`](walk::WalkAnswer), what a step of it gives; [`Lesson`](lesson::Lesson), a term with a goal; and
//! [`Styled`](render::Styled), text with looks, which a terminal or a page paints.
//!
//! In reading order; each module names only modules that stand before it:
//!
//! * [`lesson`]: a term, a goal, the rules that may be used; and the diagnosis of a schedule for it.
//! * [`command`]: lines that begin with a colon, as data.
//! * [`walk`]: a derivation that one walks, forth, back and elsewhere.
//! * [`render`]: terms, derivations and findings as text with looks.
//! * [`handout`]: derivations to be handed out, as pages in one file that need nothing else.
#![forbid(unsafe_code)]

pub mod command;
pub mod handout;
pub mod lesson;
pub mod render;
pub mod walk;
