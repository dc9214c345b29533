//! The crate as a library: a model is loaded, a strategy applied, runs are counted, and the result is exported.
//!
//! `cargo run --example library` prints what comes out.

use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;

use redexter::export::{FutharkOptions, futhark};
use redexter::ground::{Diagnostic, Limits, Name, Sources, Trouble, with_stack};
use redexter::render;
use redexter::session::{self, MemorySystem, Session, Settings, Sink};
use redexter::syntax::{PrintStyle, print_term};

/// Takes what scripts print, and what is odd.
struct Printed;

impl Sink for Printed {
    fn line(&self, text: &str) {
        println!("{text}");
    }

    fn finding(&self, finding: &Diagnostic) {
        eprintln!("{}: {}", finding.code, finding.headline);
    }
}

const MODEL: &str = "def total {n} (v : array n real) : real :=\n  ifold n (fun acc i => acc + v[i]) 0\n\n\
                     def gradient {n} (v : array n real) : array n real :=\n  grad total v\n";

/// Load, apply, count, export. `fastGradient` is the schedule that ships.
fn work(session: &mut Session) -> Result<(), Trouble> {
    let slow = session::target(session, "sums.arr:gradient")?;
    let schedule = session.strategy("fastGradient")?;
    let derived = session::derive(session, &schedule, &slow)?;
    let fast = derived.program;
    println!("after {} rewrites:\n{}", derived.trace.steps.len(), print_term(&fast.term, &PrintStyle { width: 80 }));

    for (name, program) in [("slow", &slow), ("fast", &fast)] {
        let (value, counts) = session::evaluate_on(session, program, r#"{"v": [1, 2, 3, 4]}"#, &[])?;
        println!("{name}: {value} for {}", render::counts(&counts));
    }

    let text = futhark(&[(Name::new("gradient"), fast)], &FutharkOptions { sequential: false })?;
    print!("{text}");
    Ok(())
}

fn main() {
    // Recursion is as deep as the terms are, so that a session wants a stack for the limit on depth.
    let done = with_stack(Limits::default().max_depth, || {
        let files = MemorySystem::default();
        files.put(Path::new("sums.arr"), MODEL.as_bytes());
        let sources = Rc::new(RefCell::new(Sources::default()));
        let settings = Settings { sink: Box::new(Printed), ..Settings::quiet(Rc::new(files)) };
        let done = Session::new(settings, sources.clone()).and_then(|mut session| work(&mut session));
        done.map_err(|trouble| render::trouble(&trouble, &sources.borrow()).into_text())
    });
    match done {
        Ok(Ok(())) => {}
        Ok(Err(wrong)) => eprint!("{wrong}"),
        Err(e) => eprintln!("no memory for the stack: {e}"),
    }
}
