//! Defines diagnostics, as plain data. `render` turns them into text.

use super::{DiagnosticCode, Span, StopReason};

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// The input is wrong.
    Error,
    /// The input is odd.
    Warning,
}

/// A place and what is to be said of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// Where.
    pub span: Span,
    /// What is there, or why something else was expected.
    pub message: String,
    /// The place of the finding itself, as against a place that explains it.
    pub primary: bool,
}

/// A finding: what is wrong, where, and one concrete remedy.
///
/// ```
/// use redexter_language::ground::{Diagnostic, code};
///
/// let wrong = Diagnostic::error(code::UNREADABLE, "`m.arr` can't be read").help("name a file");
/// assert_eq!((wrong.code.to_string(), wrong.help.len()), ("E0401".to_owned(), 1));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// A stable code, such as E0203.
    pub code: DiagnosticCode,
    /// The finding, not the phase that found it.
    pub headline: String,
    /// Places, the primary one first.
    pub labels: Vec<Label>,
    /// Remedies: one concrete edit each.
    pub help: Vec<String>,
}

impl Diagnostic {
    /// An error without places.
    pub fn error(code: DiagnosticCode, headline: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Error, code, headline: headline.into(), labels: Vec::new(), help: Vec::new() }
    }

    /// A warning without places.
    pub fn warning(code: DiagnosticCode, headline: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::error(code, headline) }
    }

    /// Adds the primary place.
    pub fn at(mut self, span: Span, message: impl Into<String>) -> Diagnostic {
        self.labels.push(Label { span, message: message.into(), primary: true });
        self
    }

    /// Adds a place that explains.
    pub fn because(mut self, span: Span, message: impl Into<String>) -> Diagnostic {
        self.labels.push(Label { span, message: message.into(), primary: false });
        self
    }

    /// Adds a remedy.
    pub fn help(mut self, text: impl Into<String>) -> Diagnostic {
        self.help.push(text.into());
        self
    }

    /// The primary place, if there is one.
    pub fn place(&self) -> Option<Span> {
        self.labels.iter().find(|l| l.primary).or(self.labels.first()).map(|l| l.span)
    }
}

/// The reason for which a request could not be met: the input is wrong, or a limit was reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// Exit code 1. Never empty.
    Wrong(Vec<Diagnostic>),
    /// Exit code 3, or 130 for Ctrl-C.
    Stopped {
        /// The limit.
        reason: StopReason,
        /// What was going on, and what to do about it.
        help: Vec<String>,
    },
}

impl Trouble {
    /// Adds to what there is to say of a limit; findings have remedies of their own.
    pub fn help(mut self, text: impl Into<String>) -> Trouble {
        if let Trouble::Stopped { help, .. } = &mut self {
            help.push(text.into());
        }
        self
    }
}

impl From<Diagnostic> for Trouble {
    fn from(d: Diagnostic) -> Trouble {
        Trouble::Wrong(vec![d])
    }
}

impl From<StopReason> for Trouble {
    fn from(reason: StopReason) -> Trouble {
        Trouble::Stopped { reason, help: Vec::new() }
    }
}
