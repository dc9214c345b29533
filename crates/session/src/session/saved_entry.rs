//! Reads and writes the lines of a saved session: what is written here reads back as the same.

use std::fmt;
use std::path::PathBuf;

use redexter_language::ground::text::counted;

/// A place in a saved session: the number of a part, and of a step of its derivation.
pub type PartStep = (usize, usize);

/// A line of a saved session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SavedEntry<'a> {
    /// A part begins, perhaps behind a place in another one.
    Part(usize, Option<PartStep>),
    /// So many steps of a strategy.
    Steps(usize, &'a str),
    /// So many steps of a strategy follow one by one; false where they go on with what it did before.
    Single(usize, &'a str, bool),
    /// So many more steps of what is pending.
    More(usize),
    /// What was pending was dropped.
    Dropped,
    /// A place has a tag.
    Tag(&'a str, PartStep),
    /// Where the current term stands, and where what was taken back ends.
    Now(PartStep, Option<PartStep>),
    /// A term is given.
    Give(&'a str),
    /// A strategy runs to its end.
    Apply(&'a str),
    /// A script prints the term.
    Print,
    /// A line that was typed runs again.
    Line(String),
    /// What a run needs is defined, in more than one line.
    Definition(String),
    /// Anything else is carried out.
    Statement(&'a str),
}

impl<'a> SavedEntry<'a> {
    /// Parses a statement. `aside`: it stands in a comment, where it may be what isn't a statement of a script.
    pub fn of(text: &'a str, aside: bool) -> SavedEntry<'a> {
        let told = if aside { told(text) } else { None };
        let given = text.strip_prefix("let current =").or(text.strip_prefix("current ="));
        let given = given.map(|rest| rest.trim().trim_end_matches(';'));
        let applied = given.and_then(|rest| rest.strip_prefix("current.apply(")?.strip_suffix(')'));
        told.unwrap_or_else(|| match (applied, given) {
            (Some(strategy), _) => SavedEntry::Apply(strategy),
            (None, Some(term)) => SavedEntry::Give(term),
            (None, None) if text.starts_with("print(current)") => SavedEntry::Print,
            (None, None) => SavedEntry::Statement(text),
        })
    }

    /// Whether it adds terms.
    pub fn grows(&self) -> bool {
        matches!(self, SavedEntry::Give(_) | SavedEntry::Apply(_) | SavedEntry::Steps(..) | SavedEntry::More(_))
    }
}

/// Whether a line surely begins an entry, so that what was left open before it ends.
pub fn begins(line: &str, aside: bool) -> bool {
    !matches!(SavedEntry::of(line, aside), SavedEntry::Statement(_))
}

/// An entry that only stands behind `//:` and is no statement of a script.
fn told(text: &str) -> Option<SavedEntry<'_>> {
    let at = |text: &str| -> Option<PartStep> {
        let (step, part) = text.strip_prefix("step ")?.split_once(" of part ")?;
        Some((part.parse().ok()?, step.parse().ok()?))
    };
    Some(match text.split_once(' ').unwrap_or((text, "")) {
        ("the", "rest") => SavedEntry::More(usize::MAX),
        ("dropped", "") => SavedEntry::Dropped,
        ("part", rest) => match rest.split_once(", from ") {
            Some((part, from)) => SavedEntry::Part(part.parse().ok()?, Some(at(from)?)),
            None => SavedEntry::Part(rest.parse().ok()?, None),
        },
        ("tag", rest) => {
            let (name, place) = rest.split_once(": ")?;
            SavedEntry::Tag(name, at(place)?)
        }
        ("now", rest) => match rest.split_once(", on the way to ") {
            Some((here, way)) => SavedEntry::Now(at(here)?, at(way)),
            None => SavedEntry::Now(at(rest)?, None),
        },
        ("line", text) => SavedEntry::Line(serde_json::from_str(text).ok()?),
        ("definition", text) => SavedEntry::Definition(serde_json::from_str(text).ok()?),
        (count, rest) => {
            let count = count.parse().ok().filter(|count| *count > 0)?;
            let rest = rest.strip_prefix("steps ").or(rest.strip_prefix("step "))?;
            if rest == "more" {
                SavedEntry::More(count)
            } else if let Some(text) = rest.strip_prefix("of ") {
                SavedEntry::Steps(count, text)
            } else if let Some(text) = rest.strip_prefix("one by one of ") {
                SavedEntry::Single(count, text, true)
            } else {
                SavedEntry::Single(count, rest.strip_prefix("more one by one of ")?, false)
            }
        }
    })
}

/// A place as it is written.
pub fn place((part, step): PartStep) -> String {
    format!("step {step} of part {part}")
}

impl fmt::Display for SavedEntry<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let behind =
            |word: &str, at: &Option<PartStep>| at.map_or(String::new(), |at| format!(", {word} {}", place(at)));
        let steps = |count: &usize| counted(*count, "step");
        match self {
            SavedEntry::Part(part, from) => write!(f, "part {part}{}", behind("from", from)),
            SavedEntry::Steps(count, strategy) => write!(f, "{} of {strategy}", steps(count)),
            SavedEntry::Single(count, strategy, first) => {
                let more = if *first { "" } else { "more " };
                write!(f, "{} {more}one by one of {strategy}", steps(count))
            }
            SavedEntry::More(usize::MAX) => write!(f, "the rest"),
            SavedEntry::More(count) => write!(f, "{} more", steps(count)),
            SavedEntry::Dropped => write!(f, "dropped"),
            SavedEntry::Tag(name, at) => write!(f, "tag {name}: {}", place(*at)),
            SavedEntry::Now(here, way) => write!(f, "now {}{}", place(*here), behind("on the way to", way)),
            SavedEntry::Give(term) => write!(f, "current = {term};"),
            SavedEntry::Apply(strategy) => write!(f, "current = current.apply({strategy});"),
            SavedEntry::Print => write!(f, "print(current);"),
            SavedEntry::Line(text) => write!(f, "line {}", serde_json::Value::from(&**text)),
            SavedEntry::Definition(text) => write!(f, "definition {}", serde_json::Value::from(&**text)),
            SavedEntry::Statement(text) => write!(f, "{text}"),
        }
    }
}

/// The file and the name of `load("file")["name"]`.
pub fn of_model(text: &str) -> Option<(PathBuf, String)> {
    let (path, name) = text.strip_prefix("load(")?.strip_suffix("\"]")?.rsplit_once(")[\"")?;
    let path: String = serde_json::from_str(path).ok()?;
    Some((PathBuf::from(path), name.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::SavedEntry;

    #[test]
    fn what_is_written_reads_back() {
        for entry in [
            SavedEntry::Part(2, None),
            SavedEntry::Part(3, Some((1, 4))),
            SavedEntry::Steps(1, "topDown(mulOne)"),
            SavedEntry::Single(2, "beta", true),
            SavedEntry::Single(2, "beta", false),
            SavedEntry::More(3),
            SavedEntry::More(usize::MAX),
            SavedEntry::Dropped,
            SavedEntry::Tag("here", (1, 2)),
            SavedEntry::Now((1, 2), None),
            SavedEntry::Now((1, 2), Some((2, 0))),
            SavedEntry::Give("term(\"1\")"),
            SavedEntry::Apply("beta ;; (id)"),
            SavedEntry::Print,
            SavedEntry::Line("let a =\n\"1\"".to_owned()),
            SavedEntry::Definition("fn f(x) {\n x }".to_owned()),
            SavedEntry::Statement("strategy s = beta;"),
        ] {
            assert_eq!(SavedEntry::of(&entry.to_string(), true), entry);
        }
    }
}
