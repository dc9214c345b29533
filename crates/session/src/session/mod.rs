//! Sessions answer lines: lines go in, responses come out.
//!
//! `state` declares what a session holds; what a line does with that is a function beside its subject, which takes the session.
//! `dispatch` stands on top and names them all. Nothing here prints; what scripts print goes to a [`Sink`] that the session's
//! owner gives it. Files, clock and interrupts are those of a [`System`] that its owner gives it, too: [`MemorySystem`] is one
//! without an operating system.

mod closed_subterm;
mod complete;
mod cost_at;
mod current_term;
mod dispatch;
mod explained;
mod file_access;
mod foreign_syntax;
mod grading;
mod handouts;
mod help;
mod host;
mod lesson_response;
mod lessons;
mod limits;
mod line_value;
mod load;
pub mod manual;
pub mod markdown;
mod memory;
mod models;
mod overlay;
mod pending;
mod prerequisites;
mod programs;
mod response;
mod restore;
mod rule_pages;
mod save;
mod saved_entry;
mod state;
mod statements;
mod strategy_pages;
mod system;
mod tasks;
mod terms;
mod watch;

pub use complete::{Completion, CompletionWords, complete, words};
pub use dispatch::{command, submit};
pub use explained::explained;
pub use grading::{GradingLesson, LessonGrade, grade, lessons_in, lessons_that_ship};
pub use handouts::{HandoutRequest, comparison, handout, told_of};
pub use host::{Allowance, Settings, SilentSink, Sink};
pub use lesson_response::{AttemptReport, LessonEntry, LessonOpening, LessonResponse};
pub use lessons::{check_lesson, has_lesson, lesson_of, next_lesson, picked, resume_lesson};
pub use load::{load, resume};
pub use memory::MemorySystem;
pub use overlay::OverlaySystem;
pub use pending::PendingLines;
pub use programs::{
    DerivedProgram, apply, begin, definition, definitions_of, derive, derive_hollow, discarded, evaluate_by,
    evaluate_on, explain_nan, model, target, target_after, transposition, validate, validate_precisely, validated,
    view, why_nan,
};
pub use response::{HelpMention, HelpTopic, LoadedModel, Reloaded, Response, Restored, RulePage};
pub use rule_pages::rules_of;
pub use save::saved;
pub use state::{Session, SessionStamp, begins_a_command};
pub use statements::{TextStatement, statements};
pub use strategy_pages::strategies;
pub use system::{FileKind, Silence, System};
pub use tasks::{
    check_model, check_script, check_script_thoroughly, endings_of_script, formatted, run_script, run_text, use_scripts,
};
pub use watch::{ProgressListener, WorkProgress};
