//! Defines names as users write them, and finds the name that a slip probably meant.

use std::fmt;
use std::hash::BuildHasher;
use std::rc::Rc;

use rustc_hash::FxBuildHasher;

use super::cache::{self, Cache};

/// A user's name: of a variable, a size, a definition. Cheap to clone, compared as text.
///
/// ```
/// use redexter_language::ground::Name;
///
/// assert_eq!(Name::new("total"), Name::new("total"));
/// assert_eq!(Name::new("total").as_str(), "total");
/// ```
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Name(Rc<str>);

/// The beginning of the name of a `_`.
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

/// For so many unknown names of a text it is guessed what was meant: each is compared with all that are known.
pub const MAX_GUESSES: usize = 100;

/// A hint at the candidate that is probably meant by `wanted`, if there is one.
pub fn did_you_mean<'a>(wanted: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<String> {
    nearest(wanted, candidates).map(|near| format!("did you mean `{near}`?"))
}

/// So many letters say what is meant by their beginning.
const MIN_PREFIX_LETTERS: usize = 3;

/// The candidate that is probably meant: one that differs by a letter, else the shortest that begins so, else the nearest
/// that is near enough.
pub fn nearest<'a>(wanted: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    meant(wanted, candidates, false)
}

/// The same among names that are made of words, as those of rules are: before the nearest comes the longest that most of `wanted`
/// consists of.
pub fn nearest_of_words<'a>(wanted: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    meant(wanted, candidates, true)
}

fn meant<'a>(wanted: &str, candidates: impl IntoIterator<Item = &'a str>, of_words: bool) -> Option<&'a str> {
    let all: Vec<&str> = candidates.into_iter().collect();
    let slip = slip(wanted, all.iter().copied());
    let close = slip.filter(|near| strsim::damerau_levenshtein(wanted, near) <= 1 || near.eq_ignore_ascii_case(wanted));
    let begins = |c: &&&str| wanted.chars().count() >= MIN_PREFIX_LETTERS && c.starts_with(wanted);
    let longer = all.iter().filter(begins).min_by_key(|c| (c.chars().count(), **c)).copied();
    let written = wanted.to_ascii_lowercase();
    let most = |c: &&&str| 2 * c.len() > wanted.len() && written.contains(&c.to_ascii_lowercase());
    let inside = all.iter().filter(|_| of_words).filter(most).max_by_key(|c| (c.len(), **c)).copied();
    close.or(longer).or(inside).or(slip)
}

/// The candidate that differs in so few letters from `wanted` that this may be a slip.
pub fn slip<'a>(wanted: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let length = wanted.chars().count();
    let limit = (length / 3).max(1);
    // A name differs from another in as many letters as it is longer, at least.
    let may_be_near = |c: &&str| c.chars().count().abs_diff(length) <= limit || c.eq_ignore_ascii_case(wanted);
    // Of two letters one may be missing, or both may be swapped; where one of them is another, nothing says that it is a slip.
    let has_all = |c: &str| wanted.chars().all(|letter| c.contains(letter));
    candidates
        .into_iter()
        .filter(may_be_near)
        .map(|c| (strsim::damerau_levenshtein(wanted, c), c))
        .filter(|(distance, c)| {
            let is_slip = *distance <= limit && *distance < length && (length > 2 || has_all(c));
            is_slip || c.eq_ignore_ascii_case(wanted)
        })
        .min_by(|a, b| a.0.cmp(&b.0).then(a.1.cmp(b.1)))
        .map(|(_, c)| c)
}

#[cfg(test)]
mod tests {
    use super::{nearest, nearest_of_words};

    #[test]
    fn a_beginning_says_more_than_letters_that_are_alike() {
        assert_eq!(nearest("grad", ["total", "gradient", "gradientSecond"]), Some("gradient"));
        assert_eq!(nearest("totl", ["total", "gradient"]), Some("total"));
        assert_eq!(nearest("ab", ["abcd"]), None);
        assert_eq!(
            (nearest("td", ["id"]), nearest("di", ["id"]), nearest("mu", ["mul"])),
            (None, Some("id"), Some("mul"))
        );
        assert_eq!(nearest("TOTAL", ["total"]), Some("total"));
        let names = ["letSwap", "sumSwap", "let"];
        assert_eq!(
            (nearest("letSumSwap", names), nearest_of_words("letSumSwap", names)),
            (Some("letSwap"), Some("sumSwap"))
        );
    }
}
