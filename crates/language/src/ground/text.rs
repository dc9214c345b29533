//! Writes numbers, lists and calls as people read them.

use std::borrow::Cow;
use std::fmt::Display;

/// Whether a character may stand in a word of a script: a letter, a digit or `_`.
pub fn in_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The word that a text begins with; empty where there is none.
pub fn word(text: &str) -> &str {
    &text[..text.find(|c| !in_word(c)).unwrap_or(text.len())]
}

/// Whether a text begins as a name does: with a letter or `_`.
pub fn begins_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// A text without byte-order mark and with `\n` at the end of each line, and a function that turns such a text back.
pub fn plain_lines(text: &str) -> (String, impl Fn(&str) -> String) {
    let rest = text.strip_prefix('\u{feff}');
    let (mark, rest) = (if rest.is_some() { "\u{feff}" } else { "" }, rest.unwrap_or(text));
    let pairs = rest.matches("\r\n").count();
    let in_pairs = pairs > 0 && pairs == rest.matches('\n').count();
    let plain = if in_pairs { rest.replace("\r\n", "\n") } else { rest.to_owned() };
    let back = move |text: &str| match in_pairs {
        true => [mark, &text.replace('\n', "\r\n")].concat(),
        false => [mark, text].concat(),
    };
    (plain, back)
}

/// A number with its digits in groups of three: `4,302`.
pub fn grouped(number: u128) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (k, digit) in digits.chars().enumerate() {
        if k > 0 && (digits.len() - k).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Whether a character can't be seen: one that controls a terminal, that turns the order of letters, breaks lines unseen, or
/// has no width.
pub fn is_unseen(c: char) -> bool {
    let is_format = matches!(c,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}');
    is_format || c.is_control() && c != '\n' && c != '\t'
}

/// A text with the characters written out that [can't be seen](is_unseen), as in `\u{202e}`.
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.contains(is_unseen) {
        return text.into();
    }
    let written = |c: char| if is_unseen(c) { c.escape_default().to_string() } else { c.to_string() };
    text.chars().map(written).collect::<String>().into()
}

/// So many of something: `1 step`, `3 steps`.
pub fn counted(count: usize, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

/// A text, its end left out where it has more than so many characters.
pub fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// `a, b, c`
pub fn listed(items: impl IntoIterator<Item: Display>) -> String {
    let items: Vec<String> = items.into_iter().map(|item| item.to_string()).collect();
    items.join(", ")
}

/// `name(a, b)`, or the name alone where there are no arguments.
pub fn call(name: impl Display, arguments: impl IntoIterator<Item: Display>) -> String {
    match listed(arguments) {
        none if none.is_empty() => name.to_string(),
        all => format!("{name}({all})"),
    }
}

/// Where the line begins that a place of a text stands in.
pub fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |end| end + 1)
}

/// The words of a text with one space between them.
pub fn on_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The digits of powers, as they are shown.
pub const RAISED: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];

/// A number above the line.
pub fn raised(number: u64) -> String {
    number.to_string().bytes().map(|digit| RAISED[usize::from(digit - b'0')]).collect()
}

#[cfg(test)]
mod tests {
    use super::{begins_name, call, counted, line_start, listed, on_one_line, shortened, word};

    #[test]
    fn people_read_words() {
        assert_eq!([counted(0, "step"), counted(1, "step"), counted(2, "step")], ["0 steps", "1 step", "2 steps"]);
        assert_eq!(listed([1, 2, 3]), "1, 2, 3");
        assert_eq!([call("f", ["x", "y"]), call("f", [""; 0])], ["f(x, y)", "f"]);
        assert_eq!([shortened("añb", 2), shortened("ab", 2)], ["añ…", "ab"]);
        assert_eq!([word("a_1 b"), word("+")], ["a_1", ""]);
        assert_eq!(["_a", "é", "1", ""].map(begins_name), [true, true, false, false]);
        assert_eq!(on_one_line(" a\n  b "), "a b");
        assert_eq!([0, 2, 3, 5].map(|at| line_start("ab\ncd", at)), [0, 0, 3, 3]);
    }
}
