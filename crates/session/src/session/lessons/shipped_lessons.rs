//! Finds the lessons that ship, by their names and numbers.

use std::path::{Path, PathBuf};

use redexter_language::ground::text::listed;
use redexter_language::ground::{Diagnostic, Trouble, code, name::did_you_mean};
use redexter_language::shipped;

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
pub(super) fn short(path: &Path) -> String {
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    stem.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start_matches('-').to_owned()
}

/// The file of a lesson that is called so, has this number, or is this file.
pub(super) fn found(wanted: &str) -> Result<PathBuf, Trouble> {
    if wanted.ends_with(".md") {
        return Ok(PathBuf::from(wanted));
    }
    let all = files();
    let number = wanted.parse::<usize>().ok().and_then(|number| all.get(number.checked_sub(1)?));
    if let Some(path) = number.or_else(|| all.iter().find(|path| short(path) == wanted)) {
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
