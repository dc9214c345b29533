//! Values as JSON.

use super::value::Value;

/// A value as one line of JSON: reals in the shortest form that reads back to the same double (1 as `1.0`), integers
/// and indices as integers, pairs as two-element arrays, NaN and infinities as the strings "NaN", "inf" and "-inf".
/// A function, which no result has, is null.
pub fn value_to_json(value: &Value) -> String {
    let mut text = String::new();
    write(value, &mut text);
    text
}

fn write(value: &Value, text: &mut String) {
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
