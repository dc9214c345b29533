//! Makes users' names legal in Python, and distinct in a function.

use rustc_hash::FxHashSet;

use crate::export::spelling::spelled;

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
pub(super) struct PyNames(FxHashSet<String>);

impl PyNames {
    /// Those of a function in a module that has these names.
    pub(super) fn without(taken: impl IntoIterator<Item = String>) -> PyNames {
        PyNames(taken.into_iter().collect())
    }

    /// A name like `hint` that nothing else has.
    pub(super) fn fresh(&mut self, hint: &str) -> String {
        let base = legal(hint);
        let all = std::iter::once(base.clone()).chain((2u64..).map(|k| format!("{base}_{k}")));
        let name = all.into_iter().find(|name| !self.0.contains(name)).unwrap_or(base);
        self.0.insert(name.clone());
        name
    }

    /// Nothing has the name any more.
    pub(super) fn forget(&mut self, name: &str) {
        self.0.remove(name);
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
