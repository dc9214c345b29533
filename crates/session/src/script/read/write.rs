//! Replaces parts of a text by what Rhai reads, character for character.

use std::ops::Range;

/// A replacement of a part of a text: `new` in its first line that has room for it, and spaces for the rest.
pub(super) struct ScriptEdit {
    pub range: Range<usize>,
    pub new: String,
}

impl ScriptEdit {
    /// Whether a line of the part has room for what is new.
    pub fn fits(&self, text: &str) -> bool {
        text[self.range.clone()].split('\n').any(|line| self.new.len() <= line.chars().count())
    }
}

/// The text with these edits, in order: each character is exchanged for one, and lines stay.
pub(super) fn written(text: &str, edits: &[ScriptEdit]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut copied = 0;
    for ScriptEdit { range, new } in edits {
        out.push_str(&text[copied..range.start]);
        let mut new = Some(new.as_str());
        for line in text[range.clone()].split_inclusive('\n') {
            let (inside, end) = line.strip_suffix('\n').map_or((line, ""), |inside| (inside, "\n"));
            let width = inside.chars().count();
            let here = new.take_if(|new| new.len() <= width).unwrap_or("");
            out.push_str(here);
            out.extend(std::iter::repeat_n(' ', width - here.len()));
            out.push_str(end);
        }
        copied = range.end;
    }
    out + &text[copied..]
}

#[cfg(test)]
mod tests {
    use super::{ScriptEdit, written};

    #[test]
    fn each_character_is_exchanged_for_one() {
        let edit = |range, new: &str| ScriptEdit { range, new: new.to_owned() };
        assert_eq!(written("é <+ b", &[edit(3..5, "<|")]), "é <| b");
        assert_eq!(written("aé\nbcd\ne f", &[edit(0..9, "xyz")]), "  \nxyz\n  f");
        assert!(edit(0..3, "ab").fits("aéb") && !edit(0..5, "abc").fits("aé\nbb"));
    }
}
