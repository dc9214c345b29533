//! Divides the reference into its sections and the rows of its tables, which `:help` shows.
//!
//! A section begins at a heading, or at a paragraph whose first words are bold, and ends where the next one begins. A
//! comment `<!-- help: word, word -->` in it gives it more names. This file knows no session.

use super::markdown::{MarkdownBlock, blocks};
use redexter_language::shipped;

/// A part of the manual with a title.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Section {
    /// Its title, without stars.
    pub title: &'static str,
    /// The number of `#` before its title: 1 for a page, 4 for a paragraph with bold words.
    pub level: usize,
    /// Its Markdown, without the title's line of a heading.
    pub text: &'static str,
}

/// A row of a table, under that table's head.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ManualRow {
    /// The section that it stands in.
    pub section: &'static str,
    /// Its cells as Markdown.
    pub cells: Vec<String>,
}

/// The level of a paragraph that begins with bold words.
const PARAGRAPH_LEVEL: usize = 4;

/// Every section, in order.
pub fn sections() -> Vec<Section> {
    shipped::MANUAL.iter().flat_map(|(_, page)| sections_of(page)).collect()
}

fn sections_of(page: &'static str) -> Vec<Section> {
    let mut found: Vec<Section> = Vec::new();
    let (mut start, mut at, mut fenced) = (0, 0, false);
    let close = |found: &mut Vec<Section>, from: usize, to: usize| {
        if let Some(last) = found.last_mut() {
            last.text = page[from..to].trim_matches('\n');
        }
    };
    for line in page.split_inclusive('\n') {
        fenced ^= line.starts_with("```");
        if let Some((level, title)) = title(line).filter(|_| !fenced) {
            close(&mut found, start, at);
            start = if level == PARAGRAPH_LEVEL { at } else { at + line.len() };
            found.push(Section { title, level, text: "" });
        }
        at += line.len();
    }
    close(&mut found, start, at);
    found
}

/// The level and the title of what begins with this line.
fn title(line: &'static str) -> Option<(usize, &'static str)> {
    if let Some(bold) = line.strip_prefix("**") {
        let title = bold.split_once("**")?.0;
        return Some((PARAGRAPH_LEVEL, title.trim_end_matches('.').trim_matches('`')));
    }
    let level = line.chars().take_while(|c| *c == '#').count();
    let title = line[level..].strip_prefix(' ')?.trim();
    (level > 0).then_some((level, title))
}

impl Section {
    /// The sections in it that are in no other.
    pub fn below(&self) -> Vec<Section> {
        let all = sections();
        let behind = all.iter().skip_while(|section| *section != self).skip(1);
        let inside: Vec<Section> = behind.take_while(|section| section.level > self.level).copied().collect();
        let next = inside.iter().map(|section| section.level).min();
        inside.into_iter().filter(|section| Some(section.level) == next || self.level == 1).collect()
    }

    /// Whether one word or several name it: they are its title, or one of its other names.
    pub fn is_called(&self, wanted: &str) -> bool {
        let wanted = plain(wanted);
        let title = plain(self.title);
        title == wanted || self.names().any(|name| plain(name) == wanted)
    }

    /// Whether a word of its title is the one that is wanted.
    pub fn mentions_in_title(&self, wanted: &str) -> bool {
        let words = self.title.split(|c: char| !c.is_alphanumeric());
        words.into_iter().any(|word| word.chars().count() > 3 && plain(word) == plain(wanted))
    }

    /// Its other names.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.text.lines().filter_map(marked).flat_map(|names| names.split(',')).map(str::trim)
    }

    /// The rows of its tables, but for their heads.
    pub fn rows(&self) -> impl Iterator<Item = ManualRow> {
        let section = self.title;
        let tables = blocks(self.text).into_iter().filter_map(|block| match block {
            MarkdownBlock::Table(rows) => Some(rows),
            _ => None,
        });
        tables.flat_map(move |rows| rows.into_iter().skip(1).map(move |cells| ManualRow { section, cells }))
    }
}

/// The names in a line that gives a section more of them.
pub fn marked(line: &str) -> Option<&str> {
    line.strip_prefix("<!-- help:")?.strip_suffix("-->")
}

impl ManualRow {
    /// What stands between backticks in its first cell.
    pub fn heads(&self) -> impl Iterator<Item = &str> {
        self.cells.first().map_or("", String::as_str).split('`').skip(1).step_by(2)
    }

    /// Whether its first cell is about a word: one of a head, a function of scripts behind a dot, or a code.
    pub fn is_about(&self, wanted: &str) -> bool {
        let is_word = |head: &str| head.split([',', ' ', '(']).any(|word| word == wanted);
        let is_whole = self.cells.first().is_some_and(|first| first == wanted);
        is_whole || self.heads().any(|head| is_word(head) || calls(head, wanted))
    }
}

/// Whether a head is a function of scripts behind a dot, as in `t.apply(s)`, or a property.
pub fn calls(head: &str, name: &str) -> bool {
    let rest = head.split_once('.').filter(|(of, _)| of.chars().all(char::is_alphanumeric)).map(|(_, rest)| rest);
    rest.is_some_and(|rest| rest == name || rest.strip_prefix(name).is_some_and(|rest| rest.starts_with('(')))
}

/// Without capitals, and without the ending of several.
fn plain(text: &str) -> String {
    let text = text.to_lowercase();
    let one = text.strip_suffix("es").filter(|rest| rest.ends_with("ss"));
    one.or(text.strip_suffix('s').filter(|rest| !rest.ends_with('s'))).unwrap_or(&text).to_owned()
}

#[cfg(test)]
mod tests {
    use super::sections;

    #[test]
    fn sections_begin_at_headings_and_at_bold_words() {
        let all = sections();
        let level = |title: &str| all.iter().find(|section| section.title == title).map(|section| section.level);
        assert_eq!(level("Strategies and scripts"), Some(1));
        assert_eq!(level("D: dual numbers"), Some(2));
        assert_eq!(level("Limits"), Some(4));
    }

    #[test]
    fn a_section_is_found_by_its_other_names_and_rows_by_what_they_are_about() {
        let all = sections();
        let called = |name: &str| all.iter().filter(|section| section.is_called(name)).count();
        for name in ["address", "addresses", "Schedules", "limit", "d"] {
            assert_eq!(called(name), 1, "{name}");
        }
        let about = |word: &str| all.iter().flat_map(super::Section::rows).filter(|row| row.is_about(word)).count();
        assert_eq!((about("vectorSum"), about("E0505"), about("occurrences"), about("x1")), (1, 1, 1, 0));
    }
}
