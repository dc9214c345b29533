//! The tests of mistakes, built and run.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::copy::{SWITCH, Tree};
use crate::planted::Mistake;

/// A test that takes longer has noticed.
const LONGEST: Duration = Duration::from_secs(600);

/// Test programs by their targets, and what they are asked for.
pub struct Tests {
    programs: BTreeMap<String, PathBuf>,
    asked: BTreeSet<(String, String)>,
    folder: PathBuf,
}

impl Tests {
    /// Builds those that these mistakes name.
    pub fn built<'a>(tree: &Tree, mistakes: impl Iterator<Item = &'a Mistake>) -> Result<Tests, String> {
        let asked: BTreeSet<(String, String)> = mistakes.flat_map(|m| m.tests.iter().cloned()).collect();
        let targets: BTreeSet<&str> = asked.iter().map(|(target, _)| target.as_str()).collect();
        let mut cargo = Command::new("cargo");
        cargo.args(["test", "--locked", "--no-run"]).current_dir(&tree.folder).env("CARGO_TARGET_DIR", &tree.target);
        for target in targets {
            cargo.args(["--test", target]);
        }
        let built = cargo.output().map_err(|e| format!("cargo: {e}"))?;
        let said = String::from_utf8_lossy(&built.stderr);
        if !built.status.success() {
            return Err(said.into_owned());
        }
        let programs = said.lines().filter_map(program).collect();
        Ok(Tests { programs, asked, folder: tree.folder.clone() })
    }

    /// They pass where no mistake is made, and there are such tests.
    pub fn pass(&self) -> Result<(), String> {
        self.asked.iter().try_for_each(|test| match self.fails(test, None) {
            false => Ok(()),
            true => Err(format!("{}::{} fails or doesn't exist, whatever is planted", test.0, test.1)),
        })
    }

    /// The first test that notices.
    pub fn notice(&self, mistake: &Mistake, number: usize) -> Option<String> {
        let test = mistake.tests.iter().find(|test| self.fails(test, Some(number)))?;
        Some(format!("{}::{}", test.0, test.1))
    }

    fn fails(&self, (target, filter): &(String, String), number: Option<usize>) -> bool {
        let Some(program) = self.programs.get(target) else { return true };
        let mut command = Command::new(program);
        command.arg(filter).current_dir(&self.folder).stdout(Stdio::piped()).stderr(Stdio::null());
        if let Some(number) = number {
            command.env(SWITCH, number.to_string());
        }
        !answers(command).is_some_and(|said| said.contains("test result: ok") && !said.contains("ok. 0 passed"))
    }
}

/// What the command says; none where it fails, or takes too long.
fn answers(mut command: Command) -> Option<String> {
    let mut child = command.spawn().ok()?;
    let end = Instant::now() + LONGEST;
    let mut said = child.stdout.take()?;
    let reader = std::thread::spawn(move || std::io::read_to_string(&mut said).unwrap_or_default());
    loop {
        match child.try_wait().ok()? {
            Some(status) => return reader.join().ok().filter(|_| status.success()),
            None if Instant::now() > end => {
                let _ = child.kill();
                let _ = child.wait();
                return None;
            }
            None => sleep(Duration::from_millis(20)),
        }
    }
}

/// `  Executable tests/language/main.rs (target/debug/deps/language-0123456789abcdef)`
fn program(line: &str) -> Option<(String, PathBuf)> {
    let (_, path) = line.trim().strip_prefix("Executable ")?.split_once('(')?;
    let path = PathBuf::from(path.strip_suffix(')')?);
    let name = path.file_name()?.to_string_lossy().rsplit_once('-')?.0.to_owned();
    Some((name, path))
}
