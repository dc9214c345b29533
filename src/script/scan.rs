//! What of a script's text is code: brackets and signs that stand in strings, laws and comments count for nothing.

use crate::ground::text::in_word;
use crate::syntax::comments::script_comment;

/// The characters that stand in no string, law or comment, with their places.
pub(super) fn code_of(text: &str) -> impl Iterator<Item = (usize, char)> {
    let mut next = 0;
    std::iter::from_fn(move || {
        loop {
            let (at, rest) = (next, &text[next..]);
            let c = rest.chars().next()?;
            let comment = script_comment(rest);
            let skipped = match c {
                _ if comment.is_some() => comment.and_then(Result::ok),
                '"' => quoted(rest, '"'),
                '`' => rest[1..].find('`').map(|k| k + 2),
                '\'' => Some(character(rest)),
                _ => {
                    next += c.len_utf8();
                    return Some((at, c));
                }
            };
            next += skipped.unwrap_or(rest.len());
        }
    })
}

/// The length of the character in quotes that the text begins with; of its first quote where that is the prime of a name.
fn character(text: &str) -> usize {
    let inside = if text[1..].starts_with('\\') { 2 } else { 1 };
    let mut rest = text.char_indices().skip(1 + inside);
    rest.next().filter(|(_, c)| *c == '\'').map_or(1, |(k, _)| k + 1)
}

/// The length of the string that the text begins with, its quotes included, if it is closed; in single quotes a line
/// closes it, too.
pub(super) fn quoted(text: &str, quote: char) -> Option<usize> {
    let mut escaped = true;
    for (k, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == quote => return Some(k + 1),
            '\n' if quote == '\'' => return Some(k + 1),
            _ => {}
        }
    }
    None
}

/// Where this character stands outside all brackets, if it does before one closes that wasn't opened.
pub(super) fn end(text: &str, wanted: char) -> Option<usize> {
    let mut open = 0_u32;
    for (k, c) in code_of(text) {
        match c {
            '(' | '[' | '{' => open += 1,
            ')' | ']' | '}' => open = open.checked_sub(1)?,
            c if c == wanted && open == 0 => return Some(k),
            _ => {}
        }
    }
    None
}

/// The definition of a function in a text, from its `fn` to the brace that ends it.
pub(super) fn function(text: &str, name: &str) -> Option<String> {
    let mut from = 0;
    while let Some(k) = text[from..].find("fn ") {
        let start = from + k;
        let word = !text[..start].ends_with(in_word);
        let rest = text[start + 3..].trim_start();
        if word && rest.strip_prefix(name).is_some_and(|rest| rest.trim_start().starts_with('(')) {
            return braces_end(&text[start..]).map(|length| text[start..start + length].to_owned());
        }
        from = start + 3;
    }
    None
}

/// Where the first pair of braces ends.
fn braces_end(text: &str) -> Option<usize> {
    let mut open = 0_u32;
    for (k, c) in code_of(text) {
        match c {
            '{' => open += 1,
            '}' if open == 1 => return Some(k + 1),
            '}' => open = open.checked_sub(1)?,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{code_of, end, function};

    #[test]
    fn functions_end_where_their_braces_do() {
        let text = "let f = 1; fn ff(x) { 1 } fn f (x) { // }\n if x { \"}\" } else { '}' } } fn g() { 2 }";
        assert_eq!(function(text, "f").as_deref(), Some("fn f (x) { // }\n if x { \"}\" } else { '}' } }"));
        assert_eq!(function(text, "g").as_deref(), Some("fn g() { 2 }"));
        assert_eq!(function(text, "h"), None);
        assert_eq!(function("fn f() { ", "f"), None);
    }
    #[test]
    fn strings_laws_comments_and_primes_are_no_code() {
        let code = |text| code_of(text).map(|(_, c)| c).collect::<String>();
        assert_eq!(code("a(\";\\\"\") `b;` // c;\nd ';' '\\'' e' <= f'"), "a()  \nd   e <= f");
        assert_eq!(code("a \"b"), "a ");
        assert_eq!(end("f(a, \")\"), b; c", ','), Some("f(a, \")\")".len()));
        assert_eq!(end("a /* ; /* ; */ ; */ -- ;\n --> b; c", ';'), Some("a /* ; /* ; */ ; */ -- ;\n --> b".len()));
        assert_eq!(end("a) ; b", ';'), None);
    }
}
