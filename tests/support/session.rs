//! Sessions of the library over files in memory.

use std::cell::RefCell;
use std::rc::Rc;

use redexter::ground::{Diagnostic, Limits, Nesting, Sources};
use redexter::session::{Memory, Session, Settings, Sink};

/// Hears nothing.
pub struct Nobody;

impl Sink for Nobody {
    fn line(&self, _: &str) {}
    fn finding(&self, _: &Diagnostic) {}
}

/// A session over these files, in which things nest so deep.
pub fn session(memory: impl Into<Rc<Memory>>, nesting: Nesting, sink: impl Sink + 'static) -> Session {
    let settings = Settings {
        limits: Limits::default(),
        nesting,
        system: memory.into(),
        allowed: Vec::new(),
        writing: true,
        bare: false,
        timeout: None,
        memory: None,
        sink: Box::new(sink),
    };
    Session::new(settings, Rc::new(RefCell::new(Sources::default()))).expect("a session")
}
