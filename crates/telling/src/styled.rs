//! Defines [`Styled`]: text in runs, each with its look, laid out for a medium. A terminal or a page turns looks into colours, or
//! leaves them out.

use std::mem;
use std::ops::Range;

use redexter_language::ground::text::{is_unseen, visible};
use redexter_language::syntax::PrintRole;

/// The additional indentation of what follows a line break that is inserted.
const FOLD_INDENT: usize = 2;

/// The most columns of a title in a table or a heading.
pub(crate) const MAX_TITLE_COLUMNS: usize = 40;

/// The most characters of a work that is shown whole; of a longer one stand its leading terms.
pub(crate) const MAX_WORK_CHARS: usize = 40;

/// Kinds of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// Plain text.
    Plain,
    /// A piece of a term.
    Role(PrintRole),
    /// The subterm that a step rewrites.
    Redex,
    /// The subterm that it becomes.
    Contractum,
    /// A bracket around a redex or a contractum for where no looks are shown; a terminal in colours leaves it out.
    Mark,
    /// The name of a rule.
    Rule,
    /// An addition to the matter: a law, a path, a line number.
    Aside,
    /// A headline.
    Strong,
    /// An error.
    Error,
    /// A warning, or a limit.
    Warning,
    /// An explanation, or help.
    Note,
}

impl Look {
    /// The name by which pages give it a style; empty for plain text. A piece of a term goes by its letter.
    pub fn class(self) -> &'static str {
        match self {
            Look::Plain => "",
            Look::Role(role) => letter(role).trim(),
            Look::Redex => "redex",
            Look::Contractum => "contractum",
            Look::Mark => "mark",
            Look::Rule => "rule",
            Look::Aside => "aside",
            Look::Strong => "strong",
            Look::Error => "error",
            Look::Warning => "warning",
            Look::Note => "note",
        }
    }
}

/// The letter that stands for a role.
pub fn letter(role: PrintRole) -> &'static str {
    match role {
        PrintRole::Keyword => "k",
        PrintRole::Binder => "b",
        PrintRole::Variable => "v",
        PrintRole::Number => "n",
        PrintRole::Operator => "o",
        PrintRole::Primitive => "p",
        PrintRole::Size => "s",
        PrintRole::Type => "t",
        PrintRole::Plain => " ",
    }
}

/// The medium that text is laid out for: its width, and whether a person reads it.
#[derive(Clone, Copy, Debug)]
pub struct PageLayout {
    /// Terms are laid out to this width.
    pub width: usize,
    /// For a person at a terminal: how to see a term whole that is shortened. None where everything is wanted that isn't
    /// vast.
    pub rest: Option<&'static str>,
}

impl From<usize> for PageLayout {
    /// Everything, in lines of this width.
    fn from(width: usize) -> PageLayout {
        PageLayout { width, rest: None }
    }
}

/// Text in runs, each with its look.
///
/// ```
/// use redexter_telling::styled::{Look, Styled};
///
/// let text = Styled::of(Look::Rule, "beta").then(" applies");
/// assert_eq!(text.text(), "beta applies");
/// assert_eq!(text.runs().next(), Some((Look::Rule, "beta")));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Styled {
    text: String,
    /// The last runs: the look of each, and where it ends.
    runs: Vec<(Look, usize)>,
    /// The runs before those, [`RUNS_PER_BLOCK`] in each: a single vector would move all of them at once when it grows, which
    /// takes longer than a limit may wait.
    before: Vec<Vec<(Look, usize)>>,
}

/// The number of runs in a block.
const RUNS_PER_BLOCK: usize = 1 << 16;

impl Styled {
    /// A run that stands beside what is asked for.
    pub fn aside(text: &str) -> Styled {
        Styled::of(Look::Aside, text)
    }

    /// A run.
    pub fn of(look: Look, text: &str) -> Styled {
        Styled::default().and(look, text)
    }

    /// With a run behind it.
    pub fn and(mut self, look: Look, text: &str) -> Styled {
        self.push(look, text);
        self
    }

    /// With more text behind it.
    pub fn then(mut self, more: impl Into<Styled>) -> Styled {
        self.append(&more.into());
        self
    }

    /// Adds a run.
    pub fn push(&mut self, look: Look, text: &str) {
        if text.is_empty() {
            return;
        }
        self.text.push_str(text);
        let end = self.text.len();
        match self.runs.last_mut() {
            Some((Look::Plain, last)) if look == Look::Plain => *last = end,
            _ => {
                if self.runs.len() == RUNS_PER_BLOCK {
                    self.before.push(mem::replace(&mut self.runs, Vec::with_capacity(RUNS_PER_BLOCK)));
                }
                self.runs.push((look, end));
            }
        }
    }

    /// Adds plain text.
    pub fn plain(&mut self, text: &str) {
        self.push(Look::Plain, text);
    }

    /// Adds all runs of another text.
    pub fn append(&mut self, more: &Styled) {
        more.runs().for_each(|(look, text)| self.push(look, text));
    }

    /// The runs in order.
    pub fn runs(&self) -> impl Iterator<Item = (Look, &str)> {
        let all = self.before.iter().flatten().chain(&self.runs);
        let starts = std::iter::once(0).chain(all.clone().map(|(_, end)| *end));
        starts.zip(all).map(|(start, (look, end))| (*look, &self.text[start..*end]))
    }

    /// The text with all characters written out that a terminal would obey or that turn the order of letters around: control
    /// characters but line breaks and tabs, and marks of direction.
    pub fn visible(self) -> Styled {
        if !self.text.contains(is_unseen) {
            return self;
        }
        let mut seen = Styled::default();
        self.runs().for_each(|(look, run)| seen.push(look, &visible(run)));
        seen
    }

    /// The text without looks.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text without looks, without a copy of it.
    pub fn into_text(self) -> String {
        self.text
    }

    /// Whether there is no text.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// The number of characters.
    pub fn width(&self) -> usize {
        self.text.chars().count()
    }

    /// Its lines, without what ends them.
    pub fn lines(&self) -> Vec<Styled> {
        let mut lines = vec![Styled::default()];
        for (look, text) in self.runs() {
            for (k, part) in text.split('\n').enumerate() {
                if k > 0 {
                    lines.push(Styled::default());
                }
                if let Some(line) = lines.last_mut() {
                    line.push(look, part);
                }
            }
        }
        if lines.last().is_some_and(Styled::is_empty) {
            lines.pop();
        }
        lines
    }

    /// With line breaks at blanks where a line is wider than `width`, as far as its words allow: between the cells of a row where
    /// these fit in lines of their own, in a path behind a dot. What follows a break is indented by two more than its line. Lines
    /// of source, which stand behind `|`, stay as they are.
    pub fn folded(self, width: usize) -> Styled {
        if self.text.lines().all(|line| line.chars().count() <= width) {
            return self;
        }
        let mut folded = Styled::default();
        let ends = self.text.ends_with('\n');
        for (k, line) in self.lines().iter().enumerate() {
            if k > 0 {
                folded.plain("\n");
            }
            line.fold_into(&mut folded, width);
        }
        if ends {
            folded.plain("\n");
        }
        folded
    }

    /// Adds one line in lines of at most `width`.
    fn fold_into(&self, folded: &mut Styled, width: usize) {
        let indent = self.text.len() - self.text.trim_start().len();
        let is_source = self.text.trim_start_matches(|c: char| c == ' ' || c.is_ascii_digit()).starts_with('|');
        let breaks = if is_source { Vec::new() } else { breaks(&self.text, indent, width) };
        let (mut at, mut from, mut rest) = (0, 0, &breaks[..]);
        for (look, run) in self.runs() {
            let end = at + run.len();
            while let Some((blanks, others)) = rest.split_first().filter(|(blanks, _)| blanks.start < end) {
                folded.push(look, &self.text[from..blanks.start]);
                folded.plain(&format!("\n{}", " ".repeat(indent + FOLD_INDENT)));
                (from, rest) = (blanks.end, others);
            }
            // The blanks of a break may go on in the next run.
            if from < end {
                folded.push(look, &self.text[from..end]);
                from = end;
            }
            at = end;
        }
    }

    /// Without the white space at its end.
    pub fn trim_end(mut self) -> Styled {
        let end = self.text.trim_end().len();
        self.text.truncate(end);
        while let Some((look, last)) = self.runs.pop() {
            let before = self.runs.last().or_else(|| self.before.last()?.last());
            if before.map_or(0, |(_, end)| *end) < end {
                self.runs.push((look, last.min(end)));
                break;
            }
            if self.runs.is_empty() {
                self.runs = self.before.pop().unwrap_or_default();
            }
        }
        self
    }
}

/// The blanks in a line that are to be line breaks; a break in a path has none.
fn breaks(line: &str, indent: usize, width: usize) -> Vec<Range<usize>> {
    let columns = width.saturating_sub(indent + FOLD_INDENT);
    let (mut breaks, mut from, mut room) = (Vec::new(), indent, width.saturating_sub(indent));
    let mut least = line[indent..].char_indices().nth(FOLD_INDENT).map_or(line.len(), |(at, _)| indent + at);
    while let Some((length, _)) = line[from..].char_indices().nth(room) {
        let Some(place) = best_break(line, least..from + length, columns) else { break };
        (from, least, room) = (place.end, place.end, columns);
        breaks.push(place);
    }
    breaks
}

/// The best break of a line in a range, or the first one behind it; so many columns has the line behind it.
fn best_break(line: &str, within: Range<usize>, columns: usize) -> Option<Range<usize>> {
    let mut best: Option<(bool, Range<usize>)> = None;
    let mut behind = None;
    let mut at = within.start;
    while let Some(length) = line[at..].find(' ') {
        let start = at + length;
        at = line.len() - line[start..].trim_start_matches(' ').len();
        if start >= within.end || at == line.len() {
            behind = (at < line.len()).then_some(start..at);
            break;
        }
        // A gap between cells is better than a blank, if the cell behind it fits.
        let most = line[at..].char_indices().nth(columns);
        let is_gap = at - start > 1 && most.is_none_or(|(most, _)| line[at..at + most].contains("  "));
        if is_gap || best.as_ref().is_none_or(|(gap, _)| !gap) {
            best = Some((is_gap, start..at));
        }
    }
    // A word that is too long is broken in a path, or else goes over.
    let dot = || line.get(within.clone())?.rfind('.').map(|dot| within.start + dot + 1);
    let in_path = || dot().filter(|dot| is_in_path(line, *dot)).map(|dot| dot..dot);
    best.map(|(_, best)| best).or_else(in_path).or(behind)
}

/// Whether the dot before a place stands between words.
fn is_in_path(line: &str, at: usize) -> bool {
    line[..at - 1].ends_with(char::is_alphabetic) && line[at..].starts_with(char::is_alphabetic)
}

impl From<String> for Styled {
    fn from(text: String) -> Styled {
        let runs = if text.is_empty() { Vec::new() } else { vec![(Look::Plain, text.len())] };
        Styled { text, runs, before: Vec::new() }
    }
}

impl From<&str> for Styled {
    fn from(text: &str) -> Styled {
        Styled::of(Look::Plain, text)
    }
}

impl FromIterator<Styled> for Styled {
    fn from_iter<T: IntoIterator<Item = Styled>>(parts: T) -> Styled {
        parts.into_iter().fold(Styled::default(), Styled::then)
    }
}

#[cfg(test)]
mod tests {
    use super::{Look, RUNS_PER_BLOCK, Styled};

    fn runs(text: &Styled) -> Vec<(Look, &str)> {
        text.runs().collect()
    }

    #[test]
    fn plain_runs_join_and_others_stay_as_they_were_pushed() {
        let text = Styled::from("a").then("b").and(Look::Rule, "c").and(Look::Rule, "d").then("").and(Look::Mark, "«");
        assert_eq!(runs(&text), [(Look::Plain, "ab"), (Look::Rule, "c"), (Look::Rule, "d"), (Look::Mark, "«")]);
        assert_eq!((text.text(), text.width()), ("abcd«", 5));
    }

    #[test]
    fn lines_and_trimming_keep_looks() {
        let text = Styled::of(Look::Strong, "a\n\nb ").and(Look::Aside, " \n").then(" ");
        let lines = text.lines();
        assert_eq!(lines.iter().map(Styled::text).collect::<Vec<_>>(), ["a", "", "b  ", " "]);
        assert_eq!(runs(&lines[2]), [(Look::Strong, "b "), (Look::Aside, " ")]);
        assert_eq!(runs(&lines[2].clone().trim_end()), [(Look::Strong, "b")]);
        assert_eq!(runs(&text.trim_end()), [(Look::Strong, "a\n\nb")]);
        assert_eq!(Styled::of(Look::Note, " \n").trim_end(), Styled::default());
        assert_eq!(Styled::from("a\n").lines(), [Styled::from("a")]);
    }

    #[test]
    fn many_runs_are_as_few() {
        for count in [RUNS_PER_BLOCK, RUNS_PER_BLOCK + 1, 2 * RUNS_PER_BLOCK + 3] {
            let mut text = Styled::default();
            (0..count).for_each(|k| text.push(if k % 2 == 0 { Look::Rule } else { Look::Aside }, "a"));
            text.push(Look::Rule, " ");
            assert_eq!((text.runs().count(), text.runs().last()), (count + 1, Some((Look::Rule, " "))));
            let mut trimmed = text.clone().trim_end();
            assert_eq!(trimmed.runs().count(), count);
            assert!(trimmed.runs().all(|(_, run)| run == "a"));
            trimmed.push(Look::Rule, " ");
            assert_eq!(trimmed.runs().collect::<Vec<_>>(), text.runs().collect::<Vec<_>>());
        }
    }

    #[test]
    fn lines_break_at_blanks_where_they_are_too_wide() {
        let text =
            Styled::of(Look::Aside, " = help: ").then("there is one, two and three\n").and(Look::Strong, "short\n");
        let folded = text.folded(16);
        assert_eq!(folded.text(), " = help: there\n   is one, two\n   and three\nshort\n");
        assert_eq!(folded.runs().nth(2), Some((Look::Strong, "short")));
        for same in ["a-word-that-is-too-long", "1 | a line of source", "a b\n\n", "", "  | ^^^ here, in it"] {
            assert_eq!(Styled::from(same).folded(9).text(), same);
        }
        // A row is broken between its cells, a path behind a dot.
        let row = Styled::of(Look::Strong, "hoist").then("   3 steps by 2 rules").and(Look::Aside, "    n² + n\n");
        assert_eq!(row.clone().folded(27).text(), "hoist   3 steps by 2 rules\n  n² + n\n");
        assert_eq!(row.folded(22).text(), "hoist\n  3 steps by 2 rules\n  n² + n\n");
        let path = Styled::from("at body.foldBody.body.letBody").folded(20);
        assert_eq!(path.text(), "at\n  body.foldBody.\n  body.letBody");
        let word = Styled::from("1. a-word-that-is-too-long and more").folded(9);
        assert_eq!(word.text(), "1.\n  a-word-that-is-too-long\n  and\n  more");
    }
}
