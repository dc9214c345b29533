//! Finds the lessons that ship, by their names and numbers.

use std::path::{Path, PathBuf};

use redexter_language::ground::text::listed;
use redexter_language::ground::{Diagnostic, Trouble, code, name::did_you_mean};
use redexter_language::shipped;
use redexter_telling::lesson::fingerprint;

/// Where lessons ship.
const FOLDER: &str = "lessons";

/// The lessons that ship, in their order.
pub(super) fn files() -> Vec<PathBuf> {
    let mut names: Vec<&str> = shipped::names(Path::new(FOLDER)).filter(|name| name.ends_with(".md")).collect();
    names.sort_unstable();
    names.into_iter().map(|name| Path::new(FOLDER).join(name)).filter(|path| is_numbered(path)).collect()
}

/// Lessons are numbered; what stands beside them isn't.
fn is_numbered(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(|c: char| c.is_ascii_digit()))
}

/// The name of a lesson, without its number: `lessons/01-fusion.md` is `fusion`.
pub(in crate::session) fn short(path: &Path) -> String {
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    stem.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start_matches('-').to_owned()
}

/// The number of a lesson that ships: `lessons/01-fusion.md` has 1.
pub(super) fn number_of(path: &Path) -> Option<usize> {
    let name = path.file_name()?.to_str()?;
    name[..name.find(|c: char| !c.is_ascii_digit())?].parse().ok()
}

/// The file of a lesson that is called so, has this number, or is this file.
pub(super) fn found(wanted: &str) -> Result<PathBuf, Trouble> {
    if wanted.ends_with(".md") {
        return Ok(PathBuf::from(wanted));
    }
    let all = files();
    let number = wanted.parse::<usize>().ok();
    let numbered = all.iter().find(|path| number.is_some_and(|number| number_of(path) == Some(number)));
    if let Some(path) = numbered.or_else(|| all.iter().find(|path| short(path) == wanted)) {
        return Ok(path.clone());
    }
    let names: Vec<String> = all.iter().map(|path| short(path)).collect();
    let near = did_you_mean(wanted, names.iter().map(String::as_str));
    let help = near.unwrap_or_else(|| format!("there are {}; a file ends in `.md`", listed(&names)));
    Err(Diagnostic::error(code::COMMAND, format!("there is no lesson `{wanted}`")).help(help).into())
}

/// The lesson behind this one, or the first.
pub(super) fn after(path: Option<&Path>) -> Result<PathBuf, Trouble> {
    let all = files();
    let at = path.map_or(Some(0), |path| all.iter().position(|other| other == path).map(|k| k + 1));
    at.and_then(|k| all.get(k).cloned()).ok_or_else(|| {
        Diagnostic::error(code::COMMAND, "there is no lesson behind this one").help("`:lesson list` lists them").into()
    })
}

/// What a lesson is called in records, wherever its file lies and however often a browser saved it: by its name if it is one of
/// those that ship, else by its file's.
pub(in crate::session) fn own_name(path: &Path, text: &str) -> String {
    let own = fingerprint(text);
    let ships = |file: &PathBuf| shipped::file(file).is_some_and(|text| fingerprint(text) == own);
    if let Some(file) = files().iter().find(|file| ships(file)) {
        return short(file);
    }
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    // A browser's second copy is `lesson (1).md`.
    let copy = stem.strip_suffix(')').and_then(|rest| rest.rsplit_once(" ("));
    let name = copy.filter(|(_, number)| number.bytes().all(|b| b.is_ascii_digit())).map_or(&*stem, |(name, _)| name);
    format!("{name}.md")
}

/// The lessons that ship, each with its name and text.
pub(in crate::session) fn shipped_lessons() -> Vec<(String, PathBuf, String)> {
    let all = files().into_iter().filter_map(|path| Some((short(&path), shipped::file(&path)?.to_owned(), path)));
    all.map(|(name, text, path)| (name, path, text)).collect()
}
