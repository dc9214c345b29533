//! Compiles C with the system's compiler, unless the [cache](super::cache) has the code.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, SystemTime};

use redexter_loader::LoadedCode;

use super::ThreadLimits;
use super::cache::{self, CodeCache, WorkFolder};
use redexter_language::ground::{Budget, Trouble};
use redexter_language::term::Program;
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

    /// The same, with what is left of its freedom for a program.
    pub fn within(&self, program: &Program) -> CCompiler {
        self.clone().with(self.freedom.within(program))
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

    /// What tells it from other compilers: the files that its words name on the PATH, with their lengths and times, since another
    /// PATH or another version has another compiler of this name.
    fn identity(&self) -> Vec<(OsString, Option<ProgramFile>)> {
        let command = self.command();
        let words = std::iter::once(command.get_program()).chain(command.get_args());
        let paths: Vec<PathBuf> =
            std::env::var_os("PATH").map(|paths| std::env::split_paths(&paths).collect()).unwrap_or_default();
        let found = |word: &OsStr| {
            let places = std::iter::once(PathBuf::from(word)).filter(|path| path.components().count() > 1);
            let mut files = places.chain(paths.iter().map(|folder| folder.join(word)));
            let file = fs::canonicalize(files.find(|path| path.is_file())?).ok()?;
            let about = fs::metadata(&file).ok()?;
            Some((file, about.len(), about.modified().ok()?))
        };
        words.map(|word| (word.to_owned(), found(word))).collect()
    }

    /// What is written for it, on this machine.
    pub fn target(&self) -> CTarget {
        CTarget { caller: Caller::Loaded, freedom: self.freedom, vectors: widest(), checked: false }
    }

    /// What it is asked for, in turn until it succeeds: a library of vector functions may not be there, and it may be no gcc.
    fn asked(&self) -> Vec<CompileFlags> {
        let (meaning, effort) = match self.freedom {
            Freedom::Exact | Freedom::FastButKept => (EXACT, EXACT_GCC),
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

/// A program by its file, the length and the time of that.
type ProgramFile = (PathBuf, u64, SystemTime);

/// Code, and what has to be said of where it is kept.
pub(super) struct CompiledCode {
    pub code: LoadedCode,
    pub warning: Option<String>,
}

/// The code of this source, or why there is none. Ends where the budget does.
pub(super) fn code(
    source: &str,
    compiler: &CCompiler,
    cache: &CodeCache,
    budget: &Budget,
) -> Result<Result<CompiledCode, String>, Trouble> {
    let key = format!("{:016x}", cache::hash(&(source, compiler.identity(), compiler.asked(), processor())));
    let (folder, warning) = match cache.open() {
        Ok(folder) => (folder, None),
        Err(warning) => (None, Some(warning)),
    };
    if let Some(code) = folder.as_ref().and_then(|folder| cache::kept(folder, &key, source)) {
        return Ok(Ok(CompiledCode { code, warning }));
    }
    if let Some(folder) = &folder {
        cache::sweep(folder);
    }
    let temporary = std::env::temp_dir();
    let work = match WorkFolder::new(folder.as_ref().unwrap_or(&temporary)) {
        Ok(work) => work,
        Err(wrong) => return Ok(Err(format!("there is no folder for it: {wrong}"))),
    };
    let library = match make(source, compiler, &work, budget)? {
        Ok(library) => library,
        Err(CompileFailure::NotRun(reason)) => return Ok(Err(reason)),
        Err(CompileFailure::Failed(error)) => {
            let kept = folder.map(|folder| cache::keep_failed(&folder, &key, source, &work));
            let on = kept.map(|text| format!(" on {}", text.display())).unwrap_or_default();
            return Ok(Err(format!("the compiler `{}` failed{on}: {error}", compiler.name.to_string_lossy())));
        }
    };
    if let Err(reason) = load_in_a_child(&library, compiler, &work, budget)? {
        return Ok(Err(reason));
    }
    let code = LoadedCode::load(&library, ENTRY, SHARED);
    if let (Ok(_), Some(folder)) = (&code, &folder) {
        cache::keep(folder, &key, source, (&work, &library));
    }
    Ok(code.map(|code| CompiledCode { code, warning }))
}

/// A program that loads a library as this one will: where that ends a process, it isn't this one.
const LOADS: &str =
    "#include <dlfcn.h>\nint main(int n, char **words) { return n != 2 || !dlopen(words[1], RTLD_NOW); }\n";

/// Has another process load a library: a compiler may succeed and leave half of one.
fn load_in_a_child(
    library: &Path,
    compiler: &CCompiler,
    work: &WorkFolder,
    budget: &Budget,
) -> Result<Result<(), String>, Trouble> {
    let (text, program) = (work.path().join("load.c"), work.path().join("load"));
    let behind = if cfg!(target_os = "linux") { &["-ldl"][..] } else { &[] };
    let mut compile = compiler.command();
    compile.arg("-o").arg(&program).arg(&text).args(behind);
    let mut load = Command::new(&program);
    load.arg(library);
    let is_loaded = fs::write(&text, LOADS).is_ok()
        && run(compile, compiler, budget)?.is_ok()
        && run(load, compiler, budget)?.is_ok();
    let named = compiler.name.to_string_lossy();
    Ok(if is_loaded { Ok(()) } else { Err(format!("what the compiler `{named}` made can't be loaded")) })
}

/// Why a compiler made nothing.
enum CompileFailure {
    /// It can't be run, or has nothing to read.
    NotRun(String),
    /// It ran and said so.
    Failed(String),
}

/// Compiles to a library.
fn make(
    source: &str,
    compiler: &CCompiler,
    work: &WorkFolder,
    budget: &Budget,
) -> Result<Result<PathBuf, CompileFailure>, Trouble> {
    let (text, library) = (work.path().join("code.c"), work.path().join("code.so"));
    if let Err(wrong) = fs::write(&text, source) {
        return Ok(Err(CompileFailure::NotRun(format!("its C can't be written: {wrong}"))));
    }
    let mut made = Err(CompileFailure::Failed(String::new()));
    for (flags, behind) in compiler.asked() {
        let mut command = compiler.command();
        command.args(flags).arg("-o").arg(&library).arg(&text).args(behind);
        made = run(command, compiler, budget)?;
        if made.is_ok() {
            break;
        }
    }
    Ok(made.map(|()| library))
}

/// How many bytes are read of what a compiler says.
const MAX_SAID: u64 = 1 << 16;

/// How many characters of its first error are shown.
const MAX_ERROR: usize = 500;

/// How long is waited for the rest of what a compiler that ended has said: what it started may hold the pipe.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// Runs the compiler, or what it made.
fn run(mut command: Command, compiler: &CCompiler, budget: &Budget) -> Result<Result<(), CompileFailure>, Trouble> {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = match command.spawn() {
        Ok(child) => child,
        Err(wrong) => {
            let named = compiler.name.to_string_lossy();
            return Ok(Err(CompileFailure::NotRun(match wrong.kind() {
                ErrorKind::NotFound => format!("there is no compiler `{named}`"),
                _ => format!("the compiler `{named}` can't be run: {wrong}"),
            })));
        }
    };
    let (tell, told) = mpsc::channel();
    if let Some(mut pipe) = child.stderr.take() {
        // All of it is read, since a full pipe would hold the compiler up, and most of it dropped.
        std::thread::spawn(move || {
            let mut said = Vec::new();
            let _ = pipe.by_ref().take(MAX_SAID).read_to_end(&mut said);
            let _ = tell.send(said);
            let _ = io::copy(&mut pipe, &mut io::sink());
        });
    }
    if succeeds(&mut child, budget)? {
        return Ok(Ok(()));
    }
    let said = told.recv_timeout(LAST_WORDS).unwrap_or_default();
    let said = String::from_utf8_lossy(&said);
    let first = said.lines().find(|line| line.contains("error")).unwrap_or("it says nothing");
    Ok(Err(CompileFailure::Failed(first.chars().take(MAX_ERROR).collect())))
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
