//! Runs a session as a WebAssembly module: lines go in, text comes out, files are in memory; and requests and answers in JSON say
//! more of the same (`ask.rs`).
//!
//! Texts cross the border as UTF-8 bytes in the module's memory. What goes in is written where [`input`] makes room;
//! what comes out stands at [`output`], as long as the call that made it says. The module asks its page for the time,
//! `env.now`, in milliseconds since any moment, and tells it how far long work has come, `env.progress`. Before a
//! bug ends it, `env.bug` is told where the message stands that is to be reported, and how long it is.
#![cfg(target_family = "wasm")]

mod ask;
mod lecture;
mod said;
mod state;
mod text;

use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;
use std::time::Duration;

use redexter::derivation::Derivation;
use redexter::ground::bug::Bug;
use redexter::ground::{Diagnostic, Limits, Nesting, Sources, Trouble};
use redexter::render::{self, Styled};
use redexter::reply;
use redexter::session::{self, MemorySystem, Response, Session, Settings, Sink, WorkProgress};

/// The width that text is laid out to.
const WIDTH: usize = 100;

/// The deepest nesting, of whatever kind, that takes at most half of the stack that engines give a module: measured by
/// `web/depth.mjs`.
const NESTING: Nesting = Nesting { terms: 240, expressions: 300, in_functions: 32, calls: 12 };

// SAFETY: the page gives a function of this type, or the module isn't instantiated.
#[link(wasm_import_module = "env")]
unsafe extern "C" {
    safe fn now() -> f64;
    /// Seconds since the work began, its steps so far, nodes of the term at hand, and the round that it goes, in words.
    safe fn progress(passed: f64, steps: f64, size: f64, round: *const u8, length: usize);
    safe fn bug(message: *const u8, length: usize);
}

/// The state that the module keeps for its page between calls.
struct PageState {
    input: Vec<u8>,
    output: Rc<RefCell<String>>,
    sources: Rc<RefCell<Sources>>,
    memory: Rc<MemorySystem>,
    nesting: Nesting,
    session: Option<Session>,
    /// The derivation that was told last, and its number.
    told: Option<(u64, Rc<Derivation>)>,
}

thread_local! {
    static PAGE: RefCell<PageState> = RefCell::new(PageState::new());
}

/// Makes room for so many bytes that go in, and says where.
// SAFETY: no other symbol of the module has this name.
#[unsafe(no_mangle)]
pub extern "C" fn input(length: usize) -> *mut u8 {
    PAGE.with_borrow_mut(|page| {
        page.input = vec![0; length];
        page.input.as_mut_ptr()
    })
}

/// The address of the text that came out.
// SAFETY: no other symbol of the module has this name.
#[unsafe(no_mangle)]
pub extern "C" fn output() -> *const u8 {
    PAGE.with_borrow(|page| page.output.borrow().as_ptr())
}

/// For a page whose engine gives more stack, or less: how deep things may nest. Before the first line only.
// SAFETY: no other symbol of the module has this name.
#[unsafe(no_mangle)]
pub extern "C" fn nest(terms: u32, expressions: usize, in_functions: usize, calls: usize) {
    PAGE.with_borrow_mut(|page| page.nesting = Nesting { terms, expressions, in_functions, calls });
}

/// Makes a file: its name, so many bytes long, goes in, and behind it what it holds.
// SAFETY: no other symbol of the module has this name.
#[unsafe(no_mangle)]
pub extern "C" fn put(name: usize) {
    PAGE.with_borrow(|page| {
        let (name, text) = page.input.split_at(name.min(page.input.len()));
        page.memory.put(Path::new(&*String::from_utf8_lossy(name)), text);
    });
}

/// A file's name goes in, and what it holds comes out. The length of that; -1 where there is no such file.
// SAFETY: no other symbol of the module has this name.
#[unsafe(no_mangle)]
pub extern "C" fn get() -> isize {
    PAGE.with_borrow(|page| {
        let held = page.memory.get(Path::new(&*String::from_utf8_lossy(&page.input)));
        held.map_or(-1, |held| page.say(String::from_utf8_lossy(&held).into_owned()) as isize)
    })
}

/// A line goes in, and the answer to it comes out. The length of that.
// SAFETY: no other symbol of the module has this name.
#[unsafe(no_mangle)]
pub extern "C" fn submit() -> usize {
    PAGE.with_borrow_mut(|page| {
        page.say(String::new());
        let line = String::from_utf8_lossy(&page.input).into_owned();
        let answer = page.answer(&line);
        let (result, trouble) = page.words(&answer, WIDTH);
        page.output.borrow_mut().extend([result.text(), trouble.text()]);
        page.output.borrow().len()
    })
}

/// A request goes in as JSON, and the answer to it comes out as JSON. The length of that.
// SAFETY: no other symbol of the module has this name.
#[unsafe(no_mangle)]
pub extern "C" fn ask() -> usize {
    PAGE.with_borrow_mut(|page| {
        let request = String::from_utf8_lossy(&page.input).into_owned();
        let answer = ask::answer(page, &request);
        page.say(answer)
    })
}

impl PageState {
    fn new() -> PageState {
        std::panic::set_hook(Box::new(|info| {
            let told = Bug::of(info).told("this line");
            let message = format!("{}\n{}", told.headline, told.help.last().map_or("", String::as_str));
            bug(message.as_ptr(), message.len());
        }));
        let memory = Rc::new(MemorySystem::new(|| Duration::from_secs_f64(now() / 1e3)));
        PageState {
            input: Vec::new(),
            output: Rc::default(),
            sources: Rc::default(),
            memory,
            nesting: NESTING,
            session: None,
            told: None,
        }
    }

    fn say(&self, text: String) -> usize {
        let length = text.len();
        *self.output.borrow_mut() = text;
        length
    }

    /// The session, which begins when it is first asked for.
    fn session(&mut self) -> Result<&mut Session, Trouble> {
        let session = self.session.take().map_or_else(|| self.begin(), Ok)?;
        Ok(self.session.insert(session))
    }

    fn answer(&mut self, line: &str) -> Result<Response, Trouble> {
        session::submit(self.session()?, line)
    }

    /// An answer in words, and what is wrong.
    fn words(&self, answer: &Result<Response, Trouble>, width: usize) -> (Styled, Styled) {
        let words = |answer: &_| reply::reply(answer, width, &self.sources.borrow());
        let told = match &self.session {
            Some(session) => session.writing(|| words(answer)),
            None => Ok(words(answer)),
        };
        told.unwrap_or_else(|reason| words(&Err(reason.into())))
    }

    fn begin(&self) -> Result<Session, Trouble> {
        let settings = Settings {
            limits: Limits { max_depth: self.nesting.terms, ..Limits::default() },
            nesting: self.nesting,
            sink: Box::new(PageSink { output: self.output.clone(), sources: self.sources.clone() }),
            ..Settings::quiet(self.memory.clone())
        };
        let session = Session::new(settings, self.sources.clone())?;
        session.on_progress(Box::new(|report| {
            if let Some(WorkProgress { passed, steps, size, round }) = report {
                let round = round.unwrap_or_default();
                progress(passed.as_secs_f64(), steps as f64, size as f64, round.as_ptr(), round.len());
            }
        }));
        Ok(session)
    }
}

/// Gathers what scripts print in the output.
struct PageSink {
    output: Rc<RefCell<String>>,
    sources: Rc<RefCell<Sources>>,
}

impl Sink for PageSink {
    fn line(&self, text: &str) {
        self.output.borrow_mut().extend([text, "\n"]);
    }

    fn finding(&self, finding: &Diagnostic) {
        self.output.borrow_mut().push_str(render::finding(finding, &self.sources).text());
    }
}
