//! Lays out Futhark code as text.

use std::borrow::Cow;

use super::code::{Dim, Expr, Ident, Loop};
use redexter_language::ground::layout::{Indent, Measure, Stream};
use redexter_language::ground::writing::goes_on;
use redexter_language::term::{COMPARISON, Fixity, Futhark, Prim};

/// The width that lines keep to where they can.
const WIDTH: usize = 100;

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

/// How tightly an expression holds together.
fn strength(code: &Expr) -> u8 {
    match code {
        Expr::Int(k) if *k < 0 && *k != i64::MIN => OPEN,
        Expr::Real(x) if x.is_sign_negative() && !x.is_nan() => OPEN,
        Expr::Var(_) | Expr::Real(_) | Expr::Int(_) | Expr::Bool(_) | Expr::Tuple(_) | Expr::Field(..) => ATOM,
        Expr::Index(_) | Expr::Array(_) | Expr::Empty(_) => ATOM,
        Expr::Not(_) | Expr::Call(..) | Expr::FromBool(_) | Expr::Tabulate(..) | Expr::Sum(_) => PREFIX,
        Expr::Binary(op, _) => operator(*op).1.0,
        Expr::Neg(_) | Expr::If(_) | Expr::Lets(..) | Expr::Loop(_) | Expr::Coerce(..) | Expr::Assert(_) => OPEN,
    }
}

/// An entry point: its head, the sizes among the parameters included, the type of its result, and its body.
pub(super) fn entry(head: String, parameters: &[String], result: &str, body: &Expr) -> String {
    let mut writer = Writer::default();
    writer.group(|w| w.text(head).nest(4, |w| parameters.iter().fold(w, |w, p| w.line().text(p.clone()))));
    writer.text(format!(" : {result} =")).nest(2, |w| w.newline().code(body)).text("\n");
    writer.0.lay(Measure { width: WIDTH, behind: 0 }).map(|(text, ())| text).take_while(|_| goes_on()).collect()
}

/// The text as it grows.
#[derive(Default)]
struct Writer(Stream<()>);

impl Writer {
    fn text(&mut self, text: impl Into<Cow<'static, str>>) -> &mut Writer {
        self.0.text(text, ());
        self
    }

    fn line(&mut self) -> &mut Writer {
        self.0.line(());
        self
    }

    fn newline(&mut self) -> &mut Writer {
        self.0.newline(());
        self
    }

    fn group(&mut self, inside: impl FnOnce(&mut Writer) -> &mut Writer) -> &mut Writer {
        self.0.open(Indent::Nest(0));
        inside(self).0.close();
        self
    }

    fn nest(&mut self, by: usize, inside: impl FnOnce(&mut Writer) -> &mut Writer) -> &mut Writer {
        self.0.nest(by);
        inside(self).0.close();
        self
    }

    /// What may stand on a line of its own, two further in.
    fn below(&mut self, code: &Expr) -> &mut Writer {
        self.nest(2, |w| w.line().code(code))
    }

    fn code(&mut self, code: &Expr) -> &mut Writer {
        if !goes_on() {
            return self;
        }
        match code {
            Expr::Var(x) => self.text(x.to_string()),
            Expr::Real(x) => self.text(real(*x)),
            Expr::Int(i64::MIN) => self.text("i64.lowest"),
            Expr::Int(k) => self.text(format!("{k}i64")),
            Expr::Bool(b) => self.text(b.to_string()),
            Expr::Neg(a) => self.text("-").at(a, ATOM),
            Expr::Not(a) => self.text("!").at(a, ATOM),
            Expr::Binary(op, p) => self.group(|w| w.binary(*op, &p.0, &p.1)),
            Expr::Call(function, arguments) => self.call(function, arguments),
            Expr::FromBool(a) => self.call("i64.bool", std::slice::from_ref(a)),
            Expr::Tuple(items) => self.list("(", items, ")"),
            Expr::Field(a, k) => self.postfix(a).text(format!(".{k}")),
            Expr::Index(_) => self.index(code),
            Expr::Array(items) => self.list("[", items, "]"),
            Expr::Empty(ty) => self.text(format!("([] : {ty})")),
            Expr::If(p) => self.group(|w| w.conditional(&p.0, &p.1, &p.2)),
            Expr::Lets(lets, body) => lets.iter().fold(self, |w, (x, a)| w.binding(x, a)).code(body),
            Expr::Loop(l) => self.group(|w| w.loop_for(l)),
            Expr::Tabulate(dim, index, body) => {
                let head = format!("tabulate {} (\\{} ->", size(dim), index.as_deref().unwrap_or("_"));
                self.group(|w| w.text(head).below(body).text(")"))
            }
            Expr::Sum(p) => self.group(|w| w.text("reduce (+) ").at(&p.0, ATOM).text(" ").at(&p.1, ATOM)),
            Expr::Coerce(a, ty) => self.at(a, ATOM).text(format!(" :> {ty}")),
            Expr::Assert(p) => self.text("assert ").parenthesised(&p.0).nest(2, |w| w.newline().parenthesised(&p.1)),
        }
    }

    /// An expression where one of at least this strength must stand.
    fn at(&mut self, code: &Expr, least: u8) -> &mut Writer {
        if strength(code) < least { self.parenthesised(code) } else { self.code(code) }
    }

    fn parenthesised(&mut self, inner: &Expr) -> &mut Writer {
        self.text("(").nest(1, |w| w.code(inner)).text(")")
    }

    fn binary(&mut self, op: Prim, a: &Expr, b: &Expr) -> &mut Writer {
        let (text, (_, left, right)) = operator(op);
        self.at(a, left).nest(2, |w| w.line().text(text).text(" ").at(b, right))
    }

    /// What an index or a field may follow: a name or something in parentheses.
    fn postfix(&mut self, code: &Expr) -> &mut Writer {
        if matches!(code, Expr::Var(_)) { self.code(code) } else { self.parenthesised(code) }
    }

    fn index(&mut self, code: &Expr) -> &mut Writer {
        let mut array = code;
        let mut indices = Vec::new();
        while let Expr::Index(p) = array {
            indices.push(&p.1);
            array = &p.0;
        }
        self.postfix(array).list("[", indices.into_iter().rev(), "]")
    }

    fn list<'a>(
        &mut self,
        open: &'static str,
        items: impl IntoIterator<Item = &'a Expr>,
        close: &'static str,
    ) -> &mut Writer {
        let items = items.into_iter().enumerate();
        self.group(|w| w.text(open).nest(1, |w| items.fold(w, |w, (k, item)| w.item(k, item))).text(close))
    }

    fn item(&mut self, k: usize, item: &Expr) -> &mut Writer {
        if k > 0 { self.text(",").line() } else { self }.code(item)
    }

    fn call(&mut self, function: &'static str, arguments: &[Expr]) -> &mut Writer {
        self.group(|w| w.text(function).nest(2, |w| arguments.iter().fold(w, |w, a| w.line().at(a, ATOM))))
    }

    fn conditional(&mut self, condition: &Expr, a: &Expr, b: &Expr) -> &mut Writer {
        self.text("if ").nest(2, |w| w.code(condition)).branch("then", a).branch("else", b)
    }

    /// A branch: on its own lines if it begins with definitions.
    fn branch(&mut self, word: &'static str, code: &Expr) -> &mut Writer {
        let apart = matches!(code, Expr::Lets(..));
        self.line().text(word).nest(2, |w| if apart { w.newline() } else { w.text(" ") }.code(code))
    }

    fn binding(&mut self, name: &Ident, value: &Expr) -> &mut Writer {
        self.group(|w| w.text(format!("let {name} =")).below(value).text(" in")).newline()
    }

    fn loop_for(&mut self, l: &Loop) -> &mut Writer {
        let pattern = match &l.ty {
            Some(ty) => format!("({}: {ty})", l.acc),
            None => l.acc.to_string(),
        };
        let bound = match &l.bound {
            Dim::Literal(k) => format!("{k}i64"),
            Dim::Name(n) => n.to_string(),
        };
        self.text(format!("loop {pattern} = ")).nest(2, |w| w.at(&l.init, OPEN + 1));
        self.text(format!(" for {} < {bound} do", l.index)).below(&l.body)
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
