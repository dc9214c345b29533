//! Lays out Futhark code as text.

use std::borrow::Cow;

use super::code::{Dim, FutharkExpr, FutharkLoop, FutharkName, FutharkOperator};
use redexter_language::ground::layout::{Indent, LineMeasure, Stream};
use redexter_language::ground::writing::goes_on;
use redexter_language::term::{COMPARISON, Fixity, FutharkForm, POWER, Prim};

/// The width that lines keep to where they can.
const WIDTH: usize = 100;

/// How tightly an expression holds together; higher is tighter.
const OPEN: u8 = 0;
const PREFIX: u8 = 8;
const ATOM: u8 = 9;

/// A binary operator, its own strength, and what it asks of its operands: `**` and comparisons are never chained.
fn operator(prim: Prim) -> (&'static str, (u8, u8, u8)) {
    let text = match prim.futhark() {
        FutharkForm::Infix(text) | FutharkForm::Test(text) | FutharkForm::Connective(text) => text,
        FutharkForm::RealExponent(text) => return (text, (PREFIX - 1, PREFIX, PREFIX)),
        other => unreachable!("{other:?} is no operator"),
    };
    match prim.fixity() {
        Fixity::Infix(POWER) => (text, (PREFIX - 1, PREFIX, PREFIX)),
        Fixity::Infix(COMPARISON) => (text, (COMPARISON, COMPARISON + 1, COMPARISON + 1)),
        Fixity::Infix(own) => (text, (own, own, own + 1)),
        other => unreachable!("{other:?} stands between no operands"),
    }
}

/// How tightly an expression holds together.
fn strength(code: &FutharkExpr) -> u8 {
    match code {
        FutharkExpr::Int(k) if *k < 0 && *k != i64::MIN => OPEN,
        FutharkExpr::Real(x) if x.is_sign_negative() && !x.is_nan() => OPEN,
        FutharkExpr::Var(_)
        | FutharkExpr::Real(_)
        | FutharkExpr::Int(_)
        | FutharkExpr::Bool(_)
        | FutharkExpr::Tuple(_)
        | FutharkExpr::Field(..) => ATOM,
        FutharkExpr::Index(..) | FutharkExpr::Array(_) | FutharkExpr::Empty(_) => ATOM,
        FutharkExpr::Not(_)
        | FutharkExpr::Call(..)
        | FutharkExpr::FromBool(_)
        | FutharkExpr::Tabulate(..)
        | FutharkExpr::Apply(..)
        | FutharkExpr::All(..)
        | FutharkExpr::Reduce(..)
        | FutharkExpr::Scan(..)
        | FutharkExpr::Hist(..) => PREFIX,
        FutharkExpr::Binary(op, _) => operator(*op).1.0,
        FutharkExpr::Neg(_)
        | FutharkExpr::If(_)
        | FutharkExpr::Lets(..)
        | FutharkExpr::Loop(_)
        | FutharkExpr::With(_)
        | FutharkExpr::Coerce(..)
        | FutharkExpr::Unchecked(_)
        | FutharkExpr::Assert(_) => OPEN,
    }
}

/// An entry point: its head, the sizes among the parameters included, the type of its result, and its body.
pub(super) fn entry(head: String, parameters: &[String], result: &str, body: &FutharkExpr) -> String {
    let mut writer = FutharkWriter::default();
    writer.group(|w| w.text(head).nest(4, |w| parameters.iter().fold(w, |w, p| w.line().text(p.clone()))));
    writer.text(format!(" : {result} =")).nest(2, |w| w.newline().code(body)).text("\n");
    writer.0.lay(LineMeasure { width: WIDTH, behind: 0 }).map(|(text, ())| text).take_while(|_| goes_on()).collect()
}

/// The text as it grows.
#[derive(Default)]
struct FutharkWriter(Stream<()>);

impl FutharkWriter {
    fn text(&mut self, text: impl Into<Cow<'static, str>>) -> &mut FutharkWriter {
        self.0.text(text, ());
        self
    }

    fn line(&mut self) -> &mut FutharkWriter {
        self.0.line(());
        self
    }

    fn newline(&mut self) -> &mut FutharkWriter {
        self.0.newline(());
        self
    }

    fn group(&mut self, inside: impl FnOnce(&mut FutharkWriter) -> &mut FutharkWriter) -> &mut FutharkWriter {
        self.0.open(Indent::Nest(0));
        inside(self).0.close();
        self
    }

    fn nest(&mut self, by: usize, inside: impl FnOnce(&mut FutharkWriter) -> &mut FutharkWriter) -> &mut FutharkWriter {
        self.0.nest(by);
        inside(self).0.close();
        self
    }

    /// What may stand on a line of its own, two further in.
    fn below(&mut self, code: &FutharkExpr) -> &mut FutharkWriter {
        self.nest(2, |w| w.line().code(code))
    }

    fn code(&mut self, code: &FutharkExpr) -> &mut FutharkWriter {
        if !goes_on() {
            return self;
        }
        match code {
            FutharkExpr::Var(x) => self.text(x.to_string()),
            FutharkExpr::Real(x) => self.text(real(*x)),
            FutharkExpr::Int(i64::MIN) => self.text("i64.lowest"),
            FutharkExpr::Int(k) => self.text(format!("{k}i64")),
            FutharkExpr::Bool(b) => self.text(b.to_string()),
            FutharkExpr::Neg(a) => self.text("-").at(a, ATOM),
            FutharkExpr::Not(a) => self.text("!").at(a, ATOM),
            FutharkExpr::Binary(op, p) => self.group(|w| w.binary(*op, &p.0, &p.1)),
            FutharkExpr::Call(function, arguments) => self.call(function, arguments),
            FutharkExpr::FromBool(a) => self.call("i64.bool", std::slice::from_ref(a)),
            FutharkExpr::Tuple(items) => self.list("(", items, ")"),
            FutharkExpr::Field(a, k) => self.postfix(a).text(format!(".{k}")),
            FutharkExpr::Index(..) => self.index(code),
            FutharkExpr::With(p) => self.at(&p.0, ATOM).text(" with [").code(&p.1).text("] = ").at(&p.2, OPEN + 1),
            FutharkExpr::Array(items) => self.list("[", items, "]"),
            FutharkExpr::Empty(ty) => self.text(format!("([] : {ty})")),
            FutharkExpr::If(p) => self.group(|w| w.conditional(&p.0, &p.1, &p.2)),
            FutharkExpr::Lets(lets, body) => {
                let last = lets.len().saturating_sub(1);
                lets.iter().enumerate().fold(self, |w, (k, (x, a))| w.binding(x, a, k == last)).code(body)
            }
            FutharkExpr::Loop(l) => self.group(|w| w.loop_for(l)),
            FutharkExpr::Tabulate(dim, None, body)
                if body.is_atom() || matches!(**body, FutharkExpr::Tabulate(_, None, _)) =>
            {
                self.group(|w| w.text(format!("replicate {} ", size(dim))).at(body, ATOM))
            }
            FutharkExpr::Tabulate(dim, index, body) => {
                let head = format!("tabulate {} (\\{} ->", size(dim), index.as_deref().unwrap_or("_"));
                self.group(|w| w.text(head).below(body).text(")"))
            }
            FutharkExpr::Reduce(operator, p) => self.group(|w| match shorter(operator, &p.0) {
                Some(word) => w.text(word).text(" ").at(&p.1, ATOM),
                None => w.folded("reduce", operator, p),
            }),
            FutharkExpr::Scan(operator, p) => self.group(|w| w.folded("scan", operator, p)),
            FutharkExpr::Hist(operator, places, all) => self.group(|w| {
                let [zero, indices, values] = &**all;
                w.text(format!("hist {} ", operator_text(operator))).at(zero, ATOM).text(format!(" {}", size(places)));
                w.nest(2, |w| w.line().at(indices, ATOM).line().at(values, ATOM))
            }),
            FutharkExpr::Apply(operator, p) => {
                let text = operator_text(operator);
                let text = text.strip_prefix('(').and_then(|text| text.strip_suffix(')')).unwrap_or(&text).to_owned();
                self.group(|w| w.text(text).nest(2, |w| w.line().at(&p.0, ATOM).line().at(&p.1, ATOM)))
            }
            FutharkExpr::All(name, p) => {
                self.group(|w| w.text(format!("all (\\{name} -> ")).nest(2, |w| w.code(&p.0)).text(") ").at(&p.1, ATOM))
            }
            FutharkExpr::Unchecked(a) => self.text("#[unsafe]").newline().code(a),
            FutharkExpr::Coerce(a, ty) => self.at(a, ATOM).text(format!(" :> {ty}")),
            FutharkExpr::Assert(p) => {
                self.text("assert ").parenthesised(&p.0).nest(2, |w| w.newline().parenthesised(&p.1))
            }
        }
    }

    /// A function that takes an operator, what is neutral for it, and an array.
    fn folded(
        &mut self,
        function: &str,
        operator: &FutharkOperator,
        p: &(FutharkExpr, FutharkExpr),
    ) -> &mut FutharkWriter {
        self.text(format!("{function} {} ", operator_text(operator)))
            .at(&p.0, ATOM)
            .nest(2, |w| w.line().at(&p.1, ATOM))
    }

    /// An expression where one of at least this strength must stand.
    fn at(&mut self, code: &FutharkExpr, least: u8) -> &mut FutharkWriter {
        if strength(code) < least { self.parenthesised(code) } else { self.code(code) }
    }

    fn parenthesised(&mut self, inner: &FutharkExpr) -> &mut FutharkWriter {
        self.text("(").nest(1, |w| w.code(inner)).text(")")
    }

    fn binary(&mut self, op: Prim, a: &FutharkExpr, b: &FutharkExpr) -> &mut FutharkWriter {
        let (text, (_, left, right)) = operator(op);
        self.at(a, left).nest(2, |w| w.line().text(text).text(" ").at(b, right))
    }

    /// What an index or a field may follow: a name or something in parentheses.
    fn postfix(&mut self, code: &FutharkExpr) -> &mut FutharkWriter {
        if matches!(code, FutharkExpr::Var(_)) { self.code(code) } else { self.parenthesised(code) }
    }

    fn index(&mut self, code: &FutharkExpr) -> &mut FutharkWriter {
        let mut array = code;
        let mut indices = Vec::new();
        while let FutharkExpr::Index(p, _) = array {
            indices.push(&p.1);
            array = &p.0;
        }
        self.postfix(array).list("[", indices.into_iter().rev(), "]")
    }

    fn list<'a>(
        &mut self,
        open: &'static str,
        items: impl IntoIterator<Item = &'a FutharkExpr>,
        close: &'static str,
    ) -> &mut FutharkWriter {
        let items = items.into_iter().enumerate();
        self.group(|w| w.text(open).nest(1, |w| items.fold(w, |w, (k, item)| w.item(k, item))).text(close))
    }

    fn item(&mut self, k: usize, item: &FutharkExpr) -> &mut FutharkWriter {
        if k > 0 { self.text(",").line() } else { self }.code(item)
    }

    fn call(&mut self, function: &'static str, arguments: &[FutharkExpr]) -> &mut FutharkWriter {
        self.group(|w| w.text(function).nest(2, |w| arguments.iter().fold(w, |w, a| w.line().at(a, ATOM))))
    }

    fn conditional(&mut self, condition: &FutharkExpr, a: &FutharkExpr, b: &FutharkExpr) -> &mut FutharkWriter {
        self.text("if ").nest(2, |w| w.code(condition)).branch("then", a).branch("else", b)
    }

    /// A branch: on its own lines if it begins with definitions.
    fn branch(&mut self, word: &'static str, code: &FutharkExpr) -> &mut FutharkWriter {
        let apart = matches!(code, FutharkExpr::Lets(..) | FutharkExpr::Unchecked(_));
        self.line().text(word).nest(2, |w| if apart { w.newline() } else { w.text(" ") }.code(code))
    }

    /// A chain of definitions has its `in` behind the last.
    fn binding(&mut self, name: &FutharkName, value: &FutharkExpr, is_last: bool) -> &mut FutharkWriter {
        let end = if is_last { " in" } else { "" };
        self.group(|w| w.text(format!("let {name} =")).below(value).text(end)).newline()
    }

    fn loop_for(&mut self, l: &FutharkLoop) -> &mut FutharkWriter {
        let part = |(name, ty): &(FutharkName, Option<String>)| match ty {
            Some(ty) => format!("{name}: {ty}"),
            None => name.to_string(),
        };
        let bound = match &l.bound {
            Dim::Literal(k) => format!("{k}i64"),
            Dim::Name(n) => n.to_string(),
        };
        self.text("loop ");
        match &l.parts[..] {
            [(name, None)] => self.text(name.to_string()),
            parts => self.group(|w| {
                w.text("(").nest(1, |w| {
                    parts.iter().enumerate().for_each(|(k, own)| {
                        if k > 0 { w.text(",").line() } else { &mut *w }.text(part(own));
                    });
                    w
                });
                w.text(")")
            }),
        };
        self.text(" = ").nest(2, |w| w.at(&l.init, OPEN + 1));
        self.text(format!(" for {} < {bound} do", l.index)).below(&l.body)
    }
}

/// The library's function that reduces by an operator from this neutral element.
fn shorter(operator: &FutharkOperator, neutral: &FutharkExpr) -> Option<&'static str> {
    match (operator, neutral) {
        (FutharkOperator::Numbers(Prim::Add), FutharkExpr::Real(_)) => Some("f64.sum"),
        (FutharkOperator::Numbers(Prim::Add), FutharkExpr::Int(_)) => Some("i64.sum"),
        (FutharkOperator::Numbers(Prim::Mul), FutharkExpr::Real(_)) => Some("f64.product"),
        (FutharkOperator::Numbers(Prim::Mul), FutharkExpr::Int(_)) => Some("i64.product"),
        (FutharkOperator::Numbers(Prim::Max), FutharkExpr::Real(x)) if *x == f64::NEG_INFINITY => Some("f64.maximum"),
        (FutharkOperator::Numbers(Prim::Min), FutharkExpr::Real(x)) if *x == f64::INFINITY => Some("f64.minimum"),
        _ => None,
    }
}

/// An operator as an argument.
fn operator_text(operator: &FutharkOperator) -> String {
    match operator {
        FutharkOperator::Numbers(Prim::Max) => "f64.max".to_owned(),
        FutharkOperator::Numbers(Prim::Min) => "f64.min".to_owned(),
        FutharkOperator::Numbers(prim) => format!("({})", self::operator(*prim).0),
        FutharkOperator::Rows(inner) => format!("(map2 {})", operator_text(inner)),
        FutharkOperator::Halves(_) => {
            let mut count = 0;
            let (a, b, sum) = halves(operator, &mut count);
            format!("(\\{a} {b} -> {sum})")
        }
    }
}

/// Patterns for two values, and what the operator makes of them. Nothing else is in scope of the names.
fn halves(operator: &FutharkOperator, count: &mut usize) -> (String, String, String) {
    if let FutharkOperator::Halves(both) = operator {
        let (first, second) = (halves(&both.0, count), halves(&both.1, count));
        let pair = |a: String, b: String| format!("({a}, {b})");
        return (pair(first.0, second.0), pair(first.1, second.1), pair(first.2, second.2));
    }
    *count += 1;
    let (a, b) = (format!("a{count}"), format!("b{count}"));
    let both = match operator {
        FutharkOperator::Numbers(prim @ (Prim::Add | Prim::Mul)) => format!("{a} {} {b}", self::operator(*prim).0),
        _ => {
            let text = operator_text(operator);
            let text = text.strip_prefix('(').and_then(|text| text.strip_suffix(')')).unwrap_or(&text);
            format!("{text} {a} {b}")
        }
    };
    (a, b, both)
}

/// A size as an argument.
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
