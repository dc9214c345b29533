//! Reads plain arguments: a whole number, a text, names. What is wrong says what was expected and what was found; Python adds,
//! as a note, which argument it was.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyInt, PyString};

/// A whole number from 0 on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Whole(pub u64);

impl<'a, 'py> FromPyObject<'a, 'py> for Whole {
    type Error = PyErr;

    fn extract(given: Borrowed<'a, 'py, PyAny>) -> PyResult<Whole> {
        let expected = "must be a whole number from 0 to 2^64 - 1";
        if given.is_instance_of::<PyBool>() || !given.is_instance_of::<PyInt>() && !given.hasattr("__index__")? {
            let found = given.get_type().name()?;
            return Err(PyTypeError::new_err(format!("{expected}, but is of the type {found}")));
        }
        let found = |_| PyValueError::new_err(format!("{expected}, but is {}", shown(&given)));
        given.extract::<u64>().map(Whole).map_err(found)
    }
}

/// A value in a message.
fn shown(given: &Bound<'_, PyAny>) -> String {
    given.str().map_or_else(|_| "something that says nothing".to_owned(), |text| text.to_string())
}

/// A text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text(pub String);

impl<'a, 'py> FromPyObject<'a, 'py> for Text {
    type Error = PyErr;

    fn extract(given: Borrowed<'a, 'py, PyAny>) -> PyResult<Text> {
        match given.cast::<PyString>() {
            Ok(text) => Ok(Text(text.to_cow()?.into_owned())),
            Err(_) => {
                let found = given.get_type().name()?;
                Err(PyTypeError::new_err(format!("must be a text, but is of the type {found}")))
            }
        }
    }
}

/// Names: a list of texts, or one text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Names(pub Vec<String>);

impl<'a, 'py> FromPyObject<'a, 'py> for Names {
    type Error = PyErr;

    fn extract(given: Borrowed<'a, 'py, PyAny>) -> PyResult<Names> {
        if let Ok(Text(one)) = given.extract() {
            return Ok(Names(vec![one]));
        }
        given.extract().map(Names).map_err(|_: PyErr| {
            let found = given.repr().map_or_else(|_| "something that says nothing".to_owned(), |text| text.to_string());
            PyTypeError::new_err(format!("must be a name or a list of names, but is {found}"))
        })
    }
}
