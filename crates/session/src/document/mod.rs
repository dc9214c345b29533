//! Checks documents in Markdown: the transcripts, models and scripts in their fenced blocks have to be right.
//!
//! | block | is |
//! |---|---|
//! | `session` | a transcript of the REPL, replayed in a session of its own |
//! | `arr`, `strat` | a model or a script, checked |
//! | `arr my.arr`, `strat my.strat` | the same; the blocks below it find it as a file of this name |
//!
//! All other text, and every other block, is for readers; of a word that is nearly one of these a warning tells. Nothing that a
//! document does is written to the machine.

mod transcript;

use std::path::{Path, PathBuf};
use std::rc::Rc;

pub use self::transcript::replay;
use crate::session::{self, OverlaySystem, Session, SilentSink, System};
use redexter_language::ground::fence::{FencedBlock, blocks};
use redexter_language::ground::text::{listed, plain_lines};
use redexter_language::ground::{Diagnostic, SourceId, Span, Trouble, code};
use redexter_telling::lesson::{COMMON_BLOCKS, is_lesson, nearly};

/// What a check of a document found.
pub struct DocumentCheck {
    /// The document with the answers that are given now.
    pub text: String,
    /// What is wrong, and where, in order.
    pub findings: Vec<Diagnostic>,
}

/// Checks a document, under the limits of `session`.
pub fn check(session: &Session, path: &Path, text: &str) -> Result<DocumentCheck, Trouble> {
    let (page, back) = plain_lines(text);
    let (mut done, mut findings, mut files) = (String::new(), Vec::new(), Vec::new());
    let source = session.add_source(path, &page);
    let mut copied = 0;
    for block in blocks(&page) {
        match block.language {
            "session" => {
                let told = transcript::read(&block.lines);
                let answers = transcript::answers(session, machine(session, &files)?, &told)?;
                findings.extend(transcript::differences(source, &told, &answers));
                done.push_str(&page[copied..block.inside.start]);
                done.push_str(&indented(&transcript::written(&told, &answers), block.indent));
                copied = block.inside.end;
            }
            "arr" | "strat" => {
                if let Some(name) = block.file {
                    files.push((PathBuf::from(name), block.text()));
                }
                match check_block(session, path, &page, &block, machine(session, &files)?) {
                    Err(Trouble::Wrong(found)) => findings.extend(found),
                    done => done?,
                }
            }
            language => {
                // What is nearly a word of lessons is an error of those.
                if let Some(near) = nearly(language).filter(|near| COMMON_BLOCKS.contains(near)) {
                    session.warn(&unread(source, &block, near));
                }
            }
        }
    }
    if findings.is_empty() && is_lesson(&page) {
        let mut apart = session.apart(machine(session, &files)?, Box::new(SilentSink))?;
        match apart.during(|apart| session::check_lesson(apart, path, &page)) {
            Err(Trouble::Wrong(found)) => findings.extend(found),
            done => done?,
        }
    }
    done.push_str(&page[copied..]);
    Ok(DocumentCheck { text: back(&done), findings })
}

/// The warning that a block isn't checked, as one of a word like its own would be.
fn unread(source: SourceId, block: &FencedBlock<'_>, near: &str) -> Diagnostic {
    let at = Span::new(source, block.named.start, block.named.end);
    Diagnostic::warning(code::UNREAD_BLOCK, format!("blocks of `{}` aren't checked", block.language))
        .at(at, "is no word that redexter knows")
        .help(format!("did you mean `{near}`?"))
        .help(format!("what is checked is {}", listed(COMMON_BLOCKS.map(|word| format!("`{word}`")))))
}

/// The machine of the session with some files more, for one block.
fn machine(session: &Session, files: &[(PathBuf, String)]) -> Result<Rc<dyn System>, Trouble> {
    let machine = OverlaySystem::over(session.system());
    for (name, text) in files {
        let unwritable = |e| Diagnostic::error(code::UNWRITABLE, format!("`{}` has no folder: {e}", name.display()));
        machine.write(name, text.as_bytes()).map_err(unwritable)?;
    }
    Ok(Rc::new(machine))
}

/// Checks a model or a script. Its lines are counted from the top of the page.
fn check_block(
    session: &Session,
    path: &Path,
    page: &str,
    block: &FencedBlock<'_>,
    machine: Rc<dyn System>,
) -> Result<(), Trouble> {
    let above = page[..block.inside.start].matches('\n').count();
    let text = "\n".repeat(above) + &page[block.inside.clone()];
    let mut apart = session.apart(machine, Box::new(SilentSink))?;
    apart.during(|apart| match block.language {
        "arr" => session::check_model(apart, path, &text),
        _ => session::check_script(apart, path, &text),
    })
}

/// Each line further to the right, but empty ones.
fn indented(text: &str, by: &str) -> String {
    let line = |line: &str| if line == "\n" { line.to_owned() } else { [by, line].concat() };
    text.split_inclusive('\n').map(line).collect()
}
