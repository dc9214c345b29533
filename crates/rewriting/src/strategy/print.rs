//! Prints strategies as users write them. Parts may be shared, so that a text can be longer than anybody wants to read, or than
//! there is room for: what is shown is cut, and what must be whole has a limit.

use std::fmt::{self, Write};

use super::data::{Strategy, StrategyArgument, StrategyDefinition, StrategyForm};
use redexter_language::ground::{Name, StopReason};
use redexter_language::term::Slot;

/// A precedence, as the surroundings bind: nothing, `<+` on the left, `;` on the left, an operand of `;` on the right.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum StrategyPrecedence {
    Open,
    Choice,
    Seq,
    Atom,
}

/// So many characters of a strategy are shown.
const SHOWN: usize = 10_000;

/// Where a text must be whole it is asked once in so many characters whether to go on.
const CHARS_PER_ASK: usize = 1 << 16;

impl fmt::Display for Strategy {
    /// Sequences outside all parentheses are written `;;`, so that what is printed can be read again anywhere. Of what is
    /// longer than 10,000 characters the beginning.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&shown(self, &[]))
    }
}

/// All of a strategy's text, which has at most so many characters; `ask` is asked now and then whether to go on.
pub fn whole_text(
    strategy: &Strategy,
    most: usize,
    ask: &mut dyn FnMut() -> Result<(), StopReason>,
) -> Result<String, StopReason> {
    // Each part takes a character or more, so that this one would be too long in any case.
    if strategy.0.weight > most as u64 {
        return Err(StopReason::Elements(most as u64));
    }
    let mut page = BoundedText::of(most, ask);
    match StrategyPrinter::of(&[]).write(strategy, StrategyPrecedence::Open, &mut page) {
        Ok(()) => Ok(page.text),
        Err(fmt::Error) => Err(page.stopped.unwrap_or(StopReason::Elements(most as u64))),
    }
}

/// The body of a definition as it prints, with the names of the parameters; `None` while it isn't set.
pub fn body_text(definition: &StrategyDefinition) -> Option<String> {
    definition.body().map(|body| shown(body, &definition.params))
}

/// The text of a strategy under binders with these names, outermost first; of a long one the beginning, with what it is cut
/// from.
fn shown(body: &Strategy, names: &[Name]) -> String {
    let mut go_on = || Ok(());
    let mut page = BoundedText::of(SHOWN, &mut go_on);
    match StrategyPrinter::of(names).write(body, StrategyPrecedence::Open, &mut page) {
        Ok(()) => page.text,
        Err(fmt::Error) => {
            format!("{}… (the first {SHOWN} characters of a strategy of {} parts)", page.text, body.0.weight)
        }
    }
}

/// A text as it grows, as long as there is room.
struct BoundedText<'a> {
    text: String,
    left: usize,
    ask: &'a mut dyn FnMut() -> Result<(), StopReason>,
    /// Characters until it is asked again whether to go on.
    until_asked: usize,
    stopped: Option<StopReason>,
}

impl<'a> BoundedText<'a> {
    fn of(most: usize, ask: &'a mut dyn FnMut() -> Result<(), StopReason>) -> BoundedText<'a> {
        BoundedText { text: String::new(), left: most, ask, until_asked: CHARS_PER_ASK, stopped: None }
    }
}

impl Write for BoundedText<'_> {
    fn write_str(&mut self, more: &str) -> fmt::Result {
        let count = more.chars().count();
        if count > self.left {
            self.text.extend(more.chars().take(self.left));
            self.left = 0;
            return Err(fmt::Error);
        }
        self.left -= count;
        self.text.push_str(more);
        if count < self.until_asked {
            self.until_asked -= count;
            return Ok(());
        }
        self.until_asked = CHARS_PER_ASK;
        self.stopped = (self.ask)().err();
        if self.stopped.is_none() { Ok(()) } else { Err(fmt::Error) }
    }
}

struct StrategyPrinter {
    names: Vec<Name>,
    inside: bool,
}

impl StrategyPrinter {
    fn of(names: &[Name]) -> StrategyPrinter {
        StrategyPrinter { names: names.to_vec(), inside: false }
    }

    fn write(&mut self, s: &Strategy, tight: StrategyPrecedence, f: &mut BoundedText<'_>) -> fmt::Result {
        match s.form() {
            StrategyForm::Id => f.write_str("id"),
            StrategyForm::Fail => f.write_str("fail"),
            StrategyForm::Rule(rule) => write!(f, "{rule}"),
            StrategyForm::Match(pattern) => write!(f, "`{}`", pattern.text()),
            StrategyForm::Seq(a, b) => self.binary(a, b, StrategyPrecedence::Seq, tight, f),
            StrategyForm::Choice(a, b) => self.binary(a, b, StrategyPrecedence::Choice, tight, f),
            StrategyForm::Cheapest(a, b) => {
                f.write_str("cheapest(")?;
                self.argument(a, f)?;
                f.write_str(", ")?;
                self.argument(b, f)?;
                f.write_str(")")
            }
            StrategyForm::Mu(hint, body) => {
                let name = self.fresh(hint);
                write!(f, "mu(|{name}| ")?;
                self.names.push(name);
                self.argument(body, f)?;
                self.names.pop();
                f.write_str(")")
            }
            StrategyForm::Var(i) => match self.names.iter().rev().nth(*i as usize) {
                Some(name) => write!(f, "{name}"),
                None => f.write_str("_"),
            },
            StrategyForm::Free(_) => f.write_str("_"),
            StrategyForm::Unary(u, s) => self.call(u.text(), "", s, f),
            StrategyForm::Child(Slot::Operand(k), s) => self.call("operand", &format!("{k}, "), s, f),
            StrategyForm::Child(Slot::Element(k), s) => self.call("element", &format!("{k}, "), s, f),
            StrategyForm::Child(slot, s) => self.call(&slot.to_string(), "", s, f),
            StrategyForm::At(path, s) => self.call("at", &format!("\"{path}\", "), s, f),
            StrategyForm::AtMatch(p, s) => self.call("at", &format!("`{}`, ", p.text()), s, f),
            StrategyForm::RepeatN(n, s) => self.call("repeatN", &format!("{n}, "), s, f),
            StrategyForm::RepeatUntil(p, s) => self.call("repeatUntil", &format!("`{}`, ", p.text()), s, f),
            StrategyForm::Named(named) => {
                write!(f, "{}", named.definition.name)?;
                self.arguments(&named.arguments, f)
            }
        }
    }

    fn binary(
        &mut self,
        a: &Strategy,
        b: &Strategy,
        own: StrategyPrecedence,
        tight: StrategyPrecedence,
        f: &mut BoundedText<'_>,
    ) -> fmt::Result {
        let wrap = own < tight;
        let inside = self.inside;
        if wrap {
            f.write_str("(")?;
            self.inside = true;
        }
        self.write(a, own, f)?;
        let (sign, right) = match (own, self.inside) {
            (StrategyPrecedence::Choice, _) => (" <+ ", StrategyPrecedence::Seq),
            // Outside all parentheses `;` would end a statement of a script, so that it is written `;;` there.
            (_, true) => (" ; ", StrategyPrecedence::Atom),
            (_, false) => (" ;; ", StrategyPrecedence::Atom),
        };
        f.write_str(sign)?;
        self.write(b, right, f)?;
        self.inside = inside;
        if wrap { f.write_str(")") } else { Ok(()) }
    }

    fn call(&mut self, name: &str, first: &str, s: &Strategy, f: &mut BoundedText<'_>) -> fmt::Result {
        write!(f, "{name}({first}")?;
        self.argument(s, f)?;
        f.write_str(")")
    }

    /// A strategy between parentheses that stand already.
    fn argument(&mut self, s: &Strategy, f: &mut BoundedText<'_>) -> fmt::Result {
        let inside = std::mem::replace(&mut self.inside, true);
        self.write(s, StrategyPrecedence::Open, f)?;
        self.inside = inside;
        Ok(())
    }

    fn arguments(&mut self, all: &[StrategyArgument], f: &mut BoundedText<'_>) -> fmt::Result {
        if all.is_empty() {
            return Ok(());
        }
        f.write_str("(")?;
        for (k, argument) in all.iter().enumerate() {
            if k > 0 {
                f.write_str(", ")?;
            }
            match argument {
                StrategyArgument::Strategy(s) => self.argument(s, f)?,
                StrategyArgument::Text(text) => f.write_str(text)?,
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
