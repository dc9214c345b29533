//! Has the remedies of findings speak of the terms that they point at: by their names, and by the way in which they are used.

use crate::ground::{Diagnostic, Span, Trouble, code};
use crate::syntax::raw::{RawTerm, RawTermKind};
use crate::term::Prim;

/// What remedies call a variable that a finding may point at.
const PLACEHOLDERS: [(&str, char); 6] = [
    (TO_REAL, 'k'),
    (AS_REAL, 'k'),
    ("turn the index into a number: `int i`", 'i'),
    ("turn the index into a number first: `int i` or `real i`", 'i'),
    ("take one half of the pair: `p.1` or `p.2`", 'p'),
    ("a half of a pair `p` is `p.1` or `p.2`", 'p'),
];

/// Where a real is wanted and a whole number stands.
pub(super) const TO_REAL: &str = "turn it into a real: `real k`";

/// Where an operator takes reals and gets a whole number.
pub(super) const AS_REAL: &str = "write `real k` for a whole number as a real";

/// Where an index is wanted and something else stands.
pub(super) const NEEDS_INDEX: &str = "an index is a `fin n`: the variable of a `build` or `ifold`, or a constant";

/// Where an index is a number below 0.
pub(super) const FROM_ZERO: &str = "use a number from 0";

/// Where an array is wanted and a number stands.
pub(super) const NEEDS_ARRAY: &str = "write an array, such as `[1, 2]` or `vectorFill 1`";

/// Functions of the prelude whose results are as long as their use says, and how a use with such a length is written.
const LONG_AS_WANTED: [(&str, &str); 6] = [
    ("take", "(take v : array 3 real)"),
    ("drop", "(drop v : array 3 real)"),
    ("slice", "(slice v 1 : array 3 real)"),
    ("pad", "(pad v 1 0 : array 3 real)"),
    ("reshape", "(reshape v : array 2 (array 3 real))"),
    ("windows", "(windows v : array _ (array 3 real))"),
];

/// So many characters of a term are repeated at most; of a longer part stands `…`.
const MAX_REPEATED_CHARACTERS: usize = 40;

/// Has the remedies of findings in a term speak of what they point at.
pub(super) fn spoken(trouble: Trouble, within: &RawTerm) -> Trouble {
    let Trouble::Wrong(mut all) = trouble else { return trouble };
    for found in &mut all {
        if let Some(at) = found.labels.iter().find(|label| label.primary).map(|label| label.span) {
            speak(found, &way(within, at));
        }
    }
    Trouble::Wrong(all)
}

/// The terms around a place, the outermost first, and at the end the one that stands there; none if there is no such term.
fn way(term: &RawTerm, at: Span) -> Vec<&RawTerm> {
    let mut way = vec![term];
    while let Some(last) = way.last().filter(|last| last.span != at) {
        let holds = |part: &&RawTerm| part.span.start <= at.start && at.end <= part.span.end;
        match last.parts().into_iter().find(holds) {
            Some(part) => way.push(part),
            None => return Vec::new(),
        }
    }
    way
}

fn speak(found: &mut Diagnostic, way: &[&RawTerm]) {
    let Some((term, around)) = way.split_last() else { return };
    let parent = around.last().copied();
    if let Some(advice) = applied_before_indexed(found, term, parent) {
        return found.help.push(advice);
    }
    if found.code == code::UNDETERMINED
        && let Some((name, use_of)) = long_as_wanted(parent)
    {
        found.help = vec![format!("what `{name}` gives is as long as its use says: write a type, as in `{use_of}`")];
    }
    let Some(at) = found.help.iter().position(|help| is_known(help)) else { return };
    let is_whole = found.labels.iter().any(|label| label.primary && label.message == "has type `int`");
    let read = match parent.map(|parent| &parent.kind) {
        Some(RawTermKind::Get(array, index)) if index.span == term.span => Some(written(array)),
        _ => None,
    };
    let known = found.help[at].clone();
    match (known.as_str(), &term.kind, read) {
        (TO_REAL | AS_REAL, _, _) if let Some((a, b)) = quotient(term) => {
            found.help[at] =
                format!("a quotient of whole numbers is whole; divide reals: `{} / {}`", as_real(a), as_real(b));
        }
        (NEEDS_INDEX, RawTermKind::Binary(Prim::Rem, ..), Some(array)) if is_whole => found.help.push(format!(
            "what wraps around is an index where there is one at all: `{array}[{} else 0]`",
            written(term)
        )),
        (NEEDS_INDEX, _, Some(array)) if is_whole => {
            found.help.push(format!("say what stands where there is no element: `{array}[{} else 0]`", written(term)));
        }
        (FROM_ZERO, RawTermKind::Unary(Prim::Neg, number), Some(array)) => found.help.push(match &number.kind {
            RawTermKind::Number(text) if text.as_str() == "1" => format!("the last element is `last {array}`"),
            _ => format!("from the end of n elements count by `{array}[n - {}]`", written(number)),
        }),
        (NEEDS_ARRAY, RawTermKind::Number(_), _) => {
            if let Some((name, use_of)) = long_as_wanted(parent) {
                found.help[at] = format!("what `{name}` gives is as long as its use says, as in `{use_of}`");
            }
        }
        (help, RawTermKind::Name(name), _) => {
            if let Some((_, placeholder)) = PLACEHOLDERS.iter().find(|(known, _)| help == *known) {
                found.help[at] = with_name(help, *placeholder, name.as_str());
            }
        }
        _ => {}
    }
}

/// Whether a remedy is one of those that are said anew.
fn is_known(help: &str) -> bool {
    [NEEDS_INDEX, FROM_ZERO, NEEDS_ARRAY].contains(&help) || PLACEHOLDERS.iter().any(|(known, _)| *known == help)
}

/// `f(v)[i]` is f of `(v)[i]`.
fn applied_before_indexed(found: &Diagnostic, term: &RawTerm, parent: Option<&RawTerm>) -> Option<String> {
    let (RawTermKind::App(f, argument), RawTermKind::Get(array, index)) = (&parent?.kind, &term.kind) else {
        return None;
    };
    let attached = argument.span == term.span && f.span.end == term.span.start;
    let named = matches!(f.kind, RawTermKind::Name(_)) && found.code == code::MISMATCH;
    (attached && named).then(|| {
        let (f, array, index) = (written(f), operand(array), written(index));
        format!("an element of what `{f}` gives is `({f} {array})[{index}]`")
    })
}

/// The function of this application, if its result is as long as its use says, and such a use.
fn long_as_wanted(application: Option<&RawTerm>) -> Option<(&'static str, &'static str)> {
    let mut head = application.filter(|term| matches!(term.kind, RawTermKind::App(..)))?;
    while let RawTermKind::App(f, _) = &head.kind {
        head = f;
    }
    let RawTermKind::Name(name) = &head.kind else { return None };
    LONG_AS_WANTED.into_iter().find(|(known, _)| *known == name.as_str())
}

/// The two sides of the first division in arithmetic.
fn quotient(term: &RawTerm) -> Option<(&RawTerm, &RawTerm)> {
    match &term.kind {
        RawTermKind::Binary(Prim::Div, _, a, b) => Some((a, b)),
        RawTermKind::Binary(Prim::Add | Prim::Sub | Prim::Mul, _, a, b) => quotient(a).or_else(|| quotient(b)),
        RawTermKind::Unary(Prim::Neg, e) => quotient(e),
        _ => None,
    }
}

/// A whole number as a real.
fn as_real(term: &RawTerm) -> String {
    if let RawTermKind::Number(_) = term.kind { written(term) } else { format!("real {}", operand(term)) }
}

/// A term as an operand or argument.
fn operand(term: &RawTerm) -> String {
    match term.kind {
        RawTermKind::Name(_) | RawTermKind::Number(_) | RawTermKind::Get(..) => written(term),
        _ => format!("({})", written(term)),
    }
}

/// A term as it may be written, if it is short and made of names, numerals, applications and arithmetic; `…` for another one.
fn written(term: &RawTerm) -> String {
    let length = (term.span.end - term.span.start) as usize;
    let text = if length > MAX_REPEATED_CHARACTERS { None } else { simple(term) };
    text.unwrap_or_else(|| "…".to_owned())
}

fn simple(term: &RawTerm) -> Option<String> {
    let part = |term: &RawTerm| {
        let text = simple(term)?;
        let whole = matches!(term.kind, RawTermKind::Name(_) | RawTermKind::Number(_) | RawTermKind::Get(..));
        Some(if whole { text } else { format!("({text})") })
    };
    match &term.kind {
        RawTermKind::Name(name) if !name.is_hole() => Some(name.to_string()),
        RawTermKind::Number(text) => Some(text.to_string()),
        RawTermKind::Get(array, index) => Some(format!("{}[{}]", part(array)?, simple(index)?)),
        RawTermKind::App(f, a) => {
            let f = if let RawTermKind::App(..) = f.kind { simple(f)? } else { part(f)? };
            Some(format!("{f} {}", part(a)?))
        }
        RawTermKind::Binary(op @ (Prim::Add | Prim::Sub | Prim::Mul | Prim::Div | Prim::Rem), _, a, b) => {
            // Chains go to the left.
            let is_sum = |op: &Prim| matches!(op, Prim::Add | Prim::Sub);
            let left = match &a.kind {
                RawTermKind::Binary(inner, ..) if is_sum(op) || !is_sum(inner) => simple(a)?,
                RawTermKind::App(..) => simple(a)?,
                _ => part(a)?,
            };
            let right = match &b.kind {
                RawTermKind::App(..) => simple(b)?,
                _ => part(b)?,
            };
            Some(format!("{left} {} {right}", op.text()))
        }
        _ => None,
    }
}

/// A remedy that speaks of this name instead of a variable.
fn with_name(help: &str, placeholder: char, name: &str) -> String {
    let is_placed = |from: &str| from.starts_with(placeholder) && !from[1..].starts_with(char::is_alphabetic);
    let mut made = String::new();
    let mut before = ' ';
    for (k, c) in help.char_indices() {
        match !before.is_alphabetic() && is_placed(&help[k..]) {
            true => made.push_str(name),
            false => made.push(c),
        }
        before = c;
    }
    made
}
