//! Functions as they are written, for who writes them down again.

/// The definition of a function in a text, from its `fn` to the brace that ends it.
pub(super) fn function(text: &str, name: &str) -> Option<String> {
    let mut from = 0;
    while let Some(k) = text[from..].find("fn ") {
        let start = from + k;
        let word = !text[..start].ends_with(|c: char| c.is_alphanumeric() || c == '_');
        let rest = text[start + 3..].trim_start();
        if word && rest.strip_prefix(name).is_some_and(|rest| rest.trim_start().starts_with('(')) {
            return end(&text[start..]).map(|length| text[start..start + length].to_owned());
        }
        from = start + 3;
    }
    None
}

/// Where the first pair of braces ends.
fn end(text: &str) -> Option<usize> {
    let (mut open, mut quote, mut escaped) = (0_u32, None, false);
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let comment = quote.is_none() && text[at..].starts_with("//");
        match c {
            _ if comment => at += text[at..].find('\n').unwrap_or(text.len() - at) - c.len_utf8(),
            _ if escaped => escaped = false,
            '\\' if quote.is_some_and(|q| q != '`') => escaped = true,
            _ if quote == Some(c) => quote = None,
            _ if quote.is_some() => {}
            '"' | '\'' | '`' => quote = Some(c),
            '{' => open += 1,
            '}' if open == 1 => return Some(at + 1),
            '}' => open = open.checked_sub(1)?,
            _ => {}
        }
        at += c.len_utf8();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::function;

    #[test]
    fn functions_end_where_their_braces_do() {
        let text = "let f = 1; fn ff(x) { 1 } fn f (x) { // }\n if x { \"}\" } else { '}' } } fn g() { 2 }";
        assert_eq!(function(text, "f").as_deref(), Some("fn f (x) { // }\n if x { \"}\" } else { '}' } }"));
        assert_eq!(function(text, "g").as_deref(), Some("fn g() { 2 }"));
        assert_eq!(function(text, "h"), None);
        assert_eq!(function("fn f() { ", "f"), None);
    }
}
