//! All definitions of the models that ship: each as a sheet, with its text at several widths, in JSON.
//!
//! `cargo run --example sheets | node web/tests/sheet.mjs` compares what the pages' scripts lay out with what is printed.

use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;

use redexter::ground::{Budget, Limits, Sources, Trouble, with_stack};
use redexter::handout::sheet;
use redexter::session::{self, MemorySystem, Session, Settings};
use redexter::shipped::FILES;
use redexter::syntax::{PrintStyle, print_term};

const WIDTHS: [usize; 7] = [1, 16, 33, 47, 80, 100, 1_000];

fn write(session: &mut Session) -> Result<(), Trouble> {
    let mut separator = "[";
    for (path, _) in FILES.iter().filter(|(path, _)| path.ends_with(".arr")) {
        for name in session::definitions_of(session, Path::new(path))? {
            let target = format!("{path}:{name}");
            // A static definition is no term of its own.
            let Ok(program) = session::target(session, &target) else { continue };
            let sheet = sheet(&program.term, &Budget::new(Limits::default(), None))?;
            let texts = WIDTHS.map(|width| (width, print_term(&program.term, &PrintStyle { width })));
            let texts = serde_json::to_string(&texts).unwrap_or_default();
            println!("{separator}{{\"name\": \"{target}\", \"sheet\": {sheet}, \"texts\": {texts}}}");
            separator = ",";
        }
    }
    println!("]");
    Ok(())
}

fn main() -> std::process::ExitCode {
    let done = with_stack(Limits::default().max_depth, || {
        let settings = Settings::quiet(Rc::new(MemorySystem::default()));
        Session::new(settings, Rc::new(RefCell::new(Sources::default()))).and_then(|mut session| write(&mut session))
    });
    match done {
        Ok(Ok(())) => std::process::ExitCode::SUCCESS,
        Ok(Err(_)) | Err(_) => std::process::ExitCode::FAILURE,
    }
}
