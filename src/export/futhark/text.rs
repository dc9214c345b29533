//! The layout of Futhark code.

use super::code::{Code, Dim, Loop};
use super::lines::Doc;
use crate::term::{COMPARISON, Fixity, Futhark, Prim};

/// How tightly an expression holds together; higher is tighter.
const OPEN: u8 = 0;
const PREFIX: u8 = 8;
const ATOM: u8 = 9;

/// A binary operator, its own strength, and what it asks of its operands: `**` and comparisons are never chained.
fn operator(prim: Prim) -> (&'static str, (u8, u8, u8)) {
    let text = match prim.futhark() {
        Futhark::Infix(text) | Futhark::Test(text) | Futhark::Connective(text) => text,
        Futhark::RealExponent(text) => return (text, (PREFIX - 1, PREFIX, PREFIX)),
        other => unreachable!("{other:?} is no operator"),
    };
    match prim.fixity() {
        Fixity::Infix(COMPARISON) => (text, (COMPARISON, COMPARISON + 1, COMPARISON + 1)),
        Fixity::Infix(own) => (text, (own, own, own + 1)),
        other => unreachable!("{other:?} stands between no operands"),
    }
}

/// An expression laid out on its own.
pub(super) fn layout(code: &Code) -> Doc {
    doc(code).0
}

/// An expression with how tightly it holds together.
fn doc(code: &Code) -> (Doc, u8) {
    match code {
        Code::Var(x) => (Doc::text(x.to_string()), ATOM),
        Code::Real(x) => real(*x),
        Code::Int(i64::MIN) => (Doc::text("i64.lowest"), ATOM),
        Code::Int(k) => (Doc::text(format!("{k}i64")), if *k < 0 { OPEN } else { ATOM }),
        Code::Bool(b) => (Doc::text(b.to_string()), ATOM),
        Code::Neg(a) => (Doc::text("-").then(at(a, ATOM)), OPEN),
        Code::Not(a) => (Doc::text("!").then(at(a, ATOM)), PREFIX),
        Code::Binary(op, p) => {
            let (text, (own, left, right)) = operator(*op);
            let second = Doc::text(format!("{text} ")).then(at(&p.1, right));
            (at(&p.0, left).then(Doc::Line.then(second).nest(2)).group(), own)
        }
        Code::Call(function, arguments) => (call(function, arguments), PREFIX),
        Code::FromBool(a) => (call("i64.bool", std::slice::from_ref(a)), PREFIX),
        Code::Tuple(p) => (list("(", [&p.0, &p.1], ")"), ATOM),
        Code::Field(a, k) => (postfix(a).then(Doc::text(format!(".{k}"))), ATOM),
        Code::Index(_) => (index(code), ATOM),
        Code::Array(items) => (list("[", items, "]"), ATOM),
        Code::Empty(ty) => (Doc::text(format!("([] : {ty})")), ATOM),
        Code::If(p) => (conditional(&p.0, &p.1, &p.2), OPEN),
        Code::Lets(lets, body) => {
            let chain = lets.iter().map(|(x, a)| binding(x, a));
            (Doc::all(chain).then(layout(body)), OPEN)
        }
        Code::Loop(l) => (loop_for(l), OPEN),
        Code::Tabulate(dim, index, body) => {
            let head = format!("tabulate {} (\\{} ->", size(dim), index.as_deref().unwrap_or("_"));
            let body = Doc::Line.then(layout(body)).nest(2);
            (Doc::text(head).then(body).then(Doc::text(")")).group(), PREFIX)
        }
        Code::Sum(p) => {
            let head = Doc::text("reduce (+) ").then(at(&p.0, ATOM)).then(Doc::text(" "));
            (head.then(at(&p.1, ATOM)).group(), PREFIX)
        }
        Code::Coerce(a, ty) => (at(a, ATOM).then(Doc::text(format!(" :> {ty}"))), OPEN),
        Code::Assert(p) => {
            let body = Doc::Hard.then(parenthesised(layout(&p.1))).nest(2);
            (Doc::text("assert ").then(parenthesised(layout(&p.0))).then(body), OPEN)
        }
    }
}

/// An expression where one of at least this strength must stand.
fn at(code: &Code, strength: u8) -> Doc {
    let (inner, own) = doc(code);
    if own < strength { parenthesised(inner) } else { inner }
}

fn parenthesised(inner: Doc) -> Doc {
    Doc::text("(").then(inner.nest(1)).then(Doc::text(")"))
}

/// What an index or a field may follow: a name or something in parentheses.
fn postfix(code: &Code) -> Doc {
    match code {
        Code::Var(x) => Doc::text(x.to_string()),
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
    postfix(array).then(list("[", indices.into_iter().rev(), "]"))
}

fn list<'a>(open: &'static str, items: impl IntoIterator<Item = &'a Code>, close: &'static str) -> Doc {
    let mut parts = Vec::new();
    for item in items {
        if !parts.is_empty() {
            parts.extend([Doc::text(","), Doc::Line]);
        }
        parts.push(layout(item));
    }
    Doc::text(open).then(Doc::All(parts).nest(1)).then(Doc::text(close)).group()
}

fn call(function: &str, arguments: &[Code]) -> Doc {
    let arguments = arguments.iter().map(|a| Doc::Line.then(at(a, ATOM)));
    Doc::text(function.to_owned()).then(Doc::all(arguments).nest(2)).group()
}

fn conditional(condition: &Code, a: &Code, b: &Code) -> Doc {
    let then = Doc::Line.then(Doc::text("then")).then(branch(a));
    let otherwise = Doc::Line.then(Doc::text("else")).then(branch(b));
    Doc::text("if ").then(layout(condition).nest(2)).then(then).then(otherwise).group()
}

/// A branch: on its own lines if it begins with definitions.
fn branch(code: &Code) -> Doc {
    let between = if matches!(code, Code::Lets(..)) { Doc::Hard } else { Doc::text(" ") };
    between.then(layout(code)).nest(2)
}

fn binding(name: &str, value: &Code) -> Doc {
    let value = Doc::Line.then(layout(value)).nest(2);
    let text = Doc::text(format!("let {name} =")).then(value).then(Doc::text(" in")).group();
    text.then(Doc::Hard)
}

fn loop_for(l: &Loop) -> Doc {
    let pattern = match &l.ty {
        Some(ty) => format!("({}: {ty})", l.acc),
        None => l.acc.to_string(),
    };
    let head = Doc::text(format!("loop {pattern} = ")).then(at(&l.init, OPEN + 1).nest(2));
    let bound = match &l.bound {
        Dim::Literal(k) => format!("{k}i64"),
        Dim::Name(n) => n.to_string(),
    };
    let head = head.then(Doc::text(format!(" for {} < {bound} do", l.index)));
    head.then(Doc::Line.then(layout(&l.body)).nest(2)).group()
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
        return (Doc::text("f64.nan"), ATOM);
    }
    if x == 0.0 && x.is_sign_negative() {
        // Negation is subtraction from 0 in older versions, and would lose the sign.
        return (Doc::text("(-1f64) * 0f64"), OPEN);
    }
    let size = if x.is_infinite() {
        "f64.inf".to_owned()
    } else {
        let digits = format!("{:?}", x.abs());
        format!("{}f64", digits.strip_suffix(".0").unwrap_or(&digits))
    };
    if x < 0.0 { (Doc::text(format!("-{size}")), OPEN) } else { (Doc::text(size), ATOM) }
}
