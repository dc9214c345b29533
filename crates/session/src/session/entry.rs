//! Parses the lines of a saved session.

use std::path::PathBuf;

/// A place in a saved session: the number of a part, and of a step of its derivation.
pub type Place = (usize, usize);

/// A line of a saved session, parsed.
pub enum Entry<'a> {
    /// A part begins, perhaps behind a place in another one.
    Part(usize, Option<Place>),
    /// So many steps of a strategy.
    Steps(usize, &'a str),
    /// So many steps of a strategy follow one by one; false where they go on with what it did before.
    Single(usize, &'a str, bool),
    /// So many more steps of what is pending.
    More(usize),
    /// What was pending was dropped.
    Dropped,
    /// A place has a tag.
    Tag(&'a str, Place),
    /// Where the current term stands, and where what was taken back ends.
    Now(Place, Option<Place>),
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

impl<'a> Entry<'a> {
    /// Parses a statement. `aside`: it stands in a comment, where it may be what isn't a statement of a script.
    pub fn of(text: &'a str, aside: bool) -> Entry<'a> {
        let told = if aside { told(text) } else { None };
        let given = text.strip_prefix("let current =").or(text.strip_prefix("current ="));
        let given = given.map(|rest| rest.trim().trim_end_matches(';'));
        let applied = given.and_then(|rest| rest.strip_prefix("current.apply(")?.strip_suffix(')'));
        told.unwrap_or_else(|| match (applied, given) {
            (Some(strategy), _) => Entry::Apply(strategy),
            (None, Some(term)) => Entry::Give(term),
            (None, None) if text.starts_with("print(current)") => Entry::Print,
            (None, None) => Entry::Statement,
        })
    }

    /// Whether it adds terms.
    pub fn grows(&self) -> bool {
        matches!(self, Entry::Give(_) | Entry::Apply(_) | Entry::Steps(..) | Entry::More(_))
    }
}

/// Whether a line surely begins an entry, so that what was left open before it ends.
pub fn begins(line: &str, aside: bool) -> bool {
    let heads = ["let current =", "current =", "print(current)"];
    heads.iter().any(|head| line.starts_with(head)) || aside && told(line).is_some()
}

/// An entry that only stands behind `//:` and is no statement of a script.
fn told(text: &str) -> Option<Entry<'_>> {
    let step = |text: &str| -> Option<Place> {
        let (step, part) = text.strip_prefix("step ")?.split_once(" of part ")?;
        Some((part.parse().ok()?, step.parse().ok()?))
    };
    if text == "the rest" {
        return Some(Entry::More(usize::MAX));
    }
    if text == "dropped" {
        return Some(Entry::Dropped);
    }
    if let Some(rest) = text.strip_prefix("part ") {
        let (part, from) = rest.split_once(", from ").map_or((rest, None), |(part, from)| (part, Some(from)));
        let from = match from {
            Some(from) => Some(step(from)?),
            None => None,
        };
        return Some(Entry::Part(part.parse().ok()?, from));
    }
    if let Some((name, place)) = text.strip_prefix("tag ").and_then(|rest| rest.split_once(": ")) {
        return Some(Entry::Tag(name, step(place)?));
    }
    if let Some(rest) = text.strip_prefix("now ") {
        let (here, way) = rest.split_once(", on the way to ").map_or((rest, None), |(here, way)| (here, Some(way)));
        return Some(Entry::Now(step(here)?, way.and_then(step)));
    }
    if let Some(line) = text.strip_prefix("line ").and_then(|text| serde_json::from_str(text).ok()) {
        return Some(Entry::Line(line));
    }
    if let Some(text) = text.strip_prefix("definition ").and_then(|text| serde_json::from_str(text).ok()) {
        return Some(Entry::Definition(text));
    }
    let (count, rest) = text.split_once(' ')?;
    let count = count.parse().ok().filter(|count| *count > 0)?;
    let rest = rest.strip_prefix("steps ").or(rest.strip_prefix("step "))?;
    let strategy = |head: &str| rest.strip_prefix(head);
    let single = || strategy("one by one of ").map(|text| (text, true));
    let more = || strategy("more one by one of ").map(|text| (text, false));
    match (strategy("of "), single().or_else(more)) {
        (Some(text), _) => Some(Entry::Steps(count, text)),
        (None, Some((text, first))) => Some(Entry::Single(count, text, first)),
        (None, None) => (rest == "more").then_some(Entry::More(count)),
    }
}

/// The file and the name of `load("file")["name"]`.
pub fn of_model(text: &str) -> Option<(PathBuf, String)> {
    let (path, name) = text.strip_prefix("load(")?.strip_suffix("\"]")?.rsplit_once(")[\"")?;
    let path: String = serde_json::from_str(path).ok()?;
    Some((PathBuf::from(path), name.to_owned()))
}
