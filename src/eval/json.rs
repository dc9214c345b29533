//! Values as JSON, and numbers from it.

use std::collections::BTreeSet;

use serde_json::Value as Json;

use super::value::Value;
use crate::ground::writing::goes_on;

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
        Value::Real(x) => match serde_json::Number::from_f64(*x) {
            Some(number) => text.push_str(&number.to_string()),
            None if x.is_nan() => text.push_str("\"NaN\""),
            None if *x > 0.0 => text.push_str("\"inf\""),
            None => text.push_str("\"-inf\""),
        },
        Value::Int(x) => text.push_str(&x.to_string()),
        Value::Index(x) => text.push_str(&x.to_string()),
        Value::Array(array) => {
            text.push('[');
            for (k, item) in array.items().iter().enumerate() {
                if k > 0 {
                    text.push_str(", ");
                }
                write(item, text);
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
pub(super) fn real(json: &Json) -> Option<f64> {
    match json {
        Json::Number(number) => number.as_f64(),
        Json::String(text) => match text.as_str() {
            "NaN" => Some(f64::NAN),
            "inf" => Some(f64::INFINITY),
            "-inf" => Some(f64::NEG_INFINITY),
            _ => None,
        },
        _ => None,
    }
}

/// An integer, perhaps written with a point, such as `1.0`.
pub(super) fn integer(json: &Json) -> Option<i64> {
    let number = json.as_number()?;
    if number.is_i64() || number.is_u64() {
        return number.as_i64();
    }
    let real = number.as_f64()?;
    let bound = -(i64::MIN as f64);
    (real.fract() == 0.0 && -bound <= real && real < bound).then_some(real as i64)
}

/// What is there, in words.
pub(super) fn describe(json: &Json) -> String {
    match json {
        Json::Null => "null".to_owned(),
        Json::Bool(b) => format!("the truth value {b}"),
        Json::Number(n) => format!("the number {n}"),
        Json::String(s) if s.chars().count() <= 20 => format!("the string {s:?}"),
        Json::String(_) => "a long string".to_owned(),
        Json::Array(items) => format!("an array of {}", items.len()),
        Json::Object(_) => "an object".to_owned(),
    }
}

/// The first key of an object that stands in it twice; `json` is well-formed.
pub(super) fn repeated_key(json: &str) -> Option<String> {
    let mut seen = BTreeSet::new();
    let (mut open, mut at) = (0_u32, 0);
    while let Some(c) = json[at..].chars().next() {
        let length = if c == '"' { string(&json[at..]) } else { c.len_utf8() };
        match c {
            '[' | '{' => open += 1,
            ']' | '}' => open -= 1,
            '"' if open == 1 && json[at + length..].trim_start().starts_with(':') => {
                let key: String = serde_json::from_str(&json[at..at + length]).unwrap_or_default();
                if !seen.insert(key.clone()) {
                    return Some(key);
                }
            }
            _ => {}
        }
        at += length;
    }
    None
}

/// The length of the string that the text begins with, its quotes included.
fn string(text: &str) -> usize {
    let mut escaped = true;
    for (k, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return k + 1,
            _ => {}
        }
    }
    text.len()
}
