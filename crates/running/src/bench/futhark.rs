//! Times programs that are exported to Futhark and compiled by its own compiler: the executable itself tells.
//!
//! Inputs go in as Futhark's binary data; times come out in whole microseconds. Results aren't read.

use std::fs;
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use super::runner::TimingPlan;
use crate::native::succeeds;
use redexter_language::eval::Sizes;
use redexter_language::ground::{Budget, Diagnostic, Name, Trouble, code};
use redexter_language::term::{Program, Size, Type, TypeView};
use redexter_loops::export::futhark::{FutharkOptions, futhark, parts, sizes_given};

/// The compiler.
pub(super) const FUTHARK: &str = "futhark";

/// The steps in which the executable tells time.
pub(super) const GRAIN: Duration = Duration::from_micros(1);

/// The most runs that are asked for at once.
const MOST_RUNS: u128 = 100_000;

/// An executable in a folder of its own, which goes with it.
pub(super) struct FutharkProgram {
    folder: PathBuf,
    /// Its entry point: without a name the executable looks for `main`.
    entry: Name,
    sizes: Vec<Name>,
    parameters: Vec<Type>,
}

impl Drop for FutharkProgram {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

impl FutharkProgram {
    /// Exports and compiles a program. Recursion goes as deep as the term.
    pub(super) fn new(
        name: &Name,
        program: &Program,
        budget: &Budget,
    ) -> Result<Result<FutharkProgram, String>, Trouble> {
        let parameters = program.term.applied().0.into_iter().flat_map(|(_, ty)| parts(&ty)).collect::<Vec<Type>>();
        let source = futhark(&[(name.clone(), program.clone())], &FutharkOptions::default())?;
        let folder = std::env::temp_dir().join(format!("redexter-futhark-{}", std::process::id()));
        if let Err(wrong) = fs::create_dir(&folder) {
            return Ok(Err(format!("there is no folder for Futhark's code: {wrong}")));
        }
        let made = FutharkProgram { folder, entry: name.clone(), sizes: sizes_given(program), parameters };
        Ok(made.compile(&source, budget)?.map(|()| made))
    }

    fn compile(&self, source: &str, budget: &Budget) -> Result<Result<(), String>, Trouble> {
        let (text, log) = (self.folder.join("program.fut"), self.folder.join("log"));
        let started = fs::write(&text, source).and_then(|()| {
            let mut command = Command::new(FUTHARK);
            command.args(["c", "-o"]).arg(self.program()).arg(&text);
            command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(fs::File::create(&log)?).spawn()
        });
        let mut child = match started {
            Ok(child) => child,
            Err(wrong) if wrong.kind() == ErrorKind::NotFound => {
                return Ok(Err(format!("there is no `{FUTHARK}` on the PATH")));
            }
            Err(wrong) => return Ok(Err(format!("`{FUTHARK}` can't be run: {wrong}"))),
        };
        Ok(match succeeds(&mut child, budget)? {
            true => Ok(()),
            false => Err(format!("`{FUTHARK} c` failed: {}", self.said(&log))),
        })
    }

    fn program(&self) -> PathBuf {
        self.folder.join("program")
    }

    fn said(&self, log: &Path) -> String {
        let said = fs::read_to_string(log).unwrap_or_default();
        said.lines().find(|line| !line.trim().is_empty()).unwrap_or("it says nothing").to_owned()
    }

    /// Runs it so often, each run one call, and adds the times.
    pub(super) fn run(
        &self,
        given: &[Vec<u64>],
        sizes: &Sizes,
        often: TimingPlan,
        budget: &Budget,
        times: &mut Vec<Duration>,
    ) -> Result<(), Trouble> {
        let data = self.folder.join("data");
        let written = fs::File::create(&data).and_then(|file| self.write(given, sizes, &mut BufWriter::new(file)));
        written.map_err(|wrong| failed(&wrong.to_string()))?;
        let first = self.runs(&data, 1, budget)?;
        // It may tell 0 for what took less than its grain, by which nothing can be divided.
        let least = first.iter().min().copied().unwrap_or_default().max(GRAIN);
        let wanted = (often.time.as_nanos() / least.as_nanos()).max(u128::from(often.runs)).clamp(1, MOST_RUNS);
        times.extend(if wanted > 1 { self.runs(&data, wanted, budget)? } else { first });
        Ok(())
    }

    fn runs(&self, data: &Path, runs: u128, budget: &Budget) -> Result<Vec<Duration>, Trouble> {
        let (told, log) = (self.folder.join("times"), self.folder.join("log"));
        let mut command = Command::new(self.program());
        command.args(["--binary-output", "--runs", &runs.to_string(), "--write-runtime-to"]).arg(&told);
        command.args(["--entry-point", self.entry.as_str()]);
        let started = fs::File::open(data)
            .and_then(|data| command.stdin(data).stdout(Stdio::null()).stderr(fs::File::create(&log)?).spawn());
        let mut child = started.map_err(|wrong| failed(&wrong.to_string()))?;
        if !succeeds(&mut child, budget)? {
            return Err(failed(&self.said(&log)));
        }
        let lines = fs::read_to_string(&told).unwrap_or_default();
        let times = lines.lines().map(|line| line.trim().parse().map(Duration::from_micros));
        times.collect::<Result<Vec<Duration>, _>>().map_err(|_| failed("it told no times"))
    }

    /// Sizes that come first, and then each array, as Futhark's binary data.
    fn write(&self, given: &[Vec<u64>], sizes: &Sizes, to: &mut impl Write) -> io::Result<()> {
        for name in &self.sizes {
            data(to, b" i64", &[], &[sizes.get(name).unwrap_or(0)])?;
        }
        for (ty, words) in self.parameters.iter().zip(given) {
            let (kind, dims) = dims(ty);
            let lengths: Vec<u64> = dims.iter().map(|n| sizes.value(n)).collect();
            data(to, kind, &lengths, words)?;
        }
        to.flush()
    }
}

/// A value: the letter b, the version, how many dimensions, the type, their lengths, the elements.
fn data(to: &mut impl Write, kind: &[u8; 4], lengths: &[u64], words: &[u64]) -> io::Result<()> {
    to.write_all(&[b'b', 2, lengths.len() as u8])?;
    to.write_all(kind)?;
    lengths.iter().chain(words).try_for_each(|word| to.write_all(&word.to_le_bytes()))
}

/// What an array has in the end, and its lengths.
fn dims(ty: &Type) -> (&'static [u8; 4], Vec<Size>) {
    match ty.view() {
        TypeView::Real => (b" f64", Vec::new()),
        TypeView::Array(n, a) => {
            let (kind, mut all) = dims(a);
            all.insert(0, n.clone());
            (kind, all)
        }
        _ => (b" i64", Vec::new()),
    }
}

fn failed(why: &str) -> Trouble {
    let headline = format!("the Futhark program failed: {why}");
    Diagnostic::error(code::NOT_EXPORTABLE, headline).help("try `--way blocks`").into()
}
