//! Compiled code in a folder that others may reach, that is full, or that processes left that were killed.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime};

use redexter::eval::{Sizes, Value};
use redexter::ground::{Budget, Name};
use redexter::native::{CCompiler, CodeCache, Native};

use crate::has_compiler;
use crate::native::read;

fn made_by(compiler: &CCompiler, folder: &Path) -> Result<Native, String> {
    let program = read("def twice (x : real) : real := x + x\n").remove(0).1;
    let cache = CodeCache::at(folder);
    Native::new(&Name::new("twice"), &program, compiler, &cache, &Budget::default()).expect("no error")
}

fn made(folder: &Path) -> Native {
    let native = made_by(&CCompiler::named("cc"), folder).expect("code");
    let value = native.run(&[Value::Real(1.5)], &Sizes::default(), &Budget::default()).expect("a value");
    assert!(value.same(&Value::Real(3.0)));
    native
}

fn names(folder: &Path) -> Vec<String> {
    let mut all: Vec<String> = fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("a file").file_name().to_string_lossy().into_owned())
        .collect();
    all.sort();
    all
}

fn program(file: &Path, text: &str) {
    fs::write(file, text).expect("a file");
    fs::set_permissions(file, fs::Permissions::from_mode(0o755)).expect("a program");
}

#[test]
fn a_folder_that_others_may_write_is_not_believed() {
    if !has_compiler() {
        return;
    }
    let above = tempfile::tempdir().expect("a folder");
    let folder = above.path().join("cache");
    assert_eq!(made(&folder).warning(), None);
    assert_eq!(fs::metadata(&folder).expect("a folder").permissions().mode() & 0o777, 0o700);
    let whole = names(&folder);
    for (changed, mode) in [(folder.as_path(), 0o777), (&folder, 0o770), (above.path(), 0o777), (above.path(), 0o720)] {
        let before = fs::metadata(changed).expect("a folder").permissions();
        fs::set_permissions(changed, fs::Permissions::from_mode(mode)).expect("a mode");
        let warning = made(&folder).warning().map(str::to_owned).expect("a warning");
        assert!(warning.contains(&*folder.to_string_lossy()) && warning.contains("XDG_CACHE_HOME"), "{warning}");
        fs::set_permissions(changed, before).expect("a mode");
    }
    assert_eq!(names(&folder), whole, "nothing was written there");
    // Nobody renames what isn't theirs where the sticky bit is set, as in /tmp.
    fs::set_permissions(above.path(), fs::Permissions::from_mode(0o1777)).expect("a mode");
    assert_eq!(made(&folder).warning(), None);
}

#[test]
fn links_and_pipes_are_not_followed() {
    if !has_compiler() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    drop(made(folder.path()));
    let other = tempfile::tempdir().expect("a folder");
    for name in names(folder.path()) {
        let file = folder.path().join(&name);
        fs::rename(&file, other.path().join(&name)).expect("another place");
        symlink(other.path().join(&name), &file).expect("a link");
    }
    let was: Vec<Vec<u8>> =
        names(other.path()).iter().map(|name| fs::read(other.path().join(name)).expect("a file")).collect();
    drop(made(folder.path()));
    assert!(names(folder.path()).iter().all(|name| !folder.path().join(name).is_symlink()), "made anew");
    for (name, was) in names(other.path()).iter().zip(was) {
        assert!(fs::read(other.path().join(name)).expect("a file") == was, "{name} was written through a link");
    }
    for name in names(folder.path()) {
        fs::remove_file(folder.path().join(&name)).expect("no file");
        let pipe = Command::new("mkfifo").arg(folder.path().join(&name)).status();
        assert!(pipe.is_ok_and(|status| status.success()), "a pipe");
        drop(made(folder.path()));
    }
    // Where a process would have its lock there is a pipe, too, or a link to one.
    let work = folder.path().join("work-0123456789abcdef");
    let pipe = other.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().is_ok_and(|status| status.success()), "a pipe");
    for link in [true, false] {
        fs::create_dir(&work).expect("a folder");
        match link {
            true => symlink(&pipe, work.join("lock")).expect("a link"),
            false => fs::rename(&pipe, work.join("lock")).expect("a pipe"),
        }
        let then = SystemTime::now() - Duration::from_secs(3600);
        fs::File::open(&work).and_then(|file| file.set_modified(then)).expect("a time");
        assert_eq!(pipe.symlink_metadata().is_ok(), link);
        for name in names(folder.path()).iter().filter(|name| name.ends_with(".c")) {
            fs::remove_file(folder.path().join(name)).expect("no file");
        }
        drop(made(folder.path()));
        assert!(!work.exists(), "it is swept");
    }
}

/// What somebody else put into the folder, while that was open to others, isn't run when it is the user's alone again. Only
/// who may give files away, as root may, can try that.
#[test]
fn what_somebody_else_put_there_is_made_anew() {
    if !has_compiler() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    drop(made(folder.path()));
    for name in names(folder.path()) {
        let file = folder.path().join(&name);
        if chown(&file, Some(12345), None).is_err() {
            return;
        }
        drop(made(folder.path()));
        assert_ne!(fs::metadata(&file).expect("a file").uid(), 12345, "{name} was believed");
    }
}

/// A compiler behind the same name that changed, or that another PATH finds, is another compiler.
#[test]
fn a_compiler_is_more_than_its_name() {
    if !has_compiler() {
        return;
    }
    let (folder, bin) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    let (own, log) = (bin.path().join("own"), bin.path().join("log"));
    let calls = || fs::read_to_string(&log).map_or(0, |text| text.lines().count());
    program(&own, &format!("#!/bin/sh\necho one >>{}\nexec cc \"$@\"\n", log.display()));
    let compiler = CCompiler::named(&own.to_string_lossy());
    drop(made_by(&compiler, folder.path()).expect("code"));
    let first = calls();
    drop(made_by(&compiler, folder.path()).expect("code"));
    assert!(first > 0 && calls() == first, "it is kept");
    program(&own, &format!("#!/bin/sh\necho another >>{}\nexec cc \"$@\"\n", log.display()));
    drop(made_by(&compiler, folder.path()).expect("code"));
    assert!(calls() > first, "another compiler stands there");
}

/// A compiler that succeeds and leaves half a library ends no process but one that was made for it; what it says is cut.
#[test]
fn a_bad_library_is_a_message() {
    if !has_compiler() {
        return;
    }
    let (folder, bin) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    let own = bin.path().join("own");
    let halves = r#"cc "$@" || exit 1
while [ $# -gt 0 ]; do [ "$1" = -o ] && out=$2; shift; done
case "$out" in *.so) head -c 4200 "$out" >"$out.half"; mv "$out.half" "$out";; esac"#;
    program(&own, &format!("#!/bin/sh\n{halves}\n"));
    let reason = made_by(&CCompiler::named(&own.to_string_lossy()), folder.path()).err().expect("a reason");
    assert_eq!(reason, format!("what the compiler `{}` made can't be loaded", own.display()));
    assert!(names(folder.path()).is_empty(), "{:?}", names(folder.path()));
    program(
        &own,
        "#!/bin/sh\nyes 'error: no' | head -c 30000000 >&2\nyes ' ' | tr -d '\\n' | head -c 3000000 >&2\nexit 1\n",
    );
    let reason = made_by(&CCompiler::named(&own.to_string_lossy()), folder.path()).err().expect("a reason");
    assert!(reason.ends_with(": error: no"), "{reason}");
    program(&own, "#!/bin/sh\nprintf 'error: %0100000d' 0 >&2\nexit 1\n");
    let reason = made_by(&CCompiler::named(&own.to_string_lossy()), folder.path()).err().expect("a reason");
    assert!(reason.len() < 1000, "{}", reason.len());
}

/// A compiler that is killed leaves its folder, and so does a process; the next one that compiles takes them away, and what is
/// too much.
#[test]
fn what_was_left_is_swept() {
    if !has_compiler() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let (then, at) = (SystemTime::now() - Duration::from_secs(3600), |name: &str| folder.path().join(name));
    let aged = |path: &PathBuf| fs::File::open(path).and_then(|file| file.set_modified(then)).expect("a time");
    for left in ["work-0123456789abcdef", "work-fedcba9876543210"] {
        fs::create_dir(at(left)).and_then(|()| fs::write(at(left).join("lock"), "")).expect("a folder");
        aged(&at(left));
    }
    let lock = fs::File::open(at("work-fedcba9876543210").join("lock")).expect("a lock");
    lock.lock().expect("it is held");
    // Holes in files count by their lengths, and take no room here.
    for (name, seconds) in [("0123456789abcdef.so", 1), ("1123456789abcdef.12.so", 2), ("own.so", 3)] {
        let file = fs::File::create(at(name)).expect("a file");
        file.set_len(200 << 20).and_then(|()| file.set_modified(then - Duration::from_secs(seconds))).expect("a file");
    }
    drop(made(folder.path()));
    let left = names(folder.path());
    assert!(!left.contains(&"work-0123456789abcdef".to_owned()), "nobody holds it: {left:?}");
    assert!(left.contains(&"work-fedcba9876543210".to_owned()), "somebody works there: {left:?}");
    assert!(left.contains(&"0123456789abcdef.so".to_owned()) && left.contains(&"own.so".to_owned()), "{left:?}");
    assert!(!left.contains(&"1123456789abcdef.12.so".to_owned()), "the oldest of too much: {left:?}");
}

/// What was made first and used since stays, and what nobody used since goes; a work folder that was made just now stays.
#[test]
fn what_was_used_last_stays() {
    if !has_compiler() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    drop(made(folder.path()));
    let own = names(folder.path());
    for name in &own {
        let then = SystemTime::now() - Duration::from_secs(7200);
        fs::File::open(at(name)).and_then(|file| file.set_modified(then)).expect("a time");
    }
    drop(made(folder.path()));
    let large = |name: &str, seconds: u64| {
        let then = SystemTime::now() - Duration::from_secs(seconds);
        let file = fs::File::create(at(name)).expect("a file");
        file.set_len(200 << 20).and_then(|()| file.set_modified(then)).expect("a file");
    };
    large("0123456789abcdef.so", 3600);
    large("1123456789abcdef.failed.c", 3601);
    fs::create_dir(at("work-0123456789abcdef")).expect("a folder");
    drop(made_by(&CCompiler::named("cc -DREDEXTER_OWN=1"), folder.path()).expect("code"));
    let left = names(folder.path());
    assert!(own.iter().all(|name| left.contains(name)), "it was used: {left:?}");
    assert!(left.contains(&"0123456789abcdef.so".to_owned()), "there is room: {left:?}");
    assert!(!left.contains(&"1123456789abcdef.failed.c".to_owned()), "there is none: {left:?}");
    assert!(left.contains(&"work-0123456789abcdef".to_owned()), "somebody begins: {left:?}");
    // Whoever uses what is too much on its own gets that, and no more than that is dropped.
    large("2123456789abcdef.so", 0);
    large("3123456789abcdef.so", 0);
    drop(made_by(&CCompiler::named("cc -DREDEXTER_OWN=2"), folder.path()).expect("code"));
    let bytes: u64 = names(folder.path()).iter().map(|name| fs::metadata(at(name)).expect("a file").len()).sum();
    assert!(bytes < 257 << 20, "{bytes}");
}

/// The program in the shell's words, with this folder for its cache.
fn answered(shell: &str, folder: &Path) -> (String, String) {
    let model = folder.join("m.arr");
    fs::write(&model, "def twice (x : real) : real := x + x\n").expect("a model");
    let done = Command::new("sh")
        .args(["-c", shell])
        .env("REDEXTER", env!("CARGO_BIN_EXE_redexter"))
        .env("INPUT", r#"{"x": 1.5}"#)
        .env("MODEL", format!("{}:twice", model.display()))
        .env("XDG_CACHE_HOME", folder)
        .output()
        .expect("a shell");
    (String::from_utf8_lossy(&done.stdout).into_owned(), String::from_utf8_lossy(&done.stderr).into_owned())
}

const EVALUATED: &str = r#""$REDEXTER" eval "$MODEL" --input "$INPUT" --native"#;

/// Where another folder comes first on the PATH, its compiler is called, and what the other one made stays its own.
#[test]
fn another_compiler_on_the_path_is_another_one() {
    if !has_compiler() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let bin = folder.path().join("bin");
    fs::create_dir(&bin).expect("a folder");
    let real = answered("command -v cc", folder.path()).0;
    program(&bin.join("cc"), &format!("#!/bin/sh\necho called >>{}/log\nexec {} \"$@\"\n", bin.display(), real.trim()));
    let log = || fs::read_to_string(bin.join("log")).unwrap_or_default();
    let with_other = format!("PATH={}:\"$PATH\" {EVALUATED}", bin.display());
    assert_eq!(answered(EVALUATED, folder.path()), ("3.0\n".to_owned(), String::new()));
    assert_eq!(answered(&with_other, folder.path()), ("3.0\n".to_owned(), String::new()));
    let called = log();
    assert!(!called.is_empty(), "the other one is called");
    for shell in [EVALUATED, &with_other] {
        assert_eq!(answered(shell, folder.path()), ("3.0\n".to_owned(), String::new()));
    }
    assert_eq!(log(), called, "both are kept");
}

/// Processes of two containers may have one number. Only who may make namespaces, as root may, can try that.
#[test]
fn two_processes_of_one_number_do_not_meet() {
    if !has_compiler() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let both = format!(
        "unshare -p -f true 2>/dev/null || {{ echo none; exit; }}\n\
         for k in 1 2; do unshare -p -f sh -c '[ $$ = 1 ] && exec {EVALUATED}' & done; wait"
    );
    let (told, wrong) = answered(&both, folder.path());
    assert!(told == "3.0\n3.0\n" || told == "none\n", "{told}{wrong}");
    if told != "none\n" {
        let left = names(&folder.path().join("redexter").join("native"));
        assert_eq!(left.len(), 2, "a library and its source: {left:?}");
    }
}

/// Processes that compile the same at once, some of them killed, leave what is whole, or what the next sweep takes.
#[test]
fn processes_at_once_and_killed() {
    if !has_compiler() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let model = folder.path().join("m.arr");
    fs::write(&model, "def twice (x : real) : real := x + x\n").expect("a model");
    let start = || {
        Command::new(env!("CARGO_BIN_EXE_redexter"))
            .args(["eval", &format!("{}:twice", model.display()), "--input", r#"{"x": 1.5}"#, "--native"])
            .env("XDG_CACHE_HOME", folder.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program")
    };
    for round in 0..3 {
        let mut killed = start();
        let running = [start(), start()];
        std::thread::sleep(Duration::from_millis(40 * round));
        let _ = killed.kill();
        let _ = killed.wait();
        for child in running {
            let done = child.wait_with_output().expect("an answer");
            assert_eq!(String::from_utf8_lossy(&done.stdout), "3.0\n", "{}", String::from_utf8_lossy(&done.stderr));
        }
    }
    let kept = folder.path().join("redexter").join("native");
    let whole = |name: &String| name.ends_with(".c") || name.ends_with(".so");
    for name in names(&kept).iter().filter(|name| !whole(name)) {
        assert!(name.starts_with("work-"), "{name}");
        let then = SystemTime::now() - Duration::from_secs(3600);
        fs::File::open(kept.join(name)).and_then(|file| file.set_modified(then)).expect("a time");
    }
    drop(made_by(&CCompiler::named("cc -DREDEXTER_OWN=2"), &kept).expect("code"));
    assert!(names(&kept).iter().all(whole), "{:?}", names(&kept));
}
