//! From text with possible breaks, in groups, to lines.
//!
//! A group is laid flat, its breaks spaces, if it and the text up to the next possible break fit on the line;
//! otherwise each of its breaks is a new line (compare Oppen, "Prettyprinting", 1980).

/// The width that lines keep to where they can.
pub(super) const WIDTH: usize = 100;

/// The width of a group with a break that can't be a space.
const NEVER: u64 = 1 << 40;

/// What is to be laid out.
pub(super) enum Doc {
    Text(String),
    /// A space, or a new line where the group around it doesn't fit.
    Line,
    /// A new line; the groups around it don't fit.
    Hard,
    All(Vec<Doc>),
    /// New lines inside start this far right of those around it.
    Nest(usize, Box<Doc>),
    Group(Box<Doc>),
}

enum Token {
    Text(String),
    Line,
    Hard,
    Indent(usize),
    Dedent(usize),
    Open,
    Close,
}

impl Doc {
    pub(super) fn text(text: impl Into<String>) -> Doc {
        Doc::Text(text.into())
    }

    /// One after another.
    pub(super) fn all(parts: impl IntoIterator<Item = Doc>) -> Doc {
        Doc::All(parts.into_iter().collect())
    }

    pub(super) fn then(self, next: Doc) -> Doc {
        match self {
            Doc::All(mut parts) => {
                parts.push(next);
                Doc::All(parts)
            }
            first => Doc::All(vec![first, next]),
        }
    }

    pub(super) fn nest(self, by: usize) -> Doc {
        Doc::Nest(by, Box::new(self))
    }

    pub(super) fn group(self) -> Doc {
        Doc::Group(Box::new(self))
    }

    fn tokens(self, into: &mut Vec<Token>) {
        match self {
            Doc::Text(text) => into.push(Token::Text(text)),
            Doc::Line => into.push(Token::Line),
            Doc::Hard => into.push(Token::Hard),
            Doc::All(parts) => parts.into_iter().for_each(|p| p.tokens(into)),
            Doc::Nest(by, inner) => {
                into.push(Token::Indent(by));
                inner.tokens(into);
                into.push(Token::Dedent(by));
            }
            Doc::Group(inner) => {
                into.push(Token::Open);
                inner.tokens(into);
                into.push(Token::Close);
            }
        }
    }

    /// The lines. Indentation stops at half the width, so that deep nesting doesn't make the text quadratic.
    pub(super) fn lines(self) -> String {
        let mut tokens = Vec::new();
        self.tokens(&mut tokens);
        let needs = needs(&tokens);
        let mut out = String::new();
        let (mut column, mut indent) = (0, 0);
        let mut groups: Vec<bool> = Vec::new();
        for (token, need) in tokens.into_iter().zip(needs) {
            let broken = groups.last().copied().unwrap_or(true);
            match token {
                Token::Text(text) => {
                    column += text.len();
                    out.push_str(&text);
                }
                Token::Line if !broken => {
                    column += 1;
                    out.push(' ');
                }
                Token::Line | Token::Hard => {
                    column = indent.min(WIDTH / 2);
                    out.push('\n');
                    out.extend(std::iter::repeat_n(' ', column));
                }
                Token::Indent(by) => indent += by,
                Token::Dedent(by) => indent -= by,
                Token::Open => groups.push(broken && column as u64 + need > WIDTH as u64),
                Token::Close => {
                    groups.pop();
                }
            }
        }
        out
    }
}

/// For the start of each group the space that it takes when flat, with the text up to the next possible break.
fn needs(tokens: &[Token]) -> Vec<u64> {
    let mut needs = vec![0; tokens.len()];
    // From the right: the width of everything seen, and its value at the next break.
    let (mut seen, mut after_break) = (0, 0);
    let mut ends = Vec::new();
    for (k, token) in tokens.iter().enumerate().rev() {
        match token {
            Token::Text(text) => seen += text.len() as u64,
            Token::Line | Token::Hard => {
                seen += if matches!(token, Token::Hard) { NEVER } else { 1 };
                after_break = seen;
            }
            Token::Indent(_) | Token::Dedent(_) => {}
            Token::Close => ends.push(after_break),
            Token::Open => needs[k] = seen - ends.pop().unwrap_or(0),
        }
    }
    needs
}
