//! Derivations told: walks through them, notes and pages to hand out, grammars for editors.

mod editors;
mod finding_text;
mod handout;
mod notes;
mod walk;
mod why_nan;

#[allow(dead_code, reason = "other programs of tests need more of it")]
#[path = "../support"]
mod support {
    pub mod book;
    pub mod generate;
    pub mod session;
    pub mod walks;
}
