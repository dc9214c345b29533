//! Who starts a process for each target, hears how its inputs end, and finds what aborts and what doesn't answer.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, ExitCode, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::Plan;
use crate::fuzz::{Mutator, Target, minimise};
use crate::tally::{Tally, table};

/// An input that isn't answered for so long hangs.
const PATIENCE: Duration = Duration::from_secs(20);

/// What is said of it, where it isn't answered in three times as long either.
const HANGS: &str = "hangs";

/// The address space of a child, in KB.
const MEMORY: u64 = 4 << 20;

/// So often a process is started to make small what ended one, and as long.
const TRIALS: usize = 200;
const TRYING: Duration = Duration::from_secs(120);

/// After so many inputs that ended its process a target is given up.
const DEATHS: usize = 20;

const FOLDER: &str = "target/fuzz";

/// Ctrl-C was pressed.
static ENDING: AtomicBool = AtomicBool::new(false);

/// Tries the inputs of a plan, and prints the table.
pub fn run(plan: &Plan) -> ExitCode {
    if let Err(wrong) = ctrlc::set_handler(|| ENDING.store(true, Ordering::SeqCst)) {
        eprintln!("Ctrl-C ends this at once: {wrong}");
    }
    let begun = Instant::now();
    let mut all: Vec<(&str, Tally)> = Vec::new();
    for (k, target) in plan.targets.iter().enumerate() {
        let left = plan.time.saturating_sub(begun.elapsed());
        let share = left / (plan.targets.len() - k) as u32;
        let mut tally = Tally::default();
        tried(target, plan, Instant::now() + share, &mut tally);
        all.push((target.name, tally));
        if is_ending() {
            break;
        }
    }
    print!("{}", table(&all, plan.seed));
    match all.iter().all(|(_, tally)| tally.found.is_empty()) {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}

/// Writes an input down; its file.
pub fn keep(target: &Target, input: &[u8]) -> String {
    let path = Path::new(FOLDER).join(target.file_of(input));
    let written = fs::create_dir_all(FOLDER).and_then(|()| fs::write(&path, input));
    written.map_or_else(|wrong| format!("{}: {wrong}", path.display()), |()| path.display().to_string())
}

fn is_ending() -> bool {
    ENDING.load(Ordering::SeqCst)
}

/// How a child ended.
enum Ended {
    /// All was tried, or the time is over.
    Done,
    /// This input ended it, or was never answered.
    At(u64, String),
}

/// Tries inputs until a time, in one child after another.
fn tried(target: &'static Target, plan: &Plan, until: Instant, tally: &mut Tally) {
    let mut from = 0;
    for _ in 0..DEATHS {
        let Ended::At(number, how) = listened(target, plan, from, until, tally) else { return };
        tally.end(number, &how, if how == HANGS { PATIENCE } else { Duration::ZERO });
        from = number + 1;
        if tally.found.contains_key(&how) {
            continue;
        }
        let input = Mutator::new(target).input(plan.seed, number);
        if how == HANGS && !ends_badly(target, &input, 3 * PATIENCE) {
            eprintln!("{}: input {number} is slow here, but ends", target.name);
            continue;
        }
        // What is written first is there even if making it small takes too long.
        let whole = keep(target, &input);
        eprintln!("{}: input {number} {how}: {whole}", target.name);
        let small = least(target, &input);
        tally.found.insert(how, keep(target, &small));
    }
    eprintln!("{}: given up after input {from}", target.name);
}

/// Starts a child that begins with this input, and hears it.
fn listened(target: &Target, plan: &Plan, from: u64, until: Instant, tally: &mut Tally) -> Ended {
    let numbers = [plan.seed, from, plan.inputs].map(|number| number.to_string());
    let mut child = started(&["--child", target.name, &numbers[0], &numbers[1], &numbers[2]]);
    let lines = lines(&mut child);
    let mut number = from;
    let mut heard = Instant::now();
    loop {
        let now = Instant::now();
        if is_ending() || now >= until {
            end(&mut child);
            return Ended::Done;
        }
        let patience = (heard + PATIENCE).min(until).saturating_duration_since(now);
        match lines.recv_timeout(patience.min(Duration::from_millis(200))) {
            Ok(line) => {
                heard = Instant::now();
                number = understood(&line, target, tally).map_or(number, |ended| ended + 1);
            }
            Err(RecvTimeoutError::Timeout) if heard.elapsed() >= PATIENCE => {
                end(&mut child);
                return Ended::At(number, HANGS.to_owned());
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                let status = child.wait().expect("a child that ends");
                return match status.success() || is_interrupt(status) || is_ending() {
                    true => Ended::Done,
                    false => Ended::At(number, format!("aborts: {status}")),
                };
            }
        }
    }
}

/// Counts what a child said; the number of the input that ended, if one did.
fn understood(line: &str, target: &Target, tally: &mut Tally) -> Option<u64> {
    let words: Vec<&str> = line.splitn(4, ' ').collect();
    match words[..] {
        ["end", number, how, took] => {
            let number = number.parse().ok()?;
            tally.end(number, how, Duration::from_micros(took.parse().ok()?));
            return Some(number);
        }
        ["found", number, ..] => {
            let (file, kind) = line.split_once('\t').unwrap_or((line, ""));
            let file = file.rsplit(' ').next().unwrap_or(file);
            eprintln!("{}: input {number}: {kind}: {file}", target.name);
            tally.found.entry(kind.to_owned()).or_insert_with(|| file.to_owned());
        }
        _ => {}
    }
    None
}

/// What still ends its process of an input that does.
fn least(target: &Target, input: &[u8]) -> Vec<u8> {
    let until = Instant::now() + TRYING;
    minimise(input, TRIALS, |input| {
        let is_over = is_ending() || Instant::now() > until;
        !is_over && ends_badly(target, input, PATIENCE)
    })
}

/// Whether an input ends its process, or isn't answered for so long.
fn ends_badly(target: &Target, input: &[u8], patience: Duration) -> bool {
    let file = Path::new(FOLDER).join(format!(".trying-{}", std::process::id()));
    if fs::write(&file, input).is_err() {
        return false;
    }
    let mut child = started(&["--one", target.name, &file.display().to_string()]);
    let begun = Instant::now();
    let status = loop {
        match child.try_wait() {
            Ok(None) if begun.elapsed() < patience => thread::sleep(Duration::from_millis(10)),
            status => break status.ok().flatten(),
        }
    };
    end(&mut child);
    // There is nobody to tell that it can't be removed.
    drop(fs::remove_file(&file));
    status.is_none_or(|status| !status.success() && !is_interrupt(status))
}

/// This program once more, with less memory where a shell can say so.
fn started(arguments: &[&str]) -> Child {
    let program = std::env::current_exe().expect("this program");
    let mut command = match cfg!(unix) {
        true => {
            let mut shell = Command::new("sh");
            shell.args(["-c", &format!("ulimit -v {MEMORY}; exec \"$0\" \"$@\"")]).arg(program);
            shell
        }
        false => Command::new(program),
    };
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).spawn().expect("a child")
}

fn lines(child: &mut Child) -> Receiver<String> {
    let (tell, lines) = channel();
    let output = child.stdout.take().expect("an output");
    thread::spawn(move || {
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            if tell.send(line).is_err() {
                return;
            }
        }
    });
    lines
}

/// It may have ended by itself.
fn end(child: &mut Child) {
    drop(child.kill());
    drop(child.wait());
}

#[cfg(unix)]
fn is_interrupt(status: ExitStatus) -> bool {
    const SIGINT: i32 = 2;
    std::os::unix::process::ExitStatusExt::signal(&status) == Some(SIGINT)
}

#[cfg(not(unix))]
fn is_interrupt(_: ExitStatus) -> bool {
    false
}
