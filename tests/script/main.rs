//! Schedules: what is built, printed and refused.

#[path = "../support/script.rs"]
mod script;

mod checks;
mod errors;
mod heads;
mod libraries;
mod lines;
mod patterns;
mod prelude;
mod printed;
mod rules;
mod sequence;
mod shipped;
mod terms;

use script::run;

fn prints(expression: &str) -> String {
    run(&format!("print({expression});")).unwrap_or_else(|e| panic!("{expression}: {e}"))
}
