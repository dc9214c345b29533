//! Makes users' names legal in Python, and distinct in a function.

use crate::export::spelling::{UniqueNames, spelled};

/// Words of Python, and names that the output uses.
#[rustfmt::skip]
const TAKEN: &[&str] = &[
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del", "elif",
    "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal", "not", "or",
    "pass", "raise", "return", "try", "while", "with", "yield", "match", "case", "type", "jax", "jnp", "int", "float",
    "len", "range", "tuple", "dtype", "ArrayLike", "array", "lax", "print", "str", "sharded", "main",
];

/// The names of a function.
#[derive(Default)]
pub(super) struct PyNames(UniqueNames);

impl PyNames {
    /// Those of a function in a module that has these names.
    pub(super) fn without(taken: impl IntoIterator<Item = String>) -> PyNames {
        PyNames(UniqueNames::without(taken))
    }

    /// A name like `hint` that nothing else has.
    pub(super) fn fresh(&mut self, hint: &str) -> String {
        self.0.one(&legal(hint))
    }
}

/// A name that Python allows for `text`.
fn legal(text: &str) -> String {
    let mut name = spelled(text, "_");
    while name.ends_with("__") {
        name.pop();
    }
    if TAKEN.contains(&name.as_str()) {
        name.push('_');
    }
    name
}
