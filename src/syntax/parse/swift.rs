//! Terms read without the grammar: hundreds of times faster, for texts of many thousands of nodes.
//!
//! It reads what is written in ASCII and right. At anything else it gives up without a word, and the grammar reads the
//! text from the start and says what is wrong; so it must never read what the grammar refuses, nor read it otherwise.
//! Types, sizes in parentheses and the heads of definitions are short: those the grammar reads here, too.

use std::collections::HashMap;

use pest::Parser;
use pest::iterators::Pair;

use super::build::{Builder, Tall, first};
use super::climb::{Climb, Form};
use super::scan::Scanner;
use super::terms::{numeral, word};
use super::{Grammar, Rule};
use crate::ground::{Name, Span};
use crate::syntax::raw::{
    Ident, RawDefinition, RawHead, RawImport, RawModel, RawParam, RawSize, RawSizeKind, RawTerm, RawTermKind, RawType,
};
use crate::syntax::words::{reserved, structural};
use crate::term::Prim;

/// A whole model, if it can be read so.
pub(super) fn model(builder: &Builder, text: &str) -> Option<RawModel> {
    let mut swift = Swift::new(builder, text)?;
    let mut model = RawModel::default();
    while swift.scan.next() != 0 {
        match swift.scan.word() {
            "import" => model.imports.push(swift.import()?),
            "def" => model.definitions.push(swift.definition()?),
            _ => return None,
        }
    }
    swift.at_end().then_some(model)
}

/// A text that is one term, if it can be read so.
pub(super) fn lone_term(builder: &Builder, text: &str) -> Option<RawTerm> {
    let mut swift = Swift::new(builder, text)?;
    let term = swift.term()?;
    swift.scan.next();
    swift.at_end().then_some(term.node)
}

struct Swift<'b, 't> {
    builder: &'b Builder,
    scan: Scanner<'t>,
    /// What words and numerals mean, and operators as names.
    words: HashMap<&'t str, RawTermKind>,
    operators: HashMap<&'t str, (Prim, Name)>,
    /// How many brackets and other forms that end are open.
    open: u32,
}

impl<'b, 't> Swift<'b, 't> {
    fn new(builder: &'b Builder, text: &'t str) -> Option<Swift<'b, 't>> {
        let scan = Scanner { text, at: 0 };
        let swift = Swift { builder, scan, words: HashMap::new(), operators: HashMap::new(), open: 0 };
        text.is_ascii().then_some(swift)
    }

    fn at_end(&self) -> bool {
        self.scan.at == self.scan.text.len()
    }

    fn span(&self, from: usize) -> Span {
        self.builder.place(from, self.scan.at)
    }

    /// `import "file"`
    fn import(&mut self) -> Option<RawImport> {
        self.scan.keyword("import")?;
        self.scan.next();
        let from = self.scan.at;
        self.scan.symbol("\"")?;
        let length = self.scan.text[self.scan.at..].find(['"', '\n', '\r'])?;
        let path = self.scan.text[self.scan.at..self.scan.at + length].to_owned();
        self.scan.at += length;
        self.scan.symbol("\"")?;
        Some(RawImport { path, span: self.span(from) })
    }

    /// `def name … := term`; the grammar reads the head, with a body that stands in.
    fn definition(&mut self) -> Option<RawDefinition> {
        let (from, text) = (self.scan.at, self.scan.text);
        let to = from + text[from..].find(":=")?;
        let head = format!("{}:= x", &text[from..to]);
        let builder = self.builder.from(from);
        let definition = by_grammar(Rule::definition, &head, |pair| builder.definition(pair).ok())?;
        self.scan.at = to + 2;
        let body = self.term()?.node;
        Some(RawDefinition { span: Span { end: body.span.end, ..definition.span }, body, ..definition })
    }

    fn ty(&mut self, to: usize) -> Option<Tall<RawType>> {
        let builder = self.builder.from(self.scan.at);
        let text = &self.scan.text[self.scan.at..to];
        self.scan.at = to;
        by_grammar(Rule::lone_type, text, |pair| builder.ty(first(pair)).ok())
    }

    /// A term inside something that ends behind it.
    fn inside(&mut self) -> Option<Tall<RawTerm>> {
        self.open += 1;
        let term = self.builder.tall((), self.open - 1).ok().and_then(|_| self.term());
        self.open -= 1;
        term
    }

    /// A whole expression.
    fn term(&mut self) -> Option<Tall<RawTerm>> {
        let mut climb = Climb::new(self.builder);
        loop {
            self.beginning(&mut climb)?;
            loop {
                let (byte, from) = (self.scan.next(), self.scan.at);
                let word = self.scan.word();
                if matches!(byte, b'(' | b'[' | b'0'..=b'9') || !word.is_empty() && !structural(word) || sized(word) {
                    self.postfix(word, &mut climb)?;
                } else if matches!(word, "fun" | "let" | "if" | "D") {
                    break;
                } else if let Some(operator) = self.scan.infix() {
                    let (prim, name) = self.operator(operator)?;
                    climb.infix(prim, Ident { name, span: self.span(from) }).ok()?;
                    break;
                } else {
                    return climb.finish().ok();
                }
            }
        }
    }

    /// What may stand before an operand, and the operand.
    fn beginning(&mut self, climb: &mut Climb<'_>) -> Option<()> {
        loop {
            self.scan.next();
            let (from, word) = (self.scan.at, self.scan.word());
            match word {
                "fun" => {
                    let form = self.fun()?;
                    climb.open(Tall { node: form, height: 0 }, self.span(from));
                }
                "let" => {
                    let form = self.local()?;
                    climb.open(form, self.span(from));
                }
                "if" => {
                    let form = self.choice()?;
                    climb.open(form, self.span(from));
                }
                "not" | "D" => {
                    self.scan.at += word.len();
                    let span = self.span(from);
                    if word == "D" { climb.dual(span) } else { climb.prefix(Prim::Not, span).ok()? }
                }
                _ if self.scan.minus() => climb.prefix(Prim::Neg, self.span(from)).ok()?,
                _ => return self.postfix(word, climb),
            }
        }
    }

    /// `fun x (y : type) =>`
    fn fun(&mut self) -> Option<Form> {
        self.scan.keyword("fun")?;
        let mut params = Vec::new();
        loop {
            match self.scan.next() {
                b'=' if !params.is_empty() => {
                    self.scan.symbol("=>")?;
                    return Some(Form::Fun(params));
                }
                b'(' => self.params(&mut params)?,
                _ => params.push(RawParam { name: self.binder()?, ty: None }),
            }
        }
    }

    fn params(&mut self, params: &mut Vec<RawParam>) -> Option<()> {
        self.scan.symbol("(")?;
        let from = params.len();
        while !matches!(self.scan.next(), b':' | b')') {
            params.push(RawParam { name: self.binder()?, ty: None });
        }
        if params.len() == from {
            return None;
        }
        if self.colon() {
            let to = self.scan.closing()?;
            let ty = self.ty(to)?.node;
            params[from..].iter_mut().for_each(|param| param.ty = Some(ty.clone()));
        }
        self.scan.symbol(")")
    }

    /// `let x : type := e;`
    fn local(&mut self) -> Option<Tall<Form>> {
        self.scan.keyword("let")?;
        self.scan.next();
        let name = self.binder()?;
        self.scan.next();
        let mut ty = None;
        if self.colon() {
            let to = self.scan.at + self.scan.text[self.scan.at..].find(":=")?;
            ty = Some(self.ty(to)?.node);
        }
        self.scan.symbol(":=")?;
        let value = self.inside()?;
        self.scan.symbol(";")?;
        Some(Tall { node: Form::Let(RawParam { name, ty }, Box::new(value.node)), height: value.height })
    }

    /// `if c then e else`
    fn choice(&mut self) -> Option<Tall<Form>> {
        self.scan.keyword("if")?;
        let condition = self.inside()?;
        self.scan.keyword("then")?;
        let then = self.inside()?;
        self.scan.keyword("else")?;
        let height = condition.height.max(then.height);
        Some(Tall { node: Form::If(Box::new(condition.node), Box::new(then.node)), height })
    }

    /// A `:` that begins no `:=`.
    fn colon(&mut self) -> bool {
        let colon = self.scan.byte() == b':' && self.scan.ahead(1) != b'=';
        self.scan.at += usize::from(colon);
        colon
    }

    fn binder(&mut self) -> Option<Ident> {
        let (word, from) = (self.scan.word(), self.scan.at);
        if word.is_empty() || reserved(word) {
            return None;
        }
        let name = match self.word(word) {
            RawTermKind::Name(name) => name,
            _ => Name::new(word),
        };
        self.scan.at += word.len();
        Some(Ident { name, span: self.span(from) })
    }

    fn word(&mut self, text: &'t str) -> RawTermKind {
        self.words.entry(text).or_insert_with(|| word(text)).clone()
    }

    fn operator(&mut self, text: &'t str) -> Option<(Prim, Name)> {
        if let Some(known) = self.operators.get(text) {
            return Some(known.clone());
        }
        let known = (Prim::infix(text)?, Name::new(text));
        self.operators.insert(text, known.clone());
        Some(known)
    }

    /// An atom with its indices and projections; `f(x)` is `f` and a further operand `(x)`.
    fn postfix(&mut self, word: &'t str, climb: &mut Climb<'_>) -> Option<()> {
        let mut term = self.atom(word)?;
        if !word.is_empty() && !sized(word) && self.scan.byte() == b'(' {
            climb.operand(term).ok()?;
            term = self.paren()?;
        }
        loop {
            let below = term.height;
            let from = term.node.span;
            if self.scan.byte() == b'[' {
                let at = self.scan.at;
                self.scan.at += 1;
                let index = self.inside()?;
                self.scan.symbol("]")?;
                let kind = RawTermKind::Get(Box::new(term.node), Box::new(index.node));
                let node = RawTerm { kind, span: from.to(self.span(at)) };
                term = self.builder.tall(node, below.max(index.height)).ok()?;
            } else if let (at, Some(left)) = (self.scan.at, self.scan.projection()) {
                let kind = RawTermKind::Project(left, Box::new(term.node));
                term = self.builder.tall(RawTerm { kind, span: from.to(self.span(at)) }, below).ok()?;
            } else {
                return climb.operand(term).ok();
            }
        }
    }

    fn atom(&mut self, word: &'t str) -> Option<Tall<RawTerm>> {
        let from = self.scan.at;
        let (kind, below) = match self.scan.byte() {
            b'(' => return self.paren(),
            b'[' => self.array()?,
            b'0'..=b'9' => {
                let text = self.scan.number()?;
                match self.words.get(text) {
                    Some(known) => (known.clone(), 0),
                    None => {
                        let kind = numeral(text, self.span(from)).ok()?;
                        self.words.insert(text, kind.clone());
                        (kind, 0)
                    }
                }
            }
            _ if sized(word) => {
                self.scan.at += word.len();
                let size = self.size()?;
                let head = if word == "build" { RawHead::Build } else { RawHead::Ifold };
                (RawTermKind::Head(head(size.node)), size.height)
            }
            _ if word.is_empty() || structural(word) => return None,
            _ => {
                self.scan.at += word.len();
                (self.word(word), 0)
            }
        };
        self.builder.tall(RawTerm { kind, span: self.span(from) }, below).ok()
    }

    fn size(&mut self) -> Option<Tall<RawSize>> {
        let (byte, from) = (self.scan.next(), self.scan.at);
        let kind = match byte {
            b'(' => {
                self.scan.at += 1;
                self.scan.at = self.scan.closing()? + 1;
                let text = &self.scan.text[from..self.scan.at];
                let builder = self.builder.from(from);
                return by_grammar(Rule::size_atom, text, |pair| builder.size_atom(pair).ok());
            }
            b'0'..=b'9' => RawSizeKind::Literal(self.scan.natural()?.parse::<i64>().ok()?.unsigned_abs()),
            _ => match self.binder()?.name {
                name if name.as_str() == "_" => RawSizeKind::Hole,
                name => RawSizeKind::Name(name),
            },
        };
        self.builder.tall(RawSize { kind, span: self.span(from) }, 0).ok()
    }

    fn array(&mut self) -> Option<(RawTermKind, u32)> {
        let (mut items, mut height) = (Vec::new(), 0);
        self.scan.at += 1;
        if self.scan.next() == b']' {
            self.scan.at += 1;
            return Some((RawTermKind::Array(items), height));
        }
        loop {
            let item = self.inside()?;
            height = item.height.max(height);
            items.push(item.node);
            if self.scan.next() != b',' {
                self.scan.symbol("]")?;
                return Some((RawTermKind::Array(items), height));
            }
            self.scan.at += 1;
        }
    }

    /// Parentheses: around one term, a term and its type, or a tuple.
    fn paren(&mut self) -> Option<Tall<RawTerm>> {
        let from = self.scan.at;
        self.scan.at += 1;
        let term = self.inside()?;
        if self.scan.next() == b':' {
            if !self.colon() {
                return None;
            }
            let to = self.scan.closing()?;
            let ty = self.ty(to)?;
            self.scan.symbol(")")?;
            let below = term.height.max(ty.height);
            let kind = RawTermKind::Ascribe(Box::new(term.node), ty.node);
            return self.builder.tall(RawTerm { kind, span: self.span(from) }, below).ok();
        }
        let mut items = vec![term];
        while self.scan.next() == b',' {
            self.scan.at += 1;
            items.push(self.inside()?);
        }
        self.scan.symbol(")")?;
        self.builder.tuple(items, self.span(from)).ok()
    }
}

/// `build` or `ifold`, which take a size.
fn sized(word: &str) -> bool {
    matches!(word, "build" | "ifold")
}

/// What the grammar makes of a text, if all of it is what this rule describes.
fn by_grammar<T>(rule: Rule, text: &str, build: impl FnOnce(Pair<'_, Rule>) -> Option<T>) -> Option<T> {
    let pair = Grammar::parse(rule, text).ok()?.next()?;
    (pair.as_span().end() == text.len()).then(|| build(pair))?
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::{Builder, Grammar, Rule, comments, comments::Dialect};
    use super::{lone_term, model};
    use crate::ground::{SourceId, Sources, Span};
    use pest::Parser;

    fn files(folder: &Path, found: &mut Vec<String>) {
        let mut entries: Vec<_> = std::fs::read_dir(folder).expect("a folder").flatten().map(|e| e.path()).collect();
        entries.sort();
        for path in entries {
            if path.is_dir() {
                files(&path, found);
            } else if path.extension().is_some_and(|e| e == "arr") {
                found.extend(std::fs::read_to_string(&path));
            }
        }
    }

    /// Whether it was read without the grammar; then the grammar must read the same.
    fn agrees(source: SourceId, written: &str) -> bool {
        let span = |from, to| Span::new(source, from, to);
        let Ok(text) = comments::blank(written, Dialect::Model, span) else { return false };
        let builder = Builder::new(source, 0, false, 1_000);
        let mut read = false;
        if let Some(found) = model(&builder, &text) {
            let pair = Grammar::parse(Rule::model, &text).expect(written).next().expect("a model");
            assert_eq!(format!("{found:?}"), format!("{:?}", builder.model(pair).expect(written)), "{written}");
            read = true;
        }
        if let Some(found) = lone_term(&builder, &text) {
            let pair = Grammar::parse(Rule::lone_term, &text).expect(written).next().expect("a term");
            let expected = builder.term(super::first(pair)).expect(written).node;
            assert_eq!(format!("{found:?}"), format!("{expected:?}"), "{written}");
            read = true;
        }
        read
    }

    #[test]
    fn what_is_read_is_what_the_grammar_reads() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut texts = Vec::new();
        files(&root.join("models"), &mut texts);
        let right = texts.len();
        files(&root.join("tests/corpus"), &mut texts);
        let source = Sources::default().add("text", "");
        let ascii = |text: &String| !text.chars().any(|c| matches!(c, 'λ' | '→' | '×'));
        assert!(texts[..right].iter().all(|text| agrees(source, text) || !ascii(text)));
        let pieces = [
            "", " ", "(", ")", "[", "]", ".1", "-", "->", "=", ":", ":=", ";", ",", "1", "e5", "'", "x", "D ", " not ",
            "let ", " if ", " then ", " else ", "fun ", "=>", " build ", "(n + 1)", "def ", " : real", "<", "!=",
        ];
        let (mut state, mut read, mut tried) = (1_u64, 0, 0);
        for text in texts.iter().filter(|text| text.len() < 3_000) {
            for _ in 0..40 {
                let mut next = |n: usize| {
                    state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
                    (state >> 33) as usize % n
                };
                let (at, gone, piece) = (next(text.len() + 1), next(3), pieces[next(pieces.len())]);
                let (Some(before), Some(after)) = (text.get(..at), text.get(at + gone..)) else { continue };
                read += u32::from(agrees(source, &format!("{before}{piece}{after}")));
                tried += 1;
            }
        }
        assert!(read > 500 && tried > 2 * read, "{read} of {tried}");
    }
}
