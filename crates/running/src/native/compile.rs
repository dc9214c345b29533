//! Compiles C with the system's compiler, and keeps the code in a folder by what was compiled.
//!
//! Beside a library lies its C with a hash of the library: where either differs, the library is made anew. Both are written
//! under other names and then moved, so that what is there is whole.

use std::ffi::OsString;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use redexter_loader::LoadedCode;

use super::ThreadLimits;
use redexter_language::ground::{Budget, Trouble};
use redexter_loops::export::c::{CTarget, Caller, ENTRY, SHARED};
use redexter_loops::nest::Freedom;

/// What each compilation asks for. Strips are written in vectors already; the compiler's own are for loops outside them.
const EVERY: &str = include_str!("flags/every.txt");

/// No operation is contracted or put in another order; and gcc 12 doesn't take `0 - x` for `-x` where x is no negative zero,
/// which it does otherwise, though 0 - 0 is 0.
const EXACT: &str = include_str!("flags/exact.txt");

/// NaN and infinities stay.
const FAST: &str = include_str!("flags/fast.txt");

/// How hard gcc 12 tries. Branches of loops stay: where they go, it adds 0 for what a branch leaves out, which makes 0 of a minus
/// zero. What `-O2` adds to this takes it half as long again, and made one of the workloads of `benches/native`
/// faster, the perceptron, by an eighth.
const EXACT_GCC: &str = include_str!("flags/exact_gcc.txt");

/// The same with `FAST`, whose loops gain by `-O2`, not by `-O3`. Short loops over a strip's lanes are written out.
const FAST_GCC: &str = include_str!("flags/fast_gcc.txt");

/// How hard another compiler tries, which may not know all of gcc's flags, nor this processor.
const OTHERS: [&str; 2] = ["-O2 -march=native", "-O2"];

/// The flags before the files, and the libraries behind.
type CompileFlags = (Vec<&'static str>, [&'static str; 2]);

/// A compiler of C, what its code may differ in, and how many threads run it.
#[derive(Clone, Debug)]
pub struct CCompiler {
    name: OsString,
    freedom: Freedom,
    pub(super) threads: ThreadLimits,
}

impl CCompiler {
    /// `$CC`, which may have arguments, else `cc`.
    pub fn of_system() -> CCompiler {
        let own = std::env::var_os("CC").filter(|name| !name.is_empty());
        CCompiler { name: own.unwrap_or_else(|| "cc".into()), freedom: Freedom::Exact, threads: ThreadLimits::ONE }
    }

    /// The one with this name.
    pub fn named(name: &str) -> CCompiler {
        CCompiler { name: name.into(), freedom: Freedom::Exact, threads: ThreadLimits::ONE }
    }

    /// The same, with this freedom.
    pub fn with(self, freedom: Freedom) -> CCompiler {
        CCompiler { freedom, ..self }
    }

    /// The same, run by these threads.
    pub fn on(self, threads: ThreadLimits) -> CCompiler {
        CCompiler { threads, ..self }
    }

    /// What runs it: a file, or a program and what it is always given, as in `ccache gcc`.
    fn command(&self) -> Command {
        let text = self.name.to_string_lossy();
        let mut words = text.split_whitespace();
        match words.next() {
            Some(program) if !Path::new(&self.name).is_file() => {
                let mut command = Command::new(program);
                command.args(words);
                command
            }
            _ => Command::new(&self.name),
        }
    }

    /// What is written for it, on this machine.
    pub fn target(&self) -> CTarget {
        CTarget { caller: Caller::Loaded, freedom: self.freedom, vectors: widest(), checked: false }
    }

    /// What it is asked for, in turn until it succeeds: a library of vector functions may not be there, and it may be no gcc.
    fn asked(&self) -> Vec<CompileFlags> {
        let (meaning, effort) = match self.freedom {
            Freedom::Exact => (EXACT, EXACT_GCC),
            Freedom::Fast => (FAST, FAST_GCC),
        };
        let mut libraries = vec![["-DREDEXTER_NO_LIBRARY", "-lm"]];
        let has_library = cfg!(all(target_arch = "x86_64", target_os = "linux", target_env = "gnu"));
        if has_library && self.freedom == Freedom::Fast {
            libraries.insert(0, ["-lmvec", "-lm"]);
        }
        let efforts = [effort].into_iter().chain(OTHERS);
        efforts
            .flat_map(|effort| libraries.iter().map(move |behind| asked([EVERY, meaning, effort], *behind)))
            .collect()
    }
}

fn asked(flags: [&'static str; 3], behind: [&'static str; 2]) -> CompileFlags {
    let shared = ["-fPIC", "-shared"];
    (flags.iter().flat_map(|words| words.split_whitespace()).chain(shared).collect(), behind)
}

/// How many doubles this machine's widest vectors have.
pub fn widest() -> u32 {
    #[cfg(target_arch = "x86_64")]
    {
        if std::arch::is_x86_feature_detected!("avx512f") && std::arch::is_x86_feature_detected!("avx512dq") {
            return 8;
        }
        if std::arch::is_x86_feature_detected!("avx2") {
            return 4;
        }
    }
    2
}

/// What tells this processor from others, as far as compiled code may run on one alone.
fn processor() -> String {
    let all = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let is_told = |line: &&str| ["model name", "flags", "Features"].iter().any(|word| line.starts_with(word));
    all.lines().filter(is_told).take(2).collect()
}

/// Where code is kept.
#[derive(Clone, Debug)]
pub struct CodeCache(Option<PathBuf>);

impl CodeCache {
    /// Below `$XDG_CACHE_HOME`, else `~/.cache`; nowhere without a home.
    pub fn of_user() -> CodeCache {
        let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let folder = absolute("XDG_CACHE_HOME").or_else(|| Some(absolute("HOME")?.join(".cache")));
        CodeCache(folder.map(|folder| folder.join("redexter").join("native")))
    }

    /// In this folder, which is made where it is missing.
    pub fn at(folder: &Path) -> CodeCache {
        CodeCache(Some(folder.to_owned()))
    }
}

/// The code of this source, or why there is none. Ends where the budget does.
pub(super) fn code(
    source: &str,
    compiler: &CCompiler,
    cache: &CodeCache,
    budget: &Budget,
) -> Result<Result<LoadedCode, String>, Trouble> {
    let key = format!("{:016x}", hash(&(source, &compiler.name, compiler.asked(), processor())));
    if let Some(folder) = &cache.0
        && fs::create_dir_all(folder).is_ok()
    {
        let (text, library) = (folder.join(format!("{key}.c")), folder.join(format!("{key}.so")));
        if fs::read_to_string(&text).ok() == seal(source, &library)
            && let Ok(code) = LoadedCode::load(&library, ENTRY, SHARED)
        {
            return Ok(Ok(code));
        }
        // Processes may compile the same at once, so that each writes under a name of its own.
        let new = folder.join(format!("{key}.{}", std::process::id()));
        let made = make(source, compiler, &new, budget)?;
        if let Ok(made) = &made {
            keep(source, made, &new, (&text, &library));
        }
        return Ok(loaded(made));
    }
    let folder = std::env::temp_dir().join(format!("redexter-{}-{key}", std::process::id()));
    if let Err(wrong) = fs::create_dir(&folder) {
        return Ok(Err(format!("there is no folder for it: {wrong}")));
    }
    let code = make(source, compiler, &folder.join("code"), budget).map(loaded);
    let _ = fs::remove_dir_all(&folder);
    code
}

/// Puts a library and its source where they will be looked for. A cache that can't be written is none.
fn keep(source: &str, made: &Path, new: &Path, (text, library): (&Path, &Path)) {
    let (sealed, copy) = (beside(new, "sealed"), beside(new, "copy"));
    let written = fs::copy(made, &copy).and_then(|_| fs::write(&sealed, seal(source, &copy).unwrap_or_default()));
    // The source comes last: until it is there both don't fit each other, and are made anew.
    let moved = written.and_then(|()| fs::rename(&copy, library)).and_then(|()| fs::rename(&sealed, text));
    if moved.is_err() {
        [&sealed, &copy].into_iter().for_each(|file| drop(fs::remove_file(file)));
    }
}

/// A file whose name begins as this one's.
fn beside(file: &Path, ending: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(".");
    name.push(ending);
    name.into()
}

/// Loads what was made, whose file isn't needed any longer.
fn loaded(made: Result<PathBuf, String>) -> Result<LoadedCode, String> {
    let made = made?;
    let code = LoadedCode::load(&made, ENTRY, SHARED);
    let _ = fs::remove_file(&made);
    code
}

/// The source with a hash of the library, where that can be read.
fn seal(source: &str, library: &Path) -> Option<String> {
    Some(format!("{source}/* {:016x} */\n", hash(&fs::read(library).ok()?)))
}

fn hash(what: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    what.hash(&mut hasher);
    hasher.finish()
}

/// Compiles to a library whose name begins so. Where the compiler fails, its C stays and is named.
fn make(source: &str, compiler: &CCompiler, name: &Path, budget: &Budget) -> Result<Result<PathBuf, String>, Trouble> {
    let mut made = Err(String::new());
    for asked in compiler.asked() {
        made = attempt(source, compiler, asked, name, budget)?;
        if made.is_ok() {
            break;
        }
    }
    Ok(made)
}

fn attempt(
    source: &str,
    compiler: &CCompiler,
    (flags, behind): CompileFlags,
    name: &Path,
    budget: &Budget,
) -> Result<Result<PathBuf, String>, Trouble> {
    let (text, library, log) = (beside(name, "c"), beside(name, "so"), beside(name, "log"));
    let named = compiler.name.to_string_lossy();
    let started = fs::write(&text, source).and_then(|()| {
        let mut command = compiler.command();
        command.args(flags).arg("-o").arg(&library).arg(&text).args(behind);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(fs::File::create(&log)?).spawn()
    });
    let mut child = match started {
        Ok(child) => child,
        Err(wrong) => {
            [&text, &log].into_iter().for_each(|file| drop(fs::remove_file(file)));
            return Ok(Err(match wrong.kind() {
                ErrorKind::NotFound => format!("there is no compiler `{named}`"),
                _ => format!("the compiler `{named}` can't be run: {wrong}"),
            }));
        }
    };
    let done = succeeds(&mut child, budget);
    let said = fs::read_to_string(&log).unwrap_or_default();
    let _ = fs::remove_file(&log);
    if !matches!(done, Ok(false)) {
        let _ = fs::remove_file(&text);
    }
    Ok(match done? {
        true => Ok(library),
        false => {
            let first = said.lines().find(|line| line.contains("error")).unwrap_or("it says nothing");
            Err(format!("the compiler `{named}` failed on {}: {first}", text.display()))
        }
    })
}

/// Whether a program that was started succeeds; it ends with the budget.
pub(crate) fn succeeds(child: &mut Child, budget: &Budget) -> Result<bool, Trouble> {
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Ok(status.success()),
            Ok(None) => std::thread::sleep(Duration::from_millis(2)),
            Err(_) => return Ok(false),
        }
        if let Err(reason) = budget.ask() {
            let _ = child.kill();
            let _ = child.wait();
            return Err(reason.into());
        }
    }
}
