//! Renders diagnostics with the lines of source that they speak of.

use std::cell::RefCell;
use std::io::{self, Write};
use std::ops::Range;

use codespan_reporting::diagnostic::{Diagnostic as Report, Label, LabelStyle, Severity as Level};
use codespan_reporting::term::{Chars, Config, WriteStyle, emit_to_write_style};

use super::finding_text::FindingTexts;
use super::stop_reason;
use crate::styled::{Look, Styled};
use redexter_language::ground::text::counted;
use redexter_language::ground::{Diagnostic, Severity, SourceId, Sources, Span, Trouble};

/// Why a request could not be met, as text that ends in a line break.
pub fn trouble(trouble: &Trouble, sources: &Sources) -> Styled {
    match trouble {
        Trouble::Wrong(all) => diagnostics(all, sources),
        Trouble::Stopped { reason, help } => help.iter().fold(stop_reason(reason).then("\n"), |text, help| {
            text.and(Look::Aside, " = help: ").then(format!("{help}\n"))
        }),
    }
}

/// A finding of something that goes on, and may be at work on the sources: then it is told without its places.
pub fn finding(finding: &Diagnostic, sources: &RefCell<Sources>) -> Styled {
    match sources.try_borrow() {
        Ok(sources) => diagnostics(std::slice::from_ref(finding), &sources),
        Err(_) => format!("warning: {}\n", finding.headline).into(),
    }
}

/// So many findings of one text are shown; of the rest their number is.
const MAX_FINDINGS: usize = 100;

/// Findings in order, an empty line between them.
pub fn diagnostics(all: &[Diagnostic], sources: &Sources) -> Styled {
    let config = Config { chars: Chars::ascii(), ..Config::default() };
    let mut blocks = Styled::default();
    for (k, diagnostic) in all.iter().take(MAX_FINDINGS).enumerate() {
        let (report, texts) = report(diagnostic, sources);
        let mut painter = Painter { done: Styled::default(), pending: Vec::new(), look: Look::Plain };
        let block = match emit_to_write_style(&mut painter, &config, &texts, &report) {
            Ok(()) => painter.finish(),
            Err(_) => Styled::from(format!("error[{}]: {}", diagnostic.code, diagnostic.headline)),
        };
        if k > 0 {
            blocks.plain("\n");
        }
        block.trim_end().lines().into_iter().for_each(|line| blocks.append(&line.trim_end().then("\n")));
    }
    if let Some(rest @ 1..) = all.len().checked_sub(MAX_FINDINGS) {
        blocks.plain(&format!("\n{} more: mend some of these first\n", counted(rest, "finding")));
    }
    blocks
}

/// A finding as codespan takes it, and the lines that it points at.
fn report<'a>(diagnostic: &Diagnostic, sources: &'a Sources) -> (Report<usize>, FindingTexts<'a>) {
    let level = match diagnostic.severity {
        Severity::Error => Level::Error,
        Severity::Warning => Level::Warning,
    };
    let ranges: Vec<(SourceId, Range<usize>)> =
        diagnostic.labels.iter().map(|label| (label.span.source, range(label.span, sources))).collect();
    let texts = FindingTexts::new(&ranges, sources);
    let labels = diagnostic.labels.iter().zip(&ranges).filter_map(|(label, (id, range))| {
        let (text, shown) = texts.shown(*id, range)?;
        let style = if label.primary { LabelStyle::Primary } else { LabelStyle::Secondary };
        Some(Label::new(style, text, shown).with_message(&label.message))
    });
    let report = Report::new(level)
        .with_code(diagnostic.code.to_string())
        .with_message(&diagnostic.headline)
        .with_labels(labels.collect())
        .with_notes(diagnostic.help.iter().map(|text| format!("help: {text}")).collect());
    (report, texts)
}

/// The span's bytes, widened to whole characters and cut to the text.
fn range(span: Span, sources: &Sources) -> Range<usize> {
    let text = &sources.get(span.source).text;
    let start = text.floor_char_boundary((span.start as usize).min(text.len()));
    let end = text.ceil_char_boundary((span.end as usize).min(text.len()));
    start..end.max(start)
}

/// Gathers what codespan writes, run by run.
struct Painter {
    done: Styled,
    pending: Vec<u8>,
    /// The look of what is pending.
    look: Look,
}

impl Painter {
    fn turn(&mut self, look: Look) -> io::Result<()> {
        self.done.push(self.look, &String::from_utf8_lossy(&self.pending));
        self.pending.clear();
        self.look = look;
        Ok(())
    }

    fn finish(self) -> Styled {
        self.done.and(self.look, &String::from_utf8_lossy(&self.pending))
    }
}

fn look_of(level: Level) -> Look {
    match level {
        Level::Bug | Level::Error => Look::Error,
        Level::Warning => Look::Warning,
        Level::Note | Level::Help => Look::Note,
    }
}

impl Write for Painter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.pending.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl WriteStyle for Painter {
    fn set_header(&mut self, level: Level) -> io::Result<()> {
        self.turn(look_of(level))
    }

    fn set_header_message(&mut self) -> io::Result<()> {
        self.turn(Look::Strong)
    }

    fn set_line_number(&mut self) -> io::Result<()> {
        self.turn(Look::Aside)
    }

    fn set_note_bullet(&mut self) -> io::Result<()> {
        self.turn(Look::Aside)
    }

    fn set_source_border(&mut self) -> io::Result<()> {
        self.turn(Look::Aside)
    }

    fn set_label(&mut self, level: Level, style: LabelStyle) -> io::Result<()> {
        self.turn(if style == LabelStyle::Primary { look_of(level) } else { Look::Note })
    }

    fn reset(&mut self) -> io::Result<()> {
        self.turn(Look::Plain)
    }
}
