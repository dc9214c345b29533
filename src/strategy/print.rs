//! Strategies as users write them.

use std::fmt;

use super::data::{Form, Strategy};
use super::scope::{Argument, Definition};
use crate::ground::Name;
use crate::term::Slot;

/// How tightly the surroundings bind: nothing, `<+` on the left, `;` on the left, an operand of `;` on the right.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Tight {
    Open,
    Choice,
    Seq,
    Atom,
}

impl fmt::Display for Strategy {
    /// Sequences outside all parentheses are written `;;`, so that what is printed can be read again anywhere.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", Shown { body: self, names: &[] })
    }
}

impl Strategy {
    /// It in backticks; a pattern or a rule in place has them.
    pub fn quoted(&self) -> String {
        match self.form() {
            Form::Match(_) => self.to_string(),
            Form::Rule(rule) => rule.quoted(),
            _ => format!("`{self}`"),
        }
    }
}

impl Definition {
    /// The body as it prints, with the names of the parameters; `None` while it isn't set.
    pub fn shown(&self) -> Option<String> {
        self.body().map(|body| Shown { body, names: &self.params }.to_string())
    }
}

/// A strategy under binders with these names, outermost first.
struct Shown<'a> {
    body: &'a Strategy,
    names: &'a [Name],
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Printer { names: self.names.to_vec(), inside: false }.write(self.body, Tight::Open, f)
    }
}

struct Printer {
    names: Vec<Name>,
    inside: bool,
}

impl Printer {
    fn write(&mut self, s: &Strategy, tight: Tight, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match s.form() {
            Form::Id => f.write_str("id"),
            Form::Fail => f.write_str("fail"),
            Form::Rule(rule) => write!(f, "{rule}"),
            Form::Match(pattern) => write!(f, "`{}`", pattern.text()),
            Form::Seq(a, b) => self.binary(a, b, Tight::Seq, tight, f),
            Form::Choice(a, b) => self.binary(a, b, Tight::Choice, tight, f),
            Form::Mu(hint, body) => {
                let name = self.fresh(hint);
                write!(f, "mu(|{name}| ")?;
                self.names.push(name);
                self.argument(body, f)?;
                self.names.pop();
                f.write_str(")")
            }
            Form::Var(i) => match self.names.iter().rev().nth(*i as usize) {
                Some(name) => write!(f, "{name}"),
                None => f.write_str("_"),
            },
            Form::Free(_) => f.write_str("_"),
            Form::Unary(u, s) => self.call(u.text(), "", s, f),
            Form::Child(Slot::Operand(k), s) => self.call("operand", &format!("{k}, "), s, f),
            Form::Child(Slot::Element(k), s) => self.call("element", &format!("{k}, "), s, f),
            Form::Child(slot, s) => self.call(&slot.to_string(), "", s, f),
            Form::At(path, s) => self.call("at", &format!("\"{path}\", "), s, f),
            Form::AtMatch(p, s) => self.call("at", &format!("`{}`, ", p.text()), s, f),
            Form::RepeatN(n, s) => self.call("repeatN", &format!("{n}, "), s, f),
            Form::RepeatUntil(p, s) => self.call("repeatUntil", &format!("`{}`, ", p.text()), s, f),
            Form::Named(named) => {
                write!(f, "{}", named.definition.name)?;
                self.arguments(&named.arguments, f)
            }
        }
    }

    fn binary(
        &mut self,
        a: &Strategy,
        b: &Strategy,
        own: Tight,
        tight: Tight,
        f: &mut fmt::Formatter<'_>,
    ) -> fmt::Result {
        let wrap = own < tight;
        let inside = self.inside;
        if wrap {
            f.write_str("(")?;
            self.inside = true;
        }
        self.write(a, own, f)?;
        let (sign, right) = match (own, self.inside) {
            (Tight::Choice, _) => (" <+ ", Tight::Seq),
            (_, true) => (" ; ", Tight::Atom),
            (_, false) => (" ;; ", Tight::Atom),
        };
        f.write_str(sign)?;
        self.write(b, right, f)?;
        self.inside = inside;
        if wrap { f.write_str(")") } else { Ok(()) }
    }

    fn call(&mut self, name: &str, first: &str, s: &Strategy, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{name}({first}")?;
        self.argument(s, f)?;
        f.write_str(")")
    }

    /// A strategy between parentheses that stand already.
    fn argument(&mut self, s: &Strategy, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let inside = std::mem::replace(&mut self.inside, true);
        self.write(s, Tight::Open, f)?;
        self.inside = inside;
        Ok(())
    }

    fn arguments(&mut self, all: &[Argument], f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if all.is_empty() {
            return Ok(());
        }
        f.write_str("(")?;
        for (k, argument) in all.iter().enumerate() {
            if k > 0 {
                f.write_str(", ")?;
            }
            match argument {
                Argument::Strategy(s) => self.argument(s, f)?,
                Argument::Text(text) => f.write_str(text)?,
            }
        }
        f.write_str(")")
    }

    /// The hint, with a number where a name around it is the same.
    fn fresh(&self, hint: &Name) -> Name {
        let mut name = hint.clone();
        let mut k = 1;
        while self.names.contains(&name) {
            name = Name::new(&format!("{hint}{k}"));
            k += 1;
        }
        name
    }
}
