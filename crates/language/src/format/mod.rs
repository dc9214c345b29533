//! Formats models, rules and strategies in one layout. Lines break where their author broke them, but laws, which get a line
//! each; blanks within lines, blank lines and indentation follow from the text.
//!
//! What is formatted has the same words and signs in the same order, comments among them; so it means the same. This module
//! knows texts only: that a text is right is to be found out before. So it can't be what prints terms (`syntax::print`): a term
//! has lost comments, line breaks and its author's parentheses, and that printer has only a width to go by.

mod model;
mod script;
mod space;
mod token;

pub use model::model;
pub use script::{ScriptStatement, script};
