//! Futhark code as text.

use std::borrow::Cow;

use super::code::{Code, Dim, Ident, Loop, Op};
use crate::ground::layout::{Indent, Measure, Stream};

/// The width that lines keep to where they can.
const WIDTH: usize = 100;

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

/// How tightly an expression holds together.
fn strength(code: &Code) -> u8 {
    match code {
        Code::Int(k) if *k < 0 && *k != i64::MIN => OPEN,
        Code::Real(x) if x.is_sign_negative() && !x.is_nan() => OPEN,
        Code::Var(_) | Code::Real(_) | Code::Int(_) | Code::Bool(_) | Code::Tuple(_) | Code::Field(..) => ATOM,
        Code::Index(_) | Code::Array(_) | Code::Empty(_) => ATOM,
        Code::Not(_) | Code::Call(..) | Code::FromBool(_) | Code::Tabulate(..) | Code::Sum(_) => PREFIX,
        Code::Binary(op, _) => op.strengths().0,
        Code::Neg(_) | Code::If(_) | Code::Lets(..) | Code::Loop(_) | Code::Coerce(..) | Code::Assert(_) => OPEN,
    }
}

/// An entry point: its head, the sizes among the parameters included, the type of its result, and its body.
pub(super) fn entry(head: String, parameters: &[String], result: &str, body: &Code) -> String {
    let mut writer = Writer::default();
    writer.group(|w| {
        w.text(head);
        w.nest(4, |w| {
            for parameter in parameters {
                w.line();
                w.text(parameter.clone());
            }
        });
    });
    writer.text(format!(" : {result} ="));
    writer.nest(2, |w| {
        w.newline();
        w.code(body);
    });
    writer.text("\n");
    writer.0.lay(Measure { width: WIDTH, behind: 0 }).map(|(text, ())| text).collect()
}

/// The text as it grows.
#[derive(Default)]
struct Writer(Stream<()>);

impl Writer {
    fn text(&mut self, text: impl Into<Cow<'static, str>>) {
        self.0.text(text, ());
    }

    fn line(&mut self) {
        self.0.line(());
    }

    fn newline(&mut self) {
        self.0.newline(());
    }

    fn group(&mut self, inside: impl FnOnce(&mut Writer)) {
        self.0.open(Indent::Nest(0));
        inside(self);
        self.0.close();
    }

    fn nest(&mut self, by: usize, inside: impl FnOnce(&mut Writer)) {
        self.0.nest(by);
        inside(self);
        self.0.close();
    }

    /// What may stand on a line of its own, two further in.
    fn below(&mut self, code: &Code) {
        self.nest(2, |w| {
            w.line();
            w.code(code);
        });
    }

    fn code(&mut self, code: &Code) {
        match code {
            Code::Var(x) => self.text(x.to_string()),
            Code::Real(x) => self.text(real(*x)),
            Code::Int(i64::MIN) => self.text("i64.lowest"),
            Code::Int(k) => self.text(format!("{k}i64")),
            Code::Bool(b) => self.text(b.to_string()),
            Code::Neg(a) => self.prefixed("-", a),
            Code::Not(a) => self.prefixed("!", a),
            Code::Binary(op, p) => self.group(|w| w.binary(*op, &p.0, &p.1)),
            Code::Call(function, arguments) => self.call(function, arguments),
            Code::FromBool(a) => self.call("i64.bool", std::slice::from_ref(a)),
            Code::Tuple(p) => self.list("(", [&p.0, &p.1], ")"),
            Code::Field(a, k) => {
                self.postfix(a);
                self.text(format!(".{k}"));
            }
            Code::Index(_) => self.index(code),
            Code::Array(items) => self.list("[", items, "]"),
            Code::Empty(ty) => self.text(format!("([] : {ty})")),
            Code::If(p) => self.group(|w| w.conditional(&p.0, &p.1, &p.2)),
            Code::Lets(lets, body) => {
                lets.iter().for_each(|(x, a)| self.binding(x, a));
                self.code(body);
            }
            Code::Loop(l) => self.group(|w| w.loop_for(l)),
            Code::Tabulate(dim, index, body) => self.group(|w| {
                w.text(format!("tabulate {} (\\{} ->", size(dim), index.as_deref().unwrap_or("_")));
                w.below(body);
                w.text(")");
            }),
            Code::Sum(p) => self.group(|w| {
                w.prefixed("reduce (+) ", &p.0);
                w.prefixed(" ", &p.1);
            }),
            Code::Coerce(a, ty) => {
                self.at(a, ATOM);
                self.text(format!(" :> {ty}"));
            }
            Code::Assert(p) => {
                self.text("assert ");
                self.parenthesised(&p.0);
                self.nest(2, |w| {
                    w.newline();
                    w.parenthesised(&p.1);
                });
            }
        }
    }

    /// An expression where one of at least this strength must stand.
    fn at(&mut self, code: &Code, least: u8) {
        if strength(code) < least { self.parenthesised(code) } else { self.code(code) }
    }

    fn parenthesised(&mut self, inner: &Code) {
        self.text("(");
        self.nest(1, |w| w.code(inner));
        self.text(")");
    }

    fn prefixed(&mut self, prefix: &'static str, operand: &Code) {
        self.text(prefix);
        self.at(operand, ATOM);
    }

    fn binary(&mut self, op: Op, a: &Code, b: &Code) {
        let (_, left, right) = op.strengths();
        self.at(a, left);
        self.nest(2, |w| {
            w.line();
            w.text(op.text());
            w.text(" ");
            w.at(b, right);
        });
    }

    /// What an index or a field may follow: a name or something in parentheses.
    fn postfix(&mut self, code: &Code) {
        match code {
            Code::Var(_) => self.code(code),
            other => self.parenthesised(other),
        }
    }

    fn index(&mut self, code: &Code) {
        let mut array = code;
        let mut indices = Vec::new();
        while let Code::Index(p) = array {
            indices.push(&p.1);
            array = &p.0;
        }
        self.postfix(array);
        self.list("[", indices.into_iter().rev(), "]");
    }

    fn list<'a>(&mut self, open: &'static str, items: impl IntoIterator<Item = &'a Code>, close: &'static str) {
        self.group(|w| {
            w.text(open);
            w.nest(1, |w| {
                for (k, item) in items.into_iter().enumerate() {
                    if k > 0 {
                        w.text(",");
                        w.line();
                    }
                    w.code(item);
                }
            });
            w.text(close);
        });
    }

    fn call(&mut self, function: &'static str, arguments: &[Code]) {
        self.group(|w| {
            w.text(function);
            w.nest(2, |w| {
                for argument in arguments {
                    w.line();
                    w.at(argument, ATOM);
                }
            });
        });
    }

    fn conditional(&mut self, condition: &Code, a: &Code, b: &Code) {
        self.text("if ");
        self.nest(2, |w| w.code(condition));
        for (word, branch) in [("then", a), ("else", b)] {
            self.line();
            self.text(word);
            self.nest(2, |w| {
                // On its own lines if it begins with definitions.
                if matches!(branch, Code::Lets(..)) {
                    w.newline()
                } else {
                    w.text(" ")
                }
                w.code(branch);
            });
        }
    }

    fn binding(&mut self, name: &Ident, value: &Code) {
        self.group(|w| {
            w.text(format!("let {name} ="));
            w.below(value);
            w.text(" in");
        });
        self.newline();
    }

    fn loop_for(&mut self, l: &Loop) {
        let pattern = match &l.ty {
            Some(ty) => format!("({}: {ty})", l.acc),
            None => l.acc.to_string(),
        };
        let bound = match &l.bound {
            Dim::Literal(k) => format!("{k}i64"),
            Dim::Name(n) => n.to_string(),
        };
        self.text(format!("loop {pattern} = "));
        self.nest(2, |w| w.at(&l.init, OPEN + 1));
        self.text(format!(" for {} < {bound} do", l.index));
        self.below(&l.body);
    }
}

/// A size as an argument, where its literal must be one that 0.22 takes for a size.
fn size(dim: &Dim) -> String {
    match dim {
        Dim::Literal(k) => k.to_string(),
        Dim::Name(n) => n.to_string(),
    }
}

fn real(x: f64) -> String {
    if x.is_nan() {
        return "f64.nan".to_owned();
    }
    if x == 0.0 && x.is_sign_negative() {
        // Negation is subtraction from 0 in older versions, and would lose the sign.
        return "(-1f64) * 0f64".to_owned();
    }
    let sign = if x < 0.0 { "-" } else { "" };
    if x.is_infinite() {
        return format!("{sign}f64.inf");
    }
    let digits = format!("{:?}", x.abs());
    format!("{sign}{}f64", digits.strip_suffix(".0").unwrap_or(&digits))
}
