//! Writes values as JSON, and reads JSON as a tree under a budget: a file of numbers can be long.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::fmt;

use serde_core::Deserializer;
use serde_core::de::{DeserializeSeed, Error, MapAccess, SeqAccess, Visitor};
use serde_json::Number;

use super::value::Value;
use crate::ground::text::in_word;
use crate::ground::writing::goes_on;
use crate::ground::{Budget, StopReason};

/// A text of JSON as a tree, from which inputs are read. It isn't serde_json's own tree, as which short JSON is read: that takes
/// 72 bytes for a number instead of 24, asks no budget, and keeps the last of equal keys without a word.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum JsonTree {
    Null,
    Bool(bool),
    Number(Number),
    String(Box<str>),
    Array(Box<[JsonTree]>),
    /// Its members as they stand.
    Object(Box<[(String, JsonTree)]>),
}

/// The reason for which a text has no tree.
pub(super) enum JsonError {
    Stopped(StopReason),
    Wrong(serde_json::Error),
}

/// A tree, and the first key of its outermost object that stands in it twice.
type ReadTree = (JsonTree, Option<String>);

/// A text as a tree. `NaN` and `Infinity` without quotes, as Python writes them, are these reals. The budget is asked each few
/// items.
pub(super) fn read(text: &str, budget: &Budget) -> Result<ReadTree, JsonError> {
    match tree(text, budget) {
        Err(JsonError::Wrong(error)) => match quoted_reals(text).map(|quoted| tree(&quoted, budget)) {
            Some(Err(stopped @ JsonError::Stopped(_))) => Err(stopped),
            Some(Ok(tree)) => Ok(tree),
            _ => Err(JsonError::Wrong(error)),
        },
        done => done,
    }
}

/// The text with Python's words for what JSON has no number for as the strings that stand for these; none where it has no such
/// words outside its strings.
fn quoted_reals(text: &str) -> Option<String> {
    const REALS: [(&str, &str); 3] = [("-Infinity", "\"-inf\""), ("Infinity", "\"inf\""), ("NaN", "\"NaN\"")];
    let (mut new, mut copied) = (String::new(), 0);
    let (mut string, mut escaped, mut word) = (false, false, false);
    for (at, c) in text.char_indices() {
        if !string
            && !word
            && let Some((there, here)) = REALS.iter().find(|(there, _)| text[at..].starts_with(there))
        {
            let behind = at + there.len();
            if at >= copied && !text[behind..].starts_with(in_word) {
                new.extend([&text[copied..at], *here]);
                copied = behind;
            }
        }
        string ^= c == '"' && !escaped;
        escaped = string && c == '\\' && !escaped;
        word = in_word(c);
    }
    new.push_str(&text[copied..]);
    (copied > 0).then_some(new)
}

fn tree(text: &str, budget: &Budget) -> Result<ReadTree, JsonError> {
    let notes = JsonVisit { budget, stopped: RefCell::default(), repeated: Cell::default() };
    let mut text = serde_json::Deserializer::from_str(text);
    let tree = JsonVisitor { notes: &notes, outermost: true }
        .deserialize(&mut text)
        .and_then(|tree| text.end().map(|()| tree));
    match (notes.stopped.take(), tree) {
        (Some(reason), _) => Err(JsonError::Stopped(reason)),
        (None, tree) => tree.map(|tree| (tree, notes.repeated.take())).map_err(JsonError::Wrong),
    }
}

/// What the visitors of a text share: the budget, what ended them, and the first key that was repeated.
struct JsonVisit<'b> {
    budget: &'b Budget,
    stopped: RefCell<Option<StopReason>>,
    repeated: Cell<Option<String>>,
}

/// One value of a text.
#[derive(Clone, Copy)]
struct JsonVisitor<'n> {
    notes: &'n JsonVisit<'n>,
    outermost: bool,
}

impl JsonVisitor<'_> {
    fn inside(self) -> Self {
        JsonVisitor { outermost: false, ..self }
    }

    fn ask<E: Error>(self) -> Result<(), E> {
        self.notes.budget.tick().map_err(|reason| {
            *self.notes.stopped.borrow_mut() = Some(reason);
            E::custom("stopped")
        })
    }
}

impl<'de> DeserializeSeed<'de> for JsonVisitor<'_> {
    type Value = JsonTree;

    fn deserialize<D: Deserializer<'de>>(self, text: D) -> Result<JsonTree, D::Error> {
        self.ask()?;
        text.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for JsonVisitor<'_> {
    type Value = JsonTree;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any valid JSON value")
    }

    fn visit_unit<E>(self) -> Result<JsonTree, E> {
        Ok(JsonTree::Null)
    }

    fn visit_bool<E>(self, b: bool) -> Result<JsonTree, E> {
        Ok(JsonTree::Bool(b))
    }

    fn visit_i64<E>(self, n: i64) -> Result<JsonTree, E> {
        Ok(JsonTree::Number(n.into()))
    }

    fn visit_u64<E>(self, n: u64) -> Result<JsonTree, E> {
        Ok(JsonTree::Number(n.into()))
    }

    fn visit_f64<E>(self, x: f64) -> Result<JsonTree, E> {
        Ok(Number::from_f64(x).map_or(JsonTree::Null, JsonTree::Number))
    }

    fn visit_str<E>(self, text: &str) -> Result<JsonTree, E> {
        Ok(JsonTree::String(text.into()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut text: A) -> Result<JsonTree, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = text.next_element_seed(self.inside())? {
            items.push(item);
        }
        Ok(JsonTree::Array(items.into()))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut text: A) -> Result<JsonTree, A::Error> {
        let (mut members, mut seen) = (Vec::new(), BTreeSet::new());
        while let Some(key) = text.next_key::<String>()? {
            if self.outermost && !seen.insert(key.clone()) {
                let first = self.notes.repeated.take().unwrap_or_else(|| key.clone());
                self.notes.repeated.set(Some(first));
            }
            members.push((key, text.next_value_seed(self.inside())?));
        }
        Ok(JsonTree::Object(members.into()))
    }
}

impl JsonTree {
    /// What stands under a key of an object.
    pub(super) fn get(&self, key: &str) -> Option<&JsonTree> {
        let JsonTree::Object(members) = self else { return None };
        members.iter().find_map(|(name, value)| (name == key).then_some(value))
    }
}

/// A value as one line of JSON: reals in the shortest form that reads back to the same double (1 as `1.0`), integers
/// and indices as integers, pairs as two-element arrays, NaN and infinities as the strings "NaN", "inf" and "-inf".
/// A function, which no result has, is null.
pub fn value_to_json(value: &Value) -> String {
    let mut text = String::new();
    write(value, &mut text);
    text
}

fn write(value: &Value, text: &mut String) {
    if !goes_on() {
        return;
    }
    match value {
        Value::Real(x) => match Number::from_f64(*x) {
            Some(number) => text.push_str(&number.to_string()),
            None if x.is_nan() => text.push_str("\"NaN\""),
            None if *x > 0.0 => text.push_str("\"inf\""),
            None => text.push_str("\"-inf\""),
        },
        Value::Int(x) => text.push_str(&x.to_string()),
        Value::Index(x) => text.push_str(&x.to_string()),
        Value::Array(array) => {
            text.push('[');
            for (k, item) in array.items().enumerate() {
                if k > 0 {
                    text.push_str(", ");
                }
                write(&item, text);
            }
            text.push(']');
        }
        Value::Pair(pair) => {
            text.push('[');
            write(&pair.0, text);
            text.push_str(", ");
            write(&pair.1, text);
            text.push(']');
        }
        Value::Function(_) => text.push_str("null"),
    }
}

/// A real: a number, or one of the strings "NaN", "inf" and "-inf".
pub(super) fn real(json: &JsonTree) -> Option<f64> {
    match json {
        JsonTree::Number(number) => number.as_f64(),
        JsonTree::String(text) => match &**text {
            "NaN" => Some(f64::NAN),
            "inf" => Some(f64::INFINITY),
            "-inf" => Some(f64::NEG_INFINITY),
            _ => None,
        },
        _ => None,
    }
}

/// An integer, perhaps written with a point, such as `1.0`.
pub(super) fn integer(json: &JsonTree) -> Option<i64> {
    let JsonTree::Number(number) = json else { return None };
    if number.is_i64() || number.is_u64() {
        return number.as_i64();
    }
    let real = number.as_f64()?;
    let bound = -(i64::MIN as f64);
    (real.fract() == 0.0 && -bound <= real && real < bound).then_some(real as i64)
}

/// What is there, in words.
pub(super) fn describe(json: &JsonTree) -> String {
    match json {
        JsonTree::Null => "null".to_owned(),
        JsonTree::Bool(b) => format!("the truth value {b}"),
        JsonTree::Number(n) => format!("the number {n}"),
        JsonTree::String(s) if s.chars().count() <= 20 => format!("the string {s:?}"),
        JsonTree::String(_) => "a long string".to_owned(),
        JsonTree::Array(items) => format!("an array of {}", items.len()),
        JsonTree::Object(_) => "an object".to_owned(),
    }
}
