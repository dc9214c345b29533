//! Defines the raw tree: what was written, with spans, before any name or type is known.

use super::words::KEEP;
use crate::ground::{Name, Span};
use crate::term::Prim;

/// A name and where it stands. `_` is the name of an unused binder.
#[derive(Clone, Debug)]
pub struct RawIdent {
    /// The name.
    pub name: Name,
    /// Its place.
    pub span: Span,
}

/// Something as written.
#[derive(Clone, Debug)]
pub struct Located<T> {
    /// What it is.
    pub kind: T,
    /// Where it stands, parentheses included.
    pub span: Span,
}

/// A model file.
#[derive(Clone, Debug, Default)]
pub struct RawModel {
    /// `import "…"`, in order.
    pub imports: Vec<RawImport>,
    /// The definitions, in order.
    pub definitions: Vec<RawDefinition>,
}

/// `import "other.arr"`.
#[derive(Clone, Debug)]
pub struct RawImport {
    /// The path as written.
    pub path: String,
    /// The place of the path.
    pub span: Span,
}

/// `def name {…} (x y : type) … : type := term`.
#[derive(Clone, Debug)]
pub struct RawDefinition {
    /// The name that is defined.
    pub name: RawIdent,
    /// What stands in braces.
    pub implicits: Vec<RawImplicit>,
    /// Parameters, one entry per name.
    pub params: Vec<RawParam>,
    /// The result type, if written.
    pub result: Option<RawType>,
    /// The right side.
    pub body: RawTerm,
    /// The whole definition.
    pub span: Span,
}

/// A size or type parameter.
#[derive(Clone, Debug)]
pub enum RawImplicit {
    /// `n`, or `n >= lower`.
    Size {
        /// The size variable.
        name: RawIdent,
        /// Its lower bound, 0 if none is written.
        lower: u64,
    },
    /// `a : type`.
    Type(RawIdent),
}

/// A parameter; the type may be left out under `fun`.
#[derive(Clone, Debug)]
pub struct RawParam {
    /// Its name.
    pub name: RawIdent,
    /// Its type, if written.
    pub ty: Option<RawType>,
}

/// A type as written.
pub type RawType = Located<RawTypeKind>;

/// The forms of a type.
#[derive(Clone, Debug)]
pub enum RawTypeKind {
    /// `real`
    Real,
    /// `int`
    Int,
    /// `fin n`
    Fin(RawSize),
    /// `array n a`
    Array(RawSize, Box<RawType>),
    /// `a * b`
    Pair(Box<RawType>, Box<RawType>),
    /// `a -> b`
    Fun(Box<RawType>, Box<RawType>),
    /// A type variable.
    Name(Name),
    /// `_`, to be inferred.
    Hole,
}

/// A size as written.
pub type RawSize = Located<RawSizeKind>;

/// The forms of a size.
#[derive(Clone, Debug)]
pub enum RawSizeKind {
    /// A natural number up to 2^63-1; the parser refuses a larger one.
    Literal(u64),
    /// A size variable.
    Name(Name),
    /// `n + m`
    Add(Box<RawSize>, Box<RawSize>),
    /// `n * m`
    Mul(Box<RawSize>, Box<RawSize>),
    /// `_`, to be inferred.
    Hole,
}

/// A term as written.
pub type RawTerm = Located<RawTermKind>;

/// The forms of a term.
#[derive(Clone, Debug)]
pub enum RawTermKind {
    /// A variable, a definition or a size.
    Name(Name),
    /// A numeral's text: digits, perhaps with a fraction or an exponent.
    Number(Name),
    /// A primitive, `fst`, `snd`, `ifold n` or `build n`, as a function.
    Head(RawHead),
    /// `f a`
    App(Box<RawTerm>, Box<RawTerm>),
    /// A binary operator in full.
    Binary(Prim, RawIdent, Box<RawTerm>, Box<RawTerm>),
    /// Unary `-` or `not`.
    Unary(Prim, Box<RawTerm>),
    /// `fun x (y : t) => e`
    Fun(Vec<RawParam>, Box<RawTerm>),
    /// `let x : t := e1; e2`
    Let(RawParam, Box<RawTerm>, Box<RawTerm>),
    /// `if c then a else b`
    If(Box<RawTerm>, Box<RawTerm>, Box<RawTerm>),
    /// `if k : t := e then a else b`
    Guard(RawParam, Box<RawTerm>, Box<RawTerm>, Box<RawTerm>),
    /// `[e1, …, ek]`
    Array(Vec<RawTerm>),
    /// `a[i]`
    Get(Box<RawTerm>, Box<RawTerm>),
    /// `(a, b)`
    Pair(Box<RawTerm>, Box<RawTerm>),
    /// `p.1` (true) or `p.2` (false)
    Project(bool, Box<RawTerm>),
    /// `(e : t)`
    Ascribe(Box<RawTerm>, RawType),
    /// `D e`
    D(Box<RawTerm>),
    /// `e(a, i)` in a rule: a pattern variable that may mention those bound variables.
    Pattern(Name, Vec<RawTerm>),
    /// `_` where a term is expected: in a rule, a pattern variable of its own; elsewhere an error.
    Hole,
}

impl RawTerm {
    /// The name of the pattern variable that a hole at this place is.
    pub fn hole(&self) -> Name {
        Name::hole(self.span.start)
    }

    /// What it says as a size, if it can be one.
    pub fn as_size(&self) -> Option<RawSize> {
        let both = |a: &RawTerm, b: &RawTerm| Some((Box::new(a.as_size()?), Box::new(b.as_size()?)));
        let kind = match &self.kind {
            RawTermKind::Name(name) => RawSizeKind::Name(name.clone()),
            RawTermKind::Number(text) => RawSizeKind::Literal(text.as_str().parse().ok().filter(|n| *n < 1 << 63)?),
            RawTermKind::Hole => RawSizeKind::Hole,
            RawTermKind::Binary(Prim::Add, _, a, b) => both(a, b).map(|(a, b)| RawSizeKind::Add(a, b))?,
            RawTermKind::Binary(Prim::Mul, _, a, b) => both(a, b).map(|(a, b)| RawSizeKind::Mul(a, b))?,
            _ => return None,
        };
        Some(Located { kind, span: self.span })
    }

    /// The terms directly in it, left to right.
    pub fn parts(&self) -> Vec<&RawTerm> {
        match &self.kind {
            RawTermKind::Name(_) | RawTermKind::Number(_) | RawTermKind::Head(_) | RawTermKind::Hole => Vec::new(),
            RawTermKind::App(a, b)
            | RawTermKind::Binary(_, _, a, b)
            | RawTermKind::Let(_, a, b)
            | RawTermKind::Get(a, b)
            | RawTermKind::Pair(a, b) => vec![a, b],
            RawTermKind::Unary(_, a)
            | RawTermKind::Fun(_, a)
            | RawTermKind::Project(_, a)
            | RawTermKind::Ascribe(a, _)
            | RawTermKind::D(a) => vec![a],
            RawTermKind::If(a, b, c) | RawTermKind::Guard(_, a, b, c) => vec![a, b, c],
            RawTermKind::Array(all) | RawTermKind::Pattern(_, all) => all.iter().collect(),
        }
    }
}

/// The words that are functions.
#[derive(Clone, Debug)]
pub enum RawHead {
    /// A primitive written as a function.
    Prim(Prim),
    /// `keep`
    Keep,
    /// `pull`
    Pull,
    /// `plus`
    Plus,
    /// `fst`
    Fst,
    /// `snd`
    Snd,
    /// `ifold n`
    Ifold(RawSize),
    /// `build n`
    Build(RawSize),
    /// `scan n`, or with true `scanr n`
    Scan(RawSize, bool),
    /// `scatter n m`: the places and the rounds
    Scatter(RawSize, RawSize),
}

impl RawHead {
    /// What a name means where nothing else is called so.
    pub fn open(name: &str) -> Option<RawHead> {
        match name {
            KEEP => Some(RawHead::Keep),
            "pull" => Some(RawHead::Pull),
            "plus" => Some(RawHead::Plus),
            _ => Prim::open(name).map(RawHead::Prim),
        }
    }
}

/// How many sizes stand behind a name that means a loop where nothing else is called so: `scan n`, `scanr n`, `scatter n m`.
pub fn sizes_of_loop(name: &str) -> usize {
    match name {
        "scan" | "scanr" => 1,
        "scatter" => 2,
        _ => 0,
    }
}

/// `rule name(k) = …` with everything that may follow.
#[derive(Clone, Debug)]
pub struct RawRule {
    /// The rule's name.
    pub name: RawIdent,
    /// Its parameters, such as `k`.
    pub params: Vec<RawIdent>,
    /// The laws, in order.
    pub laws: Vec<RawLaw>,
    /// What follows `where`; all must hold.
    pub conditions: Vec<RawCondition>,
    /// `exact`, `real_exact` or `reassociating`, if written.
    pub exactness: Option<RawIdent>,
    /// `unchecked` stands at the end.
    pub unchecked: bool,
    /// The comment lines directly above it, without their slashes.
    pub doc: String,
    /// The whole rule.
    pub span: Span,
}

impl RawRule {
    /// A law under a name, and nothing more.
    pub fn of_law(name: &str, law: RawLaw) -> RawRule {
        let span = law.span;
        RawRule {
            name: RawIdent { name: Name::new(name), span },
            params: Vec::new(),
            laws: vec![law],
            conditions: Vec::new(),
            exactness: None,
            unchecked: false,
            doc: String::new(),
            span,
        }
    }

    /// A pattern as the rule that changes nothing.
    pub fn of_pattern(pattern: &RawTerm) -> RawRule {
        let (left, right) = (pattern.clone(), pattern.clone());
        RawRule::of_law("pattern", RawLaw { left, right, both_ways: false, span: pattern.span })
    }
}

/// `left --> right` or `left <--> right`.
#[derive(Clone, Debug)]
pub struct RawLaw {
    /// The left side.
    pub left: RawTerm,
    /// The right side.
    pub right: RawTerm,
    /// Written with `<-->`.
    pub both_ways: bool,
    /// The whole law, without its backticks.
    pub span: Span,
}

/// A pattern or a law that stands in backticks where a strategy is expected.
#[derive(Clone, Debug)]
pub enum RawInPlace {
    /// A pattern.
    Pattern(RawTerm),
    /// A rule without a name.
    Rule(RawLaw),
}

/// One condition of a rule.
#[derive(Clone, Debug)]
pub struct RawCondition {
    /// What must hold.
    pub kind: RawConditionKind,
    /// Written with `not` before it.
    pub negated: bool,
    /// Where it stands.
    pub span: Span,
}

/// The forms of a condition.
#[derive(Clone, Debug)]
pub enum RawConditionKind {
    /// A predicate, such as `constant(e)`.
    Holds(RawQuantity),
    /// A comparison, such as `occurrences(x) <= k`.
    Compare(Prim, RawQuantity, RawQuantity),
}

/// A function of the script in a condition.
#[derive(Clone, Debug)]
pub struct RawFunction {
    /// How many stand before it in the rule.
    pub number: usize,
    /// As written, on one line.
    pub text: String,
    /// Where it stands.
    pub span: Span,
}

/// A quantity, of which conditions speak.
#[derive(Clone, Debug)]
pub enum RawQuantity {
    /// A number.
    Number(u64, Span),
    /// A rule parameter, a pattern variable, a bound variable or a size.
    Name(RawIdent),
    /// `occurrences(x)`, `work(e)`.
    Call(RawIdent, Vec<RawQuantity>),
    /// `|e| …`, which is the script's business.
    Function(RawFunction),
    /// A pattern in backticks.
    Pattern(RawTerm),
    /// A sum.
    Add(Box<RawQuantity>, Box<RawQuantity>),
    /// A product.
    Mul(Box<RawQuantity>, Box<RawQuantity>),
}
