//! Parses the lines of a saved session.

use std::path::PathBuf;

/// A place in a saved session: the number of a part, and of a step of its derivation.
pub type PartStep = (usize, usize);

/// A line of a saved session, parsed.
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
    Statement,
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
            (None, None) => SavedEntry::Statement,
        })
    }

    /// Whether it adds terms.
    pub fn grows(&self) -> bool {
        matches!(self, SavedEntry::Give(_) | SavedEntry::Apply(_) | SavedEntry::Steps(..) | SavedEntry::More(_))
    }
}

/// Whether a line surely begins an entry, so that what was left open before it ends.
pub fn begins(line: &str, aside: bool) -> bool {
    let heads = ["let current =", "current =", "print(current)"];
    heads.iter().any(|head| line.starts_with(head)) || aside && told(line).is_some()
}

/// An entry that only stands behind `//:` and is no statement of a script.
fn told(text: &str) -> Option<SavedEntry<'_>> {
    let step = |text: &str| -> Option<PartStep> {
        let (step, part) = text.strip_prefix("step ")?.split_once(" of part ")?;
        Some((part.parse().ok()?, step.parse().ok()?))
    };
    if text == "the rest" {
        return Some(SavedEntry::More(usize::MAX));
    }
    if text == "dropped" {
        return Some(SavedEntry::Dropped);
    }
    if let Some(rest) = text.strip_prefix("part ") {
        let (part, from) = rest.split_once(", from ").map_or((rest, None), |(part, from)| (part, Some(from)));
        let from = match from {
            Some(from) => Some(step(from)?),
            None => None,
        };
        return Some(SavedEntry::Part(part.parse().ok()?, from));
    }
    if let Some((name, place)) = text.strip_prefix("tag ").and_then(|rest| rest.split_once(": ")) {
        return Some(SavedEntry::Tag(name, step(place)?));
    }
    if let Some(rest) = text.strip_prefix("now ") {
        let (here, way) = rest.split_once(", on the way to ").map_or((rest, None), |(here, way)| (here, Some(way)));
        return Some(SavedEntry::Now(step(here)?, way.and_then(step)));
    }
    if let Some(line) = text.strip_prefix("line ").and_then(|text| serde_json::from_str(text).ok()) {
        return Some(SavedEntry::Line(line));
    }
    if let Some(text) = text.strip_prefix("definition ").and_then(|text| serde_json::from_str(text).ok()) {
        return Some(SavedEntry::Definition(text));
    }
    let (count, rest) = text.split_once(' ')?;
    let count = count.parse().ok().filter(|count| *count > 0)?;
    let rest = rest.strip_prefix("steps ").or(rest.strip_prefix("step "))?;
    let strategy = |head: &str| rest.strip_prefix(head);
    let single = || strategy("one by one of ").map(|text| (text, true));
    let more = || strategy("more one by one of ").map(|text| (text, false));
    match (strategy("of "), single().or_else(more)) {
        (Some(text), _) => Some(SavedEntry::Steps(count, text)),
        (None, Some((text, first))) => Some(SavedEntry::Single(count, text, first)),
        (None, None) => (rest == "more").then_some(SavedEntry::More(count)),
    }
}

/// The file and the name of `load("file")["name"]`.
pub fn of_model(text: &str) -> Option<(PathBuf, String)> {
    let (path, name) = text.strip_prefix("load(")?.strip_suffix("\"]")?.rsplit_once(")[\"")?;
    let path: String = serde_json::from_str(path).ok()?;
    Some((PathBuf::from(path), name.to_owned()))
}
