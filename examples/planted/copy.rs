//! A copy of the sources in which mistakes are planted.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fs, io};

use crate::planted::{Edit, Mistake};

/// The variable that says which mistake is made.
pub const SWITCH: &str = "REDEXTER_PLANTED";

/// Where the switch stands in the copy, and where the rules' texts are read.
const GROUND: &str = "crates/language/src/ground/mod.rs";
const BOOK: &str = "crates/rewriting/src/rule/book/mod.rs";
const RULES: &str = "for (name, text) in shipped::rules() {";

/// The copy. A file is written where it says something else than before, so that what stays isn't built again.
pub struct Tree {
    /// Where it stands.
    pub folder: PathBuf,
    /// Where it is built.
    pub target: PathBuf,
    /// What git knows of the sources, as they are now.
    files: BTreeMap<String, Vec<u8>>,
    /// Links, and where they lead to.
    links: BTreeMap<String, PathBuf>,
}

/// Texts with what takes their places, by file.
type Changes<'a> = BTreeMap<&'a str, BTreeMap<&'a str, String>>;

impl Tree {
    /// A copy of these sources, still to be written.
    pub fn of(root: &Path) -> Result<Tree, String> {
        let mut git = Command::new("git");
        git.args(["ls-files", "--cached", "--others", "--exclude-standard"]).current_dir(root);
        let listed = git.output().map_err(|e| format!("git: {e}"))?;
        let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
        let read = |file: &str| Some((file.to_owned(), fs::read(root.join(file)).ok()?));
        let link = |file: &str| Some((file.to_owned(), fs::read_link(root.join(file)).ok()?));
        let target = root.join("target/planted");
        let links: BTreeMap<String, PathBuf> = listed.lines().filter_map(link).collect();
        let files = listed.lines().filter(|file| !links.contains_key(*file)).filter_map(read).collect();
        Ok(Tree { folder: target.join("tree"), target, files, links })
    }

    /// Plants mistakes, each behind the switch with its number.
    pub fn plant(&self, mistakes: &[Mistake]) -> Result<(), String> {
        let (mut changes, mut texts) = (Changes::new(), String::new());
        for (number, mistake) in mistakes.iter().enumerate() {
            for Edit { file, from, to } in &mistake.edits {
                if file.ends_with(".rs") {
                    let language = if file.starts_with("crates/language/") { "crate" } else { "redexter_language" };
                    let ways = changes.entry(file).or_default().entry(from).or_default();
                    ways.push_str(&format!("if {language}::ground::planted({number}) {{ {to} }} else "));
                } else {
                    texts.push_str(&format!("        {number} => text.replace({from:?}, {to:?}).leak(),\n"));
                }
            }
        }
        for (from, ways) in changes.values_mut().flatten() {
            *ways = format!("({ways}{{ {from} }})");
        }
        let read = format!("{RULES} let text = redexter_language::ground::planted_text(text);");
        changes.entry(BOOK).or_default().insert(RULES, read);
        self.write(&changes, &switch(&texts))
    }

    /// Writes the copy with these changes, and with this at the end of the room that all know; files that are gone from the
    /// sources go from the copy.
    fn write(&self, changes: &Changes, ground: &str) -> Result<(), String> {
        self.drop_others(&self.folder).map_err(|e| format!("{}: {e}", self.folder.display()))?;
        for (file, to) in &self.links {
            let path = self.folder.join(file);
            let made = path.parent().map_or(Ok(()), fs::create_dir_all);
            made.and_then(|()| linked(to, &path)).map_err(|e| format!("{file}: {e}"))?;
        }
        for (file, before) in &self.files {
            let (path, mut now) = (self.folder.join(file), before.clone());
            if let Some(changes) = changes.get(file.as_str()) {
                now =
                    changed(&String::from_utf8_lossy(before), changes).map_err(|why| format!("{file}: {why}"))?.into();
            }
            if file == GROUND {
                now.extend_from_slice(ground.as_bytes());
            }
            if fs::read(&path).is_ok_and(|known| known == now) {
                continue;
            }
            let made = path.parent().map_or(Ok(()), fs::create_dir_all);
            made.and_then(|()| fs::write(&path, now)).map_err(|e| format!("{file}: {e}"))?;
        }
        Ok(())
    }

    /// Removes files below a folder of the copy that the sources don't have.
    fn drop_others(&self, folder: &Path) -> io::Result<()> {
        if !folder.exists() {
            return Ok(());
        }
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            let name = path.strip_prefix(&self.folder).unwrap_or(&path).to_string_lossy().into_owned();
            if path.is_symlink() {
                fs::remove_file(&path)?;
            } else if path.is_dir() {
                self.drop_others(&path)?;
            } else if !self.files.contains_key(&name) {
                fs::remove_file(&path)?;
            }
        }
        Ok(())
    }
}

#[cfg(unix)]
fn linked(to: &Path, path: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(to, path)
}

#[cfg(not(unix))]
fn linked(_: &Path, _: &Path) -> io::Result<()> {
    Err(io::Error::other("links are made where there are some alone"))
}

/// The text with others in the places of some parts, each of which stands once in it.
fn changed(text: &str, changes: &BTreeMap<&str, String>) -> Result<String, String> {
    let mut places = Vec::new();
    for (from, to) in changes {
        match text.match_indices(from).collect::<Vec<_>>()[..] {
            [(at, _)] => places.push((at, from.len(), to)),
            ref all => return Err(format!("{} times {from}", all.len())),
        }
    }
    places.sort();
    let mut now = text.to_owned();
    places.into_iter().rev().for_each(|(at, length, to)| now.replace_range(at..at + length, to));
    Ok(now)
}

/// What asks for the switch; `texts` are the arms that plant in what isn't code.
fn switch(texts: &str) -> String {
    format!(
        "
/// Whether the mistake with this number is made.
pub fn planted(number: usize) -> bool {{
    made() == Some(number)
}}

fn made() -> Option<usize> {{
    static MADE: std::sync::OnceLock<Option<usize>> = std::sync::OnceLock::new();
    *MADE.get_or_init(|| std::env::var({SWITCH:?}).ok()?.parse().ok())
}}

/// A text with that mistake in it.
pub fn planted_text(text: &'static str) -> &'static str {{
    match made().unwrap_or(usize::MAX) {{
{texts}        _ => text,
    }}
}}
"
    )
}
