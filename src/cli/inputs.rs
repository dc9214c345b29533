//! Reads the inputs that `--input` gives: values, a file of JSON, or arrays.

use std::path::Path;

use super::input::InputText;
use redexter_language::eval::parameters;
use redexter_language::ground::{Budget, Diagnostic, Trouble, code, text::listed};
use redexter_language::term::Program;
use redexter_running::arrays::GivenArrays;
use redexter_session::session::Session;
use redexter_telling::inputs::{self, holds_arrays};

/// Inputs that the user gave.
pub struct GivenInputs {
    /// The object of JSON; empty where none was given.
    pub json: String,
    pub arrays: GivenArrays,
}

/// The forms of inputs.
enum InputSource<'t> {
    /// An object of JSON, or values and files behind names.
    Typed(&'t str),
    /// A file of arrays, perhaps of a parameter.
    Stored(Option<&'t str>, &'t str),
    /// A file of JSON.
    File(&'t str),
}

impl GivenInputs {
    /// Reads all of them.
    pub fn read(session: &Session, program: &Program, all: &[String], budget: &Budget) -> Result<GivenInputs, Trouble> {
        let (mut objects, mut pairs, mut arrays) = (Vec::new(), Vec::new(), GivenArrays::default());
        let mut add = |name: Option<&str>, file: &str| {
            arrays.add_file(program, (name, file), session.bytes_named(Path::new(file))?, budget)
        };
        for text in all {
            match source(text) {
                _ if text.trim().is_empty() => return Err(nothing(program).into()),
                InputSource::Typed(text) if text.starts_with('{') => objects.push(text.to_owned()),
                InputSource::Typed(text) => pairs.push(text),
                InputSource::Stored(name, file) => add(name, file)?,
                InputSource::File(file) => {
                    objects.push(InputText::read(session, Path::new(file)).map_err(|wrong| or_json(wrong, file))?.text)
                }
            }
        }
        if objects.len() > 1 {
            let twice = Diagnostic::error(code::INPUT_SUPERFLUOUS, "inputs are given as JSON twice");
            return Err(twice.help("give one JSON object").into());
        }
        let object = objects.pop();
        if pairs.is_empty() {
            return Ok(GivenInputs { json: object.unwrap_or_else(|| "{}".to_owned()), arrays });
        }
        let typed = inputs::read(&[object.as_deref().unwrap_or("{}"), &pairs.join(" ")].join(" "))?;
        typed.files.iter().try_for_each(|file| add(file.name.as_deref(), &file.path))?;
        Ok(GivenInputs { json: typed.json, arrays })
    }
}

fn source(text: &str) -> InputSource<'_> {
    let is_named = |name: &str| name.chars().all(|c| c.is_alphanumeric() || "_'.".contains(c)) && !name.is_empty();
    let named = text.split_once('=').filter(|(name, _)| is_named(name.trim()));
    match named {
        _ if text.trim_start().starts_with('{') => InputSource::Typed(text.trim()),
        // The rest is a path, blanks and all, unless another name follows.
        Some((name, file)) if holds_arrays(file) && !file.contains('=') => {
            InputSource::Stored(Some(name.trim()), file.trim())
        }
        Some(_) => InputSource::Typed(text.trim()),
        None if holds_arrays(text) => InputSource::Stored(None, text),
        None => InputSource::File(text),
    }
}

/// A hint for those who gave JSON that is no object.
fn or_json(wrong: Diagnostic, input: &str) -> Diagnostic {
    match input.trim_start().starts_with(|c: char| "[\"(-".contains(c) || c.is_ascii_digit()) {
        true => wrong.help(INPUTS),
        false => wrong,
    }
}

const INPUTS: &str = "inputs are values, such as 'v=[1, 2, 3]', a JSON object, such as '{\"v\": [1, 2, 3]}', or files of arrays, such as v=data.npy";

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
