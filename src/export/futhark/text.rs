//! The layout of Futhark code.

use pretty::RcDoc;

use super::code::{Code, Dim, Loop, Op};

/// The width that lines keep to where they can.
pub(super) const WIDTH: usize = 100;

type Doc = RcDoc<'static, ()>;

/// How tightly an expression holds together; higher is tighter.
const OPEN: u8 = 0;
const PREFIX: u8 = 7;
const ATOM: u8 = 8;

impl Op {
    fn text(self) -> &'static str {
        match self {
            Op::Add => "+",
            Op::Sub => "-",
            Op::Mul => "*",
            Op::Div => "/",
            Op::Power => "**",
            Op::Lt => "<",
            Op::Le => "<=",
            Op::Gt => ">",
            Op::Ge => ">=",
            Op::Eq => "==",
            Op::Ne => "!=",
            Op::And => "&&",
            Op::Or => "||",
        }
    }

    /// Its own strength, and what it asks of its operands: `**` and comparisons are never chained.
    fn strengths(self) -> (u8, u8, u8) {
        match self {
            Op::Or => (1, 1, 2),
            Op::And => (2, 2, 3),
            Op::Lt | Op::Le | Op::Gt | Op::Ge | Op::Eq | Op::Ne => (3, 4, 4),
            Op::Add | Op::Sub => (4, 4, 5),
            Op::Mul | Op::Div => (5, 5, 6),
            Op::Power => (6, 7, 7),
        }
    }
}

/// An expression laid out on its own.
pub(super) fn layout(code: &Code) -> Doc {
    doc(code).0
}

/// An expression with how tightly it holds together.
fn doc(code: &Code) -> (Doc, u8) {
    match code {
        Code::Var(x) => (RcDoc::text(x.to_string()), ATOM),
        Code::Real(x) => real(*x),
        Code::Int(i64::MIN) => (RcDoc::text("i64.lowest"), ATOM),
        Code::Int(k) => (RcDoc::text(format!("{k}i64")), if *k < 0 { OPEN } else { ATOM }),
        Code::Bool(b) => (RcDoc::text(b.to_string()), ATOM),
        Code::Neg(a) => (RcDoc::text("-").append(at(a, ATOM)), OPEN),
        Code::Not(a) => (RcDoc::text("!").append(at(a, ATOM)), PREFIX),
        Code::Binary(op, p) => {
            let (own, left, right) = op.strengths();
            let second = RcDoc::text(format!("{} ", op.text())).append(at(&p.1, right));
            (at(&p.0, left).append(RcDoc::line().append(second).nest(2)).group(), own)
        }
        Code::Call(function, arguments) => (call(function, arguments), PREFIX),
        Code::FromBool(a) => (call("i64.bool", std::slice::from_ref(a)), PREFIX),
        Code::Tuple(p) => (list("(", [&p.0, &p.1], ")"), ATOM),
        Code::Field(a, k) => (postfix(a).append(format!(".{k}")), ATOM),
        Code::Index(_) => (index(code), ATOM),
        Code::Array(items) => (list("[", items, "]"), ATOM),
        Code::Empty(ty) => (RcDoc::text(format!("([] : {ty})")), ATOM),
        Code::If(p) => (conditional(&p.0, &p.1, &p.2), OPEN),
        Code::Lets(lets, body) => {
            let chain = lets.iter().map(|(x, a)| binding(x, a));
            (RcDoc::concat(chain).append(layout(body)), OPEN)
        }
        Code::Loop(l) => (loop_for(l), OPEN),
        Code::Tabulate(dim, index, body) => {
            let head = format!("tabulate {} (\\{} ->", size(dim), index.as_deref().unwrap_or("_"));
            let body = RcDoc::line().append(layout(body)).nest(2);
            (RcDoc::text(head).append(body).append(")").group(), PREFIX)
        }
        Code::Sum(p) => {
            let head = RcDoc::text("reduce (+) ").append(at(&p.0, ATOM)).append(" ");
            (head.append(at(&p.1, ATOM)).group(), PREFIX)
        }
        Code::Coerce(a, ty) => (at(a, ATOM).append(format!(" :> {ty}")), OPEN),
        Code::Assert(p) => {
            let body = RcDoc::hardline().append(parenthesised(layout(&p.1))).nest(2);
            (RcDoc::text("assert ").append(parenthesised(layout(&p.0))).append(body), OPEN)
        }
    }
}

/// An expression where one of at least this strength must stand.
fn at(code: &Code, strength: u8) -> Doc {
    let (inner, own) = doc(code);
    if own < strength { parenthesised(inner) } else { inner }
}

fn parenthesised(inner: Doc) -> Doc {
    RcDoc::text("(").append(inner.nest(1)).append(")")
}

/// What an index or a field may follow: a name or something in parentheses.
fn postfix(code: &Code) -> Doc {
    match code {
        Code::Var(x) => RcDoc::text(x.to_string()),
        other => parenthesised(layout(other)),
    }
}

fn index(code: &Code) -> Doc {
    let mut array = code;
    let mut indices = Vec::new();
    while let Code::Index(p) = array {
        indices.push(&p.1);
        array = &p.0;
    }
    postfix(array).append(list("[", indices.into_iter().rev(), "]"))
}

fn list<'a>(open: &'static str, items: impl IntoIterator<Item = &'a Code>, close: &'static str) -> Doc {
    let between = RcDoc::text(",").append(RcDoc::line());
    let items = RcDoc::intersperse(items.into_iter().map(layout), between);
    RcDoc::text(open).append(items.nest(1)).append(close).group()
}

fn call(function: &str, arguments: &[Code]) -> Doc {
    let arguments = arguments.iter().map(|a| RcDoc::line().append(at(a, ATOM)));
    RcDoc::text(function.to_owned()).append(RcDoc::concat(arguments).nest(2)).group()
}

fn conditional(condition: &Code, a: &Code, b: &Code) -> Doc {
    let then = RcDoc::line().append("then").append(branch(a));
    let otherwise = RcDoc::line().append("else").append(branch(b));
    RcDoc::text("if ").append(layout(condition).nest(2)).append(then).append(otherwise).group()
}

/// A branch: on its own lines if it begins with definitions.
fn branch(code: &Code) -> Doc {
    let between = if matches!(code, Code::Lets(..)) { RcDoc::hardline() } else { RcDoc::space() };
    between.append(layout(code)).nest(2)
}

fn binding(name: &str, value: &Code) -> Doc {
    let value = RcDoc::line().append(layout(value)).nest(2);
    let text = RcDoc::text(format!("let {name} =")).append(value).append(" in").group();
    text.append(RcDoc::hardline())
}

fn loop_for(l: &Loop) -> Doc {
    let head = RcDoc::text(format!("loop {} = ", l.acc)).append(at(&l.init, OPEN + 1).nest(2));
    let bound = match &l.bound {
        Dim::Literal(k) => format!("{k}i64"),
        Dim::Name(n) => n.to_string(),
    };
    let head = head.append(format!(" for {} < {bound} do", l.index));
    head.append(RcDoc::line().append(layout(&l.body)).nest(2)).group()
}

/// A size as an argument, where its literal must be one that 0.22 takes for a size.
fn size(dim: &Dim) -> String {
    match dim {
        Dim::Literal(k) => k.to_string(),
        Dim::Name(n) => n.to_string(),
    }
}

fn real(x: f64) -> (Doc, u8) {
    if x.is_nan() {
        return (RcDoc::text("f64.nan"), ATOM);
    }
    if x == 0.0 && x.is_sign_negative() {
        // Negation is subtraction from 0 in older versions, and would lose the sign.
        return (RcDoc::text("(-1f64) * 0f64"), OPEN);
    }
    let size = if x.is_infinite() {
        "f64.inf".to_owned()
    } else {
        let digits = format!("{:?}", x.abs());
        format!("{}f64", digits.strip_suffix(".0").unwrap_or(&digits))
    };
    if x < 0.0 { (RcDoc::text(format!("-{size}")), OPEN) } else { (RcDoc::text(size), ATOM) }
}
