//! Reads the inputs that `--input` gives: JSON, a file of JSON, or arrays.

use std::path::Path;

use super::input::InputText;
use redexter_language::eval::parameters;
use redexter_language::ground::{Budget, Diagnostic, Trouble, code, text::listed};
use redexter_language::term::Program;
use redexter_running::arrays::GivenArrays;
use redexter_session::session::Session;

/// Inputs that the user gave.
pub struct GivenInputs {
    /// The object of JSON; empty where none was given.
    pub json: String,
    pub arrays: GivenArrays,
}

/// The forms of inputs.
enum InputSource<'t> {
    Json,
    /// A `.npy` for a parameter, or for the only one.
    Array(Option<&'t str>, &'t str),
    /// An `.npz`, perhaps of a parameter's parts.
    Arrays(Option<&'t str>, &'t str),
}

impl GivenInputs {
    /// Reads all of them.
    pub fn read(session: &Session, program: &Program, all: &[String], budget: &Budget) -> Result<GivenInputs, Trouble> {
        let (mut json, mut arrays) = (None, GivenArrays::default());
        for text in all {
            if text.trim().is_empty() {
                return Err(nothing(program).into());
            }
            match kind(text) {
                InputSource::Json if json.is_some() => {
                    let twice = Diagnostic::error(code::INPUT_SUPERFLUOUS, "inputs are given as JSON twice");
                    return Err(twice.help("give one JSON object").into());
                }
                InputSource::Json if text.trim_start().starts_with('{') => json = Some(text.clone()),
                InputSource::Json => {
                    json = Some(InputText::read(session, Path::new(text)).map_err(|wrong| or_json(wrong, text))?.text);
                }
                InputSource::Array(name, file) => {
                    let name = name.map_or_else(|| only(program, file), |name| Ok(name.to_owned()))?;
                    arrays.add(&name, file, session.bytes_named(Path::new(file))?)?;
                }
                InputSource::Arrays(name, file) => {
                    arrays.add_all(name, file, &session.bytes_named(Path::new(file))?, budget)?;
                }
            }
        }
        Ok(GivenInputs { json: json.unwrap_or_else(|| "{}".to_owned()), arrays })
    }
}

fn kind(text: &str) -> InputSource<'_> {
    let is_named = |name: &str| name.chars().all(|c| c.is_alphanumeric() || "_'.".contains(c)) && !name.is_empty();
    let (name, file) = match text.split_once('=') {
        Some((name, file)) if is_named(name) => (Some(name), file),
        _ => (None, text),
    };
    match Path::new(file).extension().and_then(|extension| extension.to_str()) {
        _ if text.trim_start().starts_with('{') => InputSource::Json,
        Some("npy") => InputSource::Array(name, file),
        Some("npz") => InputSource::Arrays(name, file),
        _ => InputSource::Json,
    }
}

/// The parameter of a program that has one.
fn only(program: &Program, file: &str) -> Result<String, Diagnostic> {
    match &parameters(program)[..] {
        [one] => Ok(one.name.to_string()),
        all => {
            let headline = format!("`{file}` holds one array, but the program has {} parameters", all.len());
            let names = listed(all.iter().map(|p| format!("`--input {}=…`", p.name)));
            Err(Diagnostic::error(code::INPUT_SHAPE, headline).help(match all.is_empty() {
                true => "leave it out".to_owned(),
                false => format!("say whose it is: {names}"),
            }))
        }
    }
}

/// A hint for those who gave JSON that is no object, or a value by its parameter's name.
fn or_json(wrong: Diagnostic, input: &str) -> Diagnostic {
    let value = |text: &str| text.starts_with(|c: char| "[\"(-".contains(c) || c.is_ascii_digit());
    match input.split_once('=') {
        Some((name, text)) if value(text) => wrong.help(format!(
            "behind `{name}=` stands a file's name; a value stands in a JSON object: '{{\"{name}\": {text}}}'"
        )),
        None if !value(input.trim_start()) => wrong,
        _ => wrong.help(INPUTS),
    }
}

const INPUTS: &str =
    "inputs are a JSON object from parameters to values, such as '{\"v\": [1, 2, 3]}', or arrays, such as v=data.npy";

/// An `--input` that gives nothing.
fn nothing(program: &Program) -> Diagnostic {
    let empty = Diagnostic::error(code::INPUT_SHAPE, "`--input` is empty");
    match &parameters(program)[..] {
        [] => empty.help("leave it out: the program has no parameters"),
        all => {
            let names = listed(all.iter().map(|p| format!("`{}`", p.name)));
            empty.help(format!("give a value for {names}")).help(INPUTS)
        }
    }
}
