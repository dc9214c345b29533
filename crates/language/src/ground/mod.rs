//! Holds what everything stands on: sources and spans, diagnostics, names, limits, caches, sorting, text in lines, polynomials,
//! numbers at random, several pieces of work at once, texts that take long.
//!
//! This module knows no terms and no languages, prints nothing and reads neither clock nor environment.

pub mod blocks;
pub mod budget;
pub mod bug;
pub mod cache;
pub mod code;
pub mod diagnostic;
pub mod fence;
pub mod jobs;
pub mod layout;
pub mod name;
pub mod order;
pub mod polynomial;
pub mod random;
pub mod source;
pub mod stack;
pub mod text;
pub mod writing;

pub use budget::{Budget, Limits, OPERATIONS_PER_STEP, StopReason, comparable_size};
pub use code::DiagnosticCode;
pub use diagnostic::{Diagnostic, Label, Severity, Trouble};
pub use name::Name;
pub use random::Random;
pub use source::{Source, SourceId, Sources, Span, TextPlace};
pub use stack::{LEAST_STACK_DEPTH, Nesting, with_stack, with_stack_for_one_of};
