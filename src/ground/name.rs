//! Names as users write them.

use std::fmt;
use std::hash::BuildHasher;
use std::rc::Rc;

use rustc_hash::FxBuildHasher;

use super::cache::{self, Cache};

/// A user's name: of a variable, a size, a definition. Cheap to clone, compared as text.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Name(Rc<str>);

/// What the name of a `_` begins with.
const HOLE: &str = "_\0";

thread_local! {
    static NAMES: Cache<Name, 256> = const { Cache::new() };
}

impl Name {
    /// The name with this text: the same object as before, if it is in the cache.
    pub fn new(text: &str) -> Name {
        let key = FxBuildHasher.hash_one(text);
        let known = cache::find(&NAMES, key, |name| name.as_str() == text);
        known.unwrap_or_else(|| cache::kept(&NAMES, key, Name(Rc::from(text))))
    }

    /// The name of the `_` at this place. No one can write it, and it is shown as `_`.
    pub fn hole(place: u32) -> Name {
        Name::new(&format!("{HOLE}{place}"))
    }

    /// Whether it is that of a `_`.
    pub fn is_hole(&self) -> bool {
        self.0.starts_with(HOLE)
    }

    /// What a reader sees of it.
    pub fn shown(&self) -> &str {
        if self.is_hole() { "_" } else { &self.0 }
    }

    /// Where it is in memory: equal where it is the same object.
    pub(crate) fn address(&self) -> usize {
        Rc::as_ptr(&self.0).addr()
    }

    /// Its text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<&str> for Name {
    fn from(text: &str) -> Name {
        Name::new(text)
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.shown())
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A hint at the candidate nearest to `wanted`, if one is near enough.
pub fn did_you_mean<'a>(wanted: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<String> {
    nearest(wanted, candidates).map(|near| format!("did you mean `{near}`?"))
}

/// The candidate nearest to `wanted`, if it is near enough for "did you mean".
pub fn nearest<'a>(wanted: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = (wanted.chars().count() / 3).max(1);
    candidates
        .into_iter()
        .map(|c| (strsim::damerau_levenshtein(wanted, c), c))
        .filter(|(distance, c)| {
            *distance <= limit && *distance < wanted.chars().count() || c.eq_ignore_ascii_case(wanted)
        })
        .min_by(|a, b| a.0.cmp(&b.0).then(a.1.cmp(b.1)))
        .map(|(_, c)| c)
}
