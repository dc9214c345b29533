//! Sessions of the library over files in memory.

use std::cell::RefCell;
use std::rc::Rc;

use redexter::ground::{Nesting, Sources};
use redexter::session::{MemorySystem, Session, Settings, Sink};

/// A session over these files, in which things nest so deep.
pub fn session(memory: impl Into<Rc<MemorySystem>>, nesting: Nesting, sink: impl Sink + 'static) -> Session {
    let memory: Rc<MemorySystem> = memory.into();
    let settings = Settings { nesting, sink: Box::new(sink), ..Settings::quiet(memory) };
    Session::new(settings, Rc::new(RefCell::new(Sources::default()))).expect("a session")
}
