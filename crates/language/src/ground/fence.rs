//! Finds the fenced blocks of a Markdown page. A fence is a line of at least three backticks or tildes; the block ends at a
//! line of at least as many, or with the page.

use std::ops::Range;

/// A fenced block.
pub struct FencedBlock<'a> {
    /// The first word behind the fence.
    pub language: &'a str,
    /// Where that word stands, in bytes of the page.
    pub named: Range<usize>,
    /// The second word behind the fence.
    pub file: Option<&'a str>,
    /// What stands behind that.
    pub more: &'a str,
    /// The blanks before the fence, which each line of the block may have, too.
    pub indent: &'a str,
    /// The lines between the fences without these blanks.
    pub lines: Vec<FencedLine<'a>>,
    /// What stands between the lines of the fences, in bytes of the page.
    pub inside: Range<usize>,
}

/// A line of a block, its end included.
#[derive(Clone, Copy)]
pub struct FencedLine<'a> {
    /// Where it stands, in bytes of the page.
    pub at: usize,
    /// What it says.
    pub text: &'a str,
}

impl FencedBlock<'_> {
    /// The lines as one text.
    pub fn text(&self) -> String {
        self.lines.iter().map(|line| line.text).collect()
    }
}

/// The blocks of a page, in order.
pub fn blocks(page: &str) -> Vec<FencedBlock<'_>> {
    let mut found = Vec::new();
    let mut open: Option<(FencedBlock<'_>, &str)> = None;
    let mut at = 0;
    for text in page.split_inclusive('\n') {
        let end = at + text.len();
        match open.take() {
            None => open = opening(text, end),
            Some((block, fence)) if closes(text, fence) => found.push(block),
            Some((mut block, fence)) => {
                let line = text.strip_prefix(block.indent).unwrap_or(text.trim_start_matches(' '));
                block.lines.push(FencedLine { at: end - line.len(), text: line });
                block.inside.end = end;
                open = Some((block, fence));
            }
        }
        at = end;
    }
    found.extend(open.map(|(block, _)| block));
    found
}

/// The block that a line opens, and its fence; the block begins at `start`.
fn opening(line: &str, start: usize) -> Option<(FencedBlock<'_>, &str)> {
    let rest = line.trim_start_matches(' ');
    let indent = &line[..line.len() - rest.len()];
    let mark = rest.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let info = rest.trim_start_matches(mark);
    let fence = &rest[..rest.len() - info.len()];
    if fence.len() < 3 || info.contains('`') {
        return None;
    }
    let mut words = info.split_whitespace();
    let (language, file) = (words.next().unwrap_or(""), words.next());
    let more = info.trim().splitn(3, char::is_whitespace).nth(2).unwrap_or("").trim();
    let blanks = info.len() - info.trim_start().len();
    let at = start - line.len() + indent.len() + fence.len() + if language.is_empty() { 0 } else { blanks };
    let named = at..at + language.len();
    Some((FencedBlock { language, named, file, more, indent, lines: Vec::new(), inside: start..start }, fence))
}

fn closes(line: &str, fence: &str) -> bool {
    let line = line.trim();
    line.len() >= fence.len() && line.chars().all(|c| fence.starts_with(c))
}

#[cfg(test)]
mod tests {
    use super::blocks;

    #[test]
    fn blocks_are_found_where_markdown_has_them() {
        let page = "```a\n1\n```\n````md\n```a\nno\n```\n````\n * x\n   ~~~ a f.arr more\n   2\n\n 3\n   ~~~\n`` ```no` \n```\nend";
        let found = blocks(page);
        let shown: Vec<_> = found.iter().map(|b| (b.language, b.file, b.text(), &page[b.inside.clone()])).collect();
        let expected = [
            ("a", None, "1\n".to_owned(), "1\n"),
            ("md", None, "```a\nno\n```\n".to_owned(), "```a\nno\n```\n"),
            ("a", Some("f.arr"), "2\n\n3\n".to_owned(), "   2\n\n 3\n"),
            ("", None, "end".to_owned(), "end"),
        ];
        assert_eq!(shown, expected);
        assert!(found.iter().all(|block| page[block.named.clone()] == *block.language));
        assert!(found.iter().flat_map(|b| &b.lines).all(|line| page[line.at..].starts_with(line.text)));
    }
}
