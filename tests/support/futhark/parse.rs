//! The grammar of the subset. Where the language reference leaves a choice to precedence, parentheses are asked for.

use super::lex::Token;

#[derive(Clone, Debug, PartialEq)]
pub enum Dim {
    Any,
    Name(String),
    Literal(i64),
}

#[derive(Clone, Debug, PartialEq)]
pub enum Ty {
    F64,
    I64,
    Array(Dim, Box<Ty>),
    Tuple(Vec<Ty>),
    /// `*t`: of what is nobody else's.
    Unique(Box<Ty>),
}

#[derive(Clone, Debug)]
pub enum Exp {
    Var(String),
    Int(i64),
    Int64(i64),
    Real(f64),
    Bool(bool),
    /// An operator as a function.
    Operator(&'static str),
    Neg(Box<Exp>),
    Not(Box<Exp>),
    Binary(&'static str, Box<Exp>, Box<Exp>),
    Apply(String, Vec<Exp>),
    Tuple(Vec<Exp>),
    Field(Box<Exp>, usize),
    Index(Box<Exp>, Vec<Exp>),
    /// An array, an index, the element that stands there then.
    With(Box<Exp>, Box<Exp>, Box<Exp>),
    Array(Vec<Exp>),
    Ascribe(Box<Exp>, Ty),
    Coerce(Box<Exp>, Ty),
    If(Box<Exp>, Box<Exp>, Box<Exp>),
    Let(String, Box<Exp>, Box<Exp>),
    /// Names with their types, where these are written, start, index and bound of a `for` or condition of a `while`, body.
    Loop(Vec<(String, Option<Ty>)>, Box<Exp>, Result<(String, Box<Exp>), Box<Exp>>, Box<Exp>),
    Lambda(Vec<Pattern>, Box<Exp>),
    Assert(Box<Exp>, Box<Exp>),
}

#[derive(Clone, Debug)]
pub enum Pattern {
    /// `_`
    Any,
    Name(String),
    Tuple(Vec<Pattern>),
}

#[derive(Debug)]
pub struct Def {
    pub entry: bool,
    pub name: String,
    pub sizes: Vec<String>,
    pub params: Vec<(String, Ty)>,
    pub result: Ty,
    pub body: Exp,
}

#[derive(Debug)]
pub struct File(pub Vec<Def>);

type Parsed<T> = Result<T, String>;

struct Parser<'a> {
    rest: &'a [Token],
}

pub fn file(tokens: &[Token]) -> Parsed<File> {
    let mut p = Parser { rest: tokens };
    let mut defs = Vec::new();
    while !p.rest.is_empty() {
        defs.push(p.def()?);
    }
    Ok(File(defs))
}

impl Parser<'_> {
    fn next(&mut self) -> Parsed<Token> {
        let (first, rest) = self.rest.split_first().ok_or("the text ends early")?;
        self.rest = rest;
        Ok(first.clone())
    }

    fn eat(&mut self, wanted: &Token) -> bool {
        let found = self.rest.first() == Some(wanted);
        if found {
            self.rest = &self.rest[1..];
        }
        found
    }

    fn sign(&mut self, sign: &'static str) -> Parsed<()> {
        let at: Vec<_> = self.rest.iter().take(6).collect();
        if self.eat(&Token::Sign(sign)) { Ok(()) } else { Err(format!("no `{sign}` before {at:?}")) }
    }

    fn word(&mut self, word: &str) -> bool {
        self.eat(&Token::Keyword(word.to_owned()))
    }

    fn keyword(&mut self, word: &str) -> Parsed<()> {
        let at: Vec<_> = self.rest.iter().take(6).collect();
        if self.word(word) { Ok(()) } else { Err(format!("no `{word}` before {at:?}")) }
    }

    fn name(&mut self) -> Parsed<String> {
        match self.next()? {
            Token::Name(n) if !n.contains('.') => Ok(n),
            other => Err(format!("{other:?} is no name")),
        }
    }

    fn def(&mut self) -> Parsed<Def> {
        let entry = self.word("entry");
        if !entry {
            self.keyword("def")?;
        }
        let mut def =
            Def { entry, name: self.name()?, sizes: vec![], params: vec![], result: Ty::F64, body: Exp::Bool(false) };
        if entry && def.name.contains('\'') {
            return Err(format!("the entry {} has a prime", def.name));
        }
        while self.eat(&Token::Sign("[")) {
            def.sizes.push(self.name()?);
            self.sign("]")?;
        }
        while self.eat(&Token::Sign("(")) {
            let name = if self.eat(&Token::Sign("_")) { "_".to_owned() } else { self.name()? };
            self.sign(":")?;
            def.params.push((name, self.ty()?));
            self.sign(")")?;
        }
        self.sign(":")?;
        def.result = self.ty()?;
        self.sign("=")?;
        def.body = self.exp()?;
        Ok(def)
    }

    fn ty(&mut self) -> Parsed<Ty> {
        if self.eat(&Token::Sign("*")) {
            return Ok(Ty::Unique(Box::new(self.ty()?)));
        }
        match self.next()? {
            Token::Name(n) if n == "f64" => Ok(Ty::F64),
            Token::Name(n) if n == "i64" => Ok(Ty::I64),
            Token::Sign("[") => {
                let dim = match self.rest.first() {
                    Some(Token::Sign("]")) => Dim::Any,
                    Some(Token::Int(k)) => {
                        self.rest = &self.rest[1..];
                        Dim::Literal(*k)
                    }
                    _ => Dim::Name(self.name()?),
                };
                self.sign("]")?;
                Ok(Ty::Array(dim, Box::new(self.ty()?)))
            }
            Token::Sign("(") => {
                let mut parts = vec![self.ty()?];
                while self.eat(&Token::Sign(",")) {
                    parts.push(self.ty()?);
                }
                self.sign(")")?;
                if parts.len() > 1 { Ok(Ty::Tuple(parts)) } else { Err("a type in parentheses".to_owned()) }
            }
            other => Err(format!("{other:?} is no type")),
        }
    }

    /// Anything; what reaches far right may stand here only.
    fn exp(&mut self) -> Parsed<Exp> {
        if self.word("let") {
            let name = self.name()?;
            self.sign("=")?;
            let value = self.exp()?;
            if self.rest.first() != Some(&Token::Keyword("let".to_owned())) {
                self.keyword("in")?;
            }
            return Ok(Exp::Let(name, Box::new(value), Box::new(self.exp()?)));
        }
        if self.eat(&Token::Sign("#[")) {
            // Whether an index is in range is asked here all the same.
            return match (self.name()?.as_str(), self.sign("]")) {
                ("unsafe", Ok(())) => self.exp(),
                (name, _) => Err(format!("the attribute {name}")),
            };
        }
        if self.word("if") {
            let c = self.exp()?;
            self.keyword("then")?;
            let a = self.exp()?;
            self.keyword("else")?;
            return Ok(Exp::If(Box::new(c), Box::new(a), Box::new(self.exp()?)));
        }
        if self.word("loop") {
            return self.loop_exp();
        }
        if self.word("assert") {
            let c = self.atom()?;
            if self.rest.starts_with(&[Token::Sign("("), Token::Sign("#[")]) {
                return Err("an assert that the compiler drops, around what isn't checked".to_owned());
            }
            return Ok(Exp::Assert(Box::new(c), Box::new(self.atom()?)));
        }
        if self.eat(&Token::Sign("-")) {
            let operand = Exp::Neg(Box::new(self.atom()?));
            return match self.rest.first() {
                Some(Token::Sign("+" | "-" | "*" | "/" | "**")) => Err("a bare negation in an operation".to_owned()),
                _ => Ok(operand),
            };
        }
        let e = self.binary(1)?;
        if self.eat(&Token::Sign(":>")) {
            return Ok(Exp::Coerce(Box::new(e), self.ty()?));
        }
        if self.word("with") {
            self.sign("[")?;
            let index = self.exp()?;
            self.sign("]")?;
            self.sign("=")?;
            return Ok(Exp::With(Box::new(e), Box::new(index), Box::new(self.exp()?)));
        }
        Ok(e)
    }

    fn loop_exp(&mut self) -> Parsed<Exp> {
        let mut names = Vec::new();
        if self.eat(&Token::Sign("(")) {
            loop {
                let name = self.name()?;
                names.push((name, if self.eat(&Token::Sign(":")) { Some(self.ty()?) } else { None }));
                if !self.eat(&Token::Sign(",")) {
                    break;
                }
            }
            self.sign(")")?;
        } else {
            names.push((self.name()?, None));
        }
        self.sign("=")?;
        let start = self.exp()?;
        let form = if self.word("for") {
            let index = self.name()?;
            self.sign("<")?;
            Ok((index, Box::new(self.binary(1)?)))
        } else {
            self.keyword("while")?;
            Err(Box::new(self.exp()?))
        };
        self.keyword("do")?;
        Ok(Exp::Loop(names, Box::new(start), form, Box::new(self.exp()?)))
    }

    fn binary(&mut self, least: u8) -> Parsed<Exp> {
        let mut left = self.prefix()?;
        let mut unchained = 0;
        while let Some(Token::Sign(op)) = self.rest.first() {
            let strength = match *op {
                "||" => 1,
                "&&" => 2,
                "<" | "<=" | ">" | ">=" | "==" | "!=" => 3,
                "+" | "-" => 4,
                "*" | "/" | "//" | "%%" => 5,
                "**" => 6,
                _ => break,
            };
            if strength < least {
                break;
            }
            if strength == unchained {
                return Err(format!("a chain of {op}"));
            }
            unchained = if matches!(strength, 3 | 6) { strength } else { 0 };
            self.rest = &self.rest[1..];
            left = Exp::Binary(op, Box::new(left), Box::new(self.binary(strength + 1)?));
        }
        Ok(left)
    }

    fn prefix(&mut self) -> Parsed<Exp> {
        if self.eat(&Token::Sign("!")) {
            return Ok(Exp::Not(Box::new(self.atom()?)));
        }
        let head = self.atom()?;
        let mut arguments = Vec::new();
        while let Some(
            Token::Name(_)
            | Token::Indexing(_)
            | Token::Int(_)
            | Token::Int64(_)
            | Token::Float64(_)
            | Token::Sign("(" | "["),
        ) = self.rest.first()
        {
            arguments.push(self.atom()?);
        }
        match head {
            head if arguments.is_empty() => Ok(head),
            Exp::Var(f) => Ok(Exp::Apply(f, arguments)),
            other => Err(format!("{other:?} is applied")),
        }
    }

    fn atom(&mut self) -> Parsed<Exp> {
        match self.next()? {
            Token::Name(n) => Ok(self.fields(Exp::Var(n))),
            Token::Indexing(n) => self.slice(Exp::Var(n)),
            Token::Int(k) => Ok(Exp::Int(k)),
            Token::Int64(k) => Ok(Exp::Int64(k)),
            Token::Float64(x) => Ok(Exp::Real(x)),
            Token::Keyword(k) if k == "true" || k == "false" => Ok(Exp::Bool(k == "true")),
            Token::Sign("[") => {
                let mut items = Vec::new();
                if !self.eat(&Token::Sign("]")) {
                    items.push(self.exp()?);
                    while self.eat(&Token::Sign(",")) {
                        items.push(self.exp()?);
                    }
                    self.sign("]")?;
                }
                Ok(Exp::Array(items))
            }
            Token::Sign("(") => self.parenthesis(),
            other => Err(format!("{other:?} starts no expression, before {:?}", self.rest.first())),
        }
    }

    fn parenthesis(&mut self) -> Parsed<Exp> {
        for operator in ["+", "*"] {
            if self.rest.starts_with(&[Token::Sign(operator), Token::Sign(")")]) {
                self.rest = &self.rest[2..];
                return Ok(Exp::Operator(operator));
            }
        }
        if self.eat(&Token::Sign("\\")) {
            let mut patterns = vec![self.pattern()?];
            while !self.eat(&Token::Sign("->")) {
                patterns.push(self.pattern()?);
            }
            let body = self.exp()?;
            self.sign(")")?;
            return Ok(Exp::Lambda(patterns, Box::new(body)));
        }
        let first = self.exp()?;
        if self.eat(&Token::Sign(":")) {
            let ty = self.ty()?;
            self.sign(")")?;
            return Ok(Exp::Ascribe(Box::new(first), ty));
        }
        if self.eat(&Token::Sign(")[")) {
            return self.slice(first);
        }
        let mut parts = vec![first];
        while self.eat(&Token::Sign(",")) {
            parts.push(self.exp()?);
        }
        self.sign(")")?;
        if parts.len() > 1 {
            return Ok(Exp::Tuple(parts));
        }
        let inner = parts.remove(0);
        Ok(self.fields(inner))
    }

    fn pattern(&mut self) -> Parsed<Pattern> {
        if self.eat(&Token::Sign("_")) {
            return Ok(Pattern::Any);
        }
        if !self.eat(&Token::Sign("(")) {
            return Ok(Pattern::Name(self.name()?));
        }
        let mut parts = vec![self.pattern()?];
        while self.eat(&Token::Sign(",")) {
            parts.push(self.pattern()?);
        }
        self.sign(")")?;
        Ok(Pattern::Tuple(parts))
    }

    fn fields(&mut self, mut e: Exp) -> Exp {
        if let Some(Token::Field(k)) = self.rest.first() {
            self.rest = &self.rest[1..];
            e = Exp::Field(Box::new(e), *k);
        }
        e
    }

    fn slice(&mut self, array: Exp) -> Parsed<Exp> {
        let mut indices = vec![self.exp()?];
        while self.eat(&Token::Sign(",")) {
            indices.push(self.exp()?);
        }
        self.sign("]")?;
        Ok(Exp::Index(Box::new(array), indices))
    }
}
