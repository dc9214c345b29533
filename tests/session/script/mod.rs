//! Schedules: what is built, printed and refused.

mod amounts;
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
mod walks;

use crate::support::script;
use script::run;

fn prints(expression: &str) -> String {
    run(&format!("print({expression});")).unwrap_or_else(|e| panic!("{expression}: {e}"))
}

/// Each text prints this.
fn gives(cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        assert_eq!(run(text).as_deref(), Ok(*expected), "{text}");
    }
}

/// Each text is wrong in a way that is told like this, from the first word.
fn tells(cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        let told = run(text).expect_err(text);
        assert!(told.starts_with(expected), "{text}\n  expected {expected}\n  told     {told}");
    }
}
