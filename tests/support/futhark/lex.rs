//! Tokens, cut as the compiler's lexer cuts them.

#[derive(Clone, Debug, PartialEq)]
pub enum Token {
    /// A name, perhaps qualified.
    Name(String),
    /// A name with a bracket right behind it.
    Indexing(String),
    Keyword(String),
    /// `5` (no suffix).
    Int(i64),
    /// `5i64`
    Int64(i64),
    /// `5f64`
    Float64(f64),
    /// `.0`
    Field(usize),
    /// Operators and brackets; `)[` is one.
    Sign(&'static str),
}

const KEYWORDS: &[&str] = &[
    "true", "false", "if", "then", "else", "def", "let", "loop", "in", "val", "for", "do", "with", "local", "open",
    "include", "import", "type", "entry", "module", "while", "assert", "match", "case",
];

const SIGNS: &[&str] = &[
    ")[", "#[", "->", ":>", "**", "//", "%%", "<=", ">=", "==", "!=", "&&", "||", "(", ")", "[", "]", ",", ":", "\\",
    "=", "+", "-", "*", "/", "<", ">", "!", "_",
];

pub fn tokens(text: &str) -> Result<Vec<Token>, String> {
    let mut rest = text;
    let mut all = Vec::new();
    loop {
        rest = rest.trim_start();
        if let Some(comment) = rest.strip_prefix("--") {
            rest = comment.split_once('\n').map_or("", |(_, after)| after);
            continue;
        }
        let Some(first) = rest.chars().next() else { return Ok(all) };
        let (token, length) = match first {
            'a'..='z' | 'A'..='Z' => name(rest)?,
            '0'..='9' => number(rest)?,
            '.' => {
                let digits = rest[1..].bytes().take_while(u8::is_ascii_digit).count();
                (Token::Field(rest[1..=digits].parse().map_err(|_| "a lone dot")?), 1 + digits)
            }
            _ => {
                let sign = SIGNS.iter().find(|s| rest.starts_with(**s)).ok_or(format!("illegal character {first}"))?;
                (Token::Sign(sign), sign.len())
            }
        };
        all.push(token);
        rest = &rest[length..];
    }
}

fn name(rest: &str) -> Result<(Token, usize), String> {
    let part = |s: &str| s.bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'_' || *b == b'\'').count();
    let mut length = part(rest);
    while rest[length..].starts_with('.') && rest[length + 1..].starts_with(|c: char| c.is_ascii_alphabetic()) {
        length += 1 + part(&rest[length + 1..]);
    }
    let text = rest[..length].to_owned();
    if KEYWORDS.contains(&text.as_str()) {
        return if rest[length..].starts_with('[') {
            Err(format!("indexes {text}"))
        } else {
            Ok((Token::Keyword(text), length))
        };
    }
    if rest[length..].starts_with('[') {
        Ok((Token::Indexing(text), length + 1))
    } else {
        Ok((Token::Name(text), length))
    }
}

fn number(rest: &str) -> Result<(Token, usize), String> {
    let digits = |s: &str| s.bytes().take_while(u8::is_ascii_digit).count();
    let mut length = digits(rest);
    if rest[length..].starts_with('.') && digits(&rest[length + 1..]) > 0 {
        length += 1 + digits(&rest[length + 1..]);
    }
    if rest[length..].starts_with('e') {
        let sign = usize::from(rest[length + 1..].starts_with(['+', '-']));
        length += 1 + sign + digits(&rest[length + 1 + sign..]);
    }
    let (text, after) = rest.split_at(length);
    let wrong = |_| format!("the number {text}");
    let (token, suffix) = if after.starts_with("f64") {
        (Token::Float64(text.parse().map_err(|_| format!("the number {text}"))?), 3)
    } else if after.starts_with("i64") {
        (Token::Int64(text.parse().map_err(wrong)?), 3)
    } else {
        (Token::Int(text.parse().map_err(wrong)?), 0)
    };
    match after[suffix..].chars().next() {
        Some(c) if c.is_alphanumeric() || c == '_' => Err(format!("{text} runs into {c}")),
        _ => Ok((token, length + suffix)),
    }
}
