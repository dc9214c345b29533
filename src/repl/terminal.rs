//! Reads lines from a terminal, with a prompt, a history and completion.

use std::fs;
use std::io::{self, IsTerminal};
use std::path::PathBuf;

use rustyline::error::ReadlineError;
use rustyline::history::DefaultHistory;
use rustyline::{ColorMode, CompletionType, Config, Editor};

use super::helper::Assistant;
use super::{Responder, state_folder};
use crate::terminal::{Out, be_patient, drop_typed, hung_up, keep_modes, reading};
use redexter_language::cost::WorkMeter;
use redexter_language::ground::bug::contained;
use redexter_language::ground::text::shortened;
use redexter_language::term::Term;
use redexter_session::session::{self, PendingLines, Session};
use redexter_telling::render::{end_of, leading};

const PROMPT: &str = "redexter";

/// The most characters of the work in the prompt.
const MAX_WORK_CHARS: usize = 16;

/// The most characters of the path to the focus in the prompt, from its end.
const MAX_PATH_CHARS: usize = 30;

/// The prompt while something is left open. An empty line leaves it so, and is answered with what is wrong.
const CONTINUATION_PROMPT: &str = "       .. ";

/// The most lines that the history keeps.
const MAX_HISTORY_LINES: usize = 10_000;

/// What somebody may type first who knows nothing yet, and has loaded nothing.
fn beginnings() -> [String; 4] {
    let model = ["models", "."].into_iter().find_map(|folder| {
        let files = fs::read_dir(folder).ok()?.flatten();
        let named = files.filter_map(|file| Some((file.metadata().ok()?.len(), file.file_name().into_string().ok()?)));
        let (_, shortest) = named.filter(|(_, name)| name.ends_with(".arr")).min()?;
        Some(if folder == "." { shortest } else { format!("{folder}/{shortest}") })
    });
    let model = match model {
        Some(path) => format!("  :load {path:<22} a model, whose definitions you then name"),
        None => format!("  {:<28} how a model of your own is written", ":help models"),
    };
    [
        "to begin, type one of these; after the last one type `fastGradient`:".to_owned(),
        format!("  {:<28} a first lesson, of ten minutes", ":lesson fusion"),
        model,
        "  fun (v : array n real) => grad (fun w => ifold n (fun s i => s + w[i]) 0) v".to_owned(),
    ]
}

/// Reads lines and answers them until Ctrl-D or `:quit`. To a session in which there is nothing yet it says what one may type.
pub fn run(session: &mut Session, answers: &mut Responder, first: Option<&str>, is_new: bool) {
    let out = answers.out.clone();
    let mut editor = match editor(session, out.color) {
        Ok(editor) => editor,
        Err(e) => return out.note(format!("error: this terminal can't be used: {e}\n")),
    };
    let history = state_folder().map(|state| state.join("history"));
    if let Some(path) = &history {
        // A first session has no history yet.
        drop(editor.load_history(path));
    }
    be_patient();
    keep_modes();
    fit(&mut editor, &mut answers.out);
    answers.out.line("redexter: `:help` lists the commands, `:quit` or Ctrl-D leaves");
    if is_new {
        beginnings().iter().for_each(|line| answers.out.line(line.as_str()));
    }
    if let (Some(line), Some(assistant)) = (first, editor.helper_mut()) {
        if !answers.answer(assistant.session, line) {
            return;
        }
        assistant.words = session::words(assistant.session);
    }
    let (mut pending, mut typed, mut known) = (PendingLines::default(), String::new(), PromptWork::default());
    loop {
        let prompt = prompt(editor.helper(), &mut known);
        reading(true);
        let line = editor.readline(if pending.is_empty() { prompt.as_str() } else { CONTINUATION_PROMPT });
        reading(false);
        match line {
            Ok(text) => {
                typed.push_str(&text);
                fit(&mut editor, &mut answers.out);
                // The answer to a line may be the end of the process: so the line is remembered before it is answered.
                let is_whole = is_whole(editor.helper(), &typed);
                if is_whole {
                    remember(&mut editor, &history, typed.trim_end());
                }
                let Some(assistant) = editor.helper_mut() else { return };
                let more = answer_each(assistant.session, &mut pending, &text, answers);
                assistant.words = session::words(assistant.session);
                if !pending.is_empty() {
                    typed.push('\n');
                } else if !is_whole && !typed.trim().is_empty() {
                    remember(&mut editor, &history, typed.trim_end());
                }
                if pending.is_empty() {
                    typed.clear();
                }
                if !more {
                    return;
                }
            }
            Err(ReadlineError::Interrupted | ReadlineError::Signal(_)) => {
                pending.take();
                typed.clear();
            }
            Err(ReadlineError::Io(e)) if e.kind() == io::ErrorKind::InvalidData => {
                drop_typed();
                pending.take();
                typed.clear();
                let Some(assistant) = editor.helper() else { return };
                answers.not_utf8(assistant.session, assistant.before_cursor() + 1, None);
            }
            Err(_) if !io::stdin().is_terminal() => return hung_up(),
            Err(ReadlineError::Eof) => return,
            Err(e) => return out.note(format!("error: this terminal can't be read: {e}\n")),
        }
    }
}

/// Whether a text has nothing left open, and isn't blank.
fn is_whole(assistant: Option<&Assistant<'_>>, typed: &str) -> bool {
    let is_complete = |assistant: &Assistant<'_>| contained(|| assistant.session.is_complete(typed)).unwrap_or(true);
    !typed.trim().is_empty() && assistant.is_some_and(is_complete)
}

/// Fits what is written to the window as it is now.
fn fit(editor: &mut Editor<Assistant<'_>, DefaultHistory>, out: &mut Out) {
    if let Some((columns, rows)) = editor.dimensions() {
        let paged = editor.helper().is_some_and(|assistant| assistant.session.is_paged());
        out.fit(columns.into(), paged.then_some(rows.into()));
    }
}

/// The prompt before a line: the leading terms of the current term's work, and the path to the focus unless that is on
/// the whole term.
fn prompt(assistant: Option<&Assistant<'_>>, known: &mut PromptWork) -> String {
    let session = assistant.map(|assistant| &*assistant.session);
    let work =
        session.and_then(Session::current_term).map_or_else(String::new, |term| format!(" {}", known.work(term)));
    let focus = session.and_then(Session::focus);
    let place = focus.map_or_else(String::new, |path| format!(" {}", end_of(&path, MAX_PATH_CHARS)));
    format!("{PROMPT}{work}{place}> ")
}

/// The work of the term that was current last; of terms that have nodes in common these are measured once.
#[derive(Default)]
struct PromptWork {
    meter: WorkMeter,
    last: Option<(Term, String)>,
}

impl PromptWork {
    fn work(&mut self, term: &Term) -> String {
        if let Some((_, work)) = self.last.as_ref().filter(|(last, _)| last.same(term)) {
            return work.clone();
        }
        let work = shortened(&leading(&self.meter.total(term)), MAX_WORK_CHARS);
        self.last = Some((term.clone(), work.clone()));
        work
    }
}

/// Answers what was typed or pasted: perhaps several lines, each once it is complete. False when one was the last.
fn answer_each(session: &mut Session, pending: &mut PendingLines, text: &str, answers: &mut Responder) -> bool {
    if text.trim().is_empty() && !pending.is_empty() {
        return answers.answer(session, &pending.take());
    }
    text.lines().all(|line| answers.take(session, pending, line))
}

/// An editor whose helper holds the session.
fn editor(session: &mut Session, color: bool) -> rustyline::Result<Editor<Assistant<'_>, DefaultHistory>> {
    let color = if color { ColorMode::Forced } else { ColorMode::Disabled };
    let config = Config::builder()
        .max_history_size(MAX_HISTORY_LINES)?
        .history_ignore_dups(true)?
        .history_ignore_space(true)
        .completion_type(CompletionType::List)
        .color_mode(color)
        .build();
    let mut editor = Editor::with_config(config)?;
    let words = session::words(session);
    editor.set_helper(Some(Assistant::new(session, words)));
    Ok(editor)
}

/// Keeps a line for later sessions. A history that can't be written is no reason to complain.
fn remember(editor: &mut Editor<Assistant<'_>, DefaultHistory>, file: &Option<PathBuf>, line: &str) {
    drop(editor.add_history_entry(line));
    if let Some(path) = file {
        if let Some(folder) = path.parent() {
            drop(std::fs::create_dir_all(folder));
        }
        drop(editor.append_history(path));
    }
}
