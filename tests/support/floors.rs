//! The floors of the library, and where the sources stand.

use std::path::{Path, PathBuf};

/// The floors with those that each may name; the program stands on all of them.
pub const FLOORS: [(&str, &[&str]); 6] = [
    ("language", &[]),
    ("rewriting", &["language"]),
    ("loops", &["kernels", "language"]),
    ("running", &["language", "loader", "loops"]),
    ("telling", &["language", "rewriting"]),
    ("session", &["language", "loops", "rewriting", "telling"]),
];

pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The folders of the floors, of the program, and of the module of Python.
pub fn crates() -> impl Iterator<Item = PathBuf> {
    FLOORS.iter().map(|(name, _)| root().join("crates").join(name)).chain([root().to_owned(), root().join("python")])
}
