//! Takes out of a text the lines that a finding points at, and cuts long ones around what it points at.
//!
//! A line that is as long as a file would be printed with each of a file's findings, and nobody reads it; its places are told as
//! they are in the text.

use std::ops::Range;

use codespan_reporting::files::{Error, Files};
use redexter_language::ground::{Source, SourceId, Sources};

/// Lines of up to so many bytes are shown whole.
const LONGEST_LINE: usize = 320;

/// Of a longer one so many bytes are shown on either side of where something begins or ends.
const AROUND: usize = 80;

/// Stands where something of a line is left out.
const CUT: &str = "…";

/// The lines of one text that a finding points at.
struct FindingText<'a> {
    source: &'a Source,
    /// The first line's number, from 1.
    first: usize,
    /// What is shown.
    text: String,
    /// Where each line begins in what is shown.
    lines: Vec<usize>,
    /// What of the source is shown, in order, and where.
    pieces: Vec<Piece>,
}

/// A run of a source's bytes that is shown.
struct Piece {
    source: usize,
    shown: usize,
    length: usize,
}

impl<'a> FindingText<'a> {
    /// The lines that these ranges lie in.
    fn new(source: &'a Source, ranges: &[Range<usize>]) -> FindingText<'a> {
        let start = ranges.iter().map(|range| range.start).min().unwrap_or(0);
        let end = ranges.iter().map(|range| range.end).max().unwrap_or(0);
        let (first, last) = (source.position(start).0, source.position(end).0);
        let mut shown = FindingText { source, first, text: String::new(), lines: Vec::new(), pieces: Vec::new() };
        for (from, line) in (first..=last).filter_map(|number| source.line(number)) {
            shown.lines.push(shown.text.len());
            if line.len() <= LONGEST_LINE {
                shown.show(from..from + line.len());
            } else {
                shown.show_cut(from, line, ranges);
            }
        }
        shown
    }

    fn show(&mut self, range: Range<usize>) {
        self.pieces.push(Piece { source: range.start, shown: self.text.len(), length: range.len() });
        self.text.push_str(&self.source.text[range]);
    }

    /// Shows a line's parts around the ends of the ranges; its beginning where none ends in it.
    fn show_cut(&mut self, from: usize, line: &str, ranges: &[Range<usize>]) {
        let end = from + line.trim_end_matches(['\r', '\n']).len();
        let mut ends: Vec<usize> = ranges.iter().flat_map(|range| [range.start, range.end]).collect();
        ends.retain(|at| (from..=end).contains(at));
        ends.sort_unstable();
        if ends.is_empty() {
            ends.push(from);
        }
        let text = &self.source.text;
        let mut parts: Vec<Range<usize>> = Vec::new();
        for at in ends {
            let start = text.floor_char_boundary(at.saturating_sub(AROUND)).max(from);
            let stop = text.ceil_char_boundary((at + AROUND).min(end));
            match parts.last_mut() {
                Some(last) if start <= last.end => last.end = stop.max(last.end),
                _ => parts.push(start..stop),
            }
        }
        if parts[0].start > from {
            self.text.push_str(CUT);
        }
        for part in parts {
            let rest = part.end < end;
            self.show(part);
            if rest {
                self.text.push_str(CUT);
            }
        }
        self.show(end..from + line.len());
    }

    /// Where an offset of the source is shown.
    fn shown(&self, offset: usize) -> usize {
        let behind = self.pieces.partition_point(|piece| piece.source <= offset);
        self.pieces[..behind].last().map_or(0, |piece| piece.shown + (offset - piece.source).min(piece.length))
    }

    /// Which offset of the source is shown there.
    fn original(&self, shown: usize) -> usize {
        let behind = self.pieces.partition_point(|piece| piece.shown <= shown);
        self.pieces[..behind].last().map_or(0, |piece| piece.source + (shown - piece.shown).min(piece.length))
    }
}

/// The texts that one finding points at.
#[derive(Default)]
pub struct FindingTexts<'a>(Vec<(SourceId, FindingText<'a>)>);

impl<'a> FindingTexts<'a> {
    /// The lines around ranges of bytes that lie in these texts, on ends of characters.
    pub fn new(ranges: &[(SourceId, Range<usize>)], sources: &'a Sources) -> FindingTexts<'a> {
        let mut all = FindingTexts::default();
        for (id, _) in ranges {
            if all.0.iter().all(|(known, _)| known != id) {
                let here: Vec<Range<usize>> =
                    ranges.iter().filter(|(other, _)| other == id).map(|(_, range)| range.clone()).collect();
                all.0.push((*id, FindingText::new(sources.get(*id), &here)));
            }
        }
        all
    }

    /// The text's number here, and the range as it is shown.
    pub fn shown(&self, id: SourceId, range: &Range<usize>) -> Option<(usize, Range<usize>)> {
        let number = self.0.iter().position(|(known, _)| *known == id)?;
        let text = &self.0[number].1;
        Some((number, text.shown(range.start)..text.shown(range.end)))
    }

    fn get(&self, number: usize) -> Result<&FindingText<'a>, Error> {
        self.0.get(number).map(|(_, text)| text).ok_or(Error::FileMissing)
    }
}

impl<'f> Files<'f> for FindingTexts<'_> {
    type FileId = usize;
    type Name = &'f str;
    type Source = &'f str;

    fn name(&'f self, number: usize) -> Result<&'f str, Error> {
        Ok(&self.get(number)?.source.name)
    }

    fn source(&'f self, number: usize) -> Result<&'f str, Error> {
        Ok(&self.get(number)?.text)
    }

    fn line_index(&self, number: usize, byte: usize) -> Result<usize, Error> {
        Ok(self.get(number)?.lines.partition_point(|start| *start <= byte).saturating_sub(1))
    }

    fn line_number(&self, number: usize, line: usize) -> Result<usize, Error> {
        Ok(self.get(number)?.first + line)
    }

    fn column_number(&self, number: usize, _line: usize, byte: usize) -> Result<usize, Error> {
        let text = self.get(number)?;
        Ok(text.source.position(text.original(byte)).1)
    }

    fn line_range(&self, number: usize, line: usize) -> Result<Range<usize>, Error> {
        let text = self.get(number)?;
        let max = text.lines.len();
        let start = *text.lines.get(line).ok_or(Error::LineTooLarge { given: line, max })?;
        Ok(start..text.lines.get(line + 1).copied().unwrap_or(text.text.len()))
    }
}
