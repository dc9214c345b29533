//! Formats models, rules and strategies in one layout. Lines break where their author broke them, but laws, which get a line
//! each; blanks within lines, blank lines and indentation follow from the text.
//!
//! What is formatted has the same words and signs in the same order, comments among them; so it means the same. This room
//! knows texts only: that a text is right is to be found out before.

mod model;
mod script;
mod space;
mod token;

pub use model::model;
pub use script::{ScriptStatement, script};
