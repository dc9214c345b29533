//! Writes to standard output and standard error, with colour where it is wanted, and defines the exit codes.

use std::io::{self, ErrorKind, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use super::pager;
use super::theme::painted;
use redexter_language::ground::Trouble;
use redexter_language::ground::jobs::Port;
use redexter_language::ground::text::shortened;
use redexter_session::reply;
use redexter_session::session::{Response, Session, WorkProgress};
use redexter_telling::render::{self, Styled};

/// The width of what is printed, but on a narrower terminal of the REPL.
pub const WIDTH: usize = 100;

/// What stands before a round that work goes again and again, and the least room that such a round is shown in.
const GOES_ROUND: &str = "; goes round: ";
const MIN_ROUND: usize = 10;

/// The narrowest width that terms are laid out to.
const MIN_WIDTH: usize = 30;

/// Whether the last line of the terminal shows progress.
static PROGRESS: AtomicBool = AtomicBool::new(false);

/// The columns of the REPL's terminal, beyond which no line goes; 0 where there is none.
static COLUMNS: AtomicUsize = AtomicUsize::new(0);

/// The ways in which the program ends; the worst last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exit {
    /// Done.
    Done,
    /// The input is wrong, or a strategy failed.
    Wrong,
    /// Wrong usage.
    Usage,
    /// A limit was reached.
    Limit,
    /// Ctrl-C.
    Interrupted,
}

impl Exit {
    /// The code that the shell sees.
    pub fn code(self) -> u8 {
        match self {
            Exit::Done => 0,
            Exit::Wrong => 1,
            Exit::Usage => 2,
            Exit::Limit => 3,
            Exit::Interrupted => 130,
        }
    }
}

/// A message from one of several pieces of work to the one that prints for all of them.
#[derive(Debug)]
pub enum OutMessage {
    /// To standard output.
    Result(String),
    /// To standard error.
    Note(String),
    /// The line that shows progress.
    Progress(Option<WorkProgress>),
}

/// The program's output. Everything that a run prints goes through it.
#[derive(Clone, Debug)]
pub struct Out {
    /// Colour on standard output.
    pub color: bool,
    /// Colour on standard error.
    pub error_color: bool,
    /// Terms are laid out to this width.
    pub width: usize,
    /// Whether a person reads standard output.
    pub terminal: bool,
    /// The lines of the screen: answers that fill more go through a pager. None where all is written at once.
    pub rows: Option<usize>,
    /// The channel to the one that prints for several pieces of work, where this is one of them.
    to: Option<Port<OutMessage>>,
}

impl Out {
    /// Decides on colour: as `color` says, else on a terminal, unless NO_COLOR is set to anything.
    pub fn new(color: Option<bool>) -> Out {
        let unwelcome = std::env::var_os("NO_COLOR").is_some_and(|v| !v.is_empty());
        let wanted = |terminal: bool| color.unwrap_or(terminal && !unwelcome);
        let (out, err) = (io::stdout().is_terminal(), io::stderr().is_terminal());
        Out { color: wanted(out), error_color: wanted(err), width: WIDTH, terminal: out, rows: None, to: None }
    }

    /// The same for one of several pieces of work.
    pub fn through(&self, port: Port<OutMessage>) -> Out {
        Out { to: Some(port), ..self.clone() }
    }

    /// Writes what a piece of work said.
    pub fn say(&self, said: OutMessage) {
        match said {
            OutMessage::Result(text) => self.as_it_is(&text),
            OutMessage::Note(text) => self.noted(text),
            OutMessage::Progress(report) => self.progress(report),
        }
    }

    /// Fits what is written from now on to a terminal of this size: terms no wider than helps reading, no line wider than
    /// the terminal. With `rows`, what is longer than two screens goes through a pager.
    pub fn fit(&mut self, columns: usize, rows: Option<usize>) {
        self.width = columns.clamp(MIN_WIDTH, WIDTH);
        self.rows = rows;
        COLUMNS.store(columns.max(MIN_WIDTH), Ordering::Relaxed);
    }

    /// The page that terms are laid out for. A person gets the beginning of a long one and is told how to see the `rest`.
    pub fn page(&self, rest: &'static str) -> render::PageLayout {
        render::PageLayout { width: self.width, rest: self.terminal.then_some(rest) }
    }

    /// Writes to standard output what a person reads. Where nobody listens any more, the program ends quietly.
    pub fn result(&self, text: impl Into<Styled>) {
        self.as_it_is(&in_colour(text.into(), self.color));
    }

    /// Writes to standard output what a program reads, to the byte.
    pub fn as_it_is(&self, text: &str) {
        if let Some(port) = &self.to {
            return port.say(OutMessage::Result(text.to_owned()));
        }
        self.clear();
        let mut out = io::stdout().lock();
        let done = out.write_all(text.as_bytes()).and_then(|()| out.flush());
        drop(out);
        self.written(done);
    }

    /// Goes on if standard output could be written, and ends the program if not.
    pub fn written(&self, done: io::Result<()>) {
        match done {
            Ok(()) => {}
            Err(e) if e.kind() == ErrorKind::BrokenPipe => std::process::exit(i32::from(Exit::Done.code())),
            Err(e) => {
                self.note(format!("error: can't write to standard output: {e}\n"));
                std::process::exit(i32::from(Exit::Wrong.code()));
            }
        }
    }

    fn paged(&self, text: Styled) {
        self.clear();
        if !pager::show(&in_colour(text.clone(), self.color)) {
            self.result(text);
        }
    }

    /// Writes a line to standard output.
    pub fn line(&self, text: impl Into<Styled>) {
        self.result(text.into().then("\n"));
    }

    /// Writes to standard error; there is nobody to tell if that fails.
    pub fn note(&self, text: impl Into<Styled>) {
        self.noted(in_colour(text.into(), self.error_color));
    }

    fn noted(&self, text: String) {
        if let Some(port) = &self.to {
            return port.say(OutMessage::Note(text));
        }
        self.clear();
        drop(io::stderr().lock().write_all(text.as_bytes()));
    }

    /// Takes the progress line away, so that nothing is written behind it.
    fn clear(&self) {
        if PROGRESS.swap(false, Ordering::Relaxed) {
            drop(io::stderr().lock().write_all(b"\r\x1b[K"));
        }
    }

    /// Writes what a session answers: results to standard output, trouble to standard error.
    pub fn answer(&self, answer: &Result<Response, Trouble>, session: &Session) {
        let page = self.page("`:show` prints all of it");
        let told = session.writing(|| reply::reply(answer, page, &session.sources()));
        let (result, trouble) =
            told.unwrap_or_else(|reason| reply::reply(&Err(reason.into()), page, &session.sources()));
        if self.rows.is_some_and(|rows| result.text().lines().count() > 2 * rows) {
            self.paged(result);
            if let Ok(Response::Lesson(said)) = answer
                && let Some(brief) = reply::brief(said, page)
            {
                self.line(brief);
            }
        } else {
            self.result(result);
        }
        self.note(trouble);
    }

    /// Shows on a terminal's last line how far long work has come, and clears that line when the work is over.
    pub fn progress(&self, report: Option<WorkProgress>) {
        if let Some(port) = &self.to {
            return port.say(OutMessage::Progress(report));
        }
        self.clear();
        let Some(WorkProgress { passed, steps, size, round }) = report else { return };
        let steps = if steps > 0 { format!(", {steps} rewrites") } else { String::new() };
        let size = if size > 0 { format!(", {size} nodes") } else { String::new() };
        let line = format!("… {} s{steps}{size}; Ctrl-C stops", passed.as_secs());
        // Only one line is taken away again.
        let columns = match COLUMNS.load(Ordering::Relaxed) {
            0 => WIDTH,
            columns => columns,
        };
        let room = columns.saturating_sub(line.chars().count() + GOES_ROUND.chars().count() + 1);
        let round = round.filter(|_| room >= MIN_ROUND).map(|round| format!("{GOES_ROUND}{}", shortened(&round, room)));
        self.note(line + round.as_deref().unwrap_or_default());
        PROGRESS.store(true, Ordering::Relaxed);
    }
}

/// The text with its colours if wanted, in lines that fit the terminal. No control character in it reaches the terminal.
fn in_colour(text: Styled, colour: bool) -> String {
    let text = text.visible();
    let text = match COLUMNS.load(Ordering::Relaxed) {
        0 => text,
        columns => text.folded(columns),
    };
    if colour { painted(&text) } else { text.into_text() }
}
