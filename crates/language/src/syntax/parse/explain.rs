//! Explains where the grammar gave up: pest's expectations in human words, and the usual slips by name.

use super::Rule;
use super::build::reserved_word;
use super::nesting::{OpenForm, OpenKind, open_forms};
use super::slices;
use crate::ground::order::InOrder;
use crate::ground::{Budget, Diagnostic, Limits, SourceId, Span, code, text::line_start};
use crate::syntax::comments::CommentDialect;
use crate::syntax::words::{in_word, reserved, word};

/// An error of syntax: the place where the grammar gave up, and what it would have taken there.
pub(super) struct SyntaxError<'a> {
    pub text: &'a str,
    pub dialect: CommentDialect,
    pub source: SourceId,
    pub base: usize,
    pub at: usize,
    pub expected: &'a [Rule],
}

/// Operators of this language and of others that are read as a whole when they are out of place.
const SYMBOLS: [&str; 19] = [
    "<-->", "-->", "==", "**", "<>", "<-", "->", "=>", ":=", "::", "<=", ">=", "!=", "&&", "||", "|>", "..", "++", "//",
];

/// Slips from other notations: what stands there, the finding, the remedy.
const SLIPS: [(&str, &str, &str); 16] = [
    ("{", "there are no records", "write a pair `(x, y)`; `let (a, b) := p; e` names its parts"),
    (";", "no `let` waits for this `;`", "write `let x := e1; e2`; definitions need no `;`"),
    ("==", "`==` is no operator", "write `=` to compare"),
    ("<>", "`<>` is no operator", "write `!=` for unequal"),
    ("**", "`**` is no operator", "write `x ^ y` for a power of reals, `pow x k` for a whole exponent"),
    ("!", "`!` is no operator", "write `not c`"),
    ("¬", "`¬` is no operator", "write `not c`"),
    ("&", "`&` is no operator", "write `&&`"),
    ("|", "`|` is no operator", "write `||`"),
    ("≤", "`≤` is no operator", "write `<=`"),
    ("≥", "`≥` is no operator", "write `>=`"),
    ("≠", "`≠` is no operator", "write `!=`"),
    ("×", "`×` stands between types", "write `*` between terms"),
    ("\\", "`\\` is no λ", "write `fun x => …` or `λ x. …`"),
    ("|>", "`|>` is no operator", "write the function first: `f x`"),
    ("<-", "`<-` is no operator", "write `a < -b` with a space, or `let x := e;` to bind"),
];

impl SyntaxError<'_> {
    /// The one diagnostic for this place.
    pub fn explain(&self) -> Diagnostic {
        let any = Budget::new(Limits { max_depth: u32::MAX, ..Limits::default() }, None);
        let frames = open_forms(&self.text[..self.at], self.dialect, &any).unwrap_or_default();
        self.name()
            .or_else(|| self.numeral())
            .or_else(|| self.definition_sign())
            .or_else(|| self.function_arrow())
            .or_else(|| self.projection())
            .or_else(|| self.in_square(&frames))
            .or_else(|| self.size_sign())
            .or_else(|| self.unclosed_let(&frames))
            .or_else(|| self.slip())
            .or_else(|| self.closing(&frames))
            .or_else(|| self.open_form(&frames))
            .or_else(|| self.header())
            .unwrap_or_else(|| self.general(&frames))
    }

    fn wants(&self, rule: Rule) -> bool {
        self.expected.contains(&rule)
    }

    /// Whether a whole term could stand here, or what goes on with one.
    fn wants_term(&self) -> bool {
        [Rule::expr, Rule::postfix, Rule::infix].into_iter().any(|rule| self.wants(rule))
    }

    /// What stands here: a word, a known symbol or a single character; nothing at the end of the text.
    fn found(&self) -> &str {
        let rest = &self.text[self.at..];
        let word = word(rest);
        if !word.is_empty() {
            return word;
        }
        if rest.starts_with('"') {
            return "\"";
        }
        let symbol = SYMBOLS.iter().find(|s| rest.starts_with(**s)).map(|s| s.len());
        &rest[..symbol.unwrap_or_else(|| rest.chars().next().map_or(0, char::len_utf8))]
    }

    fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.source, self.base + start, self.base + end)
    }

    /// What stands here; at the end of the text, the place behind the last word.
    fn here(&self) -> Span {
        match self.found().len() {
            0 => {
                let end = self.text.trim_end().len();
                self.span(end, end)
            }
            length => self.span(self.at, self.at + length),
        }
    }

    fn error(&self, headline: impl Into<String>, label: impl Into<String>) -> Diagnostic {
        Diagnostic::error(code::SYNTAX, headline).at(self.here(), label)
    }

    /// A reserved word, or nothing, where a name must stand.
    fn name(&self) -> Option<Diagnostic> {
        if !self.wants(Rule::binder) || self.wants_term() {
            return None;
        }
        let found = self.found();
        if reserved(found) && !["def", "import"].contains(&found) {
            return Some(reserved_word(found, self.here()));
        }
        let before = self.text[..self.at].trim_end();
        let defines = before.ends_with("def") && self.expected == [Rule::binder];
        defines.then(|| {
            self.error("this definition has no name", "expected a name here").help("write `def name … := term`")
        })
    }

    /// A word that starts with a digit, or a point without digits.
    fn numeral(&self) -> Option<Diagnostic> {
        let found = self.found();
        let bad = |headline: String, span| Diagnostic::error(code::BAD_NUMBER, headline).at(span, "not a numeral");
        if found.starts_with(|c: char| c.is_ascii_digit()) && found.contains(|c: char| !c.is_ascii_digit()) {
            let help = "write a numeral as `2`, `2.5` or `1e-3`; a name starts with a letter";
            return Some(bad(format!("`{found}` is no numeral"), self.here()).help(help));
        }
        let before = &self.text[..self.at];
        let start = before.trim_end_matches(in_word).len();
        let digits = &before[start..];
        if found == "." && !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) {
            let help = format!("write `{digits}.0`");
            return Some(bad("digits are missing behind the point".into(), self.span(start, self.at + 1)).help(help));
        }
        None
    }

    /// `=` where `:=` must stand.
    fn definition_sign(&self) -> Option<Diagnostic> {
        if !self.wants(Rule::assign) {
            return None;
        }
        let before = self.text[..self.at].split(|c| !in_word(c)).filter(|word| !word.is_empty());
        if self.found() == "," && before.rev().nth(1) == Some("let") {
            let help = "name the parts of a pair in parentheses: `let (a, b) := p; e`";
            return Some(
                self.error("a `let` binds one name, or the parts of a pair", "a comma between names").help(help),
            );
        }
        if !["=", "=="].contains(&self.found()) {
            return None;
        }
        Some(self.error("`=` compares, it doesn't define", "expected `:=`").help("write `:=`"))
    }

    /// Something else where `=>` must stand.
    fn function_arrow(&self) -> Option<Diagnostic> {
        if !self.wants(Rule::maps_to) {
            return None;
        }
        let found = self.found();
        match found {
            "->" | "→" | "." | ":=" | "=" | "↦" => Some(
                self.error(format!("`{found}` doesn't begin the body of a function"), "expected `=>`")
                    .help("write `fun x => e`"),
            ),
            ":" => Some(
                self.error("a typed parameter needs parentheses", "a type without parentheses")
                    .help("write `fun (x : type) => e`"),
            ),
            _ => None,
        }
    }

    /// A point that is no projection.
    fn projection(&self) -> Option<Diagnostic> {
        let attached = self.text[..self.at].ends_with(|c: char| in_word(c) || c == ')' || c == ']');
        let numbered =
            attached && self.text[self.at..].trim_start_matches('.').starts_with(|c: char| c.is_ascii_digit());
        if self.found() != "." || !(self.wants_term() || numbered) {
            return None;
        }
        let help = if attached { "write `p.1` or `p.2`" } else { "write `p.1` without a space" };
        Some(self.error("this is no projection", "only a number directly behind a pair, such as `.1`").help(help))
    }

    /// A slice, or a list that says what its elements are made of, in square brackets.
    fn in_square(&self, frames: &[OpenForm]) -> Option<Diagnostic> {
        let is_square = |frame: &&OpenForm| matches!(frame.kind, OpenKind::Bracket(']'));
        let open = frames.iter().rev().find(is_square)?.at;
        if [":", "::", ".."].contains(&self.found()) {
            return Some(self.error("brackets take no slices", "only an index").help(slices::remedy(self.text, open)));
        }
        let is_made = self.text[open..self.at].split(|c| !in_word(c)).any(|word| word == "for");
        is_made.then(|| {
            let help = "write `vectorMap v (fun x => e)` or `build n (fun i => e)`; a size never follows from what elements are";
            self.error("no array is written with `for`", "unexpected").help(help)
        })
    }

    /// A sign of terms in a size, which is a sum or product.
    fn size_sign(&self) -> Option<Diagnostic> {
        let is_size = self.wants(Rule::plus) && self.wants(Rule::times) && !self.wants(Rule::comparison);
        let sign = self.found();
        let larger = match sign {
            "-" => "n + 1",
            "/" | "//" => "2 * n",
            _ => return None,
        };
        is_size.then(|| {
            self.error(format!("sizes have no `{sign}`"), "only sums and products").help(format!(
                "give the smaller size the name, and write the larger one by it: `{{n}} (v : array ({larger}) real) : array n real`"
            ))
        })
    }

    fn slip(&self) -> Option<Diagnostic> {
        let found = self.found();
        if !self.wants_term() {
            return None;
        }
        if self.wants(Rule::becomes) && ["->", "=>", "=", "→"].contains(&found) {
            return Some(
                self.error(format!("the arrow of a law is `-->`, not `{found}`"), "stands for `-->`")
                    .help("write `-->`"),
            );
        }
        if found == "->" || found == "=>" {
            return Some(
                self.error(format!("`{found}` stands outside a function"), "no `fun` begins before it")
                    .help("write `fun x => e`"),
            );
        }
        let found = if found == "*" && self.text[..self.at].ends_with('*') { "**" } else { found };
        let (_, headline, help) = SLIPS.iter().find(|slip| slip.0 == found)?;
        Some(self.error(*headline, "unexpected here").help(*help))
    }

    /// A `;` that a `let` waits for, but for a bracket in its value that isn't closed.
    fn unclosed_let(&self, frames: &[OpenForm]) -> Option<Diagnostic> {
        let waits = frames.iter().any(|frame| frame.kind == OpenKind::Let);
        if self.found() == ";" && waits { self.closing(frames) } else { None }
    }

    /// A bracket that isn't closed, or is closed by the wrong one.
    fn closing(&self, frames: &[OpenForm]) -> Option<Diagnostic> {
        let found = self.found();
        let closes =
            [Rule::close_paren, Rule::close_square, Rule::close_brace].into_iter().any(|rule| self.wants(rule));
        let bracket = frames.iter().rev().find_map(|frame| match frame.kind {
            OpenKind::Bracket(close) => Some((close, frame.at)),
            _ => None,
        });
        let ends = ["", "def", "import", ")", "]", "}", "`", "-->", "<-->", ";", ":="].contains(&found);
        match bracket {
            Some((close, at)) if closes && ends => {
                let open = &self.text[at..=at];
                Some(
                    self.error(format!("this `{open}` is never closed"), format!("expected `{close}` before this"))
                        .because(self.span(at, at + 1), "opened here")
                        .help(if found == ";" { format!("write `{close};`") } else { format!("add `{close}`") }),
                )
            }
            None if [")", "]", "}"].contains(&found) => Some(
                self.error(format!("nothing opened this `{found}`"), "closes nothing")
                    .help(format!("remove `{found}`, or add the bracket that it closes")),
            ),
            _ => None,
        }
    }

    /// A `let` without its `;`, an `if` without its `then` or `else`.
    fn open_form(&self, frames: &[OpenForm]) -> Option<Diagnostic> {
        let frame = frames.last()?;
        let (word, mark) = match frame.kind {
            OpenKind::Let if self.wants(Rule::semicolon) => ("let", ";"),
            OpenKind::If if self.wants(Rule::kw_then) => ("if", "then"),
            OpenKind::If if self.wants(Rule::kw_else) => ("if", "else"),
            _ => return None,
        };
        let place = match self.line_of_value(frame.at) {
            Some(end) if word == "let" => self.span(end, end),
            _ => self.here(),
        };
        let with_in = || self.text[frame.at..self.at].split(|c| !in_word(c)).any(|word| word == "in");
        let help = match word {
            "let" if with_in() => "write `;` and no `in`: `let x := e1; e2`",
            "let" => "write `let x := e1; e2`",
            _ => "write `if c then e1 else e2`",
        };
        Some(
            Diagnostic::error(code::SYNTAX, format!("this `{word}` has no `{mark}`"))
                .at(place, format!("expected `{mark}`"))
                .because(self.span(frame.at, frame.at + word.len()), "begins here")
                .help(help),
        )
    }

    /// The end of the line that a `let` begins on, if the next line isn't indented deeper: there its value ends.
    fn line_of_value(&self, at: usize) -> Option<usize> {
        let start = line_start(self.text, at);
        let end = at + self.text[at..self.at].find('\n')?;
        let next = self.text[end..self.at].trim_start_matches(['\r', '\n']);
        let column = next.len() - next.trim_start_matches(' ').len();
        let written = self.text[at..end].trim_end();
        (column <= at - start && !written.ends_with(":=")).then_some(at + written.len())
    }

    /// The head of a definition: bare parameters, bounds and kinds in braces.
    fn header(&self) -> Option<Diagnostic> {
        let found = self.found();
        let untyped = self.wants(Rule::binder) && self.wants(Rule::colon);
        let is_name = !word(found).is_empty() && !reserved(found);
        if self.wants(Rule::params) && self.wants(Rule::assign) && is_name {
            let finding = self.error("a parameter needs parentheses and a type", "a bare name");
            return Some(finding.help(format!("write `({found} : real)` or another type")));
        }
        let (headline, label, help) = match found {
            "<" | "<=" | ">" | "=" if self.wants(Rule::at_least) => {
                ("a size has only lower bounds", "expected `>=`", "write `{n >= 1}` for a size of at least 1")
            }
            ")" if untyped => (
                "a parameter of a definition needs a type",
                "expected `:` and a type",
                "write `(x : real)` or another type",
            ),
            "," if untyped => (
                "a parameter is a name",
                "a comma between names",
                "write `(x y : type)`; of a pair `p` the halves are `p.1` and `p.2`",
            ),
            _ if self.wants(Rule::kw_type) => (
                "braces hold sizes and types",
                "expected `type`",
                "write `{n}` for a size, `{a : type}` for a type; other parameters stand in parentheses",
            ),
            _ => return None,
        };
        Some(self.error(headline, label).help(help))
    }

    /// Whether no program has the character that stands here.
    fn is_stray(&self) -> bool {
        self.text[self.at..].starts_with(|c: char| !in_word(c) && !"()[]{}:=;,.+-*/<>!&|`λ×→⊕⊖⊗⊘\"".contains(c))
    }

    fn general(&self, frames: &[OpenForm]) -> Diagnostic {
        let found = match self.found() {
            "" => "the end".to_owned(),
            "`" => "a backtick".to_owned(),
            found => format!("`{found}`"),
        };
        let mut phrases: Vec<&str> = Vec::new();
        let goes_on = self.wants(Rule::infix);
        for phrase in self.expected.iter().filter_map(|rule| phrase(*rule, goes_on)) {
            if !phrases.contains(&phrase) {
                phrases.push(phrase);
            }
        }
        phrases.order_by_key(|phrase| *phrase == "the end");
        let headline = match phrases.as_slice() {
            _ if self.is_stray() => format!("{found} has no meaning here"),
            [] => format!("{found} can't stand here"),
            [only] => format!("expected {only}, found {found}"),
            [rest @ .., last] => format!("expected {} or {last}, found {found}", rest.join(", ")),
        };
        let help = match phrases.first() {
            _ if self.found() == ":=" && goes_on => "begin a definition with `def`, a local one with `let`",
            _ if reserved(self.found()) && self.wants(Rule::ty_name) => {
                "put a type that is an argument in parentheses: `array n (fin m)`"
            }
            _ if self.wants(Rule::becomes) => "write a law as `left --> right` between backticks",
            _ if self.wants(Rule::tick) => "write each law between backticks",
            Some(&"`def`" | &"`import`") if !goes_on => "begin a definition with `def`",
            Some(&"a term") => "write a term here, such as a name, a number or `(a, b)`",
            Some(&"a type") => "write a type here, such as `real`, `fin n` or `array n real`",
            Some(&"a size") => "write a size here, such as `n`, `3` or `(n + 1)`",
            Some(&"a name") => "write a name of letters, digits and primes",
            Some(_) if !goes_on => "write what is expected before it",
            _ => "remove it, or put an operator before it",
        };
        let error = self.error(headline, "unexpected").help(help);
        match frames.iter().rev().find(|frame| matches!(frame.kind, OpenKind::Bracket(_))) {
            Some(bracket) => error.because(self.span(bracket.at, bracket.at + 1), "inside this bracket"),
            None => error,
        }
    }
}

/// What a rule is called in a message; nothing for what needn't be said, as the operators that could go on with a term.
fn phrase(rule: Rule, goes_on: bool) -> Option<&'static str> {
    Some(match rule {
        Rule::expr | Rule::postfix | Rule::minus | Rule::number | Rule::word | Rule::paren | Rule::sized
            if !goes_on =>
        {
            "a term"
        }
        Rule::ty | Rule::ty_product | Rule::ty_name | Rule::ty_atom | Rule::ty_fin | Rule::ty_array => "a type",
        Rule::size | Rule::size_product | Rule::size_name | Rule::size_atom | Rule::natural => "a size",
        Rule::binder | Rule::run | Rule::lone_rule | Rule::rule_text => "a name",
        Rule::sum | Rule::product | Rule::quantity | Rule::condition => "a condition",
        Rule::model | Rule::definition | Rule::kw_def => "`def`",
        Rule::import | Rule::kw_import => "`import`",
        Rule::string => "a file name in quotes",
        Rule::rule_params | Rule::params => "a parameter",
        Rule::assign => "`:=`",
        Rule::colon => "`:`",
        Rule::semicolon => "`;`",
        Rule::comma => "`,`",
        Rule::maps_to => "`=>`",
        Rule::equals => "`=`",
        Rule::at_least => "`>=`",
        Rule::law | Rule::tick => "a backtick",
        Rule::becomes => "`-->`",
        Rule::close_paren => "`)`",
        Rule::close_square => "`]`",
        Rule::close_brace => "`}`",
        Rule::kw_then => "`then`",
        Rule::kw_else => "`else`",
        Rule::kw_type => "`type`",
        Rule::rule_book | Rule::kw_rule => "`rule`",
        Rule::kw_where | Rule::conditions => "`where`",
        Rule::exactness => "`exact`",
        Rule::kw_unchecked => "`unchecked`",
        Rule::EOI => "the end",
        _ => return None,
    })
}
