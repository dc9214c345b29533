//! Names as users write them.

use std::cell::RefCell;
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::rc::Rc;

/// A user's name: of a variable, a size, a definition. Cheap to clone, compared as text.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Name(Rc<str>);

/// So many of the names that were made last are kept.
const SLOTS: usize = 1 << 8;

thread_local! {
    /// Names that were made lately, so that mostly one name is one object.
    static LATELY: RefCell<[Option<Name>; SLOTS]> = const { RefCell::new([const { None }; SLOTS]) };
}

impl Name {
    /// The name with this text: the same object as lately, if it was made lately.
    pub fn new(text: &str) -> Name {
        let mut hasher = DefaultHasher::new();
        text.hash(&mut hasher);
        let slot = hasher.finish() as usize % SLOTS;
        let find = |lately: &RefCell<[Option<Name>; SLOTS]>| {
            let mut lately = lately.try_borrow_mut().ok()?;
            Some(match &mut lately[slot] {
                Some(name) if name.as_str() == text => name.clone(),
                other => other.insert(Name(Rc::from(text))).clone(),
            })
        };
        LATELY.try_with(find).ok().flatten().unwrap_or_else(|| Name(Rc::from(text)))
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
        f.write_str(&self.0)
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
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
