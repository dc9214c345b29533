//! What the work of all terms of a long derivation takes: that of mixture's gradient, made fast.

#[allow(dead_code)]
#[path = "../tests/support/session.rs"]
mod session;

use std::fs;
use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

use redexter::cost::{WorkMeter, work};
use redexter::derivation::Derivation;
use redexter::ground::{Nesting, with_stack};
use redexter::session::SilentSink;
use redexter::session::{MemorySystem, Response, submit};
use redexter::walk::WalkAnswer;
use session::session;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    with_stack(100_000, measure).expect("a thread");
}

fn measure() {
    let memory = MemorySystem::default();
    memory.put(
        Path::new("m.arr"),
        &fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../models/mixture.arr")).expect("the model"),
    );
    let mut session = session(memory, Nesting { terms: 100_000, ..Nesting::default() }, SilentSink);
    submit(&mut session, ":load m.arr").expect("a model");
    submit(&mut session, "gradient").expect("a term");
    let Ok(Response::Walk(WalkAnswer::Run(run))) = submit(&mut session, "fastGradient") else {
        panic!("it doesn't run")
    };
    let count = run.trace.steps.len();
    let timed = |what: &str, task: &dyn Fn()| {
        let start = Instant::now();
        task();
        println!("{what:<40} {:>9.3} s", start.elapsed().as_secs_f64());
    };
    println!("{count} steps");
    timed("the terms", &|| run.trace.terms().for_each(|term| drop(black_box(term))));
    let meter = std::cell::RefCell::new(WorkMeter::default());
    timed("the terms and their work by a meter", &|| {
        run.trace.terms().for_each(|term| drop(black_box(meter.borrow_mut().work(&term))));
    });
    println!("{:.1} nodes visited for each", meter.borrow().visited() as f64 / count as f64);
    timed("the terms and their work from scratch", &|| {
        run.trace.terms().for_each(|term| drop(black_box(work(&term))));
    });
    let derivation = Derivation::of_run("fastGradient", run.trace.clone());
    timed("the work after each step", &|| (0..=count).for_each(|k| drop(black_box(derivation.work(k)))));
}
