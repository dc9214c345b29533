//! Reads the arguments of `:eval`, `:count` and `:why-nan`: a JSON object, `name=value` pairs, files of arrays, or all of these.

use std::collections::BTreeMap;

use redexter_language::ground::{Diagnostic, code};

/// So much of what was given is repeated in advice.
const MAX_REPEATED_CHARACTERS: usize = 40;

/// What was given: values as one JSON object, and files.
#[derive(Debug, PartialEq, Eq)]
pub struct TypedInputs {
    /// The object.
    pub json: String,
    /// The files of arrays that stand in place of values.
    pub files: Vec<InputFile>,
}

/// A file of NumPy's that stands in place of a value.
#[derive(Debug, PartialEq, Eq)]
pub struct InputFile {
    /// Whose it is; none where the file says so, or there is only one parameter.
    pub name: Option<String>,
    /// The file, as it was written.
    pub path: String,
}

/// Whether files of this name hold arrays of NumPy's.
pub fn holds_arrays(path: &str) -> bool {
    path.ends_with(".npy") || path.ends_with(".npz")
}

/// Whether files of this name hold JSON.
pub fn holds_json(path: &str) -> bool {
    path.ends_with(".json")
}

/// One JSON object from all that was given; files can't be read here.
pub fn object(text: &str) -> Result<String, Diagnostic> {
    let TypedInputs { json, files } = read(text)?;
    match files.first() {
        None => Ok(json),
        Some(file) => Err(Diagnostic::error(code::COMMAND, format!("`{}` isn't read here", file.path))
            .help("`:eval` and `redexter eval --why-nan` read files of arrays; here values stand, such as `v=[1, 2]`")),
    }
}

/// Values and files.
pub fn read(text: &str) -> Result<TypedInputs, Diagnostic> {
    let mut rest = text.trim();
    let mut members: Vec<String> = Vec::new();
    let mut named: BTreeMap<&str, &str> = BTreeMap::new();
    let mut files = Vec::new();
    if rest.starts_with('{') {
        let end = value_end(rest);
        let inner = rest[1..end].trim_end().strip_suffix('}').ok_or_else(|| misread(rest))?;
        members.extend((!inner.trim().is_empty()).then(|| inner.to_owned()));
        rest = rest[end..].trim_start();
    }
    while !rest.is_empty() {
        let first = &rest[..value_end(rest)];
        if holds_arrays(first) && !first.contains('=') {
            files.push(InputFile { name: None, path: first.to_owned() });
            rest = rest[first.len()..].trim_start_matches([' ', ',']);
            continue;
        }
        let (name, value) = rest.split_once('=').ok_or_else(|| misread(rest))?;
        let name = name.trim();
        if name.is_empty() || name.contains(char::is_whitespace) {
            return Err(misread(rest));
        }
        let value = value.trim_start();
        let end = value_end(value);
        if end == 0 {
            return Err(misread(rest));
        }
        if let Some(first) = named.insert(name, &value[..end]) {
            return Err(twice(name, [first, &value[..end]]));
        }
        let bare = value[..end].strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
        match bare.filter(|path| holds_arrays(path)).unwrap_or(&value[..end]) {
            path if holds_arrays(path) => files.push(InputFile { name: Some(name.to_owned()), path: path.to_owned() }),
            value if holds_json(value) => {
                return Err(misread(value).help(format!("a file has all inputs: `:eval {value}`")));
            }
            value => members.push(format!("{}: {value}", quoted(name))),
        }
        rest = value[end..].trim_start().trim_start_matches(',').trim_start();
    }
    Ok(TypedInputs { json: format!("{{{}}}", members.join(", ")), files })
}

/// Where the JSON value at the beginning of `text` ends: at white space or a comma outside brackets and strings.
fn value_end(text: &str) -> usize {
    let (mut open, mut string, mut escaped) = (0usize, false, false);
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if string => escaped = true,
            '"' => string = !string,
            _ if string => {}
            '[' | '{' => open += 1,
            ']' | '}' => {
                open = open.saturating_sub(1);
                if open == 0 {
                    return at + 1;
                }
            }
            c if open == 0 && (c.is_whitespace() || c == ',') => return at,
            _ => {}
        }
    }
    text.len()
}

fn quoted(name: &str) -> String {
    serde_json::Value::from(name).to_string()
}

/// A name that was given two values.
fn twice(name: &str, values: [&str; 2]) -> Diagnostic {
    let d = Diagnostic::error(code::COMMAND, format!("`{name}` is given twice"));
    match values.iter().all(|value| value.chars().count() <= MAX_REPEATED_CHARACTERS) {
        true => d.help(format!("give one of the two: `{name}={}` or `{name}={}`", values[0], values[1])),
        false => d.help(format!("give one of the two, a single `{name}=…`")),
    }
}

fn misread(rest: &str) -> Diagnostic {
    let shown: String = rest.chars().take(MAX_REPEATED_CHARACTERS).collect();
    Diagnostic::error(code::COMMAND, format!("`{shown}` is no input"))
        .help("give inputs as `v=[1, 2] n=2` or as JSON: `{\"v\": [1, 2]}`")
}

#[cfg(test)]
mod tests {
    use super::{InputFile, object, read};

    #[test]
    fn pairs_and_objects_mix() {
        assert_eq!(object("v=[1, 2] n = 2"), Ok(r#"{"v": [1, 2], "n": 2}"#.to_owned()));
        assert_eq!(object(r#"{"v": [1, 2]} n=2"#), Ok(r#"{"v": [1, 2], "n": 2}"#.to_owned()));
        assert_eq!(object(""), Ok("{}".to_owned()));
        assert_eq!(object(r#"x="NaN", y=1"#), Ok(r#"{"x": "NaN", "y": 1}"#.to_owned()));
        assert!(object("nonsense").is_err());
        assert!(object("v=").is_err());
    }

    #[test]
    fn files_stand_among_values() {
        let read = |text: &str| read(text).map(|found| (found.json, found.files));
        let file = |name: Option<&str>, path: &str| InputFile { name: name.map(str::to_owned), path: path.to_owned() };
        assert_eq!(
            read("x=a/x.npy n=2, y = y.npz rest.npz"),
            Ok((
                "{\"n\": 2}".to_owned(),
                vec![file(Some("x"), "a/x.npy"), file(Some("y"), "y.npz"), file(None, "rest.npz")]
            ))
        );
        assert_eq!(read("v.npy"), Ok(("{}".to_owned(), vec![file(None, "v.npy")])));
        assert!(read("x=x.npy x=y.npy").is_err() && read("v.txt").is_err() && object("v.npy").is_err());
    }

    #[test]
    fn a_name_has_one_value() {
        let help = |text: &str| object(text).unwrap_err().help;
        assert_eq!(help("v=[1] n=2 v=[2]"), ["give one of the two: `v=[1]` or `v=[2]`"]);
        assert_eq!(help(&format!("v=[1], v=[{}]", "1, ".repeat(40))), ["give one of the two, a single `v=…`"]);
    }
}
